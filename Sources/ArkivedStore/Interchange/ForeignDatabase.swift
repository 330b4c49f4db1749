package import ArkivedCore
package import Foundation
import GRDB
import GRDBSQLite

/// A reason another program's database cannot be read or written at present.
package enum ForeignDatabaseError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The other program is writing, or left an incomplete change.
  case busy(String)
  /// The file is not a database, or its pages are inconsistent.
  case damaged(String)
  case unreachable(String)

  package var description: String {
    switch self {
    case .busy(let what), .damaged(let what), .unreachable(let what): what
    }
  }
}

/// A database of another program.
///
/// It is read from a private copy made at one moment and never written to; only `ForeignWriter`
/// writes.
package struct ForeignDatabase: Sendable {
  private let queue: DatabaseQueue

  /// The first bytes of every SQLite file.
  package static let magic = Array("SQLite format 3\0".utf8)

  /// The time in seconds to wait for a program that is writing.
  static let waitSeconds = 2.0

  /// Copies a database with the content of its log as of one moment, and opens the copy.
  ///
  /// - Parameters:
  ///   - file: stays unchanged; neither it nor its folder is written to, except for the marks that
  ///     readers set in an existing index of a log.
  ///   - folder: private; the copy stays in it until its owner removes it.
  /// - Throws: `ForeignDatabaseError` if it can't be copied.
  package init(copyOf file: URL, in folder: URL) throws {
    let copy = folder.appendingPathComponent("copy-\(UUID().uuidString).db")
    do {
      try Self.copy(file, to: copy)
      var configuration = Configuration()
      configuration.foreignKeysEnabled = false
      configuration.prepareDatabase { db in
        // Names in a foreign schema must not call anything with side effects.
        try db.execute(sql: "PRAGMA trusted_schema = OFF")
      }
      queue = try DatabaseQueue(path: copy.path, configuration: configuration)
      let verdict = try queue.read { db in
        try String.fetchAll(db, sql: "PRAGMA quick_check(3)")
      }
      guard verdict == ["ok"] else {
        throw ForeignDatabaseError.damaged(
          "the database is damaged (\(verdict.first?.prefix(120) ?? "no verdict"))")
      }
    } catch let error as DatabaseError {
      throw Self.trouble(error)
    }
  }

  static func trouble(_ error: DatabaseError) -> ForeignDatabaseError {
    switch error.resultCode {
    case .SQLITE_BUSY, .SQLITE_LOCKED:
      .busy("another program is writing to it. Try again when it’s done")
    case .SQLITE_NOTADB, .SQLITE_CORRUPT:
      .damaged("not a complete SQLite database (\(error.message ?? "unreadable"))")
    default: .unreachable(error.message ?? "it can’t be opened")
    }
  }

  // MARK: Use by other programs

  /// Returns true if another program is known to be using a database: it has an open transaction,
  /// or has the file open with a log.
  package static func isInUse(_ file: URL) -> Bool {
    let file = file.resolvingSymlinksInPath()
    guard (try? usesLog(file)) != true else {
      return FileManager.default.fileExists(atPath: file.path + "-shm")
    }
    var configuration = Configuration()
    configuration.busyMode = .immediateError
    do {
      let queue = try DatabaseQueue(path: file.path, configuration: configuration)
      defer { try? queue.close() }
      try queue.writeWithoutTransaction { db in
        try db.execute(sql: "BEGIN EXCLUSIVE")
        try db.execute(sql: "ROLLBACK")
      }
      return false
    } catch let error as DatabaseError {
      return [.SQLITE_BUSY, .SQLITE_LOCKED].contains(error.resultCode)
    } catch {
      return false
    }
  }

  // MARK: Copying

  /// Copies a database with the content of its log as of one moment.
  ///
  /// - Throws: `ForeignDatabaseError` if the file can't be read, is damaged or is in use.
  package static func copy(_ file: URL, as copy: URL) throws {
    do {
      try Self.copy(file, to: copy)
    } catch let error as DatabaseError {
      throw trouble(error)
    }
  }

  private static func copy(_ file: URL, to copy: URL) throws {
    // SQLite keeps the log beside the file itself, not beside a link to it.
    let file = file.resolvingSymlinksInPath()
    let log = URL(fileURLWithPath: file.path + "-shm")
    // If there is a log but no index of it, no program has the database open, and opening it would
    // create one.
    if try usesLog(file), !FileManager.default.fileExists(atPath: log.path) {
      return try copyFiles(file, to: copy)
    }
    var configuration = Configuration()
    configuration.readonly = true
    configuration.busyMode = .timeout(waitSeconds)
    do {
      let source = try DatabaseQueue(path: file.path, configuration: configuration)
      let target = try DatabaseQueue(path: copy.path)
      try source.backup(to: target)
      try target.close()
      try source.close()
    } catch let error as DatabaseError
      where [.SQLITE_CANTOPEN, .SQLITE_READONLY].contains(error.resultCode)
    {
      // An interrupted change has to be rolled back, which may only be done to a copy.
      for suffix in suffixes { try? FileManager.default.removeItem(atPath: copy.path + suffix) }
      try copyFiles(file, to: copy)
    }
  }

  private static let suffixes = ["", "-wal", "-journal"]

  private static func usesLog(_ file: URL) throws -> Bool {
    let handle = try FileHandle(forReadingFrom: file)
    defer { try? handle.close() }
    let head = [UInt8](try handle.read(upToCount: 20) ?? Data())
    return head.count == 20 && head[19] == 2
  }

  /// Returns marks that differ if files were touched while they were copied.
  private static func marks(_ file: URL) -> [String] {
    (suffixes + ["-shm"]).map { suffix in
      let attributes = try? FileManager.default.attributesOfItem(atPath: file.path + suffix)
      guard let attributes else { return "-" }
      let time = (attributes[.modificationDate] as? Date)?.timeIntervalSince1970 ?? 0
      return "\(attributes[.size] ?? 0) \(time) \(attributes[.systemFileNumber] ?? 0)"
    }
  }

  private static func copyFiles(_ file: URL, to copy: URL) throws {
    for _ in 0..<10 {
      let before = marks(file)
      for suffix in suffixes {
        try? FileManager.default.removeItem(atPath: copy.path + suffix)
        guard FileManager.default.fileExists(atPath: file.path + suffix) else { continue }
        // Only its bytes, because a read-only copy could not be recovered.
        try Data(contentsOf: URL(fileURLWithPath: file.path + suffix))
          .write(to: URL(fileURLWithPath: copy.path + suffix))
      }
      if before == marks(file) { return }
      usleep(100_000)
    }
    throw ForeignDatabaseError.busy(
      "another program is writing to it. Try again when it’s done")
  }

  // MARK: Reading

  /// Returns the ordinary tables with their columns, by name.
  package func tables() throws -> [InterchangeTable] {
    try queue.read { db in try ForeignSchema.tables(db) }
  }

  /// Passes on every row of a table, in the order of its key.
  ///
  /// - Parameters:
  ///   - table: the table.
  ///   - body: receives the columns and the row's number, which some tables lack.
  /// - Throws: what `body` throws, and an error if the table can't be read.
  package func forEachRow(
    of table: InterchangeTable, _ body: ([InterchangeRow.Column], Int64?) throws -> Void
  ) throws {
    do {
      try queue.read { db in try ForeignSchema.forEachRow(of: table, db, body: body) }
    } catch let error as DatabaseError {
      throw Self.trouble(error)
    }
  }
}

/// The schema of a foreign database.
enum ForeignSchema {
  static func tables(_ db: Database) throws -> [InterchangeTable] {
    let names = try String.fetchAll(
      db,
      sql: """
        SELECT name FROM pragma_table_list
        WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
        ORDER BY name
        """)
    return try names.map { name in
      let columns = try Row.fetchAll(
        db, sql: "SELECT name, type, pk, \"notnull\" FROM pragma_table_info(?) ORDER BY cid",
        arguments: [name])
      return InterchangeTable(
        name: name,
        columns: columns.map {
          .init(name: $0[0], type: $0[1], keyPlace: $0[2], isRequired: $0[3])
        })
    }
  }

  static func hasRowNumbers(_ table: InterchangeTable, _ db: Database) throws -> Bool {
    let isWithout = try Bool.fetchOne(
      db, sql: "SELECT wr FROM pragma_table_list WHERE schema = 'main' AND name = ?",
      arguments: [table.name])
    return isWithout != true && rowNumber(table) != nil
  }

  /// Returns a name for the row number that no column uses.
  static func rowNumber(_ table: InterchangeTable) -> String? {
    ["rowid", "_rowid_", "oid"].first { name in
      !table.columns.contains { $0.name.lowercased() == name }
    }
  }

  static func forEachRow(
    of table: InterchangeTable, _ db: Database,
    body: ([InterchangeRow.Column], Int64?) throws -> Void
  ) throws {
    guard !table.columns.isEmpty else { return }
    let names = table.columns.map(\.name)
    var list = names.map(\.quotedDatabaseIdentifier)
    let number = try hasRowNumbers(table, db) ? rowNumber(table) : nil
    if let number { list.append(number) }
    let sql = """
      SELECT \(list.joined(separator: ", ")) FROM \(table.name.quotedDatabaseIdentifier)
      \(number.map { "ORDER BY \($0)" } ?? "")
      """
    let statement = try db.makeStatement(sql: sql)
    let handle = statement.sqliteStatement
    defer { sqlite3_reset(handle) }
    while try step(handle) {
      let number = number.map { _ in sqlite3_column_int64(handle, Int32(names.count)) }
      try body(columns(names, handle), number)
    }
  }

  /// Returns the first row that meets a condition, using a statement that is prepared once.
  static func firstRow(
    of table: InterchangeTable, _ db: Database, where condition: String,
    _ values: [InterchangeValue]
  ) throws -> [InterchangeRow.Column]? {
    let names = table.columns.map(\.name)
    let list = names.map(\.quotedDatabaseIdentifier).joined(separator: ", ")
    let statement = try db.cachedStatement(
      sql: """
        SELECT \(list) FROM \(table.name.quotedDatabaseIdentifier) WHERE \(condition) LIMIT 1
        """)
    let handle = statement.sqliteStatement
    sqlite3_reset(handle)
    set(values, handle)
    defer {
      sqlite3_reset(handle)
      sqlite3_clear_bindings(handle)
    }
    return try step(handle) ? columns(names, handle) : nil
  }

  private static func step(_ handle: OpaquePointer) throws -> Bool {
    switch sqlite3_step(handle) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    default: throw DatabaseError(stepping: handle)
    }
  }

  private static func columns(
    _ names: [String], _ handle: OpaquePointer
  ) -> [InterchangeRow.Column] {
    names.indices.map { index in
      InterchangeRow.Column(name: names[index], value: value(handle, Int32(index)))
    }
  }

  private static func value(_ handle: OpaquePointer, _ index: Int32) -> InterchangeValue {
    func bytes(_ start: UnsafeRawPointer?) -> [UInt8] {
      guard let start else { return [] }
      return [UInt8](
        UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, index))))
    }
    switch sqlite3_column_type(handle, index) {
    case SQLITE_INTEGER: return .integer(sqlite3_column_int64(handle, index))
    case SQLITE_FLOAT: return .real(sqlite3_column_double(handle, index))
    case SQLITE_TEXT:
      let text = bytes(UnsafeRawPointer(sqlite3_column_text(handle, index)))
      return String(validating: text, as: UTF8.self).map { .text($0) } ?? .brokenText(text)
    case SQLITE_BLOB: return .blob(bytes(sqlite3_column_blob(handle, index)))
    default: return .null
    }
  }
}

package import ArkivedCore
package import Foundation
import GRDB
import GRDBSQLite

/// The open transaction on a database of another program.
package struct ForeignWriter {
  let db: Database

  /// The identification of a row to be changed.
  package enum Address: Hashable, Sendable {
    case number(Int64)
    /// The columns of the primary key, for a table without row numbers.
    case key([InterchangeRow.Column])
  }

  // MARK: New files

  /// Writes a new database that gets its name when it is complete, flushed and verified.
  ///
  /// - Parameters:
  ///   - target: where to write.
  ///   - applicationID: the four bytes that identify the file's program.
  ///   - body: creates and fills the tables.
  /// - Returns: what `body` returns.
  /// - Throws: what `body` throws; then the target is unchanged.
  package static func make<Value>(
    at target: URL, applicationID: [UInt8], _ body: (ForeignWriter) throws -> Value
  ) throws -> Value {
    let folder = target.deletingLastPathComponent()
    let temporary = folder.appendingPathComponent(".incoming-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: temporary) }
    try DurableFile.makeEmpty(temporary)
    var configuration = Configuration()
    configuration.foreignKeysEnabled = false
    let queue = try DatabaseQueue(path: temporary.path, configuration: configuration)
    let value = try queue.write { db in
      let mark = applicationID.reduce(0) { $0 << 8 | Int($1) }
      try db.execute(sql: "PRAGMA application_id = \(mark)")
      return try body(ForeignWriter(db: db))
    }
    let verdict = try queue.read { db in
      try String.fetchAll(db, sql: "PRAGMA integrity_check")
    }
    try queue.close()
    guard verdict == ["ok"] else {
      throw ForeignDatabaseError.damaged(
        "the written data failed verification (\(verdict.first ?? "no verdict"))")
    }
    try DurableFile.synchronise(temporary)
    guard rename(temporary.path, target.path) == 0 else { throw POSIXFailure(path: target.path) }
    try DurableFile.toleratingUnflushable { try DurableFile.synchronise(folder) }
    return value
  }

  // MARK: Existing files

  /// Changes a database in one transaction, which begins before anything is read from it.
  ///
  /// - Parameters:
  ///   - file: the file.
  ///   - seconds: the time to wait for another program that is writing.
  ///   - body: reads and writes the database.
  /// - Returns: what `body` returns.
  /// - Throws: `ForeignDatabaseError` if another program is writing or the file is incomplete; then
  ///   it stays unchanged.
  package static func change<Value>(
    _ file: URL, waits seconds: Double, _ body: (ForeignWriter) throws -> Value
  ) throws -> Value {
    try refuseHalfWritten(file.resolvingSymlinksInPath())
    do {
      var configuration = Configuration()
      configuration.foreignKeysEnabled = false
      configuration.busyMode = .timeout(seconds)
      configuration.prepareDatabase { db in
        try db.execute(sql: "PRAGMA trusted_schema = OFF")
        try db.execute(sql: "PRAGMA synchronous = FULL")
      }
      let queue = try DatabaseQueue(path: file.path, configuration: configuration)
      return try queue.writeWithoutTransaction { db in
        var value: Value?
        var failure: (any Error)?
        try db.inTransaction(.immediate) {
          let verdict = try String.fetchAll(db, sql: "PRAGMA quick_check(3)")
          guard verdict == ["ok"] else {
            throw ForeignDatabaseError.damaged(
              "the database is damaged (\(verdict.first?.prefix(120) ?? "no verdict"))")
          }
          do {
            value = try body(ForeignWriter(db: db))
          } catch {
            failure = error
            return .rollback
          }
          return .commit
        }
        if let failure { throw failure }
        guard let value else { throw ForeignDatabaseError.unreachable("it can’t be written to") }
        return value
      }
    } catch let error as DatabaseError {
      throw ForeignDatabase.trouble(error)
    }
  }

  /// The first bytes of a journal with changes to roll back.
  private static let journalMagic: [UInt8] = [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7]

  private static func refuseHalfWritten(_ file: URL) throws {
    let head = try FileHandle(forReadingFrom: file)
    defer { try? head.close() }
    guard [UInt8](try head.read(upToCount: 16) ?? Data()) == ForeignDatabase.magic else {
      throw ForeignDatabaseError.damaged("not a complete SQLite database")
    }
    let journal = URL(fileURLWithPath: file.path + "-journal")
    guard let handle = try? FileHandle(forReadingFrom: journal) else { return }
    defer { try? handle.close() }
    if [UInt8](try handle.read(upToCount: 8) ?? Data()) == journalMagic {
      throw ForeignDatabaseError.busy(
        """
        another program is making a change or was interrupted while making one. Open the file in \
        that program once
        """
      )
    }
  }

  // MARK: Tables and rows

  package func tables() throws -> [InterchangeTable] { try ForeignSchema.tables(db) }

  package func forEachRow(
    of table: InterchangeTable, _ body: ([InterchangeRow.Column], Int64?) throws -> Void
  ) throws {
    try ForeignSchema.forEachRow(of: table, db, body: body)
  }

  package func hasRowNumbers(_ table: InterchangeTable) throws -> Bool {
    try ForeignSchema.hasRowNumbers(table, db)
  }

  /// Creates a table.
  ///
  /// - Parameters:
  ///   - table: the table.
  ///   - clauses: this program's own SQL after a column, by the column's name, such as `DEFAULT 1`.
  ///   - constraints: this program's own SQL after all columns, such as `UNIQUE (a, b)`.
  /// - Throws: an error if the table can't be created.
  package func create(
    _ table: InterchangeTable, clauses: [String: String] = [:], constraints: [String] = []
  ) throws {
    let keys = table.columns.filter { $0.keyPlace > 0 }.sorted { $0.keyPlace < $1.keyPlace }
    var parts = table.columns.map { column in
      var text = column.name.quotedDatabaseIdentifier
      // A foreign type is a name, so everything else in it is dropped.
      let type = column.type.filter { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == " ") }
      if !type.isEmpty { text += " \(type)" }
      if keys.count == 1, column.keyPlace > 0 { text += " PRIMARY KEY" }
      if column.isRequired { text += " NOT NULL" }
      if let clause = clauses[column.name] { text += " \(clause)" }
      return text
    }
    if keys.count > 1 {
      let list = keys.map { $0.name.quotedDatabaseIdentifier }.joined(separator: ", ")
      parts.append("PRIMARY KEY (\(list))")
    }
    parts += constraints
    try db.execute(
      sql: """
        CREATE TABLE \(table.name.quotedDatabaseIdentifier) (\(parts.joined(separator: ", ")))
        """)
  }

  /// Adds a row.
  ///
  /// - Returns: nil if a rule of the table refuses it, otherwise its number.
  package func insert(_ columns: [InterchangeRow.Column], into table: String) throws -> Int64? {
    let names = columns.map { $0.name.quotedDatabaseIdentifier }.joined(separator: ", ")
    return try attempt(
      "INSERT INTO \(table.quotedDatabaseIdentifier) (\(names)) VALUES "
        + "(\(placeholders(columns.count)))", columns.map(\.value)) ? db.lastInsertedRowID : nil
  }

  /// Changes a row.
  ///
  /// - Returns: true if the table's rules allow it.
  package func update(
    _ address: Address, _ columns: [InterchangeRow.Column], in table: InterchangeTable
  ) throws -> Bool {
    let list = columns.map { "\($0.name.quotedDatabaseIdentifier) = ?" }
      .joined(separator: ", ")
    let (condition, values) = condition(address, table)
    return try attempt(
      "UPDATE \(table.name.quotedDatabaseIdentifier) SET \(list) WHERE \(condition)",
      columns.map(\.value) + values)
  }

  package func delete(_ address: Address, from table: InterchangeTable) throws -> Bool {
    let (condition, values) = condition(address, table)
    return try attempt(
      "DELETE FROM \(table.name.quotedDatabaseIdentifier) WHERE \(condition)", values)
  }

  /// Returns the current row, because the table's own rules may store another value than was given.
  package func row(
    _ address: Address, of table: InterchangeTable
  ) throws -> [InterchangeRow.Column] {
    let (condition, values) = condition(address, table)
    return try ForeignSchema.firstRow(of: table, db, where: condition, values) ?? []
  }

  private func condition(
    _ address: Address, _ table: InterchangeTable
  ) -> (String, [InterchangeValue]) {
    switch address {
    case .number(let number):
      ("\(ForeignSchema.rowNumber(table) ?? "rowid") = ?", [.integer(number)])
    case .key(let columns):
      (
        columns.map { "\($0.name.quotedDatabaseIdentifier) IS ?" }.joined(separator: " AND "),
        columns.map(\.value)
      )
    }
  }

  private func attempt(_ sql: String, _ values: [InterchangeValue]) throws -> Bool {
    do {
      try db.inSavepoint {
        let statement = try db.cachedStatement(sql: sql)
        try ForeignSchema.bind(values, to: statement)
        return .commit
      }
      return true
    } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
      return false
    }
  }
}

extension ForeignSchema {
  private static let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

  /// Binds values unchanged, including the bytes of text that is not UTF-8.
  static func bind(_ values: [InterchangeValue], to statement: Statement) throws {
    let handle = statement.sqliteStatement
    sqlite3_reset(handle)
    defer {
      sqlite3_reset(handle)
      sqlite3_clear_bindings(handle)
    }
    set(values, handle)
    guard sqlite3_step(handle) == SQLITE_DONE else { throw DatabaseError(stepping: handle) }
  }

  static func set(_ values: [InterchangeValue], _ handle: OpaquePointer?) {
    func text(_ bytes: [UInt8], _ index: Int32) {
      bytes.withUnsafeBytes { buffer in
        let start = buffer.baseAddress?.assumingMemoryBound(to: CChar.self)
        if let start {
          sqlite3_bind_text(handle, index, start, Int32(buffer.count), transient)
        } else {
          sqlite3_bind_text(handle, index, "", 0, transient)
        }
      }
    }
    for (offset, value) in values.enumerated() {
      let index = Int32(offset + 1)
      switch value {
      case .null: sqlite3_bind_null(handle, index)
      case .integer(let number): sqlite3_bind_int64(handle, index, number)
      case .real(let number): sqlite3_bind_double(handle, index, number)
      case .text(let string): text(Array(string.utf8), index)
      case .brokenText(let bytes): text(bytes, index)
      case .blob(let bytes):
        _ = bytes.withUnsafeBytes { buffer in
          if let start = buffer.baseAddress {
            sqlite3_bind_blob(handle, index, start, Int32(buffer.count), transient)
          } else {
            sqlite3_bind_zeroblob(handle, index, 0)
          }
        }
      }
    }
  }
}

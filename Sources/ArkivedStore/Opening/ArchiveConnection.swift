import ArkivedCore
import CArchiveFile
import CSQLite
import Foundation
import GRDB
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The connections to an archive's database.
///
/// An archive is opened for reading, which changes no byte of it; the first write opens it for
/// writing. If SQLite cannot share the database with other programs, because the disk is full or the
/// folder cannot be written, each read opens it for itself (`UnsharedReading`) until it can again.
final class ArchiveConnection: Sendable {
  private let folder: ArchiveFolder?
  private let state: Mutex<State>

  private struct State {
    var writer: (any DatabaseWriter)?
    var reader: DatabasePool?
    /// Keeps the log and its index in place while `reader` is in use.
    var opened: OpenedFile?
  }

  /// A database in memory.
  init(_ queue: DatabaseQueue) {
    folder = nil
    state = Mutex(State(writer: queue))
  }

  /// - Parameter folder: holds a database, which is not opened yet.
  init(_ folder: ArchiveFolder) {
    self.folder = folder
    state = Mutex(State())
  }

  /// Reads with one consistent view of the archive.
  func read<Value>(_ body: (Database) throws -> Value) throws -> Value {
    guard let reader = try sharedReader() else {
      guard let folder else { throw DatabaseError(resultCode: .SQLITE_MISUSE) }
      return try UnsharedReading.open(folder).read(body)
    }
    return try reader.read(body)
  }

  /// Runs SQLite's integrity check over a connection that may write, though it doesn't: SQLite leaves out CHECK
  /// constraints where it can only read.
  ///
  /// - Parameter limit: the most problems to find.
  /// - Returns: the problems, or `ok`.
  func checkIntegrity(limit: Int) throws -> [String] {
    if let folder {
      do {
        return try openedFile(folder).checkIntegrity(limit: limit)
      } catch let error as DatabaseError where UnsharedReading.helps(against: error) {
        // Where nothing can be written, the rest can still be checked.
      }
    }
    return try read { db in
      try String.fetchAll(db, sql: "PRAGMA integrity_check(\(limit))")
    }
  }

  /// How a further connection opens the database for reading; nil in memory.
  func readOnlyAddress() throws -> ReadOnlyAddress? {
    guard let folder else { return nil }
    return try sharedReader() == nil
      ? UnsharedReading.address(of: folder)
      : ReadOnlyAddress(path: folder.database.path, isExclusive: false)
  }

  /// The connection that everybody shares; nil if SQLite cannot share this database now.
  private func sharedReader() throws -> (any DatabaseReader)? {
    try state.withLock { state -> (any DatabaseReader)? in
      if let writer = state.writer { return writer }
      if let reader = state.reader { return reader }
      guard let folder else { return nil }
      do {
        let opened = try openedFile(folder)
        var configuration = Archive.configuration(at: .folder(folder.url))
        configuration.readonly = true
        let reader = try DatabasePool(path: folder.database.path, configuration: configuration)
        // A reading connection is made only when it is needed: whether it can be shows here.
        _ = try reader.read { db in try Int.fetchOne(db, sql: "PRAGMA schema_version") }
        (state.opened, state.reader) = (opened, reader)
        return reader
      } catch let error as DatabaseError where UnsharedReading.helps(against: error) {
        return nil
      }
    }
  }

  /// Opens the file, after its log and the log's index have got back the rights that they need.
  private func openedFile(_ folder: ArchiveFolder) throws -> OpenedFile {
    do {
      return try OpenedFile(folder.database)
    } catch let error as DatabaseError where error.resultCode == .SQLITE_CANTOPEN {
      try folder.repairRights()
      return try OpenedFile(folder.database)
    }
  }

  /// Closes what is open, so that the log goes into the database. Nothing is read or written any more.
  func close() {
    state.withLock { state in
      try? state.reader?.close()
      (state.reader, state.opened) = (nil, nil)
      guard let pool = state.writer as? DatabasePool else { return }
      // GRDB closes the writer before its readers, and only the last one can move the log; this closes the
      // readers.
      pool.releaseMemory()
      try? pool.close()
    }
  }

  /// The connection that writes, which is opened when this is called first.
  ///
  /// - Parameter prepare: brings a database up to date that was just opened for writing.
  func writer(
    _ prepare: (DatabasePool) throws -> Void
  ) throws -> any DatabaseWriter {
    try state.withLock { state in
      if let writer = state.writer { return writer }
      guard let folder else { throw DatabaseError(resultCode: .SQLITE_MISUSE) }
      // SQLite could write where a killed program left its log, but nothing else could: no attachment, no
      // snapshot, no index.
      guard access(folder.url.path, W_OK | X_OK) == 0 else {
        throw POSIXFailure(path: folder.url.path)
      }
      let pool = try ArchiveLock.withLock(at: folder.lock) {
        try folder.repairRights()
        let pool = try DatabasePool(
          path: folder.database.path,
          configuration: Archive.configuration(at: .folder(folder.url)))
        // GRDB opens its writer with NORMAL, which may lose acknowledged writes when power fails.
        try pool.writeWithoutTransaction { db in
          try db.execute(sql: "PRAGMA synchronous = FULL")
          #if canImport(Darwin)
            // fsync alone leaves a write in the drive's own memory there, see `flushToDisk`.
            try db.execute(sql: "PRAGMA fullfsync = ON")
          #endif
        }
        try prepare(pool)
        return pool
      }
      state.writer = pool
      // Who closes last moves the log into the database, and only a writer can.
      (state.reader, state.opened) = (nil, nil)
      return pool
    }
  }

  /// The writer if it is open already.
  var openWriter: (any DatabaseWriter)? { state.withLock { $0.writer } }

  /// Ends what is being read and written at its next step.
  func interrupt() {
    let (writer, reader) = state.withLock { ($0.writer, $0.reader) }
    writer?.interrupt()
    reader?.interrupt()
  }

  deinit {
    // The log goes only after those who read it.
    state.withLock { state in
      try? state.reader?.close()
      state.reader = nil
      state.opened = nil
    }
  }
}

/// A database that SQLite has opened without creating or changing anything.
private final class OpenedFile: Sendable {
  private let connection: Mutex<OpaquePointer?>

  /// - Throws: `DatabaseError`.
  init(_ file: URL) throws {
    var opened: OpaquePointer?
    let code = archive_file_open(file.path, &opened)
    guard code == SQLITE_OK else {
      archive_file_close(opened)
      throw DatabaseError(resultCode: ResultCode(rawValue: code))
    }
    connection = Mutex(opened)
  }

  /// - Throws: `DatabaseError`.
  func checkIntegrity(limit: Int) throws -> [String] {
    try connection.withLock { connection in
      var lines: UnsafeMutablePointer<CChar>?
      let code = archive_file_check(connection, Int32(limit), &lines)
      defer { free(lines) }
      guard code == SQLITE_OK, let lines else {
        throw DatabaseError(resultCode: ResultCode(rawValue: code))
      }
      return String(cString: lines).split(separator: "\n").map(String.init)
    }
  }

  deinit { connection.withLock { archive_file_close($0) } }
}

/// What SQLite is given to open a database for reading.
struct ReadOnlyAddress: Sendable {
  /// A path or a URI.
  let path: String
  /// Whether the connection has to be in exclusive locking mode before it reads, and to keep the log.
  let isExclusive: Bool
}

/// Reading a database that cannot be shared with other programs, because there is no room, or no right,
/// to make the shared index of its log. Nothing is written.
enum UnsharedReading {
  /// Whether an error of opening says that sharing is what failed.
  static func helps(against error: DatabaseError) -> Bool {
    switch error.resultCode {
    case .SQLITE_CANTOPEN, .SQLITE_READONLY, .SQLITE_PERM, .SQLITE_FULL: true
    case .SQLITE_IOERR:
      [
        .SQLITE_IOERR_SHMOPEN, .SQLITE_IOERR_SHMSIZE, .SQLITE_IOERR_SHMMAP, .SQLITE_IOERR_SHMLOCK,
        .SQLITE_IOERR_WRITE, .SQLITE_IOERR_TRUNCATE,
      ].contains(error.extendedResultCode)
    default: false
    }
  }

  /// Opens the database for one read.
  ///
  /// A log that holds frames is indexed in the memory of this process (SQLite's exclusive locking mode,
  /// over its access to files without locks: nobody else can have the database open where the shared
  /// index cannot be made). Without such a log the file is all there is.
  static func open(_ folder: ArchiveFolder) throws -> DatabaseQueue {
    try open(address(of: folder))
  }

  /// - Parameter withLog: false reads the database file alone, as it is without its log.
  static func open(_ folder: ArchiveFolder, withLog: Bool) throws -> DatabaseQueue {
    try open(address(of: folder, withLog: withLog))
  }

  static func address(of folder: ArchiveFolder) -> ReadOnlyAddress {
    address(of: folder, withLog: (FileIdentity(of: folder.log.path)?.size ?? 0) > 0)
  }

  private static func address(of folder: ArchiveFolder, withLog: Bool) -> ReadOnlyAddress {
    ReadOnlyAddress(
      path: uri(folder.database, withLog ? "vfs=unix-none" : "immutable=1"), isExclusive: withLog)
  }

  private static func open(_ address: ReadOnlyAddress) throws -> DatabaseQueue {
    var configuration = Configuration()
    configuration.readonly = true
    configuration.label = "unshared"
    if address.isExclusive {
      configuration.prepareDatabase { db in
        if let connection = db.sqliteConnection { sqlite3_keep_log_on_close(connection) }
        try db.execute(sql: "PRAGMA locking_mode = EXCLUSIVE")
      }
    }
    return try DatabaseQueue(path: address.path, configuration: configuration)
  }

  /// https://sqlite.org/uri.html
  private static func uri(_ file: URL, _ parameters: String) -> String {
    var path = ""
    for byte in file.path.utf8 {
      let scalar = Unicode.Scalar(byte)
      if byte < 0x80, CharacterSet.urlPathAllowed.contains(scalar), scalar != "?", scalar != "#" {
        path.unicodeScalars.append(scalar)
      } else {
        path += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
      }
    }
    return "file://\(path)?\(parameters)"
  }
}

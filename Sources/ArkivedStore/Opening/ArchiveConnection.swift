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
/// An archive is first opened for reading, which doesn't change a single byte; the first write
/// opens it for writing. If SQLite cannot share the database with other programs, because the disk
/// is full or the folder is not writable, each read opens it separately (`UnsharedReading`) until
/// sharing works again.
final class ArchiveConnection: Sendable {
  private let folder: ArchiveFolder?
  private let state: Mutex<State>
  /// True during a transaction of this process that may take minutes.
  let isFilling = Atomic(false)

  private struct State {
    var writer: (any DatabaseWriter)?
    var reader: DatabasePool?
    /// Keeps the log and its index in place while `reader` is in use.
    var opened: OpenedFile?
  }

  /// Creates the connection to a database in memory.
  init(_ queue: DatabaseQueue) {
    folder = nil
    state = Mutex(State(writer: queue))
  }

  /// Creates the connections.
  ///
  /// - Parameter folder: contains a database, which is not opened yet.
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

  /// Runs SQLite's integrity check on a connection that may write although it doesn't, because
  /// SQLite skips CHECK constraints on a read-only one.
  ///
  /// - Parameter limit: the maximum number of problems to find.
  /// - Returns: the problems, or `ok`.
  /// - Throws: `ArchiveError` or `DatabaseError` if the archive can't be read.
  func checkIntegrity(limit: Int) throws -> [String] {
    if let folder {
      do {
        return try openedFile(folder).checkIntegrity(limit: limit)
      } catch let error as DatabaseError where UnsharedReading.helps(against: error) {
        // If nothing can be written, the rest can still be checked.
      }
    }
    return try read { db in
      try String.fetchAll(db, sql: "PRAGMA integrity_check(\(limit))")
    }
  }

  /// Returns the address for opening the database read-only with another connection; nil in memory.
  func readOnlyAddress() throws -> ReadOnlyAddress? {
    guard let folder else { return nil }
    return try sharedReader() == nil
      ? UnsharedReading.address(of: folder)
      : ReadOnlyAddress(path: folder.database.path, isExclusive: false)
  }

  /// Returns the shared connection; nil if SQLite cannot share this database at present.
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
        // GRDB creates a reading connection only on demand, so this shows if it is possible.
        _ = try reader.read { db in try Int.fetchOne(db, sql: "PRAGMA schema_version") }
        (state.opened, state.reader) = (opened, reader)
        return reader
      } catch let error as DatabaseError where UnsharedReading.helps(against: error) {
        return nil
      }
    }
  }

  /// Opens the file, after restoring the necessary permissions of its log and the log's index.
  private func openedFile(_ folder: ArchiveFolder) throws -> OpenedFile {
    do {
      return try OpenedFile(folder.database)
    } catch let error as DatabaseError where error.resultCode == .SQLITE_CANTOPEN {
      try folder.repairRights()
      return try OpenedFile(folder.database)
    }
  }

  /// Closes all connections, which moves the log into the database.
  ///
  /// Nothing can be read or written afterwards.
  func close() {
    state.withLock { state in
      try? state.reader?.close()
      (state.reader, state.opened) = (nil, nil)
      guard let pool = state.writer as? DatabasePool else { return }
      // GRDB closes the writer before its readers, and only the last connection can move the log;
      // this closes the readers.
      pool.releaseMemory()
      try? pool.close()
    }
  }

  /// Returns the connection that writes, which is opened by the first call.
  ///
  /// - Parameters:
  ///   - check: throws if a database that was never read isn't an archive's.
  ///   - prepare: updates a database that was just opened for writing.
  /// - Returns: the connection.
  /// - Throws: an error if the database can't be opened, and what `check` and `prepare` throw.
  func writer(
    checking check: @escaping @Sendable (Database) throws -> Void,
    _ prepare: (DatabasePool) throws -> Void
  ) throws -> any DatabaseWriter {
    try state.withLock { state in
      if let writer = state.writer { return writer }
      guard let folder else { throw DatabaseError(resultCode: .SQLITE_MISUSE) }
      // SQLite could write to a log left by a killed program, but nothing else could be written: no
      // attachment, no snapshot, no index.
      guard access(folder.url.path, W_OK | X_OK) == 0 else {
        throw POSIXFailure(path: folder.url.path)
      }
      let pool = try ArchiveLock.withLock(at: folder.lock) {
        try folder.repairRights()
        var configuration = Archive.configuration(at: .folder(folder.url))
        let isKnown = Atomic(state.reader != nil)
        let hasLog = (FileIdentity(of: folder.log.path)?.size ?? 0) > 0
        // GRDB sets the mode of the database next, which would change one of another program.
        configuration.prepareDatabase { db in
          guard !isKnown.exchange(true, ordering: .relaxed) else { return }
          do {
            try check(db)
          } catch {
            if hasLog, let refused = db.sqliteConnection { sqlite3_keep_log_on_close(refused) }
            throw error
          }
        }
        let pool = try DatabasePool(
          path: folder.database.path, configuration: configuration)
        // GRDB opens its writer with NORMAL, which may lose acknowledged writes in a power failure.
        try pool.writeWithoutTransaction { db in
          try db.execute(sql: "PRAGMA synchronous = FULL")
          #if canImport(Darwin)
            // There, fsync alone leaves a write in the drive's own memory; see `flushToDisk`.
            try db.execute(sql: "PRAGMA fullfsync = ON")
          #endif
        }
        try prepare(pool)
        return pool
      }
      state.writer = pool
      // The last connection to close moves the log into the database, and only a writer can do
      // that.
      (state.reader, state.opened) = (nil, nil)
      return pool
    }
  }

  /// The writer, if it is already open.
  var openWriter: (any DatabaseWriter)? { state.withLock { $0.writer } }

  /// Interrupts all reads and writes at their next step.
  func interrupt() {
    let (writer, reader) = state.withLock { ($0.writer, $0.reader) }
    writer?.interrupt()
    reader?.interrupt()
  }

  deinit {
    // The log must outlive its readers.
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

  /// Opens the database.
  ///
  /// - Throws: `DatabaseError` if SQLite can't open the file.
  init(_ file: URL) throws {
    var opened: OpaquePointer?
    let code = archive_file_open(file.path, &opened)
    guard code == SQLITE_OK else {
      archive_file_close(opened)
      throw DatabaseError(resultCode: ResultCode(rawValue: code))
    }
    connection = Mutex(opened)
  }

  /// Runs SQLite's integrity check.
  ///
  /// - Throws: `DatabaseError` if the check can't run.
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

/// The arguments for opening a database for reading with SQLite.
struct ReadOnlyAddress: Sendable {
  /// A path or a URI.
  let path: String
  /// True if the connection must be in exclusive locking mode before it reads, and must keep the
  /// log.
  let isExclusive: Bool
}

/// Reading a database that cannot be shared with other programs, because there is no space or no
/// permission to create the shared index of its log.
///
/// Nothing is written.
enum UnsharedReading {
  /// Returns true if an error shows that only sharing failed.
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
  /// A log that has frames is indexed in the memory of this process (SQLite's exclusive locking
  /// mode, which accesses files without locks: no other program can have the database open if the
  /// shared index cannot be created). Without such a log, the file is complete.
  static func open(_ folder: ArchiveFolder) throws -> DatabaseQueue {
    try open(address(of: folder))
  }

  /// Opens the database for one read.
  ///
  /// - Parameters:
  ///   - folder: the archive's folder.
  ///   - withLog: false reads only the database file, without its log.
  /// - Returns: the connection.
  /// - Throws: an error if the database can't be opened.
  static func open(_ folder: ArchiveFolder, withLog: Bool) throws -> DatabaseQueue {
    try open(address(of: folder, withLog: withLog))
  }

  /// Opens a database that nobody changes, such as a snapshot; nothing is created beside it.
  static func openUnchanging(_ file: URL) throws -> DatabaseQueue {
    try open(ReadOnlyAddress(path: uri(file, "immutable=1"), isExclusive: false))
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

  /// Returns a URI with parameters; see https://sqlite.org/uri.html.
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

package import ArkivedCore
import CArchiveFile
import CSQLite
package import Foundation
import GRDB

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The location of an archive.
package enum ArchiveLocation: Hashable, Sendable {
  /// A folder that contains `archive.sqlite`, `attachments/` and `snapshots/`.
  case folder(URL)
  /// Only in memory, until the process ends.
  case memory
}

/// One archive.
///
/// Every write is one transaction, flushed to the disk before the call returns.
package struct Archive: Sendable {
  package let location: ArchiveLocation
  package let clock: any ArchiveClock
  package let identities: any IdentitySource
  let connection: ArchiveConnection
  private let presence: ArchivePresence?

  /// The time in seconds that a write waits for another process before it gives up.
  static let busySeconds = 15.0
  private static let busyPollMicroseconds: UInt32 = 1_000
  /// The number of polls after which a running import is reminded that a writer is waiting.
  private static let announcePolls = 16
  /// SQLite's global configuration, set before its first use: it doesn't count its memory, which
  /// would take a lock for unused statistics, and opens an archive's database only through the
  /// layer that guards it.
  private static let isSQLiteSetUp =
    sqlite3_turn_off_memory_statistics() == SQLITE_OK && sqlite3_turn_on_uris() == SQLITE_OK
  private static let isGuarded = archive_file_guard() == SQLITE_OK

  /// Opens the archive for reading, creates it if there never was one, and brings its schema up to
  /// date.
  ///
  /// Nothing in the folder is created, changed or removed before the database is known to belong to
  /// this archive. Before a migration, a verified snapshot is saved in `snapshots/`.
  ///
  /// - Parameters:
  ///   - location: the folder, or memory.
  ///   - clock: provides the time of changes.
  ///   - identities: creates the identifiers of records.
  ///   - opening: what to do if the folder has no database or another one.
  ///   - writes: true if a write is certain to follow, which saves opening the database for reading
  ///     first.
  /// - Throws: `ArchiveError` if the folder cannot be used, or if its database is missing, belongs
  ///   to another archive, is torn or damaged, or was written by a newer Arkived.
  package init(
    at location: ArchiveLocation, clock: any ArchiveClock = SystemClock(),
    identities: any IdentitySource = RandomIdentities(), opening: ArchiveOpening = .usual,
    writes: Bool = false
  ) throws {
    self.location = location
    self.clock = clock
    self.identities = identities
    _ = Archive.isSQLiteSetUp
    guard Archive.isGuarded else {
      throw ArchiveError.refused("The installed version of SQLite can’t be used.")
    }
    switch location {
    case .memory:
      let queue = try DatabaseQueue(configuration: Archive.configuration(at: location))
      try Migrations.all.migrate(queue)
      connection = ArchiveConnection(queue)
      presence = nil
    case .folder(let url):
      let folder = ArchiveFolder(url: url)
      let file = try folder.prepare(opening)
      connection = ArchiveConnection(folder)
      presence = ArchivePresence(of: folder.database, file)
      try Archive.explaining(folder) {
        try examine(folder, file, opening)
        let isReady =
          try !writes
          && connection.read { db in
            try Migrations.all.isUpToDate(db, path: folder.database.path)
          }
        if !isReady { _ = try writer }
      }
    }
  }

  /// Examines a database that is not the file that `identity.json` names.
  private func examine(
    _ folder: ArchiveFolder, _ file: FileIdentity, _ opening: ArchiveOpening
  ) throws {
    if case .examined = opening { return }
    let expected = ArchiveIdentity.read(in: folder.url)
    guard expected?.file != file.number else { return }
    if expected == nil {
      // An archive of an earlier version names no file; if the named file is here, this is not a
      // copy.
      let named = try connection.read { db in try ArchiveIdentity.read(db)?.file }
      guard let named, named != file.number else { return }
    }
    try CopyExamination(folder: folder, expected: expected).run()
    // It is intact, so the next process doesn't need to check again. In a read-only folder, the
    // check is repeated.
    if let identity = try connection.read({ db in try ArchiveIdentity.read(db) }) {
      try? ArchiveIdentity(
        archive: identity.archive, file: file.number, since: Instant(Date())
      ).write(in: folder.url)
    }
  }

  /// The database file, unless the archive is in memory.
  package var databaseFile: URL? {
    guard case .folder(let folder) = location else { return nil }
    return ArchiveFolder(url: folder).database
  }

  // MARK: Reading and writing

  /// The connection that writes.
  ///
  /// The first use opens the archive for writing.
  ///
  /// - Throws: `ArchiveError`, `DatabaseError`.
  var writer: any DatabaseWriter {
    get throws {
      try presence?.check()
      try waitWhileFilling()
      if let open = connection.openWriter { return open }
      guard case .folder(let url) = location else {
        throw DatabaseError(resultCode: .SQLITE_MISUSE)
      }
      let folder = ArchiveFolder(url: url)
      return try Archive.explaining(folder) {
        let path = folder.database.path
        return try connection.writer(
          checking: { db in _ = try Migrations.all.isUpToDate(db, path: path) }
        ) { pool in
          try Migrations.bringUpToDate(pool, file: folder.database, now: clock.now)
          try Archive.settleIdentity(pool, folder)
        }
      }
    }
  }

  /// Records the database's ID in the folder, and the folder's ID in the database.
  private static func settleIdentity(_ pool: DatabasePool, _ folder: ArchiveFolder) throws {
    try folder.makePrivate()
    guard let file = FileIdentity(of: folder.database.path) else { return }
    let beside = ArchiveIdentity.read(in: folder.url)
    let inside = try pool.read(ArchiveIdentity.read)
    let archive = inside?.archive ?? beside?.archive ?? UUID()
    if inside?.file != file.number {
      try pool.write { db in try ArchiveIdentity(archive: archive, file: file.number).write(db) }
    }
    guard beside?.file != file.number || beside?.archive != archive else { return }
    try ArchiveIdentity(archive: archive, file: file.number, since: Instant(Date()))
      .write(in: folder.url)
  }

  /// Returns the address for opening the database read-only with another connection; nil in memory.
  func readOnlyAddress() throws -> ReadOnlyAddress? {
    try presence?.check()
    return try connection.readOnlyAddress()
  }

  /// Opens the archive for writing in advance, so the first write doesn't have to wait for it.
  package func prepareToWrite() throws { _ = try writer }

  private static func explaining<Value>(
    _ folder: ArchiveFolder, _ body: () throws -> Value
  ) throws -> Value {
    do {
      return try body()
    } catch let error as DatabaseError {
      switch error.resultCode {
      case .SQLITE_NOTADB, .SQLITE_CORRUPT:
        throw ArchiveError.damaged(
          path: folder.database.path, reason: error.message ?? "unreadable")
      case .SQLITE_CANTOPEN, .SQLITE_READONLY, .SQLITE_PERM:
        guard !StorageTrouble.isFull(folder.url) else {
          throw POSIXFailure(path: folder.url.path, code: ENOSPC)
        }
        // If the connection was never made, the message does not describe an error.
        let said = error.message == "not an error" ? nil : error.message
        throw ArchiveError.cannotOpen(
          path: folder.database.path, reason: "\(said ?? "no access"). Check the folder’s owner.")
      default: throw error
      }
    }
  }

  static func configuration(at location: ArchiveLocation) -> Configuration {
    var configuration = Configuration()
    configuration.foreignKeysEnabled = true
    let importLock: String? =
      switch location {
      case .memory: nil
      case .folder(let folder): WaitingWriters.lockFile(in: folder).path
      }
    // An import releases the archive for only a few milliseconds at a time, so try often.
    configuration.busyMode = .callback { count in
      if count % announcePolls == 0, let importLock { WaitingWriters.announce(importLock) }
      usleep(busyPollMicroseconds)
      return Double(count) * Double(busyPollMicroseconds) < busySeconds * 1e6
    }
    configuration.label = "archive"
    return configuration
  }

  /// Interrupts all reads and writes at their next step; they fail without effect.
  package func interrupt() { connection.interrupt() }

  /// Closes the archive at the end of a command whose last tasks may still use it.
  ///
  /// It can't be used again.
  package func closeConnections() { connection.close() }

  /// Moves acknowledged writes from the log into the database, as closing the last connection does.
  ///
  /// If that is impossible at the moment, they stay in the log, which is just as safe.
  package func settle() {
    try? connection.openWriter?.writeWithoutTransaction { db in
      _ = try Row.fetchOne(db, sql: "PRAGMA wal_checkpoint(PASSIVE)")
    }
  }

  /// Reads with one consistent view of the archive.
  ///
  /// - Throws: `ArchiveError.displaced` besides what `body` throws.
  func read<Value>(_ body: (Database) throws -> Value) throws -> Value {
    try presence?.check()
    return try connection.read(body)
  }

  /// Runs SQLite's integrity check.
  ///
  /// - Parameter limit: the maximum number of problems to find.
  /// - Returns: the problems, or `ok`.
  /// - Throws: `ArchiveError` or `DatabaseError` if the archive can't be read.
  func checkIntegrity(limit: Int) throws -> [String] {
    try presence?.check()
    return try connection.checkIntegrity(limit: limit)
  }

  /// Runs one transaction, flushed before this returns.
  ///
  /// - Throws: `ArchiveError.displaced` and, during the first sync, `.busy` besides what `body`
  ///   throws.
  func transact<Value>(_ body: (Database) throws -> Value) throws -> Value {
    try presence?.check()
    let value = try explainingFill { try writer.write(body) }
    presence?.rememberLog()
    return value
  }

  /// Notes that something was written through another connection, as by an import, so that a log
  /// that is removed later is noticed.
  func noteWrite() { presence?.rememberLog() }
}

/// A kind of storage problem that the interfaces distinguish.
package enum StorageTrouble: Hashable, Sendable {
  case busy, full, readOnly, damaged, inputOutput, other

  /// Classifies an error; nil if it did not come from the storage.
  package init?(_ error: any Error) {
    if let failure = error as? POSIXFailure {
      self =
        switch failure.code {
        case ENOSPC, EDQUOT: .full
        case EROFS, EACCES, EPERM: .readOnly
        default: .inputOutput
        }
      return
    }
    if let failure = error as? CocoaError {
      // For other codes, Foundation's own sentence names the file; for these it has only a number.
      switch failure.code {
      case .fileWriteOutOfSpace: self = .full
      case .fileReadUnknown, .fileWriteUnknown: self = .inputOutput
      default: return nil
      }
      return
    }
    guard let error = error as? DatabaseError else { return nil }
    self =
      switch error.resultCode {
      case .SQLITE_BUSY, .SQLITE_LOCKED: .busy
      case .SQLITE_FULL: .full
      case .SQLITE_READONLY, .SQLITE_PERM, .SQLITE_CANTOPEN: .readOnly
      case .SQLITE_CORRUPT, .SQLITE_NOTADB: .damaged
      // The index of the log could not be resized.
      case .SQLITE_IOERR where error.extendedResultCode == .SQLITE_IOERR_SHMSIZE: .full
      case .SQLITE_IOERR: .inputOutput
      default: .other
      }
  }

  /// Returns true if a folder's disk has no space for another byte or another file.
  static func isFull(_ folder: URL) -> Bool {
    var about = statvfs()
    guard statvfs(folder.path, &about) == 0 else { return false }
    return about.f_bavail == 0 || (about.f_files > 0 && about.f_favail == 0)
  }

  /// True if an archive can still be read despite the problem.
  package var leavesReadable: Bool { self == .full || self == .readOnly }

  /// The message for the owner.
  package var sentence: String {
    switch self {
    case .busy:
      "Another program has been using the archive for more than \(Int(Archive.busySeconds)) "
        + "seconds. Nothing was changed. Try again."
    case .full: "The disk is full. Nothing was changed. Free up space and try again."
    case .readOnly: "The archive’s folder isn’t writable. Check its permissions."
    case .damaged: "The archive’s file is damaged. Run arkived doctor."
    case .inputOutput: "The disk reported a read or write error. Nothing was changed."
    case .other: "The archive couldn’t complete this action. Nothing was changed."
    }
  }
}

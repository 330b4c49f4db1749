package import ArkivedCore
import CSQLite
package import Foundation
import GRDB

/// Where an archive lies.
package enum ArchiveLocation: Hashable, Sendable {
  /// A folder that holds `archive.sqlite`, `attachments/` and `snapshots/`.
  case folder(URL)
  /// Nowhere: it is gone with the process.
  case memory
}

/// One archive: the only door to what it holds. Every write is one transaction, flushed to the
/// disk before the call returns.
package struct Archive: Sendable {
  package let location: ArchiveLocation
  package let clock: any ArchiveClock
  package let identities: any IdentitySource
  let writer: any DatabaseWriter
  private let presence: ArchivePresence?

  /// How long a write waits for another process before it gives up.
  static let busySeconds = 15.0
  private static let busyPollMicroseconds: UInt32 = 1_000
  /// After how many looks a running import is told again that somebody waits.
  private static let announcePolls = 16
  /// SQLite counts its memory under a lock that nobody here reads; off before its first use.
  private static let hasNoMemoryStatistics = sqlite3_turn_off_memory_statistics() == SQLITE_OK

  /// Opens the archive, makes it when there is none, and brings its schema up to date.
  ///
  /// Before a migration a verified snapshot is put into `snapshots/`.
  /// - Throws: `ArchiveError` when the folder cannot be used, the file is damaged, or a newer
  ///   Arkived wrote it.
  package init(
    at location: ArchiveLocation, clock: any ArchiveClock = SystemClock(),
    identities: any IdentitySource = RandomIdentities()
  ) throws {
    self.location = location
    self.clock = clock
    self.identities = identities
    _ = Archive.hasNoMemoryStatistics
    switch location {
    case .memory:
      let queue = try DatabaseQueue(configuration: Archive.configuration(at: location))
      try Migrations.all.migrate(queue)
      writer = queue
      presence = nil
    case .folder(let folder):
      do {
        // An archive is only made in a folder whose name is flushed, so one that is there needs
        // nothing.
        if !FileManager.default.fileExists(atPath: Archive.databaseFile(in: folder).path) {
          try DurableFile.makeFolder(folder)
        }
      } catch let failure as POSIXFailure {
        throw ArchiveError.cannotOpen(
          path: folder.path, reason: "\(failure). Choose another folder with --archive.")
      }
      writer = try ArchiveLock.withLock(at: folder.appendingPathComponent("archive.lock")) {
        try Archive.openPool(in: folder, now: clock.now)
      }
      presence = ArchivePresence(of: Archive.databaseFile(in: folder))
    }
  }

  /// The database file, unless the archive lives in memory.
  package var databaseFile: URL? {
    guard case .folder(let folder) = location else { return nil }
    return Archive.databaseFile(in: folder)
  }

  private static func databaseFile(in folder: URL) -> URL {
    folder.appendingPathComponent("archive.sqlite")
  }

  private static func openPool(in folder: URL, now: Instant) throws -> DatabasePool {
    let file = databaseFile(in: folder)
    do {
      let isNew = !FileManager.default.fileExists(atPath: file.path)
      // Made here, so that neither it nor SQLite's files beside it are ever open to others.
      if isNew { try DurableFile.makeEmpty(file) }
      let pool = try DatabasePool(
        path: file.path, configuration: configuration(at: .folder(folder)))
      // GRDB opens its writer with NORMAL, which may lose acknowledged writes when power fails.
      try pool.writeWithoutTransaction { db in
        try db.execute(sql: "PRAGMA synchronous = FULL")
      }
      try Migrations.bringUpToDate(pool, file: file, now: now)
      if isNew { try DurableFile.synchronise(folder) }
      return pool
    } catch let error as DatabaseError {
      switch error.resultCode {
      case .SQLITE_NOTADB, .SQLITE_CORRUPT:
        throw ArchiveError.damaged(path: file.path, reason: error.message ?? "unreadable")
      case .SQLITE_CANTOPEN, .SQLITE_READONLY, .SQLITE_PERM:
        // Where the connection was never made, its message is of no error.
        let said = error.message == "not an error" ? nil : error.message
        throw ArchiveError.cannotOpen(
          path: file.path, reason: "\(said ?? "no access"). Check the folder's owner.")
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
    // An import leaves the archive to others for some milliseconds at a time: look often.
    configuration.busyMode = .callback { count in
      if count % announcePolls == 0, let importLock { WaitingWriters.announce(importLock) }
      usleep(busyPollMicroseconds)
      return Double(count) * Double(busyPollMicroseconds) < busySeconds * 1e6
    }
    configuration.label = "archive"
    return configuration
  }

  /// Ends what is being read and written at its next step; it fails, and nothing of it is done.
  package func interrupt() { writer.interrupt() }

  /// Moves what is acknowledged from the log into the database, as the last one to close does. Where
  /// that cannot be done now it stays in the log, which is as safe.
  package func settle() {
    try? writer.writeWithoutTransaction { db in
      _ = try Row.fetchOne(db, sql: "PRAGMA wal_checkpoint(PASSIVE)")
    }
  }

  /// Reads with one consistent view of the archive.
  ///
  /// - Throws: `ArchiveError.displaced` besides what `body` throws.
  func read<Value>(_ body: (Database) throws -> Value) throws -> Value {
    try presence?.check()
    return try writer.read(body)
  }

  /// Runs one transaction, flushed before this returns.
  ///
  /// - Throws: `ArchiveError.displaced` besides what `body` throws.
  func transact<Value>(_ body: (Database) throws -> Value) throws -> Value {
    try presence?.check()
    let value = try writer.write(body)
    presence?.rememberLog()
    return value
  }
}

/// A kind of storage trouble that faces tell apart.
package enum StorageTrouble: Hashable, Sendable {
  case busy, full, readOnly, damaged, inputOutput, other

  /// Which kind an error is, or nil when it did not come from the storage.
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
      // Of the other codes Foundation's own sentence names the file; of these it says only a number.
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
      case .SQLITE_IOERR: .inputOutput
      default: .other
      }
  }

  /// What to tell the owner.
  package var sentence: String {
    switch self {
    case .busy:
      "The archive is in use by another program for longer than \(Int(Archive.busySeconds)) "
        + "seconds. Nothing was changed; try again."
    case .full: "The disk is full. Nothing was changed; make room and try again."
    case .readOnly: "The archive's folder cannot be written. Check its permissions."
    case .damaged: "The archive's file is damaged. Run arkived doctor."
    case .inputOutput: "The disk did not read or write as it should. Nothing was changed."
    case .other: "The archive could not do this. Nothing was changed."
    }
  }
}

import ArkivedCore
import Foundation
import GRDB

/// Imports that were broken off.
extension Archive {
  /// How many rows one transaction of a sweep removes.
  static let sweepBatch = 1_000

  /// A connection of its own for a stage: what it writes need not reach the disk before it is
  /// published, and a large cache keeps the indexes at hand.
  static func stageConnection(in folder: URL, cacheMegabytes: Int = 256) throws -> DatabaseQueue {
    var configuration = Archive.configuration(at: .folder(folder))
    configuration.label = "import"
    configuration.prepareDatabase { db in
      try db.execute(sql: "PRAGMA synchronous = NORMAL")
      try db.execute(sql: "PRAGMA wal_autocheckpoint = 0")
      try db.execute(sql: "PRAGMA cache_size = \(-1024 * cacheMegabytes)")
      // What a statement would undo stays out of the disk's way; every full-text row has some.
      try db.execute(sql: "PRAGMA temp_store = MEMORY")
    }
    return try DatabaseQueue(
      path: folder.appendingPathComponent("archive.sqlite").path, configuration: configuration)
  }

  /// Whether an import was broken off whose rows have not been swept away.
  package func hasBrokenImports() throws -> Bool {
    try read { db in
      try Bool.fetchOne(
        db, sql: "SELECT EXISTS (SELECT 1 FROM hidden_changes WHERE state = 'staged')") ?? false
    }
  }

  /// The published import of which some entries still wait to be decided.
  func unfinishedImport() throws -> (key: Int64, change: Change)? {
    try read { db in
      try Row.fetchOne(
        db,
        sql: """
          SELECT * FROM changes WHERE pk IN (SELECT change_pk FROM import_pending)
            AND pk NOT IN (SELECT change_pk FROM hidden_changes) ORDER BY position LIMIT 1
          """
      ).map { ($0["pk"], try Archive.change($0, db)) }
    }
  }

  /// Removes what broken imports left, in short transactions.
  ///
  /// - Parameters:
  ///   - seconds: how long it may take; what is left then stays unseen.
  ///   - pause: called between two transactions; where it throws, the rest stays unseen too.
  /// - Returns: whether nothing is left. False too while an import is running.
  @discardableResult
  package func sweepBrokenImports(
    within seconds: Double = .infinity, pause: () throws -> Void = {}
  ) throws -> Bool {
    guard try hasBrokenImports() else { return true }
    guard case .folder(let folder) = location else { return try sweepAll(seconds, writer, pause) }
    guard let lock = try? FileLock(at: WaitingWriters.lockFile(in: folder), waits: 0)
    else { return false }
    defer { lock.release() }
    return try sweepAll(seconds, try Archive.stageConnection(in: folder), pause)
  }

  private func sweepAll(
    _ seconds: Double, _ writer: some DatabaseWriter, _ pause: () throws -> Void
  ) throws -> Bool {
    let deadline = Deadline(seconds: min(seconds, 1e9))
    let keys = try writer.read { db in
      try Int64.fetchAll(db, sql: "SELECT change_pk FROM hidden_changes WHERE state = 'staged'")
    }
    for key in keys {
      guard try Archive.sweep(change: key, until: deadline, writer, pause) else { return false }
    }
    return true
  }

  /// Removes the rows of a staged change, and the change itself when none is left.
  ///
  /// - Returns: whether none is left.
  static func sweep(
    change key: Int64, until deadline: Deadline, _ writer: some DatabaseWriter,
    _ pause: () throws -> Void = {}
  ) throws -> Bool {
    // The log is moved into the database as it grows, after a batch and without keeping others out.
    try writer.writeWithoutTransaction { db in
      try db.execute(sql: "PRAGMA wal_autocheckpoint = 1000")
    }
    while true {
      let isClean = try writer.write { db in
        // What was published in the meantime, or before a trouble, is everybody's.
        let isStaged =
          try Bool.fetchOne(
            db,
            sql: """
              SELECT EXISTS (SELECT 1 FROM hidden_changes WHERE change_pk = ? AND state = ?)
              """, arguments: [key, HiddenState.staged.rawValue]) ?? false
        guard isStaged else { return true }
        if try HiddenRows.removeSome(ofChange: key, limit: sweepBatch, db) > 0 { return false }
        try db.execute(sql: "DELETE FROM import_pending WHERE change_pk = ?", arguments: [key])
        try db.execute(sql: "DELETE FROM hidden_changes WHERE change_pk = ?", arguments: [key])
        let tables = EntityType.rowsTables.values.sorted() + ["history"]
        let isUsed = try tables.contains { table in
          try Bool.fetchOne(
            db, sql: "SELECT EXISTS (SELECT 1 FROM \(table) WHERE change_pk = ?)",
            arguments: [key]) ?? false
        }
        if !isUsed {
          try db.execute(sql: "DELETE FROM change_rows WHERE pk = ?", arguments: [key])
        }
        return true
      }
      if isClean { return true }
      guard !deadline.hasPassed else { return false }
      try pause()
      usleep(1_000)
    }
  }
}

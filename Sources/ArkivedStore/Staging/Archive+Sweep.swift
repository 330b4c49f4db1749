import ArkivedCore
import Foundation
import GRDB

/// Interrupted imports.
extension Archive {
  /// The number of rows that one transaction of a sweep removes.
  static let sweepBatch = 1_000

  /// Returns a separate connection for a stage: its writes don't have to reach the disk before it
  /// is published, and a large cache contains the indexes.
  static func stageConnection(in folder: URL, cacheMegabytes: Int = 256) throws -> DatabaseQueue {
    var configuration = Archive.configuration(at: .folder(folder))
    configuration.label = "import"
    configuration.prepareDatabase { db in
      try db.execute(sql: "PRAGMA synchronous = NORMAL")
      try db.execute(sql: "PRAGMA wal_autocheckpoint = 0")
      try db.execute(sql: "PRAGMA cache_size = \(-1024 * cacheMegabytes)")
      // A statement's undo data, which every full-text row has, should not be written to the disk.
      try db.execute(sql: "PRAGMA temp_store = MEMORY")
    }
    return try DatabaseQueue(
      path: folder.appendingPathComponent("archive.sqlite").path, configuration: configuration)
  }

  /// Returns true if rows of an interrupted import have not been removed yet.
  package func hasBrokenImports() throws -> Bool {
    try read { db in
      try Bool.fetchOne(
        db, sql: "SELECT EXISTS (SELECT 1 FROM hidden_changes WHERE state = 'staged')") ?? false
    }
  }

  /// Returns the published import that still has deferred entries.
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

  /// Removes the remains of interrupted imports, in short transactions.
  ///
  /// - Parameters:
  ///   - seconds: the maximum duration; anything left then stays invisible.
  ///   - pause: called between two transactions; if it throws, the rest stays invisible too.
  /// - Returns: true if nothing is left. False while an import is running too.
  /// - Throws: `ArchiveError` or `DatabaseError` if the archive can't be written.
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

  /// Removes the rows of a staged change, and the change itself if none are left.
  ///
  /// - Returns: true if none are left.
  static func sweep(
    change key: Int64, until deadline: Deadline, _ writer: some DatabaseWriter,
    _ pause: () throws -> Void = {}
  ) throws -> Bool {
    // As the log grows, it is moved into the database after a batch, without blocking other
    // writers.
    try writer.writeWithoutTransaction { db in
      try db.execute(sql: "PRAGMA wal_autocheckpoint = 1000")
    }
    while true {
      let isClean = try writer.write { db in
        // Rows that were published in the meantime, or before an error, belong to everybody.
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

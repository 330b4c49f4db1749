package import ArkivedCore
import Foundation
import GRDB

/// The time for which the history keeps versions; nil means forever.
package struct Retention: Hashable, Sendable {
  /// Days for old versions of existing entities.
  package var versionDays: Int?
  /// Days for deleted entities.
  package var deletedDays: Int?

  package init(versionDays: Int? = nil, deletedDays: Int? = nil) {
    self.versionDays = versionDays
    self.deletedDays = deletedDays
  }

  package var isForEver: Bool { versionDays == nil && deletedDays == nil }

  /// The allowed numbers of days.
  ///
  /// Fewer would defeat the purpose of undo; more than a hundred years means forever.
  package static let days = 7...36_500

  package func validate() throws(FieldError) {
    for (name, value) in [("versions", versionDays), ("deleted", deletedDays)] {
      guard let value else { continue }
      guard Self.days.contains(value) else {
        throw FieldError(
          name,
          "is \(value) days, but must be between \(Self.days.lowerBound) and "
            + "\(Self.days.upperBound) days, or forever")
      }
    }
  }

  package var json: JSON { ["versions": JSON(versionDays), "deleted": JSON(deletedDays)] }
}

extension Archive {
  private static let retentionName = "retention"
  /// The text of a change whose replaced or removed versions have expired.
  ///
  /// Undoing only half of it is not possible: for example, if two entities were merged, data of
  /// both would be lost.
  static let keptNoLonger = "No longer kept"
  /// The number of versions removed in one transaction.
  private static let retentionBatch = 500

  /// Returns the retention of the history; forever if nothing was set.
  package func retention() throws -> Retention {
    let stored = try read { db in try StoredSetting.value(Self.retentionName, db) }
    guard let json = stored else { return Retention() }
    return Retention(versionDays: json["versions"]?.int, deletedDays: json["deleted"]?.int)
  }

  /// Sets the retention of the history.
  ///
  /// Nothing is removed before `applyRetention`.
  ///
  /// - Throws: `FieldError` if a number of days is out of range.
  package func setRetention(_ retention: Retention) throws {
    try retention.validate()
    try transact { db in
      try StoredSetting.set(Self.retentionName, to: retention.json, at: clock.now, db)
    }
  }

  /// Removes old versions that have exceeded the owner's retention.
  ///
  /// Age is measured up to the newest change, so a clock set forward by mistake removes nothing. All
  /// versions of a deleted entity are as old as its newest one, so that undo can restore it whole.
  /// - Returns: the number of versions removed.
  @discardableResult
  package func applyRetention() throws -> Int {
    let retention = try self.retention()
    guard !retention.isForEver else { return 0 }
    var lock: FileLock?
    if let databaseFile {
      lock = try? FileLock(
        at: WaitingWriters.lockFile(in: databaseFile.deletingLastPathComponent()), waits: 0)
      // An import may be about to refer again to a file that only old versions refer to, so this
      // can wait.
      guard lock != nil else { return 0 }
    }
    defer { lock?.release() }
    let edges = try read { db in try retentionEdges(retention, db) }
    var count = 0
    var paths: Set<String> = []
    do {
      var place = RetentionPlace()
      while true {
        // Looking for them takes longer than removing them, and nobody has to wait for it.
        let found = try read { db in try oldVersions(edges, after: &place, db) }
        guard !found.isEmpty else { break }
        let removed = try transact { db in try removeOldVersions(found, edges, db) }
        count += removed.count
        paths.formUnion(removed.paths)
        // All old versions are read for each time that files are removed.
        if paths.count >= Self.retentionBatch {
          _ = try removeFiles(paths)
          paths.removeAll()
        }
      }
    } catch {
      _ = try? removeFiles(paths)
      throw error
    }
    _ = try removeFiles(paths)
    return count
  }

  /// The moments before which versions of what exists, and of what is deleted, are removed.
  private struct RetentionEdges {
    var versions: Int64
    var deleted: Int64

    var arguments: StatementArguments { [versions, deleted] }
  }

  /// A place in the order of age.
  private struct RetentionPlace {
    var at = Int64.min
    var key = Int64.min
  }

  private func retentionEdges(_ retention: Retention, _ db: Database) throws -> RetentionEdges {
    let last = try Int64.fetchOne(db, sql: "SELECT max(at) FROM change_rows") ?? 0
    let now = min(clock.now, Instant(milliseconds: last))
    func edge(_ days: Int?) -> Int64 {
      days.map { now.adding(seconds: -$0 * 86_400).milliseconds } ?? .min
    }
    return RetentionEdges(
      versions: edge(retention.versionDays), deleted: edge(retention.deletedDays))
  }

  /// The condition that the entity of an old version exists.
  private static let isThere =
    (EntityType.rowsTables.values.sorted()
    .map { "EXISTS (SELECT 1 FROM \($0) WHERE id = source_id)" } + [WritingMarks.isThere])
    .joined(separator: " OR ")

  /// The condition that an old version is older than the edges ?1 and ?2.
  private static let isOld = """
    archived_at < max(?1, ?2)
      AND CASE WHEN \(isThere) THEN archived_at < ?1 ELSE archived_at < ?2 AND (
        SELECT max(other.archived_at) FROM history AS other
        WHERE other.source_id = history.source_id) < ?2 END
    """

  /// Returns the next versions to remove after a place, by age, and moves the place on.
  private func oldVersions(
    _ edges: RetentionEdges, after place: inout RetentionPlace, _ db: Database
  ) throws -> [Int64] {
    let rows = try Row.fetchAll(
      db,
      sql: """
        SELECT pk, archived_at FROM history
        WHERE \(Self.isOld) AND (archived_at, pk) > (?3, ?4)
        ORDER BY archived_at, pk LIMIT \(Self.retentionBatch)
        """, arguments: edges.arguments + [place.at, place.key])
    if let last = rows.last { place = RetentionPlace(at: last["archived_at"], key: last["pk"]) }
    return rows.map { $0["pk"] }
  }

  private func removeOldVersions(
    _ found: [Int64], _ edges: RetentionEdges, _ db: Database
  ) throws -> (count: Int, paths: Set<String>) {
    let rows = try Row.fetchAll(
      db,
      // Any of them may have changed since.
      sql: """
        SELECT pk, record, reason, change_pk, made_pk, touched_pk, \(Self.isThere) AS is_there
        FROM history WHERE pk IN (SELECT value FROM json_each(?3)) AND \(Self.isOld) ORDER BY pk
        """, arguments: edges.arguments + [KeyList.text(found)])
    var paths: Set<String> = []
    var changes: Set<Int64> = []
    var replacing: Set<Int64> = []
    var deleting: Set<Int64> = []
    for row in rows {
      if let key = row["change_pk"] as Int64? {
        replacing.insert(key)
        if row["reason"] == HistoryRecord.Reason.delete.rawValue { deleting.insert(key) }
      }
      // The row of an existing entity has its own record of who created it and who touched it last.
      let stays: Bool = row["is_there"]
      for column in ["change_pk", "made_pk", "touched_pk"].prefix(stays ? 1 : 3) {
        if let key = row[column] as Int64? { changes.insert(key) }
      }
      let record = try? JSON(parsing: row["record"] as String)
      for attachment in record?["attachments"]?.array ?? [] {
        if let path = attachment["relativePath"]?.string { paths.insert(path) }
      }
    }
    try db.execute(
      sql: "DELETE FROM history WHERE pk IN (\(KeyList.sql))",
      arguments: [KeyList.text(rows.map { $0["pk"] })])
    try Self.takeSentences(of: changes, saying: Self.keptNoLonger, db)
    try noteExpired(replacing: replacing, deleting: deleting, db)
    return (rows.count, paths)
  }

  private static let expiredName = "expiredChanges"

  /// Returns the row numbers of syncs and imports that can no longer be undone as a whole.
  ///
  /// Unlike other changes, they keep their summaries.
  static func expiredChanges(_ db: Database) throws -> Set<Int64> {
    let stored = try StoredSetting.value(expiredName, db)
    return Set((stored?.array ?? []).compactMap { $0.int.map(Int64.init) })
  }

  /// Records which syncs lost any version, and which imports lost something they had deleted.
  ///
  /// Entries that an import changed stay as they are if it is undone.
  private func noteExpired(
    replacing: Set<Int64>, deleting: Set<Int64>, _ db: Database
  ) throws {
    let found = try Int64.fetchSet(
      db,
      sql: """
        SELECT pk FROM change_rows WHERE pk IN (\(KeyList.sql)) AND action = 'sync'
        UNION SELECT pk FROM change_rows WHERE pk IN (\(KeyList.sql))
          AND action IN ('import', 'sample', \(UndoLine.regularSyncsSQL))
        """, arguments: [KeyList.text(Array(replacing)), KeyList.text(Array(deleting))])
    let known = try Self.expiredChanges(db)
    guard !found.isSubset(of: known) else { return }
    let all = found.union(known).sorted()
    try StoredSetting.set(
      Self.expiredName, to: .array(all.map { JSON(Int($0)) }), at: clock.now, db)
  }
}

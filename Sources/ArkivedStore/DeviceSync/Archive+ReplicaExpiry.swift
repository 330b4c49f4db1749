import ArkivedCore
import GRDB

/// Removing old data that no device needs.
extension Archive {
  /// Removes old versions of long texts that every device has replaced.
  ///
  /// - Parameters:
  ///   - stable: the last segment of each device's log that all devices have read.
  ///   - limit: the maximum number of entities to trim.
  /// - Throws: `ArchiveError` or `DatabaseError` if the archive can't be written.
  package func trimReplicaTexts(stable: [String: Int], limit: Int = 500) throws {
    let keys = try read { db in try ReplicaTables(db: db).trimming(limit: limit) }
    guard !keys.isEmpty else { return }
    try transact { db in
      let tables = ReplicaTables(db: db)
      for key in keys {
        guard let stored = try tables.load(key) else { continue }
        var state = stored.state
        guard state.trimTexts({ $0.sequence <= stable[$0.device] ?? 0 }) else { continue }
        try tables.replace(state, key)
      }
    }
  }

  /// Forgets the content of deleted entities and replaced versions, once both have exceeded the
  /// owner's retention of the history.
  ///
  /// References to other programs are kept, so no device imports a deleted entity again, and so is
  /// what something was merged into.
  ///
  /// - Parameter stable: the last segment of each device's log that all devices have read. A deletion
  ///   that some device hasn't read isn't touched, because that device may still change the entity.
  /// - Throws: `ArchiveError` or `DatabaseError` if the archive can't be read or written.
  package func forgetExpiredReplicas(stable: [String: Int]) throws {
    let retention = try retention()
    guard !retention.isForEver else { return }
    let now = clock.now
    let last = try replicaNote(Self.forgottenNote)?.string.flatMap { Instant($0) }
    guard last.map({ abs($0.seconds(to: now)) > 86_400 }) ?? true else { return }
    // As in the history, the age of a version is measured up to the newest change, so a clock set
    // forward by mistake removes none.
    let newest = try read { db in
      try Int64.fetchOne(db, sql: "SELECT max(at) FROM change_rows") ?? 0
    }
    func edge(_ days: Int?, before end: Instant) -> Int64 {
      days.map { end.adding(seconds: -$0 * 86_400).milliseconds } ?? .min
    }
    try transact { db in
      let tables = ReplicaTables(db: db)
      try db.execute(
        sql: "DELETE FROM replica_conflicts WHERE at < ?",
        arguments: [edge(retention.versionDays, before: min(now, Instant(milliseconds: newest)))])
      for key in try tables.deleted(before: edge(retention.deletedDays, before: now)) {
        guard let stored = try tables.load(key), let dead = stored.state.dead,
          !stored.state.isAlive, dead.sequence <= stable[dead.device] ?? 0
        else { continue }
        var state = stored.state
        guard state.forgetContent(keeping: ReplicaFields.isKeptWithoutContent) else { continue }
        try tables.replace(state, key)
      }
      try tables.set(Self.forgottenNote, JSON(now))
    }
  }

  /// The name of the note with the time at which expired data was last forgotten.
  private static let forgottenNote = "expired"
}

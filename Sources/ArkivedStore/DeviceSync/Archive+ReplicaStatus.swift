import ArkivedCore
import GRDB

/// The progress of sync with other devices.
extension Archive {
  /// Returns true if something was changed here that no published segment contains.
  ///
  /// This is cheap.
  package func hasReplicaChanges() throws -> Bool {
    try read { db in
      try Bool.fetchOne(
        db,
        cached: """
          SELECT EXISTS (SELECT 1 FROM replica_dirty) OR EXISTS (SELECT 1 FROM replica_outbox)
            OR EXISTS (SELECT 1 FROM replica_segments WHERE is_published = 0)
          """) ?? false
    }
  }

  /// Returns the number of changed entities and changes that aren't in the shared folder yet.
  package func unsentReplicaCount() throws -> Int {
    try read { db in
      try Int.fetchOne(
        db,
        sql: """
          SELECT (SELECT count(*) FROM replica_dirty) + (SELECT count(*) FROM replica_outbox)
            + (SELECT count(*) FROM replica_segments WHERE is_published = 0)
          """) ?? 0
    }
  }

  /// Returns the number of entities that are waiting for another one that isn't here yet.
  package func waitingReplicaCount() throws -> Int {
    try read { db in
      try Int.fetchOne(db, sql: "SELECT count(*) FROM replica_states WHERE waits = 1") ?? 0
    }
  }

  /// Returns the versions that were replaced in conflicts, latest first.
  package func replicaConflicts(limit: Int = 50) throws -> [ReplicaConflict] {
    try read { db in
      let records = ReplicaRecords(db)
      return try Row.fetchAll(
        db, sql: "SELECT * FROM replica_conflicts ORDER BY at DESC, id LIMIT ?", arguments: [limit]
      ).map { row in
        ReplicaConflict(
          id: row["id"], at: row.instant("at"), type: EntityType(rawValue: row["type"]),
          sourceID: row["source_id"], field: row["field"],
          member: try records.memberName(of: row["field"]),
          kept: try JSON(parsing: row["kept"] as String),
          gaveWay: try JSON(parsing: row["gave_way"] as String), keptBy: row["kept_by"],
          givenBy: row["given_by"])
      }
    }
  }
}

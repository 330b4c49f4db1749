import ArkivedCore
import Foundation
import GRDB

/// Reads and writes this device's knowledge of the entities and settings of all devices.
struct ReplicaTables {
  let db: Database

  struct Stored {
    var state: ReplicaState
    /// The fields in the archive if they differ from the state; `.null` if it isn't there.
    var shown: JSON?
    /// True if it waits for something that isn't here yet.
    var waits = false
  }

  func load(_ key: ReplicaKey) throws -> Stored? {
    guard
      let row = try Row.fetchOne(
        db, cached: "SELECT state, shown, waits FROM replica_states WHERE type = ? AND id = ?",
        arguments: [key.type, key.id])
    else { return nil }
    return Stored(
      state: try ReplicaState(JSON(parsing: row[0] as String)),
      shown: try (row[1] as String?).map { try JSON(parsing: $0) }, waits: row[2])
  }

  func save(_ state: ReplicaState, shown: JSON? = nil, waits: Bool = false, _ key: ReplicaKey)
    throws
  {
    try db.cachedStatement(
      sql: """
        INSERT INTO replica_states (type, id, state, shown, waits, trims) VALUES (?, ?, ?, ?, ?, ?)
        ON CONFLICT (type, id) DO UPDATE SET state = excluded.state, shown = excluded.shown,
          waits = excluded.waits, trims = excluded.trims
        """
    ).execute(arguments: [
      key.type, key.id, state.json.text(), shown?.text(), waits, state.hasOldTexts,
    ])
  }

  /// Returns the ID under which an entity is stored.
  func canonical(_ key: ReplicaKey) throws -> ReplicaKey {
    var key = key
    while let alias = try String.fetchOne(
      db,
      cached: """
        SELECT json_extract(state, '$.same') FROM replica_states WHERE type = ? AND id = ?
        """, arguments: [key.type, key.id]), alias < key.id
    {
      key.id = alias
    }
    return key
  }

  /// Returns the entities with these IDs.
  func keys(withIDs ids: Set<String>) throws -> [ReplicaKey] {
    try Row.fetchAll(
      db,
      sql: "SELECT type, id FROM replica_states WHERE id IN (SELECT value FROM json_each(?))",
      arguments: [JSON(ids.sorted()).text()]
    ).map { ReplicaKey(type: $0[0], id: $0[1]) }
  }

  /// Returns entities with old versions of long texts.
  func trimming(limit: Int) throws -> [ReplicaKey] {
    try keys("SELECT type, id FROM replica_states WHERE trims = 1 LIMIT \(limit)")
  }

  /// Returns entities that were deleted before a time, in milliseconds since 1970, and whose
  /// content is still stored.
  func deleted(before time: Int64) throws -> [ReplicaKey] {
    try keys(
      """
      SELECT type, id FROM replica_states
      WHERE instr(state, '"deleted"') > 0 AND json_extract(state, '$.deleted[0]') < \(time)
        AND (json_extract(state, '$.fields') IS NOT NULL OR json_extract(state, '$.texts') IS NOT NULL)
      """)
  }

  /// Replaces a state with an equivalent one.
  func replace(_ state: ReplicaState, _ key: ReplicaKey) throws {
    try db.execute(
      sql: "UPDATE replica_states SET state = ?, trims = ? WHERE type = ? AND id = ?",
      arguments: [state.json.text(), state.hasOldTexts, key.type, key.id])
  }

  func endWaiting(_ key: ReplicaKey) throws {
    try db.cachedStatement(
      sql: "UPDATE replica_states SET waits = 0 WHERE type = ? AND id = ? AND waits = 1"
    ).execute(arguments: [key.type, key.id])
  }

  func waiting() throws -> [ReplicaKey] {
    try keys("SELECT type, id FROM replica_states WHERE waits = 1")
  }

  func isWaiting(_ key: ReplicaKey) throws -> Bool {
    try Bool.fetchOne(
      db, cached: "SELECT waits FROM replica_states WHERE type = ? AND id = ?",
      arguments: [key.type, key.id]) ?? false
  }

  func waitingCount() throws -> Int {
    try Int.fetchOne(db, sql: "SELECT count(*) FROM replica_states WHERE waits = 1") ?? 0
  }

  func waitingTypes() throws -> [String] {
    try String.fetchAll(db, sql: "SELECT DISTINCT type FROM replica_states WHERE waits = 1")
  }

  /// Returns waiting entities of a type in the order of their IDs.
  func waiting(_ type: String, after id: String, limit: Int) throws -> [ReplicaKey] {
    try String.fetchAll(
      db,
      cached: """
        SELECT id FROM replica_states WHERE waits = 1 AND type = ? AND id > ? ORDER BY id LIMIT ?
        """, arguments: [type, id, limit]
    ).map { ReplicaKey(type: type, id: $0) }
  }

  /// Removes and returns the entities marked as changed, including those of whole changes.
  func takeDirty(limit: Int = .max) throws -> [ReplicaKey] {
    let changes = try String.fetchAll(
      db, cached: "SELECT id FROM replica_dirty WHERE type = 'change'")
    for change in changes {
      for type in ReplicaFields.types {
        let isOwn = type == .contribution ? "AND match_method <> 'auto_inferred'" : ""
        try db.execute(
          sql: """
            INSERT OR IGNORE INTO replica_dirty SELECT '\(type.rawValue)', id
            FROM \(type.rowsTable) WHERE changed_pk = ? \(isOwn)
            """, arguments: [Int64(change)])
      }
    }
    if !changes.isEmpty { try db.execute(sql: "DELETE FROM replica_dirty WHERE type = 'change'") }
    let found = try keys(
      "SELECT type, id FROM replica_dirty ORDER BY \(Self.order) LIMIT \(limit)")
    if found.count < limit {
      if !found.isEmpty { try db.execute(sql: "DELETE FROM replica_dirty") }
    } else {
      let statement = try db.cachedStatement(
        sql: "DELETE FROM replica_dirty WHERE type = ? AND id = ?")
      for key in found { try statement.execute(arguments: [key.type, key.id]) }
    }
    return found
  }

  /// Marks everything that is or was in the archive as changed.
  func noteAll() throws {
    let types = (ReplicaFields.types.map(\.rawValue) + [ReplicaFields.settingsType])
      .map { "'\($0)'" }.joined(separator: ", ")
    try db.execute(
      sql: """
        INSERT OR IGNORE INTO replica_dirty SELECT type, id FROM replica_states
        WHERE type IN (\(types))
        """)
    for type in ReplicaFields.types {
      let isOwn = type == .contribution ? "WHERE match_method <> 'auto_inferred'" : ""
      try db.execute(
        sql: """
          INSERT OR IGNORE INTO replica_dirty
          SELECT '\(type.rawValue)', id FROM \(type.rawValue) \(isOwn)
          """)
    }
    try db.execute(
      sql: """
        INSERT OR IGNORE INTO replica_dirty SELECT source_table, source_id FROM tombstones
        WHERE source_table IN (\(types))
        """)
    try noteMemories()
    for name in ReplicaFields.settings {
      try db.execute(
        sql:
          "INSERT OR IGNORE INTO replica_dirty SELECT 'settings', name FROM settings WHERE name = ?",
        arguments: [name])
    }
  }

  private static let order: String = {
    let cases = ReplicaFields.types.enumerated().map { "WHEN '\($1.rawValue)' THEN \($0)" }
    return "CASE type \(cases.joined(separator: " ")) ELSE 99 END, id"
  }()

  private func keys(_ sql: String) throws -> [ReplicaKey] {
    try Row.fetchAll(db, sql: sql).map { ReplicaKey(type: $0[0], id: $0[1]) }
  }

  // MARK: This device

  func value(_ name: String) throws -> JSON? {
    try String.fetchOne(
      db, cached: "SELECT value FROM replica_device WHERE name = ?", arguments: [name]
    ).map { try JSON(parsing: $0) }
  }

  func remove(_ name: String) throws {
    try db.cachedStatement(sql: "DELETE FROM replica_device WHERE name = ?")
      .execute(arguments: [name])
  }

  /// Adds one to the number of entities that were permanently forgotten.
  func countPurge() throws { try set("purges", JSON((try value("purges")?.int ?? 0) + 1)) }

  func set(_ name: String, _ value: JSON) throws {
    try db.cachedStatement(sql: "INSERT OR REPLACE INTO replica_device VALUES (?, ?)")
      .execute(arguments: [name, value.text()])
  }
}

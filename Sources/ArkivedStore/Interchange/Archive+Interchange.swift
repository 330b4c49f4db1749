package import ArkivedCore
package import Foundation
import GRDB

/// Rows of other programs, stored along with the entities made from them.
extension ChangeScope {
  /// Returns the last imported row with a key, or nil.
  ///
  /// - Parameters:
  ///   - table: the name of the table.
  ///   - key: the row's key.
  ///   - source: the link it came from; empty for imports.
  /// - Returns: the row.
  /// - Throws: `ArchiveError` or `DatabaseError` if the archive can't be read.
  package func interchangeRow(
    _ table: String, _ key: String, from source: String = ""
  ) throws -> InterchangeRow? {
    let record = try String.fetchOne(
      db,
      cached: """
        SELECT record FROM interchange
        WHERE source = ? AND source_table = ? AND source_key = ?
        """, arguments: [source, table, key])
    return try record.flatMap {
      InterchangeRow(table: table, key: key, json: try JSON(parsing: $0))
    }
  }

  /// Stores a row, unless an equal one is already stored.
  ///
  /// - Returns: true if it was new or different.
  @discardableResult
  package func keep(_ row: InterchangeRow, from source: String = "") throws -> Bool {
    guard try interchangeRow(row.table, row.key, from: source) != row else { return false }
    try keep(source, row.table, row.key, row.json)
    return true
  }

  /// Records that a row was deleted.
  package func forgetInterchangeRow(
    _ table: String, _ key: String, from source: String = ""
  ) throws {
    guard try interchangeRow(table, key, from: source) != nil else { return }
    try keep(source, table, key, .null)
  }

  private func keep(_ source: String, _ table: String, _ key: String, _ record: JSON) throws {
    try db.cachedStatement(
      sql: """
        INSERT INTO interchange_rows (change_pk, source, source_table, source_key, record)
        VALUES (?, ?, ?, ?, ?)
        """
    ).execute(arguments: [changeKey, source, table, key, record.text()])
  }

  /// Returns true if an entity was ever deleted, even if it exists again.
  package func wasDeleted(_ id: UUID) throws -> Bool {
    try Bool.fetchOne(
      db,
      cached: """
        SELECT EXISTS (SELECT 1 FROM history WHERE source_id = ? AND reason = 'delete')
        """, arguments: [id.uuidString]) ?? false
  }

  /// Returns the number of entities of each type that this change has deleted so far, except
  /// inferred matches.
  package func deletedCounts() throws -> [EntityType: Int] {
    let rows = try Row.fetchAll(
      db,
      cached: """
        SELECT source_table, count(*) FROM history
        WHERE change_pk = ? AND reason = 'delete' GROUP BY source_table
        """, arguments: [changeKey])
    return Dictionary(uniqueKeysWithValues: rows.map { (EntityType(rawValue: $0[0]), $0[1]) })
  }

  /// Returns the time at which the owner deleted an entity; nil if they didn't.
  package func deletion(of id: UUID) throws -> Instant? {
    try Int64.fetchOne(
      db, cached: "SELECT max(deleted_at) FROM tombstones WHERE source_id = ?",
      arguments: [id.uuidString]
    ).map(Instant.init(milliseconds:))
  }

  /// Returns every visible entity of a type.
  package func all<Entity: RecordedEntity>(_ type: Entity.Type) throws -> [Entity] {
    func fetch<Stored: StoredEntity>(_ type: Stored.Type) throws -> [Entity] {
      try Stored.fetch(db).compactMap { $0 as? Entity }
    }
    return try (type as? any StoredEntity.Type).map { try fetch($0) } ?? []
  }

  /// Returns the activities that are actions: with measurements, linked with a goal, or with one of
  /// these IDs.
  package func actions(including ids: Set<UUID>) throws -> [Activity] {
    try Archive.actions(db, including: ids)
  }
}

extension Archive {
  /// Returns all stored rows; of a row stored from several places, only the last.
  package func interchangeRows() throws -> [InterchangeRow] {
    try read { db in try Archive.interchangeRows(db) }
  }

  /// Returns the rows that came from a link, each in its latest state.
  package func interchangeRows(from source: String) throws -> [InterchangeRow] {
    try read { db in try Archive.interchangeRows(db, from: source) }
  }

  /// Returns every visible entity of a type.
  package func all<Entity: RecordedEntity>(_ type: Entity.Type) throws -> [Entity] {
    func fetch<Stored: StoredEntity>(_ type: Stored.Type, _ db: Database) throws -> [Entity] {
      try Stored.fetch(db).compactMap { $0 as? Entity }
    }
    return try read { db in
      try (type as? any StoredEntity.Type).map { try fetch($0, db) } ?? []
    }
  }

  /// Returns the activities that are actions: with measurements, linked with a goal, or with one of
  /// these IDs.
  package func actions(including ids: Set<UUID>) throws -> [Activity] {
    try read { db in try Archive.actions(db, including: ids) }
  }

  /// Returns the number of IDs that belong to visible entities of a type.
  package func presentCount(_ type: EntityType, among ids: [UUID]) throws -> Int {
    try read { db in
      try Int.fetchOne(
        db,
        sql: """
          SELECT count(*) FROM \(type.rawValue) WHERE id IN (SELECT value FROM json_each(?))
          """, arguments: [JSON(ids.map(\.uuidString)).text()]) ?? 0
    }
  }

  /// Returns the number of IDs that were deleted here on purpose.
  package func deletedCount(among ids: [UUID]) throws -> Int {
    try read { db in
      try Int.fetchOne(
        db,
        sql: """
          SELECT count(DISTINCT source_id) FROM tombstones
          WHERE source_id IN (SELECT value FROM json_each(?))
          """, arguments: [JSON(ids.map(\.uuidString)).text()]) ?? 0
    }
  }

  /// Returns true if more than a number of activities have measurements.
  package func measuresMore(than count: Int) throws -> Bool {
    try read { db in
      let found =
        try Int.fetchOne(
          db,
          sql: """
            SELECT count(*) FROM (SELECT 1 FROM measurements GROUP BY activity_pk LIMIT ?)
            """, arguments: [count + 1]) ?? 0
      return found > count
    }
  }

  static func actions(_ db: Database, including ids: Set<UUID>) throws -> [Activity] {
    let keys = try Int64.fetchAll(
      db,
      sql: """
        SELECT it.pk FROM activities AS it
        WHERE EXISTS (SELECT 1 FROM measurements WHERE activity_pk = it.pk)
          OR EXISTS (SELECT 1 FROM action_goal_contributions AS link
            WHERE link.activity_pk = it.pk)
          OR it.id IN (SELECT value FROM json_each(?))
        ORDER BY it.pk
        """, arguments: [JSON(ids.map(\.uuidString)).text()])
    var actions: [Activity] = []
    for slice in keys.slices(of: 2_000) {
      actions += try ActivityRecord.fetch(
        db, where: "pk IN (\(KeyList.sql))", arguments: [KeyList.text(slice)]
      ).map(\.activity)
    }
    return actions
  }
}

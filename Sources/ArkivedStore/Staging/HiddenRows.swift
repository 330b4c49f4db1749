import ArkivedCore
import Foundation
import GRDB

/// Removal of invisible rows, which are not added to the history.
enum HiddenRows {
  /// Removes rows with all their parts and their documents in the search index.
  static func remove(_ type: EntityType, keys: [Int64], _ db: Database) throws {
    for slice in keys.slices() {
      let list = slice.map(String.init).joined(separator: ", ")
      if let owner = EntityType.attachmentOwner[type] {
        let attachments = try Int64.fetchAll(
          db, sql: "SELECT pk FROM attachments WHERE \(owner) IN (\(list))")
        for key in attachments { try SearchDocument.remove(.attachment, key, db) }
      }
      if let kind = SearchDocument.Kind.ofRows[type] {
        for key in slice { try SearchDocument.remove(kind, key, db) }
      }
      try db.execute(sql: "DELETE FROM \(type.rowsTable) WHERE pk IN (\(list))")
    }
  }

  /// Removes up to `limit` rows that a change created and nobody has changed since.
  ///
  /// - Parameters:
  ///   - key: the row of the change.
  ///   - limit: the maximum number of rows.
  ///   - marks: only rows added later, by type.
  ///   - db: the database.
  /// - Returns: the number of rows.
  /// - Throws: `DatabaseError` if the archive can't be written.
  static func removeSome(
    ofChange key: Int64, limit: Int, after marks: [EntityType: Mark] = [:], _ db: Database
  ) throws -> Int {
    for type in StoredEntities.all.map({ $0.entityType })
      + [EntityType.activity, .day, .metric, .person, .tag]
    {
      if type == .person || type == .tag { try handBack(type, ofChange: key, db) }
      let keys = try Int64.fetchAll(
        db,
        sql: """
          SELECT pk FROM \(type.rowsTable)
          WHERE change_pk = ?1 AND changed_pk = ?1 AND (pk > ?2 OR (pk = ?2 AND id <> ?3)) LIMIT ?4
          """, arguments: [key, marks[type]?.key ?? 0, marks[type]?.id ?? "", limit])
      guard !keys.isEmpty else { continue }
      try remove(type, keys: keys, db)
      return keys.count
    }
    return 0
  }

  /// Assigns tags and people that rows of other changes are linked with to one of those changes;
  /// the change's own entries have already been removed.
  private static func handBack(
    _ type: EntityType, ofChange key: Int64, _ db: Database
  ) throws {
    let owner =
      type == .tag
      ? """
      (SELECT activity_rows.changed_pk FROM activity_tags
        JOIN activity_rows ON activity_rows.pk = activity_pk WHERE tag_pk = tag_rows.pk LIMIT 1)
      """
      : """
      (SELECT coalesce(activity_rows.changed_pk, day_rows.changed_pk) FROM mentions
        LEFT JOIN activity_rows ON activity_rows.pk = activity_pk
        LEFT JOIN day_rows ON day_rows.pk = day_pk
        WHERE person_pk = person_rows.pk LIMIT 1)
      """
    try db.execute(
      sql: """
        UPDATE \(type.rowsTable) SET change_pk = \(owner), changed_pk = \(owner)
        WHERE change_pk = ?1 AND changed_pk = ?1 AND \(owner) IS NOT NULL
        """, arguments: [key])
  }

  /// The last row that a change had created of a type.
  struct Mark {
    var key: Int64
    /// The ID, because the number may be reused if another program removed the row.
    var id: String
  }

  /// Returns the last rows of a change, to distinguish them from later ones.
  ///
  /// Rows of other changes don't matter: if they are removed, their numbers are reused.
  static func marks(ofChange key: Int64, _ db: Database) throws -> [EntityType: Mark] {
    var marks: [EntityType: Mark] = [:]
    for (type, table) in EntityType.rowsTables {
      let row = try Row.fetchOne(
        db, sql: "SELECT pk, id FROM \(table) WHERE change_pk = ? ORDER BY pk DESC LIMIT 1",
        arguments: [key])
      marks[type] = row.map { Mark(key: $0["pk"], id: $0["id"]) }
    }
    return marks
  }
}

extension EntityType {
  /// The column of `attachments` that refers to an entity.
  static let attachmentOwner: [EntityType: String] = [
    .activity: "activity_pk", .day: "day_pk", .note: "note_pk",
  ]
}

extension SearchDocument.Kind {
  static let ofRows: [EntityType: SearchDocument.Kind] = [
    .activity: .activity, .day: .day, .note: .note,
  ]
}

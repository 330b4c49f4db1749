import ArkivedCore
import Foundation
import GRDB

/// The kinds of entities that have tags: entries and notes.
enum TagLinks: String, CaseIterable {
  case activities, notes

  /// The linking table, its column for the linked row, and that row's table.
  var table: String { self == .activities ? "activity_tags" : "note_tags" }
  var column: String { self == .activities ? "activity_pk" : "note_pk" }
  var rows: String { self == .activities ? "activity_rows" : "note_rows" }

  /// Returns every place of a tag as `IDENTITY/POSITION`, including hidden ones, whose words are
  /// indexed as well.
  func places(_ tag: Int64, _ db: Database) throws -> JSON {
    JSON(
      try String.fetchAll(
        db,
        sql: """
          SELECT it.id || '/' || position FROM \(table) JOIN \(rows) AS it ON it.pk = \(column)
          WHERE tag_pk = ? ORDER BY it.pk
          """, arguments: [tag]))
  }

  /// Returns the IDs of the entities that have both of two tags.
  func sharing(_ tag: Int64, _ other: Int64, _ db: Database) throws -> JSON {
    JSON(
      try String.fetchAll(
        db,
        sql: """
          SELECT it.id FROM \(table) AS own JOIN \(table) AS other
            ON other.\(column) = own.\(column) AND other.tag_pk = ?2
          JOIN \(rows) AS it ON it.pk = own.\(column)
          WHERE own.tag_pk = ?1 ORDER BY it.pk
          """, arguments: [tag, other]))
  }

  /// Returns the row numbers of everything that has a tag.
  func keys(_ tag: Int64, _ db: Database) throws -> [Int64] {
    try Int64.fetchAll(
      db, sql: "SELECT \(column) FROM \(table) WHERE tag_pk = ? ORDER BY \(column)",
      arguments: [tag])
  }

  /// Returns the row numbers for a list of places.
  func keys(places: JSON, _ db: Database) throws -> [Int64] {
    try Int64.fetchAll(
      db,
      sql: """
        SELECT pk FROM \(rows)
        WHERE id IN (SELECT substr(value, 1, 36) FROM json_each(?)) ORDER BY pk
        """, arguments: [places.text()])
  }

  /// Replaces one tag with another everywhere; if the other is already there, the first one stays
  /// until it is removed.
  func move(_ tag: Int64, to other: Int64, _ db: Database) throws {
    try db.execute(
      sql: "UPDATE OR IGNORE \(table) SET tag_pk = ?2 WHERE tag_pk = ?1", arguments: [tag, other])
  }

  /// Gives a merged tag its links back from the tag that took them over, if that tag still has
  /// them.
  ///
  /// - Parameters:
  ///   - tag: the row of the merged tag.
  ///   - other: the row of the other tag.
  ///   - places: the former places of the merged tag.
  ///   - shared: the places among them that had both tags.
  ///   - now: the current time.
  ///   - db: the database.
  /// - Throws: `DatabaseError` if the archive can't be written.
  func moveBack(
    _ tag: Int64, from other: Int64, places: JSON, shared: JSON, at now: Instant, _ db: Database
  ) throws {
    try db.execute(
      sql: """
        UPDATE OR IGNORE \(table) SET tag_pk = ?1 WHERE tag_pk = ?2 AND \(column) IN
          (SELECT it.pk FROM json_each(?3) AS place JOIN \(rows) AS it
            ON it.id = substr(place.value, 1, 36)
            WHERE it.id NOT IN (SELECT value FROM json_each(?4)))
        """, arguments: [tag, other, places.text(), shared.text()])
    try add(tag, places: places, among: shared, beside: other, at: now, db)
  }

  /// Adds a tag to its former places that still exist.
  ///
  /// - Parameters:
  ///   - tag: the row of the tag.
  ///   - places: its former places.
  ///   - among: only to these; to all if nil.
  ///   - other: another tag, which these must still have; nil if that doesn't matter.
  ///   - now: the current time.
  ///   - db: the database.
  /// - Throws: `DatabaseError` if the archive can't be written.
  func add(
    _ tag: Int64, places: JSON, among: JSON? = nil, beside other: Int64? = nil, at now: Instant,
    _ db: Database
  ) throws {
    try db.execute(
      sql: """
        INSERT OR IGNORE INTO \(table) (\(column), tag_pk, position, created_at)
        SELECT it.pk, ?1, CAST(substr(place.value, 38) AS INTEGER), ?4
        FROM json_each(?2) AS place JOIN \(rows) AS it ON it.id = substr(place.value, 1, 36)
        WHERE (?3 IS NULL OR it.id IN (SELECT value FROM json_each(?3)))
          AND (?5 IS NULL OR EXISTS (
            SELECT 1 FROM \(table) AS kept WHERE kept.\(column) = it.pk AND kept.tag_pk = ?5))
        """, arguments: [tag, places.text(), among?.text(), now.milliseconds, other])
  }
}

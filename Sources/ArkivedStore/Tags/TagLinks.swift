import ArkivedCore
import Foundation
import GRDB

/// What carries a tag: entries and notes.
enum TagLinks: String, CaseIterable {
  case activities, notes

  /// The table that links, its column of what is linked, and the table of that.
  var table: String { self == .activities ? "activity_tags" : "note_tags" }
  var column: String { self == .activities ? "activity_pk" : "note_pk" }
  var rows: String { self == .activities ? "activity_rows" : "note_rows" }

  /// Every place that a tag stands in, as `IDENTITY/POSITION`; hidden ones too, since their words
  /// are indexed as well.
  func places(_ tag: Int64, _ db: Database) throws -> JSON {
    JSON(
      try String.fetchAll(
        db,
        sql: """
          SELECT it.id || '/' || position FROM \(table) JOIN \(rows) AS it ON it.pk = \(column)
          WHERE tag_pk = ? ORDER BY it.pk
          """, arguments: [tag]))
  }

  /// Those that carry both of two tags, by identity.
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

  /// Row numbers of all that carry a tag.
  func keys(_ tag: Int64, _ db: Database) throws -> [Int64] {
    try Int64.fetchAll(
      db, sql: "SELECT \(column) FROM \(table) WHERE tag_pk = ? ORDER BY \(column)",
      arguments: [tag])
  }

  /// Row numbers of what stands in a list of places.
  func keys(places: JSON, _ db: Database) throws -> [Int64] {
    try Int64.fetchAll(
      db,
      sql: """
        SELECT pk FROM \(rows)
        WHERE id IN (SELECT substr(value, 1, 36) FROM json_each(?)) ORDER BY pk
        """, arguments: [places.text()])
  }

  /// Gives what carries one tag another in its place; what has that one already just loses it when
  /// the first one goes.
  func move(_ tag: Int64, to other: Int64, _ db: Database) throws {
    try db.execute(
      sql: "UPDATE OR IGNORE \(table) SET tag_pk = ?2 WHERE tag_pk = ?1", arguments: [tag, other])
  }

  /// Gives back what a merged tag took over, as far as it still has it.
  ///
  /// - Parameters:
  ///   - places: where the other one stood.
  ///   - shared: those among them that had both.
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
    try add(tag, places: places, among: shared, at: now, db)
  }

  /// Puts a tag where it stood, on what is still there.
  ///
  /// - Parameter among: only on these; on all where nil.
  func add(
    _ tag: Int64, places: JSON, among: JSON? = nil, at now: Instant, _ db: Database
  ) throws {
    try db.execute(
      sql: """
        INSERT OR IGNORE INTO \(table) (\(column), tag_pk, position, created_at)
        SELECT it.pk, ?1, CAST(substr(place.value, 38) AS INTEGER), ?4
        FROM json_each(?2) AS place JOIN \(rows) AS it ON it.id = substr(place.value, 1, 36)
        WHERE ?3 IS NULL OR it.id IN (SELECT value FROM json_each(?3))
        """, arguments: [tag, places.text(), among?.text(), now.milliseconds])
  }
}

import ArkivedCore
import Foundation
import GRDB

/// The kinds of places where a person is named or takes part: entries, days, meetings and notes.
enum PersonLinks: String, CaseIterable {
  case activities, days, meetings, notes

  /// The linking table, its column for the linked row, and that row's table.
  var table: String {
    switch self {
    case .activities, .days: "mentions"
    case .meetings: "attendance_rows"
    case .notes: "note_mentions"
    }
  }

  var column: String {
    switch self {
    case .activities: "activity_pk"
    case .days: "day_pk"
    case .meetings: "meeting_pk"
    case .notes: "note_pk"
    }
  }

  var rows: String {
    switch self {
    case .activities: "activity_rows"
    case .days: "day_rows"
    case .meetings: "meeting_rows"
    case .notes: "note_rows"
    }
  }

  /// Returns SQL for the places in a list of `IDENTITY/POSITION`; its argument is the list as JSON.
  fileprivate func isAmong(_ parameter: String) -> String {
    """
    EXISTS (SELECT 1 FROM json_each(\(parameter)) AS place JOIN \(rows) AS it
      ON it.id = substr(place.value, 1, 36)
      WHERE it.pk = \(table).\(column) AND \(table).position = substr(place.value, 38))
    """
  }
}

/// Links of a removed person.
///
/// Their positions are stored so that undo can link them again; the links of a merged person are
/// transferred to the other.
extension ChangeScope {
  /// Returns every place that is linked with a person, as `IDENTITY/POSITION`.
  func links(ofPerson key: Int64) throws -> JSON {
    var object = JSONObject()
    for kind in PersonLinks.allCases {
      object[kind.rawValue] = JSON(
        try String.fetchAll(
          db,
          sql: """
            SELECT it.id || '/' || position FROM \(kind.table)
            JOIN \(kind.rows) AS it ON it.pk = \(kind.column)
            WHERE person_pk = ? ORDER BY it.pk, position
            """, arguments: [key]))
    }
    return .object(object)
  }

  /// Transfers all links of a person to another one.
  ///
  /// Names remain as written.
  func moveLinks(ofPerson key: Int64, to kept: UUID) throws {
    guard let target = try personKey(kept) else { return }
    for table in ["mentions", "attendance_rows", "note_mentions", "external_refs"] {
      try db.execute(
        sql: "UPDATE \(table) SET person_pk = ? WHERE person_pk = ?", arguments: [target, key])
    }
  }

  /// Links a restored person with their former places, if these still name them.
  ///
  /// - Parameters:
  ///   - person: the person.
  ///   - links: their former places.
  ///   - kept: the person they were merged into; nil if only their name was left.
  /// - Throws: `DatabaseError` if the archive can't be written.
  func relink(_ person: Person, _ links: JSON, from kept: String?) throws {
    guard let key = try personKey(person.id) else { return }
    for kind in PersonLinks.allCases {
      let places = links[kind.rawValue] ?? .array([])
      let condition =
        kept == nil
        ? """
        person_pk IS NULL AND (name = ?2
          OR name IN (SELECT value FROM person_names WHERE person_pk = ?1))
        """
        : "person_pk = (SELECT pk FROM person_rows WHERE id = ?2)"
      try db.execute(
        sql: """
          UPDATE \(kind.table) SET person_pk = ?1
          WHERE \(condition) AND \(kind.isAmong("?3"))
          """, arguments: [key, kept ?? person.displayName, places.text()])
    }
    try noteLinked(links)
  }

  /// Notifies the search indexes of entries whose person has changed.
  func noteLinked(_ links: JSON) throws {
    for (kind, document) in [
      (PersonLinks.activities, SearchDocument.Kind.activity), (.days, .day), (.notes, .note),
    ] {
      let keys = try Int64.fetchAll(
        db,
        sql: """
          SELECT DISTINCT pk FROM \(kind.rows)
          WHERE id IN (SELECT substr(value, 1, 36) FROM json_each(?))
          """, arguments: [(links[kind.rawValue] ?? .array([])).text()])
      for key in keys { try noteDocument(document, key) }
    }
  }
}

package import ArkivedCore
package import Foundation
import GRDB

/// The stored progress of linked services, and what was imported from them.
///
/// Progress is a list of named marks in the table of what calendars held when they were last
/// fetched. A restored or replaced archive doesn't have them, so everything is read again.
extension Archive {
  /// Returns the marks of a link, by name.
  package func serviceMarks(of link: UUID) throws -> [String: String] {
    try calendarVersions(of: link)
  }

  /// Sets some of a link's marks.
  package func setServiceMarks(_ marks: [String: String], of link: UUID) throws {
    try transact { db in try Self.setServiceMarks(marks, of: link, db) }
  }

  static func setServiceMarks(
    _ marks: [String: String], of link: UUID, _ db: Database
  ) throws {
    for (name, value) in marks.sorted(by: { $0.key < $1.key }) {
      try db.cachedStatement(
        sql: """
          INSERT INTO calendar_resources (link_pk, name, version, taken)
          SELECT pk, ?2, ?3, ?3 FROM sync_links WHERE id = ?1
          ON CONFLICT (link_pk, name) DO UPDATE SET version = excluded.version,
            taken = excluded.taken
          """
      ).execute(arguments: [link.uuidString, name, value])
    }
  }

  /// Returns the names among the given ones that an import used before, including for entries that
  /// the owner deleted.
  ///
  /// - Parameters:
  ///   - names: the names.
  ///   - provider: their source.
  ///   - besidesUndone: true to leave out those of imports that were undone.
  /// - Returns: the known names.
  /// - Throws: `ArchiveError` or `DatabaseError` if the archive can't be read.
  package func knownNames(
    _ names: [String], of provider: String, besidesUndone: Bool
  ) throws -> Set<String> {
    try read { db in
      let shown = besidesUndone ? "AND activity_pk IN (SELECT pk FROM activities)" : ""
      return try String.fetchSet(
        db,
        sql: """
          SELECT external_id FROM external_refs
          WHERE provider = ?1 AND external_id IN (SELECT value FROM json_each(?2)) \(shown)
          UNION SELECT external_id FROM tombstones
          WHERE provider = ?1 AND external_id IN (SELECT value FROM json_each(?2))
          """, arguments: [provider, JSON(names).text()])
    }
  }

  /// Returns the entries of a day that were imported from a source and that nobody has changed
  /// here.
  package func untouchedEntries(on day: DayKey, of provider: String) throws -> [Activity] {
    try read { db in
      let ids = try String.fetchAll(
        db,
        sql: """
          SELECT DISTINCT activities.id FROM activities
          -- Not by the source, which may have a reference for every photo of a life.
          CROSS JOIN external_refs ON external_refs.activity_pk = activities.pk
          WHERE activities.day_key = ? AND provider = ? AND \(Self.isUntouched)
          ORDER BY activities.start_at, activities.pk
          """, arguments: [day.description, provider])
      return try ids.compactMap(UUID.init(uuidString:)).compactMap {
        try ActivityRecord.fetchOne(db, id: $0)?.activity
      }
    }
  }

  /// Returns the entry that was imported under a name, if nobody has changed it here.
  package func untouchedEntry(named name: String, of provider: String) throws -> Activity? {
    try read { db in
      let id = try String.fetchOne(
        db,
        sql: """
          SELECT activities.id FROM activities
          JOIN external_refs ON external_refs.activity_pk = activities.pk
          WHERE external_id = ? AND provider = ? AND \(Self.isUntouched)
          """, arguments: [name, provider])
      return try id.flatMap(UUID.init(uuidString:)).flatMap {
        try ActivityRecord.fetchOne(db, id: $0)?.activity
      }
    }
  }

  /// The condition that only imports have changed an entry.
  private static let isUntouched = """
    external_refs.change_pk = activities.changed_pk AND NOT EXISTS
      (SELECT 1 FROM own_words WHERE source_id = activities.id
        AND own_words.change_pk = activities.changed_pk)
    """
}

extension ChangeScope {
  /// Sets some of a link's marks in this change.
  package func setServiceMarks(_ marks: [String: String], of link: UUID) throws {
    try Archive.setServiceMarks(marks, of: link, db)
  }

  /// Returns the places of a day that only imports of a format have created and changed, and that
  /// the owner hasn't matched with a goal.
  package func untouchedPlaces(on day: DayKey, format: String) throws -> [Activity] {
    let runs = "(SELECT change_pk FROM import_runs WHERE format = ?3)"
    let ids = try String.fetchAll(
      db,
      cached: """
        SELECT id FROM activities
        WHERE day_key = ?1 AND source = ?2 AND change_pk IN \(runs) AND changed_pk IN \(runs)
          AND NOT EXISTS (SELECT 1 FROM own_words
            WHERE source_id = activities.id AND own_words.change_pk = activities.changed_pk)
          AND NOT EXISTS (SELECT 1 FROM contribution_rows
            WHERE activity_pk = activities.pk AND match_method <> ?4)
        """,
      arguments: [
        day.description, ActivitySource.locationImport.rawValue, format,
        MatchMethod.autoInferred.rawValue,
      ])
    return try ids.compactMap(UUID.init(uuidString:)).compactMap { try activity($0) }
  }

  /// Removes an imported entry that a later reading of its source replaces; it stays in the
  /// history, and a later import may create it again.
  package func removeReplaced(_ id: UUID) throws {
    var scope = self
    scope.leavesTombstones = false
    _ = try scope.deleteActivity(id)
  }
}

package import ArkivedCore
package import Foundation
import GRDB

/// Finding imported entities with similar names.
extension ChangeScope {
  /// Returns a provider's names in a range, by name; at most a hundred.
  ///
  /// - Parameters:
  ///   - provider: the provider.
  ///   - start: the start of the range, inclusive.
  ///   - end: the end of the range, exclusive.
  /// - Returns: the names.
  /// - Throws: `DatabaseError` if the archive can't be read.
  package func names(
    of provider: String, from start: String, to end: String
  ) throws -> [String] {
    try String.fetchAll(
      db.cachedStatement(
        sql: """
          SELECT external_id FROM external_refs
          WHERE provider = ? AND external_id >= ? AND external_id < ? ORDER BY external_id LIMIT 100
          """), arguments: [provider, start, end])
  }

  /// Returns true if a provider has any name in the range.
  package func hasName(of provider: String, from start: String, to end: String) throws -> Bool {
    try Bool.fetchOne(
      db,
      cached: """
        SELECT EXISTS (SELECT 1 FROM external_refs
          WHERE provider = ?1 AND external_id >= ?2 AND external_id < ?3)
        OR EXISTS (SELECT 1 FROM tombstones
          WHERE provider = ?1 AND external_id >= ?2 AND external_id < ?3)
        """, arguments: [provider, start, end]) ?? false
  }

  /// Returns the names that a provider gave activities which start at a moment, by name.
  ///
  /// - Parameters:
  ///   - provider: the provider.
  ///   - start: the moment.
  ///   - day: the local day of the moment in some zone.
  /// - Returns: the names.
  /// - Throws: `DatabaseError` if the archive can't be read.
  package func names(
    of provider: String, startingAt start: Instant, around day: DayKey
  ) throws -> [String] {
    try String.fetchAll(
      db.cachedStatement(
        sql: """
          SELECT external_id FROM activity_rows
          -- Not by the provider, because this is called for every new row of a table.
          CROSS JOIN external_refs ON external_refs.activity_pk = activity_rows.pk
          WHERE day_key IN (?, ?, ?) AND start_at = ? AND provider = ? ORDER BY external_id
          """),
      arguments: [
        day.advanced(by: -1).description, day.description, day.advanced(by: 1).description,
        start.milliseconds, provider,
      ])
  }

  /// Returns all of a provider's names in a range.
  ///
  /// - Parameters:
  ///   - provider: the provider.
  ///   - start: the start of the range, inclusive.
  ///   - end: the end of the range, exclusive.
  /// - Returns: the names.
  /// - Throws: `DatabaseError` if the archive can't be read.
  package func allNames(
    of provider: String, from start: String, to end: String
  ) throws -> [String] {
    try String.fetchAll(
      db.cachedStatement(
        sql: """
          SELECT external_id FROM external_refs
          WHERE provider = ? AND external_id >= ? AND external_id < ?
          """), arguments: [provider, start, end])
  }

  /// Returns all of a provider's names in a range under which the owner deleted something, with the
  /// IDs that it had.
  ///
  /// - Throws: `DatabaseError` if the archive can't be read.
  package func deletedNames(
    of provider: String, from start: String, to end: String
  ) throws -> [(name: String, id: UUID)] {
    guard try hasTombstones() else { return [] }
    return try Row.fetchAll(
      db,
      cached: """
        SELECT DISTINCT external_id, source_id FROM tombstones
        WHERE provider = ? AND external_id >= ? AND external_id < ?
        """, arguments: [provider, start, end]
    ).map { ($0["external_id"], try $0.identity("source_id")) }
  }

  /// Returns an activity, even if it is hidden.
  ///
  /// - Throws: `DatabaseError` if the archive can't be read.
  package func anyActivity(_ id: UUID) throws -> Activity? {
    try ActivityRecord.fetch(
      db, from: "activity_rows", where: "id = ?", arguments: [id.uuidString]
    ).first?.activity
  }

  /// Returns the old versions of an activity, newest first; at most twenty.
  ///
  /// - Throws: `DatabaseError` if the archive can't be read.
  package func versions(ofActivity id: UUID, _ defaults: EntryDefaults) throws -> [Activity] {
    try Row.fetchAll(
      db, cached: "SELECT * FROM history WHERE source_id = ? ORDER BY pk DESC LIMIT 20",
      arguments: [id.uuidString]
    ).map(Archive.historyRecord).compactMap { version in
      var fields = FieldReader(version.record.object ?? JSONObject())
      return try? Activity(&fields, defaults: defaults)
    }
  }
}

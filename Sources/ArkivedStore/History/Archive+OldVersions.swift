package import ArkivedCore
package import Foundation
import GRDB

/// An old version for lists, with its record only if that is short.
package struct OldVersion: Sendable, Identifiable {
  package var id: UUID
  /// The ID of the entity whose version it is.
  package var sourceID: UUID
  package var reason: HistoryRecord.Reason
  package var archivedAt: Instant
  /// The record; nil if it is longer than `recordLimit`, in which case it can be read separately.
  package var record: JSON?

  /// The number of characters of a record that lists read.
  package static let recordLimit = 20_000
}

extension Archive {
  /// Returns the latest old versions of one entity, newest first, without reading long ones
  /// completely.
  package func oldVersions(of id: UUID, limit: Int) throws -> [OldVersion] {
    try oldVersions("source_id = ?", [id.uuidString, limit])
  }

  /// Returns the latest old versions of a day's notes, newest first, without reading long ones
  /// completely.
  ///
  /// A note that was emptied and written again has another ID than before.
  package func oldVersions(ofDay dayKey: DayKey, limit: Int) throws -> [OldVersion] {
    try oldVersions("source_id IN (\(Self.notesOfDay))", [dayKey.description, limit])
  }

  /// Returns the old versions of a day's notes, newest first.
  package func history(ofDay dayKey: DayKey) throws -> [HistoryRecord] {
    try read { db in
      try Row.fetchAll(
        db,
        sql: "SELECT * FROM history WHERE source_id IN (\(Self.notesOfDay)) ORDER BY pk DESC",
        arguments: [dayKey.description]
      ).map(Archive.historyRecord)
    }
  }

  /// SQL for the IDs of the note that a day has and of those that were deleted on purpose.
  private static let notesOfDay = """
    SELECT id FROM days WHERE day_key = ?1
    UNION SELECT source_id FROM tombstones
      WHERE provider = 'day' AND external_id = ?1 AND source_table = 'days'
    """

  private func oldVersions(
    _ condition: String, _ arguments: StatementArguments
  ) throws -> [OldVersion] {
    try read { db in
      try Row.fetchAll(
        db,
        cached: """
          SELECT id, source_id, reason, archived_at,
            substr(record, 1, \(OldVersion.recordLimit + 1)) AS record
          FROM history WHERE \(condition) ORDER BY pk DESC LIMIT ?
          """, arguments: arguments
      ).map { row in
        let record: String = row["record"]
        let isLong = record.unicodeScalars.count > OldVersion.recordLimit
        return OldVersion(
          id: try row.identity("id"), sourceID: try row.identity("source_id"),
          reason: HistoryRecord.Reason(rawValue: row["reason"]),
          archivedAt: row.instant("archived_at"),
          record: isLong ? nil : try JSON(parsing: record))
      }
    }
  }
}

package import ArkivedCore
package import Foundation
import GRDB

/// An old version for lists, with its record only if that is short.
package struct OldVersion: Sendable, Identifiable {
  package var id: UUID
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
    try read { db in
      try Row.fetchAll(
        db,
        cached: """
          SELECT id, reason, archived_at, substr(record, 1, \(OldVersion.recordLimit + 1)) AS record
          FROM history WHERE source_id = ? ORDER BY pk DESC LIMIT ?
          """, arguments: [id.uuidString, limit]
      ).map { row in
        let record: String = row["record"]
        let isLong = record.unicodeScalars.count > OldVersion.recordLimit
        return OldVersion(
          id: try row.identity("id"), reason: HistoryRecord.Reason(rawValue: row["reason"]),
          archivedAt: row.instant("archived_at"),
          record: isLong ? nil : try JSON(parsing: record))
      }
    }
  }
}

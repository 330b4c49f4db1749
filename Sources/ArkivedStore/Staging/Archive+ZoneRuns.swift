package import ArkivedCore
import GRDB

/// The zones of imported activities.
extension Archive {
  /// Consecutive activities of a provider that were imported with the same zone.
  package struct ZoneRun: Hashable, Sendable {
    package var zone: String
    /// The start of the first activity.
    package var start: Instant
    /// The start of the last activity.
    package var end: Instant
  }

  /// Returns the activities of a provider by start, as runs of the same zone.
  package func zoneRuns(of provider: String) throws -> [ZoneRun] {
    try read { db in
      var runs: [ZoneRun] = []
      let rows = try Row.fetchCursor(
        db,
        sql: """
          SELECT time_zone, start_at FROM external_refs
          JOIN activities ON activities.pk = external_refs.activity_pk
          WHERE provider = ? AND start_at IS NOT NULL ORDER BY start_at
          """, arguments: [provider])
      while let row = try rows.next() {
        let zone: String = row["time_zone"]
        let start = row.instant("start_at")
        if runs.last?.zone == zone {
          runs[runs.count - 1].end = start
        } else {
          runs.append(ZoneRun(zone: zone, start: start, end: start))
        }
      }
      return runs
    }
  }

  /// Returns the number of a provider's activities in each zone.
  package func zoneCounts(of provider: String) throws -> [String: Int] {
    try read { db in
      let rows = try Row.fetchAll(
        db,
        sql: """
          SELECT time_zone, count(*) AS number FROM external_refs
          JOIN activities ON activities.pk = external_refs.activity_pk
          WHERE provider = ? GROUP BY time_zone
          """, arguments: [provider])
      return Dictionary(
        uniqueKeysWithValues: rows.map { ($0["time_zone"] as String, $0["number"] as Int) })
    }
  }
}

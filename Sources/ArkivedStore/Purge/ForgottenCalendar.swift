import ArkivedCore
import Foundation
import GRDB

/// A calendar as fetched, and its series that are being deleted.
struct ForgottenCalendar: Hashable, Sendable {
  /// The ID of the link.
  let link: String
  let resource: String
  let series: Set<String>

  /// The path of the copy of a calendar that is fetched as one text, from the archive's folder; nil
  /// for a name that points elsewhere.
  var path: String? {
    guard UUID(uuidString: link) != nil, !resource.isEmpty, !resource.hasPrefix("."),
      !resource.contains("/")
    else { return nil }
    return "calendars/\(link)/\(resource)"
  }

  /// Removes the series from the copy, if there is one.
  func purge(in home: URL) throws {
    guard let path else { return }
    let file = home.appendingPathComponent(path)
    guard let content = try? Data(contentsOf: file),
      let rest = CalendarBlock.without(series, content)
    else { return }
    try DurableFile.write(rest, to: file)
  }
}

extension Forgotten {
  /// Returns the calendars from which all meetings of a deleted series are removed.
  func calendars(_ db: Database) throws -> [ForgottenCalendar] {
    let keys = Self.list(self.keys[.meeting] ?? [])
    let events = try Row.fetchAll(
      db,
      sql: """
        SELECT DISTINCT link_id, resource, coalesce(series_identifier, event_identifier) AS series
        FROM meeting_rows AS it WHERE pk IN (\(KeyList.sql)) AND link_id IS NOT NULL
          AND NOT EXISTS (SELECT 1 FROM meeting_rows AS other
            WHERE other.series_identifier = it.series_identifier
              AND other.pk NOT IN (\(KeyList.sql)))
        """, arguments: [keys, keys])
    var series: [[String]: Set<String>] = [:]
    for row in events {
      guard let resource = row["resource"] as String? else { continue }
      series[[row["link_id"], resource], default: []].insert(row["series"])
    }
    return series.map { ForgottenCalendar(link: $0.key[0], resource: $0.key[1], series: $0.value) }
  }
}

package import ArkivedCore
import Foundation

/// The zone of an action, stored along with the row's times, which don't include one; it applies as
/// long as the times are unchanged.
package struct TenWeekZone: Hashable, Sendable {
  /// The table of zones, which is Arkived's own and which Ten Week neither reads nor changes.
  package static let table = InterchangeTable(
    name: "arkived_zones",
    columns: [
      .init(name: "action_id", type: "TEXT", keyPlace: 1, isRequired: true),
      .init(name: "log_time", type: "TEXT"), .init(name: "start_time", type: "TEXT"),
      .init(name: "zone", type: "TEXT", isRequired: true),
    ])
  /// The SQL clauses of its columns.
  package static let clauses = ["action_id": "COLLATE NOCASE"]

  /// The identifier in the IANA database.
  package var zone: String
  private var logged: InterchangeValue
  private var started: InterchangeValue

  package static func isTable(_ name: String) -> Bool { name.lowercased() == table.name }

  package init?(_ row: InterchangeRow) {
    guard let zone = row["zone"]?.text, Zone(zone) != nil else { return nil }
    self.zone = zone
    logged = row["log_time"] ?? .null
    started = row["start_time"] ?? .null
  }

  /// Creates the zone of an action for its row as written; returns nil if the row states it itself.
  package init?(of action: Activity, in row: InterchangeRow, _ home: Zone) {
    guard action.timeZone != home.identifier, Zone(action.timeZone) != nil else { return nil }
    let times = ["log_time", "start_time"].compactMap { row[$0]?.text }
    guard times.allSatisfy({ ISODateTime($0)?.offsetSeconds == nil }) else { return nil }
    zone = action.timeZone
    logged = row["log_time"] ?? .null
    started = row["start_time"] ?? .null
  }

  /// Returns true if a row of `actions` still has the times for which the zone was stored.
  func matches(_ row: InterchangeRow) -> Bool {
    (row["log_time"] ?? .null) == logged && (row["start_time"] ?? .null) == started
  }

  /// Returns the row of an action.
  package func columns(_ action: InterchangeValue) -> [InterchangeRow.Column] {
    [
      .init(name: "action_id", value: action), .init(name: "log_time", value: logged),
      .init(name: "start_time", value: started), .init(name: "zone", value: .text(zone)),
    ]
  }
}

extension TenWeekReader {
  /// Stores the zone of an action.
  package mutating func learnZone(_ row: InterchangeRow) {
    guard let id = UUID(foreign: row["action_id"]), let zone = TenWeekZone(row) else { return }
    zones[id] = zone
  }
}

import ArkivedCore

/// The day and the times of a row.
struct TableRowTimes {
  var day: DayKey
  var start: Instant?
  var end: Instant?
  var minutes: Double?
  var zone: Zone
  /// The midnight time that the table writes after its days, formerly used to identify rows.
  var midnight: String?
  /// True if the table states the instant; otherwise it states home time.
  var isInstant = false
  /// True if the table states the day, and not only an instant.
  var tellsDay = true
  /// The start as written, by the clock of the zone, which may skip it.
  var wall: WallTime?

  /// Returns the instant of an end written by the same clock.
  func instant(ofEnd last: WallTime) -> Instant {
    wall.map { zone.instants(from: $0, to: last).end } ?? zone.instant(of: last)
  }
}

import Foundation

/// Finds English time expressions in a text and says which span of wall-clock time they mean.
package struct TimeReader: Sendable {
  package let now: Instant
  package let zone: Zone
  package let dateOrder: DateOrder
  package let firstWeekday: Weekday

  package init(
    now: Instant, zone: Zone, dateOrder: DateOrder = .dayFirst, firstWeekday: Weekday = .monday
  ) {
    self.now = now
    self.zone = zone
    self.dateOrder = dateOrder
    self.firstWeekday = firstWeekday
  }

  /// The expressions of a text, in order and not overlapping; the longest reading wins.
  package func matches(in text: String) -> [TimeMatch] {
    []
  }
}

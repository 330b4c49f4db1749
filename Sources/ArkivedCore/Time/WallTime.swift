import Foundation

/// A local date and time, to the second, without a place, as a wall clock and a calendar show it.
///
/// Its text form is `YYYY-MM-DDTHH:MM:SS`.
package struct WallTime: Hashable, Comparable, Sendable, CustomStringConvertible {
  package let day: DayKey
  /// From 0 to 86 399.
  package let secondOfDay: Int

  /// Creates a wall time; seconds outside the day move to the days around it, within the limits of
  /// the calendar.
  package init(day: DayKey, secondOfDay: Int) {
    let carry = Int((Double(secondOfDay) / 86_400).rounded(.down))
    self.day = day.advanced(by: carry)
    let isHeld = self.day.daysSinceEpoch != day.daysSinceEpoch + carry
    self.secondOfDay = isHeld ? (carry > 0 ? 86_399 : 0) : secondOfDay - carry * 86_400
  }

  package init(day: DayKey, hour: Int, minute: Int = 0, second: Int = 0) {
    self.init(day: day, secondOfDay: hour * 3600 + minute * 60 + second)
  }

  /// Creates the wall time that a clock in UTC shows at an instant.
  package init(utc instant: Instant) {
    let seconds = Int((Double(instant.milliseconds) / 1000).rounded(.down))
    self.init(day: DayKey(clamping: 0), secondOfDay: seconds)
  }

  package var hour: Int { secondOfDay / 3600 }
  package var minute: Int { secondOfDay / 60 % 60 }
  package var second: Int { secondOfDay % 60 }

  /// Milliseconds since 1970-01-01T00:00:00, counted as if this were UTC.
  package var milliseconds: Int64 {
    (Int64(day.daysSinceEpoch) * 86_400 + Int64(secondOfDay)) * 1000
  }

  /// Returns the minutes on the clock since the midnight that begins a day, negative for an earlier
  /// day.
  package func minutes(since day: DayKey) -> Int {
    day.distance(to: self.day) * 1_440 + secondOfDay / 60
  }

  package func adding(seconds: Int) -> WallTime {
    WallTime(day: day, secondOfDay: secondOfDay + seconds)
  }

  /// The time as text, such as "09:05".
  package var clockText: String {
    (hour < 10 ? "0" : "") + "\(hour):" + (minute < 10 ? "0" : "") + "\(minute)"
  }

  package var description: String {
    "\(day)T\(clockText):" + (second < 10 ? "0" : "") + "\(second)"
  }

  package static func < (left: WallTime, right: WallTime) -> Bool {
    (left.day, left.secondOfDay) < (right.day, right.secondOfDay)
  }
}

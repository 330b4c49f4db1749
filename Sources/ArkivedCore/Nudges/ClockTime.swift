/// A time of day to the minute, independent of a day and place.
package struct ClockTime: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// From 0 to 1 439.
  package let minuteOfDay: Int

  /// Creates a time of day.
  ///
  /// - Returns: nil outside 00:00 to 23:59.
  package init?(hour: Int, minute: Int = 0) {
    guard (0..<24).contains(hour), (0..<60).contains(minute) else { return nil }
    minuteOfDay = hour * 60 + minute
  }

  private init(minuteOfDay: Int) { self.minuteOfDay = minuteOfDay }

  package static func at(_ hour: Int) -> ClockTime {
    ClockTime(minuteOfDay: min(max(hour, 0), 23) * 60)
  }

  /// Reads `21:00`, `9:30`, `9pm` and `9:30 pm`.
  package init?(_ text: String) {
    var rest = text.lowercased().filter { !$0.isWhitespace }
    let half = ["am", "pm"].first { rest.hasSuffix($0) }
    if half != nil { rest.removeLast(2) }
    let parts = rest.split(separator: ":", omittingEmptySubsequences: false)
    guard (half == nil ? 2...2 : 1...2).contains(parts.count),
      parts.allSatisfy({ (1...2).contains($0.utf8.count) && $0.allSatisfy(\.isWholeNumber) }),
      let hour = Int(parts[0]), parts.count == 1 || parts[1].count == 2,
      let minute = parts.count == 1 ? 0 : Int(parts[1])
    else { return nil }
    guard let half else {
      self.init(hour: hour, minute: minute)
      return
    }
    guard (1...12).contains(hour) else { return nil }
    self.init(hour: hour % 12 + (half == "pm" ? 12 : 0), minute: minute)
  }

  /// Returns this time on a day.
  package func wallTime(on day: DayKey) -> WallTime {
    WallTime(day: day, secondOfDay: minuteOfDay * 60)
  }

  /// The time as text, such as "21:00".
  package var description: String { wallTime(on: .earliest).clockText }

  package static func < (left: ClockTime, right: ClockTime) -> Bool {
    left.minuteOfDay < right.minuteOfDay
  }
}

/// The hours without notifications; they span midnight if they end earlier than they begin.
package struct QuietHours: Hashable, Sendable, CustomStringConvertible {
  package let from: ClockTime
  package let to: ClockTime

  /// Creates quiet hours.
  ///
  /// - Returns: nil if both are the same, which could mean either the whole day or none of it.
  package init?(from: ClockTime, to: ClockTime) {
    guard from != to else { return nil }
    self.from = from
    self.to = to
  }

  /// Reads `22:00-07:00`.
  package init?(_ text: String) {
    let parts = text.split(whereSeparator: { $0 == "-" || $0 == "–" })
    guard parts.count == 2, let from = ClockTime(String(parts[0])),
      let to = ClockTime(String(parts[1]))
    else { return nil }
    self.init(from: from, to: to)
  }

  package var description: String { "\(from)-\(to)" }

  /// Returns the end of the quiet hours that contain an instant, or nil if there are none.
  ///
  /// They last from the moment clocks show their beginning until the moment clocks show their end,
  /// even if the clocks change in between: when clocks go back at night, they last an hour longer.
  package func end(around now: Instant, zone: Zone) -> Instant? {
    let today = zone.dayKey(at: now)
    for day in [today.advanced(by: -1), today] {
      let last = to > from ? day : day.advanced(by: 1)
      let start = zone.instant(of: from.wallTime(on: day))
      let end = zone.instant(of: to.wallTime(on: last))
      if start <= now, now < end { return end }
    }
    return nil
  }
}

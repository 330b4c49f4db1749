import Foundation

extension Activity {
  /// True if it fills whole local days, from midnight to midnight.
  package var isAllDay: Bool {
    guard let startAt, let endAt else { return false }
    return Self.fillsDays(from: startAt, to: endAt, on: dayKey, in: zone)
  }

  /// Returns true if a span that belongs to a day fills whole local days, from midnight to midnight.
  package static func fillsDays(
    from startAt: Instant, to endAt: Instant, on dayKey: DayKey, in zone: Zone
  ) -> Bool {
    guard startAt < endAt else { return false }
    let last = zone.dayKey(at: endAt)
    return zone.start(of: dayKey) == startAt && last > dayKey && zone.start(of: last) == endAt
  }

  /// The last day it extends to; its own day if it has no end.
  package var lastDay: DayKey {
    guard let startAt, let endAt, endAt > startAt else { return dayKey }
    return max(dayKey, zone.dayKey(at: endAt.adding(seconds: -1)))
  }

  /// The number of days after its own on which it ends; 0 if it takes less than a day, because a
  /// changed end may then fall on either day.
  package var daysToEnd: Int {
    lastsADay ? dayKey.distance(to: lastDay) : 0
  }

  /// True if it lasts a day or longer; from 9 to 9 o’clock is a day, however many hours it has.
  var lastsADay: Bool {
    guard let startAt, let endAt else { return false }
    let begun = zone.wallTime(at: startAt)
    let next = WallTime(day: begun.day.advanced(by: 1), secondOfDay: begun.secondOfDay)
    return startAt.seconds(to: endAt) >= 86_400 || zone.instant(of: next) <= endAt
  }

  /// Returns a text such as "day 2 of 5" for a day on which it continues.
  package func placeText(on day: DayKey) -> String {
    "day \(dayKey.distance(to: day) + 1) of \(dayKey.distance(to: lastDay) + 1)"
  }

  /// Returns the same text in the language of pages.
  package func shownPlaceText(on day: DayKey) -> String {
    said("day \(dayKey.distance(to: day) + 1) of \(dayKey.distance(to: lastDay) + 1)")
  }

  /// The local time at the place where it happened, in English for files and the history:
  /// "09:00–09:15", "09:00", "until 13:00", "all day", "morning", or nil without a time.
  package var timeText: String? { dayPeriod?.rawValue ?? times(\.clockText, in: .english) }

  /// The time in the clock format the owner chose for pages.
  package var shownTimeText: String? {
    isAllDay && startAt != nil
      ? said("all day") : dayPeriod?.name ?? times(\.shownClock, in: .current)
  }

  private func times(_ clock: (WallTime) -> String, in language: Language) -> String? {
    guard let startAt else {
      guard let endAt else { return nil }
      let clock = clock(zone.wallTime(at: endAt))
      return said("until \(clock)", in: language)
    }
    if isAllDay { return "all day" }
    let zone = zone
    let start = zone.wallTime(at: startAt)
    let mark = start.day == dayKey ? "" : "\(start.day) "
    guard let endAt, endAt > startAt else { return mark + clock(start) }
    let end = zone.wallTime(at: endAt)
    let days = start.day.distance(to: end.day)
    return mark + "\(clock(start))–\(clock(end))" + (days > 0 ? " (+\(days))" : "")
  }
}

/// Formats amounts.
package enum AmountText {
  /// Formats an amount without unnecessary decimals, with at most three: "5", "5.25".
  package static func plain(_ amount: Double) -> String {
    guard amount.isFinite else { return "–" }
    // Larger numbers have no decimals to round.
    guard abs(amount) < 1e15 else { return "\(amount)" }
    let rounded = amount == amount.rounded() ? amount : (amount * 1000).rounded() / 1000
    return rounded == rounded.rounded() ? String(Int64(rounded)) : "\(rounded)"
  }
}

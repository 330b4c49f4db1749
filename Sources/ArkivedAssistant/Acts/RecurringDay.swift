import ArkivedCore
import Foundation

/// Tells words that name a day of every week or every year, such as “friday” and “27 march”, from
/// those that name a single day.
///
/// `TimeReader` reads them as the latest such day, but what an instruction refers to may be planned.
struct RecurringDay: Sendable {
  let now: Instant
  let zone: Zone

  private static let weekdays: Set<String> = [
    "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday",
  ]

  /// Words of times that are relative to today, although they may mean the same date soon, such as
  /// “next month”.
  private static let relative: Set<String> = [
    "ago", "coming", "last", "month", "next", "now", "past", "previous", "this", "today", "week",
    "year",
  ]

  /// Returns the match that states the day, before one that states a time of day.
  static func match(in found: [TimeMatch]) -> TimeMatch? {
    found.first { $0.grain != .minute } ?? found.first
  }

  /// Returns the day that words mean some hours from now.
  func day(in words: String, after hours: Int = 0) -> DayKey? {
    let times = TimeReader(now: now.adding(seconds: hours * 3_600), zone: zone)
    return Self.match(in: times.matches(in: words)).flatMap { $0.singleDay ?? $0.start?.day }
  }

  /// Returns true if words name a weekday without a date.
  func isWeekday(_ words: String) -> Bool {
    let names = Self.names(in: words)
    return names.contains(where: Self.weekdays.contains) && !names.contains("last")
      && day(in: words) != day(in: words, after: 7 * 24)
  }

  /// Returns true if words name a date without a year.
  func isYearless(_ words: String) -> Bool {
    guard Self.names(in: words).allSatisfy({ !Self.weekdays.union(Self.relative).contains($0) }),
      let day = day(in: words), let soon = self.day(in: words, after: 36),
      let later = self.day(in: words, after: 366 * 24)
    else { return false }
    // “Today” and “in May” differ in that the first means another date soon.
    return [soon, later].allSatisfy { $0.month == day.month && $0.day == day.day } && later > day
  }

  /// Returns the days that a time means if it is ahead; nil if it can’t be.
  func ahead(_ match: TimeMatch) -> ClosedRange<DayKey>? {
    guard match.start != nil, match.end != nil else { return nil }
    let days = match.days
    guard days.lowerBound <= zone.dayKey(at: now) else { return nil }
    if isWeekday(match.text) {
      return days.lowerBound.advanced(by: 7)...days.upperBound.advanced(by: 7)
    }
    guard isYearless(match.text) else { return nil }
    return days.lowerBound.adding(months: 12)...days.upperBound.adding(months: 12)
  }

  private static func names(in words: String) -> [String] {
    words.lowercased().split(whereSeparator: { !$0.isLetter }).map(String.init)
  }
}

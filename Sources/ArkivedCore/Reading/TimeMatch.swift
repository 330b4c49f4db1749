import Foundation

/// The precision of a time expression by its words, from fine to coarse.
package enum Grain: Int, Comparable, Sendable, CaseIterable {
  case minute, partOfDay, day, weekend, week, month, quarter, season, year, decade, century

  package static func < (left: Grain, right: Grain) -> Bool { left.rawValue < right.rawValue }
}

/// A time expression found in a text, with the wall-clock span it means.
package struct TimeMatch: Hashable, Sendable {
  /// The range of the expression, including its leading preposition ("in March", "since Easter").
  package var range: Range<String.Index>
  package var text: String
  /// The start, or nil if it is open, as in "until 2017".
  package var start: WallTime?
  /// The end, excluded, or nil if it is open, as in "after 2017".
  package var end: WallTime?
  /// The precision of the words.
  ///
  /// "Two weeks ago" spans the one resulting day, with grain `week`.
  package var grain: Grain

  package init(
    range: Range<String.Index>, text: String, start: WallTime?, end: WallTime?, grain: Grain
  ) {
    self.range = range
    self.text = text
    self.start = start
    self.end = end
    self.grain = grain
  }

  /// The days it touches, both included; an open side extends to the limit of the calendar.
  package var days: ClosedRange<DayKey> {
    let first = start?.day ?? .earliest
    guard let end else { return first...max(first, .latest) }
    let last = end.secondOfDay == 0 ? end.day.advanced(by: -1) : end.day
    return first...max(first, last)
  }

  /// True if both ends, unless open, fall on midnight.
  package var isWholeDays: Bool {
    (start?.secondOfDay ?? 0) == 0 && (end?.secondOfDay ?? 0) == 0 && (start != nil || end != nil)
  }

  /// The only day it touches, or nil if it is open or touches several.
  package var singleDay: DayKey? {
    guard start != nil, end != nil, days.lowerBound == days.upperBound else { return nil }
    return days.lowerBound
  }

  /// Returns the days of the calendar unit around a vague point.
  ///
  /// "Two weeks ago" is one day in `days` and that day's week here, "a month ago" is that month,
  /// "three years ago" that year. For all other expressions, the result is the same as `days`.
  package func widenedDays(firstWeekday: Weekday = .monday) -> ClosedRange<DayKey> {
    // “Ten years ago today” names an exact day.
    guard let day = singleDay, !text.lowercased().hasSuffix("today") else { return days }
    switch grain {
    case .week:
      let first = day.startOfWeek(firstWeekday: firstWeekday)
      return first...max(first, first.advanced(by: 6))
    case .month:
      return day.startOfMonth...day.startOfMonth.adding(months: 1).advanced(by: -1)
    case .year, .decade, .century:
      return day.startOfYear...day.startOfYear.adding(months: 12).advanced(by: -1)
    case .minute, .partOfDay, .day, .weekend, .quarter, .season: return days
    }
  }
}

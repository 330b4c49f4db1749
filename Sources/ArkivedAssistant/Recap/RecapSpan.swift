package import ArkivedCore

/// The period of a recap: one day, or the week, month or year that contains a day.
package enum RecapSpan: Hashable, Sendable {
  case day(DayKey)
  case week(DayKey)
  case month(DayKey)
  case year(DayKey)

  /// The days, including both ends.
  ///
  /// Weeks begin on Monday, as in ISO 8601.
  package var days: ClosedRange<DayKey> {
    switch self {
    case .day(let day): return day...day
    case .week(let day):
      let start = day.startOfWeek()
      return start...start.advanced(by: 6)
    case .month(let day):
      let start = day.startOfMonth
      return start...start.advanced(by: DayKey.length(ofMonth: start.month, year: start.year) - 1)
    case .year(let day):
      let start = day.startOfYear
      return start...(DayKey(year: start.year, month: 12, day: 31) ?? start)
    }
  }

  /// The title: "Tuesday, 28 May 2024", "27 May – 2 June 2024", "May 2024", "2024".
  package var title: String {
    switch self {
    case .day(let day): day.toldLongName
    case .week, .month, .year: SpanText.shownDays(days)
    }
  }

  /// The title within a sentence: "the week of 27 May – 2 June 2024".
  var name: String {
    if case .week = self { said("the week of \(title)") } else { title }
  }

  /// The unit's name in JSON and sentences: "day", "week", "month" or "year".
  package var unit: String {
    switch self {
    case .day: "day"
    case .week: "week"
    case .month: "month"
    case .year: "year"
    }
  }

  /// Returns the span of the same kind `count` before this one; nil before the calendar begins.
  func earlier(by count: Int) -> RecapSpan? {
    let start = days.lowerBound
    let moved: DayKey
    switch self {
    case .day: moved = start.advanced(by: -count)
    case .week: moved = start.advanced(by: -7 * count)
    case .month: moved = start.adding(months: -count)
    case .year: moved = start.adding(months: -12 * count)
    }
    guard moved > .earliest else { return nil }
    switch self {
    case .day: return .day(moved)
    case .week: return .week(moved)
    case .month: return .month(moved)
    case .year: return .year(moved)
    }
  }

  /// The number of earlier spans used as a baseline: 91 days (13 of each weekday), 12 weeks, 12
  /// months, and one year.
  var usualCount: Int {
    switch self {
    case .day: 91
    case .week, .month: 12
    case .year: 1
    }
  }

  /// The minimum gap in days after which a recurrence is worth mentioning.
  var notableGap: Int {
    switch self {
    case .day, .week: 180
    case .month, .year: 365
    }
  }
}

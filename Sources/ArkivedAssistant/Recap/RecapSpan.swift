package import ArkivedCore

/// What a recap looks back on: one day, or the week, month or year that a day lies in.
package enum RecapSpan: Hashable, Sendable {
  case day(DayKey)
  case week(DayKey)
  case month(DayKey)
  case year(DayKey)

  /// Its days, both included. Weeks begin on Monday, as in ISO 8601.
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

  /// "Tuesday, 28 May 2024", "27 May – 2 June 2024", "May 2024", "2024".
  package var title: String {
    switch self {
    case .day(let day): day.toldLongName
    case .week, .month, .year: SpanText.shownDays(days)
    }
  }

  /// The title as it stands inside a sentence: "the week of 27 May – 2 June 2024".
  var name: String {
    if case .week = self { said("the week of \(title)") } else { title }
  }

  /// "day", "week", "month" or "year", as JSON and sentences call it.
  package var unit: String {
    switch self {
    case .day: "day"
    case .week: "week"
    case .month: "month"
    case .year: "year"
    }
  }

  /// The span of the same kind that lies `count` before this one; nil before the calendar begins.
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

  /// How many earlier spans say what is usual: 91 days (13 of each weekday), 12 weeks, 12 months,
  /// and for a year the one before it.
  var usualCount: Int {
    switch self {
    case .day: 91
    case .week, .month: 12
    case .year: 1
    }
  }

  /// From which gap in days a thing that comes back is worth telling.
  var notableGap: Int {
    switch self {
    case .day, .week: 180
    case .month, .year: 365
    }
  }
}

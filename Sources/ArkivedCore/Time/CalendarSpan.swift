/// The span of a calendar page: the week, month or year that contains a day, or several years.
package enum CalendarSpan: Hashable, Sendable {
  case week(DayKey)
  case month(DayKey)
  case year(DayKey)
  /// Several years, ending with that of a day.
  case years(DayKey)

  package static let units = ["week", "month", "year", "years"]
  /// The number of years shown side by side.
  package static let yearCount = 12

  /// Creates a span around a day.
  ///
  /// - Returns: nil for an unknown unit.
  package init?(unit: String, around day: DayKey) {
    switch unit {
    case "week": self = .week(day)
    case "month": self = .month(day)
    case "year": self = .year(day)
    case "years": self = .years(day)
    default: return nil
    }
  }

  package var unit: String {
    switch self {
    case .week: "week"
    case .month: "month"
    case .year: "year"
    case .years: "years"
    }
  }

  package var day: DayKey {
    switch self {
    case .week(let day), .month(let day), .year(let day), .years(let day): day
    }
  }

  /// Returns its days, both ends included.
  package func days(firstWeekday: Weekday = .monday) -> ClosedRange<DayKey> {
    switch self {
    case .week(let day):
      let start = day.startOfWeek(firstWeekday: firstWeekday)
      return start...start.advanced(by: 6)
    case .month(let day):
      let start = day.startOfMonth
      return start...start.advanced(by: DayKey.length(ofMonth: start.month, year: start.year) - 1)
    case .year(let day): return Self.year(day.year)
    case .years(let day):
      let first = Self.year(max(1, day.year - Self.yearCount + 1))
      return first.lowerBound...Self.year(day.year).upperBound
    }
  }

  private static func year(_ year: Int) -> ClosedRange<DayKey> {
    let first = DayKey(year: year, month: 1, day: 1) ?? .earliest
    return first...max(first, DayKey(year: year, month: 12, day: 31) ?? .latest)
  }

  /// Returns the span of the same kind `count` spans later, or nil at the limit of the calendar.
  package func moved(by count: Int) -> CalendarSpan? {
    switch self {
    case .week(let day):
      let moved = day.advanced(by: 7 * count)
      return day.distance(to: moved) == 7 * count ? .week(moved) : nil
    case .month(let day): return Self.months(from: day.startOfMonth, count).map { .month($0) }
    case .year(let day): return Self.months(from: day.startOfYear, 12 * count).map { .year($0) }
    case .years(let day):
      return Self.months(from: day.startOfYear, 12 * Self.yearCount * count).map { .years($0) }
    }
  }

  private static func months(from day: DayKey, _ count: Int) -> DayKey? {
    let index = day.year * 12 + day.month - 1 + count
    guard (12..<120_000).contains(index) else { return nil }
    return DayKey(year: index / 12, month: index % 12 + 1, day: 1)
  }

  /// Returns the weeks of a month, each with seven days; days of other months are nil.
  package static func weeks(ofMonth day: DayKey, firstWeekday: Weekday) -> [[DayKey?]] {
    let days = CalendarSpan.month(day).days()
    let count = days.lowerBound.distance(to: days.upperBound) + 1
    let lead = (days.lowerBound.weekday.rawValue - firstWeekday.rawValue + 7) % 7
    let cells: [DayKey?] =
      Array(repeating: nil, count: lead) + (0..<count).map { days.lowerBound.advanced(by: $0) }
    return stride(from: 0, to: cells.count, by: 7).map { start in
      let week = cells[start..<min(start + 7, cells.count)]
      return Array(week) + Array(repeating: nil, count: 7 - week.count)
    }
  }

  /// Returns the days of the week in the order of the calendar's columns.
  package static func weekdays(from first: Weekday) -> [Weekday] {
    (0..<7).compactMap { Weekday(rawValue: (first.rawValue - 1 + $0) % 7 + 1) }
  }
}

/// A month and day in all years, for “on this day”.
package struct Anniversary: Hashable, Sendable {
  package let month: Int
  package let day: Int
  /// The first day that no longer counts.
  package let end: DayKey

  /// Creates the anniversary of a day in the years before `end`; it includes the day itself if that
  /// is before `end`.
  package init(of day: DayKey, before end: DayKey) {
    month = day.month
    self.day = day.day
    self.end = end
  }

  /// Returns the days from a first day on, the latest first; 29 February has them only in leap
  /// years.
  package func days(since first: DayKey) -> [DayKey] {
    guard first < end else { return [] }
    return (first.year...end.year).reversed().compactMap { year in
      DayKey(year: year, month: month, day: day).flatMap { $0 >= first && $0 < end ? $0 : nil }
    }
  }

  /// The name, such as “14 March”.
  package var name: String { "\(day) \(MonthName.full[month - 1])" }

  /// The ending of its days in text form: `-03-14`.
  package var suffix: String {
    func two(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
    return "-\(two(month))-\(two(day))"
  }
}

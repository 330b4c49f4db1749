/// A month and day over the years: “on this day”.
package struct Anniversary: Hashable, Sendable {
  package let month: Int
  package let day: Int
  /// The first day that does not count any more.
  package let end: DayKey

  /// The day's fellows of the years before `end`, the day itself among them if it lies before.
  package init(of day: DayKey, before end: DayKey) {
    month = day.month
    self.day = day.day
    self.end = end
  }

  /// The days from a first one on, the latest first. 29 February has one in leap years only.
  package func days(since first: DayKey) -> [DayKey] {
    guard first < end else { return [] }
    return (first.year...end.year).reversed().compactMap { year in
      DayKey(year: year, month: month, day: day).flatMap { $0 >= first && $0 < end ? $0 : nil }
    }
  }

  /// “14 March”.
  package var name: String { "\(day) \(MonthName.full[month - 1])" }

  /// How its days end when written: `-03-14`.
  package var suffix: String {
    func two(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
    return "-\(two(month))-\(two(day))"
  }
}

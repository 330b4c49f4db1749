import ArkivedCore

/// The dates of a table that consist of three numbers with two digits, so their years may be first
/// or last: `25-11-20`.
struct ShortDates {
  /// The days that a date can be, with the year first, and last after the day and after the month.
  struct Days {
    var yearFirst: DayKey?
    var dayFirst: DayKey?
    var monthFirst: DayKey?
  }

  /// The dates read in one order.
  private struct Reading {
    /// The number of dates that are valid.
    var valid = 0
    /// The days between each date and the next.
    var steps = 0
    private var last: DayKey?
    private var first: DayKey?
    private var latest: DayKey?

    /// The days from the first date to the last.
    var span: Int {
      guard let first, let latest else { return 0 }
      return first.distance(to: latest)
    }

    mutating func take(_ day: DayKey?) {
      guard let day else { return }
      valid += 1
      if let last { steps += abs(last.distance(to: day)) }
      last = day
      first = min(first ?? day, day)
      latest = max(latest ?? day, day)
    }
  }

  private var yearFirst = Reading()
  private var dayFirst = Reading()
  private var monthFirst = Reading()

  /// Takes the days that a date can be.
  mutating func take(_ days: Days) {
    yearFirst.take(days.yearFirst)
    dayFirst.take(days.dayFirst)
    monthFirst.take(days.monthFirst)
  }

  /// Finds out whether the years are first or last.
  ///
  /// The order in which more dates are valid counts, then the one in which they follow each other
  /// more closely.
  ///
  /// - Parameter order: the order of days and months if the years are last.
  /// - Returns: true if the years are first, false if they are last; nil if nothing shows it.
  func areYearFirst(orElse order: DateOrder) -> Bool? {
    let last = max(dayFirst.valid, monthFirst.valid)
    guard yearFirst.valid > 0, yearFirst.valid == last else {
      return yearFirst.valid > last
    }
    let other = order == .dayFirst ? dayFirst : monthFirst
    for (first, last) in [(yearFirst.steps, other.steps), (yearFirst.span, other.span)] {
      if first * 2 < last { return true }
      if last * 2 < first { return false }
    }
    return nil
  }
}

import ArkivedCore
import Foundation

/// The occurrences of a recurrence rule in local time, in order.
///
/// It proceeds period by period (a year, month, week, day, or less) and calls `mayContinue` between
/// steps, each of which is short for any rule, so a rule such as
/// `FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=30` ends with its window or its time limit. Periods before
/// the window are skipped at once unless occurrences have to be counted. It follows the table of
/// RFC 5545 §3.3.10; a BYDAY position counts within the month for BYMONTH or FREQ=MONTHLY, within
/// the year otherwise, and is ignored if the RFC allows none.
struct RecurrenceExpansion {
  let rule: RecurrenceRule
  /// DTSTART, which supplies the parts of a time that the rule doesn't specify.
  let start: WallTime
  /// The earliest wanted occurrence; earlier ones are only counted.
  let first: WallTime
  /// The time after which it has no occurrences.
  let last: WallTime
  private let calendar: RuleCalendar

  /// The reason why an expansion ended.
  enum End {
    /// All occurrences of the rule were found.
    case counted
    /// The window, the calendar or `take` ended it, so there may be more.
    case left
    case interrupted
  }

  init(_ rule: RecurrenceRule, start: WallTime, first: WallTime? = nil, last: WallTime) {
    self.rule = rule
    self.start = start
    self.first = max(start, first ?? start)
    self.last = last
    calendar = RuleCalendar(rule, start: start.day)
  }

  /// Passes every occurrence from `first` to `last` to `take` until it returns false.
  ///
  /// - Parameters:
  ///   - mayContinue: called at every step; false ends the expansion.
  ///   - take: receives an occurrence and returns true to continue.
  /// - Returns: how it ended.
  func forEach(while mayContinue: () -> Bool, take: (WallTime) -> Bool) -> End {
    let isByClock = rule.frequency.rawValue < RecurrenceRule.Frequency.daily.rawValue
    guard !isByClock || meetsTheClock else { return .left }
    let skipped = isByClock ? skippedSteps : skippedPeriods
    var remaining = rule.count ?? .max
    if rule.count != nil {
      guard skipped < remaining else { return .counted }
      remaining -= skipped
    }
    func emit(_ time: WallTime) -> Bool {
      guard time >= start else { return true }
      guard time <= last, remaining > 0 else { return false }
      remaining -= 1
      return (time < first || take(time)) && remaining > 0
    }
    let isFinished =
      isByClock ? walkClock(skipped, mayContinue, emit) : walkDays(skipped, mayContinue, emit)
    guard isFinished else { return .interrupted }
    return remaining > 0 ? .left : .counted
  }

  /// The number of whole intervals before `first` that can be skipped.
  private var skippedPeriods: Int {
    guard rule.count == nil else { return 0 }
    let periods: Int
    switch rule.frequency {
    case .yearly: periods = first.day.year - start.day.year
    case .monthly:
      periods = (first.day.year - start.day.year) * 12 + first.day.month - start.day.month
    case .weekly:
      let week = start.day.startOfWeek(firstWeekday: rule.weekStart)
      periods = week.distance(to: first.day.startOfWeek(firstWeekday: rule.weekStart)) / 7
    default: periods = start.day.distance(to: first.day)
    }
    return max(0, periods) / rule.interval
  }

  /// Returns the positions that BYSETPOS selects in a set of `count` occurrences, in order.
  private func selectedPlaces(of count: Int) -> [Int] {
    Set(rule.positions.map { $0 > 0 ? $0 - 1 : count + $0 }).filter { $0 >= 0 && $0 < count }
      .sorted()
  }

  // MARK: Days and longer

  private func walkDays(
    _ skipped: Int, _ mayContinue: () -> Bool, _ emit: (WallTime) -> Bool
  ) -> Bool {
    let times = secondsOfDay
    var index = skipped * rule.interval
    while let period = period(index) {
      guard mayContinue() else { return false }
      index += rule.interval
      guard let first = period.first else { continue }
      guard first <= last.day else { return true }
      let days = calendar.days(in: period)
      // The set of a year can have millions of members, so it is never built.
      let isUnselected = rule.positions.isEmpty
      let places = isUnselected ? [] : selectedPlaces(of: days.count * times.count)
      for place in places {
        let time = WallTime(
          day: days[place / times.count], secondOfDay: times[place % times.count])
        guard emit(time) else { return true }
      }
      for day in isUnselected ? days : [] {
        for second in times {
          guard emit(WallTime(day: day, secondOfDay: second)) else { return true }
        }
      }
    }
    return true
  }

  /// Returns the days of the period `index` periods after the start's.
  ///
  /// The result is empty for a month that the rule skips, and nil past the calendar's end.
  private func period(_ index: Int) -> ClosedRange<DayKey>? {
    let first: DayKey
    let length: Int
    switch rule.frequency {
    case .yearly:
      guard let day = DayKey(year: start.day.year + index, month: 1, day: 1) else { return nil }
      first = day
      length = 337 + DayKey.length(ofMonth: 2, year: day.year)
    case .monthly:
      let months = start.day.year * 12 + start.day.month - 1 + index
      guard let day = DayKey(year: months / 12, month: months % 12 + 1, day: 1) else { return nil }
      first = day
      length = DayKey.length(ofMonth: day.month, year: day.year)
    case .weekly:
      first = start.day.startOfWeek(firstWeekday: rule.weekStart).advanced(by: index * 7)
      length = 7
    default:
      first = start.day.advanced(by: index)
      length = 1
    }
    guard first < .latest else { return nil }
    return first...first.advanced(by: length - 1)
  }

  /// The times of a day, in order.
  private var secondsOfDay: [Int] {
    let hours = rule.hours.isEmpty ? [start.hour] : rule.hours
    let minutes = rule.minutes.isEmpty ? [start.minute] : rule.minutes
    let seconds = rule.seconds.isEmpty ? [start.second] : rule.seconds
    var result: Set<Int> = []
    for hour in hours {
      for minute in minutes {
        for second in seconds { result.insert(hour * 3600 + minute * 60 + min(second, 59)) }
      }
    }
    return result.sorted()
  }

  // MARK: Hours and shorter

  /// The unit in seconds: an hour, a minute or one second.
  private var unit: Int { rule.frequency == .hourly ? 3600 : rule.frequency == .minutely ? 60 : 1 }
  /// The seconds between steps, clamped far beyond the calendar's range so sums stay small.
  private var step: Int { min(unit * min(rule.interval, 1 << 40), 1 << 40) }
  /// The step that contains the start.
  private var origin: Int64 { start.milliseconds / 1000 - Int64(start.secondOfDay % unit) }

  /// The number of steps before the one that contains `first`; zero if occurrences must be counted
  /// one by one.
  private var skippedSteps: Int {
    let isEachOne =
      rule.months.isEmpty && rule.days.isEmpty && rule.monthDays.isEmpty && rule.yearDays.isEmpty
      && rule.weekNumbers.isEmpty && rule.hours.isEmpty && rule.minutes.isEmpty
      && rule.seconds.isEmpty && rule.positions.isEmpty
    guard rule.count == nil || isEachOne else { return 0 }
    return max(0, Int((first.milliseconds / 1000 - origin) / Int64(step)))
  }

  /// False if no step ever falls on a time of day that the rule allows, or if its positions are
  /// outside every set; then no expansion is necessary.
  private var meetsTheClock: Bool {
    if !rule.positions.isEmpty {
      let seconds = unit > 1 ? max(1, Set(rule.seconds.map { min($0, 59) }).count) : 1
      let minutes = unit == 3600 ? max(1, Set(rule.minutes).count) : 1
      guard !selectedPlaces(of: seconds * minutes).isEmpty else { return false }
    }
    let hours = Set(rule.hours)
    let minutes = Set(unit < 3600 ? rule.minutes : [])
    let seconds = Set(unit == 1 ? rule.seconds : [])
    guard !hours.isEmpty || !minutes.isEmpty || !seconds.isEmpty else { return true }
    // The times of day repeat after at most a day's worth of steps.
    let first = start.secondOfDay / unit * unit
    var second = first
    repeat {
      if hours.isEmpty || hours.contains(second / 3600),
        minutes.isEmpty || minutes.contains(second / 60 % 60),
        seconds.isEmpty || seconds.contains(second % 60)
      {
        return true
      }
      second = (second + step) % 86_400
    } while second != first
    return false
  }

  private func walkClock(
    _ skipped: Int, _ mayContinue: () -> Bool, _ emit: (WallTime) -> Bool
  ) -> Bool {
    let (unit, step, origin) = (unit, step, origin)
    let end = last.milliseconds / 1000
    var time = origin + Int64(skipped) * Int64(step)
    /// Returns the first aligned time at or after another.
    func aligned(_ wanted: Int64) -> Int64 {
      let steps = (wanted - origin + Int64(step) - 1) / Int64(step)
      return origin + max(0, steps) * Int64(step)
    }
    var day: DayKey?
    var isAllowed = false
    while time <= end {
      guard mayContinue() else { return false }
      let wall = WallTime(utc: Instant(milliseconds: time * 1000))
      if wall.day != day {
        day = wall.day
        isAllowed = calendar.allows(wall.day)
      }
      let startOfDay = time - Int64(wall.secondOfDay)
      if !isAllowed {
        time = aligned(startOfDay + 86_400)
      } else if !rule.hours.isEmpty, !rule.hours.contains(wall.hour) {
        time = aligned(startOfDay + Int64(wall.hour + 1) * 3600)
      } else if unit < 3600, !rule.minutes.isEmpty, !rule.minutes.contains(wall.minute) {
        time = aligned(startOfDay + Int64(wall.secondOfDay / 60 + 1) * 60)
      } else if unit == 1, !rule.seconds.isEmpty, !rule.seconds.contains(wall.second) {
        let next = rule.seconds.filter { $0 > wall.second }.min() ?? 60
        time = aligned(time + Int64(next - wall.second))
      } else {
        let times = times(in: wall, unit: unit)
        let places =
          rule.positions.isEmpty ? Array(times.indices) : selectedPlaces(of: times.count)
        for place in places {
          guard emit(times[place]) else { return true }
        }
        time += Int64(step)
      }
    }
    return true
  }

  /// Returns the times within the hour or minute that starts at `wall`.
  private func times(in wall: WallTime, unit: Int) -> [WallTime] {
    guard unit > 1 else { return [wall] }
    let seconds =
      rule.seconds.isEmpty ? [start.second] : Set(rule.seconds.map { min($0, 59) }).sorted()
    guard unit == 3600 else { return seconds.map { wall.adding(seconds: $0) } }
    let minutes = rule.minutes.isEmpty ? [start.minute] : Set(rule.minutes).sorted()
    return minutes.flatMap { minute in seconds.map { wall.adding(seconds: minute * 60 + $0) } }
  }
}

/// The days that a rule allows.
struct RuleCalendar {
  private let rule: RecurrenceRule
  private let months: Set<Int>
  private let monthDays: Set<Int>
  private let yearDays: Set<Int>
  private let weekNumbers: Set<Int>
  private let weekdays: Set<Weekday>
  private let placedDays: Set<RecurrenceRule.Day>

  /// Creates the calendar of a rule; `start` supplies the month, day or weekday that the rule
  /// leaves open.
  init(_ rule: RecurrenceRule, start: DayKey) {
    self.rule = rule
    var months = Set(rule.months)
    var monthDays = Set(rule.monthDays)
    var days = rule.days
    let namesDay =
      !rule.monthDays.isEmpty || !rule.yearDays.isEmpty || !days.isEmpty
    switch rule.frequency {
    case .yearly where !namesDay:
      if rule.weekNumbers.isEmpty {
        if months.isEmpty { months = [start.month] }
        monthDays = [start.day]
      } else {
        days = [.init(weekday: start.weekday, place: 0)]
      }
    case .monthly where !namesDay: monthDays = [start.day]
    case .weekly where days.isEmpty: days = [.init(weekday: start.weekday, place: 0)]
    default: break
    }
    let usesPlaces =
      rule.frequency == .monthly || (rule.frequency == .yearly && rule.weekNumbers.isEmpty)
    self.months = months
    self.monthDays = monthDays
    yearDays = Set(rule.yearDays)
    weekNumbers = Set(rule.weekNumbers)
    weekdays = Set(days.filter { $0.place == 0 || !usesPlaces }.map(\.weekday))
    placedDays = Set(usesPlaces ? days.filter { $0.place != 0 } : [])
  }

  /// Returns the days of a period that the rule allows, in order.
  func days(in period: ClosedRange<DayKey>) -> [DayKey] {
    guard rule.frequency == .yearly, !months.isEmpty else { return period.filter(allows) }
    // Most yearly rules name a month, so eleven twelfths of the year can be skipped.
    let year = period.lowerBound.year
    var days: [DayKey] = []
    for month in months.sorted() {
      guard let first = DayKey(year: year, month: month, day: 1) else { continue }
      let last = first.advanced(by: DayKey.length(ofMonth: month, year: year) - 1)
      days += (first...last).filter(allows)
    }
    return days
  }

  func allows(_ day: DayKey) -> Bool {
    if !weekdays.isEmpty, placedDays.isEmpty, !weekdays.contains(day.weekday) { return false }
    let (year, month, dayOfMonth) = day.civil
    if !months.isEmpty, !months.contains(month) { return false }
    let monthLength = DayKey.length(ofMonth: month, year: year)
    if !monthDays.isEmpty, !monthDays.contains(dayOfMonth),
      !monthDays.contains(dayOfMonth - monthLength - 1)
    {
      return false
    }
    let dayOfYear = day.startOfYear.distance(to: day) + 1
    let yearLength = 337 + DayKey.length(ofMonth: 2, year: year)
    if !yearDays.isEmpty, !yearDays.contains(dayOfYear),
      !yearDays.contains(dayOfYear - yearLength - 1)
    {
      return false
    }
    if !weekNumbers.isEmpty, !isWeekAllowed(day) { return false }
    guard !placedDays.isEmpty, !weekdays.contains(day.weekday) else { return true }
    let countsInMonth = rule.frequency == .monthly || !rule.months.isEmpty
    let (position, length) =
      countsInMonth ? (dayOfMonth, monthLength) : (dayOfYear, yearLength)
    return placedDays.contains(.init(weekday: day.weekday, place: (position - 1) / 7 + 1))
      || placedDays.contains(.init(weekday: day.weekday, place: -((length - position) / 7 + 1)))
  }

  /// Returns true if the rule allows a day's week.
  ///
  /// Weeks are numbered from the first that has four days in the year, as in ISO 8601, but start on
  /// the rule's WKST.
  private func isWeekAllowed(_ day: DayKey) -> Bool {
    let week = day.startOfWeek(firstWeekday: rule.weekStart)
    // The fourth day of a week is in the year that the week belongs to.
    let year = week.advanced(by: 3).year
    guard let fourth = DayKey(year: year, month: 1, day: 4),
      let nextFourth = DayKey(year: year + 1, month: 1, day: 4)
    else { return false }
    let first = fourth.startOfWeek(firstWeekday: rule.weekStart)
    let count = first.distance(to: nextFourth.startOfWeek(firstWeekday: rule.weekStart)) / 7
    let number = first.distance(to: week) / 7 + 1
    return weekNumbers.contains(number) || weekNumbers.contains(number - count - 1)
  }
}

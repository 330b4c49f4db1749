import Foundation

/// A span of whole days, excluding the end.
struct DaySpan: Hashable, Sendable {
  let first: DayKey
  let end: DayKey

  init?(_ first: DayKey?, _ end: DayKey?) {
    guard let first, let end, first < end else { return nil }
    self.first = first
    self.end = end
  }

  init(day: DayKey) {
    // The calendar's last day keeps its length of one day by moving its start instead.
    first = min(day, DayKey.latest.advanced(by: -1))
    end = first.advanced(by: 1)
  }

  init?(day: DayKey?) {
    guard let day else { return nil }
    self.init(day: day)
  }

  var last: DayKey { end.advanced(by: -1) }
  var count: Int { first.distance(to: end) }

  static func year(_ year: Int) -> DaySpan? {
    DaySpan(
      DayKey(year: year, month: 1, day: 1),
      year == 9999 ? .latest : DayKey(year: year + 1, month: 1, day: 1))
  }

  /// Returns whole months; `month` counts from 1 and may exceed 12.
  static func months(_ year: Int, _ month: Int, count: Int = 1) -> DaySpan? {
    guard let january = DayKey(year: year, month: 1, day: 1) else { return nil }
    let first = january.adding(months: month - 1)
    return DaySpan(first, first.adding(months: count))
  }
}

/// A recurring date in the calendar: every Monday, every 3 March, every Easter.
struct Recurring: Sendable {
  /// Returns the number of the occurrence that a day belongs to.
  let turn: @Sendable (DayKey) -> Int
  /// Returns the span of an occurrence, or nil if it has none (29 February).
  let span: @Sendable (Int) -> DaySpan?
  /// True if it occurs every year and can be combined with a year.
  var isYearly = false
  /// True if it occurs every month; "the 10th" after another day is the next such day.
  var isMonthly = false

  /// The number of occurrences searched in each direction: leap days can be eight years apart, a
  /// Friday the 13th fourteen months.
  private static let reach = 15

  static func yearly(_ span: @escaping @Sendable (Int) -> DaySpan?) -> Recurring {
    Recurring(turn: { $0.year }, span: span, isYearly: true)
  }

  /// Returns the recurrence of one day in every week, whose first day determines the meaning of
  /// "this friday".
  static func weekly(_ weekday: Weekday, firstWeekday: Weekday) -> Recurring {
    let offset = (weekday.rawValue - firstWeekday.rawValue + 7) % 7
    return Recurring(
      turn: { week(of: $0, firstWeekday) },
      span: { DaySpan(day: start(ofWeek: $0, firstWeekday).advanced(by: offset)) })
  }

  /// Saturday and Sunday.
  static let weekend = Recurring(
    turn: { week(of: $0, .monday) },
    span: {
      let saturday = start(ofWeek: $0, .monday).advanced(by: 5)
      return DaySpan(saturday, saturday.advanced(by: 2))
    })

  /// Returns the number of weeks since the one that contains the calendar's first day.
  private static func week(of day: DayKey, _ first: Weekday) -> Int {
    // The calendar's first day is a Monday.
    (day.daysSinceEpoch - DayKey.earliest.daysSinceEpoch - first.rawValue + 8) / 7
  }

  private static func start(ofWeek week: Int, _ first: Weekday) -> DayKey {
    DayKey(clamping: DayKey.earliest.daysSinceEpoch + week * 7 + first.rawValue - 8)
  }

  static func monthly(day: Int) -> Recurring {
    Recurring(
      turn: { $0.year * 12 + $0.month - 1 },
      span: { DaySpan(day: DayKey(year: $0 / 12, month: $0 % 12 + 1, day: day)) }, isMonthly: true)
  }

  /// Returns the latest occurrence that began on or before a day.
  func begun(by day: DayKey) -> DaySpan? {
    latest(near: day) { $0.first <= day }
  }

  /// Returns the latest occurrence that ended before a day.
  func over(before day: DayKey) -> DaySpan? {
    latest(near: day) { $0.end <= day }
  }

  /// Returns the first occurrence that begins after a day.
  func first(after day: DayKey) -> DaySpan? {
    let turn = turn(day)
    for candidate in (turn - 1)...(turn + Recurring.reach) {
      if let span = span(candidate), span.first > day { return span }
    }
    return nil
  }

  /// Returns the occurrence that contains a day, or else the one with the same number as the day.
  func current(at day: DayKey) -> DaySpan? {
    if let begun = begun(by: day), begun.end > day { return begun }
    return span(turn(day))
  }

  private func latest(near day: DayKey, where isWanted: (DaySpan) -> Bool) -> DaySpan? {
    let turn = turn(day)
    for candidate in stride(from: turn + 1, through: turn - Recurring.reach, by: -1) {
      if let span = span(candidate), isWanted(span) { return span }
    }
    return nil
  }
}

/// A date as worded, before it is resolved to one of several possible dates.
struct DateValue: Sendable {
  enum Form: Sendable {
    case fixed(DaySpan)
    case recurring(Recurring)
    /// A well-formed date that doesn't exist, such as 31 February.
    case impossible
  }

  var form: Form
  var grain: Grain
  /// The part of the day that the words imply: "tonight", "this morning".
  var part: PartOfDay?
  /// True if a preposition or another clue is needed to read the word as a date.
  var isWeak = false
  /// True if the words name a single day ("yesterday", "3 march"), which a time of day requires.
  var isDay: Bool { grain <= .day }

  init(_ form: Form, _ grain: Grain, part: PartOfDay? = nil, isWeak: Bool = false) {
    self.form = form
    self.grain = grain
    self.part = part
    self.isWeak = isWeak
  }

  init?(fixed span: DaySpan?, _ grain: Grain, part: PartOfDay? = nil) {
    guard let span else { return nil }
    self.init(.fixed(span), grain, part: part)
  }

  /// Returns the span it means, looking back from today.
  func resolved(today: DayKey) -> DaySpan? {
    switch form {
    case .fixed(let span): span
    case .recurring(let recurring): recurring.begun(by: today)
    case .impossible: nil
    }
  }

  var isFixed: Bool {
    if case .fixed = form { return true }
    return false
  }
}

/// The parts of a day: night until 6, morning until noon, afternoon until 18, evening until
/// midnight.
///
/// "Tonight" and "last night" mean the evening, as for most dinners and concerts.
struct PartOfDay: Hashable, Sendable {
  let name: String
  /// In seconds of the day; the end is excluded.
  let start: Int
  let end: Int

  static let morning = PartOfDay(name: "morning", start: 6 * 3600, end: 12 * 3600)
  static let afternoon = PartOfDay(name: "afternoon", start: 12 * 3600, end: 18 * 3600)
  static let evening = PartOfDay(name: "evening", start: 18 * 3600, end: 24 * 3600)
  static let night = PartOfDay(name: "night", start: 18 * 3600, end: 24 * 3600)
  static let lunchtime = PartOfDay(name: "lunchtime", start: 12 * 3600, end: 14 * 3600)

  static let earlyHours = PartOfDay(name: "early hours", start: 0, end: 6 * 3600)
  static let dawn = PartOfDay(name: "dawn", start: 5 * 3600, end: 7 * 3600)
  static let dusk = PartOfDay(name: "dusk", start: 18 * 3600, end: 20 * 3600)

  /// The middle of the part: "mid-morning" is from nine to eleven, "mid-afternoon" from two to
  /// four.
  var middle: PartOfDay {
    let third = self == .morning ? 3 * 3600 : 2 * 3600
    return PartOfDay(name: "mid-\(name)", start: start + third, end: start + third + 2 * 3600)
  }

  /// Returns the first or last half of the part.
  func half(early: Bool) -> PartOfDay {
    let middle = (start + end) / 2
    return early
      ? PartOfDay(name: "early \(name)", start: start, end: middle)
      : PartOfDay(name: "late \(name)", start: middle, end: end)
  }

  var isNight: Bool { name.hasSuffix("night") }

  /// Converts an hour of a twelve-hour clock in this part: 7 in the evening becomes 19, 2 at night
  /// stays 2.
  func hour(_ hour: Int) -> Int {
    guard hour <= 12 else { return hour }
    if start < 12 * 3600 { return hour == 12 ? 0 : hour }
    if isNight { return hour == 12 ? 0 : hour < 5 ? hour : hour + 12 }
    return hour == 12 ? 12 : hour + 12
  }
}

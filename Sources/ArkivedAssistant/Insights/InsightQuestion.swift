package import ArkivedCore

/// The kinds of insight.
package enum InsightTopic: String, CaseIterable, Sendable {
  case year, habits, time, measures, places, mood, compare

  /// The arguments of the topic.
  package var arguments: [String] {
    switch self {
    case .year: ["year", "of"]
    case .habits, .places: ["span", "from", "to"]
    case .time: ["span", "from", "to", "by"]
    case .measures: ["span", "from", "to", "of", "by"]
    case .mood: ["span", "from", "to", "of"]
    case .compare: ["a", "b"]
    }
  }

  /// The default span.
  var usualSpan: InsightSpan {
    switch self {
    case .habits: .last(90)
    case .time: .last(30)
    case .measures: .last(365)
    case .year, .places, .mood, .compare: .everything
    }
  }
}

/// The unit into which time is divided.
package enum InsightGrain: String, CaseIterable, Sendable {
  case day, week, month

  // words: day | week | month | Day | Week | Month
  /// The unit's name within a sentence.
  package var word: String { saidWhole(rawValue) }

  /// The name of several pieces.
  var plural: String {
    switch self {
    case .day: said("days")
    case .week: said("weeks")
    case .month: said("months")
    }
  }

  /// The unit as an adverb: "by week".
  package var manner: String {
    switch self {
    case .day: said("by day")
    case .week: said("by week")
    case .month: said("by month")
    }
  }

  /// The label of the grain menu.
  static var label: String { said("Group by") }

  /// Returns a number of units: "3 weeks".
  func count(_ count: Int) -> String {
    switch self {
    case .day: InsightText.count(count, "day")
    case .week: InsightText.count(count, "week")
    case .month: InsightText.count(count, "month")
    }
  }

  /// Returns the first day of the unit that contains a day.
  func start(of day: DayKey) -> DayKey {
    switch self {
    case .day: day
    case .week: day.startOfWeek()
    case .month: day.startOfMonth
    }
  }

  func next(after start: DayKey) -> DayKey {
    switch self {
    case .day: start.advanced(by: 1)
    case .week: start.advanced(by: 7)
    case .month: start.adding(months: 1)
    }
  }
}

/// The days to examine.
package enum InsightSpan: Hashable, Sendable {
  case last(Int)
  case year(Int)
  case everything
  case days(ClosedRange<DayKey>)

  /// The span as an argument.
  package var argument: String {
    switch self {
    case .last(let count): String(count)
    case .year(let year): Self.padded(year)
    case .everything: "all"
    case .days: "days"
    }
  }

  /// Parses "30", "90", "365", "all", or a four-digit year; nil for anything else.
  package init?(_ text: String) {
    switch text {
    case "30", "90", "365": self = .last(Int(text) ?? 365)
    case "all": self = .everything
    default:
      guard let year = Self.readYear(text) else { return nil }
      self = .year(year)
    }
  }

  /// Parses a four-digit year.
  static func readYear(_ text: String) -> Int? {
    guard text.utf8.count == 4, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
      let year = Int(text), year >= 1
    else { return nil }
    return year
  }

  static func padded(_ year: Int) -> String {
    let digits = String(year)
    return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }

  func range(today: DayKey) -> ClosedRange<DayKey> {
    switch self {
    case .last(let count): return today.advanced(by: 1 - count)...today
    case .year(let year):
      let first = DayKey(year: year, month: 1, day: 1) ?? .earliest
      return first...(DayKey(year: year, month: 12, day: 31) ?? first)
    case .everything: return DayKey.earliest...DayKey.latest
    case .days(let days): return days
    }
  }

  /// The span within a sentence: "the last 30 days", "2025", "the whole archive".
  package var words: String {
    switch self {
    case .last(let count): said("the last \(count) days")
    case .year(let year): String(year)
    case .everything: said("the whole archive")
    case .days(let days): Self.words(of: days)
    }
  }

  /// Returns days with or without an end so that “in” may precede them.
  private static func words(of days: ClosedRange<DayKey>) -> String {
    func shown(_ day: DayKey) -> String { SpanText.shownDays(day...day) }
    switch (days.lowerBound == .earliest, days.upperBound == .latest) {
    case (true, true): return said("the whole archive")
    case (false, true): return said("the time since \(shown(days.lowerBound))")
    case (true, false): return said("the time until \(shown(days.upperBound))")
    case (false, false): return SpanText.shownDays(days)
    }
  }
}

/// A request for an insight: a topic with its validated arguments.
package struct InsightQuestion: Sendable {
  package let topic: InsightTopic
  package let span: InsightSpan
  /// The year, for the topic of years.
  package let year: Int
  /// The quantity to examine; nil for the archive's default.
  package let of: String?
  package let by: String?
  /// The two periods to compare.
  package let periods: (a: InsightPeriod, b: InsightPeriod)
  package let today: DayKey

  /// Parses the arguments.
  ///
  /// - Parameters:
  ///   - topic: the topic.
  ///   - today: the current day.
  ///   - value: returns the text of an argument; nil if it is missing.
  /// - Throws: an error that names the invalid argument and the problem.
  package init(
    _ topic: InsightTopic, today: DayKey, value: (String) -> String?
  ) throws(FieldError) {
    self.topic = topic
    self.today = today
    func argument(_ name: String) -> String? { topic.arguments.contains(name) ? value(name) : nil }
    year = try Self.year(argument("year"), today)
    span = try Self.span(argument("span"), argument("from"), argument("to"), topic)
    of = argument("of")
    by = argument("by")
    if let of, topic == .year || topic == .mood {
      let known = topic == .year ? ["mood", "energy", "entries"] : ["mood", "energy"]
      guard known.contains(of) else { throw Self.unknown("of", of, known) }
    }
    if let by, topic == .time, !["hours", "entries"].contains(by) {
      throw Self.unknown("by", by, ["hours", "entries"])
    }
    if let by, topic == .measures, InsightGrain(rawValue: by) == nil {
      throw Self.unknown("by", by, InsightGrain.allCases.map(\.rawValue))
    }
    let thisMonth = InsightPeriod.month(today)
    let a = try Self.period("a", argument("a")) ?? thisMonth
    periods = (a, try Self.period("b", argument("b")) ?? a.before)
  }

  static func unknown(_ name: String, _ text: String, _ known: [String]) -> FieldError {
    let list = known.dropLast().joined(separator: ", ")
    return FieldError(
      name,
      "is \(FieldError.shown(text)), but must be \(list)\(list.isEmpty ? "" : " or ")\(known.last ?? "")"
    )
  }

  private static func year(_ text: String?, _ today: DayKey) throws(FieldError) -> Int {
    guard let text else { return today.year }
    guard let year = InsightSpan.readYear(text) else {
      throw FieldError("year", "is \(FieldError.shown(text)), but must be a year such as 2026")
    }
    return year
  }

  private static func span(
    _ text: String?, _ from: String?, _ to: String?, _ topic: InsightTopic
  ) throws(FieldError) -> InsightSpan {
    if from == nil, to == nil {
      guard let text else { return topic.usualSpan }
      if text == "days" {
        throw FieldError("span", "is “days”. Give the first and last day with from and to")
      }
      guard let span = InsightSpan(text) else {
        throw FieldError(
          "span",
          "is \(FieldError.shown(text)), but must be 30, 90, 365, all or a year such as 2025")
      }
      return span
    }
    if let text, text != "days" {
      throw FieldError(
        "span", "can’t be combined with from and to. Give either those or \(FieldError.shown(text))"
      )
    }
    let first = try day("from", from) ?? DayKey.earliest
    let last = try day("to", to) ?? DayKey.latest
    guard first <= last else { throw FieldError("to", "is before “from”") }
    return .days(first...last)
  }

  private static func day(_ name: String, _ text: String?) throws(FieldError) -> DayKey? {
    guard let text else { return nil }
    guard let day = DayKey(text) else {
      throw FieldError(
        name, "is \(FieldError.shown(text)), but must be a day such as 2026-03-14")
    }
    return day
  }

  private static func period(
    _ name: String, _ text: String?
  ) throws(FieldError) -> InsightPeriod? {
    guard let text else { return nil }
    guard let period = InsightPeriod(text) else {
      throw FieldError(
        name,
        "is \(FieldError.shown(text)), but must be a year (2025), a month (2025-03) or days "
          + "(2025-03-01..2025-03-14)")
    }
    return period
  }
}

/// A period to compare with another.
package enum InsightPeriod: Hashable, Sendable {
  case year(Int)
  case month(DayKey)
  case days(ClosedRange<DayKey>)

  /// Parses "2025", "2025-03" or "2025-03-01..2025-03-14".
  package init?(_ text: String) {
    if let year = InsightSpan.readYear(text) {
      self = .year(year)
    } else if text.utf8.count == 7, let day = DayKey(text + "-01") {
      self = .month(day)
    } else {
      let ends = text.split(separator: ".", omittingEmptySubsequences: true).map {
        DayKey(String($0))
      }
      guard ends.count == 2, text.contains(".."), let first = ends[0], let last = ends[1],
        first <= last
      else { return nil }
      self = .days(first...last)
    }
  }

  package var argument: String {
    switch self {
    case .year(let year): InsightSpan.padded(year)
    case .month(let day): String(day.description.prefix(7))
    case .days(let days): "\(days.lowerBound)..\(days.upperBound)"
    }
  }

  package var days: ClosedRange<DayKey> {
    switch self {
    case .year(let year): InsightSpan.year(year).range(today: .earliest)
    case .month(let day): RecapSpan.month(day).days
    case .days(let days): days
    }
  }

  package var title: String { SpanText.shownDays(days) }

  /// The preceding period of the same kind; the same period at the beginning of the calendar.
  package var before: InsightPeriod {
    switch self {
    case .year(let year): return .year(max(1, year - 1))
    case .month(let day): return .month(day.startOfMonth.adding(months: -1))
    case .days(let days):
      let length = days.lowerBound.distance(to: days.upperBound) + 1
      return .days(
        days.lowerBound.advanced(by: -length)...days.upperBound.advanced(by: -length))
    }
  }
}

import Foundation

/// The English names of holidays and feasts, and the days on which they fall.
enum Holidays {
  enum Rule: Sendable {
    case fixed(month: Int, day: Int)
    /// The number of days after Western Easter Sunday.
    case easter(Int)
    /// The nth weekday of a month; negative numbers count from the end.
    case weekday(Weekday, nth: Int, month: Int, plus: Int = 0)
    /// The nth Sunday of Advent; the fourth is the last one before Christmas.
    case advent(Int)
    /// A feast computed by a function, with its length in days.
    case moving(@Sendable (Int) -> DayKey?, days: Int = 1)
    /// From the first day to the last, each with its own rule.
    indirect case from(Rule, to: Rule)
  }

  static func span(_ rule: Rule, year: Int) -> DaySpan? {
    switch rule {
    case .fixed(let month, let day): return DaySpan(day: DayKey(year: year, month: month, day: day))
    case .easter(let days): return DaySpan(day: easter(year)?.advanced(by: days))
    case .moving(let find, let days):
      guard let first = find(year) else { return nil }
      return DaySpan(first, first.advanced(by: days))
    case .from(let first, let last):
      return DaySpan(span(first, year: year)?.first, span(last, year: year)?.end)
    case .weekday(let weekday, let nth, let month, let plus):
      guard let span = DaySpan.months(year, month),
        let day = day(nth: nth, weekday, in: span)
      else { return nil }
      return DaySpan(day: day.advanced(by: plus))
    case .advent(let nth):
      guard let christmas = DayKey(year: year, month: 12, day: 25) else { return nil }
      let fourth = christmas.advanced(by: -christmas.weekday.rawValue)
      return DaySpan(day: fourth.advanced(by: (nth - 4) * 7))
    }
  }

  /// Returns the days off around a holiday: with the adjacent Saturday and Sunday, and, from a
  /// Thursday, including the Friday.
  static func weekend(_ span: DaySpan) -> DaySpan? {
    let (first, last) = (span.first, span.last)
    switch first.weekday {
    case .monday: return DaySpan(first.advanced(by: -2), span.end)
    case .tuesday: return DaySpan(first.advanced(by: -3), span.end)
    case .wednesday, .thursday, .friday:
      let monday = first.startOfWeek().advanced(by: 7)
      return DaySpan(first.weekday == .wednesday ? monday.advanced(by: -2) : first, monday)
    case .saturday: return DaySpan(first, max(span.end, first.advanced(by: 2)))
    case .sunday: return DaySpan(first.advanced(by: -1), last.advanced(by: 1))
    }
  }

  /// Returns the nth weekday in a span, counted from the end if `nth` is negative.
  static func day(nth: Int, _ weekday: Weekday, in span: DaySpan) -> DayKey? {
    let day: DayKey
    if nth > 0 {
      let ahead = (weekday.rawValue - span.first.weekday.rawValue + 7) % 7
      day = span.first.advanced(by: ahead + 7 * (min(nth, 6000) - 1))
    } else {
      let back = (span.last.weekday.rawValue - weekday.rawValue + 7) % 7
      day = span.last.advanced(by: -back + 7 * (max(nth, -6000) + 1))
    }
    return day >= span.first && day < span.end ? day : nil
  }

  /// Returns Western Easter Sunday, by the anonymous Gregorian algorithm.
  ///
  /// See Meeus, "Astronomical Algorithms", chapter 8.
  static func easter(_ year: Int) -> DayKey? {
    let a = year % 19
    let b = year / 100
    let c = year % 100
    let d = b / 4
    let e = b % 4
    let f = (b + 8) / 25
    let g = (b - f + 1) / 3
    let h = (19 * a + b - d - g + 15) % 30
    let i = c / 4
    let k = c % 4
    let l = (32 + 2 * e + 2 * i - h - k) % 7
    let m = (a + 11 * h + 22 * l) / 451
    let sum = h + l - 7 * m + 114
    return DayKey(year: year, month: sum / 31, day: sum % 31 + 1)
  }

  /// Words after a holiday's name that give it another meaning: a Christmas tree is not a day.
  static let compounds: Set<String> = [
    "tree", "trees", "card", "cards", "present", "presents", "gift", "gifts", "shopping",
    "market", "markets", "carol", "carols", "egg", "eggs", "bunny", "costume", "costumes",
    "lights", "song", "songs", "pudding", "cookies", "decorations", "jumper", "sweater", "cake",
    "film", "movie", "menu", "list", "island", "music", "story", "stocking", "stockings",
    "lamb", "bonnet", "basket", "lily", "candy", "pumpkin", "deals", "sale", "sales",
    "resolution", "resolutions",
  ]

  /// Names that have other meanings and need a preposition.
  static let weak: Set<String> = [
    "new year", "new years", "ascension", "valentine", "valentines", "labour day", "epiphany",
    "lent", "advent", "solstice", "election day", "holi",
  ]
}

import Foundation

/// Holidays and feasts by their English names, and the days they fall on.
enum Holidays {
  enum Rule: Sendable {
    case fixed(month: Int, day: Int)
    /// Days after Easter Sunday of the Western churches.
    case easter(Int)
    /// The nth weekday of a month; negative counts from its end.
    case weekday(Weekday, nth: Int, month: Int, plus: Int = 0)
    /// The nth Sunday of Advent; the fourth is the last before Christmas.
    case advent(Int)
    /// A feast that its own function finds, and how many days it lasts.
    case moving(@Sendable (Int) -> DayKey?, days: Int = 1)
    /// From the first day to the last, both by their own rules.
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

  /// The days off around a holiday: with the Saturday and Sunday it touches, and from a Thursday
  /// on over the Friday.
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

  /// The nth weekday in a span, from its end when `nth` is negative.
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

  /// Easter Sunday of the Western churches, by the anonymous Gregorian algorithm
  /// (Meeus, "Astronomical Algorithms", ch. 8).
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

  /// Words after a holiday's name that make another thing of it: a Christmas tree is no day.
  static let compounds: Set<String> = [
    "tree", "trees", "card", "cards", "present", "presents", "gift", "gifts", "shopping",
    "market", "markets", "carol", "carols", "egg", "eggs", "bunny", "costume", "costumes",
    "lights", "song", "songs", "pudding", "cookies", "decorations", "jumper", "sweater", "cake",
    "film", "movie", "menu", "list", "island", "music", "story", "stocking", "stockings",
    "lamb", "bonnet", "basket", "lily", "candy", "pumpkin", "deals", "sale", "sales",
    "resolution", "resolutions",
  ]

  /// Names that are also other things, and need a preposition.
  static let weak: Set<String> = [
    "new year", "new years", "ascension", "valentine", "valentines", "labour day", "epiphany",
    "lent", "advent", "solstice", "election day", "holi",
  ]
}

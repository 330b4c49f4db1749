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
    /// Good Friday to Easter Monday.
    case easterWeekend
  }

  static func span(_ rule: Rule, year: Int) -> DaySpan? {
    switch rule {
    case .fixed(let month, let day): return DaySpan(day: DayKey(year: year, month: month, day: day))
    case .easter(let days): return DaySpan(day: easter(year)?.advanced(by: days))
    case .easterWeekend:
      guard let sunday = easter(year) else { return nil }
      return DaySpan(sunday.advanced(by: -2), sunday.advanced(by: 2))
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

  /// The rule of a name given as its words without apostrophes and possessive endings.
  static func rule(_ words: [String]) -> Rule? { table[words.joined(separator: " ")] }

  static let longestName = 4
  static let firstWords = Set(
    table.keys.compactMap { $0.split(separator: " ").first.map(String.init) })

  /// Words after a holiday's name that make another thing of it: a Christmas tree is no day.
  static let compounds: Set<String> = [
    "tree", "trees", "card", "cards", "present", "presents", "gift", "gifts", "shopping",
    "market", "markets", "carol", "carols", "egg", "eggs", "bunny", "costume", "costumes",
    "lights", "song", "songs", "pudding", "cookies", "decorations", "jumper", "sweater", "cake",
    "film", "movie", "menu", "list", "island", "music", "story", "stocking", "stockings",
    "lamb", "bonnet", "basket", "lily", "candy", "pumpkin", "deals", "sale", "sales",
    "resolution", "resolutions",
  ]

  private static let table: [String: Rule] = {
    var table: [String: Rule] = [
      "good friday": .easter(-2), "easter": .easter(0), "easter sunday": .easter(0),
      "easter day": .easter(0), "easter monday": .easter(1), "easter saturday": .easter(-1),
      "holy saturday": .easter(-1), "maundy thursday": .easter(-3), "palm sunday": .easter(-7),
      "ash wednesday": .easter(-46), "shrove tuesday": .easter(-47), "pancake day": .easter(-47),
      "mardi gras": .easter(-47), "ascension day": .easter(39), "ascension": .easter(39),
      "pentecost": .easter(49), "whitsun": .easter(49), "whit sunday": .easter(49),
      "pentecost sunday": .easter(49), "whit monday": .easter(50), "pentecost monday": .easter(50),
      "trinity sunday": .easter(56), "corpus christi": .easter(60),
      "easter weekend": .easterWeekend,
      "thanksgiving": .weekday(.thursday, nth: 4, month: 11),
      "thanksgiving day": .weekday(.thursday, nth: 4, month: 11),
      "black friday": .weekday(.thursday, nth: 4, month: 11, plus: 1),
      "cyber monday": .weekday(.thursday, nth: 4, month: 11, plus: 4),
      "mother day": .weekday(.sunday, nth: 2, month: 5),
      "mothers day": .weekday(.sunday, nth: 2, month: 5),
      "father day": .weekday(.sunday, nth: 3, month: 6),
      "fathers day": .weekday(.sunday, nth: 3, month: 6),
      "memorial day": .weekday(.monday, nth: -1, month: 5),
      "labor day": .weekday(.monday, nth: 1, month: 9),
      "columbus day": .weekday(.monday, nth: 2, month: 10),
      "martin luther king day": .weekday(.monday, nth: 3, month: 1),
      "mlk day": .weekday(.monday, nth: 3, month: 1),
      "presidents day": .weekday(.monday, nth: 3, month: 2),
      "first advent": .advent(1), "second advent": .advent(2), "third advent": .advent(3),
      "fourth advent": .advent(4), "advent sunday": .advent(1),
    ]
    let fixed: [(Int, Int, String)] = [
      (1, 1, "new year day|new years day|new year|new years"), (1, 6, "epiphany|twelfth night"),
      (1, 25, "burns night"), (2, 2, "groundhog day|candlemas"),
      (2, 14, "valentine day|valentines day|valentine|valentines"), (2, 29, "leap day"),
      (3, 8, "womens day|women day|international women day|international womens day"),
      (3, 14, "pi day"),
      (3, 17, "st patrick day|st patricks day|saint patrick day|saint patricks day"),
      (4, 1, "april fools|april fools day|april fool day"), (4, 22, "earth day"),
      (4, 23, "st george day|saint george day"),
      (5, 1, "may day|labour day|international workers day"), (5, 4, "star wars day"),
      (5, 5, "cinco de mayo"), (6, 19, "juneteenth"), (6, 24, "midsummer day"),
      (7, 4, "independence day"), (7, 14, "bastille day"), (8, 15, "assumption day"),
      (10, 3, "german unity day"), (10, 31, "halloween|hallowe'en|reformation day"),
      (11, 1, "all saints day|all saints|all hallows"), (11, 2, "all souls day|all souls"),
      (11, 5, "bonfire night|guy fawkes night|guy fawkes day"),
      (11, 11, "armistice day|remembrance day|veterans day|martinmas|st martin day"),
      (11, 30, "st andrew day"), (12, 6, "st nicholas day|saint nicholas day"),
      (12, 24, "christmas eve|xmas eve"), (12, 25, "christmas day|christmas|xmas|xmas day"),
      (12, 26, "boxing day|st stephen day|saint stephen day"),
      (12, 31, "new year eve|new years eve|nye|silvester|hogmanay"),
    ]
    for (month, day, names) in fixed {
      for name in names.split(separator: "|") {
        table[String(name)] = .fixed(month: month, day: day)
      }
    }
    return table
  }()

  /// Names that are also other things, and need a preposition.
  static let weak: Set<String> = [
    "new year", "new years", "ascension", "valentine", "valentines", "labour day", "epiphany",
  ]
}

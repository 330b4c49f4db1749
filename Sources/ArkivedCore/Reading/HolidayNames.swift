import Foundation

extension Holidays {
  /// Returns the rule of a holiday, given the words of its name without apostrophes and possessive
  /// endings.
  static func rule(_ words: [String]) -> Rule? { table[words.joined(separator: " ")] }

  static let longestName = 4
  static let firstWords = Set(
    table.keys.compactMap { $0.split(separator: " ").first.map(String.init) })

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
      "easter weekend": .from(.easter(-2), to: .easter(1)),
      "christmas holidays": .from(.fixed(month: 12, day: 24), to: .fixed(month: 12, day: 31)),
      "christmas break": .from(.fixed(month: 12, day: 24), to: .fixed(month: 12, day: 31)),
      "christmas time": .from(.fixed(month: 12, day: 24), to: .fixed(month: 12, day: 26)),
      "christmastime": .from(.fixed(month: 12, day: 24), to: .fixed(month: 12, day: 26)),
      "holy week": .from(.easter(-7), to: .easter(-1)), "holy thursday": .easter(-3),
      "easter week": .from(.easter(0), to: .easter(6)), "easter tuesday": .easter(2),
      "lent": .from(.easter(-46), to: .easter(-1)), "fat tuesday": .easter(-47),
      "shrove monday": .easter(-48), "rose monday": .easter(-48), "carnival monday": .easter(-48),
      "mothering sunday": .easter(-21), "low sunday": .easter(7),
      "ascension thursday": .easter(39), "ascension sunday": .easter(42),
      "trinity": .easter(56), "whitsunday": .easter(49), "whitsuntide": .easter(49),
      "orthodox easter": .moving(MovingFeasts.orthodoxEaster),
      "greek easter": .moving(MovingFeasts.orthodoxEaster),
      "orthodox good friday": .moving { MovingFeasts.orthodoxEaster($0)?.advanced(by: -2) },
      "rosh hashanah": .moving(MovingFeasts.roshHashanah),
      "rosh hashana": .moving(MovingFeasts.roshHashanah),
      "jewish new year": .moving(MovingFeasts.roshHashanah),
      "yom kippur": .moving { MovingFeasts.roshHashanah($0)?.advanced(by: 9) },
      "sukkot": .moving({ MovingFeasts.roshHashanah($0)?.advanced(by: 14) }, days: 7),
      "simchat torah": .moving { MovingFeasts.roshHashanah($0)?.advanced(by: 22) },
      "hanukkah": .moving(MovingFeasts.hanukkah, days: 8),
      "chanukah": .moving(MovingFeasts.hanukkah, days: 8),
      "chanukkah": .moving(MovingFeasts.hanukkah, days: 8),
      "hanukah": .moving(MovingFeasts.hanukkah, days: 8),
      "passover": .moving(MovingFeasts.passover, days: 8),
      "pesach": .moving(MovingFeasts.passover, days: 8),
      "purim": .moving { MovingFeasts.passover($0)?.advanced(by: -30) },
      "shavuot": .moving({ MovingFeasts.passover($0)?.advanced(by: 50) }, days: 2),
      "ramadan": .from(islamic(9, 1), to: islamic(9, -1)),
      "eid": .moving { MovingFeasts.islamicDay(month: 10, day: 1, $0) },
      "eid al fitr": islamic(10, 1), "eid ul fitr": islamic(10, 1),
      "eid al adha": islamic(12, 10), "eid ul adha": islamic(12, 10),
      "islamic new year": islamic(1, 1), "ashura": islamic(1, 10), "mawlid": islamic(3, 12),
      "chinese new year": .moving(MovingFeasts.lunarNewYear),
      "lunar new year": .moving(MovingFeasts.lunarNewYear),
      "chinese new year eve": .moving { MovingFeasts.lunarNewYear($0)?.advanced(by: -1) },
      "spring festival": .moving(MovingFeasts.lunarNewYear),
      "diwali": .moving(MovingFeasts.diwali), "deepavali": .moving(MovingFeasts.diwali),
      "divali": .moving(MovingFeasts.diwali), "holi": .moving(MovingFeasts.holi),
      "spring equinox": .moving { MovingFeasts.solarDay($0, .spring) },
      "vernal equinox": .moving { MovingFeasts.solarDay($0, .spring) },
      "autumn equinox": .moving { MovingFeasts.solarDay($0, .autumn) },
      "autumnal equinox": .moving { MovingFeasts.solarDay($0, .autumn) },
      "summer solstice": .moving { MovingFeasts.solarDay($0, .summer) },
      "winter solstice": .moving { MovingFeasts.solarDay($0, .winter) },
      "remembrance sunday": .weekday(.sunday, nth: 2, month: 11),
      "victoria day": .moving { year in
        DayKey(year: year, month: 5, day: 24).map { $0.startOfWeek() }
      },
      "election day": .weekday(.monday, nth: 1, month: 11, plus: 1),
      "indigenous peoples day": .weekday(.monday, nth: 2, month: 10),
      "indigenous people day": .weekday(.monday, nth: 2, month: 10),
      "canadian thanksgiving": .weekday(.monday, nth: 2, month: 10),
      "thanksgiving eve": .weekday(.thursday, nth: 4, month: 11, plus: -1),
      "giving tuesday": .weekday(.thursday, nth: 4, month: 11, plus: 5),
      "early may bank holiday": .weekday(.monday, nth: 1, month: 5),
      "spring bank holiday": .weekday(.monday, nth: -1, month: 5),
      "summer bank holiday": .weekday(.monday, nth: -1, month: 8),
      "august bank holiday": .weekday(.monday, nth: -1, month: 8),
      "easter bank holiday": .easter(1), "president day": .weekday(.monday, nth: 3, month: 2),
      "advent": .from(.advent(1), to: .fixed(month: 12, day: 24)),
      "first sunday of advent": .advent(1), "second sunday of advent": .advent(2),
      "third sunday of advent": .advent(3), "fourth sunday of advent": .advent(4),
      "first sunday in advent": .advent(1), "second sunday in advent": .advent(2),
      "third sunday in advent": .advent(3), "fourth sunday in advent": .advent(4),
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
      (1, 26, "australia day|republic day"), (1, 27, "holocaust memorial day"),
      (1, 25, "burns night|burns day"), (2, 2, "groundhog day|candlemas"),
      (2, 6, "waitangi day"),
      (2, 14, "valentine day|valentines day|valentine|valentines|st valentine day"),
      (3, 1, "st david day|saint david day"), (2, 29, "leap day"),
      (3, 8, "womens day|women day|international women day|international womens day"),
      (3, 14, "pi day"),
      (3, 17, "st patrick day|st patricks day|saint patrick day|saint patricks day"),
      (4, 1, "april fools|april fools day|april fool day|all fools day"),
      (4, 25, "anzac day"), (4, 27, "king day|kings day"), (4, 30, "walpurgis night"),
      (5, 8, "ve day|v e day"), (6, 6, "d day"), (4, 22, "earth day"),
      (4, 23, "st george day|saint george day"),
      (5, 1, "may day|labour day|international workers day"), (5, 4, "star wars day"),
      (5, 5, "cinco de mayo"), (6, 19, "juneteenth"), (6, 23, "midsummer eve|midsummer night"),
      (6, 24, "midsummer day|midsummers day|st john day|saint john day"), (7, 1, "canada day"),
      (7, 4, "independence day|fourth of july"), (7, 14, "bastille day"), (8, 15, "assumption day"),
      (10, 3, "german unity day"),
      (10, 31, "halloween|hallowe'en|reformation day|all hallows eve|halloween night"),
      (11, 1, "all saints day|all saints|all hallows"), (11, 2, "all souls day|all souls"),
      (11, 5, "bonfire night|guy fawkes night|guy fawkes day"),
      (11, 11, "armistice day|remembrance day|veterans day|martinmas|st martin day"),
      (11, 1, "all hallows day"), (11, 2, "day of the dead"), (11, 10, "st martin eve"),
      (11, 30, "st andrew day|saint andrew day"), (12, 5, "st nicholas eve"),
      (12, 6, "st nicholas day|saint nicholas day"),
      (12, 13, "st lucia day|st lucy day|saint lucia day"), (12, 24, "christmas eve|xmas eve"),
      (12, 25, "christmas day|christmas|xmas|xmas day"),
      (12, 26, "second day of christmas|boxing day|st stephen day|saint stephen day"),
      (12, 31, "new year eve|new years eve|nye|silvester|hogmanay"),
    ]
    for (month, day, names) in fixed {
      for name in names.split(separator: "|") {
        table[String(name)] = .fixed(month: month, day: day)
      }
    }
    return table
  }()

  private static func islamic(_ month: Int, _ day: Int) -> Rule {
    .moving { year in
      // A month's last day is computed from the first day of the next month.
      guard day < 0 else { return MovingFeasts.islamicDay(month: month, day: day, year) }
      return MovingFeasts.islamicDay(month: month + 1, day: 1, year)?.advanced(by: day)
    }
  }
}

import ArkivedCore

/// Parses dates whose month is a word: `Nov 20, 2025`, `20-Nov-25`, `Donnerstag, 20. November
/// 2025`.
enum WrittenDate {
  /// Parses a date alone; returns nil if the text contains anything else.
  static func day(_ text: String) -> DayKey? {
    guard text.utf8.count <= 48 else { return nil }
    var words = words(of: text)
    words.removeAll { $0 == "of" || $0 == "de" || $0 == "di" || $0 == "del" }
    // "Mar" means March, but Tuesday in French.
    if words.count > 3, let first = words.first, isWeekday(first) { words.removeFirst() }
    guard words.count == 3, let place = words.firstIndex(where: { month($0) != nil }), place < 2,
      let month = month(words[place])
    else { return nil }
    let numbers = words.indices.filter { $0 != place }.map { number(words[$0]) }
    guard let first = numbers[0], let last = numbers[1] else { return nil }
    // The year comes last, except in `2025-Nov-20`.
    let isYearFirst = place == 1 && first.digits == 4
    let (year, day) = isYearFirst ? (first, last) : (last, first)
    guard year.digits == 4 || year.digits == 2, day.digits <= 2 else { return nil }
    let century = year.digits == 2 ? TableTimes.century(of: year.value) : 0
    return DayKey(year: century + year.value, month: month, day: day.value)
  }

  /// Splits a date and the time after it: `Nov 20, 2025, 6:12:33 AM`, also `Thu, 20 Nov 2025
  /// 06:12:33 +0100`.
  static func parts(_ text: String) -> (day: DayKey, clock: Substring)? {
    guard text.utf8.count <= 64, let colon = text.firstIndex(of: ":") else { return nil }
    // A clock time begins with the digits of the hour.
    var start = colon
    while start > text.startIndex, text[text.index(before: start)].isNumber {
      start = text.index(before: start)
    }
    var date = text[..<start].trimmingSeparators
    for word in ["at", "um", "a las", "alle", "à"] where date.lowercased().hasSuffix(" \(word)") {
      date = String(date.dropLast(word.count)).trimmingSeparators
    }
    return day(date).map { ($0, text[start...]) }
  }

  private static func words(of text: String) -> [Substring] {
    NameFolding.loose(text).split { !$0.isLetter && !$0.isNumber }.map { $0 }
  }

  /// Returns a number without an ordinal suffix such as in `20th`.
  private static func number(_ word: Substring) -> (value: Int, digits: Int)? {
    let digits = word.prefix { ("0"..."9").contains($0) }
    guard let value = Int(digits), (1...4).contains(digits.count),
      ["", "st", "nd", "rd", "th", "er", "o"].contains(word.dropFirst(digits.count))
    else { return nil }
    return (value, digits.count)
  }

  /// Returns the number of a month from its name or abbreviation, in folded letters.
  static func month(_ word: Substring) -> Int? {
    months.firstIndex { $0.contains(word) }.map { $0 + 1 }
  }

  private static func isWeekday(_ word: Substring) -> Bool {
    word.count >= 2 && weekdays.contains { $0 == word || (word.count <= 3 && $0.hasPrefix(word)) }
  }

  /// The names of months, case-folded: English, German, French, Spanish, Italian, Portuguese, Dutch,
  /// Danish, Norwegian and Swedish.
  private static let months: [Set<Substring>] = [
    [
      "jan", "january", "januar", "janner", "jänner", "janv", "janvier", "ene", "enero", "gen",
      "gennaio", "janeiro", "januari",
    ],
    [
      "feb", "february", "februar", "feber", "fevr", "fevrier", "febrero", "febbraio", "fev",
      "fevereiro", "februari",
    ],
    ["mar", "march", "marz", "maerz", "mrz", "mars", "marzo", "marco", "maart", "mrt", "marts"],
    ["apr", "april", "avr", "avril", "abr", "abril", "aprile"],
    ["may", "mai", "mayo", "mag", "maggio", "maio", "mei", "maj"],
    ["jun", "june", "juni", "juin", "junio", "giu", "giugno", "junho"],
    ["jul", "july", "juli", "juil", "juillet", "julio", "lug", "luglio", "julho"],
    ["aug", "august", "aout", "ago", "agosto", "augustus", "augusti"],
    ["sep", "sept", "september", "septembre", "septiembre", "set", "settembre", "setembro"],
    ["oct", "october", "okt", "oktober", "octobre", "octubre", "ott", "ottobre", "out", "outubro"],
    ["nov", "november", "novembre", "noviembre", "novembro"],
    [
      "dec", "december", "dez", "dezember", "decembre", "dic", "diciembre", "dicembre", "dezembro",
      "des", "desember",
    ],
  ]

  private static let weekdays: [Substring] = [
    "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday", "montag",
    "dienstag", "mittwoch", "donnerstag", "freitag", "samstag", "sonnabend", "sonntag", "lundi",
    "mardi", "mercredi", "jeudi", "vendredi", "samedi", "dimanche", "lunes", "martes",
    "miercoles", "jueves", "viernes", "sabado", "domingo", "lunedi", "martedi", "mercoledi",
    "giovedi", "venerdi", "sabato", "domenica", "maandag", "dinsdag", "woensdag", "donderdag",
    "vrijdag", "zaterdag", "zondag",
  ]
}

extension StringProtocol {
  /// The text without spaces and commas at either end.
  fileprivate var trimmingSeparators: String {
    var text = self[...]
    while let last = text.last, last == "," || last.isWhitespace { text = text.dropLast() }
    return String(text.drop { $0 == "," || $0.isWhitespace })
  }
}

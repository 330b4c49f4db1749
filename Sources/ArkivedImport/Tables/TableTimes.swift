import ArkivedCore

/// Parses dates and clock times as tables write them.
enum TableTimes {
  /// Parses `2023-05-21`, `21.05.2023` or `05/21/23`: with the year first, or last in the given
  /// order; with dots the day always comes first.
  ///
  /// Also accepts `20251120`, and dates with the name of their month.
  static func day(_ text: String, order: DateOrder) -> DayKey? {
    guard let (numbers, mark) = numbers(text) else {
      return compactDay(text) ?? WrittenDate.day(text)
    }
    let (first, second, third) = (numbers[0], numbers[1], numbers[2])
    if first.count == 4 { return day(first, second, third) }
    guard third.count == 4 || third.count == 2 else { return nil }
    return mark == "." || order == .dayFirst
      ? day(third, second, first) : day(third, first, second)
  }

  /// Returns the days that a date with a two-digit year can be; nil for other dates.
  static func shortDays(_ text: String) -> ShortDates.Days? {
    guard let (numbers, mark) = numbers(text), mark != ".", numbers[2].count == 2,
      numbers[0].count <= 2
    else { return nil }
    let isYear = numbers.allSatisfy { $0.count == 2 }
    return ShortDates.Days(
      yearFirst: isYear ? day(numbers[0], numbers[1], numbers[2]) : nil,
      dayFirst: day(numbers[2], numbers[1], numbers[0]),
      monthFirst: day(numbers[2], numbers[0], numbers[1]))
  }

  /// Returns a text that begins with a two-digit year with the whole year: `2025-11-20 18:12` for
  /// `25-11-20 18:12`; nil for other texts.
  static func withCentury(_ text: String) -> String? {
    guard shortDays(TableMoment.date(of: text))?.yearFirst != nil, let year = Int(text.prefix(2))
    else {
      return nil
    }
    return "\(century(of: year) / 100)\(text)"
  }

  /// Parses `20251120`.
  private static func compactDay(_ text: String) -> DayKey? {
    let digits = text.utf8
    guard digits.count == 8, digits.allSatisfy({ (0x30...0x39).contains($0) }),
      text.hasPrefix("19") || text.hasPrefix("20")
    else { return nil }
    return day(text.prefix(4), text.dropFirst(4).prefix(2), text.suffix(2))
  }

  /// Parses `240615` as location loggers write the day, with the year first.
  static func shortDay(_ text: String) -> DayKey? {
    let digits = text.utf8
    guard digits.count == 6, digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return day(text.prefix(2), text.dropFirst(2).prefix(2), text.suffix(2))
  }

  /// Parses a clock time, also `100500` without colons.
  static func clock(_ text: String) -> Int? {
    if let second = secondOfDay(text) { return second }
    let digits = text.utf8
    // Spreadsheets drop the zero of an hour.
    guard digits.count == 5 || digits.count == 6,
      digits.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(text),
      number / 10_000 < 24, number / 100 % 100 < 60, number % 100 < 60
    else { return nil }
    return number / 10_000 * 3_600 + number / 100 % 100 * 60 + number % 100
  }

  /// Returns the order of days and months that a date shows, or nil if it fits both or neither.
  static func order(toldBy text: String) -> DateOrder? {
    switch (day(text, order: .dayFirst), day(text, order: .monthFirst)) {
    case (_?, nil): .dayFirst
    case (nil, _?): .monthFirst
    default: nil
    }
  }

  /// Returns true if a date would be another day in the other order.
  static func isOpen(_ text: String) -> Bool {
    day(text, order: .dayFirst) != day(text, order: .monthFirst)
  }

  /// Parses `14:58`, `6:50 pm`, `06:50:10 AM`, `6:50 p.m.`, `下午6:50` or `18:30 Uhr` as seconds
  /// since midnight.
  static func secondOfDay(_ text: String) -> Int? {
    var lowercased = text.lowercased().filter { !$0.isWhitespace }
    if lowercased.hasSuffix("m.") { lowercased.removeAll { $0 == "." } }
    if lowercased.hasSuffix("uhr") { lowercased.removeLast(3) }
    let isMorning = lowercased.hasSuffix("am")
    let isAfternoon = lowercased.hasSuffix("pm")
    let clock = isMorning || isAfternoon ? lowercased.dropLast(2) : lowercased[...]
    guard let parts = parts(withoutFraction(clock)), let hour = parts.first, parts.count >= 2,
      parts.dropFirst().allSatisfy({ $0 < 60 })
    else { return secondOfHalf(lowercased) }
    let second = parts.count > 2 ? parts[2] : 0
    if isMorning || isAfternoon {
      guard (1...12).contains(hour) else { return nil }
      return (hour % 12 + (isAfternoon ? 12 : 0)) * 3600 + parts[1] * 60 + second
    }
    return hour < 24 ? hour * 3600 + parts[1] * 60 + second : nil
  }

  /// Parses a clock time beside a word of any language for the half of the day: `오후6:50`, `6:50öö`.
  private static func secondOfHalf(_ text: String) -> Int? {
    func isDigit(_ character: Character) -> Bool { ("0"..."9").contains(character) }
    guard text.utf8.count <= 64, text.contains(":"), let first = text.firstIndex(where: isDigit),
      let last = text.lastIndex(where: isDigit)
    else { return nil }
    let (before, after) = (text[..<first], text[text.index(after: last)...])
    guard before.isEmpty != after.isEmpty,
      let isAfternoon = HalfDay.isAfternoon(before.isEmpty ? after : before),
      let parts = parts(withoutFraction(text[first...last])),
      // In Japan, the hour after noon is 0.
      (0...12).contains(parts[0]), parts.dropFirst().allSatisfy({ $0 < 60 })
    else { return nil }
    let hour = parts[0] % 12 + (isAfternoon ? 12 : 0)
    return hour * 3600 + parts[1] * 60 + (parts.count > 2 ? parts[2] : 0)
  }

  /// Parses yes or no as programs write them; returns nil for anything else.
  static func answer(_ text: String) -> Bool? {
    switch text.lowercased() {
    case "true", "yes", "1", "ja", "wahr", "ein", "on", "x": true
    case "false", "no", "0", "nein", "falsch", "aus", "off": false
    default: nil
    }
  }

  /// Parses a duration such as `1:30:00`, `0:05` or `1h 5min` as seconds; the number of hours may
  /// be large.
  ///
  /// - Parameters:
  ///   - text: the text.
  ///   - inMinutes: true if two numbers are minutes and seconds instead of hours and minutes.
  /// - Returns: the seconds.
  static func length(_ text: String, inMinutes: Bool = false) -> Int? {
    guard let parts = parts(withoutFraction(text[...])) else { return worded(text) }
    guard parts[0] < 1_000_000, parts.dropFirst().allSatisfy({ $0 < 60 }) else { return nil }
    if parts.count == 2, inMinutes { return parts[0] * 60 + parts[1] }
    return parts[0] * 3600 + parts[1] * 60 + (parts.count > 2 ? parts[2] : 0)
  }

  /// Returns the seconds of `1:30:00`, or of a number in a unit.
  ///
  /// - Parameters:
  ///   - text: the text.
  ///   - unit: the unit of plain numbers; minutes if nil.
  ///   - survey: the facts about all rows.
  ///   - decimal: the decimal separator if no value determines it.
  /// - Returns: nil if it isn't a duration.
  static func seconds(
    _ text: String, unit: String?, _ survey: TableSurvey, decimal: Character
  ) -> Double? {
    if let seconds = length(text, inMinutes: survey.lengthsAreMinutes) { return Double(seconds) }
    guard let number = survey.numbers.number(text, fallback: decimal), abs(number) < 1e9 else {
      return nil
    }
    let unit = UnitTable.standard.unit(named: unit ?? "minutes")
    return number * (unit?.dimension == .time ? unit?.factor ?? 1 : 1) * 60
  }

  /// Returns the number of parts of a duration in clock form, and the first part.
  static func shape(_ text: String) -> (count: Int, first: Int)? {
    parts(withoutFraction(text[...])).map { ($0.count, $0[0]) }
  }

  /// Parses `1h 5min`, `90 min`, `45s` or `1 Std. 5 Min.`, which consist only of numbers with units
  /// of time, as seconds.
  private static func worded(_ text: String) -> Int? {
    var rest = text.lowercased().filter { !$0.isWhitespace }[...]
    guard rest.count <= 40 else { return nil }
    var seconds = 0.0
    while !rest.isEmpty {
      let number = rest.prefix { ("0"..."9").contains($0) || $0 == "." || $0 == "," }
      rest = rest.dropFirst(number.count)
      let word = rest.prefix { $0.isLetter }
      rest = rest.dropFirst(word.count).drop { $0 == "." || $0 == "," }
      guard let amount = Double(number.replacing(",", with: ".")), amount < 1e9,
        let unit = lengthUnits.first(where: { $0.names.contains(word) })
      else { return nil }
      seconds += amount * unit.seconds
    }
    return seconds > 0 || !text.isEmpty ? Int(seconds.rounded()) : nil
  }

  private static let lengthUnits: [(seconds: Double, names: Set<Substring>)] = [
    (86_400, ["d", "day", "days", "tag", "tage"]),
    (3_600, ["h", "hr", "hrs", "hour", "hours", "std", "stunde", "stunden"]),
    (60, ["m", "min", "mins", "minute", "minutes", "minuten"]),
    (1, ["s", "sec", "secs", "second", "seconds", "sek", "sekunde", "sekunden"]),
  ]

  /// Returns a clock time without the fraction of a second: `00:55:12.4`.
  private static func withoutFraction(_ text: Substring) -> Substring {
    guard let mark = text.lastIndex(where: { $0 == "." || $0 == "," }),
      let colon = text.lastIndex(of: ":"), colon < mark,
      text[mark...].dropFirst().allSatisfy({ ("0"..."9").contains($0) })
    else { return text }
    return text[..<mark]
  }

  // MARK: Numbers

  private static func parts(_ text: Substring) -> [Int]? {
    let pieces = text.split(separator: ":", omittingEmptySubsequences: false)
    guard (2...3).contains(pieces.count) else { return nil }
    let numbers = pieces.compactMap { piece in
      piece.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(piece) : nil
    }
    return numbers.count == pieces.count ? numbers : nil
  }

  private static func numbers(_ text: String) -> ([Substring], Character)? {
    guard let mark = text.first(where: { !$0.isNumber }), "-./".contains(mark) else { return nil }
    let pieces = text.split(separator: mark, omittingEmptySubsequences: false)
    guard pieces.count == 3,
      pieces.allSatisfy({ !$0.isEmpty && $0.count <= 4 && Int($0).map { $0 >= 0 } == true })
    else { return nil }
    return (pieces, mark)
  }

  private static func day(_ year: Substring, _ month: Substring, _ day: Substring) -> DayKey? {
    guard var number = Int(year), let month = Int(month), let day = Int(day) else { return nil }
    if year.count == 2 { number = century(of: number) + number }
    return DayKey(year: number, month: month, day: day)
  }

  /// Returns the century of a two-digit year: 1970 to 2069, almost as in POSIX (from 1969 there).
  static func century(of year: Int) -> Int { year < 70 ? 2000 : 1900 }
}

import ArkivedCore

/// A date as journals write it: ISO 8601, or in words of several languages, with or without a time.
struct JournalDate {
  let day: DayKey
  /// The second of the day; nil if the text gives only a day.
  let secondOfDay: Int?
  /// Seconds east of UTC; nil if the text doesn't give it.
  let offset: Int?
  /// The zone in brackets after the time, such as `PST`, if it isn't an offset; nil if there is none.
  let zoneName: String?

  /// True if the zone in brackets isn't known, so the time is read as one at home.
  var hasUnknownZone: Bool { zoneName.map { Self.abbreviations[$0] == nil } ?? false }

  /// The wall-clock time; nil if the text doesn't give a time.
  var wall: WallTime? { secondOfDay.map { WallTime(day: day, secondOfDay: $0) } }

  /// Parses a date.
  ///
  /// - Parameters:
  ///   - text: the text.
  ///   - order: the order of days and months in numbers; a date that doesn't exist in this order is
  ///     read in the other one.
  init?(_ text: String, order: DateOrder = .dayFirst) {
    let other: DateOrder = order == .dayFirst ? .monthFirst : .dayFirst
    guard let date = Self(strictly: text, order: order) ?? Self(strictly: text, order: other) else {
      return nil
    }
    self = date
  }

  private init?(strictly text: String, order: DateOrder) {
    let text = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    guard !text.isEmpty, text.utf8.count <= 120 else { return nil }
    if let date = ISODateTime(text) {
      (day, secondOfDay, offset) = (date.wall.day, date.wall.secondOfDay, date.offsetSeconds)
      zoneName = nil
      return
    }
    let (rest, zone, name) = Self.bracketedZone(of: text) ?? Self.plainZone(of: text)
    (offset, zoneName) = (zone, name)
    if let (day, after) = Self.counted(rest) {
      (self.day, secondOfDay) = (day, Self.clock(in: after))
      return
    }
    if let day = Self.day(rest, order) {
      (self.day, secondOfDay) = (day, nil)
      return
    }
    guard let (day, clock) = WrittenDate.parts(rest) ?? Self.parts(rest, order),
      let second = TableTimes.secondOfDay(String(clock))
    else { return nil }
    (self.day, secondOfDay) = (day, second)
  }

  /// Returns the instant and its zone, which is derived from the offset if there is one.
  func moment(home: Zone) -> (start: Instant, zone: Zone)? {
    guard let wall else { return nil }
    guard let offset = offset ?? zoneName.flatMap({ Self.offset(named: $0, at: wall, home: home) })
    else { return (home.instant(of: wall), home) }
    let start = Instant(milliseconds: wall.milliseconds - Int64(offset) * 1000)
    return (start, PhotoTime.zone(offset: offset, at: start, home: home))
  }

  /// Returns the order of days and months that a date shows, or nil if it fits both or neither.
  static func order(toldBy text: String) -> DateOrder? {
    switch (Self(strictly: text, order: .dayFirst), Self(strictly: text, order: .monthFirst)) {
    case (_?, nil): .dayFirst
    case (nil, _?): .monthFirst
    default: nil
    }
  }

  /// Returns true if a text would be another day in the other order.
  static func isOpen(_ text: String) -> Bool {
    JournalDate(text, order: .dayFirst)?.day != JournalDate(text, order: .monthFirst)?.day
  }

  private static func day(_ text: String, _ order: DateOrder) -> DayKey? {
    WrittenDate.day(text) ?? TableTimes.day(text, order: order)
  }

  /// Parses a date whose numbers are followed by words for the year, the month and the day, and
  /// returns the text after it: `2024年11月3日 21:05`.
  private static func counted(_ text: String) -> (day: DayKey, after: Substring)? {
    guard text.contains(where: { "年년".contains($0) }) else { return nil }
    let end = text.firstIndex { "日일".contains($0) }.map(text.index(after:)) ?? text.endIndex
    let parts = text[..<end].split { "年月日년월일".contains($0) || $0.isWhitespace }.prefix(3)
    guard parts.count == 3, let year = Int(parts[0]), let month = Int(parts[1]),
      let number = Int(parts[2]), let day = DayKey(year: year, month: month, day: number)
    else { return nil }
    return (day, text[end...])
  }

  /// Returns the clock time in the text after a day, which the day of the week may precede: `(日)
  /// 21:05`, `일요일 오후 9:05`.
  private static func clock(in text: Substring) -> Int? {
    let words = text.split(separator: " ")
    return words.indices.lazy.compactMap {
      TableTimes.secondOfDay(words[$0...].joined(separator: " "))
    }.first
  }

  /// Splits numbers from the time that follows them: `14.03.2026, 09:30`.
  private static func parts(
    _ text: String, _ order: DateOrder
  ) -> (day: DayKey, clock: Substring)? {
    guard let space = text.firstIndex(where: { $0 == " " || $0 == "," }),
      let day = day(String(text[..<space]), order)
    else { return nil }
    return (day, text[space...].drop { $0 == " " || $0 == "," })
  }

  /// Returns the zone in brackets after a time, as Notion writes it: `(GMT+9)`, `(PST)`.
  private static func bracketedZone(
    of text: String
  ) -> (rest: String, offset: Int?, name: String?)? {
    guard text.hasSuffix(")"), let open = text.lastIndex(of: "("), text[..<open].contains(":")
    else { return nil }
    let name = String(text[text.index(after: open)...].dropLast())
    let rest = text[..<open].split(separator: " ").joined(separator: " ")
    let (left, offset) = zone(of: "\(rest) \(name)")
    // A name is left to `moment`, which knows the zone at home.
    return left == rest && offset != nil ? (rest, offset, nil) : (rest, nil, name)
  }

  private static func plainZone(of text: String) -> (rest: String, offset: Int?, name: String?) {
    let (rest, offset) = zone(of: text)
    return (rest, offset, nil)
  }

  /// Returns the offset of an abbreviation; if it has several meanings, the one at home counts.
  static func offset(named name: String, at wall: WallTime, home: Zone) -> Int? {
    guard let hours = abbreviations[name] else { return nil }
    let offsets = hours.map { Int($0 * 4) * 900 }
    let own = home.offset(at: home.instant(of: wall))
    return offsets.contains(own) ? own : offsets.first
  }

  /// The hours east of UTC of abbreviated zones, the likeliest first.
  private static let abbreviations: [String: [Double]] = [
    "UTC": [0], "GMT": [0], "WET": [0], "WEST": [1], "BST": [1, 6], "CET": [1], "CEST": [2],
    "MEZ": [1], "MESZ": [2], "EET": [2], "EEST": [3], "MSK": [3], "TRT": [3], "SAST": [2],
    "EST": [-5], "EDT": [-4], "CST": [-6, 8, -5], "CDT": [-5, -4], "MST": [-7, 8], "MDT": [-6],
    "PST": [-8, 8], "PDT": [-7], "AKST": [-9], "AKDT": [-8], "HST": [-10], "AST": [-4, 3],
    "ADT": [-3], "NST": [-3.5], "NDT": [-2.5], "BRT": [-3], "ART": [-3], "IST": [5.5, 1, 2],
    "IDT": [3], "PKT": [5], "ICT": [7], "WIB": [7], "SGT": [8], "HKT": [8], "AWST": [8],
    "JST": [9], "KST": [9], "ACST": [9.5], "ACDT": [10.5], "AEST": [10], "AEDT": [11],
    "NZST": [12], "NZDT": [13],
  ]

  /// Returns the zone after a date, such as `GMT+2`, `UTC` and `+0200`, and the date without it.
  ///
  /// Abbreviated zone names are ambiguous and are ignored.
  private static func zone(of text: String) -> (rest: String, offset: Int?) {
    guard let space = text.lastIndex(of: " "), text[..<space].contains(":") else {
      return (text, nil)
    }
    let last = text[text.index(after: space)...]
    let rest = String(text[..<space])
    if ["UTC", "GMT", "Z"].contains(last) { return (rest, 0) }
    let digits =
      last.hasPrefix("GMT") || last.hasPrefix("UTC") ? last.dropFirst(3) : last
    if let sign = digits.first, sign == "+" || sign == "-" || sign == "−" {
      let parts = digits.dropFirst().split(separator: ":")
      let joined = parts.joined()
      guard (1...4).contains(joined.count), let number = Int(joined) else { return (text, nil) }
      let (hours, minutes) =
        parts.count == 2
        ? (Int(parts[0]) ?? 0, Int(parts[1]) ?? 0)
        : joined.count <= 2 ? (number, 0) : (number / 100, number % 100)
      guard hours <= 14, minutes < 60 else { return (text, nil) }
      return (rest, (sign == "+" ? 1 : -1) * (hours * 3600 + minutes * 60))
    }
    let isName = (3...5).contains(last.count) && last.allSatisfy { $0.isASCII && $0.isUppercase }
    return (isName ? rest : text, nil)
  }
}

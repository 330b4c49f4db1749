import ArkivedCore

/// Reads dates and clock times as tables write them.
enum TableTimes {
  /// `2023-05-21`, `21.05.2023`, `05/21/2023`: the year first, or last with the order given; behind
  /// dots the day always comes first.
  static func day(_ text: String, order: DateOrder) -> DayKey? {
    guard let (numbers, mark) = numbers(text) else { return nil }
    let (first, second, third) = (numbers[0], numbers[1], numbers[2])
    if first.count == 4 { return day(first, second, third) }
    guard third.count == 4 else { return nil }
    return mark == "." || order == .dayFirst
      ? day(third, second, first) : day(third, first, second)
  }

  /// What a date tells of the order of days and months: nil where it fits both or neither.
  static func order(toldBy text: String) -> DateOrder? {
    switch (day(text, order: .dayFirst), day(text, order: .monthFirst)) {
    case (_?, nil): .dayFirst
    case (nil, _?): .monthFirst
    default: nil
    }
  }

  /// Whether a date means another day in the other order.
  static func isOpen(_ text: String) -> Bool {
    day(text, order: .dayFirst) != day(text, order: .monthFirst)
  }

  /// Seconds since midnight of `14:58`, `6:50 pm`, `06:50:10 AM`, `6:50 p.m.`
  static func secondOfDay(_ text: String) -> Int? {
    let lowercased = text.lowercased().filter { !$0.isWhitespace && $0 != "." }
    let isMorning = lowercased.hasSuffix("am")
    let isAfternoon = lowercased.hasSuffix("pm")
    let clock = isMorning || isAfternoon ? lowercased.dropLast(2) : lowercased[...]
    guard let parts = parts(clock), let hour = parts.first, parts.count >= 2,
      parts.dropFirst().allSatisfy({ $0 < 60 })
    else { return nil }
    let second = parts.count > 2 ? parts[2] : 0
    if isMorning || isAfternoon {
      guard (1...12).contains(hour) else { return nil }
      return (hour % 12 + (isAfternoon ? 12 : 0)) * 3600 + parts[1] * 60 + second
    }
    return hour < 24 ? hour * 3600 + parts[1] * 60 + second : nil
  }

  /// Seconds of a length such as `1:30:00` or `0:05`; hours may be many.
  static func length(_ text: String) -> Int? {
    guard let parts = parts(text[...]), parts.count >= 2, parts[0] < 1_000_000,
      parts.dropFirst().allSatisfy({ $0 < 60 })
    else { return nil }
    return parts[0] * 3600 + parts[1] * 60 + (parts.count > 2 ? parts[2] : 0)
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
    guard let year = Int(year), let month = Int(month), let day = Int(day) else { return nil }
    return DayKey(year: year, month: month, day: day)
  }
}

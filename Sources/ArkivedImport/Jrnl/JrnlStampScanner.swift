import ArkivedCore

/// Splits the text of a date-time for `JrnlStamp`.
struct JrnlStampScanner {
  private enum Token: Equatable {
    case number(value: Int, digits: Int)
    case word(String)
    case mark(Unicode.Scalar)

    var number: (value: Int, digits: Int)? {
      if case .number(let value, let digits) = self { (value, digits) } else { nil }
    }
    var word: String? { if case .word(let word) = self { word } else { nil } }
  }

  private(set) var date: JrnlStamp.Date?
  private(set) var second: Int?
  private(set) var offset: Int?
  private(set) var hasFraction = false
  private(set) var hasShortYear = false
  private(set) var separator: Unicode.Scalar = " "
  private(set) var shape = ""

  private let scalars: [Unicode.Scalar]
  private var tokens: [Token] = []
  /// The month whose name is among the remaining words.
  private var namedMonth: Int?

  init(_ text: some StringProtocol) {
    scalars = Array(text.unicodeScalars.prefix(JrnlStamp.lengthLimit + 1))
  }

  // MARK: Tokens

  /// Characters that may separate the parts of a date.
  private static let marks = Set(" \t,.-/:_|@'()~+\u{202F}\u{A0}".unicodeScalars)
  private static let months = [
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
  ]
  private static let weekdays: Set<String> = [
    "mon", "tue", "tues", "wed", "weds", "thu", "thur", "thurs", "fri", "sat", "sun", "monday",
    "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday",
  ]
  private static let fillers: Set<String> = [
    "at", "on", "of", "the", "st", "nd", "rd", "th", "年", "月", "日", "년", "월", "일",
  ]
  private static let hourWords: Set<String> = ["h", "時", "时", "点", "시"]
  private static let minuteWords: Set<String> = ["m", "min", "分", "분"]
  private static let secondWords: Set<String> = ["s", "秒", "초"]

  /// Splits the text into tokens; returns false if it contains anything that no date-time has.
  mutating func tokenise() -> Bool {
    guard !scalars.isEmpty, scalars.count <= JrnlStamp.lengthLimit else { return false }
    var index = 0
    while index < scalars.count {
      let scalar = scalars[index]
      var end = index + 1
      if isDigit(scalar) {
        while end < scalars.count, isDigit(scalars[end]) { end += 1 }
        guard end - index <= 14 else { return false }
        let value = scalars[index..<end].reduce(0) { $0 * 10 + Int($1.value - 0x30) }
        tokens.append(.number(value: value, digits: end - index))
        shape += end - index > 2 ? "N" : "n"
      } else if scalar.properties.isAlphabetic {
        while end < scalars.count, scalars[end].properties.isAlphabetic { end += 1 }
        let word = String(String.UnicodeScalarView(scalars[index..<end])).lowercased()
        guard isKnown(word) else { return false }
        tokens.append(.word(word))
        let isName = Self.weekdays.contains(word) || month(word) != nil
        shape += isName ? "w" : ["am", "pm"].contains(word) ? "p" : word
      } else {
        guard Self.marks.contains(scalar) else { return false }
        let mark = isSpace(scalar) ? " " : scalar
        tokens.append(.mark(mark))
        if mark != " " || shape.unicodeScalars.last != " " { shape.unicodeScalars.append(mark) }
      }
      index = end
    }
    return true
  }

  private func isDigit(_ scalar: Unicode.Scalar) -> Bool { (0x30...0x39).contains(scalar.value) }

  /// Newer C libraries put a narrow no-break space before AM and PM.
  private func isSpace(_ scalar: Unicode.Scalar) -> Bool {
    [0x20, 0x09, 0xA0, 0x202F].contains(scalar.value)
  }

  private func month(_ word: String) -> Int? {
    guard word.count >= 3 else { return nil }
    let index = MonthName.full.firstIndex { $0.lowercased() == word }
    return (index ?? Self.months.firstIndex(of: word) ?? (word == "sept" ? 8 : nil)).map { $0 + 1 }
  }

  private func isKnown(_ word: String) -> Bool {
    ["t", "z", "utc", "gmt", "am", "pm", "a", "p"].contains(word) || Self.fillers.contains(word)
      || Self.hourWords.contains(word) || Self.minuteWords.contains(word)
      || Self.secondWords.contains(word) || Self.weekdays.contains(word) || month(word) != nil
  }

  private func token(_ index: Int) -> Token? {
    tokens.indices.contains(index) ? tokens[index] : nil
  }

  // MARK: Time

  /// Removes the time of day from the tokens if its form identifies it: `09:30`, `9:30:15 PM`,
  /// `09h30`, `9 pm`.
  ///
  /// - Returns: false if the time doesn't exist.
  mutating func readTime() -> Bool {
    for start in tokens.indices {
      guard let hour = tokens[start].number, hour.digits <= 2 else { continue }
      if isMinutes(after: start) {
        return readTime(from: start, hour: hour.value)
      }
    }
    for start in tokens.indices {
      guard let hour = tokens[start].number, hour.digits <= 2 else { continue }
      var end = start + 1
      if let half = readHalf(&end) { return close(start, end, hour.value, 0, 0, half) }
    }
    return true
  }

  private func isMinutes(after start: Int) -> Bool {
    guard let minute = token(start + 2)?.number, minute.digits <= 2 else { return false }
    return token(start + 1) == .mark(":")
      || token(start + 1)?.word.map(Self.hourWords.contains) == true
  }

  private mutating func readTime(from start: Int, hour: Int) -> Bool {
    guard let minute = token(start + 2)?.number?.value else { return false }
    var second = 0
    var end = start + 3
    if token(end)?.word.map(Self.minuteWords.contains) == true { end += 1 }
    if let value = token(end + 1)?.number, value.digits <= 2, token(end) == .mark(":") {
      second = value.value
      end += 2
      if [.mark("."), .mark(",")].contains(token(end)), let part = token(end + 1)?.number,
        part.digits >= 3
      {
        hasFraction = true
        end += 2
      }
    } else if let value = token(end)?.number, value.digits <= 2,
      token(end + 1)?.word.map(Self.secondWords.contains) == true
    {
      second = value.value
      end += 2
    }
    let half = readHalf(&end)
    return close(start, end, hour, minute, second, half)
  }

  /// Reads "AM" or "p.m." after a time; returns 0 or 12 hours to add, or nil.
  private func readHalf(_ end: inout Int) -> Int? {
    var index = end
    while token(index) == .mark(" ") { index += 1 }
    guard let word = token(index)?.word else { return nil }
    if word == "am" || word == "pm" {
      end = index + 1
    } else if word == "a" || word == "p", token(index + 1) == .mark("."),
      token(index + 2)?.word == "m"
    {
      end = index + (token(index + 3) == .mark(".") ? 4 : 3)
    } else {
      return nil
    }
    return word.hasPrefix("a") ? 0 : 12
  }

  /// Sets the time, reads an offset after it, and replaces both with a space.
  private mutating func close(
    _ start: Int, _ end: Int, _ hour: Int, _ minute: Int, _ second: Int, _ half: Int?
  ) -> Bool {
    guard set(hour: hour, minute: minute, second: second, half: half) else { return false }
    var end = end
    readOffset(&end)
    tokens.replaceSubrange(start..<end, with: [.mark(" ")])
    return true
  }

  private mutating func set(hour: Int, minute: Int, second: Int, half: Int?) -> Bool {
    var hour = hour
    if let half {
      guard (0...12).contains(hour) else { return false }
      hour = hour % 12 + half
    }
    // A leap second counts as the second before it.
    guard hour < 24, minute < 60, second <= 60 else { return false }
    self.second = hour * 3600 + minute * 60 + min(second, 59)
    return true
  }

  /// Reads `Z`, `UTC`, `+02:00` or `-0500` at the text's end.
  private mutating func readOffset(_ end: inout Int) {
    var index = end
    while token(index) == .mark(" ") { index += 1 }
    if let word = token(index)?.word, ["z", "utc", "gmt"].contains(word),
      index + 1 == tokens.count
    {
      offset = 0
      end = index + 1
      return
    }
    let sign = token(index) == .mark("+") ? 1 : token(index) == .mark("-") ? -1 : 0
    guard sign != 0, let first = token(index + 1)?.number else { return }
    var (hours, minutes) = (first.value, 0)
    index += 2
    if first.digits == 4 {
      (hours, minutes) = (first.value / 100, first.value % 100)
    } else if first.digits != 2 {
      return
    } else if token(index) == .mark(":"), let part = token(index + 1)?.number, part.digits == 2 {
      minutes = part.value
      index += 2
    }
    guard index == tokens.count, hours < 24, minutes < 60 else { return }
    offset = sign * (hours * 3600 + minutes * 60)
    end = index
  }

  // MARK: Date

  /// Reads the date from the rest left by `readTime`; returns false if it isn't a date.
  mutating func readRest() -> Bool {
    var numbers: [(value: Int, digits: Int)] = []
    for (index, token) in tokens.enumerated() {
      switch token {
      case .number(let value, let digits):
        if numbers.isEmpty, case .mark(let mark)? = self.token(index + 1) { separator = mark }
        numbers.append((value, digits))
      case .word(let word):
        if let month = month(word) {
          guard namedMonth == nil else { return false }
          namedMonth = month
        } else if !Self.fillers.contains(word), !Self.weekdays.contains(word), word != "t" {
          return false
        }
      case .mark(let mark): guard mark != "+", mark != ":" else { return false }
      }
    }
    if numbers.isEmpty { return namedMonth == nil && second != nil }
    return readDate(&numbers) && readPlainTime(numbers)
  }

  private mutating func readDate(_ numbers: inout [(value: Int, digits: Int)]) -> Bool {
    if let month = namedMonth {
      guard numbers.count >= 2 else { return false }
      let (first, other) = (numbers[0], numbers[1])
      numbers.removeFirst(2)
      guard first.digits > 2 else { return setNamed(day: first, month: month, year: other) }
      return setNamed(day: other, month: month, year: first)
    }
    if let digits = numbers.first?.digits, digits >= 8 {
      let compact = numbers.removeFirst().value
      let clock = digits == 8 ? [] : [digits == 12 ? compact % 10_000 : compact % 1_000_000]
      guard [8, 12, 14].contains(digits) else { return false }
      let days = compact / [8: 1, 12: 10_000, 14: 1_000_000][digits, default: 1]
      date = .known(year: days / 10_000, month: days / 100 % 100, day: days % 100)
      if !clock.isEmpty { numbers.insert((clock[0], digits - 8), at: 0) }
      return true
    }
    guard numbers.count >= 3 else { return false }
    let (first, middle, last) = (numbers[0], numbers[1], numbers[2])
    numbers.removeFirst(3)
    guard middle.digits <= 2 else { return false }
    switch (first.digits, last.digits) {
    case (3...4, 1...2): date = .known(year: first.value, month: middle.value, day: last.value)
    case (1...2, 3...4): date = .yearLast(first.value, middle.value, year: last.value)
    case (1...2, 1...2):
      date = .short(first.value, middle.value, last.value)
      hasShortYear = true
    default: return false
    }
    return true
  }

  private mutating func setNamed(
    day: (value: Int, digits: Int), month: Int, year: (value: Int, digits: Int)
  ) -> Bool {
    guard day.digits <= 2, year.digits <= 4 else { return false }
    hasShortYear = year.digits <= 2
    let full = hasShortYear ? JrnlStamp.century(year.value) : year.value
    date = .known(year: full, month: month, day: day.value)
    return true
  }

  /// Reads a time in bare numbers after the date: `0930`, `093015`, `09.30`, `09 30 15`.
  private mutating func readPlainTime(_ numbers: [(value: Int, digits: Int)]) -> Bool {
    guard let first = numbers.first else { return true }
    guard second == nil else { return false }
    if numbers.count == 1 {
      switch first.digits {
      case 4: return set(hour: first.value / 100, minute: first.value % 100, second: 0, half: nil)
      case 6:
        return set(
          hour: first.value / 10_000, minute: first.value / 100 % 100, second: first.value % 100,
          half: nil)
      default: return false
      }
    }
    guard numbers.count <= 3, numbers.allSatisfy({ $0.digits <= 2 }) else { return false }
    return set(
      hour: first.value, minute: numbers[1].value,
      second: numbers.count == 3 ? numbers[2].value : 0, half: nil)
  }
}

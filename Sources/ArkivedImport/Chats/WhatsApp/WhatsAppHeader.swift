import ArkivedCore

/// The date and time before a message: `[14.03.26, 09:15:32] ` on iOS, `3/14/26, 9:15 PM - ` on
/// Android, `3/14/16, 9:15:32 PM: ` on iOS before 2018 and on Windows phones.
struct WhatsAppHeader {
  /// Its three numbers in the order they appear, and the number of digits of the first.
  var numbers: (Int, Int, Int)
  var firstDigits: Int
  var hasDots: Bool
  /// True for `[2026-03-14 09:15:32]`, which logs and journals use too.
  var isISO: Bool
  /// True if it ends with a colon, as in old chats; logs are written like that too.
  var isOfOldForm: Bool
  /// True if a number has a single digit, which some locales pad with a zero.
  var isUnpadded: Bool
  /// True if the time has `AM` or `PM` in capitals.
  var hasCapitalMarker: Bool
  var secondOfDay: Int
  /// The index of the first byte after it.
  var end: Int

  /// The appearance of a line's beginning.
  enum Look {
    case header(WhatsAppHeader)
    /// It looks like a header, but its time doesn't exist.
    case impossible
    case none
  }

  /// Reads the beginning of a line, which is in UTF-8 or another ASCII-compatible encoding.
  static func look(at line: [UInt8]) -> Look {
    line.withUnsafeBufferPointer { bytes in
      var scanner = Scanner(bytes: bytes)
      return scanner.scan()
    }
  }

  /// The words after the year and the month in Korean, Chinese and Japanese dates, and those after
  /// the day.
  private static let dateWords = ["년", "월", "年", "月"].map { Array($0.utf8) }
  private static let dayWords: Set<Character> = ["일", "日"]

  /// The maximum length in bytes of the words beside a time.
  private static let tailLimit = 40

  private struct Scanner {
    let bytes: UnsafeBufferPointer<UInt8>
    var position = 0
    /// True if words stand after the numbers of the date.
    private var hasDateWords = false

    init(bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

    mutating func scan() -> Look {
      // Most continuation lines of a message begin with a letter.
      skipMarks()
      let isBracketed = take(UInt8(ascii: "["))
      guard let first = number(upTo: 4) else { return .none }
      var hasDots = false
      guard separator(&hasDots), let second = number(upTo: 2), separator(&hasDots),
        let third = number(upTo: 4)
      else { return .none }
      guard let before = words(), let hour = number(upTo: 2), colon(), let minute = number(upTo: 2),
        minute.digits == 2
      else { return .none }
      var seconds = 0
      var hasSeconds = false
      let mark = position
      if colon(), let number = number(upTo: 2), number.digits == 2 {
        (seconds, hasSeconds) = (number.value, true)
      } else {
        position = mark
      }
      let old = isBracketed || !hasSeconds ? nil : oldTail()
      guard let after = old ?? tail(isBracketed: isBracketed), !isBracketed || hasSeconds else {
        return .none
      }
      let marker = Self.marker(after) ?? Self.marker(before)
      guard minute.value < 60, seconds < 60, hour.value < 24 else { return .impossible }
      var value = hour.value
      if let marker, value <= 12 { value = value % 12 + (marker ? 12 : 0) }
      return .header(
        WhatsAppHeader(
          numbers: (first.value, second.value, third.value), firstDigits: first.digits,
          hasDots: hasDots,
          isISO: isBracketed && first.digits == 4 && !hasDots && before == " ",
          isOfOldForm: old != nil,
          isUnpadded: first.digits == 1 || second.digits == 1,
          hasCapitalMarker: after.contains("AM") || after.contains("PM"),
          secondOfDay: value * 3600 + minute.value * 60 + seconds, end: position))
    }

    /// Returns true for the afternoon; nil for a text that indicates neither half of the day.
    private static func marker(_ text: String) -> Bool? {
      HalfDay.isAfternoon(text.drop { dayWords.contains($0) })
    }

    // MARK: Parts

    private mutating func take(_ byte: UInt8) -> Bool {
      guard position < bytes.count, bytes[position] == byte else { return false }
      position += 1
      return true
    }

    /// The length of the direction mark, byte order mark or space at this position; 0 if there is
    /// none.
    private func markLength(blanks: Bool) -> Int {
      guard position < bytes.count else { return 0 }
      switch bytes[position] {
      case 0x20, 0x09: return blanks ? 1 : 0
      case 0xC2 where blanks:
        return position + 1 < bytes.count && bytes[position + 1] == 0xA0 ? 2 : 0
      case 0xE2:
        guard position + 2 < bytes.count, bytes[position + 1] == 0x80 else { return 0 }
        switch bytes[position + 2] {
        case 0x8E, 0x8F, 0xAA...0xAE: return 3
        case 0x80...0x8A, 0xAF: return blanks ? 3 : 0
        default: return 0
        }
      case 0xEF:
        return position + 2 < bytes.count && bytes[position + 1] == 0xBB
          && bytes[position + 2] == 0xBF
          ? 3 : 0
      default: return 0
      }
    }

    mutating func skipMarks(blanks: Bool = false) {
      while true {
        let length = markLength(blanks: blanks)
        guard length > 0 else { return }
        position += length
      }
    }

    /// The digit at this position, in European, Arabic, Persian, Indian or Burmese numerals.
    private func digit() -> (value: Int, length: Int)? {
      guard position < bytes.count else { return nil }
      let byte = bytes[position]
      if (0x30...0x39).contains(byte) { return (Int(byte - 0x30), 1) }
      guard position + 1 < bytes.count else { return nil }
      let next = bytes[position + 1]
      if byte == 0xD9, (0xA0...0xA9).contains(next) { return (Int(next - 0xA0), 2) }
      if byte == 0xDB, (0xB0...0xB9).contains(next) { return (Int(next - 0xB0), 2) }
      guard position + 2 < bytes.count else { return nil }
      let last = bytes[position + 2]
      // The scripts of India, from Devanagari to Malayalam, have their digits at the same place of
      // their blocks.
      if byte == 0xE0, (0xA5...0xB5).contains(next), next % 2 == 1, (0xA6...0xAF).contains(last) {
        return (Int(last - 0xA6), 3)
      }
      if byte == 0xE1, next == 0x81, (0x80...0x89).contains(last) { return (Int(last - 0x80), 3) }
      return nil
    }

    private mutating func number(upTo limit: Int) -> (value: Int, digits: Int)? {
      skipMarks()
      var value = 0
      var digits = 0
      while digits < limit, let digit = digit() {
        value = value * 10 + digit.value
        digits += 1
        position += digit.length
      }
      return digits > 0 && digit() == nil ? (value, digits) : nil
    }

    private mutating func separator(_ hasDots: inout Bool) -> Bool {
      skipMarks()
      guard position < bytes.count else { return false }
      let rest = bytes[position...]
      if let word = dateWords.first(where: { rest.starts(with: $0) }) {
        hasDateWords = true
        position += word.count
        skipMarks(blanks: true)
        return true
      }
      switch bytes[position] {
      case UInt8(ascii: "."): hasDots = true
      case UInt8(ascii: "/"), UInt8(ascii: "-"): break
      default: return false
      }
      position += 1
      skipMarks(blanks: true)
      return true
    }

    private mutating func colon() -> Bool {
      guard position < bytes.count,
        [UInt8(ascii: ":"), UInt8(ascii: ".")].contains(bytes[position])
      else { return false }
      position += 1
      return true
    }

    /// The text between the date and the time: a comma, a word such as `um`, or a part of the day.
    private mutating func words() -> String? {
      let start = position
      while digit() == nil {
        guard position < bytes.count, position - start < tailLimit,
          ![UInt8(ascii: "]"), UInt8(ascii: "["), UInt8(ascii: ":")].contains(bytes[position])
        else { return nil }
        position += 1
      }
      guard position > start else { return nil }
      return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    /// The text between a time with seconds and the colon that ends it in old chats; nil if
    /// anything but the half of the day is in between.
    private mutating func oldTail() -> String? {
      let start = position
      while position < bytes.count, position - start < tailLimit, digit() == nil {
        guard bytes[position] == UInt8(ascii: ":") else {
          position += 1
          continue
        }
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        let isTime = text.allSatisfy(\.isWhitespace) || Self.marker(text) != nil
        guard isTime, position + 1 < bytes.count, bytes[position + 1] == 0x20 else { break }
        position += 2
        return text
      }
      position = start
      return nil
    }

    /// The text between the time and the message, up to the mark that separates them.
    private mutating func tail(isBracketed: Bool) -> String? {
      let start = position
      // Korean: `2026년 3월 14일 오후 9:05, Ann : Hi`.
      if hasDateWords, !isBracketed, bytes[start...].starts(with: [UInt8(ascii: ","), 0x20]) {
        position += 2
        return ""
      }
      while position < bytes.count, position - start < tailLimit {
        if isBracketed, bytes[position] == UInt8(ascii: "]") {
          let text = String(decoding: bytes[start..<position], as: UTF8.self)
          position += 1
          skipMarks()
          _ = take(0x20)
          return text
        }
        if !isBracketed, bytes[position] == UInt8(ascii: "-"), position > start {
          let text = String(decoding: bytes[start..<position], as: UTF8.self)
          guard let last = text.unicodeScalars.last, last.properties.isWhitespace else {
            return nil
          }
          position += 1
          return take(0x20) ? text : nil
        }
        guard digit() == nil else { return nil }
        position += 1
      }
      return nil
    }
  }
}

/// Determines which of the three numbers in dates are the day, the month and the year, using all
/// dates in a file.
struct WhatsAppDates {
  fileprivate enum Order: CaseIterable {
    case dayFirst, monthFirst, yearFirst
  }

  private struct Account {
    var impossible = 0
    var backward = 0
    /// The number of days between each date and the next, added up.
    var travel = 0
    var last: Int?
    /// Set if a year has two digits.
    var isOfFewDigits = false
  }

  private var accounts: [Order: Account] = [:]
  /// The latest possible date; no chat has messages after it.
  private let latest: DayKey

  init(latest: DayKey) { self.latest = latest }

  private var distinct = 0
  private var last: (Int, Int, Int)?
  private var hasDots = false
  private var isAmerican = false

  /// Takes the date of a message.
  mutating func take(_ header: WhatsAppHeader) {
    let numbers = header.numbers
    hasDots = hasDots || header.hasDots
    isAmerican = isAmerican || header.isUnpadded && header.hasCapitalMarker && !header.hasDots
    if let last, last == numbers { return }
    last = numbers
    distinct += 1
    for order in Order.allCases {
      var account = accounts[order] ?? Account()
      account.isOfFewDigits = account.isOfFewDigits || header.firstDigits < 3
      if let day = Self.day(header, order)?.daysSinceEpoch, day <= latest.daysSinceEpoch,
        order != .yearFirst || header.firstDigits > 2 || header.numbers.0 >= 9
      {
        if let last = account.last {
          if day < last { account.backward += 1 }
          account.travel += min(abs(day - last), 100_000)
        }
        account.last = day
      } else {
        account.impossible += 1
      }
      accounts[order] = account
    }
  }

  /// How dates are read, and true if this was assumed.
  struct Reading {
    fileprivate var order: Order
    var isAssumed: Bool

    /// Returns the day of a message; nil if it doesn't exist.
    func day(_ header: WhatsAppHeader) -> DayKey? { WhatsAppDates.day(header, order) }

    /// The part assumed to be first: "day" or "month".
    var first: String { order == .monthFirst ? "month" : "day" }
  }

  func reading(else fallback: DateOrder = .inProcess) -> Reading {
    func account(_ order: Order) -> Account { accounts[order] ?? Account() }
    var orders = Order.allCases
    // A two-digit year comes first only if no other order makes most of them valid dates.
    if account(.yearFirst).isOfFewDigits,
      [.dayFirst, .monthFirst].contains(where: { account($0).impossible * 2 < distinct + 1 })
    {
      orders = [.dayFirst, .monthFirst]
    }
    let fewest = orders.map { account($0).impossible }.min() ?? 0
    var left = orders.filter { account($0).impossible == fewest }
    if left.count > 1 { left.removeAll { $0 == .yearFirst } }
    if left.count > 1 {
      let straight = left.map { account($0).backward }.min() ?? 0
      left.removeAll { account($0).backward > straight }
    }
    if left.count == 1 { return Reading(order: left[0], isAssumed: false) }
    if hasDots { return Reading(order: .dayFirst, isAssumed: false) }
    let (day, month) = (account(.dayFirst), account(.monthFirst))
    if distinct > 3, day.travel > month.travel * 4 {
      return Reading(order: .monthFirst, isAssumed: true)
    }
    if distinct > 3, month.travel > day.travel * 4 {
      return Reading(order: .dayFirst, isAssumed: true)
    }
    let isMonthFirst = isAmerican || fallback == .monthFirst
    return Reading(order: isMonthFirst ? .monthFirst : .dayFirst, isAssumed: true)
  }

  private static func day(_ header: WhatsAppHeader, _ order: Order) -> DayKey? {
    let (first, second, third) = header.numbers
    if header.firstDigits > 2 {
      return order == .yearFirst ? DayKey(year: year(first), month: second, day: third) : nil
    }
    switch order {
    case .dayFirst: return DayKey(year: year(third), month: second, day: first)
    case .monthFirst: return DayKey(year: year(third), month: first, day: second)
    case .yearFirst: return third > 31 ? nil : DayKey(year: year(first), month: second, day: third)
    }
  }

  /// Two-digit years are in this century; years of the Buddhist era are 543 ahead.
  private static func year(_ number: Int) -> Int {
    if number < 100 { return 2000 + number }
    return (2400...2700).contains(number) ? number - 543 : number
  }
}

import ArkivedCore
import Foundation

/// Numbers as tables write them, with a decimal point or comma.
struct TableNumbers {
  private var points = 0
  private var commas = 0
  /// True if some value would mean another number with the other separator.
  private(set) var isOpen = false

  /// The decimal separator of most values that determine it; nil until one does.
  var decimal: Character? {
    points == 0 && commas == 0 ? nil : points >= commas ? "." : ","
  }

  /// True if some values have a decimal point and others a decimal comma.
  var isMixed: Bool { points > 0 && commas > 0 }

  /// Examines a value for evidence of the separator.
  mutating func take(_ text: String) {
    guard let written = Written(text) else { return }
    switch written.evidence {
    case .decimal(let mark):
      if mark == "." { points += 1 } else { commas += 1 }
    case .either: isOpen = true
    case .whole: break
    }
  }

  /// Returns a value's number, ignoring currency and per cent signs.
  ///
  /// A value that shows its own decimal separator is read by it; the table's separator only counts
  /// for a value such as `1,234`.
  ///
  /// - Parameters:
  ///   - text: the text.
  ///   - fallback: the separator if no value of the table determined it.
  /// - Returns: the number.
  func number(_ text: String, fallback: Character) -> Double? {
    Written(text)?.number(decimal ?? fallback)
  }

  /// Returns a number of degrees, in which a separator never marks thousands.
  static func degrees(_ text: String) -> Double? {
    guard let written = Written(text) else { return nil }
    guard case .either = written.evidence else { return written.number(".") }
    return written.number(text.contains(",") ? "," : ".")
  }

  /// Returns the sign of a currency in a value or a unit.
  static func currency(in text: String) -> Character? { text.first { "€$£".contains($0) } }

  static func isNumber(_ text: String) -> Bool { Written(text).map { $0.power == 0 } ?? false }

  /// A number as it is written.
  private struct Written {
    enum Evidence {
      case decimal(Character)
      /// `1,234`: a fraction of three digits, or thousands.
      case either
      /// No separator of decimals.
      case whole
    }

    let evidence: Evidence
    /// The exponent of ten, as in `1.2e3`.
    let power: Int
    private let sign: String
    private let digits: String

    /// Splits a number into its parts; returns nil if it isn't a number with either separator.
    init?(_ text: String) {
      var rest = text.replacing("−", with: "-")[...].trimmingSigns
      var sign = ""
      if let first = rest.first, first == "-" || first == "+" {
        sign = first == "-" ? "-" : ""
        rest = rest.dropFirst().trimmingSigns
      }
      var power = 0
      if let mark = rest.firstIndex(where: { $0 == "e" || $0 == "E" }) {
        guard let number = Int(rest[mark...].dropFirst()), abs(number) < 300 else { return nil }
        power = number
        rest = rest[..<mark]
      }
      let digits = String(
        rest.map { $0.isWhitespace || $0 == "’" ? "'" : $0 })
      guard digits.contains(where: Self.isDigit),
        digits.allSatisfy({ Self.isDigit($0) || ".,'".contains($0) }),
        let evidence = Self.evidence(digits)
      else { return nil }
      (self.evidence, self.power, self.sign, self.digits) = (evidence, power, sign, digits)
    }

    private static func isDigit(_ character: Character) -> Bool { ("0"..."9").contains(character) }

    /// Returns what a number shows about its separator, or nil if its digits aren't grouped like
    /// those of a number.
    private static func evidence(_ digits: String) -> Evidence? {
      let marks = digits.filter { ".,".contains($0) }
      guard let last = marks.last, let place = digits.lastIndex(of: last) else {
        return areGroups(digits, by: "'") ? .whole : nil
      }
      let (whole, fraction) = (digits[..<place], digits[place...].dropFirst())
      guard fraction.allSatisfy(isDigit) else { return nil }
      // Of two kinds, the last one is the decimal separator; one kind that occurs twice separates
      // thousands.
      if Set(marks).count == 2 {
        let other: Character = last == "." ? "," : "."
        guard !whole.contains(last), !whole.contains("'"), areGroups(whole, by: other) else {
          return nil
        }
        return .decimal(last)
      }
      if marks.count > 1 {
        guard areGroups(digits, by: last) else { return nil }
        return .decimal(last == "." ? "," : ".")
      }
      guard areGroups(whole, by: "'") else { return nil }
      let isOpen =
        fraction.count == 3 && (1...3).contains(whole.count) && whole.allSatisfy(isDigit)
        && !digits.hasPrefix("0")
      return isOpen ? .either : .decimal(last)
    }

    /// Returns true if digits are grouped like thousands, including India's grouping
    /// (`12,34,567`), and not like a date or a version; also if there is only one group.
    private static func areGroups(_ digits: some StringProtocol, by mark: Character) -> Bool {
      let parts = digits.split(separator: mark, omittingEmptySubsequences: false)
      guard parts.allSatisfy({ $0.allSatisfy(isDigit) }) else { return false }
      return parts.count == 1
        || (1...3).contains(parts[0].count) && parts[parts.count - 1].count == 3
          && parts.dropFirst().allSatisfy { (2...3).contains($0.count) }
    }

    /// Returns the number.
    ///
    /// - Parameter mark: the decimal separator if the number doesn't show its own.
    /// - Returns: nil if it is too large.
    func number(_ mark: Character) -> Double? {
      let decimal =
        switch evidence {
        case .decimal(let own): own
        case .either, .whole: mark
        }
      let plain = digits.filter { Self.isDigit($0) || $0 == decimal }
      let text = decimal == "," ? plain.replacing(",", with: ".") : plain
      return Double("\(sign)\(text)\(power == 0 ? "" : "e\(power)")")
        .flatMap { $0.isFinite ? $0 : nil }
    }
  }
}

extension Substring {
  /// The text without white space, currency and per cent signs at either end.
  fileprivate var trimmingSigns: Substring {
    func isSign(_ character: Character) -> Bool {
      character.isWhitespace || "%€$£".contains(character)
    }
    var text = drop(while: isSign)
    while let last = text.last, isSign(last) { text = text.dropLast() }
    return text
  }
}

/// Days and instants as tables write them.
enum TableMoment: Hashable {
  /// A local time, or a day alone.
  case local(DayKey, second: Int?)
  /// An instant in UTC, since 1970, or with another offset in seconds east of UTC.
  case instant(Instant, offset: Int?)

  init?(_ text: String, order: DateOrder) {
    let tight = Self.tight(text)
    if let time = ISODateTime(tight) {
      if let offset = time.offsetSeconds, let instant = Instant(tight) {
        self = .instant(instant, offset: offset == 0 ? nil : offset)
      } else {
        self = .local(time.wall.day, second: time.wall.secondOfDay)
      }
      return
    }
    if let day = TableTimes.day(text, order: order) {
      self = .local(day, second: nil)
      return
    }
    let digits = text.prefix { ("0"..."9").contains($0) }
    // A fraction of a second may follow, as Python writes it.
    let fraction = text.dropFirst(digits.count)
    if fraction.isEmpty || (fraction.first == "." && fraction.dropFirst().allSatisfy(\.isNumber)),
      let number = Int64(digits)
    {
      switch digits.count {
      case 10: self = .instant(Instant(milliseconds: number * 1000), offset: nil)
      case 13: self = .instant(Instant(milliseconds: number), offset: nil)
      default: return nil
      }
      return
    }
    // `20251120T181233Z`.
    if let spread = Self.spread(text) {
      self.init(spread, order: order)
      return
    }
    // `03/25/2026 1:00 PM`, `25.03.2026, 13:00`, `Nov 20, 2025, 6:12:33 AM`.
    let parts = text.split(maxSplits: 1) { $0 == " " || $0 == "T" }
    if parts.count == 2,
      let day = TableTimes.day(String(parts[0].filter { $0 != "," }), order: order)
    {
      self.init(day, clock: parts[1])
    } else if let (day, clock) = WrittenDate.parts(text) {
      self.init(day, clock: clock)
    } else {
      return nil
    }
  }

  /// Parses the value of a field; a day alone may also be written as `240615`.
  init?(_ text: String, in field: TableField, order: DateOrder) {
    if field == .date, let day = TableTimes.shortDay(text) {
      self = .local(day, second: nil)
    } else {
      self.init(text, order: order)
    }
  }

  /// Returns the local day: the one that is written, or that of an instant.
  func day(in zone: Zone) -> DayKey {
    switch self {
    case .local(let day, _): day
    case .instant(let instant, let offset?): WallTime(utc: instant.adding(seconds: offset)).day
    case .instant(let instant, nil): zone.dayKey(at: instant)
    }
  }

  /// Parses the clock time after a day, with an optional offset after it.
  private init?(_ day: DayKey, clock: Substring) {
    // ISO 8601's end of a day.
    if ["24:00", "24:00:00"].contains(clock), day < .latest {
      self = .local(day.advanced(by: 1), second: 0)
      return
    }
    if let second = TableTimes.secondOfDay(String(clock)) {
      self = .local(day, second: second)
      return
    }
    // The rest may be a zone: `06:12:33 +0100`, `06:12 UTC`.
    guard let space = clock.lastIndex(where: { $0 == " " }),
      let second = TableTimes.secondOfDay(String(clock[..<space]))
    else { return nil }
    let wall = WallTime(day: day, secondOfDay: second)
    self.init(Self.tight("\(wall) \(clock[clock.index(after: space)...])"), order: .dayFirst)
    guard case .instant = self else { return nil }
  }

  /// Returns `20251120T181233Z` as `2025-11-20T18:12:33Z`.
  private static func spread(_ text: String) -> String? {
    guard text.utf8.count >= 13, text.utf8.count <= 21,
      text.prefix(8).utf8.allSatisfy({ (0x30...0x39).contains($0) }),
      let mark = text.dropFirst(8).first, mark == "T" || mark == " ",
      let day = TableTimes.day(String(text.prefix(8)), order: .dayFirst)
    else { return nil }
    let clock = text.dropFirst(9).prefix { ("0"..."9").contains($0) }
    guard clock.count == 4 || clock.count == 6 else { return nil }
    var pairs = [clock.prefix(2), clock.dropFirst(2).prefix(2), clock.dropFirst(4)].map(String.init)
    if pairs[2].isEmpty { pairs[2] = "00" }
    return "\(day)T\(pairs.joined(separator: ":"))\(text.dropFirst(9 + clock.count))"
  }

  /// Returns `2026-03-10 09:00:00 +0200` and `… UTC` without the space before the offset.
  private static func tight(_ text: String) -> String {
    guard let space = text.lastIndex(of: " "), text[..<space].contains(":") else { return text }
    let zone = text[text.index(after: space)...]
    if ["UTC", "GMT", "Z"].contains(zone.uppercased()) { return String(text[..<space]) + "Z" }
    return zone.hasPrefix("+") || zone.hasPrefix("-") ? String(text[..<space] + zone) : text
  }

  /// Returns true if a value contains a day in any form.
  static func isDay(_ text: String) -> Bool {
    let text = span(text)?.start ?? text
    return TableMoment(text, order: .dayFirst) != nil
      || TableMoment(text, order: .monthFirst) != nil || TableTimes.withCentury(text) != nil
  }

  /// Returns the two ends of a value that has both, as Notion writes it: `March 3, 2026 → March 5,
  /// 2026`.
  static func span(_ text: String) -> (start: String, end: String)? {
    guard text.contains("→") else { return nil }
    let parts = text.split(separator: "→", maxSplits: 1)
      .map { $0.trimmingCharacters(in: .whitespaces) }
    return parts.count == 2 ? (parts[0], parts[1]) : nil
  }

  /// Returns true if a value contains more than a day: a time that isn't midnight.
  static func hasClock(_ text: String) -> Bool {
    let text = span(text)?.start ?? text
    let moment =
      TableMoment(text, order: .dayFirst) ?? TableMoment(text, order: .monthFirst)
      ?? TableTimes.withCentury(text).flatMap { TableMoment($0, order: .dayFirst) }
    return switch moment {
    case .local(_, let second): second ?? 0 != 0
    case .instant(let instant, let offset):
      !(instant.milliseconds + Int64(offset ?? 0) * 1000).isMultiple(of: 86_400_000)
    case nil: false
    }
  }

  /// Returns the date in a value, used to find out the order of the table's dates.
  static func date(of text: String) -> String {
    String(text.prefix { !$0.isWhitespace && $0 != "," && $0 != "T" })
  }
}

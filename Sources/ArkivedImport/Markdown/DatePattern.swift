import ArkivedCore

/// The pattern of a program's file names for days, used to parse the day from such a name.
///
/// Obsidian writes patterns as moment.js does (`YYYY-MM-DD`, `[Day] DDDD`), Logseq as Java does
/// (`yyyy_MM_dd`). Names of months are those of the program's language, as `WrittenDate` reads them.
struct DatePattern: Hashable, Sendable {
  private enum Part: Hashable, Sendable {
    case year, shortYear, month, day, ordinalDay, dayOfYear, monthName
    /// A number of at most this many digits that doesn't determine the day, such as a week's.
    case number(Int)
    /// The name of a weekday, or AM or PM.
    case word
    case literal(Character)
  }

  private let parts: [Part]

  /// `YYYY-MM-DD`, used by both Obsidian and Arkived for days.
  static let usual = DatePattern(moment: "YYYY-MM-DD")
  /// `yyyy_MM_dd`, used by Logseq for its journals.
  static let logseq = DatePattern(java: "yyyy_MM_dd")

  init(moment pattern: String) {
    parts = Self.parts(pattern, quotes: ("[", "]")) { run in
      switch run {
      case "YYYY", "Y": .year
      case "YY": .shortYear
      case "M", "MM": .month
      case "MMM", "MMMM": .monthName
      case "D", "DD": .day
      case "Do": .ordinalDay
      case "DDD", "DDDD": .dayOfYear
      case "dd", "ddd", "dddd", "a", "A": .word
      case "gggg", "GGGG": .number(4)
      case "d", "e", "E", "Q": .number(1)
      case "w", "ww", "W", "WW", "gg", "GG", "H", "HH", "h", "hh", "m", "mm", "s", "ss": .number(2)
      default: nil
      }
    }
  }

  init(java pattern: String) {
    parts = Self.parts(pattern, quotes: ("'", "'")) { run in
      switch run {
      case "yyyy", "y": .year
      case "yy": .shortYear
      case "M", "MM": .month
      case "MMM", "MMMM": .monthName
      case "d", "dd": .day
      case "do": .ordinalDay
      case "E", "EE", "EEE", "EEEE", "a": .word
      case "w", "ww": .number(2)
      default: nil
      }
    }
  }

  /// The number of folders in the pattern before the file.
  var folderCount: Int { parts.count { $0 == .literal("/") } }

  private static func parts(
    _ pattern: String, quotes: (Character, Character), _ token: (String) -> Part?
  ) -> [Part] {
    var parts: [Part] = []
    var rest = Substring(pattern)
    while let first = rest.first {
      if first == quotes.0, let end = rest.dropFirst().firstIndex(of: quotes.1) {
        parts += rest[rest.index(after: rest.startIndex)..<end].map { Part.literal($0) }
        rest = rest[rest.index(after: end)...]
        continue
      }
      var run = String(rest.prefix { $0 == first })
      let next = rest.dropFirst(run.count).first
      if next == "o", token(String(first) + "o") != nil, run.count == 1 { run += "o" }
      if first.isLetter, let part = token(run) {
        parts.append(part)
      } else {
        parts += run.map { Part.literal($0) }
      }
      rest = rest.dropFirst(run.count)
    }
    return parts
  }

  // MARK: Reading

  /// Parses the day from a name that matches the whole pattern.
  ///
  /// - Parameter name: the name without the extension `.md`, preceded by as many folders as the
  ///   pattern has.
  /// - Returns: the day; nil if it isn't one.
  func day(in name: String) -> DayKey? {
    var reading = Reading(rest: Substring(name))
    for part in parts {
      guard reading.take(part) else { return nil }
    }
    return reading.rest.isEmpty ? reading.day : nil
  }

  private struct Reading {
    var rest: Substring
    private var year: Int?
    private var month: Int?
    private var dayOfMonth: Int?
    private var dayOfYear: Int?

    init(rest: Substring) { self.rest = rest }

    var day: DayKey? {
      guard let year else { return nil }
      if let month, let dayOfMonth { return DayKey(year: year, month: month, day: dayOfMonth) }
      guard let dayOfYear, dayOfYear > 0, let first = DayKey(year: year, month: 1, day: 1) else {
        return nil
      }
      let day = first.advanced(by: dayOfYear - 1)
      return day.year == year ? day : nil
    }

    mutating func take(_ part: Part) -> Bool {
      switch part {
      case .year: return set(\.year, digits: 4...4)
      case .shortYear:
        guard let short = number(2...2) else { return false }
        year = short + (short < 70 ? 2000 : 1900)
      case .month: return set(\.month, digits: 1...2)
      case .day: return set(\.dayOfMonth, digits: 1...2)
      case .dayOfYear: return set(\.dayOfYear, digits: 1...3)
      case .ordinalDay:
        guard set(\.dayOfMonth, digits: 1...2) else { return false }
        // `10th`, `10.`, `1er`, `10º`, `10e`.
        let endings = ["st", "nd", "rd", "th", ".", "er", "º", "ª", "e"]
        if let ending = endings.first(where: { rest.hasPrefix($0) }) {
          rest = rest.dropFirst(ending.count)
        }
      case .monthName:
        let name = NameFolding.loose(String(word())).filter { $0 != "." }
        if let number = WrittenDate.month(name[...]) {
          month = number
        } else if name.count >= 3,
          let index = Self.months.firstIndex(where: { $0.hasPrefix(name) })
        {
          month = index + 1
        } else {
          return false
        }
      case .number(let digits): return number(1...digits) != nil
      case .word:
        guard !word().isEmpty else { return false }
        // `segunda-feira`.
        if rest.hasPrefix("-feira") { rest = rest.dropFirst("-feira".count) }
      case .literal(let character):
        guard rest.first == character else { return false }
        rest = rest.dropFirst()
      }
      return true
    }

    private mutating func set(
      _ field: WritableKeyPath<Reading, Int?>, digits: ClosedRange<Int>
    ) -> Bool {
      guard let value = number(digits) else { return false }
      // A part that occurs twice, as in a folder and a name, must be the same in both places.
      guard self[keyPath: field] == nil || self[keyPath: field] == value else { return false }
      self[keyPath: field] = value
      return true
    }

    private mutating func number(_ digits: ClosedRange<Int>) -> Int? {
      let run = rest.prefix(digits.upperBound).prefix { ("0"..."9").contains($0) }
      guard run.count >= digits.lowerBound else { return nil }
      rest = rest.dropFirst(run.count)
      return Int(run)
    }

    private mutating func word() -> Substring {
      let run = rest.prefix { $0.isLetter || $0 == "." }
      rest = rest.dropFirst(run.count)
      return run
    }

    private static let months = [
      "january", "february", "march", "april", "may", "june", "july", "august", "september",
      "october", "november", "december",
    ]
  }
}

import ArkivedCore
import Foundation

/// Formatting of words, numbers and quotes in recaps.
enum RecapText {
  /// Formats a number: "three", "14", "5,000".
  static func number(_ count: Int) -> String {
    Language.current.spelt(count) ?? grouped(String(count))
  }

  /// Formats a number of entries: "one entry", "14 entries".
  static func entries(_ count: Int) -> String {
    said(count, one: "one entry", other: "\(number(count)) entries")
  }

  /// Formats a number of entries after "in", which inflects it in some languages: "in one entry".
  static func inEntries(_ count: Int) -> String {
    said(count, one: "in one entry", other: "in \(number(count)) entries")
  }

  /// Formats a number of days: "on one day", "on 14 days".
  static func onDays(_ count: Int) -> String {
    said(count, one: "on one day", other: "on \(number(count)) days")
  }

  /// Formats a number of notes: "one note", "three notes".
  static func notes(_ count: Int) -> String {
    said(count, one: "one note", other: "\(number(count)) notes")
  }

  /// The end of an incomplete list.
  enum Rest {
    case others, more

    fileprivate func told(_ count: Int) -> String {
      switch self {
      case .others: said(count, one: "one other", other: "\(number(count)) others")
      case .more: said(count, one: "one more", other: "\(number(count)) more")
      }
    }
  }

  /// Formats a list: "a, b and c"; with `more`, "a, b and four others".
  static func list(_ items: [String], more: Int = 0, rest: Rest = .others) -> String {
    var items = items
    if more > 0 { items.append(rest.told(more)) }
    guard let last = items.last, items.count > 1 else { return items.first ?? "" }
    return said("\(items.dropLast().joined(separator: ", ")) and \(last)")
  }

  /// Groups the digits before the decimal point by three: "1234.5" becomes "1,234.5", in German
  /// "1.234,5".
  static func grouped(_ digits: String) -> String {
    let parts = digits.split(separator: ".", maxSplits: 1)
    guard let whole = parts.first, whole.allSatisfy(\.isNumber) else {
      return digits.replacing(".", with: Language.current.decimalSign)
    }
    var result = ""
    for (index, digit) in whole.enumerated() {
      if index > 0, (whole.count - index) % 3 == 0 { result += Language.current.groupSign }
      result.append(digit)
    }
    return parts.count > 1 ? result + Language.current.decimalSign + parts[1] : result
  }

  /// Formats a number with at most one decimal place, two below 1, none from 1,000: "12.8",
  /// "1,204".
  static func plain(_ value: Double) -> String {
    guard value.isFinite else { return "–" }
    // Sums of decimal fractions have rounding errors in their last digits.
    let value = abs(value) < 1e9 ? (value * 1e6).rounded() / 1e6 : value
    let rounded =
      switch abs(value) {
      case ..<1: (value * 100).rounded() / 100
      case ..<1000: (value * 10).rounded() / 10
      default: value.rounded()
      }
    return grouped(AmountText.plain(rounded))
  }

  private static let time: Set<String> = ["minutes", "minute", "min", "mins"]
  private static let currencies: Set<String> = ["€", "$", "£", "¥"]

  /// Returns true if a unit follows its amount, and can be omitted when repeated.
  static func isWord(_ unit: String) -> Bool {
    !time.contains(unit.lowercased()) && !currencies.contains(unit)
  }

  /// Formats an amount: "12.8 km", "1 page", "7 h 20 min", "€12.50".
  static func amount(_ value: Double, _ unit: String?) -> String {
    guard let unit, !unit.isEmpty, unit != "count" else { return plain(value) }
    if time.contains(unit.lowercased()) { return duration(value) }
    if currencies.contains(unit) {
      let cents = value == value.rounded() ? plain(value) : grouped(String(format: "%.2f", value))
      return Language.current.isCurrencyBehind ? "\(cents) \(unit)" : unit + cents
    }
    if plain(value) == "1", let known = UnitTable.standard.unit(named: unit), known.name == unit {
      return "1 \(saidWhole(known.singular))"
    }
    return "\(plain(value)) \(saidWhole(unit))"
  }

  /// Formats a duration: "45 min", "2 h", "7 h 20 min".
  static func duration(_ minutes: Double) -> String {
    guard minutes.isFinite, abs(minutes) < 1e12 else { return "–" }
    let whole = Int(minutes.rounded())
    if whole < 60 { return "\(whole) min" }
    let hours = grouped(String(whole / 60))
    return whole % 60 == 0 ? "\(hours) h" : "\(hours) h \(whole % 60) min"
  }

  /// Formats a duration, in whole hours from ten hours: "39 h".
  static func roughDuration(_ minutes: Double) -> String {
    duration(minutes < 600 ? minutes : (minutes / 60).rounded() * 60)
  }

  /// Formats a minute of the day in the clock format that the owner chose: "07:50".
  static func clock(_ minute: Int) -> String {
    WallTime(day: .earliest, secondOfDay: minute % 1_440 * 60).shownClock
  }

  /// Returns a metric's display name: "restingHeartRate" as "resting heart rate"; durations lose
  /// the name of their unit.
  static func metric(_ name: String) -> String { MetricText.shownName(name) }

  // words: work | personal | health | admin | learning | social | travel | other
  /// Returns the name of an activity's kind within a sentence.
  static func kind(_ name: String) -> String { saidWhole(name) }

  static func capitalised(_ text: String) -> String {
    guard let first = text.first else { return text }
    return first.uppercased() + text.dropFirst()
  }

  /// Shortens a text to one line of at most `limit` characters, without control characters, cut
  /// between words.
  static func shortened(_ text: String, to limit: Int) -> String {
    // Only as much of a long text as can be shown is examined.
    let head = text.prefix(limit * 4)
    var line = ""
    for part in head.split(whereSeparator: { $0.isWhitespace || $0.isNewline }) {
      let word = part.filter { !isControl($0) }
      if word.isEmpty { continue }
      if line.count + word.count + 1 > limit {
        if line.isEmpty { line = String(word.prefix(limit)) }
        return line.trimmingCharacters(in: CharacterSet(charactersIn: " ,;:–—-")) + " …"
      }
      line += line.isEmpty ? word : " " + word
    }
    return head.endIndex < text.endIndex ? line + " …" : line
  }

  /// Returns true for control characters, and for those that change the text direction.
  private static func isControl(_ character: Character) -> Bool {
    character.unicodeScalars.allSatisfy { scalar in
      switch scalar.value {
      case 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: true
      default: scalar.properties.generalCategory == .control
      }
    }
  }

  /// Returns an entry's text in quotation marks, or its tags if it has no text.
  static func quoted(_ entry: TimelineEntry, to limit: Int = 90) -> String {
    let words = inner(entry.text, to: limit)
    guard words.isEmpty else { return Language.current.quoted(words) }
    guard !entry.tags.isEmpty else { return said("an entry without text") }
    return said("an entry tagged \(list(entry.tags.prefix(3).map { RecapSubject.tag($0).told }))")
  }

  /// Returns a text in quotation marks; inner marks become single ones.
  static func quoted(_ text: String, to limit: Int = 90) -> String {
    Language.current.quoted(inner(text, to: limit))
  }

  private static func inner(_ text: String, to limit: Int) -> String {
    var inner = shortened(text, to: limit)
    var isOpen = false
    inner = String(
      inner.map { character in
        switch character {
        case "“": return "‘"
        case "”": return "’"
        case "\"":
          isOpen.toggle()
          return isOpen ? "‘" : "’"
        default: return character
        }
      })
    // The surrounding sentence has its own punctuation.
    while inner.last == "." || inner.last == "," || inner.last == ";" { inner.removeLast() }
    return inner
  }

  /// Returns the first sentences of a note that fit, without Markdown markers at the start of
  /// lines.
  static func opening(of note: String, limit: Int = 220) -> String {
    let plain = note.prefix(limit * 6).split(whereSeparator: \.isNewline).map { line in
      line.drop { "#>*-+ \t".contains($0) }
    }
    var result = ""
    for line in plain where !line.isEmpty {
      for sentence in sentences(of: line) {
        if !result.isEmpty, result.count + sentence.count > limit { return result }
        if !result.isEmpty { result += " " }
        result += sentence
        if result.count > limit { return shortened(result, to: limit) }
      }
    }
    return result
  }

  private static let abbreviations: Set<Substring> = [
    "Dr", "Mr", "Mrs", "Ms", "St", "Prof", "e.g", "i.e", "etc", "no", "vs",
  ]

  private static func sentences(of line: Substring) -> [String] {
    var result: [String] = []
    var current: [Substring] = []
    for word in line.split(whereSeparator: \.isWhitespace) {
      current.append(word)
      let bare = word.trimmingSuffix { "\"”’')".contains($0) }
      guard let end = bare.last, ".!?…".contains(end) else { continue }
      if end == ".", abbreviations.contains(bare.dropLast()) || bare.count == 2 { continue }
      result.append(current.joined(separator: " "))
      current = []
    }
    if !current.isEmpty { result.append(current.joined(separator: " ")) }
    return result
  }
}

extension Substring {
  fileprivate func trimmingSuffix(while holds: (Character) -> Bool) -> Substring {
    var rest = self
    while let last = rest.last, holds(last) { rest.removeLast() }
    return rest
  }
}

import Foundation

/// A language that the faces speak. A further one is a row here and a catalogue in `Resources/`;
/// `Documentation/Translating.md` tells how.
package struct Language: Hashable, Sendable {
  /// As in HTML's `lang`, BCP 47: "en", "de".
  package let code: String
  /// What it calls itself.
  package let name: String
  let months: [String]
  /// From Monday on.
  let weekdays: [String]
  /// So many letters of a weekday are enough where there is little room.
  let weekdayLetters: Int
  /// What stands behind the number of a day: "16. November".
  package let dayMark: String
  /// Whether the month may stand first, where the owner wants it so.
  let mayTellMonthFirst: Bool
  package let decimalSign: String
  package let groupSign: String
  /// From zero on, as a sentence counts things: "no", "one", … "ten".
  let numbers: [String]
  /// Before and behind what is quoted.
  let quotes: [String]
  /// Whether "€" stands behind its amount.
  package let isCurrencyBehind: Bool

  package static func == (left: Language, right: Language) -> Bool { left.code == right.code }

  package func hash(into hasher: inout Hasher) { hasher.combine(code) }

  package static let english = Language(
    code: "en", name: "English", months: MonthName.full, weekdays: Weekday.allCases.map(\.name),
    weekdayLetters: 3, dayMark: "", mayTellMonthFirst: true, decimalSign: ".", groupSign: ",",
    numbers: [
      "no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
    ], quotes: ["“", "”"], isCurrencyBehind: false)

  package static let german = Language(
    code: "de", name: "Deutsch",
    months: [
      "Januar", "Februar", "März", "April", "Mai", "Juni", "Juli", "August", "September",
      "Oktober", "November", "Dezember",
    ],
    weekdays: [
      "Montag", "Dienstag", "Mittwoch", "Donnerstag", "Freitag", "Samstag", "Sonntag",
    ],
    weekdayLetters: 2, dayMark: ".", mayTellMonthFirst: false, decimalSign: ",", groupSign: ".",
    numbers: [
      "keine", "eins", "zwei", "drei", "vier", "fünf", "sechs", "sieben", "acht", "neun", "zehn",
      "elf", "zwölf",
    ], quotes: ["„", "“"], isCurrencyBehind: true)

  package static let all: [Language] = [.english, .german]

  /// The language of the work at hand: that of the request or the command; English elsewhere, so
  /// that what programs read never changes.
  package static var current: Language {
    ShownDates.preferences.language.fixed ?? .english
  }

  /// "Mon", "Mo": a weekday for the head of a narrow column.
  package func short(_ weekday: Weekday) -> String {
    String(weekdays[weekday.rawValue - 1].prefix(weekdayLetters))
  }

  /// "three": a number of things in a word; nil where digits are usual.
  package func spelt(_ count: Int) -> String? {
    numbers.indices.contains(count) ? numbers[count] : nil
  }

  /// “words”, „Wörter“: what a person wrote, within a sentence.
  package func quoted(_ text: String) -> String {
    (quotes.first ?? "") + text + (quotes.last ?? "")
  }

  /// Which of a language's plural forms a number takes (CLDR, cardinal numbers), by the order of
  /// `msgstr[0]`, `msgstr[1]` in its catalogue.
  func pluralForm(_ count: Int) -> Int {
    switch code {
    case "en", "de": count == 1 ? 0 : 1
    default: count == 1 ? 0 : 1
    }
  }

  /// The language that a browser asks for (RFC 9110, section 12.5.4): the known one of the highest
  /// weight, the first of them where weights are the same; English where none is known.
  package static func accepted(_ header: String) -> Language {
    var best: (language: Language, weight: Double)?
    for part in header.split(separator: ",").prefix(40) {
      let fields = part.split(separator: ";").map { $0.trimmingCharacters(in: .whitespaces) }
      guard let tag = fields.first else { continue }
      let found = tag == "*" ? english : all.first { $0.isMeant(by: tag, separators: "-") }
      let weight =
        fields.dropFirst().first { $0.lowercased().hasPrefix("q=") }
        .map { Double($0.dropFirst(2)) ?? 0 } ?? 1
      guard let found, weight > 0, weight <= 1 else { continue }
      if weight > (best?.weight ?? 0) { best = (found, weight) }
    }
    return best?.language ?? .english
  }

  /// The language of a terminal: `ARKIVED_LANGUAGE`, else the locale of messages (POSIX, section
  /// 8.2: `LC_ALL`, `LC_MESSAGES`, `LANG`); English where it is another.
  package static func ofTerminal(_ environment: [String: String]) -> Language {
    for name in ["ARKIVED_LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"] {
      guard let value = environment[name], !value.isEmpty else { continue }
      return named(value) ?? .english
    }
    return .english
  }

  /// "de", "de_DE.UTF-8", "de-AT", "Deutsch"; nil for one that is not spoken here.
  package static func named(_ text: String) -> Language? {
    all.first { $0.isMeant(by: text, separators: "-_.@") || $0.name == text }
  }

  private func isMeant(by tag: String, separators: String) -> Bool {
    tag.prefix { !separators.contains($0) }.lowercased() == code
  }
}

extension Preferences {
  /// In which language pages speak.
  package enum Speech: String, CaseIterable, Sendable {
    /// As the browser asks.
    case automatic = "auto"
    case english = "en"
    case german = "de"

    /// nil where it is for the browser to say.
    package var fixed: Language? {
      switch self {
      case .automatic: nil
      case .english: .english
      case .german: .german
      }
    }

    package init(_ language: Language) { self = Speech(rawValue: language.code) ?? .english }
  }
}

extension ShownDates {
  /// Runs work that speaks a language.
  package static func speaking<Value>(
    _ language: Language, _ work: () throws -> Value
  ) rethrows -> Value {
    var preferences = preferences
    preferences.language = Preferences.Speech(language)
    return try $preferences.withValue(preferences) { try work() }
  }
}

extension Weekday {
  /// The name in the language of the work at hand.
  package var shownName: String { Language.current.weekdays[rawValue - 1] }
}

extension DayKey {
  /// "16 November", "16. November", whatever order the owner wants: for sentences of prose.
  package var toldDayAndMonth: String {
    "\(day)\(Language.current.dayMark) \(MonthName.shown[month - 1])"
  }

  /// "Monday, 16 November 2026", "Montag, 16. November 2026".
  package var toldLongName: String { "\(weekday.shownName), \(shownPlainName)" }
}

extension MonthName {
  /// The names in the language of the work at hand.
  package static var shown: [String] { Language.current.months }

  /// "Nov", "Mär": a month from 1 to 12, cut to three letters.
  package static func short(_ month: Int) -> String { String(shown[month - 1].prefix(3)) }
}

extension AmountText {
  /// "5", "5.25", in German "5,25".
  package static func shown(_ amount: Double) -> String {
    let sign = Language.current.decimalSign
    return sign == "." ? plain(amount) : plain(amount).replacing(".", with: sign)
  }

  /// "8,412", in German "8.412": a whole number in groups of three.
  package static func grouped(_ number: Int) -> String {
    var digits = String(number.magnitude)
    var groups: [String] = []
    while digits.count > 3 {
      groups.insert(String(digits.suffix(3)), at: 0)
      digits.removeLast(3)
    }
    groups.insert(digits, at: 0)
    return (number < 0 ? "−" : "") + groups.joined(separator: Language.current.groupSign)
  }
}

import Foundation

/// A language of the user interfaces.
///
/// To add one, add a row here and a catalogue in `Resources/`; see `Documentation/Translating.md`.
package struct Language: Hashable, Sendable {
  /// The language code as used in HTML's `lang` (BCP 47), such as "en" or "de".
  package let code: String
  /// The name in the language itself.
  package let name: String
  let months: [String]
  /// The names of the days, beginning with Monday.
  let weekdays: [String]
  /// The number of letters of an abbreviated weekday.
  let weekdayLetters: Int
  /// The text after the day number, such as the full stop in German.
  package let dayMark: String
  /// True if the owner can prefer the month first.
  let mayTellMonthFirst: Bool
  package let decimalSign: String
  package let groupSign: String
  /// The words for numbers in sentences, starting from zero: "no", "one", … "ten".
  let numbers: [String]
  /// The opening and the closing quotation mark.
  let quotes: [String]
  /// True if "€" follows its amount.
  package let isCurrencyBehind: Bool
  /// The sign after a percentage, including any space before it.
  package let percentSign: String

  package static func == (left: Language, right: Language) -> Bool { left.code == right.code }

  package func hash(into hasher: inout Hasher) { hasher.combine(code) }

  package static let english = Language(
    code: "en", name: "English", months: MonthName.full, weekdays: Weekday.allCases.map(\.name),
    weekdayLetters: 3, dayMark: "", mayTellMonthFirst: true, decimalSign: ".", groupSign: ",",
    numbers: [
      "no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
    ], quotes: ["“", "”"], isCurrencyBehind: false, percentSign: "%")

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
    ], quotes: ["„", "“"], isCurrencyBehind: true, percentSign: " %")

  package static let all: [Language] = [.english, .german]

  /// The current language: the language of the request or the command; English elsewhere, because
  /// output for programs must never change.
  package static var current: Language {
    ShownDates.preferences.language.fixed ?? .english
  }

  /// Returns a weekday for the heading of a narrow column: "Mon", "Mo".
  package func short(_ weekday: Weekday) -> String {
    String(weekdays[weekday.rawValue - 1].prefix(weekdayLetters))
  }

  /// Returns a number as a word, such as "three", or nil if digits are usual.
  package func spelt(_ count: Int) -> String? {
    numbers.indices.contains(count) ? numbers[count] : nil
  }

  /// Returns a person's words quoted within a sentence: “words”, „Wörter“.
  package func quoted(_ text: String) -> String {
    (quotes.first ?? "") + text + (quotes.last ?? "")
  }

  /// Returns the index of a number's plural form (CLDR, cardinal numbers), in the order of
  /// `msgstr[0]`, `msgstr[1]` in the language's catalogue.
  func pluralForm(_ count: Int) -> Int {
    switch code {
    case "en", "de": count == 1 ? 0 : 1
    default: count == 1 ? 0 : 1
    }
  }

  /// Returns the language that a browser requests (RFC 9110, section 12.5.4): the known one with
  /// the highest weight, the first of several with equal weight, or English if none is known.
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

  /// Returns the language of a terminal: the one set in `ARKIVED_LANGUAGE`, otherwise the one of
  /// the locale for messages (POSIX, section 8.2: `LC_ALL`, `LC_MESSAGES`, `LANG`), or English if
  /// the language is not known.
  package static func ofTerminal(_ environment: [String: String]) -> Language {
    for name in ["ARKIVED_LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"] {
      guard let value = environment[name], !value.isEmpty else { continue }
      return named(value) ?? .english
    }
    return .english
  }

  /// Returns the language named by "de", "de_DE.UTF-8", "de-AT" or "Deutsch", or nil if it is not
  /// supported.
  package static func named(_ text: String) -> Language? {
    all.first { $0.isMeant(by: text, separators: "-_.@") || $0.name == text }
  }

  private func isMeant(by tag: String, separators: String) -> Bool {
    tag.prefix { !separators.contains($0) }.lowercased() == code
  }
}

extension Preferences {
  /// The owner's choice of language for pages.
  package enum Speech: String, CaseIterable, Sendable {
    /// The language the browser requests.
    case automatic = "auto"
    case english = "en"
    case german = "de"

    /// The chosen language, or nil if it depends on the browser.
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
  /// Runs work in a language.
  package static func speaking<Value>(
    _ language: Language, _ work: () throws -> Value
  ) rethrows -> Value {
    var preferences = preferences
    preferences.language = Preferences.Speech(language)
    return try $preferences.withValue(preferences) { try work() }
  }
}

extension Weekday {
  /// The name in the current language.
  package var shownName: String { Language.current.weekdays[rawValue - 1] }
}

extension DayKey {
  /// The date with the day and the month, such as "16 November", regardless of the preferred order,
  /// for prose.
  package var toldDayAndMonth: String {
    "\(day)\(Language.current.dayMark) \(MonthName.shown[month - 1])"
  }

  /// The date with its weekday and year, such as "Monday, 16 November 2026".
  package var toldLongName: String { "\(weekday.shownName), \(shownPlainName)" }
}

extension MonthName {
  /// The names in the current language.
  package static var shown: [String] { Language.current.months }

  /// Returns a month from 1 to 12 abbreviated to three letters: "Nov", "Mär".
  package static func short(_ month: Int) -> String { String(shown[month - 1].prefix(3)) }
}

extension AmountText {
  /// Returns an amount such as "5" or "5.25", in German "5,25".
  package static func shown(_ amount: Double) -> String {
    let sign = Language.current.decimalSign
    return sign == "." ? plain(amount) : plain(amount).replacing(".", with: sign)
  }

  /// Returns a whole number in groups of three digits: "8,412", in German "8.412".
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

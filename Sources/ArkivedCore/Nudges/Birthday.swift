import Foundation

/// A birthday, whose year may be unknown.
package struct Birthday: Hashable, Sendable {
  package let month: Int
  package let day: Int
  package let year: Int?

  /// Creates a birthday.
  ///
  /// - Returns: nil if the day doesn't exist.
  package init?(month: Int, day: Int, year: Int? = nil) {
    // Without a year, 29 February is valid.
    guard DayKey(year: year ?? 2000, month: month, day: day) != nil else { return nil }
    (self.month, self.day, self.year) = (month, day, year)
  }

  /// Reads a birthday in English or German: `14 March 1985`, `14. März`, `March 14, 1985`,
  /// `1985-03-14`, `14.3.1985`, `14.03.`.
  ///
  /// - Returns: nil for anything else, also if it isn't clear which number is the month.
  package init?(_ text: String) {
    let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
    guard (3...40).contains(text.utf8.count) else { return nil }
    if let known = LinkedDay.read(text) {
      self.init(month: known.month, day: known.day, year: known.year)
      return
    }
    var words = text.lowercased().split { $0 == " " || $0 == "," || $0 == "." }
    guard (2...3).contains(words.count) else { return nil }
    var year: Int?
    if words.count == 3 {
      guard let last = words.popLast(), last.count == 4, let number = LinkedDay.number(last) else {
        return nil
      }
      year = number
    }
    for (month, day) in [(words[1], words[0]), (words[0], words[1])] {
      guard let month = LinkedDay.months[String(month)],
        let day = LinkedDay.number(LinkedDay.ordinal(day))
      else { continue }
      self.init(month: month, day: day, year: year)
      return
    }
    // `14.3.`; with other marks, it isn't clear which number is the month.
    guard year == nil, text.hasSuffix("."), text.count(where: { $0 == "." }) == 2,
      let day = LinkedDay.number(words[0]), let month = LinkedDay.number(words[1])
    else { return nil }
    self.init(month: month, day: day)
  }

  /// Returns true if the birthday is celebrated on a day; 29 February is celebrated a day earlier in
  /// years without one.
  package func isCelebrated(on today: DayKey) -> Bool {
    if today.month == month, today.day == day { return true }
    return month == 2 && day == 29 && today.month == 2 && today.day == 28
      && DayKey(year: today.year, month: 2, day: 29) == nil
  }

  /// Returns the age that is reached in a day's year; nil if it is unknown.
  package func age(on today: DayKey) -> Int? {
    guard let year, today.year > year, today.year - year < 130 else { return nil }
    return today.year - year
  }
}

/// The facts about a person in the lines of a note: `- Birthday: 14 March 1985`, `- Died: 2019`.
///
/// Imported address books write such lines, and so may the owner.
package struct PersonFacts: Hashable, Sendable {
  package private(set) var birthday: Birthday?
  package private(set) var hasDied = false

  package init(in text: String) {
    for line in text.split(whereSeparator: \.isNewline) {
      guard let colon = line.firstIndex(of: ":") else { continue }
      let value = line[line.index(after: colon)...]
      switch Self.label(line[..<colon]) {
      case "birthday", "geburtstag", "born", "geboren":
        birthday = birthday ?? Birthday(value.trimmingCharacters(in: Self.marks))
      case "died", "gestorben", "verstorben":
        hasDied = hasDied || value.contains { !$0.isWhitespace }
      default: break
      }
    }
  }

  /// Returns a line's label without the marks of lists and emphasis.
  private static func label(_ text: Substring) -> String {
    text.lowercased().trimmingCharacters(in: marks)
  }

  private static let marks = CharacterSet(charactersIn: "-*+_ \t")
}

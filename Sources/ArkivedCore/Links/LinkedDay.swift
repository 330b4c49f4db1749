import Foundation

/// Reads the names of days in links.
///
/// They always mean the same day, regardless of the language setting, because links are stored by
/// their target: `2024-03-05`, `2024_03_05`, `5 March 2024`, `Mar 5th, 2024`,
/// `Tuesday, March 5, 2024`, `5. März 2024`, `05.03.2024`.
package enum LinkedDay {
  /// Returns the day with a name; nil if the name isn't a day, or the day does not exist.
  package static func read(_ name: String) -> DayKey? {
    guard (8...40).contains(name.utf8.count), name.contains(where: \.isNumber) else { return nil }
    if let day = DayKey(name) { return day }
    if let day = joined(name) { return day }
    return worded(name)
  }

  /// Reads `2024_03_05`, `2024/03/05` and, as written in German, `05.03.2024`.
  private static func joined(_ name: String) -> DayKey? {
    for mark: Character in ["_", "/", "."] {
      let parts = name.split(separator: mark, omittingEmptySubsequences: false)
      guard parts.count == 3 else { continue }
      let numbers = parts.compactMap(number)
      guard numbers.count == 3 else { continue }
      if mark == "." {
        return parts[2].count == 4
          ? DayKey(year: numbers[2], month: numbers[1], day: numbers[0]) : nil
      }
      return parts[0].count == 4
        ? DayKey(year: numbers[0], month: numbers[1], day: numbers[2]) : nil
    }
    return nil
  }

  private static func worded(_ name: String) -> DayKey? {
    var words = name.lowercased().split { $0 == " " || $0 == "," || $0 == "." }
    guard (3...4).contains(words.count) else { return nil }
    if words.count == 4 {
      guard weekdays.contains(String(words[0].prefix(3))), months[String(words[0])] == nil else {
        return nil
      }
      words.removeFirst()
    }
    guard let year = number(words[2]), words[2].count == 4 else { return nil }
    for (month, day) in [(words[1], words[0]), (words[0], words[1])] {
      if let month = months[String(month)], let day = number(ordinal(day)) {
        return DayKey(year: year, month: month, day: day)
      }
    }
    return nil
  }

  static func ordinal(_ word: Substring) -> Substring {
    ["st", "nd", "rd", "th"].contains(String(word.suffix(2))) ? word.dropLast(2) : word
  }

  static func number(_ word: Substring) -> Int? {
    guard (1...4).contains(word.utf8.count), word.utf8.allSatisfy({ (0x30...0x39).contains($0) })
    else { return nil }
    return Int(word)
  }

  /// English and German weekdays, by their first letters.
  private static let weekdays: Set<String> = [
    "mon", "tue", "wed", "thu", "fri", "sat", "sun", "die", "mit", "don", "fre", "sam", "son", "mo",
    "di", "mi", "do", "fr", "sa", "so",
  ]

  /// English and German months with their usual short forms.
  static let months: [String: Int] = {
    let names = [
      ["january", "jan", "januar", "jänner"], ["february", "feb", "februar"],
      ["march", "mar", "märz", "mär"], ["april", "apr"], ["may", "mai"], ["june", "jun", "juni"],
      ["july", "jul", "juli"], ["august", "aug"], ["september", "sep", "sept"],
      ["october", "oct", "oktober", "okt"], ["november", "nov"],
      ["december", "dec", "dezember", "dez"],
    ]
    var months: [String: Int] = [:]
    for (index, forms) in names.enumerated() {
      for form in forms { months[form] = index + 1 }
    }
    return months
  }()
}

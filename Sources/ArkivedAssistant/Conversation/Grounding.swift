package import ArkivedCore
import Foundation

/// The check that an answer's figures, dates and citations occur in its sources.
package struct Grounding: Hashable, Sendable {
  /// The numbers of cited entries that were provided.
  package var cited: [Int] = []
  /// The claims that occur nowhere in the sources: “[7]”, “42”, “3 May 2024”.
  package var unsupported: [String] = []

  package init() {}

  /// True if the answer cites a source and contains no unsupported claims.
  package var isSupported: Bool { unsupported.isEmpty && !cited.isEmpty }

  package var json: JSON {
    [
      "supported": .bool(isSupported), "cited": .array(cited.map { JSON($0) }),
      "unsupported": JSON(unsupported),
    ]
  }

  /// Checks an answer.
  ///
  /// - Parameters:
  ///   - answer: the answer.
  ///   - given: the number of numbered entries.
  ///   - sources: the question, the computed answer, the entries and the tools' results.
  ///   - times: the parser for dates.
  package init(_ answer: String, given: Int, sources: GroundingSources, times: TimeReader) {
    let (text, citations) = Self.citations(in: answer)
    for number in citations {
      if (1...max(1, given)).contains(number), given > 0 {
        if !cited.contains(number) { cited.append(number) }
      } else {
        unsupported.append("[\(number)]")
      }
    }
    let known = Set(sources.texts.flatMap { Self.figures(in: $0).map(\.value) })
    var rest = text
    for match in times.matches(in: text).reversed() {
      if !Self.isKnown(match, sources) { unsupported.append(match.text) }
      rest.removeSubrange(match.range)
    }
    for number in Self.figures(in: rest) where !Self.isKnown(number.value, known) {
      unsupported.append(number.text)
    }
  }

  // MARK: Citations

  /// Returns the text without the bracketed numbers, and the numbers.
  private static func citations(in answer: String) -> (text: String, numbers: [Int]) {
    var text = ""
    var numbers: [Int] = []
    var rest = answer[...]
    while let open = rest.firstIndex(of: "["),
      let close = rest[open...].firstIndex(of: "]")
    {
      let inside = rest[rest.index(after: open)..<close]
      let parts = inside.split(separator: ",").map { Int($0.trimmingCharacters(in: .whitespaces)) }
      text += rest[..<open]
      if !parts.isEmpty, parts.allSatisfy({ $0 != nil }) {
        numbers += parts.compactMap { $0 }
      } else {
        text += rest[open...close]
      }
      rest = rest[rest.index(after: close)...]
    }
    return (text + rest, numbers)
  }

  // MARK: Numbers

  private static let words: [String: Double] = [
    "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9,
    "ten": 10, "eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15,
    "sixteen": 16, "seventeen": 17, "eighteen": 18, "nineteen": 19, "twenty": 20, "thirty": 30,
    "forty": 40, "fifty": 50, "hundred": 100, "thousand": 1_000, "twice": 2,
  ]

  private static func figures(in text: String) -> [(text: String, value: Double)] {
    var found: [(text: String, value: Double)] = []
    for piece in text.split(whereSeparator: { !$0.isLetter && !$0.isNumber && !".,".contains($0) })
    {
      let word = piece.trimmingCharacters(in: CharacterSet(charactersIn: ".,"))
      if let value = words[word.lowercased()] {
        found.append((word, value))
        continue
      }
      guard word.contains(where: \.isNumber) else { continue }
      let digits = word.prefix { $0.isNumber || ".,".contains($0) }
      guard digits.first?.isNumber == true else { continue }
      let plain = String(digits).trimmingCharacters(in: CharacterSet(charactersIn: ".,"))
      guard let value = value(plain) else {
        found.append((word, .nan))
        continue
      }
      found.append((word, value))
    }
    return found
  }

  /// Parses “1,234.5” and “5.5”; nil if it isn't a number.
  private static func value(_ digits: String) -> Double? {
    let groups = digits.split(separator: ",", omittingEmptySubsequences: false)
    let isGrouped =
      groups.count > 1
      && groups.dropFirst().allSatisfy { $0.prefix { $0 != "." }.count == 3 }
    return Double(isGrouped ? groups.joined() : digits.replacingOccurrences(of: ",", with: "."))
  }

  /// Returns true if a figure occurs in the sources, exactly or rounded.
  private static func isKnown(_ value: Double, _ known: Set<Double>) -> Bool {
    if known.contains(value) { return true }
    guard value.isFinite else { return false }
    let step = value == value.rounded() ? 1.0 : 0.1
    return known.contains {
      $0.isFinite && $0 != $0.rounded() && ($0 - value).magnitude <= step / 2 + 1e-9
    }
  }

  // MARK: Dates

  /// Words that accompany a time of day without naming a day.
  private static let clockWords: Set<String> = ["at", "am", "pm", "a", "p", "m", "around", "about"]

  /// Returns true if a time occurs in the sources: verbatim, or as one of their days or times of
  /// day.
  private static func isKnown(_ match: TimeMatch, _ sources: GroundingSources) -> Bool {
    let words = match.text.lowercased()
    if sources.texts.contains(where: { $0.lowercased().contains(words) }) { return true }
    guard let start = match.start, match.end != nil else { return true }
    if match.grain == .minute {
      let letters = words.split(whereSeparator: { !$0.isLetter })
      let isAlone = letters.allSatisfy { clockWords.contains(String($0)) }
      return sources.clocks.contains(start.secondOfDay / 60)
        && (isAlone || sources.days.contains(start.day))
    }
    let span = match.widenedDays()
    return sources.days.contains { span.contains($0) }
  }
}

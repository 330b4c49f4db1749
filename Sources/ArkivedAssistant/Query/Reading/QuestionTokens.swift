import CTexts
import ArkivedCore
import ArkivedStore
import Foundation

/// A question cut into tokens: words, and typed spans that the lexers of times, people, amounts,
/// quotations and tags found, each as one token.
struct QuestionTokens {
  enum Content {
    case word
    case days(ClosedRange<DayKey>)
    case weekdays(Set<Weekday>)
    case hours(from: Int, to: Int)
    case people([String])
    case amount(unit: String, Query.Bounds)
    case quote(String)
    case tag(String)
  }

  struct Token {
    var content: Content
    /// As it stands in the question.
    var text: String
    var range: Range<String.Index>

    /// What the network sees.
    var sign: String {
      switch content {
      case .word: text.lowercased()
      case .days, .weekdays, .hours: "<time>"
      case .people: "<person>"
      case .amount: "<amount>"
      case .quote: "<quote>"
      case .tag: "<tag>"
      }
    }
  }

  /// So many are read.
  static let limit = 96

  private(set) var tokens: [Token] = []
  let text: String

  init(_ text: String, timeline: TableTimeline, times: TimeReader, lexicon: ReaderLexicon) {
    self.text = text
    var spans: [Token] = []
    func add(_ range: Range<String.Index>, _ content: Content) {
      guard !range.isEmpty, !spans.contains(where: { $0.range.overlaps(range) }) else { return }
      spans.append(Token(content: content, text: String(text[range]), range: range))
    }
    for range in text.ranges(of: /["“„«][^"“”„«»]+["”“»]/) {
      add(range, .quote(String(text[range].dropFirst().dropLast())))
    }
    for match in text.matches(of: /#([\p{L}\p{N}_-]+)/) { add(match.range, .tag(String(match.1))) }
    for match in lexicon.amounts(in: text) {
      add(match.range, .amount(unit: match.unit, match.bounds))
    }
    for match in lexicon.weekdays(in: text) { add(match.range, .weekdays(match.weekdays)) }
    for match in times.matches(in: text) where !lexicon.isRate(match.text) {
      if let day = match.singleDay, day == times.zone.dayKey(at: times.now),
        match.grain <= .partOfDay, !lexicon.namesDay(match.text), let start = match.start,
        let end = match.end
      {
        // "Before 7", "in the evening" of no day.
        add(
          match.range,
          .hours(from: start.secondOfDay / 60, to: max(1, end.secondOfDay / 60) % 1_440))
      } else {
        add(match.range, .days(match.widenedDays()))
      }
    }
    for match in timeline.names.persons.mentions(in: text, anyCase: true) {
      add(match.range, .people(match.candidates.map(\.name)))
    }
    spans.sort { $0.range.lowerBound < $1.range.lowerBound }
    var place = text.startIndex
    func words(until end: String.Index) {
      for match in text[place..<end].matches(of: /[\p{L}\p{N}]+(?:['’\-][\p{L}\p{N}]+)*/) {
        var range = match.range
        // "Alex's" is Alex; the network was taught so.
        let isOwner = text[range].hasSuffix("'s") || text[range].hasSuffix("’s")
        let stem = text.index(range.upperBound, offsetBy: isOwner ? -2 : 0)
        if isOwner,
          timeline.names.persons.candidates(named: String(text[range.lowerBound..<stem])).count > 0
        {
          range = range.lowerBound..<stem
          let names = timeline.names.persons.candidates(named: String(text[range])).map(\.name)
          tokens.append(Token(content: .people(names), text: String(text[range]), range: range))
          continue
        }
        let word = String(text[range])
        let candidates =
          word.first?.isUppercase == true && range.lowerBound > text.startIndex
          ? timeline.names.persons.candidates(named: word) : []
        let content: Content = candidates.isEmpty ? .word : .people(candidates.map(\.name))
        tokens.append(Token(content: content, text: word, range: range))
      }
    }
    for span in spans {
      words(until: span.range.lowerBound)
      tokens.append(span)
      place = span.range.upperBound
      // The owner's s.
      if ["'s", "’s"].contains(where: { text[place...].hasPrefix($0) }) {
        place = text.index(place, offsetBy: 2)
      }
    }
    words(until: text.endIndex)
    tokens = Array(tokens.prefix(Self.limit))
  }
}

/// The words that the reader of questions knows beside what it was taught: names of measures,
/// comparisons, weekdays; `Resources/reader.txt`.
struct ReaderLexicon: Sendable {
  static let shared = ReaderLexicon(String(decoding: ctx_reader_words().buffer, as: UTF8.self))

  private let sections: [String: [String: String]]

  init(_ text: String) {
    var sections: [String: [String: String]] = [:]
    var section = ""
    for line in text.split(separator: "\n") where !line.hasPrefix("#") {
      if line.hasPrefix("[") {
        section = String(line.dropFirst().dropLast())
        continue
      }
      let parts = line.split(separator: ":", maxSplits: 1)
      guard parts.count == 2 else { continue }
      for word in parts[1].split(separator: ",") {
        sections[section, default: [:]][word.trimmingCharacters(in: .whitespaces)] =
          String(parts[0])
      }
    }
    self.sections = sections
  }

  /// The metric that a phrase names, as this program calls it.
  func metric(_ phrase: String) -> String? {
    let known = sections["metrics"] ?? [:]
    if let name = known[phrase.lowercased()] { return name }
    return phrase.lowercased().split(separator: " ").compactMap { known[String($0)] }.first
  }

  /// The number of "second", "zweite".
  func rank(_ word: String) -> Int? { sections["ranks"]?[word.lowercased()].flatMap { Int($0) } }

  /// Whether a word is one of a language's small words.
  func says(_ word: String, _ language: String) -> Bool {
    sections["small"]?[word]?.contains(language) ?? false
  }

  /// Words that add nothing to the name of what entries tell: "do", "have", "the".
  func isEmpty(_ word: String) -> Bool { sections["empty"]?[word.lowercased()] != nil }

  /// "A day" beside "how many": no time.
  func isRate(_ text: String) -> Bool { sections["rates"]?[text.lowercased()] != nil }

  /// Whether a time names its day: "today at 5".
  func namesDay(_ text: String) -> Bool {
    text.lowercased().split { !$0.isLetter }.contains { sections["today"]?[String($0)] != nil }
  }

  /// Weekdays in general: "on mondays", "weekends".
  func weekdays(in text: String) -> [(range: Range<String.Index>, weekdays: Set<Weekday>)] {
    words(of: text).compactMap { range, word in
      guard let told = sections["weekdays"]?[word] else { return nil }
      let days = told.split(separator: " ").compactMap { name in
        Weekday.allCases.first { $0.name.lowercased() == name }
      }
      return (range, Set(days))
    }
  }

  private func words(of text: String) -> [(Range<String.Index>, String)] {
    text.matches(of: /[\p{L}\p{N}.,]*[\p{L}\p{N}]|[£€$]/).map {
      ($0.range, text[$0.range].lowercased())
    }
  }

  /// Amounts with what they are compared by: "more than 10 km", "unter 20 €".
  func amounts(in text: String) -> [(
    range: Range<String.Index>, unit: String, bounds: Query.Bounds
  )] {
    let words = self.words(of: text)
    return words.indices.compactMap { index in
      guard let (number, glued) = Self.figure(words[index].1) else { return nil }
      var (start, end, unit) = (index, index, glued)
      if unit == nil, index > 0, ["£", "€", "$"].contains(words[index - 1].1) {
        (unit, start) = (words[index - 1].1, index - 1)
      } else if unit == nil, index + 1 < words.count,
        let known = UnitTable.standard.unit(named: words[index + 1].1)
      {
        (unit, end) = (known.name, index + 1)
      } else if unit == nil, index + 1 < words.count,
        let money = TextAmounts.currency(of: words[index + 1].1)
      {
        (unit, end) = (money, index + 1)
      }
      // A unit alone is told by the words before it.
      var sign: String?
      for length in [4, 3, 2, 1] where start >= length && sign == nil {
        let phrase = words[start - length..<start].map(\.1).joined(separator: " ")
        if let found = sections["comparisons"]?[phrase] { (sign, start) = (found, start - length) }
      }
      guard let sign, let unit else { return nil }
      let bounds: Query.Bounds =
        switch sign {
        case "above": Query.Bounds(least: number.nextUp, most: nil)
        case "least": Query.Bounds(least: number, most: nil)
        case "below": Query.Bounds(least: nil, most: number.nextDown)
        default: Query.Bounds(least: nil, most: number)
        }
      return (words[start].0.lowerBound..<words[end].0.upperBound, unit, bounds)
    }
  }

  /// "10", "2.5", "10km".
  private static func figure(_ word: String) -> (Double, String?)? {
    let digits = word.prefix { $0.isASCII && ($0.isNumber || $0 == "." || $0 == ",") }
    guard let number = Quantities.figure(String(digits)) else { return nil }
    let rest = String(word.dropFirst(digits.count))
    if rest.isEmpty { return (number, nil) }
    return UnitTable.standard.unit(named: rest).map { (number, $0.name) }
  }
}

import ArkivedCore
import ArkivedStore
import Foundation

/// A question split into tokens: words, and typed spans found by the lexers for times, people,
/// amounts, quotations and tags, each as one token.
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
    /// The token as it appears in the question.
    var text: String
    var range: Range<String.Index>

    /// The network's input.
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

  /// The maximum number of tokens.
  static let limit = 96

  private(set) var tokens: [Token] = []
  let text: String

  /// Returns a question with figures as the tokens parse them: "10.000" is ten thousand in German.
  static func plain(_ text: String, in language: Language) -> String {
    guard language == .german else { return text }
    return text.replacingOccurrences(
      of: #"(?<=\d)\.(?=\d{3}(?!\d))"#, with: "", options: .regularExpression)
  }

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
    func add(_ match: TimeMatch, _ range: Range<String.Index>) {
      if let day = match.singleDay, day == times.zone.dayKey(at: times.now),
        match.grain <= .partOfDay, !lexicon.namesDay(match.text), let start = match.start,
        let end = match.end
      {
        // "Before 7", "in the evening" of no day.
        add(
          range,
          .hours(from: start.secondOfDay / 60, to: max(1, end.secondOfDay / 60) % 1_440))
      } else {
        add(range, .days(match.widenedDays()))
      }
    }
    /// Adds times that the time grammar misses because of the words next to them: "most last
    /// summer", "rent 2024".
    func addHiddenTimes() {
      let words = text.matches(of: /[\p{L}\p{N}]+/).prefix(Self.limit).map(\.range)
      for (index, word) in words.enumerated() {
        if text[word].wholeMatch(of: /(?:19|20)\d\d/) != nil,
          let year = DayKey("\(text[word])-01-01")
        {
          add(word, .days(CalendarSpan.year(year).days()))
          continue
        }
        guard lexicon.startsTime(String(text[word])) else { continue }
        for length in [4, 3, 2] where index + length <= words.count {
          let range = word.lowerBound..<words[index + length - 1].upperBound
          let part = String(text[range])
          guard let match = times.matches(in: part).first, match.text == part,
            !lexicon.isRate(part)
          else { continue }
          add(match, range)
          break
        }
      }
    }
    for match in times.matches(in: text) where !lexicon.isRate(match.text) {
      // "up to" in "What did I get up to last week" isn't an end.
      let before = text[..<match.range.lowerBound].split(whereSeparator: \.isWhitespace).last
      if let before, lexicon.isPhrase("\(before) \(match.text)") { continue }
      add(match, match.range)
    }
    addHiddenTimes()
    for match in timeline.names.persons.mentions(in: text, anyCase: true) {
      add(match.range, .people(match.candidates.map(\.name)))
    }
    spans.sort { $0.range.lowerBound < $1.range.lowerBound }
    var place = text.startIndex
    func words(until end: String.Index) {
      for match in text[place..<end].matches(of: /[\p{L}\p{N}]+(?:['’&\-][\p{L}\p{N}]+)*/) {
        var range = match.range
        // "Alex's" means Alex; the network was trained that way.
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
      // The possessive s.
      if ["'s", "’s"].contains(where: { text[place...].hasPrefix($0) }) {
        place = text.index(place, offsetBy: 2)
      }
    }
    words(until: text.endIndex)
    tokens = Array(tokens.prefix(Self.limit))
  }
}

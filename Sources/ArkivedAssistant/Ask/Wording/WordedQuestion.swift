package import ArkivedCore
import Foundation

/// A question in English, as `AskReader` parses it, with the owner's own words for its parts.
package struct WordedQuestion: Sendable {
  /// The text to parse: the original if it is English or couldn't be translated.
  package let text: String
  /// The question as typed.
  package let original: String
  private let parts: [QuestionWording.Token]
  /// The owner's words and the archive's keys for them, by the keys of the English words.
  private let own: [String: Own]

  private struct Own: Sendable {
    var told: String
    var also: [String]
  }

  /// Creates a question that is parsed as typed.
  package init(english text: String) {
    self.init(text: text, original: text, parts: [], own: [:])
  }

  /// Translates a question into English; leaves it unchanged if it is already English, or isn't
  /// fully understood.
  package init(_ original: String, timeline: any Timeline, language: Language = .current) {
    guard let wording = QuestionWording.of(language),
      let tokens = wording.tokens(of: original, timeline: timeline),
      let sentence = WordedSentence(tokens)
    else {
      self.init(english: original)
      return
    }
    var own: [String: Own] = [:]
    for token in tokens where ![.comma, .little, .subject, .auxiliary].contains(token.kind) {
      let words = WordCutter.words(of: token.english, joinsPhrases: false)
      let keys = Set(words.map(\.key))
      let also =
        words.count > 1
        ? []
        : Set(token.forms.map { Lemma.key($0) }).subtracting(keys).filter { key in
          timeline.frequency(of: key) > 0 || timeline.names.tagsByKey[key] != nil
        }.sorted()
      for key in keys where own[key] == nil { own[key] = Own(told: token.original, also: also) }
    }
    self.init(
      text: sentence.english, original: original, parts: sentence.clauses + tokens, own: own)
  }

  private init(
    text: String, original: String, parts: [QuestionWording.Token], own: [String: Own]
  ) {
    self.text = text
    self.original = original
    self.parts = parts
    self.own = own
  }

  /// Returns the question with a different English text, such as days instead of their names.
  func with(text: String) -> WordedQuestion {
    WordedQuestion(text: text, original: original, parts: parts, own: own)
  }

  /// True if the question is parsed as typed.
  var isUntranslated: Bool { parts.isEmpty }

  /// The owner's own words that aren't misspelt English, in lower case.
  var kept: Set<String> {
    Set(
      parts.filter { $0.kind != .comma }
        .flatMap { WordCutter.words(of: $0.english, joinsPhrases: false).map(\.lower) })
  }

  /// Returns English words of the question as the owner wrote them.
  package func shown(_ english: String) -> String {
    let pairs = parts.filter(isContent).flatMap { part in
      [part.english, part.past ?? ""].filter { !$0.isEmpty }
        .map { ($0.lowercased(), part.original) }
    }
    let table = Dictionary(pairs, uniquingKeysWith: { first, _ in first })
    let words = table.keys.sorted { ($1.count, $0) < ($0.count, $1) }
      .map { NSRegularExpression.escapedPattern(for: $0) }
    guard !words.isEmpty,
      let expression = try? NSRegularExpression(
        pattern: #"(?<!\w)(?:"# + words.joined(separator: "|") + #")(?!\w)"#,
        options: .caseInsensitive)
    else { return english }
    var result = english
    let matches = expression.matches(
      in: english, range: NSRange(english.startIndex..., in: english))
    for match in matches.reversed() {
      guard let range = Range(match.range, in: result) else { continue }
      result.replaceSubrange(range, with: table[result[range].lowercased()] ?? "")
    }
    return result
  }

  /// Returns true if a part appears in descriptions; purely grammatical parts don't.
  private func isContent(_ part: QuestionWording.Token) -> Bool {
    switch part.kind {
    case .little: ["my", "our"].contains(part.english)
    case .auxiliary, .subject, .asking, .comma, .before, .order, .clause: false
    default: true
    }
  }

  /// Returns a question parsed from the text, with the owner's words for its parts.
  package func told(in question: AskQuestion) -> AskQuestion {
    guard !parts.isEmpty else { return question }
    var result = question
    result.wording = self
    result.ignored = question.ignored.map(shown)
    result.uncertain = question.uncertain.map(shown)
    result.uncertain += parts.filter(\.isGuess).map {
      said("whether “\($0.original)” means “\($0.past ?? $0.english)”")
    }
    result.alternatives = question.alternatives.map { (shown($0.label), told(in: $0.question)) }
    result.clauseParts = question.clauseParts.map(told(in:))
    for index in result.terms.indices {
      guard let word = own[Lemma.key(result.terms[index].text)] else { continue }
      result.terms[index].told = word.told
      result.terms[index].also = word.also
    }
    for index in result.joins.indices {
      result.joins[index].question = result.joins[index].question.map(told(in:))
    }
    if let bound = question.bound { result.bound?.question = bound.question.map(told(in:)) }
    return result
  }
}

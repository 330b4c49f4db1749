import ArkivedCore
import Foundation

/// The wording of `AskReader` questions in another language: tables of phrases and words with their
/// English equivalents.
///
/// `WordedSentence` puts them into English word order.
///
/// A question is translated completely or not at all: if an essential word is missing from the
/// tables, the question is left as typed.
struct QuestionWording: Sendable {
  /// The grammatical role of a word or a phrase.
  enum Kind: Sendable {
    /// Used by rules only: a command, and the beginning of a clause ("an denen ich").
    case order, clause
    case asking, time, phrase, noun, adjective, subject
    /// Adverbs that English puts before its verb ("last"), and those at the end.
    case before, behind
    /// A participle or infinitive; a verb in the past tense; one in the present; have, be, was,
    /// will, should.
    case verb, past, present, auxiliary
    /// Prepositions, articles and other function words.
    case little
    /// The owner's own words: names and quotations; any other words; commas.
    case name, word, comma
    /// Text that is already in English.
    case told
  }

  /// A word or phrase of a question.
  struct Token: Sendable {
    var kind: Kind
    /// The English translation; a verb's stem.
    var english: String
    /// The original, as typed.
    var original: String
    /// The past form of a verb.
    var past: String?
    /// The words for it that a diary in this language may use.
    var forms: [String] = []
    /// True if the translation comes from the dictionary.
    var isLookedUp = false
    /// True if the dictionary has other meanings that also occur in the archive.
    var isGuess = false
  }

  struct Entry: Sendable {
    var kind: Kind
    var english: String
    var past: String?
    /// The plural, if one form is both singular and plural.
    var plural: String?
    var forms: [String] = []
    /// True if the parser needs the English word, regardless of the archive's word.
    var isFixed = false
  }

  struct Rule: Sendable {
    var kind: Kind
    var expression: NSRegularExpression
    /// The types of the groups, by their letters.
    var groups: [Character]
    var means: String
  }

  let rules: [Rule]
  /// The English equivalents of the language's words, by group.
  let captures: [Character: [String: String]]
  let entries: [String: Entry]
  /// Nouns that are different words in lower case.
  let capitals: [String: Entry]
  let dropped: Set<String>
  let unread: Set<String>
  /// Words that occur only in English questions.
  let markers: Set<String>
  /// Words that exist in both languages, so they don't indicate either.
  let shared: Set<String>

  /// Returns the wording of a language; nil for English.
  static func of(_ language: Language) -> QuestionWording? {
    language == .german ? .german : nil
  }

  /// Creates a wording from its tables.
  ///
  /// - Parameters:
  ///   - markers: words, separated by blanks, that only English questions contain.
  ///   - shared: words that exist in both languages, possibly with different meanings.
  ///   - spellings: letters that may be typed as two others.
  ///   - captures: tables for `{…}` in rules, as lines "English: word word".
  ///   - rules: lines "pattern => English" by kind, applied in this order.
  ///   - nouns: lines "singular plural: form form; form form"; `*` precedes those that stay
  ///     English.
  ///   - capitals: nouns that are different words in lower case, as lines like those of nouns.
  ///   - adjectives: adjectives, as lines "English: form form".
  ///   - verbs: lines "stem past: participles and infinitives; past; present; nouns".
  ///   - little: prepositions, articles and other function words.
  ///   - finite: auxiliary verbs.
  ///   - dropped: words that have no equivalent in English and aren't needed.
  ///   - unread: words at which a question is left as typed.
  init(
    markers: String, shared: String, spellings: [Character: String], captures: [Character: String],
    rules: [(Kind, String)], nouns: String, capitals: String, adjectives: String, verbs: String,
    little: String, finite: String, dropped: String, unread: String
  ) {
    func variants(_ word: String) -> [String] {
      let plain = word.map { spellings[$0] ?? String($0) }.joined()
      return plain == word ? [word] : [word, plain]
    }
    func set(_ words: String) -> Set<String> {
      Set(words.split(separator: " ").flatMap { variants(String($0)) })
    }
    var entries: [String: Entry] = [:]
    func add(_ words: [String], _ entry: Entry) {
      for word in words.flatMap(variants) where entries[word] == nil { entries[word] = entry }
    }
    let tables = captures.mapValues { table in
      var words: [String: String] = [:]
      for row in Self.rows(table) {
        for word in row.parts.joined().flatMap(variants) { words[word] = row.head }
      }
      return words
    }
    for row in Self.rows(finite) {
      add(row.parts.flatMap(\.self), Entry(kind: .auxiliary, english: row.head))
    }
    for row in Self.rows(verbs) {
      let (stem, past) = Self.pair(row.head)
      let forms = row.parts.flatMap(\.self)
      for (kind, words) in zip([Kind.verb, .past, .present], row.parts) {
        add(
          words,
          Entry(kind: kind, english: stem, past: past, forms: forms, isFixed: row.isFixed))
      }
    }
    for row in Self.rows(adjectives) {
      let words = row.parts.joined().flatMap { word in
        word.hasSuffix("e") ? ["", "r", "n", "s", "m"].map { word + $0 } : [word]
      }
      add(
        words,
        Entry(
          kind: .adjective, english: Self.blank(row.head), forms: words, isFixed: row.isFixed))
    }
    var nounEntries: [String: Entry] = [:]
    for row in Self.rows(nouns) {
      let (one, many) = Self.pair(row.head)
      let singular = row.parts.first ?? []
      let plural = row.parts.dropFirst().first ?? []
      for word in singular.flatMap(variants) where nounEntries[word] == nil {
        nounEntries[word] = Entry(
          kind: .noun, english: one, plural: plural.contains(word) ? many : nil,
          forms: singular + plural, isFixed: row.isFixed)
      }
      for word in plural.flatMap(variants) where nounEntries[word] == nil {
        nounEntries[word] = Entry(
          kind: .noun, english: many, forms: singular + plural, isFixed: row.isFixed)
      }
    }
    for row in Self.rows(little) {
      add(
        row.parts.flatMap(\.self), Entry(kind: .little, english: row.head, isFixed: true))
    }
    var capitalEntries = nounEntries.filter { entries[$0.key] != nil }
    for row in Self.rows(capitals) {
      for word in row.parts.joined().map({ $0.lowercased() }) {
        capitalEntries[word] = Entry(kind: .noun, english: row.head, forms: [word])
      }
    }
    self.entries = entries.merging(nounEntries) { known, _ in known }
    self.capitals = capitalEntries
    self.captures = tables
    self.dropped = set(dropped)
    self.unread = set(unread)
    self.markers = Set(markers.split(separator: " ").map(String.init))
    self.shared = set(shared)
    self.rules = rules.flatMap { kind, table in
      table.split(separator: "\n").compactMap { line in
        Self.rule(kind, String(line), tables, spellings)
      }
    }
  }

  // MARK: Tables

  private typealias Row = (isFixed: Bool, head: String, parts: [[String]])

  private static func rows(_ table: String) -> [Row] {
    table.split(separator: "\n").compactMap { line in
      guard let colon = line.firstIndex(of: ":") else { return nil }
      let head = line[..<colon]
      let parts = line[line.index(after: colon)...]
        .split(separator: ";", omittingEmptySubsequences: false)
        .map { $0.split(separator: " ").map(String.init) }
      let isFixed = head.hasPrefix("*")
      return (isFixed, String(isFixed ? head.dropFirst() : head), parts)
    }
  }

  /// Splits "pick-up picked-up" into two phrases.
  private static func pair(_ head: String) -> (String, String) {
    let words = head.split(separator: " ").map { blank(String($0)) }
    let first = words.first ?? head
    return (first, words.count > 1 ? words[1] : first)
  }

  private static func blank(_ text: String) -> String { text.replacing("-", with: " ") }

  private static func rule(
    _ kind: Kind, _ line: String, _ captures: [Character: [String: String]],
    _ spellings: [Character: String]
  ) -> Rule? {
    guard let arrow = line.range(of: " =>") else { return nil }
    func spelt(_ text: Substring) -> String {
      text.map { letter in spellings[letter].map { "(?:\(letter)|\($0))" } ?? String(letter) }
        .joined()
    }
    var pattern = ""
    var groups: [Character] = []
    var rest = line[..<arrow.lowerBound]
    while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
      pattern += spelt(rest[..<open])
      let name = rest[rest.index(after: open)]
      groups.append(name)
      switch name {
      case "Y": pattern += #"((?:19|20)\d\d)"#
      case "n": pattern += #"(\d{1,2})"#
      case "q": pattern += "([1-4])"
      default:
        let words = (captures[name] ?? [:]).keys.sorted { ($1.count, $0) < ($0.count, $1) }
        pattern += "(\(words.joined(separator: "|")))"
      }
      rest = rest[rest.index(after: close)...]
    }
    pattern += spelt(rest)
    guard
      let expression = try? NSRegularExpression(
        pattern: #"(?<![\w‹])(?:"# + pattern + #")(?![\w›])"#, options: .caseInsensitive)
    else { return nil }
    return Rule(
      kind: kind, expression: expression, groups: groups,
      means: line[arrow.upperBound...].trimmingCharacters(in: .whitespaces))
  }
}

import ArkivedCore
import ArkivedSearch
import ArkivedStore
import Foundation

/// The interpretation of a query's phrase.
struct ConceptGrounding: Sendable {
  enum Manner: String, Sendable {
    /// Matched by entries with its words, or by a tag or place of that name.
    case words
    /// Matched by entries with a similar meaning.
    case meaning
    case nothing
  }

  var phrase: String
  var manner = Manner.nothing
  /// Conditions on entries, each clause satisfied by any of its atoms, in addition to `rows`.
  var clauses: [[IndexCondition.Atom]] = []
  /// Row numbers of entries in the full-text table.
  var rows: Set<Int64> = []
  var ids: Set<UUID> = []
  /// The tags, words, or beginnings of entries that were matched.
  var labels: [String] = []
  /// Words of the phrase that are too general to match entries, or that no entry contains.
  var dropped: [String] = []
  /// Words that the archive lacks, with the words used instead.
  var guesses: [(word: String, meant: String)] = []

  var json: JSON {
    ["phrase": .string(phrase), "by": .string(manner.rawValue), "as": JSON(labels)]
  }
}

/// A resolver of query phrases to conditions in an archive.
protocol ConceptGrounder: Sendable {
  func ground(_ concept: Query.Concept, in timeline: TableTimeline) throws -> ConceptGrounding
}

/// A grounder that resolves a phrase word by word: as a word of the text, a tag, or a word of the
/// place.
struct WordGrounder: ConceptGrounder {
  /// Returns the content words; all words if there are none.
  private static func content(_ words: [Word]) -> [Word] {
    let content = words.filter { !StopWords.contains($0.text) }
    return content.isEmpty ? words : content
  }

  /// Returns the keys of the content words of a phrase.
  static func keys(of phrase: String) -> Set<String> {
    Set(content(WordCutter.words(of: phrase)).map(\.key))
  }

  func ground(_ concept: Query.Concept, in timeline: TableTimeline) -> ConceptGrounding {
    var found = ConceptGrounding(phrase: concept.phrase)
    let words = WordCutter.words(of: concept.phrase)
    let content = Self.content(words)
    guard !content.isEmpty else { return found }
    var tags: Set<String> = []
    var clauses = content.map(\.key).map { key -> [IndexCondition.Atom] in
      let named = timeline.names.tagsByKey[key] ?? []
      tags.formUnion(named)
      return [.word(key), .place(key)] + named.map { .tag($0) }
    }
    // "Rock climbing" may also be the tag rock-climbing.
    let joined = words.map(\.lower).joined()
    if words.count > 1, let tag = timeline.names.tag(joined: joined) {
      tags.insert(tag)
      for index in clauses.indices { clauses[index].append(.tag(tag)) }
    }
    var condition = IndexCondition(days: DayKey.earliest...DayKey.latest)
    condition.all = clauses
    guard timeline.count(.activity, where: condition) + timeline.count(.day, where: condition) > 0
    else { return found }
    found.manner = .words
    found.clauses = clauses
    found.labels = content.map(\.text) + tags.sorted().map { "#" + $0 }
    return found
  }
}

/// A grounder that resolves a phrase by its words, and by a ranked search over words and meaning if
/// no entry has all the words or the phrase is a single event.
struct SearchGrounder: ConceptGrounder {
  let search: HybridSearch
  let archive: Archive

  /// The maximum number of entries if the words alone don't determine them.
  private static let most = 20
  /// The minimum similarity for entries with the same meaning.
  private static let leastSimilarity = 0.4

  func ground(_ concept: Query.Concept, in timeline: TableTimeline) throws -> ConceptGrounding {
    var found = WordGrounder().ground(concept, in: timeline)
    guard found.manner == .nothing || concept.role == .event else { return found }
    // Punctuation would be parsed as filters.
    let words = WordCutter.words(of: concept.phrase, joinsPhrases: false).map(\.text)
    let plain = words.filter { !$0.isEmpty }.joined(separator: " ")
    guard !plain.isEmpty else { return found }
    let hits = try search.search(SearchRequest(query: plain, limit: Self.most)).hits
      .filter { [.activity, .day, .note].contains($0.type) }
      .filter {
        found.manner == .words || $0.why.similarity ?? 0 >= Self.leastSimilarity
          || !words.isEmpty && $0.why.words.count >= words.count
      }
    let chosen = concept.role == .event ? Array(hits.prefix(1)) : hits
    guard !chosen.isEmpty else { return found }
    found.manner = found.manner == .words ? .words : .meaning
    found.clauses = []
    found.rows = try archive.documents(of: chosen)
    found.ids = Set(chosen.map(\.id))
    found.labels = chosen.prefix(5).map { String($0.title.prefix(120)) }
    return found
  }
}

import ArkivedCore
import ArkivedSearch
import ArkivedStore
import Foundation

/// What a phrase of a query was taken for.
struct ConceptGrounding: Sendable {
  enum Manner: String, Sendable {
    /// Entries have its words, or a tag or a place of that name.
    case words
    /// Entries mean about the same.
    case meaning
    case nothing
  }

  var phrase: String
  var manner = Manner.nothing
  /// Entries where each clause holds by one of its atoms, beside those of `rows`.
  var clauses: [[IndexCondition.Atom]] = []
  /// Row numbers of entries in the full-text table.
  var rows: Set<Int64> = []
  var ids: Set<UUID> = []
  /// Tags, words, or the beginning of the entries it was taken for.
  var labels: [String] = []
  /// Words of the phrase that say too little to be told by entries, or that none tells.
  var dropped: [String] = []
  /// Words that the archive doesn't have, with what they were taken for.
  var guesses: [(word: String, meant: String)] = []

  var json: JSON {
    ["phrase": .string(phrase), "by": .string(manner.rawValue), "as": JSON(labels)]
  }
}

/// Finds what the phrases of queries mean in an archive.
protocol ConceptGrounder: Sendable {
  func ground(_ concept: Query.Concept, in timeline: TableTimeline) throws -> ConceptGrounding
}

/// Grounds a phrase by its words: each as a word of the text, a tag, or a word of the place.
struct WordGrounder: ConceptGrounder {
  /// The words that say something; all where none does.
  private static func content(_ words: [Word]) -> [Word] {
    let content = words.filter { !StopWords.contains($0.text) }
    return content.isEmpty ? words : content
  }

  /// The keys of the words of a phrase that say something.
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
    // "Rock climbing" is also the tag rock-climbing.
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

/// Grounds a phrase by its words, and where no entry has them all, or one event is meant, by a ranked
/// search over words and meaning.
struct SearchGrounder: ConceptGrounder {
  let search: HybridSearch
  let archive: Archive

  /// So many entries are taken at most where no words decide.
  private static let most = 20
  /// Entries below this likeness mean something else.
  private static let leastSimilarity = 0.4

  func ground(_ concept: Query.Concept, in timeline: TableTimeline) throws -> ConceptGrounding {
    var found = WordGrounder().ground(concept, in: timeline)
    guard found.manner == .nothing || concept.role == .event else { return found }
    // Signs would be read as filters.
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

import ArkivedCore
import ArkivedSearch
import ArkivedStore
import Foundation

/// A grounder that resolves a phrase of a question by rank: its words with their forms and
/// synonyms, tags and places; if no entry contains all of them, those that cover the most; then
/// meaning.
struct RankedGrounder: ConceptGrounder {
  let search: HybridSearch
  let archive: Archive
  let lexicon: ReaderLexicon
  /// The English translations of the words of the question's language, for archives written in
  /// English.
  let wording: QuestionWording?
  /// The question's other phrases, which distinguish an event from others with the same name.
  var context: [String] = []

  typealias Clause = ConceptClauses.Clause

  private static let most = 20
  /// The minimum similarity for entries with the same meaning.
  private static let leastSimilarity = 0.55
  /// The maximum number of entries compared if several mention an event.
  private static let eventLimit = 400

  func ground(_ concept: Query.Concept, in timeline: TableTimeline) throws -> ConceptGrounding {
    var found = ConceptGrounding(phrase: concept.phrase)
    let maker = ConceptClauses(timeline: timeline, lexicon: lexicon, wording: wording)
    let words = maker.words(of: concept.phrase)
    guard !words.isEmpty else { return found }
    if words.count > 1, let tag = timeline.names.tag(joined: words.map(\.lower).joined()) {
      return taken([[.tag(tag)]], ["#" + tag], &found)
    }
    let clauses = words.map(maker.clause)
    if let best = chosen(clauses, maker) {
      found.dropped = clauses.filter { clause in
        !best.contains { $0.word.text == clause.word.text } && !clause.isTold
      }.map(\.word.text)
      found.guesses = best.compactMap { clause in
        clause.guess.map { (clause.word.text, $0) }
      }
      if concept.role == .event {
        return event(best, maker, &found)
      }
      return taken(best.map(\.atoms), best.map(\.word.text), &found)
    }
    return try meaning(words, concept, &found)
  }

  private func taken(
    _ clauses: [[IndexCondition.Atom]], _ labels: [String], _ found: inout ConceptGrounding
  ) -> ConceptGrounding {
    (found.manner, found.clauses, found.labels) = (.words, clauses, labels)
    return found
  }

  /// Returns the clauses that entries match together: all of them, otherwise those that aren't
  /// light verbs; nil if too little of the phrase would remain.
  private func chosen(_ clauses: [Clause], _ maker: ConceptClauses) -> [Clause]? {
    func count(_ some: [Clause]) -> Int { maker.count(some.map(\.atoms), notes: false) }
    let heavy = clauses.filter { !$0.isLight }
    // Playing, hearing or attending something needs no verb.
    let isThing = heavy.contains { !$0.word.isCapitalised }
    let telling = isThing ? clauses.filter { !$0.isTold } : clauses
    if count(telling) > 0 { return telling }
    guard !heavy.isEmpty else { return nil }
    if heavy.count < telling.count, count(heavy) > 0 { return heavy }
    // A word missing from the archive may be a different word there if two others are specific
    // enough.
    let known = heavy.filter(\.isKnown)
    if known.count > 1, known.count < heavy.count, count(known) > 0 {
      return known
    }
    guard heavy.count > 2 else { return nil }
    // One word may differ in the entry if at least three match.
    let smaller = heavy.indices.map { index in
      heavy.enumerated().filter { $0.offset != index }.map(\.element)
    }
    return smaller.map { ($0, count($0)) }.filter { $0.1 > 0 }
      .min { $0.1 < $1.1 }?.0
  }

  /// Returns the entry that best describes an event: the one that shares most with the rest of the
  /// question and has the fewest other words; the first if tied.
  private func event(
    _ clauses: [Clause], _ maker: ConceptClauses, _ found: inout ConceptGrounding
  ) -> ConceptGrounding {
    var condition = IndexCondition(days: DayKey.earliest...DayKey.latest)
    condition.all = clauses.map(\.atoms)
    let entries = maker.timeline.entries(.activity, where: condition).prefix(Self.eventLimit)
      .filter { entry in !lexicon.unhappened.contains { entry.text.lowercased().contains($0) } }
    let beside = context.flatMap(maker.clauses).filter { clause in
      clause.isKnown && !clauses.contains { $0.word.key == clause.word.key }
    }
    func score(_ entry: TimelineEntry) -> Double {
      let keys = entry.keys
      let shared = beside.filter { $0.stands(in: entry, keys: keys) }
      return Double(shared.count) + Double(clauses.count) / Double(max(keys.count, clauses.count))
    }
    var best: (score: Double, entry: TimelineEntry)?
    for entry in entries {
      let score = score(entry)
      if let known = best, known.score + 0.25 >= score { continue }
      best = (score, entry)
    }
    guard let entry = best?.entry else { return found }
    (found.manner, found.rows, found.labels) = (.words, [entry.id], [entry.text])
    return found
  }

  private func meaning(
    _ words: [Word], _ concept: Query.Concept, _ found: inout ConceptGrounding
  ) throws -> ConceptGrounding {
    var hits = try hits(words).filter { $0.why.similarity ?? 0 >= Self.leastSimilarity }
    if concept.role == .event { hits = Array(hits.prefix(1)) }
    guard !hits.isEmpty else { return found }
    found.manner = .meaning
    found.rows = try archive.documents(of: hits)
    found.ids = Set(hits.map(\.id))
    found.labels = hits.prefix(5).map { String($0.title.prefix(120)) }
    return found
  }

  private func hits(_ words: [Word]) throws -> [SearchHit] {
    let plain = words.map(\.text).joined(separator: " ")
    return try search.search(SearchRequest(query: plain, limit: Self.most)).hits
      .filter { [.activity, .day].contains($0.type) }
  }
}

import ArkivedCore
import ArkivedSearch
import ArkivedStore
import Foundation

/// Grounds a phrase of a question by rank: its words with their forms and synonyms, tags and places;
/// where no entry tells all of them, those that say most; then meaning.
struct RankedGrounder: ConceptGrounder {
  let search: HybridSearch
  let archive: Archive
  let lexicon: ReaderLexicon
  /// What words of the question's language are in English, for archives that are written in it.
  let wording: QuestionWording?
  /// The question's other phrases, which tell one event from others of its name.
  var context: [String] = []

  typealias Clause = ConceptClauses.Clause

  private static let most = 20
  /// Entries below this likeness mean something else.
  private static let leastSimilarity = 0.55
  /// So many entries are compared where several tell of an event.
  private static let eventLimit = 400

  func ground(_ concept: Query.Concept, in timeline: TableTimeline) throws -> ConceptGrounding {
    var found = ConceptGrounding(phrase: concept.phrase)
    let words = WordCutter.words(of: concept.phrase).filter { !lexicon.isEmpty($0.lower) }
    guard !words.isEmpty else { return found }
    if words.count > 1, let tag = timeline.names.tag(joined: words.map(\.lower).joined()) {
      return taken([[.tag(tag)]], ["#" + tag], &found)
    }
    let maker = ConceptClauses(timeline: timeline, lexicon: lexicon, wording: wording)
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

  /// The clauses that entries fulfil together: all of them, else those that are no light verbs; nil
  /// where that says too little of the phrase.
  private func chosen(_ clauses: [Clause], _ maker: ConceptClauses) -> [Clause]? {
    func count(_ some: [Clause]) -> Int { maker.count(some.map(\.atoms), notes: false) }
    let heavy = clauses.filter { !$0.isLight }
    // What was played, heard or attended needs no verb beside it.
    let isThing = heavy.contains { !$0.word.isCapitalised }
    let telling = isThing ? clauses.filter { !$0.isTold } : clauses
    if count(telling) > 0 { return telling }
    guard !heavy.isEmpty else { return nil }
    if heavy.count < telling.count, count(heavy) > 0 { return heavy }
    // A word that the archive has nowhere may be another there, where two others say enough.
    let known = heavy.filter(\.isKnown)
    if known.count > 1, known.count < heavy.count, count(known) > 0 {
      return known
    }
    guard heavy.count > 2 else { return nil }
    // One word may be another in the entry, where three or more are told.
    let smaller = heavy.indices.map { index in
      heavy.enumerated().filter { $0.offset != index }.map(\.element)
    }
    return smaller.map { ($0, count($0)) }.filter { $0.1 > 0 }
      .min { $0.1 < $1.1 }?.0
  }

  /// The one entry that tells an event best: that shares most with the rest of the question, whose text
  /// says little else, the first of those.
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

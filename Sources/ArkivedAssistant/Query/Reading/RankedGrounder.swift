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

  private static let most = 20
  /// Entries below this likeness mean something else.
  private static let leastSimilarity = 0.55

  /// Verbs that the thing itself tells: what was bought, seen or eaten.
  static func isLight(_ key: String) -> Bool {
    ConceptResolver.soft.contains(key) || QuestionWords.light.contains(key)
  }

  /// Verbs that no entry needs to say where it says the thing.
  static func isTold(_ key: String) -> Bool {
    ConceptResolver.told.contains(key) || ConceptResolver.played.contains(key)
      || QuestionWords.light.contains(key)
  }

  private struct Clause {
    var word: Word
    var atoms: [IndexCondition.Atom]
    /// In how many entries one of the atoms stands.
    var count: Int
    /// A verb that the thing tells already: what was bought, seen or eaten.
    var isLight: Bool
  }

  func ground(_ concept: Query.Concept, in timeline: TableTimeline) throws -> ConceptGrounding {
    var found = ConceptGrounding(phrase: concept.phrase)
    let words = WordCutter.words(of: concept.phrase).filter { !lexicon.isEmpty($0.lower) }
    guard !words.isEmpty else { return found }
    if words.count > 1, let tag = timeline.names.tag(joined: words.map(\.lower).joined()) {
      return taken([[.tag(tag)]], ["#" + tag], &found)
    }
    let clauses = words.map { clause($0, timeline) }
    if concept.role == .event { return try event(clauses, words, timeline, &found) }
    if let best = chosen(clauses, timeline) {
      found.dropped = words.filter { word in
        !best.contains { $0.word.text == word.text } && !Self.isTold(word.key)
      }.map(\.text)
      return taken(best.map(\.atoms), best.map(\.word.text), &found)
    }
    return try meaning(words, timeline, concept, &found)
  }

  private func taken(
    _ clauses: [[IndexCondition.Atom]], _ labels: [String], _ found: inout ConceptGrounding
  ) -> ConceptGrounding {
    (found.manner, found.clauses, found.labels) = (.words, clauses, labels)
    return found
  }

  private func count(_ clauses: [[IndexCondition.Atom]], _ timeline: TableTimeline) -> Int {
    var condition = IndexCondition(days: DayKey.earliest...DayKey.latest)
    condition.all = clauses
    return timeline.count(.activity, where: condition) + timeline.count(.day, where: condition)
  }

  private func clause(_ word: Word, _ timeline: TableTimeline) -> Clause {
    var atoms: [IndexCondition.Atom] = [.word(word.key), .place(word.key)]
    var keys = [word.key]
    for other in [wording?.entries[word.lower], wording?.capitals[word.lower]] {
      guard let other else { continue }
      let english = other.english.split(separator: " ").map(String.init)
      keys += english.filter { !lexicon.isEmpty($0) }.prefix(1).map { Lemma.key($0) }
      keys += other.forms.map { Lemma.key($0) }
    }
    let isKnown = keys.contains {
      timeline.frequency(of: $0) > 0 || timeline.names.tagsByKey[$0] != nil
    }
    // Forms that the cutting of endings leaves apart, and compounds: "Zahnarzttermin".
    if !isKnown, word.lower.count >= 5 {
      let stem = String(word.lower.prefix(max(5, word.lower.count - 2)))
      let forms = timeline.names.words(startingWith: stem)
        .filter { $0.count <= word.lower.count + 4 }
      if forms.count <= 12 { keys += forms.map { Lemma.key($0) } }
    }
    // Words near in meaning stand for what the archive has no word of.
    keys += keys.flatMap { (isKnown ? Synonyms.exact($0) : Synonyms.near($0)).sorted() }
    for key in keys {
      atoms.append(.word(key))
      atoms += (timeline.names.tagsByKey[key] ?? []).map { .tag($0) }
    }
    for person in timeline.names.persons.candidates(named: word.text) where word.isCapitalised {
      atoms.append(.person(person.name))
    }
    var seen: Set<IndexCondition.Atom> = []
    atoms = atoms.filter { seen.insert($0).inserted }
    let isLight = keys.contains(where: Self.isLight) || Self.isLight(word.lower)
    return Clause(
      word: word, atoms: atoms, count: count([atoms], timeline), isLight: isLight)
  }

  /// The clauses that entries fulfil together: all of them, else those that are no light verbs; nil
  /// where that says too little of the phrase.
  private func chosen(_ clauses: [Clause], _ timeline: TableTimeline) -> [Clause]? {
    let heavy = clauses.filter { !$0.isLight }
    // What was played, heard or attended needs no verb beside it.
    let telling = heavy.isEmpty ? clauses : clauses.filter { !Self.isTold($0.word.key) }
    if count(telling.map(\.atoms), timeline) > 0 { return telling }
    guard !heavy.isEmpty else { return nil }
    if heavy.count < telling.count, count(heavy.map(\.atoms), timeline) > 0 { return heavy }
    // A word that the archive has nowhere may be another there, where two others say enough.
    let known = heavy.filter { $0.count > 0 }
    if known.count > 1, known.count < heavy.count, count(known.map(\.atoms), timeline) > 0 {
      return known
    }
    guard heavy.count > 2 else { return nil }
    // One word may be another in the entry, where three or more are told.
    let smaller = heavy.indices.map { index in
      heavy.enumerated().filter { $0.offset != index }.map(\.element)
    }
    return smaller.map { ($0, count($0.map(\.atoms), timeline)) }.filter { $0.1 > 0 }
      .min { $0.1 < $1.1 }?.0
  }

  /// The one entry that tells an event best.
  private func event(
    _ clauses: [Clause], _ words: [Word], _ timeline: TableTimeline, _ found: inout ConceptGrounding
  ) throws -> ConceptGrounding {
    var condition = IndexCondition(days: DayKey.earliest...DayKey.latest)
    if let best = chosen(clauses, timeline) {
      condition.all = best.map(\.atoms)
      let entries = timeline.entries(.activity, where: condition)
      if entries.count == 1, let entry = entries.first {
        (found.manner, found.rows, found.labels) = (.words, [entry.id], [entry.text])
        return found
      }
      // Of several, search says which.
      let hits = try hits(words).filter { hit in hit.type == .activity }
      let rows = try archive.documents(of: hits)
      if let entry = entries.first(where: { rows.contains($0.id) }) ?? entries.first {
        let ranked = try hits.first { hit in
          try !archive.documents(of: [hit]).isDisjoint(with: entries.map(\.id))
        }
        let id = try ranked.map { try archive.documents(of: [$0]) } ?? [entry.id]
        let text = entries.first { id.contains($0.id) }?.text ?? entry.text
        (found.manner, found.rows, found.labels) = (.words, id, [text])
        return found
      }
    }
    guard let hit = try hits(words).first, hit.why.similarity ?? 0 >= Self.leastSimilarity else {
      return found
    }
    found.manner = .meaning
    found.rows = try archive.documents(of: [hit])
    found.ids = [hit.id]
    found.labels = [String(hit.title.prefix(120))]
    return found
  }

  private func meaning(
    _ words: [Word], _ timeline: TableTimeline, _ concept: Query.Concept,
    _ found: inout ConceptGrounding
  ) throws -> ConceptGrounding {
    let hits = try hits(words).filter { $0.why.similarity ?? 0 >= Self.leastSimilarity }
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

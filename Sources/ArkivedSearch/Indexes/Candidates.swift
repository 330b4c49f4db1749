import ArkivedStore

/// The documents that may answer a query, with the evidence about each.
struct Candidates {
  var relevance = Relevance()
  /// The neighbours of each document.
  var neighbours: [Int64: [WordIndex.Neighbour]] = [:]

  /// The documents in the order they were found, which breaks ties.
  private(set) var documents: [Int64] = []
  private var evidence: [Int64: Relevance.Evidence] = [:]
  private var hasWords: Set<Int64> = []
  private var hasMeaning: Set<Int64> = []
  private var hasRelated: Set<Int64> = []

  func contains(_ document: Int64) -> Bool { evidence[document] != nil }

  /// The documents whose words have not been evaluated yet.
  var withoutWords: [Int64] { documents.filter { !hasWords.contains($0) } }

  /// The documents whose related words have not been evaluated yet.
  var withoutRelated: [Int64] { documents.filter { !hasRelated.contains($0) } }

  /// The documents whose meaning has not been evaluated yet.
  var withoutMeaning: [Int64] { documents.filter { !hasMeaning.contains($0) } }

  /// Adds documents without evidence.
  mutating func add(_ new: [Int64]) {
    for document in new where evidence[document] == nil {
      documents.append(document)
      evidence[document] = Relevance.Evidence()
    }
  }

  /// Adds results of the word search.
  mutating func add(_ matches: [WordSearch.Match]) {
    add(matches.map(\.document))
    for match in matches where hasWords.insert(match.document).inserted {
      evidence[match.document]?.words = match.words
      evidence[match.document]?.presence = match.presence
      evidence[match.document]?.prominence = match.prominence
    }
  }

  /// Adds results of the search by words of related meaning.
  mutating func add(_ matches: [WordSearch.Match], of related: WordSearch.Related) {
    add(matches.map(\.document))
    for match in matches where hasRelated.insert(match.document).inserted {
      evidence[match.document]?.relatedPresence = related.presence(match)
      evidence[match.document]?.relatedProminence = match.prominence
    }
  }

  /// Adds results of the search by meaning.
  mutating func add(_ matches: [VectorMatch]) {
    add(matches.map(\.document))
    for match in matches where hasMeaning.insert(match.document).inserted {
      evidence[match.document]?.cosine = Double(match.score)
      evidence[match.document]?.passage = match.chunk
    }
  }

  /// Records that documents' words have been evaluated completely: words that were not found don't
  /// occur.
  mutating func know(wordsOf documents: [Int64]) { hasWords.formUnion(documents) }

  /// Records that documents' meaning has been evaluated completely.
  mutating func know(meaningOf documents: [Int64]) { hasMeaning.formUnion(documents) }

  /// Returns the documents that are most relevant by themselves.
  func best(_ count: Int) -> [Int64] {
    documents.enumerated().map { (relevance.own(evidence[$1] ?? .init()), $0, $1) }
      .sorted { ($0.0, $1.1) > ($1.0, $0.1) }.prefix(count).map(\.2)
  }

  /// The matching documents, best first.
  var ranked: [Archive.FoundDocument] {
    let own = evidence.mapValues(relevance.own)
    var found: [(document: Archive.FoundDocument, place: Int)] = []
    for (place, document) in documents.enumerated() {
      guard let evidence = evidence[document] else { continue }
      let beside = (neighbours[document] ?? []).lazy.compactMap { neighbour in
        own[neighbour.document].map { (own: $0, distance: neighbour.distance) }
      }
      guard let total = relevance.total(evidence, lent: relevance.lent(by: beside)) else {
        continue
      }
      let isMeant = relevance.isMeant(evidence)
      found.append(
        (
          Archive.FoundDocument(
            document: document, score: total, words: evidence.words,
            similarity: isMeant ? evidence.cosine : nil,
            passage: relevance.isBestShownByMeaning(evidence) ? evidence.passage : nil), place
        ))
    }
    return found.sorted { ($0.document.score, $1.place) > ($1.document.score, $0.place) }
      .map(\.document)
  }
}

import ArkivedCore
import ArkivedStore
import Foundation

/// A search that uses the index files.
struct IndexedSearch {
  private let archive: Archive
  private let indexes: SearchIndexes
  private let request: SearchRequest
  private let words: WordQuery
  private let text: String
  private let current: SearchIndexes.Words

  /// The number of documents that each search method contributes.
  private static let depth = 100
  /// The depth to which the word index is searched for documents that pass the filters.
  private static let deepest = 25_600
  static let depthLimit = 10_000
  private static let patience = Duration.seconds(2)

  /// Creates a search.
  ///
  /// - Returns: nil if the index doesn't exist or cannot answer the query.
  init?(
    archive: Archive, indexes: SearchIndexes, request: SearchRequest, words: WordQuery,
    text: String
  ) {
    // The table serves a request for everything better.
    guard (1...Self.depthLimit).contains(request.limit), WordSearch.canAnswer(words),
      let current = try? indexes.currentWords()
    else { return nil }
    self.archive = archive
    self.indexes = indexes
    self.request = request
    self.words = words
    self.text = text
    self.current = current
  }

  /// Runs the search.
  ///
  /// - Returns: nil if the index turns out to be damaged, or can't answer the query completely.
  func outcome() throws -> HybridSearch.Outcome? {
    do {
      return try merged()
    } catch is WordIndexError {
      // The damaged index must not be used again; the process that maintains the indexes rebuilds
      // it.
      let file = URL(fileURLWithPath: current.index.path).lastPathComponent
      try? archive.removeSearchIndex(SearchIndexes.wordsName, file: file)
      return nil
    }
  }

  private func merged() throws -> HybridSearch.Outcome? {
    let allowed = try current.allowed(by: request, in: archive)
    let search = WordSearch(current, archive)
    let wanted = request.limit.addingReportingOverflow(max(0, request.offset))
    // The depth grows in steps, so the next page continues where the previous one ended.
    var depth = Self.depth
    while depth < (wanted.overflow ? Self.deepest : wanted.partialValue) { depth *= 4 }
    var outcome = HybridSearch.Outcome(hits: [], milliseconds: 0)

    var all = try search.prepare(words, expand: Self.expand)
    guard try request.mode == .meaning || search.isComplete(all) else { return nil }
    let slips = try search.correct(&all, isWord: isWord)
    try search.weigh(&all)
    var candidates = Candidates()
    if request.mode != .meaning {
      guard let whole = try find(all, search, allowed, depth, &outcome) else { return nil }
      candidates.add(whole)
      candidates.relevance.isHeldWhole = !whole.isEmpty
      if all.requiredCount > 1, whole.isEmpty || !isExact {
        guard let parts = try find(all.relaxed, search, allowed, depth, &outcome)
        else { return nil }
        candidates.add(parts)
        outcome.isRelaxed = whole.isEmpty && !parts.isEmpty
      }
    }
    let meaning = readsMeaning ? try meaning(&outcome) : nil
    if let meaning {
      candidates.relevance.scale = meaning.scale
      candidates.relevance.chance = meaning.chance
      if request.mode == .meaning { candidates.relevance.leastCloseness = Relevance.unlikely }
      candidates.add(try near(meaning, candidates.relevance, allowed, depth))
    }
    let related = try related(all.relaxed, search)
    if let related {
      guard let found = try find(related.prepared, search, allowed, depth, &outcome)
      else { return nil }
      candidates.add(found, of: related)
    }
    try addContext(to: &candidates, search, all.relaxed, related, meaning, allowed)
    let page = candidates.ranked.dropFirst(max(0, request.offset)).prefix(request.limit)
    outcome.hits = try archive.hits(
      of: Array(page), request, words: try marked(all), expand: Self.expand)
    outcome.suggestion = try slips.suggestion(for: text, hits: outcome.hits, archive)
    return outcome
  }

  /// The largest number of further forms that are marked in the results.
  private static let markedLimit = 64

  /// Returns the words to mark in the results: those of the query, with the corrections and other
  /// forms by which entries were found.
  private func marked(_ prepared: WordSearch.Prepared) throws -> WordQuery {
    var marked = words
    var known: Set<String> = []
    for form in prepared.query.clauses.filter({ $0.role != .excluded }).flatMap(\.forms) {
      guard known.count < Self.markedLimit else { break }
      // The full-text table stems what it looks for, so a term must be its own stem.
      guard case .term(let term) = form.content, known.insert(term).inserted,
        try archive.tokens(of: term) == [term]
      else { continue }
      marked.terms.append(WordQuery.Term(text: term))
    }
    return marked
  }

  /// The lists of related words.
  private var lists: RelatedWords? { RelatedWords.used ?? .installed() }

  /// Returns the query with words of related meaning; nil if there are none or words are matched
  /// literally.
  private func related(
    _ parts: WordSearch.Prepared, _ search: WordSearch
  ) throws -> WordSearch.Related? {
    guard readsMeaning, request.mode == .hybrid, let lists else { return nil }
    return try search.related(parts, in: lists)
  }

  private static let expand: @Sendable (String) -> [String] = {
    WordForms.english.searched(for: $0)
  }

  /// True if the query has quoted words, beginnings of words or exclusions, which are matched
  /// literally.
  private var isExact: Bool { words.terms.contains { $0.form != .word || $0.isExcluded } }

  /// The parts of the query that are matched literally even if its other words are ignored.
  private var literal: WordQuery {
    WordQuery(
      terms: request.mode == .meaning
        ? words.terms.filter { $0.form != .word || $0.isExcluded } : [])
  }

  /// True if meaning is used.
  private var readsMeaning: Bool {
    switch request.mode {
    case .words: false
    case .meaning: true
    case .hybrid: !isExact
    }
  }

  /// Adds the documents next to the best ones and completes the evidence about all of them.
  private func addContext(
    to candidates: inout Candidates, _ search: WordSearch, _ parts: WordSearch.Prepared,
    _ related: WordSearch.Related?, _ meaning: Meaning?, _ allowed: DocumentSet?
  ) throws {
    let best = candidates.best(Self.lenders)
    let beside = try search.neighbours(of: best, within: Relevance.reach)
    let strangers = Set(beside.values.joined().map(\.document))
      .filter { !candidates.contains($0) && allowed?.contains($0) ?? true }.sorted()
    let seen = try archive.passing(strangers, request, literal: literal)
    candidates.add(strangers.filter(seen.contains))
    try complete(&candidates, search, parts, related, meaning)
    candidates.neighbours = try search.neighbours(
      of: candidates.documents, within: Relevance.reach)
  }

  /// Evaluates the missing words and meaning of each candidate.
  private func complete(
    _ candidates: inout Candidates, _ search: WordSearch, _ parts: WordSearch.Prepared,
    _ related: WordSearch.Related?, _ meaning: Meaning?
  ) throws {
    let withoutMeaning = candidates.withoutMeaning
    if let meaning, !withoutMeaning.isEmpty {
      let query = VectorQuery(
        vector: meaning.vector, limit: withoutMeaning.count,
        allowed: DocumentSet(withoutMeaning), excluded: meaning.vectors.outdated)
      candidates.add(try matches(query, meaning))
      candidates.know(meaningOf: withoutMeaning)
    }
    let withoutWords = candidates.withoutWords
    if request.mode != .meaning, !withoutWords.isEmpty {
      candidates.add(try found(parts, among: withoutWords, search))
      candidates.know(wordsOf: withoutWords)
    }
    let withoutRelated = candidates.withoutRelated
    if let related, !withoutRelated.isEmpty {
      candidates.add(try found(related.prepared, among: withoutRelated, search), of: related)
    }
  }

  /// Returns the evidence about some documents.
  private func found(
    _ prepared: WordSearch.Prepared, among documents: [Int64], _ search: WordSearch
  ) throws -> [WordSearch.Match] {
    var prepared = prepared
    prepared.query.allowed = DocumentSet(documents)
    prepared.query.limit = documents.count
    prepared.query.deadline = ContinuousClock.now.advanced(by: Self.patience)
    return try search.find(prepared).found
  }

  /// The number of best documents that add their neighbours.
  private static let lenders = 20

  /// Returns true for words of the language, as far as the model knows them.
  private var isWord: (String) -> Bool {
    guard request.mode != .words else { return { _ in false } }
    let indexes = indexes
    let lists = lists
    return { word in
      if lists?.knows(word) == true { return true }
      // Few queries need the model, and opening it takes a moment.
      guard case .model(let model) = indexes.embedder() else { return false }
      return model.knowsWord(word)
    }
  }

  /// Returns documents that match words and pass the filters, searching deeper if few of them do.
  ///
  /// - Returns: nil if they are too far down the list; then all documents are searched in the
  ///   table.
  private func find(
    _ prepared: WordSearch.Prepared, _ search: WordSearch, _ allowed: DocumentSet?, _ depth: Int,
    _ outcome: inout HybridSearch.Outcome
  ) throws -> [WordSearch.Match]? {
    var prepared = prepared
    prepared.query.days = days
    prepared.query.allowed = allowed
    prepared.query.deadline = ContinuousClock.now.advanced(by: Self.patience)
    prepared.query.limit = depth
    while true {
      let (found, isPartial) = try search.find(prepared)
      let seen = try archive.passing(found.map(\.document), request)
      let passing = found.filter { seen.contains($0.document) }
      if isPartial { outcome.isPartial = true }
      let isAll = found.count < prepared.query.limit || isPartial
      if isAll || passing.count >= depth { return Array(passing.prefix(depth)) }
      guard prepared.query.limit < Self.deepest else { return nil }
      prepared.query.limit *= 8
    }
  }

  /// The query as the model reads it, with the vectors to compare it with.
  private struct Meaning {
    var vector: [Float]
    var vectors: SearchIndexes.Vectors
    var scale: SimilarityScale
    var chance: Relevance.Chance
    /// The archive's name for the vector file.
    var file: String?
  }

  /// The number of archive texts a query is compared with to estimate the similarity due to chance.
  private static let sampled = 256

  /// Prepares the search by meaning.
  ///
  /// - Returns: nil if it is not possible.
  private func meaning(_ outcome: inout HybridSearch.Outcome) throws -> Meaning? {
    guard let (model, vectors) = try indexes.currentMeaning() else { return nil }
    do {
      let vector = try model.vector(of: String(text.prefix(2_000)))
      let file = indexes.vectorFile(of: model)?.lastPathComponent
      let sample = try guarded(file) { try vectors.index.sample(vector, count: Self.sampled) }
      return sample.map {
        Meaning(
          vector: vector, vectors: vectors, scale: model.scale,
          chance: Relevance.Chance($0, scale: model.scale), file: file)
      }
    } catch let error as EmbeddingError {
      outcome.notes.append("Searched by words only. \(error)".withoutFullStop)
      return nil
    }
  }

  /// Returns documents of similar meaning that pass the filters.
  private func near(
    _ meaning: Meaning, _ relevance: Relevance, _ allowed: DocumentSet?, _ depth: Int
  ) throws -> [VectorMatch] {
    var query = VectorQuery(
      vector: meaning.vector, limit: depth * 2, days: days, allowed: allowed,
      excluded: meaning.vectors.outdated)
    while true {
      let near = try matches(query, meaning).filter {
        relevance.isMeant(.init(cosine: Double($0.score)))
      }
      let seen = try archive.passing(near.map(\.document), request, literal: literal)
      let isAll = near.count < query.limit || query.limit >= Self.deepest
      let passing = near.filter { seen.contains($0.document) }
      if isAll || passing.count >= depth { return Array(passing.prefix(depth)) }
      query.limit *= 8
    }
  }

  private func matches(_ query: VectorQuery, _ meaning: Meaning) throws -> [VectorMatch] {
    try guarded(meaning.file) { try meaning.vectors.index.search(query) } ?? []
  }

  /// Runs work that reads the vectors.
  ///
  /// - Returns: nil if the vectors turn out to be unusable.
  private func guarded<Result>(_ file: String?, _ body: () throws -> Result) throws -> Result? {
    do {
      return try body()
    } catch VectorIndexError.unusable {
      // The vectors must not be used again; the process that maintains the indexes rebuilds them.
      try? archive.removeSearchIndex(SearchIndexes.meaningName, file: file)
      return nil
    } catch is VectorIndexError {
      return nil
    }
  }

  /// The days that can pass the filters; an instant may belong to the day before or after.
  private var days: ClosedRange<Int32>? {
    guard request.from != nil || request.to != nil else { return nil }
    func day(_ bound: TimeBound?, _ shift: Int) -> Int32? {
      switch bound {
      case .day(let day): Int32(day.daysSinceEpoch)
      case .instant(let instant):
        Int32(request.homeZone.dayKey(at: instant).daysSinceEpoch + shift)
      case nil: nil
      }
    }
    let first = day(request.from, -2) ?? .min
    let last = day(request.to, 2) ?? .max
    // An empty span is represented by one that contains no day.
    return first <= last ? first...last : Int32.min...Int32.min
  }
}

extension String {
  /// The text without its final full stop, which is added when a note is shown.
  fileprivate var withoutFullStop: String { hasSuffix(".") ? String(dropLast()) : self }
}

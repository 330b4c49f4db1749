import ArkivedCore
import ArkivedStore
import Foundation

/// One search by the indexes beside the archive.
struct IndexedSearch {
  private let archive: Archive
  private let indexes: SearchIndexes
  private let request: SearchRequest
  private let words: WordQuery
  private let text: String
  private let current: SearchIndexes.Words

  /// How many documents each way of searching brings.
  private static let depth = 100
  /// How deep the word index is gone into for documents that pass the filters.
  private static let deepest = 25_600
  static let depthLimit = 10_000
  private static let patience = Duration.seconds(2)

  /// - Returns: nil where there is no index, or the query is none that it can answer.
  init?(
    archive: Archive, indexes: SearchIndexes, request: SearchRequest, words: WordQuery,
    text: String
  ) {
    // Who wants everything is better served by the table.
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

  /// - Returns: nil where the index turns out to be damaged.
  func outcome() throws -> HybridSearch.Outcome? {
    do {
      return try merged()
    } catch is WordIndexError {
      // Nobody is to use it again; whoever keeps the indexes makes it anew.
      let file = URL(fileURLWithPath: current.index.path).lastPathComponent
      try? archive.removeSearchIndex(SearchIndexes.wordsName, file: file)
      return nil
    }
  }

  private func merged() throws -> HybridSearch.Outcome? {
    let allowed = try current.allowed(by: request, in: archive)
    let search = WordSearch(current, archive)
    let wanted = request.limit.addingReportingOverflow(max(0, request.offset))
    // In steps, so that the next page goes on where the one before ended.
    var depth = Self.depth
    while depth < (wanted.overflow ? Self.deepest : wanted.partialValue) { depth *= 4 }
    var outcome = HybridSearch.Outcome(hits: [], milliseconds: 0)

    var all = try search.prepare(words, expand: Self.expand)
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
    try addContext(to: &candidates, search, all.relaxed, meaning, allowed)
    let page = candidates.ranked.dropFirst(max(0, request.offset)).prefix(request.limit)
    outcome.hits = try archive.hits(
      of: Array(page), request, words: words, expand: Self.expand)
    outcome.suggestion = try slips.suggestion(for: text, hits: outcome.hits, archive)
    return outcome
  }

  private static let expand: @Sendable (String) -> [String] = { WordForms.english.forms(of: $0) }

  /// Quoted words and exclusions are taken by the letter.
  private var isExact: Bool {
    words.terms.contains { $0.form == .phrase || $0.form == .inside || $0.isExcluded }
  }

  /// Whether meaning has a say.
  private var readsMeaning: Bool {
    switch request.mode {
    case .words: false
    case .meaning: true
    case .hybrid: !isExact
    }
  }

  /// Adds the documents beside the best ones, and finds out what isn't known of all of them.
  private func addContext(
    to candidates: inout Candidates, _ search: WordSearch, _ parts: WordSearch.Prepared,
    _ meaning: Meaning?, _ allowed: DocumentSet?
  ) throws {
    let best = candidates.best(Self.lenders)
    let beside = try search.neighbours(of: best, within: Relevance.reach)
    let strangers = Set(beside.values.joined().map(\.document))
      .filter { !candidates.contains($0) && allowed?.contains($0) ?? true }.sorted()
    let seen = try archive.passing(strangers, request)
    candidates.add(strangers.filter(seen.contains))
    try complete(&candidates, search, parts, meaning)
    candidates.neighbours = try search.neighbours(
      of: candidates.documents, within: Relevance.reach)
  }

  /// Finds out what isn't known of the words and the meaning of each candidate.
  private func complete(
    _ candidates: inout Candidates, _ search: WordSearch, _ parts: WordSearch.Prepared,
    _ meaning: Meaning?
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
      var parts = parts
      parts.query.allowed = DocumentSet(withoutWords)
      parts.query.limit = withoutWords.count
      parts.query.deadline = ContinuousClock.now.advanced(by: Self.patience)
      candidates.add(try search.find(parts).found)
      candidates.know(wordsOf: withoutWords)
    }
  }

  /// How many of the best documents bring up those beside them.
  private static let lenders = 20

  /// Tells words of the language, as far as the model knows them.
  private var isWord: (String) -> Bool {
    guard request.mode != .words else { return { _ in false } }
    let indexes = indexes
    return { word in
      // Asked for few queries, and it takes a moment to open.
      guard case .model(let model) = indexes.embedder() else { return false }
      return model.knowsWord(word)
    }
  }

  /// Documents that match words and pass the filters; goes deeper where few of them pass.
  ///
  /// - Returns: nil where they lie too deep: the table looks through all.
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

  /// The query as the model reads it, and the vectors to compare it with.
  private struct Meaning {
    var vector: [Float]
    var vectors: SearchIndexes.Vectors
    var scale: SimilarityScale
    var chance: Relevance.Chance
    /// The archive's name for the vectors.
    var file: String?
  }

  /// How many texts of the archive a query is compared with to learn what is chance.
  private static let sampled = 256

  /// - Returns: nil where nothing can be found by meaning.
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
      outcome.notes.append("Only words were searched. \(error)".withoutFullStop)
      return nil
    }
  }

  /// Documents of near meaning that pass the filters.
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
      let seen = try archive.passing(near.map(\.document), request)
      let isAll = near.count < query.limit || query.limit >= Self.deepest
      let passing = near.filter { seen.contains($0.document) }
      if isAll || passing.count >= depth { return Array(passing.prefix(depth)) }
      query.limit *= 8
    }
  }

  private func matches(_ query: VectorQuery, _ meaning: Meaning) throws -> [VectorMatch] {
    try guarded(meaning.file) { try meaning.vectors.index.search(query) } ?? []
  }

  /// - Returns: nil where the vectors turn out to be of no use.
  private func guarded<Result>(_ file: String?, _ body: () throws -> Result) throws -> Result? {
    do {
      return try body()
    } catch VectorIndexError.unusable {
      // Nobody is to use it again; whoever keeps the indexes makes it anew.
      try? archive.removeSearchIndex(SearchIndexes.meaningName, file: file)
      return nil
    } catch is VectorIndexError {
      return nil
    }
  }

  /// The days that can pass the filters at all; an instant may be of the day before or after.
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
    // An empty span is said by one that no day lies in.
    return first <= last ? first...last : Int32.min...Int32.min
  }
}

extension String {
  /// Whoever shows a note ends it.
  fileprivate var withoutFullStop: String { hasSuffix(".") ? String(dropLast()) : self }
}

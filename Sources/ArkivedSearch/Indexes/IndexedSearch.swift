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
  private let given: Fusion?
  private let current: SearchIndexes.Words

  /// How many documents each list has before they are merged.
  private static let depth = 100
  /// How deep the word index is gone into for documents that pass the filters.
  private static let deepest = 25_600
  static let depthLimit = 10_000
  private static let patience = Duration.seconds(2)

  /// - Returns: nil where there is no index, or the query is none that it can answer.
  init?(
    archive: Archive, indexes: SearchIndexes, request: SearchRequest, words: WordQuery,
    text: String, fusion: Fusion?
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
    given = fusion
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
    let expand = WordForms.english.forms(of:)
    let wanted = request.limit.addingReportingOverflow(max(0, request.offset))
    // In steps, so that the next page goes on where the one before ended.
    var depth = Self.depth
    while depth < (wanted.overflow ? Self.deepest : wanted.partialValue) { depth *= 4 }
    var outcome = HybridSearch.Outcome(hits: [], milliseconds: 0)

    var all = try search.prepare(words, isAll: true, expand: expand)
    let isWord = isWord
    let slips = try search.correct(&all, isWord: isWord)
    var strict: [Archive.FoundDocument] = []
    var loose: [Archive.FoundDocument] = []
    var share: ((Archive.FoundDocument) -> Double)?
    if request.mode != .meaning {
      guard let found = try find(all, search, allowed, depth, &outcome) else { return nil }
      strict = found
    }
    let isSingle = all.query.clauses.filter { $0.role == .required }.count < 2
    if request.mode != .meaning, !isSingle, strict.isEmpty {
      var any = try search.prepare(words.withoutStopWords, isAll: false, expand: expand)
      _ = try search.correct(&any, isWord: isWord)
      guard let found = try find(any, search, allowed, depth, &outcome) else { return nil }
      loose = found
      let worths = try search.worths(any)
      let all = worths.values.reduce(0, +)
      share = { document in
        all > 0 ? Set(document.words).reduce(0) { $0 + (worths[$1] ?? 0) } / all : 1
      }
    }
    let fusion =
      given
      ?? Fusion(words, holdsAll: !strict.isEmpty, isCorrected: !slips.corrections.isEmpty)
    let near = request.mode == .words ? [] : try similar(fusion, allowed, depth, &outcome)
    let merged = fusion.merge([
      strict.isEmpty
        ? .init(documents: loose, weight: fusion.words, share: share)
        : .init(documents: strict, weight: fusion.words),
      .init(documents: near, weight: request.mode == .meaning ? 1 : fusion.meaning),
    ])
    let page = merged.dropFirst(max(0, request.offset)).prefix(request.limit)
    outcome.isRelaxed = strict.isEmpty && !loose.isEmpty
    outcome.hits = try archive.hits(of: Array(page), request, words: words, expand: expand)
    outcome.suggestion = try slips.suggestion(for: text, hits: outcome.hits, archive)
    return outcome
  }

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
  ) throws -> [Archive.FoundDocument]? {
    var prepared = prepared
    prepared.query.days = days
    prepared.query.allowed = allowed
    prepared.query.deadline = ContinuousClock.now.advanced(by: Self.patience)
    prepared.query.limit = depth
    while true {
      let (found, isPartial) = try search.find(prepared)
      let passing = try archive.passing(found, request)
      if isPartial { outcome.isPartial = true }
      let isAll = found.count < prepared.query.limit || isPartial
      if isAll || passing.count >= depth { return Array(passing.prefix(depth)) }
      guard prepared.query.limit < Self.deepest else { return nil }
      prepared.query.limit *= 8
    }
  }

  /// Documents of near meaning that pass the filters.
  private func similar(
    _ fusion: Fusion, _ allowed: DocumentSet?, _ depth: Int,
    _ outcome: inout HybridSearch.Outcome
  ) throws -> [Archive.FoundDocument] {
    guard request.mode == .meaning || fusion.meaning > 0,
      let (model, vectors) = try indexes.currentMeaning()
    else { return [] }
    let vector: [Float]
    do {
      vector = try model.vector(of: String(text.prefix(2_000)))
    } catch let error as EmbeddingError {
      outcome.notes.append("Found by words alone. \(error)".withoutFullStop)
      return []
    }
    let least = model.scale.cosine(like: fusion.leastSimilarity)
    do {
      var query = VectorQuery(
        vector: vector, limit: depth * 2, days: days, allowed: allowed,
        excluded: vectors.outdated)
      while true {
        let matches = try vectors.index.search(query)
        let near = matches.filter { Double($0.score) >= least }.map {
          Archive.FoundDocument(
            document: $0.document, score: Double($0.score), similarity: Double($0.score))
        }
        let passing = try archive.passing(near, request)
        let isAll = near.count < query.limit || query.limit >= Self.deepest
        if isAll || passing.count >= depth { return Array(passing.prefix(depth)) }
        query.limit *= 8
      }
    } catch VectorIndexError.unusable {
      // Nobody is to use it again; whoever keeps the indexes makes it anew.
      try? archive.removeSearchIndex(
        SearchIndexes.meaningName, file: indexes.vectorFile(of: model)?.lastPathComponent)
      return []
    } catch is VectorIndexError {
      return []
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

import ArkivedCore
import ArkivedSearch
import ArkivedTestSupport
import Foundation
import Testing

@Suite("Asking the word index")
struct WordIndexSearchTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func index(_ corpus: WordCorpus) throws -> WordIndex {
    try corpus.build(at: folder.index)
    return try WordIndex(contentsOf: folder.index)
  }

  /// Compares everything that the index says about a query with the long way.
  private func compare(
    _ query: WordIndexQuery, _ index: WordIndex, _ corpus: WordCorpus,
    _ location: SourceLocation = #_sourceLocation
  ) throws {
    let all = corpus.answer(query)
    let expected = Array(all.dropFirst(query.offset).prefix(query.limit))
    let results = try index.search(query)
    #expect(results.hits == expected, "\(query)", sourceLocation: location)
    #expect(!results.isPartial && results.matchesAtLeast <= all.count, sourceLocation: location)
    let count = try index.count(query)
    #expect(count.count == all.count && !count.isPartial, "\(query)", sourceLocation: location)
    let matches = try index.matches(query).rowNumbers
    #expect(matches == DocumentSet(all.map(\.rowNumber)), "\(query)", sourceLocation: location)
  }

  /// A query of any shape over the words w0 to w`vocabulary`.
  private func randomQuery(
    _ corpus: WordCorpus, _ vocabulary: Int, _ chance: inout SeededChance
  ) -> WordIndexQuery {
    func word() -> String {
      // Frequent words as often as rare ones.
      let limit = 1 << Int.random(in: 1...10, using: &chance)
      return "w\(Int.random(in: 0..<min(limit, vocabulary + 5), using: &chance))"
    }
    func content() -> WordIndexQuery.Form.Content {
      switch Int.random(in: 0..<8, using: &chance) {
      case 0: .prefix(String(word().prefix(2)), limit: Int.random(in: 1...9, using: &chance))
      case 1: .phrase([word(), word()])
      case 2: .phrase(["w0", word(), "w1"])
      default: .term(word())
      }
    }
    var clauses: [WordIndexQuery.Clause] = []
    for _ in 0..<Int.random(in: 1...5, using: &chance) {
      let role: WordIndexQuery.Role =
        [.required, .required, .optional, .optional, .optional, .excluded]
        .randomElement(using: &chance) ?? .optional
      var contents: Set<WordIndexQuery.Form.Content> = []
      for _ in 0..<[1, 1, 1, 2, 3][Int.random(in: 0..<5, using: &chance)] {
        contents.insert(content())
      }
      let isPlain = Bool.random(using: &chance)
      // In a fixed order: a set's own differs from run to run.
      var forms = contents.sorted { "\($0)" < "\($1)" }.map { content in
        WordIndexQuery.Form(
          content, weight: isPlain ? 1 : Double.random(in: 0.1...1, using: &chance))
      }
      if forms.count > 1 {
        // Forms of one clause must differ for the long way: a prefix may stand for a word.
        forms = forms.filter { if case .prefix = $0.content { false } else { true } }
      }
      if forms.isEmpty { forms = [.prefix("w1", limit: 5)] }
      let clause = WordIndexQuery.Clause(
        role, forms, weight: Bool.random(using: &chance) ? 1 : 0.7)
      if !clauses.contains(where: { $0.forms == clause.forms }) { clauses.append(clause) }
    }
    var query = WordIndexQuery(clauses, limit: Int.random(in: 1...25, using: &chance))
    if Int.random(in: 0..<3, using: &chance) == 0 {
      let day = Int32.random(in: -10..<400, using: &chance)
      query.days = day...(day + Int32.random(in: 0...200, using: &chance))
    }
    func some(_ share: Int) -> DocumentSet {
      DocumentSet(
        corpus.documents.map(\.row).filter { _ in
          Int.random(in: 0..<share, using: &chance) == 0
        })
    }
    if Int.random(in: 0..<4, using: &chance) == 0 { query.allowed = some(3) }
    if Int.random(in: 0..<4, using: &chance) == 0 { query.excluded = some(5) }
    if Int.random(in: 0..<4, using: &chance) == 0 { query.offset = 7 }
    query.order = [.best, .best, .best, .newest, .oldest].randomElement(using: &chance) ?? .best
    return query
  }

  @Test("Any query finds what scoring every document finds", arguments: [1, 2, 3, 4, 5])
  func randomQueries(seed: UInt64) throws {
    let vocabulary = seed % 2 == 0 ? 40 : 700
    let corpus = WordCorpus.zipfian(2600, vocabulary: vocabulary, seed: seed)
    let index = try index(corpus)
    var chance = SeededChance(seed + 100)
    for _ in 0..<50 { try compare(randomQuery(corpus, vocabulary, &chance), index, corpus) }
  }

  @Test("Phrases and groups of frequent words, merged span by span, are answered in full")
  func frequentForms() throws {
    let corpus = WordCorpus.zipfian(12_000, vocabulary: 7, seed: 20)
    let index = try index(corpus)
    var chance = SeededChance(120)
    for _ in 0..<40 { try compare(randomQuery(corpus, 7, &chance), index, corpus) }
    // A phrase that is required or helps, beside a word that is rarer or more frequent.
    for word in ["w6", "w0"] {
      for role in [WordIndexQuery.Role.required, .optional] {
        for limit in [3, 400] {
          let clauses: [WordIndexQuery.Clause] = [
            .init(role, [.term(word)]), .init(.required, [.phrase(["w1", "w0"])]),
            .init(.optional, [.phrase(["w0", "w2"])]), .init(.excluded, [.phrase(["w3", "w3"])]),
          ]
          try compare(WordIndexQuery(clauses, limit: limit), index, corpus)
        }
      }
    }
  }

  @Test("Corpora longer than every window and span are answered in full")
  func longCorpus() throws {
    // Few words, so that nearly all scores are equal and only the order decides.
    let documents = (0..<70_000).map { number in
      let title = number % 3 == 0 ? ["a", "b"] : ["a", "c"]
      let body = number % 500 == 7 ? ["rare"] : []
      let names = number % 40_000 == 39_999 ? ["b", "once"] : []
      return WordCorpus.Document(
        row: Int64(number), day: Int32(number / 50), order: 0, columns: [title, body, names])
    }
    let corpus = WordCorpus(documents)
    let index = try index(corpus)
    let few = DocumentSet((0..<900).map { Int64($0) * 70 })
    for query in [
      WordIndexQuery([.init(.required, [.term("a")])]),
      WordIndexQuery([.init(.required, [.term("b")]), .init(.required, [.term("once")])]),
      WordIndexQuery([.init(.optional, [.term("b")]), .init(.optional, [.term("rare")])]),
      WordIndexQuery([.init(.required, [.phrase(["a", "b"])])], order: .oldest),
      WordIndexQuery([.init(.required, [.term("a"), .term("b")])], allowed: few),
      WordIndexQuery([.init(.optional, [.term("c")])], days: 200...202, allowed: few, limit: 3),
      WordIndexQuery(
        [.init(.required, [.term("a")]), .init(.excluded, [.term("b")])], excluded: few,
        order: .newest),
      WordIndexQuery([.init(.required, [.term("rare")])], limit: 90, offset: 70),
    ] {
      try compare(query, index, corpus)
    }
  }

  @Test("Of equal scores the newer comes first, whatever order the documents were given in")
  func ties() throws {
    let days: [Int32] = [3, 9, 1, 9, 5]
    let documents = days.enumerated().map { number, day in
      WordCorpus.Document(
        row: Int64(100 - number), day: day, order: Int64(number), columns: [["tea"], [], []])
    }
    let found = try index(WordCorpus(documents))
      .search(WordIndexQuery([.init(.required, [.term("tea")])])).hits
    #expect(found.map(\.rowNumber) == [97, 99, 96, 100, 98])
    #expect(Set(found.map(\.score)).count == 1)
  }

  @Test("A title counts more than a body, and a short text more than a long one")
  func weights() throws {
    let filler = (0..<30).map { "x\($0)" }
    let documents = [
      WordCorpus.Document(row: 1, day: 1, order: 0, columns: [["y"], ["tea"] + filler, []]),
      WordCorpus.Document(row: 2, day: 1, order: 0, columns: [["y"], ["tea", "x0"], []]),
      WordCorpus.Document(row: 3, day: 1, order: 0, columns: [["y"], [], ["tea"]]),
      WordCorpus.Document(row: 4, day: 1, order: 0, columns: [["tea"], [], []]),
    ]
    let found = try index(WordCorpus(documents))
      .search(WordIndexQuery([.init(.required, [.term("tea")])])).hits
    #expect(found.map(\.rowNumber) == [4, 2, 3, 1])
  }

  @Test("A phrase lies within one column")
  func phraseInOneColumn() throws {
    let documents = [
      WordCorpus.Document(row: 1, day: 1, order: 0, columns: [["a", "red"], ["car", "b"], []]),
      WordCorpus.Document(row: 2, day: 1, order: 0, columns: [["car", "red"], [], []]),
      WordCorpus.Document(row: 3, day: 1, order: 0, columns: [[], ["the", "red", "car"], []]),
      WordCorpus.Document(row: 4, day: 1, order: 0, columns: [["red"], ["red", "x", "car"], []]),
    ]
    let index = try index(WordCorpus(documents))
    func rows(_ phrase: [String]) throws -> [Int64] {
      try index.search(WordIndexQuery([.init(.required, [.phrase(phrase)])])).hits.map(\.rowNumber)
    }
    #expect(try rows(["red", "car"]) == [3])
    #expect(try rows(["red"]).sorted() == [1, 2, 3, 4])
    #expect(try rows([]).isEmpty && rows(["red", "unknown"]).isEmpty)
  }

  @Test("Strange queries are answered, not refused")
  func strangeQueries() throws {
    let corpus = WordCorpus.zipfian(900, vocabulary: 300, seed: 5)
    let index = try index(corpus)
    func hits(_ query: WordIndexQuery) throws -> Int { try index.search(query).hits.count }
    #expect(try hits(WordIndexQuery([])) == 0)
    #expect(try hits(WordIndexQuery([.init(.required, [])])) == 0)
    #expect(try hits(WordIndexQuery([.init(.excluded, [.term("w1")])])) == 0)
    #expect(try hits(WordIndexQuery([.init(.optional, [.term("")]), .init(.required, [])])) == 0)
    let unknown = WordIndexQuery.Clause(.required, [.term("unknown")])
    #expect(try hits(WordIndexQuery([.init(.required, [.term("w1")]), unknown])) == 0)
    let known = WordIndexQuery.Clause(.required, [.term("w1")])
    #expect(try hits(WordIndexQuery([known], limit: 0)) == 0)
    #expect(try hits(WordIndexQuery([known], limit: -3, offset: -9)) == 0)
    #expect(try hits(WordIndexQuery([known], limit: .max, offset: .max)) == 0)
    #expect(try hits(WordIndexQuery([known], offset: 1_000_000)) == 0)
    #expect(try hits(WordIndexQuery([known], limit: .max)) == index.frequency(of: "w1"))
    #expect(try hits(WordIndexQuery([known], days: 5000...9000)) == 0)
    #expect(try hits(WordIndexQuery([known], allowed: [])) == 0)
    #expect(try hits(WordIndexQuery([known], allowed: [-4, 1 << 31])) == 0)
    for weight in [Double.nan, .infinity, -1, 0, 1e300] {
      let clause = WordIndexQuery.Clause(.required, [.term("w1", weight: weight)], weight: weight)
      #expect(try hits(WordIndexQuery([clause])) == 20)
    }
    // Ten thousand words, most of them unknown or repeated.
    for role in [WordIndexQuery.Role.optional, .excluded, .required] {
      let many = (0..<10_000).map { number in
        WordIndexQuery.Clause(role, [.term("w\(number % 400)")])
      }
      let results = try index.search(WordIndexQuery([.init(.optional, [.term("w3")])] + many))
      #expect(results.hits.count == (role == .optional ? 20 : 0))
      #expect(results.isPartial == (role == .optional))
    }
    let same = WordIndexQuery(Array(repeating: known, count: 10_000))
    #expect(
      try index.search(same).hits.map(\.rowNumber)
        == index.search(WordIndexQuery([known])).hits.map(\.rowNumber))
    #expect(try index.search(same).hits.first?.matchedClauses == Array(0..<10_000))
  }

  @Test("A deadline that has passed gives what was found and says so")
  func deadline() throws {
    let index = try index(.zipfian(20_000, vocabulary: 30, seed: 6))
    let clauses = (0..<6).map { WordIndexQuery.Clause(.optional, [.term("w\($0)")]) }
    let late = ContinuousClock.now - .seconds(1)
    for order in [WordIndexQuery.Order.best, .newest, .oldest] {
      let query = WordIndexQuery(clauses, order: order, limit: 5000, deadline: late)
      #expect(try index.search(query).isPartial)
      #expect(try index.count(query).isPartial && index.matches(query).isPartial)
    }
    let early = WordIndexQuery(clauses, deadline: .now + .seconds(3600))
    #expect(try !index.search(early).isPartial)
  }

  @Test("Readers on many threads get the same answers")
  func concurrentReaders() async throws {
    let corpus = WordCorpus.zipfian(3000, vocabulary: 200, seed: 7)
    let index = try index(corpus)
    let queries = (0..<20).map { number in
      WordIndexQuery([
        .init(.required, [.term("w\(number)"), .prefix("w\(number % 9)", limit: 8)]),
        .init(.optional, [.phrase(["w0", "w\(number)"])]),
      ])
    }
    let expected = try queries.map { try index.search($0) }
    try await withThrowingTaskGroup(of: [WordIndexResults].self) { group in
      for _ in 0..<6 { group.addTask { try queries.map { try index.search($0) } } }
      for try await results in group { #expect(results == expected) }
    }
  }
}

import ArkivedCore
package import ArkivedStore

/// Finds documents by words in the word index and in the small one of what came since.
package struct WordSearch {
  let words: SearchIndexes.Words
  let archive: Archive

  package init(_ words: SearchIndexes.Words, _ archive: Archive) {
    self.words = words
    self.archive = archive
  }

  /// Whether the index can answer a query; pieces inside of words it does not know.
  static func canAnswer(_ query: WordQuery) -> Bool {
    query.terms.allSatisfy { $0.form != .inside } && !query.wanted.isEmpty
  }

  /// The query in the index's terms, with the words that its clauses stand for.
  struct Prepared {
    var query: WordIndexQuery
    var names: [String]
  }

  /// - Parameters:
  ///   - isAll: whether every word must occur, or any.
  ///   - expand: other forms of a word, which count a little less.
  func prepare(
    _ query: WordQuery, isAll: Bool, expand: (String) -> [String]
  ) throws -> Prepared {
    var clauses: [WordIndexQuery.Clause] = []
    var names: [String] = []
    for term in query.terms where term.form != .inside {
      var forms: [WordIndexQuery.Form] = []
      let tokens = try archive.tokens(of: term.text)
      switch (term.form, tokens.count) {
      case (_, 0): continue
      case (.prefix, _):
        for token in tokens.dropLast() {
          clauses.append(.init(term.isExcluded ? .excluded : .required, [.term(token)]))
          names.append(term.text)
        }
        forms = [.prefix(tokens[tokens.count - 1])]
      case (_, 1): forms = [.term(tokens[0])]
      default: forms = [.phrase(tokens)]
      }
      if term.form == .word, !term.isExcluded {
        for other in expand(term.text) where other != term.text.lowercased() {
          let tokens = try archive.tokens(of: other)
          if tokens.count == 1, !forms.contains(where: { $0.content == .term(tokens[0]) }) {
            forms.append(.term(tokens[0], weight: 0.9))
          }
        }
      }
      clauses.append(
        .init(term.isExcluded ? .excluded : isAll ? .required : .optional, forms))
      names.append(term.text)
    }
    return Prepared(query: WordIndexQuery(clauses), names: names)
  }

  /// The best documents for a query.
  func find(_ prepared: Prepared) throws -> (found: [Archive.FoundDocument], isPartial: Bool) {
    var query = prepared.query
    let (limit, offset) = (query.limit, query.offset)
    query.limit = limit + offset
    query.offset = 0
    var main = query
    main.excluded = main.excluded.map { $0.union(words.outdated) } ?? words.outdated
    let results = try words.index.search(main)
    var hits = results.hits
    var isPartial = results.isPartial
    if let recent = words.recent {
      let few = try recent.search(try weighed(query, for: recent))
      isPartial = isPartial || few.isPartial
      if !few.hits.isEmpty {
        // What is newer stands first among equals: so does the recent index.
        hits = few.hits + hits
        hits = hits.enumerated().sorted {
          ($0.element.score, $1.offset) > ($1.element.score, $0.offset)
        }.map(\.element)
      }
    }
    let found = hits.dropFirst(offset).prefix(limit).map { hit in
      Archive.FoundDocument(
        document: hit.rowNumber, score: hit.score,
        words: hit.matchedClauses.map { prepared.names[$0] })
    }
    return (found, isPartial)
  }

  /// How telling each word of a query is: the rarer, the more; one that no entry holds, the most.
  func worths(_ prepared: Prepared) throws -> [String: Double] {
    var worths: [String: Double] = [:]
    for (name, clause) in zip(prepared.names, prepared.query.clauses)
    where clause.role != .excluded {
      worths[name] = WordIndexScoring.rarity(
        frequency: try frequency(of: clause.forms, in: words.index),
        documents: words.index.documentCount)
    }
    return worths
  }

  /// How many documents match.
  func count(_ prepared: Prepared) throws -> Int {
    var main = prepared.query
    main.excluded = main.excluded.map { $0.union(words.outdated) } ?? words.outdated
    return try words.index.count(main).count
      + (words.recent.map { try $0.count(prepared.query).count } ?? 0)
  }

  /// The query with weights that make a small index's scores comparable with the large one's:
  /// among few documents every word seems common.
  private func weighed(_ query: WordIndexQuery, for recent: WordIndex) throws -> WordIndexQuery {
    var query = query
    for index in query.clauses.indices {
      let forms = query.clauses[index].forms
      let large = WordIndexScoring.rarity(
        frequency: try frequency(of: forms, in: words.index),
        documents: words.index.documentCount)
      let small = WordIndexScoring.rarity(
        frequency: try frequency(of: forms, in: recent), documents: recent.documentCount)
      query.clauses[index].weight *= large / max(small, 1e-6)
    }
    return query
  }

  private func frequency(of forms: [WordIndexQuery.Form], in index: WordIndex) throws -> Int {
    try forms.reduce(0) { sum, form in
      switch form.content {
      case .term(let term): sum + (try index.frequency(of: term))
      case .phrase(let terms):
        try sum + (terms.map { try index.frequency(of: $0) }.min() ?? 0)
      case .prefix(let prefix, let limit):
        try sum + index.terms(withPrefix: prefix, limit: limit).reduce(0) { $0 + $1.frequency }
      }
    }
  }
}

import ArkivedCore
package import ArkivedStore

/// Finds documents by words in the word index and in the small index of later changes.
package struct WordSearch {
  let words: SearchIndexes.Words
  let archive: Archive

  package init(_ words: SearchIndexes.Words, _ archive: Archive) {
    self.words = words
    self.archive = archive
  }

  /// Returns true if the index can answer a query; it cannot find parts of words.
  static func canAnswer(_ query: WordQuery) -> Bool {
    query.terms.allSatisfy { $0.form != .inside } && !query.wanted.isEmpty
  }

  /// The query in the terms of the index, with the words its clauses represent.
  struct Prepared {
    var query: WordIndexQuery
    var names: [String]
    /// For each clause, true if it is a function word in addition to content words.
    var isFunction: [Bool]
    /// True if the clauses mean exactly what the query does; a beginning after other words, as in
    /// `e-mail*`, is only known to the full-text table.
    var isExact = true
    /// The information in each clause, once computed.
    var worths: [Double] = []

    /// The number of words that a document must contain to match completely.
    var requiredCount: Int { query.clauses.count { $0.role == .required } }

    /// The same query for documents that contain any of the words.
    var relaxed: Prepared {
      var relaxed = self
      let kept = query.clauses.indices.filter { !isFunction[$0] }
      relaxed.query.clauses = kept.map { query.clauses[$0] }
      relaxed.names = kept.map { names[$0] }
      relaxed.worths = kept.map { worths[$0] }
      relaxed.isFunction = kept.map { _ in false }
      for index in relaxed.query.clauses.indices
      where relaxed.query.clauses[index].role == .required {
        relaxed.query.clauses[index].role = .optional
      }
      return relaxed
    }
  }

  /// A matching document.
  struct Match {
    var document: Int64
    /// The words of the query that it contains.
    var words: [String]
    /// The indices of the clauses that it matches.
    var clauses: [Int]
    /// See `Relevance.Evidence`.
    var presence: Double
    var prominence: Double
  }

  /// Prepares the query for documents that contain all the words; function words only affect the
  /// order, unless the query has no others.
  ///
  /// - Parameters:
  ///   - query: the words.
  ///   - expand: returns other forms of a word, which count a little less.
  /// - Returns: the prepared query.
  /// - Throws: `WordIndexError.damaged` if the file is damaged.
  func prepare(_ query: WordQuery, expand: (String) -> [String]) throws -> Prepared {
    var prepared = Prepared(query: WordIndexQuery([]), names: [], isFunction: [])
    let german = query.terms.count <= Self.germanLimit ? try GermanWords(words.index) : nil
    let content = query.withoutStopWords
    let hasFunctionWords = content != query
    func add(
      _ term: WordQuery.Term, _ role: WordIndexQuery.Role, _ forms: [WordIndexQuery.Form]
    ) {
      let isFunction =
        hasFunctionWords && term.form == .word && !term.isExcluded
        && StopWords.contains(term.text)
      prepared.query.clauses.append(.init(isFunction ? .optional : role, forms))
      prepared.names.append(term.text)
      prepared.isFunction.append(isFunction)
    }
    for term in query.terms where term.form != .inside {
      var forms: [WordIndexQuery.Form] = []
      let tokens = try archive.tokens(of: term.text)
      switch (term.form, tokens.count) {
      case (_, 0): continue
      case (.prefix, _):
        if tokens.count > 1 { prepared.isExact = false }
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
        if let german, tokens.count == 1, !StopWords.contains(term.text) {
          let isHeld = try forms.contains { form in
            guard case .term(let token) = form.content else { return false }
            return try isKnown(token)
          }
          if !isHeld, let parts = try german.parts(of: term.text) {
            // A compound that no entry contains is replaced by its parts.
            for part in parts {
              add(term, .required, [.term(part)] + (try germanForms(of: part, german)))
            }
            continue
          }
          let known = Set(forms.map(\.content))
          forms += try germanForms(of: term.text, german).filter { !known.contains($0.content) }
        }
      }
      add(term, term.isExcluded ? .excluded : .required, forms)
    }
    return prepared
  }

  /// Returns true if the indexes find everything that the query asks for: of the words with a
  /// beginning, only the most frequent are looked up.
  func isComplete(_ prepared: Prepared) throws -> Bool {
    guard prepared.isExact else { return false }
    for form in prepared.query.clauses.flatMap(\.forms) {
      guard case .prefix(let prefix, let limit) = form.content else { continue }
      for index in [words.index, words.recent].compactMap(\.self)
      where try index.terms(withPrefix: prefix, limit: limit + 1).count > limit { return false }
    }
    return true
  }

  /// The length of the longest query that is expanded with German forms; longer queries are texts
  /// whose own words are sufficient.
  private static let germanLimit = 24

  func isKnown(_ term: String) throws -> Bool {
    if try words.index.frequency(of: term) > 0 { return true }
    return try words.recent.map { try $0.frequency(of: term) > 0 } ?? false
  }

  /// Returns the other forms of a German word, and its compounds.
  private func germanForms(
    of word: String, _ german: GermanWords
  ) throws -> [WordIndexQuery.Form] {
    let relatives = try german.relatives(of: word) { try archive.tokens(of: $0) }
    return relatives.forms.map { .term($0, weight: 0.9) }
      + relatives.compounds.map { .term($0, weight: 0.6) }
  }

  /// The weight of function words relative to content words.
  private static let functionWeight = 0.1

  /// Computes the information in each word: the rarer the word, the more information it has, and a
  /// word that no entry contains has the most.
  ///
  /// The power of 1.5 reduces the weight of words in many entries, including function words of any
  /// language.
  func weigh(_ prepared: inout Prepared) throws {
    prepared.worths = []
    for index in prepared.query.clauses.indices {
      let clause = prepared.query.clauses[index]
      let rarity = try rarity(of: clause.forms, in: words.index)
      let weight = rarity.squareRoot()
      prepared.query.clauses[index].weight =
        prepared.isFunction[index] ? weight * Self.functionWeight : weight
      prepared.worths.append(
        prepared.isFunction[index] || clause.role == .excluded ? 0 : rarity * weight)
    }
  }

  /// Returns the best documents for a query with computed weights.
  func find(_ prepared: Prepared) throws -> (found: [Match], isPartial: Bool) {
    let query = prepared.query
    var main = query
    main.excluded = main.excluded.map { $0.union(words.outdated) } ?? words.outdated
    let results = try words.index.search(main)
    var hits = results.hits
    var isPartial = results.isPartial
    if let recent = words.recent {
      let few = try recent.search(try weighed(query, for: recent))
      isPartial = isPartial || few.isPartial
      if !few.hits.isEmpty {
        // Among equals, newer documents come first, as does the small index.
        hits = few.hits + hits
        hits = hits.enumerated().sorted {
          ($0.element.score, $1.offset) > ($1.element.score, $0.offset)
        }.map(\.element)
      }
    }
    let all = max(prepared.worths.reduce(0, +), 1e-9)
    let found = hits.prefix(query.limit).map { hit in
      let clauses = hit.matchedClauses.filter { !prepared.isFunction[$0] }
      return Match(
        document: hit.rowNumber, words: clauses.map { prepared.names[$0] }, clauses: clauses,
        presence: clauses.reduce(0) { $0 + prepared.worths[$1] } / all,
        prominence: min(1, hit.score / all))
    }
    return (found, isPartial)
  }

  /// Returns the documents next to others on the same day; for documents changed since the index
  /// was built, only other changed ones.
  func neighbours(
    of documents: some Sequence<Int64>, within reach: Int
  ) throws -> [Int64: [WordIndex.Neighbour]] {
    var found = try words.index.neighbours(
      of: documents, within: reach, isPage: Archive.isDayPage(document:))
    if !words.outdated.isEmpty {
      found = found.filter { !words.outdated.contains($0.key) }
      found = found.mapValues { $0.filter { !words.outdated.contains($0.document) } }
    }
    if let recent = words.recent {
      found.merge(
        try recent.neighbours(of: documents, within: reach, isPage: Archive.isDayPage(document:))
      ) { $1 }
    }
    return found
  }

  /// Returns the query with weights that make a small index's scores comparable with the large
  /// one's: among few documents, every word seems common.
  private func weighed(_ query: WordIndexQuery, for recent: WordIndex) throws -> WordIndexQuery {
    var query = query
    for index in query.clauses.indices {
      let forms = query.clauses[index].forms
      let large = try rarity(of: forms, in: words.index)
      let small = try rarity(of: forms, in: recent)
      query.clauses[index].weight *= large / max(small, 1e-6)
    }
    return query
  }

  /// Returns the information in a clause as the index weighs it; a phrase counts as its words
  /// together.
  private func rarity(
    of forms: [WordIndexQuery.Form], in index: WordIndex
  ) throws -> Double {
    if forms.count == 1, case .phrase(let terms) = forms[0].content {
      return try terms.reduce(0) {
        try $0
          + WordIndexScoring.rarity(
            frequency: index.frequency(of: $1), documents: index.documentCount)
      }
    }
    return WordIndexScoring.rarity(
      frequency: try frequency(of: forms, in: index), documents: index.documentCount)
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

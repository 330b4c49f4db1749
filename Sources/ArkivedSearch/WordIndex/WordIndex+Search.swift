package import ArkivedCore

/// Queries of the index.
extension WordIndex {
  /// Returns the documents that match a query, in the order that it requests.
  ///
  /// The same index always returns the same results for the same query, unless a deadline
  /// interrupts it.
  ///
  /// - Throws: `WordIndexError.damaged` if the file contained invalid data where it was read. A
  ///   query never causes an error.
  package func search(_ query: WordIndexQuery) throws -> WordIndexResults {
    try withView { view in
      let plan = try SearchPlan(query, in: view)
      let offset = min(max(0, query.offset), WordIndexQuery.resultLimit)
      let limit = min(max(0, query.limit), WordIndexQuery.resultLimit - offset)
      var results = WordIndexResults(hits: [], matchesAtLeast: 0, isPartial: plan.query.isCut)
      guard !plan.isEmpty, limit > 0 else { return results }
      var found: [(ordinal: UInt32, score: Int)]
      if query.order == .best {
        var search = RankedSearch(plan, limit: limit + offset, deadline: query.deadline)
        try search.run()
        found = search.top.sorted
        results.matchesAtLeast = search.matches
        if search.isPartial { results.isPartial = true }
      } else {
        var scan = MatchScan(plan, deadline: query.deadline)
        found = try scan.outermost(limit + offset, isOldest: query.order == .oldest)
          .map { ($0, 0) }
        results.matchesAtLeast = scan.matches
        if scan.isPartial { results.isPartial = true }
      }
      found.removeFirst(min(offset, found.count))
      let matched = try Self.matchedClauses(found.map(\.ordinal), plan)
      results.hits = zip(found, matched).map { document, clauses in
        WordIndexResults.Hit(
          rowNumber: view.row(Int(document.ordinal)),
          score: Double(document.score) / plan.scale, matchedClauses: clauses)
      }
      return results
    }
  }

  /// Returns the number of documents that match a query, ignoring its limit and offset; nothing is
  /// scored.
  ///
  /// - Returns: the count, and true if the deadline passed before all were counted.
  ///
  /// - Throws: `WordIndexError.damaged` if the file is damaged.
  package func count(_ query: WordIndexQuery) throws -> (count: Int, isPartial: Bool) {
    try withView { view in
      let plan = try SearchPlan(query, in: view)
      guard !plan.isEmpty else { return (0, plan.query.isCut) }
      var scan = MatchScan(plan, deadline: query.deadline)
      try scan.run { _, _, _ in true }
      return (scan.matches, scan.isPartial || plan.query.isCut)
    }
  }

  /// Returns the row numbers of all documents that match a query, ignoring its limit and offset.
  ///
  /// - Returns: the row numbers, and true if the deadline passed before all were found.
  ///
  /// - Throws: `WordIndexError.damaged` if the file is damaged.
  package func matches(
    _ query: WordIndexQuery
  ) throws -> (rowNumbers: DocumentSet, isPartial: Bool) {
    try withView { view in
      var rows = DocumentSet()
      let plan = try SearchPlan(query, in: view)
      guard !plan.isEmpty else { return (rows, plan.query.isCut) }
      var scan = MatchScan(plan, deadline: query.deadline)
      try scan.forEach { ordinal in
        rows.insert(view.row(Int(ordinal)))
        return true
      }
      return (rows, scan.isPartial || plan.query.isCut)
    }
  }

  /// Returns the indices of the query's clauses that each of some documents matches, ascending.
  private static func matchedClauses(_ ordinals: [UInt32], _ plan: SearchPlan) throws -> [[Int]] {
    let always = plan.query.required.flatMap(\.sources)
    var matched = [[Int]](repeating: always, count: ordinals.count)
    if plan.query.required.isEmpty, plan.query.optional.count == 1 {
      // One of the optional clauses must match, and there is only one.
      matched = [[Int]](repeating: plan.query.optional[0].sources, count: ordinals.count)
    } else if !plan.query.optional.isEmpty {
      plan.reset()
      let inOrder = ordinals.indices.sorted { ordinals[$0] < ordinals[$1] }
      for (index, clause) in plan.query.optional.enumerated() {
        for place in inOrder where plan.optional[index].impact(in: ordinals[place], least: 0) > 0 {
          matched[place] += clause.sources
        }
      }
      try plan.memory.checkDamage()
    }
    return matched.map { $0.sorted() }
  }
}

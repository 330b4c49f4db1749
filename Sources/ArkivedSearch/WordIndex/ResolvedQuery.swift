/// A form of a clause with terms in the index: one term, or those of a phrase.
struct ResolvedForm: Hashable {
  /// The indices of the terms in the dictionary.
  var terms: [Int]
  var records: [TermRecord]

  var isPhrase: Bool { records.count > 1 }
  /// An upper bound of the number of documents it occurs in.
  var frequency: Int { records.map { Int($0.documentFrequency) }.min() ?? 0 }
}

/// A clause with terms in the index.
struct ResolvedClause {
  var role: WordIndexQuery.Role
  /// The forms; never empty, with weights above 0 and at most 1.
  var forms: [(form: ResolvedForm, weight: Double)]
  var weight: Double
  /// The indices of the query's clauses that it represents.
  var sources: [Int]
  /// The rarity, see `WordIndexScoring.rarity`.
  var rarity: Double
  var frequency: Int

  /// Creates a cursor over the clause.
  ///
  /// - Throws: `WordIndexDamage` at the first damaged position.
  func cursor(in view: WordIndexView, memory: SearchMemory) throws -> PostingCursor {
    if forms.count == 1, let form = forms.first?.form, !form.isPhrase {
      return try PostingCursor(form.records[0], in: view, memory: memory)
    }
    let merger = try ClauseMerger(forms, in: view, memory: memory)
    return PostingCursor(merger, documentCount: view.documentCount, memory: memory)
  }
}

/// A query in terms of the dictionary, with equal clauses merged.
struct ResolvedQuery {
  /// The required clauses, rarest first.
  var required: [ResolvedClause] = []
  /// The optional clauses, most informative first.
  var optional: [ResolvedClause] = []
  /// The excluded clauses, most frequent first.
  var excluded: [ResolvedClause] = []
  /// True if nothing can match because a required clause has no known form.
  var isImpossible = false
  /// True if clauses were dropped because there are too many.
  var isCut = false

  private struct Key: Hashable {
    var role: WordIndexQuery.Role
    var forms: [[Int]]
    var weights: [Double]
  }

  /// Resolves a query.
  ///
  /// - Throws: `WordIndexDamage` at the first damaged position.
  init(_ query: WordIndexQuery, in view: WordIndexView) throws {
    var places: [Key: Int] = [:]
    var known: [WordIndexQuery.Clause: Key?] = [:]
    var clauses: [ResolvedClause] = []
    for (source, clause) in query.clauses.enumerated() where !clause.forms.isEmpty {
      let weight = clause.weight.isFinite ? min(1000, max(0.001, clause.weight)) : 1
      if let seen = known[clause] {
        if let seen, let place = places[seen] {
          clauses[place].weight += weight
          clauses[place].sources.append(source)
        }
        continue
      }
      let forms = try Self.resolve(clause.forms, in: view)
      guard !forms.isEmpty else {
        known.updateValue(nil, forKey: clause)
        if clause.role == .required { isImpossible = true }
        continue
      }
      let key = Key(
        role: clause.role, forms: forms.map(\.form.terms), weights: forms.map(\.weight))
      known.updateValue(key, forKey: clause)
      if let place = places[key] {
        clauses[place].weight += weight
        clauses[place].sources.append(source)
        continue
      }
      places[key] = clauses.count
      clauses.append(Self.clause(clause.role, forms, weight, source, view.documentCount))
    }
    required = clauses.filter { $0.role == .required }
    optional = clauses.filter { $0.role == .optional }
    excluded = clauses.filter { $0.role == .excluded }
    required.sort { ($0.frequency, $0.sources[0]) < ($1.frequency, $1.sources[0]) }
    excluded.sort { ($1.frequency, $0.sources[0]) < ($0.frequency, $1.sources[0]) }
    optional.sort {
      ($1.weight * $1.rarity, $0.sources[0]) < ($0.weight * $0.rarity, $1.sources[0])
    }
    isCut =
      required.count > WordIndexQuery.clauseLimit || excluded.count > WordIndexQuery.clauseLimit
      || optional.count > WordIndexQuery.optionalLimit
    required = Array(required.prefix(WordIndexQuery.clauseLimit))
    excluded = Array(excluded.prefix(WordIndexQuery.clauseLimit))
    optional = Array(optional.prefix(WordIndexQuery.optionalLimit))
  }

  private static func clause(
    _ role: WordIndexQuery.Role, _ forms: [(form: ResolvedForm, weight: Double)], _ weight: Double,
    _ source: Int, _ documentCount: Int
  ) -> ResolvedClause {
    // The largest form weight moves into the clause's weight, so impacts lose no precision.
    let most = forms.map(\.weight).max() ?? 1
    var frequency = 0
    for (form, _) in forms { frequency += form.frequency }
    frequency = min(frequency, documentCount)
    var rarity = WordIndexScoring.rarity(frequency: frequency, documents: documentCount)
    if forms.count == 1, let phrase = forms.first?.form, phrase.isPhrase {
      // A phrase is as rare as its words together.
      rarity = 0
      for record in phrase.records {
        rarity += WordIndexScoring.rarity(
          frequency: Int(record.documentFrequency), documents: documentCount)
      }
    }
    return ResolvedClause(
      role: role, forms: forms.map { ($0.form, $0.weight / most) }, weight: weight * most,
      sources: [source], rarity: rarity, frequency: frequency)
  }

  /// Returns the forms in the index without duplicates, each with its largest weight.
  private static func resolve(
    _ forms: [WordIndexQuery.Form], in view: WordIndexView
  ) throws -> [(form: ResolvedForm, weight: Double)] {
    var found: [(form: ResolvedForm, weight: Double)] = []
    var places: [[Int]: Int] = [:]
    func add(_ terms: [Int], _ weight: Double) {
      if let place = places[terms] {
        found[place].weight = max(found[place].weight, weight)
      } else if found.count < WordIndexQuery.formLimit {
        places[terms] = found.count
        let records = terms.map { view.dictionary.record(at: $0) }
        found.append((ResolvedForm(terms: terms, records: records), weight))
      }
    }
    for form in forms {
      let weight = form.weight.isFinite ? min(1, max(1 / 255, form.weight)) : 1
      switch form.content {
      case .term(let term):
        if let index = try view.dictionary.index(of: Array(term.utf8)) { add([index], weight) }
      case .prefix(let prefix, let limit):
        let limit = min(limit, WordIndexQuery.formLimit)
        for index in try view.dictionary.mostFrequent(withPrefix: Array(prefix.utf8), limit: limit)
        {
          add([index], weight)
        }
      case .phrase(let terms):
        guard !terms.isEmpty else { continue }
        var places: [Int] = []
        for term in terms.prefix(WordIndexQuery.formLimit) {
          guard let index = try view.dictionary.index(of: Array(term.utf8)) else { break }
          places.append(index)
        }
        if places.count == min(terms.count, WordIndexQuery.formLimit) { add(places, weight) }
      }
    }
    return found
  }
}

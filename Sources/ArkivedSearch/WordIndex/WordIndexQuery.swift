package import ArkivedCore

/// A query of a word index, with the part of the results to return.
///
/// Terms are in the form produced by the full-text table's tokenizer. Any query is allowed: unknown
/// terms, clauses without forms, the same word a thousand times.
package struct WordIndexQuery: Sendable, Hashable {
  /// The effect of a clause on a document.
  package enum Role: Sendable, Hashable {
    /// A document must match it.
    case required
    /// A document that matches it ranks higher. If nothing is required, at least one optional
    /// clause must match.
    case optional
    /// A document must not match it.
    case excluded
  }

  /// One form of a clause.
  package struct Form: Sendable, Hashable {
    package enum Content: Sendable, Hashable {
      case term(String)
      /// The most frequent terms with this beginning, up to a limit.
      case prefix(String, limit: Int)
      /// Consecutive terms in one column.
      case phrase([String])
    }

    package var content: Content
    /// The share of the clause's score that it earns, above 0 and at most 1.
    package var weight: Double

    package init(_ content: Content, weight: Double = 1) {
      self.content = content
      self.weight = weight
    }

    package static func term(_ term: String, weight: Double = 1) -> Form {
      Form(.term(term), weight: weight)
    }
    package static func prefix(_ prefix: String, limit: Int = 64, weight: Double = 1) -> Form {
      Form(.prefix(prefix, limit: limit), weight: weight)
    }
    package static func phrase(_ terms: [String], weight: Double = 1) -> Form {
      Form(.phrase(terms), weight: weight)
    }
  }

  /// Something to find, in any of its forms; a document's best form counts.
  package struct Clause: Sendable, Hashable {
    package var role: Role
    package var forms: [Form]
    /// The weight relative to the other clauses.
    package var weight: Double

    package init(_ role: Role, _ forms: [Form], weight: Double = 1) {
      self.role = role
      self.forms = forms
      self.weight = weight
    }
  }

  package enum Order: Sendable, Hashable {
    /// By score, with newer documents first among equals.
    case best
    case newest
    case oldest
  }

  package var clauses: [Clause]
  /// The only days documents may belong to, or nil for all.
  package var days: ClosedRange<Int32>?
  /// The only row numbers documents may have, or nil for all.
  package var allowed: DocumentSet?
  /// The row numbers documents must not have, or nil for none.
  package var excluded: DocumentSet?
  package var order = Order.best
  package var limit: Int
  /// The number of results to skip.
  package var offset: Int
  /// The time at which to stop and return the results so far.
  package var deadline: ContinuousClock.Instant?

  package init(
    _ clauses: [Clause], days: ClosedRange<Int32>? = nil, allowed: DocumentSet? = nil,
    excluded: DocumentSet? = nil, order: Order = .best, limit: Int = 20, offset: Int = 0,
    deadline: ContinuousClock.Instant? = nil
  ) {
    self.clauses = clauses
    self.days = days
    self.allowed = allowed
    self.excluded = excluded
    self.order = order
    self.limit = limit
    self.offset = offset
    self.deadline = deadline
  }

  /// The largest number of results that `limit` and `offset` can reach.
  package static let resultLimit = 100_000
  /// The largest number of optional clauses; if there are more, the most informative are used.
  package static let optionalLimit = 64
  /// The largest numbers of required and of excluded clauses; if there are more, the rarest are
  /// used.
  package static let clauseLimit = 1024
  /// The largest number of terms that all forms of a clause may represent; if there are more, the
  /// first are used.
  package static let formLimit = 1024
}

/// The results of a query.
package struct WordIndexResults: Sendable, Hashable {
  package struct Hit: Sendable, Hashable {
    /// The document's row number in the full-text table.
    package var rowNumber: Int64
    /// The score, comparable only within one query; 0 if the order is not by score.
    package var score: Double
    /// The indices of the query's clauses that the document matches, ascending.
    package var matchedClauses: [Int]

    package init(rowNumber: Int64, score: Double, matchedClauses: [Int]) {
      self.rowNumber = rowNumber
      self.score = score
      self.matchedClauses = matchedClauses
    }
  }

  package var hits: [Hit]
  /// A lower bound of the number of matching documents.
  package var matchesAtLeast: Int
  /// True if the deadline passed or clauses were dropped before everything was examined.
  package var isPartial: Bool
}

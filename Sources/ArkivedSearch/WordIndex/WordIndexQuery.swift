package import ArkivedCore

/// What to look for in a word index, and how much of what is found to give.
///
/// Terms are as the full-text table's tokenizer makes them. Any query is allowed: terms that no
/// document holds, clauses without forms, the same word a thousand times.
package struct WordIndexQuery: Sendable, Hashable {
  /// What a clause means for a document.
  package enum Role: Sendable, Hashable {
    /// A document must match it.
    case required
    /// A document that matches it ranks higher. Where nothing is required, one such clause must
    /// match.
    case optional
    /// A document must not match it.
    case excluded
  }

  /// One way in which a clause may occur.
  package struct Form: Sendable, Hashable {
    package enum Content: Sendable, Hashable {
      case term(String)
      /// The most frequent terms that begin so, at most so many.
      case prefix(String, limit: Int)
      /// Terms one after another in one column.
      case phrase([String])
    }

    package var content: Content
    /// How much of the clause's score it earns, above 0, at most 1.
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
    /// How much it counts beside the other clauses.
    package var weight: Double

    package init(_ role: Role, _ forms: [Form], weight: Double = 1) {
      self.role = role
      self.forms = forms
      self.weight = weight
    }
  }

  package enum Order: Sendable, Hashable {
    /// By score, the newer first among equals.
    case best
    case newest
    case oldest
  }

  package var clauses: [Clause]
  /// Only documents of these days.
  package var days: ClosedRange<Int32>?
  /// Only documents with these row numbers.
  package var allowed: DocumentSet?
  /// No documents with these row numbers.
  package var excluded: DocumentSet?
  package var order = Order.best
  package var limit: Int
  /// How many of the first results to leave out.
  package var offset: Int
  /// When to stop and give what was found so far.
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

  /// The most results that `limit` and `offset` can reach.
  package static let resultLimit = 100_000
  /// The most optional clauses that count; of more, those that tell most are taken.
  package static let optionalLimit = 64
  /// The most required and the most excluded clauses that are looked at; of more, the rarest.
  package static let clauseLimit = 1024
  /// The most terms that all forms of one clause may stand for; of more, the first.
  package static let formLimit = 1024
}

/// What a query found.
package struct WordIndexResults: Sendable, Hashable {
  package struct Hit: Sendable, Hashable {
    /// The document's row number in the full-text table.
    package var rowNumber: Int64
    /// Comparable within one query only; 0 where the order is not by score.
    package var score: Double
    /// The places of the query's clauses that the document matches, ascending.
    package var matchedClauses: [Int]

    package init(rowNumber: Int64, score: Double, matchedClauses: [Int]) {
      self.rowNumber = rowNumber
      self.score = score
      self.matchedClauses = matchedClauses
    }
  }

  package var hits: [Hit]
  /// So many documents match at least.
  package var matchesAtLeast: Int
  /// Whether the deadline passed, or clauses were left out, before all was looked at.
  package var isPartial: Bool
}

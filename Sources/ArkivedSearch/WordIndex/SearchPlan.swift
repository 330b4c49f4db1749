import ArkivedCore

/// The documents a query may return, in addition to the conditions of its clauses.
struct DocumentFilter {
  let view: WordIndexView
  /// The ordinals of the requested days.
  let range: Range<Int>
  private let allowed: DocumentSet?
  private let excluded: DocumentSet?

  init(_ query: WordIndexQuery, allowed: DocumentSet?, in view: WordIndexView) {
    self.view = view
    self.allowed = allowed
    excluded = query.excluded.flatMap { $0.isEmpty ? nil : $0 }
    range = query.days.map { view.ordinals(of: $0) } ?? 0..<view.documentCount
  }

  /// True if every document of the range is allowed.
  var isOpen: Bool { allowed == nil && excluded == nil }

  /// Returns true if a document is allowed.
  ///
  /// - Precondition: the document is in the range.
  @inline(__always)
  func allows(_ document: UInt32) -> Bool {
    if isOpen { return true }
    let row = view.row(Int(document))
    if let allowed, !allowed.contains(row) { return false }
    if let excluded, excluded.contains(row) { return false }
    return true
  }
}

/// A prepared query: a cursor for each clause, with the factor for its impacts.
struct SearchPlan {
  let memory: SearchMemory
  let filter: DocumentFilter
  let query: ResolvedQuery
  let required: UnsafeMutableBufferPointer<PostingCursor>
  let requiredWeights: [Int]
  let optional: UnsafeMutableBufferPointer<PostingCursor>
  let optionalWeights: [Int]
  let excluded: UnsafeMutableBufferPointer<PostingCursor>
  /// The divisor that converts a sum of impacts × weights to a score.
  let scale: Double

  /// The largest number of allowed documents that are searched for in the same way as words.
  private static let listedLimit = 2048

  /// Prepares a query.
  ///
  /// - Throws: `WordIndexDamage` at the first damaged position.
  init(_ query: WordIndexQuery, in view: WordIndexView) throws {
    let memory = SearchMemory()
    let resolved = try ResolvedQuery(query, in: view)
    func cursors(_ clauses: [ResolvedClause]) throws -> [PostingCursor] {
      try clauses.map { try $0.cursor(in: view, memory: memory) }
    }
    var mustMatch = try cursors(resolved.required)
    let scale = Self.scale(resolved)
    func weights(_ clauses: [ResolvedClause]) -> [Int] {
      clauses.map { max(1, Int($0.weight * $0.rarity * scale)) }
    }
    var weightsOfRequired = weights(resolved.required)
    var allowed = query.allowed
    if let few = allowed, few.count <= Self.listedLimit {
      allowed = nil
      let ordinals = try few.compactMap { try view.ordinal(of: $0) }.map { UInt32($0) }.sorted()
      let merger = ClauseMerger(ordinals: ordinals, memory: memory)
      let cursor = PostingCursor(merger, documentCount: view.documentCount, memory: memory)
      // The list of allowed documents adds nothing to a score.
      let place = mustMatch.firstIndex { $0.frequency > ordinals.count } ?? mustMatch.count
      mustMatch.insert(cursor, at: place)
      weightsOfRequired.insert(0, at: place)
    }
    self.memory = memory
    self.query = resolved
    self.scale = scale * 255
    filter = DocumentFilter(query, allowed: allowed, in: view)
    required = memory.makeCursors(mustMatch)
    requiredWeights = weightsOfRequired
    optional = memory.makeCursors(try cursors(resolved.optional))
    optionalWeights = weights(resolved.optional)
    excluded = memory.makeCursors(try cursors(resolved.excluded))
  }

  /// True if no document can match.
  var isEmpty: Bool {
    query.isImpossible || query.required.isEmpty && query.optional.isEmpty || filter.range.isEmpty
  }

  /// Returns the factor that converts weight × rarity to a whole number such that the sum of all
  /// clauses' largest scores fits into 32 bits.
  static func scale(_ query: ResolvedQuery) -> Double {
    var sum = 0.0
    for clause in query.required + query.optional { sum += clause.weight * clause.rarity }
    return min(4096, Double(UInt32.max - 1_000_000) / (255 * max(sum, 1e-9)))
  }

  /// Resets all cursors to the beginning.
  func reset() {
    for list in [required, optional, excluded] {
      for index in list.indices { list[index].reset() }
    }
  }
}

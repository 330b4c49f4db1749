/// Finds all documents that match a query, newest first, without scoring them.
///
/// Ordinals are divided into windows, in each of which the clauses are combined as bit sets; rare
/// ones are looked up instead of written out.
struct MatchScan {
  private let plan: SearchPlan
  private let deadline: ContinuousClock.Instant?
  private let bits: UnsafeMutablePointer<UInt64>
  private let others: UnsafeMutablePointer<UInt64>

  private(set) var matches = 0
  private(set) var isPartial = false

  /// The number of ordinals in the first and in the longest window.
  private static let windows: (first: Int, longest: Int) = (2048, 65_536)
  /// A clause is looked up for each candidate if it has more documents than this factor times the
  /// number of candidates.
  private static let lookupRatio = 12

  init(_ plan: SearchPlan, deadline: ContinuousClock.Instant?) {
    self.plan = plan
    self.deadline = deadline
    func makeBits() -> UnsafeMutablePointer<UInt64> {
      UnsafeMutableRawPointer(plan.memory.makeBytes(Self.windows.longest / 8))
        .bindMemory(to: UInt64.self, capacity: Self.windows.longest / 64)
    }
    (bits, others) = (makeBits(), makeBits())
  }

  /// Calls `body` with every matching document, newest first, until it returns false.
  mutating func forEach(_ body: (_ document: UInt32) -> Bool) throws {
    try run { low, bits, words in
      for word in 0..<words {
        var rest = bits[word]
        while rest != 0 {
          guard body(low + UInt32(word << 6 + rest.trailingZeroBitCount)) else { return false }
          rest &= rest &- 1
        }
      }
      return true
    }
  }

  /// Returns the newest or the oldest matching documents, beginning with the newest or oldest.
  mutating func outermost(_ limit: Int, isOldest: Bool) throws -> [UInt32] {
    var found: [UInt32] = []
    guard isOldest else {
      try forEach {
        found.append($0)
        return found.count < limit
      }
      return found
    }
    // This keeps the last ones in a ring buffer.
    var place = 0
    try forEach { document in
      if found.count < limit {
        found.append(document)
      } else {
        found[place] = document
        place = place + 1 == limit ? 0 : place + 1
      }
      return true
    }
    return (found[place...] + found[..<place]).reversed()
  }

  /// Calls `body` with the matching documents of each window as bits, until it returns false.
  ///
  /// - Throws: `WordIndexDamage` at the first damaged position.
  mutating func run(
    _ body: (_ low: UInt32, _ bits: UnsafeMutablePointer<UInt64>, _ words: Int) -> Bool
  ) throws {
    let range = plan.filter.range
    var low = range.lowerBound
    var length = Self.windows.first
    while low < range.upperBound {
      if let deadline, ContinuousClock.now >= deadline {
        isPartial = true
        return
      }
      let end = min(range.upperBound, low + length)
      let words = (end - low + 63) / 64
      combine(UInt32(low), UInt32(end - 1), words)
      try plan.memory.checkDamage()
      for word in 0..<words { matches += bits[word].nonzeroBitCount }
      guard body(UInt32(low), bits, words) else { return }
      low = end
      length = min(length * 2, Self.windows.longest)
    }
  }

  /// Sets the bits of the matching documents in a range.
  private func combine(_ low: UInt32, _ high: UInt32, _ words: Int) {
    bits.update(repeating: 0, count: words)
    if plan.required.isEmpty {
      for index in plan.optional.indices { Self.write(&plan.optional[index], low, high, bits) }
    } else {
      Self.write(&plan.required[0], low, high, bits)
      for index in plan.required.indices.dropFirst() {
        keep(&plan.required[index], low, high, words, isKept: true)
      }
      // If only documents listed by the caller are required, something must still match.
      if plan.query.required.isEmpty {
        others.update(repeating: 0, count: words)
        for index in plan.optional.indices { Self.write(&plan.optional[index], low, high, others) }
        for word in 0..<words { bits[word] &= others[word] }
      }
    }
    for index in plan.excluded.indices {
      keep(&plan.excluded[index], low, high, words, isKept: false)
    }
    guard !plan.filter.isOpen else { return }
    filterBits(low, words) { plan.filter.allows($0) }
  }

  @inline(__always)
  private static func write(
    _ cursor: inout PostingCursor, _ low: UInt32, _ high: UInt32,
    _ bits: UnsafeMutablePointer<UInt64>
  ) {
    cursor.forEach(from: low, through: high) { document, _ in
      let slot = Int(document &- low)
      bits[slot &>> 6] |= 1 &<< UInt64(slot & 63)
    }
  }

  /// Keeps only the documents that a clause contains, or does not contain.
  private func keep(
    _ cursor: inout PostingCursor, _ low: UInt32, _ high: UInt32, _ words: Int, isKept: Bool
  ) {
    var candidates = 0
    for word in 0..<words { candidates += bits[word].nonzeroBitCount }
    guard candidates > 0 else { return }
    let expected = cursor.frequency * words * 64 / max(1, plan.filter.view.documentCount)
    if candidates * (cursor.isPhrase ? 1 : Self.lookupRatio) < expected {
      filterBits(low, words) { (cursor.impact(in: $0, least: 0) > 0) == isKept }
      return
    }
    others.update(repeating: 0, count: words)
    Self.write(&cursor, low, high, others)
    for word in 0..<words { bits[word] &= isKept ? others[word] : ~others[word] }
  }

  @inline(__always)
  private func filterBits(_ low: UInt32, _ words: Int, _ allows: (UInt32) -> Bool) {
    for word in 0..<words {
      var rest = bits[word]
      while rest != 0 {
        let bit = rest & (0 &- rest)
        if !allows(low &+ UInt32(word << 6 + rest.trailingZeroBitCount)) { bits[word] &= ~bit }
        rest &= rest &- 1
      }
    }
  }
}

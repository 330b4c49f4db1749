/// Finds the documents with the highest scores without scoring all.
///
/// Scores are whole numbers, impact × clause weight summed over clauses, so bounds are exact and
/// the order of summation does not matter. A window of ordinals is skipped if its bound, computed
/// from the largest impacts of its blocks, does not reach the worst of the best documents so far:
/// block-max pruning as described by Ding and Suel (“Faster Top-k Document Retrieval Using
/// Block-Max Indexes”, 2011). If nothing is required, clauses that together cannot lift a document
/// into the result produce no candidates: MAXSCORE (Turtle and Flood, “Query Evaluation: Strategies
/// and Optimizations”, 1995), window by window.
struct RankedSearch {
  private let filter: DocumentFilter
  private let memory: SearchMemory
  /// Clauses that documents must match, rarest first.
  private let required: UnsafeMutableBufferPointer<PostingCursor>
  private let requiredWeights: UnsafeMutablePointer<Int>
  private let optional: UnsafeMutableBufferPointer<PostingCursor>
  private let optionalWeights: UnsafeMutablePointer<Int>
  private let excluded: UnsafeMutableBufferPointer<PostingCursor>
  private let deadline: ContinuousClock.Instant?

  private(set) var top: TopMatches
  private(set) var matches = 0
  private(set) var isPartial = false
  private var windows = 0

  /// The largest score each optional clause can add in the window; the clauses are ordered by it.
  private let bounds: UnsafeMutablePointer<Int>
  private let order: UnsafeMutablePointer<Int>
  /// The sums of scores, one for each ordinal from the beginning of a span, with flags for those
  /// that are set.
  private let sums: UnsafeMutablePointer<UInt32>
  private let marks: UnsafeMutablePointer<UInt64>

  /// The merged clauses, which are informed of the impacts that no longer matter.
  private let mergedRequired: [Int]
  private let mergedOptional: [Int]
  /// The largest sum that all clauses can add.
  private let mostOfAll: Int
  private var toldThreshold = 0

  private static let spanLength: UInt32 = 2048
  /// The length below which windows are not shortened for the sake of exact bounds.
  private static let shortestWindow: UInt32 = 384

  init(_ plan: SearchPlan, limit: Int, deadline: ContinuousClock.Instant?) {
    filter = plan.filter
    memory = plan.memory
    required = plan.required
    requiredWeights = memory.makeIntegers(plan.requiredWeights)
    optional = plan.optional
    optionalWeights = memory.makeIntegers(plan.optionalWeights)
    excluded = plan.excluded
    self.deadline = deadline
    top = TopMatches(limit: limit)
    bounds = memory.makeIntegers([Int](repeating: 0, count: optional.count))
    order = memory.makeIntegers(Array(optional.indices))
    let (required, optional) = (plan.required, plan.optional)
    mergedRequired = required.indices.filter { required[$0].isMerged }
    mergedOptional = optional.indices.filter { optional[$0].isMerged }
    var most = 0
    for index in required.indices {
      most += plan.requiredWeights[index] * Int(required[index].highest)
    }
    for index in optional.indices {
      most += plan.optionalWeights[index] * Int(optional[index].highest)
    }
    mostOfAll = most
    sums = memory.makeNumbers(Int(Self.spanLength))
    marks = UnsafeMutableRawPointer(memory.makeBytes(Int(Self.spanLength) / 8))
      .bindMemory(to: UInt64.self, capacity: Int(Self.spanLength) / 64)
  }

  /// Runs the search.
  ///
  /// - Throws: `WordIndexDamage` at the first damaged position.
  mutating func run() throws {
    guard !filter.range.isEmpty, !required.isEmpty || !optional.isEmpty else { return }
    if required.isEmpty { runOptional() } else { runRequired() }
    try memory.checkDamage()
  }

  /// Returns true if the search must stop, which is only checked from time to time.
  private mutating func mustStop() -> Bool {
    tellThreshold()
    windows &+= 1
    guard windows & 15 == 0 else { return false }
    if memory.damage.pointee { return true }
    if let deadline, ContinuousClock.now >= deadline { isPartial = true }
    return isPartial
  }

  /// Informs merged clauses of the impacts that cannot lift a document into the result.
  private mutating func tellThreshold() {
    guard top.threshold > toldThreshold else { return }
    toldThreshold = top.threshold
    for index in mergedRequired {
      tell(required[index], requiredWeights[index])
    }
    for index in mergedOptional {
      tell(optional[index], optionalWeights[index])
    }
  }

  private mutating func tell(_ cursor: PostingCursor, _ weight: Int) {
    guard weight > 0 else { return }
    let missing = top.threshold - (mostOfAll - weight * Int(cursor.highest))
    if missing > 0 { cursor.leaveOut(below: UInt8(min(255, missing / weight + 1))) }
  }

  /// Inserts a document with a sufficient score, unless a filter or an excluded clause forbids it.
  @inline(__always)
  private mutating func offer(_ document: UInt32, _ score: Int) {
    guard filter.allows(document) else { return }
    for index in excluded.indices where excluded[index].seek(document) == document { return }
    matches &+= 1
    top.insert(document, score)
  }

  // MARK: Documents that must match something

  private mutating func runRequired() {
    var low = UInt32(filter.range.lowerBound)
    let last = UInt32(filter.range.upperBound - 1)
    var restBounds = [Int](repeating: 0, count: required.count + 1)
    while low <= last, !mustStop() {
      required[0].moveBlock(to: low)
      guard !required[0].isAtEnd else { return }
      let windowEnd = min(last, required[0].blockLast)
      defer { low = windowEnd + 1 }
      let isMissing = required[0].blockImpact == 0
      let optionalBound = bound(ofOptional: low, windowEnd)
      restBounds[required.count] = optionalBound
      var isPossible = !isMissing
      for index in required.indices.reversed() {
        required[index].moveBlock(to: low)
        let impact =
          index == 0 ? required[0].blockImpact : required[index].highestImpact(through: windowEnd)
        if impact == 0 { isPossible = false }
        restBounds[index] = restBounds[index + 1] + requiredWeights[index] * Int(impact)
      }
      guard isPossible, restBounds[0] > top.threshold else { continue }
      if optionalBound > 0 { sortByBounds() }
      restBounds.withUnsafeBufferPointer { scoreRequired(low, windowEnd, $0) }
    }
  }

  /// Returns the largest sum that optional clauses can add between two documents.
  private mutating func bound(ofOptional low: UInt32, _ windowEnd: UInt32) -> Int {
    var sum = 0
    for index in optional.indices {
      optional[index].moveBlock(to: low)
      bounds[index] =
        optionalWeights[index] * Int(optional[index].highestImpact(through: windowEnd))
      sum += bounds[index]
    }
    return sum
  }

  /// Scores the rarest clause's documents in a window that is one of its blocks.
  ///
  /// - Parameters:
  ///   - low: the first document of the window.
  ///   - windowEnd: the document after its last.
  ///   - restBounds: for each required clause, the largest sum that it, the following required ones
  ///     and the optional ones can add.
  private mutating func scoreRequired(
    _ low: UInt32, _ windowEnd: UInt32, _ restBounds: UnsafeBufferPointer<Int>
  ) {
    let lead = required.baseAddress.unsafelyUnwrapped
    let count = required.count
    let leadWeight = requiredWeights[0]
    var document = lead.pointee.seekInBlock(low)
    candidates: while document <= windowEnd {
      var score = leadWeight &* Int(lead.pointee.impact)
      if score &+ restBounds[1] <= top.threshold {
        document = lead.pointee.nextInBlock()
        continue
      }
      var index = 1
      while index < count {
        if lead[index].isPhrase {
          let least =
            (top.threshold &- score &- restBounds[index &+ 1]) / requiredWeights[index] &+ 1
          let impact = lead[index].impact(in: document, least: least)
          guard impact > 0 else {
            document = lead.pointee.nextInBlock()
            continue candidates
          }
          score &+= requiredWeights[index] &* Int(impact)
          index &+= 1
          continue
        }
        let found = lead[index].seek(document)
        if found != document {
          guard found <= windowEnd else { return }
          document = lead.pointee.seekInBlock(found)
          continue candidates
        }
        score &+= requiredWeights[index] &* Int(lead[index].impact)
        index &+= 1
        if score &+ restBounds[index] <= top.threshold {
          document = lead.pointee.nextInBlock()
          continue candidates
        }
      }
      score = addOptional(from: optional.count, document, score, restBounds[count])
      if score > top.threshold { offer(document, score) }
      document = lead.pointee.nextInBlock()
    }
  }

  /// Adds the contributions of the clauses before `end` in `order` to a document, largest bound
  /// first, as long as the document can still enter the result.
  @inline(__always)
  private mutating func addOptional(
    from end: Int, _ document: UInt32, _ score: Int, _ bound: Int
  ) -> Int {
    var score = score
    var rest = bound
    var place = end
    while place > 0, rest > 0, score &+ rest > top.threshold {
      place &-= 1
      let index = order[place]
      guard bounds[index] > 0 else { break }
      rest &-= bounds[index]
      let least = (top.threshold &- score &- rest) / optionalWeights[index] &+ 1
      let impact = optional[index].impact(in: document, least: least)
      score &+= optionalWeights[index] &* Int(impact)
    }
    return score &+ rest > top.threshold ? score : 0
  }

  // MARK: Documents that may match anything

  private mutating func runOptional() {
    var low = UInt32(filter.range.lowerBound)
    let last = UInt32(filter.range.upperBound - 1)
    // The order is by the largest contribution of each clause anywhere, smallest first.
    let byHighest = optional.indices.map { (most: most($0), index: $0) }.sorted {
      $0.most < $1.most
    }
    while low <= last, !mustStop() {
      var minor = 0
      var sum = 0
      while minor < byHighest.count, sum + byHighest[minor].most <= top.threshold {
        sum += byHighest[minor].most
        minor += 1
      }
      guard minor < byHighest.count else { return }
      var windowEnd = last
      for (_, index) in byHighest[minor...] {
        optional[index].moveBlock(to: low)
        windowEnd = min(windowEnd, optional[index].blockLast)
      }
      if byHighest.count - minor > 1 {
        windowEnd = min(last, max(windowEnd, low + Self.shortestWindow))
      }
      if bound(ofOptional: low, windowEnd) > top.threshold {
        sortByBounds()
        scoreOptional(low, windowEnd)
      }
      low = windowEnd + 1
    }
  }

  private mutating func most(_ index: Int) -> Int {
    optionalWeights[index] * Int(optional[index].highest)
  }

  /// Sorts the clauses by their bounds, smallest first; few change places from window to window.
  private mutating func sortByBounds() {
    var place = 1
    while place < optional.count {
      let index = order[place]
      var hole = place
      while hole > 0, bounds[order[hole - 1]] > bounds[index] {
        order[hole] = order[hole - 1]
        hole -= 1
      }
      order[hole] = index
      place += 1
    }
  }

  private mutating func scoreOptional(_ low: UInt32, _ windowEnd: UInt32) {
    // Clauses before `minor` cannot lift a document into the result by themselves.
    var minor = 0
    var minorBound = 0
    while minor < optional.count, minorBound + bounds[order[minor]] <= top.threshold {
      minorBound += bounds[order[minor]]
      minor += 1
    }
    if minor == optional.count - 1 {
      scoreSingle(order[minor], low, windowEnd, minor, minorBound)
    } else {
      scoreSpans(low, windowEnd, minor, minorBound)
    }
  }

  /// Scores the documents of a single clause.
  private mutating func scoreSingle(
    _ index: Int, _ low: UInt32, _ windowEnd: UInt32, _ minor: Int, _ minorBound: Int
  ) {
    guard let lead = optional.baseAddress.map({ $0 + index }) else { return }
    let weight = optionalWeights[index]
    var document = lead.pointee.seek(low)
    while document <= windowEnd {
      var score = weight &* Int(lead.pointee.impact)
      if score &+ minorBound > top.threshold {
        if minor > 0 { score = addOptional(from: minor, document, score, minorBound) }
        if score > top.threshold { offer(document, score) }
      }
      document = lead.pointee.next()
    }
  }

  /// Sums the scores of several clauses, span by span.
  private mutating func scoreSpans(
    _ low: UInt32, _ windowEnd: UInt32, _ minor: Int, _ minorBound: Int
  ) {
    let (sums, marks) = (sums, marks)
    var start = low
    while start <= windowEnd {
      var first = PostingCursor.end
      for place in minor..<optional.count { first = min(first, optional[order[place]].seek(start)) }
      guard first <= windowEnd else { return }
      start = first
      let end = min(windowEnd, start + Self.spanLength - 1)
      for place in minor..<optional.count {
        let index = order[place]
        let weight = UInt32(optionalWeights[index])
        optional[index].forEach(from: start, through: end) { document, impact in
          let slot = Int(document &- start)
          sums[slot] &+= weight &* UInt32(impact)
          marks[slot &>> 6] |= 1 &<< UInt64(slot & 63)
        }
      }
      for word in 0...Int((end - start) >> 6) where marks[word] != 0 {
        var bits = marks[word]
        marks[word] = 0
        while bits != 0 {
          let slot = word << 6 + bits.trailingZeroBitCount
          bits &= bits &- 1
          var score = Int(sums[slot])
          sums[slot] = 0
          if score &+ minorBound > top.threshold {
            let document = start &+ UInt32(slot)
            if minor > 0 { score = addOptional(from: minor, document, score, minorBound) }
            if score > top.threshold { offer(document, score) }
          }
        }
      }
      start = end + 1
    }
  }
}

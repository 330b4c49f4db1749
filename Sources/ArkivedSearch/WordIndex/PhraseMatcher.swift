/// Finds the documents in which terms are consecutive in one column.
final class PhraseMatcher {
  /// The reading position in a term's occurrences.
  private struct Place {
    let start: Int
    var block = -1
    /// The index within the block of the next document to read, and the start of its occurrences.
    var index = 0
    var offset = 0
  }

  /// The positions at which the phrase may begin in a document: column × 2³² + position, ascending.
  private struct Candidates {
    var start: UnsafeMutablePointer<UInt64>
    var capacity: Int
    var count = 0
  }

  private let cursors: UnsafeMutableBufferPointer<PostingCursor>
  private let positions: UnsafeRawBufferPointer
  // State that changes with every document is accessed through pointers, which is free.
  private let places: UnsafeMutablePointer<Place>
  private let candidates: UnsafeMutablePointer<Candidates>
  /// The reading positions of the terms, rarest first.
  private let order: [Int]
  /// The memory, which outlives its users; it owns the cursors, which own the mergers of clauses.
  private unowned let memory: SearchMemory
  private let damage: UnsafeMutablePointer<Bool>
  /// The first document that may still be read.
  private(set) var next: UInt32 = 0
  /// The impact below which documents may be skipped.
  var leastImpact: UInt8 = 0

  /// Creates a matcher.
  ///
  /// - Parameters:
  ///   - records: the records of the phrase's words.
  ///   - cursors: the cursors of the records, in the order of the phrase.
  ///   - view: the index.
  ///   - memory: lends the buffers.
  init(
    _ records: [TermRecord], _ cursors: UnsafeMutableBufferPointer<PostingCursor>,
    in view: WordIndexView, memory: SearchMemory
  ) {
    self.cursors = cursors
    positions = view.positions
    places = UnsafeMutableRawPointer(
      memory.makeBytes(records.count * MemoryLayout<Place>.stride)
    ).bindMemory(to: Place.self, capacity: records.count)
    for (index, record) in records.enumerated() {
      places[index] = Place(start: Int(clamping: record.positions))
    }
    candidates = UnsafeMutableRawPointer(
      memory.makeBytes(MemoryLayout<Candidates>.stride)
    ).bindMemory(to: Candidates.self, capacity: 1)
    candidates.pointee = Candidates(start: Self.makeCandidates(32, memory), capacity: 32)
    self.memory = memory
    order = records.indices.sorted {
      (records[$0].documentFrequency, $0) < (records[$1].documentFrequency, $1)
    }
    damage = memory.damage
  }

  private static func makeCandidates(
    _ count: Int, _ memory: SearchMemory
  ) -> UnsafeMutablePointer<UInt64> {
    UnsafeMutableRawPointer(memory.makeBytes(count * 8)).bindMemory(
      to: UInt64.self, capacity: count)
  }

  /// Restarts at the first document; the owner of the cursors resets them.
  func reset() {
    next = 0
    leastImpact = 0
    for index in order { places[index].block = -1 }
  }

  /// Calls a closure with the documents that contain the phrase, and the impact of its weakest
  /// term.
  func forEach(
    from low: UInt32, through high: UInt32, _ body: (_ document: UInt32, _ impact: UInt8) -> Void
  ) {
    guard let rarest = order.first else { return }
    let lead = cursors.baseAddress.unsafelyUnwrapped + rarest
    let least = leastImpact
    var document = lead.pointee.seek(low)
    search: while document <= high {
      var impact = lead.pointee.impact
      if impact >= least {
        var rank = 1
        while rank < order.count {
          let place = order[rank]
          rank &+= 1
          let found = cursors[place].seek(document)
          guard found == document else {
            document = lead.pointee.seek(found)
            continue search
          }
          impact = min(impact, cursors[place].impact)
        }
        if impact >= least, standsInDocument() { body(document, impact) }
        if damage.pointee { break }
      }
      document = lead.pointee.next()
    }
    next = document
  }

  /// Looks up a single document.
  ///
  /// - Precondition: it is not before `next`.
  ///
  /// - Returns: the impact of its weakest term, or 0 if the phrase is missing or the impact is
  ///   smaller than `least`.
  func probe(_ document: UInt32, least: Int) -> UInt8 {
    var impact = UInt8.max
    var rank = 0
    while rank < order.count {
      let place = order[rank]
      rank &+= 1
      guard cursors[place].seek(document) == document else { return 0 }
      impact = min(impact, cursors[place].impact)
      guard Int(impact) >= least else { return 0 }
    }
    return standsInDocument() ? impact : 0
  }

  /// Returns true if the terms are consecutive in the document at which all cursors are.
  private func standsInDocument() -> Bool {
    let candidates = candidates
    candidates.pointee.count = 0
    guard read(0, { append($0) }) else { return fail() }
    var place = 1
    while place < order.count {
      let distance = UInt64(place)
      let (list, count) = (candidates.pointee.start, candidates.pointee.count)
      var (index, kept) = (0, 0)
      let isRead = read(place) { occurrence in
        while index < count, list[index] &+ distance < occurrence { index &+= 1 }
        guard index < count, list[index] &+ distance == occurrence else { return }
        list[kept] = list[index]
        kept &+= 1
        index &+= 1
      }
      guard isRead else { return fail() }
      candidates.pointee.count = kept
      if kept == 0 { return false }
      place &+= 1
    }
    return true
  }

  @inline(__always)
  private func append(_ candidate: UInt64) {
    if candidates.pointee.count == candidates.pointee.capacity { grow() }
    candidates.pointee.start[candidates.pointee.count] = candidate
    candidates.pointee.count &+= 1
  }

  private func grow() {
    let list = candidates.pointee
    let larger = Self.makeCandidates(list.capacity * 4, memory)
    larger.update(from: list.start, count: list.count)
    candidates.pointee = Candidates(
      start: larger, capacity: list.capacity * 4, count: list.count)
  }

  private func fail() -> Bool {
    damage.pointee = true
    return false
  }

  /// Calls a closure with a term's occurrences in the document at its cursor.
  ///
  /// - Returns: false if they are damaged.
  @inline(__always)
  private func read(_ place: Int, _ body: (UInt64) -> Void) -> Bool {
    let (block, index) = cursors[place].place
    var state = places[place]
    if state.block != block || state.index > index {
      state.block = block
      state.index = 0
      state.offset = state.start &+ cursors[place].positionsOffset
    }
    var reader = PositionsReader(positions, at: state.offset)
    while state.index < index {
      guard reader.skipDocument() else { return false }
      state.index &+= 1
    }
    let isWhole = reader.readDocument { column, position in
      body(UInt64(column) &<< 32 | UInt64(position))
    }
    state.index &+= 1
    state.offset = reader.offset
    places[place] = state
    return isWhole
  }
}

/// The best documents so far: a heap with the worst of them as its root.
struct TopMatches {
  private let limit: Int
  /// Score × 2³² + the complement of the ordinal, so among equal scores the newer document is
  /// larger.
  private var heap: [UInt64] = []
  /// The score a document must exceed to be inserted; a later document with an equal score is not
  /// inserted.
  private(set) var threshold: Int

  init(limit: Int) {
    self.limit = limit
    threshold = limit > 0 ? 0 : .max
    heap.reserveCapacity(min(limit, 1024))
  }

  /// Inserts a document.
  ///
  /// - Precondition: the score is above the threshold and below 2³²; ordinals ascend.
  mutating func insert(_ ordinal: UInt32, _ score: Int) {
    let key = UInt64(score) << 32 | UInt64(~ordinal)
    if heap.count < limit {
      heap.append(key)
      var child = heap.count - 1
      while child > 0, heap[child] < heap[(child - 1) / 2] {
        heap.swapAt(child, (child - 1) / 2)
        child = (child - 1) / 2
      }
      if heap.count == limit { threshold = Int(heap[0] >> 32) }
      return
    }
    var hole = 0
    while true {
      var child = hole * 2 + 1
      guard child < heap.count else { break }
      if child + 1 < heap.count, heap[child + 1] < heap[child] { child += 1 }
      guard heap[child] < key else { break }
      heap[hole] = heap[child]
      hole = child
    }
    heap[hole] = key
    threshold = Int(heap[0] >> 32)
  }

  /// The documents, best first.
  var sorted: [(ordinal: UInt32, score: Int)] {
    heap.sorted(by: >).map { (~UInt32(truncatingIfNeeded: $0), Int($0 >> 32)) }
  }
}

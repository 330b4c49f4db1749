/// Combines a clause of more than one term into one list of postings: several words, phrases, or
/// documents given by the caller.
///
/// Ordinals are divided into spans of equal length, one block each, which are merged when a query
/// reaches them; the block table with the largest impacts is computed in advance from those of the
/// terms. Short lists are merged immediately.
final class ClauseMerger {
  /// A term or phrase, with the scaling of its impacts.
  private struct Part {
    let cursors: UnsafeMutableBufferPointer<PostingCursor>
    let phrase: PhraseMatcher?
    let scale: [UInt8]
    /// The first document that may still be read.
    var next: UInt32 = 0

    @inline(__always)
    func forEach(
      from low: UInt32, through high: UInt32, _ body: (_ document: UInt32, _ impact: UInt8) -> Void
    ) {
      if let phrase {
        phrase.forEach(from: low, through: high, body)
      } else {
        cursors[0].forEach(from: low, through: high, body)
      }
    }
  }

  /// One `BlockEntry` for each block, with only the last ordinal and the impact set.
  let entries: UnsafePointer<UInt8>
  let blockCount: Int
  /// An upper bound of the number of documents.
  let frequency: Int
  let highest: UInt8
  /// The largest number of documents in a block.
  let blockCapacity: Int

  private var parts: [Part] = []
  /// The largest impact of each ordinal in a span.
  private let span: UnsafeMutablePointer<UInt8>
  private let listed: [UInt32]
  private let listedImpacts: [UInt8]
  private let isListed: Bool

  /// The number of documents up to which a clause is merged immediately.
  private static let listLimit = 2048
  private static let spans = 256...16_384

  /// Merges the forms of a clause; `weight` is above 0 and at most 1.
  ///
  /// - Throws: `WordIndexDamage` at the first damaged position.
  init(
    _ forms: [(form: ResolvedForm, weight: Double)], in view: WordIndexView, memory: SearchMemory
  ) throws {
    var frequency = 0
    for (form, weight) in forms {
      let scale = (0...255).map { UInt8(max(1, (Double($0) * weight).rounded())) }
      let cursors = memory.makeCursors(
        try form.records.map { try PostingCursor($0, in: view, memory: memory) })
      frequency += form.frequency
      var phrase: PhraseMatcher?
      if form.isPhrase {
        phrase = PhraseMatcher(form.records, cursors, in: view, memory: memory)
      }
      parts.append(Part(cursors: cursors, phrase: phrase, scale: scale))
    }
    self.frequency = min(frequency, view.documentCount)
    if frequency <= Self.listLimit {
      var found: [UInt32: UInt8] = [:]
      for part in parts {
        part.forEach(from: 0, through: PostingCursor.end - 1) { ordinal, impact in
          found[ordinal] = max(found[ordinal] ?? 0, part.scale[Int(impact)])
        }
      }
      try memory.checkDamage()
      let sorted = found.sorted { $0.key < $1.key }
      (listed, listedImpacts) = (sorted.map(\.key), sorted.map(\.value))
      isListed = true
      span = memory.makeBytes(1)
      (entries, blockCount, highest) = Self.table(listed, listedImpacts, memory)
      blockCapacity = BlockCoding.capacity
      return
    }
    (listed, listedImpacts, isListed) = ([], [], false)
    let wanted = BlockCoding.capacity * view.documentCount / max(1, self.frequency)
    var length = Self.spans.lowerBound
    while length < wanted, length < Self.spans.upperBound { length *= 2 }
    blockCapacity = length
    blockCount = (view.documentCount + length - 1) / length
    span = memory.makeBytes(length + 8)
    let table = memory.makeBytes(blockCount * BlockEntry.size)
    var impacts = [UInt8](repeating: 0, count: blockCount)
    for part in parts {
      Self.raise(&impacts, to: part.cursors, part.scale, length: length)
    }
    var bytes: [UInt8] = []
    for (block, impact) in impacts.enumerated() {
      let last = min(view.documentCount, (block + 1) * length) - 1
      BlockEntry(last: UInt32(last), postings: 0, positions: 0, impact: impact, width: 0)
        .append(to: &bytes)
    }
    table.update(from: bytes, count: bytes.count)
    entries = UnsafePointer(table)
    highest = impacts.max() ?? 0
  }

  /// Creates a clause of documents given by the caller, in ascending order, with the smallest
  /// impact.
  init(ordinals: [UInt32], memory: SearchMemory) {
    listed = ordinals
    listedImpacts = [UInt8](repeating: 1, count: ordinals.count)
    isListed = true
    frequency = ordinals.count
    span = memory.makeBytes(1)
    (entries, blockCount, highest) = Self.table(listed, listedImpacts, memory)
    blockCapacity = BlockCoding.capacity
  }

  private static func table(
    _ listed: [UInt32], _ impacts: [UInt8], _ memory: SearchMemory
  ) -> (UnsafePointer<UInt8>, Int, UInt8) {
    var bytes: [UInt8] = []
    var highest: UInt8 = 0
    for start in stride(from: 0, to: listed.count, by: BlockCoding.capacity) {
      let end = min(listed.count, start + BlockCoding.capacity)
      let impact = impacts[start..<end].max() ?? 0
      highest = max(highest, impact)
      BlockEntry(last: listed[end - 1], postings: 0, positions: 0, impact: impact, width: 0)
        .append(to: &bytes)
    }
    let table = memory.makeBytes(max(1, bytes.count))
    table.update(from: bytes, count: bytes.count)
    return (
      UnsafePointer(table), (listed.count + BlockCoding.capacity - 1) / BlockCoding.capacity,
      highest
    )
  }

  /// Raises the spans' largest impacts to those of a form; for a phrase, those of its weakest term.
  private static func raise(
    _ impacts: inout [UInt8], to cursors: UnsafeMutableBufferPointer<PostingCursor>,
    _ scale: [UInt8], length: Int
  ) {
    var weakest = [UInt8](repeating: 255, count: cursors.count > 1 ? impacts.count : 0)
    for cursor in cursors {
      var own = [UInt8](repeating: 0, count: cursors.count > 1 ? impacts.count : 0)
      cursor.forEachBlock { first, last, impact in
        let spans = (Int(first) / length)...max(Int(first) / length, Int(last) / length)
        for span in spans.clamped(to: 0...(impacts.count - 1)) {
          if cursors.count > 1 {
            own[span] = max(own[span], impact)
          } else {
            impacts[span] = max(impacts[span], scale[Int(impact)])
          }
        }
      }
      for span in weakest.indices { weakest[span] = min(weakest[span], own[span]) }
    }
    for span in weakest.indices where weakest[span] > 0 {
      impacts[span] = max(impacts[span], scale[Int(weakest[span])])
    }
  }

  /// The phrase that is the clause's only form, unless it was searched for immediately.
  var lonePhrase: PhraseMatcher? { parts.count == 1 && !isListed ? parts[0].phrase : nil }

  /// Allows documents with a smaller impact to be skipped, which saves looking for phrases in them.
  func leaveOut(below impact: UInt8) {
    guard parts.count == 1 else { return }
    parts[0].phrase?.leastImpact = impact
  }

  /// Restarts at the first block.
  func reset() {
    for index in parts.indices {
      parts[index].next = 0
      parts[index].phrase?.reset()
      for cursor in parts[index].cursors.indices { parts[index].cursors[cursor].reset() }
    }
  }

  /// Writes the documents of a block and their impacts.
  ///
  /// - Returns: the number of documents.
  func load(
    _ block: Int, from first: UInt32, through last: UInt32,
    ordinals: UnsafeMutablePointer<UInt32>, impacts: UnsafeMutablePointer<UInt8>
  ) -> Int {
    if isListed {
      let start = block * BlockCoding.capacity
      let count = min(listed.count - start, BlockCoding.capacity)
      for index in 0..<count {
        ordinals[index] = listed[start + index]
        impacts[index] = listedImpacts[start + index]
      }
      return count
    }
    if parts.count == 1 {
      // A single form needs no merging, and its impacts are not scaled.
      var count = 0
      parts[0].forEach(from: first, through: last) { ordinal, impact in
        ordinals[count] = ordinal
        impacts[count] = impact
        count &+= 1
      }
      return count
    }
    let length = Int(last - first) + 1
    span.update(repeating: 0, count: length + 7)
    let span = span
    for index in parts.indices where parts[index].next <= last {
      let part = parts[index]
      part.scale.withUnsafeBufferPointer { scale in
        let mark = { (ordinal: UInt32, impact: UInt8) in
          let place = Int(ordinal - first)
          span[place] = max(span[place], scale[Int(impact)])
        }
        part.forEach(from: first, through: last, mark)
      }
      parts[index].next = part.phrase?.next ?? part.cursors[0].seek(last + 1)
    }
    var count = 0
    let raw = UnsafeRawPointer(span)
    for start in stride(from: 0, to: length, by: 8) {
      var word = raw.loadUnaligned(fromByteOffset: start, as: UInt64.self)
      while word != 0 {
        let byte = word.trailingZeroBitCount / 8
        ordinals[count] = first + UInt32(start + byte)
        impacts[count] = span[start + byte]
        count += 1
        word &= ~(0xFF << UInt64(byte * 8))
      }
    }
    return count
  }
}

extension PostingCursor {
  /// Calls a closure with each entry of the block table: the ordinals the block may contain, and
  /// its largest impact.
  func forEachBlock(_ body: (_ first: UInt32, _ last: UInt32, _ impact: UInt8) -> Void) {
    var first: UInt32 = 0
    for block in 0..<blockCount {
      let (last, impact) = entry(block)
      // A damaged table may be descending.
      body(min(first, last), last, impact)
      first = last == .max ? last : last + 1
    }
  }
}

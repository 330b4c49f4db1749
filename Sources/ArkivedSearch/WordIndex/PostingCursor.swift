/// Iterates over the documents of a term, or of a whole clause, in ascending order of ordinals.
///
/// `block` is the cursor's position in the block table, which is cheap to advance; a block's
/// documents are decoded only on demand.
struct PostingCursor {
  /// The ordinal after the last document.
  static let end = UInt32.max

  /// The block table.
  private let entries: UnsafeRawPointer
  let blockCount: Int
  /// The number of documents with the clause, or an upper bound.
  let frequency: Int
  /// The largest impact of all documents.
  let highest: UInt8
  private let documentCount: Int
  private let postings: UnsafeRawBufferPointer
  private let start: Int
  /// The source of blocks for a clause that is not a single term.
  private let merger: ClauseMerger?
  /// The phrase that makes up the clause; whole blocks don't have to be searched for it.
  private let phrase: PhraseMatcher?
  private let buffer: UnsafeMutablePointer<UInt32>
  private let impactBuffer: UnsafeMutablePointer<UInt8>
  private let damage: UnsafeMutablePointer<Bool>

  /// The current block; `blockCount` at the end.
  private(set) var block = 0
  /// The last ordinal that the block may contain; `end` at the end.
  private(set) var blockLast: UInt32 = 0
  private var loaded = -1
  private var count = 0
  private var at = 0
  private var impacts: UnsafePointer<UInt8>

  /// The extra capacity of a block's buffer beyond its documents.
  private static let slack = 16

  /// Creates a cursor over a term's documents.
  ///
  /// - Throws: `WordIndexDamage` if the record points outside the file.
  init(_ record: TermRecord, in view: WordIndexView, memory: SearchMemory) throws {
    frequency = Int(record.documentFrequency)
    blockCount = record.blockCount
    let firstBlock = Int(record.firstBlock)
    guard let base = view.blocks.baseAddress, frequency > 0, frequency <= view.documentCount,
      firstBlock + blockCount <= view.blocks.count / BlockEntry.size,
      record.postings <= UInt64(view.postings.count)
    else { throw WordIndexDamage("a term's record") }
    entries = base + firstBlock * BlockEntry.size
    highest = record.impact
    documentCount = view.documentCount
    postings = view.postings
    start = Int(record.postings)
    merger = nil
    phrase = nil
    buffer = memory.makeNumbers(BlockCoding.capacity + Self.slack)
    impactBuffer = memory.makeBytes(1)
    impacts = UnsafePointer(impactBuffer)
    damage = memory.damage
    blockLast = last(of: 0)
  }

  /// Creates a cursor over the documents of a clause with several forms.
  init(_ merger: ClauseMerger, documentCount: Int, memory: SearchMemory) {
    frequency = merger.frequency
    blockCount = merger.blockCount
    entries = UnsafeRawPointer(merger.entries)
    highest = merger.highest
    self.documentCount = documentCount
    postings = UnsafeRawBufferPointer(start: nil, count: 0)
    start = 0
    self.merger = merger
    phrase = merger.lonePhrase
    buffer = memory.makeNumbers(merger.blockCapacity + Self.slack)
    impactBuffer = memory.makeBytes(merger.blockCapacity + Self.slack)
    impacts = UnsafePointer(impactBuffer)
    damage = memory.damage
    blockLast = blockCount > 0 ? last(of: 0) : Self.end
  }

  @inline(__always)
  private func last(of block: Int) -> UInt32 {
    entries.loadUnaligned(fromByteOffset: block &* BlockEntry.size, as: UInt32.self)
  }

  @inline(__always)
  private func impact(of block: Int) -> UInt8 {
    entries.load(fromByteOffset: block &* BlockEntry.size &+ 12, as: UInt8.self)
  }

  /// Returns the last ordinal and the largest impact of a block.
  func entry(_ block: Int) -> (last: UInt32, impact: UInt8) { (last(of: block), impact(of: block)) }

  /// The start of the occurrences of the block's documents, relative to the term's first.
  var positionsOffset: Int {
    block < blockCount ? Int(BlockEntry(entries + block * BlockEntry.size).positions) : 0
  }

  /// True if no document is left in the block table.
  var isAtEnd: Bool { block >= blockCount }

  /// The largest impact in the current block; 0 at the end.
  var blockImpact: UInt8 { block < blockCount ? impact(of: block) : 0 }

  /// Returns the largest impact of the documents from the cursor to `end`, or an upper bound.
  func highestImpact(through end: UInt32) -> UInt8 {
    var best: UInt8 = 0
    let limit = min(blockCount, block + 48)
    var index = block
    while index < limit {
      best = max(best, impact(of: index))
      if last(of: index) >= end { return best }
      index &+= 1
    }
    return index == blockCount ? best : highest
  }

  /// Advances in the block table to the block that may contain `target`.
  @inline(__always)
  mutating func moveBlock(to target: UInt32) {
    if blockLast < target { searchBlock(target) }
  }

  private mutating func searchBlock(_ target: UInt32) {
    // Steps are doubled, then halved, because most moves are short.
    var low = block
    var step = 1
    while low + step < blockCount, last(of: low + step) < target {
      low += step
      step *= 2
    }
    var high = min(low + step, blockCount)
    while low + 1 < high {
      let middle = (low + high) / 2
      if last(of: middle) < target { low = middle } else { high = middle }
    }
    block = high
    blockLast = high < blockCount ? last(of: high) : Self.end
  }

  /// Decodes the current block, unless that has already been done.
  @inline(__always)
  private mutating func loadBlock() {
    if loaded != block { decodeBlock() }
  }

  private mutating func decodeBlock() {
    let previous = block == 0 ? -1 : Int(last(of: block - 1))
    loaded = block
    at = 0
    if let merger {
      count = merger.load(
        block, from: UInt32(previous + 1), through: blockLast, ordinals: buffer,
        impacts: impactBuffer)
    } else {
      count = decode(
        BlockEntry(entries + block * BlockEntry.size), after: previous,
        count: block == blockCount - 1
          ? frequency - block * BlockCoding.capacity : BlockCoding.capacity)
    }
    for index in 0..<Self.slack { buffer[count + index] = Self.end }
  }

  /// Decodes a block.
  ///
  /// - Returns: the number of documents in the buffer, 0 after damage.
  private mutating func decode(_ entry: BlockEntry, after previous: Int, count: Int) -> Int {
    let width = Int(entry.width)
    let place = start + Int(entry.postings)
    let packed = BlockCoding.packedCount(count, width: width)
    guard let base = postings.baseAddress, width < 32, Int(entry.last) < documentCount,
      previous < Int(entry.last), place + packed + count <= postings.count,
      place + BlockCoding.readCount(count, width: width) <= postings.count
    else { return fail() }
    BlockCoding.unpack(base + place, count: count, width: width, after: previous, into: buffer)
    guard buffer[count - 1] == entry.last else { return fail() }
    if width > 24 {
      // Sums of such distances can exceed 2³² and wrap around.
      for index in 1..<max(1, count) where buffer[index] <= buffer[index - 1] { return fail() }
      guard Int(buffer[0]) > previous else { return fail() }
    }
    impacts = (base + place + packed).assumingMemoryBound(to: UInt8.self)
    return count
  }

  private func fail() -> Int {
    damage.pointee = true
    return 0
  }

  /// The current document after `seek`; `end` after the last.
  @inline(__always)
  var document: UInt32 { loaded == block ? buffer[at] : Self.end }

  /// The impact of the current document.
  @inline(__always)
  var impact: UInt8 { impacts[at] }

  /// The block of the document and its index in it.
  var place: (block: Int, index: Int) { (block, at) }

  /// Advances to the first document that is not before `target`.
  ///
  /// - Returns: that document, or `end`.
  @inline(__always)
  mutating func seek(_ target: UInt32) -> UInt32 {
    if loaded == block, target <= blockLast {
      let found = seekInBlock(target)
      if found != Self.end { return found }
    }
    return seekFar(target)
  }

  /// True if single documents are better looked up with `impact(in:least:)`.
  var isPhrase: Bool { phrase != nil }

  /// Returns the impact of the clause in a document, or 0 if it is missing or smaller than `least`.
  @inline(__always)
  mutating func impact(in document: UInt32, least: Int) -> UInt8 {
    if let phrase, document >= phrase.next { return phrase.probe(document, least: least) }
    return seek(document) == document ? impact : 0
  }

  private mutating func seekFar(_ target: UInt32) -> UInt32 {
    moveBlock(to: target)
    // A merged block may be empty, or have no documents from the target on.
    while block < blockCount {
      loadBlock()
      let found = seekInBlock(target)
      if found != Self.end { return found }
      moveToNextBlock()
    }
    return Self.end
  }

  /// Advances to the first document in the current block that is not before `target`.
  ///
  /// - Returns: that document, or `end` if the block has none.
  @inline(__always)
  mutating func seekInBlock(_ target: UInt32) -> UInt32 {
    loadBlock()
    if buffer[at] >= target { return buffer[at] }
    at &+= 1
    if buffer[at] >= target { return buffer[at] }
    var size = count &- at
    var low = at
    while size > 1 {
      let half = size &>> 1
      low = buffer[low &+ half &- 1] < target ? low &+ half : low
      size &-= half
    }
    if low < count, buffer[low] < target { low &+= 1 }
    at = low
    return buffer[low]
  }

  /// Advances to the next document of the block.
  ///
  /// - Returns: that document, or `end` if the block has no more.
  @inline(__always)
  mutating func nextInBlock() -> UInt32 {
    at &+= 1
    return buffer[at]
  }

  /// Advances to the next document.
  ///
  /// - Returns: that document, or `end`.
  @inline(__always)
  mutating func next() -> UInt32 {
    at &+= 1
    let found = buffer[at]
    if found != Self.end || isAtEnd { return found }
    moveToNextBlock()
    return seekFar(0)
  }

  /// Allows the cursor to skip documents with a smaller impact from here on.
  func leaveOut(below impact: UInt8) { merger?.leaveOut(below: impact) }

  /// True if skipping documents saves work.
  var isMerged: Bool { merger != nil }

  /// Moves back to before the first document.
  mutating func reset() {
    block = 0
    blockLast = blockCount > 0 ? last(of: 0) : Self.end
    loaded = -1
    at = 0
    merger?.reset()
  }

  private mutating func moveToNextBlock() {
    block += 1
    blockLast = block < blockCount ? last(of: block) : Self.end
  }

  /// Calls a closure with the documents from `low` up to `high`, and advances past them.
  @inline(__always)
  mutating func forEach(
    from low: UInt32, through high: UInt32, _ body: (_ document: UInt32, _ impact: UInt8) -> Void
  ) {
    var document = seek(low)
    while document <= high, document != Self.end {
      let documents = buffer
      let impacts = impacts
      var index = at
      while documents[index] <= high, index < count {
        body(documents[index], impacts[index])
        index &+= 1
      }
      at = index
      if index < count { return }
      if blockLast >= high { return }
      moveToNextBlock()
      document = seek(low)
    }
  }
}

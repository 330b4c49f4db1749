/// A set of full-text row numbers, one bit for each.
///
/// It says which documents a search may give or must leave out: a filter that the archive has
/// already worked out. Membership costs one look at a word of memory, and three million entries of
/// eight kinds need 3 MB.
///
/// Numbers that no document has (negative ones, and those from `numberLimit` on) are never members,
/// and inserting one does nothing: the set cannot be made to ask for unbounded memory.
package struct DocumentSet: Sendable, Hashable {
  /// One more than the largest number a set can hold: 2³², which is 512 MB of bits.
  package static let numberLimit: Int64 = 1 << 32

  /// Bit `n % 64` of word `n / 64` says whether `n` is a member. The last word is never zero, so
  /// that equal sets are equal values.
  package private(set) var words: [UInt64]

  /// How many numbers it holds.
  package private(set) var count: Int

  package var isEmpty: Bool { count == 0 }

  /// How many bytes of memory its bits take.
  package var byteCount: Int { words.capacity * MemoryLayout<UInt64>.stride }

  /// An empty set.
  package init() {
    words = []
    count = 0
  }

  /// An empty set that has room for numbers up to `last`, so that it does not take more than that.
  package init(roomUpTo last: Int64) {
    self.init()
    let last = Swift.min(Swift.max(0, last), Self.numberLimit - 1)
    words.reserveCapacity(Int(last >> 6) + 1)
  }

  /// The set of the given numbers, in any order; repeats count once.
  package init(_ numbers: some Sequence<Int64>) {
    self.init()
    for number in numbers { insert(number) }
  }

  package func contains(_ number: Int64) -> Bool {
    guard number >= 0 else { return false }
    let index = Int(number >> 6)
    return index < words.count && words[index] & Self.bit(number) != 0
  }

  /// Adds a number.
  /// - Returns: whether it is new in the set.
  @discardableResult
  package mutating func insert(_ number: Int64) -> Bool {
    guard number >= 0, number < Self.numberLimit else { return false }
    let index = Int(number >> 6)
    if index >= words.count {
      if index >= words.capacity { words.reserveCapacity(Swift.max(index + 1, words.count * 2)) }
      words.append(contentsOf: repeatElement(0, count: index + 1 - words.count))
    }
    guard words[index] & Self.bit(number) == 0 else { return false }
    words[index] |= Self.bit(number)
    count += 1
    return true
  }

  /// Takes a number out.
  /// - Returns: whether it was in the set.
  @discardableResult
  package mutating func remove(_ number: Int64) -> Bool {
    guard contains(number) else { return false }
    words[Int(number >> 6)] &= ~Self.bit(number)
    count -= 1
    trim()
    return true
  }

  /// Keeps what is in the other set too.
  package mutating func formIntersection(_ other: DocumentSet) {
    let shared = Swift.min(words.count, other.words.count)
    words.removeLast(words.count - shared)
    for index in 0..<shared { words[index] &= other.words[index] }
    settle()
  }

  /// Adds what is in the other set.
  package mutating func formUnion(_ other: DocumentSet) {
    if words.count < other.words.count {
      words.append(contentsOf: repeatElement(0, count: other.words.count - words.count))
    }
    for index in other.words.indices { words[index] |= other.words[index] }
    settle()
  }

  /// Takes out what is in the other set.
  package mutating func subtract(_ other: DocumentSet) {
    for index in 0..<Swift.min(words.count, other.words.count) {
      words[index] &= ~other.words[index]
    }
    settle()
  }

  package func intersection(_ other: DocumentSet) -> DocumentSet {
    var result = self
    result.formIntersection(other)
    return result
  }

  package func union(_ other: DocumentSet) -> DocumentSet {
    var result = self
    result.formUnion(other)
    return result
  }

  package func subtracting(_ other: DocumentSet) -> DocumentSet {
    var result = self
    result.subtract(other)
    return result
  }

  private static func bit(_ number: Int64) -> UInt64 { 1 << UInt64(number & 63) }

  /// Counts the members again after the words were changed at once.
  private mutating func settle() {
    count = words.reduce(0) { $0 + $1.nonzeroBitCount }
    trim()
  }

  private mutating func trim() {
    while words.last == 0 { words.removeLast() }
  }
}

extension DocumentSet: Sequence {
  /// Gives the numbers in ascending order.
  package struct Iterator: IteratorProtocol {
    private let words: [UInt64]
    private var index = 0
    private var rest: UInt64

    fileprivate init(_ words: [UInt64]) {
      self.words = words
      rest = words.first ?? 0
    }

    package mutating func next() -> Int64? {
      while rest == 0 {
        index += 1
        guard index < words.count else { return nil }
        rest = words[index]
      }
      let bit = rest.trailingZeroBitCount
      rest &= rest - 1
      return Int64(index << 6 + bit)
    }
  }

  package func makeIterator() -> Iterator { Iterator(words) }

  package var underestimatedCount: Int { count }
}

extension DocumentSet: ExpressibleByArrayLiteral {
  package init(arrayLiteral elements: Int64...) { self.init(elements) }
}

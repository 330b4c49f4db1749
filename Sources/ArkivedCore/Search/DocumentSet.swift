/// A set of full-text row numbers, one bit for each.
///
/// It contains the documents that a search may return or must skip: a filter the archive has
/// already evaluated. Testing for membership reads a single word of memory, and three million
/// entries of eight kinds need 3 MB.
///
/// Numbers that no document has (negative ones, and those from `numberLimit` on) are never members,
/// and inserting one has no effect, so the set never allocates unbounded memory.
package struct DocumentSet: Sendable, Hashable {
  /// The upper bound of the numbers in a set, excluded: 2³², which needs 512 MB of bits.
  package static let numberLimit: Int64 = 1 << 32

  /// The bits: bit `n % 64` of word `n / 64` is set if `n` is a member.
  ///
  /// The last word is never zero, so equal sets are equal values.
  package private(set) var words: [UInt64]

  /// The number of members.
  package private(set) var count: Int

  package var isEmpty: Bool { count == 0 }

  /// The memory used by the bits, in bytes.
  package var byteCount: Int { words.capacity * MemoryLayout<UInt64>.stride }

  /// Creates an empty set.
  package init() {
    words = []
    count = 0
  }

  /// Creates an empty set with capacity for numbers up to `last` and no more.
  package init(roomUpTo last: Int64) {
    self.init()
    let last = Swift.min(Swift.max(0, last), Self.numberLimit - 1)
    words.reserveCapacity(Int(last >> 6) + 1)
  }

  /// Creates a set of numbers in any order; repeated ones count once.
  package init(_ numbers: some Sequence<Int64>) {
    self.init()
    for number in numbers { insert(number) }
  }

  package func contains(_ number: Int64) -> Bool {
    guard number >= 0 else { return false }
    let index = Int(number >> 6)
    return index < words.count && words[index] & Self.bit(number) != 0
  }

  /// Inserts a number.
  ///
  /// - Returns: true if it was not in the set before.
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

  /// Removes a number.
  ///
  /// - Returns: true if it was in the set.
  @discardableResult
  package mutating func remove(_ number: Int64) -> Bool {
    guard contains(number) else { return false }
    words[Int(number >> 6)] &= ~Self.bit(number)
    count -= 1
    trim()
    return true
  }

  /// Removes the numbers that are not in another set.
  package mutating func formIntersection(_ other: DocumentSet) {
    let shared = Swift.min(words.count, other.words.count)
    words.removeLast(words.count - shared)
    for index in 0..<shared { words[index] &= other.words[index] }
    settle()
  }

  /// Inserts the numbers of another set.
  package mutating func formUnion(_ other: DocumentSet) {
    if words.count < other.words.count {
      words.append(contentsOf: repeatElement(0, count: other.words.count - words.count))
    }
    for index in other.words.indices { words[index] |= other.words[index] }
    settle()
  }

  /// Removes the numbers of another set.
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

  /// Recounts the members after the words were changed together.
  private mutating func settle() {
    count = words.reduce(0) { $0 + $1.nonzeroBitCount }
    trim()
  }

  private mutating func trim() {
    while words.last == 0 { words.removeLast() }
  }
}

extension DocumentSet: Sequence {
  /// An iterator over the numbers in ascending order.
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

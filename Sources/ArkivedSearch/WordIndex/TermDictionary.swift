import Foundation

/// The sorted terms of an index.
///
/// Terms are front-coded in groups of sixteen: each consists of the number of bytes shared with the
/// previous one, the number of its own bytes, and these bytes. The first of a group shares none.
struct TermDictionary {
  static let groupSize = 16

  let count: Int
  private let terms: UnsafeRawBufferPointer
  private let groups: UnsafeRawBufferPointer
  private let records: UnsafeRawBufferPointer

  /// Opens a dictionary; returns nil if the sections are inconsistent.
  init?(
    count: Int, terms: UnsafeRawBufferPointer, groups: UnsafeRawBufferPointer,
    records: UnsafeRawBufferPointer
  ) {
    guard count <= records.count / TermRecord.size,
      (count + Self.groupSize - 1) / Self.groupSize <= groups.count / 4
    else { return nil }
    self.count = count
    self.terms = terms
    self.groups = groups
    self.records = records
  }

  /// Appends a term in the encoding of the dictionary.
  static func append(
    _ term: ArraySlice<UInt8>, after previous: ArraySlice<UInt8>, to bytes: inout [UInt8]
  ) {
    let shared = zip(term, previous).prefix { $0 == $1 }.count
    bytes.appendVarint(shared)
    bytes.appendVarint(term.count - shared)
    bytes.append(contentsOf: term.dropFirst(shared))
  }

  /// Returns the record of a term.
  ///
  /// - Precondition: `index` is the index of a term.
  func record(at index: Int) -> TermRecord {
    guard let start = records.baseAddress, (0..<count).contains(index) else {
      return TermRecord(
        documentFrequency: 0, firstBlock: 0, postings: 0, positions: 0, occurrences: 0, impact: 0)
    }
    return TermRecord(start + index * TermRecord.size)
  }

  /// Returns the number of documents with a term.
  func documentFrequency(at index: Int) -> Int {
    guard (0..<count).contains(index) else { return 0 }
    return Int(
      records.loadUnaligned(fromByteOffset: index * TermRecord.size, as: UInt32.self))
  }

  /// Returns the bytes of a term.
  ///
  /// - Throws: `WordIndexDamage` if the encoding is invalid.
  func term(at index: Int) throws -> [UInt8] {
    var walk = try Walk(self, group: index / Self.groupSize)
    for _ in 0...(index % Self.groupSize) { _ = try walk.next() }
    return walk.term
  }

  /// Returns the index of a term, or nil if no document contains it.
  func index(of term: [UInt8]) throws -> Int? {
    let index = try lowerBound(of: term)
    guard index < count, try self.term(at: index) == term else { return nil }
    return index
  }

  /// Returns the index of the first term that is not before `bytes`.
  func lowerBound(of bytes: [UInt8]) throws -> Int {
    guard count > 0 else { return 0 }
    // This finds the last group whose first term is before the bytes.
    var low = 0
    var high = (count + Self.groupSize - 1) / Self.groupSize
    while low + 1 < high {
      let middle = (low + high) / 2
      var walk = try Walk(self, group: middle)
      _ = try walk.next()
      if walk.term.lexicographicallyPrecedes(bytes) { low = middle } else { high = middle }
    }
    var walk = try Walk(self, group: low)
    var index = low * Self.groupSize
    let end = min(count, index + Self.groupSize)
    while index < end {
      _ = try walk.next()
      guard walk.term.lexicographicallyPrecedes(bytes) else { break }
      index += 1
    }
    return index
  }

  /// Returns the indices of all terms that begin with `prefix`.
  func range(ofPrefix prefix: [UInt8]) throws -> Range<Int> {
    let start = try lowerBound(of: prefix)
    // The end is the first sequence after all those with the prefix, because 0xFF does not occur in
    // UTF-8.
    let end = prefix.isEmpty ? count : try lowerBound(of: prefix + [0xFF])
    return start..<max(start, end)
  }

  /// Returns the indices of the most frequent terms with a prefix, most frequent first.
  func mostFrequent(withPrefix prefix: [UInt8], limit: Int) throws -> [Int] {
    guard limit > 0 else { return [] }
    let range = try range(ofPrefix: prefix)
    var best: [(frequency: Int, index: Int)] = []
    var least = 0
    for index in range {
      let frequency = documentFrequency(at: index)
      guard best.count < limit * 2 || frequency > least else { continue }
      best.append((frequency, index))
      if best.count >= limit * 4 {
        best.sort { ($1.frequency, $0.index) < ($0.frequency, $1.index) }
        best.removeLast(best.count - limit)
        least = best.last?.frequency ?? 0
      }
    }
    best.sort { ($1.frequency, $0.index) < ($0.frequency, $1.index) }
    return best.prefix(limit).map(\.index)
  }

  /// An iteration over the terms.
  struct Walk {
    private var reader: BytesReader
    /// The current term.
    private(set) var term: [UInt8] = []

    /// Starts before the first term of a group.
    init(_ dictionary: TermDictionary, group: Int) throws {
      guard group >= 0, (group + 1) * 4 <= dictionary.groups.count else {
        throw WordIndexDamage("a term")
      }
      let offset = dictionary.groups.loadUnaligned(fromByteOffset: group * 4, as: UInt32.self)
      reader = BytesReader(dictionary.terms, at: Int(offset))
    }

    /// Advances to the next term.
    ///
    /// - Returns: the number of bytes shared with the previous one.
    mutating func next() throws -> Int {
      guard let shared = reader.varint(), shared <= term.count, let length = reader.varint(),
        let bytes = reader.take(length)
      else { throw WordIndexDamage("a term") }
      term.removeLast(term.count - shared)
      term.append(contentsOf: bytes)
      return shared
    }
  }
}

/// Invalid bytes in an index; converted to `WordIndexError.damaged`, which names the file.
struct WordIndexDamage: Error {
  let part: String

  init(_ part: String) { self.part = part }
}

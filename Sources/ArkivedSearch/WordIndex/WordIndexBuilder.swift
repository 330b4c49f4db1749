package import Foundation

/// Builds a word index file from the occurrences of all terms, in order.
///
/// There are two passes. As the occurrences stream in, they are sorted into the documents' order
/// term by term and spooled to an unnamed file; `finish` then knows the documents' lengths,
/// computes the impacts and writes the index. Memory contains about 36 bytes for each document, the
/// terms, and the occurrences of one term.
package struct WordIndexBuilder {
  /// A term with the position of its documents in the spool.
  struct SpooledTerm {
    /// The start of its bytes in `termBytes`.
    var bytes: Int
    var documentFrequency: Int
    var occurrences: Int
    /// The offset of the ordinals as UInt32, followed by the occurrences as written by
    /// `PositionsWriter`.
    var offset: Int
    var positionsLength: Int
  }

  let target: URL
  let scoring: WordIndexScoring
  let metadata: [String: String]
  let documents: DocumentOrder
  /// The groups' names, by number.
  let groups: [String]
  let spool: OccurrenceSpool
  /// The terms' bytes, concatenated.
  var termBytes: [UInt8] = []
  var terms: [SpooledTerm] = []
  /// The number of tokens in each column of each document, by ordinal.
  var lengths: [UInt32]

  private var term: [UInt8] = []
  /// Ordinal × 2³² + the index of the document among those of the term.
  private var keys: [UInt64] = []
  /// The start of each document's occurrences in `occurrences`.
  private var starts: [Int] = []
  private var occurrences: [(column: UInt8, position: UInt32)] = []
  private var hasTerm = false
  private var lastDocument = Int64.min
  private var lastOrdinal: UInt32?
  private var encoded: [UInt8] = []

  /// Prepares an index.
  ///
  /// - Parameters:
  ///   - target: the file to write, replaced atomically at the end.
  ///   - documents: the documents in any order. Occurrences in other documents are skipped.
  ///   - groups: the names of the documents' groups by number, at most
  ///     `WordIndexFormat.groupLimit`.
  ///   - scoring: how documents are scored.
  ///   - metadata: stored unchanged for readers of the index.
  /// - Throws: `WordIndexError` if rows are repeated, or if nothing can be written next to
  ///   `target`.
  package init(
    at target: URL, documents: some Sequence<WordIndexDocument>, groups: [String] = [],
    scoring: WordIndexScoring = .standard, metadata: [String: String] = [:]
  ) throws {
    guard scoring.isValid else { throw WordIndexError.tooLarge("scoring figures out of range") }
    guard groups.count <= WordIndexFormat.groupLimit else {
      throw WordIndexError.tooLarge("\(groups.count) groups")
    }
    self.groups = groups
    self.target = target
    self.scoring = scoring
    self.metadata = metadata
    self.documents = try DocumentOrder(documents)
    spool = try OccurrenceSpool(besides: target)
    lengths = [UInt32](repeating: 0, count: self.documents.count * scoring.columns.count)
  }

  /// Adds one occurrence.
  ///
  /// Occurrences must be ordered by term (its UTF-8 bytes), row number, column and position, all
  /// ascending.
  ///
  /// - Throws: `WordIndexError.disordered`, `.tooLarge` or `.unwritable`.
  package mutating func add(
    term: String, document: Int64, column: UInt8, position: UInt32
  ) throws {
    var term = term
    try term.withUTF8 {
      try add(termBytes: $0, document: document, column: column, position: position)
    }
  }

  /// Adds one occurrence of a term given as UTF-8 bytes.
  package mutating func add(
    termBytes bytes: UnsafeBufferPointer<UInt8>, document: Int64, column: UInt8, position: UInt32
  ) throws {
    if !hasTerm || !term.elementsEqual(bytes) { try begin(bytes) }
    if document != lastDocument || starts.isEmpty && lastOrdinal == nil {
      guard document >= lastDocument else {
        throw WordIndexError.disordered("document \(document) after \(lastDocument)")
      }
      lastDocument = document
      lastOrdinal = documents.ordinal(of: document)
      if let ordinal = lastOrdinal {
        keys.append(UInt64(ordinal) << 32 | UInt64(starts.count))
        starts.append(occurrences.count)
      }
    }
    guard let ordinal = lastOrdinal else { return }
    guard Int(column) < scoring.columns.count, position <= Int32.max else {
      throw WordIndexError.tooLarge("column \(column), position \(position)")
    }
    if let last = occurrences.last, starts.last != occurrences.count,
      (last.column, last.position) > (column, position)
    {
      throw WordIndexError.disordered("a position in document \(document)")
    }
    occurrences.append((column, position))
    lengths[Int(ordinal) * scoring.columns.count + Int(column)] &+= 1
  }

  private mutating func begin(_ bytes: UnsafeBufferPointer<UInt8>) throws {
    if hasTerm {
      guard term.lexicographicallyPrecedes(bytes) else {
        throw WordIndexError.disordered(
          "“\(String(decoding: bytes, as: UTF8.self))” after “\(String(decoding: term, as: UTF8.self))”"
        )
      }
      try endTerm()
    }
    hasTerm = true
    term.removeAll(keepingCapacity: true)
    term.append(contentsOf: bytes)
    lastDocument = .min
    lastOrdinal = nil
  }

  /// Spools the documents of the term that ended.
  mutating func endTerm() throws {
    defer {
      keys.removeAll(keepingCapacity: true)
      starts.removeAll(keepingCapacity: true)
      occurrences.removeAll(keepingCapacity: true)
    }
    guard hasTerm, !keys.isEmpty else { return }
    guard occurrences.count <= UInt32.max else {
      throw WordIndexError.tooLarge("the occurrences of one term")
    }
    if keys.count > 1 {
      // Rows mostly ascend with time, and ordinals descend with it.
      keys.reverse()
      keys.sort()
    }
    terms.append(
      SpooledTerm(
        bytes: termBytes.count, documentFrequency: keys.count, occurrences: occurrences.count,
        offset: spool.length, positionsLength: 0))
    termBytes.append(contentsOf: term)
    encoded.removeAll(keepingCapacity: true)
    for key in keys { encoded.appendNumber(UInt32(key >> 32)) }
    let ordinalsLength = encoded.count
    starts.append(occurrences.count)
    for key in keys {
      let number = Int(key & 0xFFFF_FFFF)
      let (start, end) = (starts[number], starts[number + 1])
      var writer = PositionsWriter()
      for index in start..<end {
        let (column, position) = occurrences[index]
        writer.append(
          column: column, position: position, isLast: index == end - 1, to: &encoded)
      }
    }
    terms[terms.count - 1].positionsLength = encoded.count - ordinalsLength
    try encoded.withUnsafeBytes { try spool.append($0) }
  }
}

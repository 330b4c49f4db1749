import Foundation

/// The layout of a word index file.
///
/// All numbers are little-endian.
///
/// - Start, 64 bytes: magic, version, byte-order mark, zeros.
/// - The sections in the order of `Section`, each beginning at a multiple of 16.
/// - The directory: counts, scoring, the section table (offset, length, checksum), metadata.
/// - End, 32 bytes: offset, length and checksum of the directory, magic again.
///
/// Checksums are xxHash64. The directory comes last so that the file can be written sequentially.
package enum WordIndexFormat {
  static let magic: [UInt8] = Array("ARKWORDS".utf8)
  static let version: UInt32 = 2
  static let byteOrderMark: UInt32 = 0x0A0B_0C0D
  static let startLength = 64
  static let endLength = 32
  static let alignment = 16
  /// The maximum number of groups with their own number; documents of any other groups have
  /// `noGroup`.
  package static let groupLimit = 4_096
  package static let noGroup = UInt16.max

  enum Section: Int, CaseIterable {
    /// The row number of each document by ordinal: Int64.
    case rows
    /// The ordinals in the order of their row numbers: UInt32.
    case rowOrder
    /// The days, latest first, with the first ordinal of each: Int32 and UInt32.
    case days
    /// The number of each document's group by ordinal: UInt16.
    case groups
    /// The names of the groups by number, each preceded by its length.
    case groupNames
    /// The occurrences of terms, see `PositionsReader`.
    case positions
    /// Packed ordinals and impacts, block by block, see `BlockCoding`; ends in padding.
    case postings
    /// One `BlockEntry` for each block.
    case blocks
    /// One `TermRecord` for each term.
    case records
    /// The terms' bytes, front-coded, see `TermDictionary`.
    case terms
    /// The start of each group of terms in `terms`: UInt32.
    case termGroups

    /// True for small sections that every query reads, which are checked when the file is opened.
    var isCheckedOnOpening: Bool {
      switch self {
      case .days, .groupNames, .records, .terms, .termGroups: true
      case .rows, .rowOrder, .groups, .positions, .postings, .blocks: false
      }
    }
  }

  /// The position and the checksum of a section.
  struct Place: Hashable {
    var offset: Int
    var length: Int
    var checksum: UInt64
  }

  /// The directory at the end of the file.
  struct Directory: Hashable {
    var documentCount: Int
    var termCount: Int
    var blockCount: Int
    var postingCount: Int
    var occurrenceCount: Int
    var scoring: WordIndexScoring
    /// The mean number of tokens in each column, over the documents with any in it.
    var averageLengths: [Double]
    var places: [Place]
    var metadata: [String: String]

    func encoded() -> [UInt8] {
      var bytes: [UInt8] = []
      for count in [documentCount, termCount, blockCount, postingCount, occurrenceCount] {
        bytes.appendNumber(Int64(count))
      }
      bytes.appendDouble(scoring.saturation)
      bytes.appendNumber(UInt32(scoring.columns.count))
      for (column, average) in zip(scoring.columns, averageLengths) {
        bytes.appendDouble(column.weight)
        bytes.appendDouble(column.lengthInfluence)
        bytes.appendDouble(average)
      }
      bytes.appendNumber(UInt32(places.count))
      for place in places {
        bytes.appendNumber(Int64(place.offset))
        bytes.appendNumber(Int64(place.length))
        bytes.appendNumber(place.checksum)
      }
      bytes.appendNumber(UInt32(metadata.count))
      for (key, value) in metadata.sorted(by: { $0.key < $1.key }) {
        bytes.appendText(key)
        bytes.appendText(value)
      }
      return bytes
    }

    /// Parses a directory; returns nil if the bytes are invalid.
    init?(_ bytes: UnsafeRawBufferPointer) {
      var reader = BytesReader(bytes)
      func count() -> Int? {
        reader.number(Int64.self).flatMap { Int(exactly: $0) }.flatMap { $0 >= 0 ? $0 : nil }
      }
      guard let documents = count(), let terms = count(), let blocks = count(),
        let postings = count(), let occurrences = count(), let saturation = reader.double(),
        let columnCount = reader.number(UInt32.self), columnCount <= WordIndexScoring.columnLimit
      else { return nil }
      (documentCount, termCount, blockCount) = (documents, terms, blocks)
      (postingCount, occurrenceCount) = (postings, occurrences)
      scoring = WordIndexScoring(saturation: saturation, columns: [])
      averageLengths = []
      for _ in 0..<columnCount {
        guard let weight = reader.double(), let influence = reader.double(),
          let average = reader.double()
        else { return nil }
        scoring.columns.append(.init(weight: weight, lengthInfluence: influence))
        averageLengths.append(average)
      }
      guard scoring.isValid, let placeCount = reader.number(UInt32.self),
        placeCount == Section.allCases.count
      else { return nil }
      places = []
      for _ in 0..<placeCount {
        guard let offset = count(), let length = count(), let checksum = reader.number(UInt64.self)
        else { return nil }
        places.append(Place(offset: offset, length: length, checksum: checksum))
      }
      guard let pairCount = reader.number(UInt32.self) else { return nil }
      metadata = [:]
      for _ in 0..<pairCount {
        guard let key = reader.text(), let value = reader.text() else { return nil }
        metadata[key] = value
      }
      guard reader.offset == bytes.count else { return nil }
    }

    init(
      documentCount: Int, scoring: WordIndexScoring, averageLengths: [Double],
      metadata: [String: String]
    ) {
      self.documentCount = documentCount
      self.scoring = scoring
      self.averageLengths = averageLengths
      self.metadata = metadata
      (termCount, blockCount, postingCount, occurrenceCount) = (0, 0, 0, 0)
      places = []
    }
  }
}

/// The record of one term, 32 bytes.
struct TermRecord: Hashable {
  static let size = 32

  /// The number of documents with the term.
  var documentFrequency: UInt32
  /// The number of its first block in the section `blocks`.
  var firstBlock: UInt32
  /// The start of its first block in `postings`.
  var postings: UInt64
  /// The start of its first document's occurrences in `positions`.
  var positions: UInt64
  var occurrences: UInt32
  /// The largest impact in any document.
  var impact: UInt8

  var blockCount: Int { (Int(documentFrequency) + BlockCoding.capacity - 1) / BlockCoding.capacity }

  func append(to bytes: inout [UInt8]) {
    bytes.appendNumber(documentFrequency)
    bytes.appendNumber(firstBlock)
    bytes.appendNumber(postings)
    bytes.appendNumber(positions)
    bytes.appendNumber(occurrences)
    bytes.append(contentsOf: [impact, 0, 0, 0])
  }

  /// Reads `size` bytes.
  init(_ start: UnsafeRawPointer) {
    documentFrequency = start.loadUnaligned(as: UInt32.self)
    firstBlock = start.loadUnaligned(fromByteOffset: 4, as: UInt32.self)
    postings = start.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
    positions = start.loadUnaligned(fromByteOffset: 16, as: UInt64.self)
    occurrences = start.loadUnaligned(fromByteOffset: 24, as: UInt32.self)
    impact = start.load(fromByteOffset: 28, as: UInt8.self)
  }

  init(
    documentFrequency: UInt32, firstBlock: UInt32, postings: UInt64, positions: UInt64,
    occurrences: UInt32, impact: UInt8
  ) {
    self.documentFrequency = documentFrequency
    self.firstBlock = firstBlock
    self.postings = postings
    self.positions = positions
    self.occurrences = occurrences
    self.impact = impact
  }
}

/// The data for reading one block of postings, 16 bytes.
struct BlockEntry: Hashable {
  static let size = 16

  /// The ordinal of the block's last document.
  var last: UInt32
  /// The start of the block, relative to the term's first one.
  var postings: UInt32
  /// The start of its first document's occurrences, relative to the term's first ones.
  var positions: UInt32
  /// The largest impact in the block.
  var impact: UInt8
  /// The number of bits of a packed ordinal.
  var width: UInt8

  func append(to bytes: inout [UInt8]) {
    bytes.appendNumber(last)
    bytes.appendNumber(postings)
    bytes.appendNumber(positions)
    bytes.append(contentsOf: [impact, width, 0, 0])
  }

  /// Reads `size` bytes.
  @inline(__always)
  init(_ start: UnsafeRawPointer) {
    last = start.loadUnaligned(as: UInt32.self)
    postings = start.loadUnaligned(fromByteOffset: 4, as: UInt32.self)
    positions = start.loadUnaligned(fromByteOffset: 8, as: UInt32.self)
    impact = start.load(fromByteOffset: 12, as: UInt8.self)
    width = start.load(fromByteOffset: 13, as: UInt8.self)
  }

  init(last: UInt32, postings: UInt32, positions: UInt32, impact: UInt8, width: UInt8) {
    self.last = last
    self.postings = postings
    self.positions = positions
    self.impact = impact
    self.width = width
  }
}

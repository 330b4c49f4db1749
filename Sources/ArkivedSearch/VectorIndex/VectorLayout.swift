/// The tables stored in the blocks of a vector index; the raw value is a block's byte in the
/// directory.
enum VectorTable: UInt8, CaseIterable, Sendable {
  /// Distinct texts, each with its vector.
  case texts = 1
  /// The places of the texts: chunks of documents.
  case places = 2

  var columns: [VectorLayout.Column] {
    switch self {
    case .texts: [.signs, .hashes, .vectors]
    case .places: [.documents, .days, .chunks, .texts]
    }
  }
}

/// The layout of a vector index's file.
///
/// A header page, two pages for commit records and the directory come first, followed by blocks of
/// one size in the order they were needed. The directory has a byte for each block that says which
/// table it belongs to. A block begins with a page for its seals, followed by its columns. All
/// numbers are little-endian, and every column begins on a page, so a scan of one column touches
/// none of the others.
struct VectorLayout: Hashable, Sendable {
  static let pageSize = 4096
  static let directoryStart = 3 * pageSize
  /// The largest number of blocks, for which the directory has one byte each.
  static let blockLimit = 16 * pageSize
  static let headerSize = directoryStart + blockLimit
  static let textsPerBlock = 4096

  /// The values of a row, each in a column of its block.
  enum Column: Int, CaseIterable, Sendable {
    /// Of a text: one bit for each dimension, set if the vector is positive; bit i % 64 of word i /
    /// 64.
    case signs
    /// Of a text: UInt64.
    case hashes
    /// Of a text: the unit vector, as IEEE 754 binary16 numbers.
    case vectors
    /// Of a place: Int64.
    case documents
    /// Of a place: Int32.
    case days
    /// Of a place: two UInt32, the start and the end of the chunk.
    case chunks
    /// Of a place: UInt32, the number of its text.
    case texts
    /// UInt32: entry n across all blocks of places is the number of the n-th removed place.
    ///
    /// This is a log with capacity for all places and is unrelated to the places of its block.
    case removals

    var table: VectorTable {
      switch self {
      case .signs, .hashes, .vectors: .texts
      case .documents, .days, .chunks, .texts, .removals: .places
      }
    }
  }

  let dimensions: Int

  /// The number of words of sign bits in a text.
  let words: Int

  /// The number of places that fit in the space a block of texts uses for its columns; a multiple
  /// of 4,096.
  let placesPerBlock: Int

  /// The size of a value in bytes, by column.
  private let sizes: [Int]

  /// The offset of each column in its block.
  private let offsets: [Int]

  let blockSize: Int

  /// Creates a layout.
  ///
  /// - Parameter dimensions: a multiple of 64, at most 4,096; the result is nil for any other
  ///   number.
  init?(dimensions: Int) {
    guard dimensions > 0, dimensions <= 4096, dimensions % 64 == 0 else { return nil }
    self.dimensions = dimensions
    words = dimensions / 64
    let sizes = Column.allCases.map { column in
      switch column {
      case .signs: dimensions / 8
      case .hashes, .documents, .chunks: 8
      case .vectors: dimensions * 2
      case .days, .texts, .removals: 4
      }
    }
    func size(of table: VectorTable) -> Int {
      zip(Column.allCases, sizes).reduce(0) { $1.0.table == table ? $0 + $1.1 : $0 }
    }
    let columnsSize = Self.textsPerBlock * size(of: .texts)
    let places = columnsSize / size(of: .places) / Self.pageSize * Self.pageSize
    var offsets: [Int] = []
    var ends = [VectorTable.texts: Self.pageSize, .places: Self.pageSize]
    for column in Column.allCases {
      let rows = column.table == .texts ? Self.textsPerBlock : places
      offsets.append(ends[column.table, default: 0])
      ends[column.table, default: 0] += rows * sizes[column.rawValue]
    }
    self.sizes = sizes
    self.offsets = offsets
    placesPerBlock = places
    blockSize = Self.pageSize + columnsSize
  }

  func rowsPerBlock(of table: VectorTable) -> Int {
    table == .texts ? Self.textsPerBlock : placesPerBlock
  }

  /// Returns the largest number of rows: they are numbered in 32 bits, and a bit set of them needs
  /// memory.
  func rowLimit(of table: VectorTable) -> Int {
    let perBlock = rowsPerBlock(of: table)
    return min(Int(UInt32.max) / perBlock, Self.blockLimit) * perBlock
  }

  /// Returns the number of a table's blocks needed for some rows.
  func blocks(of table: VectorTable, for rows: Int) -> Int {
    (rows + rowsPerBlock(of: table) - 1) / rowsPerBlock(of: table)
  }

  /// Returns the size in bytes of one value of a column.
  func size(of column: Column) -> Int { sizes[column.rawValue] }

  /// Returns the offset of a column of a block in the file.
  func start(of column: Column, block: Int) -> Int {
    start(ofBlock: block) + offsets[column.rawValue]
  }

  /// Returns the offset of the seal of a block's rows in the file.
  func seal(block: Int) -> Int { start(ofBlock: block) }

  /// Returns the offset of the seal of a block's part of the removal log in the file.
  func removalSeal(block: Int) -> Int { start(ofBlock: block) + Self.pageSize / 2 }

  /// Returns the file's length for a number of blocks.
  func fileSize(blocks: Int) -> Int { start(ofBlock: blocks) }

  private func start(ofBlock block: Int) -> Int { Self.headerSize + block * blockSize }
}

/// The blocks of each table in the file, in the order of its rows.
struct VectorDirectory: Hashable, Sendable {
  private(set) var texts: [Int] = []
  private(set) var places: [Int] = []

  var count: Int { texts.count + places.count }

  init() {}

  /// Parses a directory; nil if a byte is invalid.
  ///
  /// - Parameter bytes: the directory's first bytes.
  init?(_ bytes: [UInt8]) {
    for byte in bytes {
      guard let table = VectorTable(rawValue: byte) else { return nil }
      append(table)
    }
  }

  subscript(table: VectorTable) -> [Int] { table == .texts ? texts : places }

  /// Assigns the file's next block to a table.
  mutating func append(_ table: VectorTable) {
    let block = count
    if table == .texts { texts.append(block) } else { places.append(block) }
  }
}

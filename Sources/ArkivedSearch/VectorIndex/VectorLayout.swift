/// Where things lie in the file of a vector index.
///
/// A header page and two pages for commit records come first, then blocks of 4,096 rows. A block
/// holds its columns one after another and then its seal, a page with their checksums. All numbers
/// are little-endian and every column begins on a page, so a scan of one touches none of the others.
struct VectorLayout: Hashable, Sendable {
  static let rowsPerBlock = 4096
  static let pageSize = 4096
  static let headerSize = 3 * pageSize

  /// Row numbers are 32 bits wide.
  static let rowLimit = Int(UInt32.max) / rowsPerBlock * rowsPerBlock

  /// The values of a row, each in a column of its block.
  enum Column: Int, CaseIterable, Sendable {
    /// One bit for each dimension, set where the vector is positive; bit i % 64 of word i / 64.
    case signs
    /// Int64.
    case documents
    /// Int32.
    case days
    /// Two UInt32: where the chunk begins and ends.
    case chunks
    /// UInt64.
    case hashes
    /// The unit vector, as IEEE 754 binary16 numbers.
    case vectors
    /// UInt32: entry n of all blocks together is the number of the n-th row that was removed. It is
    /// a log with room for all rows, and has nothing to do with the rows of its block.
    case removals

    /// The columns that have a value for each row.
    static let ofRows: [Column] = [.signs, .documents, .days, .chunks, .hashes, .vectors]
  }

  let dimensions: Int

  /// Words of sign bits in a row.
  let words: Int

  /// The bytes of a value, by column.
  private let sizes: [Int]

  /// Where a column begins in its block.
  private let offsets: [Int]

  /// Where the seal begins in its block.
  private let sealOffset: Int

  let blockSize: Int

  /// - Parameter dimensions: a multiple of 64, at most 4,096; nil is returned for any other.
  init?(dimensions: Int) {
    guard dimensions > 0, dimensions <= 4096, dimensions % 64 == 0 else { return nil }
    self.dimensions = dimensions
    words = dimensions / 64
    var sizes: [Int] = []
    var offsets: [Int] = []
    var offset = 0
    for column in Column.allCases {
      let size =
        switch column {
        case .signs: dimensions / 8
        case .documents, .chunks, .hashes: 8
        case .days, .removals: 4
        case .vectors: dimensions * 2
        }
      sizes.append(size)
      offsets.append(offset)
      offset += size * Self.rowsPerBlock
    }
    self.sizes = sizes
    self.offsets = offsets
    sealOffset = offset
    blockSize = offset + Self.pageSize
  }

  /// How many blocks hold that many rows.
  static func blocks(for rows: Int) -> Int { (rows + rowsPerBlock - 1) / rowsPerBlock }

  /// The bytes of one value of a column.
  func size(of column: Column) -> Int { sizes[column.rawValue] }

  /// Where a block's part of a column begins in the file.
  func start(of column: Column, block: Int) -> Int {
    Self.headerSize + block * blockSize + offsets[column.rawValue]
  }

  /// Where a row's value begins in the file.
  func place(of column: Column, row: Int) -> Int {
    start(of: column, block: row / Self.rowsPerBlock)
      + row % Self.rowsPerBlock * size(of: column)
  }

  /// Where the seal of a block's rows begins in the file.
  func seal(block: Int) -> Int { Self.headerSize + block * blockSize + sealOffset }

  /// Where the seal of a block's part of the log of removals begins in the file.
  func removalSeal(block: Int) -> Int { seal(block: block) + Self.pageSize / 2 }

  /// The file's length with that many blocks.
  func fileSize(blocks: Int) -> Int { Self.headerSize + blocks * blockSize }
}

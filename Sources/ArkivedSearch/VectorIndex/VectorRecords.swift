import CVectorScan

/// A writer of consecutive little-endian numbers.
struct RecordWriter {
  private(set) var bytes: [UInt8] = []

  mutating func put(_ number: some FixedWidthInteger) {
    withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
  }

  mutating func put(_ text: [UInt8]) { bytes += text }

  /// Ends the record with zeros up to four bytes before `size`, followed by a checksum of
  /// everything before.
  mutating func seal(size: Int) {
    bytes += repeatElement(0, count: max(0, size - 4 - bytes.count))
    put(checksum(bytes))
  }
}

/// A reader of numbers from a record with a valid checksum.
struct RecordReader {
  private let bytes: [UInt8]
  private var position = 0

  /// Opens a record.
  ///
  /// - Returns: nil if the record does not end with the checksum of its contents.
  init?(sealed bytes: [UInt8]) {
    guard bytes.count >= 4 else { return nil }
    self.bytes = bytes
    position = bytes.count - 4
    let expected: UInt32 = take()
    guard checksum(Array(bytes.dropLast(4))) == expected else { return nil }
    position = 0
  }

  /// Returns the next number, or 0 past the end.
  mutating func take<Number: FixedWidthInteger>() -> Number {
    let size = Number.bitWidth / 8
    guard position + size <= bytes.count else { return 0 }
    defer { position += size }
    return bytes.withUnsafeBytes {
      Number(littleEndian: $0.loadUnaligned(fromByteOffset: position, as: Number.self))
    }
  }

  /// Returns the next bytes, fewer at the end.
  mutating func take(_ count: Int) -> [UInt8] {
    let end = min(bytes.count, position + max(0, count))
    defer { position = end }
    return Array(bytes[position..<end])
  }
}

/// Returns the CRC-32C of bytes, continuing from that of the preceding ones.
func checksum(_ bytes: UnsafeRawBufferPointer, after crc: UInt32 = 0) -> UInt32 {
  vector_scan_crc32c(crc, bytes.baseAddress, bytes.count)
}

func checksum(_ bytes: [UInt8]) -> UInt32 { bytes.withUnsafeBytes { checksum($0) } }

/// The first page of a vector index, which describes its vectors and is written once.
struct VectorHeader: Hashable, Sendable {
  static let magic = Array("ArkVecs\n".utf8)
  static let version: UInt32 = 2
  static let embedderLimit = 1024
  private static let byteOrder: UInt32 = 0x0102_0304

  /// The model that produced the vectors, with its version.
  var embedder: String
  var dimensions: Int

  var bytes: [UInt8] {
    var record = RecordWriter()
    record.put(Self.magic)
    record.put(Self.byteOrder)
    record.put(Self.version)
    record.put(UInt32(dimensions))
    record.put(UInt32(VectorLayout.textsPerBlock))
    let name = Array(embedder.utf8.prefix(Self.embedderLimit))
    record.put(UInt32(name.count))
    record.put(name)
    record.seal(size: VectorLayout.pageSize)
    return record.bytes
  }

  init(embedder: String, dimensions: Int) {
    self.embedder = embedder
    self.dimensions = dimensions
  }

  /// Parses a header page, distinguishing a file of another kind or version from a damaged one.
  init(_ page: [UInt8]) throws(HeaderFailure) {
    guard page.starts(with: Self.magic) else {
      throw HeaderFailure(reason: .foreign("It isn’t a vector index."))
    }
    guard var record = RecordReader(sealed: page) else {
      throw HeaderFailure(reason: .damaged("the header"))
    }
    _ = record.take(Self.magic.count)
    let byteOrder: UInt32 = record.take()
    let version: UInt32 = record.take()
    guard byteOrder == Self.byteOrder, version == Self.version else {
      throw HeaderFailure(
        reason: .foreign("A vector index of version \(version), which this program does not read."))
    }
    let dimensions: UInt32 = record.take()
    let textsPerBlock: UInt32 = record.take()
    let length: UInt32 = record.take()
    guard textsPerBlock == UInt32(VectorLayout.textsPerBlock), length <= Self.embedderLimit else {
      throw HeaderFailure(reason: .foreign("A vector index of another shape."))
    }
    embedder = String(decoding: record.take(Int(length)), as: UTF8.self)
    self.dimensions = Int(dimensions)
  }

  struct HeaderFailure: Error {
    let reason: VectorIndexError.Reason
  }
}

/// The committed part of a table in the file.
struct VectorTableState: Hashable, Sendable {
  /// The number of rows, including removed ones.
  var rows = 0

  /// The checksums of the rows of the last block if it is not full; see `VectorTable.columns`.
  var sums: [UInt32]

  init(_ table: VectorTable) {
    sums = [UInt32](repeating: 0, count: table.columns.count)
  }
}

/// The contents of a vector index at a point in time; everything after it in the file is not valid
/// yet.
///
/// Two pages are used alternately, so one is intact if writing the other was interrupted.
struct VectorCommit: Hashable, Sendable {
  static let size = 128

  /// The sequence number, which grows by one with each commit.
  var sequence: UInt64 = 0

  var texts = VectorTableState(.texts)
  var places = VectorTableState(.places)

  /// The number of entries in the removal log.
  var removals = 0

  /// The checksum of the last block of the removal log if it is not full.
  var removalSum: UInt32 = 0

  /// The checksum of the directory's bytes for the blocks that the rows need.
  var directorySum: UInt32 = 0

  subscript(table: VectorTable) -> VectorTableState {
    get { table == .texts ? texts : places }
    set { if table == .texts { texts = newValue } else { places = newValue } }
  }

  var bytes: [UInt8] {
    var record = RecordWriter()
    record.put(sequence)
    for table in VectorTable.allCases {
      record.put(UInt64(self[table].rows))
      for sum in self[table].sums { record.put(sum) }
    }
    record.put(UInt64(removals))
    record.put(removalSum)
    record.put(directorySum)
    record.seal(size: Self.size)
    return record.bytes
  }

  /// The offset of its record in the file.
  var place: Int { VectorLayout.pageSize * (1 + Int(sequence % 2)) }

  init() {}

  /// Parses a commit record.
  ///
  /// - Returns: nil if the record is not intact.
  init?(_ bytes: [UInt8], layout: VectorLayout) {
    guard var record = RecordReader(sealed: bytes) else { return nil }
    sequence = record.take()
    for table in VectorTable.allCases {
      let rows: UInt64 = record.take()
      guard rows <= UInt64(layout.rowLimit(of: table)) else { return nil }
      self[table].rows = Int(rows)
      for index in self[table].sums.indices { self[table].sums[index] = record.take() }
    }
    let removals: UInt64 = record.take()
    guard removals <= UInt64(places.rows), blocks(in: layout) <= VectorLayout.blockLimit
    else { return nil }
    self.removals = Int(removals)
    removalSum = record.take()
    directorySum = record.take()
  }

  /// Returns the number of blocks that the rows need.
  func blocks(in layout: VectorLayout) -> Int {
    VectorTable.allCases.reduce(0) { $0 + layout.blocks(of: $1, for: self[$1].rows) }
  }
}

/// The checksums of a full block.
struct BlockSeal: Hashable, Sendable {
  static let size = 64

  /// The index of the block in the file.
  var block: Int

  /// The rows' checksums by column, or the checksum of the removal log.
  var sums: [UInt32]

  var bytes: [UInt8] {
    var record = RecordWriter()
    record.put(UInt64(block))
    for sum in sums { record.put(sum) }
    record.seal(size: Self.size)
    return record.bytes
  }

  init(block: Int, sums: [UInt32]) {
    self.block = block
    self.sums = sums
  }

  /// Parses a seal; nil if the record is not intact or belongs to another block.
  ///
  /// - Parameters:
  ///   - bytes: the bytes.
  ///   - block: the number of the block.
  ///   - count: the number of checksums.
  init?(_ bytes: [UInt8], block: Int, count: Int) {
    guard var record = RecordReader(sealed: bytes) else { return nil }
    let number: UInt64 = record.take()
    guard number == UInt64(block) else { return nil }
    self.block = block
    sums = (0..<count).map { _ in record.take() }
  }
}

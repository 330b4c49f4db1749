/// Writes the occurrences of a term in one document, ordered by column and position.
///
/// Each occurrence is one number: the distance from the previous position (in the same column)
/// times four, plus two if a column number follows as a byte, plus one if it is the document's
/// last. The first occurrence in a column is counted from zero; a document starts in column 0.
struct PositionsWriter {
  private var column: UInt8 = 0
  private var position: UInt32 = 0

  /// Appends an occurrence.
  ///
  /// - Precondition: it does not precede the last one.
  mutating func append(
    column: UInt8, position: UInt32, isLast: Bool, to bytes: inout [UInt8]
  ) {
    let changes = column != self.column
    if changes { self.position = 0 }
    let distance = Int(position) - Int(self.position)
    bytes.appendVarint(distance << 2 | (changes ? 2 : 0) | (isLast ? 1 : 0))
    if changes { bytes.append(column) }
    self.column = column
    self.position = position
  }
}

/// Reads the output of `PositionsWriter`, document by document.
struct PositionsReader {
  private let bytes: UnsafeRawBufferPointer
  /// The start of the next document.
  private(set) var offset: Int

  init(_ bytes: UnsafeRawBufferPointer, at offset: Int) {
    self.bytes = bytes
    self.offset = max(0, offset)
  }

  /// Reads the number of one occurrence; nearly all take one byte.
  @inline(__always)
  private mutating func number() -> Int? {
    guard offset < bytes.count else { return nil }
    let byte = bytes[offset]
    guard byte >= 0x80 else {
      offset &+= 1
      return Int(byte)
    }
    return longNumber()
  }

  private mutating func longNumber() -> Int? {
    var reader = BytesReader(bytes, at: offset)
    defer { offset = reader.offset }
    return reader.varint()
  }

  /// Skips the occurrences in one document.
  ///
  /// - Returns: false if the bytes end too early.
  @inline(__always)
  mutating func skipDocument() -> Bool {
    while let value = number() {
      if value & 2 != 0 { offset &+= 1 }
      if value & 1 != 0 { return true }
    }
    return false
  }

  /// Calls `body` with each occurrence in one document.
  ///
  /// - Returns: false if the bytes end too early or are invalid.
  @inline(__always)
  mutating func readDocument(_ body: (_ column: UInt8, _ position: UInt32) -> Void) -> Bool {
    var column: UInt8 = 0
    var position: UInt32 = 0
    while let value = number() {
      if value & 2 != 0 {
        guard offset < bytes.count else { return false }
        column = bytes[offset]
        position = 0
        offset &+= 1
      }
      guard let next = UInt32(exactly: Int(position) &+ value &>> 2) else { return false }
      position = next
      body(column, position)
      if value & 1 != 0 { return true }
    }
    return false
  }
}

/// Where a term occurs in one document, in the order of columns and positions.
///
/// Each occurrence is one number: the distance from the position before (in the same column) times
/// four, plus two when a column number follows as a byte, plus one when it is the document's last.
/// The first occurrence of a column is counted from zero; a document starts in column 0.
struct PositionsWriter {
  private var column: UInt8 = 0
  private var position: UInt32 = 0

  /// Appends an occurrence.
  /// - Precondition: it does not come before the last one.
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

/// Reads what `PositionsWriter` wrote, document after document.
struct PositionsReader {
  private let bytes: UnsafeRawBufferPointer
  /// Where the next document begins.
  private(set) var offset: Int

  init(_ bytes: UnsafeRawBufferPointer, at offset: Int) {
    self.bytes = bytes
    self.offset = max(0, offset)
  }

  /// Reads one occurrence's number; nearly all take one byte.
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

  /// Passes over the occurrences in one document.
  /// - Returns: false when the bytes end too early.
  @inline(__always)
  mutating func skipDocument() -> Bool {
    while let value = number() {
      if value & 2 != 0 { offset &+= 1 }
      if value & 1 != 0 { return true }
    }
    return false
  }

  /// Gives each occurrence in one document to `body`.
  /// - Returns: false when the bytes end too early or say nonsense.
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

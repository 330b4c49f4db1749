/// A reader of consecutive numbers and bytes that returns nil instead of reading past the end.
struct BytesReader {
  let bytes: UnsafeRawBufferPointer
  private(set) var offset: Int

  init(_ bytes: UnsafeRawBufferPointer, at offset: Int = 0) {
    self.bytes = bytes
    self.offset = max(0, offset)
  }

  /// Reads a number of at most 63 bits: seven bits a byte, low ones first, with the high bit set if
  /// more follow.
  mutating func varint() -> Int? {
    var value: UInt64 = 0
    var shift: UInt64 = 0
    while offset < bytes.count, shift < 63 {
      let byte = bytes[offset]
      offset += 1
      value |= UInt64(byte & 0x7F) &<< shift
      if byte < 0x80 { return Int(exactly: value) }
      shift += 7
    }
    return nil
  }

  mutating func take(_ count: Int) -> UnsafeRawBufferPointer? {
    guard count >= 0, count <= bytes.count - offset else { return nil }
    defer { offset += count }
    return UnsafeRawBufferPointer(rebasing: bytes[offset..<(offset + count)])
  }

  /// Reads a number of fixed width, low byte first.
  mutating func number<Number: FixedWidthInteger>(_ type: Number.Type) -> Number? {
    take(MemoryLayout<Number>.size).map { Number(littleEndian: $0.loadUnaligned(as: type)) }
  }

  mutating func double() -> Double? { number(UInt64.self).map(Double.init(bitPattern:)) }

  mutating func text() -> String? {
    guard let count = varint(), let bytes = take(count) else { return nil }
    return String(validating: bytes, as: UTF8.self)
  }
}

extension [UInt8] {
  /// Appends a number in the form that `BytesReader.varint` reads.
  mutating func appendVarint(_ value: Int) {
    var rest = UInt64(value.magnitude)
    while rest >= 0x80 {
      append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest &>>= 7
    }
    append(UInt8(truncatingIfNeeded: rest))
  }

  /// Appends a number of fixed width, low byte first.
  mutating func appendNumber(_ value: some FixedWidthInteger) {
    Swift.withUnsafeBytes(of: value.littleEndian) { append(contentsOf: $0) }
  }

  mutating func appendDouble(_ value: Double) { appendNumber(value.bitPattern) }

  mutating func appendText(_ text: String) {
    appendVarint(text.utf8.count)
    append(contentsOf: text.utf8)
  }
}

import Foundation

extension UnsafeBufferPointer<UInt8> {
  /// Returns the index of the first occurrence of a byte at or after an index.
  func next(_ byte: UInt8, from start: Int) -> Int? {
    guard let baseAddress, start < count,
      let hit = memchr(baseAddress + start, Int32(byte), count - start)
    else { return nil }
    return UnsafeRawPointer(hit) - UnsafeRawPointer(baseAddress)
  }
}

package import Foundation

/// Converts identities to and from text without C's formatted input and output, which Foundation
/// uses on Linux; imports do this millions of times.
extension UUID {
  /// Parses `XXXXXXXX-XXXX-XXXX-XXXX-XXXXXXXXXXXX` in hexadecimal digits of either case.
  package init?(identity text: String) {
    var high: UInt64 = 0
    var low: UInt64 = 0
    var count = 0
    var digits = 0
    for byte in text.utf8 {
      defer { count += 1 }
      if count == 8 || count == 13 || count == 18 || count == 23 {
        guard byte == 0x2D else { return nil }
        continue
      }
      let digit: UInt8
      switch byte {
      case 0x30...0x39: digit = byte - 0x30
      case 0x41...0x46: digit = byte - 0x41 + 10
      case 0x61...0x66: digit = byte - 0x61 + 10
      default: return nil
      }
      if digits < 16 { high = high << 4 | UInt64(digit) } else { low = low << 4 | UInt64(digit) }
      digits += 1
      guard digits <= 32 else { return nil }
    }
    guard count == 36, digits == 32 else { return nil }
    func byte(_ word: UInt64, _ index: UInt64) -> UInt8 {
      UInt8(truncatingIfNeeded: word >> (56 - 8 * index))
    }
    self.init(
      uuid: (
        byte(high, 0), byte(high, 1), byte(high, 2), byte(high, 3), byte(high, 4), byte(high, 5),
        byte(high, 6), byte(high, 7), byte(low, 0), byte(low, 1), byte(low, 2), byte(low, 3),
        byte(low, 4), byte(low, 5), byte(low, 6), byte(low, 7)
      ))
  }

  /// The identity in upper-case hexadecimal digits, as `uuidString`.
  package var identityText: String {
    withUnsafeBytes(of: uuid) { source in
      String(unsafeUninitializedCapacity: 36) { target in
        var position = 0
        for (index, byte) in source.enumerated() {
          if index == 4 || index == 6 || index == 8 || index == 10 {
            target[position] = 0x2D
            position += 1
          }
          for nibble in [byte >> 4, byte & 15] {
            target[position] = nibble < 10 ? 0x30 + nibble : 0x41 + nibble - 10
            position += 1
          }
        }
        return position
      }
    }
  }
}

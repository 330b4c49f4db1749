import Foundation

/// Strict base64 (RFC 4648 §4) as age requires it: each content has only one valid text.
enum StrictBase64 {
  private static let alphabet = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  /// The values by character; 255 for invalid characters.
  private static let values: [UInt8] = {
    var values = [UInt8](repeating: 255, count: 256)
    for (value, character) in alphabet.enumerated() {
      values[Int(character)] = UInt8(value)
    }
    return values
  }()

  /// Decodes text without padding; nil if a character is invalid, or if the last one has excess
  /// bits.
  static func decode(_ text: some Collection<UInt8>) -> [UInt8]? {
    var result: [UInt8] = []
    result.reserveCapacity(text.count * 3 / 4)
    var (bits, count): (UInt32, Int) = (0, 0)
    for character in text {
      let value = values[Int(character)]
      guard value != 255 else { return nil }
      bits = (bits << 6 | UInt32(value)) & 0xFFFF
      count += 6
      guard count >= 8 else { continue }
      count -= 8
      result.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
    }
    guard count != 6, bits & (1 << UInt32(count) - 1) == 0 else { return nil }
    return result
  }

  /// Decodes text padded to a multiple of four characters.
  static func decodePadded(_ text: [UInt8]) -> [UInt8]? {
    guard text.count.isMultiple(of: 4) else { return nil }
    let padding = text.suffix(2).reversed().prefix { $0 == UInt8(ascii: "=") }.count
    return decode(text.dropLast(padding))
  }

  /// Encodes bytes without padding.
  static func encode(_ bytes: [UInt8]) -> [UInt8] {
    Data(bytes).base64EncodedData().filter { $0 != UInt8(ascii: "=") }
  }
}

/// Bech32 (BIP 173) without its limit of 90 characters, the format of age keys.
enum Bech32 {
  private static let alphabet = Array("qpzry9x8gf2tvdw0s3jn54khce6mua7l".utf8)
  private static let generator: [UInt32] = [
    0x3b6a_57b2, 0x2650_8e6d, 0x1ea1_19fa, 0x3d42_33dd, 0x2a14_62b3,
  ]
  private static let checksumLength = 6

  /// Encodes bytes.
  ///
  /// - Parameters:
  ///   - prefix: lower-case text, such as `age`.
  ///   - bytes: the bytes.
  /// - Returns: the encoded text.
  static func encode(_ prefix: String, _ bytes: [UInt8]) -> String {
    let data = regrouped(bytes, from: 8, to: 5, pads: true) ?? []
    let sum = checksum(expanded(prefix) + data + [UInt8](repeating: 0, count: checksumLength)) ^ 1
    let tail = (0..<checksumLength).map { UInt8(sum >> UInt32(5 * (5 - $0)) & 31) }
    let text = (data + tail).map { alphabet[Int($0)] }
    return prefix + "1" + String(decoding: text, as: UTF8.self)
  }

  /// Decodes a text.
  ///
  /// - Returns: the prefix in lower case and the bytes; nil if the text isn't Bech32.
  static func decode(_ text: String) -> (prefix: String, bytes: [UInt8])? {
    let isMixed = text != text.lowercased() && text != text.uppercased()
    let lower = Array(text.lowercased().utf8)
    guard !isMixed, lower.allSatisfy({ (33...126).contains($0) }),
      let separator = lower.lastIndex(of: UInt8(ascii: "1")), separator > 0
    else { return nil }
    let prefix = String(decoding: lower[..<separator], as: UTF8.self)
    let values = lower[(separator + 1)...].map { alphabet.firstIndex(of: $0).map(UInt8.init) }
    let data = values.compactMap { $0 }
    guard data.count == values.count, data.count >= checksumLength,
      checksum(expanded(prefix) + data) == 1,
      let bytes = regrouped(Array(data.dropLast(checksumLength)), from: 5, to: 8, pads: false)
    else { return nil }
    return (prefix, bytes)
  }

  private static func expanded(_ prefix: String) -> [UInt8] {
    prefix.utf8.map { $0 >> 5 } + [0] + prefix.utf8.map { $0 & 31 }
  }

  private static func checksum(_ values: [UInt8]) -> UInt32 {
    values.reduce(UInt32(1)) { sum, value in
      let top = sum >> 25
      var next = (sum & 0x1ff_ffff) << 5 ^ UInt32(value)
      for (bit, term) in generator.enumerated() where top >> UInt32(bit) & 1 == 1 { next ^= term }
      return next
    }
  }

  private static func regrouped(
    _ values: [UInt8], from: UInt32, to: UInt32, pads: Bool
  ) -> [UInt8]? {
    var result: [UInt8] = []
    var (bits, count): (UInt32, UInt32) = (0, 0)
    let mask: UInt32 = (1 << to) - 1
    for value in values {
      bits = (bits << from | UInt32(value)) & 0xFFFF
      count += from
      while count >= to {
        count -= to
        result.append(UInt8(bits >> count & mask))
      }
    }
    if pads {
      if count > 0 { result.append(UInt8(bits << (to - count) & mask)) }
      return result
    }
    guard count < from, bits << (to - count) & mask == 0 else { return nil }
    return result
  }
}

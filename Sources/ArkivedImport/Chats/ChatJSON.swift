import ArkivedCore

/// JSON of chats, written by programs that do not always produce valid JSON.
enum ChatJSON {
  /// Reads a value.
  ///
  /// Telegram writes control characters as `\x0B`, which is not a valid JSON escape.
  static func value(_ bytes: [UInt8]) throws -> JSON {
    do {
      return try JSON(parsing: bytes)
    } catch {
      guard let mended = mended(bytes) else { throw error }
      return try JSON(parsing: mended)
    }
  }

  /// Returns nil if it needs no repair.
  private static func mended(_ bytes: [UInt8]) -> [UInt8]? {
    var result: [UInt8] = []
    var isEscaped = false
    var isMended = false
    for byte in bytes {
      if isEscaped, byte == UInt8(ascii: "x") {
        result.append(contentsOf: "u00".utf8)
        isMended = true
      } else {
        result.append(byte)
      }
      isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
    }
    return isMended ? result : nil
  }

  /// A number, which may be written as a string.
  static func integer(_ json: JSON?) -> Int64? {
    if let number = json?.int { return Int64(number) }
    if let number = json?.double, abs(number) < 9e15 { return Int64(number) }
    return json?.string.flatMap { Int64($0) }
  }

  /// A time in milliseconds or seconds since 1970; nil if it can't be the time of a message.
  static func instant(milliseconds number: Int64?) -> Instant? {
    guard let number, (0..<100_000_000_000_000).contains(number) else { return nil }
    return Instant(milliseconds: number)
  }
}

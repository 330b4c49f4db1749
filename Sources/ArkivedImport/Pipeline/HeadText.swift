/// The beginning of a text file, used to recognise its format.
enum HeadText {
  /// Returns the UTF-8 or UTF-16 text up to a zero byte; invalid bytes become �.
  static func of(_ head: [UInt8]) -> String {
    if let order = UTF16Order(head) {
      let units = stride(from: order.markLength, to: head.count - 1, by: 2).map { index in
        let (first, second) = (UInt16(head[index]), UInt16(head[index + 1]))
        return order.isBigEndian ? first << 8 | second : second << 8 | first
      }
      return String(decoding: units, as: UTF16.self)
    }
    let content = head.starts(with: [0xEF, 0xBB, 0xBF]) ? head.dropFirst(3) : head[...]
    // Every format examines thousands of photos, whose heads stop being text after a few bytes.
    return String(decoding: content.prefix { $0 != 0 }, as: UTF8.self)
  }

  /// Returns the beginning as UTF-8 bytes without a byte order mark; anything but UTF-16 is
  /// returned unchanged.
  static func plain(_ head: [UInt8]) -> [UInt8] {
    if UTF16Order(head) != nil { return Array(of(head).utf8) }
    return head.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(head.dropFirst(3)) : head
  }
}

/// The byte order of a UTF-16 text, recognised by its byte order mark or by the zeros next to its
/// first two letters.
package struct UTF16Order {
  let isBigEndian: Bool
  /// The number of bytes in the byte order mark.
  let markLength: Int

  /// Recognises UTF-16.
  ///
  /// - Returns: nil if the bytes don't begin like UTF-16.
  package init?(_ head: [UInt8]) {
    let first = Array(head.prefix(4))
    if first.starts(with: [0xFF, 0xFE]) {
      (isBigEndian, markLength) = (false, 2)
    } else if first.starts(with: [0xFE, 0xFF]) {
      (isBigEndian, markLength) = (true, 2)
    } else if first.map({ $0 == 0 }) == [false, true, false, true] {
      (isBigEndian, markLength) = (false, 0)
    } else if first.map({ $0 == 0 }) == [true, false, true, false] {
      (isBigEndian, markLength) = (true, 0)
    } else {
      return nil
    }
  }
}

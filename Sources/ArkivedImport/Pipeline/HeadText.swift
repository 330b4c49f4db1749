/// The beginning of a text file, for telling its format.
enum HeadText {
  /// UTF-8 or UTF-16, as far as it is text: up to a zero byte. Bytes that are neither show as �.
  static func of(_ head: [UInt8]) -> String {
    if let order = UTF16Order(head) {
      let units = stride(from: order.markLength, to: head.count - 1, by: 2).map { index in
        let (first, second) = (UInt16(head[index]), UInt16(head[index + 1]))
        return order.isBigEndian ? first << 8 | second : second << 8 | first
      }
      return String(decoding: units, as: UTF16.self)
    }
    let content = head.starts(with: [0xEF, 0xBB, 0xBF]) ? head.dropFirst(3) : head[...]
    // Thousands of photos are looked at by every format; their heads are no text after some bytes.
    return String(decoding: content.prefix { $0 != 0 }, as: UTF8.self)
  }

  /// The beginning as bytes of UTF-8, without a byte order mark; what is not UTF-16 stays as it is.
  static func plain(_ head: [UInt8]) -> [UInt8] {
    if UTF16Order(head) != nil { return Array(of(head).utf8) }
    return head.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(head.dropFirst(3)) : head
  }
}

/// That a text has two bytes a letter, told by its mark, or by the zeros beside its first two letters.
package struct UTF16Order {
  let isBigEndian: Bool
  /// Bytes of the mark.
  let markLength: Int

  /// - Returns: nil where the bytes do not begin so.
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

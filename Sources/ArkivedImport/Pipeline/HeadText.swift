/// The beginning of a text file, for telling its format.
enum HeadText {
  /// UTF-8, or UTF-16 with a byte order mark; bytes that are neither show as �.
  static func of(_ head: [UInt8]) -> String {
    let marks: [(bytes: [UInt8], isBig: Bool)] = [([0xFF, 0xFE], false), ([0xFE, 0xFF], true)]
    for mark in marks where head.starts(with: mark.bytes) {
      let units = stride(from: 2, to: head.count - 1, by: 2).map { index in
        let (first, second) = (UInt16(head[index]), UInt16(head[index + 1]))
        return mark.isBig ? first << 8 | second : second << 8 | first
      }
      return String(decoding: units, as: UTF16.self)
    }
    let content = head.starts(with: [0xEF, 0xBB, 0xBF]) ? head.dropFirst(3) : head[...]
    return String(decoding: content, as: UTF8.self)
  }
}

import Foundation

/// Finding a word in a text of megabytes.
package enum LongText {
  /// The text around the first place where one of the words stands, marked as `Snippet` reads it;
  /// nil when none is found as written, be it with other capitals or another ending.
  package static func surroundings(of words: [String], in text: String) -> String? {
    let bytes = Array(text.utf8)
    var found: (start: Int, count: Int)?
    for word in words {
      // A stem of four letters or more finds “running” for “runs” as the index does.
      let stem = Array(word.lowercased().utf8.prefix(max(4, word.utf8.count - 3)))
      guard let start = first(stem, in: bytes, before: found?.start ?? bytes.count) else {
        continue
      }
      found = (start, stem.count)
    }
    guard let found else { return nil }
    var end = found.start + found.count
    while end < bytes.count, isWordByte(bytes[end]) { end += 1 }
    func piece(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }
    let before = character(at: max(0, found.start - 120), in: bytes)
    let after = character(at: min(bytes.count, end + 200), in: bytes)
    return (before > 0 ? "…" : "") + piece(before..<found.start)
      + String(Segmentation.markStart) + piece(found.start..<end) + String(Segmentation.markEnd)
      + piece(end..<after) + (after < bytes.count ? "…" : "")
  }

  /// The first place at the beginning of a word, comparing ASCII letters without their case.
  private static func first(_ stem: [UInt8], in bytes: [UInt8], before limit: Int) -> Int? {
    guard let head = stem.first, bytes.count >= stem.count else { return nil }
    var index = 0
    let end = min(limit, bytes.count - stem.count + 1)
    while index < end {
      if lowered(bytes[index]) == head, index == 0 || !isWordByte(bytes[index - 1]),
        (1..<stem.count).allSatisfy({ lowered(bytes[index + $0]) == stem[$0] })
      {
        return index
      }
      index += 1
    }
    return nil
  }

  private static func lowered(_ byte: UInt8) -> UInt8 {
    (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
  }

  private static func isWordByte(_ byte: UInt8) -> Bool {
    byte >= 0x80 || (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte)
      || (0x61...0x7A).contains(byte)
  }

  /// The nearest place at or after an offset where a character begins.
  private static func character(at offset: Int, in bytes: [UInt8]) -> Int {
    var offset = offset
    while offset < bytes.count, bytes[offset] & 0xC0 == 0x80 { offset += 1 }
    return offset
  }
}

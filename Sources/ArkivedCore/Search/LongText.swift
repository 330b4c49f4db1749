import Foundation

/// Finds words in a text of megabytes.
package enum LongText {
  /// Returns the text around the first occurrence of one of the words, marked for `Snippet`, or nil
  /// if none occurs as written, apart from case and endings.
  package static func surroundings(of words: [String], in text: String) -> String? {
    let bytes = Array(text.utf8)
    var found: (start: Int, count: Int)?
    for stem in words.flatMap(stems(of:)) {
      guard let start = first(stem, in: bytes, before: found?.start ?? bytes.count) else {
        continue
      }
      found = (start, stem.count)
    }
    guard let found else { return nil }
    let end = wordEnd(behind: found.start + found.count, in: bytes)
    func piece(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }
    let before = character(at: max(0, found.start - 120), in: bytes)
    let after = character(at: min(bytes.count, end + 200), in: bytes)
    return (before > 0 ? "…" : "") + piece(before..<found.start)
      + String(Segmentation.markStart) + piece(found.start..<end) + String(Segmentation.markEnd)
      + piece(end..<after) + (after < bytes.count ? "…" : "")
  }

  /// Returns a text with all occurrences of the words marked for `Snippet`.
  package static func marked(_ words: [String], in text: String) -> String {
    let bytes = Array(text.utf8)
    var places: [Range<Int>] = []
    for stem in words.flatMap(stems(of:)) {
      var start = 0
      while let found = first(stem, in: bytes, from: start, before: bytes.count) {
        let end = wordEnd(behind: found + stem.count, in: bytes)
        places.append(found..<end)
        start = end
      }
    }
    var result = ""
    var end = 0
    for place in places.sorted(by: { $0.lowerBound < $1.lowerBound }) where place.lowerBound >= end
    {
      result += String(decoding: bytes[end..<place.lowerBound], as: UTF8.self)
      result += String(Segmentation.markStart) + String(decoding: bytes[place], as: UTF8.self)
      result += String(Segmentation.markEnd)
      end = place.upperBound
    }
    return result + String(decoding: bytes[end...], as: UTF8.self)
  }

  /// Returns the stems of a word as the index's texts contain them, in lower case and, if its first
  /// letter isn't ASCII, with a capital; with four letters or more, they find “running” for “runs”
  /// as the index does.
  private static func stems(of word: String) -> [[UInt8]] {
    let lower = word.lowercased()
    let capital = lower.prefix(1).uppercased() + String(lower.dropFirst())
    let isPlain = lower.utf8.first.map { $0 < 0x80 } ?? true
    return (isPlain ? [lower] : [lower, capital]).map { spelling in
      var letters = Array(Segmentation.spaced(spelling).unicodeScalars)[...]
      if letters.contains(Segmentation.separator) {
        // The word may stand anywhere in a text without spaces.
        if letters.first == Segmentation.separator { letters.removeFirst() }
        if letters.last == Segmentation.separator { letters.removeLast() }
      } else {
        letters = letters.prefix(max(4, letters.count - 3))
      }
      return Array(String(String.UnicodeScalarView(letters)).utf8)
    }
  }

  private static func wordEnd(behind place: Int, in bytes: [UInt8]) -> Int {
    var end = place
    while end < bytes.count, isWordByte(bytes[end]) { end += 1 }
    return end
  }

  /// Returns the first occurrence at the beginning of a word, ignoring the case of ASCII letters.
  private static func first(
    _ stem: [UInt8], in bytes: [UInt8], from start: Int = 0, before limit: Int
  ) -> Int? {
    guard let head = stem.first, bytes.count >= stem.count else { return nil }
    var index = start
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

  /// Returns the nearest position at or after an offset at which a character begins, with all of
  /// its marks.
  private static func character(at offset: Int, in bytes: [UInt8]) -> Int {
    func scalar(at offset: Int) -> Int {
      var offset = offset
      while offset < bytes.count, bytes[offset] & 0xC0 == 0x80 { offset += 1 }
      return offset
    }
    // A family of emoji has about 25 bytes.
    let (first, last) = (scalar(at: max(0, offset - 64)), scalar(at: min(bytes.count, offset + 64)))
    var place = first
    for character in String(decoding: bytes[first..<last], as: UTF8.self) {
      if place >= offset { return place }
      place += character.utf8.count
    }
    return place
  }
}

import Foundation

/// A file of lines that begin with a word and a tab, sorted by bytes and searched in place.
struct SortedWordFile: Sendable {
  private let data: Data

  private static let tab = UInt8(ascii: "\t")
  private static let newline = UInt8(ascii: "\n")

  /// Opens a file; nil if it is missing or doesn't begin as expected.
  init?(_ url: URL, head: String) {
    guard let data = try? Data(contentsOf: url, options: .alwaysMapped),
      data.starts(with: Array(head.utf8))
    else { return nil }
    self.data = data
  }

  /// Returns the fields after a word in any case; none if the word is unknown.
  func fields(of word: String) -> [String] {
    let key = Array(word.lowercased().utf8)
    guard !key.isEmpty, key.count < 100, !key.contains(Self.tab), !key.contains(Self.newline)
    else { return [] }
    return data.withUnsafeBytes { bytes in
      guard let line = Self.line(of: key + [Self.tab], in: bytes) else { return [] }
      return String(decoding: bytes[line].dropFirst(key.count + 1), as: UTF8.self)
        .split(separator: "\t").map(String.init)
    }
  }

  /// Returns the line that begins with a key, found by bisection of the bytes.
  private static func line(of key: [UInt8], in bytes: UnsafeRawBufferPointer) -> Range<Int>? {
    var (low, high) = (0, bytes.count)
    while low < high {
      let middle = low + (high - low) / 2
      let start = bytes[..<middle].lastIndex(of: newline).map { $0 + 1 } ?? 0
      let end = bytes[middle...].firstIndex(of: newline) ?? bytes.count
      if bytes[start..<end].starts(with: key) { return start..<end }
      if bytes[start..<end].lexicographicallyPrecedes(key) {
        low = end + 1
      } else {
        high = start
      }
    }
    return nil
  }
}

import Foundation

/// The properties of vCards, each with its continuation lines, in bounded memory.
///
/// A line that begins with white space continues the previous line (RFC 6350 §3.2). In version 2.1,
/// a quoted-printable value continues after a `=` at the end of a line, and a Base64 value
/// continues up to an empty line.
struct VCardLines {
  /// The maximum length of a property; a longer one could only be a picture and is skipped.
  static let lengthLimit = 24 << 20

  /// A property without its line continuation marks.
  struct Line {
    /// The number of its first line in the file, from 1.
    var number: Int
    var bytes: [UInt8]
    var isTooLong = false
  }

  private var source: TextBytes
  private var number = 0
  /// A line that was read ahead.
  private var next: Line?

  init(_ url: URL) throws { source = try TextBytes(url) }

  func close() { source.close() }

  /// Returns the next property, or nil at the end of the file.
  mutating func property() throws -> Line? {
    guard var line = try take() else { return nil }
    let head = String(decoding: line.bytes.prefix { $0 != UInt8(ascii: ":") }, as: UTF8.self)
      .uppercased()
    let isQuoted = head.contains("QUOTED-PRINTABLE")
    let isBase64 =
      head.contains("BASE64") || head.contains("ENCODING=B;")
      || head.hasSuffix("ENCODING=B")
    while true {
      guard let more = try take() else { return line }
      // A `=` at the very end of a card's last value is not a mark.
      if isQuoted, line.bytes.last == UInt8(ascii: "="), !more.bytes.starts(with: "END:".utf8) {
        line.bytes.removeLast()
        append(more.bytes[...], isTooLong: more.isTooLong, to: &line)
      } else if let first = more.bytes.first, first == 0x20 || first == 0x09 {
        append(more.bytes.dropFirst(), isTooLong: more.isTooLong, to: &line)
      } else if isBase64, Self.isBase64(more.bytes) {
        append(more.bytes[...], isTooLong: more.isTooLong, to: &line)
      } else {
        next = more
        return line
      }
    }
  }

  private func append(_ bytes: ArraySlice<UInt8>, isTooLong: Bool, to line: inout Line) {
    if line.isTooLong || isTooLong || line.bytes.count + bytes.count > Self.lengthLimit {
      line.isTooLong = true
      // The property's name identifies the skipped property.
      line.bytes = Array(line.bytes.prefix(64))
    } else {
      line.bytes.append(contentsOf: bytes)
    }
  }

  private mutating func take() throws -> Line? {
    if let line = next {
      next = nil
      return line
    }
    var line = Line(number: number + 1, bytes: [])
    guard
      try source.readLine(into: &line.bytes, limit: Self.lengthLimit, tooLong: &line.isTooLong)
    else { return nil }
    number += 1
    if line.bytes.last == 0x0D { line.bytes.removeLast() }
    return line
  }

  /// Returns true for a line of Base64, which can't be mistaken for a property.
  private static func isBase64(_ bytes: [UInt8]) -> Bool {
    !bytes.isEmpty
      && bytes.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "/"),
          UInt8(ascii: "="):
          true
        default: false
        }
      }
  }
}

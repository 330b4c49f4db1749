/// Splits an OFX document into tags and texts, piece by piece, whether it is SGML without closing
/// tags (version 1) or XML (version 2).
///
/// Document types and processing instructions are skipped; only the named entities of HTML's core
/// and character numbers are decoded, so nothing is ever expanded or fetched.
struct OFXTokens {
  enum Token {
    /// An opening tag, in upper case.
    case open(String)
    /// A closing tag, in upper case.
    case close(String)
    /// A text up to the next tag.
    case text(String)
  }

  /// The maximum length of a text; what is longer is cut.
  private static let textLimit = 1 << 16
  private static let tagLimit = 1 << 10

  private var text: [UInt8] = []
  private var tag: [UInt8] = []
  private var isInTag = false
  /// The number of the current line, from 1.
  private(set) var line = 1

  /// Reads the next piece.
  ///
  /// - Parameters:
  ///   - piece: the bytes.
  ///   - body: receives the tokens and the line of each.
  /// - Throws: errors from `body`.
  mutating func take(_ piece: [UInt8], _ body: (Token, Int) throws -> Void) throws {
    for byte in piece {
      if byte == 0x0A { line += 1 }
      if isInTag {
        try takeTag(byte, body)
      } else if byte == UInt8(ascii: "<") {
        isInTag = true
      } else {
        append(byte)
      }
    }
  }

  /// Reads the end of the document.
  ///
  /// - Parameter body: receives the last text.
  /// - Throws: errors from `body`.
  mutating func finish(_ body: (Token, Int) throws -> Void) throws { try flush(body) }

  private mutating func append(_ byte: UInt8) {
    if text.count < Self.textLimit { text.append(byte) }
  }

  private mutating func appendToTag(_ byte: UInt8, limit: Int) {
    tag.append(byte)
    // Of comments and of what is too long, the beginning and the end are enough.
    if tag.count > limit { tag.removeSubrange(16..<(tag.count - 2)) }
  }

  private mutating func takeTag(_ byte: UInt8, _ body: (Token, Int) throws -> Void) throws {
    if tag.isEmpty, !Self.begins(byte) {
      // A sign that was meant as one.
      append(UInt8(ascii: "<"))
      guard byte != UInt8(ascii: "<") else { return }
      isInTag = false
      return append(byte)
    }
    let isSpecial = tag.first == UInt8(ascii: "!")
    guard byte == UInt8(ascii: ">") else {
      if byte == UInt8(ascii: "<"), !isSpecial, tag.first != UInt8(ascii: "?") {
        let words = tag
        tag = []
        append(UInt8(ascii: "<"))
        for byte in words { append(byte) }
        return
      }
      return appendToTag(byte, limit: isSpecial ? Self.textLimit : Self.tagLimit)
    }
    let dashes = UInt8(ascii: "-")
    if tag.starts(with: "!--".utf8), tag.count < 5 || !tag.suffix(2).allSatisfy({ $0 == dashes }) {
      return appendToTag(byte, limit: Self.textLimit)
    }
    if tag.starts(with: "![CDATA[".utf8) {
      guard tag.suffix(2).allSatisfy({ $0 == UInt8(ascii: "]") }) else {
        return appendToTag(byte, limit: Self.textLimit)
      }
      let words = Array(tag.dropFirst(8).dropLast(2))
      (tag, isInTag) = ([], false)
      for byte in words {
        append(byte)
        guard byte == UInt8(ascii: "&") else { continue }
        for letter in "amp;".utf8 { append(letter) }
      }
      return
    }
    let whole = tag
    (tag, isInTag) = ([], false)
    guard !isSpecial, whole.first != UInt8(ascii: "?") else { return }
    try flush(body)
    let isClosing = whole.first == UInt8(ascii: "/")
    let isEmpty = whole.last == UInt8(ascii: "/")
    let name = String(
      decoding: whole.drop { $0 == UInt8(ascii: "/") }
        .prefix { $0 != UInt8(ascii: "/") && $0 > 0x20 }, as: UTF8.self
    ).uppercased()
    if isClosing { return try body(.close(name), line) }
    try body(.open(name), line)
    if isEmpty { try body(.close(name), line) }
  }

  private static func begins(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "/"), UInt8(ascii: "!"), UInt8(ascii: "?"):
      true
    default: false
    }
  }

  private mutating func flush(_ body: (Token, Int) throws -> Void) throws {
    defer { text.removeAll(keepingCapacity: true) }
    guard text.contains(where: { $0 > 0x20 }) else { return }
    var bytes = text
    // A cut may have split a character.
    if bytes.count == Self.textLimit {
      while let last = bytes.last, last >= 0x80 { bytes.removeLast() }
    }
    let decoded: String
    if let valid = String(validating: bytes, as: UTF8.self) {
      decoded = valid
    } else {
      decoded = String(decoding: WindowsLatin.utf8(bytes[...]), as: UTF8.self)
    }
    let words = Self.withoutEntities(decoded).split(whereSeparator: \.isWhitespace)
    try body(.text(words.joined(separator: " ")), line)
  }

  /// Returns a text in which entities are replaced by their characters; unknown ones stay.
  private static func withoutEntities(_ text: String) -> String {
    guard text.utf8.contains(UInt8(ascii: "&")) else { return text }
    var result = ""
    var rest = text[...]
    while let mark = rest.firstIndex(of: "&") {
      result += rest[..<mark]
      let after = rest[rest.index(after: mark)...]
      if let end = after.prefix(9).firstIndex(of: ";"), let character = character(after[..<end]) {
        result.append(character)
        rest = after[after.index(after: end)...]
      } else {
        result.append("&")
        rest = after
      }
    }
    return result + rest
  }

  private static func character(_ name: Substring) -> Character? {
    switch name {
    case "amp": return "&"
    case "lt": return "<"
    case "gt": return ">"
    case "quot": return "\""
    case "apos": return "'"
    case "nbsp": return " "
    default: break
    }
    guard name.first == "#" else { return nil }
    let digits = name.dropFirst()
    let number =
      digits.first == "x" || digits.first == "X"
      ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits, radix: 10)
    guard let number, let scalar = Unicode.Scalar(number) else { return nil }
    return number < 0x20 ? " " : Character(scalar)
  }
}

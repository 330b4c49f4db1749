import Foundation

/// The tags and texts of an HTML page, in order.
///
/// Nothing is fetched, run or nested: a page is a flat list, however deeply its elements are
/// nested. Comments, document types, scripts and styles are not text. Anything that looks like a
/// tag but isn't one is text.
struct HTMLTokens {
  enum Token: Equatable {
    /// The name in lower case. Attributes without a value have an empty string.
    case open(String, [String: String])
    case close(String)
    /// The text, with its character references decoded.
    case text(String)
  }

  private(set) var tokens: [Token] = []
  /// The content of the page's `style` elements.
  private(set) var styles = ""

  private let bytes: [UInt8]
  private var position = 0
  private var textStart = 0

  init(_ html: String) {
    bytes = Array(html.utf8)
    read()
  }

  // MARK: Reading

  private mutating func read() {
    while position < bytes.count {
      guard bytes[position] == UInt8(ascii: "<"), position + 1 < bytes.count else {
        position += 1
        continue
      }
      let start = position
      switch bytes[position + 1] {
      case UInt8(ascii: "!"), UInt8(ascii: "?"):
        endText(at: start)
        skipDeclaration()
        textStart = position
      case UInt8(ascii: "/"):
        guard let name = name(at: start + 2) else { position += 1; continue }
        endText(at: start)
        position = start + 2 + name.utf8.count
        skip(to: UInt8(ascii: ">"))
        textStart = position
        tokens.append(.close(name))
      default:
        guard let name = name(at: start + 1) else { position += 1; continue }
        endText(at: start)
        position = start + 1 + name.utf8.count
        let attributes = attributes()
        textStart = position
        tokens.append(.open(name, attributes))
        if ["script", "style", "noscript", "template"].contains(name) { takeRaw(name) }
      }
    }
    endText(at: bytes.count)
  }

  private mutating func endText(at end: Int) {
    guard textStart < end else { return }
    tokens.append(.text(Self.decoded(bytes[textStart..<end])))
    textStart = end
  }

  private func name(at start: Int) -> String? {
    guard start < bytes.count, Self.isLetter(bytes[start]) else { return nil }
    var end = start
    while end < bytes.count, end - start < 40,
      Self.isLetter(bytes[end]) || (0x30...0x39).contains(bytes[end]) || bytes[end] == 0x2D
        || bytes[end] == UInt8(ascii: ":")
    { end += 1 }
    return String(decoding: bytes[start..<end], as: UTF8.self).lowercased()
  }

  private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }
  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || (0x09...0x0D).contains(byte)
  }

  private mutating func skip(to end: UInt8) {
    while position < bytes.count, bytes[position] != end { position += 1 }
    position = min(position + 1, bytes.count)
  }

  private mutating func skipDeclaration() {
    if bytes[position...].starts(with: "<!--".utf8) {
      position =
        bytes.firstRange(of: Array("-->".utf8), from: position + 4)?.upperBound
        ?? bytes.count
    } else {
      skip(to: UInt8(ascii: ">"))
    }
  }

  /// Skips content that isn't text, up to the element's end.
  private mutating func takeRaw(_ name: String) {
    let start = position
    while position < bytes.count {
      if bytes[position] == UInt8(ascii: "<"), position + 1 < bytes.count,
        bytes[position + 1] == UInt8(ascii: "/"), self.name(at: position + 2) == name
      {
        break
      }
      position += 1
    }
    if name == "style" { styles += String(decoding: bytes[start..<position], as: UTF8.self) }
    textStart = position
  }

  private mutating func attributes() -> [String: String] {
    var attributes: [String: String] = [:]
    while position < bytes.count {
      let byte = bytes[position]
      if byte == UInt8(ascii: ">") {
        position += 1
        break
      }
      guard !Self.isSpace(byte), byte != UInt8(ascii: "/") else { position += 1; continue }
      let start = position
      while position < bytes.count, !Self.isSpace(bytes[position]),
        ![UInt8(ascii: "="), UInt8(ascii: ">"), UInt8(ascii: "/")].contains(bytes[position])
      { position += 1 }
      // A stray sign is not a tag.
      guard position > start else { position += 1; continue }
      let name = String(decoding: bytes[start..<position], as: UTF8.self).lowercased()
      let value = value()
      if attributes[name] == nil, attributes.count < 64 { attributes[name] = value }
    }
    return attributes
  }

  private mutating func value() -> String {
    var next = position
    while next < bytes.count, Self.isSpace(bytes[next]) { next += 1 }
    guard next < bytes.count, bytes[next] == UInt8(ascii: "=") else { return "" }
    position = next + 1
    while position < bytes.count, Self.isSpace(bytes[position]) { position += 1 }
    guard position < bytes.count else { return "" }
    let quote = bytes[position]
    guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
      let start = position
      while position < bytes.count, !Self.isSpace(bytes[position]),
        bytes[position] != UInt8(ascii: ">")
      { position += 1 }
      return Self.decoded(bytes[start..<position])
    }
    let start = position + 1
    let end = bytes.firstIndex(of: quote, from: start) ?? bytes.count
    position = min(end + 1, bytes.count)
    return Self.decoded(bytes[start..<end])
  }

  // MARK: Character references

  private static let names: [String: String] = [
    "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "nbsp": "\u{A0}",
    "ndash": "–", "mdash": "—", "hellip": "…", "bull": "•", "middot": "·", "copy": "©", "reg": "®",
    "trade": "™", "euro": "€", "pound": "£", "yen": "¥", "cent": "¢", "sect": "§", "deg": "°",
    "lsquo": "‘", "rsquo": "’", "sbquo": "‚", "ldquo": "“", "rdquo": "”", "bdquo": "„",
    "laquo": "«", "raquo": "»", "times": "×", "divide": "÷", "plusmn": "±", "frac12": "½",
    "frac14": "¼", "frac34": "¾", "auml": "ä", "ouml": "ö", "uuml": "ü", "Auml": "Ä", "Ouml": "Ö",
    "Uuml": "Ü", "szlig": "ß", "agrave": "à", "aacute": "á", "acirc": "â", "atilde": "ã",
    "aring": "å", "aelig": "æ", "ccedil": "ç", "egrave": "è", "eacute": "é", "ecirc": "ê",
    "euml": "ë", "igrave": "ì", "iacute": "í", "icirc": "î", "iuml": "ï", "ntilde": "ñ",
    "ograve": "ò", "oacute": "ó", "ocirc": "ô", "otilde": "õ", "oslash": "ø", "ugrave": "ù",
    "uacute": "ú", "ucirc": "û", "Eacute": "É", "Agrave": "À", "Aring": "Å", "Oslash": "Ø",
    "Ccedil": "Ç", "iexcl": "¡", "iquest": "¿", "larr": "←", "rarr": "→", "ensp": " ",
    "emsp": " ", "thinsp": " ", "zwnj": "\u{200C}", "zwj": "\u{200D}", "shy": "\u{AD}",
  ]

  /// Returns the text with its character references replaced by characters and without NUL;
  /// anything that isn't a reference is left unchanged.
  static func decoded(_ bytes: ArraySlice<UInt8>) -> String {
    guard bytes.contains(UInt8(ascii: "&")) || bytes.contains(0) else {
      return String(decoding: bytes, as: UTF8.self)
    }
    var output: [UInt8] = []
    var position = bytes.startIndex
    while position < bytes.endIndex {
      let byte = bytes[position]
      if byte == UInt8(ascii: "&"),
        let end = bytes[position...].prefix(34).firstIndex(of: UInt8(ascii: ";")),
        let text = reference(bytes[(position + 1)..<end])
      {
        output += text.utf8
        position = end + 1
        continue
      }
      if byte != 0 { output.append(byte) }
      position += 1
    }
    return String(decoding: output, as: UTF8.self)
  }

  private static func reference(_ bytes: ArraySlice<UInt8>) -> String? {
    let name = String(decoding: bytes, as: UTF8.self)
    guard name.hasPrefix("#") else { return names[name] }
    let digits = name.dropFirst()
    let isHexadecimal = digits.first == "x" || digits.first == "X"
    guard
      let number = isHexadecimal
        ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits, radix: 10),
      number != 0
    else { return nil }
    return Unicode.Scalar(number).map { String(Character($0)) }
  }
}

extension [UInt8] {
  /// Returns the index of a byte at or after a position.
  fileprivate func firstIndex(of byte: UInt8, from start: Int) -> Int? {
    start < count ? self[start...].firstIndex(of: byte) : nil
  }

  fileprivate func firstRange(of wanted: [UInt8], from start: Int) -> Range<Int>? {
    var position = start
    while let hit = firstIndex(of: wanted[0], from: position) {
      if self[hit...].starts(with: wanted) { return hit..<(hit + wanted.count) }
      position = hit + 1
    }
    return nil
  }
}

extension HTMLTokens.Token {
  /// Returns true if it begins an element with a class.
  func begins(_ element: String? = nil, ofClass name: String) -> Bool {
    guard case .open(let own, let attributes) = self, element == nil || element == own else {
      return false
    }
    return attributes["class"]?.split(separator: " ").contains(Substring(name)) ?? false
  }

  /// The classes of the element that begins here.
  var classes: [Substring] {
    guard case .open(_, let attributes) = self else { return [] }
    return attributes["class"]?.split(separator: " ") ?? []
  }
}

import ArkivedCore
import Foundation
import Mustache

/// The way templates write text: escaped byte by byte, with invisible characters made visible.
///
/// The template library's own escaping compares whole characters, so a quote with a combining
/// accent would pass unescaped.
struct HTMLText: MustacheContentType {
  static let name = "ARKIVED-HTML"

  func escapeText(_ text: String) -> String { HTMLText.escaped(VisibleText.of(text)) }

  /// Returns the text with HTML's special characters escaped.
  static func escaped(_ text: String) -> String {
    guard text.utf8.contains(where: needsEscape) else { return text }
    var writer = HTMLWriter()
    writer.value(text)
    return writer.text
  }

  fileprivate static func needsEscape(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x3C, 0x3E, 0x26, 0x22, 0x27, 0: true
    default: false
    }
  }

  /// Returns a snippet with its found words marked, isolated from the surrounding text.
  static func marked(_ snippet: Snippet) -> String {
    var writer = HTMLWriter()
    writer.raw("<bdi>")
    var left = 1_000
    var isCut = false
    for piece in VisibleText.pieces(of: snippet) where !isCut {
      let text = ClippedText(piece.text, limit: left)
      left -= text.count
      isCut = text.isCut
      let isMarked = piece.isHighlighted && text.count > 0
      if isMarked { writer.raw("<mark>") }
      writer.value(text.text)
      if isMarked { writer.raw("</mark>") }
    }
    writer.raw(isCut ? "…</bdi>" : "</bdi>")
    return writer.text
  }
}

/// A text that a form returns byte for byte; templates write it as `{{{name}}}`.
struct FormValue: MustacheCustomRenderable {
  let text: String

  init(_ text: String) { self.text = text }

  var renderText: String {
    let escaped = HTMLText.escaped(text)
    guard escaped.utf8.contains(0x0D) else { return escaped }
    // If it were written literally, a carriage return would be read as a line feed.
    var bytes: [UInt8] = []
    bytes.reserveCapacity(escaped.utf8.count)
    for byte in escaped.utf8 {
      if byte == 0x0D { bytes += "&#13;".utf8 } else { bytes.append(byte) }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
  var isNull: Bool { false }
}

/// Builds HTML.
struct HTMLWriter {
  private(set) var bytes: [UInt8] = []

  var count: Int { bytes.count }
  var text: String { String(decoding: bytes, as: UTF8.self) }

  mutating func append(_ other: HTMLWriter) { bytes.append(contentsOf: other.bytes) }

  /// Appends text that is already HTML.
  mutating func raw(_ html: String) { bytes.append(contentsOf: html.utf8) }

  /// Appends a text unchanged, for a field that returns it.
  mutating func value(_ text: String) {
    for byte in text.utf8 {
      switch byte {
      case 0x3C: raw("&lt;")
      case 0x3E: raw("&gt;")
      case 0x26: raw("&amp;")
      case 0x22: raw("&quot;")
      case 0x27: raw("&#39;")
      case 0: raw("\u{FFFD}")
      default: bytes.append(byte)
      }
    }
  }

  /// Appends a text for reading, with invisible characters made visible.
  mutating func shown(_ text: String) { value(VisibleText.of(text)) }

  /// Appends a text for reading that cannot reverse or hide the surrounding text.
  mutating func isolated(_ text: String) {
    raw("<bdi>")
    shown(text)
    raw("</bdi>")
  }
}

/// The beginning of a text, cut at the end of a word.
struct ClippedText {
  let text: String
  /// The length in scalars.
  let count: Int
  let isCut: Bool

  init(_ whole: String, limit: Int) {
    let scalars = whole.unicodeScalars
    guard let end = scalars.index(scalars.startIndex, offsetBy: limit, limitedBy: scalars.endIndex),
      end < scalars.endIndex
    else {
      (text, count, isCut) = (whole, scalars.count, false)
      return
    }
    var head = scalars[..<Self.beginning(ofCharacterAt: end, in: whole)]
    // A word of ordinary length is not split.
    if let space = head.suffix(40).lastIndex(where: { $0.properties.isWhitespace }) {
      head = head[..<space]
    }
    while head.last?.properties.isWhitespace == true { head = head.dropLast() }
    text = String(String.UnicodeScalarView(head))
    count = head.count
    isCut = true
  }

  /// Returns the position at which a character begins, with its marks and the emoji it joins; no
  /// real character is longer than the steps that are taken.
  private static func beginning(
    ofCharacterAt end: String.Index, in whole: String
  ) -> String.Index {
    var place = end
    for _ in 0..<32 where place > whole.startIndex {
      if String.Index(place, within: whole) != nil { return place }
      place = whole.unicodeScalars.index(before: place)
    }
    return end
  }

  /// Returns the text, with an ellipsis if it was cut.
  static func of(_ text: String, limit: Int) -> String {
    let clipped = ClippedText(text, limit: limit)
    return clipped.isCut ? clipped.text + "…" : clipped.text
  }
}

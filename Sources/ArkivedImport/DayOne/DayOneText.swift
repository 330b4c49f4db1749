import Foundation

/// The text of an entry as Arkived stores it: a title line and the rest.
struct DayOneText {
  /// The first line with words, as plain text; nil if there is none.
  private(set) var title: String?
  /// The rest in Markdown, or the whole text if the title doesn't cover its line completely.
  private(set) var notes: String?

  /// The length above which the first line is shortened for the title.
  static let titleLimit = 200

  /// Parses an entry's text.
  ///
  /// - Parameters:
  ///   - markdown: the entry's text as Day One writes it: Markdown in which special characters are
  ///     escaped by backslashes, and media are images with the address `dayone-moment:`.
  ///   - marker: returns what to write for a medium, given the kind in its address, if any, and its
  ///     identifier.
  init(markdown: String, marker: (DayOneMedia.Kind?, String) -> DayOneMarker) {
    var page = MarkdownPage(Self.readable(markdown)) { DayOneLink.replaced(in: $0, with: marker) }
    guard let line = page.titleLine else {
      // A text of only pictures and rules is already covered by the attachments.
      return
    }
    let heading = page.title(at: line)
    title = Self.shortened(heading.text)
    if heading.saysAll, title == heading.text { page.removeTitle(at: line) }
    notes = page.text
  }

  /// Appends the objects' messages that the text doesn't contain.
  mutating func append(_ sayings: [String]) {
    let said = [title, notes].compactMap { $0 }.joined(separator: "\n")
    let new = sayings.filter { saying in
      let value = saying.split(separator: ": ", maxSplits: 1).last.map(String.init) ?? saying
      return !said.contains(value)
    }
    guard let first = new.first else { return }
    guard title != nil else {
      title = Self.shortened(first)
      notes = new.count > 1 || title != first ? Self.list(new) : nil
      return
    }
    notes = [notes, Self.list(new)].compactMap { $0 }.joined(separator: "\n\n")
  }

  private static func list(_ sayings: [String]) -> String {
    sayings.map { "- " + $0.split(whereSeparator: \.isNewline).joined(separator: " ") }
      .joined(separator: "\n")
  }

  /// Returns a text with line separators as line ends and without object replacement characters.
  private static func readable(_ text: String) -> String {
    // Most texts contain none of them, and all have long UTF-8 sequences.
    guard text.utf8.contains(where: { $0 == 0xE2 || $0 == 0xEF || $0 == 0 }) else { return text }
    var scalars = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\u{2028}": scalars.append("\n")
      case "\u{2029}": scalars.append(contentsOf: "\n\n".unicodeScalars)
      case "\u{FFFC}", "\0": break
      default: scalars.append(scalar)
      }
    }
    return String(scalars)
  }

  /// Returns an overlong title cut after a word.
  static func shortened(_ text: String) -> String {
    guard let end = text.index(text.startIndex, offsetBy: titleLimit, limitedBy: text.endIndex),
      end < text.endIndex
    else { return text }
    let room = text[..<text.index(before: end)]
    // A script without spaces is cut at the limit.
    let lastSpace = room.lastIndex(where: \.isWhitespace)
    let cut = lastSpace.map { text.distance(from: $0, to: end) <= titleLimit / 2 } ?? false
    let kept = cut ? room[..<(lastSpace ?? room.endIndex)] : room
    return kept.trimmingCharacters(in: .whitespaces) + "…"
  }
}

/// The Markdown marker for a photo, a video, a recording or a PDF.
struct DayOneMarker: Hashable {
  /// The text shown if pictures can't be displayed, such as "photo".
  var word: String
  /// The name of the attachment.
  var name: String

  /// Returns Markdown for an image or link, such as `![photo](attachment:IMG_8615.jpeg)`.
  func markdown(isImage: Bool, text: String) -> String {
    "\(isImage ? "!" : "")[\(text.isEmpty ? word : text)](attachment:\(address))"
  }

  /// The name without characters that would end a Markdown address.
  private var address: String {
    var bytes: [UInt8] = []
    for byte in name.utf8 {
      switch byte {
      case 0...0x20, 0x7F, UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: "<"),
        UInt8(ascii: ">"), UInt8(ascii: "%"), UInt8(ascii: "\\"), UInt8(ascii: "["),
        UInt8(ascii: "]"):
        let digits = String(byte, radix: 16, uppercase: true)
        bytes.append(contentsOf: "%\(byte < 16 ? "0" : "")\(digits)".utf8)
      default: bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// Day One's addresses of media.
///
/// They are `![](dayone-moment://ID)` for a photo, `![](dayone-moment:/video/ID)` for the other
/// kinds, and `![](dayone-photo://ID)` and the like in old entries.
enum DayOneLink {
  /// Returns every medium that a text refers to, in order.
  static func identifiers(in text: String) -> [String] {
    var identifiers: [String] = []
    walk(text) { link in
      identifiers.append(link.identifier)
      return nil
    }
    return identifiers
  }

  /// Returns a line with its links to media replaced by other text.
  static func replaced(
    in line: String, with marker: (DayOneMedia.Kind?, String) -> DayOneMarker
  ) -> String {
    walk(line) { link in
      marker(link.kind, link.identifier).markdown(isImage: link.isImage, text: link.text)
    }
  }

  private struct Link {
    var kind: DayOneMedia.Kind?
    var identifier: String
    var isImage: Bool
    /// The text between the brackets.
    var text: String
  }

  private static let opening = Array("](dayone-".utf8)

  @discardableResult
  private static func walk(_ text: String, _ replace: (Link) -> String?) -> String {
    // Few lines contain one.
    guard text.utf8.contains(UInt8(ascii: "]")), text.contains("](dayone-") else { return text }
    let bytes = Array(text.utf8)
    var output: [UInt8] = []
    var copied = 0
    var position = 0
    while position < bytes.count {
      guard bytes[position] == opening[0], bytes[position...].starts(with: opening),
        let (link, range) = link(in: bytes, at: position, from: copied)
      else {
        position += 1
        continue
      }
      if let replacement = replace(link) {
        output.append(contentsOf: bytes[copied..<range.lowerBound])
        output.append(contentsOf: replacement.utf8)
        copied = range.upperBound
      }
      position = range.upperBound
    }
    output.append(contentsOf: bytes[copied...])
    return String(decoding: output, as: UTF8.self)
  }

  /// Returns the link whose address follows the bracket at a position, with its range.
  private static func link(
    in bytes: [UInt8], at bracket: Int, from first: Int
  ) -> (Link, Range<Int>)? {
    // Longer text between brackets isn't a description.
    guard
      let start = bytes[max(first, bracket - 1000)..<bracket].lastIndex(of: UInt8(ascii: "["))
    else { return nil }
    var position = bracket + opening.count
    func word(_ isAllowed: (UInt8) -> Bool) -> String {
      let word = bytes[position...].prefix(128).prefix(while: isAllowed)
      position += word.count
      return String(decoding: word, as: UTF8.self)
    }
    func isPart(_ byte: UInt8) -> Bool {
      (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
        || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
    }
    let scheme = word(isPart).lowercased()
    guard bytes.indices.contains(position), bytes[position] == UInt8(ascii: ":") else { return nil }
    position += 1
    _ = word { $0 == UInt8(ascii: "/") }
    var kind = scheme == "moment" ? nil : DayOneMedia.Kind(word: scheme)
    var identifier = word(isPart)
    if bytes.indices.contains(position), bytes[position] == UInt8(ascii: "/") {
      position += 1
      kind = DayOneMedia.Kind(word: identifier)
      identifier = word(isPart)
    }
    guard !identifier.isEmpty, bytes.indices.contains(position),
      bytes[position] == UInt8(ascii: ")"), scheme == "moment" || kind != nil
    else { return nil }
    let isImage = start > first && bytes[start - 1] == UInt8(ascii: "!")
    return (
      Link(
        kind: kind, identifier: identifier, isImage: isImage,
        text: String(decoding: bytes[(start + 1)..<bracket], as: UTF8.self)),
      (isImage ? start - 1 : start)..<(position + 1)
    )
  }
}

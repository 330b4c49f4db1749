package import Foundation

/// A link in a text: `[[2024-03-05]]`, `[[Alex Kim]]`, `[[title of a note|shown words]]` or
/// `[[entry:ID|shown words]]`.
///
/// The form is the same as in Obsidian and Logseq; their `#heading` and `^block` after the name are
/// recognised but ignored.
package struct TextLink: Hashable, Sendable {
  /// The name before `#` and `|`, without surrounding spaces.
  package let name: String
  /// The text after `#`, or nil.
  package let fragment: String?
  /// The words shown instead of the name, or nil.
  package let label: String?
  /// True if the bar before other words has to be escaped, as in a row of a table.
  let isBarEscaped: Bool
  /// The whole link within the text, in bytes.
  package let range: Range<Int>

  /// The prefix of a name that is an ID.
  package static let entryPrefix = "entry:"

  /// The words that a reader sees.
  package var shown: String {
    if let label { return label }
    guard name.hasPrefix(Self.entryPrefix) else { return name }
    return String(name.dropFirst(Self.entryPrefix.count).prefix(8))
  }

  /// Everything that the link may refer to, with the preferred target first.
  package var keys: [LinkKey] {
    var keys: [LinkKey] = []
    if name.lowercased().hasPrefix(Self.entryPrefix) {
      return LinkKey(entry: String(name.dropFirst(Self.entryPrefix.count))).map { [$0] } ?? []
    }
    if let fragment, fragment.hasPrefix("^"), fragment.utf8.count == 37,
      let key = LinkKey(entry: String(fragment.dropFirst()))
    {
      keys.append(key)
    }
    if let day = LinkedDay.read(name) { return keys + [.day(day)] }
    keys.append(.name(NameFolding.key(name)))
    // Obsidian writes the folders of a page if its name alone would be ambiguous.
    if let slash = name.lastIndex(of: "/") {
      let last = String(name[name.index(after: slash)...])
      if let day = LinkedDay.read(last) {
        keys.append(.day(day))
      } else if !last.isEmpty {
        keys.append(.name(NameFolding.key(last)))
      }
    }
    return keys
  }

  /// Returns a link to an entry as stored in texts.
  package static func text(entry id: UUID, shown: String) -> String {
    let words = labelText(shown)
    return "[[\(entryPrefix)\(id.uuidString)\(words.isEmpty ? "" : "|\(words)")]]"
  }

  /// Returns a text as the words of a link, without the characters that would end it.
  package static func labelText(_ text: String) -> String {
    text.filter { !"[]|".contains($0) && !$0.isNewline }.trimmingCharacters(in: .whitespaces)
  }

  /// Returns the link with another name and the same words.
  package func renamed(_ name: String) -> String { renamed(name, showing: label) }

  /// Returns the link with another name and other words, or none if they are nil.
  package func renamed(_ name: String, showing words: String?) -> String {
    replaced(by: "\(name)\(fragment.map { "#\($0)" } ?? "")", showing: words)
  }

  /// Returns a link to something else in the place of this one, with other words, or none if they
  /// are nil.
  package func replaced(by target: String, showing words: String?) -> String {
    "[[\(target)\(words.map { (isBarEscaped ? "\\|" : "|") + $0 } ?? "")]]"
  }

  /// True if a name can be written in a link unchanged.
  package static func canName(_ name: String) -> Bool {
    !name.isEmpty && name.utf8.count <= lengthLimit
      && !name.contains { "[]|#".contains($0) || $0.isNewline }
  }

  /// The length limit of the text between the brackets, in bytes.
  static let lengthLimit = 400
}

/// A possible target of a link.
package enum LinkKey: Hashable, Sendable {
  case day(DayKey)
  /// A folded name of a person or a note.
  case name(String)
  /// An ID, or the beginning of one with at least eight digits.
  case entry(String)

  /// Reads an ID or the beginning of one.
  init?(entry text: String) {
    let digits = text.uppercased().filter { $0 != "-" }
    guard (8...32).contains(digits.utf8.count), digits.utf8.allSatisfy(Self.isDigit) else {
      return nil
    }
    var result = ""
    for (index, digit) in digits.enumerated() {
      if [8, 12, 16, 20].contains(index) { result.append("-") }
      result.append(digit)
    }
    self = .entry(result)
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x41...0x46).contains(byte)
  }

  /// The form stored in the archive's index.
  package var stored: String {
    switch self {
    case .day(let day): "d \(day)"
    case .name(let name): "n \(name)"
    case .entry(let digits): "e \(digits)"
    }
  }
}

// MARK: Reading

extension TextLink {
  /// Returns the links of a Markdown text, in order; code contains none.
  package static func links(in text: String) -> [TextLink] {
    guard mayHaveLinks(text) else { return [] }
    var scan = TextLinkScan(Array(text.utf8))
    scan.run()
    return scan.links
  }

  /// Returns the text with its links replaced.
  ///
  /// - Parameters:
  ///   - text: the text with the links.
  ///   - replacement: returns the new text, or nil to leave the link unchanged.
  /// - Returns: the text with the replacements; unchanged if it has no links.
  package static func replacing(
    in text: String, with replacement: (TextLink) throws -> String?
  ) rethrows -> String {
    let links = links(in: text)
    guard !links.isEmpty else { return text }
    let bytes = Array(text.utf8)
    var result: [UInt8] = []
    var end = 0
    for link in links {
      guard let new = try replacement(link) else { continue }
      result += bytes[end..<link.range.lowerBound]
      result += new.utf8
      end = link.range.upperBound
    }
    return String(decoding: result + bytes[end...], as: UTF8.self)
  }

  /// Returns a text with its links replaced by the words that a reader sees.
  package static func words(of text: String) -> String { replacing(in: text, with: \.shown) }

  /// Returns all possible targets of a text's links, without duplicates, as stored in the archive.
  package static func storedKeys(in text: String) -> Set<String> {
    guard mayHaveLinks(text) else { return [] }
    return Set(links(in: text).flatMap(\.keys).map(\.stored))
  }

  /// Returns true if two opening brackets follow each other; nothing else in the text is parsed.
  private static func mayHaveLinks(_ text: String) -> Bool {
    let found = text.utf8.withContiguousStorageIfAvailable { bytes in
      var start = 0
      while let next = bytes[start...].firstIndex(of: 0x5B), next + 1 < bytes.count {
        if bytes[next + 1] == 0x5B { return true }
        start = next + 1
      }
      return false
    }
    return found ?? text.contains("[[")
  }
}

/// A pass over a text that finds links outside of code, in linear time.
private struct TextLinkScan {
  let bytes: [UInt8]
  var links: [TextLink] = []
  private var index = 0
  private var isAtLineStart = true
  /// True if the line begins with a bar.
  private var isInTable = false
  /// The mark and length of the open fence.
  private var fence: (mark: UInt8, length: Int)?

  /// The distance within which code in a line has to end.
  private static let codeLimit = 4_096

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  mutating func run() {
    while index < bytes.count {
      if isAtLineStart {
        isAtLineStart = false
        isInTable = beginsWithBar(at: index)
        if readFence() { continue }
        if fence != nil {
          skipLine()
          continue
        }
      }
      switch bytes[index] {
      case 0x0A, 0x0D:
        isAtLineStart = true
        index += 1
      case 0x5C:
        // At the end of a line, it escapes nothing.
        let isLast = index + 1 < bytes.count && [0x0A, 0x0D].contains(bytes[index + 1])
        index += isLast ? 1 : 2
      case 0x60: skipCode()
      case 0x5B where index + 1 < bytes.count && bytes[index + 1] == 0x5B: readLink()
      default: index += 1
      }
    }
  }

  private func beginsWithBar(at start: Int) -> Bool {
    let first = bytes[start...].first { $0 != 0x20 && $0 != 0x09 }
    return first == 0x7C
  }

  private mutating func skipLine() {
    while index < bytes.count, bytes[index] != 0x0A, bytes[index] != 0x0D { index += 1 }
  }

  /// Reads a line that opens or closes fenced code (CommonMark 0.31, 4.5).
  ///
  /// - Returns: true if the line was one.
  private mutating func readFence() -> Bool {
    var start = index
    // List items may contain fences.
    while start < bytes.count, bytes[start] == 0x20 || bytes[start] == 0x09 || bytes[start] == 0x3E
    { start += 1 }
    if start + 1 < bytes.count, bytes[start] == 0x2D || bytes[start] == 0x2A,
      bytes[start + 1] == 0x20
    {
      start += 2
    }
    guard start < bytes.count, bytes[start] == 0x60 || bytes[start] == 0x7E else { return false }
    let mark = bytes[start]
    var end = start
    while end < bytes.count, bytes[end] == mark { end += 1 }
    let length = end - start
    guard length >= 3 else { return false }
    var hasTick = false
    var isBlank = true
    var line = end
    while line < bytes.count, bytes[line] != 0x0A, bytes[line] != 0x0D {
      if bytes[line] == 0x60 { hasTick = true }
      if bytes[line] > 0x20 { isBlank = false }
      line += 1
    }
    if let open = fence {
      guard open.mark == mark, length >= open.length, isBlank else { return false }
      fence = nil
    } else {
      guard mark == 0x7E || !hasTick else { return false }
      fence = (mark, length)
    }
    index = line
    return true
  }

  /// Skips code in a line, which ends at as many backticks as it begins with.
  private mutating func skipCode() {
    let length = run(at: index)
    var end = index + length
    let limit = min(bytes.count, end + Self.codeLimit)
    index = end
    var isBlank = false
    while end < limit {
      if bytes[end] == 0x60 {
        let other = run(at: end)
        end += other
        if other == length {
          index = end
          return
        }
        isBlank = false
        continue
      }
      if bytes[end] == 0x0A {
        // A paragraph ends at a blank line.
        if isBlank { return }
        isBlank = true
      } else if bytes[end] > 0x20 {
        isBlank = false
      }
      end += 1
    }
  }

  private func run(at start: Int) -> Int {
    var end = start
    while end < bytes.count, bytes[end] == 0x60 { end += 1 }
    return end - start
  }

  private mutating func readLink() {
    let start = index
    // Of "[[[[", the last two brackets count.
    while index + 2 < bytes.count, bytes[index + 2] == 0x5B { index += 1 }
    let open = index
    let inside = open + 2
    index = inside
    var end = inside
    let limit = min(bytes.count - 1, inside + TextLink.lengthLimit)
    while end < limit, bytes[end] != 0x5D || bytes[end + 1] != 0x5D {
      guard bytes[end] != 0x5B, bytes[end] != 0x0A, bytes[end] != 0x0D else { return }
      end += 1
    }
    guard end < limit, bytes[end] == 0x5D, bytes[end + 1] == 0x5D else { return }
    guard let link = link(inside..<end, range: open..<(end + 2)) else { return }
    index = end + 2
    // An embedded file, as in “![[photo.jpg]]”, is not a link.
    if start > 0, bytes[start - 1] == 0x21, isFile(link.name) { return }
    links.append(link)
  }

  private func link(_ inside: Range<Int>, range: Range<Int>) -> TextLink? {
    let text = String(decoding: bytes[inside], as: UTF8.self)
    let parts = text.split(separator: "|", maxSplits: 1, omittingEmptySubsequences: false)
    var target = parts[0]
    // In a table, the bar is escaped.
    let isBarEscaped = parts.count > 1 ? target.hasSuffix("\\") : isInTable
    if parts.count > 1, isBarEscaped { target.removeLast() }
    let pieces = target.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
    var name = pieces[0].trimmingCharacters(in: .whitespaces)
    if name.lowercased().hasSuffix(".md") { name.removeLast(3) }
    guard !name.isEmpty else { return nil }
    let label = parts.count > 1 ? parts[1].trimmingCharacters(in: .whitespaces) : ""
    return TextLink(
      name: name, fragment: pieces.count > 1 ? String(pieces[1]) : nil,
      label: label.isEmpty ? nil : label, isBarEscaped: isBarEscaped, range: range)
  }

  private func isFile(_ name: String) -> Bool {
    guard let dot = name.lastIndex(of: ".") else { return false }
    let ending = name[name.index(after: dot)...]
    return (1...5).contains(ending.count) && ending.allSatisfy { $0.isLetter || $0.isNumber }
  }
}

import ArkivedCore
import ArkivedCrypto
import Foundation

/// An entry of a journal, whichever form it was read from.
struct JrnlEntry {
  var moment: JrnlMoment
  var title: String
  /// Without blank lines at its start and white space at its end.
  var body: String
  var isStarred: Bool
  /// Names without their symbol, in the order in which the text has them.
  var tags: [String]

  init(moment: JrnlMoment, title: String, body: String, isStarred: Bool, tags: [String]) {
    self.moment = moment
    self.title = title
    self.body = body
    self.isStarred = isStarred
    self.tags = tags
  }

  // MARK: What makes it the same entry

  /// The title as it is compared: without white space, where a printed line may be broken, and without
  /// asterisks at its ends, which jrnl takes for its star.
  var titleKey: String {
    NameFolding.key(
      String(title.trimmingCharacters(in: Self.starsAndSpace).filter { !$0.isWhitespace }))
  }

  /// A hash over what the entry says. It leaves out what the forms of one journal do not agree on:
  /// seconds (JSON has none), tags (they stand in the text), white space at the ends of lines.
  var contentHash: String {
    var hash = SHA256()
    hash.update(data: Data("\(moment.minuteText)\(isStarred ? "*" : " ")".utf8))
    let plainTitle = title.trimmingCharacters(in: Self.starsAndSpace)
      .split(whereSeparator: \.isWhitespace).joined(separator: " ")
    hash.update(data: Data(plainTitle.precomposedStringWithCanonicalMapping.utf8))
    var words = body[...].drop(while: \.isWhitespace)
    words.withUTF8 { bytes in
      var start = 0
      while start < bytes.count {
        let end = bytes.next(0x0A, from: start) ?? bytes.count
        var last = end
        while last > start, bytes[last - 1] == 0x20 || bytes[last - 1] == 0x09 { last -= 1 }
        hash.update(data: [0x0A])
        hash.update(
          bufferPointer: UnsafeRawBufferPointer(
            rebasing: UnsafeRawBufferPointer(bytes)[start..<last]))
        start = end + 1
      }
    }
    return hash.finalize().hexadecimal
  }

  // MARK: Title and body

  static let starsAndSpace = CharacterSet.whitespacesAndNewlines.union(
    CharacterSet(charactersIn: "*"))

  /// Tells title, body and star from an entry's text as it stands behind its date.
  ///
  /// The title is the first line that is not blank. An entry of a single line without an end, as
  /// before a header that follows at once, is cut after its first sentence instead, as jrnl does. A
  /// first line that ends with `*` is starred.
  static func split(_ text: String, cutsSentences: Bool = true) -> (
    title: String, body: String, isStarred: Bool
  ) {
    let firstEnd = lineEnd(text[...])
    let firstLine = text[..<firstEnd].trimmingCharacters(in: .whitespacesAndNewlines)
    let isStarred = firstLine.hasSuffix("*")
    let isStarAlone = isStarred && firstLine.allSatisfy { $0 == "*" || $0.isWhitespace }
    let content = text[(isStarAlone ? firstEnd : text.startIndex)...].drop(while: \.isWhitespace)
    let end = lineEnd(content)
    if end < content.endIndex || isStarred || !cutsSentences {
      let line = String(content[..<end])
      return (
        isStarred ? unstarred(line) : line.trimmingCharacters(in: .whitespaces),
        trimmedBody(String(content[end...])), isStarred
      )
    }
    let cut = sentenceEnd(content)
    return (
      content[..<cut].trimmingCharacters(in: .whitespaces),
      content[cut...].trimmingCharacters(in: .whitespacesAndNewlines), false
    )
  }

  /// Takes the star off a title, and leaves the asterisks that are Markdown's.
  private static func unstarred(_ line: String) -> String {
    var title = line.trimmingCharacters(in: .whitespaces)[...]
    if title.hasSuffix("*"), title.dropLast().last?.isWhitespace != false {
      title = title.dropLast()
    }
    var plain = title.trimmingCharacters(in: .whitespaces)[...]
    if !plain.count(where: { $0 == "*" }).isMultiple(of: 2) {
      if plain.hasSuffix("*") {
        plain = plain.dropLast()
      } else if plain.hasPrefix("*") {
        plain = plain.dropFirst()
      }
    }
    return plain.trimmingCharacters(in: .whitespaces)
  }

  /// A body without blank lines at its start and white space at its end; indentation stays.
  static func trimmedBody(_ text: String) -> String {
    var body = text[...]
    while let last = body.last, last.isWhitespace { body.removeLast() }
    while true {
      let end = lineEnd(body)
      guard end < body.endIndex, body[..<end].allSatisfy(\.isWhitespace) else { break }
      body = body[body.index(after: end)...]
    }
    return String(body)
  }

  /// Lines end with LF alone: other characters that Unicode counts as line ends stay in a title.
  private static func lineEnd(_ text: Substring) -> Substring.Index {
    text.utf8.firstIndex(of: 0x0A) ?? text.endIndex
  }

  private static let sentenceMarks = Set(
    ".!?\u{2026}\u{203C}\u{203D}\u{2047}\u{2048}\u{2049}\u{22EF}\u{FE52}\u{FE57}".unicodeScalars)
  /// Marks after which East Asian writing has no space.
  private static let wideMarks = Set("\u{FF01}\u{FF0E}\u{FF1F}\u{FF61}\u{3002}".unicodeScalars)
  private static let quotes = Set("'\u{2019}\"\u{201D}".unicodeScalars)
  private static let brackets = Set("])".unicodeScalars)

  /// The end of the first sentence: after a mark, perhaps a quote and brackets, and white space.
  private static func sentenceEnd(_ text: Substring) -> Substring.Index {
    let scalars = text.unicodeScalars
    var index = scalars.startIndex
    while index < scalars.endIndex {
      let scalar = scalars[index]
      index = scalars.index(after: index)
      if wideMarks.contains(scalar) { return index }
      guard sentenceMarks.contains(scalar) else { continue }
      var end = index
      if end < scalars.endIndex, quotes.contains(scalars[end]) { end = scalars.index(after: end) }
      while end < scalars.endIndex, brackets.contains(scalars[end]) {
        end = scalars.index(after: end)
      }
      if end < scalars.endIndex, scalars[end].properties.isWhitespace { return end }
    }
    return scalars.endIndex
  }
}

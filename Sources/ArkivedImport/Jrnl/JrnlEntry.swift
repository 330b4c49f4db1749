import ArkivedCore
import ArkivedCrypto
import Foundation

/// An entry of a journal, in any of its forms.
struct JrnlEntry {
  var moment: JrnlMoment
  var title: String
  /// The body without leading blank lines and trailing white space.
  var body: String
  var isStarred: Bool
  /// The tags without their symbol, in order of appearance.
  var tags: [String]

  init(moment: JrnlMoment, title: String, body: String, isStarred: Bool, tags: [String]) {
    self.moment = moment
    self.title = title
    self.body = body
    self.isStarred = isStarred
    self.tags = tags
  }

  // MARK: Identification

  /// The title for comparison: without white space, because a printed line may be wrapped, and
  /// without asterisks at either end, which jrnl takes for its star.
  var titleKey: String {
    NameFolding.key(
      String(title.trimmingCharacters(in: Self.starsAndSpace).filter { !$0.isWhitespace }))
  }

  /// A hash of the entry's contents.
  ///
  /// It excludes details that differ between the forms of a journal: seconds (JSON has none), tags
  /// (they are in the text), white space at the ends of lines.
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

  /// Splits the text after an entry's date into title, body and star.
  ///
  /// The title is the first line that isn't blank. An entry of a single line without a line break,
  /// as when another header follows at once, is cut after its first sentence instead, as jrnl does.
  /// A first line that ends with `*` is starred.
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

  /// Removes the star from a title and keeps the asterisks of Markdown.
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

  /// Returns a body without leading blank lines and trailing white space; indentation is kept.
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

  /// Returns the end of the first line, which is always LF; other characters that Unicode counts as
  /// line ends stay in a title.
  private static func lineEnd(_ text: Substring) -> Substring.Index {
    text.utf8.firstIndex(of: 0x0A) ?? text.endIndex
  }

  private static let sentenceMarks = Set(
    ".!?\u{2026}\u{203C}\u{203D}\u{2047}\u{2048}\u{2049}\u{22EF}\u{FE52}\u{FE57}".unicodeScalars)
  /// Punctuation that East Asian scripts don't follow with a space.
  private static let wideMarks = Set("\u{FF01}\u{FF0E}\u{FF1F}\u{FF61}\u{3002}".unicodeScalars)
  private static let quotes = Set("'\u{2019}\"\u{201D}".unicodeScalars)
  private static let brackets = Set("])".unicodeScalars)

  /// Returns the end of the first sentence: after a full stop or the like, perhaps a quote and
  /// brackets, and white space.
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

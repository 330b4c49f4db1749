import Foundation

/// A part of a search line between spaces, with its position.
struct QueryToken: Hashable, Sendable {
  struct Value: Hashable, Sendable {
    var text: String
    /// The range including quotes, in scalars of the line.
    var range: Range<Int>
  }

  struct Head: Hashable, Sendable {
    var name: QueryLine.Name
    var isExcluded: Bool
    var isMark: Bool
    /// The values that are not blank.
    var values: [Value]
    /// The position at which the values begin.
    var start: Int
    /// True if following words may belong to its value: it has at most one value and no quotes.
    var isOpenEnded: Bool
  }

  enum Form: Hashable, Sendable {
    case word
    /// A phrase in quotes, or an excluded word.
    case phrase
    case filter(Head)
  }

  var form: Form
  var text: String
  /// The range in scalars of the line.
  var range: Range<Int>

  static let quotes: [Unicode.Scalar: Unicode.Scalar] = [
    "\"": "\"", "“": "”", "„": "“", "«": "»",
  ]

  static func tokens(of line: String) -> [QueryToken] {
    var lexer = Lexer(line)
    return lexer.tokens()
  }
}

private struct Lexer {
  private let scalars: [Unicode.Scalar]
  private var index = 0

  init(_ line: String) { scalars = Array(line.unicodeScalars.prefix(QueryLine.lengthLimit)) }

  private func text(_ range: Range<Int>) -> String {
    var view = String.UnicodeScalarView()
    view.append(contentsOf: scalars[range])
    return String(view)
  }

  private func isSpace(_ index: Int) -> Bool { scalars[index].properties.isWhitespace }

  mutating func tokens() -> [QueryToken] {
    var tokens: [QueryToken] = []
    while true {
      while index < scalars.count, isSpace(index) { index += 1 }
      guard index < scalars.count else { return tokens }
      let start = index
      let form = next()
      tokens.append(QueryToken(form: form, text: text(start..<index), range: start..<index))
    }
  }

  private mutating func next() -> QueryToken.Form {
    var isExcluded = false
    if scalars[index] == "-", index + 1 < scalars.count, !isSpace(index + 1),
      scalars[index + 1] != "-"
    {
      isExcluded = true
      index += 1
    }
    if QueryToken.quotes[scalars[index]] != nil {
      _ = quotedText()
      return .phrase
    }
    if let head = mark(isExcluded) ?? operation(isExcluded) { return .filter(head) }
    let start = index
    while index < scalars.count, !isSpace(index), scalars[index] != "\"" { index += 1 }
    // A sign alone still advances by one.
    if index == start { index += 1 }
    return isExcluded ? .phrase : .word
  }

  /// Reads the text between quotation marks, or the rest if there is no closing one.
  private mutating func quotedText() -> String {
    guard let closing = QueryToken.quotes[scalars[index]] else { return "" }
    let start = index + 1
    index = start
    while index < scalars.count, scalars[index] != closing { index += 1 }
    let end = index
    if index < scalars.count { index += 1 }
    return text(start..<end)
  }

  /// Reads `#tag` or `@person`; digits alone are a number unless they are in quotes, and a second
  /// `@` makes it a mail address.
  private mutating func mark(_ isExcluded: Bool) -> QueryToken.Head? {
    let sign = scalars[index]
    guard sign == "#" || sign == "@", index + 1 < scalars.count else { return nil }
    let start = index + 1
    var value: QueryToken.Value
    let begin = index
    let isQuoted = QueryToken.quotes[scalars[start]] != nil
    if isQuoted {
      index = start
      let inner = quotedText()
      value = QueryToken.Value(text: inner, range: start..<index)
    } else {
      var end = start
      while end < scalars.count, isNamePart(scalars[end]) { end += 1 }
      var next = end
      while next < scalars.count, ",;:!?)".unicodeScalars.contains(scalars[next]) { next += 1 }
      guard next == scalars.count || isSpace(next) || scalars[next] == "\"" else { return nil }
      // Punctuation at the end belongs to the sentence.
      while end > start, ".-/'’".unicodeScalars.contains(scalars[end - 1]) { end -= 1 }
      index = next
      value = QueryToken.Value(text: text(start..<end), range: start..<end)
    }
    value.text = value.text.trimmingCharacters(in: .whitespacesAndNewlines)
    let isName =
      isQuoted
      ? !value.text.isEmpty
      : value.text.unicodeScalars.contains {
        $0.properties.isAlphabetic || Self.isPictograph($0)
      }
    guard isName else {
      index = begin
      return nil
    }
    return QueryToken.Head(
      name: sign == "#" ? .tag : .person, isExcluded: isExcluded, isMark: true, values: [value],
      start: start, isOpenEnded: false)
  }

  private func isNamePart(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "_", "-", "/", ".", "'", "’", "&", "+": true
    // These join letters or emoji into one, or tell that they are separate.
    case "\u{200C}", "\u{200D}", "\u{E0020}"..."\u{E007F}": true
    default:
      scalar.properties.isAlphabetic || scalar.properties.numericType != nil
        || scalar.properties.generalCategory == .nonspacingMark
        || scalar.properties.generalCategory == .spacingMark
        || Self.isPictograph(scalar)
    }
  }

  /// Returns true for an emoji, or a sign that becomes one with a selector, such as the heart.
  private static func isPictograph(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.isEmojiPresentation
      || scalar.value >= 0x2600 && scalar.properties.isEmoji
  }

  private static let longestName = QueryLine.Name.allCases.map(\.rawValue.count).max() ?? 0

  /// Reads `name:` with its values.
  private mutating func operation(_ isExcluded: Bool) -> QueryToken.Head? {
    var end = index
    while end < scalars.count, end - index <= Lexer.longestName,
      scalars[end].isASCII, scalars[end].properties.isAlphabetic
    {
      end += 1
    }
    guard end < scalars.count, scalars[end] == ":",
      let name = QueryLine.Name(rawValue: text(index..<end).lowercased())
    else { return nil }
    index = end + 1
    let start = index
    var values: [QueryToken.Value] = []
    var hasQuotes = false
    var hasComma = false
    while index < scalars.count, !isSpace(index) {
      let from = index
      var value = ""
      if QueryToken.quotes[scalars[index]] != nil {
        hasQuotes = true
        value = quotedText()
      } else {
        while index < scalars.count, !isSpace(index), scalars[index] != "\"",
          name.isTime || scalars[index] != ","
        {
          index += 1
        }
        value = text(from..<index)
      }
      let trimmed = value.trimmingCharacters(in: .whitespacesAndNewlines)
      if !trimmed.isEmpty {
        values.append(QueryToken.Value(text: trimmed, range: from..<index))
      }
      guard index < scalars.count, scalars[index] == "," else { break }
      hasComma = true
      index += 1
    }
    return QueryToken.Head(
      name: name, isExcluded: isExcluded, isMark: false, values: values, start: start,
      isOpenEnded: !hasQuotes && !hasComma && !values.isEmpty)
  }
}

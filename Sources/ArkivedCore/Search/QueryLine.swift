import Foundation

/// A search line, read the same way everywhere: words with filters between them.
///
/// `tag:work`, `person:"Alex Doe"`, `kind:health,social`, `source:manual`, `from:march`, `to:2019`,
/// `on:yesterday`, `before:2017`, `after:easter`, `is:pinned`, `#tag` and `@person` are filters; a
/// leading `-` excludes what they match. Commas separate alternative values. Everything else is
/// words, including an operator's name in quotes or with something else before its colon. Any text
/// is a valid line, and it is read in linear time.
package struct QueryLine: Hashable, Sendable {
  /// The property that a filter tests.
  package enum Name: String, Sendable, CaseIterable {
    case tag, person, kind, source, from, to, on, before, after
    /// The state, as in `is:pinned`.
    case state = "is"

    /// True if its value is an expression of time, which may contain commas.
    package var isTime: Bool {
      switch self {
      case .from, .to, .on, .before, .after: true
      default: false
      }
    }
  }

  package struct Filter: Hashable, Sendable {
    package var name: Name
    /// The alternative values, one of which must match; there is at least one, and none is blank.
    package var values: [String]
    package var isExcluded = false
    /// True if it was written with `#` or `@`, which may also belong to a word.
    package var isMark = false
    /// The text as typed.
    package var text: String

    package init(
      _ name: Name, _ values: [String], isExcluded: Bool = false, isMark: Bool = false,
      text: String
    ) {
      self.name = name
      self.values = values
      self.isExcluded = isExcluded
      self.isMark = isMark
      self.text = text
    }
  }

  package enum Part: Hashable, Sendable {
    /// A word or a phrase with its quotes and signs, as `WordQuery` reads them.
    case word(String)
    case filter(Filter)
    /// An operator without a value yet: `tag:`.
    case unfinished(String)
  }

  /// The maximum number of Unicode scalars read; the rest of a longer line is ignored.
  package static let lengthLimit = 20_000
  /// The largest number of filters; further ones are read as words.
  package static let filterLimit = 32
  /// The largest number of words in a value without quotes.
  private static let wordLimit = 4

  package private(set) var parts: [Part] = []

  /// Reads a line.
  ///
  /// - Parameters:
  ///   - line: the line.
  ///   - isValue: returns true if several words together are a value of a filter. It is called for
  ///     the words after an operator without quotes, so that `from:last month` and `person:alex
  ///     kim` are understood.
  package init(_ line: String, isValue: (Name, String) -> Bool = { _, _ in false }) {
    let tokens = QueryToken.tokens(of: line)
    var index = 0
    var filters = 0
    while index < tokens.count {
      let token = tokens[index]
      index += 1
      guard case .filter(let head) = token.form, filters < QueryLine.filterLimit else {
        parts.append(.word(token.text))
        continue
      }
      filters += 1
      var filter = Filter(
        head.name, head.values.map(\.text), isExcluded: head.isExcluded, isMark: head.isMark,
        text: token.text)
      if head.isOpenEnded {
        let more = QueryLine.words(following: index, in: tokens, isValue: isValue, filter)
        for next in tokens[index..<index + more] {
          filter.text += " " + next.text
          filter.values = [(filter.values + [next.text]).joined(separator: " ")]
        }
        index += more
      }
      parts.append(filter.values.isEmpty ? .unfinished(token.text) : .filter(filter))
    }
  }

  /// Returns the number of following words that belong to the value, trying the longest first.
  private static func words(
    following index: Int, in tokens: [QueryToken], isValue: (Name, String) -> Bool,
    _ filter: Filter
  ) -> Int {
    let plain = tokens[index...].prefix(wordLimit - 1).prefix { $0.form == .word }
    for count in stride(from: plain.count, to: 0, by: -1) {
      let words = (filter.values + plain.prefix(count).map(\.text)).joined(separator: " ")
      if isValue(filter.name, words) { return count }
    }
    return 0
  }

  /// The words without the filters.
  package var words: String {
    parts.compactMap { if case .word(let text) = $0 { text } else { nil } }.joined(separator: " ")
  }

  package var filters: [Filter] {
    parts.compactMap { if case .filter(let filter) = $0 { filter } else { nil } }
  }

  package var unfinished: [String] {
    parts.compactMap { if case .unfinished(let text) = $0 { text } else { nil } }
  }

  /// Returns a value as written in a line, in quotes if necessary.
  package static func quoted(_ value: String) -> String {
    let needsQuotes = value.unicodeScalars.contains {
      $0.properties.isWhitespace || $0 == "," || $0 == "\"" || QueryToken.quotes[$0] != nil
    }
    guard needsQuotes || value.isEmpty else { return value }
    // A quotation mark cannot occur within quotation marks of the same kind.
    return value.contains("\"") ? "“\(value)”" : "\"\(value)\""
  }
}

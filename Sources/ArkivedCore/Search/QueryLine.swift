import Foundation

/// A line in a search field as it is read everywhere: words, and filters between them.
///
/// `tag:work`, `person:"Alex Doe"`, `kind:health,social`, `source:manual`, `from:march`, `to:2019`,
/// `on:yesterday`, `before:2017`, `after:easter`, `is:pinned`, `#tag` and `@person` are filters; a
/// `-` in front leaves out what they mean. Commas stand between values of which one is enough. All
/// else are words, and so is an operator's name in quotes or with something else before its colon.
/// Any text is a line, and reading it takes time in proportion to its length.
package struct QueryLine: Hashable, Sendable {
  /// What a filter looks at.
  package enum Name: String, Sendable, CaseIterable {
    case tag, person, kind, source, from, to, on, before, after
    /// `is:pinned`.
    case state = "is"

    /// Whether its value is an expression of time, which may hold commas.
    package var isTime: Bool {
      switch self {
      case .from, .to, .on, .before, .after: true
      default: false
      }
    }
  }

  package struct Filter: Hashable, Sendable {
    package var name: Name
    /// One of them must hold; never empty, and none is blank.
    package var values: [String]
    package var isExcluded = false
    /// Whether it was written with `#` or `@`, which may also be a word's own.
    package var isMark = false
    /// As it was typed.
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
    /// An operator that nothing follows yet: `tag:`.
    case unfinished(String)
  }

  /// A longer line is read by its beginning; counted in Unicode scalars.
  package static let lengthLimit = 20_000
  /// What looks like a further filter is taken as words.
  package static let filterLimit = 32
  /// So many words at most may belong to a value without quotes.
  private static let wordLimit = 4

  package private(set) var parts: [Part] = []

  /// Reads a line.
  ///
  /// - Parameter isValue: whether some words are, taken together, a value of a filter. It is asked
  ///   for what stands behind an operator without quotes, so that `from:last month` and
  ///   `person:alex kim` mean what they say.
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

  /// How many of the words that follow belong to the value, the longest reading first.
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

  /// The words alone.
  package var words: String {
    parts.compactMap { if case .word(let text) = $0 { text } else { nil } }.joined(separator: " ")
  }

  package var filters: [Filter] {
    parts.compactMap { if case .filter(let filter) = $0 { filter } else { nil } }
  }

  package var unfinished: [String] {
    parts.compactMap { if case .unfinished(let text) = $0 { text } else { nil } }
  }

  /// A value as a line may hold it, in quotes where it needs them.
  package static func quoted(_ value: String) -> String {
    let needsQuotes = value.unicodeScalars.contains {
      $0.properties.isWhitespace || $0 == "," || $0 == "\"" || QueryToken.quotes[$0] != nil
    }
    guard needsQuotes || value.isEmpty else { return value }
    // A quote cannot stand inside quotes of its own kind.
    return value.contains("\"") ? "“\(value)”" : "\"\(value)\""
  }
}

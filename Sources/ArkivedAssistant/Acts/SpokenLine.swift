import Foundation

/// A typed sentence as words with their positions, so the rest of the sentence can be used exactly
/// as written.
struct SpokenLine: Sendable {
  struct Word: Sendable {
    /// The word in lower case, without surrounding punctuation.
    var key: String
    var range: Range<String.Index>
    /// True if a colon directly follows the word.
    var endsClause: Bool
  }

  let text: String
  let words: [Word]

  private static let edges = Set<Character>(".,;:!?\"“”„«»()[]")

  init(_ text: String) {
    self.text = text
    words = text.split(whereSeparator: \.isWhitespace).map { piece in
      var inner = piece
      while let last = inner.last, Self.edges.contains(last) { inner = inner.dropLast() }
      while let first = inner.first, Self.edges.contains(first) { inner = inner.dropFirst() }
      let key = inner.lowercased().replacingOccurrences(of: "’", with: "'")
      return Word(
        key: key, range: piece.startIndex..<piece.endIndex, endsClause: piece.hasSuffix(":"))
    }
  }

  var count: Int { words.count }

  func key(_ index: Int) -> String { words.indices.contains(index) ? words[index].key : "" }

  /// Returns the text from a word to the end; empty if there is none.
  func tail(_ index: Int) -> String {
    guard words.indices.contains(index) else { return "" }
    return String(text[words[index].range.lowerBound...]).trimmingCharacters(in: .whitespaces)
  }

  /// Returns the text of a range of words.
  func part(_ range: Range<Int>) -> String {
    guard !range.isEmpty, words.indices.contains(range.lowerBound),
      words.indices.contains(range.upperBound - 1)
    else { return "" }
    let end = words[range.upperBound - 1].range.upperBound
    return String(text[words[range.lowerBound].range.lowerBound..<end])
  }

  /// Matches a pattern from a word onwards, and returns the end of the match; nil if it doesn't
  /// match.
  ///
  /// - Parameters:
  ///   - pattern: words with `|` between alternatives; an optional word ends in `?`.
  ///   - start: the position to start from.
  /// - Returns: the position after the match.
  func after(_ pattern: String, from start: Int = 0) -> Int? {
    var index = start
    for part in pattern.split(separator: " ") {
      let isOptional = part.hasSuffix("?")
      let choices = (isOptional ? part.dropLast() : part).split(separator: "|")
      if choices.contains(where: { $0 == key(index) }) {
        index += 1
      } else if !isOptional {
        return nil
      }
    }
    return index
  }

  /// Returns the last occurrence of any of the words within a range.
  func last(_ keys: Set<String>, in range: Range<Int>) -> Int? {
    range.last { keys.contains(key($0)) }
  }
}

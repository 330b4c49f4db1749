import Foundation

/// The words of a question, each removed once it has been understood.
struct TokenLine {
  var words: [Word]
  var isTaken: [Bool]

  init(_ words: [Word]) {
    self.words = words
    isTaken = words.map { _ in false }
  }

  /// Returns true if a word matches one of the alternatives: "a|b", or "=key" for any form of a
  /// word.
  private func fits(_ pattern: Substring, _ word: Word) -> Bool {
    for part in pattern.split(separator: "|") {
      if part == "*" { return true }
      // The words of a quoted title aren't part of the question.
      if word.isQuoted { return false }
      if part.hasPrefix("=") ? word.key == Lemma.key(String(part.dropFirst())) : word.lower == part
      {
        return true
      }
      if part.hasSuffix("~"), word.lower.hasPrefix(part.dropLast()) { return true }
    }
    return false
  }

  /// Returns the range of a pattern of words; includes consumed words unless `free`.
  ///
  /// A trailing "?" makes a word optional.
  func find(_ pattern: String, free: Bool = false, from start: Int = 0) -> Range<Int>? {
    let parts = pattern.split(separator: " ")
    guard start < words.count else { return nil }
    for begin in start..<words.count {
      var index = begin
      var isMatch = true
      for part in parts {
        let isOptional = part.hasSuffix("?")
        let bare = isOptional ? part.dropLast() : part
        if index < words.count, fits(bare, words[index]), !free || !isTaken[index] {
          index += 1
        } else if !isOptional {
          isMatch = false
          break
        }
      }
      if isMatch, index > begin { return begin..<index }
    }
    return nil
  }

  func has(_ patterns: String...) -> Bool { patterns.contains { find($0) != nil } }

  /// Finds a pattern among the remaining words and consumes it.
  @discardableResult
  mutating func take(_ patterns: String...) -> Range<Int>? {
    for pattern in patterns {
      if let range = find(pattern, free: true) {
        take(range)
        return range
      }
    }
    return nil
  }

  mutating func take(_ range: Range<Int>) {
    for index in range where isTaken.indices.contains(index) { isTaken[index] = true }
  }

  func lower(_ index: Int) -> String { words.indices.contains(index) ? words[index].lower : "" }
  func key(_ index: Int) -> String { words.indices.contains(index) ? words[index].key : "" }

  /// Returns true if the line begins with one of these patterns.
  func begins(_ starts: String...) -> Bool { starts.contains { find($0)?.lowerBound == 0 } }
}

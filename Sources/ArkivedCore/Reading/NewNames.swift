import Foundation

/// Finds names of people who may not be known yet, after words such as "with" and "met".
///
/// In English, any capitalised word there is a name. German capitalises all nouns, so only common
/// first names and words after "Herr", "Frau" or "Dr." count.
struct NewNames {
  let grammar: TimeGrammar
  /// The lower-case words of the line, one per token.
  let words: [String]
  let isGerman: Bool
  private let lexicon = LineLexicon.shared

  /// The tokens of each name, in order.
  var names: [Range<Int>] {
    var names: [Range<Int>] = []
    var index = 0
    while index < words.count {
      guard let start = start(index, after: names.last), let end = end(start) else {
        index += 1
        continue
      }
      names.append(start..<end)
      index = end
    }
    return names
  }

  /// Returns the position at which a name may begin, after a word that introduces a person or after
  /// another name.
  private func start(_ index: Int, after last: Range<Int>?) -> Int? {
    if let last, index == last.upperBound {
      let isJoint =
        ["and", "und"].contains(words[index]) || grammar.isSign(index, ",")
        || grammar.isSign(index, "&")
      return isJoint ? index + 1 : nil
    }
    guard lexicon.has(words[index], .beside), !["and", "und"].contains(words[index]) else {
      return nil
    }
    // For example, "w/ Priya".
    return grammar.isSign(index + 1, "/") && words[index] == "w" ? index + 2 : index + 1
  }

  private func end(_ start: Int) -> Int? {
    guard start < words.count else { return nil }
    if lexicon.has(words[start], .address), grammar.isCapitalised(start) {
      var next = start + 1
      while next < words.count, grammar.isSign(next, ".") || lexicon.has(words[next], .address) {
        next += 1
      }
      guard next < words.count, grammar.isCapitalised(next), grammar.token(next)?.kind == .word
      else { return nil }
      return next + 1
    }
    guard isName(start) else { return nil }
    // This is a family name and not someone else's first name.
    let next = start + 1
    let hasFamily =
      next < words.count && grammar.token(next)?.hasSpaceBefore ?? false && isCapitalisedWord(next)
      && !isGerman && !lexicon.has(words[next], .notName) && isFree(next)
    return hasFamily ? next + 1 : next
  }

  private func isCapitalisedWord(_ index: Int) -> Bool {
    guard let token = grammar.token(index), token.kind == .word, token.isCapitalised else {
      return false
    }
    return !token.isUppercased && !token.isPossessive
  }

  private func isFree(_ index: Int) -> Bool {
    let word = grammar.word(index)
    return TimeWords.weekdays[word] == nil && TimeWords.months[word] == nil
      && Holidays.rule([word]) == nil && TimeWords.parts[word] == nil
  }

  private func isName(_ index: Int) -> Bool {
    guard isCapitalisedWord(index) else { return false }
    if isGerman { return lexicon.has(words[index], .name) }
    return isFree(index) && words[index].count > 1 && !lexicon.has(words[index], .notName)
      && !lexicon.has(words[index], .kin)
  }

  /// Returns the name as written.
  static func plain(_ text: Substring) -> String {
    text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }
}

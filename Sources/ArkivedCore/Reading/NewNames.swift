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
    guard lexicon.ends(words, at: index + 1, .beside), !["and", "und"].contains(words[index])
    else {
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
    // For example, "the Berlin office".
    if start + 1 < words.count, PlaceReader.places.contains(words[start + 1]) { return nil }
    // A family name, not someone else's first name.
    let next = hyphenated(start)
    let hasFamily =
      next < words.count && grammar.token(next)?.hasSpaceBefore ?? false && isCapitalisedWord(next)
      && !isGerman && !lexicon.has(words[next], .notName) && isFree(next)
    return hasFamily ? next + 1 : next
  }

  /// Returns the position after a name with hyphens, such as "Hyun-woo".
  private func hyphenated(_ start: Int) -> Int {
    var next = start + 1
    while grammar.isSign(next, "-"), grammar.isAttached(next), grammar.isAttached(next + 1),
      grammar.token(next + 1)?.kind == .word
    {
      next += 2
    }
    return next
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
    // Common first names are also typed in lower case.
    if index < words.count, !grammar.isCapitalised(index), PersonReader.isFirstName(words[index]) {
      return isFree(index)
    }
    guard isCapitalisedWord(index) else { return false }
    if isMonthName(index) { return true }
    if isGerman { return lexicon.has(words[index], .name) }
    return isFree(index) && words[index].count > 1 && !lexicon.has(words[index], .notName)
      && !lexicon.has(words[index], .kin)
  }

  /// Returns true for a first name that is also the name of a month, if no part of a date follows:
  /// "lunch with May, soup", but not "with May figures" and "with May 3".
  private func isMonthName(_ index: Int) -> Bool {
    guard ["april", "may", "june", "august"].contains(words[index]) else { return false }
    guard let next = grammar.token(index + 1) else { return true }
    return next.kind == .symbol && !grammar.isSign(index + 1, "-")
      && !grammar.isSign(index + 1, "/")
      || ["and", "und", "in", "at", "bei", "im"].contains(words[index + 1])
        && grammar.token(index + 2)?.kind == .word
  }

  /// Returns the name as written.
  static func plain(_ text: Substring) -> String {
    let name = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    return name.prefix(1).uppercased() + name.dropFirst()
  }
}

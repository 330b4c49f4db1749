import ArkivedCore
import Foundation

/// An entry's sentences, split so that their parts can be quoted in the entry's own words.
struct ToldText {
  let text: String
  let words: [Word]
  private let ranges: [Range<String.Index>]
  /// True for words that belong to a time: "on 4 March 2019", "late in the evening".
  private let isTime: [Bool]

  private static let lexicon = ReaderLexicon.shared

  init(_ text: String, times: TimeReader) {
    self.text = text
    words = WordCutter.words(of: text, joinsPhrases: false)
    var ranges: [Range<String.Index>] = []
    var cursor = text.startIndex
    for word in words {
      let range = text.range(of: word.text, range: cursor..<text.endIndex) ?? cursor..<cursor
      ranges.append(range)
      cursor = range.upperBound
    }
    self.ranges = ranges
    let matches = times.matches(in: text).map(\.range)
    var isTime: [Bool] = []
    for (word, range) in zip(words, ranges) {
      // "2019/03/04" is split into three words.
      let goesOn = word.sign == "/" && isTime.last == true && word.text.allSatisfy(\.isNumber)
      isTime.append(
        goesOn || matches.contains { $0.overlaps(range) } || DateFigures.isDate(word.text))
    }
    self.isTime = isTime
  }

  func lower(_ index: Int) -> String { words.indices.contains(index) ? words[index].lower : "" }
  func key(_ index: Int) -> String { words.indices.contains(index) ? words[index].key : "" }
  func isTime(_ index: Int) -> Bool { isTime.indices.contains(index) && isTime[index] }

  /// Returns the original text from one word to another.
  func told(_ range: Range<Int>) -> String {
    guard let first = range.first, let last = range.last else { return "" }
    var told = String(text[ranges[first].lowerBound..<ranges[last].upperBound])
    if words[last].isPossessive { told += "'s" }
    return told
  }

  /// Returns true if a new sentence or clause begins with a word.
  func isBreak(_ index: Int) -> Bool {
    guard words.indices.contains(index), let sign = words[index].sign else { return false }
    // "Dr. Hill" doesn't end a sentence.
    if sign == ".", index > 0, words[index].isCapitalised, words[index - 1].isCapitalised,
      words[index - 1].text.count <= 3, ranges[index].lowerBound > ranges[index - 1].upperBound,
      Self.lexicon.isTitle(words[index - 1].lower)
    {
      return false
    }
    return ".!?;:\n()–—".contains(sign)
  }

  /// True for a capitalised word that isn't the owner's “I”.
  func isName(_ index: Int) -> Bool {
    words.indices.contains(index) && words[index].isCapitalised && lower(index) != "i"
      && !isTime(index)
  }

  // MARK: Phrases

  /// Returns true if another part of the sentence begins with a word: "at the pool", "with Ada".
  func isLead(_ index: Int) -> Bool {
    guard let role = Self.lexicon.lead(lower(index)), !words[index].isQuoted else { return false }
    // "soup with dumplings" is one dish.
    return role != "company" || isPerson(index + 1)
  }

  /// Returns true if a word names a person: "Ada", "my sister", "myself".
  func isPerson(_ index: Int) -> Bool {
    isName(index) || Self.lexicon.isOwn(lower(index)) || lower(index) == "myself"
  }

  /// Returns the words of a phrase, given its first word; in a list, they include the commas.
  func phrase(_ start: Int, isList: Bool) -> Range<Int> {
    var end = start
    while end < words.count {
      if isTime(end) || Self.lexicon.closes(lower(end)) { break }
      if end > start {
        if isBreak(end) || isLead(end) { break }
        let isJoin = Self.lexicon.joins(lower(end)) && Self.lexicon.lead(lower(end)) == nil
        if isJoin, beginsClause(end + 1) { break }
        if words[end].sign == ",", !isList || beginsClause(end) { break }
      }
      end += 1
    }
    return start..<end
  }

  /// Returns true if a clause with its own subject begins at a word: "and I went", "and baked".
  private func beginsClause(_ index: Int) -> Bool {
    guard words.indices.contains(index) else { return true }
    if ["i", "we", "which", "who", "then", "ich", "wir"].contains(lower(index)) { return true }
    return !isName(index) && FrameReader.isVerb(words[index], hasSubject: false)
  }

  /// Returns a place, given its first word: "the pier", "Dubrovnik, Croatia".
  func place(_ start: Int) -> Range<Int> {
    var range = phrase(start, isList: false)
    guard !range.isEmpty else { return range }
    // "Porto to …" and "Leeds start a new job": a name ends before a verb with its object.
    if isName(start),
      let verb = range.dropFirst().first(where: { index in
        !words[index].isCapitalised && ["a", "an", "my", "our"].contains(lower(index + 1))
      })
    {
      range = start..<verb
    }
    var end = range.upperBound
    while isName(start), isName(end), words[end].sign == ",", words[end - 1].isCapitalised {
      let next = phrase(end, isList: false)
      guard next.allSatisfy({ words[$0].isCapitalised }) else { break }
      end = next.upperBound
      if end < words.count, words[end].sign == "," || lower(end) == "and" { break }
    }
    return start..<end
  }

  /// Returns the things of a list: "plums, oat milk, and soap" names three; "fish and chips" is
  /// one.
  func items(_ range: Range<Int>) -> [Range<Int>] {
    var items: [Range<Int>] = []
    var start = range.lowerBound
    func add(_ end: Int) {
      var first = start
      if items.count > 0, Self.lexicon.joins(lower(first)) { first += 1 }
      while first < end, Self.lexicon.isSome(lower(first)) { first += 1 }
      if first < end { items.append(first..<end) }
    }
    for index in range.dropFirst() where words[index].sign == "," {
      add(index)
      start = index
    }
    add(range.upperBound)
    return items
  }

  // MARK: People

  /// Returns the people of an unbroken list of names, with the word after it.
  func names(_ start: Int) -> (names: [String], end: Int) {
    var names: [String] = []
    var index = start
    while isPerson(index), names.isEmpty || index == start || isLinked(index) {
      var end = index + 1
      if isName(index) {
        while isName(end), words[end].sign == nil, !words[end - 1].isPossessive { end += 1 }
      } else if Self.lexicon.isOwn(lower(index)) {
        guard words.indices.contains(end), words[end].sign == nil else { break }
        end += 1
      }
      names.append(told(index..<end))
      index = end
      if Self.lexicon.joins(lower(index)), Self.lexicon.lead(lower(index)) == nil,
        isPerson(index + 1)
      {
        index += 1
      }
    }
    return (names, index)
  }

  private func isLinked(_ index: Int) -> Bool {
    words[index].sign == ","
      || index > 0 && Self.lexicon.joins(lower(index - 1))
        && Self.lexicon.lead(lower(index - 1)) == nil
  }
}

/// Dates in digits, whose format differs from country to country.
enum DateFigures {
  /// Returns true for "2019-03-04" and for a year alone.
  static func isDate(_ word: String) -> Bool {
    word.count >= 4 && word.allSatisfy { $0.isNumber || "-/.".contains($0) }
      && (word.hasPrefix("19") || word.hasPrefix("20")) && (word.count == 4 || word.count > 6)
  }

  /// Writes out the month in "2019/03", because this form is read as a date only if it has a day;
  /// "2011/12" may also be two years.
  static func spelt(_ text: String) -> String {
    guard text.contains("/") else { return text }
    return text.replacing(/\b((?:19|20)[0-9]{2})\/(0?[1-9]|1[0-2])\b(?!\/)/) { match in
      guard let number = Int(match.2), let year = Int(match.1), number != (year + 1) % 100 else {
        return String(match.0)
      }
      let month = MonthName.full[number - 1]
      return "\(month) \(match.1)"
    }
  }
}

import ArkivedCore
import Foundation

/// Finds the value in an entry that a question asks for, in the entry's own words.
struct EntryValues {
  /// The people named in the question, who aren't the answer.
  let people: [String]
  let lexicon: ReaderLexicon
  /// The keys of the members of the requested kind; empty for any thing.
  var members: Set<String> = []
  /// The keys of the verbs whose object is requested.
  var verbs: Set<String> = []

  /// Returns the people mentioned in an entry besides those in the question.
  func persons(_ entry: TimelineEntry) -> [String] {
    entry.people.filter { !people.contains($0) }
  }

  func place(_ entry: TimelineEntry) -> String? {
    if let place = entry.place { return place }
    let frame = frame(entry)
    let role = lexicon.placePrepositions.lazy.compactMap { preposition in
      frame.roles.first { $0.preposition == preposition }
    }.first
    guard let role else { return nil }
    // "In Veldstraat and paid 115": a new clause follows, unless a name continues.
    let words = role.words.indices.prefix { index in
      guard lexicon.joins(role.words[index].lower) else { return true }
      return role.words[checked: index + 1]?.isCapitalised ?? false
    }.map { role.words[$0] }
    return Self.text(words)
  }

  /// Returns the things done or had: the members of a kind that the entry mentions, or the object
  /// of its verb.
  func things(_ entry: TimelineEntry) -> [String] {
    guard members.isEmpty else { return named(entry) }
    return thing(entry).map { [$0] } ?? []
  }

  /// Returns the members of the kind, each with the words that modify it.
  private func named(_ entry: TimelineEntry) -> [String] {
    let words = entry.words
    var found: [String] = []
    for (index, word) in words.enumerated() where members.contains(word.key) {
      // The last word decides in "milk chocolate".
      if let next = words[checked: index + 1], !next.isAfterBreak, members.contains(next.key) {
        continue
      }
      var start = index
      while start > 0, !words[start].isAfterBreak, goes(before: words[start - 1]), index - start < 3
      {
        start -= 1
      }
      if let text = Self.text(Array(words[start...index])) { found.append(text) }
    }
    return found
  }

  /// Returns true if a word may be part of the name of the thing that follows it.
  private func goes(before word: Word) -> Bool {
    let key = word.key
    return !lexicon.isEmpty(word.lower) && !lexicon.isLight(key) && !lexicon.isTalk(word.lower)
      && !lexicon.endsThing(word.lower) && word.text.first?.isNumber != true
      && !lexicon.joins(word.lower) && !word.lower.hasSuffix("ed")
  }

  private func thing(_ entry: TimelineEntry) -> String? {
    let words = entry.words
    let names = Set(entry.people.flatMap { $0.split(separator: " ").map { $0.lowercased() } })
    func isPerson(_ word: Word) -> Bool { names.contains(word.lower) }
    // The words after the verb in the question, otherwise the object of the entry's own verb.
    var starts: [Int] = []
    if let verb = words.firstIndex(where: { verbs.contains($0.key) }) {
      starts = words.indices.dropFirst(verb + 1).prefix { !words[$0].isAfterBreak }
        .drop { lexicon.isEmpty(words[$0].lower) }.prefix(1).map { $0 }
    }
    let frame = frame(entry)
    starts += ([frame.object] + frame.details).compactMap { phrase in
      phrase.first.flatMap { words.firstIndex(of: $0) }
    }
    for start in starts {
      guard !isPerson(words[start]), words[start].text.first?.isNumber != true else { continue }
      var kept: [Word] = []
      for index in start..<words.count {
        let word = words[index]
        if index > start, word.isAfterBreak || lexicon.endsThing(word.lower) { break }
        if lexicon.joins(word.lower),
          words[checked: index + 1].map(isPerson) ?? true
        {
          break
        }
        kept.append(word)
      }
      if let text = Self.text(kept) { return text }
    }
    return nil
  }

  /// Returns a thing's name: the words after "called", or in quotation marks.
  func name(_ entry: TimelineEntry) -> String? {
    if let quoted = entry.text.firstMatch(of: /["“„«]([^"“”„«»]+)["”“»]/) {
      return String(quoted.1)
    }
    let called = /(?:called|named|name is|name's|heißt|namens|genannt)\s+([^,.;:!?()]+)/
    return entry.text.firstMatch(of: called.ignoresCase()).map { String($0.1) }
  }

  /// Returns the entry's amount in a unit, measured or stated in the text.
  func amount(_ entry: TimelineEntry, unit: String) -> Double? {
    entry.amount(in: unit) ?? TextAmounts.read(entry.words, text: entry.text)[unit]
  }

  private func frame(_ entry: TimelineEntry) -> SentenceFrame {
    let people = entry.people.map { (name: $0, words: $0.split(separator: " ").map(String.init)) }
    return FrameReader(people: people).read(entry.words)
  }

  private static func text(_ words: [Word]) -> String? {
    words.isEmpty
      ? nil
      : words.map { $0.text.replacing("_", with: " ") + ($0.isPossessive ? "'s" : "") }
        .joined(separator: " ")
  }
}

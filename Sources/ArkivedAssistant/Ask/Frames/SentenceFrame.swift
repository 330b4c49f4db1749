import Foundation

/// The meaning of a diary sentence from shallow parsing: who did what, with whom, where, about
/// what.
///
/// Derived data: computed only from the text and the names in it, so it can be cached by the text's
/// hash.
package struct SentenceFrame: Hashable, Sendable {
  /// A part of the sentence governed by a preposition, with its position.
  package struct Role: Hashable, Sendable {
    package var preposition: String
    package var words: [Word]
  }

  /// The names of those who did it, if not the writer.
  package var subjects: [String] = []
  /// The verb's key; nil in sentences without one, such as "soup for lunch".
  package var verb: String?
  /// The thing that was done or owned; the sentence's head if there is no verb.
  package var object: [Word] = []
  package var roles: [Role] = []
  /// The phrases after a colon or a comma.
  package var details: [[Word]] = []
  /// The owners of the thing: "Hanna's cake".
  package var owners: [String] = []
  /// The names after prepositions: "from" → Carla.
  package var peopleByRole: [String: [String]] = [:]

  package func role(_ preposition: String) -> [Word]? {
    roles.first { $0.preposition == preposition }?.words
  }

  /// The phrases that may name a thing, most likely first.
  package var phrases: [[Word]] {
    var result: [[Word]] = []
    if !object.isEmpty { result.append(object) }
    result += details
    result += roles.map(\.words)
    return result
  }
}

/// A parser that turns diary sentences into frames.
package struct FrameReader: Sendable {
  /// The folded parts of names, with the person that each refers to in this entry.
  private let names: [String: String]

  /// Creates a reader for an entry's people.
  ///
  /// - Parameter people: the people mentioned in the entry, each with all their names.
  package init(people: [(name: String, words: [String])]) {
    var names: [String: String] = [:]
    for person in people {
      for word in person.words { names[Lemma.key(word)] = person.name }
    }
    self.names = names
  }

  package static let prepositions: Set<String> = [
    "with", "at", "in", "on", "for", "to", "from", "about", "by", "through", "over", "under",
    "after", "before", "off", "into", "without", "round", "around", "near", "until", "behind",
    "along", "against", "between", "as", "like", "during", "across", "down", "up", "onto",
  ]

  package func read(_ words: [Word]) -> SentenceFrame {
    var frame = SentenceFrame()
    let segments = self.segments(FrameReader.told(words))
    for (position, segment) in segments.enumerated() {
      readSegment(segment, isFirst: position == 0, into: &frame)
    }
    return frame
  }

  /// Returns a sentence without the words that introduce the activity: "spent 40 minutes reading
  /// the news" and "an hour of reading the news" are about reading the news.
  static func told(_ words: [Word]) -> [Word] {
    var start = 0
    func lower(_ index: Int) -> String { words.indices.contains(index) ? words[index].lower : "" }
    func isGerund(_ index: Int) -> Bool {
      lower(index).hasSuffix("ing") && lower(index).utf8.count > 5
        && !["morning", "evening", "something", "anything", "nothing", "during"].contains(
          lower(index))
    }
    if ["i", "we"].contains(lower(start)) { start += 1 }
    if ["really", "finally", "also"].contains(lower(start)) { start += 1 }
    if lower(start) == "spent" {
      guard let deed = (start + 1..<start + 9).first(where: isGerund) else { return words }
      return Array(words[deed...])
    }
    if ["enjoyed", "loved", "tried", "went", "began", "started"].contains(lower(start)),
      isGerund(start + 1)
    {
      return Array(words[(start + 1)...])
    }
    let isAmount =
      Quantities.number(lower(0)) != nil
      || ["half", "an", "a", "three", "ten"].contains(lower(0))
    if isAmount, let of = (1..<8).first(where: { lower($0) == "of" && isGerund($0 + 1) }) {
      return Array(words[(of + 1)...])
    }
    return words
  }

  private func segments(_ words: [Word]) -> [[Word]] {
    var result: [[Word]] = []
    for word in words {
      let isBreak = word.sign.map { ",:;()–—.\n/!?".contains($0) } ?? false
      if isBreak || result.isEmpty { result.append([]) }
      result[result.count - 1].append(word)
    }
    return result
  }

  /// Verbs in -ing that can begin a sentence as its verb.
  private static let deeds: Set<String> = [
    "reading", "watching", "cooking", "baking", "eating", "playing", "knitting", "talking",
    "learning", "practising", "sketching", "painting", "making", "having", "drinking", "writing",
    "visiting", "planting", "fixing", "cleaning", "teaching",
  ]

  private func person(_ word: Word) -> String? {
    word.isCapitalised ? names[word.key] : nil
  }

  private func readSegment(_ words: [Word], isFirst: Bool, into frame: inout SentenceFrame) {
    var index = 0
    var subjects: [String] = []
    // Leading names: "Jonas cooked", "Sarah and I shared", "Hanna's leftover cake".
    while index < words.count {
      if let name = person(words[index]) {
        if words[index].isPossessive {
          frame.owners.append(name)
          index += 1
          break
        }
        if !subjects.contains(name) { subjects.append(name) }
        index += 1
      } else if !subjects.isEmpty, ["and", "i"].contains(words[index].lower) {
        index += 1
      } else if subjects.isEmpty, ["i", "we"].contains(words[index].lower) {
        index += 1
      } else {
        break
      }
    }
    // "Breakfast was pancakes"
    if index == 0, words.count > 2,
      ["breakfast", "lunch", "dinner", "supper", "brunch"]
        .contains(words[0].lower), ["was", "were"].contains(words[1].lower)
    {
      index = 1
    }
    let isDeed =
      index == 0 && words.count > 1 && FrameReader.deeds.contains(words[0].lower)
      && !FrameReader.prepositions.contains(words[1].lower) && words[1].sign == nil
    if index < words.count,
      isDeed || FrameReader.isVerb(words[index], hasSubject: !subjects.isEmpty)
    {
      if frame.verb == nil { frame.verb = words[index].key }
      if isFirst { frame.subjects = subjects }
      index += 1
      if index < words.count,
        ["up", "out", "over", "off", "down", "on"].contains(words[index].lower),
        index + 1 < words.count
      {
        index += 1
      }
    } else if !subjects.isEmpty {
      frame.peopleByRole["", default: []] += subjects
    }
    readPhrases(words[index...], isFirst: isFirst, into: &frame)
  }

  private func readPhrases(
    _ words: ArraySlice<Word>, isFirst: Bool, into frame: inout SentenceFrame
  ) {
    var preposition: String?
    var phrase: [Word] = []
    func flush() {
      defer { phrase = [] }
      let people = phrase.compactMap { word in person(word).map { ($0, word.isPossessive) } }
      let trimmed = FrameReader.trimmed(phrase)
      if let preposition {
        for (name, _) in people { frame.peopleByRole[preposition, default: []].append(name) }
        if !trimmed.isEmpty { frame.roles.append(.init(preposition: preposition, words: trimmed)) }
      } else if !trimmed.isEmpty {
        for (name, isOwner) in people where isOwner { frame.owners.append(name) }
        // "wrote Ada a postcard": Ada is the recipient.
        if isFirst, phrase.count > 1, let verb = frame.verb, FrameReader.giving.contains(verb),
          let name = person(phrase[0]), !phrase[0].isPossessive,
          !["and", "again", "twice", "once", "back", "off", "away"].contains(phrase[1].lower)
        {
          frame.peopleByRole["to", default: []].append(name)
        }
        if isFirst, frame.object.isEmpty {
          frame.object = trimmed
        } else {
          frame.details.append(trimmed)
        }
      }
    }
    for word in words {
      let lower = word.lower
      if FrameReader.prepositions.contains(lower), !word.isQuoted {
        flush()
        preposition = lower
      } else {
        phrase.append(word)
      }
    }
    flush()
  }

  /// Verbs that can have a recipient before the thing.
  private static let giving = QuestionWords.keys(
    "write send give bring lend show post email hand offer tell teach pay")

  /// Returns true if a word at the beginning of a sentence is its verb.
  static func isVerb(_ word: Word, hasSubject: Bool) -> Bool {
    let lower = word.lower
    if notVerbs.contains(lower) { return false }
    if lower.hasSuffix("ed"), lower.utf8.count > 4 { return true }
    if pastForms.contains(lower) { return true }
    return hasSubject && lower.hasSuffix("s") && !lower.hasSuffix("ss") && lower.utf8.count > 3
  }

  private static let notVerbs: Set<String> = [
    "red", "bed", "shed", "mixed", "fried",
    "grilled", "stuffed", "roasted", "smoked", "used", "tired", "crowded", "best", "left-over",
  ]

  private static let pastForms: Set<String> = [
    "ran", "rang", "read", "met", "wrote", "went", "saw", "ate", "drank", "had", "made", "bought",
    "sang", "swam", "slept", "began", "won", "lost", "gave", "got", "took", "came", "sent", "left",
    "found", "built", "rode", "drove", "flew", "spoke", "told", "heard", "felt", "kept", "held",
    "hung", "put", "cut", "let", "sat", "stood", "knit", "dug", "drew", "threw", "caught", "taught",
    "brought", "thought", "fed", "led", "paid", "said", "sold", "spent", "wore", "woke", "grew",
    "did", "was", "were", "became", "broke", "chose", "fell", "forgot", "hid", "hit", "hurt",
    "knew", "lay", "lent", "lit", "meant", "rose", "set", "shook", "shot", "shut", "stole",
    "stuck", "swept", "tore", "understood", "ran into", "run into", "bumped into", "cast", "sewed",
  ]

  /// Returns a phrase without leading articles and trailing particles.
  package static func trimmed(_ words: [Word]) -> [Word] {
    var words = words[...]
    let lead: Set<String> = [
      "a", "an", "some", "another", "more", "and", "my", "our", "half", "then", "new",
      "first", "go", "talked", "bowl", "of",
    ]
    if words.first?.lower == "first", words.dropFirst().first?.lower == "go" {
      words = words.dropFirst(2)
    }
    while let first = words.first, lead.contains(first.lower), words.count > 1, !first.isQuoted {
      if ["first", "go", "new", "half", "bowl", "of"].contains(first.lower) { break }
      words = words.dropFirst()
    }
    let tail: Set<String> = [
      "again", "twice", "once", "more", "finally", "too", "alone", "late", "early", "together",
      "and", "then", "nearly", "tonight", "today", "yesterday", "there", "online",
    ]
    while let last = words.last, tail.contains(last.lower), words.count > 1, !last.isQuoted {
      words = words.dropLast()
    }
    return Array(words)
  }
}

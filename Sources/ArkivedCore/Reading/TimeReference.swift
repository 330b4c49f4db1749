import Foundation

/// A time that only the archive can resolve: "my last term", "when I was in Rome", "during the trip
/// to Kyoto".
package struct TimeReference: Hashable, Sendable {
  /// The subject to look up.
  package enum Subject: Hashable, Sendable {
    /// A term of the goals: "my last term" is -1, "this term" 0, "my next term" 1.
    case term(turn: Int)
    /// A term by number: "term 3", "my third term".
    case numberedTerm(Int)
    /// A stay somewhere or with someone: "when I was in Rome" gives "Rome".
    case stay(String)
    /// Something that was done: "the trip to Kyoto", "our wedding".
    case event(String)
  }

  /// The relation of the intended time to the time of the subject.
  package enum Relation: String, Hashable, Sendable {
    case during, since, before, after, until
  }

  package var range: Range<String.Index>
  package var text: String
  package var relation: Relation
  package var subject: Subject
}

extension TimeReader {
  /// Returns the times in a text that refer to the archive's contents, in order.
  ///
  /// They never overlap the text's `matches`.
  package func references(in text: String) -> [TimeReference] {
    let grammar = grammar(for: text)
    let taken = scan(text, grammar).map(\.tokens)
    var found: [TimeReference] = []
    var index = 0
    while index < grammar.tokens.count {
      guard let (reading, next) = grammar.reference(index),
        !taken.contains(where: { $0.overlaps(index..<next) })
      else {
        index += 1
        continue
      }
      let tokens = grammar.tokens
      let range = tokens[index].range.lowerBound..<tokens[next - 1].range.upperBound
      let subject: TimeReference.Subject
      switch reading.subject {
      case .term(let turn): subject = .term(turn: turn)
      case .numberedTerm(let number): subject = .numberedTerm(number)
      case .stay(let words), .event(let words):
        let span = tokens[words.lowerBound].range.lowerBound..<range.upperBound
        let name = String(text[span])
        if case .stay = reading.subject { subject = .stay(name) } else { subject = .event(name) }
      }
      found.append(
        TimeReference(
          range: range, text: String(text[range]), relation: reading.relation, subject: subject))
      index = next
    }
    return found
  }
}

extension TimeGrammar {
  struct ReferenceReading {
    enum Subject {
      case term(Int), numberedTerm(Int)
      /// A stay or an event, with the tokens of its name.
      case stay(Range<Int>), event(Range<Int>)
    }
    var relation: TimeReference.Relation
    var subject: Subject
  }

  /// Reads a reference to the archive's contents at a position.
  func reference(_ index: Int) -> Parsed<ReferenceReading>? {
    let relations: [String: TimeReference.Relation] = [
      "during": .during, "in": .during, "throughout": .during, "on": .during, "over": .during,
      "since": .since, "before": .before, "after": .after, "until": .until, "till": .until,
    ]
    if isWord(index, "when", "while"), let (words, next) = stay(index + 1) {
      return (ReferenceReading(relation: .during, subject: .stay(words)), next)
    }
    let relation = relations[word(index)]
    let start = relation == nil ? index : index + 1
    if let (subject, next) = term(start) {
      return (ReferenceReading(relation: relation ?? .during, subject: subject), next)
    }
    guard let relation, let (words, next) = event(start) else { return nil }
    return (ReferenceReading(relation: relation, subject: .event(words)), next)
  }

  /// Reads "my last term", "this term", "term 3", "my third term".
  private func term(_ index: Int) -> Parsed<ReferenceReading.Subject>? {
    if isWord(index, "term"), let number = number(index + 1), endsNumber(index + 2) {
      return (.numberedTerm(number), index + 2)
    }
    let start = skipping("my", "the", "our", at: index)
    let turns = ["last": -1, "previous": -1, "this": 0, "current": 0, "running": 0, "next": 1]
    if let turn = turns[word(start)], isWord(start + 1, "term") { return (.term(turn), start + 2) }
    guard start > index, let (number, next) = ordinal(start), isWord(next, "term") else {
      return nil
    }
    return (.numberedTerm(number), next + 1)
  }

  /// Reads "I was in Rome", "we lived with Ana" or "staying at the Ritz", and returns the tokens of
  /// the name.
  private func stay(_ index: Int) -> Parsed<Range<Int>>? {
    let start = skipping("i", "we", at: index)
    let verb = skipping("was", "were", "am", "are", at: start)
    let isVerb = isWord(
      verb, "lived", "living", "stayed", "staying", "worked", "working", "studied", "studying")
    guard isVerb || verb > start && start > index else { return nil }
    let place = isVerb ? verb + 1 : verb
    guard isWord(place, "in", "at", "with") else { return nil }
    return name(place + 1)
  }

  private static let events: Set<String> = [
    "trip", "holiday", "holidays", "vacation", "visit", "stay", "journey", "tour", "conference",
    "wedding", "festival", "retreat", "course", "hike", "cruise", "honeymoon", "internship",
    "semester", "party", "funeral", "move", "meeting", "workshop", "marathon",
  ]

  /// Reads "the trip to Kyoto", "our wedding", "my visit with Ana in Bern".
  private func event(_ index: Int) -> Parsed<Range<Int>>? {
    guard isWord(index, "the", "my", "our", "that") else { return nil }
    for noun in index + 1..<index + 4 {
      guard !word(noun).isEmpty else { return nil }
      guard TimeGrammar.events.contains(word(noun)) else { continue }
      if isWord(noun + 1, "to", "in", "at", "with", "of", "through", "around"),
        let (words, next) = name(noun + 2)
      {
        return (index + 1..<words.upperBound, next)
      }
      return isWord(index, "the") && noun == index + 1 ? nil : (index + 1..<noun + 1, noun + 1)
    }
    return nil
  }

  /// Reads capitalised words with an article before them and small words between them: "the Isle of
  /// Skye".
  private func name(_ index: Int) -> Parsed<Range<Int>>? {
    var next = skipping("the", at: index)
    guard isCapitalised(next) else { return nil }
    while isCapitalised(next)
      || isWord(next, "of", "de", "the", "and", "la") && isCapitalised(next + 1)
    {
      next += 1
    }
    return (index..<next, next)
  }
}

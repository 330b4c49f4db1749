import ArkivedCore
import Foundation

/// A question about a single sentence: its unknown, and the words that the sentence has to contain.
struct SentenceQuestion {
  enum Unknown { case people, place, thing, reason, day, length, confirmation }

  var unknown: Unknown
  /// The noun after "which" or "what": "fruits", "hobby".
  var kind: Word?
  /// The words that the sentence has to express.
  var content: [Word] = []
  /// The verb for the owner's action.
  var verb: Word?
  /// True if the question asks for people who took part: "with whom", "who was with me".
  var asksCompany = false
  /// The preposition without an object: "what did I take the car for".
  var stranded: String?
  /// Words that specify the name before them: "Italy" in "Turin, Italy".
  var apposed: [Word] = []
  /// True if the question asks for everything in the entries, not for one value.
  var asksAll = false
  /// True if the question asks only for the number of different values.
  var asksNumber = false
  /// The place of the journey during which it happened.
  var journey: [Word] = []

  private static let lexicon = ReaderLexicon.shared

  /// True if the question's verb is more specific than "do" or "have", so the requested things are
  /// the verb's object.
  var isVerbCovered: Bool { verb.map { !QuestionWords.light.contains($0.key) } ?? false }

  /// Parses a question without its times; nil if it asks for more than a single sentence says.
  init?(_ words: [Word]) {
    let lower = words.map(\.lower)
    let isNumber = lower.starts(with: ["how", "many"])
    guard
      !lower.dropFirst(isNumber ? 2 : 0).contains(where: {
        Self.lexicon.isFold($0) || Self.lexicon.isNegation($0)
      }),
      let asked = lower.indices.prefix(3).first(where: { Self.unknowns[lower[$0]] != nil }),
      // "who is my son" asks how things are, not what happened.
      !["is", "are", "am"].contains(lower[checked: asked + 1] ?? "")
    else { return nil }
    var body = asked + 1
    unknown = Self.unknowns[lower[asked]] ?? .thing
    switch lower[asked] {
    case "how":
      guard lower.indices.contains(body), isNumber || lower[body] == "long" else { return nil }
      unknown = .length
      body += 1
      if isNumber {
        guard let end = readKind(words, body), unknown == .place else { return nil }
        (asksNumber, asksAll, body) = (true, true, end)
      }
    case "which", "what", "whats", "list":
      while ["all", "of", "the"].contains(lower[checked: body] ?? "") { body += 1 }
      guard let end = readKind(words, body) else { return nil }
      let isPlural =
        kind.map { $0.lower.hasSuffix("s") && Lemma.key($0.lower) != $0.lower } ?? false
      asksAll = lower[asked] == "list" || unknown == .place && isPlural
      if asksAll, lower[asked] == "list", kind == nil { return nil }
      body = end
    default: break
    }
    if unknown == .confirmation, asked != 0 { return nil }
    readBody(words, body)
    guard content.count <= 16, verb != nil || !content.isEmpty else { return nil }
  }

  /// Parses the noun after "which": the kind of the unknown, with the words around it.
  private mutating func readKind(_ words: [Word], _ start: Int) -> Int? {
    guard
      let end = words.indices.dropFirst(start).first(where: {
        Self.isAuxiliary(words[$0].lower) || ["i", "we", "that"].contains(words[$0].lower)
      })
    else { return nil }
    let lead = words[start..<end].firstIndex { Self.lexicon.lead($0.lower) != nil } ?? end
    let nouns = words[start..<lead].filter {
      !["the", "of", "kind", "sort", "type", "different"].contains($0.lower)
    }
    for index in lead..<end where isContent(words, index, start) {
      if index > lead + 1, words[index].sign == ",", words[index].isCapitalised {
        apposed.append(words[index])
      } else {
        content.append(words[index])
      }
    }
    guard let last = nouns.last else { return end }
    content += nouns.dropLast()
    switch last.lower {
    case "day", "date", "days": unknown = .day
    case "place", "places", "sights", "city", "cities", "town", "towns": unknown = .place
    case "people", "person", "friend", "friends": unknown = .people
    default: unknown = .thing
    }
    kind = last
    return end
  }

  private static let unknowns: [String: Unknown] = [
    "who": .people, "whom": .people, "where": .place, "when": .day, "why": .reason, "how": .length,
    "what": .thing, "which": .thing, "whats": .thing, "list": .thing, "did": .confirmation,
    "have": .confirmation,
  ]

  static func isAuxiliary(_ word: String) -> Bool {
    ["did", "do", "does", "have", "has", "had", "was", "were", "is", "are", "am"].contains(word)
  }

  private mutating func readBody(_ words: [Word], _ start: Int) {
    var index = start
    var role: String?
    asksCompany = unknown == .people && words.contains { $0.lower == "with" }
    if let last = words.last, Self.lexicon.lead(last.lower) != nil { stranded = last.lower }
    while index < words.count {
      let lower = words[index].lower
      if let end = readJourney(words, index) {
        index = end
        continue
      }
      role = Self.lexicon.lead(lower) ?? role
      let isOwner = ["i", "we"].contains(lower)
      if isOwner, words.indices.contains(index + 1), !words[index + 1].isAfterBreak {
        let next = words[index + 1]
        if !Self.isAuxiliary(next.lower), Self.lexicon.lead(next.lower) == nil { verb = next }
      }
      if role == "place", words[index].isCapitalised, words[index].sign == ",",
        words[index - 1].isCapitalised
      {
        apposed.append(words[index])
      } else if isContent(words, index, start) {
        content.append(words[index])
      }
      index += 1
    }
    // "who helped me move", "who went with me"
    if verb == nil, !asksAll, words.indices.contains(start), !Self.isAuxiliary(words[start].lower) {
      verb = words[start]
    }
    if verb == nil { verb = content.first { FrameReader.isVerb($0, hasSubject: false) } }
    // "the dishes that Ada had"
    if verb == nil, asksAll { verb = words.last { Self.isAuxiliary($0.lower) } }
  }

  private func isContent(_ words: [Word], _ index: Int, _ start: Int) -> Bool {
    let lower = words[index].lower
    if words[index].isCapitalised, lower != "i", index > 0 { return true }
    return !StopWords.contains(lower) && !Self.isAuxiliary(lower) && !Self.lexicon.isSome(lower)
      && !["anyone", "anybody", "somebody", "someone", "anything", "something", "time"]
        .contains(lower)
  }

  /// Parses "during my trip to Porto" and returns the index after it.
  private mutating func readJourney(_ words: [Word], _ index: Int) -> Int? {
    func lower(_ place: Int) -> String { words.indices.contains(place) ? words[place].lower : "" }
    guard Self.lexicon.lead(lower(index)) != nil else { return nil }
    var place = index + 1
    while ["my", "our", "the", "a"].contains(lower(place)) { place += 1 }
    guard Self.lexicon.isJourney(lower(place)), ["to", "in", "at", "of"].contains(lower(place + 1))
    else { return nil }
    place += 2
    let first = place
    while words.indices.contains(place), words[place].isCapitalised,
      place == first || words[place].sign == nil || words[place].sign == ","
    {
      place += 1
    }
    guard place > first else { return nil }
    journey = Array(words[first..<place])
    return place
  }
}

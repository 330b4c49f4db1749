import ArkivedCore
import Foundation

/// Words that decide which phrase of a frame is the requested thing.
enum FrameWords {
  /// Verbs whose object was eaten or drunk, even if it isn't a known food.
  static let eating = QuestionWords.keys(
    "eat have order cook try share make bake serve drink grill fry taste")

  static let meals = QuestionWords.keys("food dish meal breakfast brunch lunch dinner supper cream")
  static let cooked: Set<String> = [
    "stuffed", "grilled", "fried", "roast", "roasted", "baked", "smoked", "pickled", "boiled",
    "poached", "steamed", "scrambled", "mashed", "braised",
  ]

  /// Returns the topic of a conversation: the words after "about", or after the first colon or
  /// comma.
  static func topic(of words: [Word], isCall: Bool) -> [Word]? {
    if let about = words.firstIndex(where: { $0.lower == "about" }), about + 1 < words.count {
      let topic = Array(words[(about + 1)...].prefix { $0.sign == nil })
      // "about the kitchen in the afternoon for 65 minutes"
      let end = topic.indices.first { index in
        let next = index + 1 < topic.count ? topic[index + 1].lower : ""
        let second = index + 2 < topic.count ? topic[index + 2].lower : ""
        switch topic[index].lower {
        case "for": return isAmount(next)
        case "in", "over", "during", "at", "late", "early":
          return ["morning", "afternoon", "evening", "night", "lunch", "dinner", "breakfast"]
            .contains { $0 == next || $0 == second }
            || ["late", "early"].contains(topic[index].lower)
        default: return false
        }
      }
      return end.map { Array(topic.prefix($0)) } ?? topic
    }
    guard isCall,
      let start = words.firstIndex(where: { $0.sign == ":" })
        ?? words.firstIndex(where: { $0.sign == "," })
    else { return nil }
    let topic = [words[start]] + words[(start + 1)...].prefix { $0.sign == nil }
    return topic.contains { isAmount($0.lower) } ? nil : topic
  }

  /// Kinds whose members are named by an activity in any form: "cycled", "a bike ride".
  static let activities = QuestionWords.keys(
    "exercise sport workout training hobby pastime hobbies sports exercises")
  /// Kinds that a sentence may list.
  static let listed = QuestionWords.keys("fruit vegetable veg")

  /// Returns the food that was eaten: after a verb of eating or a colon, or as in "breakfast was
  /// porridge"; otherwise the beginning of the sentence, such as "carbonara for lunch".
  static func dish(_ words: [Word]) -> [Word]? {
    func phrase(_ start: Int) -> [Word]? {
      let part = words[start...].prefix {
        ($0.sign == nil || $0 == words[start]) && !FrameReader.prepositions.contains($0.lower)
      }
      guard let last = part.last, !meals.contains(last.key), last.key != "chat",
        !part.contains(where: { ["i", "we", "over"].contains($0.lower) })
      else { return nil }
      return Array(part)
    }
    for index in words.indices.dropLast() {
      let isMeal = index > 0 && meals.contains(words[index - 1].key) && words[index].lower == "was"
      if isMeal || eating.contains(words[index].key) || words[index].key == "prepar",
        words[index + 1].sign == nil, let part = phrase(index + 1)
      {
        return part
      }
    }
    if let colon = words.firstIndex(where: { $0.sign == ":" }), let part = phrase(colon) {
      return part
    }
    guard let first = words.first, !FrameReader.isVerb(first, hasSubject: false),
      !["i", "we"].contains(first.lower), words.contains(where: { meals.contains($0.key) })
    else { return nil }
    return phrase(0)
  }

  /// Returns the sight that was visited or seen: "the moss temple was visited", "saw the castle".
  static func sight(_ words: [Word]) -> [Word]? {
    let verbs: Set<String> = ["visit", "see", "climb", "tour", "explor"]
    guard let place = words.firstIndex(where: { verbs.contains($0.key) }) else { return nil }
    if place > 1, ["was", "were"].contains(words[place - 1].lower) {
      return Array(words[..<(place - 1)])
    }
    let object = words[(place + 1)...].prefix {
      $0.sign == nil && !FrameReader.prepositions.contains($0.lower) && $0.lower != "and"
    }
    return object.isEmpty ? nil : Array(object)
  }

  private static func isAmount(_ word: String) -> Bool {
    Quantities.number(word) != nil || ["half", "a", "an", "quarter", "quarters"].contains(word)
  }

  /// Returns true if the head of a phrase, its last word before "and", is in a set.
  static func head(of phrase: [Word], in kind: Set<String>) -> Bool {
    let part = phrase.prefix { !["and", "of", "or", "which", "that"].contains($0.lower) }
    if let last = part.last, kind.contains(last.key) { return true }
    // "face wash" is listed as a single term.
    if part.count > 1, let last = part.last, let before = part.dropLast().last,
      kind.contains(Lemma.key(before.lower + last.lower))
    {
      return true
    }
    // "bowl of ramen"
    if let of = phrase.firstIndex(where: { $0.lower == "of" }), of + 1 < phrase.count,
      let last = phrase[(of + 1)...].last
    {
      return kind.contains(last.key)
    }
    return false
  }
}

import ArkivedCore
import Foundation

/// Names of people in the texts of an archive without a list of people: capitalised words that
/// occur in positions for people ("with Els", "called Mum") more often than in positions for
/// places.
package enum TextPeople {
  private static let before: Set<String> = [
    "with", "met", "called", "rang", "phoned", "visited", "told", "asked", "helped", "texted",
    "and", "beat", "from", "for", "to", "by", "saw", "joined", "invited", "emailed", "messaged",
    "thanked", "see", "call", "meet", "skyped", "facetimed",
  ]
  private static let strong: Set<String> = [
    "with", "met", "called", "rang", "phoned", "visited", "told", "asked", "helped", "texted",
    "joined", "invited", "beat",
  ]
  /// "Nijo castle" isn't a person.
  private static let sights: Set<String> = [
    "castle", "park", "museum", "church", "bridge", "street", "station", "square", "market",
    "temple", "lake", "hall", "pool", "tower", "palace", "garden", "gardens", "island", "river",
    "hill", "beach", "cathedral", "fortress", "quarter", "shrine", "abbey", "harbour", "bay",
    "mountain",
    "district", "theatre", "airport", "forest", "valley", "chapel", "monastery", "basilica",
    "stadium",
  ]
  /// Venues and events where what people see is a work.
  private static let stages: Set<String> = [
    "theatre", "theater", "cinema", "film", "movie", "opera", "ballet", "musical", "concert",
    "exhibition",
  ]
  /// Animals that count as part of the family, as in "Pickle the dog".
  static let animals: Set<String> = ["dog", "cat", "horse", "rabbit", "hamster", "parrot", "pony"]
  private static let places: Set<String> = ["in", "at", "near", "through", "around", "into", "via"]

  /// Returns the names, each with its spellings.
  package static func names(in sentences: [[Word]]) -> [String] {
    var people: [String: Int] = [:]
    var sure: [String: Int] = [:]
    var elsewhere: [String: Int] = [:]
    // Names must also occur inside sentences: "Really" only begins them.
    var inner: Set<String> = []
    // A word that is also written in lower case, such as "Dinner", isn't a name.
    var small: Set<String> = []
    for words in sentences {
      for word in words where !word.isCapitalised { small.insert(word.text) }
    }
    for words in sentences {
      var index = 0
      while index < words.count {
        guard isName(words[index]),
          index > 0 || !FrameReader.isVerb(words[index], hasSubject: false)
        else {
          index += 1
          continue
        }
        var end = index + 1
        while end < words.count, end - index < 3, isName(words[end]), words[end].sign == nil,
          !words[end - 1].isPossessive
        {
          end += 1
        }
        let name = words[index..<end].map(\.text).joined(separator: " ")
        let lead = index > 0 ? words[index - 1].lower : ""
        let follows = end < words.count ? words[end] : nil
        if index > 0 { inner.insert(name) }
        let isSight = follows.map { $0.sign == nil && sights.contains($0.lower) } ?? false
        // "Gareth and I": a person, wherever the name occurs.
        if index == 0, end + 1 < words.count, words[end].lower == "and",
          words[end + 1].lower == "i",
          words[end].sign == nil
        {
          inner.insert(name)
        }
        // "to see Uncle Vanya at the theatre": Uncle Vanya is a work.
        let isWork =
          ["see", "saw"].contains(lead)
          && words.contains { stages.contains($0.lower) }
        if isSight || isWork {
          elsewhere[name, default: 0] += 1
        } else if lead == "visited", end - index > 1 {
          // "visited Harbour Lights": sights have such names more often than people.
        } else if before.contains(lead), index > 0, words[index].sign == nil {
          people[name, default: 0] += 1
          if strong.contains(lead) { sure[name, default: 0] += 1 }
        } else if index == 0, let follows, follows.sign == nil,
          ["and", "came", "rang", "called"].contains(follows.lower)
            || FrameReader.isVerb(follows, hasSubject: false)
        {
          people[name, default: 0] += 1
        } else if places.contains(lead) || ["to", "the"].contains(lead) {
          elsewhere[name, default: 0] += 1
        }
        index = end
      }
    }
    return people.filter { name, count in
      ((sure[name] ?? 0) > 0 || count > 1) && count > (elsewhere[name] ?? 0) * 2
        && !small.contains(name.lowercased()) && inner.contains(name)
    }.keys.sorted()
  }

  /// Words for relatives and others that occur between "my" and a name.
  package static let relations: Set<String> = [
    "mother", "father", "brother", "sister", "partner", "husband", "wife", "niece", "nephew",
    "neighbour", "neighbor", "landlord", "flatmate", "manager", "boss", "grandmother",
    "grandfather", "son", "daughter", "aunt", "uncle", "cousin", "girlfriend", "boyfriend",
    "friend", "colleague", "teacher", "dentist", "doctor",
  ]

  /// Returns the relations that sentences state: Orla → "sister" from "my sister Orla".
  package static func relations(in sentences: [[Word]], of names: [String]) -> [String: String] {
    let firsts = Dictionary(
      names.map { ($0.split(separator: " ").first.map(String.init) ?? $0, $0) },
      uniquingKeysWith: { first, _ in first })
    var counts: [String: [String: Int]] = [:]
    for words in sentences {
      for index in words.indices.dropFirst(2)
      where words[index - 2].lower == "my" && relations.contains(words[index - 1].lower) {
        guard words[index].sign == nil, let name = firsts[words[index].text] else { continue }
        counts[name, default: [:]][words[index - 1].lower, default: 0] += 1
      }
    }
    for words in sentences {
      for index in words.indices.dropFirst(2)
      where words[index - 1].lower == "the" && animals.contains(words[index].lower) {
        guard words[index].sign == nil, let name = firsts[words[index - 2].text] else { continue }
        counts[name, default: [:]][words[index].lower, default: 0] += 1
      }
    }
    return counts.compactMapValues { $0.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key }
  }

  private static func isName(_ word: Word) -> Bool {
    word.isCapitalised && !word.isQuoted && word.text.allSatisfy { $0.isLetter || $0 == "-" }
      && !StopWords.contains(word.lower) && AskReader.weekday(word.lower) == nil
      && !MonthName.full.contains(word.text) && word.text.count > 1
  }
}

/// Decides if a line is about the past or the future.
///
/// Journals are mostly about the past, so a line is about the future only if its words say so.
struct LineTense {
  /// The lower-case words of the line, one per token.
  let words: [String]
  private let lexicon = LineLexicon.shared

  /// Creates the tense of a line.
  ///
  /// - Parameter words: the lower-case words of the line, one per token.
  init(words: [String]) { self.words = words }

  /// True if a word indicates something done: "went", "called", "gegangen", "war".
  var isPast: Bool {
    words.indices.contains { index in
      let word = words[index]
      // For example, "left ankle".
      let isSide =
        word == "left" && index + 1 < words.count && Self.limbs.contains(words[index + 1])
      // For example, "promised to fetch her".
      let isPlan =
        ["promised", "agreed"].contains(word) && index + 1 < words.count
        && words[index + 1] == "to"
      return !isSide && !isPlan && !lexicon.has(word, .notPast)
        && (lexicon.has(word, .past) || word.count > 3 && word.hasSuffix("ed")
          || isParticiple(word))
    }
  }

  /// True if words indicate a plan, such as an appointment, and none indicates that it is over.
  var isAhead: Bool {
    lexicon.isAmong(words, .moved) || lexicon.isAmong(words, .ahead) && !isPast
  }

  private static let limbs: Set<String> = [
    "ankle", "arm", "breast", "calf", "ear", "elbow", "eye", "foot", "hand", "heel", "hip", "knee",
    "leg", "lung", "shoulder", "side", "thigh", "thumb", "toe", "wrist",
  ]

  private static let prefixes = [
    "", "ab", "an", "auf", "aus", "bei", "durch", "ein", "fest", "fort", "her", "hin", "los", "mit",
    "nach", "um", "vor", "weg", "zu", "zurück", "zusammen", "heim", "kennen", "fern", "hoch",
    "runter", "rein", "raus", "rum",
  ]

  /// Returns true for a German participle such as "gegangen", "aufgestanden" or "telefoniert".
  private func isParticiple(_ word: String) -> Bool {
    guard word.count > 5, word.hasSuffix("t") || word.hasSuffix("en") else { return false }
    if word.hasSuffix("iert") { return true }
    return Self.prefixes.contains { prefix in
      word.hasPrefix(prefix + "ge") && word.count > prefix.count + 5
        && !lexicon.has(String(word.dropFirst(prefix.count)), .notPast)
    }
  }
}

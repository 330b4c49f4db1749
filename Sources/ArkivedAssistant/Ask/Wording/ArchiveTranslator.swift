import ArkivedCore
import ArkivedSearch
import Foundation

/// A translator of a question's words into the archive's words, with the dictionary installed on
/// this computer.
///
/// If a word has several meanings, the one that occurs in the archive's entries is used. A word has
/// no translation if none of its meanings occurs in them.
struct ArchiveTranslator {
  typealias Meaning = BilingualDictionary.Meaning

  let dictionary: BilingualDictionary
  let timeline: any Timeline

  /// The weight that a meaning loses with each position in the dictionary's order.
  private static let decay = 0.35
  /// The length of the shortest part of a compound.
  private static let shortestPart = 4
  /// Letters between the parts of a compound.
  private static let joints = ["", "s", "n", "es", "en", "er"]
  /// Words that every German text contains.
  private static let germanSigns = ["und", "nicht", "ich"]
  private static let leastGermanShare = 0.02

  /// Creates a translator; nil if no dictionary is installed.
  init?(_ timeline: any Timeline) {
    guard let dictionary = BilingualDictionary.used ?? .installed() else { return nil }
    self.init(dictionary: dictionary, timeline: timeline)
  }

  init(dictionary: BilingualDictionary, timeline: any Timeline) {
    (self.dictionary, self.timeline) = (dictionary, timeline)
  }

  /// Returns the number of entries that have a word, in any form, or a tag with that name.
  func held(_ word: String) -> Int {
    let key = Lemma.key(word)
    let tags = timeline.names.tagsByKey[key] ?? []
    return timeline.frequency(of: key) + tags.reduce(0) { $0 + (timeline.tags[$1] ?? 0) }
  }

  // MARK: German to English

  /// Returns the meaning of a German word that occurs in the archive; nil if there is none.
  func english(for word: String) -> Meaning? {
    best(dictionary.meanings(ofGerman: word), of: word) ?? compound(word)
  }

  /// Returns true if several meanings of a German word occur in the archive, or if its meaning
  /// comes from the parts of a compound.
  func isAmbiguous(_ word: String) -> Bool {
    let meanings = dictionary.meanings(ofGerman: word).filter { weight($0) > 0 }
    return Set(meanings.map { Lemma.key(Self.content($0.english).last ?? "") }).count != 1
  }

  private func best(_ meanings: [Meaning], of word: String) -> Meaning? {
    let isNoun = word.first?.isUppercase == true
    var best: (score: Double, meaning: Meaning)?
    for (rank, meaning) in meanings.enumerated() {
      let fits = isNoun != meaning.form.isVerb && (isNoun || meaning.form != .noun)
      let score = weight(meaning) / (1 + Self.decay * Double(rank)) * (fits ? 1 : 0.3)
      if score > best?.score ?? 0 { best = (score, meaning) }
    }
    return best?.meaning
  }

  /// Returns how often a meaning occurs in the archive, judged by its rarest word; 0 if a word is
  /// missing.
  private func weight(_ meaning: Meaning) -> Double {
    let words = Self.content(meaning.english)
    guard !words.isEmpty else { return 0 }
    let pasts = meaning.past.map(Self.content) ?? []
    let counts = words.enumerated().map { index, word in
      held(word) + (index < pasts.count && pasts[index] != word ? held(pasts[index]) : 0)
    }
    return log2(1 + Double(counts.min() ?? 0))
  }

  static func content(_ phrase: String) -> [String] {
    let words = phrase.split(separator: " ").map(String.init)
    let content = words.filter { !StopWords.contains($0.lowercased()) }
    return content.isEmpty ? words : content
  }

  /// Translates a compound that isn't in the dictionary by translating its parts.
  private func compound(_ word: String) -> Meaning? {
    let letters = Array(word.lowercased())
    guard letters.count >= 2 * Self.shortestPart else { return nil }
    for place in Self.shortestPart...(letters.count - Self.shortestPart) {
      let last = String(letters[place...]).capitalized
      guard let head = best(dictionary.meanings(ofGerman: last), of: last) else { continue }
      for joint in Self.joints where String(letters[..<place]).hasSuffix(joint) {
        let first = String(letters[..<(place - joint.count)]).capitalized
        guard first.count >= Self.shortestPart - 1,
          let modifier = best(dictionary.meanings(ofGerman: first), of: first)
        else { continue }
        return Meaning(form: head.form, english: modifier.english + " " + head.english)
      }
    }
    return nil
  }

  // MARK: English to German

  /// Returns the German words of the archive for an English word, if some of the entries are in
  /// German.
  func german(for word: String) -> [String] {
    guard isPartlyGerman else { return [] }
    return dictionary.german(for: word).filter {
      $0.count >= Self.shortestPart && timeline.frequency(of: Lemma.key($0)) > 0
    }
  }

  private var isPartlyGerman: Bool {
    let all = timeline.count(
      .activity, where: IndexCondition(days: DayKey.earliest...DayKey.latest))
    let signs = Self.germanSigns.map { timeline.frequency(of: Lemma.key($0)) }.max() ?? 0
    return Double(signs) > Self.leastGermanShare * Double(all)
  }
}

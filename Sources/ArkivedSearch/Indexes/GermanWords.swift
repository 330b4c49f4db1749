import CLibraries
import Foundation

/// The forms and compounds of German words that occur in an archive.
///
/// Index terms are stemmed as in English and have no umlauts. The stems are Snowball's
/// (https://snowballstem.org/algorithms/german/stemmer.html).
struct GermanWords {
  private let index: WordIndex
  private let stemmer: Stemmer

  /// Words that occur in every German text, but in English ones only as names, if at all.
  private static let signs = ["und", "ich", "nicht", "der", "die"]
  /// The share of entries with one of these words at or above which an archive counts as partly
  /// German.
  private static let leastShare = 0.02
  /// Letters that join the parts of a compound, longest first.
  private static let joints = ["ens", "es", "en", "er", "ns", "s", "n", "e"].map { Array($0.utf8) }
  /// The length of the shortest part; shorter words are the beginnings or ends of too many others.
  private static let shortestPart = 4
  /// The largest number of terms with a common beginning that are examined.
  private static let familyLimit = 4_096
  /// The number of terms beyond which only compounds that begin with a word are found, not those
  /// that end with it.
  private static let endingLimit = 200_000
  /// The largest number of compounds used for a word; the most frequent ones are chosen.
  private static let compoundLimit = 200

  /// Creates the forms for an index.
  ///
  /// - Returns: nil if the archive isn't German or the stemmer is not available.
  init?(_ index: WordIndex) throws {
    let least = Int(Double(index.documentCount) * Self.leastShare)
    let most = try Self.signs.map { try index.frequency(of: $0) }.max() ?? 0
    guard most > max(0, least), let stemmer = Stemmer() else { return nil }
    self.index = index
    self.stemmer = stemmer
  }

  /// Returns the other terms that are forms of the word or compounds with it.
  ///
  /// - Parameters:
  ///   - word: the word.
  ///   - terms: returns the index terms of a word.
  /// - Returns: the forms and the compounds.
  /// - Throws: `WordIndexError.damaged` if the file is damaged.
  func relatives(
    of word: String, terms: (String) throws -> [String]
  ) throws -> (forms: [String], compounds: [String]) {
    let word = Self.letters(of: word)
    guard word.count >= Self.shortestPart, Self.isWord(word) else { return ([], []) }
    let stem = stemmer.stem(word)
    // The terms have passed through an English stemmer: “Haus” is stored as “hau”.
    let kept = try [word, stem].flatMap { try terms(String(decoding: $0, as: UTF8.self)) }
      .map { Array($0.utf8) }
    let stems = Set([stem] + kept.map(stemmer.stem) + kept)
    let beginning = ([stem] + kept).min { $0.count < $1.count } ?? stem
    guard beginning.count >= 3 else { return ([], []) }
    return try index.withView { view in
      let dictionary = view.dictionary
      var forms: [[UInt8]] = []
      var compounds: [(frequency: Int, term: [UInt8])] = []
      let range = try dictionary.range(ofPrefix: beginning)
      try Self.forEach(range.prefix(Self.familyLimit), of: dictionary) { place, other in
        guard Self.isWord(other) else { return }
        if stems.contains(stemmer.stem(other)) {
          forms.append(other)
        } else if other.starts(with: stem),
          try isJoined(Array(other.dropFirst(stem.count)), in: dictionary)
        {
          compounds.append((dictionary.documentFrequency(at: place), other))
        }
      }
      if dictionary.count <= Self.endingLimit {
        let endings = Set([word, stem] + forms).filter { $0.count >= Self.shortestPart }
        try Self.forEach(0..<dictionary.count, of: dictionary) { place, other in
          for ending in endings
          where other.count >= ending.count + 3 && other.suffix(ending.count).elementsEqual(ending)
          {
            let start = Array(other.dropLast(ending.count))
            guard Self.isWord(other), try isKnown(start, in: dictionary) else { continue }
            compounds.append((dictionary.documentFrequency(at: place), other))
            return
          }
        }
      }
      compounds.sort { ($1.frequency, $0.term.count) < ($0.frequency, $1.term.count) }
      func text(_ term: [UInt8]) -> String { String(decoding: term, as: UTF8.self) }
      return (forms.map(text), compounds.prefix(Self.compoundLimit).map { text($0.term) })
    }
  }

  /// Returns the parts of a compound that no entry contains, if the archive has both; the most
  /// likely split is chosen.
  ///
  /// - Throws: `WordIndexError.damaged` if the file is damaged.
  func parts(of word: String) throws -> [String]? {
    let word = Self.letters(of: word)
    guard word.count >= 2 * Self.shortestPart, word.count <= 60, Self.isWord(word) else {
      return nil
    }
    return try index.withView { view in
      let dictionary = view.dictionary
      var best: (worth: Int, parts: [String])?
      for cut in Self.shortestPart...(word.count - Self.shortestPart) {
        let (start, end) = (Array(word[..<cut]), Array(word[cut...]))
        guard let first = try known(start, in: dictionary),
          let last = try known(end, in: dictionary)
        else { continue }
        // A split whose rarer part is common is unlikely to be a coincidence.
        let worth = min(first.frequency, last.frequency)
        if best.map({ worth > $0.worth }) ?? true { best = (worth, [first.term, last.term]) }
      }
      return best?.parts
    }
  }

  // MARK: Parts

  /// Returns true if the text after a stem is an ending followed by a word.
  private func isJoined(_ rest: [UInt8], in dictionary: TermDictionary) throws -> Bool {
    if rest.count >= Self.shortestPart, try known(rest, in: dictionary) != nil { return true }
    for joint in Self.joints where rest.starts(with: joint) {
      let word = Array(rest.dropFirst(joint.count))
      if word.count >= Self.shortestPart, try known(word, in: dictionary) != nil { return true }
    }
    return false
  }

  private func isKnown(_ start: [UInt8], in dictionary: TermDictionary) throws -> Bool {
    try known(start, in: dictionary) != nil
  }

  /// Returns the archive's term for a part of a compound: the part itself, the part without its
  /// joining letters, or its stem.
  private func known(
    _ part: [UInt8], in dictionary: TermDictionary
  ) throws -> (term: String, frequency: Int)? {
    var tried: [[UInt8]] = [part, stemmer.stem(part)]
    for joint in Self.joints
    where part.count >= joint.count + 3 && part.suffix(joint.count).elementsEqual(joint) {
      tried.append(Array(part.dropLast(joint.count)))
    }
    for candidate in tried where candidate.count >= 3 {
      guard let place = try dictionary.index(of: candidate) else { continue }
      return (String(decoding: candidate, as: UTF8.self), dictionary.documentFrequency(at: place))
    }
    return nil
  }

  /// Returns a word in the form of terms: in lower case and without umlauts.
  private static func letters(of word: String) -> [UInt8] {
    Array(word.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil).utf8)
  }

  private static func isWord(_ term: [UInt8]) -> Bool {
    term.allSatisfy { $0 >= 0x80 || (0x61...0x7A).contains($0) }
  }

  private static func forEach(
    _ range: Range<Int>, of dictionary: TermDictionary, _ body: (Int, [UInt8]) throws -> Void
  ) throws {
    guard let first = range.first else { return }
    let group = first / TermDictionary.groupSize
    var walk = try TermDictionary.Walk(dictionary, group: group)
    for place in (group * TermDictionary.groupSize)..<range.upperBound {
      _ = try walk.next()
      if place >= range.lowerBound { try body(place, walk.term) }
    }
  }
}

/// Snowball's stemmer for German.
private final class Stemmer {
  private let stemmer: OpaquePointer

  init?() {
    guard let stemmer = sb_stemmer_new("german", "UTF_8") else { return nil }
    self.stemmer = stemmer
  }

  deinit { sb_stemmer_delete(stemmer) }

  func stem(_ word: [UInt8]) -> [UInt8] {
    guard let stem = sb_stemmer_stem(stemmer, word, Int32(word.count)) else { return word }
    return Array(UnsafeBufferPointer(start: stem, count: Int(sb_stemmer_length(stemmer))))
  }
}

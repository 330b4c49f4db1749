/// Suggestions (“Did you mean”): terms that differ from a word by typing mistakes and are far more
/// common.
extension WordIndex {
  /// Returns terms that a rare or unknown word may be a misspelling of, the most likely first.
  ///
  /// A mistake is one letter too many, missing, wrong, or two swapped; words of seven letters or
  /// more may have two. Words of one or two letters, and those with digits, have no suggestions.
  /// Suggestions have the same script, and are at least ten times as frequent as the word itself.
  ///
  /// With `isRare`, terms of a single entry are suggested too, for words of five letters or more
  /// that no entry contains, and only for one mistake.
  ///
  /// - Parameters:
  ///   - word: the word as produced by the tokenizer; terms are compared in their stored, stemmed
  ///     form.
  ///   - limit: the maximum number of terms.
  ///   - isRare: true to suggest rare terms as well.
  ///   - deadline: the time at which to stop and return the results so far.
  /// - Returns: the terms.
  /// - Throws: `WordIndexError.damaged` if the file is damaged.
  package func suggestions(
    for word: String, limit: Int = 3, isRare: Bool = false,
    deadline: ContinuousClock.Instant? = nil
  ) throws -> [SlipCandidate] {
    let letters = Array(word.unicodeScalars)
    guard ((isRare ? SlipCandidate.rareLength : 3)...40).contains(letters.count), limit > 0,
      let script = WordScript(of: letters)
    else { return [] }
    return try withView { view in
      let dictionary = view.dictionary
      let own =
        try dictionary.index(of: Array(word.utf8))
        .map { dictionary.documentFrequency(at: $0) } ?? 0
      if isRare, own > 0 { return [] }
      let least = isRare ? 1 : max(SlipCandidate.common, own * 10)
      var distances = SlipDistances(to: letters, most: !isRare && letters.count >= 7 ? 2 : 1)
      var found: [(slips: Int, frequency: Int, index: Int, term: String)] = []
      guard dictionary.count > 0 else { return [] }
      var walk = try TermDictionary.Walk(dictionary, group: 0)
      for index in 0..<dictionary.count {
        let beginsGroup = index % TermDictionary.groupSize == 0
        if index % 4096 == 0, let deadline, ContinuousClock.now >= deadline { break }
        // The first term of a group is stored completely, regardless of what it shares.
        let before = beginsGroup ? walk.term : []
        var shared = try walk.next()
        let term = walk.term
        if beginsGroup { shared = zip(before, term).prefix { $0 == $1 }.count }
        let slips = distances.advance(to: term, sharing: shared)
        guard let slips, slips > 0 else { continue }
        let frequency = dictionary.documentFrequency(at: index)
        guard frequency >= least else { continue }
        let text = String(decoding: term, as: UTF8.self)
        guard WordScript(of: Array(text.unicodeScalars)) == script else { continue }
        found.append((slips, frequency, index, text))
      }
      found.sort { ($0.slips, $1.frequency, $0.index) < ($1.slips, $0.frequency, $1.index) }
      return found.prefix(limit).map {
        SlipCandidate(term: $0.term, frequency: $0.frequency, slips: $0.slips)
      }
    }
  }

  /// Returns the most likely suggestion.
  ///
  /// - Throws: `WordIndexError.damaged` if the file is damaged.
  package func suggestion(for word: String) throws -> SlipCandidate? {
    try suggestions(for: word, limit: 1).first
  }
}

/// A term that may be the intended spelling of a misspelt word.
package struct SlipCandidate: Hashable, Sendable {
  package var term: String
  /// The number of entries that contain it.
  package var frequency: Int
  package var slips: Int

  /// The smallest number of entries for a term to count as correctly spelt.
  static let common = 3
  /// The smallest length in letters for rare terms to be suggested for a word.
  static let rareLength = 5

  /// Returns true if it is more likely than another: by fewer mistakes, then by more entries.
  func isLikelier(than other: SlipCandidate) -> Bool {
    (slips, -frequency, term) < (other.slips, -other.frequency, other.term)
  }
}

/// Computes the number of mistakes between one word and each of many sorted terms, comparing common
/// beginnings only once.
///
/// This is the restricted Damerau–Levenshtein distance by rows of the usual table: row n contains
/// the distances of the first n letters to all beginnings of the word.
struct SlipDistances {
  private let word: [Unicode.Scalar]
  private let most: Int
  /// The letters of the last term, with the byte after each.
  private var letters: [Unicode.Scalar] = []
  private var ends: [Int] = []
  /// The rows, concatenated.
  private var rows: [Int]
  /// The length in letters of the beginning with which no term can match; the comparison then
  /// stops.
  private var hopeless: Int?

  init(to word: [Unicode.Scalar], most: Int) {
    self.word = word
    self.most = most
    rows = Array(0...word.count)
  }

  /// Compares the next term.
  ///
  /// - Parameters:
  ///   - term: the term.
  ///   - shared: the number of bytes it shares with the previous one.
  /// - Returns: the number of mistakes, or nil if there are too many.
  mutating func advance(to term: [UInt8], sharing shared: Int) -> Int? {
    var kept = ends.count
    while kept > 0, ends[kept - 1] > shared { kept -= 1 }
    if let hopeless {
      if kept >= hopeless { return nil }
      self.hopeless = nil
    }
    let width = word.count + 1
    if kept < letters.count {
      letters.removeLast(letters.count - kept)
      ends.removeLast(ends.count - kept)
      rows.removeLast(rows.count - (kept + 1) * width)
    }
    var place = kept == 0 ? 0 : ends[kept - 1]
    while place < term.count {
      let (letter, length) = Self.scalar(term, at: place)
      place += length
      letters.append(letter)
      ends.append(place)
      if addRow(letter) > most || letters.count > word.count + most {
        hopeless = letters.count
        return nil
      }
    }
    let slips = rows[rows.count - 1]
    return slips <= most ? slips : nil
  }

  /// Adds the row of a letter.
  ///
  /// - Returns: the smallest number of mistakes in it.
  private mutating func addRow(_ letter: Unicode.Scalar) -> Int {
    let width = word.count + 1
    let above = rows.count - width
    var smallest = rows[above] + 1
    rows.append(smallest)
    for column in 1..<width {
      var slips = min(
        rows[above + column] + 1, rows[above + width + column - 1] + 1,
        rows[above + column - 1] + (word[column - 1] == letter ? 0 : 1))
      if column > 1, letters.count > 1, word[column - 2] == letter,
        word[column - 1] == letters[letters.count - 2]
      {
        slips = min(slips, rows[above - width + column - 2] + 1)
      }
      rows.append(slips)
      smallest = min(smallest, slips)
    }
    return smallest
  }

  /// Returns the letter whose bytes begin at a position, and the number of its bytes; an invalid
  /// byte is read as the replacement character.
  private static func scalar(_ bytes: [UInt8], at place: Int) -> (Unicode.Scalar, Int) {
    let first = bytes[place]
    let replacement: Unicode.Scalar = "\u{FFFD}"
    guard first >= 0x80 else { return (Unicode.Scalar(first), 1) }
    let length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2
    guard first >= 0xC2, place + length <= bytes.count else { return (replacement, 1) }
    var value = UInt32(first) & (0xFF >> UInt32(length + 1))
    for byte in bytes[(place + 1)..<(place + length)] { value = value << 6 | UInt32(byte & 0x3F) }
    return (Unicode.Scalar(value) ?? replacement, length)
  }
}

/// The script of a word's letters, as far as it matters for detecting mistakes.
enum WordScript: Hashable {
  case latin, greek, cyrillic, armenian, hebrew, arabic, indic, georgian, hangul, kana, han, other

  /// Determines the script; returns nil for a word with digits or with letters of several scripts.
  init?(of letters: [Unicode.Scalar]) {
    var script: WordScript?
    for letter in letters where !letter.properties.isDiacritic {
      guard letter.properties.numericType == nil || letter.value >= 0x3000 else { return nil }
      let own = Self.script(of: letter.value)
      guard script == nil || script == own else { return nil }
      script = own
    }
    guard let script else { return nil }
    self = script
  }

  /// Returns the script according to the blocks of the Unicode standard.
  private static func script(of value: UInt32) -> WordScript {
    switch value {
    case ..<0x0250, 0x1E00..<0x1F00: .latin
    case 0x0370..<0x0400, 0x1F00..<0x2000: .greek
    case 0x0400..<0x0530: .cyrillic
    case 0x0530..<0x0590: .armenian
    case 0x0590..<0x0600: .hebrew
    case 0x0600..<0x0780: .arabic
    case 0x0900..<0x0E00: .indic
    case 0x10A0..<0x1100: .georgian
    case 0x1100..<0x1200, 0xAC00..<0xD7B0: .hangul
    case 0x3040..<0x3100: .kana
    case 0x3400..<0xA000, 0xF900..<0xFB00, 0x20000..<0x30000: .han
    default: .other
    }
  }
}

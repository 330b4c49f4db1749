import ArkivedCore
import ArkivedSearch
import Foundation

/// The possible forms of a question's word in entries: inflections, translations, synonyms, tags,
/// places and people.
struct ConceptClauses {
  let timeline: TableTimeline
  let lexicon: ReaderLexicon
  /// The English translations of the words of the question's language, for archives written in
  /// English.
  let wording: QuestionWording?
  /// The dictionary, for words that the entries have in another language; nil if none is installed.
  let translator: ArchiveTranslator?

  init(timeline: TableTimeline, lexicon: ReaderLexicon, wording: QuestionWording?) {
    self.timeline = timeline
    self.lexicon = lexicon
    self.wording = wording
    translator = ArchiveTranslator(timeline)
  }

  /// A word with its equivalents in entries.
  struct Clause {
    var word: Word
    var atoms: [IndexCondition.Atom]
    /// The number of entries with one of the atoms.
    var count: Int
    /// True for a verb that the thing already implies, such as buying, seeing or eating.
    var isLight: Bool
    /// True for a verb that entries can omit if they name the thing.
    var isTold: Bool
    /// The weight of the word: the logarithm of the number of all entries divided by the number with
    /// this word.
    var weight: Double

    /// Returns true if an entry has one of the atoms.
    ///
    /// - Parameters:
    ///   - entry: the entry.
    ///   - keys: the words of the entry, or of the examined part.
    /// - Returns: true if it has one.
    func stands(in entry: TimelineEntry, keys: Set<String>) -> Bool {
      atoms.contains { atom in
        switch atom {
        case .word(let key): keys.contains(key)
        case .tag(let tag): entry.tags.contains(tag)
        case .person(let name): entry.people.contains(name)
        case .place(let key): entry.placeKeys.contains(key)
        default: false
        }
      }
    }

    /// The word used instead of an unknown one, if that is uncertain.
    var guess: String?
    /// True if it is a person mentioned in the question.
    var isPerson = false

    var isKnown: Bool { count > 0 }
  }

  /// The minimum similarity, and the one above which words mean the same.
  private static let (leastLikeness, sureLikeness) = (Float(0.5), Float(0.6))

  /// The maximum number of forms of an unknown word; with more, it is a common prefix.
  private static let formLimit = 12

  func clauses(of phrase: String) -> [Clause] { words(of: phrase).map(clause) }

  /// Returns the content words of a phrase; a foreign word that entries have as several words is
  /// replaced with these.
  func words(of phrase: String) -> [Word] {
    let words = WordCutter.words(of: phrase).filter { !lexicon.isEmpty($0.lower) }
    guard wording != nil, let translator else { return words }
    return words.flatMap { word -> [Word] in
      guard !isKnown(word.key), translations(of: word).isEmpty,
        let meaning = translator.english(for: word.text)
      else { return [word] }
      let phrase = meaning.form.isVerb ? meaning.past ?? meaning.english : meaning.english
      let content = ArchiveTranslator.content(phrase)
      return content.count > 1 ? WordCutter.words(of: content.joined(separator: " ")) : [word]
    }
  }

  func clause(_ word: Word) -> Clause {
    var keys = [word.key] + translations(of: word)
    if keys.count == 1 || !keys.contains(where: isKnown) { keys += dictionary(word) }
    var guess: String?
    if !keys.contains(where: isKnown) {
      let likely = likely(word)
      keys += likely.keys
      guess = likely.guess
    }
    let own = keys
    for key in own {
      keys += lexicon.same(key).sorted()
      // "Fishing" isn't a kind of fish, and names have no kind.
      if !word.isCapitalised, !word.lower.hasSuffix("ing") {
        keys += lexicon.members(key).sorted()
      }
    }
    keys += lexicon.things(ofVerb: word.lower).sorted()
    if !keys.contains(where: isKnown) { for key in own { keys += lexicon.near(key).sorted() } }
    var atoms: [IndexCondition.Atom] = [.place(word.key)]
    for key in keys {
      atoms.append(.word(key))
      atoms += (timeline.names.tagsByKey[key] ?? []).map { .tag($0) }
    }
    for key in own.flatMap(lexicon.area) {
      atoms += (timeline.names.tagsByKey[key] ?? []).map { .tag($0) }
    }
    if word.isCapitalised {
      for person in timeline.names.persons.candidates(named: word.text) {
        atoms.append(.person(person.name))
      }
    }
    var seen: Set<IndexCondition.Atom> = []
    atoms = atoms.filter { seen.insert($0).inserted }
    let count = count([atoms])
    let isTold = own.contains(where: lexicon.isTold)
    let isLight = isTold || own.contains(where: lexicon.isLight)
    let weight = log(Double(timeline.entryCount + 2) / Double(count + 1))
    return Clause(
      word: word, atoms: atoms, count: count, isLight: isLight, isTold: isTold,
      weight: isLight ? 0.3 * weight : weight, guess: guess)
  }

  /// Returns the number of entries that match all clauses, including notes if they count.
  func count(_ clauses: [[IndexCondition.Atom]], notes: Bool = true) -> Int {
    var condition = IndexCondition(days: DayKey.earliest...DayKey.latest)
    condition.all = clauses
    return timeline.count(.activity, where: condition)
      + (notes ? timeline.count(.day, where: condition) : 0)
  }

  private func isKnown(_ key: String) -> Bool {
    timeline.frequency(of: key) > 0 || timeline.names.tagsByKey[key] != nil
  }

  private func translations(of word: Word) -> [String] {
    var keys: [String] = []
    for other in [wording?.entries[word.lower], wording?.capitals[word.lower]] {
      guard let other else { continue }
      let english = other.english.split(separator: " ").map(String.init)
      keys += english.filter { !lexicon.isEmpty($0) }.prefix(1).map { Lemma.key($0) }
      keys += other.forms.map { Lemma.key($0) }
    }
    return keys
  }

  /// Returns the keys of the archive's words for one in the other language.
  private func dictionary(_ word: Word) -> [String] {
    guard let translator else { return [] }
    guard wording != nil else { return translator.german(for: word.lower).map { Lemma.key($0) } }
    guard let meaning = translator.english(for: word.text) else { return [] }
    return [meaning.english, meaning.past ?? meaning.english].map(ArchiveTranslator.content)
      .filter { $0.count == 1 }.joined().map { Lemma.key($0) }
  }

  /// Returns the keys of likely replacements for an unknown word: a word one typo away, words with
  /// the same meaning, parts of a compound, and forms that stemming leaves separate.
  private func likely(_ word: Word) -> (keys: [String], guess: String?) {
    let lower = word.lower
    guard lower.count >= 4 else { return ([], nil) }
    let loose = NameFolding.loose(lower)
    if lower.count >= 5, case let slips = near(loose, limit: 1), !slips.isEmpty {
      return (slips, nil)
    }
    let same = lexicon.near(word.key).filter(isKnown)
    if !same.isEmpty { return (same.sorted(), nil) }
    for part in parts(of: lower) {
      let cut = WordCutter.words(of: part).first
      let keys = cut.map { [$0.key] + translations(of: $0) } ?? []
      if keys.contains(where: isKnown) { return (keys, nil) }
    }
    // Within one language, similar words are seldom synonyms: a violin isn't an opera.
    let alike =
      wording == nil
      ? []
      : timeline.names.meanings?.near(lower, least: Self.leastLikeness, spread: 0.1, limit: 6) ?? []
    if let best = alike.first {
      return (
        alike.map { Lemma.key($0.word) }, best.likeness < Self.sureLikeness ? best.word : nil
      )
    }
    guard lower.count >= 5 else { return ([], nil) }
    let stem = String(lower.prefix(max(5, lower.count - 2)))
    let forms = timeline.names.words(startingWith: stem).filter { $0.count <= lower.count + 4 }
    if !forms.isEmpty, forms.count <= Self.formLimit { return (forms.map { Lemma.key($0) }, nil) }
    return (lower.count >= 7 ? near(loose, limit: 2) : [], nil)
  }

  /// Returns the prefixes and suffixes of a compound, longest first: "therapie", "stunden".
  private func parts(of word: String) -> [String] {
    guard word.count >= 8 else { return word.contains("-") ? pieces(word) : [] }
    let letters = Array(word)
    var parts = pieces(word)
    for place in stride(from: letters.count - 3, through: 4, by: -1) {
      parts.append(String(letters[..<place]))
      // The linking letter of a compound: "Arbeit-s-zeit".
      if "sn".contains(letters[place - 1]), place > 5 {
        parts.append(String(letters[..<(place - 1)]))
      }
    }
    return parts
  }

  private func pieces(_ word: String) -> [String] {
    word.contains("-")
      ? word.split(separator: "-").map(String.init).sorted { $0.count > $1.count } : []
  }

  /// Returns the keys of the archive's words within a number of typos.
  private func near(_ word: String, limit: Int) -> [String] {
    let source = Array(word.utf8)
    var best: (distance: Int, words: [String]) = (limit + 1, [])
    // Typos seldom affect the first two letters.
    for candidate in timeline.names.words(startingWith: String(word.prefix(2))) {
      let target = Array(NameFolding.loose(candidate).utf8)
      guard abs(target.count - source.count) <= limit, target.count >= 4 else { continue }
      let distance = Spelling.distance(source, target, limit)
      if distance < best.distance { best = (distance, []) }
      if distance == best.distance, distance <= limit { best.words.append(candidate) }
    }
    return best.words.count <= 3 ? best.words.map { Lemma.key($0) } : []
  }
}

extension TableTimeline {
  /// The number of entries and notes.
  fileprivate var entryCount: Int {
    parts.reduce(0) { $0 + $1.contents.activities.count + $1.contents.notes.count }
  }
}

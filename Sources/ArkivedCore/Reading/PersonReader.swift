package import Foundation

/// A person whose name may occur in a text.
package struct KnownPerson: Hashable, Sendable {
  package var id: UUID?
  package var name: String
  package var aliases: [String]

  package init(id: UUID? = nil, name: String, aliases: [String] = []) {
    self.id = id
    self.name = name
    self.aliases = aliases
  }
}

/// Finds the names of known people in a text.
///
/// Full names and aliases of several words match in any case; those of a single word match as
/// stored or capitalised. A first name alone must be capitalised and follow words that introduce a
/// person ("with", "met", "and", …). Accents don't count. Names that are also common words (Will,
/// May, Grace) always need such a word before them, or another name of the person.
package struct PersonReader: Sendable {
  /// A name in a text.
  package struct NameMatch: Hashable, Sendable {
    package var range: Range<String.Index>
    /// The people the name fits; more than one if it is ambiguous.
    package var candidates: [KnownPerson]
    /// True if it is only a first name and not one of the person's full names.
    package var isFirstName: Bool

    /// The person, if the name fits exactly one.
    package var person: KnownPerson? { candidates.count == 1 ? candidates.first : nil }
  }

  private struct Name: Sendable {
    var words: [String]
    /// The text as written, for names of one word.
    var text: String
    var person: Int
  }

  private let people: [KnownPerson]
  /// The names by their first word, longest first.
  private let names: [String: [Name]]
  private let firstNames: [String: [Int]]

  package init(people: [KnownPerson]) {
    self.people = people
    var names: [String: [Name]] = [:]
    var firstNames: [String: [Int]] = [:]
    for (index, person) in people.enumerated() {
      for text in [person.name] + person.aliases {
        let words = NameFolding.loose(text).split { !PersonReader.isNamePart($0) }.map(String.init)
        guard let first = words.first else { continue }
        names[first, default: []].append(Name(words: words, text: text, person: index))
        if words.count > 1, firstNames[first]?.last != index, !Self.isNoFirstName(first) {
          firstNames[first, default: []].append(index)
        }
      }
    }
    self.names = names.mapValues { $0.sorted { $0.words.count > $1.words.count } }
    self.firstNames = firstNames
  }

  /// Returns true if a word is too unspecific to name a person: an initial, or the first word of
  /// “The Millers”.
  private static func isNoFirstName(_ word: String) -> Bool {
    word.count == 1 || littleWords.contains(word)
  }

  /// Returns the same for a word as it is written, such as “J.” and “Dr.”, and for other titles.
  static func isNoFirstName(_ word: Substring) -> Bool {
    let folded = NameFolding.loose(String(word)).filter { isNamePart($0) }
    return isNoFirstName(folded) || ["prof", "herr", "frau", "sir"].contains(folded)
  }

  private static let littleWords: Set<String> = [
    "the", "a", "an", "my", "me", "we", "us", "our", "you", "your", "he", "she", "his", "her",
    "it", "its", "they", "their", "this", "that", "so", "do", "did", "to", "in", "on", "at", "of",
    "is", "be", "was", "and", "or", "not", "no", "for", "by", "as", "if", "mr", "mrs", "ms", "dr",
  ]

  private static func isNamePart(_ character: Character) -> Bool {
    character.isLetter || character.isNumber || character == "'" || character == "’"
  }

  /// The maximum number of characters read from a text.
  static let characterLimit = 65_536

  /// Returns the people that a name written with an @ may refer to: by any full name or alias,
  /// otherwise by a first name.
  package func candidates(named name: String) -> [KnownPerson] {
    let words = NameFolding.loose(name).split { !PersonReader.isNamePart($0) }.map(String.init)
    guard let first = words.first else { return [] }
    let full = Set((names[first] ?? []).filter { $0.words == words }.map(\.person))
    if !full.isEmpty { return full.sorted().map { people[$0] } }
    return words.count == 1 ? (firstNames[first] ?? []).map { people[$0] } : []
  }

  /// Returns the names in a text, in order and without overlaps.
  ///
  /// With `anyCase`, first names also match in lower case, the way people type questions; they
  /// still need a preceding word that introduces a person. With `isTyped`, common first names and
  /// words such as "mum" match in lower case, the way people type lines.
  package func mentions(
    in text: String, anyCase: Bool = false, isTyped: Bool = false
  ) -> [NameMatch] {
    guard !people.isEmpty else { return [] }
    let words = PersonReader.words(of: text)
    var matches: [NameMatch] = []
    var index = 0
    while index < words.count {
      if let match = match(
        at: index, words, afterMatch: matches.last, anyCase: anyCase, isTyped: isTyped)
      {
        matches.append(match.match)
        index += match.count
      } else {
        index += 1
      }
    }
    return matches
  }

  /// Returns the words of a text that names can begin with, in the form compared by `begins`.
  package static func words(in text: String) -> Set<String> {
    var parts = NameFolding.loose(String(text.prefix(characterLimit)))
      .split { !isNamePart($0) }.map(String.init)
    parts += parts.compactMap(kin)
    return Set(words(of: text).map(\.folded)).union(parts)
  }

  /// Returns "mum" for "mums", as in "at mums".
  private static func kin(_ word: String) -> String? {
    guard word.hasSuffix("s"), LineLexicon.shared.has(String(word.dropLast()), .kin) else {
      return nil
    }
    return String(word.dropLast())
  }

  /// Returns true if a name begins with one of the words of a text, in any case.
  package static func begins(_ name: String, with words: Set<String>) -> Bool {
    let loose = name.utf8.allSatisfy { $0 < 0x80 } ? name.lowercased() : NameFolding.loose(name)
    return loose.split(maxSplits: 1) { !isNamePart($0) }.first
      .map { words.contains(String($0)) } ?? false
  }

  private struct Word {
    var range: Range<String.Index>
    var folded: String
    var text: Substring
    /// True if only white space separates it from the word before.
    var followsWord: Bool
    var isAfterAt: Bool
    var isCapitalised: Bool { text.first?.isUppercase ?? false }
  }

  private static func words(of text: String) -> [Word] {
    let limit =
      text.index(text.startIndex, offsetBy: characterLimit, limitedBy: text.endIndex)
      ?? text.endIndex
    var words: [Word] = []
    var position = text.startIndex
    var isPlainGap = true
    var isAfterAt = false
    while position < limit {
      let first = text[position]
      guard first.isLetter || first.isNumber else {
        isAfterAt = first == "@"
        if !first.isWhitespace && first != "." && first != "-" && first != "_" {
          isPlainGap = false
        }
        text.formIndex(after: &position)
        continue
      }
      var end = position
      while end < limit, isNamePart(text[end]) { text.formIndex(after: &end) }
      var word = text[position..<end]
      while let last = word.last, last == "'" || last == "’" { word = word.dropLast() }
      // "Sam's" refers to Sam.
      let lower = word.lowercased()
      if lower.hasSuffix("'s") || lower.hasSuffix("’s"), word.count > 2 { word = word.dropLast(2) }
      words.append(
        Word(
          range: word.startIndex..<word.endIndex, folded: NameFolding.loose(String(word)),
          text: word, followsWord: isPlainGap, isAfterAt: isAfterAt))
      isPlainGap = word.endIndex == end
      isAfterAt = false
      position = end
    }
    return words
  }

  private func match(
    at index: Int, _ words: [Word], afterMatch last: NameMatch?, anyCase: Bool, isTyped: Bool
  ) -> (match: NameMatch, count: Int)? {
    var word = words[index]
    let lower = word.text.lowercased()
    func isKin(_ text: String) -> Bool { LineLexicon.shared.has(text, .kin) }
    if isTyped, names[word.folded] == nil, let kin = PersonReader.kin(word.folded) {
      word.folded = kin
    }
    let isFamiliar = isTyped && (PersonReader.isFirstName(lower) || isKin(word.folded))
    let before = index > 0 ? words[index - 1].folded : ""
    let isAddressed =
      word.isAfterAt || PersonReader.lead.contains(before)
      || ["and", "or", "und", "oder"].contains(before)
        && last.map { last in
          index >= 2 && last.range.upperBound >= words[index - 2].range.upperBound
        } ?? word.isCapitalised
    if let candidates = names[word.folded] {
      for name in candidates
      where fits(name, at: index, words) || name.words == [word.folded] {
        if name.words.count == 1 {
          let isWritten = word.text == name.text || word.isCapitalised || word.isAfterAt
          let isCommon = PersonReader.isCommon(word.folded)
          guard
            isCommon
              ? isAddressed && (word.isCapitalised || anyCase)
              : isWritten || isAddressed || anyCase || isFamiliar
          else { continue }
        }
        var found = Set(
          candidates.filter { $0.words == name.words }.map(\.person))
        if name.words.count == 1 { found.formUnion(firstNames[word.folded] ?? []) }
        // A person's own one-word name takes precedence over other people's first names.
        let own = candidates.filter { $0.words == name.words }.map(\.person)
        if name.words.count == 1, own.count == 1 { found = Set(own) }
        let range = word.range.lowerBound..<words[index + name.words.count - 1].range.upperBound
        return (
          NameMatch(
            range: range, candidates: found.sorted().map { people[$0] }, isFirstName: false),
          name.words.count
        )
      }
    }
    guard let persons = firstNames[word.folded], isAddressed,
      word.isCapitalised || anyCase || isFamiliar
    else { return nil }
    // "with Sam Miller" doesn't refer to Sam Lee by first name.
    if index + 1 < words.count, words[index + 1].isCapitalised, words[index + 1].followsWord,
      word.isCapitalised, TimeWords.weekdays[words[index + 1].folded] == nil,
      TimeWords.months[words[index + 1].folded] == nil
    {
      return nil
    }
    return (
      NameMatch(range: word.range, candidates: persons.map { people[$0] }, isFirstName: true), 1
    )
  }

  private func fits(_ name: Name, at index: Int, _ words: [Word]) -> Bool {
    guard index + name.words.count <= words.count else { return false }
    for (offset, part) in name.words.enumerated() {
      let word = words[index + offset]
      guard word.folded == part, offset == 0 || word.followsWord else { return false }
    }
    return true
  }

  /// English and German words that introduce a person's name, folded like names.
  private static let lead: Set<String> = [
    "mit", "bei", "fur", "von", "ohne", "traf", "treffe", "getroffen", "besuchte", "besucht",
    "sah", "gesehen", "fragte", "gefragt", "angerufen", "neben",
    "with", "met", "meet", "meeting", "called", "call", "calling", "for", "to", "saw", "see",
    "seeing", "told", "asked", "phoned", "texted", "emailed", "visited", "visit", "visiting",
    "helped", "joined", "invited", "from", "by", "at", "thanked", "hugged", "kissed", "married",
    "about", "dear", "hi", "hey", "hello", "thanks", "bye", "did", "does", "was", "is", "has",
    "w", "vs", "plus", "without", "beside", "near", "of", "1:1", "lunch", "dinner", "coffee",
    "ring", "rang", "wrote", "write", "email", "text", "tell", "ask",
  ]

  /// Returns true for a common first name that isn't also another word, so it is recognised even in
  /// lower case.
  static func isFirstName(_ word: String) -> Bool {
    LineLexicon.shared.has(word, .name) && !isCommon(word)
  }

  private static func isCommon(_ word: String) -> Bool {
    StopWords.contains(word) || commonNames.contains(word) || TimeWords.months[word] != nil
      || TimeWords.seasons[word] != nil
  }

  /// Names that are also everyday words.
  private static let commonNames: Set<String> = [
    "will", "mark", "grace", "rose", "hope", "joy", "art", "bill", "jack", "pat", "sue", "rob",
    "chase", "drew", "dawn", "faith", "bob", "frank", "miles", "rich", "rusty", "sandy", "daisy",
    "lily", "olive", "pearl", "ruby", "robin", "iris", "ivy", "holly", "penny", "victor", "guy",
    "dean", "grant", "lance", "max", "nick", "norm", "ray", "sunny", "wade", "ward", "violet",
    "amber", "angel", "charity", "cherry", "melody", "page", "paige", "peg", "skip", "story",
  ]
}

import Foundation

/// Finds names of people who may not be known yet.
///
/// After words such as "with" and "met", any capitalised English word is a name. Elsewhere only
/// common first names count ("Rosie came for tea", "lent Dec 50 quid"), and so do words after
/// "Herr", "Frau" or "Dr.". German capitalises all nouns, so a name that is also a noun needs a
/// word such as "mit" before it.
struct NewNames {
  let grammar: TimeGrammar
  /// The lower-case words of the line, one per token.
  let words: [String]
  let isGerman: Bool
  private let lexicon = LineLexicon.shared

  /// The tokens of each name, in order.
  var names: [Range<Int>] {
    let isOfMedia = lexicon.isAmong(words, .media)
    var names: [Range<Int>] = []
    var index = 0
    while index < words.count {
      if let start = start(index, after: names.last), let end = end(start) {
        names.append(start..<end)
        index = end
      } else if !isOfMedia, stands(index), let end = end(index, isStanding: true) {
        names.append(index..<end)
        index = end
      } else {
        index += 1
      }
    }
    return names
  }

  /// Words and signs that join names.
  private static let joints: Set<String> = ["and", "und", "u", "n", "&", ",", "+", "sowie"]

  /// Returns the position at which a name may begin, after a word that introduces a person or after
  /// another name.
  private func start(_ index: Int, after last: Range<Int>?) -> Int? {
    if let last, index == last.upperBound {
      guard Self.joints.contains(words[index]) else { return nil }
      // In "wedding of Sam & Aoife, Galway, noon", the comma ends the list.
      let isListed =
        words[index] != "," || isFirstName(index + 1)
        || index + 2 < words.count && words[index + 2] != ","
          && Self.joints.contains(words[index + 2])
      return isListed ? index + 1 : nil
    }
    // For example, "me and Kev".
    if index > 0, index + 1 < words.count, Self.joints.contains(words[index]), words[index] != ",",
      ["me", "ich"].contains(words[index - 1]), grammar.isCapitalised(index + 1)
    {
      return index + 1
    }
    // For example, "getauscht für aylin".
    if ["for", "to", "from", "für", "an", "von"].contains(words[index]), index + 1 < words.count,
      !grammar.isCapitalised(index + 1), isTypedName(words[index + 1])
    {
      return index + 1
    }
    guard lexicon.ends(words, at: index + 1, .beside), !["and", "und"].contains(words[index])
    else {
      return nil
    }
    // For example, "w/ Priya".
    if grammar.isSign(index + 1, "/"), words[index] == "w" { return index + 2 }
    // For example, "mit der Resi".
    let hasArticle =
      index + 2 < words.count && ["der", "dem"].contains(words[index + 1])
      && grammar.isCapitalised(index + 2)
      && FirstNames.meanings(of: words[index + 2])?.contains(.german) == false
    return hasArticle ? index + 2 : index + 1
  }

  private func end(_ start: Int, isStanding: Bool = false) -> Int? {
    guard start < words.count else { return nil }
    if let end = addressed(start) { return end }
    guard isStanding || isName(start) || isBesideName(start) else { return nil }
    // For example, "the Berlin office".
    if !isStanding, start + 1 < words.count,
      PlaceReader.places.contains(words[start + 1]) || Self.groups.contains(words[start + 1])
    {
      return nil
    }
    // A family name, not someone else's first name.
    let next = hyphenated(start)
    let hasFamily =
      next < words.count && grammar.token(next)?.hasSpaceBefore ?? false && isCapitalisedWord(next)
      && !isGerman && !lexicon.has(words[next], .notName) && isFree(next)
    return hasFamily ? next + 1 : next
  }

  /// Words after the name of a place or a company for the people there: "call with the Delhi team".
  private static let groups: Set<String> = [
    "team", "lot", "crew", "group", "gang", "branch", "department", "hq", "people", "folks",
    "family", "clan", "crowd",
  ]

  /// Returns true for a word that is known as a first name.
  private func isFirstName(_ index: Int) -> Bool {
    index < words.count
      && (lexicon.has(words[index], .name)
        || FirstNames.meanings(of: words[index]) != nil)
  }

  /// Relatives who are called so before their names.
  static let relatives: Set<String> = [
    "aunt", "auntie", "aunty", "uncle", "cousin", "grandma", "grandpa", "granny", "nan", "nana",
    "grandad", "gran", "tante", "onkel", "cousine", "oma", "opa",
  ]

  /// Returns the position after a relative with a name, such as "Aunt Carol" and "Oma Inge".
  private func related(_ start: Int) -> Int? {
    guard Self.relatives.contains(words[start]), start + 1 < words.count,
      isCapitalisedWord(start + 1), isFirstName(start + 1), isFree(start + 1)
    else { return nil }
    let isNoun = FirstNames.meanings(of: words[start + 1])?.contains(.german) ?? false
    return isGerman && isNoun && !lexicon.has(words[start + 1], .name) ? nil : start + 2
  }

  /// Returns the position after a name with a title, such as "Frau Becker".
  private func addressed(_ start: Int) -> Int? {
    if let end = related(start) { return end }
    // For example, "quote for mrs hargreaves".
    if ["mr", "mrs"].contains(words[start]), start + 1 < words.count,
      grammar.token(start + 1)?.kind == .word, words[start + 1].count > 2, isFree(start + 1)
    {
      return start + 2
    }
    // For example, "Hausbesuch Fr. Gruber", but not "Fr. Kino".
    if isGerman, start > 0, words[start] == "fr", grammar.isCapitalised(start),
      grammar.isSign(start + 1, "."), grammar.isAttached(start + 1), start + 2 < words.count,
      isCapitalisedWord(start + 2), isFree(start + 2), !lexicon.hasPart(words[start + 2], .place),
      lexicon.periods[words[start + 2]] == nil
    {
      return start + 3
    }
    guard lexicon.has(words[start], .address), grammar.isCapitalised(start) else { return nil }
    var next = start + 1
    while next < words.count, grammar.isSign(next, ".") || lexicon.has(words[next], .address) {
      next += 1
    }
    guard next < words.count, grammar.isCapitalised(next), grammar.token(next)?.kind == .word
    else { return nil }
    return next + 1
  }

  // MARK: Names that nothing introduces

  /// Words before a name that make it part of something else: "in Georgia", "St James".
  private static let notBefore: Set<String> = [
    "at", "in", "the", "a", "an", "st", "saint", "san", "santa", "mount", "lake", "hotel", "cafe",
    "café", "von", "im", "am", "beim", "das", "des",
  ]

  /// Titles that are also ordinary words at the start of a sentence.
  private static let looseTitles: Set<String> = [
    "sister", "father", "doctor", "professor", "pastor", "pfarrer", "miss",
  ]

  /// Returns true for a common first name, or a title with a name, at a position that no word
  /// introduces.
  private func stands(_ index: Int) -> Bool {
    guard isCapitalisedWord(index) else {
      if isTypedSpeaker(index) { return true }
      let isTitle = ["mr", "mrs"].contains(words[index]) || Self.relatives.contains(words[index])
      return isTitle && addressed(index) != nil
    }
    if isVisitor(index) || isSpeaker(index) { return true }
    if let end = addressed(index), !Self.looseTitles.contains(words[index]) {
      return !(grammar.token(end - 1)?.isPossessive ?? false)
    }
    let word = words[index]
    guard word.count > 2, isFree(index), let meanings = FirstNames.meanings(of: word),
      !lexicon.has(word, .notName), !lexicon.has(word, .kin), !meanings.contains(.place),
      index == 0 || !Self.notBefore.contains(words[index - 1]), !isPartOfName(index)
    else { return false }
    if isGerman {
      return !meanings.contains(.german) || lexicon.has(word, .name) && !isSentenceStart(index)
    }
    return !isSentenceStart(index) || !meanings.contains(.english) || isSubject(index)
  }

  /// Returns true if another capitalised word belongs to the same name: "Marks & Spencer".
  private func isPartOfName(_ index: Int) -> Bool {
    if index + 1 < words.count, grammar.isCapitalised(index + 1) {
      let next = words[index + 1]
      if PlaceReader.places.contains(next) || lexicon.hasPart(next, .place) { return true }
    }
    guard index > 0 else { return false }
    if grammar.isSign(index - 1, "&") && grammar.isCapitalised(index - 2)
      || grammar.isSign(index - 1, "-") || grammar.isSign(index - 1, "'")
    {
      return true
    }
    // German nouns are capitalised as well, and so is the first word of a line.
    guard !isGerman, index > 1, let before = grammar.token(index - 1), before.kind == .word else {
      return false
    }
    return before.isCapitalised && !isSentenceStart(index - 1) && isFree(index - 1)
  }

  private func isSentenceStart(_ index: Int) -> Bool {
    index == 0 || [".", "!", "?", ":", "…", "-"].contains(words[index - 1])
      || grammar.token(index - 1)?.kind == .opaque
  }

  /// Returns true if a verb or another name follows: "Lily has a fever", "Rosie and Ben came".
  private func isSubject(_ index: Int) -> Bool {
    guard index + 1 < words.count else { return false }
    if lexicon.has(words[index], .name) { return true }
    if Self.joints.contains(words[index + 1]), index + 2 < words.count {
      return isCapitalisedWord(index + 2) && FirstNames.meanings(of: words[index + 2]) != nil
    }
    return ["has", "is", "isn't", "has", "had", "was"].contains(words[index + 1])
      || LineTense(words: [words[index + 1]]).isPast
  }

  /// Verbs of people who come, after their names.
  private static let comings: Set<String> = [
    "coming", "came", "come", "popped", "popping", "visiting", "visited", "joined", "joining",
    "arrived", "arriving", "stayed", "staying", "called", "left", "rang", "over", "round",
  ]

  /// Returns true for one of two capitalised words that come: "Sipho and Lindiwe coming over".
  private func isVisitor(_ index: Int) -> Bool {
    guard !isGerman else { return false }
    func isPair(_ first: Int) -> Bool {
      guard first >= 0, first + 3 < words.count, words[first + 1] != ",",
        Self.joints.contains(words[first + 1]), Self.comings.contains(words[first + 3])
      else { return false }
      return [first, first + 2].allSatisfy {
        isCapitalisedWord($0) && isFree($0) && !lexicon.has(words[$0], .notName)
          && !lexicon.has(words[$0], .kin) && words[$0].count > 2
      }
    }
    return isPair(index) || isPair(index - 2)
  }

  /// Verbs after a name that only a person can be the subject of.
  private static let speaking: Set<String> = [
    "said", "says", "told", "asked", "helped", "phoned", "texted", "thinks", "thought", "reckons",
    "cooked", "smiled", "wants", "wanted", "brought",
  ]

  /// Returns true for a capitalised word within a sentence that does what people do: "dug all day,
  /// Delwyn helped".
  private func isSpeaker(_ index: Int) -> Bool {
    guard !isGerman, index > 0, index + 1 < words.count, Self.speaking.contains(words[index + 1]),
      words[index].count > 2, !isSentenceStart(index), !isPartOfName(index),
      !grammar.isCapitalised(index - 1), !Self.notBefore.contains(words[index - 1])
    else { return false }
    return isFree(index) && !lexicon.has(words[index], .notName)
      && !lexicon.has(words[index], .kin) && !lexicon.has(words[index], .chain)
  }

  /// Returns true for a first name in lower case that does what people do: "jonas said hi".
  private func isTypedSpeaker(_ index: Int) -> Bool {
    !isGerman && index + 1 < words.count && Self.speaking.contains(words[index + 1])
      && grammar.token(index)?.kind == .word && isTypedName(words[index]) && isFree(index)
  }

  /// Returns true for a capitalised German word that is joined to a name: "mit Thomas und Fenja",
  /// "mit Fenja und Thomas".
  private func isBesideName(_ index: Int) -> Bool {
    guard isGerman, index > 0, isCapitalisedWord(index), isFree(index), isUnlikeNoun(words[index])
    else { return false }
    func isJoint(_ place: Int) -> Bool {
      place < words.count && ["und", "u", "&", "sowie"].contains(words[place])
    }
    func isKnown(_ place: Int) -> Bool { isCapitalisedWord(place) && isName(place) }
    let leads = ["mit", "bei"]
    if leads.contains(words[index - 1]) { return isJoint(index + 1) && isKnown(index + 2) }
    return index > 2 && isJoint(index - 1) && isKnown(index - 2)
      && leads.contains(words[index - 3])
  }

  /// Returns true for a word that may be a name rather than something taken along.
  private func isUnlikeNoun(_ word: String) -> Bool {
    (3...9).contains(word.count) && !Self.nounEndings.contains { word.hasSuffix($0) }
      && !lexicon.has(word, .notName) && !lexicon.has(word, .kin) && !lexicon.has(word, .chain)
      && !lexicon.has(word, .region) && !lexicon.hasPart(word, .place)
      && lexicon.periods[word] == nil && FirstNames.meanings(of: word)?.contains(.german) != true
  }

  private static let nounEndings = [
    "en", "er", "ung", "heit", "keit", "chen", "schaft", "zeug", "hund", "tee", "kaffee", "bier",
    "wein", "rad", "boot", "auto", "pizza", "eis", "torte", "katze", "spaß",
  ]

  // MARK: Words of a name

  /// Returns the position after a name with hyphens, such as "Hyun-woo".
  private func hyphenated(_ start: Int) -> Int {
    var next = start + 1
    while grammar.isSign(next, "-"), grammar.isAttached(next), grammar.isAttached(next + 1),
      grammar.token(next + 1)?.kind == .word
    {
      next += 2
    }
    return next
  }

  private func isCapitalisedWord(_ index: Int) -> Bool {
    guard let token = grammar.token(index), token.kind == .word, token.isCapitalised else {
      return false
    }
    return !token.isUppercased && !token.isPossessive
  }

  private func isFree(_ index: Int) -> Bool {
    let word = grammar.word(index)
    return TimeWords.weekdays[word] == nil && TimeWords.months[word] == nil
      && Holidays.rule([word]) == nil && TimeWords.parts[word] == nil
  }

  private func isName(_ index: Int) -> Bool {
    // Common first names are also typed in lower case.
    if index < words.count, !grammar.isCapitalised(index), isTypedName(words[index]) {
      return isFree(index)
    }
    guard isCapitalisedWord(index) else { return false }
    if isMonthName(index) { return true }
    if isGerman {
      return lexicon.has(words[index], .name)
        || FirstNames.meanings(of: words[index])?.contains(.german) == false && isFree(index)
    }
    return isFree(index) && words[index].count > 1 && !lexicon.has(words[index], .notName)
      && !lexicon.has(words[index], .kin)
  }

  /// Returns true for a first name in lower case that is no other word.
  private func isTypedName(_ word: String) -> Bool {
    if PersonReader.isFirstName(word) { return true }
    guard word.count > 2, let meanings = FirstNames.meanings(of: word) else { return false }
    return meanings.isEmpty || meanings == (isGerman ? .english : .german)
  }

  /// Returns true for a first name that is also the name of a month, if no part of a date follows:
  /// "lunch with May, soup", but not "with May figures" and "with May 3".
  private func isMonthName(_ index: Int) -> Bool {
    guard
      TimeWords.months[words[index]] != nil,
      FirstNames.meanings(of: words[index]) != nil
        || ["april", "may", "june", "august", "dec"].contains(words[index])
    else { return false }
    guard let next = grammar.token(index + 1) else { return true }
    return next.kind == .symbol && !grammar.isSign(index + 1, "-")
      && !grammar.isSign(index + 1, "/")
      || ["and", "und", "in", "at", "bei", "im"].contains(words[index + 1])
        && grammar.token(index + 2)?.kind == .word
  }

  /// Returns the name as written.
  static func plain(_ text: Substring) -> String {
    let name = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    return name.prefix(1).uppercased() + name.dropFirst()
  }
}

import Foundation

/// Finds where something was done in a line: "at Joe's", "in Rome", "at the office".
struct PlaceReader {
  struct Place {
    var tokens: Range<Int>
    /// Without preposition and article: "Blue Note".
    var nameTokens: Range<Int>
  }

  let grammar: TimeGrammar
  let isPerson: (String) -> Bool

  /// The first place outside of the tokens that mean something else.
  func place(outside taken: (Int) -> Bool) -> Place? {
    for index in grammar.tokens.indices where grammar.isWord(index, "at", "in") && !taken(index) {
      if let place = common(index) ?? named(index, taken),
        !place.tokens.contains(where: taken)
      {
        return place
      }
    }
    return nil
  }

  private func common(_ index: Int) -> Place? {
    let start = grammar.skipping("the", "my", "our", at: index + 1)
    let word = grammar.word(start)
    let hasArticle = start > index + 1
    let isKnown =
      grammar.isWord(index, "at")
      ? PlaceReader.plainPlaces.contains(word) || hasArticle && PlaceReader.places.contains(word)
      : hasArticle && PlaceReader.insides.contains(word)
    guard isKnown, !(grammar.token(start)?.isPossessive ?? false), ends(start + 1) else {
      return nil
    }
    return Place(tokens: index..<start + 1, nameTokens: start..<start + 1)
  }

  /// Whether a common place ends here: "at work", but not "at work parties".
  private func ends(_ next: Int) -> Bool {
    guard let token = grammar.token(next) else { return true }
    return token.kind != .word || PlaceReader.following.contains(token.text)
      || TimeWords.weekdays[token.text] != nil
  }

  private func named(_ index: Int, _ taken: (Int) -> Bool) -> Place? {
    let start = grammar.skipping("the", at: index + 1)
    var next = start
    var hasPossessive = false
    while let token = grammar.token(next), token.kind == .word, !taken(next), next - start < 6 {
      if token.isCapitalised {
        if next == start, !isName(token.text) { return nil }
        if next > start, isTime(token.text) { break }
        hasPossessive = token.isPossessive
        next += 1
        // "St. Mary's", "Bar-le-Duc", "Smith & Sons"
        if grammar.isSign(next, "."), token.text.count <= 3, grammar.isCapitalised(next + 1) {
          next += 1
        } else if grammar.isSign(next, "-"), grammar.isAttached(next), grammar.isAttached(next + 1)
        {
          next += 1
        } else if grammar.isSign(next, "&"), grammar.isCapitalised(next + 1) {
          next += 1
        }
      } else if next > start, PlaceReader.links.contains(token.text),
        grammar.isCapitalised(next + 1)
          || PlaceReader.links.contains(grammar.word(next + 1))
            && grammar.isCapitalised(next + 2),
        !isTime(grammar.word(next + 1))
      {
        next += 1
      } else {
        break
      }
    }
    guard next > start else { return nil }
    if hasPossessive {
      // "at Sam's" is a place, "at Sam's wedding" an event.
      guard ends(next) else { return nil }
    } else if next == start + 1, isPerson(grammar.word(start)) {
      return nil
    }
    return Place(tokens: index..<next, nameTokens: start..<next)
  }

  private func isName(_ word: String) -> Bool {
    !isTime(word) && !PlaceReader.languages.contains(word) && word != "i"
  }

  private func isTime(_ word: String) -> Bool {
    TimeWords.months[word] != nil || TimeWords.weekdays[word] != nil
      || TimeWords.seasons[word] != nil || Holidays.rule([word]) != nil
      || TimeWords.numbers[word] != nil
      || ["today", "yesterday", "tomorrow", "noon"].contains(word)
  }

  /// Lower-case words inside the names of places.
  private static let links: Set<String> = [
    "de", "la", "le", "les", "di", "da", "do", "du", "del", "della", "des", "of", "on", "upon",
    "sur", "van", "der", "am", "an", "zum", "zur", "y", "el",
  ]

  private static let following: Set<String> = [
    "with", "and", "for", "to", "from", "on", "in", "at", "by", "then", "until", "till", "after",
    "before", "during", "while", "because", "but", "or", "today", "yesterday", "tomorrow",
    "tonight", "this", "last", "again", "all", "around", "about", "near", "kind", "the", "of",
    "between", "where", "when", "alone", "together",
  ]

  private static let plainPlaces: Set<String> = [
    "home", "work", "school", "university", "uni", "college", "church", "sea",
  ]
  private static let places: Set<String> = [
    "office", "gym", "pool", "beach", "park", "library", "hospital", "airport", "station",
    "cinema", "theatre", "theater", "museum", "restaurant", "bar", "pub", "café", "cafe", "lake",
    "supermarket", "market", "club", "stadium", "hotel", "zoo", "bank", "doctor", "dentist",
    "hairdresser", "barber", "vet", "pharmacy", "playground", "garage", "lab", "clinic", "studio",
    "bakery", "bookshop", "bookstore", "mall", "shop", "store", "mosque", "synagogue", "temple",
    "house", "cabin", "farm", "harbour", "harbor", "allotment", "track", "farmers",
  ]
  private static let insides: Set<String> = [
    "garden", "park", "office", "kitchen", "library", "forest", "woods", "mountains", "city",
    "countryside", "basement", "garage", "cellar", "pool", "gym", "hospital", "yard", "backyard",
    "workshop", "lab",
  ]
  private static let languages: Set<String> = [
    "english", "german", "french", "italian", "spanish", "portuguese", "dutch", "danish",
    "swedish", "norwegian", "finnish", "polish", "czech", "russian", "ukrainian", "greek",
    "turkish", "arabic", "hebrew", "hindi", "urdu", "bengali", "tamil", "chinese", "mandarin",
    "cantonese", "japanese", "korean", "latin", "welsh", "irish", "hungarian", "romanian",
    "python", "swift", "java", "javascript", "typescript", "rust", "kotlin", "ruby", "haskell",
    "excel", "word", "latex", "god", "love",
  ]
}

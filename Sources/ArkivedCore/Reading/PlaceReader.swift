import Foundation

/// Finds the place in a line: "at Joe's", "in Rome", "at the office".
struct PlaceReader {
  struct Place {
    var tokens: Range<Int>
    /// The tokens without preposition and article: "Blue Note".
    var nameTokens: Range<Int>
  }

  let grammar: TimeGrammar
  /// The lower-case words of the line, one per token.
  let words: [String]
  let isGerman: Bool
  let isPerson: (String) -> Bool
  let lexicon = LineLexicon.shared

  /// Returns the first place outside the tokens that have another meaning.
  func place(outside taken: (Int) -> Bool) -> Place? {
    if isGerman {
      for index in grammar.tokens.indices where !taken(index) {
        if let place = german(index, taken) { return place }
      }
    }
    for index in grammar.tokens.indices
    where (grammar.isWord(index, "at", "in") || grammar.isSign(index, "@")) && !taken(index) {
      if let place = common(index) ?? named(index, taken),
        !place.tokens.contains(where: taken)
      {
        return place
      }
    }
    for index in grammar.tokens.indices where !taken(index) {
      if let place = further(index, taken), !place.tokens.contains(where: taken) { return place }
    }
    return nil
  }

  // MARK: German

  private static let bareLeads: Set<String> = ["in", "bei"]
  /// Prepositions that include the article.
  private static let joinedLeads: Set<String> = ["im", "beim", "am"]
  /// Prepositions before a place.
  static let leads = bareLeads.union(joinedLeads).union(articleLeads)
  private static let articleLeads: Set<String> = ["in", "auf", "an", "bei"]
  private static let articles: Set<String> = [
    "der", "dem", "meiner", "meinem", "unserer", "unserem", "einer", "einem", "ner", "nem",
  ]
  /// Endings of abstract German nouns, which are not places.
  static let abstractEndings = ["ung", "heit", "keit", "schaft", "ion", "tät", "zeit"]

  /// Reads "in der Kantine", "im Café Einstein", "bei Siemens", "in Rom".
  ///
  /// All nouns are capitalised, so one without an article is a place unless it is known not to be,
  /// and one with an article only if it is known to be.
  private func german(_ index: Int, _ taken: (Int) -> Bool) -> Place? {
    let lead = words[index]
    if PlaceReader.articleLeads.contains(lead), index + 2 < words.count,
      PlaceReader.articles.contains(words[index + 1]),
      let next = known(index + 2, taken)
    {
      return Place(tokens: index..<next, nameTokens: index + 2..<next)
    }
    if PlaceReader.joinedLeads.contains(lead), let next = known(index + 1, taken) {
      return Place(tokens: index..<next, nameTokens: index + 1..<next)
    }
    guard PlaceReader.bareLeads.contains(lead), let next = named(after: index, lead, taken) else {
      return nil
    }
    return Place(tokens: index..<next, nameTokens: index + 1..<next)
  }

  /// Reads the name after a known kind of place: "Café Einstein".
  private func known(_ start: Int, _ taken: (Int) -> Bool) -> Int? {
    guard start < words.count, !taken(start) else { return nil }
    // For example, "im café".
    guard grammar.isCapitalised(start) else {
      let isKnown = grammar.token(start)?.kind == .word && lexicon.hasPart(words[start], .place)
      return isKnown ? start + 1 : nil
    }
    guard lexicon.hasPart(words[start], .place) || lexicon.has(words[start], .region) else {
      // For example, "am Neusiedler See", "im Coop Restaurant".
      let kind = start + 1
      let isNamed =
        kind < words.count && grammar.isCapitalised(kind) && !taken(kind)
        && grammar.token(kind)?.hasSpaceBefore ?? false && lexicon.has(words[kind], .place)
        && !isTime(grammar.word(start))
      return isNamed ? kind + 1 : nil
    }
    return start + 1 + nameLength(start + 1, taken, upTo: 3) { self.isProper($0) }
  }

  func named(after index: Int, _ lead: String, _ taken: (Int) -> Bool) -> Int? {
    let start = index + 1
    guard start < words.count, grammar.isCapitalised(start), !taken(start) else { return nil }
    let word = words[start]
    guard !lexicon.has(word, .notPlace), !lexicon.has(word, .kin), !lexicon.has(word, .address),
      !isTime(grammar.word(start)), !isTime(word), grammar.word(start).count > 1,
      !PlaceReader.abstractEndings.contains(where: { word.count > 5 && word.hasSuffix($0) }),
      !lexicon.has(word, .name), !isPerson(word),
      // For example, "bei Antje".
      lead != "bei" || lexicon.has(word, .chain) || FirstNames.meanings(of: word)?.isEmpty != true
    else { return nil }
    // For example, "in Bad Tölz", "in Frankfurt am Main", "bei Deutsche Bank".
    return start + 1 + nameLength(start + 1, taken, upTo: 3) { self.isProper($0) }
  }

  /// Returns the number of words that continue a name; "am" and similar words count only before
  /// another one.
  private func nameLength(
    _ start: Int, _ taken: (Int) -> Bool, upTo limit: Int, isPart: (Int) -> Bool
  ) -> Int {
    var count = 0
    while count < limit, start + count < words.count, !taken(start + count) {
      let place = start + count
      if isPart(place) {
        count += 1
      } else if ["am", "an", "ob", "im", "zum"].contains(words[place]), place + 1 < words.count,
        lexicon.has(words[place + 1], .region), !taken(place + 1)
      {
        count += 2
      } else {
        break
      }
    }
    return count
  }

  /// Returns true if a capitalised word continues a name instead of describing an action: "Café
  /// Einstein", but not "in Rom Eis gegessen".
  func isProper(_ place: Int) -> Bool {
    guard grammar.isCapitalised(place), grammar.isCapitalised(place - 1),
      grammar.token(place)?.hasSpaceBefore ?? false
    else { return false }
    let last = place + 1
    let isLast =
      last >= words.count || grammar.token(last)?.kind != .word
      || PlaceReader.afterName.contains(words[last])
    return isLast && !lexicon.has(words[place], .kin) && !isTime(grammar.word(place))
  }

  /// Words after a German name that begin another part of the sentence.
  private static let afterName: Set<String> = [
    "mit", "und", "um", "von", "bis", "ab", "heute", "gestern", "am", "im", "zum", "beim", "in",
    "für", "gegen", "bei", "danach", "dann", "war", "waren",
  ]

  // MARK: English

  private func common(_ index: Int) -> Place? {
    let start = article(index + 1)
    let word = grammar.word(start)
    let hasArticle = start > index + 1
    if start < words.count, lexicon.has(words[start], .chain), ends(start + 1) {
      return Place(tokens: index..<start + 1, nameTokens: start..<start + 1)
    }
    let isIn = grammar.isWord(index, "in")
    if hasArticle, let place = compound(index, start, isIn ? PlaceReader.insides : Self.places) {
      return place
    }
    let isKnown =
      isIn
      ? hasArticle && PlaceReader.insides.contains(word) || Self.bareInsides.contains(word)
      : PlaceReader.plainPlaces.contains(word) || hasArticle && PlaceReader.places.contains(word)
    guard isKnown, !(grammar.token(start)?.isPossessive ?? false), ends(start + 1) else {
      return nil
    }
    return Place(tokens: index..<start + 1, nameTokens: start..<start + 1)
  }

  /// Reads "the community centre": words that say what kind of place it is.
  func compound(_ index: Int, _ start: Int, _ places: Set<String>) -> Place? {
    for last in start + 1..<start + 3 {
      guard grammar.token(last)?.kind == .word, grammar.token(last - 1)?.kind == .word,
        !isTime(grammar.word(last)), !PlaceReader.following.contains(grammar.word(last - 1)),
        !(grammar.token(last)?.isPossessive ?? false)
      else { return nil }
      if places.contains(grammar.word(last)), ends(last + 1) {
        return Place(tokens: index..<last + 1, nameTokens: start..<last + 1)
      }
    }
    return nil
  }

  /// Returns true if a common place ends here: "at work", but not "at work parties".
  func ends(_ next: Int) -> Bool {
    guard let token = grammar.token(next) else { return true }
    return token.kind != .word || PlaceReader.following.contains(token.text)
      || TimeWords.weekdays[token.text] != nil
  }

  func named(_ index: Int, _ taken: (Int) -> Bool) -> Place? {
    let start = grammar.skipping("the", at: index + 1)
    var next = start
    var hasPossessive = false
    while let token = grammar.token(next), token.kind == .word, !taken(next), next - start < 6 {
      if token.isCapitalised {
        if next == start, !isName(token.text) { return nil }
        if next > start, isTime(token.text) { break }
        hasPossessive = token.isPossessive
        next += 1
        // For example, "the O2".
        if grammar.token(next)?.kind == .number, grammar.isAttached(next) { next += 1 }
        // For example, "St. Mary's", "Bar-le-Duc", "Smith & Sons".
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
    // For example, "St Mark's hall", "QE hospital"; a single name after "in" may be a town.
    let isTown = grammar.word(index) == "in" && next == start + 1 && !hasPossessive
    if !isTown, Self.places.contains(grammar.word(next)), !taken(next), ends(next + 1),
      !(grammar.token(next)?.isPossessive ?? false)
    {
      return Place(tokens: index..<next + 1, nameTokens: start..<next + 1)
    }
    if hasPossessive {
      // "at Sam's" is a place, "at Sam's wedding" an event.
      guard ends(next) else { return nil }
    } else if next == start + 1, isPerson(grammar.word(start)) {
      return nil
    }
    return Place(tokens: index..<next, nameTokens: start..<next)
  }

  func isName(_ word: String) -> Bool {
    !isTime(word) && !PlaceReader.languages.contains(word) && word != "i"
  }

  func isTime(_ word: String) -> Bool {
    TimeWords.months[word] != nil || TimeWords.weekdays[word] != nil
      || TimeWords.seasons[word] != nil || Holidays.rule([word]) != nil
      || TimeWords.numbers[word] != nil
      || ["today", "yesterday", "tomorrow", "noon"].contains(word)
  }

  /// Lower-case words within the names of places.
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
  static let places: Set<String> = [
    "office", "gym", "pool", "beach", "park", "library", "hospital", "airport", "station",
    "cinema", "theatre", "theater", "museum", "restaurant", "bar", "pub", "café", "cafe", "lake",
    "supermarket", "market", "club", "stadium", "hotel", "zoo", "bank", "doctor", "dentist",
    "hairdresser", "barber", "vet", "pharmacy", "playground", "garage", "lab", "clinic", "studio",
    "bakery", "bookshop", "bookstore", "mall", "shop", "store", "mosque", "synagogue", "temple",
    "house", "cabin", "farm", "harbour", "harbor", "allotment", "track", "farmers", "centre",
    "center", "hall", "court",
    "courts", "pitch", "arena", "surgery", "salon", "spa", "rink", "coast", "seaside", "gallery",
    "campsite", "nursery", "registry", "chapel", "cathedral", "castle", "garden", "gardens",
  ]
  private static let insides: Set<String> = [
    "greenhouse", "shed", "conservatory", "loft", "barn", "playground", "classroom", "chapel",
    "garden", "park", "office", "kitchen", "library", "forest", "woods", "mountains", "city",
    "countryside", "basement", "garage", "cellar", "pool", "gym", "hospital", "yard", "backyard",
    "workshop", "lab", "sea", "lake", "river", "ocean", "pub", "attic", "sauna", "centre", "hall",
    "café", "cafe", "museum", "cinema",
  ]
  /// Places after "in" without an article.
  private static let bareInsides: Set<String> = ["hospital", "town", "church", "prison"]
  private static let languages: Set<String> = [
    "english", "german", "french", "italian", "spanish", "portuguese", "dutch", "danish",
    "swedish", "norwegian", "finnish", "polish", "czech", "russian", "ukrainian", "greek",
    "turkish", "arabic", "hebrew", "hindi", "urdu", "bengali", "tamil", "chinese", "mandarin",
    "cantonese", "japanese", "korean", "latin", "welsh", "irish", "hungarian", "romanian",
    "python", "swift", "java", "javascript", "typescript", "rust", "kotlin", "ruby", "haskell",
    "excel", "word", "latex", "god", "love",
  ]
}

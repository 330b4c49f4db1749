/// Places that no "at" or "in" introduces: "on the beach", "drove to Norwich", "7pm Symphony Hall".
extension PlaceReader {
  /// Returns the place whose words begin at a position.
  func further(_ index: Int, _ taken: (Int) -> Bool) -> Place? {
    if isGerman {
      return destination(index, taken) ?? establishment(index, taken) ?? venue(index, taken)
    }
    return surface(index) ?? destination(index, taken) ?? arrival(index, taken)
      ?? proper(index, taken)
  }

  func article(_ index: Int) -> Int {
    grammar.skipping("the", "my", "our", "his", "her", "their", at: index)
  }

  /// Reads "on the beach", "on his allotment".
  private func surface(_ index: Int) -> Place? {
    let start = article(index + 1)
    guard grammar.isWord(index, "on"), start > index + 1 else { return nil }
    if let place = compound(index, start, Self.surfaces) { return place }
    guard Self.surfaces.contains(grammar.word(start)), ends(start + 1) else { return nil }
    return Place(tokens: index..<start + 1, nameTokens: start..<start + 1)
  }

  /// Reads where somebody went: "took the dog to the beach", "walked to Mumbles and back", in German
  /// "nach Rathen gefahren".
  private func destination(_ index: Int, _ taken: (Int) -> Bool) -> Place? {
    if isGerman {
      guard words[index] == "nach", words.contains(where: isJourney),
        let next = named(after: index, "nach", taken),
        !Self.notDestinations.contains(words[index + 1]),
        !lexicon.hasPart(words[index + 1], .place), !lexicon.has(words[index + 1], .hours)
      else { return nil }
      return Place(tokens: index..<next, nameTokens: index + 1..<next)
    }
    guard grammar.isWord(index, "to"),
      words[..<index].contains(where: { Self.goings.contains($0) })
    else { return nil }
    let start = article(index + 1)
    if start > index + 1, Self.destinations.contains(grammar.word(start)), ends(start + 1) {
      return Place(tokens: index..<start + 1, nameTokens: start..<start + 1)
    }
    guard let place = named(index, taken), !isGivenName(place) else { return nil }
    // "Took Rosie to Leeds library" tells of a place, "took to Sudoku" doesn't.
    let last = place.nameTokens.upperBound - 1
    let isMoving = words[..<index].contains { Self.movings.contains($0) }
    return isMoving || Self.places.contains(grammar.word(last)) ? place : nil
  }

  private func isJourney(_ word: String) -> Bool {
    ["fahrt", "ausflug", "reise", "radtour", "wanderung"].contains { word.hasSuffix($0) }
      || [
        "rad", "velo", "fahrrad", "gefahren", "geradelt", "gewandert", "gelaufen", "spaziert",
        "gereist", "geflogen",
        "hingefahren", "rübergefahren",
      ].contains(word)
  }

  /// Reads "arrived Whitby", "landed Lisbon".
  private func arrival(_ index: Int, _ taken: (Int) -> Bool) -> Place? {
    guard !isGerman, grammar.isWord(index, "arrived", "landed", "reached"),
      let place = named(index, taken), !isGivenName(place)
    else { return nil }
    return place
  }

  /// Returns true for a place with nothing but a first name or with a possessive: "walked to Rosie's".
  private func isGivenName(_ place: Place) -> Bool {
    let names = place.nameTokens
    if names.contains(where: { grammar.token($0)?.isPossessive ?? false }), names.count == 1 {
      return true
    }
    guard names.count == 1, let meanings = FirstNames.meanings(of: words[names.lowerBound]) else {
      return false
    }
    return !meanings.contains(.place)
  }

  /// Reads a name that ends in the kind of place and stands by itself: "rehearsal 10-12 Symphony
  /// Hall", but not "watched Jurassic Park".
  private func proper(_ index: Int, _ taken: (Int) -> Bool) -> Place? {
    let before = grammar.token(index - 1)
    let isFree =
      index > 0
      && (before?.kind == .symbol && !grammar.isAttached(index) || taken(index - 1))
    guard isFree, !lexicon.isAmong(words, .media), isNamePart(index, taken) else { return nil }
    var next = index + 1
    while next - index < 4, isNamePart(next, taken), grammar.token(next)?.hasSpaceBefore ?? false {
      next += 1
    }
    guard next - index > 1, Self.halls.contains(grammar.word(next - 1)), ends(next) else {
      return nil
    }
    return Place(tokens: index..<next, nameTokens: index..<next)
  }

  private func isNamePart(_ index: Int, _ taken: (Int) -> Bool) -> Bool {
    guard let token = grammar.token(index), token.kind == .word, token.isCapitalised, !taken(index)
    else { return false }
    return isName(token.text)
  }

  /// Reads a German establishment with its name that stands by itself: "heute 19:30 Gasthof Adler".
  private func establishment(_ index: Int, _ taken: (Int) -> Bool) -> Place? {
    let before = grammar.token(index - 1)
    let isFree = index == 0 || before?.kind == .symbol || taken(index - 1)
    let name = index + 1
    guard isFree, grammar.isCapitalised(index), name < words.count, !taken(name),
      Self.establishments.contains(words[index]), isProper(name), !isTime(words[name]),
      !lexicon.hasPart(words[name], .place), !lexicon.hasPart(words[name], .hours),
      !PlaceReader.abstractEndings.contains(where: { words[name].hasSuffix($0) }),
      !Self.occasions.contains(where: { words[name].hasSuffix($0) })
    else { return nil }
    return Place(tokens: index..<name + 1, nameTokens: index..<name + 1)
  }

  /// Reads a German compound for a venue right after a time: "morgen 15 Uhr Thomaskirche".
  private func venue(_ index: Int, _ taken: (Int) -> Bool) -> Place? {
    guard index > 0, taken(index - 1), grammar.isCapitalised(index), words[index].count > 6,
      Self.venues.contains(where: { words[index].hasSuffix($0) && words[index] != $0 }),
      grammar.token(index)?.kind == .word, grammar.isEnd(index + 1)
    else { return nil }
    return Place(tokens: index..<index + 1, nameTokens: index..<index + 1)
  }

  /// Places on which people are.
  private static let surfaces: Set<String> = [
    "allotment", "allotments", "beach", "track", "lakefront", "seafront", "waterfront", "pier",
    "promenade", "prom", "boardwalk", "farm", "coast", "campsite", "common", "canal", "terrace",
    "balcony", "patio", "roof", "rooftop", "pitch", "playground", "moor", "moors", "downs", "hill",
    "hills", "island", "lake", "river", "green", "quay", "harbour", "marina", "estate",
  ]
  /// Places to which people go.
  private static let destinations: Set<String> = [
    "beach", "park", "pool", "gym", "zoo", "library", "cinema", "theatre", "theater", "museum",
    "lake", "coast", "seaside", "playground", "woods", "forest", "market", "pub", "castle", "farm",
    "gallery", "stadium", "allotment", "hospital", "aquarium", "fair", "lido", "rink", "vet",
  ]
  /// Verbs of going somewhere or taking somebody there.
  private static let goings: Set<String> = movings.union([
    "took", "take", "taking", "went", "brought", "popped", "nipped", "outing",
  ])
  /// Verbs and nouns of moving by oneself, after which "to" introduces a place.
  private static let movings: Set<String> = [
    "walked", "walk", "drove", "drive", "driving", "cycled", "cycle", "cycling", "rode", "hiked",
    "hike", "ran", "sailed", "rowed", "paddled", "travelled", "traveled", "strolled", "biked",
  ]
  /// The last words of names of places that may stand by themselves.
  private static let halls: Set<String> = [
    "hall", "park", "museum", "arena", "stadium", "theatre", "theater", "cinema", "hotel", "inn",
    "library", "gallery", "church", "cathedral", "chapel", "castle", "centre", "center", "station",
    "hospital", "college", "academy", "university", "airport", "pier", "lido", "restaurant",
    "depot", "arms",
  ]
  /// Kinds of places that come before their names.
  private static let establishments: Set<String> = [
    "gasthof", "gasthaus", "landgasthof", "wirtshaus", "hotel", "pension", "café", "cafe",
    "schloss", "burg", "kloster", "zoo", "tierpark", "spital", "klinikum", "musikschule",
  ]
  /// The ends of words for what happens in a place.
  private static let occasions = [
    "besuch", "termin", "frühstück", "brunch", "essen", "abend", "konzert", "fest", "feier",
    "party", "treffen", "führung", "fahrt", "reise", "tag", "arbeit", "preise", "ticket", "karte",
    "karten", "gutschein",
  ]
  /// Words after "nach" that are no places.
  private static let notDestinations: Set<String> = [
    "hause", "haus", "feierabend", "mitternacht", "mittag", "mittags", "anleitung", "plan", "regen",
    "wunsch", "rezept", "absprache", "gefühl",
  ]
  /// The last parts of German words for venues.
  private static let venues = [
    "kirche", "halle", "museum", "theater", "bahnhof", "stadion", "klinik", "krankenhaus", "arena",
  ]
}

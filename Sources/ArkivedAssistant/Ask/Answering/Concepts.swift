import ArkivedCore
import Foundation

/// The meaning of a question's word in this archive: tags, words in texts, places, stays.
struct Concept: Sendable {
  var term: AskQuestion.Term
  var atoms: [IndexCondition.Atom]
  /// True if it means only entries that describe setting out on a journey.
  var isJourney = false
  /// True if the concept may be dropped when nothing matches all of them: "eat" in "eat sushi".
  var isSoft = false
  /// True if the question asks for an activity but the archive has only a thing of that name: fish
  /// for "fishing".
  var isThingForDoing = false
  /// Near-synonyms that replace the word because the archive doesn't contain it.
  var readAs: [String] = []
  /// True if only tags with a related meaning match it.
  var isNear = false
  /// The interpretation shown in the answer: "#cycling", "“sushi”".
  var reading: String
  /// True if it matches the question's own words only, and no tag.
  var isWords = false
  /// True if related words count as well.
  var isWidened = false

  /// Interprets the concept as tags.
  mutating func read(as tags: [String]) {
    reading = tags.map { "#\($0)" }.joined(separator: said(" or "))
    isWords = false
  }
}

/// A resolver of a question's words to concepts.
struct ConceptResolver {
  let timeline: any Timeline
  let today: DayKey

  /// Verbs that the object already implies: having or hearing something.
  static let soft = QuestionWords.keys(
    """
    eat drink watch hear listen play cook serve order taste try speak work sing travel stay practise
    practice pass feel learn teach write order enjoy own lie live sit count send trip vacation
    project street table spell stretch occasion outing errand portion serving cup glass bowl slice
    plate bottle pair couple bunch visit
    drive die pick match stay course rehearse talk make evening morning afternoon night class lesson session
    appointment rehearsal bring buy say mention discuss leave give sell
    """)

  /// Soft verbs that an entry can omit if it names the thing: a lunch counts with or without "ate".
  static let told = QuestionWords.keys(
    """
    eat drink watch hear listen play serve order taste speak sing practise practice
    feel learn enjoy rehearse talk discuss attend session lesson class rehearsal
    """)

  /// Soft verbs that add nothing to an activity's name: "tennis with Bridie" was played.
  static let played = QuestionWords.keys(
    "play practise practice attend session lesson class rehearse")

  /// Verbs that mean cooking when the object is food.
  static let making: Set<String> = [Lemma.key("make"), Lemma.key("prepare")]

  static let verbKinds: [String: [String]] = [
    "eat": ["food"], "drink": ["drink"], "play": ["game", "instrument"],
  ]

  /// Nouns that add nothing to an activity's name.
  static let attributes = QuestionWords.keys(
    "evening morning afternoon night class lesson session rehearsal practice practise tour trip outing round appointment"
  )

  static let genericHoles = QuestionWords.keys(
    "piece topic subject title name song dish food talk theme sight attraction landmark")
  /// Nouns that add nothing to the verb next to them: "which programmes did I watch", "what meals
  /// did I cook".
  static let emptyHoles = QuestionWords.keys(
    "programme program show meal recipe item product goods course destination")

  func concepts(_ question: AskQuestion) -> [Concept] {
    var terms = question.terms
    joinTags(&terms)
    var result: [Concept] = []
    // "pottery evenings", "bike tours": the tag already says it.
    let trips: Set<String> = ["trip", "journey", "vacation", "holiday", "stay"]
    if case .duration = question.measure, terms.count > 1,
      terms.contains(where: { trips.contains($0.key) }),
      terms.contains(where: { term in
        !trips.contains(term.key)
          && resolve(term).atoms.contains { if case .day = $0 { true } else { false } }
      })
    {
      // "the longer journey, Japan or Naxos": the days spent there.
      terms.removeAll { trips.contains($0.key) }
    }
    if terms.contains(where: { ["trip", "journey", "vacation", "holiday"].contains($0.key) }) {
      terms.removeAll { ["begin", "start", "mak", "make"].contains($0.key) }
    }
    let hasTag = terms.contains { term in
      !tags(for: term.key).isEmpty
        || Synonyms.of(term.key).contains { !tags(for: $0).isEmpty }
    }
    for (position, term) in terms.enumerated() {
      if isHourOfPlace(term, terms) || isListed(term, terms) || isRide(position, terms) {
        continue
      }
      if hasTag, term.key == "shop", terms.first?.key != "shop",
        !tags(for: terms.first?.key ?? "").isEmpty
      {
        continue
      }
      if hasTag, ConceptResolver.attributes.contains(term.key), tags(for: term.key).isEmpty,
        !term.isExcluded
      {
        continue
      }
      if term.isHole, ConceptResolver.genericHoles.contains(term.key),
        !(term.key == "talk" && timeline.frequency(of: "talk") > 0
          && question.lightVerbs.contains("hear"))
      {
        continue
      }
      if term.isHole, ConceptResolver.emptyHoles.contains(term.key),
        terms.contains(where: { !$0.isHole && !$0.isExcluded && $0.isVerb })
      {
        continue
      }
      if term.isHole, question.hole == .place, FrameNouns.meals.contains(term.key),
        terms.contains(where: { !$0.isHole && ["eat", "drink", "din"].contains($0.key) })
      {
        continue
      }
      // "which restaurants did I go to in Vienna": entries about eating there.
      if term.isHole, question.hole == .place, FrameNouns.meals.contains(term.key),
        terms.contains(where: { other in
          !other.isHole && !other.isExcluded && other.isCapitalised
            && resolve(other).atoms.contains { if case .day = $0 { true } else { false } }
        })
      {
        var meal = resolve(.init(text: term.text, key: "eat", isVerb: true))
        meal.term.isHole = true
        meal.isNear = true
        result.append(meal)
        continue
      }
      var concept = resolve(term)
      // Counts use the tagged entries; lists may also use entries that contain only the verb.
      let counts = [.count, .sum, .average, .longest, .gap, .streak, .most].contains(
        question.kind)
      if term.isVerb, !counts, !ConceptResolver.tags(concept.atoms).isEmpty,
        !concept.atoms.contains(.word(term.key)), !term.isExcluded
      {
        concept.atoms.append(.word(term.key))
      }
      if term.isHole || term.key == "game" && terms.count > 1 { concept.isSoft = true }
      if isKindOfHouse(term, terms) { concept.isSoft = true }
      if Quantities.number(term.key) != nil, !term.isExcluded, !term.isQuoted {
        concept.isSoft = true
      }
      if term.isAlternative, let last = result.indices.last, !term.isExcluded {
        if ConceptResolver.told.contains(term.key) { continue }
        result[last].atoms += concept.atoms.filter { !result[last].atoms.contains($0) }
        result[last].reading += said(" or ") + concept.reading
        result[last].isWidened = result[last].isWidened || concept.isWidened
        result[last].isSoft = result[last].isSoft && concept.isSoft
        continue
      }
      // Two words may name one thing, such as "phone call".
      if let same = result.firstIndex(where: {
        ConceptResolver.tags($0.atoms) == ConceptResolver.tags(concept.atoms)
          && !(ConceptResolver.tags(concept.atoms).isEmpty && $0.atoms != concept.atoms)
          && $0.term.isExcluded == term.isExcluded
          && !concept.atoms.isEmpty
      }) {
        result[same].isSoft = result[same].isSoft && concept.isSoft
        continue
      }
      result.append(concept)
    }
    return result
  }

  /// Joins words that form a single tag, such as "New York" for newyork.
  private func joinTags(_ terms: inout [AskQuestion.Term]) {
    var index = 0
    while index + 1 < terms.count {
      let joined = (terms[index].text + terms[index + 1].text).lowercased()
      if let tag = timeline.names.tag(joined: joined),
        terms[index].isExcluded == terms[index + 1].isExcluded
      {
        terms[index].text += " " + terms[index + 1].text
        terms[index].key = Lemma.key(tag)
        terms.remove(at: index + 1)
      }
      index += 1
    }
  }

  static func tags(_ atoms: [IndexCondition.Atom]) -> Set<String> {
    Set(atoms.compactMap { if case .tag(let tag) = $0 { tag } else { nil } })
  }

  /// Returns the concept extended by the word itself in texts and places and by its synonyms, to
  /// find entries without its tag.
  func widened(_ concept: Concept) -> Concept {
    guard !concept.term.isExcluded else { return concept }
    var result = concept
    let key = concept.term.key
    for atom: IndexCondition.Atom in [.word(key), .place(key)] where !result.atoms.contains(atom) {
      result.atoms.append(atom)
    }
    var present: [String] = []
    for synonym in Synonyms.near(key).sorted()
    where !key.hasSuffix("_into") || Synonyms.of(key).contains(synonym) {
      result.atoms += tags(for: synonym).map { .tag($0) }
      guard !concept.term.isQuoted, !concept.term.isCapitalised,
        !result.atoms.contains(.word(synonym)),
        timeline.frequency(of: synonym) > 0
      else { continue }
      result.atoms.append(.word(synonym))
      present.append(synonym)
    }
    if !present.isEmpty {
      result.readAs += present
      let near = present.map { Language.current.quoted($0.replacing("_", with: " ")) }
      result.reading += said(" (or \(near.joined(separator: ", ")))")
      result.isWidened = true
    }
    return result
  }

  /// Returns words in the archive that share a stem with a word that it lacks: "vaccination" for
  /// "vaccinated".
  private func related(_ key: String) -> [String] {
    guard key.count >= 6 else { return [] }
    let stem = key.prefix(max(6, key.count - 3))
    let found = Set(
      timeline.names.words(startingWith: String(stem)).filter { $0.count <= key.count + 4 }
        .map { Lemma.key($0) })
    return found.count <= 3 ? found.sorted() : []
  }

  func tags(for key: String) -> [String] { timeline.names.tagsByKey[key] ?? [] }

  /// Returns the concept for the question's own word.
  func ownConcept(_ term: AskQuestion.Term) -> Concept {
    let key = term.key
    var concept = Concept(term: term, atoms: [], reading: Language.current.quoted(term.shown))
    concept.isWords = true
    concept.isSoft =
      ConceptResolver.soft.contains(key) && (term.isVerb || term.preposition == nil)
      || ConceptResolver.told.contains(key) && term.preposition == "without"
    if let journey = journey(term, concept) { return journey }
    let isE = WrittenForms.endsInE(term.text.lowercased(), key)
    // "Tripe" is not the tag trip.
    let own = tags(for: key).filter { tag in
      isE == nil || WrittenForms.endsInE(tag.lowercased(), key) != isE.map(!)
    }
    if !own.isEmpty {
      concept.atoms = own.map { .tag($0) }
      concept.read(as: own)
      // The tag shopping doesn't cover every shop.
      let isOther = !own.contains { tag in
        let text = term.text.lowercased()
        let name = tag.lowercased()
        return [name, name + "s", name + "es", name.dropLast() + "ies"].contains(text)
      }
      if isOther, !term.isVerb { concept.atoms.append(.word(key)) }
      if let days = stay(own, key) { concept.atoms.append(.day(days)) }
      // Another tag with the same meaning also covers the kind: #exercise as well as #sport.
      if FrameWords.activities.contains(key) {
        concept.atoms += Ontology.names(of: key).flatMap { tags(for: $0) }.sorted()
          .map { .tag($0) }.filter { !concept.atoms.contains($0) }
      }
      return concept
    }
    // Some verbs require an object of a certain kind: food is eaten.
    if let kinds = ConceptResolver.verbKinds[key] {
      let members = kinds.reduce(into: Set<String>()) {
        $0.formUnion(Ontology.members(of: Lemma.key($1)))
      }
      .filter { timeline.frequency(of: $0) > 0 || !tags(for: $0).isEmpty }
      concept.atoms = ([key] + members.sorted()).map { .word($0) }
      concept.atoms += members.flatMap { tags(for: $0) }.sorted().map { .tag($0) }
      if key == "eat" {
        concept.atoms += ["food", "meal", "eat"].flatMap { tags(for: Lemma.key($0)) }.map {
          .tag($0)
        }
      }
      concept.isSoft = true
      return concept
    }
    let synonyms = Synonyms.of(key)
    let frequency = timeline.frequency(of: key)
    // If texts contain a word more often than a tag is used, it means the word itself.
    let exact = Synonyms.exact(key)
    let synonymTags = synonyms.flatMap { synonym in
      tags(for: synonym).filter {
        exact.contains(synonym) || frequency <= timeline.tags[$0] ?? 0
      }
    }.sorted()
    if !synonymTags.isEmpty, !term.isQuoted, key != "play", !key.hasSuffix("_into") {
      concept.atoms = synonymTags.map { .tag($0) }
      concept.read(as: synonymTags)
      concept.isNear =
        !term.isVerb && !term.isHole
        && !synonyms.contains { exact.contains($0) && !tags(for: $0).isEmpty }
      if ["trip", "vacation", "journey"].contains(key) { concept.isSoft = true }
      return concept
    }
    let isDoing = term.text.lowercased().hasSuffix("ing") && Ontology.isKind(key)
    if isDoing {
      concept.isThingForDoing = !timeline.names.written(key).contains(where: WrittenForms.isVerbal)
    } else if Ontology.isKind(key) {
      // A tag with the same meaning covers the kind: #exercise for "sport".
      let named = Ontology.names(of: key).flatMap { tags(for: $0) }.sorted()
      if FrameWords.activities.contains(key), !named.isEmpty {
        concept.atoms = named.map { .tag($0) }
        concept.read(as: named)
        return concept
      }
      let members = Ontology.members(of: key)
      let known = members.filter { timeline.frequency(of: $0) > 0 || $0 == key }
      concept.atoms = known.sorted().map { .word($0) }
      let memberTags = members.flatMap { tags(for: $0) }.sorted()
      concept.atoms += memberTags.map { .tag($0) }
      if timeline.names.placeKeys.contains(key) || FrameNouns.places.contains(key) {
        concept.atoms += known.sorted().map { .place($0) }
      }
      return concept
    }
    concept.atoms = [.word(key), .place(key)]
    // Food that was made or prepared was cooked.
    if key == "cook", term.isVerb, !term.isExcluded {
      concept.atoms += ConceptResolver.making.sorted().map { .word($0) }
    }
    // Items on a grocery list were bought, regardless of the verb.
    if key == "buy", term.isVerb {
      concept.atoms += ["groceries", "shopping"].flatMap { tags(for: Lemma.key($0)) }.map {
        .tag($0)
      }
    }
    for synonym in Synonyms.exact(key).sorted() where timeline.frequency(of: synonym) > 0 {
      // Things that were watched were seen, but people who were seen weren't watched.
      if key == "watch", synonym == "see", frequency > 0 { continue }
      concept.atoms.append(.word(synonym))
    }
    if frequency == 0 || term.isVerb, !key.hasSuffix("_into") || frequency == 0 {
      for synonym in synonyms.sorted() where timeline.frequency(of: synonym) > 0 {
        guard frequency == 0 || !ConceptResolver.soft.contains(key),
          !concept.atoms.contains(.word(synonym))
        else { continue }
        concept.atoms.append(.word(synonym))
        if frequency == 0 { concept.readAs.append(synonym) }
      }
    }
    if frequency == 0,
      let kind = ActivityKind.known.first(where: { Lemma.key($0.rawValue) == key })
    {
      concept.atoms.append(.kind(kind.rawValue))
    }
    if frequency == 0, concept.readAs.isEmpty, !term.isQuoted, !term.isCapitalised {
      for word in related(key) {
        concept.atoms.append(.word(word))
        concept.readAs.append(word)
      }
    }
    if !concept.readAs.isEmpty {
      let words = concept.readAs.map { Language.current.quoted($0) }.joined(separator: ", ")
      concept.reading += said(" (read as \(words))")
    }
    if ["in", "to", "from", "of", "on", "for", "at"].contains(term.preposition ?? ""),
      term.isCapitalised, let days = stay([], key)
    {
      concept.atoms.append(.day(days))
    }
    return concept
  }

  /// Returns the entries that describe setting out on a journey, for "how many trips" and "how
  /// often did I travel", if the archive has no tag for trips but states the length of journeys.
  private func journey(_ term: AskQuestion.Term, _ concept: Concept) -> Concept? {
    let nouns: Set<String> = ["trip", "journey", "vacation", "holiday"]
    guard !term.isExcluded, WrittenForms.endsInE(term.text.lowercased(), term.key) != true,
      nouns.contains(term.key) && tags(for: term.key).isEmpty
        || term.key == "travel" && term.isVerb && tags(for: "trip").isEmpty,
      !Journeys(timeline: timeline, today: today).starts().isEmpty
    else { return nil }
    var result = concept
    result.atoms = Journeys.moves.sorted().map { .word($0) }
    result.isJourney = true
    result.isSoft = false
    result.reading = said("entries in which a trip begins")
    result.isWords = false
    return result
  }
}

import ArkivedCore
import Foundation

/// Caveats about entries that an answer omits although they may belong to it.
enum Doubts {
  static func further(_ count: Int, _ what: String) -> String {
    said(count, one: "1 more entry", other: "\(count) more entries") + " \(what)"
  }
}

extension Selection {
  /// Returns the selection with a caveat that some entries state no amount.
  func silent(_ count: Int) -> Selection {
    guard count > 0 else { return self }
    var result = self
    result.doubts.append(
      Doubts.further(
        count, said(count, one: "that has no amount", other: "that have no amount")))
    return result
  }
}

extension Selector {
  /// Records the entries that another interpretation of the same words would omit or include; each
  /// one costs an additional index query.
  func doubt(
    _ question: AskQuestion, _ base: IndexCondition, _ all: [Concept], _ selection: inout Selection
  ) {
    let used = selection.concepts
    let count = figures(question, base, used)
    // Some entries do state a verb that the object itself implies.
    let usedKeys = Set(used.map(\.term.key))
    for concept in all
    where !usedKeys.contains(concept.term.key) && !concept.term.isExcluded
      && !selection.dropped.contains(concept.term.shown)
    {
      let narrow = figures(question, base, used + [concept])
      if narrow < count, narrow > 0 {
        selection.doubts.append(
          said("“\(concept.term.shown)” (mentioned in \(narrow) of \(count))"))
      } else if narrow == 0, !ConceptResolver.told.contains(concept.term.key) {
        selection.doubts.append(said("“\(concept.term.shown)” (mentioned in none of \(count))"))
      }
    }
    for concept in used where concept.isNear && !concept.term.isExcluded {
      selection.doubts.append(said("“\(concept.term.shown)” itself, read as \(concept.reading)"))
    }
    for concept in used where !concept.readAs.isEmpty {
      selection.doubts.append(said("“\(concept.term.shown)” itself (no entry mentions it)"))
    }
    for (position, concept) in used.enumerated() {
      let tags = ConceptResolver.tags(concept.atoms)
      guard !tags.isEmpty else { continue }
      if concept.term.isExcluded { continue }
      var wide = used
      wide[position].atoms += doubtful(concept)
      let more = figures(question, base, wide) - count
      if more > 0 {
        selection.doubts.append(
          Doubts.further(
            more,
            said(
              more, one: "that mentions “\(concept.term.shown)”",
              other: "that mention “\(concept.term.shown)”")
          ))
      }
    }
    doubtVerbs(question, base, count, &selection)
    doubtConditions(question, base, count, &selection)
  }

  /// Adds a caveat if a condition excludes only a few of the entries that match the others, because
  /// those are probably worded differently: "took the dog to the vet" and "took Pickle to the vet".
  private func doubtConditions(
    _ question: AskQuestion, _ base: IndexCondition, _ count: Int, _ selection: inout Selection
  ) {
    let used = selection.concepts
    let firm = used.filter { !$0.term.isExcluded }
    guard
      [.count, .sum, .average, .gap, .streak, .most, .first, .last, .since].contains(question.kind),
      count > 1, firm.count + question.people.count > 1
    else { return }
    func tell(_ more: Int, _ word: String) {
      guard more > 0, more * 2 <= count else { return }
      selection.doubts.append(
        Doubts.further(
          more,
          said(more, one: "that doesn’t mention “\(word)”", other: "that don’t mention “\(word)”")))
    }
    for (position, concept) in used.enumerated()
    where !concept.term.isExcluded && ConceptResolver.tags(concept.atoms).isEmpty
      && !concept.isJourney && firm.count > 1
    {
      var fewer = used
      fewer.remove(at: position)
      tell(figures(question, base, fewer) - count, concept.term.shown)
    }
    for (position, person) in question.people.enumerated()
    where !person.isExcluded && !firm.isEmpty {
      var fewer = question
      fewer.people.remove(at: position)
      tell(figures(fewer, base, used) - count, person.words)
    }
  }

  /// Returns the number of entries on which a figure is based: those with an amount, if one is
  /// requested.
  private func figures(
    _ question: AskQuestion, _ base: IndexCondition, _ concepts: [Concept]
  ) -> Int {
    var unit = question.threshold?.unit
    switch question.measure {
    case .unit(let name), .duration(let name): unit = unit ?? name
    default: break
    }
    guard let unit else { return plainCount(question, base, concepts) }
    return plainQuery(question, base, concepts).count { $0.amount(in: unit) != nil }
  }

  /// Returns the words that mean the same as a concept's tags.
  private func doubtful(_ concept: Concept) -> [IndexCondition.Atom] {
    let key = concept.term.key
    var result: [IndexCondition.Atom] = [.word(key), .place(key)]
    for synonym in Synonyms.exact(key).sorted() {
      result.append(.word(synonym))
      result += resolver.tags(for: synonym).map { .tag($0) }
    }
    return result.filter { !concept.atoms.contains($0) }
  }

  /// General verbs that still say something specific about an entry.
  static let telling: Set<String> = Set(
    ["give", "visit", "hear", "show", "invite", "contact"].map { Lemma.key($0) })

  /// Adds caveats for general verbs that were ignored although some entries contain them: "give",
  /// "visit".
  private func doubtVerbs(
    _ question: AskQuestion, _ base: IndexCondition, _ count: Int, _ selection: inout Selection
  ) {
    for verb in question.lightVerbs.intersection(Selector.telling.union(["meet"])).sorted() {
      var narrow = base
      narrow.all.append([.word(verb)])
      let says = plainCount(question, narrow, selection.concepts)
      if says > 0, says < count {
        selection.doubts.append(said("the verb in your question (used in \(says) of \(count))"))
      }
    }
  }

  /// Keeps only the sentences that use the question's verb as a verb, if there are any: "planted
  /// leeks" instead of "gave me a plant", "lost my wallet" instead of "from the lost property
  /// office".
  func acting(
    _ entries: [TimelineEntry], _ question: AskQuestion, _ concepts: [Concept],
    _ selection: inout Selection
  ) -> [TimelineEntry] {
    guard
      [.when, .first, .last, .where, .who, .since, .clock, .yesNo, .list].contains(question.kind),
      let concept = concepts.first(where: { $0.term.isVerb && !$0.term.isExcluded }),
      ConceptResolver.tags(concept.atoms).isEmpty, entries.count > 1, entries.count <= 2_000,
      ConceptResolver.verbKinds[concept.term.key] == nil
    else { return entries }
    var verbs = Synonyms.exact(concept.term.key)
    verbs.insert(concept.term.key)
    let articles: Set<String> = [
      "a", "an", "the", "my", "our", "some", "her", "his", "their", "new",
    ]
    let kept = entries.filter { entry in
      let words = entry.words
      return words.indices.contains { index in
        verbs.contains(words[index].key)
          && !(index > 0 && (articles.contains(words[index - 1].lower)))
      } || !words.contains { verbs.contains($0.key) }
    }
    guard !kept.isEmpty else { return entries }
    if kept.count < entries.count {
      selection.doubts.append(
        Doubts.further(entries.count - kept.count, said("with the word as a noun")))
    }
    return kept
  }

  /// Keeps only entries about the writer if there are any: "When was I born?" doesn't ask when
  /// somebody else was born.
  func ofMyself(
    _ entries: [TimelineEntry], _ question: AskQuestion, _ concepts: [Concept]
  ) -> [TimelineEntry] {
    guard entries.count > 1, entries.count <= 2_000,
      let match = question.text.lowercased().firstMatch(of: /\b(?:was|were|am|are) (i|we) (\w+)/)
    else { return entries }
    let who = String(match.1), verb = Lemma.key(String(match.2))
    guard concepts.contains(where: { $0.term.key == verb && !$0.term.isExcluded }) else {
      return entries
    }
    let own = entries.filter { entry in
      let words = entry.words
      return words.indices.dropFirst(2).contains { index in
        words[index].key == verb && ["was", "were"].contains(words[index - 1].lower)
          && words[index - 2].lower == who
      }
    }
    return own.isEmpty ? entries : own
  }

  /// Returns the question with each name resolved to the people that the archive calls by it; an
  /// ambiguous name resolves to the most likely person, and the answer says so.
  func settled(_ question: AskQuestion) -> AskQuestion {
    var result = question
    for (position, person) in question.people.enumerated() {
      let names = names(of: person)
      result.people[position].names = names
      if person.names.count > 1, !person.isRelation, !person.isEither {
        result.people[position].others = person.names
      }
      if names.count < person.names.count {
        let others = person.names.filter { !names.contains($0) }
        result.ignored.append(
          said(
            "\(others.prefix(3).joined(separator: said(" and "))) (“\(person.words)” could also mean them)"
          ))
      } else if names.count > 1, !person.isRelation, !person.isEither {
        result.uncertain.append(said("which “\(person.words)” you mean (\(names.count) possible)"))
      }
    }
    if !question.candidatePeople.isEmpty {
      result.candidates = question.candidatePeople.flatMap(names)
      for person in question.candidatePeople where names(of: person).count < person.names.count {
        result.ignored.append(said("others called “\(person.words)”"))
      }
    }
    result.joins = question.joins.map { join in
      var join = join
      join.question = join.question.map(settled)
      return join
    }
    result.clauseParts = question.clauseParts.map(settled)
    result.alternatives = question.alternatives.map { ($0.label, settled($0.question)) }
    return result
  }

  /// Resolves a name; if it is ambiguous, to the person with that bare name in the latest entries.
  private func names(of person: AskQuestion.NamedPerson) -> [String] {
    guard person.names.count > 1, !person.isRelation, !person.isEither else { return person.names }
    let bare = Lemma.key(person.words)
    var condition = IndexCondition(days: DayKey.earliest...today)
    condition.all = [[.word(bare)], person.names.map { .person($0) }]
    var uses: [String: Int] = [:]
    for entry in timeline.entries(.activity, where: condition).suffix(1_000) {
      let lowerWords = entry.words.map(\.key)
      for name in entry.people where person.names.contains(name) {
        let parts = WordCutter.words(of: name).map(\.key)
        let last = parts.last ?? ""
        if parts.count > 1, lowerWords.contains(last), last != bare { continue }
        uses[name, default: 0] += 1
      }
    }
    let total = uses.values.reduce(0, +)
    if let best = uses.max(by: { ($0.value, $1.key) < ($1.value, $0.key) }),
      best.value * 10 >= total * 8
    {
      return [best.key]
    }
    return person.names
  }
}

import ArkivedCore
import Foundation

/// Signs that an answer's evidence is weaker than it looks; each becomes a caveat and costs only a
/// few index queries.
extension Selector {
  /// Excludes entries with a different word that has the same key: "wine" doesn't match "win".
  func ofSameWord(
    _ entries: [TimelineEntry], _ concepts: [Concept]
  ) -> [TimelineEntry] {
    var result = entries
    for concept in concepts where !concept.term.isExcluded && !concept.term.isQuoted {
      let key = concept.term.key
      guard concept.atoms.contains(.word(key)), result.count <= 5_000,
        let isE = WrittenForms.endsInE(concept.term.text.lowercased(), key)
      else { continue }
      let forms = timeline.names.written(key)
      let others = Set(forms.filter { WrittenForms.endsInE($0, key) == !isE })
      guard !others.isEmpty, others.count < forms.count else { continue }
      let rest = Set(
        concept.atoms.compactMap { atom -> String? in
          if case .word(let word) = atom, word != key { word } else { nil }
        })
      let tags = ConceptResolver.tags(concept.atoms)
      var sayings = Sayings<Bool>()
      let kept = result.filter { entry in
        sayings.of(entry) { entry in
          let said = entry.words.filter { $0.key == key }
          return said.isEmpty || !said.allSatisfy { others.contains($0.lower) }
            || !rest.isDisjoint(with: entry.keys) || !tags.isDisjoint(with: entry.tags)
        }
      }
      if kept.count < result.count, !kept.isEmpty { result = kept }
    }
    return result
  }

  /// For cooking, keeps only the things made that are food: "made a quiche" but not "made a list".
  func madeFood(
    _ entries: [TimelineEntry], _ concepts: [Concept]
  ) -> [TimelineEntry] {
    guard
      let cook = concepts.first(where: { $0.term.key == "cook" && !$0.term.isExcluded }),
      ConceptResolver.tags(cook.atoms).isEmpty, !ConceptResolver.making.isEmpty
    else { return entries }
    let food = Ontology.members(of: "food").subtracting(FrameWords.meals)
    let others = Set(
      cook.atoms.compactMap { atom -> String? in
        if case .word(let word) = atom, !ConceptResolver.making.contains(word) { word } else { nil }
      })
    var sayings = Sayings<Bool>()
    return entries.filter { entry in
      sayings.of(entry) { entry in
        if !others.isDisjoint(with: entry.keys) { return true }
        let words = entry.words
        return words.indices.contains { index in
          guard ConceptResolver.making.contains(words[index].key) else { return false }
          let object = words[(index + 1)...].prefix {
            $0.sign == nil && !FrameReader.prepositions.contains($0.lower)
          }
          return FrameWords.head(of: Array(object), in: food)
            || words.contains { FrameWords.meals.contains($0.key) && $0.key != "cream" }
              && !object.isEmpty
        }
      }
    }
  }

  /// Keeps only the things that somebody gave if there are any; things borrowed from them become a
  /// caveat.
  func given(
    _ entries: [TimelineEntry], _ question: AskQuestion, _ selection: inout Selection
  ) -> [TimelineEntry] {
    guard question.hole == .person, question.lightVerbs.contains(Lemma.key("give")),
      entries.count > 1,
      entries.count <= 2_000
    else { return entries }
    let verbs = QuestionWords.keys("give gift present")
    let kept = entries.filter { $0.says(verbs) }
    guard !kept.isEmpty, kept.count < entries.count else { return entries }
    selection.doubts.append(
      Doubts.further(entries.count - kept.count, said("without the verb in your question")))
    return kept
  }

  /// Keeps only people met in person, without calls and letters.
  func nearby(
    _ all: [TimelineEntry], _ question: AskQuestion, _ selection: inout Selection
  ) -> [TimelineEntry] {
    var entries = all
    let sees =
      question.lightVerbs.contains("see") || question.lightVerbs.contains("meet")
      || question.lightVerbs.contains("visit")
    var isThing = false
    if case .thing = question.hole { isThing = true }
    // "who did I see the castle with": the object of "see" is the castle.
    if question.hole == .person,
      question.terms.contains(where: { term in
        term.preposition == nil && !term.isVerb && !term.isHole && !term.isExcluded
      })
    {
      isThing = true
    }
    if sees, !isThing,
      question.people.contains(where: { !$0.isExcluded }) || question.hole == .person
    {
      let far: Set<String> = [
        "call", "phone", "letter", "messag", "video", "text", "email", "postcard", "parcel",
      ]
      let count = entries.count
      var sayings = Sayings<Bool>()
      entries = entries.filter { entry in
        sayings.of(entry) { entry in
          !entry.says(far) && far.isDisjoint(with: Set(entry.tags.map { Lemma.key($0) }))
        }
      }
      if entries.count < count {
        selection.doubts.append(
          Doubts.further(count - entries.count, said("about calls and letters")))
      }
    }
    return entries
  }

  /// Returns the caveats about weak interpretations in a selection.
  func weakness(
    _ question: AskQuestion, _ base: IndexCondition, _ selection: inout Selection
  ) {
    let used = selection.concepts.filter { !$0.term.isExcluded }
    narrowed(used, question, &selection)
    sayless(used, question, base, &selection)
    sameNames(used, question, base, &selection)
    doubtTags(question, base, &selection)
    doubtKinds(question, base, &selection)
    doubtPlaces(question, base, &selection)
  }

  /// Adds a caveat if everything counted is of one narrower kind ("dental check-up"), or if some
  /// entries only use the word to describe something else ("market day").
  private func narrowed(
    _ used: [Concept], _ question: AskQuestion, _ selection: inout Selection
  ) {
    guard [.count, .most, .list, .sum, .average, .longest].contains(question.kind),
      selection.entries.count > 1, selection.entries.count <= 2_000,
      let concept = used.last(where: { !$0.term.isVerb && !$0.term.isHole }),
      ConceptResolver.tags(concept.atoms).isEmpty, !concept.term.isCapitalised,
      !concept.term.isQuoted
    else { return }
    let key = concept.term.key
    let asked = Set(question.terms.map(\.key))
    var before: Set<String> = []
    var isOne = concept.term.preposition == nil
    var heads: [String: Int] = [:]
    for entry in selection.entries {
      let words = entry.words
      guard let place = words.firstIndex(where: { $0.key == key }) else {
        isOne = false
        continue
      }
      let lead = place > 0 && words[place].sign == nil ? words[place - 1] : nil
      if let lead, Selector.narrows(lead), !asked.contains(lead.key) {
        before.insert(lead.lower)
      } else {
        isOne = false
      }
      if place + 1 < words.count, words[place + 1].sign == nil, words[place + 1].lower == "day",
        !asked.contains("day"), words[place].lower == Lemma.singular(words[place].lower)
      {
        heads["\(words[place].lower) day", default: 0] += 1
      }
    }
    if isOne, before.count == 1, let kind = before.first {
      selection.doubts.append(
        said(
          "anything other than “\(kind) \(concept.term.shown)”, which all of these entries are about"
        ))
    }
    for (name, count) in heads.sorted(by: { $0.key < $1.key })
    where count * 4 <= selection.entries.count {
      selection.uncertain.append(
        said(
          count, one: "whether you also mean “\(name)” (mentioned in \(count) of these entries)",
          other: "whether you also mean “\(name)” (mentioned in \(count) of these entries)"))
    }
  }

  private static func narrows(_ word: Word) -> Bool {
    let lower = word.lower
    return !word.isCapitalised && !StopWords.contains(lower)
      && !QuestionWords.fillers.contains(lower)
      && !FrameReader.prepositions.contains(lower) && !FrameReader.isVerb(word, hasSubject: true)
      && lower.allSatisfy(\.isLetter) && !QuestionWords.light.contains(word.key)
      && Quantities.number(lower) == nil
      && !["new", "old", "first", "second", "third", "good", "bad", "big", "small", "long"]
        .contains(
          lower)
  }

  /// Adds a caveat if a few other entries lack only a verb or the first half of a noun: "soup from
  /// Jonas" and "Jonas made soup", or a longer pottery session that doesn't mention a wheel.
  private func sayless(
    _ used: [Concept], _ question: AskQuestion, _ base: IndexCondition, _ selection: inout Selection
  ) {
    let count = selection.entries.count
    guard count > 0, used.count + question.people.count > 1 else { return }
    if [.list, .who, .most].contains(question.kind),
      question.clause != nil || !question.people.isEmpty
        || question.kind == .who
    {
      for concept in used
      where concept.term.isVerb && ConceptResolver.tags(concept.atoms).isEmpty && !concept.isJourney
        && ConceptResolver.soft.contains(concept.term.key) && used.count > 1
      {
        let fewer = selection.concepts.filter { $0.term.key != concept.term.key }
        let more =
          plainCount(question, base, fewer) - plainCount(question, base, selection.concepts)
        if more > 0, more <= count {
          selection.doubts.append(
            Doubts.further(
              more,
              said(
                more, one: "that doesn’t mention “\(concept.term.shown)”",
                other: "that don’t mention “\(concept.term.shown)”")))
        }
      }
    }
    guard question.kind == .longest, !question.isLeast, used.count > 1, count <= 2_000 else {
      return
    }
    let most = selection.entries.compactMap { longestMinutes($0, question) }.max() ?? 0
    for concept in used
    where !concept.term.isVerb && !concept.term.isCapitalised && !concept.term.isHole
      && !concept.term.isQuoted && ConceptResolver.tags(concept.atoms).isEmpty
    {
      let fewer = selection.concepts.filter { $0.term.key != concept.term.key }
      let all = plainQuery(question, base, fewer)
      let longer = all.count { (longestMinutes($0, question) ?? 0) > most }
      if longer > 0, all.count <= count * 5 {
        selection.doubts.append(
          Doubts.further(
            longer,
            said(
              longer, one: "with other matches but without “\(concept.term.shown)”",
              other: "with other matches but without “\(concept.term.shown)”")))
      }
    }
  }

  private func longestMinutes(_ entry: TimelineEntry, _ question: AskQuestion) -> Double? {
    if case .unit(let name) = question.measure { return entry.amount(in: name) }
    return entry.amount(in: "minutes")
  }

  /// Adds a caveat if all entries name the same venue or work ("at the NTGent") and others that
  /// name it may describe the same thing.
  private func sameNames(
    _ used: [Concept], _ question: AskQuestion, _ base: IndexCondition, _ selection: inout Selection
  ) {
    guard [.count, .who, .list].contains(question.kind), (2...30).contains(selection.entries.count),
      used.contains(where: { ConceptResolver.tags($0.atoms).isEmpty && !$0.term.isCapitalised }),
      used.allSatisfy({ !$0.term.isCapitalised })
    else { return }
    let asked = Set(question.terms.map(\.key))
    var shared: Set<String>?
    for entry in selection.entries {
      let people = Set(entry.people.flatMap { self.words(of: $0) })
      let words = entry.words
      let names = words.indices.dropFirst(2).filter { index in
        words[index].isCapitalised && words[index].sign == nil && words[index - 1].lower == "the"
          && ["at", "in"].contains(words[index - 2].lower)
          && !asked.contains(words[index].key) && !people.contains(words[index].key)
      }.map { words[$0].key }
      shared = shared.map { $0.intersection(names) } ?? Set(names)
      if shared?.isEmpty ?? true { return }
    }
    guard let name = shared?.sorted().first else { return }
    var other = base
    other.all.append([.word(name)])
    let more = plainCount(question, other, []) - selection.entries.count
    guard more > 0, more <= selection.entries.count * 3 else { return }
    let text =
      selection.entries[0].words.first { $0.key == name && $0.isCapitalised }?.text ?? name
    selection.doubts.append(
      Doubts.further(more, said("with “\(text)” (like all of these entries)")))
  }
}

import ArkivedCore
import Foundation

/// The entries that match a question's conditions.
struct Selection: Sendable {
  var entries: [TimelineEntry] = []
  /// The matching sentences, if only notes match.
  var sentences: [TimelineEntry.ID: [Word]] = [:]
  var isFromNotes = false
  /// Words that were ignored because no entry contains them in addition to the others.
  var dropped: [String] = []
  /// The entries that another interpretation would include or omit, as phrases after "not used".
  var doubts: [String] = []
  /// Doubts about what was meant, as phrases after "not certain".
  var uncertain: [String] = []
  var concepts: [Concept] = []
  /// The days that remain after joins; nil without a join.
  var joinedDays: Set<DayKey>?
  /// The caveats about the days that remain after joins.
  var joinDoubts: [String] = []
  /// The same about what was meant.
  var joinUncertain: [String] = []
  /// The join that matched no day.
  var emptyJoin: String?

  /// The days of the entries, in chronological order.
  var days: [DayKey] {
    var days: [DayKey] = []
    for entry in entries where days.last != entry.day { days.append(entry.day) }
    return zip(days, days.dropFirst()).allSatisfy { $0 < $1 } ? days : Set(days).sorted()
  }
}

/// Selects entries, first with the index, then by reading sentences.
struct Selector {
  let timeline: any Timeline
  let today: DayKey
  let frames: FrameCache

  let resolver: ConceptResolver

  init(timeline: any Timeline, today: DayKey, frames: FrameCache) {
    self.timeline = timeline
    self.today = today
    self.frames = frames
    resolver = ConceptResolver(timeline: timeline, today: today)
  }

  func select(_ question: AskQuestion, allowsNotes: Bool = true) -> Selection {
    var selection = Selection()
    var base = IndexCondition(days: span(of: question))
    base.weekdays = question.weekdays
    base.hasNobody = question.hasNobody
    if !question.months.isEmpty { base.onDays = days(in: question.months, base.days) }
    if !readDays(question, &base, &selection) { return selection }
    if let clause = question.clause {
      return selectClause(clause, question, base)
    }
    run(question, base, &selection, allowsNotes: allowsNotes)
    selection.doubts += selection.joinDoubts
    selection.uncertain += selection.joinUncertain
    return selection
  }

  /// Resolves a clause such as "when I was ill": in the same entry, otherwise on the same day.
  private func selectClause(
    _ clause: String, _ question: AskQuestion, _ base: IndexCondition
  ) -> Selection {
    var outer = question
    outer.clause = nil
    guard let inner = question.clauseQuestion else { return select(outer) }
    // "when my mood was 5" depends on days, not on entries.
    if metricDays(inner) != nil {
      outer.joins.append(.init(question: [inner], shift: 0, text: clause))
      return select(outer)
    }
    var both = outer
    both.terms += inner.terms.filter { term in !both.terms.contains { $0.key == term.key } }
    both.people += inner.people.filter { person in
      !both.people.contains { $0.words == person.words }
    }
    if both.days == nil { both.days = inner.days }
    var together = Selection()
    run(both, base, &together, allowsNotes: false)
    if !together.entries.isEmpty, together.dropped.isEmpty { return together }
    outer.joins.append(.init(question: [inner], shift: 0, text: clause))
    return select(outer)
  }

  func span(of question: AskQuestion) -> ClosedRange<DayKey> {
    guard let days = question.days else { return DayKey.earliest...today }
    return days.lowerBound...max(days.lowerBound, min(days.upperBound, max(today, days.lowerBound)))
  }

  private func readDays(
    _ question: AskQuestion, _ base: inout IndexCondition, _ selection: inout Selection
  ) -> Bool {
    if let value = question.dayValue {
      let days = timeline.days(in: base.days).filter { _, day in
        (value.isMood ? day.mood : day.energy).map(Double.init) == value.amount
      }
      base.onDays = Set(days.map(\.0))
    }
    for join in question.joins {
      guard var inner = join.question.first else { continue }
      if inner.kind == .list || inner.kind == .none { inner.kind = .count }
      if let found = metricDays(inner) {
        let days = Set(found.map { $0.advanced(by: join.shift) })
        selection.joinedDays = (selection.joinedDays ?? days).intersection(days)
        base.onDays = (base.onDays ?? days).intersection(days)
        if days.isEmpty { selection.emptyJoin = join.text }
        continue
      }
      // "on days without a ride": all other days in the archive.
      if inner.terms.count + inner.people.count > 0, inner.terms.allSatisfy(\.isExcluded),
        inner.people.allSatisfy(\.isExcluded), let all = timeline.span
      {
        let done = Set(select(inner.withoutNegation, allowsNotes: false).days)
        let asked = inner.days ?? base.days
        let first = max(all.lowerBound, asked.lowerBound)
        let whole = AnswerWork.listable(first...max(first, min(all.upperBound, asked.upperBound)))
        let days = Set(
          (0...whole.lowerBound.distance(to: whole.upperBound))
            .map { whole.lowerBound.advanced(by: $0) }.filter { !done.contains($0) })
        selection.joinedDays = (selection.joinedDays ?? days).intersection(days)
        base.onDays = (base.onDays ?? days).intersection(days)
        if days.isEmpty { selection.emptyJoin = join.text }
        continue
      }
      var found = select(inner)
      if !found.dropped.isEmpty { found.entries = [] }
      selection.joinDoubts += found.doubts
      selection.joinUncertain += found.uncertain
      var told = edges(found.days, join.text, found.concepts)
      if let rank = join.rank { told = told.count >= rank ? [told[rank - 1]] : [] }
      // An event happens on one day; a condition may match many.
      let days = Set(
        beside(told, join.shift, found.concepts)
          .map { $0.advanced(by: join.shift) })
      selection.joinedDays = (selection.joinedDays ?? days).intersection(days)
      base.onDays = (base.onDays ?? days).intersection(days)
      if days.isEmpty { selection.emptyJoin = join.text }
    }
    return selection.emptyJoin == nil
  }

  private func run(
    _ question: AskQuestion, _ base: IndexCondition, _ selection: inout Selection,
    allowsNotes: Bool
  ) {
    let concepts = resolver.concepts(question)
    selection.concepts = concepts
    if concepts.isEmpty, question.hole != .place || question.kind != .most,
      let verb = question.lightVerbs.intersection(Selector.telling).sorted().first
    {
      var narrow = base
      narrow.all.append([.word(verb)])
      let found = query(question, narrow, concepts, &selection)
      if !found.isEmpty {
        selection.entries = found
        let all = plainCount(question, base, concepts)
        if all > found.count, !question.people.isEmpty {
          selection.doubts.append(
            Doubts.further(all - found.count, said("without the verb in your question")))
        }
        return
      }
    }
    if saysWithout(question, base, &selection) { return }
    for (position, list) in tries(question, concepts).enumerated() {
      let found = query(question, base, list, &selection)
      if !found.isEmpty {
        selection.entries = found
        let kept = Set(list.map(\.term.key))
        if position > 0 { selection.dropped = untold(concepts, kept) }
        selection.concepts = list
        doubt(question, base, concepts, &selection)
        weakness(question, base, &selection)
        return
      }
    }
    // Entries without the tag may contain the words.
    let tries = tries(question, concepts)
    for list in tries {
      let wide = list.map { resolver.widened($0) }
      guard wide.map(\.atoms) != list.map(\.atoms) || !question.people.isEmpty else { continue }
      let found = query(question, base, wide, &selection, namesInText: true)
      if !found.isEmpty {
        selection.entries = found
        let kept = Set(list.map(\.term.key))
        selection.dropped = untold(concepts, kept)
        selection.concepts = wide
        // Nothing has the tag; matching the word in texts is a different interpretation.
        for concept in list where !ConceptResolver.tags(concept.atoms).isEmpty {
          guard !concept.term.isExcluded, !concept.isSoft else { continue }
          selection.doubts.append(
            said(
              "\(concept.reading) as a tag (these entries only contain the word or a similar one)"))
        }
        for concept in wide where !concept.readAs.isEmpty && !concept.atoms.isEmpty {
          selection.doubts.append(
            said("“\(concept.term.shown)” alone (related words count too)"))
        }
        return
      }
    }
    defer {
      if selection.entries.isEmpty { withoutVerbs(question, base, concepts, &selection) }
    }
    // A day note has no time of day.
    guard allowsNotes, question.usesNotes, question.minutes == nil,
      question.measure == nil || isQuantity(question.measure)
    else { return }
    for list in tries where !list.allSatisfy(\.term.isExcluded) || !question.people.isEmpty {
      if notes(question, base, list, &selection) {
        let kept = Set(list.map(\.term.key))
        selection.dropped = concepts.filter { concept in
          !kept.contains(concept.term.key) && !concept.term.isExcluded
            && !ConceptResolver.told.contains(concept.term.key)
        }.map(\.term.shown)
        return
      }
    }
  }

  /// Returns the interpretation of last resort: if the question also mentions a thing, verbs are
  /// ignored and the answer says so.
  private func withoutVerbs(
    _ question: AskQuestion, _ base: IndexCondition, _ concepts: [Concept],
    _ selection: inout Selection
  ) {
    let list = concepts.filter { !$0.term.isVerb || $0.term.isExcluded }
    guard list.count < concepts.count,
      list.contains(where: { !$0.term.isExcluded && !$0.isSoft && !$0.term.isHole })
    else { return }
    let found = query(question, base, list, &selection)
    guard !found.isEmpty else { return }
    selection.entries = found
    let kept = Set(list.map(\.term.key))
    selection.dropped = concepts.filter { !kept.contains($0.term.key) }.map(\.term.shown)
    selection.concepts = list
  }

  /// Returns the combinations of concepts to require, strictest first.
  private func tries(_ question: AskQuestion, _ concepts: [Concept]) -> [[Concept]] {
    var tries: [[Concept]] = [concepts]
    // "how long did I practise the cello": naming the cello is enough.
    let isFigure = [.most, .count, .sum, .average, .longest, .gap, .streak, .compare].contains(
      question.kind)
    let isEdge =
      [.who, .first, .last, .since, .when, .where].contains(question.kind) && !asksThing(question)
    if isFigure || isEdge {
      let plain = concepts.filter {
        !((ConceptResolver.told.contains($0.term.key)
          && (isFigure || ConceptResolver.played.contains($0.term.key))
          || $0.term.key == "buy" && question.kind == .most)
          && $0.isSoft && !$0.term.isHole) || $0.term.isExcluded
      }
      if plain.contains(where: { !$0.term.isExcluded && !$0.isSoft }) { tries = [plain] }
    }
    let first = tries[0]
    guard first.contains(where: { $0.isSoft && !$0.term.isExcluded }) else { return tries }
    let verbs = first.filter { !($0.isSoft && !$0.term.isHole) || $0.term.isExcluded }
    if verbs.count < first.count, !verbs.isEmpty { tries.append(verbs) }
    let bare = first.filter { !$0.isSoft || $0.term.isExcluded }
    // "Did I ever cook for Carla?" doesn't ask whether Carla was present.
    let isStrict = question.kind == .yesNo && bare.allSatisfy(\.term.isExcluded)
    let tells = bare.contains { !$0.term.isHole } || !question.people.isEmpty
    if !isStrict, tells || question.hole == .entry && question.kind == .list && question.days != nil
    {
      tries.append(bare)
    }
    return tries
  }

  private func asksThing(_ question: AskQuestion) -> Bool {
    if case .thing = question.hole { true } else { false }
  }

  /// Returns the ignored words that change the answer: all but the verbs that the thing itself
  /// implies.
  private func untold(_ concepts: [Concept], _ kept: Set<String>) -> [String] {
    let isBare = !concepts.contains { kept.contains($0.term.key) && !$0.term.isExcluded }
    return concepts.filter { concept in
      !kept.contains(concept.term.key)
        && (!concept.isSoft || isBare
          || concept.term.isHole && !Ontology.isKind(concept.term.key)
            && timeline.frequency(of: concept.term.key) == 0)
    }.map(\.term.shown)
  }

  private func isQuantity(_ measure: AskQuestion.Measure?) -> Bool {
    switch measure {
    case .quantity, .people, .extent: true
    default: false
    }
  }

  func query(
    _ question: AskQuestion, _ base: IndexCondition, _ concepts: [Concept],
    _ selection: inout Selection, namesInText: Bool = false
  ) -> [TimelineEntry] {
    var entries = plainQuery(question, base, concepts, namesInText: namesInText)
    selection.doubts = []
    selection.uncertain = []
    if let minutes = question.minutes {
      let hourless = entries.count { $0.startMinute == nil || $0.fillsDay && !question.isMoment }
      entries = entries.filter { isWithin(minutes, $0, question) }
      entries += besides(minutes, question, base, concepts, namesInText: namesInText)
      if hourless > 0 { selection.doubts.append(Doubts.further(hourless, said("without a time"))) }
    }
    if question.hasSomebody { entries = entries.filter { !$0.hasNobody } }
    if question.hasOnlyNamed { entries = withoutOthers(entries, question) }
    entries = directed(entries, question, concepts)
    entries = quoting(entries, question)
    let all = entries.count
    entries = byRole(entries, question, concepts)
    if entries.count < all {
      selection.doubts.append(
        Doubts.further(all - entries.count, said("in which that person has a different role")))
    }
    if concepts.contains(where: \.isJourney) {
      entries = entries.filter { Journeys.length(of: $0) != nil }
    } else {
      entries = ways(entries, question, concepts, &selection)
    }
    entries = acting(entries, question, concepts, &selection)
    entries = ofMyself(entries, question, concepts)
    entries = otherVerbs(entries, question, concepts, &selection)
    entries = withoutTopics(entries, question, concepts, &selection)
    entries = ownThings(entries, question, concepts, &selection)
    entries = ownDeeds(entries, question, concepts, &selection)
    entries = meals(entries, concepts, &selection)
    entries = madeFood(entries, concepts)
    entries = ofSameWord(entries, concepts)
    entries = given(entries, question, &selection)
    entries = ofHours(ofMeans(entries, question, concepts, &selection), question, &selection)
    return nearby(entries, question, &selection)
  }

  // MARK: Notes

  /// Searches the sentences of day notes; a single sentence must contain all words.
  private func notes(
    _ question: AskQuestion, _ base: IndexCondition, _ concepts: [Concept],
    _ selection: inout Selection
  ) -> Bool {
    var condition = base
    condition.hasNobody = false
    let clauses = concepts.filter { !$0.term.isExcluded }.map { concept -> Set<String> in
      var keys: Set<String> = [concept.term.key]
      for atom in concept.atoms { if case .word(let key) = atom { keys.insert(key) } }
      return keys
    }
    let excluded = Set(concepts.filter(\.term.isExcluded).map(\.term.key))
    for keys in clauses { condition.all.append(keys.sorted().map { .word($0) }) }
    let people = question.people.filter { !$0.isExcluded }.map { person in
      Set(person.names.flatMap { name in self.words(of: name) })
    }
    guard !clauses.isEmpty || !people.isEmpty else { return false }
    for entry in timeline.entries(.day, where: condition) {
      for sentence in Selector.sentences(entry.words) {
        let keys = Set(sentence.map(\.key))
        if clauses.allSatisfy({ !$0.isDisjoint(with: keys) }),
          people.allSatisfy({ !$0.isDisjoint(with: keys) }), excluded.isDisjoint(with: keys)
        {
          selection.entries.append(entry)
          selection.sentences[entry.id] = sentence
          break
        }
      }
    }
    selection.isFromNotes = !selection.entries.isEmpty
    if selection.isFromNotes,
      [
        .yesNo, .first, .last, .since, .count, .sum, .average, .gap, .streak, .longest, .most,
        .who, .where,
      ]
      .contains(
        question.kind)
    {
      selection.doubts.append(said("entries (only day notes mention it)"))
    }
    selection.concepts = concepts
    return selection.isFromNotes
  }

  /// Returns the keys of the names that refer to somebody.
  func words(of name: String) -> [String] {
    let person = timeline.names.people[name]
    let first = WordCutter.words(of: name).first.map { [$0.key] } ?? []
    return first + (person?.aliases ?? []).flatMap { WordCutter.words(of: $0).map(\.key) }
  }

  static func sentences(_ words: [Word]) -> [[Word]] {
    var result: [[Word]] = []
    for word in words {
      let isBreak = word.sign.map { ".!?\n".contains($0) } ?? false
      if isBreak || result.isEmpty { result.append([]) }
      result[result.count - 1].append(word)
    }
    return result
  }
}

import ArkivedCore
import Foundation

/// The values that a sentence states, in its own words.
extension ToldText {
  private static let lexicon = ReaderLexicon.shared

  private func isVerbal(_ index: Int) -> Bool {
    guard words.indices.contains(index), !words[index].isCapitalised || index == 0 else {
      return false
    }
    return FrameReader.isVerb(words[index], hasSubject: false) || isGerund(index)
  }

  private func isGerund(_ index: Int) -> Bool {
    let word = lower(index)
    return word.hasSuffix("ing") && word.utf8.count > 5
      && WordForms.english.forms(of: word).count > 1
  }

  // MARK: People

  /// Returns the people that the question asks for: those after "with", those who did it together
  /// with the owner, or its recipients.
  func people(_ question: SentenceQuestion, isKnown: (String) -> Bool) -> [String] {
    let asked = Set(question.content.map(\.key))
    var groups: [(rank: Int, names: [String])] = []
    func add(_ rank: Int, _ names: [String]) {
      let others = names.filter { name in
        let keys = WordCutter.words(of: name).map(\.key)
        return !asked.isSuperset(of: keys)
      }
      if !others.isEmpty { groups.append((rank, others)) }
    }
    let verb = question.verb?.key
    for index in words.indices {
      let lower = lower(index)
      if Self.lexicon.lead(lower) == "company" { add(0, names(index + 1).names) }
      if index == 0 || isBreak(index) || isTime(index - 1) {
        let (names, end) = names(index)
        if Self.lexicon.joins(self.lower(end)),
          ["i", "we", "ich", "wir"].contains(self.lower(end + 1))
        {
          add(1, names)
        } else if isVerbal(end), names.allSatisfy(isKnown) {
          add(question.asksCompany ? 3 : 0, names)
        }
      }
      let isDone = isVerbal(index) || Self.lexicon.isCopula(lower)
      if isDone || lower == "to" && isVerbal(index - 1) {
        let names = names(index + 1).names
        let isSame = isDone ? key(index) == verb : key(index - 1) == verb
        if Self.lexicon.isCopula(lower) || names.allSatisfy({ isKnown($0) || !isCapital($0) }) {
          add(isSame && !question.asksCompany ? 0 : 2, names)
        }
      }
      if lower == "of" { add(4, names(index + 1).names.filter(isKnown)) }
    }
    guard let best = groups.map(\.rank).min() else { return [] }
    var found: [String] = []
    for group in groups where group.rank == best {
      for name in group.names where !found.contains(name) { found.append(name) }
    }
    return found
  }

  private func isCapital(_ name: String) -> Bool { name.first?.isUppercase ?? false }

  // MARK: Places

  /// Returns the place mentioned in a sentence, apart from those in the question.
  func place(_ question: SentenceQuestion, isPerson: (String) -> Bool) -> String? {
    let asked = Set((question.content + question.journey).map(\.key))
    let moves = question.verb.map { Journeys.moves.contains($0.key) || $0.key == "mov" } ?? false
    let visit = Lemma.key("visit")
    if moves || question.verb?.key == visit,
      let seen = words.indices.first(where: { key($0) == visit && isVerbal($0) })
    {
      let goal = sight(seen + 1)
      if asked.isSuperset(of: goal.map(key)) { return nil }
      return told(goal)
    }
    var best: (rank: Int, place: String)?
    for index in words.indices {
      guard var rank = Self.lexicon.placeRank(lower(index)), !isTime(index) else { continue }
      if moves, ["to", "nach", "into"].contains(lower(index)) { rank = 0 }
      var start = index + 1
      let isOwn = ["the", "a", "an"].contains(lower(start)) || Self.lexicon.isOwn(lower(start))
      let range = place(start)
      if isOwn, range.count > 1 { start += 1 }
      guard let last = range.last, start < range.upperBound, isName(start) || isOwn || rank <= 2,
        Quantities.number(lower(start)) == nil, !PlaceWords.times.contains(lower(last)),
        !PlaceWords.times.contains(lower(start)), !PlaceWords.media.contains(lower(start))
      else { continue }
      let name = told(range)
      if isPerson(told(start..<range.upperBound)) { continue }
      if asked.isSuperset(of: (start..<range.upperBound).map(key)) { continue }
      // A town in the question contains the place, but isn't the place.
      if isName(start), asked.contains(key(start)) { continue }
      if best.map({ rank < $0.rank }) ?? true { best = (rank, name) }
    }
    return best?.place
  }

  /// Returns the visited sights: "the Abbey and the Bridge of Sighs".
  private func sight(_ start: Int) -> Range<Int> {
    var range = place(start)
    // A name may have parts that look like other parts of a sentence.
    while isName(start), range.upperBound + 1 < words.count,
      ["of", "and"].contains(lower(range.upperBound)),
      !isTime(range.upperBound), isName(range.upperBound + 1) || isName(range.upperBound + 2)
    {
      range = start..<place(range.upperBound + 1).upperBound
    }
    return range
  }

  // MARK: Things

  /// Returns the things that the question asks for, and true if the sentence uses the question's
  /// verb for them.
  func things(_ question: SentenceQuestion) -> (things: [String], isDone: Bool) {
    let asked = Set(question.content.map(\.key))
    if let preposition = question.stranded {
      for index in words.indices.dropFirst() where lower(index) == preposition {
        let range = phrase(index + 1, isList: true)
        if let things = things(range, asked), Quantities.number(lower(index + 1)) == nil {
          return (things, true)
        }
      }
    }
    var verbs: Set<String> = []
    if let verb = question.verb {
      verbs = Synonyms.exact(verb.key).union([verb.key])
      if FrameWords.eating.contains(verb.key) {
        verbs.formUnion(FrameWords.eating.union(["prepar"]))
      }
    }
    var members = question.kind.map { Ontology.members(of: $0.key) } ?? []
    // Anything that was eaten is a dish.
    if let kind = question.kind?.key, FrameWords.meals.contains(kind),
      !verbs.isDisjoint(with: FrameWords.eating)
    {
      members = []
    }
    let implying = question.verb.map { Self.lexicon.implied(byVerb: $0.key) } ?? []
    var other: [String]?
    for index in words.indices where isVerbal(index) || verbs.contains(key(index)) {
      guard let found = things(phrase(afterAmount(index + 1), isList: true), asked) else {
        continue
      }
      let isSame =
        verbs.contains(key(index)) && !words[index].isCapitalised
        || found.contains { WordCutter.words(of: $0).contains { implying.contains($0.key) } }
      guard isSame || question.kind != nil || !question.isVerbCovered else { continue }
      let kept = members.isEmpty ? found : ofKind(found, members)
      if isSame, !kept.isEmpty { return (kept, true) }
      if isSame, question.kind != nil, found.count == 1, !members.isEmpty,
        !WordCutter.words(of: found[0]).contains(where: { Ontology.knows($0.key) })
      {
        return (found, true)
      }
      if !isSame, other == nil, !kept.isEmpty, question.kind == nil || !members.isEmpty {
        other = kept
      }
    }
    return (other ?? [], false)
  }

  /// Returns the word after an amount of time: "20 minutes on the news", "some time sketching".
  private func afterAmount(_ start: Int) -> Int {
    var index = start
    let begin = index
    while Quantities.number(lower(index)) != nil || Self.lexicon.isSome(lower(index))
      || ["time", "an", "a", "half"].contains(lower(index))
        && UnitTable.standard.unit(named: lower(index + 1))?.dimension == .time
      || lower(index) == "time"
      || UnitTable.standard.unit(named: lower(index))?.dimension == .time
    {
      index += 1
    }
    if index > begin, ["on", "of", "with"].contains(lower(index)) { index += 1 }
    return index > begin ? index : start
  }

  private func things(_ range: Range<Int>, _ asked: Set<String>) -> [String]? {
    let content = range.filter { !StopWords.contains(lower($0)) }
    guard !content.isEmpty, !asked.isSuperset(of: content.map(key)) else { return nil }
    let items = items(range).map { told($0) }
    return items.isEmpty ? nil : items
  }

  /// Keeps the things of a kind; a thing that belongs to no known kind is assumed to be of the same
  /// kind as its neighbours, because lists are usually ordered by kind.
  private func ofKind(_ items: [String], _ members: Set<String>) -> [String] {
    let known = items.map { item -> Bool? in
      let words = WordCutter.words(of: item, joinsPhrases: false)
      guard let last = words.last else { return false }
      if words.count > 1 {
        let joined = Lemma.key(words.suffix(2).map(\.lower).joined())
        if Ontology.knows(joined) { return members.contains(joined) }
      }
      if members.contains(last.key)
        || words.contains(where: { members.contains($0.key) })
          && !Ontology.knows(last.key)
      {
        return true
      }
      return Ontology.knows(last.key) ? false : nil
    }
    guard known.contains(true) || known.first == .some(nil) else { return [] }
    return items.indices.filter { index in
      if let own = known[index] { return own }
      let before = known[..<index].last { $0 != nil } ?? nil
      let after = known[(index + 1)...].first { $0 != nil } ?? nil
      return before ?? (known.contains(true) ? after ?? true : true)
    }.map { items[$0] }
  }

  // MARK: Reasons and durations

  /// Returns the reason that a sentence gives: "because of the rain", "to study law".
  func reason() -> String? {
    func clause(_ start: Int) -> String? {
      let end = (start + 1..<words.count).first { isBreak($0) || isTime($0) } ?? words.count
      var last = end
      // "for school on 4 March"
      while last > start + 1, Self.lexicon.lead(lower(last - 1)) != nil { last -= 1 }
      return last > start + 1 ? told(start..<last) : nil
    }
    if let because = words.indices.first(where: { Self.lexicon.lead(lower($0)) == "reason" }) {
      return clause(because)
    }
    if let to = words.indices.first(where: { index in
      lower(index) == "to" && words.indices.contains(index + 1) && !isName(index + 1)
        && !Self.lexicon.isOwn(lower(index + 1)) && !StopWords.contains(lower(index + 1))
    }) {
      return clause(to)
    }
    if let purpose = words.indices.first(where: { index in
      Self.lexicon.lead(lower(index)) == "purpose" && Quantities.number(lower(index + 1)) == nil
        && !isTime(index + 1)
    }) {
      return clause(purpose)
    }
    guard let next = words.indices.dropFirst().first(where: { isBreak($0) }) else { return nil }
    return told(next..<words.count)
  }

  /// Returns how long something took, with its unit: "for 40 minutes"; a bare number after "spent"
  /// means minutes.
  func length() -> (amount: Double, unit: String)? {
    let amounts = TextAmounts.read(words, text: text)
    for unit in ["minutes", "seconds", "days", "nights", "weeks", "months", "years"] {
      if let amount = amounts[unit] { return (amount, unit) }
    }
    return nil
  }

  /// Returns true if it happened to somebody besides the owner: "took Ada to the vet", "Ada and I".
  func isOfOthers(isKnown: (String) -> Bool) -> Bool {
    return words.indices.contains { index in
      let (names, end) = names(index)
      guard !names.isEmpty else { return false }
      if index == 0 || isBreak(index) || isTime(index - 1) {
        return Self.lexicon.joins(lower(end))
      }
      return isVerbal(index - 1) && names.allSatisfy { isKnown($0) || !isCapital($0) }
    }
  }
}

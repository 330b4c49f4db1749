import ArkivedCore

/// Reading the parts of a question from the roles of its words.
extension QueryAssembler {
  /// Consecutive words with the same role.
  private struct Phrase {
    var role: ReaderNetwork.Role
    var words: [String]
    var text: String { words.joined(separator: " ") }
  }

  struct Parts {
    var conditions: [Query.Predicate] = []
    var kinds: [Query.Predicate] = []
    var sides: [[Query.Predicate]] = [[], []]
    var events: [Query.Predicate] = []
    var measure: String?
    var words: [String] = []
    var people: [String] = []
    var days: ClosedRange<DayKey>?
    var rank: Int?
    /// True if the rank is one among amounts, such as the second longest, and not one in time.
    var ranksAmounts = false
    /// Places and names that may limit the days if no entry contains both them and the rest.
    var bounds: [Query.Predicate] = []
    var unread: [String] = []
    var doubtful: [String] = []
    var isAhead = false
    /// True if a word refers to the future, even within a named time.
    var looksAhead = false
    var asksTotal = false
    /// The relation of the event to the time, if the network didn't determine it.
    var relation: String?
    /// The requested days relative to the event: 1 for the day after it.
    var offsets: ClosedRange<Int>?
    /// True if days are counted or listed: those with a metric's values, or without something.
    var countsDays = false
    /// The requested number of results: "my top three".
    var limit: Int?
    /// The mood value that a day must have.
    var rating: Double?
    /// True if it asks who or what a person is.
    var isIdentity = false
    /// The period of a requested frequency or amount.
    var rate: Query.Group?
    /// True if a verb named the metric.
    var takesMetric = false
  }

  func parts(_ question: QuestionTokens, _ told: ReaderNetwork.Reading) -> Parts {
    var parts = Parts()
    var phrases: [Phrase] = []
    var isOpen = false
    let words = question.tokens.map(\.text)
    let isNegated = words.contains(where: lexicon.isNegation)
    // A word after "since" limits the time, unless the network is sure that nothing does.
    var relation: (place: Int, name: String)?
    let isEdge = ["last", "first", "span", "gap", "run"].contains(
      told.heads["fold"]?.first?.value ?? "")
    if !isEdge,
      told.heads["event"]?.first.map({ $0.value == "none" && $0.score < Self.sure }) ?? false
    {
      relation =
        words.indices.lazy.compactMap { index in
          lexicon.relation(words[index]).map { (index, $0) }
        }.first
    }
    for (place, (token, scores)) in zip(question.tokens, told.roles).enumerated() {
      let best = scores.indices.max { scores[$0] < scores[$1] } ?? 0
      var role = network.roles[best]
      // Only an explicit word excludes something.
      if role == .excluded, !isNegated { role = .concept }
      if role == .concept, let relation, place > relation.place, case .word = token.content {
        role = .event
        parts.relation = relation.name
      }
      if case .word = token.content {
        if let rank = lexicon.rank(token.text) {
          parts.rank = rank
          parts.ranksAmounts =
            question.tokens[checked: place + 1].map { next in
              lexicon.isFold(next.text) && lexicon.rank(next.text) == nil
            } ?? false
        }
        if let number = Quantities.number(token.text), number == number.rounded() {
          if (2...20).contains(number) { parts.limit = Int(number) }
          if (1...5).contains(number), token.text.first?.isNumber == true { parts.rating = number }
        }
        guard role != .talk else {
          isOpen = false
          if token.text.count > 2, !lexicon.isTalk(token.text), lexicon.metric(token.text) == nil {
            parts.unread.append(token.text)
            // If the network is unsure, a word is content if entries contain it.
            if scores[best] < Self.sure, timeline.frequency(of: Lemma.key(token.text)) > 0 {
              parts.doubtful.append(token.text)
            }
          }
          continue
        }
        if isOpen, let last = phrases.indices.last, phrases[last].role == role {
          phrases[last].words.append(token.text)
        } else {
          phrases.append(Phrase(role: role, words: [token.text]))
        }
        isOpen = true
        continue
      }
      if role == .event || role == .secondEvent {
        if isOpen, let last = phrases.indices.last, phrases[last].role == role {
          phrases[last].words.append(token.text)
        } else {
          phrases.append(Phrase(role: role, words: [token.text]))
        }
        isOpen = true
        continue
      }
      isOpen = false
      add(token, role, &parts)
    }
    for phrase in phrases { add(phrase, &parts) }
    if parts.conditions.contains(where: { if case .not(.person) = $0 { true } else { false } }),
      words.contains(where: lexicon.isSomebody)
    {
      parts.conditions.append(.not(.alone))
    }
    func says(_ holds: (String) -> Bool) -> Bool {
      question.tokens.contains { token in
        if case .word = token.content { holds(token.text) } else { false }
      }
    }
    parts.isAhead = parts.days == nil && says(lexicon.isAhead)
    parts.looksAhead = says(lexicon.isAhead) || says(lexicon.isFuture)
    if parts.isAhead { parts.days = today...DayKey.latest }
    parts.asksTotal = lexicon.asksTotal(question.text)
    parts.rate = lexicon.rate(in: question.text).flatMap(Query.Group.init(rawValue:))
    share(&parts)
    parts.offsets = offsets(words)
    let phrase = phrases.first
    parts.isIdentity =
      phrases.count == 1 && parts.people.isEmpty && parts.days == nil
      && words.indices.contains { index in
        words[index] == phrase?.words.first && index > 0 && lexicon.isCopula(words[index - 1])
      }
    return parts
  }

  /// Returns the offset in days for "The day after", "two days before", "in the week after"; nil if
  /// no word states one.
  private func offsets(_ words: [String]) -> ClosedRange<Int>? {
    for place in words.indices.dropFirst() {
      guard let length = lexicon.daysBeside(words[place - 1]),
        let side = lexicon.side(words[place])
      else { continue }
      let count = place > 1 ? Quantities.number(words[place - 2]).flatMap(Int.init(exactly:)) : nil
      guard (1...10_000).contains(count ?? 1) else { return nil }
      let days = (count ?? 1) * length
      // The week after it includes any day of that week.
      let first = count == nil && length > 1 ? 1 : days
      return side == "before" ? (-days)...(-first) : first...days
    }
    return nil
  }

  /// Applies a condition stated on one side of a comparison to both, if the sides differ in their
  /// days or people: "more films with Mira or with Tom".
  private func share(_ parts: inout Parts) {
    func isConcept(_ predicate: Query.Predicate) -> Bool {
      if case .concept = predicate { true } else { false }
    }
    guard parts.sides.allSatisfy({ !$0.isEmpty }) else { return }
    let concepts = parts.sides.map { $0.filter(isConcept) }
    let others = parts.sides.map { $0.filter { !isConcept($0) } }
    guard concepts.contains(where: \.isEmpty), others.allSatisfy({ !$0.isEmpty }) else { return }
    parts.conditions += concepts.joined()
    parts.sides = others
  }

  private func add(
    _ token: QuestionTokens.Token, _ role: ReaderNetwork.Role, _ parts: inout Parts
  ) {
    let predicate: Query.Predicate
    switch token.content {
    case .word: return
    case .days(let days):
      predicate = .days(days)
      if role != .firstSide, role != .secondSide {
        // "Since May … until August" is a single span.
        if let known = parts.days, known.overlaps(days) {
          parts.days = known.clamped(to: days)
        } else if let known = parts.days {
          parts.days =
            min(known.lowerBound, days.lowerBound)...max(known.upperBound, days.upperBound)
        } else {
          parts.days = days
        }
        return
      }
    case .weekdays(let weekdays): predicate = .weekday(weekdays)
    case .hours(let from, let to): predicate = .hours(from: from, to: to)
    case .people(let names):
      predicate =
        names.count == 1
        ? .person(names[0], role: .any)
        : .any(names.map { .person($0, role: .any) })
      if role != .excluded { parts.people += names }
    case .amount(let unit, let bounds):
      if UnitTable.standard.unit(named: unit) == nil, TextAmounts.currency(of: unit) == nil,
        let metric = metric(called: unit)
      {
        predicate = .metric(metric, bounds)
        parts.countsDays = true
      } else {
        predicate = .amount(unit: unit, bounds)
      }
    case .quote(let text): predicate = .text(text)
    case .tag(let tag): predicate = .tag(tag)
    }
    switch role {
    case .firstSide: parts.sides[0].append(predicate)
    case .secondSide: parts.sides[1].append(predicate)
    case .excluded: parts.conditions.append(.not(predicate))
    default: parts.conditions.append(predicate)
    }
  }

  private func add(_ phrase: Phrase, _ parts: inout Parts) {
    if phrase.role == .measure {
      parts.measure = [parts.measure, phrase.text].compactMap(\.self).joined(separator: " ")
      return
    }
    let content = phrase.words.filter { word in
      // Words that only frame questions are content only if entries contain them too.
      !lexicon.isEmpty(word)
        && (!lexicon.isTalk(word) || timeline.frequency(of: Lemma.key(word)) > 0
          || timeline.names.tagsByKey[Lemma.key(word)] != nil)
    }
    let isEvent = phrase.role == .event || phrase.role == .secondEvent
    guard !content.isEmpty else { return }
    let concept = Query.Predicate.concept(
      Query.Concept(
        phrase: content.joined(separator: " "),
        role: isEvent ? .event : phrase.role == .kind ? .thing : .any))
    switch phrase.role {
    case .talk, .measure: break
    case .kind: parts.kinds.append(concept)
    case .event, .secondEvent: parts.events.append(concept)
    case .excluded: parts.conditions.append(.not(concept))
    case .firstSide: parts.sides[0].append(concept)
    case .secondSide: parts.sides[1].append(concept)
    case .concept: parts.conditions.append(concept)
    }
    parts.words.append(phrase.text)
  }
}

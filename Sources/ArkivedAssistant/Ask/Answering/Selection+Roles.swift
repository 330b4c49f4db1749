import ArkivedCore
import Foundation

/// Filters that read the sentences of entries found by the index.
extension Selector {
  /// Returns the first day of each stay for "the day we left for Kyoto", the last for "came back
  /// from Kyoto".
  func edges(_ days: [DayKey], _ text: String, _ concepts: [Concept]) -> [DayKey] {
    let stays = concepts.compactMap { concept -> Set<DayKey>? in
      for case .day(let stay) in concept.atoms { return stay }
      return nil
    }
    guard let stay = stays.first, days.count > 1 else { return days }
    let lower = text.lowercased()
    func has(_ pattern: String) -> Bool {
      lower.range(of: pattern, options: .regularExpression) != nil
    }
    let sorted = stay.sorted()
    if has("\\b(came|got|come|get|return|fly|went|flew|returned|back|home)\\b.*\\bfrom\\b") {
      return sorted.filter { !stay.contains($0.advanced(by: 1)) }
    }
    if has(
      "\\b(left|leave|set off|leaving|went|flew|travelled|traveled|departed|arrived)\\b.*\\b(for|to|in)\\b"
    ) {
      return sorted.filter { !stay.contains($0.advanced(by: -1)) }
    }
    return days
  }

  /// Returns the days from which a shift is counted: for each stay, its first day if the shift goes
  /// back in time, otherwise its last day.
  func beside(_ days: [DayKey], _ shift: Int, _ concepts: [Concept]) -> [DayKey] {
    let isStay = concepts.contains { concept in
      concept.atoms.contains { if case .day = $0 { true } else { false } }
    }
    guard shift != 0, isStay, days.count > 1 else { return days }
    let sorted = days.sorted()
    return AnswerWork.runs(of: sorted, gap: 3).map { shift < 0 ? $0.lowerBound : $0.upperBound }
  }

  /// Returns the days whose recorded values match a question: “more than 10,000 steps”, “mood 5”;
  /// nil if the question asks for entries.
  func metricDays(_ question: AskQuestion) -> Set<DayKey>? {
    guard !question.isComplement, let holds = dayCondition(question) else { return nil }
    return Set(
      timeline.days(in: span(of: question)).compactMap { day, value in holds(value) ? day : nil })
  }

  private func dayCondition(_ question: AskQuestion) -> ((TimelineDay) -> Bool)? {
    let isPlain = question.terms.isEmpty && question.people.isEmpty && question.joins.isEmpty
    if let value = question.dayValue, isPlain {
      return { (value.isMood ? $0.mood : $0.energy).map(Double.init) == value.amount }
    }
    guard let threshold = question.threshold else { return nil }
    var metric: String?
    switch question.measure {
    case .mood where isPlain: return { $0.mood.map { threshold.holds(Double($0)) } ?? false }
    case .energy where isPlain: return { $0.energy.map { threshold.holds(Double($0)) } ?? false }
    case .metric(let name): metric = name
    case nil where isPlain:
      metric = timeline.metrics.keys.sorted().first {
        AskReader.metricWords($0).contains(threshold.unit)
      }
    default: break
    }
    guard let metric, let unit = timeline.metrics[metric] else { return nil }
    let factor = UnitTable.standard.convert(1, from: unit, to: threshold.unit) ?? 1
    return { $0.metrics[metric].map { threshold.holds($0 * factor) } ?? false }
  }

  /// Keeps the outward journeys for "when did I go to Lisbon" if some state the journey's length.
  func ways(
    _ entries: [TimelineEntry], _ question: AskQuestion, _ concepts: [Concept],
    _ selection: inout Selection
  ) -> [TimelineEntry] {
    let goes =
      question.lightVerbs.contains("go")
      || !question.lightVerbs.isDisjoint(with: ["come", "com"]) && question.hole == .person
      || concepts.contains { ["leav", "travel", "fly", "set"].contains($0.term.key) }
    guard goes, question.hole != .entry || question.kind != .list,
      concepts.contains(where: { concept in
        ["to", "for"].contains(concept.term.preposition ?? "")
          && concept.atoms.contains { if case .day = $0 { true } else { false } }
      })
    else { return entries }
    var starts = entries.filter { Journeys.length(of: $0) != nil }
    // "Flight Hamburg–Rome": the people on it were travelling there.
    if starts.isEmpty, question.hole == .person {
      let goals = Set(concepts.filter { $0.term.preposition == "to" }.map(\.term.key))
      starts = entries.filter { $0.says(ConceptResolver.ways) && !goals.isDisjoint(with: $0.keys) }
    }
    if starts.isEmpty { return entries }
    selection.doubts.append(
      Doubts.further(entries.count - starts.count, said("from the time spent there")))
    return starts
  }

  /// Excludes entries that only happened around a meal: "talked to Ines during lunch".
  func meals(
    _ entries: [TimelineEntry], _ concepts: [Concept], _ selection: inout Selection
  ) -> [TimelineEntry] {
    let meals: Set<String> = ["lunch", "dinner", "breakfast", "supper", "brunch"]
    guard
      let meal = concepts.first(where: {
        meals.contains($0.term.key) && !$0.term.isExcluded
          && !["during", "before", "after"].contains($0.term.preposition ?? "")
          && ConceptResolver.tags($0.atoms).isEmpty
      })?.term.key
    else { return entries }
    var sayings = Sayings<Bool>()
    let kept = entries.filter { entry in
      sayings.of(entry) { entry in
        let words = entry.words
        let places = words.indices.filter { words[$0].key == meal }
        return places.isEmpty
          || places.contains { place in
            place == 0 || !["during", "before", "after"].contains(words[place - 1].lower)
          }
      }
    }
    guard !kept.isEmpty, kept.count < entries.count else { return entries }
    selection.doubts.append(
      Doubts.further(entries.count - kept.count, said("with “\(meal)” as a time of day")))
    return kept
  }

  /// Keeps flights that go to the requested place: "Flight Hamburg–Lisbon" goes to Lisbon.
  func directed(
    _ entries: [TimelineEntry], _ question: AskQuestion, _ concepts: [Concept]
  ) -> [TimelineEntry] {
    guard concepts.contains(where: { ["fly", "flight", "ferry", "train"].contains($0.term.key) }),
      let goal = concepts.first(where: {
        $0.term.preposition == "to" || $0.term.preposition == "from"
      })
    else { return entries }
    let isTo = goal.term.preposition == "to"
    return entries.filter { entry in
      let routed = entry.words.indices.filter {
        entry.words[$0].sign == "–" || entry.words[$0].sign == "-"
      }
      guard let place = entry.words.firstIndex(where: { $0.key == goal.term.key }) else {
        return true
      }
      if routed.isEmpty { return !Selector.isOtherWay(entry.words, place) }
      return routed.contains(place) == isTo
    }
  }

  /// Returns true if the place belongs to a different part of the sentence than the flight: "trains
  /// to Manchester, flight to Hamburg".
  private static func isOtherWay(_ words: [Word], _ place: Int) -> Bool {
    func part(_ index: Int) -> Int { words[...index].lastIndex { $0.sign != nil } ?? 0 }
    let flights = words.indices.filter { ["fly", "flight", "ferry"].contains(words[$0].key) }
    guard !flights.isEmpty, flights.allSatisfy({ part($0) != part(place) }) else { return false }
    return flights.contains { index in index + 1 < words.count && words[index + 1].lower == "to" }
  }

  /// Filters by who did something and for whom, if some sentences state it.
  func byRole(
    _ entries: [TimelineEntry], _ question: AskQuestion, _ concepts: [Concept]
  ) -> [TimelineEntry] {
    var entries = entries
    for person in question.people where !person.isExcluded {
      let wanted = Set(person.names)
      // Talking to somebody means talking with them.
      let isMutual =
        person.role != "subject"
        && concepts.contains {
          ["talk", "speak", "chat", "call", "phone", "ring", "discuss"].contains($0.term.key)
        }
      // "did Pickle get vaccinated": Pickle is the object.
      let isPassive =
        person.role == "subject"
        && question.text.range(
          of: #"\b(?:gets?|got|gotten|getting|be|been|was|were) \w+ed\b"#,
          options: [.regularExpression, .caseInsensitive]) != nil
      guard !isMutual, !isPassive, ["subject", "for", "to", "from", "by"].contains(person.role),
        concepts.contains(where: { $0.term.isVerb || $0.term.isHole })
          || question.lightVerbs.contains(where: { ["mak", "give", "giv", "send"].contains($0) })
      else { continue }
      var sayings = Sayings<Bool>()
      let fitting = entries.filter { entry in
        sayings.of(entry) { entry in
          let frame = frames.frame(of: entry, timeline)
          switch person.role {
          case "subject":
            return !wanted.isDisjoint(with: frame.subjects)
              || !wanted.isDisjoint(with: frame.peopleByRole[""] ?? [])
              || !wanted.isDisjoint(with: frame.owners)
              || !wanted.isDisjoint(with: frame.peopleByRole["from"] ?? [])
          default:
            return !wanted.isDisjoint(with: frame.peopleByRole[person.role] ?? [])
          }
        }
      }
      if !fitting.isEmpty { entries = fitting }
    }
    return entries
  }
}

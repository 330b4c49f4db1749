import ArkivedCore

/// Conditions that the index alone can decide.
extension Selector {
  /// Returns the query for the index, without conditions that depend on sentences.
  func plainQuery(
    _ question: AskQuestion, _ base: IndexCondition, _ concepts: [Concept],
    namesInText: Bool = false
  ) -> [TimelineEntry] {
    timeline.entries(
      .activity, where: plainCondition(question, base, concepts, namesInText: namesInText))
  }

  /// Returns the number of entries that match in the index.
  func plainCount(
    _ question: AskQuestion, _ base: IndexCondition, _ concepts: [Concept]
  ) -> Int {
    timeline.count(.activity, where: plainCondition(question, base, concepts))
  }

  /// Returns the days of the given months in any year of the archive.
  func days(in months: Set<Int>, _ span: ClosedRange<DayKey>) -> Set<DayKey> {
    guard let all = timeline.span, all.overlaps(span) else { return [] }
    let days = AnswerWork.listable(
      max(all.lowerBound, span.lowerBound)...min(all.upperBound, span.upperBound))
    let count = days.lowerBound.distance(to: days.upperBound)
    return Set(
      (0...count).map { days.lowerBound.advanced(by: $0) }.filter { months.contains($0.month) })
  }

  /// Returns true if an entry begins within a range of hours, or is in progress at the requested
  /// moment.
  func isWithin(_ minutes: Range<Int>, _ entry: TimelineEntry, _ question: AskQuestion) -> Bool {
    guard let clock = entry.startMinute else { return false }
    // It is in progress at any moment, but begins at no hour.
    if entry.fillsDay { return question.isMoment }
    // A night that is dated to the day of waking began before that day.
    let isOneDay = question.days.map { $0.lowerBound == $0.upperBound } ?? false
    let start = isOneDay ? min(clock, entry.dayMinute ?? clock) : clock
    if minutes.contains(start) { return true }
    // What is dated to a day and begins after its midnight is late on that day.
    if question.isOpenEnded, let minute = entry.dayMinute, minute >= minutes.upperBound {
      return true
    }
    guard let moment = question.moment else { return false }
    let elapsed = isOneDay ? moment - start : (moment - start + 1_440) % 1_440
    return elapsed >= 0 && Double(elapsed) < entry.durationMinutes ?? 0
  }

  /// Returns the entries of the days before and after the one of a question that begin on it within
  /// a range of hours, or are in progress at the requested moment: nights that are dated to the day
  /// of waking, and those that have lasted since the evening before.
  func besides(
    _ minutes: Range<Int>, _ question: AskQuestion, _ base: IndexCondition, _ concepts: [Concept],
    namesInText: Bool
  ) -> [TimelineEntry] {
    guard question.isMoment || question.isOpenEnded, let days = question.days,
      days.lowerBound == days.upperBound, base.days == days, base.onDays == nil,
      base.weekdays.isEmpty
    else { return [] }
    let day = days.lowerBound
    return [-1, 1].flatMap { shift -> [TimelineEntry] in
      var beside = base
      let other = day.advanced(by: shift)
      beside.days = other...other
      return plainQuery(question, beside, concepts, namesInText: namesInText).filter { entry in
        guard !entry.fillsDay, let minute = entry.dayMinute else { return false }
        let start = shift * 1_440 + minute
        if (0..<1_440).contains(start), minutes.contains(start) { return true }
        guard let moment = question.moment, start <= moment else { return false }
        return Double(moment - start) < entry.durationMinutes ?? 0
      }
    }
  }

  /// Returns the entries that mention no people other than those in the question.
  func withoutOthers(_ entries: [TimelineEntry], _ question: AskQuestion) -> [TimelineEntry] {
    let named = Set(question.people.filter { !$0.isExcluded }.flatMap(\.names))
    return entries.filter { named.isSuperset(of: $0.people) }
  }

  private func plainCondition(
    _ question: AskQuestion, _ base: IndexCondition, _ concepts: [Concept],
    namesInText: Bool = false
  ) -> IndexCondition {
    var condition = base
    for concept in concepts {
      if concept.term.isExcluded {
        // "kilometres, excluding the rides to work" doesn't mean all rides.
        let isAsked = concepts.contains {
          !$0.term.isExcluded && !ConceptResolver.tags($0.atoms).isEmpty
            && ConceptResolver.tags($0.atoms) == ConceptResolver.tags(concept.atoms)
        }
        if isAsked { continue }
        condition.none.append(concept.atoms)
      } else {
        condition.all.append(concept.atoms)
      }
    }
    for person in question.people {
      var atoms = person.names.map { IndexCondition.Atom.person($0) }
      // "at Jonas's parents'" doesn't mean with Jonas.
      if namesInText || person.role == "owner" {
        atoms += person.names.flatMap { words(of: $0) }.map { .word($0) }
      }
      if person.isExcluded { condition.none.append(atoms) } else { condition.all.append(atoms) }
    }
    // Evaluate the most selective clauses first.
    condition.all.sort { $0.count < $1.count }
    return condition
  }
}

import ArkivedCore
import Foundation

/// Answers about what was not done: the days and periods without it.
extension AnswerWork {
  /// Returns the periods without an entry, as in "In which months was there no choir?".
  private func emptyPeriods(_ period: AskQuestion.Period, _ selection: Selection) -> TimelineAnswer
  {
    let done = Set(selection.days.map { key(of: $0, period) })
    // Nothing can be missing before the first occurrence, unless the question names a period.
    let all = keys(in: spanOfRate(selection), period)
    let left = all.filter { !done.contains($0) }.map { periodName($0, period) }
    guard !left.isEmpty else {
      return none(
        said(
          "There was at least one entry every \(period.word)\(circumstances(selection))."))
    }
    if question.kind == .count {
      let told = inPeriods(left.count, period)
      return finish(
        said("\(told): nothing recorded\(circumstances(selection))."), "count",
        values: [JSON(left.count)], labels: left, unit: period.unit, selection,
        citations: [])
    }
    return finish(
      said("\(enumeration(left)): nothing recorded\(circumstances(selection))."),
      "list",
      values: left.map { .string($0) }, labels: left, selection, citations: [])
  }

  /// Returns the days on which something was not done.
  func complement(_ selection: Selection) -> TimelineAnswer {
    if question.hole == .person {
      return none(said("I can’t work out who wasn’t there. Ask about one person at a time."))
    }
    if let inner = question.clauseQuestion, let clause = question.clause {
      // "when I was ill" limits the days that are counted, not only those with an entry.
      var joined = question
      (joined.clause, joined.clauseParts) = (nil, [])
      joined.joins.append(.init(question: [inner], text: clause))
      let limited = selector.select(joined, allowsNotes: false)
      if let empty = limited.emptyJoin {
        return none(said("I couldn’t find a day when this was the case: \(empty)."))
      }
      return with(joined).complement(thresholded(limited))
    }
    guard hasEverOccurred(selection) else { return nothing(selection) }
    if let period = question.countsPeriod { return emptyPeriods(period, selection) }
    if case .period(let period) = question.hole { return emptyPeriods(period, selection) }
    guard let left = daysWithout(selection) else { return nothing(selection) }
    var empty = selection
    empty.entries = []
    switch question.kind {
    case .gap: return run(selection)
    case .streak, .since: return excluding.course(left, empty.excluding)
    case .first, .last:
      guard let day = question.kind == .first ? left.first : left.last else {
        return none(said("I couldn’t find a day like that\(circumstances(selection))."))
      }
      return finish(
        said("\(day.toldLongName): nothing recorded\(circumstances(empty))."),
        question.kind.rawValue, values: [JSON(day)], labels: [day.description], empty,
        citations: [])
    case .sum, .average, .longest, .most, .clock:
      return none(
        said("I can’t measure what you didn’t do. Ask on which days, or on how many."))
    default: break
    }
    let sentence =
      said(
        left.count, one: "Nothing recorded on 1 day",
        other: "Nothing recorded on \(left.count) days")
      + circumstances(selection) + said("; something recorded on \(selection.days.count).")
    if question.kind == .count {
      return finish(
        sentence, "count", values: [JSON(left.count)], labels: ["days"], unit: "days", empty,
        citations: [])
    }
    return finish(
      sentence, "when", values: left.map { JSON($0) }, labels: left.map(\.description), empty,
      citations: [])
  }

  /// Returns the days without any of the selected entries that the question asks about; nil if the
  /// archive begins after them.
  private func daysWithout(_ selection: Selection) -> [DayKey]? {
    let first = timeline.span?.lowerBound ?? today
    var days = selector.span(of: question)
    if days.lowerBound == .earliest {
      guard first <= days.upperBound else { return nil }
      days = first...days.upperBound
    }
    days = AnswerWork.listable(days)
    var asked = selection.joinedDays
    if let value = question.dayValue {
      let rated = Set(
        timeline.days(in: days).filter { _, day in
          (value.isMood ? day.mood : day.energy).map(Double.init) == value.amount
        }.map(\.0))
      asked = asked?.intersection(rated) ?? rated
    }
    let done = Set(selection.days)
    return (0...days.lowerBound.distance(to: days.upperBound)).map {
      days.lowerBound.advanced(by: $0)
    }.filter { day in
      !done.contains(day) && (asked?.contains(day) ?? true)
        && (question.weekdays.isEmpty || question.weekdays.contains(day.weekday))
        && (question.months.isEmpty || question.months.contains(day.month))
    }
  }

  /// The question with its conditions as exclusions, so that answers describe them as such.
  private var excluding: AnswerWork {
    var result = question
    for index in result.terms.indices { result.terms[index].isExcluded = true }
    for index in result.people.indices { result.people[index].isExcluded = true }
    return with(result)
  }

  /// Returns true if the selected things occur at any time, because days without something that was
  /// never recorded say nothing.
  private func hasEverOccurred(_ selection: Selection) -> Bool {
    guard selection.entries.isEmpty else { return true }
    var anyTime = question
    (anyTime.days, anyTime.weekdays) = (nil, [])
    return !selector.select(anyTime, allowsNotes: false).entries.isEmpty
  }
}

extension Selection {
  /// The selection with its concepts as exclusions.
  fileprivate var excluding: Selection {
    var result = self
    for index in result.concepts.indices { result.concepts[index].term.isExcluded = true }
    return result
  }
}

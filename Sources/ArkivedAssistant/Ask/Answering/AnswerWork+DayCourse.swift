import ArkivedCore
import Foundation

/// Patterns of the days on which a value matches: how many in a row, how far apart, how many per
/// week.
extension AnswerWork {
  /// Returns the days that remain after joins if nothing else is asked, including days without
  /// entries.
  func wholeDays(_ selection: Selection) -> Set<DayKey>? {
    guard question.terms.isEmpty, question.people.isEmpty, question.minutes == nil,
      !question.hasNobody, !question.hasSomebody, let days = selection.joinedDays, !days.isEmpty
    else { return nil }
    let span = selector.span(of: question)
    return days.filter { span.contains($0) }
  }

  /// Returns true if values of days are readings, such as a mood or a body weight, which have a
  /// mean but no sum.
  func isLevel(_ values: [Double], _ unit: String) -> Bool {
    if ["mood", "energy"].contains(unit) || AmountLevel.isLevel(values, unit: unit) { return true }
    guard case .metric(let name) = question.measure, !["minutes", "hours"].contains(unit) else {
      return false
    }
    return !AskReader.levelWords.isDisjoint(with: AskReader.metricWords(name))
  }

  /// Returns a length with its first and last day: "12 days, from 2 May 2025 to 14 May 2025".
  func stretch(_ length: Int, _ first: DayKey, _ last: DayKey) -> String {
    said(
      length, one: "\(length) day, from \(first.shownPlainName) to \(last.shownPlainName)",
      other: "\(length) days, from \(first.shownPlainName) to \(last.shownPlainName)")
  }

  /// Returns how often something happens, such as "every 2.5 days on average".
  func rhythm(_ days: String, _ gaps: Int, _ selection: Selection) -> String {
    days == "1"
      ? said("Every day on average\(circumstances(selection)) (gaps: \(gaps)).")
      : said("Every \(days) days on average\(circumstances(selection)) (gaps: \(gaps)).")
  }

  /// Describes the pattern of some days: the longest streak, the longest gap, or the time since the
  /// last day.
  func course(_ days: [DayKey], _ selection: Selection) -> TimelineAnswer {
    guard let last = days.last else {
      return none(said("I couldn’t find a day like that\(circumstances(selection))."))
    }
    if question.kind == .streak { return streak(days, selection) }
    if question.kind == .since {
      let day = question.isFirstMeant ? days[0] : last
      let count = day.distance(to: today)
      return finish(
        said(count, one: "1 day ago", other: "\(count) days ago")
          + ", \(day.toldLongName)\(circumstances(selection)).", "last", values: [JSON(count)],
        labels: [day.description], unit: "days", selection,
        citations: selection.entries.filter { $0.day == day })
    }
    let gaps = zip(days, days.dropFirst()).map { ($0.distance(to: $1), $0, $1) }
    guard let (length, first, second) = gaps.max(by: { $0.0 < $1.0 }) else {
      return nothing(selection)
    }
    if question.isAverageWanted {
      let mean = Double(gaps.reduce(0) { $0 + $1.0 }) / Double(gaps.count)
      let shown = AmountText.shown((mean * 10).rounded() / 10)
      return finish(
        rhythm(shown, gaps.count, selection),
        "average", values: [JSON((mean * 1000).rounded() / 1000)], unit: "days", selection)
    }
    return finish(
      stretch(length, first, second)
        + "\(circumstances(selection)).", "longest", values: [JSON(length)],
      labels: [first.description, second.description], unit: "days", selection,
      citations: selection.entries.filter { $0.day == first || $0.day == second })
  }

  /// Answers if a condition held on any day: “did I walk more than 10,000 steps yesterday”.
  func held(
    _ told: [(DayKey, Double)], _ threshold: AskQuestion.Threshold, _ unit: String,
    _ selection: Selection
  ) -> TimelineAnswer {
    let days = told.filter { threshold.holds($0.1) }
    if let only = told.first, told.count == 1 {
      // The answer gives the figure itself, so the limit is removed.
      var plain = question
      plain.threshold = nil
      let sentence = "\(text(only.1, unit))\(with(plain).circumstances(selection))."
      return finish(
        days.isEmpty ? said("No: \(sentence)") : said("Yes: \(sentence)"), "list",
        values: [JSON((only.1 * 10000).rounded() / 10000)], labels: [only.0.description],
        unit: unit, selection, citations: [])
    }
    guard !days.isEmpty else {
      let sentence = said("On none of \(told.count) days\(circumstances(selection)).")
      return none(said("No: \(sentence)"))
    }
    let sentence = said("On \(days.count) of \(told.count) days\(circumstances(selection)).")
    return finish(
      said("Yes: \(sentence)"), "list", values: days.map { JSON($0.0) },
      labels: days.map(\.0.description), unit: "days", selection, citations: [])
  }

  /// Returns the longest streak among some days.
  func streak(_ days: [DayKey], _ selection: Selection) -> TimelineAnswer {
    var best: (count: Int, last: DayKey)?
    var length = 0
    for (index, day) in days.enumerated() {
      length = index > 0 && days[index - 1].advanced(by: 1) == day ? length + 1 : 1
      if length > best?.count ?? 0 { best = (length, day) }
    }
    guard let (count, last) = best else {
      return none(said("I couldn’t find a day like that\(circumstances(selection))."))
    }
    let first = last.advanced(by: 1 - count)
    return finish(
      said("\(count)-day streak, \(SpanText.shownDays(first...last))")
        + "\(circumstances(selection)).",
      "longest", values: [JSON(count)], labels: [first.description], unit: "days", selection,
      citations: [])
  }

  /// Answers "the most steps in a week", from whole weeks, months or years.
  func extremeSum(
    _ told: [(DayKey, Double, UUID?)], _ unit: String, _ period: AskQuestion.Period,
    _ selection: Selection
  ) -> TimelineAnswer {
    let isMean = isLevel(told.map(\.1), unit)
    let values = Dictionary(grouping: told) { key(of: $0.0, period) }.values.compactMap { days in
      days.first.map { first in
        let sum = days.reduce(0) { $0 + $1.1 }
        return (day: first.0, value: isMean ? sum / Double(days.count) : sum)
      }
    }.sorted { $0.day < $1.day }
    let amounts = values.map(\.value)
    guard let wanted = amountOfRank(in: amounts),
      let best = values.first(where: { $0.value == wanted })
    else { return tooFew(differentAmounts(amounts).count, selection) }
    let day = best.day.toldLongName
    return finish(
      said("\(text(best.value, unit)) in the \(period.word) of \(day)")
        + "\(circumstances(selection)).", "longest",
      values: [JSON((best.value * 1000).rounded() / 1000)], labels: [best.day.description],
      unit: unit, selection, citations: [])
  }
}

import ArkivedCore
import Foundation

extension AnswerWork {
  /// Answers each side separately, and says which is greater.
  func compare() -> TimelineAnswer {
    let answer = compare(usesNotes: false)
    return answer.kind == "none" ? compare(usesNotes: true) : answer
  }

  private func compare(usesNotes: Bool) -> TimelineAnswer {
    var values: [Double] = []
    var unit: String?
    var cited: [TimelineEntry] = []
    var answers: [TimelineAnswer] = []
    let labels = question.alternatives.map {
      $0.label.trimmingCharacters(in: .whitespaces)
    }
    let units = question.alternatives.map { commonUnit($0.question) }
    let money = commonCurrency()
    var isUnitOpen = false
    var unknown: [String] = []
    for (position, alternative) in question.alternatives.enumerated() {
      var inner = alternative.question
      if let problem = inner.problem { return none(problem) }
      inner.usesNotes = usesNotes
      if let money {
        inner.measure = .unit(money.unit)
        inner.isAnyCurrency = false
      }
      if [.list, .yesNo, .most, .who, .when, .where, .longest, .none, .first, .last].contains(
        inner.kind)
        || inner.kind == .average && inner.measure == nil || inner.kind == .sum
      {
        inner.kind = inner.measure == nil ? .count : .sum
        if inner.isAverageWanted, inner.measure != nil { inner.kind = .average }
        if case .metric(let name) = inner.measure,
          inner.isAverageWanted
            || AskReader.metricWords(name).contains(where: { ["rate", "sleep"].contains($0) })
        {
          inner.kind = .average
        }
        // "weekdays or weekends" compares averages, because five days have more steps than two.
        if case .metric = inner.measure,
          Set(question.alternatives.map(\.question.weekdays.count)).count > 1
        {
          inner.kind = .average
        }
        if inner.measure == .mood || inner.measure == .energy { inner.kind = .average }
      }
      // "how much longer are calls" compares durations, not counts.
      if inner.kind == .count, case .duration = inner.measure, inner.threshold == nil {
        inner.kind = inner.isAverageWanted ? .average : .sum
      }
      // "compare cycling" compares kilometres if both sides have them.
      if inner.kind == .count, !question.text.lowercased().contains("often"),
        !inner.terms.contains(where: { $0.key == "commut" || $0.key == Lemma.key("book") }),
        let common = units[position], units.allSatisfy({ $0 == common })
      {
        if question.text.lowercased().hasPrefix("compare") {
          inner.kind = .sum
          inner.measure = .unit(common)
        } else if position == 0 {
          isUnitOpen = !question.text.lowercased().contains(" times")
        }
      }
      var side = with(inner)
      side.isSide = true
      let answer = side.answer()
      answers.append(answer)
      if answer.kind == "none", isUnknown(inner) { unknown.append(labels[position]) }
      values.append(answer.values.first?.double ?? 0)
      if answer.unit != nil { unit = answer.unit }
      cited += answer.citations
    }
    let told = Set(zip(answers, units).compactMap { $0.0.kind == "none" ? nil : $0.0.unit ?? "" })
    if told.count > 1 {
      return none(
        said(
          """
          I can’t compare \(enumeration(labels)), because they’re measured in \
          different units (\(enumeration(told.sorted().map(saidWhole)))).
          """))
    }
    let isFound = answers.contains { $0.kind != "none" }
    guard values.count > 1, isFound, unknown.isEmpty else {
      let missing = isFound && !unknown.isEmpty ? unknown : labels
      return none(
        said(
          """
          I couldn’t find an entry for \(missing.joined(separator: said(" or "))). \
          \(answers.first { $0.kind == "none" }?.sentence ?? "")
          """
        ))
    }
    let shownUnit = unit ?? "times"
    let shown = answers.indices.map { index in
      "\(labels[index]): \(text(values[index], shownUnit))"
        + (answers[index].kind == "none" ? said(", no entry") : answers[index].reading)
    }
    var selection = Selection()
    selection.entries = cited
    selection.doubts = doubts(of: answers, labels)
    for doubt in answers.flatMap(\.uncertain)
    where !question.uncertain.contains(doubt) && !selection.uncertain.contains(doubt) {
      selection.uncertain.append(doubt)
    }
    if isUnitOpen, let common = units.first ?? nil {
      selection.doubts.append(
        said("the \(saidWhole(common)) in these entries (entries were counted instead)"))
    }
    if let money, money.others > 0 {
      selection.doubts.append(Doubts.further(money.others, said("in other currencies")))
    }
    var answer = finish(
      "\(shown.joined(separator: "; ")). \(verdict(values, labels, shownUnit))",
      "compare", values: values.map { JSON($0) }, labels: labels, unit: shownUnit, selection)
    answer.tags = answers.first?.tags ?? []
    answer.words = answers.first?.words ?? []
    return answer
  }

  /// Returns true if a side without an answer doesn't count as 0: a mean of nothing, days without a
  /// value, or entries without an amount.
  private func isUnknown(_ inner: AskQuestion) -> Bool {
    if inner.kind == .average, inner.per == nil { return true }
    switch inner.measure {
    case .metric, .mood, .energy: return true
    case .unit, .duration:
      return inner.threshold == nil && !selector.select(inner, allowsNotes: false).entries.isEmpty
    default: return false
    }
  }

  private func verdict(_ values: [Double], _ labels: [String], _ unit: String) -> String {
    let best = question.isLeast ? values.min() : values.max()
    let winners = zip(labels, values).filter { $0.1 == best }.map(\.0)
    guard winners.count == 1 else {
      return said("It’s a tie: \(enumeration(winners)).")
    }
    let winner = winners[0]
    guard values.count == 2 else {
      return question.isLeast ? said("Least: \(winner).") : said("Most: \(winner).")
    }
    let gap = abs(values[0] - values[1])
    let isLevel = unit == "mood" || unit == "energy"
    let difference = isLevel ? AmountText.shown((gap * 100).rounded() / 100) : text(gap, unit)
    return question.isLeast
      ? said(
        """
        Less: \(winner) (difference: \(difference)).
        """) : said("More: \(winner) (difference: \(difference)).")
  }

  /// Returns the caveats of all sides without duplicates; a side with no data adds its own.
  private func doubts(of answers: [TimelineAnswer], _ labels: [String]) -> [String] {
    var result: [String] = []
    for (answer, label) in zip(answers, labels) {
      for doubt in answer.ignored
      where !question.ignored.contains(doubt) && !answer.uncertain.contains(doubt) {
        let isShared = answers.allSatisfy { $0.ignored.contains(doubt) }
        let text = isShared ? doubt : "\(doubt) (\(label))"
        if !result.contains(text) { result.append(text) }
      }
      if answer.kind == "none" { result.append(said("\(label) (no entry)")) }
    }
    return result
  }

  private func commonUnit(_ inner: AskQuestion) -> String? {
    guard inner.measure == nil else { return nil }
    let selection = selector.select(inner)
    let unit = with(inner).unit(for: selection)
    return unit == "minutes" ? nil : unit
  }

  /// Returns the most common unit of money that all sides with money have, and the number of entries
  /// that have only others; nil if there is none, or if the question isn't about money in any
  /// currency.
  private func commonCurrency() -> (unit: String, others: Int)? {
    guard question.alternatives.allSatisfy({ $0.question.isAnyCurrency }) else { return nil }
    let sides = question.alternatives.map { selector.select($0.question) }
    let known = sides.map { Set(currencies(in: $0).compactMap { TextAmounts.currency(of: $0) }) }
    var all = Selection()
    all.entries = sides.flatMap { $0.entries }
    let shared = currencies(in: all).first { unit in
      guard let currency = TextAmounts.currency(of: unit) else { return false }
      return known.allSatisfy { $0.isEmpty || $0.contains(currency) }
    }
    guard let shared else { return nil }
    let others = all.entries.filter { entry in
      entry.amount(in: shared) == nil
        && entry.units.contains { TextAmounts.currency(of: $0) != nil }
    }
    return (shared, Set(others.map(\.id)).count)
  }
}

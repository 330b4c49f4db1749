import ArkivedCore
import Foundation

/// Counts: entries, days, people, and quantities stated in sentences.
extension AnswerWork {
  func count(_ selection: Selection) -> TimelineAnswer {
    if let stays = stayCount(selection) { return stays }
    if question.lightVerbs.contains("much") {
      let sum = measured(selection)
      // A sum of a few amounts among many entries without one would be misleading.
      let isTold = sum.map { $0.citations.count * 4 >= selection.entries.count } ?? false
      return (isTold ? sum : nil) ?? countedInstead.count(selection)
    }
    let all = inEntries(selection.entries.count, selection)
    let shownUnit: String
    let number: Int
    if question.measure == .people {
      let names = Set(selection.entries.flatMap(\.people))
        .subtracting(question.people.flatMap(\.names))
      let people = said(
        names.count, one: "\(names.count) person", other: "\(names.count) people")
      return finish(
        "\(people)\(circumstances(selection)), \(all).", "count",
        values: [JSON(names.count)], labels: ["people"], unit: "people", selection)
    }
    if question.lightVerbs.contains("distinct"), let answer = distinct(selection) { return answer }
    if let group = question.group { return grouped(selection, group, nil) }
    if let quantity = quantity(selection) { return quantity }
    if let period = question.countsPeriod {
      number = Set(selection.entries.map { key(of: $0.day, period) }).count
      shownUnit = period.unit
      return finish(
        "\(inPeriods(number, period))\(circumstances(selection)), \(all).", "count",
        values: [JSON(number)],
        labels: [shownUnit], unit: shownUnit, selection)
    }
    if question.countsDays, Journeys.isAsked(selection) {
      number = Journeys.days(of: selection.entries, in: selector.span(of: question))
      shownUnit = "days"
    } else if question.countsDays {
      number = selection.days.count
      shownUnit = "days"
    } else {
      number = selection.entries.count
      shownUnit = "times"
    }
    let days = selection.days.count
    let onDays =
      question.countsDays
      ? said(number, one: "On 1 day", other: "On \(number) days")
      : said(days, one: "on 1 day", other: "on \(days) days")
    let sentence =
      question.countsDays
      ? "\(onDays)\(circumstances(selection)), \(all)."
      : "\(entries(number, selection))\(circumstances(selection)), \(onDays)."
    return finish(
      sentence, "count", values: [JSON(number)], labels: [shownUnit], unit: shownUnit, selection)
  }

  /// Returns a phrase such as "In 3 weeks".
  func inPeriods(_ number: Int, _ period: AskQuestion.Period) -> String {
    switch period {
    case .day: said(number, one: "On \(number) day", other: "On \(number) days")
    case .week: said(number, one: "In \(number) week", other: "In \(number) weeks")
    case .month: said(number, one: "In \(number) month", other: "In \(number) months")
    case .calendarMonth:
      said(number, one: "In \(number) calendar month", other: "In \(number) calendar months")
    case .quarter: said(number, one: "In \(number) quarter", other: "In \(number) quarters")
    case .year: said(number, one: "In \(number) year", other: "In \(number) years")
    case .weekday: said(number, one: "On \(number) weekday", other: "On \(number) weekdays")
    case .season: said(number, one: "In \(number) season", other: "In \(number) seasons")
    }
  }

  /// Counts the distinct things or places that the entries mention.
  private func distinct(_ selection: Selection) -> TimelineAnswer? {
    var names: [String: String] = [:]
    var cited: [TimelineEntry] = []
    var sayings = Sayings<Bool>()
    for entry in selection.entries {
      let namesSome = sayings.of(entry) { entry in
        var found: [String] = []
        if case .thing(let key) = question.hole { found = thing(of: entry, kind: key) }
        if question.hole == .place { found = [place(of: entry)].compactMap(\.self) }
        for name in found where names[NameFolding.loose(name)] == nil {
          names[NameFolding.loose(name)] = name
        }
        return !found.isEmpty
      }
      if namesSome { cited.append(entry) }
    }
    guard !names.isEmpty else { return nil }
    let silent = selection.entries.count - cited.count
    var selection = selection
    if silent > 0 {
      selection.doubts.append(Doubts.further(silent, said("without matching details")))
    }
    let shown = names.values.sorted().prefix(8)
    return finish(
      said("\(names.count) different") + circumstances(selection)
        + ": \(enumeration(shown, more: names.count - shown.count)).",
      "count", values: [JSON(names.count)], labels: ["different"], unit: "times", selection,
      citations: cited)
  }

  /// Sums quantities stated in sentences, such as "eight postcards".
  private func quantity(_ selection: Selection) -> TimelineAnswer? {
    guard let mark = question.lightVerbs.first(where: { $0.hasPrefix("#") }) else { return nil }
    let key = String(mark.dropFirst())
    // Films under #film are entries, even if their titles contain numbers.
    let isTag = selection.concepts.contains {
      $0.term.key == key && !ConceptResolver.tags($0.atoms).isEmpty
    }
    var sayings = Sayings<Double?>()
    let numbers = selection.entries.map { entry -> Double? in
      if let sentence = selection.sentences[entry.id] {
        return Quantities.amount(of: key, in: sentence)
      }
      return sayings.of(entry) { Quantities.amount(of: key, in: $0.words) }
    }
    if isTag, numbers.filter({ $0 != nil }).count * 2 < numbers.count { return nil }
    guard numbers.contains(where: { ($0 ?? 0) >= 2 }) else { return nil }
    let told = zip(selection.entries, numbers).filter { $0.1 != nil }
    let sum = numbers.compactMap(\.self).reduce(0, +)
    let noun = question.terms.first { $0.key == key }?.text ?? key
    if question.kind == .average {
      let mean = sum / Double(told.count)
      return finish(
        said("\(AmountText.shown((mean * 100).rounded() / 100)) \(noun) on average")
          + circumstances(selection) + ", "
          + said("counted in \(told.count) sentences."), "average", values: [JSON(mean)],
        unit: noun, selection, citations: told.map(\.0))
    }
    return finish(
      "\(AmountText.shown(sum)) \(noun)\(circumstances(selection)), "
        + said(
          told.count, one: "counted in 1 sentence.",
          other: "counted in \(told.count) sentences."), "sum",
      values: [JSON(sum)], labels: [noun], unit: noun, selection, citations: told.map(\.0))
  }

  func averageQuantity(_ selection: Selection) -> TimelineAnswer? { quantity(selection) }
}

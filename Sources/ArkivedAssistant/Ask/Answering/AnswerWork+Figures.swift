import ArkivedCore
import Foundation

extension AnswerWork {
  // MARK: Sums and averages over entries

  /// Returns the unit for a measure of these entries: a distance if most have one, otherwise their
  /// duration.
  func unit(for selection: Selection) -> String? {
    if Journeys.isAsked(selection) {
      switch question.measure {
      case .duration, .extent, nil: return "days"
      default: break
      }
    }
    switch question.measure {
    case .unit(let name) where question.isAnyCurrency:
      return currencies(in: selection).first ?? name
    case .unit(let name), .duration(let name): return name
    case .extent, nil:
      var counts: [String: Int] = [:]
      for entry in selection.entries {
        for name in entry.units { counts[name, default: 0] += 1 }
      }
      counts = counts.filter { UnitTable.standard.unit(named: $0.key)?.dimension == .length }
      if let best = counts.max(by: { ($0.value, $1.key) < ($1.value, $0.key) }),
        best.value * 2 > selection.entries.count
      {
        return best.key
      }
      return "minutes"
    default: return nil
    }
  }

  /// Returns the entries' amounts in a unit, in order.
  ///
  /// - Parameters:
  ///   - selection: the entries.
  ///   - unit: the unit.
  ///   - hasWholeDays: true for the time of each single entry, also of one of whole days.
  /// - Returns: the entries that have an amount.
  func amounts(
    _ selection: Selection, _ unit: String, hasWholeDays: Bool = false
  ) -> [(TimelineEntry, Double)] {
    (hasWholeDays ? selection.entries : withoutLengths(selection.entries, unit)).compactMap {
      entry in amount(of: entry, in: unit).map { (entry, $0) }
    }
  }

  /// Returns the entries without those of whole days, whose hours aren't time that was spent, as
  /// recaps and insights have it; all of them if nothing else is known.
  func withoutLengths(_ entries: [TimelineEntry], _ unit: String) -> [TimelineEntry] {
    let rest = entries.filter { !$0.hasOnlyDays(in: unit) }
    guard rest.count < entries.count else { return entries }
    return rest.contains { amount(of: $0, in: unit) != nil } ? rest : entries
  }

  func text(_ amount: Double, _ unit: String) -> String {
    let rounded = (amount * 100).rounded() / 100
    let number = RecapText.grouped(AmountText.plain(rounded))
    if unit == "minutes", amount >= 120 {
      let hours = RecapText.grouped(AmountText.plain((amount / 6).rounded() / 10))
      return said("\(hours) hours (\(number) minutes)")
    }
    if unit == "times", rounded == 1 { return said("1 time") }
    // Mood and energy are levels on a scale, not amounts of something.
    if unit == "mood" { return said("mood \(number)") }
    if unit == "energy" { return said("energy \(number)") }
    // words: mood | energy | times | people
    return "\(number) \(saidWhole(unit))"
  }

  /// Returns the entry's text in quotes, truncated.
  func quoted(_ entry: TimelineEntry, _ limit: Int) -> String {
    Language.current.quoted(String(entry.text.prefix(limit)))
  }

  /// Returns a count such as "3 entries" for the beginning of a sentence.
  func counted(_ selection: Selection) -> String {
    entries(selection.entries.count, selection).capitalisedFirst
  }

  /// Returns a phrase such as " and 3 more".
  func andMore(_ count: Int) -> String {
    said(" and \(AmountText.grouped(count)) more")
  }

  /// Formats a list for a sentence: "a, b and c", or "a, b and 3 more" if some aren't shown.
  func enumeration(_ items: some Sequence<String>, more: Int = 0) -> String {
    let items = Array(items)
    return more > 0 ? items.joined(separator: ", ") + andMore(more) : RecapText.list(items)
  }

  /// Returns true if amounts in a unit are readings, such as a heart rate or a speed, which have no
  /// sum; a mass may be lifted or harvested.
  func isReading(_ unit: String) -> Bool { AmountLevel.isLevel([], unit: unit) }

  func sum(_ selection: Selection) -> TimelineAnswer {
    if case .duration = question.measure, let stay = stayLength(selection) { return stay }
    guard let unit = unit(for: selection) else { return nothing(selection) }
    if isReading(unit) { return average(selection) }
    if let group = question.group { return grouped(selection, group, unit) }
    let told = amounts(selection, unit)
    if told.isEmpty, question.lightVerbs.contains("much") {
      return measured(selection) ?? countedInstead.count(selection)
    }
    guard !told.isEmpty else { return unmeasured(selection, unit) }
    let total = told.reduce(0) { $0 + $1.1 }
    var (cited, others) = (told.map(\.0), [String]())
    for currency in question.isAnyCurrency ? currencies(in: selection).dropFirst() : [] {
      let rest = amounts(selection, currency)
      others.append(text(rest.reduce(0) { $0 + $1.1 }, currency))
      let known = Set(cited.map(\.id))
      cited += rest.map(\.0).filter { !known.contains($0.id) }
    }
    let also = others.isEmpty ? "" : said(" and \(enumeration(others))")
    let isOpen = question.terms.isEmpty && question.people.isEmpty
    let silent = isOpen ? 0 : selection.entries.count - cited.count
    let source = fromEntries(cited.count, selection)
    return finish(
      "\(text(total, unit))\(also)\(circumstances(selection)), \(source).",
      "sum", values: [JSON((total * 1000).rounded() / 1000)], labels: ["sum"], unit: unit,
      selection.silent(silent), citations: cited)
  }

  /// Returns the units of money that entries have, the most common one first, one for each currency.
  func currencies(in selection: Selection) -> [String] {
    var counts: [String: Int] = [:]
    for entry in selection.entries {
      for name in entry.units where TextAmounts.currency(of: name) != nil {
        counts[name, default: 0] += 1
      }
    }
    var known: Set<String> = []
    return counts.keys.sorted { (counts[$1] ?? 0, $0) < (counts[$0] ?? 0, $1) }
      .filter { known.insert(TextAmounts.currency(of: $0) ?? $0).inserted }
  }

  /// The same question answered with the number of entries, for "how much" questions whose entries
  /// have no amounts.
  var countedInstead: AnswerWork {
    var counted = question
    counted.measure = nil
    counted.kind = .count
    counted.lightVerbs.remove("much")
    counted.ignored.append(said("“much” (no amounts found, so entries were counted)"))
    return with(counted)
  }

  /// Returns the total of the entries' amounts if the question asks for a total and most entries
  /// have amounts.
  func total(_ selection: Selection) -> TimelineAnswer? {
    guard question.isTotalWanted else { return nil }
    let measuring = selection.entries.count { entry in
      entry.units.contains { UnitTable.standard.unit(named: $0)?.dimension != .time }
    }
    return 2 * measuring > selection.entries.count ? measured(selection) : nil
  }

  /// Sums the amounts of the entries in the most common unit; amounts in units that can't be
  /// converted are listed separately.
  ///
  /// - Returns: nil if no entry states an amount.
  func measured(_ selection: Selection) -> TimelineAnswer? {
    var counts: [String: Int] = [:]
    for entry in selection.entries {
      for name in entry.units where UnitTable.standard.unit(named: name)?.dimension != .time {
        counts[name, default: 0] += 1
      }
    }
    let byUse = counts.keys.sorted { (counts[$1] ?? 0, $0) < (counts[$0] ?? 0, $1) }
    guard let unit = byUse.first else { return nil }
    let told = amounts(selection, unit)
    let total = told.reduce(0) { $0 + $1.1 }
    var cited = told.map(\.0)
    var known = Set(cited.map(\.id))
    var others: [String] = []
    for name in byUse.dropFirst() {
      let rest = amounts(selection, name).filter { !known.contains($0.0.id) }
      guard !rest.isEmpty else { continue }
      others.append(text(rest.reduce(0) { $0 + $1.1 }, name))
      cited += rest.map(\.0)
      known.formUnion(rest.map(\.0.id))
    }
    let also = others.isEmpty ? "" : said(" and \(enumeration(others))")
    return finish(
      "\(text(total, unit))\(also)\(circumstances(selection)), \(fromEntries(cited.count, selection)).",
      "sum", values: [JSON((total * 1000).rounded() / 1000)], labels: ["sum"], unit: unit,
      selection.silent(selection.entries.count - cited.count), citations: cited)
  }

  /// Answers "How long did the New York trip last?" in days.
  private func stayLength(_ selection: Selection) -> TimelineAnswer? {
    guard
      let days = selection.concepts.lazy.compactMap({ concept -> Set<DayKey>? in
        for atom in concept.atoms { if case .day(let days) = atom { return days } }
        return nil
      }).first, question.terms.count <= 3,
      question.terms.contains(where: {
        ["trip", "vacation", "holiday", "stay", "journey"].contains($0.key)
      })
        || question.lightVerbs.contains("be")
    else { return nil }
    let inside = days.filter { selector.span(of: question).contains($0) }.sorted()
    guard let first = inside.first, let last = inside.last else { return nil }
    return finish(
      said(inside.count, one: "\(inside.count) day", other: "\(inside.count) days")
        + "\(circumstances(selection)), \(SpanText.shownDays(first...last)).", "sum",
      values: [JSON(inside.count)], unit: "days", selection)
  }

  func unmeasured(_ selection: Selection, _ unit: String) -> TimelineAnswer {
    none(
      said(
        """
        \(counted(selection))\(circumstances(selection)), but no amount in \(saidWhole(unit)).
        """))
  }

  func average(_ selection: Selection) -> TimelineAnswer {
    if question.lightVerbs.contains(where: { $0.hasPrefix("#") }) || question.measure == .extent,
      question.per == nil, let counted = countedNoun(selection)
    {
      return counted
    }
    let unit = unit(for: selection)
    let isRead = question.measure == nil ? false : unit.map { isReading($0) } ?? false
    if let per = question.per, !isRead, per != .year || question.measure == nil {
      // "average miles per ride" is averaged over entries; "per week" over the calendar.
      return rate(selection, per)
    }
    guard let unit else { return nothing(selection) }
    if let group = question.group { return grouped(selection, group, unit, isMean: true) }
    let told = amounts(selection, unit)
    guard !told.isEmpty else { return unmeasured(selection, unit) }
    var mean = told.reduce(0) { $0 + $1.1 } / Double(told.count)
    if question.isOfDay {
      let days = Set(told.map(\.0.day)).count
      mean = told.reduce(0) { $0 + $1.1 } / Double(max(1, days))
      return finish(
        said("\(text(mean, unit)) a day") + circumstances(selection)
          + said(", counting only days when it happened (\(days))."),
        "average", values: [JSON((mean * 10000).rounded() / 10000)], labels: ["average"],
        unit: unit, selection, citations: told.map(\.0))
    }
    let all = entries(told.count, selection)
    let source = said(
      told.count, one: "over \(all) with an amount.", other: "over \(all) with an amount.")
    return finish(
      said("\(text(mean, unit)) on average") + "\(circumstances(selection)), \(source)",
      "average",
      values: [JSON((mean * 10000).rounded() / 10000)], labels: ["average"], unit: unit,
      selection.silent(question.terms.isEmpty ? 0 : selection.entries.count - told.count),
      citations: told.map(\.0))
  }

  /// Answers questions such as "average number of mince pies".
  private func countedNoun(_ selection: Selection) -> TimelineAnswer? {
    for term in question.terms
    where !term.isVerb && !term.isExcluded && !term.text.lowercased().hasSuffix("ing") {
      var asked = question
      asked.lightVerbs = ["#" + term.key]
      asked.kind = .average
      if let answer = with(asked).averageQuantity(selection) { return answer }
    }
    return nil
  }

  private func rate(_ selection: Selection, _ per: AskQuestion.Period) -> TimelineAnswer {
    let days = spanOfRate(selection)
    var count = Double(days.lowerBound.distance(to: days.upperBound) + 1)
    // "per day in Japan": only the days spent there.
    for concept in selection.concepts {
      for case .day(let stay) in concept.atoms {
        count = Double(stay.filter { days.contains($0) }.count)
      }
    }
    let first = days.lowerBound, last = days.upperBound
    let isSeasonal = !question.months.isEmpty
    // "per week in summer": only the weeks of summers.
    if isSeasonal { count = Double(selector.days(in: question.months, days).count) }
    if per == .day, !question.weekdays.isEmpty {
      let all = AnswerWork.listable(days)
      count = Double(
        (0...all.lowerBound.distance(to: all.upperBound)).count {
          question.weekdays.contains(all.lowerBound.advanced(by: $0).weekday)
        })
    }
    let divisor: Double
    switch per {
    case .week: divisor = count / 7
    case .year:
      divisor =
        question.days == nil
          || first.month == 1 && first.day == 1 && last.month == 12 && last.day == 31
        ? Double(last.year - first.year + 1) : count / 365.2425
    case .month:
      divisor =
        first.day == 1 && last.advanced(by: 1).day == 1 && !isSeasonal
        ? Double((last.year - first.year) * 12 + last.month - first.month + 1) : count / 30.436875
    case .quarter, .season: divisor = count / 91.310625
    default: divisor = count
    }
    // "how many days a week" counts days, not entries.
    var total = Double(question.countsDays ? selection.days.count : selection.entries.count)
    var shown: String? = question.countsDays ? "days" : nil
    var told = selection.entries
    if question.measure != nil, let unit = unit(for: selection) {
      let parts = amounts(selection, unit)
      guard !parts.isEmpty else { return unmeasured(selection, unit) }
      total = parts.reduce(0) { $0 + $1.1 }
      told = parts.map(\.0)
      shown = unit
    }
    let mean = total / divisor
    let rounded = (mean * 10000).rounded() / 10000
    return finish(
      "\(rateText(mean, saidWhole(shown ?? "times"), per))\(circumstances(selection)): "
        + over(total, divisor, per), "average",
      values: [JSON(rounded)], unit: shown, selection, citations: told)
  }

  func rateText(
    _ mean: Double, _ unit: String, _ per: AskQuestion.Period
  ) -> String {
    said("\(AmountText.shown((mean * 100).rounded() / 100)) \(unit) a \(per.word)")
  }

  /// Returns a phrase such as "52 over 4.3 weeks".
  func over(_ total: Double, _ divisor: Double, _ per: AskQuestion.Period) -> String {
    let sum = RecapText.grouped(AmountText.plain((total * 100).rounded() / 100))
    let count = RecapText.grouped(AmountText.plain((divisor * 100).rounded() / 100))
    let form = count == "1" ? 1 : 2
    return switch per {
    case .day: said(form, one: "\(sum) over one day.", other: "\(sum) over \(count) days.")
    case .week: said(form, one: "\(sum) over one week.", other: "\(sum) over \(count) weeks.")
    case .month: said(form, one: "\(sum) over one month.", other: "\(sum) over \(count) months.")
    case .year: said(form, one: "\(sum) over one year.", other: "\(sum) over \(count) years.")
    case .quarter:
      said(form, one: "\(sum) over one quarter.", other: "\(sum) over \(count) quarters.")
    case .weekday:
      said(form, one: "\(sum) over one weekday.", other: "\(sum) over \(count) weekdays.")
    case .season: said(form, one: "\(sum) over one season.", other: "\(sum) over \(count) seasons.")
    case .calendarMonth:
      said(
        form, one: "\(sum) over one calendar month.", other: "\(sum) over \(count) calendar months."
      )
    }
  }

  func spanOfRate(_ selection: Selection) -> ClosedRange<DayKey> {
    if let days = question.days, days.lowerBound != .earliest {
      return days.lowerBound...max(days.lowerBound, min(days.upperBound, today))
    }
    // Without a start, count from the first occurrence; "before 2020" still ends there.
    let first = selection.days.first ?? timeline.span?.lowerBound ?? today
    let end = min(timeline.span?.upperBound ?? today, today)
    let last = question.days.map { min($0.upperBound, end) } ?? end
    return min(first, last)...last
  }

  // MARK: Groups

  func key(of day: DayKey, _ period: AskQuestion.Period) -> String {
    switch period {
    case .day: day.description
    case .week: day.startOfWeek().description
    case .month: String(day.description.prefix(7))
    case .quarter: "\(day.year)-Q\((day.month + 2) / 3)"
    case .year: String(day.year)
    case .weekday: day.weekday.name
    case .calendarMonth: MonthName.full[day.month - 1]
    // words: winter | spring | summer | autumn | Monday | Tuesday | Wednesday | Thursday | Friday
    // words: Saturday | Sunday | January | February | March | April | May | June | July | August
    // words: September | October | November | December
    case .season: ["winter", "spring", "summer", "autumn"][day.month % 12 / 3]
    }
  }

  /// Limits a span to the latest five centuries, to keep the list of its days manageable.
  static func listable(_ days: ClosedRange<DayKey>) -> ClosedRange<DayKey> {
    max(days.lowerBound, days.upperBound.advanced(by: -200_000))...days.upperBound
  }

  /// Returns the keys of all periods in a span, in order.
  func keys(in days: ClosedRange<DayKey>, _ period: AskQuestion.Period) -> [String] {
    if period == .weekday { return Weekday.allCases.map(\.name) }
    if period == .calendarMonth { return MonthName.full }
    if period == .season { return ["spring", "summer", "autumn", "winter"] }
    let days = AnswerWork.listable(days)
    var result: [String] = []
    var day = days.lowerBound
    while day <= days.upperBound {
      let key = key(of: day, period)
      if result.last != key { result.append(key) }
      switch period {
      case .year: day = day.startOfYear.adding(months: 12)
      case .month: day = day.startOfMonth.adding(months: 1)
      default: day = day.advanced(by: 1)
      }
      if day >= .latest { break }
    }
    return result
  }

  /// Returns the keys of the first and the last period if days of these are missing, because less
  /// happened in them than in whole ones; none if the question doesn't ask for the least.
  ///
  /// - Parameters:
  ///   - period: the periods that are compared.
  ///   - first: the first day of the archive's figures; nil for that of its entries.
  /// - Returns: at most two keys.
  func partPeriods(_ period: AskQuestion.Period, from first: DayKey? = nil) -> Set<String> {
    guard question.isLeast else { return [] }
    // A few missing days hardly matter.
    let few: Int
    switch period {
    case .week: few = 0
    case .month: few = 3
    case .quarter: few = 9
    case .year: few = 36
    case .day, .weekday, .season, .calendarMonth: return []
    }
    let asked = selector.span(of: question)
    var parts: Set<String> = []
    // Today isn't over.
    let end = min(asked.upperBound, today.advanced(by: -1))
    let next = key(of: end.advanced(by: 1), period)
    if end < asked.upperBound || key(of: end, period) == next { parts.insert(next) }
    let begin = max(first ?? timeline.span?.lowerBound ?? asked.lowerBound, asked.lowerBound)
    let start = key(of: begin, period)
    if key(of: begin.advanced(by: -few - 1), period) == start { parts.insert(start) }
    return parts
  }

  func grouped(
    _ selection: Selection, _ period: AskQuestion.Period, _ unit: String?, isMean: Bool = false
  ) -> TimelineAnswer {
    var sums: [String: Double] = [:]
    var counts: [String: Double] = [:]
    var told: [TimelineEntry] = []
    let parts: [(TimelineEntry, Double)] =
      unit.map { amounts(selection, $0) } ?? selection.entries.map { ($0, 1.0) }
    for (entry, value) in parts {
      told.append(entry)
      sums[key(of: entry.day, period), default: 0] += value
      counts[key(of: entry.day, period), default: 0] += 1
    }
    let all = keys(in: spanOfRate(selection), period)
    // A period without an amount has no mean, which isn't a mean of 0.
    let labels = isMean ? all.filter { counts[$0] != nil } : all
    let values = labels.map { label -> Double in
      let sum = sums[label] ?? 0
      let value = isMean ? sum / max(1, counts[label] ?? 1) : sum
      return (value * 1000).rounded() / 1000
    }
    let shown = zip(labels, values).map { "\(saidWhole($0)) \(AmountText.shown($1))" }
      .joined(separator: ", ")
    let name = saidWhole(unit ?? "times").capitalisedFirst
    return finish(
      "\(name) \(period.manner)\(circumstances(selection)): \(shown).",
      isMean ? "average" : unit == nil ? "count" : "sum", values: values.map { JSON($0) },
      labels: labels, unit: unit ?? "times", selection, citations: told)
  }
}

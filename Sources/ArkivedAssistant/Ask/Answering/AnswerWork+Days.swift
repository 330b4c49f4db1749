import ArkivedCore
import Foundation

extension AnswerWork {
  /// Answers from a value recorded for days themselves, such as steps, sleep or mood; nil if the
  /// question doesn't ask for one.
  func dayFigure() -> TimelineAnswer? {
    if question.dayValue != nil, question.threshold == nil, question.terms.isEmpty,
      question.people.isEmpty
    {
      return daysWithValue()
    }
    var measure = question.measure
    var unit: String?
    if let threshold = question.threshold, measure == nil,
      let name = timeline.metrics.keys.first(where: {
        AskReader.metricWords($0).contains(threshold.unit)
      })
    {
      measure = .metric(name)
    }
    let read: (TimelineDay) -> Double?
    switch measure {
    case .metric(let name):
      var factor = 1.0
      unit = timeline.metrics[name]
      if unit == "count" || unit == "" { unit = AskReader.metricWords(name).last }
      if let mark = question.lightVerbs.first(where: { $0.hasPrefix("unit:") }),
        let from = unit, let target = UnitTable.standard.unit(named: String(mark.dropFirst(5))),
        let converted = UnitTable.standard.convert(1, from: from, to: target.name)
      {
        factor = converted
        unit = target.name
      } else if unit == "min" {
        unit = "minutes"
      }
      if let threshold = question.threshold, let from = unit,
        let converted = UnitTable.standard.convert(1, from: from, to: threshold.unit),
        converted != 1
      {
        factor = converted
        unit = threshold.unit
      }
      read = { day in day.metrics[name].map { $0 * factor } }
    case .mood:
      unit = "mood"
      read = { $0.mood.map(Double.init) }
    case .energy:
      unit = "energy"
      read = { $0.energy.map(Double.init) }
    default: return nil
    }
    let isPlain = question.terms.isEmpty && question.people.isEmpty && question.clause == nil
    switch question.kind {
    case .sum, .average, .count, .longest, .list, .most, .when, .first, .last, .where: break
    case .streak, .gap, .since: guard isPlain || question.threshold != nil else { return nil }
    case .yesNo: guard question.threshold != nil else { return nil }
    default: return nil
    }
    // "did not walk more than 10,000 steps" asks for the other days that have a value.
    if question.isComplement, question.kind != .yesNo, let threshold = question.threshold {
      guard let reversed = threshold.reversed else { return daysWithoutValue }
      var other = question
      (other.isComplement, other.threshold) = (false, reversed)
      return with(other).dayFigure()
    }
    // A daily figure has no time of day.
    if question.minutes != nil, isPlain, question.joins.isEmpty {
      var daily = question
      daily.minutes = nil
      daily.ignored.append(said("the time of day (daily values have none)"))
      return with(daily).figure(read, unit ?? "")
    }
    return figure(read, unit ?? "")
  }

  /// The answer to questions about days for which no value is recorded.
  private var daysWithoutValue: TimelineAnswer {
    none(
      said(
        "I can’t count days without a value. Ask about days with “less than” or “more than” a certain amount."
      ))
  }

  private func figure(_ read: (TimelineDay) -> Double?, _ unit: String) -> TimelineAnswer {
    var only: Set<DayKey>?
    var selection = Selection()
    let hasConditions =
      !question.terms.isEmpty || !question.people.isEmpty || !question.joins.isEmpty
      || question.clause != nil
    if hasConditions {
      var plain = question
      plain.measure = nil
      plain.threshold = nil
      selection = selector.select(plain)
      let joined = wholeDays(selection)
      if selection.emptyJoin != nil || selection.entries.isEmpty && joined == nil {
        return with(plain).nothing(selection)
      }
      only = joined ?? Set(selection.days)
      // "in Naxos": all days spent there.
      if !selection.dropped.isEmpty { only = [] }
    }
    var told: [(DayKey, Double, UUID?)] = []
    var span = selector.span(of: question)
    if let only, let first = only.min(), let last = only.max() {
      span = max(span.lowerBound, first)...max(first, min(span.upperBound, last))
    }
    for (day, value) in timeline.days(in: span) {
      guard only?.contains(day) ?? true,
        question.weekdays.isEmpty || question.weekdays.contains(day.weekday),
        question.months.isEmpty || question.months.contains(day.month), isRated(value) ?? true,
        let number = read(value)
      else { continue }
      told.append((day, number, value.id))
    }
    guard !told.isEmpty else {
      return none(said("No day\(circumstances(selection)) has a value for \(saidWhole(unit))."))
    }
    let numbers = told.map(\.1)
    let isLevel = isLevel(numbers, unit)
    let isMean = question.isAverageWanted || question.kind == .average || isLevel
    let total = numbers.reduce(0, +)
    var cited = selection
    cited.entries =
      unit == "mood" || unit == "energy" ? dayEntries(told.map(\.0)) : selection.entries
    if let threshold = question.threshold, question.kind == .first || question.kind == .last {
      let days = told.filter { threshold.holds($0.1) }
      guard let day = question.kind == .first ? days.first : days.last else {
        return none(said("On none of \(told.count) days\(circumstances(selection))."))
      }
      return finish(
        "\(day.0.toldLongName)\(circumstances(selection)): \(text(day.1, unit)).",
        question.kind.rawValue,
        values: [JSON(day.0)], labels: [day.0.description], selection, citations: [])
    }
    if [.streak, .gap, .since].contains(question.kind) {
      guard !question.isComplement else { return daysWithoutValue }
      return course(
        told.filter { question.threshold?.holds($0.1) ?? true }.map(\.0), cited)
    }
    if let threshold = question.threshold, question.kind == .yesNo {
      return held(told.map { ($0.0, $0.1) }, threshold, unit, selection)
    }
    if let threshold = question.threshold {
      let days = told.filter { threshold.holds($0.1) }
      return finish(
        said("On \(days.count) of \(told.count) days\(circumstances(selection))."), "count",
        values: [JSON(days.count)], labels: days.map(\.0.description), unit: "days", selection,
        citations: [])
    }
    if question.kind == .longest || question.kind == .most {
      return extreme(told, unit, selection)
    }
    // "on how many days did I note my mood" doesn't ask for a sum.
    if question.countsDays {
      if question.isComplement { return daysWithoutValue }
      return finish(
        said(told.count, one: "On \(told.count) day", other: "On \(told.count) days")
          + "\(circumstances(selection)).", "count", values: [JSON(told.count)],
        labels: ["days"], unit: "days", cited)
    }
    if let group = question.group { return groupedDays(told, group, isMean, unit, cited) }
    if let per = question.per, per != .day, isMean, !isLevel {
      // "average weekly steps": over the weeks that have data.
      let count = Double(Set(told.map { key(of: $0.0, per) }).count)
      return finish(
        "\(rateText(total / count, saidWhole(unit), per))\(circumstances(selection)): "
          + over(total, count, per), "average",
        values: [JSON((total / count * 10000).rounded() / 10000)], unit: unit, cited)
    }
    let value = isMean ? total / Double(numbers.count) : total
    let rounded = (value * 10000).rounded() / 10000
    let amount = text(value, unit)
    let source = said(
      told.count, one: "based on 1 day", other: "based on \(told.count) days")
    return finish(
      (isMean && told.count > 1 ? said("\(amount) on average") : amount)
        + "\(circumstances(selection)), \(source).",
      isMean ? "average" : "sum", values: [JSON(rounded)], labels: [isMean ? "average" : "sum"],
      unit: unit, cited)
  }

  private func dayEntries(_ days: [DayKey]) -> [TimelineEntry] {
    var condition = IndexCondition(days: DayKey.earliest...today)
    condition.onDays = Set(days)
    return timeline.entries(.day, where: condition)
  }

  private func extreme(
    _ told: [(DayKey, Double, UUID?)], _ unit: String, _ selection: Selection
  ) -> TimelineAnswer {
    if case .period(let period) = question.hole {
      let means = period == .weekday || isLevel(told.map(\.1), unit)
      var sums: [String: (Double, Int)] = [:]
      for (day, value, _) in means ? told : ofWholePeriods(told, period) {
        let key = key(of: day, period)
        sums[key] = ((sums[key]?.0 ?? 0) + value, (sums[key]?.1 ?? 0) + 1)
      }
      let ranked = sums.map { ($0.key, means ? $0.value.0 / Double($0.value.1) : $0.value.0) }
        .sorted { question.isLeast ? ($0.1, $0.0) < ($1.1, $1.0) : ($1.1, $0.0) < ($0.1, $1.0) }
      let amounts = ranked.map(\.1)
      guard let wanted = amountOfRank(in: amounts),
        let best = ranked.first(where: { $0.1 == wanted })
      else { return tooFew(differentAmounts(amounts).count, selection) }
      return finish(
        said("\(saidWhole(best.0)) with \(text(best.1, unit))\(circumstances(selection))."), "most",
        values: [.string(periodName(best.0, period))], labels: [best.0], unit: unit, selection,
        citations: [])
    }
    if let period = question.sumPeriod {
      return extremeSum(told, unit, period, selection)
    }
    if let top = question.top {
      let ranked = told.sorted { question.isLeast ? $0.1 < $1.1 : $0.1 > $1.1 }.prefix(top)
      let shown = ranked.map { "\($0.0.shownPlainName) (\(text($0.1, unit)))" }
      return finish(
        "\(enumeration(shown))\(circumstances(selection)).", "most",
        values: ranked.map { JSON($0.0) }, labels: ranked.map { AmountText.plain($0.1) },
        unit: unit, selection, citations: [])
    }
    let amounts = told.map(\.1)
    guard let wanted = amountOfRank(in: amounts),
      let best = told.first(where: { $0.1 == wanted })
    else { return tooFew(differentAmounts(amounts).count, selection) }
    let same = told.filter { $0.1 == best.1 }.map(\.0)
    let shown = same.prefix(8).map(\.shownPlainName)
    return finish(
      said("\(text(best.1, unit)) on \(enumeration(shown, more: same.count - shown.count))")
        + "\(circumstances(selection)).",
      "longest", values: [JSON(best.1)], labels: [best.0.description], unit: unit, selection,
      citations: [])
  }

  /// Returns the values without those of the first and the last period if days of these are missing,
  /// because their sums would be the lowest; all values if that leaves fewer than two periods, or if
  /// the question doesn't ask for the lowest.
  private func ofWholePeriods(
    _ told: [(DayKey, Double, UUID?)], _ period: AskQuestion.Period
  ) -> [(DayKey, Double, UUID?)] {
    guard let first = told.first?.0 else { return told }
    let parts = partPeriods(period, from: first)
    let whole = told.filter { !parts.contains(key(of: $0.0, period)) }
    return Set(whole.map { key(of: $0.0, period) }).count > 1 ? whole : told
  }

  func periodName(_ key: String, _ period: AskQuestion.Period) -> String {
    guard period == .month, let month = Int(key.suffix(2)), (1...12).contains(month) else {
      return saidWhole(key)
    }
    if let days = question.days, days.lowerBound.year == days.upperBound.year {
      return MonthName.shown[month - 1]
    }
    return "\(MonthName.shown[month - 1]) \(key.prefix(4))"
  }

  private func groupedDays(
    _ told: [(DayKey, Double, UUID?)], _ period: AskQuestion.Period, _ isMean: Bool, _ unit: String,
    _ selection: Selection
  ) -> TimelineAnswer {
    var sums: [String: (Double, Int)] = [:]
    for (day, value, _) in told {
      let key = key(of: day, period)
      sums[key] = ((sums[key]?.0 ?? 0) + value, (sums[key]?.1 ?? 0) + 1)
    }
    let all = keys(in: (told.first?.0 ?? today)...(told.last?.0 ?? today), period)
    // A period without a value has no mean, which isn't a mean of 0.
    let labels = isMean ? all.filter { sums[$0] != nil } : all
    let values = labels.map { label -> Double in
      guard let (sum, count) = sums[label] else { return 0 }
      return ((isMean ? sum / Double(count) : sum) * 1000).rounded() / 1000
    }
    let shown = zip(labels, values).map { "\(saidWhole($0)) \(AmountText.shown($1))" }
      .joined(separator: ", ")
    return finish(
      "\(saidWhole(unit).capitalisedFirst) \(period.manner)\(circumstances(selection)): \(shown).",
      isMean ? "average" : "sum", values: values.map { JSON($0) }, labels: labels, unit: unit,
      selection)
  }

  /// Returns true if a day has the mood or the energy that the question names; nil if it names
  /// none.
  private func isRated(_ day: TimelineDay) -> Bool? {
    guard let value = question.dayValue else { return nil }
    guard let rating = value.isMood ? day.mood : day.energy else { return false }
    return Double(rating) == value.amount
  }

  private func daysWithValue() -> TimelineAnswer {
    guard let value = question.dayValue else { return none("") }
    var only: Set<DayKey>?
    var selection = Selection()
    if !question.joins.isEmpty || question.clause != nil {
      var plain = question
      plain.dayValue = nil
      selection = selector.select(plain)
      let joined = wholeDays(selection)
      if selection.emptyJoin != nil || selection.entries.isEmpty && joined == nil {
        return with(plain).nothing(selection)
      }
      only = joined ?? Set(selection.days)
    }
    // "did not have a mood of 5" asks for the other days that have one.
    let isOther = question.isComplement && question.kind != .yesNo
    let days = timeline.days(in: selector.span(of: question)).filter { day, figures in
      guard only?.contains(day) ?? true,
        question.weekdays.isEmpty || question.weekdays.contains(day.weekday),
        question.months.isEmpty || question.months.contains(day.month),
        (value.isMood ? figures.mood : figures.energy) != nil
      else { return false }
      return isRated(figures) != isOther
    }.map(\.0)
    selection.entries = dayEntries(days)
    if !days.isEmpty, [.streak, .gap, .since].contains(question.kind) {
      return course(days, selection)
    }
    guard let first = days.first, let last = days.last else {
      let amount = AmountText.shown(value.amount) + circumstances(selection)
      return none(
        value.isMood
          ? said("No day has a mood rating of \(amount).")
          : said("No day has an energy level of \(amount)."))
    }
    switch question.kind {
    case .first, .last:
      let day = question.kind == .first ? first : last
      return finish(
        "\(day.toldLongName)\(circumstances(selection)).", question.kind.rawValue,
        values: [JSON(day)],
        labels: [day.description], selection,
        citations: selection.entries.filter { $0.day == day })
    case .count:
      return finish(
        said(days.count, one: "On \(days.count) day", other: "On \(days.count) days")
          + "\(circumstances(selection)).", "count", values: [JSON(days.count)],
        labels: ["days"], unit: "days", selection)
    default:
      return finish(
        said(days.count, one: "\(days.count) day", other: "\(days.count) days")
          + "\(circumstances(selection)).", "when", values: days.map { JSON($0) },
        labels: days.map(\.description), selection)
    }
  }
}

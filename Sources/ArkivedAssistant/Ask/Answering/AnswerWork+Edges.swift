import ArkivedCore
import Foundation

extension AnswerWork {
  func edge(_ selection: Selection) -> TimelineAnswer {
    let isFirst = question.kind == .first
    if let measure = question.measure, measure != .extent {
      return measuredEdge(selection, isFirst)
    }
    if let top = question.top {
      var few = selection
      few.entries = Array(
        isFirst ? selection.entries.prefix(top) : selection.entries.suffix(top))
      return list(few)
    }
    var selection = selection
    // "which sight did I see first": the first entry that names one.
    if case .thing(let key) = question.hole, ["sight", "attraction", "landmark"].contains(key) {
      let naming = selection.entries.filter { !thing(of: $0, kind: "sight").isEmpty }
      if !naming.isEmpty, naming.count < selection.entries.count {
        selection.doubts.append(
          Doubts.further(selection.entries.count - naming.count, said("without matching details")))
        selection.entries = naming
      }
    }
    guard let entry = isFirst ? selection.entries.first : lastEntry(selection) else {
      return nothing(selection)
    }
    let word = isFirst ? "first" : "last"
    let count = selection.entries.count
    let others = count < 2 ? "" : " " + rank(isFirst, of: count, isNote: selection.isFromNotes)
    let told = [entry] + selection.entries.filter { $0.id != entry.id }
    return finish(
      "\(entry.day.toldLongName): \(quoted(entry, 160))\(circumstances(selection)).\(others)",
      word,
      values: [JSON(entry.day)], labels: [entry.day.description], selection, citations: told)
  }

  /// Returns a sentence about the place of an entry or a note among several.
  private func rank(_ isFirst: Bool, of count: Int, isNote: Bool) -> String {
    switch (isFirst, isNote) {
    case (true, false): said("It’s the first of \(count) entries.")
    case (false, false): said("It’s the last of \(count) entries.")
    case (true, true): said("It’s the first of \(count) day notes.")
    case (false, true): said("It’s the last of \(count) day notes.")
    }
  }

  /// Returns the last entry; within a day the one with the latest time, with untimed entries before
  /// all that began on the day.
  private func lastEntry(_ selection: Selection) -> TimelineEntry? {
    guard let day = selection.entries.last?.day else { return nil }
    let same = selection.entries.filter { $0.day == day }
    return same.max { ($0.dayMinute ?? .min) < ($1.dayMinute ?? .min) }
  }

  private func measuredEdge(_ selection: Selection, _ isFirst: Bool) -> TimelineAnswer {
    guard let unit = unit(for: selection) else { return nothing(selection) }
    let told = amounts(selection, unit, hasWholeDays: true)
    guard let (entry, value) = isFirst ? told.first : told.last else {
      return unmeasured(selection, unit)
    }
    let citations = [entry] + told.map(\.0).filter { $0.id != entry.id }
    return finish(
      said("\(text(value, unit)) on \(entry.day.toldLongName)") + "\(circumstances(selection)).",
      isFirst ? "first" : "last", values: [JSON(value)], labels: [entry.day.description],
      unit: unit, selection, citations: citations)
  }

  func since(_ selection: Selection) -> TimelineAnswer {
    let begins = question.isFirstMeant || !begun.isEmpty
    guard let entry = begins ? selection.entries.first : lastEntry(selection) else {
      return nothing(selection)
    }
    let days = entry.day.distance(to: today)
    return finish(
      said(days, one: "1 day ago", other: "\(days) days ago")
        + said(", on \(entry.day.toldLongName): \(quoted(entry, 160))")
        + "\(circumstances(selection)).", "last", values: [JSON(days)],
      labels: [entry.day.description], unit: "days", selection,
      citations: [entry] + selection.entries.filter { $0.id != entry.id })
  }

  private var begun: [AskQuestion.Term] {
    question.terms.filter { ["begin", "start"].contains($0.key) }
  }

  func clock(_ selection: Selection) -> TimelineAnswer {
    var told = selection.entries.filter(\.hasClock)
    guard !told.isEmpty else {
      return none(
        said("\(counted(selection))\(circumstances(selection)), but no time given."))
    }
    // An entry's time is its start, unless its text states the end.
    if question.lightVerbs.contains("clock:end") {
      told = told.filter { $0.says(Set(["end", "finish", "stop"].map { Lemma.key($0) })) }
      guard !told.isEmpty else {
        return none(
          said("I can’t work out when something ended. Ask when it started or how long it took."))
      }
    }
    if let edge = clockFigure(told, selection) { return edge }
    let clocks = told.map { entry -> WallTime in
      let minute = entry.startMinute ?? 0
      return WallTime(day: entry.day, secondOfDay: minute * 60)
    }
    let shown = zip(told, clocks).prefix(5).map {
      said("\($1.shownClock) on \($0.day.shownPlainName)")
    }
    return finish(
      said("At \(enumeration(shown))\(circumstances(selection))."), "when",
      values: clocks.map { .string($0.clockText) }, labels: told.map(\.day.description), selection,
      citations: told)
  }

  /// Returns the earliest, latest or usual time of entries; nil if the question asks for each.
  private func clockFigure(
    _ told: [TimelineEntry], _ selection: Selection
  ) -> TimelineAnswer? {
    let minutes = told.compactMap(\.startMinute)
    var minute: Int?
    var word = said("at the earliest")
    if question.lightVerbs.contains("clock:first") { minute = Self.edgeClocks(minutes)?.first }
    if question.lightVerbs.contains("clock:last") {
      minute = Self.edgeClocks(minutes)?.last
      word = said("at the latest")
    }
    var cited = told.filter { $0.startMinute == minute }
    if question.isAverageWanted, minute == nil, !minutes.isEmpty {
      minute = Self.meanClock(minutes)
      word = said("on average")
      cited = told
    }
    guard let minute, let first = cited.first else { return nil }
    let clock = WallTime(day: first.day, secondOfDay: minute * 60)
    let all = ofEntries(told.count, selection)
    return finish(
      "\(clock.shownClock) \(word)\(circumstances(selection)), \(all).", "when",
      values: [.string(clock.clockText)], labels: [first.day.description], selection,
      citations: cited)
  }

  /// Returns the mean of times of day in minutes; 0 if there are none.
  ///
  /// Times around midnight belong to one night: the mean of 23:30 and 00:30 is 00:00, not 12:00.
  static func meanClock(_ minutes: [Int]) -> Int {
    guard !minutes.isEmpty else { return 0 }
    let start = nightStart(minutes, empty: 720) ?? 0
    let sum = minutes.reduce(0) { $0 + ($1 < start ? $1 + 1_440 : $1) }
    return Int((Double(sum) / Double(minutes.count)).rounded()) % 1_440
  }

  /// Returns the earliest and the latest of times of day in minutes; nil if there are none.
  ///
  /// Of times that belong to nights, 00:30 is later than 23:30: those between 20:00 and 5:00, and
  /// others around midnight that lie within nine hours.
  static func edgeClocks(_ minutes: [Int]) -> (first: Int, last: Int)? {
    let isNight = minutes.allSatisfy { $0 >= 1_200 || $0 < 300 }
    let start = isNight ? 300 : nightStart(minutes, empty: 900) ?? 0
    let sorted = minutes.map { $0 < start ? $0 + 1_440 : $0 }.sorted()
    guard let first = sorted.first, let last = sorted.last else { return nil }
    return (first % 1_440, last % 1_440)
  }

  /// Returns the earliest time of the evening of times of day that belong to nights; nil for others.
  ///
  /// They do if enough of the day between two of the times is empty, and less than six hours around
  /// midnight are: 6:00 and 19:00 are morning and evening.
  ///
  /// - Parameters:
  ///   - minutes: the times.
  ///   - empty: the minutes of the day that must be empty.
  /// - Returns: the time in minutes.
  private static func nightStart(_ minutes: [Int], empty: Int) -> Int? {
    let sorted = minutes.sorted()
    guard let first = sorted.first, let last = sorted.last, first + 1_440 - last < 360 else {
      return nil
    }
    var (start, widest) = (first, 0)
    for (one, next) in zip(sorted, sorted.dropFirst()) where next - one > widest {
      (start, widest) = (next, next - one)
    }
    return widest >= empty ? start : nil
  }

  func longest(_ selection: Selection) -> TimelineAnswer {
    guard let unit = unit(for: selection) else { return nothing(selection) }
    var selection = selection
    if let judged = superlative(unit) { selection.doubts.append(judged) }
    var told = amounts(selection, unit)
    if question.isOfDay, !isReading(unit) {
      var sums: [DayKey: Double] = [:]
      for (entry, value) in told { sums[entry.day, default: 0] += value }
      told = told.map { ($0.0, sums[$0.0.day] ?? $0.1) }
    }
    if let period = question.sumPeriod, !isReading(unit) {
      var sums: [String: Double] = [:]
      for (entry, value) in told { sums[key(of: entry.day, period), default: 0] += value }
      told = told.map { ($0.0, sums[key(of: $0.0.day, period)] ?? $0.1) }
    }
    if case .period(let period) = question.hole {
      return mostOfPeriod(told, period, unit, selection)
    }
    guard !told.isEmpty else { return unmeasured(selection, unit) }
    let place = question.rank ?? 1
    let values = differentAmounts(told.map(\.1))
    guard let wanted = values[checked: place - 1], let best = told.first(where: { $0.1 == wanted })
    else { return tooFew(values.count, selection) }
    if let top = question.top {
      let ranked = told.sorted { question.isLeast ? $0.1 < $1.1 : $0.1 > $1.1 }.prefix(top)
      let shown = ranked.map { said("\(text($0.1, unit)) on \($0.0.day.shownPlainName)") }
      return finish(
        "\(enumeration(shown))\(circumstances(selection)).", "longest",
        values: ranked.map { JSON(($0.1 * 1000).rounded() / 1000) },
        labels: ranked.map(\.0.day.description), unit: unit, selection, citations: ranked.map(\.0))
    }
    let same = told.filter { $0.1 == best.1 }.map(\.0)
    if let period = question.sumPeriod {
      let day = best.0.day.toldLongName
      return finish(
        said("\(text(best.1, unit)) in the \(period.word) of \(day)")
          + "\(circumstances(selection)).", "longest",
        values: [JSON((best.1 * 1000).rounded() / 1000)], labels: [best.0.day.description],
        unit: unit, selection, citations: same)
    }
    let all = ofEntries(told.count, selection)
    let lead = said("\(text(best.1, unit)) on \(best.0.day.toldLongName): \(quoted(best.0, 120))")
    if place > 1 {
      let before = enumeration(values.prefix(place - 1).map { text($0, unit) })
      return finish(
        lead + circumstances(selection) + said(", after \(before)."), "longest",
        values: [JSON((best.1 * 1000).rounded() / 1000)], labels: [best.0.day.description],
        unit: unit, selection, citations: same)
    }
    let rank =
      question.isLeast
      ? said(", the lowest value \(all)")
      : said(
        """
        , the highest value \(all)
        """)
    let end = same.count > 1 ? said("; reached \(same.count) times.") : "."
    return finish(
      "\(lead)\(circumstances(selection))\(rank)\(end)", "longest",
      values: [JSON((best.1 * 1000).rounded() / 1000)], labels: [best.0.day.description],
      unit: unit, selection, citations: same)
  }

  /// Returns the different amounts, the one that is asked for first at the beginning.
  func differentAmounts<Amount: Comparable & Hashable>(_ amounts: [Amount]) -> [Amount] {
    Set(amounts).sorted { question.isLeast ? $0 < $1 : $0 > $1 }
  }

  /// Returns the highest amount, or the lowest, or the one of the rank that is asked for; nil if
  /// there are too few.
  func amountOfRank<Amount: Comparable & Hashable>(in amounts: [Amount]) -> Amount? {
    differentAmounts(amounts)[checked: (question.rank ?? 1) - 1]
  }

  /// Returns an answer to a question about a rank for which there are too few different amounts, or
  /// too few things.
  func tooFew(
    _ count: Int, areAmounts: Bool = true, _ selection: Selection
  ) -> TimelineAnswer {
    guard count > 0 else { return nothing(selection) }
    let end = circumstances(selection)
    var answer = none(
      areAmounts
        ? said(
          count, one: "There’s only one amount\(end).",
          other: "There are only \(count) different amounts\(end).")
        : said(count, one: "There’s only one\(end).", other: "There are only \(count)\(end)."))
    answer.isUnderstood = true
    return answer
  }

  private func mostOfPeriod(
    _ told: [(TimelineEntry, Double)], _ period: AskQuestion.Period, _ unit: String,
    _ selection: Selection
  ) -> TimelineAnswer {
    let values = Dictionary(grouping: told) { key(of: $0.0.day, period) }.mapValues { told in
      let sum = told.reduce(0) { $0 + $1.1 }
      return isReading(unit) ? sum / Double(told.count) : sum
    }
    let parts = isReading(unit) ? [] : partPeriods(period)
    let whole = values.filter { !parts.contains($0.key) }
    return ranking(
      (whole.count > 1 ? whole : values).map { (periodName($0.key, period), $0.value) }, unit,
      selection, citations: told.map(\.0))
  }

  /// Returns the longest gap, or the longest streak of days.
  func run(_ selection: Selection) -> TimelineAnswer {
    let days = selection.days
    guard days.count > 1 || question.kind == .streak else {
      guard let only = days.first else { return nothing(selection) }
      return none(
        said("That was on one day only, \(only.shownPlainName)\(circumstances(selection))."))
    }
    if question.kind == .gap, question.isAverageWanted, let first = days.first, let last = days.last
    {
      let mean = Double(first.distance(to: last)) / Double(days.count - 1)
      let shown = AmountText.shown((mean * 10).rounded() / 10)
      return finish(
        rhythm(shown, days.count - 1, selection),
        "average", values: [JSON((mean * 1000).rounded() / 1000)],
        unit: "days", selection)
    }
    if question.kind == .gap {
      var best: (Int, DayKey, DayKey)?
      // "between the last two"
      let days =
        question.lightVerbs.contains("gap:last")
        ? Array(days.suffix(2))
        : question.lightVerbs.contains("gap:first") ? Array(days.prefix(2)) : days
      for (first, second) in zip(days, days.dropFirst()) {
        let length = first.distance(to: second)
        if length > best?.0 ?? 0 { best = (length, first, second) }
      }
      guard let (length, first, second) = best else { return nothing(selection) }
      return finish(
        stretch(length, first, second) + "\(circumstances(selection)).",
        "longest", values: [JSON(length)], labels: [first.description, second.description],
        unit: "days", selection,
        citations: selection.entries.filter { $0.day == first || $0.day == second })
    }
    var best: (Int, DayKey)?
    var length = 0
    for (index, day) in days.enumerated() {
      length = index > 0 && days[index - 1].advanced(by: 1) == day ? length + 1 : 1
      if length > best?.0 ?? 0 { best = (length, day) }
    }
    guard let (count, last) = best else { return nothing(selection) }
    let first = last.advanced(by: 1 - count)
    return finish(
      said("\(count)-day streak, \(SpanText.shownDays(first...last))")
        + "\(circumstances(selection)).",
      "longest",
      values: [JSON(count)], labels: [first.description], unit: "days", selection,
      citations: selection.entries.filter { $0.day >= first && $0.day <= last })
  }

  func when(_ selection: Selection) -> TimelineAnswer {
    let all = selection.days
    let span = selector.span(of: question)
    let edges = selector.edges(all, question.text, selection.concepts).filter { span.contains($0) }
    let days = edges.isEmpty ? all : edges
    var selection = selection
    if days.count < all.count {
      let more = all.count - days.count
      selection.doubts.append(
        said(
          more, one: "\(more) more day of the same stay",
          other: "\(more) more days of the same stay"
        ))
    }
    let names = days.prefix(5).map(\.shownPlainName)
    let shown = days.count > 5 ? names.joined(separator: ", ") : enumeration(names)
    let left = days.count - 5
    let more =
      left > 0 ? said(left, one: " and \(left) more day", other: " and \(left) more days") : ""
    let first = selection.entries.first.map { quoted($0, 100) } ?? Language.current.quoted("")
    return finish(
      "\(shown)\(more)\(circumstances(selection)): \(first)"
        + (selection.entries.count > 1 ? andMore(selection.entries.count - 1) : "") + ".", "when",
      values: days.map { JSON($0) }, labels: days.map(\.description), selection)
  }
}

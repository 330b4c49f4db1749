import ArkivedCore

// Totals of a week, month or year.
extension RecapWork {
  func spanMeasures() -> [Recap.Statement] {
    let now = owners.amounts(in: ledger.entries)
    let earlier = owners.amounts(in: before.entries)
    let measures = now.map { (measure: $0.key, told: $0.value) }
      .sorted { ($0.told.count, $1.measure) > ($1.told.count, $0.measure) }
    var statements = measures.prefix(6).map { item -> Recap.Statement in
      let total = item.told.reduce(0) { $0 + $1.amount }
      let pairs = earlier[item.measure] ?? []
      let usual = usual(totals(pairs))
      let label = RecapText.capitalised(item.measure.label)
      let amount = RecapText.amount(total, item.measure.unit)
      var sentence = item.measure.tag == nil ? "\(amount) in all" : "\(label) came to \(amount)"
      if item.told.count > 1 { sentence += " in \(RecapText.entries(item.told.count))" }
      if let usual { sentence += ", " + usual.comparison(of: total, unit: item.measure.unit) }
      if let best = best(item.told, item.measure, among: pairs.map(\.amount)) { sentence += best }
      return .init(
        sentence + ".", entries: item.told.map(\.entry),
        figures: [
          .init(item.measure.label, total, usual: usual, unit: item.measure.unit),
          .init(
            "most in one entry", item.told.map(\.amount).max() ?? 0, unit: item.measure.unit),
        ])
    }
    statements += missing(Set(now.keys), earlier)
    return statements
  }

  private func totals(_ pairs: [(entry: TimelineEntry, amount: Double)]) -> [Double] {
    peers.map { range in
      pairs.reduce(0) { range.contains($1.entry.day) ? $0 + $1.amount : $0 }
    }
  }

  /// "; the most in one entry was 42 km, on 5 May", with since when there was no more.
  private func best(
    _ told: [(entry: TimelineEntry, amount: Double)], _ measure: RecapMeasure,
    among earlier: [Double]
  ) -> String? {
    guard told.count >= 3, let top = told.max(by: { $0.amount < $1.amount }) else { return nil }
    let amounts = told.map(\.amount)
    guard amounts.min() != amounts.max() else { return nil }
    var clause =
      "; the most in one entry was \(RecapText.amount(top.amount, measure.unit)), on \(dayName(top.entry.day))"
    if earlier.count >= 5, let record = record(top.amount, measure, among: earlier) {
      clause += ", " + record.replacing("the most in one entry", with: "more than any")
        .replacing("any so far", with: "any before")
    }
    return clause
  }

  /// Measures that are usual and that this span lacks.
  private func missing(
    _ present: Set<RecapMeasure>,
    _ earlier: [RecapMeasure: [(entry: TimelineEntry, amount: Double)]]
  ) -> [Recap.Statement] {
    guard !isSoFar, peers.count >= 3 else { return [] }
    return earlier.keys.filter { !present.contains($0) && $0.tag != nil }.sorted().compactMap {
      measure in
      let pairs = earlier[measure] ?? []
      guard let usual = usual(totals(pairs)), usual.value > 0 else { return nil }
      let cited = pairs.suffix(1).map(\.entry)
      let told = usual.phrase(RecapText.amount(usual.value, measure.unit))
      return .init(
        "No \(measure.label) is measured, against \(told).", entries: cited,
        figures: [.init(measure.label, 0, usual: usual, unit: measure.unit)])
    }
  }

  /// The kinds of activity that took most time, where times are given.
  func time() -> [Recap.Statement] {
    let kinds = ledger.byKind.map { kind, positions -> (kind: String, minutes: Double, positions: [Int]) in
      (kind, positions.reduce(0) { $0 + (ledger.entries[$1].durationMinutes ?? 0) }, positions)
    }.sorted { ($0.minutes, $1.kind) > ($1.minutes, $0.kind) }
    let shown = kinds.filter { $0.minutes >= 30 && $0.kind != "other" }.prefix(3)
    guard !shown.isEmpty else { return [] }
    var figures: [Recap.Figure] = []
    let clauses = shown.enumerated().map { index, item in
      let pairs = (before.byKind[item.kind] ?? []).map { before.entries[$0] }
      let usual = usual(
        peers.map { range in
          pairs.reduce(0) { range.contains($1.day) ? $0 + ($1.durationMinutes ?? 0) : $0 }
        })
      figures.append(.init("time of \(item.kind)", item.minutes, usual: usual, unit: "minutes"))
      let took = index == 0 ? "\(RecapText.capitalised(item.kind)) took" : item.kind
      let amount = RecapText.amount(item.minutes, "minutes")
      guard let usual else { return "\(took) \(amount)" }
      return "\(took) \(amount), " + usual.comparison(of: item.minutes, unit: "minutes")
    }
    let cited = Set(shown.flatMap(\.positions)).sorted().map { ledger.entries[$0] }
    return [.init(clauses.joined(separator: "; ") + ".", entries: cited, figures: figures)]
  }

  // MARK: Charts

  func series() -> [Recap.Series] {
    guard let elapsed, !ledger.entries.isEmpty || !days.isEmpty || !notes.isEmpty else { return [] }
    switch span {
    case .day: return []
    case .week, .month: return perDay(elapsed)
    case .year: return perMonth(elapsed)
    }
  }

  private func perDay(_ range: ClosedRange<DayKey>) -> [Recap.Series] {
    let label = { (day: DayKey) in
      span.unit == "week" ? String(day.weekday.name.prefix(3)) : String(day.day)
    }
    var result = [
      Recap.Series(
        name: "entries", unit: nil,
        points: range.map { .init(label: label($0), day: $0, value: Double(ledger.byDay[$0]?.count ?? 0)) })
    ]
    let moods = Dictionary(days.map { ($0.day, $0.value.mood) }) { first, _ in first }
    if moods.values.contains(where: { $0 != nil }) {
      result.append(
        .init(
          name: "mood", unit: nil,
          points: range.map { .init(label: label($0), day: $0, value: (moods[$0] ?? nil).map(Double.init)) }))
    }
    return result
  }

  private func perMonth(_ range: ClosedRange<DayKey>) -> [Recap.Series] {
    let months = (1...range.upperBound.month).compactMap {
      DayKey(year: range.lowerBound.year, month: $0, day: 1)
    }
    func points(_ value: (ClosedRange<DayKey>) -> Double?) -> [Recap.Series.Point] {
      months.map { month in
        .init(
          label: String(MonthName.full[month.month - 1].prefix(3)), day: month,
          value: value(RecapSpan.month(month).days))
      }
    }
    var result = [
      Recap.Series(name: "entries", unit: nil, points: points { Double(ledger.count(in: $0)) })
    ]
    let moods = days.compactMap { day, value in value.mood.map { (day, Double($0)) } }
    if !moods.isEmpty {
      result.append(
        .init(
          name: "mood", unit: nil,
          points: points { range in
            let inside = moods.filter { range.contains($0.0) }.map(\.1)
            return inside.isEmpty ? nil : inside.reduce(0, +) / Double(inside.count)
          }))
    }
    let amounts = owners.amounts(in: ledger.entries)
    for (measure, told) in amounts.sorted(by: { ($0.value.count, $1.key) > ($1.value.count, $0.key) })
      .prefix(3)
    {
      result.append(
        .init(
          name: measure.label, unit: measure.unit,
          points: points { range in
            told.reduce(0) { range.contains($1.entry.day) ? $0 + $1.amount : $0 }
          }))
    }
    return result
  }
}

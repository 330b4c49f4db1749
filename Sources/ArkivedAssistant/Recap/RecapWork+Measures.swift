import ArkivedCore

// Totals of a week, month or year.
extension RecapWork {
  func spanMeasures() -> [Recap.Statement] {
    let now = owners.amounts(in: ledger)
    let earlier = owners.amounts(in: before)
    let least = span.unit == "year" ? 3 : 2
    let measures = now.map { (measure: $0.key, told: $0.value) }
      .filter { $0.measure.tag != nil || $0.told.count >= least }
      .sorted { ($0.told.count, $1.measure) > ($1.told.count, $0.measure) }
    var statements = measures.prefix(6).map { item -> Recap.Statement in
      let total = item.told.reduce(0) { $0 + $1.amount }
      let pairs = earlier[item.measure] ?? []
      if isLevel(item.measure, item.told + pairs) { return level(item.measure, item.told, pairs) }
      let usual = usual(totals(pairs))
      let label = RecapText.capitalised(item.measure.label)
      let amount = RecapText.amount(total, item.measure.unit)
      var sentence =
        item.measure.tag == nil ? said("Total: \(amount)") : said("\(label): \(amount)")
      if item.told.count > 1 { sentence += " " + RecapText.inEntries(item.told.count) }
      if let usual { sentence += ", " + usual.comparison(of: total, unit: item.measure.unit) }
      if let best = best(item.told, item.measure, among: pairs.map(\.amount)) { sentence += best }
      return statement(
        sentence + ".", item.told.map(\.position),
        figures: [
          .init(item.measure.label, total, usual: usual, unit: item.measure.unit),
          .init(
            "most in one entry", item.told.map(\.amount).max() ?? 0, unit: item.measure.unit),
        ])
    }
    statements += missing(Set(now.keys), earlier)
    return statements
  }

  private func totals(_ pairs: [MeasuredAmount]) -> [Double] {
    peers.map { range in
      pairs.reduce(0) { range.contains($1.day) ? $0 + $1.amount : $0 }
    }
  }

  /// Returns "; the most in one entry was 42 km, on 5 May", with the date of the last larger
  /// amount.
  private func best(
    _ told: [MeasuredAmount], _ measure: RecapMeasure,
    among earlier: [Double]
  ) -> String? {
    guard told.count >= 3, let top = told.max(by: { $0.amount < $1.amount }) else { return nil }
    let amounts = told.map(\.amount)
    guard amounts.min() != amounts.max() else { return nil }
    let amount = RecapText.amount(top.amount, measure.unit)
    let day = dayName(top.day)
    guard earlier.count >= 5, let record = record(top.amount, measure, among: earlier) else {
      return said("; the most in a single entry was \(amount), on \(day)")
    }
    return switch record {
    case .soFar:
      said("; the most in a single entry was \(amount), on \(day), more than ever before")
    case .since(let last):
      said("; the most in a single entry was \(amount), on \(day), more than any since \(last)")
    }
  }

  /// Describes usual measures that this span lacks.
  private func missing(
    _ present: Set<RecapMeasure>,
    _ earlier: [RecapMeasure: [MeasuredAmount]]
  ) -> [Recap.Statement] {
    guard !isSoFar, peers.count >= 3 else { return [] }
    return earlier.keys.filter { !present.contains($0) && $0.tag != nil }.sorted().compactMap {
      measure in
      let pairs = earlier[measure] ?? []
      guard !isLevel(measure, pairs), let usual = usual(totals(pairs)), usual.value > 0 else {
        return nil
      }
      let cited = pairs.suffix(1).map { before.entries[$0.position] }
      let label = RecapText.capitalised(measure.label)
      let amount = RecapText.amount(usual.value, measure.unit)
      return .init(
        said("\(label): none (usually \(amount))."), entries: cited,
        figures: [.init(measure.label, 0, usual: usual, unit: measure.unit)])
    }
  }

  /// Describes the kinds of activity that took the most time, if times are known.
  func time() -> [Recap.Statement] {
    let kinds = ledger.byKind.map {
      kind, positions -> (kind: String, minutes: Double, positions: [Int]) in
      (kind, positions.reduce(0) { $0 + ledger.minutes[$1] }, positions)
    }.sorted { ($0.minutes, $1.kind) > ($1.minutes, $0.kind) }
    let shown = kinds.filter { $0.minutes >= 30 && $0.kind != "other" }.prefix(3)
    guard !shown.isEmpty else { return [] }
    var figures: [Recap.Figure] = []
    let clauses = shown.enumerated().map { index, item in
      let earlier = before.byKind[item.kind] ?? []
      let usual = usual(
        peers.map { range in
          earlier.reduce(0) { range.contains(before.days[$1]) ? $0 + before.minutes[$1] : $0 }
        })
      figures.append(.init("time of \(item.kind)", item.minutes, usual: usual, unit: "minutes"))
      let amount = RecapText.roughDuration(item.minutes)
      let kind = RecapText.kind(item.kind)
      let clause = index == 0 ? said("\(kind) took \(amount)") : "\(kind) \(amount)"
      guard let usual else { return clause }
      let past = usual.value >= 1 ? RecapText.roughDuration(usual.value) : said("none")
      guard case .year(let year, _) = usual.measure else {
        return said("\(clause) (usually \(past))")
      }
      return said("\(clause) (in \(year): \(past))")
    }
    return [
      statement(
        said("Going by the times recorded, \(RecapText.list(clauses))."),
        Set(shown.flatMap(\.positions)).sorted(), figures: figures)
    ]
  }
}

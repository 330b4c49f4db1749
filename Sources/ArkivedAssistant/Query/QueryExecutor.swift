import ArkivedCore

/// An executor for queries that implements each fold once for all kinds of items.
struct QueryExecutor {
  let selector: QuerySelector
  let check: () throws -> Void

  typealias Row = QueryOutcome.Row

  func outcome(of query: Query) throws -> QueryOutcome {
    let items = try selector.items(query.source)
    var outcome = QueryOutcome(query: query, itemCount: items.count)
    outcome.unit = unit(query)
    var work = QueryWork(query: query, items: items, timeline: selector.timeline, check: check)
    work.skipsWholeDays = try work.hasOtherTimes()
    switch query.fold {
    case .compare, .share: try compare(work, &outcome)
    case .list, .count:
      if query.target == .yesNo {
        outcome.rows = [Row(value: .flag(items.count > 0), count: items.count)]
        try work.cite(&outcome) { _ in true }
      } else if query.target == .timeSpan {
        try work.runs(&outcome)
      } else if query.fold == .count || query.target?.naming != nil {
        try work.tallies(&outcome)
      } else {
        try work.list(&outcome)
      }
    case .highest, .lowest:
      if query.group == nil { try work.extreme(&outcome) } else { try work.tallies(&outcome) }
    case .distinct, .sum, .mean, .median: try work.tallies(&outcome)
    case .first, .last, .nth: try work.edge(&outcome)
    case .span, .gap, .run: try work.stretch(&outcome, today: selector.today)
    case .trend: try work.trend(&outcome, today: selector.today)
    }
    outcome.groundings = selector.groundings
    outcome.caveats = selector.caveats + outcome.caveats
    let itemCount = outcome.itemCount + outcome.against.items
    if let measured = outcome.measured.map({ $0 + outcome.against.measured }),
      measured < itemCount
    {
      let (some, all) = (InsightText.count(measured), InsightText.count(itemCount))
      outcome.caveats.append(
        measured == 0
          ? said("None of the \(all) gives an amount.")
          : said("An amount is given in only \(some) of \(all).")
      )
    }
    outcome.rowCount = max(outcome.rowCount, outcome.rows.count)
    return outcome
  }

  private func unit(_ query: Query) -> String? {
    guard let metric = query.source.metric else { return query.unit }
    let known = selector.timeline.metrics.first { $0.key.lowercased() == metric.lowercased() }
    return known.flatMap { $0.value.isEmpty ? nil : $0.value }
  }

  private func compare(_ work: QueryWork, _ outcome: inout QueryOutcome) throws {
    let query = work.query
    guard let against = query.against else { return }
    var other = work
    other.items = try selector.items(against)
    other.skipsWholeDays = try other.hasOtherTimes()
    let sides = [try work.total(), try other.total()]
    if query.by.needsMeasure {
      outcome.measured = sides[0].measured
      outcome.against = (other.items.count, sides[1].measured)
    }
    guard let first = sides[0].value(query.by) ?? (query.by == .sum ? 0 : nil),
      let second = sides[1].value(query.by) ?? (query.by == .sum ? 0 : nil)
    else { return }
    var rows = [
      Row(key: "source", value: .number(first), count: sides[0].count),
      Row(key: "against", value: .number(second), count: sides[1].count),
    ]
    if query.fold == .compare {
      rows.append(Row(key: "difference", value: .number(first - second), count: 0))
    } else {
      guard second != 0 else { return }
      rows.insert(Row(key: "share", value: .number(100 * first / second), count: 0), at: 0)
    }
    outcome.rows = rows
    // Both sides prove which is greater; a share is proved by its part.
    var proving = work
    if query.fold == .compare {
      proving.items = work.items.combined(with: other.items, isUnion: true)
    }
    try proving.cite(&outcome) { !query.by.needsMeasure || work.amount($0) != nil }
  }
}

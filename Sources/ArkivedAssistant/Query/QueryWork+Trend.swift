import ArkivedCore

/// Changes of figures over time.
extension QueryWork {
  /// Computes the change of the figure per day, week, month or year with a least-squares line.
  ///
  /// Periods without items count as 0, also those at the edges of what the query asks for and those
  /// since the last item; days without a value of a metric are skipped. A period that isn't over, in
  /// which the archive begins, or of which the query asks for a part, has a smaller figure than a
  /// whole one, so only a mean uses it.
  func trend(_ outcome: inout QueryOutcome, today: DayKey) throws {
    let group = query.group ?? .month
    let keys = QueryKeys(group)
    let fold: Query.Fold = query.source.metric != nil ? .mean : query.unit != nil ? .sum : .count
    var groups = try grouped(by: keys, .trend)
    let measured = groups.values.reduce(0) { $0 + $1.measured }
    var edges = groups.keys.min().flatMap { first in groups.keys.max().map { first...$0 } }
    if fold != .mean {
      let all = groups.count
      let end = group == .day ? today.advanced(by: -1) : today
      let begin = firstDay(groups.values)
      groups = groups.filter { key, _ in isWhole(key, keys, from: begin, to: end) }
      edges = periods(of: groups.keys, keys, from: begin, to: end)
      if groups.count < all {
        // words: day | week | month | year
        let piece = saidWhole(group.rawValue)
        outcome.caveats.append(said("An incomplete \(piece) doesn’t count toward the trend."))
      }
    }
    guard let (first, last) = edges.map({ ($0.lowerBound, $0.upperBound) }) else { return }
    var points: [(x: Double, y: Double)] = []
    for key in groups.keys.sorted() {
      if let value = groups[key]?.value(fold) {
        points.append((Double(keys.distance(first, key)), value))
      }
    }
    let steps = keys.distance(first, last)
    if fold != .mean {
      let filled = Set(points.map { Int($0.x) })
      for step in 0...steps where !filled.contains(step) { points.append((Double(step), 0)) }
      try check()
    }
    guard let line = LeastSquares(points) else { return }
    let days = keys.days(first).flatMap { first in
      keys.days(last).map { first.lowerBound...$0.upperBound }
    }
    outcome.rows = [
      Row(key: "slope", value: .number(line.slope), days: days, count: points.count),
      Row(key: "start", value: .number(line.value(at: 0)), days: keys.days(first), count: 1),
      Row(
        key: "end", value: .number(line.value(at: Double(steps))), days: keys.days(last), count: 1),
    ]
    if hasMeasure { outcome.measured = measured }
    try cite(&outcome) { item in
      let isCounted = item.day.map { day in days?.contains(day) ?? true } ?? false
      return isCounted && (!hasMeasure || amount(item) != nil)
    }
  }

  /// Returns the first day of which the archive has any data; nil if it has none.
  private func firstDay(_ tallies: some Sequence<QueryTally>) -> DayKey? {
    // Records such as notes may be older than all entries.
    let items = tallies.lazy.map(\.first).min().map { DayKey(clamping: $0) }
    return [timeline.span?.lowerBound, items].compactMap(\.self).min()
  }

  /// Returns true if a period lies completely in what the query asks for, has ended, and isn't one
  /// in which the archive begins, of which a tenth may be missing.
  private func isWhole(_ key: Int, _ keys: QueryKeys, from begin: DayKey?, to end: DayKey) -> Bool {
    guard let days = keys.days(key) else { return true }
    let asked = query.source.span
    let missing = begin.map { days.lowerBound.distance(to: $0) } ?? 0
    return asked.lowerBound <= days.lowerBound && days.upperBound <= min(asked.upperBound, end)
      && missing * 10 <= days.lowerBound.distance(to: days.upperBound) + 1
  }

  /// Returns the whole periods that counts or sums are about: from the first item, or from the first
  /// day that the query names, until now.
  private func periods(
    of items: some Collection<Int>, _ keys: QueryKeys, from begin: DayKey?, to end: DayKey
  ) -> ClosedRange<Int>? {
    guard var first = items.min(), var last = items.max() else { return nil }
    guard let known = timeline.span else { return first...last }
    let asked = query.source.span
    if asked.lowerBound > .earliest,
      let key = keys.number(of: max(asked.lowerBound, begin ?? known.lowerBound))
    {
      first = min(
        first, isWhole(key, keys, from: begin, to: end) ? key : keys.advanced(key, by: 1))
    }
    if let key = keys.number(of: min(asked.upperBound, end, known.upperBound)) {
      last = max(last, isWhole(key, keys, from: begin, to: end) ? key : keys.advanced(key, by: -1))
    }
    return first...last
  }
}

import ArkivedCore

/// Spans, gaps, and runs of consecutive days or weeks.
extension QueryWork {
  /// Returns the days of the items since 1970, without duplicates and in order.
  private func days() throws -> [Int] {
    var days: [Int] = []
    try each { item in
      if let day = item.day?.daysSinceEpoch, days.last != day { days.append(day) }
    }
    return days
  }

  private static func span(_ first: Int, _ last: Int) -> ClosedRange<DayKey> {
    DayKey(clamping: first)...DayKey(clamping: last)
  }

  func stretch(_ outcome: inout QueryOutcome, today: DayKey) throws {
    let days = try days()
    guard let first = days.first, let last = days.last else { return }
    switch query.fold {
    case .span:
      outcome.rows = [
        Row(
          value: .number(Double(last - first + 1)), days: Self.span(first, last), count: days.count)
      ]
      try cite(&outcome) { [first, last].contains($0.day?.daysSinceEpoch) }
    case .gap:
      let steps = zip(days, days.dropFirst())
      guard let length = steps.map({ $1 - $0 }).max(),
        let gap = steps.first(where: { $1 - $0 == length })
      else { return }
      outcome.rows = [
        Row(value: .number(Double(length)), days: Self.span(gap.0, gap.1), count: days.count)
      ]
      try cite(&outcome) { [gap.0, gap.1].contains($0.day?.daysSinceEpoch) }
    case .run where query.group != nil: try run(of: query.group ?? .day, &outcome)
    default:
      let runs = DayRuns(days, today: today.daysSinceEpoch)
      guard let end = runs.longestEnd else { return }
      let run = (end - runs.longest + 1)...end
      outcome.rows = [
        Row(
          value: .number(Double(runs.longest)), days: Self.span(run.lowerBound, run.upperBound),
          count: days.count)
      ]
      try cite(&outcome) { $0.day.map { run.contains($0.daysSinceEpoch) } ?? false }
    }
  }

  /// Finds the longest run of consecutive weeks, months or years.
  private func run(of group: Query.Group, _ outcome: inout QueryOutcome) throws {
    let keys = QueryKeys(group)
    var (best, current): (ClosedRange<Int>?, ClosedRange<Int>?)
    var length = 0
    func count(_ run: ClosedRange<Int>) -> Int { keys.distance(run.lowerBound, run.upperBound) + 1 }
    try each { item in
      keys.each(item) { key in
        if let run = current, keys.distance(run.upperBound, key) <= 1 {
          current = run.lowerBound...max(run.upperBound, key)
        } else {
          current = key...key
        }
        if let run = current, count(run) > length { (best, length) = (run, count(run)) }
      }
    }
    guard let best, let first = keys.days(best.lowerBound), let last = keys.days(best.upperBound)
    else { return }
    outcome.rows = [
      Row(
        key: group.rawValue, value: .number(Double(length)),
        days: first.lowerBound...last.upperBound, count: length)
    ]
    try cite(&outcome) { item in
      item.day.map { (first.lowerBound...last.upperBound).contains($0) } ?? false
    }
  }

  /// Lists or counts runs of consecutive days.
  func runs(_ outcome: inout QueryOutcome) throws {
    var runs: [ClosedRange<Int>] = []
    for day in try days() {
      if let last = runs.last, last.upperBound == day - 1 {
        runs[runs.count - 1] = last.lowerBound...day
      } else {
        runs.append(day...day)
      }
    }
    outcome.rowCount = runs.count
    switch query.order ?? .oldest {
    case .oldest: break
    case .newest: runs.reverse()
    case .most: runs.sort { ($1.count, $0.lowerBound) < ($0.count, $1.lowerBound) }
    case .least: runs.sort { ($0.count, $0.lowerBound) < ($1.count, $1.lowerBound) }
    }
    if query.fold == .count {
      outcome.rows = [Row(value: .number(Double(runs.count)), count: items.count)]
      outcome.rowCount = 1
      return try cite(&outcome) { _ in true }
    }
    let shown = runs.prefix(query.limit)
    outcome.rows = shown.map {
      Row(
        value: .number(Double($0.count)), days: Self.span($0.lowerBound, $0.upperBound),
        count: $0.count)
    }
    let first = shown.map(\.lowerBound).min() ?? 0
    let last = shown.map(\.upperBound).max() ?? 0
    let all = shown.count == runs.count
    let chosen = Set(all ? [] : shown.joined().filter { (first...last).contains($0) })
    try cite(&outcome) { item in
      all || item.day.map { chosen.contains($0.daysSinceEpoch) } ?? false
    }
  }
}

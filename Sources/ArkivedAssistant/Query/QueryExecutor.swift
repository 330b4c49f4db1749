import ArkivedCore

/// What a query computed, before it is worded.
struct QueryOutcome {
  enum Value: Hashable {
    case number(Double)
    case text(String)
    case day(DayKey)
    case flag(Bool)

    var number: Double? { if case .number(let number) = self { number } else { nil } }
  }

  struct Row {
    /// The group, or what the value belongs to, as programs call it.
    var key: String?
    var value: Value
    var days: ClosedRange<DayKey>?
    /// How many items it was computed of.
    var count: Int
  }

  let query: Query
  var rows: [Row] = []
  /// How many values there are; `rows` has the first of them.
  var rowCount = 0
  var unit: String?
  /// How many items the source has.
  var itemCount: Int
  /// How many of them have an amount, where it is computed of amounts.
  var measured: Int?
  var caveats: [String] = []
  var groundings: [ConceptGrounding] = []
  var cited: [QueryItem] = []
  /// How many items prove it altogether.
  var citationCount = 0
}

/// Computes queries: each fold once, for whatever items.
struct QueryExecutor {
  let selector: QuerySelector
  let check: () throws -> Void

  typealias Row = QueryOutcome.Row

  func outcome(of query: Query) throws -> QueryOutcome {
    let items = try selector.items(query.source)
    var outcome = QueryOutcome(query: query, itemCount: items.count)
    outcome.unit = unit(query)
    let work = QueryWork(query: query, items: items, timeline: selector.timeline, check: check)
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
    case .trend: try work.trend(&outcome)
    }
    outcome.groundings = selector.groundings
    outcome.caveats = selector.caveats + outcome.caveats
    if let measured = outcome.measured, measured < outcome.itemCount {
      let (some, all) = (InsightText.count(measured), InsightText.count(outcome.itemCount))
      outcome.caveats.append(
        measured == 0
          ? said("None of \(all) says how much.") : said("Only \(some) of \(all) say how much."))
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
    let sides = [try work.total(), try other.total()]
    if query.by.needsMeasure {
      outcome.measured = sides[0].measured
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
    try work.cite(&outcome) { _ in true }
  }
}

/// What is known of some items while they pass.
struct QueryTally {
  private(set) var count = 0
  private(set) var measured = 0
  private var sum = 0.0
  private var (least, most) = (Double.infinity, -Double.infinity)
  /// Only where a median is wanted.
  private var values: [Double] = []
  /// Only where different ones are counted.
  private var different: Set<Int> = []
  private(set) var (first, last) = (Int.max, Int.min)

  mutating func add(_ day: DayKey?, _ amount: Double?, keepsValues: Bool) {
    count += 1
    if let day = day?.daysSinceEpoch { (first, last) = (min(first, day), max(last, day)) }
    guard let amount else { return }
    measured += 1
    sum += amount
    (least, most) = (min(least, amount), max(most, amount))
    if keepsValues { values.append(amount) }
  }

  mutating func add(different key: Int) { different.insert(key) }

  func value(_ fold: Query.Fold) -> Double? {
    switch fold {
    case .distinct: return Double(different.count)
    case .sum: return measured > 0 ? sum : nil
    case .mean: return measured > 0 ? sum / Double(measured) : nil
    case .median:
      let sorted = values.sorted()
      guard !sorted.isEmpty else { return nil }
      let middle = sorted.count / 2
      return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
    case .highest: return measured > 0 ? most : nil
    case .lowest: return measured > 0 ? least : nil
    default: return Double(count)
    }
  }
}

/// The operators over one source's items.
struct QueryWork {
  let query: Query
  var items: QueryItems
  let timeline: TableTimeline
  let check: () throws -> Void

  typealias Row = QueryOutcome.Row

  /// Gives each item, and ends where the work is to end.
  private func each(_ body: (QueryItem) throws -> Void) throws {
    var seen = 0
    try items.each { item in
      seen += 1
      if seen % 4_096 == 0 { try check() }
      try body(item)
    }
  }

  /// Cites the items that prove it, as many as are asked for, and counts all.
  func cite(_ outcome: inout QueryOutcome, where proves: (QueryItem) -> Bool) throws {
    var (cited, count) = ([QueryItem](), 0)
    try each { item in
      guard proves(item) else { return }
      count += 1
      if cited.count < query.citations { cited.append(item) }
    }
    (outcome.cited, outcome.citationCount) = (cited, count)
  }

  private func amount(_ item: QueryItem) -> Double? { item.amount(in: query.unit) }
  private var hasMeasure: Bool { query.unit != nil || query.source.metric != nil }

  // MARK: Figures

  private var distinct: Query.Group { query.target?.naming ?? .day }

  /// The figures of all items together.
  func total() throws -> QueryTally {
    let fold = query.fold == .compare || query.fold == .share ? query.by : query.fold
    let keys = QueryKeys(distinct)
    var tally = QueryTally()
    try each { item in
      tally.add(item.day, fold.needsMeasure ? amount(item) : nil, keepsValues: fold == .median)
      if fold == .distinct { keys.each(item) { tally.add(different: $0) } }
    }
    return tally
  }

  /// Of all items, or group by group.
  func tallies(_ outcome: inout QueryOutcome) throws {
    // A list of names is how often each comes up.
    let isList = query.fold == .list
    guard let group = query.group ?? (isList ? query.target?.naming : nil) else {
      let tally = try total()
      if query.fold.needsMeasure { outcome.measured = tally.measured }
      if let value = tally.value(query.fold) {
        outcome.rows = [Row(value: .number(value), count: tally.count)]
      }
      return try cite(&outcome) { !query.fold.needsMeasure || amount($0) != nil }
    }
    let fold = isList ? .count : query.fold
    let keys = QueryKeys(group)
    let groups = try grouped(by: keys, fold)
    if fold.needsMeasure { outcome.measured = try total().measured }
    var found = groups.compactMap { key, tally in tally.value(fold).map { (key, tally, $0) } }
    let usual: Query.Order = group.isOrdered || group == .thing ? .oldest : .most
    let order = query.order ?? usual
    found.sort { left, right in
      switch order {
      case .most where left.2 != right.2: return left.2 > right.2
      case .least where left.2 != right.2: return left.2 < right.2
      case .newest where group.isOrdered: return left.0 > right.0
      case .newest where left.1.last != right.1.last: return left.1.last > right.1.last
      case .oldest where !group.isOrdered && left.1.first != right.1.first:
        return left.1.first < right.1.first
      default:
        return group.isOrdered ? left.0 < right.0 : keys.name(left.0) < keys.name(right.0)
      }
    }
    outcome.rowCount = found.count
    let shown = found.prefix(query.limit)
    outcome.rows = shown.map { key, tally, value in
      let days = keys.days(key)
      let own: QueryOutcome.Value =
        if !isList { .number(value) } else if group == .day, let day = days?.lowerBound {
          .day(day)
        } else { .text(keys.name(key)) }
      return Row(key: keys.name(key), value: own, days: days, count: tally.count)
    }
    if [.most, .least].contains(order), let last = shown.last {
      let more = found.dropFirst(shown.count).prefix { $0.2 == last.2 }.count
      if more > 0 {
        outcome.caveats.append(
          said(
            more, one: "\(more) more has the same value.",
            other: "\(more) more have the same value."))
      }
    }
    let chosen = Set(shown.map(\.0))
    try cite(&outcome) { item in
      var isChosen = false
      keys.each(item) { if chosen.contains($0) { isChosen = true } }
      return isChosen && (!fold.needsMeasure || amount(item) != nil)
    }
  }

  private func grouped(by keys: QueryKeys, _ fold: Query.Fold) throws -> [Int: QueryTally] {
    var groups: [Int: QueryTally] = [:]
    let inner = QueryKeys(distinct)
    try each { item in
      let amount = fold.needsMeasure || fold == .trend && hasMeasure ? self.amount(item) : nil
      keys.each(item) { key in
        groups[key, default: QueryTally()].add(item.day, amount, keepsValues: fold == .median)
        guard fold == .distinct else { return }
        inner.each(item) { groups[key]?.add(different: $0) }
      }
    }
    return groups
  }

  // MARK: Items

  /// What an item says of the target, in its own words.
  private func values(_ item: QueryItem) -> [QueryOutcome.Value] {
    switch query.target ?? .entry {
    case .day: return item.day.map { [.day($0)] } ?? []
    case .amount: return amount(item).map { [.number($0)] } ?? []
    case .person, .place, .tag, .kind:
      return (query.target?.naming).map { item.names($0).map { .text($0) } } ?? []
    case .reason: return [.text(wholeText(item))]
    case .entry, .thing, .name, .timeSpan, .yesNo:
      if case .day(let day, _) = item { return [.day(day)] }
      return [.text(item.text)]
    }
  }

  /// The text with what is written beside it.
  private func wholeText(_ item: QueryItem) -> String {
    switch item {
    case .record(let record): return record.text
    case .day(let day, _): return day.description
    case .entry(let entry):
      for part in timeline.parts {
        let table = part.contents.notes
        guard let ordinal = table.ordinal(ofRow: entry.id), !part.outdatedNotes.contains(ordinal)
        else { continue }
        return entry.text + "\n" + table.text(Int(table.texts[ordinal]))
      }
      return entry.text
    }
  }

  private func rows(_ item: QueryItem) -> [Row] {
    values(item).map { Row(value: $0, days: item.day.map { $0...$0 }, count: 1) }
  }

  func list(_ outcome: inout QueryOutcome) throws {
    let order = query.order ?? .oldest
    let byAmount = order == .most || order == .least
    var (kept, start, count) = ([(amount: Double, item: QueryItem)](), 0, 0)
    try each { item in
      let value = byAmount || query.target == .amount ? amount(item) : 0
      guard let value else { return }
      count += 1
      if byAmount {
        func stands(before other: Double) -> Bool { order == .most ? value > other : value < other }
        if kept.count == query.limit, let last = kept.last, !stands(before: last.amount) { return }
        // Those of the same amount stay in order of time.
        let place = kept.firstIndex { stands(before: $0.amount) } ?? kept.count
        kept.insert((value, item), at: place)
        if kept.count > query.limit { kept.removeLast() }
      } else if kept.count < query.limit {
        kept.append((value, item))
      } else if order == .newest {
        kept[start] = (value, item)
        start = (start + 1) % query.limit
      }
    }
    let inTime = (Array(kept[start...]) + kept[..<start]).map(\.item)
    let shown = order == .newest ? inTime.reversed() : inTime
    outcome.rows = shown.flatMap(rows)
    outcome.rowCount = count
    if byAmount || query.target == .amount { outcome.measured = count }
    if byAmount {
      outcome.rows = shown.map { item in
        Row(
          key: Self.text(values(item)), value: .number(amount(item) ?? 0),
          days: item.day.map { $0...$0 }, count: 1)
      }
    }
    (outcome.cited, outcome.citationCount) = (Array(shown.prefix(query.citations)), count)
  }

  private static func text(_ values: [QueryOutcome.Value]) -> String? {
    let texts = values.compactMap { value -> String? in
      switch value {
      case .text(let text): text
      case .day(let day): day.description
      case .number, .flag: nil
      }
    }
    return texts.isEmpty ? nil : texts.joined(separator: ", ")
  }

  /// The first, the last, or the one of a rank.
  func edge(_ outcome: inout QueryOutcome) throws {
    var (found, place) = (nil as QueryItem?, 0)
    try each { item in
      guard query.fold == .last || found == nil, item.day != nil, !values(item).isEmpty else {
        return
      }
      place += 1
      if query.fold != .nth || place == query.rank { found = item }
    }
    guard let found else { return }
    outcome.rows = rows(found)
    (outcome.cited, outcome.citationCount) = (Array([found].prefix(query.citations)), 1)
  }

  /// The items of the highest or lowest amount, or of the next ones by rank.
  func extreme(_ outcome: inout QueryOutcome) throws {
    var amounts: [Double] = []
    try each { item in if let amount = amount(item) { amounts.append(amount) } }
    outcome.measured = amounts.count
    let different = Set(amounts).sorted(by: query.fold == .highest ? { $0 > $1 } : { $0 < $1 })
    guard let wanted = different[checked: query.rank - 1] else { return }
    var (rows, count) = ([Row](), 0)
    try each { item in
      guard amount(item) == wanted else { return }
      count += 1
      guard rows.count < query.limit else { return }
      let key = query.target == .amount ? nil : Self.text(values(item))
      rows.append(
        Row(key: key, value: .number(wanted), days: item.day.map { $0...$0 }, count: 1))
    }
    (outcome.rows, outcome.rowCount) = (rows, count)
    try cite(&outcome) { amount($0) == wanted }
  }

  // MARK: Days in a row

  /// The days of the items since 1970, each once and in order.
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

  /// The most weeks, months or years in a row.
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

  /// Spans of days in a row, listed or counted.
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

  /// How the figure of each day, week, month or year changes, by the straight line of least squares.
  ///
  /// What was not done counts as 0; days without a value of a metric are left out.
  func trend(_ outcome: inout QueryOutcome) throws {
    let keys = QueryKeys(query.group ?? .month)
    let fold: Query.Fold = query.source.metric != nil ? .mean : query.unit != nil ? .sum : .count
    let groups = try grouped(by: keys, .trend)
    guard let first = groups.keys.min(), let last = groups.keys.max() else { return }
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
    if hasMeasure { outcome.measured = groups.values.reduce(0) { $0 + $1.measured } }
    try cite(&outcome) { !hasMeasure || amount($0) != nil }
  }
}

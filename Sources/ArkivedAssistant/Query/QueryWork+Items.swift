import ArkivedCore

/// Lists, the first and last items, and those with the largest and smallest amounts.
extension QueryWork {
  /// Returns an item's values for the target, in its own words.
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

  /// Returns the text with its notes.
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
        // Items with the same amount stay in chronological order.
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

  /// Finds the first item, the last, or the one with a given rank.
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

  /// Finds the items with the highest or lowest amount, or the next ones by rank.
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
}

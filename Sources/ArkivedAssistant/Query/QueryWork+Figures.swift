import ArkivedCore

/// Counts, sums, means and other figures, over all items or by group.
extension QueryWork {
  private var distinct: Query.Group { query.target?.naming ?? .day }

  /// Returns the figures for all items together.
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

  /// Computes the figures of all items, or by group.
  func tallies(_ outcome: inout QueryOutcome) throws {
    // A list of names shows the number of occurrences of each.
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

  func grouped(by keys: QueryKeys, _ fold: Query.Fold) throws -> [Int: QueryTally] {
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
}

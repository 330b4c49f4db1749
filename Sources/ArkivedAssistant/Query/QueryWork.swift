import ArkivedCore

/// The operators on the items of one source.
struct QueryWork {
  let query: Query
  var items: QueryItems
  let timeline: TableTimeline
  let check: () throws -> Void
  /// True if items of whole days have no amount.
  var skipsWholeDays = false

  typealias Row = QueryOutcome.Row

  /// Calls a closure with each item, and stops when the work is cancelled.
  func each(_ body: (QueryItem) throws -> Void) throws {
    var seen = 0
    try items.each { item in
      seen += 1
      if seen % 4_096 == 0 { try check() }
      try body(item)
    }
  }

  /// Cites the supporting items, up to the requested number, and counts all of them.
  func cite(_ outcome: inout QueryOutcome, where proves: (QueryItem) -> Bool) throws {
    var (cited, count) = ([QueryItem](), 0)
    try each { item in
      guard proves(item) else { return }
      count += 1
      if cited.count < query.citations { cited.append(item) }
    }
    (outcome.cited, outcome.citationCount) = (cited, count)
  }

  func amount(_ item: QueryItem) -> Double? {
    skipsWholeDays && item.hasOnlyDays(in: query.unit) ? nil : item.amount(in: query.unit)
  }

  /// Returns true if the query is about times, and some of the items, but not all, have only the
  /// length of whole days, which isn't time that somebody spent.
  func hasOtherTimes() throws -> Bool {
    guard let unit = query.unit, UnitTable.standard.unit(named: unit)?.dimension == .time else {
      return false
    }
    var (hasWholeDays, hasOthers) = (false, false)
    try each { item in
      if item.hasOnlyDays(in: unit) {
        hasWholeDays = true
      } else if !hasOthers {
        hasOthers = item.amount(in: unit) != nil
      }
    }
    return hasWholeDays && hasOthers
  }

  var hasMeasure: Bool { query.unit != nil || query.source.metric != nil }
}

import ArkivedCore
import Foundation

/// The data that a query needs besides the timeline.
protocol QueryRecords: Sendable {
  func records(_ kind: Query.ItemKind) throws -> [QueryRecord]
  /// Returns the row numbers of the activities from a source.
  func rows(from source: String) throws -> Set<Int64>
}

/// Selects the items of a source.
///
/// Entries are selected by the timeline's lists and columns as bit sets; their texts are read only
/// for quotations.
final class QuerySelector {
  let timeline: TableTimeline
  let today: DayKey
  let records: any QueryRecords
  let grounder: any ConceptGrounder
  private let check: () throws -> Void
  var grounded: [Query.Concept: ConceptGrounding] = [:]
  var loaded: [Query.ItemKind: [QueryRecord]] = [:]
  var figures: [String: [Int: Double]] = [:]
  /// The interpretations of phrases and names, in the order they were resolved.
  var groundings: [ConceptGrounding] = []
  /// Sentences about the things that the archive doesn't contain.
  private(set) var caveats: [String] = []

  /// Creates a selector.
  ///
  /// - Parameters:
  ///   - timeline: the entries.
  ///   - today: the current day.
  ///   - records: the meetings, notes and people.
  ///   - grounder: finds the entries that are about something.
  ///   - check: called between steps; throws to cancel the work.
  init(
    _ timeline: TableTimeline, today: DayKey, records: any QueryRecords,
    grounder: any ConceptGrounder, check: @escaping () throws -> Void
  ) {
    self.timeline = timeline
    self.today = today
    self.records = records
    self.grounder = grounder
    self.check = check
  }

  func doubt(_ caveat: String) {
    if !caveats.contains(caveat) { caveats.append(caveat) }
  }

  func items(_ source: Query.Source) throws -> QueryItems {
    try check()
    switch source {
    case .items(.entries, let predicate):
      let span = predicate.span
      return QueryItems(
        content: .entries(
          try timeline.parts.map { part in
            let table = part.contents.activities
            let full = table.ordinals(
              where: IndexCondition(days: span), outdated: part.outdatedActivities)
            return (
              table, try set(predicate, full) { try self.entries($0, table, span) }
            )
          }))
    case .items(.days, let predicate):
      return QueryItems(content: .days(try days(predicate), values: nil))
    case .items(let kind, let predicate):
      let all = try records(of: kind)
      let full = OrdinalSet(0..<all.count, isFull: true)
      let found = try set(predicate, full) { condition in
        let holds = try self.condition(condition, among: all)
        return self.scan(0..<all.count) { holds(all[$0]) }
      }
      var chosen: [QueryRecord] = []
      found.each { chosen.append(all[$0]) }
      return QueryItems(content: .records(chosen))
    case .metric(let name, let predicate):
      let values = self.values(of: name)
      var days = try self.days(predicate)
      let all = days
      all.each { if values[$0] == nil { days.remove($0) } }
      return QueryItems(content: .days(days, values: values))
    case .onDays(let wanted, let other, let offsets):
      let items = try self.items(wanted)
      let others = try self.items(other)
      // The days in chronological order.
      var days: [Int] = []
      others.each { item in
        if let day = item.day?.daysSinceEpoch, days.last != day { days.append(day) }
      }
      return items.filtered { day in
        let place = days.firstPlace(where: { $0 >= day - offsets.upperBound })
        return place < days.count && days[place] <= day - offsets.lowerBound
      }
    case .between(let wanted, let start, let end):
      let items = try self.items(wanted)
      var (first, last): (Int?, Int?)
      try self.items(start).each { item in first = first ?? item.day?.daysSinceEpoch }
      try self.items(end).each { item in last = item.day?.daysSinceEpoch ?? last }
      guard let first, let last, first <= last else { return items.filtered { _ in false } }
      return items.filtered { (first...last).contains($0) }
    case .minus(let wanted, let without):
      return try items(wanted).combined(with: try items(without), isUnion: false)
    case .union(let sources):
      guard let first = sources.first else { return QueryItems(content: .records([])) }
      return try sources.dropFirst().reduce(try items(first)) {
        $0.combined(with: try items($1), isUnion: true)
      }
    }
  }

  /// Evaluates and, or, not; the caller evaluates the conditions.
  ///
  /// - Parameters:
  ///   - predicate: the condition that entries must meet.
  ///   - full: the set of everything, with the same bounds as the results of `condition`.
  ///   - settled: those about which it is known that they don't meet a condition; all if nil.
  ///   - condition: evaluates a condition.
  /// - Returns: the entries.
  /// - Throws: what `condition` throws.
  func set(
    _ predicate: Query.Predicate, _ full: OrdinalSet, until settled: OrdinalSet? = nil,
    _ condition: (Query.Predicate) throws -> OrdinalSet
  ) throws -> OrdinalSet {
    try check()
    var result = full
    switch predicate {
    case .all(let parts):
      for part in parts where !result.isEmpty {
        result.formIntersection(try set(part, full, until: settled, condition))
      }
    case .any(let parts):
      var union = OrdinalSet(full.bounds)
      for part in parts { union.formUnion(try set(part, full, until: settled, condition)) }
      result.formIntersection(union)
    case .not(let part):
      result.subtract(try set(part, full, until: settled, condition))
      if let settled, !part.isOfCalendar { result.formIntersection(settled) }
    default: result.formIntersection(try condition(predicate))
    }
    return result
  }

  func scan(_ bounds: Range<Int>, _ holds: (Int) -> Bool) -> OrdinalSet {
    var set = OrdinalSet(bounds)
    for index in bounds where holds(index) { set.insert(index) }
    return set
  }
}

extension [Int] {
  /// Returns the first index, in a list of ascending numbers, whose number satisfies a condition
  /// that all later ones also satisfy.
  fileprivate func firstPlace(where isAfter: (Int) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if isAfter(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}

import ArkivedCore
import Foundation

/// An item of a query's source.
enum QueryItem {
  case entry(TimelineEntry)
  /// A day, with its value of the source's metric.
  case day(DayKey, Double?)
  case record(QueryRecord)

  /// The day; nil for items without one, such as people.
  var day: DayKey? {
    switch self {
    case .entry(let entry): entry.day
    case .day(let day, _): day
    case .record(let record): record.days?.lowerBound
    }
  }

  /// The minute of the clock at which it began; nil if only its day or a part of it is known.
  var startMinute: Int? {
    switch self {
    case .entry(let entry): entry.hasClock ? entry.startMinute : nil
    case .day: nil
    case .record(let record): record.startMinute
    }
  }

  /// Returns true for an item of whole days whose amount in a unit, such as hours, is only their
  /// length.
  func hasOnlyDays(in unit: String?) -> Bool {
    guard let unit else { return false }
    return switch self {
    case .entry(let entry): entry.hasOnlyDays(in: unit)
    case .day: false
    case .record(let record): record.hasOnlyDays(in: unit)
    }
  }

  /// Returns the item's amount in a unit; without a unit, the value of its source's metric.
  func amount(in unit: String?) -> Double? {
    switch self {
    case .day(_, let value): return value
    case .entry(let entry):
      return unit.flatMap(entry.amount(in:)).flatMap { $0.isFinite ? $0 : nil }
    case .record(let record): return unit.flatMap(record.amount(in:))
    }
  }

  /// The item's full text.
  var text: String {
    switch self {
    case .entry(let entry): entry.text
    case .day(let day, _): day.description
    case .record(let record): record.title
    }
  }

  /// Returns the item's values for groups of names, without duplicates.
  func names(_ group: Query.Group) -> [String] {
    let all: [String]
    switch (group, self) {
    case (.person, .entry(let entry)): all = entry.people
    case (.person, .record(let record)): all = record.people.map(\.name)
    case (.tag, .entry(let entry)): all = entry.tags
    case (.tag, .record(let record)): all = record.tags
    case (.place, .entry(let entry)): all = entry.place.map { [$0] } ?? []
    case (.place, .record(let record)): all = record.place.map { [$0] } ?? []
    case (.kind, .entry(let entry)): all = [entry.activityKind]
    case (.kind, .record(let record)): all = record.activityKind.map { [$0] } ?? []
    case (.thing, _): all = [text]
    default: return []
    }
    var seen: Set<String> = []
    return all.filter { !$0.isEmpty && seen.insert($0).inserted }
  }
}

/// A record of the archive other than an activity: a meeting, a note, a promise, a goal.
struct QueryRecord: Sendable {
  struct Participant: Sendable {
    var name: String
    var role: Query.Role
  }

  var kind: Query.ItemKind
  /// The entity that a citation refers to; promises and decisions refer to their note.
  var id: UUID
  /// The number that distinguishes it from others in the same entity.
  var line = 0
  var title: String
  /// The record's complete text.
  var text: String
  var days: ClosedRange<DayKey>?
  var startMinute: Int?
  var minutes: Double?
  /// True if the minutes are the length of whole days.
  var lastsWholeDays = false
  var measurements: [String: Double] = [:]
  var people: [Participant] = []
  var place: String?
  var tags: [String] = []
  var activityKind: String?
  var isDone: Bool?

  func amount(in unit: String) -> Double? {
    if let amount = UnitTable.standard.amount(of: unit, in: measurements) { return amount }
    return minutes.flatMap { UnitTable.standard.convert($0, from: "min", to: unit) }
  }

  /// Returns true for a record of whole days whose amount in a unit is only their length.
  func hasOnlyDays(in unit: String) -> Bool {
    lastsWholeDays && UnitTable.standard.unit(named: unit)?.dimension == .time
      && UnitTable.standard.amount(of: unit, in: measurements) == nil
  }

  /// Returns true if one record sorts before another: by day, hour and title; records without a day
  /// come last.
  static func precedes(_ left: QueryRecord, _ right: QueryRecord) -> Bool {
    let first = (left.days?.lowerBound ?? .latest, left.startMinute ?? 1_440, left.title)
    return first < (right.days?.lowerBound ?? .latest, right.startMinute ?? 1_440, right.title)
  }
}

/// The items of a source.
struct QueryItems {
  enum Content {
    /// Tables with the ordinals of their entries.
    case entries([(table: TimelineTable, ordinals: OrdinalSet)])
    /// Days since 1970, with their values if the source is a metric.
    case days(OrdinalSet, values: [Int: Double]?)
    /// Records in chronological order.
    case records([QueryRecord])
  }

  var content: Content

  var count: Int {
    switch content {
    case .entries(let parts): parts.reduce(0) { $0 + $1.ordinals.count }
    case .days(let days, _): days.count
    case .records(let records): records.count
    }
  }

  /// Calls a closure with each item in chronological order.
  func each(_ body: (QueryItem) throws -> Void) rethrows {
    switch content {
    case .days(let days, let values):
      try days.each { try body(.day(DayKey(clamping: $0), values?[$0])) }
    case .records(let records): for record in records { try body(.record(record)) }
    case .entries(let parts):
      let filled = parts.filter { !$0.ordinals.isEmpty }
      if filled.count == 1 {
        let table = filled[0].table
        try filled[0].ordinals.each { try body(.entry(TimelineEntry(table: table, ordinal: $0))) }
        return
      }
      // Each table is in chronological order, so they are merged.
      var heads = filled.map { part in
        (table: part.table, rest: part.ordinals.all[...])
      }
      while !heads.isEmpty {
        var next = 0
        for index in heads.indices.dropFirst()
        where Self.time(heads[index].table, heads[index].rest.first)
          < Self.time(heads[next].table, heads[next].rest.first)
        { next = index }
        if let ordinal = heads[next].rest.popFirst() {
          try body(.entry(TimelineEntry(table: heads[next].table, ordinal: Int(ordinal))))
        }
        if heads[next].rest.isEmpty { heads.remove(at: next) }
      }
    }
  }

  private static func time(_ table: TimelineTable, _ ordinal: Int32?) -> (Int32, Int16, Int64) {
    guard let ordinal = ordinal.map(Int.init) else { return (.max, .max, .max) }
    let minute = table.minutes[ordinal]
    return (
      table.days[ordinal], minute == TimelineLayout.noMinute ? .max : minute, table.rows[ordinal]
    )
  }

  /// Returns the items on days that pass a test.
  func filtered(_ passes: (Int) -> Bool) -> QueryItems {
    switch content {
    case .entries(let parts):
      return QueryItems(
        content: .entries(
          parts.map { part in
            var set = part.ordinals
            part.ordinals.each { if !passes(Int(part.table.days[$0])) { set.remove($0) } }
            return (part.table, set)
          }))
    case .days(let days, let values):
      var set = days
      days.each { if !passes($0) { set.remove($0) } }
      return QueryItems(content: .days(set, values: values))
    case .records(let records):
      return QueryItems(
        content: .records(
          records.filter { $0.days.map { passes($0.lowerBound.daysSinceEpoch) } ?? false }))
    }
  }

  /// Returns the union of two sources of the same kind, or the items of this one that the other
  /// lacks.
  func combined(with other: QueryItems, isUnion: Bool) -> QueryItems {
    func merged(_ first: OrdinalSet, _ second: OrdinalSet) -> OrdinalSet {
      let bounds =
        first.bounds.isEmpty || second.bounds.isEmpty
        ? (first.bounds.isEmpty ? second.bounds : first.bounds)
        : min(
          first.bounds.lowerBound, second.bounds.lowerBound)..<max(
            first.bounds.upperBound, second.bounds.upperBound)
      var set = OrdinalSet(bounds)
      first.each { set.insert($0) }
      second.each { if isUnion { set.insert($0) } else { set.remove($0) } }
      return set
    }
    switch (content, other.content) {
    case (.entries(let parts), .entries(let others)):
      // Both belong to the same timeline, whose tables are in the same order.
      return QueryItems(
        content: .entries(
          zip(parts, others).map { ($0.table, merged($0.ordinals, $1.ordinals)) }))
    case (.days(let days, let values), .days(let others, let more)):
      return QueryItems(
        content: .days(
          merged(days, others), values: values?.merging(more ?? [:]) { first, _ in first }))
    case (.records(let records), .records(let others)):
      func key(_ record: QueryRecord) -> String { "\(record.id) \(record.line)" }
      let known = Set((isUnion ? records : others).map(key))
      guard isUnion else {
        return QueryItems(content: .records(records.filter { !known.contains(key($0)) }))
      }
      let all = records + others.filter { !known.contains(key($0)) }
      return QueryItems(content: .records(all.sorted(by: QueryRecord.precedes)))
    default: return self
    }
  }
}

extension OrdinalSet {
  /// The ordinals in ascending order.
  fileprivate var all: [Int32] {
    var all: [Int32] = []
    all.reserveCapacity(count)
    each { all.append(Int32(truncatingIfNeeded: $0)) }
    return all
  }
}

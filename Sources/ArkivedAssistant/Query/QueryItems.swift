import ArkivedCore
import Foundation

/// One of what a query looks at.
enum QueryItem {
  case entry(TimelineEntry)
  /// A day, with its value of the source's metric.
  case day(DayKey, Double?)
  case record(QueryRecord)

  /// nil for what has no day, such as people.
  var day: DayKey? {
    switch self {
    case .entry(let entry): entry.day
    case .day(let day, _): day
    case .record(let record): record.days?.lowerBound
    }
  }

  var startMinute: Int? {
    switch self {
    case .entry(let entry): entry.startMinute
    case .day: nil
    case .record(let record): record.startMinute
    }
  }

  /// What it measures in a unit; without one, the value of its source's metric.
  func amount(in unit: String?) -> Double? {
    switch self {
    case .day(_, let value): return value
    case .entry(let entry):
      return unit.flatMap(entry.amount(in:)).flatMap { $0.isFinite ? $0 : nil }
    case .record(let record): return unit.flatMap(record.amount(in:))
    }
  }

  /// Its own words, whole.
  var text: String {
    switch self {
    case .entry(let entry): entry.text
    case .day(let day, _): day.description
    case .record(let record): record.title
    }
  }

  /// Its values for groups of names, each once.
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

/// Something of the archive beside activities: a meeting, a note, a promise, a goal.
struct QueryRecord: Sendable {
  struct Participant: Sendable {
    var name: String
    var role: Query.Role
  }

  var kind: Query.ItemKind
  /// Of the entity a citation leads to; promises and decisions lead to their note.
  var id: UUID
  /// What tells it from the others of its kind.
  var line = 0
  var title: String
  /// Everything that is written on it.
  var text: String
  var days: ClosedRange<DayKey>?
  var startMinute: Int?
  var minutes: Double?
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

  /// By day, hour and title; what has no day stands last.
  static func precedes(_ left: QueryRecord, _ right: QueryRecord) -> Bool {
    let first = (left.days?.lowerBound ?? .latest, left.startMinute ?? 1_440, left.title)
    return first < (right.days?.lowerBound ?? .latest, right.startMinute ?? 1_440, right.title)
  }
}

/// The items of a source.
struct QueryItems {
  enum Content {
    /// Tables with ordinals of theirs.
    case entries([(table: TimelineTable, ordinals: OrdinalSet)])
    /// Days since 1970, with their values of a metric where the source is one.
    case days(OrdinalSet, values: [Int: Double]?)
    /// In order of time.
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

  /// Gives each item in order of time.
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
      // Each table is in order of time; they are merged.
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
    return (table.days[ordinal], minute < 0 ? 1_440 : minute, table.rows[ordinal])
  }

  /// Those on days that pass.
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

  /// The items of this or of another source of the same kind, or those of this that are not there.
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
      // Both are of the same timeline, whose tables stand in the same order.
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
  /// The ordinals in growing order.
  fileprivate var all: [Int32] {
    var all: [Int32] = []
    all.reserveCapacity(count)
    each { all.append(Int32(truncatingIfNeeded: $0)) }
    return all
  }
}

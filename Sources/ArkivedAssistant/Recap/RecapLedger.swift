import ArkivedCore

/// Something that entries have in common and that can be new, rare or missed.
enum RecapSubject: Hashable, Sendable, Comparable {
  case tag(String)
  case person(String)
  case place(String)

  var name: String {
    switch self {
    case .tag(let name), .person(let name), .place(let name): name
    }
  }

  /// The subject within a sentence: "#pottery", "Clara Weiss", "the Heron".
  var told: String {
    if case .tag(let name) = self {
      "#" + RecapText.shortened(name, to: 60)
    } else {
      RecapText.shortened(name, to: 60)
    }
  }

  private var rank: Int {
    switch self {
    case .place: 0
    case .person: 1
    case .tag: 2
    }
  }

  static func < (left: RecapSubject, right: RecapSubject) -> Bool {
    (left.rank, left.name) < (right.rank, right.name)
  }
}

/// A unit with the tag whose entries are measured in it: kilometres of cycling and of walking are
/// two measures.
struct RecapMeasure: Hashable, Sendable, Comparable {
  var unit: String
  var tag: String?

  /// The tag, as in "Cycling", or only the unit if it has no tag.
  var label: String { tag ?? unit }

  static func < (left: RecapMeasure, right: RecapMeasure) -> Bool {
    (left.tag ?? "", left.unit) < (right.tag ?? "", right.unit)
  }
}

/// The entries of some days, grouped by tags, people and places, in one pass that reads no text.
struct RecapLedger: Sendable {
  let entries: [TimelineEntry]
  /// The entries' days and minutes by position, kept separately because entries are large and these
  /// are used often.
  let days: [DayKey]
  let minutes: [Double]
  /// The positions in ``entries`` by subject, in chronological order.
  private(set) var bySubject: [RecapSubject: [Int]] = [:]
  /// The positions by day.
  private(set) var byDay: [DayKey: Range<Int>] = [:]
  /// The positions of the entries with each unit.
  private(set) var byUnit: [String: [Int]] = [:]
  /// The positions of the entries with a duration by kind of activity, without those of whole days.
  private(set) var byKind: [String: [Int]] = [:]

  init(_ entries: [TimelineEntry]) {
    self.entries = entries
    days = entries.map(\.day)
    minutes = entries.map { entry in
      entry.durationMinutes.flatMap { $0.isFinite && $0 > 0 ? $0 : nil } ?? 0
    }
    for (index, entry) in entries.enumerated() {
      byDay[entry.day] = (byDay[entry.day]?.lowerBound ?? index)..<index + 1
      for tag in Set(entry.tags) { bySubject[.tag(tag), default: []].append(index) }
      for person in Set(entry.people) { bySubject[.person(person), default: []].append(index) }
      if let place = entry.place, !place.isEmpty {
        bySubject[.place(place), default: []].append(index)
      }
      for unit in entry.measurements.keys { byUnit[unit, default: []].append(index) }
      if minutes[index] > 0, !entry.fillsDay, !entry.activityKind.isEmpty {
        byKind[entry.activityKind, default: []].append(index)
      }
    }
  }

  func entries(of subject: RecapSubject) -> [TimelineEntry] {
    (bySubject[subject] ?? []).map { entries[$0] }
  }

  func entries(on day: DayKey) -> ArraySlice<TimelineEntry> { entries[byDay[day] ?? 0..<0] }

  func count(in days: ClosedRange<DayKey>) -> Int { slice(days).count }

  /// Returns the entries of some of the days.
  func slice(_ days: ClosedRange<DayKey>) -> ArraySlice<TimelineEntry> {
    let low = position(of: days.lowerBound)
    return entries[low..<max(low, position(of: days.upperBound.advanced(by: 1)))]
  }

  /// Returns the first position that isn't before a day.
  private func position(of day: DayKey) -> Int {
    var low = 0
    var high = days.count
    while low < high {
      let middle = (low + high) / 2
      if days[middle] < day { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Returns the distinct days of some positions, in order.
  func days(at positions: some Sequence<Int>) -> [DayKey] {
    var result: [DayKey] = []
    for position in positions where result.last != days[position] { result.append(days[position]) }
    return result
  }

  /// Returns true if the positions are in at least a number of different months.
  func fills(months: Int, at positions: [Int]) -> Bool {
    var found = 0
    var end = DayKey.earliest
    for position in positions where days[position] >= end {
      found += 1
      if found >= months { return true }
      end = days[position].startOfMonth.adding(months: 1)
    }
    return found >= months
  }

  /// Returns the distinct days of some entries, in order.
  static func days(_ entries: some Sequence<TimelineEntry>) -> [DayKey] {
    var result: [DayKey] = []
    for entry in entries where result.last != entry.day { result.append(entry.day) }
    return result
  }
}

/// An entry's amount of a measure; `position` is the entry's position in its ledger.
struct MeasuredAmount: Hashable, Sendable {
  var position: Int
  var day: DayKey
  var amount: Double
}

/// The tags to which a unit's amounts belong, derived from a ledger.
struct MeasureOwners: Sendable {
  /// For each unit, the tags more than half of whose entries have an amount in it, largest first.
  private var owners: [String: [String]] = [:]

  /// Assigns units to tags; among equals, to the tag with more entries in the whole archive.
  init(_ ledgers: [RecapLedger], totals: [String: Int]) {
    var with: [String: [String: Int]] = [:]
    for ledger in ledgers {
      for (unit, positions) in ledger.byUnit {
        for position in positions {
          for tag in ledger.entries[position].tags {
            with[unit, default: [:]][tag, default: 0] += 1
          }
        }
      }
    }
    for (unit, counts) in with {
      owners[unit] = counts.filter { tag, count in
        let all = ledgers.reduce(0) { $0 + ($1.bySubject[.tag(tag)]?.count ?? 0) }
        return count * 2 > all
      }.map { (tag: $0.key, count: $0.value, total: totals[$0.key] ?? 0) }
        .sorted { ($0.count, $0.total, $1.tag) > ($1.count, $1.total, $0.tag) }.map(\.tag)
    }
  }

  /// Returns the measure of an entry's amount in a unit.
  func measure(_ unit: String, of entry: TimelineEntry) -> RecapMeasure {
    RecapMeasure(unit: unit, tag: owners[unit]?.first { entry.tags.contains($0) })
  }

  /// Returns the amounts of every measure in a ledger, in chronological order.
  func amounts(in ledger: RecapLedger) -> [RecapMeasure: [MeasuredAmount]] {
    var result: [RecapMeasure: [MeasuredAmount]] = [:]
    for (unit, positions) in ledger.byUnit {
      for position in positions {
        guard let amount = ledger.entries[position].measurements[unit], amount.isFinite, amount > 0
        else { continue }
        result[measure(unit, of: ledger.entries[position]), default: []].append(
          .init(position: position, day: ledger.days[position], amount: amount))
      }
    }
    return result
  }
}

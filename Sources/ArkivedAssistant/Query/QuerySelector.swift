import ArkivedCore
import Foundation

/// What a query needs of the archive beside its timeline.
protocol QueryRecords: Sendable {
  func records(_ kind: Query.ItemKind) throws -> [QueryRecord]
  /// The row numbers of the activities that came from a source.
  func rows(from source: String) throws -> Set<Int64>
}

/// Finds the items of a source.
///
/// Entries are chosen by the timeline's lists and columns, as sets of bits; their texts are read
/// only for quotations.
final class QuerySelector {
  let timeline: TableTimeline
  let today: DayKey
  private let records: any QueryRecords
  private let grounder: any ConceptGrounder
  private let check: () throws -> Void
  private var grounded: [Query.Concept: ConceptGrounding] = [:]
  private var loaded: [Query.ItemKind: [QueryRecord]] = [:]
  private var figures: [String: [Int: Double]] = [:]
  /// What phrases and names were taken for, in the order in which they were looked up.
  private(set) var groundings: [ConceptGrounding] = []
  /// What the archive doesn't know, each as a sentence.
  private(set) var caveats: [String] = []

  /// - Parameter check: called between steps; throws where the work is to end.
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

  private func doubt(_ caveat: String) {
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
      // In order of time.
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

  /// Evaluates and, or, not; conditions are evaluated by who asks.
  ///
  /// - Parameter full: everything there is, which has the bounds of what `condition` returns.
  private func set(
    _ predicate: Query.Predicate, _ full: OrdinalSet,
    _ condition: (Query.Predicate) throws -> OrdinalSet
  ) throws -> OrdinalSet {
    try check()
    var result = full
    switch predicate {
    case .all(let parts):
      for part in parts where !result.isEmpty {
        result.formIntersection(try set(part, full, condition))
      }
    case .any(let parts):
      var union = OrdinalSet(full.bounds)
      for part in parts { union.formUnion(try set(part, full, condition)) }
      result.formIntersection(union)
    case .not(let part): result.subtract(try set(part, full, condition))
    default: result.formIntersection(try condition(predicate))
    }
    return result
  }

  private func scan(_ bounds: Range<Int>, _ holds: (Int) -> Bool) -> OrdinalSet {
    var set = OrdinalSet(bounds)
    for index in bounds where holds(index) { set.insert(index) }
    return set
  }

  // MARK: Days

  /// A condition that a day itself fulfils or not; nil for conditions on entries.
  private func holdsOnDay(_ condition: Query.Predicate) -> ((Int) -> Bool)? {
    func value(_ name: String, _ bounds: Query.Bounds) -> (Int) -> Bool {
      let values = self.values(of: name)
      return { values[$0].map(bounds.contains) ?? false }
    }
    switch condition {
    case .days(let days):
      let numbers = days.lowerBound.daysSinceEpoch...days.upperBound.daysSinceEpoch
      return { numbers.contains($0) }
    case .weekday(let weekdays):
      return { weekdays.contains(DayKey(clamping: $0).weekday) }
    case .month(let months): return { months.contains(DayKey(clamping: $0).month) }
    case .season(let seasons):
      return { seasons.contains(Query.Season(month: DayKey(clamping: $0).month)) }
    case .mood(let bounds): return value("mood", bounds)
    case .energy(let bounds): return value("energy", bounds)
    case .metric(let name, let bounds): return value(name, bounds)
    default: return nil
    }
  }

  /// The values of a metric, of mood or energy, by day.
  func values(of name: String) -> [Int: Double] {
    if let known = figures[name] { return known }
    var values: [Int: Double] = [:]
    let own = timeline.metrics.keys.first { $0.lowercased() == name.lowercased() } ?? name
    if let span = timeline.span {
      for (day, figure) in timeline.days(in: span) {
        let value: Double? =
          switch name.lowercased() {
          case "mood": figure.mood.map(Double.init)
          case "energy": figure.energy.map(Double.init)
          default: figure.metrics[own]
          }
        if let value, value.isFinite { values[day.daysSinceEpoch] = value }
      }
    }
    if values.isEmpty { doubt(said("The archive has no values of “\(name)”.")) }
    figures[name] = values
    return values
  }

  private func days(_ predicate: Query.Predicate) throws -> OrdinalSet {
    guard let known = timeline.span else { return OrdinalSet(0..<0) }
    // From the first day until today, and what is planned.
    let lived = known.lowerBound...max(known.upperBound, max(today, known.lowerBound))
    guard lived.overlaps(predicate.span) else { return OrdinalSet(0..<0) }
    let span = lived.clamped(to: predicate.span)
    let bounds = span.lowerBound.daysSinceEpoch..<span.upperBound.daysSinceEpoch + 1
    return try set(predicate, OrdinalSet(bounds, isFull: true)) { condition in
      if let holds = holdsOnDay(condition) { return scan(bounds, holds) }
      var days = OrdinalSet(bounds)
      for part in timeline.parts {
        for type in [TimelineEntry.Kind.activity, .day] {
          let table = part.contents.table(type)
          var found = table.ordinals(
            where: IndexCondition(days: span), outdated: part.outdated(type))
          found.formIntersection(try entries(condition, table, span))
          found.each { days.insert(Int(table.days[$0])) }
        }
      }
      return days
    }
  }

  // MARK: Entries

  /// The ordinals of a span's entries that fulfil a condition.
  private func entries(
    _ condition: Query.Predicate, _ table: TimelineTable, _ span: ClosedRange<DayKey>
  ) throws -> OrdinalSet {
    let bounds = table.ordinals(of: span)
    func indexed(_ clauses: [[IndexCondition.Atom]]) -> OrdinalSet {
      var condition = IndexCondition(days: span)
      condition.all = clauses
      return table.ordinals(where: condition, outdated: [])
    }
    if let holds = holdsOnDay(condition) {
      var known: (day: Int32, holds: Bool)?
      return scan(bounds) { ordinal in
        let day = table.days[ordinal]
        if let known, known.day == day { return known.holds }
        let result = holds(Int(day))
        known = (day, result)
        return result
      }
    }
    switch condition {
    case .hours(let from, let to):
      return scan(bounds) { ordinal in
        Self.isBetween(Int(table.minutes[ordinal]), from, to)
      }
    case .person(let name, _): return indexed([people(called: name).map { .person($0) }])
    case .alone: return scan(bounds) { table.people.range($0).isEmpty }
    case .place(let name): return indexed(places(called: name))
    case .tag(let name): return indexed([tags(called: name).map { .tag($0) }])
    case .kind(let name): return indexed([[.kind(name.lowercased())]])
    case .source(let name):
      let rows = try records.rows(from: name)
      return scan(bounds) { rows.contains(table.rows[$0]) }
    case .amount(let unit, let amounts):
      return scan(bounds) { ordinal in
        TimelineEntry(table: table, ordinal: ordinal).amount(in: unit).map(amounts.contains)
          ?? false
      }
    case .concept(let concept):
      let grounding = try ground(concept)
      var found = grounding.clauses.isEmpty ? OrdinalSet(bounds) : indexed(grounding.clauses)
      insert(grounding.rows, into: &found, table)
      // What is written beside an activity is a note of the same row.
      let clauses = grounding.clauses
      if !clauses.isEmpty {
        insert(
          notes(span) { $0.ordinals(where: Self.condition(span, clauses), outdated: []) },
          into: &found, table)
      }
      return found
    case .text(let text):
      func quoted(_ table: TimelineTable) -> OrdinalSet {
        let clauses = WordCutter.words(of: text).map {
          [IndexCondition.Atom.word($0.key)]
        }
        guard !clauses.isEmpty else { return OrdinalSet(table.ordinals(of: span)) }
        var found = table.ordinals(where: Self.condition(span, clauses), outdated: [])
        let all = found
        all.each { ordinal in
          let own = table.text(Int(table.texts[ordinal]))
          if !Self.says(own, text) { found.remove(ordinal) }
        }
        return found
      }
      var found = quoted(table)
      insert(notes(span, quoted), into: &found, table)
      return found
    default: return OrdinalSet(bounds)
    }
  }

  /// Whether a minute of the day lies between two others; -1 is none.
  private static func isBetween(_ minute: Int, _ from: Int, _ to: Int) -> Bool {
    guard minute >= 0 else { return false }
    return from < to ? (from..<to).contains(minute) : minute >= from || minute < to
  }

  private static func condition(
    _ span: ClosedRange<DayKey>, _ clauses: [[IndexCondition.Atom]]
  ) -> IndexCondition {
    var condition = IndexCondition(days: span)
    condition.all = clauses
    return condition
  }

  private static func says(_ text: String, _ words: String) -> Bool {
    text.range(of: words, options: [.caseInsensitive, .diacriticInsensitive]) != nil
  }

  /// The rows of notes that are chosen.
  private func notes(
    _ span: ClosedRange<DayKey>, _ choose: (TimelineTable) -> OrdinalSet
  ) -> Set<Int64> {
    var rows: Set<Int64> = []
    for part in timeline.parts {
      let table = part.contents.notes
      var found = choose(table)
      for ordinal in part.outdatedNotes { found.remove(ordinal) }
      found.each { rows.insert(table.rows[$0]) }
    }
    return rows
  }

  private func insert(_ rows: Set<Int64>, into set: inout OrdinalSet, _ table: TimelineTable) {
    for row in rows {
      if let ordinal = table.ordinal(ofRow: row), set.bounds.contains(ordinal) {
        set.insert(ordinal)
      }
    }
  }

  // MARK: Names

  /// Those who are called so: by their whole name or an alias, else by their first name.
  func people(called name: String) -> [String] {
    let key = NameFolding.key(name)
    func isCalled(_ person: TimelinePerson) -> Bool {
      ([person.name] + person.aliases).contains { NameFolding.key($0) == key }
    }
    var found = timeline.people.filter(isCalled)
    if found.isEmpty {
      found = timeline.people.filter { person in
        person.name.split(separator: " ").first.map { NameFolding.key(String($0)) == key } ?? false
      }
    }
    let names = found.map(\.name)
    if names.isEmpty {
      doubt(said("The archive knows nobody called “\(name)”."))
    } else if names.count > 1 {
      doubt(
        said("“\(name)” may be \(RecapText.list(Array(names.prefix(5)))); all are counted."))
    }
    return names
  }

  private func tags(called name: String) -> [String] {
    let key = NameFolding.key(name)
    let found = timeline.tags.keys.filter { NameFolding.key($0) == key }
    if found.isEmpty { doubt(said("No entry has the tag “\(name)”.")) }
    return found
  }

  /// Every word of the name must stand in the place's.
  private func places(called name: String) -> [[IndexCondition.Atom]] {
    let keys = WordCutter.words(of: name).map(\.key).filter { $0 != "the" }
    let known = timeline.names.placeKeys
    if keys.isEmpty || !keys.allSatisfy(known.contains) {
      doubt(said("No entry has the place “\(name)”."))
    }
    return keys.isEmpty ? [[]] : keys.map { [.place($0)] }
  }

  private func ground(_ concept: Query.Concept) throws -> ConceptGrounding {
    if let known = grounded[concept] { return known }
    let found = try grounder.ground(concept, in: timeline)
    grounded[concept] = found
    groundings.append(found)
    switch found.manner {
    case .words: break
    case .meaning:
      doubt(
        said("Nothing says “\(concept.phrase)” in these words; the nearest by meaning was taken."))
    case .nothing: doubt(said("Nothing in the archive tells of “\(concept.phrase)”."))
    }
    return found
  }

  // MARK: Records

  private func records(of kind: Query.ItemKind) throws -> [QueryRecord] {
    if let known = loaded[kind] { return known }
    let all = try records.records(kind).sorted(by: QueryRecord.precedes)
    loaded[kind] = all
    return all
  }

  private func condition(
    _ condition: Query.Predicate, among all: [QueryRecord]
  ) throws -> (QueryRecord) -> Bool {
    if case .days(let days) = condition {
      return { $0.days.map(days.overlaps) ?? false }
    }
    if let holds = holdsOnDay(condition) {
      return { $0.days.map { holds($0.lowerBound.daysSinceEpoch) } ?? false }
    }
    switch condition {
    case .hours(let from, let to):
      return { Self.isBetween($0.startMinute ?? -1, from, to) }
    case .person(let name, let role):
      let names = Set(people(called: name) + [name])
      return { record in
        record.people.contains { names.contains($0.name) && (role == .any || $0.role == role) }
      }
    case .alone: return { $0.people.isEmpty }
    case .place(let name):
      return { $0.place.map { Self.says($0, name) } ?? false }
    case .tag(let name):
      let key = NameFolding.key(name)
      return { $0.tags.contains { NameFolding.key($0) == key } }
    case .kind(let name): return { $0.activityKind == name.lowercased() }
    case .amount(let unit, let amounts):
      return { $0.amount(in: unit).map(amounts.contains) ?? false }
    case .concept(let concept):
      let keys = WordGrounder.keys(of: concept.phrase)
      func says(_ record: QueryRecord) -> Bool {
        !keys.isEmpty && keys.isSubset(of: WordCutter.words(of: record.text).map(\.key))
      }
      let saying = all.filter(says)
      guard saying.isEmpty else {
        let labels = saying.prefix(5).map { String($0.title.prefix(120)) }
        groundings.append(
          ConceptGrounding(phrase: concept.phrase, manner: .words, labels: labels))
        return says
      }
      let grounding = try ground(concept)
      return { grounding.ids.contains($0.id) }
    case .text(let text): return { Self.says($0.text, text) }
    case .done(let isDone): return { $0.isDone == isDone }
    default: return { _ in false }
    }
  }
}

extension [Int] {
  /// The first place of growing numbers whose number fulfils a condition that all after it fulfil too.
  fileprivate func firstPlace(where isAfter: (Int) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if isAfter(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}

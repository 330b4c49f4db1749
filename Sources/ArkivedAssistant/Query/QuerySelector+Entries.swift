import ArkivedCore
import Foundation

/// Selection of entries by the timeline's lists and columns.
extension QuerySelector {
  /// Returns the ordinals of the entries in a span that match a condition.
  func entries(
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
      // A night that is dated to the day of waking began before that day, as answers have it; hours
      // around midnight are those of either night.
      let isOneDay = span.lowerBound == span.upperBound && from < to
      return scan(bounds) { ordinal in
        let entry = TimelineEntry(table: table, ordinal: ordinal)
        guard !entry.fillsDay, let clock = entry.startMinute else { return false }
        let minute = isOneDay ? min(clock, entry.dayMinute ?? clock) : clock
        return Self.isBetween(minute, from, to)
      }
    case .person(let name, _): return indexed([people(called: name).map { .person($0) }])
    case .alone: return scan(bounds) { table.people.range($0).isEmpty }
    case .place(let name): return indexed(places(called: name))
    case .tag(let name): return indexed([tags(called: name).map { .tag($0) }])
    case .kind(let name):
      let kinds = table.kindNames.filter { $0.lowercased() == name.lowercased() }
      return indexed([kinds.map { .kind($0) }])
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
      // Text added to an activity is a note in the same row.
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
        // A quotation without words, such as an emoji, is looked for in every text.
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

  /// Returns true if a minute of the day is within a range; -1 means no time.
  static func isBetween(_ minute: Int, _ from: Int, _ to: Int) -> Bool {
    guard minute >= 0 else { return false }
    return from < to ? (from..<to).contains(minute) : minute >= from || minute < to
  }

  static func condition(
    _ span: ClosedRange<DayKey>, _ clauses: [[IndexCondition.Atom]]
  ) -> IndexCondition {
    var condition = IndexCondition(days: span)
    condition.all = clauses
    return condition
  }

  static func says(_ text: String, _ words: String) -> Bool {
    text.range(of: words, options: [.caseInsensitive, .diacriticInsensitive]) != nil
  }

  /// Returns the rows of the selected notes.
  func notes(
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

  func insert(_ rows: Set<Int64>, into set: inout OrdinalSet, _ table: TimelineTable) {
    for row in rows {
      if let ordinal = table.ordinal(ofRow: row), set.bounds.contains(ordinal) {
        set.insert(ordinal)
      }
    }
  }
}

import Foundation

/// Reads one typed line into the parts of an activity.
package struct QuickAddReader: Sendable {
  private let times: TimeReader
  private let persons: PersonReader

  package init(
    now: Instant, zone: Zone, knownPeople: [KnownPerson] = [],
    kinds: [ActivityKind] = ActivityKind.known, dateOrder: DateOrder = .dayFirst,
    firstWeekday: Weekday = .monday
  ) {
    times = TimeReader(now: now, zone: zone, dateOrder: dateOrder, firstWeekday: firstWeekday)
    persons = PersonReader(people: knownPeople)
  }

  /// - Throws: `QuickAddError` when the line cannot become an activity.
  package func read(_ line: String) throws(QuickAddError) -> QuickAddReading {
    let text = line.trimmingCharacters(in: .whitespacesAndNewlines)
    guard !text.isEmpty else { throw .empty }
    return QuickAddReading(
      text: text, typedText: line, dayKey: times.zone.dayKey(at: times.now))
  }

  /// Whether the line begins with a time and a colon: "yesterday at 7am: ran 5 km".
  package func startsWithTime(_ line: String) -> Bool { false }
}

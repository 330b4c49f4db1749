package import ArkivedCore
package import ArkivedStore
import Foundation

/// A parser that turns a typed line into an activity, in the same way for every interface.
package struct EntryLine: Sendable {
  package let archive: Archive
  package let zone: Zone
  /// The language that lines are typed in.
  package let language: Language

  /// Creates a parser.
  ///
  /// - Parameters:
  ///   - archive: the archive.
  ///   - zone: the time zone.
  ///   - language: the language of the page or the terminal; for programs, English.
  package init(archive: Archive, zone: Zone, language: Language = .current) {
    self.archive = archive
    self.zone = zone
    self.language = language
  }

  /// Parses a line.
  ///
  /// - Parameters:
  ///   - line: the line.
  ///   - page: the day whose page the line is typed on; used if the line doesn't mention a day.
  ///   - written: the time at which a line that had to wait was typed; "yesterday" is relative to
  ///     it. A time in the future counts as now.
  /// - Returns: the interpretation.
  /// - Throws: `QuickAddError` if the line cannot become an entry.
  package func understand(
    _ line: String, onPage page: DayKey? = nil, written: Instant? = nil
  ) throws -> QuickAddReading {
    let people = try archive.people(mentionedIn: line)
    let now = archive.clock.now
    let reader = QuickAddReader(
      now: written.map { min($0, now) } ?? now, zone: zone, knownPeople: people,
      units: try archive.units(in: language), language: language)
    var reading = try reader.read(line)
    // A sleep without a named night belongs to the page's day, but on today's page to the last
    // night.
    let isToday = page == zone.dayKey(at: reader.now)
    if let page, reading.isDayGuessed ? !isToday : !reading.namesDay {
      let shift = reading.dayKey.distance(to: page)
      reading.dayKey = page
      reading.understood.removeAll { reading.isDayGuessed && $0.role == .day }
      reading.start = reading.start.map { $0.adding(seconds: shift * 86_400) }
      reading.end = reading.end.map { $0.adding(seconds: shift * 86_400) }
    }
    return reading
  }

  /// Returns the activity for a parsed line, not yet saved.
  package func activity(
    from reading: QuickAddReading, source: ActivitySource = .manual
  ) -> Activity {
    let now = archive.clock.now
    let times = reading.instants(in: zone)
    return Activity(
      id: archive.identities.next(), dayKey: reading.start?.day ?? reading.dayKey,
      startAt: times.start, endAt: times.end,
      timeZone: zone.identifier, kind: reading.kind ?? .other, text: reading.text, source: source,
      locationLabel: reading.place, measurements: reading.measurements,
      durationMinutes: reading.durationMinutes, dayPeriod: reading.period,
      typedText: reading.typedText, tags: reading.tags,
      people: reading.people.map { Mention(name: $0) }, createdAt: now, updatedAt: now)
  }
}

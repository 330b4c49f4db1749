package import ArkivedCore
package import ArkivedStore
import Foundation

/// Recaps of an archive, computed, with the entries that support each statement.
package struct ArchiveRecap: Sendable {
  private let archive: Archive
  private let zone: Zone
  private let timelines: ArchiveTimelines

  /// Creates recaps for an archive.
  ///
  /// - Parameters:
  ///   - archive: the archive.
  ///   - zone: the time zone.
  ///   - timelines: a cache of the archive shared between recaps and questions.
  package init(archive: Archive, zone: Zone, timelines: ArchiveTimelines? = nil) {
    self.archive = archive
    self.zone = zone
    self.timelines = timelines ?? ArchiveTimelines(archive)
  }

  /// A recap with resolved citations.
  package struct Cited: Sendable {
    package let recap: Recap
    /// The details of the cited entries, by their ID in the timeline.
    package let entries: [TimelineEntry.ID: Archive.CitedEntry]

    package var json: JSON { recap.json(cite) }

    /// The result of the tools `summarizeDay` and `weeklyRecap`.
    package var toolResult: JSON { recap.toolResult(cite) }

    private func cite(_ entry: TimelineEntry) -> JSON {
      let known = entries[entry.id]
      return [
        "type": .string(known?.type.rawValue ?? entry.type.rawValue),
        "id": JSON(known?.id.uuidString), "dayKey": JSON(entry.day),
        "snippet": .string(RecapText.shortened(entry.text, to: 160)),
        "externalRefs": .array(
          (known?.externalRefs ?? []).map {
            ["provider": .string($0.provider), "externalId": .string($0.externalID)]
          }),
      ]
    }
  }

  /// Returns the recap of a span.
  ///
  /// - Parameters:
  ///   - span: the span.
  ///   - now: the reference time; the archive's clock if nil.
  ///   - progress: called while entries are being read for the first time, with the number read and
  ///     the maximum total.
  /// - Returns: the recap.
  /// - Throws: `ArchiveError` or `DatabaseError` if the archive can't be read.
  package func recap(
    of span: RecapSpan, now: Instant? = nil, progress: (Int, Int) -> Void = { _, _ in }
  ) throws -> Cited {
    let timeline = try timelines.timeline(progress: progress)
    let now = now ?? archive.clock.now
    let today = zone.dayKey(at: now)
    let planned =
      span.days.contains(today) ? try archive.entries(on: today, beginningAfter: now) : []
    let recap = RecapEngine(timeline: timeline, zone: zone)
      .recap(of: span, now: now, planned: planned)
    try timeline.figures.check()
    let cited = Set(
      recap.statements.flatMap(\.citations).compactMap { citation -> TimelineEntry.ID? in
        if case .entry(let entry) = citation { entry.id } else { nil }
      })
    return Cited(recap: recap, entries: try archive.citedEntries(cited.sorted()))
  }
}

extension RecapSpan {
  /// The units that name a span.
  package static let units = ["day", "week", "month", "year"]

  /// Creates the span of a unit around a day; nil for an unknown unit.
  package init?(unit: String, around day: DayKey) {
    switch unit {
    case "day": self = .day(day)
    case "week": self = .week(day)
    case "month": self = .month(day)
    case "year": self = .year(day)
    default: return nil
    }
  }

  /// Creates the smallest span that contains some days; nil if not even a year contains them.
  package init?(holding days: ClosedRange<DayKey>) {
    let candidates: [RecapSpan] = [
      .day(days.lowerBound), .week(days.lowerBound), .month(days.lowerBound),
      .year(days.lowerBound),
    ]
    guard
      let span = candidates.first(where: {
        $0.days.contains(days.lowerBound) && $0.days.contains(days.upperBound)
      })
    else { return nil }
    self = span
  }

  /// Returns the adjacent span of the same kind; nil at the ends of the calendar.
  package func neighbour(_ step: Int) -> RecapSpan? { earlier(by: -step) }
}

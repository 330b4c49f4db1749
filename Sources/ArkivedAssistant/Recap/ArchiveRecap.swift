package import ArkivedCore
package import ArkivedStore
import Foundation

/// Recaps of an archive: computed, and each statement with the entries that prove it.
package struct ArchiveRecap: Sendable {
  private let archive: Archive
  private let zone: Zone
  private let timelines: ArchiveTimelines

  /// - Parameter timelines: what is kept of the archive between recaps and questions.
  package init(archive: Archive, zone: Zone, timelines: ArchiveTimelines? = nil) {
    self.archive = archive
    self.zone = zone
    self.timelines = timelines ?? ArchiveTimelines(archive)
  }

  /// A recap whose citations were looked up.
  package struct Cited: Sendable {
    package let recap: Recap
    /// What is known of the entries it cites, by their identity in the timeline.
    package let entries: [TimelineEntry.ID: Archive.CitedEntry]

    package var json: JSON { recap.json(cite) }

    /// What the tools `summarizeDay` and `weeklyRecap` answer.
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

  /// The recap of a span.
  ///
  /// - Parameters:
  ///   - now: the moment it is seen from; the archive's clock when nil.
  ///   - progress: told while entries have to be read first, how many were and how many there are
  ///     at most.
  package func recap(
    of span: RecapSpan, now: Instant? = nil, progress: (Int, Int) -> Void = { _, _ in }
  ) throws -> Cited {
    let timeline = try timelines.timeline(progress: progress)
    let recap = RecapEngine(timeline: timeline, zone: zone)
      .recap(of: span, now: now ?? archive.clock.now)
    try timeline.figures.check()
    let cited = Set(
      recap.statements.flatMap(\.citations).compactMap { citation -> TimelineEntry.ID? in
        if case .entry(let entry) = citation { entry.id } else { nil }
      })
    return Cited(recap: recap, entries: try archive.citedEntries(cited.sorted()))
  }
}

extension RecapSpan {
  /// The units by which a span is named.
  package static let units = ["day", "week", "month", "year"]

  /// The span of a unit around a day; nil for what is no unit.
  package init?(unit: String, around day: DayKey) {
    switch unit {
    case "day": self = .day(day)
    case "week": self = .week(day)
    case "month": self = .month(day)
    case "year": self = .year(day)
    default: return nil
    }
  }

  /// The smallest span that holds some days; nil where a year does not.
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

  /// The span of the same kind beside it; nil at the ends of the calendar.
  package func neighbour(_ step: Int) -> RecapSpan? { earlier(by: -step) }
}

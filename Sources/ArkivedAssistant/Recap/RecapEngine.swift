package import ArkivedCore
import Foundation

/// An engine that composes recaps of days, weeks, months and years from a timeline, by computation
/// alone.
///
/// A recap reads the columns of its own span and of the spans used as a baseline (91 days, 12
/// weeks, 12 months, one year) and the texts it quotes, and queries the indexes for individual
/// tags, people and places on earlier days. It never scans the whole archive.
package struct RecapEngine: Sendable {
  private let timeline: any Timeline
  private let zone: Zone

  package init(timeline: any Timeline, zone: Zone) {
    self.timeline = timeline
    self.zone = zone
  }

  /// Returns the recap of a span as of an instant.
  ///
  /// - Parameters:
  ///   - span: the span.
  ///   - now: the instant.
  ///   - planned: the entries of its day that begin later; nil to go by their local clocks, which
  ///     may be in another zone.
  /// - Returns: the recap.
  package func recap(
    of span: RecapSpan, now: Instant, planned: Set<TimelineEntry.ID>? = nil
  ) -> Recap {
    let wall = zone.wallTime(at: now)
    let work = RecapWork(
      timeline: timeline, span: span, today: wall.day, minute: wall.hour * 60 + wall.minute,
      planned: planned)
    return work.recap()
  }
}

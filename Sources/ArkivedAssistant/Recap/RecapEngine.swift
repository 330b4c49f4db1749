package import ArkivedCore
import Foundation

/// Writes recaps of days, weeks, months and years from a timeline, by computation alone.
///
/// A recap reads the columns of its own span and of the spans that say what is usual (91 days, 12
/// weeks, 12 months, one year), the texts it quotes, and asks the indexes for single tags, people
/// and places over earlier days. It never passes over the whole archive.
package struct RecapEngine: Sendable {
  private let timeline: any Timeline
  private let zone: Zone

  package init(timeline: any Timeline, zone: Zone) {
    self.timeline = timeline
    self.zone = zone
  }

  /// The recap of a span as it stands at an instant.
  package func recap(of span: RecapSpan, now: Instant) -> Recap {
    let wall = zone.wallTime(at: now)
    let work = RecapWork(
      timeline: timeline, span: span, today: wall.day, minute: wall.hour * 60 + wall.minute)
    return work.recap()
  }
}

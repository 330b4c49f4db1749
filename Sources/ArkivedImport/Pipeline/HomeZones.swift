package import ArkivedCore

/// The zone that was home at a moment, for sources that tell when and not where.
///
/// Their stays, tracks and sessions are parted at the midnights of home. What came in when another zone was
/// home keeps its days, or else a second reading would part it elsewhere and bring some of it twice.
package struct HomeZones: Sendable {
  /// Days that came in with a zone; the end is excluded.
  package struct Span: Hashable, Sendable {
    package var start: Instant
    package var end: Instant
    package var zone: Zone

    package init(start: Instant, end: Instant, zone: Zone) {
      (self.start, self.end, self.zone) = (start, end, zone)
    }
  }

  /// A row of entries that came in with one zone: when the first and the last start.
  package typealias Run = (zone: Zone, start: Instant, end: Instant)

  /// What is home now.
  package let home: Zone
  /// By time; none begins before the one before it ends.
  package let spans: [Span]

  package init(home: Zone, spans: [Span] = []) {
    (self.home, self.spans) = (home, spans)
  }

  /// - Parameter runs: by their starts. A day that a run began or ended in is its own.
  package init(home: Zone, runs: [Run]) {
    var spans: [Span] = []
    var joined: [Run] = []
    for run in runs {
      if let last = joined.last, last.zone == run.zone {
        joined[joined.count - 1].end = run.end
      } else {
        joined.append(run)
      }
    }
    for (index, run) in joined.enumerated() {
      let zone = run.zone
      var start = zone.start(of: zone.dayKey(at: run.start))
      var end = zone.start(of: zone.dayKey(at: run.end).advanced(by: 1))
      if let last = spans.last { start = max(start, last.end) }
      if index + 1 < joined.count { end = min(end, joined[index + 1].start) }
      if start < end { spans.append(Span(start: start, end: end, zone: zone)) }
    }
    let isAlwaysHome = spans.allSatisfy { $0.zone == home }
    self.init(home: home, spans: isAlwaysHome ? [] : spans)
  }

  /// Whether a zone may be that of an offset which a source told, and not that of home.
  package static func mayStandForOffset(_ identifier: String) -> Bool {
    identifier.hasPrefix("Etc/") || identifier == Zone.utc.identifier
      || PlaceTime.halves.contains(identifier)
  }

  package func zone(at instant: Instant) -> Zone { extent(at: instant).zone }

  /// The zone at a moment, and since when and until when it is that, in milliseconds since 1970.
  func extent(at instant: Instant) -> (zone: Zone, milliseconds: Range<Int64>) {
    var low = 0
    var high = spans.count
    while low < high {
      let middle = (low + high) / 2
      if spans[middle].end <= instant { low = middle + 1 } else { high = middle }
    }
    let before = low > 0 ? spans[low - 1].end.milliseconds : Int64.min
    guard low < spans.count else { return (home, before..<Int64.max) }
    let span = spans[low]
    guard span.start <= instant else { return (home, before..<span.start.milliseconds) }
    return (span.zone, span.start.milliseconds..<span.end.milliseconds)
  }

  /// When clocks at home showed that.
  func instant(of wall: WallTime) -> Instant {
    for span in spans {
      let instant = span.zone.instant(of: wall)
      if span.start <= instant, instant < span.end { return instant }
    }
    return home.instant(of: wall)
  }
}

package import ArkivedCore

/// The home zone at any moment, for sources that state times without places.
///
/// Their stays, tracks and sessions are split at midnight at home. Entries imported while another
/// zone was home keep its days; otherwise a second import would split them elsewhere and duplicate
/// some.
package struct HomeZones: Sendable {
  /// A range of days imported with one zone; the end is excluded.
  package struct Span: Hashable, Sendable {
    package var start: Instant
    package var end: Instant
    package var zone: Zone

    package init(start: Instant, end: Instant, zone: Zone) {
      (self.start, self.end, self.zone) = (start, end, zone)
    }
  }

  /// A sequence of entries imported with one zone, with the starts of the first and the last.
  package typealias Run = (zone: Zone, start: Instant, end: Instant)

  /// The current home zone.
  package let home: Zone
  /// The spans in order of time, which don't overlap.
  package let spans: [Span]

  package init(home: Zone, spans: [Span] = []) {
    (self.home, self.spans) = (home, spans)
  }

  /// Creates the zones.
  ///
  /// - Parameters:
  ///   - home: the home time zone.
  ///   - runs: the runs sorted by start. The days on which a run began or ended belong to it.
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

  /// Returns true if a zone may represent an offset from a source instead of the home zone.
  package static func mayStandForOffset(_ identifier: String) -> Bool {
    identifier.hasPrefix("Etc/") || identifier == Zone.utc.identifier
      || PlaceTime.halves.contains(identifier)
  }

  package func zone(at instant: Instant) -> Zone { extent(at: instant).zone }

  /// Returns the zone at a moment, and the range for which it applies, in milliseconds since 1970.
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

  /// Returns the instant at which home clocks showed a time.
  func instant(of wall: WallTime) -> Instant {
    for span in spans {
      let instant = span.zone.instant(of: wall)
      if span.start <= instant, instant < span.end { return instant }
    }
    return home.instant(of: wall)
  }
}

import ArkivedCore
import ArkivedStore
import Foundation
import Synchronization

/// Daily figures, read from the archive on demand.
///
/// They represent the archive at one moment, so data read for a long span is reused for all later
/// ones.
final class ArchiveFigures: DayFigures {
  private let archive: Archive
  let metrics: [String: String]
  let span: ClosedRange<DayKey>?
  /// All days, once many of them have been requested.
  private let all = Mutex<[(DayKey, TimelineDay)]?>(nil)
  /// The last error, after which answers must not be used.
  private let trouble = Mutex<(any Error)?>(nil)

  /// The number of days up to which a span is read individually.
  private static let few = 100

  init(archive: Archive, metrics: [String: String], span: ClosedRange<DayKey>?) {
    self.archive = archive
    self.metrics = metrics
    self.span = span
  }

  func days(in days: ClosedRange<DayKey>) -> [(DayKey, TimelineDay)] {
    do {
      return try all.withLock { known in
        if let known { return Self.part(of: known, days) }
        guard let span, days.overlaps(span) else { return [] }
        let first = max(days.lowerBound, span.lowerBound)
        let last = min(days.upperBound, span.upperBound)
        if first.distance(to: last) < Self.few { return try read(first...last) }
        let whole = try read(span)
        known = whole
        return Self.part(of: whole, days)
      }
    } catch {
      trouble.withLock { $0 = $0 ?? error }
      return []
    }
  }

  private func read(_ days: ClosedRange<DayKey>) throws -> [(DayKey, TimelineDay)] {
    try archive.dayFigures(in: days, units: metrics).map { day, figure in
      (
        day,
        TimelineDay(
          id: figure.id, mood: figure.mood, energy: figure.energy, metrics: figure.metrics)
      )
    }
  }

  private static func part(
    of all: [(DayKey, TimelineDay)], _ days: ClosedRange<DayKey>
  ) -> [(DayKey, TimelineDay)] {
    func first(where isBehind: (DayKey) -> Bool) -> Int {
      var low = 0
      var high = all.count
      while low < high {
        let middle = (low + high) / 2
        if isBehind(all[middle].0) { high = middle } else { low = middle + 1 }
      }
      return low
    }
    let start = first { $0 >= days.lowerBound }
    return Array(all[start..<max(start, first { $0 > days.upperBound })])
  }

  /// Reports a read error.
  ///
  /// - Throws: the error that occurred since the last call.
  func check() throws {
    let error = trouble.withLock { trouble in
      defer { trouble = nil }
      return trouble
    }
    if let error { throw error }
  }
}

import ArkivedCore
import ArkivedStore
import Foundation
import Synchronization

/// What days say themselves, read from the archive when it is asked for.
///
/// It stands for the archive at one moment, so that what was read for a long span serves for every
/// further one.
final class ArchiveFigures: DayFigures {
  private let archive: Archive
  let metrics: [String: String]
  let span: ClosedRange<DayKey>?
  /// All days, once somebody asked for many of them.
  private let all = Mutex<[(DayKey, TimelineDay)]?>(nil)
  /// What went wrong; answers are not to be given then.
  private let trouble = Mutex<(any Error)?>(nil)

  /// A span of so many days is read by itself.
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
    try archive.dayFigures(in: days).map { day, figure in
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

  /// - Throws: what went wrong since this was asked last.
  func check() throws {
    let error = trouble.withLock { trouble in
      defer { trouble = nil }
      return trouble
    }
    if let error { throw error }
  }
}

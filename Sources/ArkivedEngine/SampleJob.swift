package import ArkivedCore
import ArkivedImport
package import ArkivedStore
import Foundation

/// A job that fills an empty archive with the sample life.
package struct SampleJob: Sendable {
  package let archive: Archive

  package init(archive: Archive) { self.archive = archive }

  /// Fills the archive.
  ///
  /// - Parameters:
  ///   - from: the first day; ten years before the last if nil.
  ///   - through: the last day.
  /// - Returns: the run.
  /// - Throws: `ArchiveError.notEmpty` if the archive contains anything.
  package func run(from: DayKey? = nil, through: DayKey) throws -> ImportRun {
    let counts = try archive.counts()
    guard counts.days == 0, counts.activities == 0, counts.people == 0 else {
      throw ArchiveError.notEmpty(
        "The sample life can only be added to an empty archive. This one isn’t empty (entries: "
          + "\(counts.activities)). Choose another folder with --archive.")
    }
    let now = archive.clock.now
    let life = SampleLife(from: from ?? through.adding(months: -120), through: through)
    let run = try StagedImport(
      archive, action: "sample", summary: "Added the sample life", overridesOwner: false,
      watch: ImportWatch())
    do {
      try run.take { sink in
        try life.write(now: now) { record in
          if SampleJob.hasHappened(record, by: now) { try sink.take(record) }
        }
        try Self.comingMeetings(after: through, now: now) { try sink.take($0) }
        try SampleGoals(through: through).write(now: now) { try sink.take($0) }
      }
      return try run.publish(format: "sample", source: "sample life")
    } catch {
      run.discard()
      throw error
    }
  }

  /// Returns the calendar's meetings for the two weeks after a sample life that continues until
  /// today.
  private static func comingMeetings(
    after last: DayKey, now: Instant, into take: (ImportedRecord) throws -> Void
  ) rethrows {
    // In Berlin it may already be tomorrow.
    guard last.advanced(by: 1) >= home.dayKey(at: now) else { return }
    let coming = SampleLife(from: last.advanced(by: 1), through: last.advanced(by: 14))
    try coming.write(now: now) { record in
      if case .event = record.value { try take(record) }
    }
  }

  private static var home: Zone { Zone(SampleLife.homeZoneIdentifier) ?? .utc }

  /// Returns true if a record could have been written at a moment: nothing later than that, and
  /// summaries of a day (its note, its measurements, entries without a time) only in its evening.
  ///
  /// A day's meetings are in the calendar before they begin.
  private static func hasHappened(_ record: ImportedRecord, by now: Instant) -> Bool {
    let wall = home.wallTime(at: now)
    func isOver(_ day: DayKey) -> Bool { day < wall.day || (day == wall.day && wall.hour >= 20) }
    return switch record.value {
    case .activity(let activity): activity.startAt.map { $0 <= now } ?? isOver(activity.dayKey)
    case .day(let entry): isOver(entry.dayKey)
    case .metric(let metric): isOver(metric.dayKey)
    default: true
    }
  }
}

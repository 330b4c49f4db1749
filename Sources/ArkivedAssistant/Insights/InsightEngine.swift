package import ArkivedCore
package import ArkivedStore

/// Insights into an archive, computed from its timeline's columns and daily figures.
package struct InsightEngine: Sendable {
  package let archive: Archive
  private let zone: Zone
  let timelines: ArchiveTimelines

  /// Creates an engine.
  ///
  /// - Parameters:
  ///   - archive: the archive.
  ///   - zone: the time zone.
  ///   - timelines: a cache of the archive shared between insights and questions.
  package init(archive: Archive, zone: Zone, timelines: ArchiveTimelines? = nil) {
    self.archive = archive
    self.zone = zone
    self.timelines = timelines ?? ArchiveTimelines(archive)
  }

  package var today: DayKey { zone.dayKey(at: archive.clock.now) }

  /// Returns the report on a question.
  ///
  /// - Parameters:
  ///   - question: the question.
  ///   - progress: called while entries are being read for the first time, with the number read and
  ///     the maximum total.
  /// - Returns: the report.
  /// - Throws: `FieldError` if an argument refers to something that the archive doesn't contain.
  package func report(
    _ question: InsightQuestion, progress: (Int, Int) -> Void = { _, _ in }
  ) throws -> InsightReport {
    let timeline = try timelines.timeline(progress: progress)
    let report = try InsightWork(timeline.table, question).report()
    try timeline.figures.check()
    return report
  }
}

package import ArkivedCore
package import ArkivedStore

/// Insights of an archive: computed from its timeline's columns and from what its days say.
package struct InsightEngine: Sendable {
  package let archive: Archive
  private let zone: Zone
  private let timelines: ArchiveTimelines

  /// - Parameter timelines: what is kept of the archive between insights and questions.
  package init(archive: Archive, zone: Zone, timelines: ArchiveTimelines? = nil) {
    self.archive = archive
    self.zone = zone
    self.timelines = timelines ?? ArchiveTimelines(archive)
  }

  package var today: DayKey { zone.dayKey(at: archive.clock.now) }

  /// What the archive tells about a question.
  ///
  /// - Parameter progress: told while entries have to be read first, how many were and how many there
  ///   are at most.
  /// - Throws: `FieldError` where an argument names nothing that the archive has.
  package func report(
    _ question: InsightQuestion, progress: (Int, Int) -> Void = { _, _ in }
  ) throws -> InsightReport {
    let timeline = try timelines.timeline(progress: progress)
    let report = try InsightWork(timeline.table, question).report()
    try timeline.figures.check()
    return report
  }
}

package import ArkivedCore
package import ArkivedImport
import ArkivedStore
import Foundation

/// The result of reading a calendar without linking it.
package struct CalendarTest: Sendable {
  /// The number of meetings that would be imported.
  package var meetings: Int
  /// The first and the last day with a meeting; nil if there are no meetings.
  package var days: ClosedRange<DayKey>?
  package var warnings: [ImportRun.Warning]
}

extension SyncJob {
  /// Reads a calendar into a temporary archive, without linking it.
  ///
  /// - Throws: the same errors as `bringInLine`.
  @concurrent package func test(
    _ place: CalendarPlace, credentials: CalendarCredentials = .none
  ) async throws -> CalendarTest {
    let scratch = try ScratchFolders.make()
    defer { ScratchFolders.remove(scratch) }
    let throwaway = try Archive(
      at: .folder(scratch.appendingPathComponent("archive")), clock: archive.clock,
      opening: .making)
    let job = SyncJob(archive: throwaway, homeZone: homeZone)
    let link = try job.linkCalendar(place, credentials: credentials)
    let report = try await job.bringInLine(link)
    return CalendarTest(
      meetings: report.pulled["new"] ?? 0, days: try throwaway.writtenSpan(),
      warnings: report.warnings)
  }
}

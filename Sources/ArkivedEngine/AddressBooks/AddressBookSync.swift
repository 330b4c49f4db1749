package import ArkivedCore
package import ArkivedImport
package import ArkivedStore
import Foundation

/// A job that imports the new and changed cards of one linked address book.
///
/// As for calendars, the cards are first fetched and stored. Then the pending ones become people and
/// notes in one change that appears completely or not at all. If the program stops between or during
/// these steps, the next sync continues. Nobody is removed when a card is.
package struct AddressBookSync: Sendable {
  package let archive: Archive
  package let homeZone: Zone
  package let link: SyncLink
  package let source: any CalendarSource
  package var watch: @Sendable (CalendarSync.Progress) -> Void = { _ in }
  package var isCancelled: @Sendable () -> Bool = { false }
  /// The program that reads cards in a separate process.
  package var readers = ReaderProgram.own

  /// The number of cards marked as imported in one transaction.
  private static let batch = 1_000

  package init(archive: Archive, homeZone: Zone, link: SyncLink, source: any CalendarSource) {
    self.archive = archive
    self.homeZone = homeZone
    self.link = link
    self.source = source
  }

  /// Fetches new and changed cards and imports them.
  ///
  /// - Throws: `AddressBookError`, `ImportCancelled`, `CancellationError`, and errors from the
  ///   archive. Anything fetched by then is kept; people all change together or not at all.
  package func run() async throws -> SyncReport {
    var report = SyncReport(link)
    try archive.forgetCardsWithoutContent(ofLink: link.id)
    let sink = KeepingSink(archive: archive, link: link.id, isCancelled: isCancelled, watch: watch)
    let state = try await source.fetch(
      known: try archive.calendarVersions(of: link.id),
      state: try archive.syncState(of: link.id), into: sink)
    try sink.finish()
    if try archive.syncState(of: link.id) != state {
      try archive.setSyncState(state, of: link.id)
    }
    report.warnings = sink.warnings
    try takeOpen(&report)
    return report
  }

  /// Imports the pending cards.
  private func takeOpen(_ report: inout SyncReport) throws {
    let open = try archive.openCalendarResources(of: link.id, followingTo: .earliest)
    guard !open.isEmpty else { return }
    // On the archive's disk, so storing a photo is only a rename.
    let scratch = ScratchFolder(on: archive.scratchHome)
    defer { scratch.remove() }
    let reader = ReaderProcess(readers, in: scratch, isCancelled: isCancelled)
    defer { reader.end() }
    let reading = CardReading(sync: self, open: open, scratch: scratch, reader: reader)
    let staged = try StagedImport(
      archive, action: "addressBook", summary: "Synced with \(link.name)", overridesOwner: false,
      watch: ImportWatch(waitsSeconds: 30, isCancelled: isCancelled),
      // Syncs run repeatedly in the background.
      cacheMegabytes: 64)
    do {
      staged.takesFiles(of: scratch)
      try staged.take { sink in try reading.read(into: sink) }
      let run = try staged.publish(format: "carddav", source: link.name)
      report.count("new", run.created["person"] ?? 0)
      report.count("changed", run.updated)
      report.warnings += run.warnings.prefix(
        max(0, ImportState.warningLimit - report.warnings.count))
      if run.created.isEmpty, run.updated == 0 { try archive.forget(emptyRun: run.id) }
    } catch {
      staged.discard()
      throw error
    }
    // If this is interrupted, the same cards are read again, which changes nothing.
    let read = reading.finished
    for start in stride(from: 0, to: read.count, by: Self.batch) {
      try archive.settleCards(
        Array(read[start..<min(start + Self.batch, read.count)]), ofLink: link.id)
    }
  }
}

extension SyncReport {
  fileprivate mutating func count(_ what: String, _ count: Int) {
    if count > 0 { pulled[what, default: 0] += count }
  }
}

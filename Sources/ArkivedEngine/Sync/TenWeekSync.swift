import ArkivedCore
import ArkivedImport
import ArkivedStore
import Foundation

/// A sync of a linked Ten Week database with the archive.
///
/// Each row is compared with the row as both sides last had it. A change or deletion on one side is
/// repeated on the other; if both changed, the later version wins and the other is stored in the
/// history of both. A row that is missing there counts as deleted if Ten Week's own archive says
/// so; otherwise it is written back.
///
/// The linked database is committed first and the archive right after it. If the program stops in
/// between, both stay consistent, and the next sync finds that exported rows are the same on both
/// sides.
struct TenWeekSync {
  let archive: Archive
  let homeZone: Zone
  let link: SyncLink
  /// True if most rows of a kind may be deleted.
  let allowsDeletions: Bool
  /// The largest number of rows that are synchronised in one transaction; if there are more, they
  /// are processed in parts.
  var fewRows = 2_000
  /// The imported rows that are kept although the linked database could not be committed.
  let stayed = CameIn()

  /// The time in seconds to wait for the other program while the archive is locked, and the number
  /// of attempts.
  static let waitSeconds = 0.4
  private static let attempts = 4

  func run() throws -> SyncReport {
    let file = URL(fileURLWithPath: link.address)
    guard FileManager.default.fileExists(atPath: file.path) else {
      throw ArchiveError.notFound("The linked file \(file.path) doesn’t exist.")
    }
    for attempt in 1...Self.attempts {
      do {
        return try bringInLine(file)
      } catch ForeignDatabaseError.busy(let reason) where attempt == Self.attempts {
        throw ArchiveError.busy(
          "\(file.path): \(reason). Nothing was changed there.\(stayed.sentence)")
      } catch ForeignDatabaseError.busy {
        usleep(100_000)
      } catch ForeignDatabaseError.damaged(let reason) {
        throw ArchiveError.busy(
          "\(file.path) was left unchanged: \(reason). If this continues, restore it from a backup."
        )
      } catch ForeignDatabaseError.unreachable(let reason) {
        throw ArchiveError.cannotOpen(path: file.path, reason: "\(reason).\(stayed.sentence)")
      }
    }
    throw ArchiveError.busy("\(file.path) is in use. Nothing was changed there.")
  }

  private func bringInLine(_ file: URL) throws -> SyncReport {
    guard try isLarge(file) else { return try once(file) }
    do {
      return try inParts(file)
    } catch is NeedsOneTransaction {
      return try once(file)
    }
  }

  var variant: TenWeekVariant {
    link.options["variant"]?.string.flatMap(TenWeekVariant.init) ?? .uuid
  }

  private func once(_ file: URL) throws -> SyncReport {
    let folder = try ScratchFolders.make()
    defer { ScratchFolders.remove(folder) }
    let index = try InterchangeIndex(in: folder)
    return try archive.write(
      by: .importer, "sync", "Synced with \(file.lastPathComponent)"
    ) { scope in
      var run = TenWeekSyncRun(
        link, writer: TenWeekWriter(homeZone: homeZone), now: scope.now, index: index)
      run.work(in: scope)
      try ForeignWriter.change(file, waits: Self.waitSeconds) { writer in
        var there = try TenWeekFile(
          writer, variant: variant, homeZone: homeZone, now: scope.now,
          identities: archive.identities, index: index, side: scope)
        try run.bringInLine(&there)
        if !allowsDeletions { try run.refuseLargeDeletions() }
      }
      if run.isIdle, run.report.pulled.isEmpty { try scope.forget() }
      return run.report
    }.value
  }
}

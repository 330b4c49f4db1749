import ArkivedCore
import ArkivedImport
import ArkivedStore
import Foundation

/// Brings a linked database of the older relative and the archive in line.
///
/// Each row is compared with the row as both sides last had it. What one side changed or deleted
/// since is done on the other; what both changed is settled by time, and the version that loses goes
/// to the history of both. A row that is missing there counts as deleted where the relative's own
/// archive says so; else it is written back.
///
/// The database is committed first and the archive right after it. Who stops the program between
/// the two leaves both whole, and the next sync finds that what went out is the same on both sides.
struct TenWeekSync {
  let archive: Archive
  let homeZone: Zone
  let link: SyncLink
  /// Whether most rows of a kind may be deleted.
  let allowsDeletions: Bool
  /// So many rows are brought in line in one transaction; more in parts.
  var fewRows = 2_000
  /// What came in and stays although the database there could not be committed.
  let stayed = CameIn()

  /// How long the other program is waited for while the archive is held, and how often anew.
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

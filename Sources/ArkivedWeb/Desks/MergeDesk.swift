import ArkivedBackup
import ArkivedCore
import ArkivedEngine
import ArkivedImport
import ArkivedStore
import Foundation

/// Previews another archive while the server runs, and merges it after the owner's approval, one at
/// a time on a separate thread.
///
/// A preview leaves nothing behind. Merging reads the other archive again, to fit this archive's
/// state at that time, and because an open page must not block another restore.
final class MergeDesk: ArchiveFileDesk {
  /// An archive that is being merged, or the last one.
  struct Job: ArchiveFileJob {
    let id: UUID
    let name: String
    var stage = ArchiveFileStage.reading
    /// True while the other archive is being read and compared.
    var isReading = true
    var progress: ImportProgress?
    var isCancelled = false
    /// The relation between the two archives, and the records to be merged.
    var report: MergeReport?
    var forecast: ImportForecast?
    var likely: [MergeLikeness] = []
    /// The completed run.
    var run: UUID?
    /// The number of pairs of entries that are probably the same.
    var proposals = 0
    var problem: String?
  }

  private let archive: Archive
  private let zone: Zone
  let slot = ArchiveFileSlot<Job>()

  init(archive: Archive, zone: Zone) {
    self.archive = archive
    self.zone = zone
  }

  /// Starts a preview of another archive, replacing one that is waiting or finished.
  ///
  /// - Parameters:
  ///   - url: an archive's folder, a backup, or an export in JSON Lines.
  ///   - scratch: a folder to delete at the end.
  /// - Throws: `ArchiveError.busy` while another one is being read.
  func start(_ url: URL, scratch: URL? = nil) throws {
    let source = ArchiveFileSource(url: url, scratch: scratch)
    let job = Job(id: archive.identities.next(), name: url.lastPathComponent)
    try slot.begin(job, reading: source)
    look(source, job.id)
  }

  /// Repeats the preview with a means of unlocking the file.
  ///
  /// - Throws: `ArchiveError.notFound` if the file isn't waiting for it.
  func unlock(_ id: UUID, with unlocks: [AgeUnlock]) throws {
    let (_, source) = try slot.resume(
      id, as: .reading, from: [.locked(isForKey: true), .locked(isForKey: false)], with: unlocks
    ) { $0.isReading = true }
    look(source, id)
  }

  /// Merges the previewed archive.
  ///
  /// - Throws: `ArchiveError.notFound` if the preview no longer exists.
  func merge(_ id: UUID) throws {
    let (_, source) = try slot.resume(id, as: .working, from: [.ready]) { $0.isReading = true }
    slot.onOwnThread { [self] in
      do {
        let outcome = try prepare(source, id).apply()
        slot.end(id) { ($0.run, $0.proposals) = (outcome.run?.id, outcome.proposals) }
      } catch {
        fail(error, id, source)
      }
    }
  }

  // MARK: Work

  private func look(_ source: ArchiveFileSource, _ id: UUID) {
    slot.onOwnThread { [self] in
      do {
        let found = try looked(source, id)
        slot.wait(id, in: .ready) { job in
          (job.report, job.forecast, job.likely) = (found.report, found.forecast, found.likely)
        }
      } catch {
        fail(error, id, source)
      }
    }
  }

  /// The result of a preview.
  private struct Found {
    var report: MergeReport
    var forecast: ImportForecast?
    var likely: [MergeLikeness]
  }

  /// Previews the other archive, and releases the prepared data before the result is reported,
  /// because it blocks other restores.
  private func looked(_ source: ArchiveFileSource, _ id: UUID) throws -> Found {
    let prepared = try prepare(source, id)
    return Found(
      report: prepared.report, forecast: try prepared.forecast(),
      likely: try prepared.likelySame())
  }

  private func prepare(_ source: ArchiveFileSource, _ id: UUID) throws -> PreparedMerge {
    let watch = ImportWatch(
      isCancelled: { [self] in slot.isCancelled(id) },
      progress: { [self] progress in
        slot.change(id) { if !$0.isReading { $0.progress = progress } }
      })
    let prepared = try MergeJob(archive: archive, homeZone: zone, watch: watch)
      .prepare(source.url, unlocks: source.unlocks)
    slot.change(id) { $0.isReading = false }
    return prepared
  }

  private func fail(_ error: any Error, _ id: UUID, _ source: ArchiveFileSource) {
    let cause = (error as? ImportInterruption)?.cause ?? error
    guard !slot.lock(id, because: cause, source) else { return }
    switch cause {
    case is ImportCancelled: slot.end(id) { $0.isCancelled = true }
    case ArchiveError.busy(let what) where current?.report != nil:
      // The previewed archive stays available.
      slot.wait(id, in: .ready) { $0.problem = what }
    case let refusal as ImportRefusal:
      // The path of a file that was handed in is the server's own and means nothing to the owner.
      let text = source.scratch != nil ? refusal.message : refusal.description
      slot.end(id) { $0.problem = EntryContext.capitalised(text) + "." }
    default:
      let sentence = ArchiveFileSlot<Job>.sentence(cause)
      slot.end(id) { $0.problem = sentence }
    }
  }
}

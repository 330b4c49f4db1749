import ArkivedBackup
import ArkivedCore
import ArkivedEngine
import ArkivedStore
import Foundation

/// Tests and restores backups while the server runs, one at a time on a separate thread.
///
/// A preview leaves nothing behind. Restoring reads the backup again, because an open page must not
/// block another restore.
final class RestoreDesk: ArchiveFileDesk {
  enum Purpose: String, Sendable {
    /// Restores the backup to a temporary location and checks it.
    case test
    /// Shows the contents of the backup, and waits for the owner's choice.
    case restore
  }

  /// The owner's choice for a backup.
  enum Choice: Hashable, Sendable {
    /// Create a new archive in this folder.
    case beside(URL)
    /// Replace the current archive.
    case replace
    /// Bring one day back into the current archive, as an import that can be undone.
    case day(DayKey)
  }

  enum Outcome: Sendable {
    case tested(BackupTest)
    /// Replaced, with the copy of the previous database; nil if there was none.
    case replaced(PreparedRestore.Outcome)
    case beside(URL)
    /// A packed archive was unpacked, into this archive or into a new one in the folder.
    case moved(MoveReport, URL?)
    /// One day was brought back.
    case day(DayKey, [ImportRun])
  }

  /// A backup that is being tested or restored, or the last one.
  struct Job: ArchiveFileJob {
    let id: UUID
    let name: String
    let purpose: Purpose
    var stage = ArchiveFileStage.reading
    var progress: ImportProgress?
    var isCancelled = false
    var contents: BackupContents?
    /// True if the current archive contains anything.
    var replacesSomething = false
    var outcome: Outcome?
    var problem: String?
  }

  private let archive: Archive
  private let zone: Zone
  let slot = ArchiveFileSlot<Job>()

  init(archive: Archive, zone: Zone) {
    self.archive = archive
    self.zone = zone
  }

  /// Starts reading a backup, replacing one that is waiting or finished.
  ///
  /// - Parameters:
  ///   - url: the file of the backup.
  ///   - purpose: the reason for reading it.
  ///   - scratch: a folder to delete at the end.
  /// - Throws: `ArchiveError.busy` while another one is being read.
  func start(_ url: URL, for purpose: Purpose, scratch: URL? = nil) throws {
    let source = ArchiveFileSource(url: url, scratch: scratch)
    let job = Job(id: archive.identities.next(), name: url.lastPathComponent, purpose: purpose)
    try slot.begin(job, reading: source)
    read(source, job)
  }

  /// Repeats the reading with a means of unlocking the file.
  ///
  /// - Throws: `ArchiveError.notFound` if the file isn't waiting for it.
  func unlock(_ id: UUID, with unlocks: [AgeUnlock]) throws {
    let (job, source) = try slot.resume(
      id, as: .reading, from: [.locked(isForKey: true), .locked(isForKey: false)], with: unlocks)
    read(source, job)
  }

  /// Restores the previewed backup as chosen by the owner.
  ///
  /// - Throws: `ArchiveError.notFound` if the preview no longer exists.
  func restore(_ id: UUID, _ choice: Choice) throws {
    let (job, source) = try slot.resume(id, as: .working, from: [.ready])
    slot.onOwnThread { [self] in
      do {
        let outcome = try restore(source, job, choice)
        slot.end(id) { $0.outcome = outcome }
      } catch {
        fail(error, id, source)
      }
    }
  }

  // MARK: Work

  private func watch(_ id: UUID) -> ImportWatch {
    ImportWatch(
      isCancelled: { [self] in slot.isCancelled(id) },
      progress: { [self] progress in slot.change(id) { $0.progress = progress } })
  }

  private func read(_ source: ArchiveFileSource, _ job: Job) {
    slot.onOwnThread { [self] in
      let work = RestoreJob(archive: archive, homeZone: zone, watch: watch(job.id))
      do {
        switch job.purpose {
        case .test:
          let test = try work.test(
            source.url, unlocks: source.unlocks, isRecorded: source.scratch == nil)
          slot.end(job.id) { $0.outcome = .tested(test) }
        case .restore:
          let prepared = try work.prepare(source.url, unlocks: source.unlocks)
          let contents = try prepared.contents()
          let replaces = prepared.replacesSomething
          // It would block other restores while the page is open.
          prepared.remove()
          slot.wait(job.id, in: .ready) { job in
            (job.contents, job.replacesSomething) = (contents, replaces)
          }
        }
      } catch {
        fail(error, job.id, source)
      }
    }
  }

  private func restore(
    _ source: ArchiveFileSource, _ job: Job, _ choice: Choice
  ) throws -> Outcome {
    let isPacked = job.contents?.isPacked == true
    switch choice {
    case .beside(let folder) where isPacked:
      let move = MoveJob(archive: archive, homeZone: zone, watch: watch(job.id))
      return .moved(
        try move.unpack(source.url, unlocks: source.unlocks, beside: folder), folder)
    case .beside(let folder):
      try PreparedRestore.check(folder, for: archive)
      try prepare(source, job.id).makeArchive(at: folder)
      return .beside(folder)
    case .replace where isPacked && !job.replacesSomething:
      let move = MoveJob(archive: archive, homeZone: zone, watch: watch(job.id))
      let prepared = try move.prepare(source.url, unlocks: source.unlocks)
      try source.checkUnchanged()
      return .moved(try prepared.apply(), nil)
    case .replace:
      let prepared = try prepare(source, job.id)
      // The owner agreed to what the preview showed, and the file was read again since.
      try source.checkUnchanged()
      return .replaced(try prepared.apply())
    case .day(let day):
      let work = RestoreJob(archive: archive, homeZone: zone, watch: watch(job.id))
      return .day(day, try work.restore(.day(day), of: source.url, unlocks: source.unlocks))
    }
  }

  private func prepare(_ source: ArchiveFileSource, _ id: UUID) throws -> PreparedRestore {
    try RestoreJob(archive: archive, homeZone: zone, watch: watch(id))
      .prepare(source.url, unlocks: source.unlocks)
  }

  private func fail(_ error: any Error, _ id: UUID, _ source: ArchiveFileSource) {
    let cause = (error as? ImportInterruption)?.cause ?? error
    guard !slot.lock(id, because: cause, source) else { return }
    switch cause {
    case is ImportCancelled, is BackupCancelled: slot.end(id) { $0.isCancelled = true }
    case ArchiveError.busy(let what) where current?.contents != nil,
      ArchiveError.refused(let what) where current?.contents != nil,
      ArchiveError.notFound(let what) where current?.contents != nil:
      // The preview is kept, so the owner can try again or choose another folder.
      slot.wait(id, in: .ready) { $0.problem = what }
    default:
      let sentence = ArchiveFileSlot<Job>.sentence(cause)
      slot.end(id) { $0.problem = sentence }
    }
  }
}

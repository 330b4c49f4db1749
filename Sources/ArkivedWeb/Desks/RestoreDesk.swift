import ArkivedBackup
import ArkivedCore
import ArkivedEngine
import ArkivedImport
import ArkivedSearch
import ArkivedStore
import Foundation
import Synchronization

/// Tests and restores backups while the server runs, one at a time on a separate thread.
///
/// A preview leaves nothing behind. Restoring reads the backup again, because an open page must not
/// block another restore.
final class RestoreDesk: Sendable {
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

  enum Stage: Hashable, Sendable {
    case reading
    /// The file needs a passphrase or secret key that wasn't given yet.
    case locked(isForKey: Bool)
    /// The preview is complete and waits for the owner's choice.
    case ready
    case working
    case ended
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
  struct Job: Sendable, Identifiable {
    let id: UUID
    /// The name that the owner knows.
    let name: String
    let purpose: Purpose
    var stage = Stage.reading
    var progress: ImportProgress?
    var isCancelled = false
    var contents: BackupContents?
    /// True if the current archive contains anything.
    var replacesSomething = false
    var outcome: Outcome?
    /// The error, as a sentence.
    var problem: String?

    var isRunning: Bool { stage == .reading || stage == .working }
  }

  private struct Source: Sendable {
    var url: URL
    /// A folder to delete at the end.
    var scratch: URL?
    var unlocks: [AgeUnlock] = []
  }

  private struct State: Sendable {
    var job: Job?
    var source: Source?
  }

  private let archive: Archive
  private let zone: Zone
  private let state = Mutex(State())

  init(archive: Archive, zone: Zone) {
    self.archive = archive
    self.zone = zone
  }

  /// The current job, or the last one since the server started.
  var current: Job? { state.withLock { $0.job } }

  /// Starts reading a backup, replacing one that is waiting or finished.
  ///
  /// - Parameters:
  ///   - url: the file of the backup.
  ///   - purpose: the reason for reading it.
  ///   - scratch: a folder to delete at the end.
  /// - Throws: `ArchiveError.busy` while another one is being read.
  func start(_ url: URL, for purpose: Purpose, scratch: URL? = nil) throws {
    let source = Source(url: url, scratch: scratch)
    let job = Job(id: archive.identities.next(), name: url.lastPathComponent, purpose: purpose)
    let (other, before) = state.withLock { state -> (String?, Source?) in
      if let running = state.job, running.isRunning { return (running.name, nil) }
      defer { state = State(job: job, source: source) }
      return (nil, state.source)
    }
    if let other {
      throw ArchiveError.busy(
        "“\(other.prefix(80))” is still being read. Nothing else was started. Try again when it’s "
          + "done.")
    }
    Self.clear(before)
    read(source, job)
  }

  /// Repeats the reading with a means of unlocking the file.
  ///
  /// - Throws: `ArchiveError.notFound` if the file isn't waiting for it.
  func unlock(_ id: UUID, with unlocks: [AgeUnlock]) throws {
    let (job, source) = try takeUp(
      id, as: .reading, from: [.locked(isForKey: true), .locked(isForKey: false)], with: unlocks)
    read(source, job)
  }

  /// Restores the previewed backup as chosen by the owner.
  ///
  /// - Throws: `ArchiveError.notFound` if the preview no longer exists.
  func restore(_ id: UUID, _ choice: Choice) throws {
    let (job, source) = try takeUp(id, as: .working, from: [.ready])
    onOwnThread { [self] in
      do {
        let outcome = try restore(source, job, choice)
        end(id) { $0.outcome = outcome }
      } catch {
        fail(error, id, source)
      }
    }
  }

  /// Asks the current work to stop; nothing is changed.
  func cancel(_ id: UUID) { change(id) { $0.isCancelled = true } }

  /// Discards a waiting preview, or the outcome of finished work.
  func dismiss(_ id: UUID) {
    let source = state.withLock { state -> Source? in
      guard let job = state.job, job.id == id, !job.isRunning else { return nil }
      defer { state = State() }
      return state.source
    }
    Self.clear(source)
  }

  // MARK: Work

  private func watch(_ id: UUID) -> ImportWatch {
    ImportWatch(
      isCancelled: { [self] in
        state.withLock { $0.job?.id == id && $0.job?.isCancelled == true }
      },
      progress: { [self] progress in change(id) { $0.progress = progress } })
  }

  private func read(_ source: Source, _ job: Job) {
    onOwnThread { [self] in
      let work = RestoreJob(archive: archive, homeZone: zone, watch: watch(job.id))
      do {
        switch job.purpose {
        case .test:
          let test = try work.test(
            source.url, unlocks: source.unlocks, isRecorded: source.scratch == nil)
          end(job.id) { $0.outcome = .tested(test) }
        case .restore:
          let prepared = try work.prepare(source.url, unlocks: source.unlocks)
          let contents = try prepared.contents()
          let replaces = prepared.replacesSomething
          // It would block other restores while the page is open.
          prepared.remove()
          change(job.id) { job in
            (job.contents, job.replacesSomething, job.stage) = (contents, replaces, .ready)
          }
        }
      } catch {
        fail(error, job.id, source)
      }
    }
  }

  private func restore(_ source: Source, _ job: Job, _ choice: Choice) throws -> Outcome {
    let isPacked = job.contents?.isPacked == true
    switch choice {
    case .beside(let folder) where isPacked:
      try PreparedRestore.check(folder, for: archive)
      do {
        let new = try Archive(at: .folder(folder), clock: archive.clock, opening: .making)
        return .moved(try unpack(source, into: new, job.id), folder)
      } catch {
        // The database was missing or empty before.
        try? FileManager.default.removeItem(at: folder)
        throw error
      }
    case .beside(let folder):
      try PreparedRestore.check(folder, for: archive)
      try prepare(source, job.id).makeArchive(at: folder)
      return .beside(folder)
    case .replace where isPacked && !job.replacesSomething:
      return .moved(try unpack(source, into: archive, job.id), nil)
    case .replace:
      return .replaced(try prepare(source, job.id).apply())
    case .day(let day):
      let work = RestoreJob(archive: archive, homeZone: zone, watch: watch(job.id))
      return .day(day, try work.restore(.day(day), of: source.url, unlocks: source.unlocks))
    }
  }

  private func prepare(_ source: Source, _ id: UUID) throws -> PreparedRestore {
    try RestoreJob(archive: archive, homeZone: zone, watch: watch(id))
      .prepare(source.url, unlocks: source.unlocks)
  }

  private func unpack(_ source: Source, into target: Archive, _ id: UUID) throws -> MoveReport {
    try MoveJob(archive: target, homeZone: zone, watch: watch(id))
      .prepare(source.url, unlocks: source.unlocks).apply()
  }

  private func fail(_ error: any Error, _ id: UUID, _ source: Source) {
    let cause = (error as? ImportInterruption)?.cause ?? error
    switch cause {
    case is ImportCancelled, is BackupCancelled: end(id) { $0.isCancelled = true }
    case BackupFailure.needsPassphrase: change(id) { $0.stage = .locked(isForKey: false) }
    case BackupFailure.needsKey: change(id) { $0.stage = .locked(isForKey: true) }
    case let failure as AgeFailure where failure == .noMatch:
      let isForKey = !source.unlocks.contains { unlock in
        if case .passphrase = unlock { true } else { false }
      }
      change(id) { job in
        job.stage = .locked(isForKey: isForKey)
        job.problem = failure.description
      }
    case ArchiveError.busy(let what) where current?.contents != nil,
      ArchiveError.refused(let what) where current?.contents != nil,
      ArchiveError.notFound(let what) where current?.contents != nil:
      // The preview is kept, so the owner can try again or choose another folder.
      change(id) { job in
        job.stage = .ready
        job.problem = what
      }
    default:
      let sentence = Self.sentence(cause)
      end(id) { $0.problem = sentence }
    }
  }

  private static func sentence(_ error: any Error) -> String {
    switch error {
    case let failure as AgeFailure: failure.description
    case let failure as BackupFailure: failure.description
    case let failure as POSIXFailure: "\(failure)."
    // An error about an archive refers to the one in the backup.
    case let error as ArchiveError: error.description
    case is CocoaError: "It can’t be read. Check that it exists and that you’re allowed to read it."
    default: WebFailure(error).detail
    }
  }

  private func onOwnThread(_ work: @escaping @Sendable () -> Void) {
    let thread = Thread { work() }
    thread.qualityOfService = .utility
    thread.start()
  }

  // MARK: State

  /// Resumes a waiting job.
  private func takeUp(
    _ id: UUID, as stage: Stage, from stages: Set<Stage>, with unlocks: [AgeUnlock]? = nil
  ) throws -> (Job, Source) {
    let found = state.withLock { state -> (Job, Source)? in
      guard var job = state.job, job.id == id, stages.contains(job.stage), var source = state.source
      else { return nil }
      source.unlocks = unlocks ?? source.unlocks
      (job.stage, job.isCancelled, job.progress, job.problem) = (stage, false, nil, nil)
      state = State(job: job, source: source)
      return (job, source)
    }
    guard let found else {
      throw ArchiveError.notFound("This preview has expired. Choose the file again.")
    }
    return found
  }

  private func change(_ id: UUID, _ body: (inout Job) -> Void) {
    state.withLock { state in
      guard var job = state.job, job.id == id else { return }
      body(&job)
      state.job = job
    }
  }

  private func end(_ id: UUID, _ body: (inout Job) -> Void) {
    let source = state.withLock { state -> Source? in
      guard state.job?.id == id else { return nil }
      defer { state.source = nil }
      return state.source
    }
    Self.clear(source)
    change(id) { job in
      body(&job)
      job.stage = .ended
    }
  }

  private static func clear(_ source: Source?) {
    if let scratch = source?.scratch { ScratchFolders.remove(scratch) }
  }
}

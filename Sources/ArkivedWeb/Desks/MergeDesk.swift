import ArkivedBackup
import ArkivedCore
import ArkivedEngine
import ArkivedImport
import ArkivedStore
import Foundation
import Synchronization

/// Previews another archive while the server runs, and merges it after the owner's approval, one at
/// a time on a separate thread.
///
/// A preview leaves nothing behind. Merging reads the other archive again, to fit this archive's
/// state at that time, and because an open page must not block another restore.
final class MergeDesk: Sendable {
  enum Stage: Hashable, Sendable {
    case looking
    /// The file needs a passphrase or secret key that wasn't given yet.
    case locked(isForKey: Bool)
    /// The preview is complete and waits for the owner's approval.
    case ready
    case merging
    case ended
  }

  /// An archive that is being merged, or the last one.
  struct Job: Sendable, Identifiable {
    let id: UUID
    /// The name that the owner knows.
    let name: String
    var stage = Stage.looking
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
    /// The error, as a sentence.
    var problem: String?

    var isRunning: Bool { stage == .looking || stage == .merging }
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

  /// The current merge, or the last one since the server started.
  var current: Job? { state.withLock { $0.job } }

  /// Starts a preview of another archive, replacing one that is waiting or finished.
  ///
  /// - Parameters:
  ///   - url: an archive's folder, a backup, or an export in JSON Lines.
  ///   - scratch: a folder to delete at the end.
  /// - Throws: `ArchiveError.busy` while another one is being read.
  func start(_ url: URL, scratch: URL? = nil) throws {
    let source = Source(url: url, scratch: scratch)
    let job = Job(id: archive.identities.next(), name: url.lastPathComponent)
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
    look(source, job.id)
  }

  /// Repeats the preview with a means of unlocking the file.
  ///
  /// - Throws: `ArchiveError.notFound` if the file isn't waiting for it.
  func unlock(_ id: UUID, with unlocks: [AgeUnlock]) throws {
    let source = try takeUp(
      id, as: .looking, from: [.locked(isForKey: true), .locked(isForKey: false)], with: unlocks)
    look(source, id)
  }

  /// Merges the previewed archive.
  ///
  /// - Throws: `ArchiveError.notFound` if the preview no longer exists.
  func merge(_ id: UUID) throws {
    let source = try takeUp(id, as: .merging, from: [.ready])
    onOwnThread { [self] in
      do {
        let outcome = try prepare(source, id).apply()
        end(id) { ($0.run, $0.proposals) = (outcome.run?.id, outcome.proposals) }
      } catch {
        fail(error, id, source)
      }
    }
  }

  /// Asks the current work to stop; nothing is merged.
  func cancel(_ id: UUID) { change(id) { $0.isCancelled = true } }

  /// Discards a waiting preview, or the outcome of a finished merge.
  func dismiss(_ id: UUID) {
    let source = state.withLock { state -> Source? in
      guard let job = state.job, job.id == id, !job.isRunning else { return nil }
      defer { state = State() }
      return state.source
    }
    Self.clear(source)
  }

  // MARK: Work

  private func look(_ source: Source, _ id: UUID) {
    onOwnThread { [self] in
      do {
        let found = try looked(source, id)
        change(id) { job in
          (job.report, job.forecast, job.likely) = (found.report, found.forecast, found.likely)
          job.stage = .ready
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
  private func looked(_ source: Source, _ id: UUID) throws -> Found {
    let prepared = try prepare(source, id)
    return Found(
      report: prepared.report, forecast: try prepared.forecast(),
      likely: try prepared.likelySame())
  }

  private func prepare(_ source: Source, _ id: UUID) throws -> PreparedMerge {
    let watch = ImportWatch(
      isCancelled: { [self] in
        state.withLock { $0.job?.id == id && $0.job?.isCancelled == true }
      },
      progress: { [self] progress in
        change(id) { if !$0.isReading { $0.progress = progress } }
      })
    let prepared = try MergeJob(archive: archive, homeZone: zone, watch: watch)
      .prepare(source.url, unlocks: source.unlocks)
    change(id) { $0.isReading = false }
    return prepared
  }

  private func fail(_ error: any Error, _ id: UUID, _ source: Source) {
    let cause = (error as? ImportInterruption)?.cause ?? error
    switch cause {
    case is ImportCancelled: end(id) { $0.isCancelled = true }
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
    case ArchiveError.busy(let what) where current?.report != nil:
      // The previewed archive stays available.
      change(id) { job in
        job.stage = .ready
        job.problem = what
      }
    default:
      let sentence = Self.sentence(cause, isHandedIn: source.scratch != nil)
      end(id) { $0.problem = sentence }
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
  ) throws -> Source {
    let found = state.withLock { state -> Source? in
      guard var job = state.job, job.id == id, stages.contains(job.stage), var source = state.source
      else { return nil }
      source.unlocks = unlocks ?? source.unlocks
      (job.stage, job.isReading, job.isCancelled) = (stage, true, false)
      (job.progress, job.problem) = (nil, nil)
      state = State(job: job, source: source)
      return source
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

  /// Returns the text of an error.
  ///
  /// - Parameters:
  ///   - error: the error.
  ///   - isHandedIn: true if the file's path is the server's own and means nothing to the owner.
  /// - Returns: the text.
  private static func sentence(_ error: any Error, isHandedIn: Bool) -> String {
    switch error {
    case let failure as AgeFailure: failure.description
    case let failure as BackupFailure: failure.description
    case let refusal as ImportRefusal:
      EntryContext.capitalised(isHandedIn ? refusal.message : refusal.description) + "."
    case let failure as POSIXFailure: "\(failure)."
    // An error about an archive refers to the other one.
    case let error as ArchiveError: error.description
    case is CocoaError: "It can’t be read. Check that it exists and that you’re allowed to read it."
    default: WebFailure(error).detail
    }
  }
}

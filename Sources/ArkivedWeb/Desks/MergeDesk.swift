import ArkivedBackup
import ArkivedCore
import ArkivedEngine
import ArkivedImport
import ArkivedStore
import Foundation
import Synchronization

/// Where another archive is handed in while the server runs: it is looked at first, and merged when the
/// owner says so. One at a time, on a thread of its own.
///
/// Looking leaves nothing behind. Merging reads the other archive once more, so that what is decided
/// fits what is here by then, and so that no other restore is kept waiting by a page that is left open.
final class MergeDesk: Sendable {
  enum Stage: Hashable, Sendable {
    case looking
    /// It opens with a passphrase, or with a secret key, that was not given yet.
    case locked(isForKey: Bool)
    /// It was looked at and waits for its owner's yes.
    case ready
    case merging
    case ended
  }

  /// An archive that is being merged, or the last one that was.
  struct Job: Sendable, Identifiable {
    let id: UUID
    /// What its owner calls it.
    let name: String
    var stage = Stage.looking
    /// Whether the other archive is still being read and compared.
    var isReading = true
    var progress: ImportProgress?
    var isCancelled = false
    /// How the two stand to each other, and what would come in.
    var report: MergeReport?
    var forecast: ImportForecast?
    var likely: [MergeLikeness] = []
    /// What came in.
    var run: UUID?
    /// Pairs of entries that are likely the same.
    var proposals = 0
    /// What went wrong, in a sentence.
    var problem: String?

    var isRunning: Bool { stage == .looking || stage == .merging }
  }

  private struct Source: Sendable {
    var url: URL
    /// A folder to remove when it is over.
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

  /// What is being merged, or was last since the server was started.
  var current: Job? { state.withLock { $0.job } }

  /// Begins to look at another archive, in place of one that waits or is over.
  ///
  /// - Parameters:
  ///   - url: an archive's folder, a backup, or an export in JSON Lines.
  ///   - scratch: a folder to remove when it is over.
  /// - Throws: `ArchiveError.busy` while another one is read.
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

  /// Looks again, with what opens the file.
  ///
  /// - Throws: `ArchiveError.notFound` where no such file waits for it.
  func unlock(_ id: UUID, with unlocks: [AgeUnlock]) throws {
    let source = try takeUp(
      id, as: .looking, from: [.locked(isForKey: true), .locked(isForKey: false)], with: unlocks)
    look(source, id)
  }

  /// Merges what was looked at.
  ///
  /// - Throws: `ArchiveError.notFound` where it is not at hand any more.
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

  /// Asks what runs to stop; nothing of it comes in.
  func cancel(_ id: UUID) { change(id) { $0.isCancelled = true } }

  /// Lets go of what waits, and forgets how what is over ended.
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

  /// What a look found.
  private struct Found {
    var report: MergeReport
    var forecast: ImportForecast?
    var likely: [MergeLikeness]
  }

  /// What was prepared is let go of before anybody is told: it keeps others from restoring.
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
      // What was looked at stays at hand.
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

  // MARK: How it stands

  /// Takes up a job that waits.
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

  /// - Parameter isHandedIn: whether the place of the file is the server's own and tells nothing.
  private static func sentence(_ error: any Error, isHandedIn: Bool) -> String {
    switch error {
    case let failure as AgeFailure: failure.description
    case let failure as BackupFailure: failure.description
    case let refusal as ImportRefusal:
      EntryContext.capitalised(isHandedIn ? refusal.message : refusal.description) + "."
    case let failure as POSIXFailure: "\(failure)."
    // What is said of an archive is said of the other one.
    case let error as ArchiveError: error.description
    case is CocoaError: "It can’t be read. Check that it exists and that you’re allowed to read it."
    default: WebFailure(error).detail
    }
  }
}

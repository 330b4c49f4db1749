import ArkivedBackup
import ArkivedImport
import ArkivedStore
import Foundation
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Another archive or a backup that a job reads.
struct ArchiveFileSource: Sendable {
  var url: URL
  /// A folder to delete when it is over.
  var scratch: URL?
  var unlocks: [AgeUnlock] = []
  private let state: FileState?

  init(url: URL, scratch: URL? = nil) {
    self.url = url
    self.scratch = scratch
    state = FileState(of: url)
  }

  /// Throws if the file is another one, or was written to, since the owner chose it.
  ///
  /// Otherwise, something other than what the owner saw would be restored.
  ///
  /// - Throws: `ArchiveError.conflict`.
  func checkUnchanged() throws {
    guard let state, FileState(of: url) == state else {
      throw ArchiveError.conflict("This preview has expired. Choose the file again.")
    }
  }

  fileprivate func clear() {
    if let scratch { ScratchFolders.remove(scratch) }
  }
}

/// A file's place and times, one of which changes with its content; no program can set the last.
private struct FileState: Hashable, Sendable {
  private let numbers: [Int64]

  /// Returns nil for a file that doesn't exist.
  init?(of file: URL) {
    var status = stat()
    guard stat(file.path, &status) == 0 else { return nil }
    #if canImport(Darwin)
      let times = [status.st_mtimespec, status.st_ctimespec]
    #else
      let times = [status.st_mtim, status.st_ctim]
    #endif
    numbers =
      [
        Int64(truncatingIfNeeded: status.st_dev), Int64(truncatingIfNeeded: status.st_ino),
        Int64(status.st_size),
      ] + times.flatMap { [Int64($0.tv_sec), Int64($0.tv_nsec)] }
  }
}

/// The only job of its kind, or the last one, with the file that it reads.
final class ArchiveFileSlot<Job: ArchiveFileJob>: Sendable {
  private struct State: Sendable {
    var job: Job?
    var source: ArchiveFileSource?
  }

  private let state = Mutex(State())

  /// The current job, or the last one since the server started.
  var current: Job? { state.withLock { $0.job } }

  /// Begins a job, replacing one that is waiting or finished.
  ///
  /// - Throws: `ArchiveError.busy` while another one is being read.
  func begin(_ job: Job, reading source: ArchiveFileSource) throws {
    let (other, before) = state.withLock { state -> (String?, ArchiveFileSource?) in
      if let running = state.job, running.isRunning { return (running.name, nil) }
      defer { state = State(job: job, source: source) }
      return (nil, state.source)
    }
    if let other {
      throw ArchiveError.busy(
        "“\(other.prefix(80))” is still being read. Nothing else was started. Try again when it’s "
          + "done.")
    }
    before?.clear()
  }

  /// Resumes a waiting job.
  ///
  /// - Parameters:
  ///   - id: its ID.
  ///   - stage: its new stage.
  ///   - stages: the stages in which it may be waiting.
  ///   - unlocks: the means of unlocking the file; nil for those that it has.
  ///   - prepare: changes more of the job.
  /// - Returns: the job and the file that it reads.
  /// - Throws: `ArchiveError.notFound` if no such job is waiting.
  func resume(
    _ id: UUID, as stage: ArchiveFileStage, from stages: Set<ArchiveFileStage>,
    with unlocks: [AgeUnlock]? = nil, _ prepare: (inout Job) -> Void = { _ in }
  ) throws -> (Job, ArchiveFileSource) {
    let found = state.withLock { state -> (Job, ArchiveFileSource)? in
      guard var job = state.job, job.id == id, stages.contains(job.stage), var source = state.source
      else { return nil }
      source.unlocks = unlocks ?? source.unlocks
      (job.stage, job.isCancelled, job.progress, job.problem) = (stage, false, nil, nil)
      prepare(&job)
      state = State(job: job, source: source)
      return (job, source)
    }
    guard let found else {
      throw ArchiveError.notFound("This preview has expired. Choose the file again.")
    }
    return found
  }

  /// Asks the current work to stop; nothing is changed.
  ///
  /// A task that is waiting or has ended isn't working, so it isn't marked as cancelled.
  func cancel(_ id: UUID) { change(id) { if $0.isRunning { $0.isCancelled = true } } }

  func isCancelled(_ id: UUID) -> Bool {
    state.withLock { $0.job?.id == id && $0.job?.isCancelled == true }
  }

  /// Discards a waiting preview, or the outcome of finished work.
  func dismiss(_ id: UUID) {
    let source = state.withLock { state -> ArchiveFileSource? in
      guard let job = state.job, job.id == id, !job.isRunning else { return nil }
      defer { state = State() }
      return state.source
    }
    source?.clear()
  }

  func change(_ id: UUID, _ body: (inout Job) -> Void) {
    state.withLock { state in
      guard var job = state.job, job.id == id else { return }
      body(&job)
      state.job = job
    }
  }

  /// Ends a job, which was cancelled only if `body` says so: it may have been asked to stop too
  /// late.
  func end(_ id: UUID, _ body: (inout Job) -> Void) {
    let source = state.withLock { state -> ArchiveFileSource? in
      guard state.job?.id == id else { return nil }
      defer { state.source = nil }
      return state.source
    }
    source?.clear()
    change(id) { job in
      job.isCancelled = false
      body(&job)
      job.stage = .ended
    }
  }

  /// Makes the job wait for the owner in a stage; it may have been asked to stop too late.
  func wait(_ id: UUID, in stage: ArchiveFileStage, _ body: (inout Job) -> Void = { _ in }) {
    change(id) { job in
      (job.stage, job.isCancelled) = (stage, false)
      body(&job)
    }
  }

  /// Makes the job wait for a means of unlocking the file, if that is what an error asks for.
  ///
  /// - Returns: false for other errors.
  func lock(_ id: UUID, because error: any Error, _ source: ArchiveFileSource) -> Bool {
    switch error {
    case BackupFailure.needsPassphrase: wait(id, in: .locked(isForKey: false))
    case BackupFailure.needsKey: wait(id, in: .locked(isForKey: true))
    case let failure as AgeFailure where failure == .noMatch:
      let isForKey = !source.unlocks.contains { unlock in
        if case .passphrase = unlock { true } else { false }
      }
      wait(id, in: .locked(isForKey: isForKey)) { $0.problem = failure.description }
    default: return false
    }
    return true
  }

  /// Returns the text of an error about the file.
  static func sentence(_ error: any Error) -> String {
    switch error {
    case let failure as AgeFailure: failure.description
    case let failure as BackupFailure: failure.description
    case let failure as POSIXFailure: "\(failure)."
    // An error about an archive refers to the other one.
    case let error as ArchiveError: error.description
    case is CocoaError: "It can’t be read. Check that it exists and that you’re allowed to read it."
    default: WebFailure(error).detail
    }
  }

  func onOwnThread(_ work: @escaping @Sendable () -> Void) {
    let thread = Thread { work() }
    thread.qualityOfService = .utility
    thread.start()
  }
}

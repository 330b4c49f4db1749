import Foundation
import Synchronization

/// Makes the thumbnails that requests wait for, a few at a time.
///
/// The newest request comes first, because it is for what is in view now, and a request whose
/// client has left while it waited isn't worked on at all.
final class ThumbnailQueue: Sendable {
  private struct Job: Sendable {
    let presence: ClientPresence
    /// Does the work, or ends the request without it.
    let finish: @Sendable (_ isWanted: Bool) -> Void
  }

  private struct State: Sendable {
    var jobs: [Job] = []
    var workers = 0
  }

  /// While one picture is decoded, the file of the next one can be read.
  private static let mostWorkers = 2

  private let state = Mutex(State())

  /// The number of requests that nobody works on yet.
  var waiting: Int { state.withLock { $0.jobs.count } }

  /// True while a request waits or is worked on.
  var isBusy: Bool { state.withLock { $0.workers > 0 } }

  /// Runs work on another thread, after newer requests.
  ///
  /// - Parameters:
  ///   - presence: the client that asked for it.
  ///   - work: the work.
  /// - Returns: the result; nil if the client has left.
  /// - Throws: what `work` throws.
  func run<Value: Sendable>(
    for presence: ClientPresence, _ work: @escaping @Sendable () throws -> Value
  ) async throws -> Value? {
    try await withCheckedThrowingContinuation { continuation in
      let job = Job(presence: presence) { isWanted in
        continuation.resume(with: Result { isWanted ? try work() : nil })
      }
      let needsWorker = state.withLock { state in
        state.jobs.append(job)
        guard state.workers < Self.mostWorkers else { return false }
        state.workers += 1
        return true
      }
      guard needsWorker else { return }
      let thread = Thread { [self] in workOff() }
      thread.qualityOfService = .utility
      thread.start()
    }
  }

  private func workOff() {
    while let job = next() { job.finish(!job.presence.hasLeft) }
  }

  /// Returns the newest job; nil, and one worker less, if there is none.
  private func next() -> Job? {
    state.withLock { state in
      if let job = state.jobs.popLast() { return job }
      state.workers -= 1
      return nil
    }
  }
}

import ArkivedCore
import ArkivedEngine
import ArkivedStore
import Foundation
import HTTPTypes
import Synchronization

/// Runs the archive's check while the server runs, one at a time on a separate thread.
final class CheckDesk: Sendable {
  private struct State: Sendable {
    var isRunning = false
    var problem: String?
    var last: KeptCheck?
    var isMending = false
    var mended: DoctorJob.Outcome?
  }

  private let archive: Archive
  private let state = Mutex(State())

  init(archive: Archive) { self.archive = archive }

  var isRunning: Bool { state.withLock { $0.isRunning } }
  /// The last check by this server; a check of an in-memory archive is stored nowhere else.
  var last: KeptCheck? { state.withLock { $0.last } }
  /// The reason why the last check couldn't be made.
  var problem: String? { state.withLock { $0.problem } }

  /// True while something is being repaired.
  var isMending: Bool { state.withLock { $0.isMending } }
  /// The outcome of the last repair by this server.
  var mended: DoctorJob.Outcome? { state.withLock { $0.mended } }

  /// Starts a check, unless one is running.
  func start() {
    begin { job in
      let findings = try job.examine()
      return (findings, nil)
    }
  }

  /// Starts repairs; a copy of the database is made first.
  ///
  /// - Throws: `WebFailure` 409 if a check or a repair is running; then nothing is started.
  func mend(_ repairs: [DoctorJob.Repair]) throws {
    let isFirst = begin(isMending: true) { job in
      guard let outcome = try job.mend(repairs) else { return (try job.examine(), nil) }
      return (outcome.findings, outcome)
    }
    guard isFirst else {
      var failure = WebFailure(
        .conflict, "Already in progress",
        "The archive is being checked or repaired. Wait until it’s done.")
      failure.retryAfter = 10
      throw failure
    }
  }

  /// Starts work on a separate thread.
  ///
  /// - Returns: false if a check or a repair is running.
  @discardableResult
  func begin(
    isMending: Bool = false,
    _ body: @escaping @Sendable (DoctorJob) throws -> ([Archive.Finding], DoctorJob.Outcome?)
  ) -> Bool {
    let isFirst = state.withLock { state in
      guard !state.isRunning else { return false }
      (state.isRunning, state.isMending) = (true, isMending)
      (state.problem, state.mended) = (nil, nil)
      return true
    }
    guard isFirst else { return false }
    let thread = Thread { [self] in
      do {
        let (findings, outcome) = try body(DoctorJob(archive: archive))
        state.withLock { state in
          state.last = KeptCheck(at: archive.clock.now, findings: findings)
          state.mended = outcome
        }
        try archive.keepCheck(findings)
      } catch {
        state.withLock { $0.problem = WebFailure(error).detail }
      }
      state.withLock { ($0.isRunning, $0.isMending) = (false, false) }
    }
    thread.qualityOfService = .utility
    thread.start()
    return true
  }
}

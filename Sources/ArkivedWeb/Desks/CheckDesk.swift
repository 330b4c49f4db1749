import ArkivedCore
import ArkivedEngine
import ArkivedImport
import ArkivedStore
import Foundation
import Synchronization

/// Runs the archive's check while the server runs, one at a time on a separate thread.
final class CheckDesk: Sendable {
  private struct State: Sendable {
    var isRunning = false
    var problem: String?
    var last: KeptCheck?
  }

  private let archive: Archive
  private let state = Mutex(State())

  init(archive: Archive) { self.archive = archive }

  var isRunning: Bool { state.withLock { $0.isRunning } }
  /// The last check by this server; a check of an in-memory archive is stored nowhere else.
  var last: KeptCheck? { state.withLock { $0.last } }
  /// The reason why the last check couldn't be made.
  var problem: String? { state.withLock { $0.problem } }

  /// Starts a check, unless one is running.
  func start() {
    let isFirst = state.withLock { state in
      guard !state.isRunning else { return false }
      state.isRunning = true
      state.problem = nil
      return true
    }
    guard isFirst else { return }
    let thread = Thread { [self] in
      do {
        let findings =
          try archive.examine() + Thumbnails(archive, reader: ImageReader()).findings()
        state.withLock { $0.last = KeptCheck(at: archive.clock.now, findings: findings) }
        try archive.keepCheck(findings)
      } catch {
        state.withLock { $0.problem = WebFailure(error).detail }
      }
      state.withLock { $0.isRunning = false }
    }
    thread.qualityOfService = .utility
    thread.start()
  }
}

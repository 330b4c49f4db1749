import ArkivedBackup
import ArkivedCore
import ArkivedEngine
import ArkivedStore
import Foundation
import Synchronization

/// Where backups are made and compared while the server runs: on a thread of its own, one thing at a
/// time.
final class BackupDesk: Sendable {
  /// What is being done.
  enum Work: Sendable {
    case making, comparing
  }

  private struct State: Sendable {
    var work: Work?
    var share = 0.0
    var isStopped = false
    /// How the last thing ended, and whether well.
    var outcome: (sentence: String, isGood: Bool)?
  }

  private let archive: Archive
  private let zone: Zone
  private let state = Mutex(State())

  init(archive: Archive, zone: Zone) {
    self.archive = archive
    self.zone = zone
  }

  /// What is being done now, and how much of it is done, 0 to 1.
  var current: (work: Work, share: Double)? {
    state.withLock { state in
      guard let work = state.work else { return nil }
      return (work, state.share)
    }
  }

  /// How the last thing that was asked for ended.
  var outcome: (sentence: String, isGood: Bool)? { state.withLock { $0.outcome } }

  /// Ends a backup that is being made; nothing of it stays.
  func stop() { state.withLock { $0.isStopped = true } }

  /// Begins a backup by the plan, unless something is being done.
  func make() {
    begin(.making) { [self] in
      let account = try makeNow()
      return "A backup was created and checked: \(account.file.lastPathComponent)."
    }
  }

  /// Makes a backup on the caller's thread.
  func makeNow() throws -> BackupJob.Account {
    let watch = ImportWatch(
      isCancelled: { [self] in state.withLock { $0.isStopped } },
      progress: { [self] progress in state.withLock { $0.share = progress.fraction } })
    return try PlannedBackup(archive: archive, zone: zone, watch: watch).run()
  }

  /// Begins comparing the last backup with what was verified when it was made.
  func compare() {
    begin(.comparing) { [self] in
      guard let last = BackupBook(of: archive).last else {
        throw ArchiveError.notFound("No backup found.")
      }
      guard try last.isUnaltered() else {
        throw ArchiveError.refused(
          "\(last.path) has changed since it was made. Make a new backup, and check the disk.")
      }
      return "The last backup is unchanged."
    }
  }

  private func begin(_ work: Work, _ body: @escaping @Sendable () throws -> String) {
    let isFirst = state.withLock { state in
      guard state.work == nil else { return false }
      state.work = work
      (state.share, state.isStopped, state.outcome) = (0, false, nil)
      return true
    }
    guard isFirst else { return }
    let thread = Thread { [self] in
      let outcome: (String, Bool)
      do {
        outcome = (try body(), true)
      } catch {
        outcome = (Self.sentence(error), false)
      }
      state.withLock { state in
        state.work = nil
        state.outcome = outcome
      }
    }
    thread.qualityOfService = .utility
    thread.start()
  }

  static func sentence(_ error: any Error) -> String {
    switch error {
    case let failure as BackupFailure: failure.description
    case let cancelled as BackupCancelled: cancelled.description
    case let failure as POSIXFailure: "\(failure). Check the backup folder."
    case is CocoaError: "It can’t be read. Check the backup folder."
    default: WebFailure(error).detail
    }
  }
}

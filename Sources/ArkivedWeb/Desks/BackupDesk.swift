import ArkivedBackup
import ArkivedCore
import ArkivedEngine
import ArkivedStore
import Foundation
import Synchronization

/// Creates and compares backups while the server runs, one at a time on a separate thread.
final class BackupDesk: Sendable {
  /// The work in progress.
  enum Work: Sendable {
    case making, comparing, packing
  }

  private struct State: Sendable {
    var work: Work?
    var share = 0.0
    var isStopped = false
    /// The outcome of the last work, with true for success.
    var outcome: (sentence: String, isGood: Bool)?
    /// The last archive packed for another computer.
    var packed: MoveJob.Packed?
    /// The last new key, and the form that asked for it.
    var newKey: (form: String, identity: AgeIdentity)?
  }

  private let archive: Archive
  private let zone: Zone
  private let state = Mutex(State())

  init(archive: Archive, zone: Zone) {
    self.archive = archive
    self.zone = zone
  }

  /// The current work, with the share that is done, 0 to 1.
  var current: (work: Work, share: Double)? {
    state.withLock { state in
      guard let work = state.work else { return nil }
      return (work, state.share)
    }
  }

  /// The outcome of the last requested work.
  var outcome: (sentence: String, isGood: Bool)? { state.withLock { $0.outcome } }

  /// The last archive packed for another computer since the server started.
  var packed: MoveJob.Packed? { state.withLock { $0.packed } }

  /// Returns the new key that a form asks for.
  ///
  /// A form that is submitted twice gets the same one: the key of the page that was seen would
  /// otherwise not open the backups.
  ///
  /// - Parameter form: identifies the form; nil if it can't be submitted twice.
  /// - Returns: the key, which is kept only in memory.
  func newKey(for form: String?) -> AgeIdentity {
    state.withLock { state in
      if let form, let last = state.newKey, last.form == form { return last.identity }
      let identity = AgeIdentity()
      if let form { state.newKey = (form, identity) }
      return identity
    }
  }

  /// Stops a backup in progress and discards it.
  func stop() { state.withLock { $0.isStopped = true } }

  /// Starts a backup according to the plan.
  ///
  /// - Returns: false if other work is in progress; then nothing is started.
  @discardableResult
  func make() -> Bool {
    begin(.making) { [self] in
      let account = try makeNow()
      return "A backup was created and checked: \(account.file.lastPathComponent)."
    }
  }

  /// Creates a backup on the caller's thread.
  func makeNow() throws -> BackupJob.Account {
    try PlannedBackup(archive: archive, zone: zone, watch: watch).run()
  }

  private var watch: ImportWatch {
    ImportWatch(
      isCancelled: { [self] in state.withLock { $0.isStopped } },
      progress: { [self] progress in state.withLock { $0.share = progress.fraction } })
  }

  /// Starts one backup with a passphrase, in a folder.
  ///
  /// - Returns: false if other work is in progress; then nothing is started.
  func make(in folder: URL, passphrase: String) -> Bool {
    begin(.making) { [self] in
      let name = PlannedBackup.name(at: archive.clock.now, "zip.age")
      let file = PlannedBackup.free(name, in: folder)
      try BackupJob.claim(file, for: archive)
      let account = try BackupJob(
        archive: archive, target: .passphrase(passphrase), watch: watch
      ).replace(file)
      return "\(NewPassphrase.strength(of: passphrase)) The backup was created and checked: "
        + "\(account.file.path)."
    }
  }

  /// Starts packing the archive for another computer into a folder.
  ///
  /// - Returns: false if other work is in progress; then nothing is started.
  func pack(into folder: URL, passphrase: String, withSecrets: Bool) -> Bool {
    begin(.packing) { [self] in
      let name = PlannedBackup.name(at: archive.clock.now, "move")
      let file = PlannedBackup.free(name, in: folder)
      try BackupJob.claim(file, for: archive)
      let packed = try MoveJob(archive: archive, homeZone: zone, watch: watch).pack(
        to: file, target: .passphrase(passphrase), host: MoveJob.thisHost,
        withSecrets: withSecrets)
      state.withLock { $0.packed = packed }
      return "\(NewPassphrase.strength(of: passphrase)) The archive was packed and checked: "
        + "\(packed.backup.file.path)."
    }
  }

  /// Starts comparing the last backup with the data verified when it was created.
  ///
  /// - Returns: false if other work is in progress; then nothing is started.
  @discardableResult
  func compare() -> Bool {
    begin(.comparing) { [self] in
      guard let last = BackupBook(of: archive).last(now: archive.clock.now) else {
        throw ArchiveError.notFound("No backup found.")
      }
      guard try last.isUnaltered() else {
        BackupBook.note(
          BackupFailure.damaged("some bytes were added, removed or changed"),
          of: URL(fileURLWithPath: last.path), in: archive)
        throw ArchiveError.refused(
          "\(last.path) has changed since it was made. Make a new backup, and check the disk.")
      }
      return "The last backup is unchanged."
    }
  }

  /// Starts work on a separate thread.
  ///
  /// - Returns: false if other work is in progress.
  func begin(_ work: Work, _ body: @escaping @Sendable () throws -> String) -> Bool {
    let isFirst = state.withLock { state in
      guard state.work == nil else { return false }
      state.work = work
      (state.share, state.isStopped, state.outcome) = (0, false, nil)
      return true
    }
    guard isFirst else { return false }
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
    return true
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

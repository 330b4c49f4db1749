import ArkivedImport
import ArkivedStore
import Foundation

/// Wakes tasks when any program writes to the archive or changes a setting next to it, so an idle
/// server does nothing.
///
/// The system reports writes to the write-ahead log, which every commit makes. A commit can be read
/// only once it is on the disk. For a few seconds after a write, the waits are therefore as short
/// as they always are if the system doesn't report changes.
actor ArchiveNews {
  /// The archive's folder; nil if changes can't be reported.
  private let folder: URL?
  private var listening: Task<Void, Never>?
  private var isHeard = false
  private var rings = 0
  private var lastRing = ContinuousClock.now
  private var waiters: [Int: CheckedContinuation<Void, Never>] = [:]
  private var nextID = 0

  private let unrest: Duration

  /// Creates the notifier.
  ///
  /// - Parameters:
  ///   - archive: the archive.
  ///   - unrest: the time after a write during which it may not be readable yet.
  init(_ archive: Archive, unrest: Duration = .seconds(4)) {
    folder = Self.folder(of: archive)
    self.unrest = unrest
  }

  deinit { listening?.cancel() }

  /// Waits until something may have been written.
  ///
  /// - Parameters:
  ///   - heard: the last value returned; 0 at first.
  ///   - pause: the time to wait if the system doesn't report changes, or something was written
  ///     just now.
  ///   - longest: the time after which it returns even if nothing was written.
  /// - Returns: The number of the latest signal. It returns early if the task is cancelled.
  func wait(
    after heard: Int, pausing pause: Duration, atMost longest: Duration
  ) async -> Int {
    listen()
    if !isHeard || lastRing.duration(to: .now) < unrest {
      try? await Task.sleep(for: pause)
    } else if rings == heard {
      await sleep(atMost: longest)
    }
    return rings
  }

  /// Starts listening, once.
  private func listen() {
    guard listening == nil, let folder else { return }
    // These are the log, and the settings files of the inbox, of backups and of the model, next to
    // the archive.
    let bell = FolderBell(folder: folder) { $0.hasSuffix("-wal") || $0.hasSuffix(".json") }
    guard let news = bell.rings() else {
      listening = Task {}
      return
    }
    isHeard = true
    // Writes before this are known only to those who check.
    lastRing = .now
    listening = Task { [weak self] in
      for await _ in news { await self?.ring() }
      await self?.goDeaf()
    }
  }

  /// Wakes all waiting tasks.
  func ring() {
    rings += 1
    lastRing = .now
    for id in waiters.keys { wake(id) }
  }

  /// Stops listening because the folder no longer exists; every task has to check by itself.
  private func goDeaf() {
    isHeard = false
    for id in waiters.keys { wake(id) }
  }

  private func sleep(atMost longest: Duration) async {
    nextID += 1
    let id = nextID
    let timer = Task {
      try? await Task.sleep(for: longest)
      wake(id)
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { waiters[id] = $0 }
    } onCancel: {
      Task { await self.wake(id) }
    }
    timer.cancel()
  }

  private func wake(_ id: Int) { waiters.removeValue(forKey: id)?.resume() }

  /// Returns the folder of the log; if the database is a link, the log is next to the link's
  /// target.
  private static func folder(of archive: Archive) -> URL? {
    guard let file = archive.databaseFile else { return nil }
    let folder = file.deletingLastPathComponent().resolvingSymlinksInPath()
    let real = file.resolvingSymlinksInPath().deletingLastPathComponent()
    return folder.path == real.path ? folder : nil
  }
}

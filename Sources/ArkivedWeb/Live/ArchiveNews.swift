import ArkivedImport
import ArkivedStore
import Foundation

/// Wakes what waits for any program to write into the archive or to change a setting beside it, so
/// that a server at rest does nothing.
///
/// The system tells when the write-ahead log is written to, as every commit does. A commit can be
/// read only once the disk has it, so that for some seconds after a write waiting is as short as it
/// must be for ever where the system does not tell.
actor ArchiveNews {
  /// The archive's folder; nil where nothing can tell of it.
  private let folder: URL?
  private var listening: Task<Void, Never>?
  private var isHeard = false
  private var rings = 0
  private var lastRing = ContinuousClock.now
  private var waiters: [Int: CheckedContinuation<Void, Never>] = [:]
  private var nextID = 0

  private let unrest: Duration

  /// - Parameter unrest: how long after a write it may be that it cannot be read yet.
  init(_ archive: Archive, unrest: Duration = .seconds(4)) {
    folder = Self.folder(of: archive)
    self.unrest = unrest
  }

  deinit { listening?.cancel() }

  /// Waits until something may have been written.
  ///
  /// - Parameters:
  ///   - heard: what this gave back last; 0 at first.
  ///   - pause: how long to wait where the system does not tell, or something was written just now.
  ///   - longest: after which it comes back where nothing was written at all.
  /// - Returns: what was heard of until now. It comes back early where the task is cancelled.
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

  /// Begins to listen, once.
  private func listen() {
    guard listening == nil, let folder else { return }
    // The log, and the books of the inbox, of backups and of the model, beside the archive.
    let bell = FolderBell(folder: folder) { $0.hasSuffix("-wal") || $0.hasSuffix(".json") }
    guard let news = bell.rings() else {
      listening = Task {}
      return
    }
    isHeard = true
    // What was written before is known only to who looks.
    lastRing = .now
    listening = Task { [weak self] in
      for await _ in news { await self?.ring() }
      await self?.goDeaf()
    }
  }

  /// Wakes all that wait.
  func ring() {
    rings += 1
    lastRing = .now
    for id in waiters.keys { wake(id) }
  }

  /// The folder is gone from its place; now each has to look.
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

  /// A database that is a link has its log beside the file that it leads to.
  private static func folder(of archive: Archive) -> URL? {
    guard let file = archive.databaseFile else { return nil }
    let folder = file.deletingLastPathComponent().resolvingSymlinksInPath()
    let real = file.resolvingSymlinksInPath().deletingLastPathComponent()
    return folder.path == real.path ? folder : nil
  }
}

package import Foundation
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Private folders among the system's temporary files, or where they are wanted.
///
/// Each holds a file that its process keeps locked, so that what a process left that was killed is
/// told from what another one is using: the first folder that a process makes clears the former away.
package enum ScratchFolders {
  private static let prefix = "arkived-import-"
  private static let lockName = ".lock"
  /// A folder may be without its lock for a moment while it is made.
  private static let youth = 60
  /// One without a lock file is of an older version; nobody works as long as this.
  private static let ageWithoutLock = 86_400

  private struct State {
    /// The locks of this process, by path.
    var locks: [String: Int32] = [:]
    /// Where what others left was cleared away, by path.
    var cleared: Set<String> = []
  }

  private static let state = Mutex(State())

  /// Makes a new folder that only its owner can enter, among the system's temporary files; `remove`
  /// takes it away again.
  package static func make() throws -> URL {
    try make(in: FileManager.default.temporaryDirectory)
  }

  /// The same in a folder of one's own, which is made where it is missing.
  package static func make(in base: URL) throws -> URL {
    let isFirst = state.withLock { $0.cleared.insert(base.path).inserted }
    if isFirst { clear(in: base) }
    mkdir(base.path, 0o700)
    let folder = base.appendingPathComponent(prefix + UUID().uuidString)
    try FileManager.default.createDirectory(
      at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    let lock = open(
      folder.appendingPathComponent(lockName).path, O_CREAT | O_RDWR | O_CLOEXEC | O_NOFOLLOW, 0o600
    )
    if lock >= 0 {
      flock(lock, LOCK_EX | LOCK_NB)
      state.withLock { $0.locks[folder.path] = lock }
    }
    return folder
  }

  /// Whether a file lies in such a folder, so that it is gone when its run is over.
  package static func holds(_ file: URL) -> Bool {
    file.pathComponents.contains { $0.hasPrefix(prefix) }
  }

  /// Whether a folder is such a one itself, so that its name says nothing.
  static func isOne(_ folder: URL) -> Bool { folder.lastPathComponent.hasPrefix(prefix) }

  /// Removes a folder with everything in it.
  package static func remove(_ folder: URL) {
    try? FileManager.default.removeItem(at: folder)
    if let lock = state.withLock({ $0.locks.removeValue(forKey: folder.path) }) { close(lock) }
  }

  /// Removes the folders of processes that are gone.
  package static func clear(in base: URL, now: Date = Date()) {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: base.path)) ?? []
    for name in names where name.hasPrefix(prefix) {
      let folder = base.appendingPathComponent(name)
      var status = stat()
      guard lstat(folder.path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR,
        status.st_uid == geteuid()
      else { continue }
      let age = Int(now.timeIntervalSince1970) - FileStamp(status).modified / 1_000_000_000
      guard age >= youth else { continue }
      let lock = open(
        folder.appendingPathComponent(lockName).path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
      guard lock >= 0 else {
        if errno == ENOENT, age >= ageWithoutLock {
          try? FileManager.default.removeItem(at: folder)
        }
        continue
      }
      defer { close(lock) }
      // Who holds it still works there.
      if flock(lock, LOCK_EX | LOCK_NB) == 0 { try? FileManager.default.removeItem(at: folder) }
    }
  }
}

package import Foundation
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Private folders in the system's temporary folder or in a given one.
///
/// Each contains a file that its process keeps locked, to distinguish the remains of a killed
/// process from folders in use. The first folder that a process creates removes such remains.
package enum ScratchFolders {
  private static let prefix = "arkived-import-"
  private static let lockName = ".lock"
  /// The seconds for which a new folder may lack its lock while it is being created.
  private static let youth = 60
  /// The age in seconds after which a folder without a lock file, from an older version, counts as
  /// abandoned.
  private static let ageWithoutLock = 86_400

  private struct State {
    /// This process's locks, by path.
    var locks: [String: Int32] = [:]
    /// The paths from which other processes' remains have been removed.
    var cleared: Set<String> = []
  }

  private static let state = Mutex(State())

  /// Creates a folder in the system's temporary folder that only its owner can enter; `remove`
  /// deletes it.
  package static func make() throws -> URL {
    try make(in: FileManager.default.temporaryDirectory)
  }

  /// Creates such a folder in a given one, which is created if it is missing.
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

  /// Returns true if a file is in such a folder and will be removed when its run is over.
  package static func holds(_ file: URL) -> Bool {
    file.pathComponents.contains { $0.hasPrefix(prefix) }
  }

  /// Returns true if a folder is such a folder itself, with a meaningless name.
  static func isOne(_ folder: URL) -> Bool { folder.lastPathComponent.hasPrefix(prefix) }

  /// Deletes a folder with everything in it.
  package static func remove(_ folder: URL) {
    try? FileManager.default.removeItem(at: folder)
    if let lock = state.withLock({ $0.locks.removeValue(forKey: folder.path) }) { close(lock) }
  }

  /// Deletes the folders of processes that have ended.
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
      // The process that holds the lock is still using the folder.
      if flock(lock, LOCK_EX | LOCK_NB) == 0 { try? FileManager.default.removeItem(at: folder) }
    }
  }
}

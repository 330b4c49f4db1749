import Foundation

/// A signal from writers that wait for an archive's write lock to an import that holds it for a
/// long time.
///
/// A waiting writer touches the import's lock file, which exists while an import runs; the import
/// checks the file's time and ends its transaction. So an undisturbed import may write for seconds
/// in one transaction, but nobody waits for seconds.
struct WaitingWriters {
  private let file: String
  private var seen: timespec

  static func lockFile(in folder: URL) -> URL { folder.appendingPathComponent("import.lock") }

  /// Notifies a running import that somebody is waiting; does nothing if no import ever ran.
  static func announce(_ lockFile: String) {
    _ = utimensat(AT_FDCWD, lockFile, nil, 0)
  }

  /// Starts looking for waiting writers.
  ///
  /// - Parameter folder: the archive's folder.
  init(in folder: URL) {
    file = Self.lockFile(in: folder).path
    let descriptor = open(file, O_CREAT | O_RDONLY | O_CLOEXEC, 0o600)
    if descriptor >= 0 { close(descriptor) }
    seen = timespec()
    seen = time()
  }

  /// Returns true if somebody began or continued to wait since this was created.
  func haveCome() -> Bool {
    let now = time()
    return now.tv_sec != seen.tv_sec || now.tv_nsec != seen.tv_nsec
  }

  private func time() -> timespec {
    var status = stat()
    guard stat(file, &status) == 0 else { return seen }
    #if canImport(Darwin)
      return status.st_mtimespec
    #else
      return status.st_mtim
    #endif
  }
}

import Foundation

/// Lets whoever waits for an archive's write lock tell an import that holds it for long.
///
/// Who waits touches the import's lock file, which is there while an import runs; the import looks
/// at the file's time and ends its transaction. So an import that nobody disturbs may write for
/// seconds in one transaction, and nobody waits for seconds.
struct WaitingWriters {
  private let file: String
  private var seen: timespec

  static func lockFile(in folder: URL) -> URL { folder.appendingPathComponent("import.lock") }

  /// Tells a running import that somebody waits; does nothing where none ever ran.
  static func announce(_ lockFile: String) {
    _ = utimensat(AT_FDCWD, lockFile, nil, 0)
  }

  /// - Parameter folder: the archive's folder; who waits is looked for from now on.
  init(in folder: URL) {
    file = Self.lockFile(in: folder).path
    let descriptor = open(file, O_CREAT | O_RDONLY | O_CLOEXEC, 0o600)
    if descriptor >= 0 { close(descriptor) }
    seen = timespec()
    seen = time()
  }

  /// Whether somebody has begun to wait, or went on waiting, since this was made.
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

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Names of files, changed durably.
enum FileNames {
  /// Gives a file another's name in one step, and flushes the folder.
  static func replace(_ target: String, with path: String) throws {
    guard rename(path, target) == 0 else {
      throw VectorIndexError.system(path: target, code: errno)
    }
    let slash = target.lastIndex(of: "/")
    let folder = slash.map { String(target[...$0]) } ?? "."
    let descriptor = open(folder, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw VectorIndexError.system(path: folder, code: errno) }
    defer { close(descriptor) }
    // Not every file system can flush a folder.
    guard fsync(descriptor) == 0 || errno == EINVAL || errno == ENOTSUP else {
      throw VectorIndexError.system(path: folder, code: errno)
    }
  }

  /// Removes a file, if there is one.
  static func remove(_ path: String) throws {
    guard unlink(path) == 0 || errno == ENOENT else {
      throw VectorIndexError.system(path: path, code: errno)
    }
  }
}

/// The right to write to an index, held until it goes away or its process ends.
final class VectorLock {
  private let descriptor: Int32

  /// - Parameter seconds: how long to wait for who holds it.
  /// - Throws: `VectorIndexError.busy` when it is still held then.
  init(of path: String, waits seconds: Double) throws {
    let lock = path + ".lock"
    descriptor = open(lock, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw VectorIndexError.system(path: lock, code: errno) }
    let deadline = ContinuousClock.now + .seconds(seconds)
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      let reason = errno
      if reason == EINTR { continue }
      guard reason == EWOULDBLOCK else {
        throw VectorIndexError.system(path: lock, code: reason)
      }
      guard ContinuousClock.now < deadline else { throw VectorIndexError.busy(path: path) }
      usleep(20_000)
    }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }
}

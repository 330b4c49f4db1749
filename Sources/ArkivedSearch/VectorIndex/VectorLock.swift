#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Renames files durably.
enum FileNames {
  /// Renames a file over another atomically, and flushes the folder.
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

  /// Removes a file if it exists.
  static func remove(_ path: String) throws {
    guard unlink(path) == 0 || errno == ENOENT else {
      throw VectorIndexError.system(path: path, code: errno)
    }
  }
}

/// The exclusive right to write to an index, held until the object is released or its process ends.
final class VectorLock {
  private let descriptor: Int32

  /// Acquires the lock.
  ///
  /// - Parameters:
  ///   - path: the path.
  ///   - seconds: the time to wait for the current holder.
  /// - Throws: `VectorIndexError.busy` if it is still held after that.
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

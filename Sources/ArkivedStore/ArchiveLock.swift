package import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// An exclusive lock on a file, held while `body` runs; other processes wait. It serialises opening
/// and migrating, since the web app, the command line and others run side by side.
enum ArchiveLock {
  static func withLock<Result>(at file: URL, _ body: () throws -> Result) throws -> Result {
    let descriptor = open(file.path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw ArchiveError.cannotOpen(
        path: file.deletingLastPathComponent().path, reason: String(cString: strerror(errno)) + ".")
    }
    defer { close(descriptor) }
    while flock(descriptor, LOCK_EX) != 0 {
      guard errno == EINTR else {
        throw ArchiveError.cannotOpen(
          path: file.deletingLastPathComponent().path,
          reason: String(cString: strerror(errno)) + ".")
      }
    }
    defer { flock(descriptor, LOCK_UN) }
    return try body()
  }
}

/// An exclusive lock on a file that is held until it is released or its process ends.
final class FileLock: Sendable {
  private let descriptor: Int32

  /// - Parameter seconds: how long to wait for who holds it.
  /// - Throws: `ArchiveError.busy` when it is still held then.
  init(at file: URL, waits seconds: Double) throws {
    descriptor = open(file.path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw POSIXFailure(path: file.path) }
    let deadline = Deadline(seconds: seconds)
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      let reason = errno
      guard reason == EWOULDBLOCK || reason == EINTR else {
        close(descriptor)
        throw POSIXFailure(path: file.path, code: reason)
      }
      guard !deadline.hasPassed else {
        close(descriptor)
        throw ArchiveError.busy(
          "Another import into this archive is still running. Nothing was changed; try again when "
            + "it is done.")
      }
      usleep(20_000)
    }
  }

  /// Lets the next one have it; closing the file does that.
  func release() {}

  deinit { close(descriptor) }
}

/// Makes what was written to a file or folder survive a power loss.
package enum DurableFile {
  /// Gives a finished file its name in one step, in place of what had the name before.
  package static func replace(_ target: URL, with finished: URL) throws {
    try synchronise(finished)
    guard rename(finished.path, target.path) == 0 else { throw POSIXFailure(path: target.path) }
    try synchronise(target.deletingLastPathComponent())
  }

  /// Flushes a file or folder to the disk.
  static func synchronise(_ url: URL) throws {
    let descriptor = open(url.path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw POSIXFailure(path: url.path) }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw POSIXFailure(path: url.path) }
  }

  /// Makes a private folder and its parents, durably.
  static func makeFolder(_ url: URL) throws {
    var isFolder: ObjCBool = false
    if FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder) {
      guard isFolder.boolValue else {
        throw POSIXFailure(path: url.path, code: ENOTDIR)
      }
      return
    }
    let parent = url.deletingLastPathComponent()
    if parent.path != url.path { try makeFolder(parent) }
    guard mkdir(url.path, 0o700) == 0 || errno == EEXIST else { throw POSIXFailure(path: url.path) }
    try synchronise(parent)
  }

  /// Writes a file so that it is either there whole or not at all.
  ///
  /// The content goes to a temporary name beside the target, is flushed, takes the target's name
  /// in one step, and the folder is flushed.
  static func write(_ content: Data, to target: URL) throws {
    let folder = target.deletingLastPathComponent()
    let temporary = folder.appendingPathComponent(".incoming-\(UUID().uuidString)")
    let descriptor = open(temporary.path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw POSIXFailure(path: temporary.path) }
    do {
      defer { close(descriptor) }
      try content.withUnsafeBytes { bytes in
        var written = 0
        while written < bytes.count {
          guard let start = bytes.baseAddress else { return }
          let count = Self.writeSome(descriptor, start + written, bytes.count - written)
          guard count >= 0 || errno == EINTR else { throw POSIXFailure(path: temporary.path) }
          written += max(count, 0)
        }
      }
      guard fsync(descriptor) == 0 else { throw POSIXFailure(path: temporary.path) }
      guard rename(temporary.path, target.path) == 0 else { throw POSIXFailure(path: target.path) }
    } catch {
      unlink(temporary.path)
      throw error
    }
    try synchronise(folder)
  }

  private static func writeSome(_ descriptor: Int32, _ start: UnsafeRawPointer, _ count: Int) -> Int
  {
    #if canImport(Glibc)
      Glibc.write(descriptor, start, count)
    #else
      Darwin.write(descriptor, start, count)
    #endif
  }
}

/// A failed call of the operating system, with the file it was about.
package struct POSIXFailure: Error, Hashable, Sendable, CustomStringConvertible {
  package let path: String
  package let code: Int32

  init(path: String, code: Int32 = errno) {
    self.path = path
    self.code = code
  }

  package var description: String { "\(path): \(String(cString: strerror(code)))" }
}

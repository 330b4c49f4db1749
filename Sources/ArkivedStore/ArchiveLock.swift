import ArkivedCore
package import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// An exclusive lock on a file, held while `body` runs; other processes wait.
///
/// It serialises opening and migrating, because the web app, the command line and others run side
/// by side.
enum ArchiveLock {
  static func withLock<Result>(at file: URL, _ body: () throws -> Result) throws -> Result {
    try withLock(
      open(file.path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600), on: file,
      in: file.deletingLastPathComponent(), body)
  }

  /// Runs a body with a lock on the folder itself while an archive is created in it, because a lock
  /// file would suggest that there already is one.
  static func withFolderLock<Result>(at folder: URL, _ body: () throws -> Result) throws -> Result {
    try withLock(open(folder.path, O_RDONLY | O_CLOEXEC), on: folder, in: folder, body)
  }

  private static func withLock<Result>(
    _ descriptor: Int32, on file: URL, in folder: URL, _ body: () throws -> Result
  ) throws -> Result {
    guard descriptor >= 0 else {
      let code = errno
      guard code != ENOSPC, code != EDQUOT else {
        throw POSIXFailure(path: folder.path, code: code)
      }
      let advice =
        [EACCES, EPERM, EROFS].contains(code)
        ? """
         It can be read but not changed. Check the owner and permissions of the folder and its \
        files.
        """
        : ""
      throw ArchiveError.cannotOpen(
        path: folder.path, reason: "\(file.path): \(String(cString: strerror(code)))." + advice)
    }
    defer { close(descriptor) }
    while flock(descriptor, LOCK_EX) != 0 {
      guard errno == EINTR else {
        throw ArchiveError.cannotOpen(
          path: folder.path, reason: String(cString: strerror(errno)) + ".")
      }
    }
    defer { flock(descriptor, LOCK_UN) }
    return try body()
  }
}

/// A lock on a file that is held until it is released or its process ends.
package final class FileLock: Sendable {
  private let descriptor: Int32

  /// The message for a running import.
  package static let busySentence =
    "Another import into this archive is still running. Nothing was changed. Try again when it’s "
    + "done."

  /// Acquires the lock.
  ///
  /// - Parameters:
  ///   - file: the file.
  ///   - seconds: the time to wait for the current holder.
  ///   - isShared: true if others may hold it too, as long as none is exclusive.
  ///   - sentence: the message if it is still held then.
  /// - Throws: `ArchiveError.busy` if it is still held then.
  package init(
    at file: URL, waits seconds: Double, isShared: Bool = false,
    else sentence: String = FileLock.busySentence
  ) throws {
    descriptor = open(file.path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw POSIXFailure(path: file.path) }
    let deadline = Deadline(seconds: seconds)
    // From here on, deinit closes the file, even if this throws.
    while flock(descriptor, (isShared ? LOCK_SH : LOCK_EX) | LOCK_NB) != 0 {
      let reason = errno
      guard reason == EWOULDBLOCK || reason == EINTR else {
        throw POSIXFailure(path: file.path, code: reason)
      }
      guard !deadline.hasPassed else {
        throw ArchiveError.busy(sentence)
      }
      usleep(20_000)
    }
  }

  /// Keeps the lock alive up to this call; it is released with the last reference.
  package func release() {}

  deinit {
    // A child between fork and exec still has the file open, so closing it alone would not release
    // the lock.
    flock(descriptor, LOCK_UN)
    close(descriptor)
  }
}

/// File operations that survive a power failure.
package enum DurableFile {
  /// Flushes a file or folder to the disk.
  package static func synchronise(_ url: URL) throws {
    let descriptor = try retrying(url) { open(url.path, O_RDONLY | O_CLOEXEC) }
    defer { close(descriptor) }
    _ = try retrying(url) { flushToDisk(descriptor) }
  }

  /// Starts writing a file's data to the disk without waiting; only `synchronise` ensures that it
  /// has been written.
  static func beginWriting(_ url: URL) {
    #if os(Linux)
      guard let call = syncFileRange else { return }
      let descriptor = open(url.path, O_RDONLY | O_CLOEXEC)
      guard descriptor >= 0 else { return }
      // SYNC_FILE_RANGE_WRITE, from the first byte to the last.
      _ = call(descriptor, 0, 0, 2)
      close(descriptor)
    #endif
  }

  #if os(Linux)
    private typealias SyncFileRange =
      @convention(c) @Sendable (Int32, Int64, Int64, UInt32) -> Int32

    /// The function sync_file_range(2), which is not standard and therefore hidden from Swift's
    /// view of the C library; nil if the library lacks it.
    private static let syncFileRange: SyncFileRange? = dlsym(nil, "sync_file_range").map {
      unsafeBitCast($0, to: SyncFileRange.self)
    }
  #endif

  /// Creates a private folder and its parents, durably.
  ///
  /// The name of an existing folder is flushed too, because the process that created it may have
  /// stopped before doing so. Its parents' names were flushed before it was created.
  package static func makeFolder(_ url: URL) throws {
    let parent = url.deletingLastPathComponent()
    var isFolder: ObjCBool = false
    if FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder) {
      guard isFolder.boolValue else {
        throw POSIXFailure(path: url.path, code: ENOTDIR)
      }
    } else {
      if parent.path != url.path { try makeFolder(parent) }
      guard mkdir(url.path, 0o700) == 0 || errno == EEXIST else {
        throw POSIXFailure(path: url.path)
      }
    }
    // A parent that may be traversed but not opened was created by the system long ago.
    try toleratingUnflushable { try synchronise(parent) }
  }

  private static let unflushable: Set<Int32> = [EACCES, EPERM, EROFS, EINVAL, ENOTSUP, ENOSYS]

  /// Flushes a folder, and accepts that it can't be flushed; not every file system can do that.
  package static func toleratingUnflushable(_ flush: () throws -> Void) throws {
    do {
      try flush()
    } catch let failure as POSIXFailure where unflushable.contains(failure.code) {
      // Its files are complete all the same.
    }
  }

  /// Creates an empty file that only its owner may read; its name is not flushed.
  package static func makeEmpty(_ url: URL) throws {
    close(try retrying(url) { open(url.path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600) })
  }

  /// Writes a file completely or not at all.
  package static func write(_ content: Data, to target: URL) throws {
    try write(to: target) { append in try append(content) }
  }

  /// Copies a file completely or not at all.
  ///
  /// - Returns: false if the source can't be read; nothing was written then.
  /// - Throws: `POSIXFailure` if the target can't be written.
  package static func copy(_ source: URL, to target: URL) throws -> Bool {
    guard let handle = try? FileHandle(forReadingFrom: source) else { return false }
    defer { try? handle.close() }
    do {
      try write(to: target) { append in
        while let piece = try Self.piece(of: handle) { try append(piece) }
      }
      return true
    } catch is Unreadable {
      return false
    }
  }

  private struct Unreadable: Error {}

  private static func piece(of handle: FileHandle) throws -> Data? {
    do {
      guard let piece = try handle.read(upToCount: 1 << 20), !piece.isEmpty else { return nil }
      return piece
    } catch {
      throw Unreadable()
    }
  }

  /// Writes a file piece by piece, completely or not at all.
  ///
  /// The content is written to a temporary name next to the target and flushed, the file is renamed
  /// to the target in one step, and the folder is flushed. If `body` throws, the target is
  /// unchanged.
  ///
  /// - Parameters:
  ///   - target: where to write.
  ///   - isFlushed: false if the caller flushes file and folder later, before anything refers to
  ///     them.
  ///   - body: receives a function that appends to the file.
  /// - Returns: what `body` returns.
  /// - Throws: what `body` throws, and an error if the file can't be written.
  package static func write<Result>(
    to target: URL, isFlushed: Bool = true,
    _ body: (_ append: (Data) throws -> Void) throws -> Result
  ) throws -> Result {
    let folder = target.deletingLastPathComponent()
    let temporary = folder.appendingPathComponent("\(IncomingFile.prefix)\(UUID().uuidString)")
    let descriptor = try retrying(temporary) {
      open(temporary.path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    }
    let result: Result
    do {
      defer { close(descriptor) }
      result = try body { piece in try append(piece, to: descriptor, temporary) }
      if isFlushed { _ = try retrying(temporary) { flushToDisk(descriptor) } }
      guard rename(temporary.path, target.path) == 0 else { throw POSIXFailure(path: target.path) }
    } catch {
      unlink(temporary.path)
      throw error
    }
    if isFlushed { try toleratingUnflushable { try synchronise(folder) } }
    return result
  }

  static func append(_ piece: Data, to descriptor: Int32, _ file: URL) throws {
    try piece.withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress else { return }
      var written = 0
      while written < bytes.count {
        written += try retrying(file) {
          writeSome(descriptor, start + written, bytes.count - written)
        }
      }
    }
  }

  /// Makes a system call, and repeats it if a signal interrupted it.
  static func retrying<Number: SignedInteger>(
    _ url: URL, _ call: () -> Number
  ) throws -> Number {
    while true {
      let result = call()
      if result >= 0 { return result }
      let code = errno
      guard code == EINTR else { throw POSIXFailure(path: url.path, code: code) }
    }
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

/// A failed call of the operating system, with the file concerned.
package struct POSIXFailure: Error, Hashable, Sendable, CustomStringConvertible {
  package let path: String
  package let code: Int32

  init(path: String, code: Int32 = errno) {
    self.path = path
    self.code = code
  }

  package var description: String { "\(path): \(String(cString: strerror(code)))" }
}

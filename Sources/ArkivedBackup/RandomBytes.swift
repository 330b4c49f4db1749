package import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Bytes with random access.
package protocol RandomBytes: AnyObject {
  var count: Int { get }
  /// Reads into the buffer from an offset.
  ///
  /// - Returns: the number of bytes read; 0 at the end.
  func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws -> Int
}

extension RandomBytes {
  /// Reads a number of bytes, or as many as there are.
  func bytes(at offset: Int, _ wanted: Int) throws -> [UInt8] {
    guard offset >= 0, wanted > 0, offset < count else { return [] }
    var result = [UInt8](repeating: 0, count: min(wanted, count - offset))
    var filled = 0
    while filled < result.count {
      let got = try result.withUnsafeMutableBytes {
        try read(at: offset + filled, into: UnsafeMutableRawBufferPointer(rebasing: $0[filled...]))
      }
      guard got > 0 else { break }
      filled += got
    }
    return Array(result.prefix(filled))
  }
}

/// An unmodified file.
package final class PlainFile: RandomBytes, Sendable {
  package let count: Int
  private let path: String
  private let descriptor: Int32

  /// Opens a file.
  ///
  /// - Throws: `CocoaError` if it doesn't exist or isn't a file.
  package init(_ url: URL) throws {
    path = url.path
    // Opening a pipe would otherwise block until somebody writes to it.
    descriptor = open(url.path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      throw CocoaError(
        errno == ENOENT ? .fileReadNoSuchFile : .fileReadNoPermission,
        userInfo: [NSFilePathErrorKey: url.path])
    }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      count = 0
      throw BackupFailure.notABackup("\(url.path) isn’t a regular file")
    }
    count = Int(status.st_size)
  }

  deinit { close(descriptor) }

  package func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
    while true {
      let got = pread(descriptor, buffer.baseAddress, buffer.count, off_t(offset))
      if got >= 0 { return got }
      guard errno == EINTR else {
        throw CocoaError(.fileReadUnknown, userInfo: [NSFilePathErrorKey: path])
      }
    }
  }

  /// Drops cached pages, so the following reads come from the disk, as after a restart.
  package func forgetCache() {
    #if canImport(Glibc)
      _ = posix_fadvise(descriptor, 0, 0, POSIX_FADV_DONTNEED)
    #endif
  }
}

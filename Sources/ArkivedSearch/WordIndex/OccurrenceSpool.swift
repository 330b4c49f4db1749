import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// An unnamed file for data that doesn't fit into memory while an index is built; it disappears
/// with its object, however the process ends.
final class OccurrenceSpool {
  private static let bufferLength = 1 << 20

  private let path: String
  private let descriptor: Int32
  private var buffer: [UInt8] = []
  private(set) var length = 0

  /// Creates the file.
  ///
  /// - Throws: `WordIndexError.unwritable` if the file can't be created.
  init(besides target: URL) throws {
    path = target.deletingLastPathComponent().appendingPathComponent(".\(UUID().uuidString)").path
    descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw WordIndexError.unwritable(path: path, reason: String(cString: strerror(errno)))
    }
    unlink(path)
    buffer.reserveCapacity(Self.bufferLength * 2)
  }

  deinit { close(descriptor) }

  func append(_ bytes: UnsafeRawBufferPointer) throws {
    buffer.append(contentsOf: bytes)
    length += bytes.count
    if buffer.count >= Self.bufferLength { try flush() }
  }

  private func flush() throws {
    try buffer.withUnsafeBytes { bytes in
      var rest = bytes[...]
      while !rest.isEmpty {
        let written = write(
          descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
        if written < 0 {
          if errno == EINTR { continue }
          throw WordIndexError.unwritable(path: path, reason: String(cString: strerror(errno)))
        }
        rest = rest.dropFirst(written)
      }
    }
    buffer.removeAll(keepingCapacity: true)
  }

  /// Calls a closure with all appended bytes.
  func withBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) throws -> Result {
    try flush()
    guard length > 0 else { return try body(UnsafeRawBufferPointer(start: nil, count: 0)) }
    guard let start = mmap(nil, length, PROT_READ, MAP_SHARED, descriptor, 0), start != MAP_FAILED
    else {
      throw WordIndexError.unwritable(path: path, reason: String(cString: strerror(errno)))
    }
    defer { munmap(start, length) }
    return try body(UnsafeRawBufferPointer(start: start, count: length))
  }
}

import CLibraries
import Foundation

/// Unpacks a file that gzip compressed (RFC 1952).
enum GzipFile {
  static func isGzip(_ head: [UInt8]) -> Bool { head.starts(with: [0x1F, 0x8B, 0x08]) }

  /// Unpacks a file into another.
  ///
  /// - Parameters:
  ///   - url: the file.
  ///   - target: the file to write.
  ///   - limit: the maximum number of bytes to write.
  /// - Throws: `ZipFailure` if it is damaged or unpacks to more.
  static func unpack(_ url: URL, to target: URL, limit: Int64) throws {
    guard clb_load_archive() else { throw ZipFailure.isMissingItsReader }
    guard let archive = archive_read_new() else { throw ZipFailure.damaged("out of memory") }
    defer { archive_read_free(archive) }
    archive_read_support_filter_gzip(archive)
    archive_read_support_format_raw(archive)
    func failure() -> ZipFailure {
      .damaged(archive_error_string(archive).map { String(cString: $0) } ?? "no reason given")
    }
    let status = url.withUnsafeFileSystemRepresentation {
      archive_read_open_filename(archive, $0, 1 << 16)
    }
    var entry: OpaquePointer?
    guard status == ARCHIVE_OK, archive_read_next_header(archive, &entry) == ARCHIVE_OK else {
      throw failure()
    }
    guard FileManager.default.createFile(atPath: target.path, contents: nil) else {
      throw CocoaError(.fileWriteUnknown)
    }
    let handle = try FileHandle(forWritingTo: target)
    defer { try? handle.close() }
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    var written: Int64 = 0
    while true {
      let count = buffer.withUnsafeMutableBytes {
        archive_read_data(archive, $0.baseAddress, $0.count)
      }
      guard count >= 0 else { throw failure() }
      guard count > 0 else { return }
      written += Int64(count)
      guard written <= limit else {
        throw ZipFailure.damaged("it unpacks to more than \(limit >> 20) MiB")
      }
      try handle.write(contentsOf: buffer[..<count])
    }
  }
}

import CLibraries
import Foundation

/// A single pass over a ZIP archive, by its directory, without trusting its contents.
final class ZipWalk {
  /// A member as the archive describes it.
  struct Member {
    var name: String
    var isRegular: Bool
    var isEncrypted: Bool
  }

  private static let bufferCount = 1 << 17

  private let archive: OpaquePointer
  private let input: ZipInput

  init(_ bytes: any RandomBytes) throws {
    guard clb_load_archive() else { throw BackupFailure.isMissingItsReader }
    guard let archive = archive_read_new() else {
      throw BackupFailure.damaged("out of memory")
    }
    self.archive = archive
    input = ZipInput(bytes, bufferCount: Self.bufferCount)
    archive_read_support_format_zip_seekable(archive)
    let context = Unmanaged.passUnretained(input).toOpaque()
    archive_read_set_callback_data(archive, context)
    archive_read_set_read_callback(archive) { _, context, start in
      guard let context else { return -1 }
      return Unmanaged<ZipInput>.fromOpaque(context).takeUnretainedValue().read(start)
    }
    archive_read_set_skip_callback(archive) { _, context, count in
      guard let context else { return 0 }
      return Unmanaged<ZipInput>.fromOpaque(context).takeUnretainedValue().skip(count)
    }
    archive_read_set_seek_callback(archive) { _, context, offset, origin in
      guard let context else { return -30 }
      return Unmanaged<ZipInput>.fromOpaque(context).takeUnretainedValue().seek(offset, origin)
    }
    guard archive_read_open1(archive) == ARCHIVE_OK else { throw failure() }
  }

  deinit { archive_read_free(archive) }

  /// Returns the next member; nil at the end.
  func next() throws -> Member? {
    var entry: OpaquePointer?
    let status = archive_read_next_header(archive, &entry)
    if status == ARCHIVE_EOF { return nil }
    guard status == ARCHIVE_OK || status == ARCHIVE_WARN, let entry else { throw failure() }
    // Names that aren't plain ASCII may be unavailable here; Arkived uses none.
    let name = archive_entry_pathname(entry).map { String(cString: $0) } ?? ""
    return Member(
      name: name, isRegular: archive_entry_filetype(entry) == 0o100000,
      isEncrypted: archive_entry_is_encrypted(entry) != 0)
  }

  /// Passes on the content of the member last returned by `next`.
  func read(_ body: (UnsafeRawBufferPointer) throws -> Void) throws {
    var buffer = [UInt8](repeating: 0, count: Self.bufferCount)
    while true {
      let count = try buffer.withUnsafeMutableBytes { bytes in
        let count = archive_read_data(archive, bytes.baseAddress, bytes.count)
        guard count >= 0 else { throw failure() }
        if count > 0 { try body(UnsafeRawBufferPointer(rebasing: bytes[..<count])) }
        return count
      }
      if count == 0 { return }
    }
  }

  private func failure() -> any Error {
    if let failure = input.failure { return failure }
    let reason = archive_error_string(archive).map { String(cString: $0) }
    return BackupFailure.damaged("its ZIP archive can’t be read (\(reason ?? "no reason given"))")
  }
}

/// The input for libarchive, which stores the error that libarchive can't propagate.
private final class ZipInput {
  private let bytes: any RandomBytes
  private let buffer: UnsafeMutableRawBufferPointer
  private var position = 0
  private(set) var failure: (any Error)?

  init(_ bytes: any RandomBytes, bufferCount: Int) {
    self.bytes = bytes
    buffer = .allocate(byteCount: bufferCount, alignment: 16)
  }

  deinit { buffer.deallocate() }

  func read(_ start: UnsafeMutablePointer<UnsafeRawPointer?>?) -> Int {
    do {
      let count = try bytes.read(at: position, into: buffer)
      position += count
      start?.pointee = UnsafeRawPointer(buffer.baseAddress)
      return count
    } catch {
      failure = failure ?? error
      return -1
    }
  }

  func skip(_ count: Int64) -> Int64 {
    let step = max(0, min(Int(count), bytes.count - position))
    position += step
    return Int64(step)
  }

  func seek(_ offset: Int64, _ origin: Int32) -> Int64 {
    let base =
      switch origin {
      case SEEK_SET: 0
      case SEEK_CUR: position
      default: bytes.count
      }
    position = max(0, min(bytes.count, base + Int(offset)))
    return Int64(position)
  }
}

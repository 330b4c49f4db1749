import CLibraries
import Foundation

/// A writer of a ZIP archive, piece by piece, with libarchive.
final class ZipWriter {
  private let archive: OpaquePointer
  private let entry: OpaquePointer
  private let output: ZipOutput
  private let madeAt: Int

  /// Starts an archive.
  ///
  /// - Parameters:
  ///   - madeAt: the time of all members, in seconds since 1970.
  ///   - sink: receives the archive's bytes in order.
  /// - Throws: what `sink` throws.
  init(madeAt: Int, sink: @escaping (UnsafeRawBufferPointer) throws -> Void) throws {
    guard clb_load_archive() else { throw BackupFailure.isMissingItsReader }
    guard let archive = archive_write_new(), let entry = archive_entry_new() else {
      throw BackupFailure.cannotPack("out of memory")
    }
    self.archive = archive
    self.entry = entry
    self.madeAt = madeAt
    output = ZipOutput(sink)
    archive_write_set_format_zip(archive)
    archive_write_set_options(archive, "zip:compression-level=1")
    archive_write_set_bytes_per_block(archive, 1 << 16)
    archive_write_set_bytes_in_last_block(archive, 1)
    try check(
      archive_write_open(
        archive, Unmanaged.passUnretained(output).toOpaque(), nil,
        { _, context, bytes, count in
          guard let context else { return -1 }
          let output = Unmanaged<ZipOutput>.fromOpaque(context).takeUnretainedValue()
          return output.take(UnsafeRawBufferPointer(start: bytes, count: count))
        }, nil))
  }

  deinit {
    // Otherwise freeing it would still write the archive's end.
    archive_write_fail(archive)
    archive_entry_free(entry)
    archive_write_free(archive)
  }

  /// Begins a member.
  ///
  /// - Parameters:
  ///   - name: the name.
  ///   - size: its size in bytes, if known in advance.
  ///   - packs: true to compress it; pictures and films are already compressed.
  /// - Throws: an error if it can't be written.
  func begin(_ name: String, size: Int?, packs: Bool) throws {
    archive_entry_clear(entry)
    archive_entry_set_pathname(entry, name)
    archive_entry_set_filetype(entry, 0o100000)
    archive_entry_set_perm(entry, 0o600)
    archive_entry_set_mtime(entry, time_t(madeAt), 0)
    if let size {
      archive_entry_set_size(entry, Int64(size))
    } else {
      archive_entry_unset_size(entry)
    }
    try check(
      packs
        ? archive_write_zip_set_compression_deflate(archive)
        : archive_write_zip_set_compression_store(archive))
    try check(archive_write_header(archive, entry))
  }

  func write(_ bytes: UnsafeRawBufferPointer) throws {
    var start = 0
    while start < bytes.count {
      let rest = UnsafeRawBufferPointer(rebasing: bytes[start...])
      let count = archive_write_data(archive, rest.baseAddress, rest.count)
      guard count > 0 else { throw failure() }
      start += count
    }
  }

  func end() throws { try check(archive_write_finish_entry(archive)) }

  /// Writes the archive's directory.
  func finish() throws { try check(archive_write_close(archive)) }

  private func check(_ status: Int32) throws {
    guard status == ARCHIVE_OK || status == ARCHIVE_WARN else { throw failure() }
  }

  private func failure() -> any Error {
    if let failure = output.failure { return failure }
    let reason = archive_error_string(archive).map { String(cString: $0) }
    return BackupFailure.cannotPack(reason ?? "no reason given")
  }
}

/// The destination for the bytes that libarchive writes, which stores the error that libarchive
/// can't propagate.
private final class ZipOutput {
  private let sink: (UnsafeRawBufferPointer) throws -> Void
  private(set) var failure: (any Error)?

  init(_ sink: @escaping (UnsafeRawBufferPointer) throws -> Void) { self.sink = sink }

  func take(_ bytes: UnsafeRawBufferPointer) -> Int {
    guard failure == nil else { return -1 }
    do {
      try sink(bytes)
      return bytes.count
    } catch {
      failure = error
      return -1
    }
  }
}

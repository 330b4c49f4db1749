import CLibraries
import Foundation

/// Reads a zip archive once, from its first file to its last.
///
/// libarchive finds the files through the archive's directory or, if that is missing because the
/// archive is truncated, through the header before each file.
final class ZipReader {
  /// The archive's description of one of its files.
  struct Header {
    var name: [UInt8]
    var isLink: Bool
    /// The size; nil if the archive doesn't state it.
    var size: Int64?
    var isEncrypted: Bool
    var isRegular: Bool
  }

  private let archive: OpaquePointer
  private let names: UnicodeNames

  /// Opens an archive.
  ///
  /// - Parameters:
  ///   - url: the archive.
  ///   - readsAll: true if the contents of files are read, false for just headers and heads, for
  ///     which smaller pieces are read because the files are far apart.
  /// - Throws: `ZipFailure` if nothing in the file can be read as a zip archive.
  init(_ url: URL, readsAll: Bool = true) throws(ZipFailure) {
    guard clb_load_archive() else { throw .isMissingItsReader }
    guard let archive = archive_read_new() else { throw .damaged("out of memory") }
    self.archive = archive
    names = UnicodeNames()
    archive_read_support_format_zip(archive)
    let status = url.withUnsafeFileSystemRepresentation {
      archive_read_open_filename(archive, $0, readsAll ? 1 << 18 : 1 << 13)
    }
    guard status == ARCHIVE_OK else { throw failure() }
  }

  deinit { archive_read_free(archive) }

  /// Reads the next file, folder or link; returns nil at the end.
  func next() throws(ZipFailure) -> Header? {
    var entry: OpaquePointer?
    let status = names.apply { archive_read_next_header(archive, &entry) }
    if status == ARCHIVE_EOF { return nil }
    guard status == ARCHIVE_OK || status == ARCHIVE_WARN, let entry else { throw failure() }
    let name = names.apply { archive_entry_pathname(entry) }
    return Header(
      name: name.map { [UInt8](UnsafeRawBufferPointer(start: $0, count: strlen($0))) } ?? [],
      isLink: archive_entry_filetype(entry) == 0o120000,
      size: archive_entry_size_is_set(entry) != 0 ? archive_entry_size(entry) : nil,
      isEncrypted: archive_entry_is_encrypted(entry) != 0,
      // AE_IFREG, like AE_IFLNK above, is a cast that Swift doesn't import.
      isRegular: archive_entry_filetype(entry) == 0o100000)
  }

  /// Fills a buffer with the next content of the file at which `next` stopped.
  ///
  /// - Returns: The number of bytes; 0 at the file's end.
  func read(into buffer: UnsafeMutableRawBufferPointer) throws(ZipFailure) -> Int {
    let count = archive_read_data(archive, buffer.baseAddress, buffer.count)
    guard count >= 0 else { throw failure() }
    return count
  }

  private func failure() -> ZipFailure {
    .damaged(archive_error_string(archive).map { String(cString: $0) } ?? "no reason given")
  }
}

/// Makes libarchive return names outside ASCII.
///
/// libarchive converts names to the thread's locale, which supports only ASCII in a program that
/// sets none.
private final class UnicodeNames {
  private let locale: locale_t?

  init() {
    var locale: locale_t?
    for name in ["C.UTF-8", "en_US.UTF-8", "UTF-8"] where locale == nil {
      locale = newlocale(LC_CTYPE_MASK, name, nil)
    }
    self.locale = locale
  }

  deinit { if let locale { freelocale(locale) } }

  func apply<Result>(_ body: () -> Result) -> Result {
    guard let locale else { return body() }
    let before = uselocale(locale)
    defer { _ = uselocale(before) }
    return body()
  }
}

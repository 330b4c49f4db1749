import CLibraries
import Foundation

/// Walks through a zip archive once, from its first file to its last.
///
/// libarchive finds the files by the archive's directory and, where that is missing because the
/// archive was cut off, by what stands before each file.
final class ZipReader {
  /// What the archive says about one of its files.
  struct Header {
    var name: [UInt8]
    var isLink: Bool
    /// nil where the archive does not say.
    var size: Int64?
    var isEncrypted: Bool
    var isRegular: Bool
  }

  private let archive: OpaquePointer
  private let names: UnicodeNames

  /// - Parameter readsAll: whether the contents of files are read, and not their headers and heads
  ///   alone: from a photo to the next one is a jump, of which a smaller piece is read then.
  /// - Throws: `ZipFailure` when nothing of the file can be read as a zip archive.
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

  /// The next file, folder or link; nil at the end.
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
      // AE_IFREG, as AE_IFLNK above, is a cast that Swift does not take over.
      isRegular: archive_entry_filetype(entry) == 0o100000)
  }

  /// Fills a buffer with the content that follows in the file where `next` stands.
  /// - Returns: the number of bytes; 0 at the file's end.
  func read(into buffer: UnsafeMutableRawBufferPointer) throws(ZipFailure) -> Int {
    let count = archive_read_data(archive, buffer.baseAddress, buffer.count)
    guard count >= 0 else { throw failure() }
    return count
  }

  private func failure() -> ZipFailure {
    .damaged(archive_error_string(archive).map { String(cString: $0) } ?? "no reason given")
  }
}

/// Lets libarchive hand over names outside ASCII: it converts them to the thread's locale, and a
/// program that sets none has one that knows ASCII alone.
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

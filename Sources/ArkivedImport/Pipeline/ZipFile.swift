package import Foundation

/// The reason why a zip archive, or a file in it, can't be read.
package enum ZipFailure: Error, Hashable, Sendable, CustomStringConvertible {
  case encrypted
  /// Its unpacked size exceeds this many bytes.
  case tooLarge(Int64)
  /// Unpacking would exhaust the disk's space, or fill it with meaningless data.
  case noRoom
  /// libarchive isn't installed.
  case isMissingItsReader
  /// The reason given by libarchive.
  case damaged(String)

  package var description: String {
    switch self {
    case .encrypted: "it’s encrypted. Unpack it with its password first"
    case .tooLarge(let limit): "it’s larger than \(ZipFailure.size(limit)) when unpacked"
    case .noRoom: "not enough space to unpack it, or it’s unreasonably large when unpacked"
    case .isMissingItsReader:
      "zip archives can’t be read here: libarchive isn’t installed (install libarchive13)"
    case .damaged(let reason): "it’s damaged or cut off (\(reason))"
    }
  }

  /// Returns a size such as "2 GiB", "300 MiB" or "12 KiB".
  package static func size(_ bytes: Int64) -> String {
    let units = [("GiB", 30), ("MiB", 20), ("KiB", 10)]
    for (name, shift) in units where bytes >= Int64(1) << shift {
      return "\(bytes >> shift) \(name)"
    }
    return "\(bytes) bytes"
  }
}

/// An untrusted zip archive, for importers: its list of files, the beginnings of some, and
/// unpacking of those that are needed.
///
/// Files are unpacked to locations that the importer chooses, never to those given in the archive;
/// the output is counted, regardless of the size the archive declares; links and devices don't
/// count as files.
package struct ZipFile: Sendable {
  package struct Entry: Hashable, Sendable {
    /// Its index in the archive.
    package let index: Int
    /// Its path in the archive, with `/` between folders, without `..` and not absolute.
    package let name: String
    /// The unpacked size in bytes, as the archive declares it.
    package let size: Int64?
    package let isEncrypted: Bool

    /// The folder that contains it, with a trailing `/`; empty at the top level.
    package var folder: String { String(name[..<fileNameStart]) }
    /// The last part of its path.
    package var fileName: String { String(name[fileNameStart...]) }

    private var fileNameStart: String.Index {
      name.lastIndex(of: "/").map(name.index(after:)) ?? name.startIndex
    }

    /// True for a file that a system stores next to the actual files, such as
    /// `__MACOSX/._Journal.json`.
    package var isHidden: Bool {
      name.split(separator: "/").contains { $0.hasPrefix(".") || $0 == "__MACOSX" }
    }
  }

  package let url: URL
  /// The files in the archive's order.
  ///
  /// A name may occur twice.
  package let entries: [Entry]
  /// Names that aren't paths below the archive: absolute, with `..`, or in an unknown encoding.
  package let strangeNames: [String]
  /// Links, which don't count as files.
  package let links: [String]
  /// The reason why the list of files ends here, if the archive is truncated.
  package let damage: ZipFailure?

  /// The maximum number of files read from an archive.
  static let entryLimit = 500_000

  /// Returns true if a file's head is that of a zip archive, even an empty or a split one.
  package static func isZip(_ head: [UInt8]) -> Bool {
    [[0x50, 0x4B, 3, 4], [0x50, 0x4B, 5, 6], [0x50, 0x4B, 0x30, 0x30, 0x50, 0x4B, 3, 4]]
      .contains { head.starts(with: $0) }
  }

  /// Reads the list of files.
  ///
  /// - Throws: `ZipFailure` if it isn't a zip archive or nothing in its list can be read.
  package init(_ url: URL) throws(ZipFailure) {
    let reader = try ZipReader(url, readsAll: false)
    var entries: [Entry] = []
    var strangeNames: [String] = []
    var links: [String] = []
    var damage: ZipFailure?
    var index = 0
    while index < Self.entryLimit {
      let header: ZipReader.Header
      do throws(ZipFailure) {
        guard let next = try reader.next() else { break }
        header = next
      } catch {
        damage = error
        break
      }
      defer { index += 1 }
      guard header.isRegular else {
        if header.isLink { links.append(String(Self.decoded(header.name).prefix(80))) }
        continue
      }
      let name = Self.decoded(header.name)
      guard let path = Self.path(name) else {
        strangeNames.append(String(name.prefix(80)))
        continue
      }
      entries.append(
        Entry(index: index, name: path, size: header.size, isEncrypted: header.isEncrypted))
    }
    if index == Self.entryLimit {
      damage = .damaged("it contains more than \(Self.entryLimit) files")
    }
    if entries.isEmpty, let damage { throw damage }
    self.url = url
    self.entries = entries
    self.strangeNames = strangeNames
    self.links = links
    self.damage = damage
  }

  /// Decodes a name as UTF-8, which current programs write even if they don't mark it, or else as
  /// code page 437 of the first PCs, the format's default.
  private static func decoded(_ name: [UInt8]) -> String {
    if let text = String(validating: name, as: UTF8.self) { return text }
    return String(String.UnicodeScalarView(name.map { CodePage437.scalar($0) }))
  }

  /// Returns a name as a path below the archive, or nil if it points outside the archive.
  static func path(_ name: String) -> String? {
    // Some Windows programs write backslashes.
    let parts = name.replacing("\\", with: "/").split(
      separator: "/", omittingEmptySubsequences: false)
    guard !name.isEmpty, name.utf8.count <= 4096, !name.utf8.contains(0),
      parts.allSatisfy({ !["", "..", "."].contains($0) }),
      // This excludes a drive: C:\Journal.json.
      parts.first.map({ !($0.count == 2 && $0.hasSuffix(":")) }) ?? false
    else { return nil }
    return parts.joined(separator: "/")
  }

  /// The names shared by several files, with their number, in the archive's order.
  package var repeatedNames: [(name: String, count: Int)] {
    var counts: [String: Int] = [:]
    for entry in entries where !entry.isHidden { counts[entry.name, default: 0] += 1 }
    guard counts.count < entries.count else { return [] }
    var seen: Set<String> = []
    return entries.compactMap { entry in
      guard let count = counts[entry.name], count > 1, seen.insert(entry.name).inserted else {
        return nil
      }
      return (entry.name, count)
    }
  }

  /// Returns the first bytes of some files by index; unreadable files are missing.
  package func heads(of chosen: some Collection<Entry>, count: Int = 4096) -> [Int: [UInt8]] {
    var wanted = Set(chosen.lazy.filter { !$0.isEncrypted }.map(\.index))
    var heads: [Int: [UInt8]] = [:]
    guard !wanted.isEmpty, let reader = try? ZipReader(url, readsAll: false) else {
      return [:]
    }
    var index = 0
    while !wanted.isEmpty, let header = try? reader.next() {
      defer { index += 1 }
      guard wanted.remove(index) != nil, header.isRegular else { continue }
      var head = [UInt8](repeating: 0, count: count)
      var filled = 0
      let isReadable = head.withUnsafeMutableBytes { buffer in
        while filled < count {
          guard let read = try? reader.read(into: .init(rebasing: buffer[filled...])) else {
            return filled > 0
          }
          if read == 0 { break }
          filled += read
        }
        return true
      }
      if isReadable { heads[index] = Array(head.prefix(filled)) }
    }
    return heads
  }
}

/// The upper half of code page 437 (IBM PC), as in the Unicode Consortium's table CP437.TXT.
private enum CodePage437 {
  static func scalar(_ byte: UInt8) -> Unicode.Scalar {
    byte < 0x80 ? Unicode.Scalar(byte) : upper[Int(byte) - 0x80]
  }

  private static let upper = Array(
    """
    ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀\
    αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u{A0}
    """.unicodeScalars)
}

import ArkivedCore
import ArkivedStore
import Foundation

/// A writer of a zip archive, piece by piece (PKWARE APPNOTE 6.3.3, without its 64-bit fields).
///
/// Files are stored uncompressed because large ones, such as photos and audio, are already
/// compressed.
struct StoredZip {
  private var directory = Data()
  private var offset = 0
  private var count = 0
  private let append: (Data) throws -> Void

  /// The limit of the format's 32-bit fields, with a margin for its list of files.
  private static let sizeLimit = Int(UInt32.max) - (1 << 26)
  private static let countLimit = 65_000

  init(append: @escaping (Data) throws -> Void) { self.append = append }

  /// Adds a file.
  ///
  /// - Parameters:
  ///   - name: its path in the archive, with `/` between folders.
  ///   - content: the content.
  ///   - day: its date; the format can't represent dates before 1980.
  /// - Throws: `ArchiveError.refused` if the format's limits are exceeded.
  mutating func add(_ name: String, _ content: Data, of day: DayKey) throws {
    guard count < Self.countLimit, offset + content.count < Self.sizeLimit else {
      throw ArchiveError.refused(
        "These days contain more than fits in a zip file (4 GB or 65,000 files). Choose fewer days, or "
          + "export to a folder: arkived export --format markdown -o FOLDER")
    }
    var fields = Data()
    // Names are UTF-8; nothing is compressed.
    for field in [20, 0x0800, 0, 0, Self.date(day)] { fields.append(little: field, 2) }
    fields.append(little: Int(CRC32.of(content)), 4)
    for _ in 0..<2 { fields.append(little: content.count, 4) }
    for field in [name.utf8.count, 0] { fields.append(little: field, 2) }

    // Marked as made on Unix, with files that everyone can read.
    directory.append(little: 0x0201_4B50, 4)
    directory.append(little: 3 << 8 | 20, 2)
    directory.append(fields)
    for field in [0, 0, 0] { directory.append(little: field, 2) }
    directory.append(little: 0o100644 << 16, 4)
    directory.append(little: offset, 4)
    directory.append(contentsOf: name.utf8)

    var head = Data()
    head.append(little: 0x0403_4B50, 4)
    head.append(fields)
    head.append(contentsOf: name.utf8)
    try append(head)
    try append(content)
    offset += head.count + content.count
    count += 1
  }

  /// Finishes the archive with its list of files.
  func finish() throws {
    var end = directory
    end.append(little: 0x0605_4B50, 4)
    for field in [0, 0, count, count] { end.append(little: field, 2) }
    for field in [directory.count, offset] { end.append(little: field, 4) }
    end.append(little: 0, 2)
    try append(end)
  }

  private static func date(_ day: DayKey) -> Int {
    day.year < 1980 || day.year > 2107
      ? 1 << 5 | 1 : (day.year - 1980) << 9 | day.month << 5 | day.day
  }
}

extension Data {
  /// Appends the lowest bytes of a number, least significant first.
  fileprivate mutating func append(little number: Int, _ count: Int) {
    for place in 0..<count { append(UInt8(truncatingIfNeeded: number >> (8 * place))) }
  }
}

/// The checksum of zip files (ISO 3309, polynomial 0xEDB88320).
enum CRC32 {
  private static let table: [UInt32] = (0..<256).map { byte in
    (0..<8).reduce(UInt32(byte)) { value, _ in
      value & 1 == 1 ? 0xEDB8_8320 ^ value >> 1 : value >> 1
    }
  }

  static func of(_ content: Data) -> UInt32 {
    let table = table
    return content.withUnsafeBytes { bytes in
      ~bytes.reduce(~UInt32(0)) { sum, byte in
        table[Int((sum ^ UInt32(byte)) & 0xFF)] ^ sum >> 8
      }
    }
  }
}

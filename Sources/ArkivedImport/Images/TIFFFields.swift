import Foundation

/// The EXIF fields of a TIFF file; the raw files of many cameras are TIFF files, too.
///
/// Source: TIFF 6.0, section 2, and EXIF 2.32 (CIPA DC-008), 4.6. We use our own parser because
/// libvips doesn't read EXIF in TIFF. Our parser reads three directories of twelve-byte entries,
/// each within the file's bounds.
enum TIFFFields {
  /// The maximum number of entries in a directory.
  private static let entryLimit = 1_000
  /// The maximum size of a value in bytes, more than any needed one has.
  private static let valueLimit = 1_000

  private static let main = [
    0x010E: "ImageDescription", 0x010F: "Make", 0x0110: "Model", 0x0132: "DateTime",
  ]
  private static let photo = [
    0x9003: "DateTimeOriginal", 0x9004: "DateTimeDigitized", 0x9010: "OffsetTime",
    0x9011: "OffsetTimeOriginal", 0x9012: "OffsetTimeDigitized",
  ]
  private static let places = [
    0x0001: "GPSLatitudeRef", 0x0002: "GPSLatitude", 0x0003: "GPSLongitudeRef",
    0x0004: "GPSLongitude", 0x0007: "GPSTimeStamp", 0x001D: "GPSDateStamp",
  ]
  /// The tags that point to the directories of the photo and of its position.
  private static let directories = [0x8769: photo, 0x8825: places]

  /// Reads the fields.
  ///
  /// - Parameter content: a whole file, mapped.
  /// - Returns: The values keyed by the fields' EXIF names; fractions as `50/1 5/1`.
  static func read(_ content: Data) -> [String: String] {
    guard let file = Reader(content), let start = file.number(at: 4, size: 4) else { return [:] }
    var found: [String: String] = [:]
    for entry in file.entries(at: start) {
      if let name = main[entry.tag], let text = file.text(entry) { found[name] = text }
      guard let names = directories[entry.tag], let place = file.number(at: entry.value, size: 4)
      else { continue }
      for part in file.entries(at: place) {
        if let name = names[part.tag], let text = file.text(part) { found[name] = text }
      }
    }
    return found
  }

  private struct Entry {
    var tag: Int
    var type: Int
    var count: Int
    /// The offset of the value in the file.
    var value: Int
  }

  private struct Reader {
    /// The size in bytes of a value of each type.
    private static let sizes = [1: 1, 2: 1, 3: 2, 4: 4, 5: 8, 7: 1, 9: 4, 10: 8]

    private let content: Data
    private let isBigEndian: Bool

    init?(_ content: Data) {
      switch [UInt8](content.prefix(4)) {
      case [0x49, 0x49, 0x2A, 0]: isBigEndian = false
      case [0x4D, 0x4D, 0, 0x2A]: isBigEndian = true
      default: return nil
      }
      self.content = content
    }

    /// Reads a number.
    ///
    /// - Parameters:
    ///   - offset: its position.
    ///   - size: 1 to 4 bytes.
    /// - Returns: the number; nil beyond the end.
    func number(at offset: Int, size: Int) -> Int? {
      guard offset >= 0, offset <= content.count - size else { return nil }
      var number = 0
      for index in 0..<size {
        let position = offset + (isBigEndian ? index : size - 1 - index)
        number = number << 8 | Int(content[content.startIndex + position])
      }
      return number
    }

    func entries(at offset: Int) -> [Entry] {
      guard let count = number(at: offset, size: 2), count <= TIFFFields.entryLimit else {
        return []
      }
      return (0..<count).compactMap { entry(at: offset + 2 + $0 * 12) }
    }

    private func entry(at offset: Int) -> Entry? {
      guard let tag = number(at: offset, size: 2), let type = number(at: offset + 2, size: 2),
        let count = number(at: offset + 4, size: 4), let size = Self.sizes[type],
        (1...TIFFFields.valueLimit).contains(count)
      else { return nil }
      let value = count * size <= 4 ? offset + 8 : number(at: offset + 8, size: 4)
      return value.map { Entry(tag: tag, type: type, count: count, value: $0) }
    }

    /// Returns a text or fractions, or nil for values of other types and beyond the end.
    func text(_ entry: Entry) -> String? {
      switch entry.type {
      case 2:
        let bytes = (0..<entry.count).compactMap { number(at: entry.value + $0, size: 1) }
        guard bytes.count == entry.count else { return nil }
        let text = String(
          decoding: bytes.prefix { $0 != 0 }.map { UInt8(truncatingIfNeeded: $0) }, as: UTF8.self)
        let trimmed = text.trimmingCharacters(in: .whitespacesAndNewlines)
        return trimmed.isEmpty ? nil : trimmed
      case 5, 10:
        let parts = (0..<entry.count).compactMap { index -> String? in
          guard let over = number(at: entry.value + index * 8, size: 4),
            let under = number(at: entry.value + index * 8 + 4, size: 4)
          else { return nil }
          return "\(over)/\(under)"
        }
        return parts.count == entry.count ? parts.joined(separator: " ") : nil
      default: return nil
      }
    }
  }
}

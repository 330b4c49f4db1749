import ArkivedCore
import ArkivedSearch
import Foundation

/// The layout of a timeline's bytes: sections of two tables, activities and notes, and a directory.
///
/// All numbers are little-endian, every section begins at a multiple of 16.
///
/// - Start, 64 bytes: magic, version, byte-order mark, then offset and length of the directory, a
///   checksum of everything after the start, and the total length.
/// - The sections of the activities in the order of `Section`, then those of the notes.
/// - The directory: offset and length of each section, then metadata as JSON.
enum TimelineLayout {
  static let magic: [UInt8] = Array("ARKTIMES".utf8)
  static let version: UInt32 = 8
  static let byteOrderMark: UInt32 = 0x0A0B_0C0D
  static let startLength = 64
  /// The minute of entries of which only the day is known.
  static let noMinute = Int16.min
  static let alignment = 16

  struct Place: Hashable, Sendable {
    var offset: Int
    var length: Int
  }

  enum Section: Int, CaseIterable {
    /// The columns by ordinal, sorted by day, minute and row: Int64, Int32, Int16 (since the day's
    /// midnight; `noMinute` for none), Double (NaN for none), then UInt32 numbers of kind, place (0
    /// for none, otherwise its number plus one) and text.
    case rows, days, minutes, durations, kinds, places, texts
    /// One byte for each entry: 1 if its minute is the beginning of a part of the day, of which no
    /// clock time is known.
    case dayParts
    /// One number (UInt32) shared by all entries with equal text, place, people and tags.
    case sayings
    /// The start of each entry's tags (UInt32, one more than there are entries), and the tags'
    /// numbers.
    case tagStarts, tags
    case peopleStarts, people
    case measureStarts, measureUnits, measureAmounts
    /// The ordinals sorted by row number.
    case rowOrder
    /// The entries of each name, by ordinal: the start of each list, and the ordinals.
    case kindEntryStarts, kindEntries, tagEntryStarts, tagEntries, peopleEntryStarts, peopleEntries
    case placeEntryStarts, placeEntries
    case kindNameStarts, kindNames, tagNameStarts, tagNames, peopleNameStarts, peopleNames
    case placeNameStarts, placeNames, unitNameStarts, unitNames
    /// The distinct texts, and the entries of each.
    case textStarts, textBytes, textEntryStarts, textEntries
    /// The keys of words sorted by their bytes; the texts of each; the number of entries with each.
    case keyStarts, keyBytes, keyTextStarts, keyTexts, keyCounts
    /// The words as written, in lower case, sorted by their bytes.
    case wordStarts, wordBytes, wordCounts
    /// The ordinals of entries with coordinates, in ascending order, and their degrees.
    case spots, latitudes, longitudes
  }

  /// Encodes a timeline.
  ///
  /// - Parameters:
  ///   - tables: the sections of each table in the order of `Section`.
  ///   - notes: the timeline's metadata.
  /// - Returns: the bytes of the file.
  static func encoded(_ tables: [[[UInt8]]], notes: JSON) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: startLength)
    var directory: [UInt8] = []
    bytes.reserveCapacity(tables.joined().reduce(startLength + 65_536) { $0 + $1.count + 16 })
    for section in tables.joined() {
      pad(&bytes)
      append(UInt64(bytes.count), to: &directory)
      append(UInt64(section.count), to: &directory)
      bytes.append(contentsOf: section)
    }
    directory.append(contentsOf: Array(notes.text().utf8))
    pad(&bytes)
    let place = Place(offset: bytes.count, length: directory.count)
    bytes.append(contentsOf: directory)
    var start = magic
    append(version, to: &start)
    append(byteOrderMark, to: &start)
    append(UInt64(place.offset), to: &start)
    append(UInt64(place.length), to: &start)
    append(
      bytes.withUnsafeBytes { XXHash64.hash(UnsafeRawBufferPointer(rebasing: $0[startLength...])) },
      to: &start)
    append(UInt64(bytes.count), to: &start)
    bytes.replaceSubrange(0..<start.count, with: start)
    return bytes
  }

  /// Returns the positions of the sections and the metadata; nil if the bytes aren't a complete,
  /// undamaged timeline of this version.
  static func directory(of bytes: TimelineBytes) -> (tables: [[Place]], notes: JSON)? {
    guard let start = bytes.part(0, startLength), start.prefix(8).elementsEqual(magic),
      start.loadUnaligned(fromByteOffset: 8, as: UInt32.self) == version,
      start.loadUnaligned(fromByteOffset: 12, as: UInt32.self) == byteOrderMark
    else { return nil }
    func number(_ offset: Int) -> Int {
      Int(clamping: start.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }
    guard number(40) == bytes.count, let directory = bytes.part(number(16), number(24)),
      let content = bytes.part(startLength, bytes.count - startLength),
      XXHash64.hash(content) == start.loadUnaligned(fromByteOffset: 32, as: UInt64.self)
    else { return nil }
    let count = Section.allCases.count
    guard directory.count >= count * 32 else { return nil }
    let places = (0..<count * 2).map { index in
      func value(_ offset: Int) -> Int {
        Int(
          clamping: directory.loadUnaligned(fromByteOffset: index * 16 + offset, as: UInt64.self))
      }
      return Place(offset: value(0), length: value(8))
    }
    let text = String(decoding: directory.dropFirst(count * 32), as: UTF8.self)
    guard let notes = try? JSON(parsing: text) else { return nil }
    return ([Array(places[..<count]), Array(places[count...])], notes)
  }

  private static func pad(_ bytes: inout [UInt8]) {
    while bytes.count % alignment != 0 { bytes.append(0) }
  }

  static func append(_ number: some FixedWidthInteger, to bytes: inout [UInt8]) {
    withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
  }
}

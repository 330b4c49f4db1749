package import ArkivedCore
package import Foundation

/// The words of the archive at the time the index was built: one immutable file, mapped into
/// memory, for ranked queries.
///
/// The index is derived from the full-text table, which stays authoritative. Callers query that
/// table for later changes and exclude the changed documents here. Any number of threads and
/// processes may read at once; a newer index replaces the file under its name without affecting
/// readers of the old one.
package struct WordIndex: Sendable {
  let path: String
  private let file: Data
  private let directory: WordIndexFormat.Directory

  /// Opens an index and checks its directory, days and terms.
  ///
  /// Everything else is bounds-checked when read, and checked completely by `verify`.
  ///
  /// - Throws: `WordIndexError.unreadable`, `.damaged` or `.unsupportedVersion`.
  package init(contentsOf url: URL) throws {
    let file: Data
    do {
      file = try Data(contentsOf: url, options: .alwaysMapped)
    } catch {
      throw WordIndexError.unreadable(path: url.path, reason: "\(error.localizedDescription)")
    }
    try self.init(file, path: url.path)
  }

  /// Opens an index in memory.
  ///
  /// - Parameters:
  ///   - bytes: the whole index.
  ///   - path: the name used in errors.
  /// - Throws: `WordIndexError.damaged` if the file is damaged.
  init(_ bytes: Data, path: String) throws {
    self.path = path
    file = bytes
    directory = try file.withUnsafeBytes { try Self.directory(of: $0, path: path) }
    try check { $0.isCheckedOnOpening }
    try withView { _ in }
  }

  /// The number of documents.
  package var documentCount: Int { directory.documentCount }
  /// The number of distinct terms.
  package var termCount: Int { directory.termCount }
  /// The number of pairs of a term and a document.
  package var postingCount: Int { directory.postingCount }
  /// The number of tokens.
  package var occurrenceCount: Int { directory.occurrenceCount }
  /// The metadata given to the builder.
  package var metadata: [String: String] { directory.metadata }
  package var scoring: WordIndexScoring { directory.scoring }
  /// The mean number of tokens in each column, over the documents with any in it.
  package var averageLengths: [Double] { directory.averageLengths }
  /// The length of the file in bytes.
  package var byteCount: Int { file.count }

  /// The length of each part of the file in bytes, for reports.
  package var sectionLengths: [(name: String, bytes: Int)] {
    WordIndexFormat.Section.allCases.map { ("\($0)", directory.places[$0.rawValue].length) }
  }

  /// Reads the whole file and verifies all checksums.
  ///
  /// - Throws: `WordIndexError.damaged` with the name of the part.
  package func verify() throws { try check { _ in true } }

  private func check(_ isWanted: (WordIndexFormat.Section) -> Bool) throws {
    try file.withUnsafeBytes { bytes in
      for section in WordIndexFormat.Section.allCases where isWanted(section) {
        let place = directory.places[section.rawValue]
        let part = UnsafeRawBufferPointer(
          rebasing: bytes[place.offset..<(place.offset + place.length)])
        guard XXHash64.hash(part) == place.checksum else {
          throw WordIndexError.damaged(path: path, reason: "its \(section) were changed")
        }
      }
    }
  }

  /// Reads the directory and checks that everything it refers to is within the file.
  private static func directory(
    of bytes: UnsafeRawBufferPointer, path: String
  ) throws -> WordIndexFormat.Directory {
    func damaged(_ reason: String) -> WordIndexError { .damaged(path: path, reason: reason) }
    var start = BytesReader(bytes)
    guard let magic = start.take(WordIndexFormat.magic.count),
      magic.elementsEqual(WordIndexFormat.magic), let version = start.number(UInt32.self),
      let mark = start.number(UInt32.self)
    else { throw damaged("it doesn’t start like a word index") }
    guard version == WordIndexFormat.version, mark == WordIndexFormat.byteOrderMark else {
      throw WordIndexError.unsupportedVersion(path: path, version: version)
    }
    let endStart = bytes.count - WordIndexFormat.endLength
    guard endStart >= WordIndexFormat.startLength else { throw damaged("it is cut off") }
    var end = BytesReader(bytes, at: endStart)
    guard let offset = end.number(Int64.self), let length = end.number(Int64.self),
      let checksum = end.number(UInt64.self), let last = end.take(WordIndexFormat.magic.count),
      last.elementsEqual(WordIndexFormat.magic)
    else { throw damaged("it is cut off") }
    guard offset >= WordIndexFormat.startLength, length >= 0, offset <= endStart,
      Int64(endStart) - offset == length
    else { throw damaged("its directory is out of bounds") }
    let part = UnsafeRawBufferPointer(rebasing: bytes[Int(offset)..<endStart])
    guard XXHash64.hash(part) == checksum, let directory = WordIndexFormat.Directory(part) else {
      throw damaged("its directory was changed")
    }
    for place in directory.places {
      guard place.offset <= Int(offset), place.length <= Int(offset) - place.offset else {
        throw damaged("a part lies outside")
      }
    }
    return directory
  }

  /// Returns the documents of the wanted groups, and those whose group is unknown because there are
  /// too many groups to record.
  ///
  /// - Throws: `WordIndexError.damaged` if the file is damaged.
  package func documents(inGroups isWanted: (String) -> Bool) throws -> DocumentSet {
    try withView { try $0.documents(inGroups: isWanted) }
  }

  /// Calls `body` with the mapped parts, which must not be used after it has returned.
  ///
  /// - Throws: `WordIndexError.damaged` for any damage `body` finds.
  func withView<Result>(_ body: (WordIndexView) throws -> Result) throws -> Result {
    try file.withUnsafeBytes { bytes in
      do {
        return try body(WordIndexView(bytes, directory))
      } catch let damage as WordIndexDamage {
        throw WordIndexError.damaged(
          path: path, reason: "it contains invalid data (\(damage.part))")
      }
    }
  }
}

/// The mapped parts of an index; lengths are checked, contents are not.
struct WordIndexView {
  let documentCount: Int
  let dictionary: TermDictionary
  let postings: UnsafeRawBufferPointer
  let positions: UnsafeRawBufferPointer
  let blocks: UnsafeRawBufferPointer
  private let rows: UnsafeRawBufferPointer
  private let rowOrder: UnsafeRawBufferPointer
  private let days: UnsafeRawBufferPointer
  private let groups: UnsafeRawBufferPointer
  private let groupNames: UnsafeRawBufferPointer

  /// Maps the parts of an index.
  ///
  /// - Throws: `WordIndexDamage` if a part is shorter than the counts require.
  init(_ bytes: UnsafeRawBufferPointer, _ directory: WordIndexFormat.Directory) throws {
    func part(_ section: WordIndexFormat.Section) -> UnsafeRawBufferPointer {
      let place = directory.places[section.rawValue]
      return UnsafeRawBufferPointer(rebasing: bytes[place.offset..<(place.offset + place.length)])
    }
    documentCount = directory.documentCount
    (rows, rowOrder, days) = (part(.rows), part(.rowOrder), part(.days))
    (groups, groupNames) = (part(.groups), part(.groupNames))
    (postings, positions, blocks) = (part(.postings), part(.positions), part(.blocks))
    guard documentCount < Int32.max, rows.count / 8 == documentCount,
      rowOrder.count / 4 == documentCount, groups.count / 2 == documentCount,
      blocks.count / BlockEntry.size == directory.blockCount,
      let dictionary = TermDictionary(
        count: directory.termCount, terms: part(.terms), groups: part(.termGroups),
        records: part(.records))
    else { throw WordIndexDamage("the length of a part") }
    self.dictionary = dictionary
  }

  /// Returns the documents of the wanted groups, and those whose group is unknown.
  func documents(inGroups isWanted: (String) -> Bool) throws -> DocumentSet {
    var wanted = [Bool](repeating: true, count: Int(UInt16.max) + 1)
    var reader = BytesReader(groupNames)
    var number = 0
    while reader.offset < groupNames.count {
      guard let name = reader.text(), number < WordIndexFormat.groupLimit else {
        throw WordIndexDamage("the names of groups")
      }
      wanted[number] = isWanted(name)
      number += 1
    }
    var found = DocumentSet(roomUpTo: try lastRow)
    for ordinal in 0..<documentCount {
      let group = groups.loadUnaligned(fromByteOffset: ordinal * 2, as: UInt16.self)
      if wanted[Int(group)] { found.insert(row(ordinal)) }
    }
    return found
  }

  /// The largest row number; 0 without documents.
  private var lastRow: Int64 {
    get throws {
      guard documentCount > 0 else { return 0 }
      let ordinal = rowOrder.loadUnaligned(
        fromByteOffset: (documentCount - 1) * 4, as: UInt32.self)
      guard ordinal < documentCount else { throw WordIndexDamage("the order of rows") }
      return row(Int(ordinal))
    }
  }

  /// Returns the row number of a document.
  ///
  /// - Precondition: `ordinal` is below `documentCount`.
  @inline(__always)
  func row(_ ordinal: Int) -> Int64 {
    rows.loadUnaligned(fromByteOffset: ordinal * 8, as: Int64.self)
  }

  /// Returns the ordinal of a document, or nil if it is not in the index.
  func ordinal(of row: Int64) throws -> Int? {
    var low = 0
    var high = documentCount
    while low < high {
      let middle = (low + high) / 2
      let ordinal = Int(rowOrder.loadUnaligned(fromByteOffset: middle * 4, as: UInt32.self))
      guard ordinal < documentCount else { throw WordIndexDamage("the order of rows") }
      let found = self.row(ordinal)
      if found == row { return ordinal }
      if found < row { low = middle + 1 } else { high = middle }
    }
    return nil
  }

  /// Returns the ordinals of the documents of some days.
  func ordinals(of range: ClosedRange<Int32>) -> Range<Int> {
    let start = firstOrdinal { $0 <= range.upperBound }
    return start..<max(start, firstOrdinal { $0 < range.lowerBound })
  }

  /// Returns the ordinals of the documents on the same day as a document.
  func ordinalsOfDay(of ordinal: Int) -> Range<Int> {
    func first(_ index: Int) -> Int {
      let first = Int(days.loadUnaligned(fromByteOffset: index * 8 + 4, as: UInt32.self))
      return min(first, documentCount)
    }
    let count = days.count / 8
    // This finds the last day that begins at or before the document.
    var low = 0
    var high = count
    while high - low > 1 {
      let middle = (low + high) / 2
      if first(middle) <= ordinal { low = middle } else { high = middle }
    }
    guard count > 0 else { return ordinal..<ordinal }
    let end = low + 1 < count ? first(low + 1) : documentCount
    return min(first(low), end)..<end
  }

  /// Returns the first ordinal of the first day, starting from the latest, that satisfies a
  /// condition.
  private func firstOrdinal(where isReached: (Int32) -> Bool) -> Int {
    var low = 0
    var high = days.count / 8
    while low < high {
      let middle = (low + high) / 2
      if isReached(days.loadUnaligned(fromByteOffset: middle * 8, as: Int32.self)) {
        high = middle
      } else {
        low = middle + 1
      }
    }
    guard low < days.count / 8 else { return documentCount }
    let first = Int(days.loadUnaligned(fromByteOffset: low * 8 + 4, as: UInt32.self))
    return min(first, documentCount)
  }
}

package import ArkivedCore
package import Foundation

/// The words of the archive as they stood when the index was built: one immutable file, mapped into
/// memory, that answers ranked queries.
///
/// It is derived from the full-text table, which stays the truth. Whoever asks looks up what has
/// changed since in that table, and leaves those documents out here. Any number of threads and
/// processes may read at once; a newer index replaces the file under its name and leaves those who
/// read the old one alone.
package struct WordIndex: Sendable {
  let path: String
  private let file: Data
  private let directory: WordIndexFormat.Directory

  /// Opens an index and checks its directory, days and terms. What is not checked then is checked
  /// for its bounds when it is read, and whole by `verify`.
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

  /// - Parameter path: what errors call it.
  init(_ bytes: Data, path: String) throws {
    self.path = path
    file = bytes
    directory = try file.withUnsafeBytes { try Self.directory(of: $0, path: path) }
    try check { $0.isCheckedOnOpening }
    try withView { _ in }
  }

  /// How many documents it holds.
  package var documentCount: Int { directory.documentCount }
  /// How many different terms.
  package var termCount: Int { directory.termCount }
  /// How many pairs of a term and a document.
  package var postingCount: Int { directory.postingCount }
  /// How many tokens.
  package var occurrenceCount: Int { directory.occurrenceCount }
  /// What the builder was given to keep.
  package var metadata: [String: String] { directory.metadata }
  package var scoring: WordIndexScoring { directory.scoring }
  /// Mean tokens of each column over the documents where it holds any.
  package var averageLengths: [Double] { directory.averageLengths }
  /// The length of the file in bytes.
  package var byteCount: Int { file.count }

  /// The length of each part of the file in bytes, for reports.
  package var sectionLengths: [(name: String, bytes: Int)] {
    WordIndexFormat.Section.allCases.map { ("\($0)", directory.places[$0.rawValue].length) }
  }

  /// Reads the whole file and compares all checksums.
  /// - Throws: `WordIndexError.damaged` naming the part.
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

  /// Reads the directory and checks that all it says lies within the file.
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

  /// The documents of those groups that are wanted, and those whose group is not known: of so many
  /// groups none is kept.
  /// - Throws: `WordIndexError.damaged`.
  package func documents(inGroups isWanted: (String) -> Bool) throws -> DocumentSet {
    try withView { try $0.documents(inGroups: isWanted) }
  }

  /// Gives the mapped parts; they must not be used after `body` has returned.
  /// - Throws: `WordIndexError.damaged` for whatever `body` finds damaged.
  func withView<Result>(_ body: (WordIndexView) throws -> Result) throws -> Result {
    try file.withUnsafeBytes { bytes in
      do {
        return try body(WordIndexView(bytes, directory))
      } catch let damage as WordIndexDamage {
        throw WordIndexError.damaged(path: path, reason: "it holds nonsense (\(damage.part))")
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

  /// - Throws: `WordIndexDamage` when a part is shorter than the counts say.
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

  /// The documents of those groups that are wanted, and those whose group is not known.
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

  /// The greatest row number; 0 without documents.
  private var lastRow: Int64 {
    get throws {
      guard documentCount > 0 else { return 0 }
      let ordinal = rowOrder.loadUnaligned(
        fromByteOffset: (documentCount - 1) * 4, as: UInt32.self)
      guard ordinal < documentCount else { throw WordIndexDamage("the order of rows") }
      return row(Int(ordinal))
    }
  }

  /// The row number of a document.
  /// - Precondition: `ordinal` is below `documentCount`.
  @inline(__always)
  func row(_ ordinal: Int) -> Int64 {
    rows.loadUnaligned(fromByteOffset: ordinal * 8, as: Int64.self)
  }

  /// The ordinal of a document, or nil when the index does not hold it.
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

  /// The ordinals of the documents of some days.
  func ordinals(of range: ClosedRange<Int32>) -> Range<Int> {
    let start = firstOrdinal { $0 <= range.upperBound }
    return start..<max(start, firstOrdinal { $0 < range.lowerBound })
  }

  /// The ordinals of the documents of a document's day.
  func ordinalsOfDay(of ordinal: Int) -> Range<Int> {
    func first(_ index: Int) -> Int {
      let first = Int(days.loadUnaligned(fromByteOffset: index * 8 + 4, as: UInt32.self))
      return min(first, documentCount)
    }
    let count = days.count / 8
    // The last day that begins at the document or before.
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

  /// The first ordinal of the first day, of those latest first, that fulfils a condition.
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

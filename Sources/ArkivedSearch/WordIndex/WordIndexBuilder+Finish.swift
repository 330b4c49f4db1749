import ArkivedStore
import Foundation

extension WordIndexBuilder {
  /// Writes the index under its name atomically.
  ///
  /// - Throws: `WordIndexError.tooLarge` or `.unwritable`.
  package mutating func finish() throws {
    do {
      var builder = self
      try DurableFile.write(to: target) { append in try builder.write(append) }
      self = builder
    } catch let failure as POSIXFailure {
      throw WordIndexError.unwritable(path: target.path, reason: failure.description)
    }
  }

  /// Returns the index without writing it, for a few documents.
  ///
  /// - Throws: `WordIndexError`.
  package mutating func finishInMemory() throws -> WordIndex {
    var bytes = Data()
    try write { bytes.append($0) }
    return try WordIndex(bytes, path: target.path)
  }

  private mutating func write(_ append: (Data) throws -> Void) throws {
    try endTerm()
    let averages = averageLengths()
    var directory = WordIndexFormat.Directory(
      documentCount: documents.count, scoring: scoring, averageLengths: averages,
      metadata: metadata)
    directory.termCount = terms.count
    for term in terms {
      directory.postingCount += term.documentFrequency
      directory.occurrenceCount += term.occurrences
    }
    try spool.withBytes { spooled in
      var file = SectionWriter()
      try writeDocuments(to: &file, append)
      try writePositions(spooled, to: &file, append)
      var records = try writePostings(spooled, averages, to: &file, append)
      directory.blockCount = records.blocks.count / BlockEntry.size
      try file.section(records.blocks, append)
      records.blocks = []
      try file.section(records.terms, append)
      try writeTerms(to: &file, append)
      try file.end(&directory, append)
    }
  }

  /// Returns the mean length of each column over the documents with anything in it.
  private func averageLengths() -> [Double] {
    let columns = scoring.columns.count
    var sums = [Int](repeating: 0, count: columns)
    var filled = sums
    for (index, length) in lengths.enumerated() where length > 0 {
      sums[index % columns] += Int(length)
      filled[index % columns] += 1
    }
    return zip(sums, filled).map { $1 == 0 ? 0 : Double($0) / Double($1) }
  }

  private func writeDocuments(
    to file: inout SectionWriter, _ append: (Data) throws -> Void
  ) throws {
    try file.begin(append)
    for row in documents.rows {
      file.buffer.appendNumber(row)
      try file.drain(append)
    }
    try file.begin(append)
    for ordinal in documents.byRow {
      file.buffer.appendNumber(ordinal)
      try file.drain(append)
    }
    try file.begin(append)
    for (day, first) in documents.days {
      file.buffer.appendNumber(day)
      file.buffer.appendNumber(first)
    }
    try file.begin(append)
    for group in documents.groups {
      file.buffer.appendNumber(group)
      try file.drain(append)
    }
    try file.begin(append)
    for name in groups { file.buffer.appendText(name) }
  }

  private func writePositions(
    _ spooled: UnsafeRawBufferPointer, to file: inout SectionWriter,
    _ append: (Data) throws -> Void
  ) throws {
    try file.begin(append)
    for term in terms {
      let start = term.offset + term.documentFrequency * 4
      file.buffer.append(contentsOf: spooled[start..<(start + term.positionsLength)])
      try file.drain(append)
    }
  }

  /// Writes the postings.
  /// - Returns: the sections `blocks` and `records`.
  private func writePostings(
    _ spooled: UnsafeRawBufferPointer, _ averages: [Double], to file: inout SectionWriter,
    _ append: (Data) throws -> Void
  ) throws -> (blocks: [UInt8], terms: [UInt8]) {
    var blocks: [UInt8] = []
    var records: [UInt8] = []
    let columns = scoring.columns.count
    var counts = [UInt32](repeating: 0, count: columns)
    var impacts: [UInt8] = []
    var positions = 0
    try file.begin(append)
    let sectionStart = file.position
    for term in terms {
      let start = file.position - sectionStart
      let firstBlock = blocks.count / BlockEntry.size
      let positionsStart = term.offset + term.documentFrequency * 4
      var reader = PositionsReader(spooled, at: positionsStart)
      let ordinals = (0..<term.documentFrequency).lazy.map {
        spooled.loadUnaligned(fromByteOffset: term.offset + $0 * 4, as: UInt32.self)
      }
      var previous = -1
      var best: UInt8 = 0
      for first in stride(from: 0, to: term.documentFrequency, by: BlockCoding.capacity) {
        let members = ordinals[first..<min(first + BlockCoding.capacity, ordinals.count)]
        let offsets = (
          file.position - sectionStart - start, reader.offset - positionsStart
        )
        guard let postings = UInt32(exactly: offsets.0), let place = UInt32(exactly: offsets.1)
        else { throw WordIndexError.tooLarge("the occurrences of one term") }
        impacts.removeAll(keepingCapacity: true)
        for ordinal in members {
          for column in 0..<columns { counts[column] = 0 }
          guard reader.readDocument({ column, _ in counts[Int(column)] += 1 }) else {
            throw WordIndexError.unwritable(path: target.path, reason: "its spool was changed")
          }
          let place = Int(ordinal) * columns
          impacts.append(
            scoring.impact(
              occurrences: counts, lengths: lengths[place..<(place + columns)],
              averages: averages))
        }
        let width = BlockCoding.pack(members, after: previous, into: &file.buffer)
        file.buffer.append(contentsOf: impacts)
        try file.drain(append)
        let last = members.last ?? 0
        let highest = impacts.max() ?? 0
        BlockEntry(
          last: last, postings: postings, positions: place, impact: highest, width: UInt8(width)
        ).append(to: &blocks)
        best = max(best, highest)
        previous = Int(last)
      }
      guard let firstBlock = UInt32(exactly: firstBlock) else {
        throw WordIndexError.tooLarge("the number of blocks")
      }
      TermRecord(
        documentFrequency: UInt32(term.documentFrequency), firstBlock: firstBlock,
        postings: UInt64(start), positions: UInt64(positions),
        occurrences: UInt32(term.occurrences), impact: best
      ).append(to: &records)
      positions += term.positionsLength
    }
    file.buffer.append(contentsOf: [UInt8](repeating: 0, count: BlockCoding.padding))
    return (blocks, records)
  }

  private func writeTerms(
    to file: inout SectionWriter, _ append: (Data) throws -> Void
  ) throws {
    var coded: [UInt8] = []
    var groups: [UInt8] = []
    var previous = termBytes[0..<0]
    for (index, term) in terms.enumerated() {
      let end = index + 1 < terms.count ? terms[index + 1].bytes : termBytes.count
      let bytes = termBytes[term.bytes..<end]
      if index % TermDictionary.groupSize == 0 {
        guard let offset = UInt32(exactly: coded.count) else {
          throw WordIndexError.tooLarge("the terms")
        }
        groups.appendNumber(offset)
        previous = []
      }
      TermDictionary.append(bytes, after: previous, to: &coded)
      previous = bytes
    }
    try file.section(coded, append)
    try file.section(groups, append)
  }
}

/// Writes sections one after another and records their positions and checksums.
struct SectionWriter {
  private static let bufferLength = 1 << 20

  /// The bytes that were appended but not written yet.
  var buffer: [UInt8] = []
  private var written = 0
  private var places: [WordIndexFormat.Place] = []
  private var hash = XXHash64()
  private var isInSection = false

  init() {
    buffer = WordIndexFormat.magic
    buffer.appendNumber(WordIndexFormat.version)
    buffer.appendNumber(WordIndexFormat.byteOrderMark)
    buffer += [UInt8](repeating: 0, count: WordIndexFormat.startLength - buffer.count)
  }

  /// The current length of the file.
  var position: Int { written + buffer.count }

  /// Ends the previous section and begins the next one.
  mutating func begin(_ append: (Data) throws -> Void) throws {
    try finishSection(append)
    try write(append)
    places.append(WordIndexFormat.Place(offset: position, length: 0, checksum: 0))
    isInSection = true
    hash = XXHash64()
  }

  /// Writes a whole section.
  mutating func section(_ bytes: [UInt8], _ append: (Data) throws -> Void) throws {
    try begin(append)
    buffer.append(contentsOf: bytes)
    try drain(append)
  }

  /// Writes the appended bytes if there are many.
  mutating func drain(_ append: (Data) throws -> Void) throws {
    if buffer.count >= Self.bufferLength { try write(append) }
  }

  private mutating func write(_ append: (Data) throws -> Void) throws {
    if isInSection { buffer.withUnsafeBytes { hash.update($0) } }
    try append(Data(buffer))
    written += buffer.count
    buffer.removeAll(keepingCapacity: true)
  }

  private mutating func finishSection(_ append: (Data) throws -> Void) throws {
    try write(append)
    if isInSection, let place = places.last {
      places[places.count - 1].length = written - place.offset
      places[places.count - 1].checksum = hash.finish()
    }
    isInSection = false
    let odd = written % WordIndexFormat.alignment
    if odd > 0 { buffer += [UInt8](repeating: 0, count: WordIndexFormat.alignment - odd) }
  }

  /// Writes the directory with the sections' positions, and the end of the file.
  mutating func end(
    _ directory: inout WordIndexFormat.Directory, _ append: (Data) throws -> Void
  ) throws {
    try finishSection(append)
    directory.places = places
    let bytes = directory.encoded()
    let offset = position
    buffer += bytes
    buffer.appendNumber(Int64(offset))
    buffer.appendNumber(Int64(bytes.count))
    buffer.appendNumber(bytes.withUnsafeBytes { XXHash64.hash($0) })
    buffer += WordIndexFormat.magic
    try write(append)
  }
}

import ArkivedCore
import ArkivedTestSupport
import Foundation
import Testing

@testable import ArkivedSearch

@Suite("The file of the word index")
struct WordIndexFileTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static let queries = [
    WordIndexQuery([.init(.required, [.term("w0")]), .init(.required, [.term("w3")])]),
    WordIndexQuery([.init(.optional, [.term("w1")]), .init(.optional, [.phrase(["w0", "w1"])])]),
    WordIndexQuery([.init(.required, [.prefix("w", limit: 12)])], days: 20...300, order: .oldest),
    WordIndexQuery(
      [.init(.required, [.term("w2")]), .init(.excluded, [.term("w0")])], allowed: [8, 16, 24]),
  ]

  /// All that is asked of an index here; throws when it is damaged.
  private func answers(_ index: WordIndex) throws -> [String] {
    var answers = try Self.queries.map { "\(try index.search($0)) \(try index.count($0))" }
    answers.append("\(try index.terms(withPrefix: "w1", limit: 5))")
    answers.append("\(try index.suggestions(for: "wo1x"))")
    return answers
  }

  @Test("What the builder was given to keep is there, and the counts are right")
  func metadata() throws {
    let corpus = WordCorpus.zipfian(300, vocabulary: 50, seed: 1)
    try corpus.build(at: folder.index, metadata: ["watermark": "17", "é": "日"])
    let index = try WordIndex(contentsOf: folder.index)
    #expect(index.metadata == ["watermark": "17", "é": "日"])
    #expect(index.documentCount == 300 && index.scoring == .standard)
    #expect(index.occurrenceCount == corpus.occurrences().count)
    #expect(index.postingCount == corpus.impacts.values.map(\.count).reduce(0, +))
    #expect(index.termCount == corpus.impacts.count)
    try index.verify()
    for document in corpus.documents.prefix(50) { #expect(try index.contains(row: document.row)) }
    #expect(try !index.contains(row: -1) && !index.contains(row: 1 << 40))
  }

  @Test("The same documents make the same bytes, in whatever order they are given")
  func determinism() throws {
    let corpus = WordCorpus.zipfian(500, vocabulary: 80, seed: 2)
    try corpus.build(at: folder.index)
    let first = try Data(contentsOf: folder.index)
    try WordCorpus(corpus.documents.reversed()).build(at: folder.index)
    #expect(try Data(contentsOf: folder.index) == first)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).count == 1)
  }

  @Test("A reader goes on with the index it opened when a newer one takes its place")
  func replacement() throws {
    try WordCorpus.zipfian(2000, vocabulary: 80, seed: 3).build(at: folder.index)
    let index = try WordIndex(contentsOf: folder.index)
    let before = try answers(index)
    try WordCorpus.zipfian(10, vocabulary: 5, seed: 4).build(at: folder.index)
    #expect(try answers(index) == before)
    #expect(try WordIndex(contentsOf: folder.index).documentCount == 10)
  }

  @Test("An index of nothing finds nothing")
  func empty() throws {
    try WordCorpus([]).build(at: folder.index)
    let index = try WordIndex(contentsOf: folder.index)
    try index.verify()
    #expect(index.documentCount == 0 && index.termCount == 0)
    for query in Self.queries { #expect(try index.search(query).hits.isEmpty) }
    #expect(try index.terms(withPrefix: "", limit: 5).isEmpty)
    #expect(try index.suggestion(for: "word") == nil)
  }

  @Test("What comes out of order is refused, and no file is made")
  func disorder() throws {
    let documents = (1...3).map { WordIndexDocument(rowNumber: $0, day: 0, order: 0) }
    typealias Occurrence = (String, Int64, UInt8, UInt32)
    let wrong: [[Occurrence]] = [
      [("b", 1, 0, 0), ("a", 1, 0, 0)], [("a", 2, 0, 0), ("a", 1, 0, 0)],
      [("a", 1, 1, 0), ("a", 1, 0, 0)], [("a", 1, 0, 5), ("a", 1, 0, 4)], [("a", 1, 3, 0)],
      [("a", 1, 0, .max)], [("a", 1, 0, 0), ("b", 1, 0, 0), ("a", 2, 0, 0)],
    ]
    for occurrences in wrong {
      var builder = try WordIndexBuilder(at: folder.index, documents: documents)
      #expect(throws: WordIndexError.self) {
        for (term, document, column, position) in occurrences {
          try builder.add(term: term, document: document, column: column, position: position)
        }
      }
    }
    #expect(throws: WordIndexError.self) {
      try WordIndexBuilder(at: folder.index, documents: documents + documents)
    }
    #expect(throws: WordIndexError.self) {
      try WordIndexBuilder(at: folder.url.appending(path: "no/folder"), documents: documents)
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).isEmpty)
  }

  @Test("Occurrences in documents that were not given are left out")
  func unknownDocuments() throws {
    let documents = [2, 9].map { WordIndexDocument(rowNumber: $0, day: 0, order: 0) }
    var builder = try WordIndexBuilder(at: folder.index, documents: documents)
    for (term, document) in [("a", 1), ("a", 2), ("b", 3), ("c", 2), ("c", 8), ("c", 9)] {
      try builder.add(term: term, document: Int64(document), column: 1, position: 0)
    }
    try builder.finish()
    let index = try WordIndex(contentsOf: folder.index)
    #expect(try ["a", "b", "c"].map { try index.frequency(of: $0) } == [1, 0, 2])
  }

  // MARK: Damage

  /// Opens bytes as an index, and asks it everything; only `WordIndexError` may come of it.
  private func use(_ bytes: Data, _ location: SourceLocation = #_sourceLocation) throws -> [String]?
  {
    try bytes.write(to: folder.index)
    do {
      return try answers(WordIndex(contentsOf: folder.index))
    } catch is WordIndexError {
      return nil
    }
  }

  @Test("A file that was cut off is not opened")
  func truncation() throws {
    try WordCorpus.zipfian(300, vocabulary: 60, seed: 5).build(at: folder.index)
    let whole = try Data(contentsOf: folder.index)
    for length in Array(0..<100) + stride(from: 100, to: whole.count, by: 97) + [whole.count - 1] {
      try whole.prefix(length).write(to: folder.index)
      #expect(throws: WordIndexError.self, "\(length)") { try WordIndex(contentsOf: folder.index) }
    }
    for bytes in [whole + [0], Data(count: 4096)] {
      try bytes.write(to: folder.index)
      #expect(throws: WordIndexError.self) { try WordIndex(contentsOf: folder.index) }
    }
  }

  @Test("Changed bytes are found by checking, and at worst an error before that")
  func flips() throws {
    try WordCorpus.zipfian(700, vocabulary: 60, seed: 6).build(at: folder.index)
    let whole = try Data(contentsOf: folder.index)
    let right = try answers(WordIndex(contentsOf: folder.index))
    for place in stride(from: 0, to: whole.count, by: 61) {
      var bytes = whole
      bytes[place] ^= 1 << UInt8(place % 8)
      guard try use(bytes) != nil else { continue }
      let index = try WordIndex(contentsOf: folder.index)
      // Only bytes between the parts may change unnoticed.
      if (try? index.verify()) != nil { #expect(try answers(index) == right, "\(place)") }
    }
  }

  @Test(
    "Nonsense with the right checksums is answered or refused, and never read past its end",
    arguments: [11, 12, 13])
  func nonsense(seed: UInt64) throws {
    try WordCorpus.zipfian(700, vocabulary: 60, seed: seed).build(at: folder.index)
    let whole = try Data(contentsOf: folder.index)
    var chance = SeededChance(seed)
    for _ in 0..<250 {
      var bytes = whole
      let (directory, start) = try #require(Self.directory(of: whole))
      var changed = directory
      let section = Int.random(in: 0..<directory.places.count, using: &chance)
      let place = directory.places[section]
      for _ in 0..<Int.random(in: 1...6, using: &chance) where place.length > 0 {
        let at = place.offset + Int.random(in: 0..<place.length, using: &chance)
        bytes[at] =
          [0, 255, 127, UInt8.random(in: 0...255, using: &chance)]
          .randomElement(using: &chance) ?? 0
      }
      if Int.random(in: 0..<5, using: &chance) == 0 {
        changed.places[section].length = Int.random(in: 0...place.length, using: &chance)
        changed.documentCount += Int.random(in: -1...1, using: &chance)
      }
      _ = try use(Self.sealed(bytes.prefix(start), changed))
    }
  }

  /// The directory of a file, and where it begins.
  private static func directory(of file: Data) -> (WordIndexFormat.Directory, Int)? {
    file.withUnsafeBytes { bytes in
      var end = BytesReader(bytes, at: bytes.count - WordIndexFormat.endLength)
      guard let offset = end.number(Int64.self), let length = end.number(Int64.self) else {
        return nil
      }
      let part = bytes[Int(offset)..<Int(offset + length)]
      return WordIndexFormat.Directory(UnsafeRawBufferPointer(rebasing: part))
        .map { ($0, Int(offset)) }
    }
  }

  /// The sections with a directory whose checksums are right.
  private static func sealed(_ sections: Data, _ directory: WordIndexFormat.Directory) -> Data {
    var directory = directory
    sections.withUnsafeBytes { bytes in
      for (index, place) in directory.places.enumerated() {
        let part = bytes[place.offset..<(place.offset + place.length)]
        directory.places[index].checksum = XXHash64.hash(UnsafeRawBufferPointer(rebasing: part))
      }
    }
    let encoded = directory.encoded()
    var end: [UInt8] = []
    end.appendNumber(Int64(sections.count))
    end.appendNumber(Int64(encoded.count))
    end.appendNumber(encoded.withUnsafeBytes { XXHash64.hash($0) })
    return sections + encoded + end + WordIndexFormat.magic
  }

  @Test("Another version is refused as such")
  func version() throws {
    try WordCorpus.zipfian(50, vocabulary: 20, seed: 7).build(at: folder.index)
    var bytes = try Data(contentsOf: folder.index)
    bytes[8] = 9
    try bytes.write(to: folder.index)
    #expect(throws: WordIndexError.unsupportedVersion(path: folder.index.path, version: 9)) {
      try WordIndex(contentsOf: folder.index)
    }
    try FileManager.default.removeItem(at: folder.index)
    #expect(throws: WordIndexError.self) { try WordIndex(contentsOf: folder.index) }
  }

  // MARK: Coding

  @Test(
    "Checksums are those of the specification",
    arguments: [
      ("", 0xEF46_DB37_51D8_E999), ("a", 0xD24E_C4F1_A98C_6E5B), ("abc", 0x44BC_2CF5_AD77_0999),
      ("Nobody inspects the spammish repetition", 0xFBCE_A83C_8A37_8BF1),
    ] as [(String, UInt64)])
  func checksums(text: String, expected: UInt64) {
    let bytes = Array(text.utf8)
    #expect(bytes.withUnsafeBytes { XXHash64.hash($0) } == expected)
    for cut in bytes.indices {
      var hash = XXHash64()
      bytes[..<cut].withUnsafeBytes { hash.update($0) }
      bytes[cut...].withUnsafeBytes { hash.update($0) }
      #expect(hash.finish() == expected)
    }
  }

  @Test("A block of any width comes back as it was", arguments: 0...31)
  func blocks(width: Int) {
    var chance = SeededChance(UInt64(width))
    for count in [1, 2, 7, 8, 9, 63, 127, 128] {
      var ordinals: [UInt32] = []
      var last = Int.random(in: -1...5, using: &chance)
      let previous = last
      for _ in 0..<count {
        let distance = width == 0 ? 0 : Int.random(in: 0..<(1 << width), using: &chance)
        guard last + 1 + distance < Int(Int32.max) else { break }
        last += 1 + distance
        ordinals.append(UInt32(last))
      }
      guard !ordinals.isEmpty else { continue }
      var bytes: [UInt8] = []
      let used = BlockCoding.pack(ordinals, after: previous, into: &bytes)
      #expect(used <= width)
      #expect(bytes.count == BlockCoding.packedCount(ordinals.count, width: used))
      bytes += [UInt8](repeating: 0xFF, count: BlockCoding.padding)
      #expect(bytes.count >= BlockCoding.readCount(ordinals.count, width: used))
      let unpacked = [UInt32](unsafeUninitializedCapacity: 136) { buffer, filled in
        guard let start = buffer.baseAddress else { return }
        bytes.withUnsafeBytes { bytes in
          guard let source = bytes.baseAddress else { return }
          BlockCoding.unpack(
            source, count: ordinals.count, width: used, after: previous, into: start)
        }
        filled = ordinals.count
      }
      #expect(unpacked == ordinals)
    }
  }
}

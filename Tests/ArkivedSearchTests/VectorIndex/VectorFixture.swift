import ArkivedSearch
import Foundation

/// A private folder for an index, gone with the fixture, and vectors to put into it.
final class VectorFixture {
  let folder: URL
  var path: String { folder.appendingPathComponent("vectors").path }
  let dimensions: Int
  private var random: Splitmix

  /// What was added, by row; the same as the index should give.
  private(set) var rows: [(entry: VectorEntry, vector: [Float])] = []

  init(dimensions: Int = 64, seed: UInt64 = 1) throws {
    self.dimensions = dimensions
    random = Splitmix(state: seed)
    folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("vector-index-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  func writer(replacing: Bool = false) throws -> VectorIndexWriter {
    try VectorIndexWriter(
      at: path, embedder: "test 1", dimensions: dimensions, replacing: replacing)
  }

  func index() throws -> VectorIndex {
    try VectorIndex(at: path, embedder: "test 1", dimensions: dimensions)
  }

  /// Numbers around 0.
  func direction() -> [Float] {
    (0..<dimensions).map { _ in Float.random(in: -1...1, using: &random) }
  }

  func near(_ vector: [Float], by distance: Float) -> [Float] {
    zip(vector, direction()).map { $0 + distance * $1 }
  }

  /// Rows around a few directions, as sentences are around topics: two chunks a document.
  func makeRows(_ count: Int, topics: Int = 12, firstDocument: Int64 = 1) -> [(
    entry: VectorEntry, vector: [Float]
  )] {
    let centres = (0..<topics).map { _ in direction() }
    return (0..<count).map { row in
      let entry = VectorEntry(
        document: firstDocument + Int64(row / 2) * 8, chunk: row % 2 * 100..<row % 2 * 100 + 90,
        contentHash: UInt64.random(in: 1 ... .max, using: &random), day: Int32(row / 40))
      return (entry, near(centres[Int.random(in: 0..<topics, using: &random)], by: 0.6))
    }
  }

  /// Adds rows and notes them.
  func add(_ new: [(entry: VectorEntry, vector: [Float])], to writer: VectorIndexWriter) throws {
    try writer.append(new)
    rows += new
  }

  func forget(document: Int64) { forget(documents: [document]) }

  func forget(documents: Set<Int64>) { rows.removeAll { documents.contains($0.entry.document) } }

  /// A place of the text that a hash stands for.
  func entry(_ document: Int, hash: Int, day: Int = 0) -> VectorEntry {
    VectorEntry(
      document: Int64(document), chunk: 0..<7, contentHash: UInt64(hash), day: Int32(day))
  }

  /// The length of the file.
  var size: Int {
    get throws {
      try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0
    }
  }

  /// The answer to a query by comparing it with all rows; of equals, the higher document first.
  func expected(_ query: VectorQuery) -> [VectorMatch] {
    var best: [Int64: VectorMatch] = [:]
    for (entry, vector) in rows {
      guard query.days?.contains(entry.day) ?? true,
        query.allowed?.contains(entry.document) ?? true,
        !(query.excluded?.contains(entry.document) ?? false)
      else { continue }
      let score = Self.cosine(query.vector, vector)
      if score > best[entry.document]?.score ?? -2 {
        best[entry.document] = VectorMatch(
          document: entry.document, score: score, chunk: entry.chunk)
      }
    }
    let sorted = best.values.sorted {
      $0.score != $1.score ? $0.score > $1.score : $0.document > $1.document
    }
    return Array(sorted.prefix(query.limit))
  }

  static func cosine(_ a: [Float], _ b: [Float]) -> Float {
    var product: Float = 0
    var lengths: (Float, Float) = (0, 0)
    for (x, y) in zip(a, b) {
      product += x * y
      lengths.0 += x * x
      lengths.1 += y * y
    }
    return product / (lengths.0 * lengths.1).squareRoot()
  }

  /// The share of the expected documents that are among those found.
  static func recall(_ found: [VectorMatch], _ expected: [VectorMatch]) -> Double {
    guard !expected.isEmpty else { return found.isEmpty ? 1 : 0 }
    let documents = Set(found.map(\.document))
    return Double(expected.count { documents.contains($0.document) }) / Double(expected.count)
  }
}

/// Random numbers that are the same each time: SplitMix64.
struct Splitmix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }
}

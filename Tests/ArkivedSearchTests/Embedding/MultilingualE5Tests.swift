import ArkivedTestSupport
import CKernels
import Foundation
import Testing

@testable import ArkivedSearch

@Suite("Weights of four bits")
struct PackedKernelTests {
  /// Blocks with drawn scales and halves, and their values by the format's words.
  private func blocks(_ count: Int, seed: UInt64) -> (bytes: [UInt8], values: [Float]) {
    var numbers = DrawnNumbers(seed: seed)
    var (bytes, values): ([UInt8], [Float]) = ([], [])
    for block in 0..<count {
      // The last one's scale is below the smallest normal half float.
      let scale = Float16(numbers.next() * (block == count - 1 ? 3e-5 : 0.1))
      let halves = (0..<32).map { _ in UInt8(truncatingIfNeeded: Int(numbers.next() * 1000)) & 15 }
      withUnsafeBytes(of: scale.bitPattern.littleEndian) { bytes += $0 }
      bytes += (0..<16).map { halves[$0] | halves[$0 + 16] << 4 }
      values += halves.map { (Float($0) - 8) * Float(scale) }
    }
    return (bytes, values)
  }

  @Test("unpacked they are what the format says", arguments: KernelTests.levels)
  func unpack(level: Int32) throws {
    let kernels = try #require(ck_kernels_at(level)).pointee
    let (bytes, values) = blocks(12, seed: 4)
    var found = [Float](repeating: .nan, count: values.count + 1)
    kernels.unpack(bytes, values.count, &found)
    #expect(found.removeLast().isNaN)
    #expect(found == values)
  }

  @Test(
    "a product with them is the one with floats, to the last bit", arguments: KernelTests.levels,
    [1, 5, 49])
  func product(level: Int32, rows: Int) throws {
    let kernels = try #require(ck_kernels_at(level)).pointee
    for (inputs, outputs) in [(32, 4), (384, 68), (1536, 132)] {
      let (bytes, w) = blocks(inputs * outputs / 32, seed: 9)
      var numbers = DrawnNumbers(seed: 2)
      let x = numbers.floats(rows * inputs)
      let bias = numbers.floats(outputs)
      var expected = [Float](repeating: 0, count: rows * outputs)
      var found = [Float](repeating: .nan, count: rows * outputs)
      var room = [Float](repeating: .nan, count: Int(CK_PANEL_FLOATS))
      kernels.linear(x, rows, inputs, w, bias, outputs, &expected)
      kernels.packed_linear(x, rows, inputs, bytes, bias, outputs, &room, &found)
      #expect(found == expected)
    }
  }
}

@Suite("A file with a packed model")
struct PackedModelFileTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func refusal(of bytes: Data) throws -> String {
    let file = folder.url.appendingPathComponent(MultilingualE5.fileName)
    try bytes.write(to: file)
    let error = try #require(throws: EmbeddingError.self) { try MultilingualE5(folder: folder.url) }
    return "\(error)"
  }

  /// The sizes of the real model, and a number of pieces that nothing follows.
  private func header(magic: String = "E5S1", version: UInt32 = 1, width: Int32 = 384) -> Data {
    var data = Data(magic.utf8)
    withUnsafeBytes(of: version.littleEndian) { data.append(contentsOf: $0) }
    for size in [width, 12, 12, 1536, 250_037, 512, 2] as [Int32] {
      withUnsafeBytes(of: size.littleEndian) { data.append(contentsOf: $0) }
    }
    withUnsafeBytes(of: Float(1e-12).bitPattern.littleEndian) { data.append(contentsOf: $0) }
    for size in [32, 250_002, 0, 2, 1, 3] as [Int32] {
      withUnsafeBytes(of: size.littleEndian) { data.append(contentsOf: $0) }
    }
    return data
  }

  @Test("a different kind of file, another version and an end too early are refused, and where")
  func refusals() throws {
    #expect(try refusal(of: Data()).contains("a different kind of file"))
    #expect(try refusal(of: header(magic: "GGUF")).contains("a different kind of file"))
    #expect(
      try refusal(of: header(version: 2)).contains(
        "version: is 2, but this program reads version 1"))
    #expect(try refusal(of: header(width: 100)).contains("aren’t valid for an encoder"))
    #expect(try refusal(of: header().prefix(30)).contains("the file ends at byte 30"))
    #expect(try refusal(of: header()).contains("length of the pieces: is incomplete"))
    let huge = header() + Data(repeating: 0xFF, count: 64)
    #expect(try refusal(of: huge).contains("length of the pieces: is 18446744073709551615"))
  }

  @Test(
    "the real file cut anywhere is refused",
    .enabled(if: InstalledE5.isThere, "the embedding model is not here; ./setup fetches it"))
  func truncated() throws {
    let whole = try Data(
      contentsOf: InstalledE5.folder.url.appendingPathComponent(MultilingualE5.fileName),
      options: .alwaysMapped)
    for length in [100, 1_000_000, 10_000_000, whole.count - 1] {
      #expect(try refusal(of: whole.prefix(length)).contains(MultilingualE5.fileName))
    }
    #expect(try refusal(of: whole + Data([0])).contains("length: is 71622401 bytes, not 71622400"))
  }

  @Test(
    "a changed weight is found before an index is made with it",
    .enabled(if: InstalledE5.isThere, "the embedding model is not here; ./setup fetches it"))
  func changed() async throws {
    var bytes = try Data(
      contentsOf: InstalledE5.folder.url.appendingPathComponent(MultilingualE5.fileName))
    try await MultilingualE5(folder: InstalledE5.folder.url).check()
    bytes[60_000_000] ^= 1
    try bytes.write(to: folder.url.appendingPathComponent(MultilingualE5.fileName))
    let model = try MultilingualE5(folder: folder.url)
    let error = await #expect(throws: EmbeddingError.self) { try await model.check() }
    #expect(error.map { "\($0)".contains("checksum") } == true)
  }
}

/// The bilingual model, which `./setup --test` fetches beside the tests.
enum InstalledE5 {
  static let folder = EmbeddingModelFolder(
    URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
      .appendingPathComponent(".cache/models/\(EmbeddingModelFolder.name)"))
  static let isThere = folder.hasModel
}

@Suite(
  "multilingual-e5-small",
  .enabled(if: InstalledE5.isThere, "the embedding model is not here; ./setup fetches it"))
struct MultilingualE5Tests {
  private let model: MultilingualE5

  init() throws { model = try MultilingualE5(folder: InstalledE5.folder.url, threads: 2) }

  private func cosine(_ left: some Sequence<Float>, _ right: [Double]) -> Double {
    zip(left, right).reduce(0) { $0 + Double($1.0) * $1.1 }
  }

  @Test("its pieces and vectors are those of the formulas in numpy")
  func references() async throws {
    let together = try await model.embed(E5Reference.all.map(\.text))
    for (index, reference) in E5Reference.all.enumerated() {
      let tokens = model.tokens(of: reference.text, isQuery: reference.isQuery)
      #expect(tokens.count == reference.pieces, "\(reference.text)")
      let vector =
        reference.isQuery ? try model.vector(of: reference.text) : Array(together[index])
      let cosine = cosine(vector, reference.vector)
      #expect(cosine > 0.9999, "\(reference.text): \(cosine)")
    }
  }

  @Test("a text has the same vector alone and among others, and any text has one")
  func alone() async throws {
    let texts = [
      "", " ", "\n\t", "😀😀", "?!…", "a", "Grüße", "Gru\u{308}ße", "مرحبا", "東京",
      String(repeating: "Donaudampfschifffahrt ", count: 5_000),
      String(repeating: "x", count: 100_000),
      "\u{0}\u{FFFD}\u{200B}",
    ]
    let together = try await model.embed(texts)
    for (index, text) in texts.enumerated() {
      #expect(try await model.embed([text]).values == Array(together[index]))
      #expect(model.tokens(of: text, isQuery: false).count <= 512)
      let length = together[index].reduce(0) { $0 + $1 * $1 }
      #expect(abs(length - 1) < 1e-4, "\(text.prefix(20))")
    }
    // Letters whose accents stand apart are the same letters.
    #expect(together[6] == together[7])
  }

  @Test("a German question is nearer to its answer in either language than to other German texts")
  func languages() async throws {
    let query = try model.vector(of: "Wie war es beim Zahnarzt?").map(Double.init)
    let texts = try await model.embed([
      "The dentist pulled one of my teeth.", "Mir wurde ein Backenzahn gezogen.",
      "Der Zug nach Hamburg war wieder verspätet.", "Heute habe ich Brot gebacken.",
    ])
    let near = (0..<4).map { cosine(texts[$0], query) }
    #expect(min(near[0], near[1]) > max(near[2], near[3]) + 0.1, "\(near)")
  }

  @Test("its cosines are those by which it is read")
  func scale() async throws {
    let texts = try await model.embed(SimilarityScale.samples.map(\.1))
    var (related, unrelated) = (0.0, 0.0)
    for (row, sample) in SimilarityScale.samples.enumerated() {
      let query = try model.vector(of: sample.0).map(Double.init)
      for column in 0..<texts.count {
        let cosine = cosine(texts[column], query)
        if row == column { related += cosine / 8 } else { unrelated += cosine / 56 }
      }
    }
    #expect(abs(related - SimilarityScale.e5.related) < 0.005, "\(related)")
    #expect(abs(unrelated - SimilarityScale.e5.unrelated) < 0.005, "\(unrelated)")
  }

  @Test("words of either language are known")
  func words() {
    for word in ["journey", "garten", "friend"] { #expect(model.knowsWord(word), "\(word)") }
    for word in ["gartten", "jurney", "x1"] { #expect(!model.knowsWord(word), "\(word)") }
  }
}

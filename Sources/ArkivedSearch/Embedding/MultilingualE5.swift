package import Foundation

/// The sentence embedder multilingual-e5-small, run in this process: a BERT encoder of twelve
/// layers with four-bit weights, averaged over the tokens and normalised to length 1.
///
/// It reads about a hundred languages. Its weights stay in their mapped, packed file. The
/// components shared by all texts and by those of a language are removed from its vectors
/// (`E5Centre`).
package struct MultilingualE5: TextEmbedder {
  package let identity = "multilingual-e5-small-1"
  package let dimensions: Int
  package let scale = SimilarityScale.e5
  /// The largest number of threads that a call uses.
  package let threads: Int

  /// The name of its file.
  package static let fileName = "e5-small-q4.bin"
  /// The size of its file in bytes and its hash, for the version that this program knows.
  private static let known = (bytes: 71_622_400, hash: UInt64(0xB586_8E30_EBFF_2F14))

  private let file: PackedModelFile
  private let runner: BertRunner
  private let tokenizer: UnigramTokenizer

  /// Opens the model in a folder and checks the header, the directory, shapes and sizes, but not
  /// each weight.
  ///
  /// - Throws: `EmbeddingError` if the model or the server fails.
  package init(folder: URL, threads: Int = BertRunner.usualThreads) throws {
    file = try PackedModelFile(folder.appendingPathComponent(MultilingualE5.fileName))
    guard file.shape == .e5Small else {
      throw EmbeddingError.damagedModel(
        file: file.name, place: "sizes",
        reason: "belong to a model other than multilingual-e5-small")
    }
    guard file.bytes.count == MultilingualE5.known.bytes else {
      throw EmbeddingError.damagedModel(
        file: file.name, place: "length",
        reason: "is \(file.bytes.count) bytes, not \(MultilingualE5.known.bytes)")
    }
    dimensions = file.shape.width
    self.threads = max(threads, 1)
    tokenizer = UnigramTokenizer(file, limit: file.shape.positions)
    runner = BertRunner(
      shape: file.shape, weights: try BertWeights(file, shape: file.shape), model: file.bytes,
      threads: self.threads)
  }

  package var name: String { "multilingual-e5-small, built in" }

  package func chunks(of text: String, limits: ChunkLimits) -> [TextChunk] {
    TextChunk.estimated(text, limits: limits)
  }

  /// Returns true if the vocabulary contains the word as one piece.
  package func knowsWord(_ word: String) -> Bool {
    guard word.allSatisfy(\.isLetter) else { return false }
    // The other two tokens mark the beginning and the end; German nouns are capitalised in the
    // vocabulary.
    return [word, word.capitalized].contains { tokenizer.tokens(of: $0).count == 3 }
  }

  /// Returns the numbers of a text's pieces.
  package func tokens(of text: String, isQuery: Bool) -> [Int32] {
    // The model was trained with these prefixes.
    tokenizer.tokens(of: (isQuery ? "query: " : "passage: ") + text)
  }

  package func vector(of text: String) throws -> [Float] {
    var vector = try runner.vector(of: tokens(of: text, isQuery: true))
    vector.withUnsafeMutableBufferPointer { E5Centre.query.takeOff($0) }
    return vector
  }

  /// Checks that the file is intact, byte for byte.
  ///
  /// - Throws: `EmbeddingError.damagedModel`.
  @concurrent package func check() async throws {
    guard file.hash == MultilingualE5.known.hash else {
      throw EmbeddingError.damagedModel(
        file: file.name, place: "checksum", reason: "isn’t the one of the model")
    }
  }

  @concurrent package func embed(_ texts: [String]) async throws -> EmbeddedTexts {
    let raw = try await runner.embed(texts) { tokens(of: $0, isQuery: false) }
    var values = raw.values
    values.withUnsafeMutableBufferPointer { values in
      for start in stride(from: 0, to: values.count, by: dimensions) {
        E5Centre.passage.takeOff(
          UnsafeMutableBufferPointer(rebasing: values[start..<start + dimensions]))
      }
    }
    return EmbeddedTexts(dimensions: dimensions, values: values)
  }
}

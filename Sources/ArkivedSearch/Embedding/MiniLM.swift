import ArkivedCore
package import Foundation

/// The sentence embedder all-MiniLM-L6-v2, run in this process: a BERT encoder of six layers,
/// averaged over the tokens and normalised to length 1.
///
/// Its weights stay in their mapped file; a text of a dozen words takes a few milliseconds on one
/// thread.
package struct MiniLM: TextEmbedder {
  package let identity: String
  package let dimensions: Int
  package let scale = SimilarityScale.miniLM
  /// The ID of the model's vectors.
  package static let identity = "all-MiniLM-L6-v2"
  /// The tokenizer of the model.
  package let tokenizer: WordPieceTokenizer
  /// The largest number of threads that a call uses.
  package let threads: Int

  private let runner: BertRunner

  /// Opens the model in a folder and checks names, shapes and sizes, but not each weight.
  ///
  /// - Throws: `EmbeddingError` if the model or the server fails.
  package init(folder: URL, threads: Int = BertRunner.usualThreads) throws {
    try self.init(
      folder: folder, shape: .miniLM, limit: 256, identity: MiniLM.identity, threads: threads)
  }

  init(folder: URL, shape: BertShape, limit: Int, identity: String, threads: Int) throws {
    self.identity = identity
    self.threads = max(threads, 1)
    dimensions = shape.width
    tokenizer = try WordPieceTokenizer(
      vocabulary: folder.appendingPathComponent("vocab.txt"), limit: min(limit, shape.positions))
    let file = try SafetensorsFile(folder.appendingPathComponent("model.safetensors"))
    runner = BertRunner(
      shape: shape,
      weights: try BertWeights(file, shape: shape, vocabulary: tokenizer.vocabulary.count),
      model: file.bytes, threads: self.threads)
  }

  package var name: String { "\(identity), built in" }

  package func chunks(of text: String, limits: ChunkLimits) -> [TextChunk] {
    tokenizer.chunks(of: text, limits: limits)
  }

  /// Returns true if the vocabulary contains the word as one piece.
  package func knowsWord(_ word: String) -> Bool {
    // The other two tokens mark the beginning and the end.
    word.allSatisfy(\.isLetter) && tokenizer.tokens(of: word).count == 3
  }

  package func vector(of text: String) throws -> [Float] {
    try runner.vector(of: tokenizer.tokens(of: text))
  }

  @concurrent package func embed(_ texts: [String]) async throws -> EmbeddedTexts {
    try await runner.embed(texts) { tokenizer.tokens(of: $0) }
  }
}

import ArkivedCore
package import Foundation
import Synchronization

/// The sentence embedder all-MiniLM-L6-v2, run in this process: a BERT encoder of six layers, the
/// mean over the tokens, length 1.
///
/// Its weights stay in their file, mapped; a text of a dozen words takes some milliseconds on one
/// thread.
package struct MiniLM: TextEmbedder {
  package let identity: String
  package let dimensions: Int
  package let scale = SimilarityScale.miniLM
  /// Cuts texts as the model reads them.
  package let tokenizer: WordPieceTokenizer
  /// How many threads a call may keep busy.
  package let threads: Int

  private let shape: BertShape
  private let file: SafetensorsFile
  private let weights: BertWeights

  /// A batch's size: enough for the products to run at full speed, few enough that cancelling is
  /// quick and that what is between the layers stays in the processor's cache.
  private static let batchTokens = 256
  private static let batchTexts = 64

  /// Opens the model in a folder and checks it: names, shapes and sizes, not each weight.
  /// - Throws: `EmbeddingError`.
  package init(folder: URL, threads: Int = MiniLM.usualThreads) throws {
    try self.init(
      folder: folder, shape: .miniLM, limit: 256, identity: "all-MiniLM-L6-v2", threads: threads)
  }

  init(folder: URL, shape: BertShape, limit: Int, identity: String, threads: Int) throws {
    self.identity = identity
    self.shape = shape
    self.threads = max(threads, 1)
    dimensions = shape.width
    tokenizer = try WordPieceTokenizer(
      vocabulary: folder.appendingPathComponent("vocab.txt"), limit: min(limit, shape.positions))
    file = try SafetensorsFile(folder.appendingPathComponent("model.safetensors"))
    weights = try BertWeights(file, shape: shape, vocabulary: tokenizer.vocabulary.count)
  }

  /// All of a small machine, half of a large one.
  package static var usualThreads: Int {
    let processors = ProcessInfo.processInfo.activeProcessorCount
    return processors <= 4 ? processors : processors / 2
  }

  package var name: String { "\(identity), built in" }

  package func chunks(of text: String, limits: ChunkLimits) -> [TextChunk] {
    tokenizer.chunks(of: text, limits: limits)
  }

  /// Whether the vocabulary holds the word as one piece.
  package func knowsWord(_ word: String) -> Bool {
    // Between the pieces for begin and end.
    word.allSatisfy(\.isLetter) && tokenizer.tokens(of: word).count == 3
  }

  /// The vector of one short text, at once, on the calling thread.
  /// - Throws: `EmbeddingError`.
  package func vector(of text: String) throws -> [Float] {
    let tokens = tokenizer.tokens(of: text)
    let encoder = BertEncoder(
      shape: shape, weights: weights, tokens: tokens.count, longest: tokens.count)
    var vector: [Float] = []
    file.withBytes { encoder.append(vectorsOf: [tokens][...], model: $0, to: &vector) }
    guard vector.allSatisfy(\.isFinite) else { throw EmbeddingError.notFinite }
    return vector
  }

  @concurrent package func embed(_ texts: [String]) async throws -> EmbeddedTexts {
    let batches = try Batches(texts, tokenizer: tokenizer, threads: threads)
    var values = [Float](repeating: 0, count: texts.count * dimensions)
    try await withTaskCancellationHandler {
      try await withThrowingTaskGroup(of: [(batch: Range<Int>, vectors: [Float])].self) { group in
        for _ in 0..<min(threads, batches.ranges.count) {
          // Not a thread that tasks share: whoever waits for an answer needs those.
          group.addTask { try await onOwnThread(givesWay: true) { work(batches) } }
        }
        for try await finished in group { place(finished, of: batches, in: &values) }
      }
    } onCancel: {
      batches.cancel()
    }
    try Task.checkCancellation()
    guard values.allSatisfy(\.isFinite) else { throw EmbeddingError.notFinite }
    return EmbeddedTexts(dimensions: dimensions, values: values)
  }

  /// Takes batches until none is left.
  private func work(_ batches: Batches) -> [(batch: Range<Int>, vectors: [Float])] {
    guard let largest = batches.largest else { return [] }
    let encoder = BertEncoder(
      shape: shape, weights: weights, tokens: largest, longest: batches.longest)
    var finished: [(batch: Range<Int>, vectors: [Float])] = []
    while let batch = batches.next() {
      var vectors: [Float] = []
      vectors.reserveCapacity(batch.count * dimensions)
      file.withBytes {
        encoder.append(vectorsOf: batches.tokens[batch], model: $0, to: &vectors)
      }
      finished.append((batch, vectors))
    }
    return finished
  }

  private func place(
    _ finished: [(batch: Range<Int>, vectors: [Float])], of batches: Batches,
    in values: inout [Float]
  ) {
    for (batch, vectors) in finished {
      for (index, place) in batch.enumerated() {
        let start = batches.order[place] * dimensions
        values.replaceSubrange(
          start..<start + dimensions, with: vectors[index * dimensions..<(index + 1) * dimensions])
      }
    }
  }

  /// Texts in batches, longest first, so that the last to finish is a short one.
  private final class Batches: Sendable {
    /// Which text stands at each place.
    let order: [Int]
    /// The tokens of the text at each place.
    let tokens: [[Int32]]
    let ranges: [Range<Int>]
    /// The most tokens of a batch, if there is one.
    let largest: Int?
    /// The most tokens of a text.
    let longest: Int
    private let taken = Atomic<Int>(0)

    init(_ texts: [String], tokenizer: WordPieceTokenizer, threads: Int) throws {
      var tokens: [[Int32]] = []
      tokens.reserveCapacity(texts.count)
      for (index, text) in texts.enumerated() {
        if index % 256 == 0 { try Task.checkCancellation() }
        tokens.append(tokenizer.tokens(of: text))
      }
      let order = texts.indices.sorted { tokens[$0].count > tokens[$1].count }
      let total = tokens.reduce(0) { $0 + $1.count }
      let most = min(MiniLM.batchTokens, max(total / threads, 1))
      var ranges: [Range<Int>] = []
      var largest = 0
      var start = 0
      var size = 0
      for place in order.indices {
        let length = tokens[order[place]].count
        if place > start, size + length > most || place - start == MiniLM.batchTexts {
          ranges.append(start..<place)
          start = place
          size = 0
        }
        size += length
        largest = max(largest, size)
      }
      if start < order.count { ranges.append(start..<order.count) }
      self.order = order
      self.tokens = order.map { tokens[$0] }
      self.ranges = ranges
      self.largest = ranges.isEmpty ? nil : largest
      longest = order.first.map { tokens[$0].count } ?? 0
    }

    /// Leaves the batches that nobody has taken yet.
    func cancel() { taken.store(ranges.count, ordering: .relaxed) }

    /// A batch that nobody has taken yet.
    func next() -> Range<Int>? {
      let index = taken.add(1, ordering: .relaxed).oldValue
      return index < ranges.count ? ranges[index] : nil
    }
  }
}

import ArkivedCore
import Foundation
import Synchronization

/// Runs a BERT encoder over texts in batches, on its own threads.
package struct BertRunner: Sendable {
  private let shape: BertShape
  private let weights: BertWeights
  /// The mapped file of the weights.
  private let model: Data
  private let threads: Int

  private var width: Int { shape.width }

  /// The number of tokens in a batch: enough to run the products at full speed, and few enough to
  /// cancel quickly and keep the data between layers in the processor's cache.
  private static let batchTokens = 256
  private static let batchTexts = 64

  init(shape: BertShape, weights: BertWeights, model: Data, threads: Int) {
    self.shape = shape
    self.weights = weights
    self.model = model
    self.threads = threads
  }

  /// The default number of threads: all cores of a small machine, half of those of a large one.
  package static var usualThreads: Int {
    let processors = ProcessInfo.processInfo.activeProcessorCount
    return processors <= 4 ? processors : processors / 2
  }

  /// Returns the vector of one short text, immediately and on the calling thread.
  ///
  /// - Throws: `EmbeddingError.notFinite`.
  func vector(of tokens: [Int32]) throws -> [Float] {
    let encoder = BertEncoder(
      shape: shape, weights: weights, tokens: tokens.count, longest: tokens.count)
    var vector: [Float] = []
    model.withUnsafeBytes { encoder.append(vectorsOf: [tokens][...], model: $0, to: &vector) }
    guard vector.allSatisfy(\.isFinite) else { throw EmbeddingError.notFinite }
    return vector
  }

  /// Returns the vectors of texts, in order.
  ///
  /// - Parameters:
  ///   - texts: the texts.
  ///   - cut: returns the tokens of a text.
  /// - Returns: the vectors.
  /// - Throws: `CancellationError`, `EmbeddingError.notFinite`.
  @concurrent func embed(
    _ texts: [String], tokens cut: @Sendable (String) -> [Int32]
  ) async throws -> EmbeddedTexts {
    let batches = try Batches(texts, threads: threads, tokens: cut)
    var values = [Float](repeating: 0, count: texts.count * width)
    try await withTaskCancellationHandler {
      try await withThrowingTaskGroup(of: [(batch: Range<Int>, vectors: [Float])].self) { group in
        for _ in 0..<min(threads, batches.ranges.count) {
          // Threads shared by tasks are left free for those waiting for an answer.
          group.addTask { try await onOwnThread(givesWay: true) { work(batches) } }
        }
        for try await finished in group { place(finished, of: batches, in: &values) }
      }
    } onCancel: {
      batches.cancel()
    }
    try Task.checkCancellation()
    guard values.allSatisfy(\.isFinite) else { throw EmbeddingError.notFinite }
    return EmbeddedTexts(dimensions: width, values: values)
  }

  /// Processes batches until none is left.
  private func work(_ batches: Batches) -> [(batch: Range<Int>, vectors: [Float])] {
    guard let largest = batches.largest else { return [] }
    let encoder = BertEncoder(
      shape: shape, weights: weights, tokens: largest, longest: batches.longest)
    var finished: [(batch: Range<Int>, vectors: [Float])] = []
    while let batch = batches.next() {
      var vectors: [Float] = []
      vectors.reserveCapacity(batch.count * width)
      model.withUnsafeBytes {
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
        let start = batches.order[place] * width
        values.replaceSubrange(
          start..<start + width, with: vectors[index * width..<(index + 1) * width])
      }
    }
  }

  /// Texts in batches, longest first so that the last to finish is a short one.
  private final class Batches: Sendable {
    /// The index of the text at each position.
    let order: [Int]
    /// The tokens of the text at each position.
    let tokens: [[Int32]]
    let ranges: [Range<Int>]
    /// The largest number of tokens in a batch, if there is one.
    let largest: Int?
    /// The largest number of tokens in a text.
    let longest: Int
    private let taken = Atomic<Int>(0)

    init(_ texts: [String], threads: Int, tokens cut: (String) -> [Int32]) throws {
      var tokens: [[Int32]] = []
      tokens.reserveCapacity(texts.count)
      for (index, text) in texts.enumerated() {
        if index % 256 == 0 { try Task.checkCancellation() }
        tokens.append(cut(text))
      }
      let order = texts.indices.sorted { tokens[$0].count > tokens[$1].count }
      let total = tokens.reduce(0) { $0 + $1.count }
      let most = min(BertRunner.batchTokens, max(total / threads, 1))
      var ranges: [Range<Int>] = []
      var largest = 0
      var start = 0
      var size = 0
      for place in order.indices {
        let length = tokens[order[place]].count
        if place > start, size + length > most || place - start == BertRunner.batchTexts {
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

    /// Discards the batches that have not been started.
    func cancel() { taken.store(ranges.count, ordering: .relaxed) }

    /// Returns a batch that has not been started, or nil.
    func next() -> Range<Int>? {
      let index = taken.add(1, ordering: .relaxed).oldValue
      return index < ranges.count ? ranges[index] : nil
    }
  }
}

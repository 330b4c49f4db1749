import ArkivedCore
import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import Synchronization

/// An embedding model on a server, reached by its address.
package final class AddressEmbedder: TextEmbedder {
  package let settings: EmbeddingSettings
  package let identity: String
  package let dimensions: Int
  private let client: EmbeddingClient
  private let patience: Patience
  private let model: EmbeddingModelFolder
  /// The built-in model's vocabulary, if available, which is read when a text is first split.
  private let tokenizer = Mutex<WordPieceTokenizer??>(nil)
  /// The reason queries are not sent for the time being, and until when.
  private let trouble = Mutex<(until: ContinuousClock.Instant, error: EmbeddingError)?>(nil)

  /// The time to wait for answers.
  package struct Patience: Hashable, Sendable {
    /// The time allowed for a batch of texts, which is long because a server may have to load its
    /// model first.
    package var batch = Duration.seconds(120)
    /// The time allowed for a search, which otherwise continues by words only.
    package var search = Duration.seconds(2)
    /// The pause for searches after one that received no answer.
    package var rest = Duration.seconds(30)

    package init(
      batch: Duration = .seconds(120), search: Duration = .seconds(2), rest: Duration = .seconds(30)
    ) {
      self.batch = batch
      self.search = search
      self.rest = rest
    }
  }

  /// The number is small so that even a large model without a graphics card meets the deadline.
  private static let batch = 32
  /// A token has at least one byte, so every model that accepts 512 tokens can read this many.
  private static let bytes = 480

  /// Creates an embedder.
  ///
  /// - Parameters:
  ///   - settings: the address, the model and its dimensions.
  ///   - model: the folder with the vocabulary that splits texts, if available.
  ///   - patience: the time to wait for an answer.
  package init(
    _ settings: EmbeddingSettings, model: EmbeddingModelFolder, patience: Patience = Patience()
  ) {
    self.settings = settings
    self.model = model
    self.patience = patience
    identity = settings.identity
    dimensions = VectorWidth.padded(settings.width)
    client = EmbeddingClient(
      address: settings.address, model: settings.model, dimensions: settings.dimensions,
      token: settings.token, width: settings.width)
  }

  package var name: String { "\(settings.model) at \(settings.address)" }
  package var scale: SimilarityScale { settings.scale }

  /// Requests the vectors of some sentences from an address, and determines from them the settings
  /// to store.
  ///
  /// - Parameters:
  ///   - address: the address.
  ///   - model: the name of the model there.
  ///   - dimensions: the number of dimensions to request, or nil to leave it to the server.
  ///   - allowsRemote: true if the address may be another computer.
  ///   - token: the key for the address, if it needs one.
  ///   - patience: the time to wait for an answer.
  /// - Returns: the settings.
  /// - Throws: `EmbeddingError.address`.
  @concurrent package static func settings(
    for address: EmbeddingAddress, model: String, dimensions: Int?, allowsRemote: Bool,
    token: String?, patience: Patience = Patience()
  ) async throws -> EmbeddingSettings {
    let client = EmbeddingClient(
      address: address, model: model, dimensions: dimensions, token: token, width: nil)
    let (width, vectors) = try await client.vectors(
      of: SimilarityScale.sampleTexts, patience: patience.batch)
    if let dimensions, width != dimensions {
      throw EmbeddingError.address(
        address.url,
        problem: "was asked for vectors of \(dimensions) numbers, but returned \(width)")
    }
    return EmbeddingSettings(
      address: address, model: model, dimensions: dimensions, width: width,
      scale: SimilarityScale(samples: vectors), allowsRemote: allowsRemote, token: token)
  }

  // MARK: Texts

  package func chunks(of text: String, limits: ChunkLimits) -> [TextChunk] {
    var limits = limits
    limits.bytes = min(limits.bytes, Self.bytes)
    let tokenizer = tokenizer.withLock { tokenizer in
      if let tokenizer { return tokenizer }
      let found = try? WordPieceTokenizer(vocabulary: model.vocabulary)
      tokenizer = .some(found)
      return found
    }
    return tokenizer?.chunks(of: text, limits: limits)
      ?? TextChunk.estimated(text, limits: limits)
  }

  @concurrent package func embed(_ texts: [String]) async throws -> EmbeddedTexts {
    var values: [Float] = []
    values.reserveCapacity(texts.count * dimensions)
    for start in stride(from: 0, to: texts.count, by: Self.batch) {
      let batch = Array(texts[start..<min(start + Self.batch, texts.count)])
      values += try await client.vectors(of: batch, patience: patience.batch).vectors.values
    }
    // The server answers again.
    trouble.withLock { $0 = nil }
    return EmbeddedTexts(dimensions: dimensions, values: values)
  }

  @concurrent package func check() async throws {
    _ = try await client.vectors(of: [SimilarityScale.sampleTexts[0]], patience: patience.batch)
  }

  // MARK: Searches

  /// Returns the vector of a query.
  ///
  /// After a failure, the server is not used for a while, so that not every search has to wait.
  package func vector(of text: String) throws -> [Float] {
    if let trouble = trouble.withLock({ $0 }), trouble.until > .now { throw trouble.error }
    let limits = ChunkLimits(tokens: 200, overlap: 0, chunks: 1, bytes: Self.bytes)
    let part = TextChunk.estimated(text, limits: limits).first?.text ?? "?"
    do {
      let response = try wait(for: try client.send([part], patience: patience.batch))
      let vector = Array(try client.read(response, count: 1).vectors[0])
      trouble.withLock { $0 = nil }
      return vector
    } catch {
      let failure = client.failure(error, patience.search)
      trouble.withLock { $0 = (.now + patience.rest, failure) }
      throw failure
    }
  }

  /// Waits at most as long as a search may take.
  ///
  /// The request is not cancelled, because a server that is loading its model would start again
  /// with the next one.
  private func wait(for sending: EmbeddingClient.Sending) throws -> HTTPClient.Response {
    let answered = DispatchSemaphore(value: 0)
    let answer = Answer()
    sending.futureResult.whenComplete { [weak self] result in
      answer.result.withLock { $0 = result }
      // This also runs long after the search has continued.
      if case .success(let response) = result, response.status == .ok {
        self?.trouble.withLock { $0 = nil }
      }
      answered.signal()
    }
    let nanoseconds = Int(patience.search / .nanoseconds(1))
    guard answered.wait(timeout: .now() + .nanoseconds(nanoseconds)) == .success,
      let result = answer.result.withLock({ $0 })
    else { throw HTTPClientError.deadlineExceeded }
    return try result.get()
  }

  /// The answer for the waiting thread.
  private final class Answer: Sendable {
    let result = Mutex<Result<HTTPClient.Response, any Error>?>(nil)
  }
}

/// Converts texts to unit vectors whose scalar product measures the similarity of their meanings.
package protocol TextEmbedder: Sendable {
  /// The name of the model and version; vectors of different IDs must never be compared.
  var identity: String { get }

  /// The name shown to people.
  var name: String { get }

  /// The number of dimensions of a vector.
  var dimensions: Int { get }

  /// The scale of its similarities.
  var scale: SimilarityScale { get }

  /// Splits a text into parts that the model can read completely.
  func chunks(of text: String, limits: ChunkLimits) -> [TextChunk]

  /// Returns true if the model knows a word as a whole, which means it is not a typing mistake;
  /// false if it cannot tell.
  func knowsWord(_ word: String) -> Bool

  /// Returns the vector of one short query text immediately; longer ones are truncated.
  ///
  /// It blocks the calling thread, but never for long.
  ///
  /// - Throws: `EmbeddingError` if the model or the server fails.
  func vector(of text: String) throws -> [Float]

  /// Checks whether vectors are currently available.
  ///
  /// - Throws: `EmbeddingError` if the model or the server fails.
  @concurrent func check() async throws

  /// Returns one vector for each searched text, in order; texts longer than the model can read are
  /// truncated.
  ///
  /// A text's vector depends on that text alone, to the last bit, regardless of what is embedded
  /// with it.
  ///
  /// - Throws: `CancellationError` soon after the task was cancelled, or an `EmbeddingError`.
  @concurrent func embed(_ texts: [String]) async throws -> EmbeddedTexts
}

extension TextEmbedder {
  @concurrent package func check() async throws {}

  package func knowsWord(_ word: String) -> Bool { false }
}

/// The vectors of some texts, stored contiguously.
package struct EmbeddedTexts: Sendable, Equatable {
  /// The number of dimensions of each vector.
  package let dimensions: Int
  /// The numbers of all vectors, `count · dimensions` in total.
  package let values: [Float]

  package init(dimensions: Int, values: [Float]) {
    self.dimensions = dimensions
    self.values = values
  }

  /// The number of vectors.
  package var count: Int { dimensions == 0 ? 0 : values.count / dimensions }

  /// Returns the vector of the text at an index.
  package subscript(index: Int) -> ArraySlice<Float> {
    values[index * dimensions..<(index + 1) * dimensions]
  }
}

/// The reason no vectors are available, including the file or address at fault.
package enum EmbeddingError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The model is missing or cannot be read.
  case noModel(path: String, reason: String)
  /// A file of the model is invalid; `place` names a tensor, field or line.
  case damagedModel(file: String, place: String, reason: String)
  /// The model's weights produce values that are not numbers for these texts.
  case notFinite
  /// The address did not return embeddings; `problem` is the rest of a sentence.
  case address(String, problem: String)

  package var description: String {
    switch self {
    case .noModel(let path, let reason): "No embedding model at \(path): \(reason)."
    case .damagedModel(let file, let place, let reason):
      "The embedding model is damaged: \(file), \(place): \(reason). Delete it and download it again."
    case .notFinite:
      "The embedding model is damaged: its vectors contain invalid numbers. Delete it and "
        + "download it again."
    case .address(let address, let problem): "The embedding address \(address) \(problem)."
    }
  }
}

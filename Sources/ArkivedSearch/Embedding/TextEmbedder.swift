/// Turns texts into unit vectors whose scalar product tells how near their meanings are.
package protocol TextEmbedder: Sendable {
  /// Names model and version; vectors of different identities must never be compared.
  var identity: String { get }

  /// What a person calls it.
  var name: String { get }

  /// How many numbers a vector has.
  var dimensions: Int { get }

  /// How its similarities are to be read.
  var scale: SimilarityScale { get }

  /// Cuts a text into parts that the model can read whole.
  func chunks(of text: String, limits: ChunkLimits) -> [TextChunk]

  /// Whether it has learnt a word as a whole, so that it is no slip of the keys; false where it
  /// cannot tell.
  func knowsWord(_ word: String) -> Bool

  /// The vector of one short text that is searched for, at once; longer ones are cut. It blocks the calling thread, never
  /// for long.
  /// - Throws: `EmbeddingError`.
  func vector(of text: String) throws -> [Float]

  /// Looks whether there would be vectors now.
  /// - Throws: `EmbeddingError`.
  @concurrent func check() async throws

  /// One vector for each text that is searched, in the texts' order. Texts longer than the model reads are cut.
  ///
  /// A text's vector depends on that text alone, to the last bit, whatever is embedded with it.
  /// - Throws: `CancellationError` soon after the task was cancelled, or an `EmbeddingError`.
  @concurrent func embed(_ texts: [String]) async throws -> EmbeddedTexts
}

extension TextEmbedder {
  @concurrent package func check() async throws {}

  package func knowsWord(_ word: String) -> Bool { false }
}

/// The vectors of some texts, one behind the other.
package struct EmbeddedTexts: Sendable, Equatable {
  /// How many numbers each vector has.
  package let dimensions: Int
  /// All vectors' numbers; `count · dimensions` of them.
  package let values: [Float]

  package init(dimensions: Int, values: [Float]) {
    self.dimensions = dimensions
    self.values = values
  }

  /// How many vectors there are.
  package var count: Int { dimensions == 0 ? 0 : values.count / dimensions }

  /// The vector of the text at an index.
  package subscript(index: Int) -> ArraySlice<Float> {
    values[index * dimensions..<(index + 1) * dimensions]
  }
}

/// Why there are no vectors. Each says which file or place is at fault.
package enum EmbeddingError: Error, Hashable, Sendable, CustomStringConvertible {
  /// There is no model where one was looked for, or it cannot be read.
  case noModel(path: String, reason: String)
  /// A file of the model is not what it should be; `place` names a tensor, field or line.
  case damagedModel(file: String, place: String, reason: String)
  /// The model's weights make something that is no number of these texts.
  case notFinite
  /// The address for embeddings did not give them; `problem` is the rest of a sentence.
  case address(String, problem: String)

  package var description: String {
    switch self {
    case .noModel(let path, let reason): "No embedding model at \(path): \(reason)."
    case .damagedModel(let file, let place, let reason):
      "The embedding model is damaged: \(file), \(place): \(reason). Delete it and download it again."
    case .notFinite:
      "The embedding model is damaged: its vectors aren’t finite. Delete it and download it again."
    case .address(let address, let problem): "The embedding address \(address) \(problem)."
    }
  }
}

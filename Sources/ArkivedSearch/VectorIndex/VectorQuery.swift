package import ArkivedCore

/// What is asked of a vector index.
package struct VectorQuery: Sendable, Hashable {
  /// The question's vector, of any length but zero; the index makes it a unit vector.
  package var vector: [Float]

  /// How many documents to give at most.
  package var limit: Int

  /// The days a row may be of; nil for all.
  package var days: ClosedRange<Int32>?

  /// The only documents to give; nil for all.
  package var allowed: DocumentSet?

  /// Documents to leave out.
  package var excluded: DocumentSet?

  package init(
    vector: [Float], limit: Int = 20, days: ClosedRange<Int32>? = nil, allowed: DocumentSet? = nil,
    excluded: DocumentSet? = nil
  ) {
    self.vector = vector
    self.limit = limit
    self.days = days
    self.allowed = allowed
    self.excluded = excluded
  }
}

/// A document near a question, by the nearest of its chunks.
package struct VectorMatch: Sendable, Hashable {
  package var document: Int64

  /// The cosine of the angle between the question's vector and the chunk's: -1 … 1.
  package var score: Float

  /// The chunk's place in the document's text, in bytes of UTF-8.
  package var chunk: Range<Int>

  package init(document: Int64, score: Float, chunk: Range<Int>) {
    self.document = document
    self.score = score
    self.chunk = chunk
  }
}

/// What a vector index keeps of a chunk of text, beside its vector.
package struct VectorEntry: Sendable, Hashable {
  /// The full-text row number of the document that the chunk is of.
  package var document: Int64

  /// The chunk's place in the document's text, in bytes of UTF-8; below 4 GB.
  package var chunk: Range<Int>

  /// A hash of the chunk's text, by which the same text is known again.
  package var contentHash: UInt64

  /// The document's day, as a number that grows with time.
  package var day: Int32

  package init(document: Int64, chunk: Range<Int>, contentHash: UInt64, day: Int32) {
    self.document = document
    self.chunk = chunk
    self.contentHash = contentHash
    self.day = day
  }
}

/// Why a vector index did not do what it was asked.
package enum VectorIndexError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The file cannot serve: whoever keeps it makes it anew. Nothing is lost by that but time.
  case unusable(path: String, reason: Reason)

  /// Another process is writing to the index.
  case busy(path: String)

  /// A vector has another number of dimensions than the index.
  case wrongDimensions(expected: Int, found: Int)

  /// A vector has no direction: it is zero, or has numbers that are not finite.
  case noDirection

  /// What is to be kept of a chunk does not fit, as the text says.
  case invalidEntry(String)

  /// An earlier write failed; the writer has to be opened again.
  case interrupted(path: String)

  /// The operating system refused; `code` is its error number.
  case system(path: String, code: Int32)

  package enum Reason: Hashable, Sendable {
    /// There is no file.
    case missing
    /// It is no vector index, or one of a byte order or version that this program does not read.
    case foreign(String)
    /// Its vectors are of another model, of another version of it, or of other dimensions.
    case otherEmbedder(String)
    /// Its content is not what was written; the text names the place.
    case damaged(String)
  }

  package var description: String {
    switch self {
    case .unusable(let path, .missing): "\(path): there is no vector index."
    case .unusable(let path, .foreign(let what)): "\(path): \(what)"
    case .unusable(let path, .otherEmbedder(let what)): "\(path): made with \(what)."
    case .unusable(let path, .damaged(let place)): "\(path): damaged (\(place))."
    case .busy(let path): "\(path): another process is writing to the vector index."
    case .wrongDimensions(let expected, let found):
      "A vector has \(found) dimensions; the index has \(expected)."
    case .noDirection: "A vector is zero or not finite."
    case .invalidEntry(let what): what
    case .interrupted(let path): "\(path): an earlier write failed; open the vector index again."
    case .system(let path, let code): "\(path): \(systemMessage(code))"
    }
  }
}

package import ArkivedCore

/// A query of a vector index.
package struct VectorQuery: Sendable, Hashable {
  /// The query's vector, of any length but zero; the index normalises it.
  package var vector: [Float]

  /// The largest number of documents to return.
  package var limit: Int

  /// The days a row may belong to, or nil for all.
  package var days: ClosedRange<Int32>?

  /// The only documents to return, or nil for all.
  package var allowed: DocumentSet?

  /// Documents to skip.
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

/// A document near a query, represented by its nearest chunk.
package struct VectorMatch: Sendable, Hashable {
  package var document: Int64

  /// The cosine of the angle between the query's vector and the chunk's, from -1 to 1.
  package var score: Float

  /// The range of the chunk in the document's text, in bytes of UTF-8.
  package var chunk: Range<Int>

  package init(document: Int64, score: Float, chunk: Range<Int>) {
    self.document = document
    self.score = score
    self.chunk = chunk
  }
}

/// The data that a vector index stores for a chunk of text, in addition to its vector.
package struct VectorEntry: Sendable, Hashable {
  /// The full-text row number of the chunk's document.
  package var document: Int64

  /// The range of the chunk in the document's text, in bytes of UTF-8; below 4 GB.
  package var chunk: Range<Int>

  /// A hash of the chunk's text that identifies identical texts.
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

/// The reason an operation on a vector index failed.
package enum VectorIndexError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The file cannot be used and must be rebuilt, which costs only time.
  case unusable(path: String, reason: Reason)

  /// Another process is writing to the index.
  case busy(path: String)

  /// A vector's number of dimensions differs from the index's.
  case wrongDimensions(expected: Int, found: Int)

  /// A vector has no direction: it is zero or contains numbers that are not finite.
  case noDirection

  /// The data of a chunk is invalid, as described by the text.
  case invalidEntry(String)

  /// An earlier write failed, and the writer must be opened again.
  case interrupted(path: String)

  /// The operating system reported an error; `code` is its number.
  case system(path: String, code: Int32)

  package enum Reason: Hashable, Sendable {
    /// The file doesn't exist.
    case missing
    /// It is not a vector index, or has a byte order or version that this program does not read.
    case foreign(String)
    /// Its vectors are from another model or version, or have other dimensions.
    case otherEmbedder(String)
    /// Its contents are damaged; the text names the position.
    case damaged(String)
  }

  package var description: String {
    switch self {
    case .unusable(let path, .missing): "\(path): no vector index found."
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

import Synchronization

/// The vectors of an archive's text for search by meaning: derived data, stored next to the
/// archive.
///
/// This is the reading side, for any number of processes; one process writes, with
/// `VectorIndexWriter`. Every call checks the file again and sees the last commit. If the file was
/// replaced, it is opened again, while earlier calls continue with the old one. The file's format
/// is described in Documentation/FileFormat.md.
package final class VectorIndex: Sendable {
  private let path: String
  private let embedder: String
  private let dimensions: Int
  private let latest: Mutex<VectorSnapshot>

  /// Opens an index.
  ///
  /// - Parameters:
  ///   - path: the index's file.
  ///   - embedder: the model of the vectors, with its version.
  ///   - dimensions: the number of dimensions: a multiple of 64, at most 4,096.
  ///
  /// - Throws: `VectorIndexError.unusable` if the index doesn't exist.
  package init(at path: String, embedder: String, dimensions: Int = 384) throws {
    self.path = path
    self.embedder = embedder
    self.dimensions = dimensions
    latest = Mutex(
      try VectorSnapshot(path: path, embedder: embedder, dimensions: dimensions))
  }

  /// Returns the documents nearest to a vector, nearest first.
  ///
  /// - Throws: `VectorIndexError.unusable` if the index is missing or damaged, `.wrongDimensions`,
  ///   `.noDirection`.
  package func search(_ query: VectorQuery) throws -> [VectorMatch] {
    try VectorScan(query, of: current()).matches()
  }

  /// Returns the cosines of a vector with at most `count` texts spread evenly over the index, which
  /// show how near the archive's texts are to it by chance.
  ///
  /// - Throws: the same errors as `search`.
  package func sample(_ vector: [Float], count: Int) throws -> [Float] {
    try VectorScan(VectorQuery(vector: vector), of: current()).sample(count)
  }

  /// The number of chunks.
  package var count: Int { get throws { try current().count } }

  /// The number of distinct texts, including those without chunks until the next compaction.
  package var textCount: Int { get throws { try current().texts } }

  /// The number of the last commit, which grows as long as the file is the same.
  package var generation: UInt64 { get throws { try current().commit.sequence } }

  /// Returns the entries of a document's chunks, scanning all places.
  package func entries(of document: Int64) throws -> [VectorEntry] {
    var result: [VectorEntry] = []
    let snapshot = try current()
    try snapshot.forEachPlace { place in
      if snapshot.document(of: place) == document {
        result.append(try snapshot.entry(of: place))
      }
    }
    return result
  }

  /// Calls a closure with the entries of all chunks, in the order they were added.
  package func forEachEntry(_ body: (VectorEntry) throws -> Void) throws {
    let snapshot = try current()
    try snapshot.forEachPlace { try body(snapshot.entry(of: $0)) }
  }

  /// Reads the whole file and verifies the checksums.
  ///
  /// - Throws: `VectorIndexError.unusable` with the first damaged position.
  package func verify() throws { try current().verify() }

  /// Checks whether the file has grown or was replaced, as every call does by itself.
  ///
  /// - Throws: `VectorIndexError.unusable` if it is missing or belongs to another model.
  package func refresh() throws { _ = try current() }

  private func current() throws -> VectorSnapshot {
    try latest.withLock { snapshot in
      guard let identity = try FileIdentity(path: path) else {
        throw VectorIndexError.unusable(path: path, reason: .missing)
      }
      guard identity.isSameFile(as: snapshot.mapping.identity) else {
        snapshot = try VectorSnapshot(path: path, embedder: embedder, dimensions: dimensions)
        return snapshot
      }
      guard identity.size >= snapshot.mapping.length else {
        throw VectorIndexError.unusable(path: path, reason: .damaged("the file's length"))
      }
      let commit = try snapshot.mapping.latestCommit()
      if commit.sequence != snapshot.commit.sequence {
        try snapshot.advance(to: commit, embedder: embedder, dimensions: dimensions)
      }
      return snapshot
    }
  }
}

extension VectorSnapshot {
  /// Advances to another commit of the same file, which may have grown.
  fileprivate mutating func advance(
    to commit: VectorCommit, embedder: String, dimensions: Int
  ) throws {
    var mapping = mapping
    if !mapping.holds(commit) {
      let longer = try VectorMapping(path: mapping.path)
      guard longer.identity.isSameFile(as: mapping.identity) else {
        self = try VectorSnapshot(path: mapping.path, embedder: embedder, dimensions: dimensions)
        return
      }
      mapping = longer
    }
    // A damaged record can send a reader back to the previous commit.
    let isLater = commit.sequence > self.commit.sequence
    self = try VectorSnapshot(mapping: mapping, commit: commit, previous: isLater ? self : nil)
  }
}

import Synchronization

/// The vectors of an archive's text, for search by meaning: derived data, kept beside the archive.
///
/// This is the reading side, for any number of processes; one writes, with `VectorIndexWriter`.
/// Every call looks at the file anew and sees the last commit. A file that was replaced is opened
/// again, while calls that began before go on with the old one. The file's format is described in
/// Documentation/FileFormat.md.
package final class VectorIndex: Sendable {
  private let path: String
  private let embedder: String
  private let dimensions: Int
  private let latest: Mutex<VectorSnapshot>

  /// - Parameters:
  ///   - path: the index's file.
  ///   - embedder: the model whose vectors are wanted, with its version.
  ///   - dimensions: how many numbers a vector has: a multiple of 64, at most 4,096.
  /// - Throws: `VectorIndexError.unusable` when there is no such index.
  package init(at path: String, embedder: String, dimensions: Int = 384) throws {
    self.path = path
    self.embedder = embedder
    self.dimensions = dimensions
    latest = Mutex(
      try VectorSnapshot(path: path, embedder: embedder, dimensions: dimensions))
  }

  /// The documents nearest to a vector, nearest first.
  /// - Throws: `VectorIndexError.unusable` when the index is gone or damaged,
  ///   `.wrongDimensions`, `.noDirection`.
  package func search(_ query: VectorQuery) throws -> [VectorMatch] {
    try VectorScan(query, of: current()).matches()
  }

  /// The cosines of a vector with texts spread evenly over the index, at most so many: how near the
  /// archive's texts are to it by chance.
  /// - Throws: like `search`.
  package func sample(_ vector: [Float], count: Int) throws -> [Float] {
    try VectorScan(VectorQuery(vector: vector), of: current()).sample(count)
  }

  /// How many chunks it holds.
  package var count: Int { get throws { try current().count } }

  /// How many distinct texts it holds, with those that no chunk has any more, until the next
  /// compaction.
  package var textCount: Int { get throws { try current().texts } }

  /// The number of the last commit. It grows as long as the file is the same one.
  package var generation: UInt64 { get throws { try current().commit.sequence } }

  /// What is kept of a document's chunks. It goes over all places.
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

  /// Goes over what is kept of all chunks, in the order in which they were added.
  package func forEachEntry(_ body: (VectorEntry) throws -> Void) throws {
    let snapshot = try current()
    try snapshot.forEachPlace { try body(snapshot.entry(of: $0)) }
  }

  /// Reads all of it and compares the checksums.
  /// - Throws: `VectorIndexError.unusable` with the first place that is damaged.
  package func verify() throws { try current().verify() }

  /// Looks whether the file has grown or was replaced; each call does so by itself.
  /// - Throws: `VectorIndexError.unusable` when it is gone, or is another model's now.
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
  /// Moves on to another commit of the same file, which may have grown.
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
    // A damaged record can send a reader back to the commit before.
    let isLater = commit.sequence > self.commit.sequence
    self = try VectorSnapshot(mapping: mapping, commit: commit, previous: isLater ? self : nil)
  }
}

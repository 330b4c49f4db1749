/// The writing side of a vector index; there is one at a time.
///
/// Changes count, for readers and after a stop, from the next `commit` on; the writer itself sees
/// them at once. What is not committed when the writer goes away is gone. After an error of the
/// operating system (a full disk) all calls throw `.interrupted`; a new writer goes on from the
/// last commit.
///
/// It keeps about 30 bytes a row in memory, to find rows by document and by content.
package final class VectorIndexWriter {
  private let path: String
  private let header: VectorHeader
  private let lock: VectorLock
  private var file: VectorFile
  /// The file with what is not committed.
  private var snapshot: VectorSnapshot
  private var rowsByDocument = RowTable(capacity: 0)
  private var rowsByHash = RowTable(capacity: 0)
  /// For each row, one more than the one added before it for the same document, or 0.
  private var earlier: [UInt32] = []
  private var isInterrupted = false

  /// Opens an index, or makes an empty one where there is none.
  /// - Parameters:
  ///   - path: the index's file; beside it are a lock file and, at times, a new version.
  ///   - embedder: the model whose vectors it holds, with its version; at most 1,024 bytes.
  ///   - dimensions: how many numbers a vector has: a multiple of 64, at most 4,096.
  ///   - replacing: puts an empty index in the place of what is there, whatever it is.
  ///   - seconds: how long to wait for another writer.
  /// - Throws: `VectorIndexError.unusable` when there is something else or something damaged,
  ///   `.busy` when another process writes.
  package init(
    at path: String, embedder: String, dimensions: Int = 384, replacing: Bool = false,
    waits seconds: Double = 0
  ) throws {
    guard let layout = VectorLayout(dimensions: dimensions) else {
      throw VectorIndexError.invalidEntry(
        "A vector index has a multiple of 64 dimensions, at most 4,096, not \(dimensions).")
    }
    guard embedder.utf8.count <= VectorHeader.embedderLimit else {
      throw VectorIndexError.invalidEntry("The name of the embedder is too long.")
    }
    self.path = path
    header = VectorHeader(embedder: embedder, dimensions: dimensions)
    lock = try VectorLock(of: path, waits: seconds)
    try FileNames.remove(Self.draft(of: path))
    if try replacing || FileIdentity(path: path) == nil {
      _ = try VectorFile(creating: Self.draft(of: path), header: header, layout: layout)
      try FileNames.replace(path, with: Self.draft(of: path))
    }
    snapshot = try VectorSnapshot(path: path, embedder: embedder, dimensions: dimensions)
    file = try VectorFile(continuing: snapshot)
    learnRows(from: 0)
  }

  /// The name of a new version until it is whole.
  private static func draft(of path: String) -> String { path + ".new" }

  // MARK: Looking

  /// How many chunks it holds.
  package var count: Int { snapshot.count }

  /// How many removed rows still take up room, until `compact`.
  package var removedCount: Int { snapshot.commit.removals }

  /// What is kept of a document's chunks, in the order in which they were added.
  package func entries(of document: Int64) throws -> [VectorEntry] {
    try rows(of: document).map { try snapshot.entry(of: $0) }
  }

  /// Whether a chunk with that content is kept for a document.
  package func contains(document: Int64, contentHash: UInt64) -> Bool {
    let mapping = snapshot.mapping
    return rows(of: document).contains {
      mapping.values(of: .hashes, from: $0, as: UInt64.self).pointee == contentHash
    }
  }

  /// The vector of a text that was embedded before, for whatever document, even if that one is
  /// gone since.
  package func vector(forHash contentHash: UInt64) throws -> [Float]? {
    try rowsByHash.row(of: contentHash, keys: hashes).map { try snapshot.vector(of: $0) }
  }

  /// Goes over what is kept of all chunks, in the order in which they were added.
  package func forEachEntry(_ body: (VectorEntry) throws -> Void) throws {
    try snapshot.forEachRow { try body(snapshot.entry(of: $0)) }
  }

  // MARK: Changing

  /// Adds a chunk.
  /// - Parameter vector: of any length but zero; it is kept as a unit vector.
  package func append(_ entry: VectorEntry, vector: [Float]) throws {
    try append([(entry, vector)])
  }

  /// Adds chunks, which is quicker for many together. None is added when one does not fit.
  package func append(_ chunks: [(entry: VectorEntry, vector: [Float])]) throws {
    var rows = VectorRows()
    for chunk in chunks {
      let vector = try UnitVector.of(chunk.vector, dimensions: header.dimensions)
      try rows.append(chunk.entry, vector: vector)
    }
    try change { try file.append(rows) }
  }

  /// Removes a document's chunks.
  /// - Returns: how many there were.
  @discardableResult
  package func remove(document: Int64) throws -> Int {
    let rows = rows(of: document)
    guard !rows.isEmpty else { return 0 }
    try change { try file.remove(rows) }
    return rows.count
  }

  /// Puts a document's new chunks in the place of those it had. Committed together, a reader sees
  /// the ones or the others.
  package func replace(
    document: Int64, with chunks: [(entry: VectorEntry, vector: [Float])]
  ) throws {
    guard chunks.allSatisfy({ $0.entry.document == document }) else {
      throw VectorIndexError.invalidEntry("A chunk is not of document \(document).")
    }
    let rows = rows(of: document)
    try append(chunks)
    if !rows.isEmpty { try change { try file.remove(rows) } }
  }

  /// Makes all changes count, durably. Without changes it does nothing.
  package func commit() throws { try change { try file.commit() } }

  /// Commits, and writes the index anew without removed rows. Readers go over to the new file with
  /// their next search.
  /// - Throws: `VectorIndexError.unusable` when a block does not match its checksum.
  package func compact() throws {
    try commit()
    guard snapshot.commit.removals > 0 else { return }
    let draft = Self.draft(of: path)
    try FileNames.remove(draft)
    do {
      try write(to: VectorFile(creating: draft, header: header, layout: snapshot.layout))
      try FileNames.replace(path, with: draft)
    } catch {
      try? FileNames.remove(draft)
      throw error
    }
    isInterrupted = true
    snapshot = try VectorSnapshot(
      path: path, embedder: header.embedder, dimensions: header.dimensions)
    file = try VectorFile(continuing: snapshot)
    isInterrupted = false
    learnRows(from: 0)
  }

  /// Copies the rows that are left to another file.
  private func write(to new: VectorFile) throws {
    for block in 0..<VectorLayout.blocks(for: snapshot.rows) {
      try snapshot.verify(block: block)
      let first = block * VectorLayout.rowsPerBlock
      var rows = VectorRows()
      for row in first..<min(first + VectorLayout.rowsPerBlock, snapshot.rows)
      where !snapshot.isRemoved(row) {
        try rows.append(row, of: snapshot.mapping)
      }
      try new.append(rows)
    }
    try new.commit()
  }

  /// Writes, and takes notice of what was written.
  private func change(_ body: () throws -> Void) throws {
    guard !isInterrupted else { throw VectorIndexError.interrupted(path: path) }
    isInterrupted = true
    try body()
    let known = snapshot.rows
    let mapping =
      snapshot.mapping.holds(file.state) ? snapshot.mapping : try VectorMapping(path: path)
    snapshot = try VectorSnapshot(mapping: mapping, commit: file.state, previous: snapshot)
    isInterrupted = false
    learnRows(from: known)
  }

  // MARK: Finding rows

  private func documents(_ row: Int) -> UInt64 {
    snapshot.mapping.values(of: .documents, from: row, as: UInt64.self).pointee
  }

  private func hashes(_ row: Int) -> UInt64 {
    snapshot.mapping.values(of: .hashes, from: row, as: UInt64.self).pointee
  }

  /// A document's rows, without those removed, in the order in which they were added.
  private func rows(of document: Int64) -> [Int] {
    var rows: [Int] = []
    var next = rowsByDocument.row(of: UInt64(bitPattern: document), keys: documents)
    while let row = next {
      if !snapshot.isRemoved(row) { rows.append(row) }
      next = earlier[row] == 0 ? nil : Int(earlier[row]) - 1
    }
    return rows.reversed()
  }

  private func learnRows(from start: Int) {
    if start == 0 {
      rowsByDocument = RowTable(capacity: snapshot.rows)
      rowsByHash = RowTable(capacity: snapshot.rows)
      earlier = []
      earlier.reserveCapacity(snapshot.rows)
    }
    for row in start..<snapshot.rows {
      earlier.append(UInt32((rowsByDocument.set(row, keys: documents) ?? -1) + 1))
      rowsByHash.set(row, keys: hashes)
    }
  }
}

/// A vector index as it was at one commit: nothing in it changes any more.
struct VectorSnapshot: Sendable {
  let mapping: VectorMapping
  let commit: VectorCommit

  /// A bit for each row, set where it was removed; rows past its end were not.
  let removed: [UInt64]

  var layout: VectorLayout { mapping.layout }

  /// How many rows are in the file, with those removed.
  var rows: Int { commit.rows }

  /// How many rows are not removed.
  var count: Int { commit.rows - commit.removals }

  /// Opens an index and checks what is cheap to check: the header, the lengths, the commit record,
  /// the log of removals and the last block.
  /// - Throws: `VectorIndexError.unusable`.
  init(path: String, embedder: String, dimensions: Int) throws {
    let mapping = try VectorMapping(path: path)
    guard mapping.header.embedder == embedder, mapping.header.dimensions == dimensions else {
      let found = "\(mapping.header.embedder), \(mapping.header.dimensions) dimensions"
      throw VectorIndexError.unusable(path: path, reason: .otherEmbedder(found))
    }
    try self.init(mapping: mapping, commit: mapping.latestCommit(), previous: nil)
    try verifyRemovals()
    if rows > 0 { try verify(block: VectorLayout.blocks(for: rows) - 1) }
  }

  /// - Parameter previous: an earlier snapshot of the same file, whose work is continued.
  init(mapping: VectorMapping, commit: VectorCommit, previous: VectorSnapshot?) throws {
    guard mapping.holds(commit) else { throw mapping.damaged("the file's length") }
    var removed = previous?.removed ?? []
    let known = previous?.commit.removals ?? 0
    if commit.removals > known {
      let words = (commit.rows + 63) / 64
      removed.append(contentsOf: repeatElement(0, count: max(0, words - removed.count)))
      for entry in known..<commit.removals {
        let row = Int(mapping.values(of: .removals, from: entry, as: UInt32.self).pointee)
        guard row < commit.rows else { throw mapping.damaged("removal \(entry)") }
        removed[row / 64] |= 1 << UInt64(row % 64)
      }
    }
    self.mapping = mapping
    self.commit = commit
    self.removed = removed
  }

  func isRemoved(_ row: Int) -> Bool {
    row / 64 < removed.count && removed[row / 64] >> UInt64(row % 64) & 1 == 1
  }

  /// What is kept of a row beside its vector.
  func entry(of row: Int) throws -> VectorEntry {
    let chunk = mapping.values(of: .chunks, from: row, as: UInt32.self)
    guard chunk[0] <= chunk[1] else { throw mapping.damaged("the chunk of row \(row)") }
    return VectorEntry(
      document: mapping.values(of: .documents, from: row).pointee,
      chunk: Int(chunk[0])..<Int(chunk[1]),
      contentHash: mapping.values(of: .hashes, from: row).pointee,
      day: mapping.values(of: .days, from: row).pointee)
  }

  /// Checks all of it against the checksums.
  /// - Throws: `VectorIndexError.unusable` with the first place that is damaged.
  func verify() throws {
    try verifyRemovals()
    for block in 0..<VectorLayout.blocks(for: commit.rows) { try verify(block: block) }
  }

  /// Checks the rows of a block against their checksums.
  func verify(block: Int) throws {
    let isFull = (block + 1) * VectorLayout.rowsPerBlock <= commit.rows
    let count = isFull ? VectorLayout.rowsPerBlock : commit.rows % VectorLayout.rowsPerBlock
    let sums = isFull ? try mapping.seal(of: block).rowSums : commit.rowSums
    for (column, sum) in zip(VectorLayout.Column.ofRows, sums) {
      guard try mapping.checksum(of: column, block: block, count: count) == sum else {
        throw mapping.damaged("the \(column) of block \(block)")
      }
    }
  }

  private func verifyRemovals() throws {
    let full = commit.removals / VectorLayout.rowsPerBlock
    let rest = commit.removals % VectorLayout.rowsPerBlock
    for block in 0..<full {
      let sum = try mapping.removalSeal(of: block).sum
      try verifyRemovals(block: block, count: VectorLayout.rowsPerBlock, sum: sum)
    }
    if rest > 0 { try verifyRemovals(block: full, count: rest, sum: commit.removalSum) }
  }

  private func verifyRemovals(block: Int, count: Int, sum: UInt32) throws {
    guard try mapping.checksum(of: .removals, block: block, count: count) == sum else {
      throw mapping.damaged("the removals of block \(block)")
    }
  }
}

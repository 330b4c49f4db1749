import CVectorScan

/// An immutable view of a vector index at one commit.
struct VectorSnapshot: Sendable {
  let mapping: VectorMapping
  let commit: VectorCommit
  let directory: VectorDirectory

  /// One bit for each place, set if it was removed; places past the end were not.
  let removed: [UInt64]

  /// The places that pass without a filter, computed by the first search that needs them.
  let remaining = RemainingPlaces()

  var layout: VectorLayout { mapping.layout }

  /// The number of texts in the file, including unused ones.
  var texts: Int { commit.texts.rows }

  /// The number of places in the file, including removed ones.
  var places: Int { commit.places.rows }

  /// The number of places that are not removed.
  var count: Int { places - commit.removals }

  /// Opens an index and performs the cheap checks: the header, the lengths, the commit record, the
  /// directory, the removal log and the last block of each table.
  ///
  /// - Throws: `VectorIndexError.unusable` if a check fails.
  init(path: String, embedder: String, dimensions: Int) throws {
    let mapping = try VectorMapping(path: path)
    guard mapping.header.embedder == embedder, mapping.header.dimensions == dimensions else {
      let found = "\(mapping.header.embedder), \(mapping.header.dimensions) dimensions"
      throw VectorIndexError.unusable(path: path, reason: .otherEmbedder(found))
    }
    try self.init(mapping: mapping, commit: mapping.latestCommit(), previous: nil)
    try verifyRemovals()
    for table in VectorTable.allCases where !directory[table].isEmpty {
      try verify(table, block: directory[table].count - 1)
    }
  }

  /// Creates a snapshot of a commit.
  ///
  /// - Parameters:
  ///   - mapping: the file in memory.
  ///   - commit: the commit.
  ///   - previous: an earlier snapshot of the same file, whose work is reused.
  /// - Throws: `VectorIndexError.unusable` if the file is damaged.
  init(mapping: VectorMapping, commit: VectorCommit, previous: VectorSnapshot?) throws {
    guard mapping.holds(commit) else { throw mapping.damaged("the file's length") }
    try self.init(
      mapping: mapping, commit: commit, directory: mapping.directory(of: commit),
      previous: previous)
  }

  /// Creates a snapshot.
  ///
  /// - Parameters:
  ///   - mapping: the file in memory.
  ///   - commit: the commit.
  ///   - directory: the directory at the commit.
  ///   - previous: an earlier snapshot of the same file, whose work is reused.
  /// - Throws: `VectorIndexError.unusable` if the file is damaged.
  init(
    mapping: VectorMapping, commit: VectorCommit, directory: VectorDirectory,
    previous: VectorSnapshot?
  ) throws {
    self.mapping = mapping
    self.commit = commit
    self.directory = directory
    var removed = previous?.removed ?? []
    let known = previous?.commit.removals ?? 0
    if commit.removals > known {
      let words = (commit.places.rows + 63) / 64
      removed.append(contentsOf: repeatElement(0, count: max(0, words - removed.count)))
      for entry in known..<commit.removals {
        let layout = mapping.layout
        let block = directory.places[entry / layout.placesPerBlock]
        let offset =
          layout.start(of: .removals, block: block) + entry % layout.placesPerBlock * 4
        let place = Int(mapping.pointer(to: offset, as: UInt32.self).pointee)
        guard place < commit.places.rows else { throw mapping.damaged("removal \(entry)") }
        removed[place / 64] |= 1 << UInt64(place % 64)
      }
    }
    self.removed = removed
  }

  // MARK: Values

  /// Returns the offset of a row's value in the file.
  func offset(of column: VectorLayout.Column, row: Int) -> Int {
    let perBlock = layout.rowsPerBlock(of: column.table)
    return layout.start(of: column, block: directory[column.table][row / perBlock])
      + row % perBlock * layout.size(of: column)
  }

  /// Returns the values of a column from a row to the end of its block.
  func values<Value: BitwiseCopyable>(
    of column: VectorLayout.Column, from row: Int, as type: Value.Type = Value.self
  ) -> UnsafePointer<Value> {
    mapping.pointer(to: offset(of: column, row: row))
  }

  func hash(of text: Int) -> UInt64 {
    values(of: .hashes, from: text, as: UInt64.self).pointee
  }

  func document(of place: Int) -> Int64 {
    values(of: .documents, from: place, as: Int64.self).pointee
  }

  /// Returns the number of a place's text.
  func text(of place: Int) throws -> Int {
    let text = Int(values(of: .texts, from: place, as: UInt32.self).pointee)
    guard text < texts else { throw mapping.damaged("the text of place \(place)") }
    return text
  }

  /// Returns the range of a place in its document.
  func chunk(of place: Int) throws -> Range<Int> {
    let chunk = values(of: .chunks, from: place, as: UInt32.self)
    guard chunk[0] <= chunk[1] else { throw mapping.damaged("the chunk of place \(place)") }
    return Int(chunk[0])..<Int(chunk[1])
  }

  func entry(of place: Int) throws -> VectorEntry {
    VectorEntry(
      document: document(of: place), chunk: try chunk(of: place),
      contentHash: hash(of: try text(of: place)),
      day: values(of: .days, from: place).pointee)
  }

  /// Reads a text's vector into `halves`, which must have sufficient capacity.
  func readVector(of text: Int, into halves: UnsafeMutablePointer<UInt16>) throws {
    let buffer = UnsafeMutableRawBufferPointer(start: halves, count: layout.size(of: .vectors))
    try mapping.read(into: buffer, at: offset(of: .vectors, row: text))
  }

  /// Returns a text's vector.
  func vector(of text: Int) throws -> [Float] {
    var halves = [UInt16](repeating: 0, count: layout.dimensions)
    try halves.withUnsafeMutableBufferPointer { buffer in
      guard let start = buffer.baseAddress else { return }
      try readVector(of: text, into: start)
    }
    return [Float](unsafeUninitializedCapacity: halves.count) { buffer, count in
      vector_scan_from_half(halves, halves.count, buffer.baseAddress)
      count = halves.count
    }
  }

  func isRemoved(_ place: Int) -> Bool {
    place / 64 < removed.count && removed[place / 64] >> UInt64(place % 64) & 1 == 1
  }

  /// Calls a closure with each place that is not removed.
  func forEachPlace(_ body: (Int) throws -> Void) rethrows {
    for place in 0..<places where !isRemoved(place) { try body(place) }
  }

  // MARK: Checksums

  /// Verifies the checksums of the whole file.
  ///
  /// - Throws: `VectorIndexError.unusable` with the first damaged position.
  func verify() throws {
    try verifyRemovals()
    for table in VectorTable.allCases {
      for block in directory[table].indices { try verify(table, block: block) }
    }
  }

  /// Verifies the rows of one of a table's blocks.
  func verify(_ table: VectorTable, block: Int) throws {
    let perBlock = layout.rowsPerBlock(of: table)
    let count = min(perBlock, commit[table].rows - block * perBlock)
    let number = directory[table][block]
    let sums =
      count == perBlock
      ? try mapping.seal(
        of: number, at: layout.seal(block: number), count: table.columns.count)
      : commit[table].sums
    for (column, sum) in zip(table.columns, sums) {
      guard try mapping.checksum(of: column, block: number, count: count) == sum else {
        throw mapping.damaged("the \(column) of block \(number)")
      }
    }
  }

  private func verifyRemovals() throws {
    let perBlock = layout.placesPerBlock
    for start in stride(from: 0, to: commit.removals, by: perBlock) {
      let count = min(perBlock, commit.removals - start)
      let block = directory.places[start / perBlock]
      let sum =
        count == perBlock
        ? try mapping.seal(of: block, at: layout.removalSeal(block: block), count: 1)[0]
        : commit.removalSum
      guard try mapping.checksum(of: .removals, block: block, count: count) == sum else {
        throw mapping.damaged("the removals of block \(block)")
      }
    }
  }
}

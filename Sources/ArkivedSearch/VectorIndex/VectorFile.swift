import CVectorScan

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Rows of a table in the layout of the file, column by column.
struct VectorRows {
  let table: VectorTable
  private(set) var count = 0
  /// The values of each of the table's columns, in order.
  private(set) var columns: [[UInt8]]

  init(_ table: VectorTable) {
    self.table = table
    columns = [[UInt8]](repeating: [], count: table.columns.count)
  }

  /// Adds a text.
  ///
  /// - Parameters:
  ///   - hash: the hash of the text.
  ///   - vector: a unit vector.
  mutating func append(text hash: UInt64, vector: [Float]) {
    var halves = [UInt16](repeating: 0, count: vector.count)
    vector_scan_to_half(vector, vector.count, &halves)
    for word in UnitVector.signs(of: vector) { put(word, 0) }
    put(hash, 1)
    halves.withUnsafeBytes { columns[2] += $0 }
    count += 1
  }

  /// Adds a place of the text with a number.
  ///
  /// - Throws: `VectorIndexError.invalidEntry` if the entry's numbers are out of range.
  mutating func append(place entry: VectorEntry, text: Int) throws {
    guard let start = UInt32(exactly: entry.chunk.lowerBound),
      let end = UInt32(exactly: entry.chunk.upperBound)
    else { throw VectorIndexError.invalidEntry("A chunk is not within 4 GB: \(entry.chunk).") }
    put(entry.document, 0)
    put(entry.day, 1)
    put(start, 2)
    put(end, 2)
    put(UInt32(text), 3)
    count += 1
  }

  /// Adds a text of another file, bit for bit.
  mutating func append(text row: Int, of snapshot: VectorSnapshot) throws {
    let size = snapshot.layout.size(of: .signs)
    columns[0] += UnsafeRawBufferPointer(
      start: snapshot.values(of: .signs, from: row, as: UInt8.self), count: size)
    put(snapshot.hash(of: row), 1)
    // The mapping is not used here, because it would keep the pages in memory.
    columns[2] += try snapshot.mapping.read(
      snapshot.layout.size(of: .vectors), at: snapshot.offset(of: .vectors, row: row))
    count += 1
  }

  private mutating func put(_ number: some FixedWidthInteger, _ column: Int) {
    withUnsafeBytes(of: number.littleEndian) { columns[column] += $0 }
  }
}

/// The file of a vector index during writing.
///
/// Rows are written after the committed ones, and a commit record then makes them valid. A process
/// that stops at any point leaves the last commit intact. After an error of the operating system,
/// the object must not be used any more.
final class VectorFile {
  let path: String
  let layout: VectorLayout

  /// The contents of the file, including uncommitted rows.
  private(set) var state: VectorCommit
  private var committed: VectorCommit
  private(set) var directory: VectorDirectory
  private let descriptor: Int32
  private var length: Int

  /// Creates an empty index under a name that doesn't exist yet and that no one has open.
  init(creating path: String, header: VectorHeader, layout: VectorLayout) throws {
    self.path = path
    self.layout = layout
    state = VectorCommit()
    committed = state
    directory = VectorDirectory()
    length = VectorLayout.headerSize
    descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw VectorIndexError.system(path: path, code: errno) }
    try write(header.bytes, at: 0)
    try call { ftruncate(descriptor, off_t(length)) }
    try writeCommit()
  }

  /// Opens an index for appending to a snapshot of it.
  init(continuing snapshot: VectorSnapshot) throws {
    path = snapshot.mapping.path
    layout = snapshot.layout
    state = snapshot.commit
    committed = state
    directory = snapshot.directory
    length = snapshot.mapping.length
    descriptor = open(path, O_RDWR | O_CLOEXEC)
    guard descriptor >= 0 else { throw VectorIndexError.system(path: path, code: errno) }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Writes rows, which become valid with `commit`.
  func append(_ rows: VectorRows) throws {
    let table = rows.table
    let perBlock = layout.rowsPerBlock(of: table)
    guard rows.count <= layout.rowLimit(of: table) - state[table].rows else {
      throw VectorIndexError.invalidEntry(
        "A vector index holds \(layout.rowLimit(of: table)) \(table).")
    }
    var done = 0
    while done < rows.count {
      let inBlock = state[table].rows % perBlock
      let run = done..<min(rows.count, done + perBlock - inBlock)
      if inBlock == 0 { try extend(table) }
      let block = directory[table][state[table].rows / perBlock]
      for (index, column) in table.columns.enumerated() {
        let size = layout.size(of: column)
        let bytes = rows.columns[index][run.lowerBound * size..<run.upperBound * size]
        try write(bytes, at: layout.start(of: column, block: block) + inBlock * size)
        state[table].sums[index] = bytes.withUnsafeBytes {
          checksum($0, after: state[table].sums[index])
        }
      }
      state[table].rows += run.count
      done = run.upperBound
      if state[table].rows % perBlock == 0 {
        let seal = BlockSeal(block: block, sums: state[table].sums)
        try write(seal.bytes, at: layout.seal(block: block))
        state[table].sums = VectorTableState(table).sums
      }
    }
  }

  /// Writes the numbers of places that are removed from the next commit on; each may be removed
  /// once.
  func remove(_ places: [Int]) throws {
    let perBlock = layout.placesPerBlock
    var done = 0
    while done < places.count {
      let inBlock = state.removals % perBlock
      let block = directory.places[state.removals / perBlock]
      let run = places[done..<min(places.count, done + perBlock - inBlock)]
      var entries = RecordWriter()
      for place in run { entries.put(UInt32(place)) }
      try write(entries.bytes, at: layout.start(of: .removals, block: block) + inBlock * 4)
      state.removalSum = entries.bytes.withUnsafeBytes { checksum($0, after: state.removalSum) }
      state.removals += run.count
      done = run.endIndex
      if state.removals % perBlock == 0 {
        let seal = BlockSeal(block: block, sums: [state.removalSum])
        try write(seal.bytes, at: layout.removalSeal(block: block))
        state.removalSum = 0
      }
    }
  }

  /// Commits the written rows durably.
  func commit() throws {
    guard state != committed else { return }
    try flush()
    try writeCommit()
  }

  private func writeCommit() throws {
    state.sequence += 1
    try write(state.bytes, at: state.place)
    try flush()
    committed = state
  }

  /// Assigns the next block at the end of the file to a table, and extends the file accordingly.
  private func extend(_ table: VectorTable) throws {
    let block = directory.count
    guard block < VectorLayout.blockLimit else {
      throw VectorIndexError.invalidEntry(
        "A vector index holds \(VectorLayout.blockLimit) blocks.")
    }
    let needed = layout.fileSize(blocks: block + 1)
    if needed > length {
      try call { ftruncate(descriptor, off_t(needed)) }
      length = needed
    }
    let byte = [table.rawValue]
    try write(byte, at: VectorLayout.directoryStart + block)
    state.directorySum = byte.withUnsafeBytes { checksum($0, after: state.directorySum) }
    directory.append(table)
  }

  private func write(_ bytes: some ContiguousBytesOfFile, at offset: Int) throws {
    try bytes.withUnsafeBytes { buffer in
      guard let start = buffer.baseAddress else { return }
      var done = 0
      while done < buffer.count {
        let count = pwrite(descriptor, start + done, buffer.count - done, off_t(offset + done))
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { throw VectorIndexError.system(path: path, code: errno) }
        done += count
      }
    }
  }

  private func flush() throws {
    #if canImport(Darwin)
      try call { fsync(descriptor) }
    #else
      try call { fdatasync(descriptor) }
    #endif
  }

  private func call(_ body: () -> Int32) throws {
    while body() != 0 {
      guard errno == EINTR else { throw VectorIndexError.system(path: path, code: errno) }
    }
  }
}

/// Bytes stored contiguously.
protocol ContiguousBytesOfFile {
  func withUnsafeBytes<Result>(
    _ body: (UnsafeRawBufferPointer) throws -> Result
  ) rethrows -> Result
}

extension [UInt8]: ContiguousBytesOfFile {}
extension ArraySlice<UInt8>: ContiguousBytesOfFile {}

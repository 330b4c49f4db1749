import CVectorScan

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Rows as they are in the file, column by column.
struct VectorRows {
  private(set) var count = 0
  /// The values of each of `Column.ofRows`, one after another.
  private(set) var columns = [[UInt8]](repeating: [], count: VectorLayout.Column.ofRows.count)
  private(set) var days: [Int32] = []

  /// - Parameter vector: a unit vector.
  /// - Throws: `VectorIndexError.invalidEntry`.
  mutating func append(_ entry: VectorEntry, vector: [Float]) throws {
    guard let start = UInt32(exactly: entry.chunk.lowerBound),
      let end = UInt32(exactly: entry.chunk.upperBound)
    else { throw VectorIndexError.invalidEntry("A chunk is not within 4 GB: \(entry.chunk).") }
    var halves = [UInt16](repeating: 0, count: vector.count)
    vector_scan_to_half(vector, vector.count, &halves)
    for word in UnitVector.signs(of: vector) { put(word, .signs) }
    put(entry.document, .documents)
    put(entry.day, .days)
    put(start, .chunks)
    put(end, .chunks)
    put(entry.contentHash, .hashes)
    halves.withUnsafeBytes { columns[VectorLayout.Column.vectors.rawValue] += $0 }
    days.append(entry.day)
    count += 1
  }

  /// Adds a row of another file, bit for bit.
  mutating func append(_ row: Int, of mapping: VectorMapping) throws {
    for column in VectorLayout.Column.ofRows where column != .vectors {
      columns[column.rawValue] += UnsafeRawBufferPointer(
        start: mapping.values(of: column, from: row, as: UInt8.self),
        count: mapping.layout.size(of: column))
    }
    // Not through the mapping, which would keep the pages in memory.
    columns[VectorLayout.Column.vectors.rawValue] += try mapping.read(
      mapping.layout.size(of: .vectors), at: mapping.layout.place(of: .vectors, row: row))
    days.append(mapping.values(of: .days, from: row).pointee)
    count += 1
  }

  private mutating func put(_ number: some FixedWidthInteger, _ column: VectorLayout.Column) {
    withUnsafeBytes(of: number.littleEndian) { columns[column.rawValue] += $0 }
  }
}

/// The file of a vector index while it is written.
///
/// Rows are written behind those that count, and a commit record then makes them count. A process
/// that is stopped anywhere leaves the last commit as it was. After an error of the operating
/// system the object must not be used any more.
final class VectorFile {
  let path: String
  let layout: VectorLayout

  /// What is in the file, counting what is not committed.
  private(set) var state: VectorCommit
  private var committed: VectorCommit
  private let descriptor: Int32
  private var blocks: Int
  /// The days of the rows of the last block.
  private var firstDay = Int32.max
  private var lastDay = Int32.min

  /// Makes an empty index that nobody may have open: there is no file of that name.
  init(creating path: String, header: VectorHeader, layout: VectorLayout) throws {
    self.path = path
    self.layout = layout
    state = VectorCommit()
    committed = state
    blocks = 0
    descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw VectorIndexError.system(path: path, code: errno) }
    try write(header.bytes, at: 0)
    try call { ftruncate(descriptor, off_t(layout.fileSize(blocks: 0))) }
    try writeCommit()
  }

  /// Opens an index to write behind a snapshot of it.
  init(continuing snapshot: VectorSnapshot) throws {
    path = snapshot.mapping.path
    layout = snapshot.layout
    state = snapshot.commit
    committed = state
    blocks = (snapshot.mapping.length - VectorLayout.headerSize) / layout.blockSize
    let rest = state.rows % VectorLayout.rowsPerBlock
    if rest > 0 {
      let days = UnsafeBufferPointer(
        start: snapshot.mapping.values(of: .days, from: state.rows - rest, as: Int32.self),
        count: rest)
      firstDay = days.min() ?? .max
      lastDay = days.max() ?? .min
    }
    descriptor = open(path, O_RDWR | O_CLOEXEC)
    guard descriptor >= 0 else { throw VectorIndexError.system(path: path, code: errno) }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Writes rows, which do not count before `commit`.
  func append(_ rows: VectorRows) throws {
    guard state.rows + rows.count <= VectorLayout.rowLimit else {
      throw VectorIndexError.invalidEntry("A vector index holds \(VectorLayout.rowLimit) rows.")
    }
    var done = 0
    while done < rows.count {
      let inBlock = state.rows % VectorLayout.rowsPerBlock
      let run = done..<min(rows.count, done + VectorLayout.rowsPerBlock - inBlock)
      if inBlock == 0 { try extend() }
      for (index, column) in VectorLayout.Column.ofRows.enumerated() {
        let size = layout.size(of: column)
        let bytes = rows.columns[index][run.lowerBound * size..<run.upperBound * size]
        try write(bytes, at: layout.place(of: column, row: state.rows))
        state.rowSums[index] = bytes.withUnsafeBytes {
          checksum($0, after: state.rowSums[index])
        }
      }
      firstDay = min(firstDay, rows.days[run].min() ?? .max)
      lastDay = max(lastDay, rows.days[run].max() ?? .min)
      state.rows += run.count
      done = run.upperBound
      if state.rows % VectorLayout.rowsPerBlock == 0 { try sealBlock() }
    }
  }

  /// Writes the numbers of rows that are to be left out from the next commit on. Each may be
  /// removed once.
  func remove(_ rows: [Int]) throws {
    for row in rows {
      var entry = RecordWriter()
      entry.put(UInt32(row))
      try write(entry.bytes, at: layout.place(of: .removals, row: state.removals))
      state.removalSum = entry.bytes.withUnsafeBytes { checksum($0, after: state.removalSum) }
      state.removals += 1
      if state.removals % VectorLayout.rowsPerBlock == 0 {
        let block = state.removals / VectorLayout.rowsPerBlock - 1
        let seal = RemovalSeal(block: block, sum: state.removalSum)
        try write(seal.bytes, at: layout.removalSeal(block: block))
        state.removalSum = 0
      }
    }
  }

  /// Makes what was written count, durably.
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

  private func sealBlock() throws {
    let block = state.rows / VectorLayout.rowsPerBlock - 1
    let seal = BlockSeal(
      block: block, rowSums: state.rowSums, firstDay: firstDay, lastDay: lastDay)
    try write(seal.bytes, at: layout.seal(block: block))
    state.rowSums = VectorCommit().rowSums
    firstDay = .max
    lastDay = .min
  }

  /// Makes the file long enough for the block that comes next.
  private func extend() throws {
    let needed = state.rows / VectorLayout.rowsPerBlock + 1
    guard needed > blocks else { return }
    try call { ftruncate(descriptor, off_t(layout.fileSize(blocks: needed))) }
    blocks = needed
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

/// Bytes that lie in one piece.
protocol ContiguousBytesOfFile {
  func withUnsafeBytes<Result>(
    _ body: (UnsafeRawBufferPointer) throws -> Result
  ) rethrows -> Result
}

extension [UInt8]: ContiguousBytesOfFile {}
extension ArraySlice<UInt8>: ContiguousBytesOfFile {}

/// Names of files, changed durably.
enum FileNames {
  /// Gives a file another's name in one step, and flushes the folder.
  static func replace(_ target: String, with path: String) throws {
    guard rename(path, target) == 0 else {
      throw VectorIndexError.system(path: target, code: errno)
    }
    let slash = target.lastIndex(of: "/")
    let folder = slash.map { String(target[...$0]) } ?? "."
    let descriptor = open(folder, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw VectorIndexError.system(path: folder, code: errno) }
    defer { close(descriptor) }
    // Not every file system can flush a folder.
    guard fsync(descriptor) == 0 || errno == EINVAL || errno == ENOTSUP else {
      throw VectorIndexError.system(path: folder, code: errno)
    }
  }

  /// Removes a file, if there is one.
  static func remove(_ path: String) throws {
    guard unlink(path) == 0 || errno == ENOENT else {
      throw VectorIndexError.system(path: path, code: errno)
    }
  }
}

/// The right to write to an index, held until it goes away or its process ends.
final class VectorLock {
  private let descriptor: Int32

  /// - Parameter seconds: how long to wait for who holds it.
  /// - Throws: `VectorIndexError.busy` when it is still held then.
  init(of path: String, waits seconds: Double) throws {
    let lock = path + ".lock"
    descriptor = open(lock, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw VectorIndexError.system(path: lock, code: errno) }
    let deadline = ContinuousClock.now + .seconds(seconds)
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      let reason = errno
      if reason == EINTR { continue }
      guard reason == EWOULDBLOCK else {
        throw VectorIndexError.system(path: lock, code: reason)
      }
      guard ContinuousClock.now < deadline else { throw VectorIndexError.busy(path: path) }
      usleep(20_000)
    }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }
}

/// The writing side of a vector index; there is one at a time.
///
/// Changes count, for readers and after a stop, from the next `commit` on; the writer itself sees
/// them at once. What is not committed when the writer goes away is gone. After an error of the
/// operating system (a full disk) all calls throw `.interrupted`; a new writer goes on from the
/// last commit.
///
/// A text is kept once, however many chunks have it. The writer keeps about 15 bytes for each chunk
/// and for each text in memory, to find places by document and texts by content.
package final class VectorIndexWriter {
  private let path: String
  private let header: VectorHeader
  private let lock: VectorLock
  private var file: VectorFile
  /// The file with what is not committed.
  private var snapshot: VectorSnapshot
  private var placesByDocument = RowTable(capacity: 0)
  private var textsByHash = RowTable(capacity: 0)
  /// For each place, one more than the one added before it for the same document, or 0.
  private var earlier: [UInt32] = []
  /// For each text, how many places have it.
  private var uses: [UInt32] = []
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
    try learnAll()
  }

  /// The name of a new version until it is whole.
  private static func draft(of path: String) -> String { path + ".new" }

  // MARK: Looking

  /// How many chunks it holds.
  package var count: Int { snapshot.count }

  /// How many distinct texts it holds, with those that no chunk has any more.
  package var textCount: Int { snapshot.texts }

  /// How many removed chunks still take up room, until `compact`: some 30 bytes each.
  package var removedCount: Int { snapshot.commit.removals }

  /// How many texts that no chunk has any more still take up room, until `compact`: more than a
  /// vector each.
  package private(set) var unusedTextCount = 0

  /// What is kept of a document's chunks, in the order in which they were added.
  package func entries(of document: Int64) throws -> [VectorEntry] {
    try places(of: document).map { try snapshot.entry(of: $0) }
  }

  /// Whether a chunk with that content is kept for a document.
  package func contains(document: Int64, contentHash: UInt64) throws -> Bool {
    try places(of: document).contains {
      try snapshot.hash(of: snapshot.text(of: $0)) == contentHash
    }
  }

  /// Whether a text was embedded before, for whatever document, even if that one is gone since.
  package func hasVector(forHash contentHash: UInt64) -> Bool {
    text(forHash: contentHash) != nil
  }

  /// The vector of a text that was embedded before; see `hasVector`.
  package func vector(forHash contentHash: UInt64) throws -> [Float]? {
    try text(forHash: contentHash).map { try snapshot.vector(of: $0) }
  }

  /// Goes over what is kept of all chunks, in the order in which they were added.
  package func forEachEntry(_ body: (VectorEntry) throws -> Void) throws {
    try snapshot.forEachPlace { try body(snapshot.entry(of: $0)) }
  }

  // MARK: Changing

  /// Adds a chunk.
  /// - Parameter vector: of any length but zero; it is kept as a unit vector, unless the text is
  ///   known already.
  package func append(_ entry: VectorEntry, vector: [Float]) throws {
    try append([(entry, vector)])
  }

  /// Adds chunks, which is quicker for many together. None is added when one does not fit.
  package func append(_ chunks: [(entry: VectorEntry, vector: [Float])]) throws {
    var addition = Addition(after: snapshot.texts)
    for chunk in chunks {
      let vector = try UnitVector.of(chunk.vector, dimensions: header.dimensions)
      try addition.append(chunk.entry, known: text(forHash: chunk.entry.contentHash)) { vector }
    }
    try append(addition)
  }

  /// Adds chunks. None is added when one does not fit.
  /// - Parameter vectors: those of the texts that have none yet, by `contentHash`.
  /// - Throws: `VectorIndexError.invalidEntry` where a text's vector is neither known nor given.
  package func append(_ entries: [VectorEntry], vectors: [UInt64: [Float]]) throws {
    var addition = Addition(after: snapshot.texts)
    for entry in entries {
      try addition.append(entry, known: text(forHash: entry.contentHash)) {
        guard let vector = vectors[entry.contentHash] else {
          throw VectorIndexError.invalidEntry(
            "There is no vector of the text at \(entry.chunk) in document \(entry.document).")
        }
        return try UnitVector.of(vector, dimensions: header.dimensions)
      }
    }
    try append(addition)
  }

  /// Rows of both tables that go together.
  private struct Addition {
    var texts = VectorRows(.texts)
    var places = VectorRows(.places)
    private var new: [UInt64: Int] = [:]
    private let first: Int

    init(after texts: Int) { first = texts }

    /// - Parameters:
    ///   - known: the number of the text, if the file has it.
    ///   - vector: gives a unit vector for a text that is new.
    mutating func append(_ entry: VectorEntry, known: Int?, vector: () throws -> [Float]) throws {
      if let text = known ?? new[entry.contentHash] {
        try places.append(place: entry, text: text)
        return
      }
      let vector = try vector()
      try places.append(place: entry, text: first + texts.count)
      new[entry.contentHash] = first + texts.count
      texts.append(text: entry.contentHash, vector: vector)
    }
  }

  private func append(_ addition: Addition) throws {
    try change {
      try file.append(addition.texts)
      try file.append(addition.places)
    }
  }

  /// Removes a document's chunks.
  /// - Returns: how many there were.
  @discardableResult
  package func remove(document: Int64) throws -> Int {
    try remove(documents: CollectionOfOne(document))
  }

  /// Removes the chunks of documents, which is quicker for many together.
  /// - Returns: how many there were.
  @discardableResult
  package func remove(documents: some Sequence<Int64>) throws -> Int {
    let places = Set(documents).sorted().flatMap { self.places(of: $0) }
    try remove(places)
    return places.count
  }

  /// Puts a document's new chunks in the place of those it had. Committed together, a reader sees
  /// the ones or the others.
  package func replace(
    document: Int64, with chunks: [(entry: VectorEntry, vector: [Float])]
  ) throws {
    guard chunks.allSatisfy({ $0.entry.document == document }) else {
      throw VectorIndexError.invalidEntry("A chunk is not of document \(document).")
    }
    let places = places(of: document)
    try append(chunks)
    try remove(places)
  }

  private func remove(_ places: [Int]) throws {
    guard !places.isEmpty else { return }
    let texts = try places.map { try snapshot.text(of: $0) }
    try change { try file.remove(places) }
    for text in texts {
      uses[text] -= 1
      if uses[text] == 0 { unusedTextCount += 1 }
    }
  }

  /// Makes all changes count, durably. Without changes it does nothing.
  package func commit() throws { try change { try file.commit() } }

  /// Commits, and writes the index anew without removed chunks and the texts that none has any
  /// more. Readers go over to the new file with their next search.
  /// - Throws: `VectorIndexError.unusable` when a block does not match its checksum.
  package func compact() throws {
    try commit()
    guard snapshot.commit.removals > 0 else { return }
    let draft = Self.draft(of: path)
    try FileNames.remove(draft)
    do {
      try write(to: VectorFile(creating: draft, header: header, layout: snapshot.layout))
    } catch {
      try? FileNames.remove(draft)
      throw error
    }
    // From here on the old file may be gone, whatever fails.
    isInterrupted = true
    try FileNames.replace(path, with: draft)
    snapshot = try VectorSnapshot(
      path: path, embedder: header.embedder, dimensions: header.dimensions)
    file = try VectorFile(continuing: snapshot)
    try learnAll()
    isInterrupted = false
  }

  /// Copies what is left to another file.
  private func write(to new: VectorFile) throws {
    var numbers = [Int](repeating: 0, count: snapshot.texts)
    for (block, run) in snapshot.runs(of: .texts).enumerated() {
      try snapshot.verify(.texts, block: block)
      var rows = VectorRows(.texts)
      for text in run where uses[text] > 0 {
        numbers[text] = new.state.texts.rows + rows.count
        try rows.append(text: text, of: snapshot)
      }
      try new.append(rows)
    }
    for (block, run) in snapshot.runs(of: .places).enumerated() {
      try snapshot.verify(.places, block: block)
      var rows = VectorRows(.places)
      for place in run where !snapshot.isRemoved(place) {
        try rows.append(
          place: snapshot.entry(of: place), text: numbers[snapshot.text(of: place)])
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
    let known = snapshot.commit
    let mapping =
      snapshot.mapping.holds(file.state) ? snapshot.mapping : try VectorMapping(path: path)
    snapshot = try VectorSnapshot(
      mapping: mapping, commit: file.state, directory: file.directory, previous: snapshot)
    try learn(after: known)
    isInterrupted = false
  }

  // MARK: Finding rows

  private func documents(_ place: Int) -> UInt64 {
    UInt64(bitPattern: snapshot.document(of: place))
  }

  private func text(forHash contentHash: UInt64) -> Int? {
    textsByHash.row(of: contentHash, keys: snapshot.hash(of:))
  }

  /// A document's places, without those removed, in the order in which they were added.
  private func places(of document: Int64) -> [Int] {
    var places: [Int] = []
    var next = placesByDocument.row(of: UInt64(bitPattern: document), keys: documents)
    while let place = next {
      if !snapshot.isRemoved(place) { places.append(place) }
      next = earlier[place] == 0 ? nil : Int(earlier[place]) - 1
    }
    return places.reversed()
  }

  private func learnAll() throws {
    placesByDocument = RowTable(capacity: snapshot.places)
    textsByHash = RowTable(capacity: snapshot.texts)
    earlier = []
    earlier.reserveCapacity(snapshot.places)
    uses = []
    uses.reserveCapacity(snapshot.texts)
    unusedTextCount = 0
    try learn(after: VectorCommit())
    unusedTextCount = uses.count { $0 == 0 }
  }

  /// Takes notice of the rows behind those of a commit.
  private func learn(after known: VectorCommit) throws {
    let snapshot = snapshot
    for text in known.texts.rows..<snapshot.texts {
      textsByHash.set(text, keys: snapshot.hash(of:))
      uses.append(0)
    }
    for place in known.places.rows..<snapshot.places {
      let before = placesByDocument.set(place) { UInt64(bitPattern: snapshot.document(of: $0)) }
      earlier.append(UInt32((before ?? -1) + 1))
      guard !snapshot.isRemoved(place) else { continue }
      let text = try snapshot.text(of: place)
      if uses[text] == 0, text < known.texts.rows { unusedTextCount -= 1 }
      uses[text] += 1
    }
  }
}

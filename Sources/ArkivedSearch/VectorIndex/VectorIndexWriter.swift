/// The writing side of a vector index; there is one at a time.
///
/// With the next `commit`, changes become visible to readers and survive if the process stops; the
/// writer itself sees them immediately. Uncommitted changes are lost when the writer is. After an
/// error of the operating system (such as a full disk), all calls throw `.interrupted`, and a new
/// writer continues from the last commit.
///
/// A text is stored once, however many chunks contain it. The writer needs about 15 bytes of memory
/// for each chunk and each text, to find places by document and texts by content.
package final class VectorIndexWriter {
  private let path: String
  private let header: VectorHeader
  private let lock: VectorLock
  private var file: VectorFile
  /// The file including uncommitted changes.
  private var snapshot: VectorSnapshot
  private var placesByDocument = RowTable(capacity: 0)
  private var textsByHash = RowTable(capacity: 0)
  /// For each place, the previous place of the same document plus one, or 0.
  private var earlier: [UInt32] = []
  /// The number of places of each text.
  private var uses: [UInt32] = []
  private var isInterrupted = false

  /// Opens an index, or creates an empty one.
  ///
  /// - Parameters:
  ///   - path: the index's file; next to it are a lock file and, at times, a new version.
  ///   - embedder: the model of the vectors, with its version; at most 1,024 bytes.
  ///   - dimensions: the number of dimensions: a multiple of 64, at most 4,096.
  ///   - replacing: true to replace any existing file with an empty index.
  ///   - seconds: the time to wait for another writer.
  ///
  /// - Throws: `VectorIndexError.unusable` if there is a different or damaged file, `.busy` if
  ///   another process is writing.
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

  /// Returns the temporary name of a new version until it is complete.
  private static func draft(of path: String) -> String { path + ".new" }

  // MARK: Lookup

  /// The number of chunks.
  package var count: Int { snapshot.count }

  /// The number of distinct texts, including those without chunks.
  package var textCount: Int { snapshot.texts }

  /// The number of removed chunks that occupy space until `compact`, about 30 bytes each.
  package var removedCount: Int { snapshot.commit.removals }

  /// The number of texts without chunks that occupy space until `compact`, more than a vector each.
  package private(set) var unusedTextCount = 0

  /// Returns the entries of a document's chunks, in the order they were added.
  package func entries(of document: Int64) throws -> [VectorEntry] {
    try places(of: document).map { try snapshot.entry(of: $0) }
  }

  /// Returns true if a document has a chunk with this content.
  package func contains(document: Int64, contentHash: UInt64) throws -> Bool {
    try places(of: document).contains {
      try snapshot.hash(of: snapshot.text(of: $0)) == contentHash
    }
  }

  /// Returns true if a text was embedded before, for any document, even one that has been removed.
  package func hasVector(forHash contentHash: UInt64) -> Bool {
    text(forHash: contentHash) != nil
  }

  /// Returns the vector of a text that was embedded before; see `hasVector`.
  package func vector(forHash contentHash: UInt64) throws -> [Float]? {
    try text(forHash: contentHash).map { try snapshot.vector(of: $0) }
  }

  /// Calls a closure with the entries of all chunks, in the order they were added.
  package func forEachEntry(_ body: (VectorEntry) throws -> Void) throws {
    try snapshot.forEachPlace { try body(snapshot.entry(of: $0)) }
  }

  // MARK: Changing

  /// Adds a chunk.
  ///
  /// - Parameters:
  ///   - entry: the chunk's origin.
  ///   - vector: a vector of any length but zero; it is stored as a unit vector, unless the text is
  ///     already known.
  /// - Throws: `VectorIndexError` if the entry isn't valid.
  package func append(_ entry: VectorEntry, vector: [Float]) throws {
    try append([(entry, vector)])
  }

  /// Adds chunks, which is faster than adding them one by one; none is added if one of them is
  /// invalid.
  package func append(_ chunks: [(entry: VectorEntry, vector: [Float])]) throws {
    var addition = Addition(after: snapshot.texts)
    for chunk in chunks {
      let vector = try UnitVector.of(chunk.vector, dimensions: header.dimensions)
      try addition.append(chunk.entry, known: text(forHash: chunk.entry.contentHash)) { vector }
    }
    try append(addition)
  }

  /// Adds chunks; none is added if one of them is invalid.
  ///
  /// - Parameters:
  ///   - entries: the chunks' origins.
  ///   - vectors: the vectors of new texts, by `contentHash`.
  /// - Throws: `VectorIndexError.invalidEntry` if a text's vector is neither known nor given.
  package func append(_ entries: [VectorEntry], vectors: [UInt64: [Float]]) throws {
    var addition = Addition(after: snapshot.texts)
    for entry in entries {
      try addition.append(entry, known: text(forHash: entry.contentHash)) {
        guard let vector = vectors[entry.contentHash] else {
          throw VectorIndexError.invalidEntry(
            "No vector for the text at \(entry.chunk) in document \(entry.document).")
        }
        return try UnitVector.of(vector, dimensions: header.dimensions)
      }
    }
    try append(addition)
  }

  /// Rows of both tables that belong together.
  private struct Addition {
    var texts = VectorRows(.texts)
    var places = VectorRows(.places)
    private var new: [UInt64: Int] = [:]
    private let first: Int

    init(after texts: Int) { first = texts }

    /// Adds a chunk.
    ///
    /// - Parameters:
    ///   - entry: the chunk's origin.
    ///   - known: the number of the text, if the file has it.
    ///   - vector: returns a unit vector for a new text.
    /// - Throws: `VectorIndexError` if the entry isn't valid, and what `vector` throws.
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
  ///
  /// - Returns: the number of removed chunks.
  @discardableResult
  package func remove(document: Int64) throws -> Int {
    try remove(documents: CollectionOfOne(document))
  }

  /// Removes the chunks of documents, which is faster than removing them one by one.
  ///
  /// - Returns: the number of removed chunks.
  @discardableResult
  package func remove(documents: some Sequence<Int64>) throws -> Int {
    let places = Set(documents).sorted().flatMap { self.places(of: $0) }
    try remove(places)
    return places.count
  }

  /// Replaces a document's chunks.
  ///
  /// If both changes are committed together, a reader sees either the old or the new ones.
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

  /// Commits all changes durably; does nothing if there are none.
  package func commit() throws { try change { try file.commit() } }

  /// Commits, and rewrites the index without removed chunks and unused texts.
  ///
  /// Readers switch to the new file with their next search.
  ///
  /// - Throws: `VectorIndexError.unusable` if a block does not match its checksum.
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
    // From here on, the old file may no longer exist, regardless of what fails.
    isInterrupted = true
    try FileNames.replace(path, with: draft)
    snapshot = try VectorSnapshot(
      path: path, embedder: header.embedder, dimensions: header.dimensions)
    file = try VectorFile(continuing: snapshot)
    try learnAll()
    isInterrupted = false
  }

  /// Copies the remaining contents to another file.
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

  /// Writes changes and updates the writer's own tables.
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

  /// Returns a document's places that are not removed, in the order they were added.
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

  /// Updates the tables with the rows added after a commit.
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

package import ArkivedCore
package import ArkivedStore
package import Foundation
import Synchronization

/// The search indexes of an archive and the embedding model, opened on first use and kept for later
/// searches.
///
/// The indexes are derived: if one is missing, damaged or too old, search uses the archive's
/// full-text table, and `IndexJob` rebuilds the index.
package final class SearchIndexes: Sendable {
  package let archive: Archive
  /// The folder of the indexes, or nil for an archive in memory, which has none.
  package let folder: URL?
  private let modelFolder: EmbeddingModelFolder
  private let threads: Int
  private let patience: AddressEmbedder.Patience
  private let setLimits: FilterSets.Limits
  private let words = Mutex<OpenWords?>(nil)
  private let meaning = Mutex<(file: String, index: VectorIndex)?>(nil)
  private let builtIn = Mutex<
    (presence: EmbeddingModelFolder.Presence, found: EmbeddingModelFolder.Found)?
  >(nil)
  private let earlier = Mutex<MiniLM??>(nil)
  private let model = Mutex<(stamp: EmbeddingSettings.Stamp, found: EmbeddingModelFolder.Found)?>(
    nil)

  /// The archive's name for the word index.
  package static let wordsName = "words"
  package static let meaningName = "meaning"
  /// The vectors of the current model, built while those of an earlier one are in use.
  package static let nextMeaningName = "meaning-next"

  /// The number of changed documents beyond which the word index is too old to use.
  package static let deltaLimit = 4_000

  private struct OpenWords {
    var file: String
    var index: WordIndex
    var sets: FilterSets
    var recent: Recent?
  }

  /// A small index of the documents changed since the word index was built.
  private struct Recent {
    /// The state of the archive that it reflects.
    var marks: SearchMarks
    var index: WordIndex?
    /// The words of its documents by row number, so the next update only processes new changes.
    var words: [Int64: IndexedWords]
  }

  /// Creates the indexes.
  ///
  /// - Parameters:
  ///   - archive: the archive.
  ///   - model: the folder of the built-in model.
  ///   - threads: the largest number of threads the model uses.
  ///   - patience: the time to wait for an address for embeddings.
  ///   - setLimits: the limits of the cached filter sets.
  package init(
    _ archive: Archive,
    model: EmbeddingModelFolder = EmbeddingModelFolder(
      environment: ProcessInfo.processInfo.environment),
    threads: Int = BertRunner.usualThreads,
    patience: AddressEmbedder.Patience = AddressEmbedder.Patience(),
    setLimits: FilterSets.Limits = FilterSets.Limits()
  ) {
    self.setLimits = setLimits
    self.archive = archive
    self.threads = threads
    self.patience = patience
    modelFolder = model
    folder = archive.home?.appendingPathComponent("index")
  }

  /// Returns the reason the indexes can't be read or updated, or nil if they can.
  ///
  /// If there is one, search reads the full-text table.
  package func obstacle(isWritten: Bool) -> String? {
    folder.flatMap { archive.obstacle(in: $0.lastPathComponent, isWritten: isWritten) }
      .map { "The search index can’t be used: \($0)" }
  }

  // MARK: Words

  /// The word index and the changes since it was built.
  package struct Words: Sendable {
    package var index: WordIndex
    /// Documents whose entries in the index are outdated.
    package var outdated: DocumentSet
    /// A small index of documents missing from the main index.
    package var recent: WordIndex?
    /// The documents of the small index.
    package var changed: [Int64] = []
    /// The state of the archive that they reflect.
    package var marks: SearchMarks
    /// The sets of documents that filters accept.
    package var sets: FilterSets

    /// Returns the documents that can pass a request's filters by tags, people, pins, kinds,
    /// sources, types and meetings, or nil if it has none of these.
    ///
    /// They may include hidden documents.
    ///
    /// - Throws: `WordIndexError.damaged` if the file is damaged.
    package func allowed(
      by request: SearchRequest, in archive: Archive
    ) throws -> DocumentSet? {
      let lists = try archive.filterParts(of: request)
      guard !lists.isEmpty else { return nil }
      return try sets.allowed(by: lists, changed: changed, marks: marks, in: archive)
    }
  }

  /// Returns the word index's name for a group: its kind and source, or an empty text.
  package static func groupName(_ group: IndexSource.Group) -> String {
    guard let kind = group.kind, let source = group.source else { return "" }
    return "\(kind)\u{0}\(source)"
  }

  static func group(named name: String) -> (kind: String?, source: String?)? {
    guard !name.isEmpty else { return (nil, nil) }
    let parts = name.split(separator: "\u{0}", omittingEmptySubsequences: false)
    return parts.count == 2 ? (String(parts[0]), String(parts[1])) : nil
  }

  /// Returns the word index for the current state of the archive, or nil if it cannot be used.
  package func currentWords() throws -> Words? {
    guard let folder else { return nil }
    let seen = words.withLock { $0?.recent?.marks }
    let state = try archive.indexState(Self.wordsName, limit: Self.deltaLimit, seen: seen)
    guard let file = state.file, let delta = state.delta else { return nil }
    return try words.withLock { open -> Words? in
      if open?.file != file {
        open = nil
        // If the index is missing, damaged or of another version, the full-text table answers.
        guard let index = try? WordIndex(contentsOf: folder.appendingPathComponent(file))
        else { return nil }
        open = OpenWords(file: file, index: index, sets: FilterSets(index, limits: setLimits))
      }
      guard var found = open else { return nil }
      // The small index is still current if nothing changed since.
      if found.recent?.marks != state.now {
        let changed = try changedWords(delta, state, known: found.recent)
        found.recent = Recent(
          marks: state.now, index: try Self.index(changed, beside: folder, like: found.index),
          words: Dictionary(changed.map { ($0.document.rowNumber, $0) }) { $1 })
        open = found
      }
      return Words(
        index: found.index, outdated: delta.outdated, recent: found.recent?.index,
        changed: delta.changed.map(\.rowNumber), marks: state.now, sets: found.sets)
    }
  }

  /// Returns the words of changed documents, reusing those in the last small index that did not
  /// change since.
  private func changedWords(
    _ delta: SearchDelta, _ state: Archive.IndexState, known: Recent?
  ) throws -> [IndexedWords] {
    // Another search may have created a newer small index in the meantime.
    guard let known, let fresh = state.fresh, fresh.marks == known.marks else {
      return try archive.words(of: delta.changed)
    }
    var kept: [IndexedWords] = []
    var missing: [IndexSource.Document] = []
    for document in delta.changed {
      if !fresh.documents.contains(document.rowNumber), let words = known.words[document.rowNumber],
        words.document == document
      {
        kept.append(words)
      } else {
        missing.append(document)
      }
    }
    return kept + (try archive.words(of: missing))
  }

  /// Builds a small index in memory.
  private static func index(
    _ entries: [IndexedWords], beside folder: URL, like index: WordIndex
  ) throws -> WordIndex? {
    guard !entries.isEmpty else { return nil }
    var builder = try WordIndexBuilder(
      at: folder.appendingPathComponent("recent"),
      documents: entries.map {
        WordIndexDocument(
          rowNumber: $0.document.rowNumber, day: $0.document.day, order: $0.document.order)
      }, scoring: index.scoring)
    struct Place {
      var document: Int64
      var column: UInt8
      var position: UInt32
    }
    // The keys are bytes, because strings that only look equal are different terms.
    var places: [[UInt8]: [Place]] = [:]
    for entry in entries.sorted(by: { $0.document.rowNumber < $1.document.rowNumber }) {
      for (column, tokens) in entry.columns.enumerated() {
        for (position, token) in tokens.enumerated() {
          places[Array(token.utf8), default: []].append(
            Place(
              document: entry.document.rowNumber, column: UInt8(column),
              position: UInt32(position)))
        }
      }
    }
    for (term, places) in places.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
      try term.withUnsafeBufferPointer { bytes in
        for place in places {
          try builder.add(
            termBytes: bytes, document: place.document, column: place.column,
            position: place.position)
        }
      }
    }
    return try builder.finishInMemory()
  }

  // MARK: Meaning

  /// Returns the embedding model, or the reason there is none: the owner's address for embeddings,
  /// otherwise the built-in model.
  ///
  /// The next call reflects a change in the owner's choice, and a model downloaded in the meantime.
  package func embedder() -> EmbeddingModelFolder.Found {
    guard let home = archive.home, let stamp = EmbeddingSettings.Stamp(in: home) else {
      let presence = modelFolder.presence
      return builtIn.withLock { model in
        if let model, model.presence == presence { return model.found }
        let found = modelFolder.open(threads: threads)
        model = (presence, found)
        return found
      }
    }
    return model.withLock { model in
      if let model, model.stamp == stamp { return model.found }
      let found = embedder(in: home)
      model = (stamp, found)
      return found
    }
  }

  /// Returns the model for the address chosen by an archive's owner.
  private func embedder(in home: URL) -> EmbeddingModelFolder.Found {
    do {
      guard let settings = try EmbeddingSettings.read(in: home) else {
        return .absent(reason: "Search by meaning is off: its settings have just been removed.")
      }
      return .model(AddressEmbedder(settings, model: modelFolder, patience: patience))
    } catch {
      return .absent(
        reason: "Search by meaning is off: \(error). Choose again with arkived index --use.")
    }
  }

  /// The owner's choice of model, and the models that are available.
  package struct Choice: Hashable, Sendable {
    private let stamp: EmbeddingSettings.Stamp?
    private let presence: EmbeddingModelFolder.Presence

    fileprivate init(_ stamp: EmbeddingSettings.Stamp?, _ presence: EmbeddingModelFolder.Presence) {
      self.stamp = stamp
      self.presence = presence
    }
  }

  /// The current choice of model, to detect a change.
  package var choice: Choice {
    Choice(archive.home.flatMap { .init(in: $0) }, modelFolder.presence)
  }

  /// Returns the file of a model's vectors.
  package func vectorFile(of model: any TextEmbedder) -> URL? {
    vectorFile(named: model.identity)
  }

  private func vectorFile(named identity: String) -> URL? {
    folder?.appendingPathComponent("meaning-\(identity).vectors")
  }

  /// The vectors of the archive's texts.
  package struct Vectors: Sendable {
    package var index: VectorIndex
    /// Documents whose vectors are based on an earlier text.
    package var outdated: DocumentSet
  }

  /// Returns the archive's name for vectors that are not complete yet.
  package static func begun(_ file: String) -> String { "begun:" + file }

  /// Returns the model of earlier versions, as long as search uses its vectors because those of the
  /// current model are incomplete.
  package func earlierModel(than model: any TextEmbedder) throws -> (any TextEmbedder)? {
    guard model is MultilingualE5,
      let file = try archive.indexState(Self.meaningName, limit: 0).file,
      file == vectorFile(named: MiniLM.identity)?.lastPathComponent
    else { return nil }
    return earlier.withLock { earlier in
      if earlier == nil { earlier = .some(modelFolder.openOlder(threads: threads)) }
      return earlier ?? nil
    }
  }

  /// Returns the vectors used by search with their model, or nil if there are none.
  package func currentMeaning() throws -> (model: any TextEmbedder, vectors: Vectors)? {
    guard case .model(let present) = embedder() else { return nil }
    let model = try earlierModel(than: present) ?? present
    return try currentVectors(of: model).map { (model, $0) }
  }

  /// Returns the vector index for the current state of the archive, or nil if there is none that
  /// can be used.
  ///
  /// - Parameters:
  ///   - model: the model whose vectors are wanted.
  ///   - name: the archive's name of the index.
  /// - Returns: the index.
  /// - Throws: an error if the archive or the index can't be read.
  package func currentVectors(
    of model: any TextEmbedder, under name: String = SearchIndexes.meaningName
  ) throws -> Vectors? {
    guard let file = vectorFile(of: model) else { return nil }
    let state = try archive.indexState(name, limit: 0)
    let name = file.lastPathComponent
    guard state.file == name || state.file == Self.begun(name) else { return nil }
    let open = meaning.withLock { open in
      if let open, open.file == name, (try? open.index.refresh()) != nil {
        return open.index as VectorIndex?
      }
      let index = try? VectorIndex(
        at: file.path, embedder: model.identity, dimensions: model.dimensions)
      open = index.map { (name, $0) }
      return index
    }
    return open.map { Vectors(index: $0, outdated: state.outdated) }
  }
}

extension Archive {
  /// The folder of the archive, or nil for one in memory.
  package var home: URL? {
    if case .folder(let folder) = location { folder } else { nil }
  }
}

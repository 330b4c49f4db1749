package import ArkivedCore
package import ArkivedSearch
package import ArkivedStore
import Foundation

/// The progress of the indexes.
package struct IndexProgress: Sendable {
  package enum Stage: String, Sendable {
    case words, meaning
  }

  package var stage: Stage
  package var done: Int
  package var total: Int
  package var seconds: Double

  package init(stage: Stage, done: Int, total: Int, seconds: Double) {
    self.stage = stage
    self.done = done
    self.total = total
    self.seconds = seconds
  }

  /// The estimated remaining time at the current rate; nil if too little has been done.
  package var secondsLeft: Double? {
    guard done > 0, done < total, seconds > 0.5 else { return nil }
    return seconds * Double(total - done) / Double(done)
  }
}

/// A job that builds the search indexes and keeps them up to date.
///
/// It can be interrupted at any moment and continues where it stopped; nothing waits for it.
package struct IndexJob: Sendable {
  package let archive: Archive
  package let indexes: SearchIndexes
  private let progress: @Sendable (IndexProgress) -> Void
  private let isCancelled: @Sendable () -> Bool
  private var deadline: ContinuousClock.Instant?

  /// The number of documents embedded between two commits.
  private static let batch = 256
  /// The number of documents embedded between two commits if time is short.
  private static let smallBatch = 8
  /// The number of changes that each search checks one by one before the word index is rebuilt.
  private static let recentLimit = 1_000

  /// Creates a job.
  ///
  /// - Parameters:
  ///   - archive: the archive.
  ///   - indexes: the search indexes.
  ///   - isCancelled: called frequently; if it returns true, the job ends with `CancellationError`.
  ///   - progress: called after each part.
  package init(
    _ archive: Archive, _ indexes: SearchIndexes,
    isCancelled: @escaping @Sendable () -> Bool = { false },
    progress: @escaping @Sendable (IndexProgress) -> Void = { _ in }
  ) {
    self.archive = archive
    self.indexes = indexes
    self.isCancelled = isCancelled
    self.progress = progress
  }

  /// The result of a run.
  package struct Summary: Hashable, Sendable {
    /// The number of documents in the word index, if it was built.
    package var words: Int?
    /// The number of texts that were embedded.
    package var embedded = 0
    /// The number of chunks of text that have vectors, if there was anything to do.
    package var chunks: Int?
    /// The model that embeds texts.
    package var model: String?
    /// The reason search by meaning is not available.
    package var absence: String?
    /// True if the reason may be temporary; the existing index is kept and used in the meantime.
    package var isUnanswered = false
    /// True if another process is building the indexes.
    package var isBusy = false

    package var json: JSON {
      [
        "words": JSON(words), "embedded": JSON(embedded), "chunks": JSON(chunks),
        "model": JSON(model), "absence": absence.map { .string($0) } ?? .null,
        "busy": .bool(isBusy),
      ]
    }
  }

  /// Brings both indexes up to date.
  ///
  /// - Parameter rebuild: rebuilds them regardless of their state.
  /// - Returns: a summary.
  /// - Throws: `ArchiveError.refused` if the indexes belong to another user, `CancellationError`,
  ///   and errors of the storage.
  package func run(rebuild: Bool = false) async throws -> Summary {
    var summary = Summary()
    guard let folder = indexes.folder else { return summary }
    try DurableFile.makeFolder(folder)
    if let obstacle = indexes.obstacle(isWritten: true) { throw ArchiveError.refused(obstacle) }
    let lock: FileLock
    do {
      lock = try FileLock(at: folder.appendingPathComponent("index.lock"), waits: 0)
    } catch ArchiveError.busy {
      summary.isBusy = true
      return summary
    }
    defer { lock.release() }
    // This takes long, and tasks share few threads.
    summary.words = try await onOwnThread(givesWay: true) {
      try archive.renewSearchWords(look)
      return try rebuild || needsWords() ? buildWords(in: folder) : nil
    }
    try await fillMeaning(rebuild: rebuild, &summary)
    return summary
  }

  // MARK: Bringing indexes up to date

  /// An error that reports new entries that have not been embedded yet.
  package struct Unread: Error, Hashable {
    package var count: Int
    /// The number of all new entries.
    package var total: Int

    package init(count: Int, total: Int) {
      self.count = count
      self.total = total
    }
  }

  /// Archives with more rows get their first indexes from a run without a time limit.
  private static let smallArchive = 2_000
  /// In an archive with more rows, finding out which are missing takes too long to wait for.
  private static let largestArchive = 50_000

  /// Embeds new texts within a time budget, newest first, so a search soon after an import finds
  /// them by meaning too.
  ///
  /// Doesn't wait for other processes or remote models.
  ///
  /// - Parameter budget: the time for embedding; work that has begun is finished.
  /// - Returns: the entries for which there was no time; nil if nothing is left, or if it is
  ///   unknown.
  /// - Throws: errors of the storage, `EmbeddingError`, `VectorIndexError`.
  package func catchUp(within budget: Duration) async throws -> Unread? {
    guard let folder = indexes.folder, indexes.obstacle(isWritten: true) == nil,
      case .model(let model) = indexes.embedder(), !(model is AddressEmbedder),
      try indexes.earlierModel(than: model) == nil
    else { return nil }
    let state = try archive.indexState(SearchIndexes.meaningName, limit: 0)
    guard state.now.rows <= Self.largestArchive else { return nil }
    try DurableFile.makeFolder(folder)
    guard let lock = try? FileLock(at: folder.appendingPathComponent("index.lock"), waits: 0)
    else { return nil }
    defer { lock.release() }
    if state.now.rows <= Self.smallArchive {
      try await onOwnThread(givesWay: false) {
        try archive.renewSearchWords(look)
        if try needsWords() { _ = try buildWords(in: folder) }
      }
    }
    var hurried = self
    hurried.deadline = .now + budget
    var summary = Summary()
    do {
      try await hurried.fillMeaning(rebuild: false, &summary)
    } catch let unread as Unread {
      return unread
    }
    return nil
  }

  private func look() throws { if isCancelled() { throw CancellationError() } }

  // MARK: Words

  private func needsWords() throws -> Bool {
    guard let words = (try? indexes.currentWords()) ?? nil else { return true }
    return words.outdated.count + (words.recent?.documentCount ?? 0) > Self.recentLimit
  }

  private func buildWords(in folder: URL) throws -> Int {
    while true {
      let forgotten = try archive.forgottenVectors()
      let (count, name) = try buildWordsOnce(in: folder)
      // Texts read before may have been permanently deleted in the meantime.
      guard try archive.forgottenVectors() != forgotten else { return count }
      try archive.removeSearchIndex(SearchIndexes.wordsName)
      try? FileManager.default.removeItem(at: folder.appendingPathComponent(name))
    }
  }

  private func buildWordsOnce(in folder: URL) throws -> (count: Int, name: String) {
    let start = ContinuousClock.now
    let name = "words-\(archive.identities.next().uuidString).index"
    let file = folder.appendingPathComponent(name)
    let (marks, count) = try archive.withIndexSource { source in
      let (documents, groups) = try source.documents(groupLimit: WordIndexFormat.groupLimit)
      var builder = try WordIndexBuilder(
        at: file,
        documents: documents.lazy.map {
          WordIndexDocument(
            rowNumber: $0.rowNumber, day: $0.day, order: $0.order, group: $0.group)
        }, groups: groups.map(SearchIndexes.groupName))
      var occurrences = 0
      // Entries have about a dozen words; progress is measured against that estimate.
      let total = documents.count * 12
      try source.forEachOccurrence { term, document, column, position in
        try builder.add(
          termBytes: term, document: document, column: column, position: position)
        occurrences += 1
        guard occurrences % 65_536 == 0 else { return }
        try look()
        progress(
          IndexProgress(
            stage: .words, done: min(occurrences, total - 1), total: total,
            seconds: start.duration(to: .now).inSeconds))
      }
      try look()
      try builder.finish()
      return (source.marks, documents.count)
    }
    do {
      try archive.setSearchIndex(SearchIndexes.wordsName, file: name, marks: marks)
    } catch {
      try? FileManager.default.removeItem(at: file)
      throw error
    }
    for old in try FileManager.default.contentsOfDirectory(atPath: folder.path)
    where old.hasPrefix("words-") && old != name {
      try? FileManager.default.removeItem(at: folder.appendingPathComponent(old))
    }
    return (count, name)
  }

  // MARK: Meaning

  private func fillMeaning(rebuild: Bool, _ summary: inout Summary) async throws {
    let model: any TextEmbedder
    switch indexes.embedder() {
    case .model(let found): model = found
    case .absent(let reason):
      summary.absence = reason
      return
    }
    summary.model = model.name
    guard let file = indexes.vectorFile(of: model) else { return }
    // The vectors of an earlier model are searched until all of these are ready.
    let isNext = try indexes.earlierModel(than: model) != nil
    let key = isNext ? SearchIndexes.nextMeaningName : SearchIndexes.meaningName
    let (name, begun) = (file.lastPathComponent, SearchIndexes.begun(file.lastPathComponent))
    // Later changes are marked after this point and are processed the next time.
    let state = try archive.indexState(key, limit: SearchIndexes.deltaLimit)
    let isThere = try !rebuild && indexes.currentVectors(of: model, under: key) != nil
    let isWhole = isThere && state.file == name
    let forgotten = try archive.forgottenVectors()
    if isWhole, forgotten == nil, let delta = state.delta, delta.changed.isEmpty,
      delta.outdated.isEmpty
    {
      removeVectors(but: file)
      return
    }
    do {
      // Nothing existing is removed until its replacement is certain.
      if !isThere { try await model.check() }
      let indexer = try MeaningIndexer(archive, model: model, at: file, replacing: !isThere)
      defer {
        summary.embedded = indexer.embedded
        summary.chunks = indexer.count
      }
      if !isThere {
        try archive.setSearchIndex(key, file: begun, marks: state.now)
      }
      // Changed texts are embedded again; unchanged texts are recognised by their hash.
      if isThere { try indexer.remove(state.outdated) }
      let all: [IndexSource.Document]
      if isWhole, let delta = state.delta {
        all = delta.changed
      } else {
        all = try archive.withIndexSource { try $0.documents().all }
        try indexer.keepOnly(DocumentSet(all.lazy.map(\.rowNumber)))
      }
      try await add(all, to: indexer)
      try indexer.finish(compacts: forgotten != nil)
      try archive.setSearchIndex(SearchIndexes.meaningName, file: name, marks: state.now)
      if isNext { try archive.removeSearchIndex(key) }
      removeVectors(but: file)
      if let forgotten { try archive.settleForgottenVectors(forgotten) }
    } catch let error as EmbeddingError {
      guard case .address = error else { throw error }
      summary.absence = "The index for search by meaning is out of date. \(error)"
      summary.isUnanswered = true
    } catch VectorIndexError.busy {
      summary.isBusy = true
    } catch let error as VectorIndexError {
      // The next run rebuilds it.
      try? archive.removeSearchIndex(key)
      throw error
    }
  }

  /// Removes the vectors of other models once there are better ones.
  private func removeVectors(but file: URL) {
    let folder = file.deletingLastPathComponent()
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    for name in names
    where name.hasPrefix("meaning-") && !name.hasPrefix(file.lastPathComponent) {
      try? FileManager.default.removeItem(at: folder.appendingPathComponent(name))
    }
  }

  /// Embeds everything without vectors, newest first, because new entries are searched for most
  /// often.
  private func add(_ all: [IndexSource.Document], to indexer: MeaningIndexer) async throws {
    var missing = try all.filter { try !indexer.has($0.rowNumber) }
    missing.sort { ($0.day, $0.order) > ($1.day, $1.order) }
    let start = ContinuousClock.now
    let batch = deadline == nil ? Self.batch : Self.smallBatch
    for first in stride(from: 0, to: missing.count, by: batch) {
      try look()
      if let deadline, deadline < .now {
        throw Unread(count: missing.count - first, total: missing.count)
      }
      try await indexer.add(Array(missing[first..<min(first + batch, missing.count)]))
      progress(
        IndexProgress(
          stage: .meaning, done: min(first + batch, missing.count), total: missing.count,
          seconds: start.duration(to: .now).inSeconds))
    }
  }
}

extension Duration {
  fileprivate var inSeconds: Double {
    Double(components.seconds) + Double(components.attoseconds) / 1e18
  }
}

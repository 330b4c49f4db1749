import ArkivedEngine
import ArkivedSearch
import ArkivedStore
import Foundation

/// The results of a search.
public struct SearchResults: Hashable, Sendable {
  /// The entries found, best first, each with the reason that it matches.
  public var hits: [SearchHit]
  /// The parts of the line that were interpreted as more than words, such as “8–14 March 2026”.
  public var reading: [String]
  /// Sentences about ignored parts of the line, and about what prevented search by meaning.
  public var notes: [String]
  /// The line with a word corrected to the archive's spelling, if that was probably intended.
  public var suggestion: String?
  /// True if no entry has all the words; the results then have only some of them.
  public var isRelaxed: Bool
  /// True if time ran out before everything was searched.
  public var isPartial: Bool
}

extension Library {
  /// Searches by words and by meaning.
  ///
  /// Any text can be searched for: words, `"phrases"`, filters such as `tag:sport`, or a question.
  /// Search by meaning requires the index that ``updateIndexes(progress:)`` builds; without it,
  /// only words are used.
  ///
  /// - Parameters:
  ///   - text: the line as typed.
  ///   - filter: the conditions on the results, and the requested page. Goals, values and terms
  ///     with that name precede the entries on the first page.
  /// - Returns: the results.
  /// - Throws: ``LibraryError``.
  public func search(
    _ text: String, in filter: EntryFilter = EntryFilter(limit: 20)
  ) async throws(LibraryError) -> SearchResults {
    try await waiting { [self] in
      let search = HybridSearch(archive: archive, zone: zone, indexes: indexes)
      let found = try search.search(filter.request(text, in: zone))
      return SearchResults(
        hits: found.hits, reading: found.reading, notes: found.notes, suggestion: found.suggestion,
        isRelaxed: found.isRelaxed, isPartial: found.isPartial)
    }
  }

  /// Returns the whole entries of search results, in the same order and without duplicates.
  public func entries(of hits: [SearchHit]) async throws(LibraryError) -> [JournalEntry] {
    try await waiting { [self] in try archive.entries(of: hits) }
  }

  /// Builds the search indexes next to the archive, or updates them.
  ///
  /// Search is correct without them, and faster with them once there are tens of thousands of
  /// entries. Search by meaning requires the model to be on the computer; see Embeddings in
  /// Arkived's documentation. The work can be cancelled at any time and resumes where it stopped.
  ///
  /// - Parameter progress: called on an arbitrary thread with the completed share, from 0 to 1.
  /// - Throws: ``LibraryError/Code/cancelled``, ``LibraryError/Code/storage``.
  @concurrent public func updateIndexes(
    progress: @escaping @Sendable (Double) -> Void = { _ in }
  ) async throws(LibraryError) {
    // A part of the job runs on a thread that belongs to no task.
    let flag = CancellationFlag()
    let job = IndexJob(archive, indexes, isCancelled: { flag.isSet }) { part in
      progress(part.total > 0 ? Double(part.done) / Double(part.total) : 1)
    }
    do {
      _ = try await withTaskCancellationHandler {
        try await job.run()
      } onCancel: {
        flag.set()
      }
    } catch {
      throw Self.worded(error, in: language)
    }
  }
}

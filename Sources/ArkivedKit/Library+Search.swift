import ArkivedEngine
import ArkivedSearch
import ArkivedStore
import Foundation

/// The results of a search.
public struct SearchResults: Hashable, Sendable {
  /// The found entries, the best first, each with the reason why it is there.
  public var hits: [SearchHit]
  /// The parts of the line that were read as more than words, such as “8–14 March 2026”.
  public var reading: [String]
  /// Sentences on parts of the line that weren't used, and on what kept search by meaning out.
  public var notes: [String]
  /// The line with a word spelt as the archive has it, where it may have been meant so.
  public var suggestion: String?
  /// Whether no entry has all the words, so that these have some of them.
  public var isRelaxed: Bool
  /// Whether time ran out before everything was looked at.
  public var isPartial: Bool
}

extension Library {
  /// Searches by words and by meaning.
  ///
  /// Any text is a search: words, `"phrases"`, filters such as `tag:sport`, or a question. By meaning is
  /// searched where ``updateIndexes(progress:)`` has built that index; else by words alone.
  ///
  /// - Parameters:
  ///   - text: the line as it was typed.
  ///   - filter: what narrows the search, and the page that is wanted. Goals, values and terms of that
  ///     name stand before the entries on the first page.
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

  /// Returns the whole entries of search results, in their order and each once.
  public func entries(of hits: [SearchHit]) async throws(LibraryError) -> [JournalEntry] {
    try await waiting { [self] in try archive.entries(of: hits) }
  }

  /// Builds the indexes of search beside the archive, or brings them up to date.
  ///
  /// Search is right without them, and faster with them once there are tens of thousands of entries.
  /// For search by meaning the model has to be on the computer, see Embeddings in Arkived's documentation.
  /// It can be cancelled at any moment, and is taken up there.
  ///
  /// - Parameter progress: told the share that is done, from 0 to 1, on some thread.
  /// - Throws: ``LibraryError/Code/cancelled``, ``LibraryError/Code/storage``.
  @concurrent public func updateIndexes(
    progress: @escaping @Sendable (Double) -> Void = { _ in }
  ) async throws(LibraryError) {
    do {
      let job = IndexJob(archive, indexes, isCancelled: { Task.isCancelled }) { part in
        progress(part.total > 0 ? Double(part.done) / Double(part.total) : 1)
      }
      _ = try await job.run()
    } catch {
      throw LibraryError(error)
    }
  }
}

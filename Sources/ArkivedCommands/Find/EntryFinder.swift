import ArkivedCore
import ArkivedSearch
import ArkivedStore
import Foundation

/// Finds the entries that match a command's words and filters.
struct EntryFinder {
  let archive: Archive
  var request: SearchRequest
  /// The maximum number of entries; nil for all.
  var limit: Int?
  /// The interpretation of the filters in the line.
  let line: LineRequest
  private let newest: Int?
  private let sort: EntrySort?

  /// Creates a finder.
  ///
  /// - Parameters:
  ///   - archive: the archive.
  ///   - request: the search.
  ///   - filters: the filters given as options.
  ///   - isExact: true if an action follows, for which the line must be unambiguous.
  ///   - zone: the time zone.
  /// - Throws: `CommandFailure` for a filter that an action can't ignore.
  init(
    archive: Archive, request: SearchRequest, filters: Filters, isExact: Bool, zone: Zone
  ) throws {
    self.archive = archive
    line = try HybridSearch(archive: archive, zone: zone).read(request, isExact: isExact)
    // A filter without a value must not select everything.
    let saysNothing =
      request.query.contains { !$0.isWhitespace } && !line.request.hasFilters
      && line.request.query.allSatisfy(\.isWhitespace)
    if isExact || saysNothing, let sentence = line.unread.first {
      throw CommandFailure(.usage, sentence + ".")
    }
    if saysNothing {
      throw CommandFailure(.usage, said("“\(request.query)” needs a value right after the colon."))
    }
    self.request = line.request
    newest = filters.newest
    limit = filters.newest ?? filters.limit
    sort = filters.sort
  }

  var hasWords: Bool { request.query.contains { !$0.isWhitespace } }

  /// True if a limit sets the number of entries.
  var hasCount: Bool { limit != nil }

  private var order: Archive.ResultOrder { newest == nil && sort == .oldest ? .oldest : .newest }

  private var limited: SearchRequest {
    var request = request
    request.limit = limit ?? .max
    return request
  }

  /// The results of a search by words.
  struct Ranked {
    var hits: [SearchHit] = []
    /// The interpretation of the query, if it was interpreted as more than its words.
    var reading: [String] = []
    var isRelaxed = false
    /// Sentences about what prevented a search by meaning.
    var notes: [String] = []
    /// The line that was probably intended.
    var suggestion: String?
  }

  /// True if meaning affects the results or their order.
  var readsMeaning: Bool {
    newest == nil && (sort == nil || sort == .best) && request.mode != .words
  }

  /// Returns the results of a search by words, in the requested order.
  func rank(_ zone: Zone, _ indexes: SearchIndexes) throws -> Ranked {
    if newest == nil, sort == nil || sort == .best {
      let outcome = try HybridSearch(archive: archive, zone: zone, indexes: indexes)
        .search(limited)
      return Ranked(
        hits: outcome.hits, reading: outcome.reading, isRelaxed: outcome.isRelaxed,
        notes: outcome.notes, suggestion: outcome.suggestion.map(line.line(withWords:)))
    }
    let words = WordQuery(request.query)
    guard !words.terms.isEmpty else { return Ranked() }
    let hits = try archive.hits(
      limited, words: words, expand: WordForms.english.searched(for:), order: order)
    return Ranked(hits: newest == nil ? hits : hits.reversed())
  }

  /// Returns the entries that pass the filters, in chronological order.
  func references() throws -> [Archive.EntryReference] {
    let found = try archive.list(limited, order: order)
    return newest == nil ? found : found.reversed()
  }

  /// Returns the entries for an action: those that contain all the words verbatim and pass the
  /// filters, without similar ones.
  func chosen() throws -> [Archive.EntryReference] {
    guard hasWords else { return try references() }
    guard !QuestionReader.isQuestion(request.query) else {
      throw CommandFailure(
        .usage, said("Actions need exact words and filters, not a question."))
    }
    let words = WordQuery(request.query)
    guard !words.terms.isEmpty else { return [] }
    let found = try archive.list(
      limited, words: words, expand: WordForms.english.searched(for:), order: order)
    return newest == nil ? found : found.reversed()
  }

  /// Returns the number of entries that `chosen` would return.
  func count() throws -> Int {
    hasWords || hasCount ? try chosen().count : try archive.count(request)
  }
}

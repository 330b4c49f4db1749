import ArkivedCore
import ArkivedSearch
import ArkivedStore
import Foundation

/// Finds the entries that a command's words and filters mean.
struct EntryFinder {
  let archive: Archive
  var request: SearchRequest
  /// How many at most; nil for all.
  var limit: Int?
  /// How the filters in the line were read.
  let line: LineRequest
  private let newest: Int?
  private let sort: EntrySort?

  /// - Parameter isExact: whether an action follows, for which the line must say exactly what is
  ///   meant.
  /// - Throws: `CommandFailure` for a filter that an action cannot leave out.
  init(
    archive: Archive, request: SearchRequest, filters: Filters, isExact: Bool, zone: Zone
  ) throws {
    self.archive = archive
    line = try HybridSearch(archive: archive, zone: zone).read(request, isExact: isExact)
    // Nothing that was asked for must not become everything there is.
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

  /// Whether a count says how many are meant.
  var hasCount: Bool { limit != nil }

  private var order: Archive.ResultOrder { newest == nil && sort == .oldest ? .oldest : .newest }

  private var limited: SearchRequest {
    var request = request
    request.limit = limit ?? .max
    return request
  }

  /// What is found by words.
  struct Ranked {
    var hits: [SearchHit] = []
    /// How the query was read, where it was read as more than its words.
    var reading: [String] = []
    var isRelaxed = false
    /// Sentences on what kept meaning out.
    var notes: [String] = []
    /// A line that is probably meant instead.
    var suggestion: String?
  }

  /// If meaning has a say in what is found and in which order.
  var readsMeaning: Bool {
    newest == nil && (sort == nil || sort == .best) && request.mode != .words
  }

  /// What is found by words, in the order asked for.
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
      limited, words: words, expand: WordForms.english.forms(of:), order: order)
    return Ranked(hits: newest == nil ? hits : hits.reversed())
  }

  /// What passes the filters, in the order of time.
  func references() throws -> [Archive.EntryReference] {
    let found = try archive.list(limited, order: order)
    return newest == nil ? found : found.reversed()
  }

  /// What an action is for: every entry that holds all the words as they stand and passes the
  /// filters. Nothing that is only like it.
  func chosen() throws -> [Archive.EntryReference] {
    guard hasWords else { return try references() }
    guard !QuestionReader.isQuestion(request.query) else {
      throw CommandFailure(
        .usage, said("Actions need exact words and filters, not a question."))
    }
    let words = WordQuery(request.query)
    guard !words.terms.isEmpty else { return [] }
    let found = try archive.list(
      limited, words: words, expand: WordForms.english.forms(of:), order: order)
    return newest == nil ? found : found.reversed()
  }

  /// How many `chosen` would give.
  func count() throws -> Int {
    hasWords || hasCount ? try chosen().count : try archive.count(request)
  }
}

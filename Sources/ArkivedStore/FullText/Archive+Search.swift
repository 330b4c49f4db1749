package import ArkivedCore
import Foundation
import GRDB

/// Finding entries by their words and metadata.
extension Archive {
  /// The strictness of matching a query's words.
  package enum WordMatching: Sendable {
    /// Every term must occur.
    case all
    /// Any term may occur; more and rarer ones rank higher.
    case any
  }

  /// The order of results.
  package enum ResultOrder: Sendable {
    /// By the words found, newer first among equals; newest first without words.
    case best
    case oldest
    case newest
  }

  /// Returns entries that contain the words of a query and pass its filters, best first.
  ///
  /// A query without words lists the entries that pass the filters, newest first.
  ///
  /// - Parameters:
  ///   - request: the search.
  ///   - words: the query.
  ///   - matching: how words are compared.
  ///   - expand: other forms of a word that count as the word itself, such as “ran” for “run”.
  ///   - types: the kinds of entry to search; all if empty.
  ///   - order: how results are sorted.
  /// - Returns: the entries.
  /// - Throws: `ArchiveError` or `DatabaseError` if the archive can't be read.
  package func search(
    _ request: SearchRequest, words: WordQuery, matching: WordMatching = .all,
    expand: (String) -> [String] = { _ in [] }, types: [HitType] = [], order: ResultOrder = .best
  ) throws -> [SearchHit] {
    try search(
      request, words: words, matching: matching, expand: expand, types: types, order: order,
      patience: nil
    ).hits
  }

  /// Searches for at most a number of seconds.
  ///
  /// If that is too short, the most recently written entries are searched for the same time again.
  ///
  /// - Returns: the results, and true if some entries were not searched.
  package func search(
    _ request: SearchRequest, words: WordQuery, matching: WordMatching = .all,
    expand: (String) -> [String] = { _ in [] }, types: [HitType] = [], order: ResultOrder = .best,
    patience: Double?
  ) throws -> (hits: [SearchHit], isPartial: Bool) {
    guard request.limit > 0 else { return ([], false) }
    return try read { db in
      var filter = try SearchFilter(request, types: types, db)
      let match = filter.match(words, matching: matching, expand: expand)
      let isInside = words.terms.contains { $0.form == .inside }
      guard match != nil || request.hasFilters || isInside || order != .best else {
        return ([], false)
      }
      let score = match == nil ? "0.0" : "-bm25(search_words, 4.0, 1.0, 2.0)"
      let arguments = (match.map { [$0] } ?? []) + filter.arguments
      func sql(_ score: String, _ order: String) -> String {
        """
        SELECT search_words.rowid AS document, \(score) AS score
        FROM search_words \(filter.joins)
        WHERE \(match == nil ? "1" : "search_words MATCH ?") \(filter.conditions)
        ORDER BY \(order)
        """
      }
      let all = try Patience.within(patience, db) {
        try Row.fetchAll(
          db, sql: sql(score, order.sql(hasWords: match != nil)) + " LIMIT ? OFFSET ?",
          arguments: arguments + [request.limit, max(0, request.offset)])
      }
      var rows = all ?? []
      if all == nil {
        let wanted = request.limit.addingReportingOverflow(max(0, request.offset))
        _ = try Patience.within(patience, db) {
          let newest = try Row.fetchCursor(
            db, sql: sql("0.0", "search_words.rowid DESC"), arguments: arguments)
          while !wanted.overflow, rows.count < wanted.partialValue, let row = try newest.next() {
            rows.append(row.copy())
          }
        }
        rows = Array(rows.dropFirst(max(0, request.offset)))
      }
      let why = SearchHit.Reason(
        words: words.wanted.map(\.text), filters: filter.labels)
      let forms = words.wanted.flatMap { [$0.text] + expand($0.text) }
      return (
        try SearchHits.load(rows, match: match, forms: forms, why: why, db), all == nil
      )
    }
  }
}

extension Archive.ResultOrder {
  func sql(hasWords: Bool) -> String {
    let time = "search_words.day_key %, coalesce(activities.start_at, 0) %, search_words.rowid %"
    let newest = time.replacingOccurrences(of: "%", with: "DESC")
    switch self {
    case .best: return hasWords ? "bm25(search_words, 4.0, 1.0, 2.0), \(newest)" : newest
    case .oldest: return time.replacingOccurrences(of: "%", with: "ASC")
    case .newest: return newest
    }
  }
}

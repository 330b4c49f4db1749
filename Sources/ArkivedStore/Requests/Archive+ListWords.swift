package import ArkivedCore
import Foundation
import GRDB

/// Listing the entries that contain words, in chronological order.
extension Archive {
  /// Returns the entries that contain all words of a query and pass its filters, in chronological
  /// order; the caption of an attachment counts for the entry it belongs to.
  ///
  /// - Parameters:
  ///   - request: the search.
  ///   - words: the query.
  ///   - expand: other forms of a word that count as the word itself.
  ///   - order: `.oldest` first, otherwise newest first.
  /// - Returns: the entries.
  /// - Throws: `ArchiveError` or `DatabaseError` if the archive can't be read.
  package func list(
    _ request: SearchRequest, words: WordQuery, expand: (String) -> [String],
    order: ResultOrder = .newest
  ) throws -> [EntryReference] {
    try read { db in
      var filter = try SearchFilter(request, types: [], db)
      let match = filter.match(words, matching: .all, expand: expand)
      let rows = try Row.fetchCursor(
        db,
        sql: """
          SELECT search_words.rowid AS document FROM search_words \(filter.joins)
          WHERE \(match == nil ? "1" : "search_words MATCH ?") \(filter.conditions)
          """, arguments: (match.map { [$0] } ?? []) + filter.arguments)
      var activities: [Int64] = []
      var days: [Int64] = []
      var attachments: [Int64] = []
      while let row = try rows.next() {
        let document: Int64 = row["document"]
        switch SearchDocument.Kind(rawValue: document & 7) {
        case .activity: activities.append(document >> 3)
        case .day: days.append(document >> 3)
        case .attachment: attachments.append(document >> 3)
        // A note is not an entry of a day's timeline.
        case .note, nil: break
        }
      }
      var owners = (activities: [Int64](), days: [Int64]())
      for slice in attachments.slices() {
        let rows = try Row.fetchCursor(
          db,
          sql: """
            SELECT activity_pk, day_pk FROM \(EntryTables.attachments)
            WHERE pk IN (\(placeholders(slice.count)))
            """, arguments: StatementArguments(slice))
        while let row = try rows.next() {
          if let key = row["activity_pk"] as Int64? { owners.activities.append(key) }
          if let key = row["day_pk"] as Int64? { owners.days.append(key) }
        }
      }
      // A caption without the excluded words may belong to an entry with them.
      for (key, kind) in try Archive.owners(owners, without: words.excluded, db) {
        if kind == .activity { activities.append(key) } else { days.append(key) }
      }
      var found: [EntryReference] = []
      for (type, keys) in [(HitType.activity, Set(activities)), (.day, Set(days))] {
        for slice in keys.slices() {
          found += try Archive.references(
            type, "WHERE pk IN (\(placeholders(slice.count)))", StatementArguments(slice), db)
        }
      }
      found.sort {
        order == .oldest ? EntryReference.isEarlier($0, $1) : EntryReference.isEarlier($1, $0)
      }
      return Array(found.dropFirst(max(0, request.offset)).prefix(max(0, request.limit)))
    }
  }

  /// Returns those owners of attachments whose own texts contain none of the excluded words.
  private static func owners(
    _ owners: (activities: [Int64], days: [Int64]), without excluded: [WordQuery.Term],
    _ db: Database
  ) throws -> [(key: Int64, kind: SearchDocument.Kind)] {
    let all =
      owners.activities.map { (key: $0, kind: SearchDocument.Kind.activity) }
      + owners.days.map { (key: $0, kind: SearchDocument.Kind.day) }
    guard !excluded.isEmpty, !all.isEmpty else { return all }
    var filter = try SearchFilter(SearchRequest(query: ""), types: [], db)
    let match = filter.match(WordQuery(terms: excluded), matching: .all, expand: { _ in [] })
    let kept = try Archive.passing(
      all.map { SearchDocument.rowNumber($0.kind, $0.key) }, filter, match: match, db)
    return all.filter { kept.contains(SearchDocument.rowNumber($0.kind, $0.key)) }
  }

  /// Returns the same entries as search results, with the part that shows the words.
  package func hits(
    _ request: SearchRequest, words: WordQuery, expand: (String) -> [String],
    order: ResultOrder = .newest
  ) throws -> [SearchHit] {
    let found = try list(request, words: words, expand: expand, order: order)
    return try read { db in
      let rows = found.map { reference in
        let kind: SearchDocument.Kind = reference.isActivity ? .activity : .day
        return Row([
          "document": SearchDocument.rowNumber(kind, reference.pk), "score": 0.0,
        ])
      }
      let filter = try SearchFilter(request, types: [], db)
      return try SearchHits.load(
        rows, match: SearchMatch.expression(words, matching: .all, expand: expand),
        forms: words.wanted.flatMap { [$0.text] + expand($0.text) },
        why: SearchHit.Reason(words: words.wanted.map(\.text), filters: filter.labels), db)
    }
  }
}

package import ArkivedCore
import GRDB

/// Looking up the results of an index next to the database.
extension Archive {
  /// A document that an index found, with the reason.
  package struct FoundDocument: Hashable, Sendable {
    /// Its row number in the full-text table.
    package var document: Int64
    package var score: Double
    /// The words of the query that it contains.
    package var words: [String] = []
    package var similarity: Double?
    /// The part of its text (see `MeaningText`) that best shows the reason, in bytes of UTF-8; nil
    /// for the text around its words.
    package var passage: Range<Int>?

    package init(
      document: Int64, score: Double, words: [String] = [], similarity: Double? = nil,
      passage: Range<Int>? = nil
    ) {
      self.document = document
      self.score = score
      self.words = words
      self.similarity = similarity
      self.passage = passage
    }
  }

  /// Returns true if a document is a day's own page.
  package static func isDayPage(document: Int64) -> Bool {
    SearchDocument.Kind(rawValue: document & 7) == .day
  }

  /// Returns those documents that are visible and pass a request's filters.
  ///
  /// - Parameters:
  ///   - documents: the documents.
  ///   - request: the search.
  ///   - types: the kinds of entry; all if empty.
  ///   - literal: words that the documents must contain as well, or must not contain.
  /// - Returns: the documents that pass.
  /// - Throws: `ArchiveError` or `DatabaseError` if the archive can't be read.
  package func passing(
    _ documents: [Int64], _ request: SearchRequest, types: [HitType] = [],
    literal: WordQuery = WordQuery(terms: [])
  ) throws -> Set<Int64> {
    guard !documents.isEmpty else { return [] }
    return try read { db in
      var filter = try SearchFilter(request, types: types, db)
      let match = filter.match(literal, matching: .all, expand: { _ in [] })
      return try Self.passing(documents, filter, match: match, db)
    }
  }

  /// Returns those documents that pass a filter and match an expression.
  static func passing(
    _ documents: [Int64], _ filter: SearchFilter, match: String?, _ db: Database
  ) throws -> Set<Int64> {
    let matching: StatementArguments = match.map { [$0] } ?? []
    var passing = Set<Int64>()
    for slice in documents.slices() {
      passing.formUnion(
        try Int64.fetchAll(
          db,
          sql: """
            SELECT search_words.rowid FROM search_words \(filter.joins)
            WHERE search_words.rowid IN (\(KeyList.sql))
              \(match == nil ? "" : "AND search_words MATCH ?") \(filter.conditions)
            """, arguments: [KeyList.text(slice)] + matching + filter.arguments))
    }
    return passing
  }

  /// Returns documents as search results, each with the part of its text that shows the words.
  package func hits(
    of found: [FoundDocument], _ request: SearchRequest, words: WordQuery,
    expand: (String) -> [String]
  ) throws -> [SearchHit] {
    guard !found.isEmpty else { return [] }
    return try read { db in
      let labels = try SearchFilter(request, types: [], db).labels
      let rows = found.map { Row(["document": $0.document, "score": $0.score]) }
      let reasons = Dictionary(
        found.map { ($0.document, $0) }, uniquingKeysWith: { first, _ in first })
      return try SearchHits.load(
        rows, match: SearchMatch.expression(words, matching: .any, expand: expand),
        forms: words.wanted.flatMap { [$0.text] + expand($0.text) },
        passages: reasons.compactMapValues(\.passage), db
      ) { document in
        SearchHit.Reason(
          words: reasons[document]?.words ?? [], filters: labels,
          similarity: reasons[document]?.similarity)
      }
    }
  }
}

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
      let inside = words.terms.filter { $0.form == .inside }
      for term in inside { filter.require(inside: term) }
      let match = SearchMatch.expression(words, matching: matching, expand: expand)
      if match == nil { SearchMatch.exclusions(words).forEach { filter.exclude(match: $0) } }
      guard match != nil || request.hasFilters || !inside.isEmpty || order != .best else {
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

  /// The totals of a set of entries.
  package struct Tally: Hashable, Sendable {
    package var entries = 0
    /// The number of different days they belong to.
    package var days = 0
    package var first: DayKey?
    package var last: DayKey?
    /// Their duration in minutes, if known.
    package var minutes = 0.0
    /// The amounts by unit, with the number of entries that have one.
    package var amounts: [String: (sum: Double, entries: Int)] = [:]
    package var timed = 0

    package static func == (left: Tally, right: Tally) -> Bool {
      left.entries == right.entries && left.days == right.days && left.minutes == right.minutes
    }
    package func hash(into hasher: inout Hasher) { hasher.combine(entries) }
  }

  /// Returns counts and sums of every entry that a search would find, without a limit.
  package func tally(
    _ request: SearchRequest, words: WordQuery, expand: (String) -> [String] = { _ in [] },
    types: [HitType] = []
  ) throws -> Tally {
    try read { db in
      var filter = try SearchFilter(request, types: types, db)
      for term in words.terms where term.form == .inside { filter.require(inside: term) }
      let match = SearchMatch.expression(words, matching: .all, expand: expand)
      if match == nil { SearchMatch.exclusions(words).forEach { filter.exclude(match: $0) } }
      let source = """
        FROM search_words \(filter.joins)
        WHERE \(match == nil ? "1" : "search_words MATCH ?") \(filter.conditions)
        """
      let arguments = (match.map { [$0] } ?? []) + filter.arguments
      var tally = Tally()
      if let row = try Row.fetchOne(
        db,
        sql: """
          SELECT count(*) AS entries, count(DISTINCT search_words.day_key) AS days,
            min(search_words.day_key) AS first, max(search_words.day_key) AS last,
            count(coalesce(activities.duration_minutes, activities.end_at - activities.start_at))
              AS timed,
            total(coalesce(activities.duration_minutes,
              (activities.end_at - activities.start_at) / 60000.0)) AS minutes
          \(source)
          """, arguments: arguments)
      {
        tally.entries = row["entries"]
        tally.days = row["days"]
        tally.first = (row["first"] as String?).flatMap(DayKey.init)
        tally.last = (row["last"] as String?).flatMap(DayKey.init)
        tally.minutes = row["minutes"]
        tally.timed = row["timed"]
      }
      let amounts = try Row.fetchCursor(
        db,
        sql: """
          SELECT unit, sum(amount) AS sum, count(*) AS entries FROM measurements
          WHERE activity_pk IN (SELECT activities.pk \(source)) GROUP BY unit
          """, arguments: arguments)
      while let row = try amounts.next() {
        tally.amounts[row["unit"]] = (row["sum"], row["entries"])
      }
      return tally
    }
  }

  /// Rebuilds the full-text index and the index of links from the entries, in one transaction.
  package func rebuildSearchWords() throws {
    try writer.write { db in
      try db.execute(sql: "DELETE FROM search_indexes")
      try db.execute(
        sql: "INSERT INTO search_changes (document) VALUES (?)",
        arguments: [Archive.wordsWereRemade])
      try db.execute(sql: "DROP TABLE search_words")
      try SearchWordsMigration.migrate(db)
      try db.execute(sql: "DELETE FROM text_links; DELETE FROM note_names")
      var last: Int64 = 0
      while true {
        let records = try ActivityRecord.fetch(
          db, from: "activity_rows", where: "pk > ?", arguments: [last], limit: 1_000)
        guard let end = records.last?.pk else { break }
        for record in records {
          var document = SearchDocument(record.activity, pk: record.pk)
          document.add(try Meeting.words(ofActivity: record.pk, db))
          try document.insert(db)
        }
        last = end
      }
      for record in try DayRecord.fetch(db, from: "day_rows", where: "1") {
        try SearchDocument(record.entry, pk: record.pk).insert(db)
      }
      let notes = try Row.fetchCursor(db, sql: Note.selection(from: "note_rows"))
      while let row = try notes.next() {
        try SearchDocument(
          try Note.read(row), pk: row["pk"], dayKey: try row.day("shown_day")
        ).insert(db)
      }
      let rows = try Row.fetchCursor(
        db,
        sql: """
          SELECT attachments.*,
            coalesce(activities.day_key, days.day_key, note_rows.shown_day) AS day_key
          FROM attachments LEFT JOIN activity_rows AS activities ON activities.pk = activity_pk
          LEFT JOIN day_rows AS days ON days.pk = day_pk
          LEFT JOIN note_rows ON note_rows.pk = note_pk
          """)
      while let row = try rows.next() {
        try SearchDocument(
          try AttachmentRecord.read(row), pk: row["pk"], dayKey: try row.day("day_key"))?
          .insert(db)
      }
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

/// Converts a query's words to FTS5's MATCH language; everything is quoted, so no text can cause an
/// error (SQLite, "FTS5 Full-text Query Syntax").
enum SearchMatch {
  /// Returns the MATCH expression, or nil if the query has no word that must occur.
  static func expression(
    _ query: WordQuery, matching: Archive.WordMatching, expand: (String) -> [String]
  ) -> String? {
    let wanted = query.wanted.filter { $0.form != .inside }
    guard !wanted.isEmpty else { return nil }
    let parts = wanted.map { term -> String in
      guard term.form == .word else { return phrase(term) }
      let forms = [term.text] + expand(term.text).filter { $0 != term.text.lowercased() }
      guard forms.count > 1 else { return phrase(term) }
      return "(" + forms.map { phrase(.init(text: $0)) }.joined(separator: " OR ") + ")"
    }
    var expression = parts.joined(separator: matching == .all ? " AND " : " OR ")
    for term in query.excluded where term.form != .inside {
      expression = "(\(expression)) NOT \(phrase(term))"
    }
    return expression
  }

  /// Returns the words that must not occur, each as a separate expression.
  static func exclusions(_ query: WordQuery) -> [String] {
    query.excluded.filter { $0.form != .inside }.map(phrase)
  }

  private static func phrase(_ term: WordQuery.Term) -> String {
    var scalars = Segmentation.spaced(term.text).unicodeScalars
    scalars.removeAll { $0 == "\0" }
    let quoted = String(scalars).replacingOccurrences(of: "\"", with: "\"\"")
    return "\"\(quoted)\"" + (term.form == .prefix ? "*" : "")
  }
}

/// Converts the index's rows to hits.
enum SearchHits {
  static func load(
    _ rows: [Row], match: String?, forms: [String], why: SearchHit.Reason, _ db: Database
  ) throws -> [SearchHit] {
    try load(rows, match: match, forms: forms, db) { _ in why }
  }

  /// Loads the hits.
  ///
  /// - Parameters:
  ///   - rows: the rows that were found.
  ///   - match: the words to mark; nil for none.
  ///   - forms: other forms of the words, which are marked too.
  ///   - passages: the parts of documents' texts to show, see `MeaningText`; other documents show
  ///     the text around their words.
  ///   - db: the database.
  ///   - reason: the reason a document was found.
  /// - Returns: the hits.
  /// - Throws: `DatabaseError` if the archive can't be read.
  static func load(
    _ rows: [Row], match: String?, forms: [String], passages: [Int64: Range<Int>] = [:],
    _ db: Database, reason: (Int64) -> SearchHit.Reason
  ) throws -> [SearchHit] {
    var keys: [SearchDocument.Kind: [Int64]] = [:]
    for row in rows {
      let document: Int64 = row["document"]
      if let kind = SearchDocument.Kind(rawValue: document & 7) {
        keys[kind, default: []].append(document >> 3)
      }
    }
    var activities: [Int64: Activity] = [:]
    for slice in (keys[.activity] ?? []).slices() {
      let records = try ActivityRecord.fetch(
        db, where: "pk IN (\(KeyList.sql))", arguments: [KeyList.text(slice)])
      for record in records { activities[record.pk] = record.activity }
    }
    var days: [Int64: DayEntry] = [:]
    for slice in (keys[.day] ?? []).slices() {
      let records = try DayRecord.fetch(
        db, where: "pk IN (\(KeyList.sql))", arguments: [KeyList.text(slice)])
      for record in records { days[record.pk] = record.entry }
    }
    return try rows.compactMap { row -> SearchHit? in
      let document: Int64 = row["document"]
      let key = document >> 3
      let snippet =
        try passages[document].flatMap { try passage($0, of: document, forms: forms, db) }
        ?? snippet(of: document, match: match, forms: forms, db)
      let score: Double = row["score"]
      let why = reason(document)
      switch SearchDocument.Kind(rawValue: document & 7) {
      case .activity:
        guard let activity = activities[key] else { return nil }
        return SearchHit(
          type: .activity, id: activity.id, dayKey: activity.dayKey, startAt: activity.startAt,
          dayPeriod: activity.dayPeriod, timeZone: activity.timeZone, kind: activity.kind,
          title: activity.text, snippet: snippet,
          score: score,
          why: why, externalRefs: activity.externalRefs)
      case .day:
        guard let entry = days[key] else { return nil }
        return SearchHit(
          type: .day, id: entry.id, dayKey: entry.dayKey,
          title: entry.headline, snippet: snippet, score: score, why: why,
          externalRefs: entry.externalRefs)
      case .attachment:
        return try attachment(key, snippet: snippet, score: score, why: why, db)
      case .note: return try note(key, snippet: snippet, score: score, why: why, db)
      case nil: return nil
      }
    }
  }

  /// The length above which only the part of a text around the first word found is shown: FTS5's
  /// own snippets take minutes on a note of several megabytes, because they copy the text for every
  /// word they mark.
  private static let snippetLimit = 20_000

  /// Returns the part of a document's text that best shows why it was found: the title if it
  /// contains a word, otherwise the text around the words, otherwise (if they are among the names)
  /// the title.
  private static func snippet(
    of document: Int64, match: String?, forms: [String], _ db: Database
  ) throws -> Snippet {
    let plain = try Row.fetchOne(
      db,
      cached: """
        SELECT length(title) + length(body) AS length, substr(title, 1, 400) AS title,
          substr(body, 1, 400) AS body FROM search_words WHERE rowid = ?
        """, arguments: [document])
    var (title, body): (String, String) = (plain?["title"] ?? "", plain?["body"] ?? "")
    if let match, (plain?["length"] ?? 0) <= snippetLimit {
      let marked = try Row.fetchOne(
        db,
        cached: """
          SELECT snippet(search_words, 0, char(2), char(3), '…', 32) AS title,
            snippet(search_words, 1, char(2), char(3), '…', 32) AS body
          FROM search_words WHERE search_words MATCH ? AND rowid = ?
          """, arguments: [match, document])
      (title, body) = (marked?["title"] ?? title, marked?["body"] ?? body)
    } else if match != nil {
      let long = try String.fetchOne(
        db, sql: "SELECT body FROM search_words WHERE rowid = ?", arguments: [document])
      body = LongText.surroundings(of: forms, in: long ?? "") ?? body
    }
    let mark = Segmentation.markStart
    let showsBody =
      title.isEmpty
      || (!title.unicodeScalars.contains(mark) && body.unicodeScalars.contains(mark))
    return Snippet(marked: showsBody ? body : title)
  }

  /// The length of the shown part of a passage, in characters.
  private static let passageLimit = 320

  /// Returns a part of a document's text with the words in it; nil if its title shows it.
  private static func passage(
    _ range: Range<Int>, of document: Int64, forms: [String], _ db: Database
  ) throws -> Snippet? {
    let row = try Row.fetchOne(
      db, cached: "SELECT title, body FROM search_words WHERE rowid = ?", arguments: [document])
    guard let row else { return nil }
    let (title, body): (String, String) = (row["title"], row["body"])
    // The text begins with the title and a line break, if there is one.
    let start = range.lowerBound - (title.isEmpty ? 0 : title.utf8.count + 1)
    let end = min(start + range.count, body.utf8.count)
    guard start >= 0, start < end else { return nil }
    let bytes = body.utf8
    let piece = String(
      decoding: bytes.dropFirst(start).prefix(end - start), as: UTF8.self
    ).trimmingCharacters(in: .whitespacesAndNewlines)
    guard !piece.isEmpty else { return nil }
    let shown =
      piece.count > passageLimit
      ? LongText.surroundings(of: forms, in: piece) ?? piece.prefix(passageLimit) + "…"
      : LongText.marked(forms, in: piece)
    return Snippet(
      marked: (start > 0 ? "…" : "") + shown + (end < body.utf8.count ? "…" : ""))
  }

  private static func note(
    _ key: Int64, snippet: Snippet, score: Double, why: SearchHit.Reason, _ db: Database
  ) throws -> SearchHit? {
    guard
      let row = try Row.fetchOne(
        db, cached: "\(Note.selection(from: "notes")) WHERE it.pk = ?", arguments: [key])
    else { return nil }
    let note = try Note.read(row)
    return SearchHit(
      type: .note, id: note.id, dayKey: try row.day("shown_day"), title: note.headline,
      snippet: snippet, score: score, why: why)
  }

  private static func attachment(
    _ key: Int64, snippet: Snippet, score: Double, why: SearchHit.Reason, _ db: Database
  ) throws -> SearchHit? {
    guard
      let row = try Row.fetchOne(
        db,
        cached: """
          SELECT attachments.*, note_rows.id AS note_id,
            coalesce(activities.day_key, days.day_key, note_rows.shown_day) AS day_key
          FROM attachments LEFT JOIN activity_rows AS activities ON activities.pk = activity_pk
          LEFT JOIN day_rows AS days ON days.pk = day_pk
          LEFT JOIN note_rows ON note_rows.pk = note_pk WHERE attachments.pk = ?
          """, arguments: [key])
    else { return nil }
    let attachment = try AttachmentRecord.read(row)
    return SearchHit(
      type: .attachment, id: attachment.id, dayKey: try row.day("day_key"),
      title: attachment.caption ?? attachment.originalName ?? attachment.type.rawValue,
      snippet: snippet, score: score, why: why,
      noteID: (row["note_id"] as String?).flatMap { UUID(uuidString: $0) })
  }
}

import ArkivedCore
import Foundation
import GRDB

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
          dayPeriod: activity.dayPeriod, isAllDay: activity.isAllDay,
          timeZone: activity.timeZone, kind: activity.kind, title: activity.text,
          snippet: snippet, score: score, why: why, externalRefs: activity.externalRefs)
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

import ArkivedCore
import GRDB

/// Rebuilding the full-text index.
extension Archive {
  /// The version of the form in which texts are stored in the full-text index.
  ///
  /// Since version 2, letters in two parts are composed, and notes have the present names of their
  /// people.
  private static let wordsForm = "2"
  /// The name under which the version is recorded beside the search indexes.
  static let wordsFormName = "words-form"

  /// Brings documents that an earlier version wrote into the present form.
  ///
  /// Only these are written, in short transactions; if it is interrupted, it starts again.
  /// - Parameter look: called frequently; it may throw to interrupt.
  /// - Throws: what `look` throws, and `ArchiveError` or `DatabaseError` if the archive can't be
  ///   written.
  package func renewSearchWords(_ look: () throws -> Void = {}) throws {
    let form = try read { db in
      try String.fetchOne(
        db, sql: "SELECT file FROM search_indexes WHERE name = ?",
        arguments: [Self.wordsFormName])
    }
    guard form != Self.wordsForm else { return }
    var last: Int64? = 0
    while let start = last {
      try look()
      let (old, end) = try read { db in try Self.outdatedDocuments(after: start, db) }
      if !old.isEmpty { try transact { db in try Self.renew(old, db) } }
      last = end
    }
    let notes = try read { db in
      try Int64.fetchAll(
        db,
        sql: """
          SELECT DISTINCT link.note_pk FROM note_mentions AS link
          JOIN person_rows AS one ON one.pk = link.person_pk
          WHERE one.name <> link.name ORDER BY 1
          """)
    }
    for slice in notes.slices(of: 200) {
      try look()
      try transact { db in try Self.reindex(notes: slice, db) }
    }
    try transact { db in
      try db.execute(
        sql: """
          INSERT INTO search_indexes (name, file, marks) VALUES (?, ?, '{}')
          ON CONFLICT (name) DO UPDATE SET file = excluded.file
          """, arguments: [Self.wordsFormName, Self.wordsForm])
    }
  }

  /// Returns the next documents that aren’t in the present form, and the last one examined; nil at
  /// the end.
  private static func outdatedDocuments(
    after start: Int64, _ db: Database
  ) throws -> (old: [Int64], end: Int64?) {
    let rows = try Row.fetchCursor(
      db,
      sql: """
        SELECT rowid AS document, title, body, names FROM search_words
        WHERE rowid > ? ORDER BY rowid LIMIT 1000
        """, arguments: [start])
    var (old, end): ([Int64], Int64?) = ([], nil)
    while let row = try rows.next() {
      let number: Int64 = row["document"]
      end = number
      if renewed(row) != nil { old.append(number) }
    }
    return (old, end)
  }

  /// Returns the texts of a document in the present form; nil if they are in it.
  private static func renewed(_ row: Row) -> [String]? {
    let texts = ["title", "body", "names"].map { row[$0] as String? ?? "" }
    guard !texts.allSatisfy({ $0.utf8.allSatisfy { $0 < 0x80 } }) else { return nil }
    let new = texts.map { Segmentation.spaced(Segmentation.joined($0)) }
    // Strings that differ only in this respect are equal.
    return zip(texts, new).allSatisfy { $0.utf8.elementsEqual($1.utf8) } ? nil : new
  }

  private static func reindex(notes: [Int64], _ db: Database) throws {
    let rows = try Row.fetchAll(
      db, sql: "\(Note.selection(from: "note_rows")) WHERE it.pk IN (\(KeyList.sql))",
      arguments: [KeyList.text(notes)])
    for row in rows {
      let key: Int64 = row["pk"]
      try SearchDocument.remove(.note, key, db)
      try SearchDocument(try Note.read(row), pk: key, dayKey: try row.day("shown_day"), db)
        .insert(db)
    }
  }

  private static func renew(_ documents: [Int64], _ db: Database) throws {
    for number in documents {
      let row = try Row.fetchOne(
        db, cached: "SELECT title, body, names FROM search_words WHERE rowid = ?",
        arguments: [number])
      guard let texts = row.flatMap(renewed) else { continue }
      try db.cachedStatement(
        sql: "UPDATE search_words SET title = ?, body = ?, names = ? WHERE rowid = ?"
      ).execute(arguments: [texts[0], texts[1], texts[2], number])
      try db.cachedStatement(sql: "INSERT INTO search_changes (document) VALUES (?)")
        .execute(arguments: [number])
    }
  }

  /// Rebuilds the full-text index and the index of links from the entries, in one transaction.
  package func rebuildSearchWords() throws {
    try transact { db in
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
      try DayRecord.forEach(db, from: "day_rows") {
        try SearchDocument($0.entry, pk: $0.pk).insert(db)
      }
      let notes = try Row.fetchCursor(db, sql: Note.selection(from: "note_rows"))
      while let row = try notes.next() {
        try SearchDocument(
          try Note.read(row), pk: row["pk"], dayKey: try row.day("shown_day"), db
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

import ArkivedCore
import GRDB

/// Rebuilding the full-text index.
extension Archive {
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

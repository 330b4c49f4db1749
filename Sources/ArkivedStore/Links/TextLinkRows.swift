import ArkivedCore
import GRDB

/// The rows of the index of links, which belong to a search document.
enum TextLinkRows {
  /// Adds the links of a document.
  static func insert(_ document: SearchDocument, _ db: Database) throws {
    if let name = document.linkName {
      try db.cachedStatement(
        sql: "INSERT OR REPLACE INTO note_names (note_pk, folded) VALUES (?, ?)"
      ).execute(arguments: [document.pk, name])
    }
    guard !document.links.isEmpty else { return }
    let statement = try db.cachedStatement(
      sql: "INSERT OR IGNORE INTO text_links (target, day_key, document) VALUES (?, ?, ?)")
    for target in document.links.sorted() {
      try statement.execute(arguments: [target, document.dayKey, document.rowNumber])
    }
  }

  /// Removes the links of a document.
  static func remove(_ rowNumber: Int64, _ db: Database) throws {
    try db.cachedStatement(sql: "DELETE FROM text_links WHERE document = ?")
      .execute(arguments: [rowNumber])
    guard SearchDocument.Kind(rawValue: rowNumber % 8) == .note else { return }
    try db.cachedStatement(sql: "DELETE FROM note_names WHERE note_pk = ?")
      .execute(arguments: [rowNumber / 8])
  }

  /// The texts that may have links, with their day and the row number of their document.
  private static let texts = """
    SELECT pk * 8 + 1 AS document, day_key, note AS a, NULL AS b, NULL AS c FROM day_rows
    WHERE instr(note, '[[') > 0
    UNION ALL
    SELECT pk * 8, day_key, text, description, notes FROM activity_rows
    WHERE instr(text, '[[') > 0 OR instr(description, '[[') > 0 OR instr(notes, '[[') > 0
    UNION ALL
    SELECT activity_pk * 8,
      (SELECT day_key FROM activity_rows WHERE activity_rows.pk = activity_pk),
      coalesce(purpose || char(10), '') || coalesce(outcomes || char(10), '')
        || coalesce(summary, ''), NULL, NULL
    FROM meeting_rows
    WHERE instr(purpose, '[[') > 0 OR instr(outcomes, '[[') > 0 OR instr(summary, '[[') > 0
    UNION ALL
    SELECT pk * 8 + 3, shown_day, text, NULL, NULL FROM note_rows WHERE instr(text, '[[') > 0
    """

  /// Fills the empty tables from all texts.
  static func fill(_ db: Database) throws {
    let titles = try Row.fetchCursor(
      db, sql: "SELECT pk, title FROM note_rows WHERE title IS NOT NULL")
    let name = try db.cachedStatement(
      sql: "INSERT INTO note_names (note_pk, folded) VALUES (?, ?)")
    while let row = try titles.next() {
      let folded = NameFolding.key(row["title"])
      if !folded.isEmpty { try name.execute(arguments: [row["pk"] as Int64, folded]) }
    }
    let statement = try db.cachedStatement(
      sql: "INSERT OR IGNORE INTO text_links (target, day_key, document) VALUES (?, ?, ?)")
    try forEach(db) { target, day, document in
      try statement.execute(arguments: [target, day, document])
    }
  }

  /// Returns the number of rows that are missing or don't belong to a text.
  static func differences(_ db: Database) throws -> Int {
    var expected: Set<Key> = []
    try forEach(db) { expected.insert(Key(target: $0, day: $1, document: $2)) }
    let rows = try Row.fetchCursor(db, sql: "SELECT target, day_key, document FROM text_links")
    var wrong = 0
    while let row = try rows.next() {
      let key = Key(target: row["target"], day: row["day_key"], document: row["document"])
      if expected.remove(key) == nil { wrong += 1 }
    }
    var names = 0
    let titles = try Row.fetchCursor(
      db,
      sql: """
        SELECT title, folded FROM note_rows LEFT JOIN note_names ON note_pk = pk
        WHERE title IS NOT NULL OR folded IS NOT NULL
        """)
    while let row = try titles.next() {
      let folded = NameFolding.key((row["title"] as String?) ?? "")
      if folded != (row["folded"] as String?) ?? "" { names += 1 }
    }
    return wrong + expected.count + names
  }

  private struct Key: Hashable {
    let target: String
    let day: String
    let document: Int64
  }

  private static func forEach(
    _ db: Database, _ body: (String, String, Int64) throws -> Void
  ) throws {
    let rows = try Row.fetchCursor(db, sql: texts)
    while let row = try rows.next() {
      let texts = [row["a"], row["b"], row["c"]] as [String?]
      let targets = texts.compactMap(\.self).map(TextLink.storedKeys)
        .reduce(into: Set<String>()) { $0.formUnion($1) }
      for target in targets.sorted() { try body(target, row["day_key"], row["document"]) }
    }
  }
}

import GRDB

extension Archive {
  /// Passes on the terms of the full-text table in the order of their bytes, with the number of
  /// entries that contain each.
  ///
  /// - Parameters:
  ///   - first: the term to begin with.
  ///   - end: the term to end before; nil for all.
  ///   - body: receives a term and its number; false ends the iteration.
  /// - Throws: what `body` throws, and `ArchiveError` or `DatabaseError` if the archive can't be
  ///   read.
  package func forEachTerm(
    from first: String, to end: String? = nil, _ body: (String, Int) throws -> Bool
  ) throws {
    try read { db in
      // In a database in memory, only this pragma prevents writing, and it forbids temporary tables
      // too.
      let isGuarded = try Bool.fetchOne(db, sql: "PRAGMA query_only") ?? false
      if isGuarded { try db.execute(sql: "PRAGMA query_only = 0") }
      defer { if isGuarded { try? db.execute(sql: "PRAGMA query_only = 1") } }
      try db.execute(
        sql: """
          CREATE VIRTUAL TABLE IF NOT EXISTS temp.search_vocabulary
          USING fts5vocab (main, search_words, row)
          """)
      let rows = try Row.fetchCursor(
        db,
        sql: "SELECT term, doc FROM temp.search_vocabulary WHERE term >= ?"
          + (end == nil ? "" : " AND term < ?"),
        arguments: [first] + (end.map { [$0] } ?? []))
      while let row = try rows.next() {
        guard try body(row[0], row[1]) else { return }
      }
    }
  }
}

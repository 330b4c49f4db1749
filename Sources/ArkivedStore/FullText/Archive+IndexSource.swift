package import ArkivedCore
import Foundation
import GRDB
import GRDBSQLite

/// The source of an index: the entries and their words, in one consistent view.
package struct IndexSource {
  /// The state of the archive in this view.
  package let marks: SearchMarks
  let db: Database

  fileprivate init(_ db: Database) throws {
    self.db = db
    marks = try SearchMarks.now(db)
  }

  /// A document with its position in an index.
  package struct Document: Hashable, Sendable {
    /// Its row number in the full-text table.
    package var rowNumber: Int64
    /// Days since 1970.
    package var day: Int32
    /// Its moment within the day, in milliseconds; an entry without a time is ordered by the time
    /// it was written.
    package var order: Int64
    /// The number of its group; the largest possible number if there are too many groups.
    package var group: UInt16
  }

  /// Activities of one kind and source; other documents have neither.
  package struct Group: Hashable, Sendable {
    package var kind: String?
    package var source: String?
  }

  /// The groups in the order of their first occurrence.
  struct Groups {
    private(set) var all: [Group] = []
    private var numbers: [Group: UInt16] = [:]
    private let limit: Int

    init(limit: Int) { self.limit = limit }

    mutating func number(_ kind: String?, _ source: String?) -> UInt16 {
      let group = Group(kind: kind, source: source)
      if let number = numbers[group] { return number }
      guard all.count < limit else { return .max }
      let number = UInt16(all.count)
      all.append(group)
      numbers[group] = number
      return number
    }
  }

  /// Returns every visible document, in the order of its row number within its kind, and their
  /// groups.
  ///
  /// - Parameter groupLimit: documents of further groups have none.
  /// - Returns: the documents and the groups.
  /// - Throws: `ArchiveError` or `DatabaseError` if the archive can't be read.
  package func documents(groupLimit: Int = 0) throws -> (all: [Document], groups: [Group]) {
    var found: [Document] = []
    var groups = Groups(limit: groupLimit)
    for (kind, sql) in IndexSource.documentQueries {
      try IndexSource.read(db, sql, [], kind, &groups, into: &found)
    }
    return (found, groups.all)
  }

  static func read(
    _ db: Database, _ sql: String, _ arguments: StatementArguments,
    _ kind: SearchDocument.Kind, _ groups: inout Groups, into found: inout [Document]
  ) throws {
    let statement = try db.makeStatement(sql: sql)
    try statement.setArguments(arguments)
    let rows = try Row.fetchCursor(statement)
    // Entries of a day are mostly adjacent.
    var (name, number) = ("", Int32(0))
    let isActivity = kind == .activity
    while let row = try rows.next() {
      let text: String = row[1]
      if text != name { (name, number) = (text, Int32(try row.day("day_key").daysSinceEpoch)) }
      found.append(
        Document(
          rowNumber: SearchDocument.rowNumber(kind, row[0]), day: number, order: row[2],
          group: isActivity ? groups.number(row[3], row[4]) : groups.number(nil, nil)))
    }
  }

  static let documentQueries: [(SearchDocument.Kind, String)] = [
    (.activity, "SELECT pk, day_key, coalesce(start_at, created_at), kind, source FROM activities"),
    (.day, "SELECT pk, day_key, created_at FROM days"),
    (
      .attachment,
      """
      SELECT attachments.pk,
        coalesce(activities.day_key, days.day_key, notes.shown_day) AS day_key,
        attachments.created_at
      FROM attachments LEFT JOIN activities ON activities.pk = activity_pk
      LEFT JOIN days ON days.pk = day_pk LEFT JOIN notes ON notes.pk = note_pk
      WHERE coalesce(activities.pk, days.pk, notes.pk) IS NOT NULL
      """
    ),
    (.note, "SELECT pk, shown_day AS day_key, created_at FROM notes"),
  ]

  /// Passes on every occurrence of every word: by term, then by row number, column and position.
  ///
  /// - Parameter body: receives the term's bytes, the row number, the column (0 title, 1 body, 2
  ///   names) and the position in it.
  /// - Throws: what `body` throws, and `ArchiveError` or `DatabaseError` if the archive can't be
  ///   read.
  package func forEachOccurrence(
    _ body: (UnsafeBufferPointer<UInt8>, Int64, UInt8, UInt32) throws -> Void
  ) throws {
    try db.execute(
      sql: """
        CREATE VIRTUAL TABLE IF NOT EXISTS temp.search_occurrences
        USING fts5vocab (main, search_words, instance)
        """)
    let statement = try db.makeStatement(
      sql: "SELECT term, doc, col, \"offset\" FROM temp.search_occurrences")
    let handle = statement.sqliteStatement
    defer { sqlite3_reset(handle) }
    // GRDB's rows would cost more than everything else here.
    while true {
      switch sqlite3_step(handle) {
      case SQLITE_ROW:
        guard let term = sqlite3_column_text(handle, 0),
          let column = sqlite3_column_text(handle, 2).flatMap({ Self.columns[$0.pointee] })
        else { continue }
        try body(
          UnsafeBufferPointer(start: term, count: Int(sqlite3_column_bytes(handle, 0))),
          sqlite3_column_int64(handle, 1), column,
          UInt32(clamping: sqlite3_column_int64(handle, 3)))
      case SQLITE_DONE: return
      default: throw DatabaseError(stepping: handle)
      }
    }
  }

  /// The columns of the full-text table by the first letter of their names.
  private static let columns: [UInt8: UInt8] = [
    UInt8(ascii: "t"): 0, UInt8(ascii: "b"): 1, UInt8(ascii: "n"): 2,
  ]
}

/// A document with its words, as the full-text table tokenises them.
package struct IndexedWords: Sendable {
  package var document: IndexSource.Document
  /// The tokens of title, body and names.
  package var columns: [[String]]
}

/// A document's text in the form used for embedding.
package struct MeaningText: Hashable, Sendable {
  package var document: IndexSource.Document
  package var text: String
}

/// The changes since an index was built.
package struct SearchDelta: Sendable {
  /// The visible documents that the index lacks or has in an earlier state.
  package var changed: [IndexSource.Document] = []
  /// The documents that the index may have but that must not be returned from it.
  package var outdated = DocumentSet()
}

extension Archive {
  /// Reads the source of an index.
  package func withIndexSource<Value>(_ body: (IndexSource) throws -> Value) throws -> Value {
    try read { db in try body(IndexSource(db)) }
  }

  /// The state of an index in the archive, and the changes since, in one view of the archive.
  package struct IndexState: Sendable {
    /// The index's file; nil if the archive knows of none.
    package var file: String?
    /// The current state of the archive.
    package var now: SearchMarks
    /// The changes since the index was built; nil if the index is too old, because there are too
    /// many changes to look up one by one, or because they include an import.
    package var delta: SearchDelta?
    /// All documents that were touched or hidden since.
    package var outdated = DocumentSet()
    /// The documents that were changed after an earlier state; nil if that is unknown.
    package var fresh: (marks: SearchMarks, documents: Set<Int64>)?
  }

  /// Returns the state of an index.
  ///
  /// - Parameters:
  ///   - name: the name.
  ///   - limit: the maximum number of documents that are looked up one by one.
  ///   - seen: an earlier state of the archive, after the index was built.
  /// - Returns: the state.
  /// - Throws: `ArchiveError` or `DatabaseError` if the archive can't be read.
  package func indexState(
    _ name: String, limit: Int, seen: SearchMarks? = nil
  ) throws -> IndexState {
    try read { db in
      var state = IndexState(now: try SearchMarks.now(db))
      let row = try Row.fetchOne(
        db, cached: "SELECT file, marks FROM search_indexes WHERE name = ?", arguments: [name])
      guard let row, let marks = SearchMarks(row["marks"]) else { return state }
      state.file = row["file"]
      state.outdated = try Archive.outdated(since: marks, state.now, db)
      if var delta = try Archive.delta(since: marks, state.now, limit, db) {
        delta.outdated = state.outdated
        state.delta = delta
        state.fresh = try seen.flatMap { seen in
          try Archive.changed(since: seen, state.now, among: delta, db).map { (seen, $0) }
        }
      }
      return state
    }
  }

  /// Publishes an index that has been built, and removes records that no index needs any more.
  ///
  /// - Returns: false if the words were rebuilt in the meantime; it is then not used.
  @discardableResult
  package func setSearchIndex(_ name: String, file: String, marks: SearchMarks) throws -> Bool {
    try transact { db in
      let isRemade =
        try Bool.fetchOne(
          db, sql: "SELECT EXISTS (SELECT 1 FROM search_changes WHERE seq > ? AND document = ?)",
          arguments: [marks.change, Archive.wordsWereRemade]) ?? false
      guard !isRemade else { return false }
      try db.execute(
        sql: """
          INSERT INTO search_indexes (name, file, marks) VALUES (?, ?, ?)
          ON CONFLICT (name) DO UPDATE SET file = excluded.file, marks = excluded.marks
          """, arguments: [name, file, marks.json.text()])
      let needed = try String.fetchAll(db, sql: "SELECT marks FROM search_indexes")
        .compactMap(SearchMarks.init).map(\.change).min()
      try db.execute(sql: "DELETE FROM search_changes WHERE seq <= ?", arguments: [needed ?? 0])
      return true
    }
  }

  /// A marker among the changed documents that means all of them.
  static let wordsWereRemade: Int64 = -1

  /// Removes an index; searches then work without it.
  ///
  /// - Parameters:
  ///   - name: the name.
  ///   - file: removes it only if it is this one, complete or begun, because another may have been
  ///     made in the meantime.
  /// - Throws: `ArchiveError` or `DatabaseError` if the archive can't be written.
  package func removeSearchIndex(_ name: String, file: String? = nil) throws {
    try transact { db in
      try db.execute(
        sql: """
          DELETE FROM search_indexes
          WHERE name = ?1 AND (?2 IS NULL OR file = ?2 OR file LIKE '%:' || ?2)
          """, arguments: [name, file])
    }
  }

  /// Returns the documents of a delta that were changed after a state in it; nil if changes became
  /// visible or were hidden since.
  private static func changed(
    since seen: SearchMarks, _ now: SearchMarks, among delta: SearchDelta, _ db: Database
  ) throws -> Set<Int64>? {
    guard seen.hidden == now.hidden else { return nil }
    let touched = try Set(
      Int64.fetchAll(
        db, cached: "SELECT DISTINCT document FROM search_changes WHERE seq > ?",
        arguments: [seen.change]))
    return touched.union(delta.changed.lazy.map(\.rowNumber).filter { !seen.covers($0) })
  }

  /// The number of new rows, visible or not, that are examined before an index is too old.
  private static let rowLimit = 50_000

  private static func outdated(
    since marks: SearchMarks, _ now: SearchMarks, _ db: Database
  ) throws -> DocumentSet {
    var outdated = DocumentSet()
    let touched = try Int64.fetchCursor(
      db, sql: "SELECT document FROM search_changes WHERE seq > ?", arguments: [marks.change])
    while let document = try touched.next() { outdated.insert(document) }
    for change in now.hidden where !marks.hidden.contains(change) {
      try hide(change, since: marks, from: &outdated, db)
    }
    return outdated
  }

  private static func delta(
    since marks: SearchMarks, _ now: SearchMarks, _ limit: Int, _ db: Database
  ) throws -> SearchDelta? {
    // Rows that became visible since then are those of a whole import.
    guard Set(marks.hidden).isSubset(of: now.hidden) else { return nil }
    var delta = SearchDelta()
    var keys: [SearchDocument.Kind: Set<Int64>] = [:]
    let touched = try Int64.fetchAll(
      db, cached: "SELECT DISTINCT document FROM search_changes WHERE seq > ? LIMIT ?",
      arguments: [marks.change, limit + 1])
    for document in touched {
      guard let kind = SearchDocument.Kind(rawValue: document & 7) else { continue }
      keys[kind, default: []].insert(document >> 3)
    }
    for (kind, table, last) in [
      (SearchDocument.Kind.activity, "activity_rows", marks.activities),
      (.day, "day_rows", marks.days), (.attachment, "attachments", marks.attachments),
      (.note, "note_rows", marks.notes),
    ] {
      let condition =
        kind == .attachment ? "1" : "NOT \(Visibility.isHidden())"
      let column = kind == .attachment ? "pk" : "pk, changed_pk"
      let rows = try Row.fetchAll(
        db,
        cached: """
          SELECT pk, \(condition) AS is_seen
          FROM (SELECT \(column) FROM \(table) WHERE pk > ? LIMIT \(rowLimit))
          """, arguments: [last])
      guard rows.count < rowLimit else { return nil }
      keys[kind, default: []].formUnion(rows.filter { $0["is_seen"] }.map { $0["pk"] })
    }
    guard keys.values.reduce(0, { $0 + $1.count }) <= limit else { return nil }
    var groups = IndexSource.Groups(limit: 0)
    for (kind, sql) in IndexSource.documentQueries {
      guard let list = keys[kind], !list.isEmpty else { continue }
      let column = kind == .attachment ? "attachments.pk" : "pk"
      let joint = kind == .attachment ? " AND" : " WHERE"
      try IndexSource.read(
        db, "\(sql)\(joint) \(column) IN (\(KeyList.sql))", [KeyList.text(Array(list))],
        kind, &groups, into: &delta.changed)
    }
    return delta
  }

  /// Adds the documents of a change that was hidden since an index was built.
  private static func hide(
    _ change: Int64, since marks: SearchMarks, from outdated: inout DocumentSet, _ db: Database
  ) throws {
    for (kind, table, last) in [
      (SearchDocument.Kind.activity, "activity_rows", marks.activities),
      (.day, "day_rows", marks.days), (.note, "note_rows", marks.notes),
    ] {
      let keys = try Int64.fetchCursor(
        db,
        // Rows that the owner has changed since stay visible.
        sql: "SELECT pk FROM \(table) WHERE change_pk = ?1 AND changed_pk = ?1 AND pk <= ?2",
        arguments: [change, last])
      while let key = try keys.next() { outdated.insert(SearchDocument.rowNumber(kind, key)) }
    }
  }

  /// Returns the words of some documents.
  package func words(of documents: [IndexSource.Document]) throws -> [IndexedWords] {
    try read { db in
      let tokenizer = try db.makeTokenizer(SearchWordsMigration.tokenizer)
      var found: [IndexedWords] = []
      for document in documents {
        let row = try Row.fetchOne(
          db, cached: "SELECT title, body, names FROM search_words WHERE rowid = ?",
          arguments: [document.rowNumber])
        guard let row else { continue }
        found.append(
          IndexedWords(
            document: document,
            columns: try (0..<3).map { column in
              try tokenizer.tokenize(document: row[column] as String).map(\.token)
            }))
      }
      return found
    }
  }

  /// Returns the words of a text, as the full-text table tokenises it.
  package func tokens(of text: String) throws -> [String] {
    try read { db in
      try db.makeTokenizer(SearchWordsMigration.tokenizer)
        .tokenize(query: Segmentation.spaced(text)).map(\.token)
    }
  }

  /// Returns the texts of some documents for embedding; documents without text are skipped.
  package func meaningTexts(of documents: [IndexSource.Document]) throws -> [MeaningText] {
    try read { db in
      try documents.compactMap { document in
        let row = try Row.fetchOne(
          db, cached: "SELECT title, body FROM search_words WHERE rowid = ?",
          arguments: [document.rowNumber])
        guard let row else { return nil }
        let text = [row["title"] as String, row["body"]].filter { !$0.isEmpty }
          .joined(separator: "\n")
        return text.isEmpty ? nil : MeaningText(document: document, text: text)
      }
    }
  }
}

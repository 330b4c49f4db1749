package import ArkivedCore
import Foundation
import GRDB

/// Removing entities without a trace.
extension ChangeScope {
  /// Removes the selected data, with everything that quotes it.
  ///
  /// - Returns: the IDs of messages that were removed because they quote it, and of conversations
  ///   that had a title that quotes it.
  /// - Throws: `DatabaseError` if the archive can't be written.
  func purge(
    _ forgotten: Forgotten
  ) throws -> (messages: Set<String>, threads: Set<String>) {
    try markAsForgotten(forgotten)
    try markAsPurged(forgotten)
    let said = try texts(ofMessages: forgotten)
    try purgeCalendars(forgotten)
    for type in StoredEntities.all.map({ $0.entityType })
      + [EntityType.activity, .day, .metric, .person, .tag]
    {
      guard let keys = forgotten.keys[type], !keys.isEmpty else { continue }
      try HiddenRows.remove(type, keys: keys, db)
    }
    try purgeTemplates(forgotten)
    try purgeVersions(forgotten)
    try purgeChanges(forgotten)
    let talk = try purgeTalk(forgotten)
    let left = try String.fetchSet(
      db, sql: "SELECT id FROM message_rows WHERE id IN (SELECT value FROM json_each(?))",
      arguments: [Forgotten.list(talk.ids)])
    // Of a message that stays, only old versions have gone.
    for id in talk.ids.subtracting(left).sorted() { try markAsPurged(.message, id) }
    for id in talk.versions.sorted() { try markAsPurged(EntityType(rawValue: "history"), id) }
    let threads = try purgeTitles(forgotten, saying: said.union(talk.texts))
    try purgeForeignRows(forgotten, saying: said.union(talk.texts))
    // Words of removed entries stay in segments of the index until these are merged.
    try db.execute(sql: "INSERT INTO search_words (search_words) VALUES ('optimize')")
    try db.execute(
      sql: "DELETE FROM search_indexes WHERE name NOT IN ('meaning', ?)",
      arguments: [Archive.wordsFormName])
    return (talk.ids, threads)
  }

  /// Leaves marks for imported entities, so they are not imported again.
  private func markAsForgotten(_ forgotten: Forgotten) throws {
    for (type, keys) in forgotten.keys {
      let ids = try String.fetchAll(
        db, sql: "SELECT id FROM \(type.rowsTable) WHERE pk IN (\(KeyList.sql))",
        arguments: [Forgotten.list(keys)])
      for id in ids.compactMap({ UUID(uuidString: $0) }) {
        try bury(type, id, try references(of: type, id))
      }
    }
  }

  /// Leaves marks so that no older export or other archive brings old versions back.
  private func markAsPurged(_ forgotten: Forgotten) throws {
    var types: [String: EntityType] = [:]
    let versions = try Row.fetchAll(
      db, sql: "SELECT id, source_id, source_table FROM history WHERE pk IN (\(KeyList.sql))",
      arguments: [Forgotten.list(forgotten.versions)])
    for row in versions {
      let owner: String = row["source_id"]
      if forgotten.ids.contains(owner) {
        types[owner] = EntityType(rawValue: row["source_table"])
      } else {
        // The entity stays, only this version goes.
        try markAsPurged(EntityType(rawValue: "history"), row["id"])
      }
    }
    for (type, keys) in forgotten.keys {
      let ids = try String.fetchAll(
        db, sql: "SELECT id FROM \(type.rowsTable) WHERE pk IN (\(KeyList.sql))",
        arguments: [Forgotten.list(keys)])
      for id in ids { types[id] = type }
    }
    for (id, type) in types.sorted(by: { $0.key < $1.key }) { try markAsPurged(type, id) }
  }

  private func markAsPurged(_ type: EntityType, _ id: String) throws {
    try db.cachedStatement(
      sql: """
        INSERT INTO tombstones (source_table, source_id, provider, external_id, deleted_at)
        SELECT ?1, ?2, ?3, ?2, ?4 WHERE NOT EXISTS
          (SELECT 1 FROM tombstones WHERE provider = ?3 AND external_id = ?2)
        """
    ).execute(arguments: [type.rawValue, id, Self.purgeProvider, now.milliseconds])
  }

  /// The provider of marks of permanent deletions.
  private static let purgeProvider = "purge"

  /// Returns the mark of another program's row, which doesn't reveal the row's key.
  private static func purgeMark(_ table: String, _ key: String) -> String {
    UUID(hashing: "\(table)\u{0}\(key)").uuidString
  }

  /// Returns true if an old version, or all of its entity, was permanently deleted here.
  package func isPurged(_ version: HistoryRecord) throws -> Bool {
    try isMarkedAsPurged([version.id.uuidString, version.sourceID.uuidString])
  }

  /// Returns true if another program's row, or its entity, was permanently deleted here.
  package func isPurged(_ row: InterchangeRow) throws -> Bool {
    try isMarkedAsPurged([row.key.uppercased(), Self.purgeMark(row.table, row.key)])
  }

  private func isMarkedAsPurged(_ ids: [String]) throws -> Bool {
    guard try hasTombstones() else { return false }
    return try ids.contains { id in
      try Bool.fetchOne(
        db,
        cached: "SELECT EXISTS (SELECT 1 FROM tombstones WHERE provider = ? AND external_id = ?)",
        arguments: [Self.purgeProvider, id]) ?? false
    }
  }

  private func references(of type: EntityType, _ id: UUID) throws -> [ExternalRef] {
    guard let column = EntityType.referenceOwner[type] else { return [] }
    return try Row.fetchAll(
      db,
      sql: """
        SELECT provider, external_id, fetched_at FROM external_refs
        WHERE \(column) = (SELECT pk FROM \(type.rowsTable) WHERE id = ?)
        """, arguments: [id.uuidString]
    ).map { row in
      ExternalRef(
        provider: row["provider"], externalID: row["external_id"],
        fetchedAt: row.instant("fetched_at"))
    }
  }

  /// Removes events from calendars that are stored as fetched, if no meeting of the same series
  /// stays.
  private func purgeCalendars(_ forgotten: Forgotten) throws {
    for calendar in try forgotten.calendars(db) {
      let found = "link_pk = (SELECT pk FROM sync_links WHERE id = ?) AND name = ?"
      guard
        let content = try Data.fetchOne(
          db, sql: "SELECT content FROM calendar_resources WHERE \(found)",
          arguments: [calendar.link, calendar.resource]),
        let rest = CalendarBlock.without(calendar.series, content)
      else { continue }
      try db.execute(
        sql: "UPDATE calendar_resources SET content = ? WHERE \(found)",
        arguments: [rest, calendar.link, calendar.resource])
    }
  }

  private func purgeTemplates(_ forgotten: Forgotten) throws {
    guard !forgotten.templates.isEmpty else { return }
    var settings = try Archive.writingSettings(db)
    settings.templates.removeAll { forgotten.templates.contains($0.id) }
    try StoredSetting.set(Archive.writingName, to: settings.json, at: now, db)
    var marks = try WritingMarks(db)
    for id in forgotten.templates { marks.remove(id) }
    try marks.write(db, at: now)
  }

  private func purgeVersions(_ forgotten: Forgotten) throws {
    try db.execute(
      sql: "DELETE FROM history WHERE pk IN (\(KeyList.sql))",
      arguments: [Forgotten.list(forgotten.versions)])
  }

  /// Removes quotations from changes.
  ///
  /// An import's file name and counts stay, but its warnings may quote entries.
  private func purgeChanges(_ forgotten: Forgotten) throws {
    let changes = forgotten.changes.subtracting([changeKey])
    let keys = Forgotten.list(changes)
    try Archive.takeSentences(of: changes, saying: "Forgotten", db)
    try db.execute(
      sql: "UPDATE import_runs SET warnings = '[]' WHERE change_pk IN (\(KeyList.sql))",
      arguments: [keys])
    try clear("change_rows", ["summary"], forgotten) {
      try db.execute(
        sql: "UPDATE change_rows SET summary = 'Forgotten' WHERE pk = ?", arguments: [$0])
    }
  }

  /// Removes requests and messages about the entities: acts that wait or were decided, stored
  /// answers for repeated requests, and messages.
  ///
  /// - Returns: the IDs of the messages, those of their old versions, and all of their texts.
  private func purgeTalk(
    _ forgotten: Forgotten
  ) throws -> (ids: Set<String>, versions: Set<String>, texts: Set<String>) {
    var messages: Set<String> = []
    var versions: Set<String> = []
    var texts: Set<String> = []
    func note(_ rows: [Row]) {
      for row in rows {
        messages.insert(row[0])
        if let text = row[1] as String? { texts.insert(text) }
        if row.count > 2 { versions.insert(row[2]) }
      }
    }
    try clear("pending_acts", ["arguments", "summary", "effects"], forgotten) {
      try db.execute(sql: "DELETE FROM pending_acts WHERE pk = ?", arguments: [$0])
    }
    // The deferred records of an interrupted import.
    try clear("import_pending", ["record"], forgotten) {
      try db.execute(sql: "DELETE FROM import_pending WHERE pk = ?", arguments: [$0])
    }
    try clear("kept_answers", ["CAST(body AS TEXT)"], forgotten) {
      try db.execute(sql: "UPDATE kept_answers SET body = x'' WHERE pk = ?", arguments: [$0])
    }
    try clear("message_rows", ["text", "coalesce(details, '')"], forgotten) {
      note(
        try Row.fetchAll(
          db, sql: "DELETE FROM message_rows WHERE pk = ? RETURNING id, text", arguments: [$0]))
    }
    try clear("history", ["record"], forgotten, where: "source_table = 'messages'") {
      note(
        try Row.fetchAll(
          db,
          sql: """
            DELETE FROM history WHERE pk = ?
            RETURNING source_id, json_extract(record, '$.text'), id
            """, arguments: [$0]))
    }
    return (messages, versions, texts)
  }

  /// The title of a conversation without a question.
  static let untitled = "…"

  /// Gives conversations whose title quotes the entities, or a removed question, the title of the
  /// first question that stays.
  ///
  /// - Returns: the IDs of the conversations.
  private func purgeTitles(
    _ forgotten: Forgotten, saying texts: Set<String>
  ) throws -> Set<String> {
    var changed: Set<String> = []
    let titles = Set(texts.map { ConversationThread.title(asking: $0) })
    func isGone(_ title: String) -> Bool {
      titles.contains(title) || forgotten.isSpokenOf(in: title)
    }
    let threads = try Row.fetchAll(db, sql: "SELECT pk, id, title FROM thread_rows")
    for row in threads where isGone(row["title"]) {
      changed.insert(row["id"])
      let key: Int64 = row["pk"]
      let question = try String.fetchOne(
        db,
        sql: """
          SELECT text FROM message_rows WHERE thread_pk = ? AND role = 'user'
          ORDER BY created_at, pk LIMIT 1
          """, arguments: [key])
      let title = ConversationThread.title(asking: question ?? "")
      try db.execute(
        sql: "UPDATE thread_rows SET title = ? WHERE pk = ?",
        arguments: [title.isEmpty ? Self.untitled : title, key])
    }
    let versions = try Row.fetchAll(
      db,
      sql: """
        SELECT pk, source_id, json_extract(record, '$.title') AS title FROM history
        WHERE source_table = 'threads' AND json_type(record, '$.title') = 'text'
        """)
    for row in versions where isGone(row["title"]) {
      changed.insert(row["source_id"])
      try db.execute(
        sql: "UPDATE history SET record = json_set(record, '$.title', ?) WHERE pk = ?",
        arguments: [Self.untitled, row["pk"] as Int64])
    }
    return changed
  }

  /// Returns all texts, old and new, of the selected messages.
  private func texts(ofMessages forgotten: Forgotten) throws -> Set<String> {
    try String.fetchSet(
      db,
      sql: """
        SELECT text FROM message_rows WHERE pk IN (\(KeyList.sql))
        UNION SELECT json_extract(record, '$.text') FROM history
          WHERE source_table = 'messages' AND pk IN (\(KeyList.sql))
            AND json_extract(record, '$.text') IS NOT NULL
        """,
      arguments: [
        Forgotten.list(forgotten.keys[.message] ?? []), Forgotten.list(forgotten.versions),
      ])
  }

  /// Removes rows of other programs' databases with the same content.
  ///
  /// - Parameters:
  ///   - forgotten: the data to remove.
  ///   - texts: the texts of the removed messages.
  /// - Throws: `DatabaseError` if the archive can't be written.
  private func purgeForeignRows(_ forgotten: Forgotten, saying texts: Set<String>) throws {
    var found: [(row: Int64, mark: String)] = []
    let rows = try Row.fetchCursor(
      db, sql: "SELECT pk, source_table, source_key, record FROM interchange_rows")
    while let row = try rows.next() {
      let table: String = row["source_table"]
      let key: String = row["source_key"]
      let record: String = row["record"]
      // Another one may have the same title.
      let isFound =
        if table == Self.talkTable {
          forgotten.isSpokenOf(in: record) || Self.isSaid(record, texts)
        } else {
          forgotten.isNamed(in: "\(key) \(record)")
        }
      if isFound { found.append((row["pk"], Self.purgeMark(table, key))) }
    }
    for (row, mark) in found {
      try db.execute(sql: "DELETE FROM interchange_rows WHERE pk = ?", arguments: [row])
      try markAsPurged(EntityType(rawValue: "interchange"), mark)
    }
  }

  /// Ten Week's table of conversations, whose keys aren't those of the messages.
  private static let talkTable = "conversation_history"

  /// Returns true if a question with its answer is among some texts: all of it, or a part that is
  /// long enough not to be somebody else's.
  private static func isSaid(_ record: String, _ texts: Set<String>) -> Bool {
    guard !texts.isEmpty, let row = try? JSON(parsing: record) else { return false }
    let said = ["prompt", "response"].compactMap { row[$0]?.string }.filter { !$0.isEmpty }
    let gone = said.filter(texts.contains)
    return !gone.isEmpty && (gone.count == said.count || gone.contains { $0.count >= 24 })
  }

  /// Passes on the rows of a table whose text names something that is being deleted.
  private func clear(
    _ table: String, _ columns: [String], _ forgotten: Forgotten, where condition: String = "1",
    _ body: (Int64) throws -> Void
  ) throws {
    let words = columns.joined(separator: " || char(10) || ")
    var found: [Int64] = []
    let rows = try Row.fetchCursor(
      db, sql: "SELECT pk, \(words) FROM \(table) WHERE \(condition)")
    while let row = try rows.next() {
      if let text = row[1] as String?, forgotten.isSpokenOf(in: text) { found.append(row[0]) }
    }
    for key in found { try body(key) }
  }
}

extension Archive {
  /// Replaces the sentences of changes that quote expired data.
  ///
  /// An import's file name and counts stay.
  ///
  /// - Parameters:
  ///   - changes: the rows of the changes.
  ///   - words: the replacement.
  ///   - db: the database.
  /// - Throws: `DatabaseError` if the archive can't be written.
  static func takeSentences(
    of changes: Set<Int64>, saying words: String, _ db: Database
  ) throws {
    try db.execute(
      sql: """
        UPDATE change_rows SET summary = ? WHERE pk IN (\(KeyList.sql))
          AND action NOT IN ('import', 'sample', \(UndoLine.regularSyncsSQL), 'sync')
        """, arguments: [words, Forgotten.list(changes)])
  }
}

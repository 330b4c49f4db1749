import ArkivedCore
import Foundation
import GRDB

/// Removing entities without a trace.
extension ChangeScope {
  /// Removes the selected data, with everything that quotes it.
  ///
  /// - Returns: the IDs of messages that were removed because they quote it.
  /// - Throws: `DatabaseError` if the archive can't be written.
  func purge(_ forgotten: Forgotten) throws -> Set<String> {
    try markAsForgotten(forgotten)
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
    let messages = try purgeTalk(forgotten)
    try purgeForeignRows(forgotten)
    // Words of removed entries stay in segments of the index until these are merged.
    try db.execute(sql: "INSERT INTO search_words (search_words) VALUES ('optimize')")
    try db.execute(sql: "DELETE FROM search_indexes WHERE name <> 'meaning'")
    return messages
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
  /// - Returns: the IDs of the messages.
  private func purgeTalk(_ forgotten: Forgotten) throws -> Set<String> {
    var messages: Set<String> = []
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
      messages.formUnion(
        try String.fetchAll(
          db, sql: "DELETE FROM message_rows WHERE pk = ? RETURNING id", arguments: [$0]))
    }
    try clear("history", ["record"], forgotten, where: "source_table = 'messages'") {
      messages.formUnion(
        try String.fetchAll(
          db, sql: "DELETE FROM history WHERE pk = ? RETURNING source_id", arguments: [$0]))
    }
    return messages
  }

  /// Removes rows of other programs' databases with the same content.
  private func purgeForeignRows(_ forgotten: Forgotten) throws {
    var found: [Int64] = []
    let rows = try Row.fetchCursor(
      db, sql: "SELECT pk, source_key || ' ' || record FROM interchange_rows")
    while let row = try rows.next() {
      // Another one may have the same title.
      if forgotten.isNamed(in: row[1]) { found.append(row[0]) }
    }
    for key in found {
      try db.execute(sql: "DELETE FROM interchange_rows WHERE pk = ?", arguments: [key])
    }
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

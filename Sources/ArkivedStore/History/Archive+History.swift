package import ArkivedCore
package import Foundation
import GRDB

/// Listing, comparing, undoing and restoring.
extension Archive {
  /// The latest changes, newest first.
  package func changes(limit: Int = 20) throws -> [Change] {
    try read { db in
      try Row.fetchAll(db, sql: "SELECT * FROM changes ORDER BY pk DESC LIMIT ?", arguments: [limit])
        .map(Archive.change)
    }
  }

  package func change(_ id: UUID) throws -> Change? {
    try read { db in
      try Row.fetchOne(db, sql: "SELECT * FROM changes WHERE id = ?", arguments: [id.uuidString])
        .map(Archive.change)
    }
  }

  /// A day on which a change had its effect, for showing it.
  package func day(ofChange id: UUID) throws -> DayKey? {
    try read { db in
      try String.fetchOne(
        db,
        sql: """
          WITH target AS (SELECT pk FROM changes WHERE id = ?)
          SELECT day_key FROM activities
            WHERE change_pk = (SELECT pk FROM target)
          UNION ALL SELECT day_key FROM days
            WHERE change_pk = (SELECT pk FROM target)
          UNION ALL SELECT coalesce(activities.day_key, days.day_key,
              json_extract(history.record, '$.dayKey')) FROM history
            LEFT JOIN activities ON activities.id = history.source_id
            LEFT JOIN days ON days.id = history.source_id
            WHERE history.change_pk = (SELECT pk FROM target)
          LIMIT 1
          """, arguments: [id.uuidString]
      ).flatMap(DayKey.init)
    }
  }

  static func change(_ row: Row) throws -> Change {
    Change(
      id: try row.identity("id"), at: row.instant("at"), author: Author(rawValue: row["author"]),
      action: row["action"], summary: row["summary"],
      isUndone: (row["undone_by"] as Int64?) != nil)
  }

  /// The old versions of one entity, newest first.
  package func history(of id: UUID) throws -> [HistoryRecord] {
    try read { db in
      try Row.fetchAll(
        db, sql: "SELECT * FROM history WHERE source_id = ? ORDER BY pk DESC",
        arguments: [id.uuidString]
      ).map(Archive.historyRecord)
    }
  }

  /// The latest old versions of everything, newest first.
  package func history(limit: Int) throws -> [HistoryRecord] {
    try read { db in
      try Row.fetchAll(db, sql: "SELECT * FROM history ORDER BY pk DESC LIMIT ?", arguments: [limit])
        .map(Archive.historyRecord)
    }
  }

  /// The old version whose identity begins with the given digits (at least four).
  package func historyRecord(matching text: String) throws -> HistoryRecord {
    let digits = text.uppercased()
    guard digits.count >= 4, digits.allSatisfy({ $0.isHexDigit || $0 == "-" }) else {
      throw ArchiveError.notFound("old version “\(text.prefix(60))”")
    }
    let records = try read { db in
      try Row.fetchAll(
        db, sql: "SELECT * FROM history WHERE id >= ? AND id < ? LIMIT 2",
        arguments: [digits, digits + "Z"]
      ).map(Archive.historyRecord)
    }
    guard let record = records.first else {
      throw ArchiveError.notFound("old version \(text.prefix(60))")
    }
    guard records.count == 1 else {
      throw ArchiveError.ambiguous("Several old versions begin with \(text.prefix(60)).")
    }
    return record
  }

  /// The identity of a deleted entity that begins with the given digits (at least four).
  package func deletedID(matching text: String) throws -> UUID {
    let digits = text.uppercased()
    guard digits.count >= 4, digits.allSatisfy({ $0.isHexDigit || $0 == "-" }) else {
      throw ArchiveError.notFound("entry “\(text.prefix(60))”")
    }
    return try identity(
      "SELECT DISTINCT source_id FROM history WHERE source_id >= ? AND source_id < ? LIMIT 2",
      digits, what: "entry")
  }

  /// The identity of the latest deleted note of a day.
  package func deletedDay(_ dayKey: DayKey) throws -> UUID? {
    try read { db in
      try String.fetchOne(
        db,
        sql: """
          SELECT source_id FROM history
          WHERE source_table = 'days' AND json_extract(record, '$.dayKey') = ?
          ORDER BY pk DESC LIMIT 1
          """, arguments: [dayKey.description]
      ).flatMap(UUID.init)
    }
  }

  /// The identity of the change that begins with the given digits (at least four).
  package func changeID(matching text: String) throws -> UUID {
    let digits = text.uppercased()
    guard digits.count >= 4, digits.allSatisfy({ $0.isHexDigit || $0 == "-" }) else {
      throw ArchiveError.notFound("change “\(text.prefix(60))”")
    }
    return try identity(
      "SELECT id FROM changes WHERE id >= ? AND id < ? LIMIT 2", digits, what: "change")
  }

  private func identity(_ sql: String, _ digits: String, what: String) throws -> UUID {
    let ids = try read { db in
      try String.fetchAll(db, sql: sql, arguments: [digits, digits + "Z"])
    }
    guard let first = ids.first, let id = UUID(uuidString: first) else {
      throw ArchiveError.notFound("\(what) \(digits)")
    }
    guard ids.count == 1 else {
      throw ArchiveError.ambiguous("More than one \(what) begins with \(digits); give more digits.")
    }
    return id
  }

  static func historyRecord(_ row: Row) throws -> HistoryRecord {
    HistoryRecord(
      id: try row.identity("id"), sourceTable: EntityType(rawValue: row["source_table"]),
      sourceID: try row.identity("source_id"), record: try JSON(parsing: row["record"] as String),
      reason: HistoryRecord.Reason(rawValue: row["reason"]),
      archivedAt: row.instant("archived_at"), archivedBy: Author(rawValue: row["archived_by"]))
  }

  /// Brings an old version back: it becomes the present one, and the present one goes to history.
  package func restore(_ version: HistoryRecord, by author: Author = .owner) throws -> Change {
    try write(
      by: author, "restore",
      "Restored \(version.sourceTable.singular) of \(version.archivedAt)"
    ) { scope in
      try scope.bringBack(version)
    }.change
  }

  // MARK: Undo

  /// What an undo did.
  package struct Undone: Sendable {
    package var change: Change
    /// The change that was taken back.
    package var undid: Change
    package var removed: Int
    package var restored: Int
    /// Entries that stay because they were changed or used since.
    package var kept: Int
  }

  /// Takes a change back; without an identity, the latest that has an effect and was not undone.
  ///
  /// What the change added is removed, what it changed or deleted comes back as it was. Undo is a
  /// change itself, so it can be undone.
  /// - Throws: `ArchiveError.notFound` when there is nothing to undo, `.conflict` when an entry was
  ///   changed since (an import keeps such entries instead and counts them).
  package func undo(_ id: UUID? = nil, by author: Author = .owner) throws -> Undone {
    try writer.write { db in
      let (key, target) = try undoTarget(db, id)
      var scope = try openScope(
        db, by: author, target.action == "undo" ? "redo" : "undo", "Undid: \(target.summary)")
      // What is undone was not unwanted: an import may bring it again.
      scope.leavesTombstones = target.action != "import" && target.action != "sample"
      let isImport = !scope.leavesTombstones
      var undone = Undone(change: scope.change, undid: target, removed: 0, restored: 0, kept: 0)
      try removeCreated(by: key, scope, keepsEdited: isImport, &undone)
      let versions = try Row.fetchAll(
        db, sql: "SELECT * FROM history WHERE change_pk = ? ORDER BY pk DESC", arguments: [key])
      for row in versions {
        let version = try Archive.historyRecord(row)
        let changedBy = try scope.lastChangeKey(version.sourceTable, version.sourceID)
        if let changedBy, changedBy != key {
          guard isImport else {
            throw ArchiveError.conflict(
              "Since then the \(version.sourceTable.singular) was changed again. Undo the later "
                + "change first, or restore the old version from its history.")
          }
          undone.kept += 1
          continue
        }
        try scope.bringBack(version)
        try scope.putBackKeys(of: version, row)
        undone.restored += 1
      }
      try db.execute(
        sql: "UPDATE changes SET undone_by = ? WHERE pk = ?", arguments: [scope.changeKey, key])
      // Undoing an undo makes what it took back count again.
      try db.execute(sql: "UPDATE changes SET undone_by = NULL WHERE undone_by = ?", arguments: [key])
      return undone
    }
  }

  private func undoTarget(_ db: Database, _ id: UUID?) throws -> (key: Int64, change: Change) {
    if let id {
      guard
        let row = try Row.fetchOne(
          db, sql: "SELECT * FROM changes WHERE id = ?", arguments: [id.uuidString])
      else { throw ArchiveError.notFound("change \(id.uuidString)") }
      let change = try Archive.change(row)
      guard !change.isUndone else {
        throw ArchiveError.conflict("That change was undone already: \(change.summary)")
      }
      return (row["pk"], change)
    }
    let rows = try Row.fetchCursor(
      db,
      sql: """
        SELECT * FROM changes WHERE undone_by IS NULL AND action NOT IN ('undo', 'redo')
        ORDER BY pk DESC
        """)
    while let row = try rows.next() {
      let key: Int64 = row["pk"]
      if try hasEffect(db, key) { return (key, try Archive.change(row)) }
    }
    throw ArchiveError.notFound("change to undo")
  }

  private func hasEffect(_ db: Database, _ key: Int64) throws -> Bool {
    let tables = ["activities", "days", "day_metrics", "persons", "tags", "history"]
    for table in tables {
      let exists = try Bool.fetchOne(
        db, sql: "SELECT EXISTS (SELECT 1 FROM \(table) WHERE change_pk = ?)", arguments: [key])
      if exists == true { return true }
    }
    return false
  }

  private func removeCreated(
    by key: Int64, _ scope: ChangeScope, keepsEdited: Bool, _ undone: inout Undone
  ) throws {
    let created: [(EntityType, (UUID) throws -> Void)] = [
      (.activity, { _ = try scope.deleteActivity($0) }),
      (.day, { try scope.deleteDayEntry($0) }),
      (.metric, { try scope.deleteMetric($0) }),
    ]
    for (type, remove) in created {
      let rows = try Row.fetchAll(
        scope.db, sql: "SELECT id, changed_pk FROM \(type.rawValue) WHERE change_pk = ?",
        arguments: [key])
      for row in rows {
        if (row["changed_pk"] as Int64) != key {
          guard keepsEdited else {
            throw ArchiveError.conflict(
              "Since then the \(type.singular) was changed. Undo the later change first.")
          }
          undone.kept += 1
          continue
        }
        try remove(try row.identity("id"))
        undone.removed += 1
      }
    }
    // People and tags that came with the entries go with them, unless something else uses them.
    let people = try Row.fetchAll(
      scope.db,
      sql: """
        SELECT id FROM persons WHERE change_pk = ?1 AND changed_pk = ?1
          AND NOT EXISTS (SELECT 1 FROM mentions WHERE person_pk = persons.pk)
        """, arguments: [key])
    for row in people { try scope.deletePerson(try row.identity("id")) }
    let tags = try Row.fetchAll(
      scope.db,
      sql: """
        SELECT id FROM tags WHERE change_pk = ?1 AND changed_pk = ?1
          AND NOT EXISTS (SELECT 1 FROM activity_tags WHERE tag_pk = tags.pk)
        """, arguments: [key])
    for row in tags { try scope.deleteTag(try row.identity("id")) }
  }
}

extension EntityType {
  /// What one of them is called in a sentence.
  package var singular: String {
    switch self {
    case .day: "day's note"
    case .activity: "activity"
    case .person: "person"
    case .tag: "tag"
    case .attachment: "attachment"
    case .metric: "metric"
    default: rawValue
    }
  }
}

extension ChangeScope {
  /// The change that last touched an entity; nil when the entity is not there.
  func lastChangeKey(_ type: EntityType, _ id: UUID) throws -> Int64? {
    guard EntityType.withOwnTable.contains(type) else { return nil }
    return try Int64.fetchOne(
      db, sql: "SELECT changed_pk FROM \(type.rawValue) WHERE id = ?", arguments: [id.uuidString])
  }

  /// Makes an entity that undo brought back belong to the changes it belonged to before.
  func putBackKeys(of version: HistoryRecord, _ row: Row) throws {
    guard EntityType.withOwnTable.contains(version.sourceTable),
      let made = row["made_pk"] as Int64?, let touched = row["touched_pk"] as Int64?
    else { return }
    try db.execute(
      sql: """
        UPDATE \(version.sourceTable.rawValue) SET change_pk = ?, changed_pk = ? WHERE id = ?
        """, arguments: [made, touched, version.sourceID.uuidString])
  }

  /// Makes an old version the present one, whether its entity is still there or not.
  func bringBack(_ version: HistoryRecord) throws {
    guard let object = version.record.object else {
      throw ArchiveError.refused("The old version of \(version.archivedAt) cannot be read.")
    }
    var fields = FieldReader(object)
    let defaults = EntryDefaults(now: now, homeZone: .utc, identities: identities)
    let isThere = try lastChangeKey(version.sourceTable, version.sourceID) != nil
    switch version.sourceTable {
    case .activity:
      var activity = try Activity(&fields, defaults: defaults)
      activity.updatedAt = max(activity.updatedAt, now)
      if isThere { try update(activity, reason: .restore) } else { try insert(activity) }
    case .day:
      var entry = try DayEntry(&fields, defaults: defaults)
      entry.updatedAt = max(entry.updatedAt, now)
      if !isThere, try DayRecord.fetchOne(db, dayKey: entry.dayKey) != nil {
        throw ArchiveError.conflict(
          "The day \(entry.dayKey) has another note by now. Copy what you need from the history.")
      }
      if isThere { try update(entry, reason: .restore) } else { try insert(entry) }
    case .person:
      let person = try Person(&fields, defaults: defaults)
      if isThere {
        try update(person, reason: .restore)
      } else {
        try insert(person)
        try relink(person, with: object)
      }
    case .tag:
      let tag = try Tag(&fields, defaults: defaults)
      if isThere {
        try update(tag, reason: .restore)
      } else {
        try insert(tag)
        try relink(tag, with: object)
      }
    case .metric:
      let metric = try DayMetric(&fields, defaults: defaults)
      if isThere { try update(metric, reason: .restore) } else { try insert(metric) }
    default:
      throw ArchiveError.refused(
        "This version of Arkived cannot restore \(version.sourceTable.rawValue).")
    }
    try exhume(version.sourceID)
  }

  /// Puts a restored tag back on the entries that had it, where they still are.
  private func relink(_ tag: Tag, with record: JSONObject) throws {
    for id in record["activityIds"]?.array ?? [] {
      try db.cachedStatement(
        sql: """
          INSERT OR IGNORE INTO activity_tags (activity_pk, tag_pk, position, created_at)
          SELECT activities.pk, tags.pk, 1000, ? FROM activities, tags
          WHERE activities.id = ? AND tags.id = ?
          """
      ).execute(arguments: [now.milliseconds, id.string, tag.id.uuidString])
      try reindexActivity(id.string)
    }
  }

  /// Links the mentions of a restored person again, where only the name was left.
  private func relink(_ person: Person, with record: JSONObject) throws {
    for (key, table, column) in [
      ("activityIds", "activities", "activity_pk"), ("dayIds", "days", "day_pk"),
    ] {
      for id in record[key]?.array ?? [] {
        try db.cachedStatement(
          sql: """
            UPDATE mentions SET person_pk = (SELECT pk FROM persons WHERE id = ?)
            WHERE person_pk IS NULL AND \(column) = (SELECT pk FROM \(table) WHERE id = ?)
              AND name = ?
            """
        ).execute(arguments: [person.id.uuidString, id.string, person.displayName])
      }
    }
  }

  /// Brings the search index in line with an activity whose tags or names were changed apart.
  func reindexActivity(_ id: String?) throws {
    guard let id,
      let record = try ActivityRecord.fetch(db, where: "id = ?", arguments: [id]).first
    else { return }
    try SearchDocument.remove(.activity, record.pk, db)
    try SearchDocument(record.activity, pk: record.pk).insert(db)
  }
}

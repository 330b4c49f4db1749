package import ArkivedCore
package import Foundation
import GRDB

/// Listing, comparing, undoing and restoring.
extension Archive {
  /// Returns the latest changes, newest first.
  package func changes(limit: Int = 20) throws -> [Change] {
    try read { db in
      try Row.fetchAll(
        db, sql: "SELECT * FROM changes ORDER BY position DESC, pk DESC LIMIT ?", arguments: [limit]
      )
      .map { try Archive.change($0, db) }
    }
  }

  package func change(_ id: UUID) throws -> Change? {
    try read { db in
      try Row.fetchOne(db, sql: "SELECT * FROM changes WHERE id = ?", arguments: [id.uuidString])
        .map { try Archive.change($0, db) }
    }
  }

  /// Returns a day affected by a change, for showing it.
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

  static func change(_ row: Row, _ db: Database) throws -> Change {
    Change(
      id: try row.identity("id"), at: row.instant("at"), author: Author(rawValue: row["author"]),
      action: row["action"], summary: AddressText.withoutPath(ofSync: row["summary"]),
      isUndone: try UndoLine.isUndone(by: row["undone_by"], db))
  }

  /// Returns the old versions of one entity, newest first.
  package func history(of id: UUID) throws -> [HistoryRecord] {
    try read { db in
      try Row.fetchAll(
        db, sql: "SELECT * FROM history WHERE source_id = ? ORDER BY pk DESC",
        arguments: [id.uuidString]
      ).map(Archive.historyRecord)
    }
  }

  /// Returns the version of one entity that was stored by the same change as another entity's
  /// version.
  ///
  /// - Parameters:
  ///   - id: its ID.
  ///   - other: the ID of the other entity.
  ///   - orLater: true if the first version stored by a later change is acceptable.
  /// - Returns: the version; nil if there is none.
  /// - Throws: `ArchiveError` or `DatabaseError` if the archive can't be read.
  package func version(
    of id: UUID, keptWith other: UUID, orLater: Bool
  ) throws -> HistoryRecord? {
    try read { db in
      try Row.fetchOne(
        db,
        sql: """
          SELECT * FROM history WHERE source_id = ?1
            AND change_pk \(orLater ? ">=" : "=") (SELECT change_pk FROM history WHERE id = ?2)
          ORDER BY pk LIMIT 1
          """, arguments: [id.uuidString, other.uuidString]
      ).map(Archive.historyRecord)
    }
  }

  /// Returns the latest old versions of everything, newest first.
  package func history(limit: Int) throws -> [HistoryRecord] {
    try read { db in
      try Row.fetchAll(
        db, sql: "SELECT * FROM history ORDER BY pk DESC LIMIT ?", arguments: [limit]
      )
      .map(Archive.historyRecord)
    }
  }

  /// Returns the old version whose ID begins with the given digits (at least four).
  package func historyRecord(matching text: String) throws -> HistoryRecord {
    let digits = text.uppercased()
    guard digits.count >= 4, digits.allSatisfy({ $0.isHexDigit || $0 == "-" }) else {
      throw ArchiveError.notFound("No earlier version with the ID “\(text.prefix(60))”.")
    }
    let records = try read { db in
      try Row.fetchAll(
        db, sql: "SELECT * FROM history WHERE id >= ? AND id < ? LIMIT 2",
        arguments: [digits, digits + "Z"]
      ).map(Archive.historyRecord)
    }
    guard let record = records.first else {
      throw ArchiveError.notFound("No earlier version with the ID \(text.prefix(60)).")
    }
    guard records.count == 1 else {
      throw ArchiveError.ambiguous(
        "Several earlier versions have IDs that start with \(text.prefix(60)).")
    }
    return record
  }

  /// Returns the ID of a deleted entity that begins with the given digits (at least four).
  package func deletedID(matching text: String) throws -> UUID {
    let digits = text.uppercased()
    guard digits.count >= 4, digits.allSatisfy({ $0.isHexDigit || $0 == "-" }) else {
      throw ArchiveError.notFound("No entry with the ID “\(text.prefix(60))”.")
    }
    return try identity(
      "SELECT DISTINCT source_id FROM history WHERE source_id >= ? AND source_id < ? LIMIT 2",
      digits, what: "entry")
  }

  /// Returns the ID of the latest deleted note of a day.
  package func deletedDay(_ dayKey: DayKey) throws -> UUID? {
    try read { db in
      try String.fetchOne(
        db,
        sql: """
          SELECT source_id FROM history
          WHERE source_table = 'days' AND json_extract(record, '$.dayKey') = ?
          ORDER BY pk DESC LIMIT 1
          """, arguments: [dayKey.description]
      ).flatMap(UUID.init(uuidString:))
    }
  }

  /// Returns the ID of the change that begins with the given digits (at least four).
  package func changeID(matching text: String) throws -> UUID {
    let digits = text.uppercased()
    guard digits.count >= 4, digits.allSatisfy({ $0.isHexDigit || $0 == "-" }) else {
      throw ArchiveError.notFound("No change with the ID “\(text.prefix(60))”.")
    }
    return try identity(
      "SELECT id FROM changes WHERE id >= ? AND id < ? LIMIT 2", digits, what: "change")
  }

  private func identity(_ sql: String, _ digits: String, what: String) throws -> UUID {
    let ids = try read { db in
      try String.fetchAll(db, sql: sql, arguments: [digits, digits + "Z"])
    }
    guard let first = ids.first, let id = UUID(uuidString: first) else {
      throw ArchiveError.notFound("No \(what) with the ID \(digits).")
    }
    guard ids.count == 1 else {
      throw ArchiveError.ambiguous(
        "More than one \(what) has an ID that starts with \(digits). Enter more digits.")
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

  /// Restores an old version: it becomes the current one, and the current one is added to the
  /// history.
  package func restore(_ version: HistoryRecord, by author: Author = .owner) throws -> Change {
    try restore(version, by: author) { _ in }
  }
}

extension EntityType {
  /// The singular name in a sentence.
  package var singular: String {
    switch self {
    case .day: "day note"
    case .activity: "entry"
    case .person: "person"
    case .tag: "tag"
    case .attachment: "attachment"
    case .metric: "metric"
    case .goal: "goal"
    case .personalValue: "value"
    case .term: "term"
    case .lifeTime: "lifetime"
    case .contribution: "goal link"
    case .alignment: "value link"
    case .assignment: "commitment"
    case .meeting: "meeting"
    case .note: "note"
    case .thread: "conversation"
    case .message: "message"
    case .template: "template"
    case .prompts: "prompt list"
    default: rawValue
    }
  }
}

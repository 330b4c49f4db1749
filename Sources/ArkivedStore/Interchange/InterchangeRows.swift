package import ArkivedCore
package import Foundation
import GRDB

/// Reading other programs' rows and conversations in parts, so memory use does not depend on their
/// number.
extension Archive {
  /// Passes on the stored rows, in the order of their first import; for a row from several sources,
  /// only the last one.
  ///
  /// - Parameters:
  ///   - db: the database.
  ///   - table: nil for all tables.
  ///   - source: the link that they came from; nil for all, including imports.
  ///   - body: receives a row.
  /// - Throws: what `body` throws, and `DatabaseError` if the archive can't be read.
  static func forEachInterchangeRow(
    _ db: Database, table: String? = nil, from source: String? = nil,
    _ body: (InterchangeRow) throws -> Void
  ) throws {
    // A row deleted in one place may still be stored from another; the latest state counts.
    let rows = try Row.fetchCursor(
      db,
      sql: """
        SELECT it.source_table, it.source_key, it.record FROM (
          SELECT min(pk) FILTER (WHERE record <> 'null') AS first, max(pk) AS last
          FROM interchange
          WHERE (?1 IS NULL OR source_table = ?1) AND (?2 IS NULL OR source = ?2)
          GROUP BY source_table, source_key
        ) JOIN interchange_rows AS it ON it.pk = last
        WHERE it.record <> 'null' ORDER BY first
        """, arguments: [table, source])
    while let row = try rows.next() {
      if let kept = InterchangeRow(
        table: row["source_table"], key: row["source_key"], json: try JSON(parsing: row["record"]))
      {
        try body(kept)
      }
    }
  }

  static func interchangeRows(
    _ db: Database, table: String? = nil, from source: String? = nil
  ) throws -> [InterchangeRow] {
    var rows: [InterchangeRow] = []
    try forEachInterchangeRow(db, table: table, from: source) { rows.append($0) }
    return rows
  }

  /// Returns the rows of a table with some keys that came from a link, by key.
  static func interchangeRows(
    _ db: Database, _ table: String, _ keys: [String], from source: String
  ) throws -> [String: InterchangeRow] {
    let rows = try Row.fetchAll(
      db,
      cached: """
        SELECT source_key, record FROM interchange
        WHERE source = ? AND source_table = ? AND source_key IN (SELECT value FROM json_each(?))
        """, arguments: [source, table, JSON(keys).text()])
    var found: [String: InterchangeRow] = [:]
    for row in rows {
      let key: String = row["source_key"]
      found[key] = InterchangeRow(table: table, key: key, json: try JSON(parsing: row["record"]))
    }
    return found
  }

  /// Returns those IDs that belong to something a Ten Week row can become.
  static func present(_ db: Database, among ids: [UUID]) throws -> Set<UUID> {
    let types: [EntityType] = [
      .personalValue, .goal, .term, .activity, .assignment, .contribution,
    ]
    let parts = types.map { "SELECT id FROM \($0.rawValue) WHERE id IN wanted" }
    let found = try String.fetchAll(
      db,
      cached: """
        WITH wanted(id) AS MATERIALIZED (SELECT value FROM json_each(?))
        \(parts.joined(separator: " UNION ALL "))
        """, arguments: [JSON(ids.map(\.uuidString)).text()])
    return Set(found.compactMap { UUID(uuidString: $0) })
  }

  // MARK: Conversations

  /// Passes on messages by thread, the oldest thread first, each in its own order.
  static func forEachMessage(
    _ db: Database, _ body: (_ thread: UUID, _ message: UUID, MessageRole) throws -> Void
  ) throws {
    let threads = try Row.fetchCursor(
      db, sql: "SELECT pk, id FROM threads ORDER BY created_at, id")
    while let thread = try threads.next() {
      let id = try thread.identity("id")
      try forEachMessage(db, of: thread["pk"]) { message, role in try body(id, message, role) }
    }
  }

  /// Passes on the messages of a thread in order.
  static func forEachMessage(
    _ db: Database, of thread: Int64, _ body: (UUID, MessageRole) throws -> Void
  ) throws {
    let messages = try Row.fetchCursor(
      db,
      sql: """
        SELECT id, role FROM messages AS it WHERE thread_pk = ?
        ORDER BY \(ConversationMessage.asSaid)
        """, arguments: [thread])
    while let message = try messages.next() {
      try body(try message.identity("id"), MessageRole(rawValue: message["role"]))
    }
  }

  static func messages(_ db: Database, _ ids: [UUID]) throws -> [UUID: ConversationMessage] {
    let found = try ConversationMessage.fetch(
      db, where: "it.id IN (SELECT value FROM json_each(?))",
      arguments: [JSON(ids.map(\.uuidString)).text()])
    return Dictionary(found.map { ($0.id, $0) }) { first, _ in first }
  }
}

extension Archive {
  /// Returns the rows of a table that came from a link, each in its latest state.
  package func interchangeRows(
    _ table: String, from source: String
  ) throws -> [InterchangeRow] {
    try read { db in try Archive.interchangeRows(db, table: table, from: source) }
  }

  package func interchangeRows(
    _ table: String, _ keys: [String], from source: String
  ) throws -> [String: InterchangeRow] {
    try read { db in try Archive.interchangeRows(db, table, keys, from: source) }
  }

  package func forEachInterchangeRow(
    _ table: String, from source: String, _ body: (InterchangeRow) throws -> Void
  ) throws {
    try read { db in
      try Archive.forEachInterchangeRow(db, table: table, from: source, body)
    }
  }

  package func present(among ids: [UUID]) throws -> Set<UUID> {
    try read { db in try Archive.present(db, among: ids) }
  }

  package func forEachMessage(
    _ body: (_ thread: UUID, _ message: UUID, MessageRole) throws -> Void
  ) throws {
    try read { db in try Archive.forEachMessage(db, body) }
  }

  package func messages(_ ids: [UUID]) throws -> [UUID: ConversationMessage] {
    try read { db in try Archive.messages(db, ids) }
  }
}

extension ChangeScope {
  /// Returns the rows of a table that came from a link, each in its latest state.
  package func interchangeRows(
    _ table: String, from source: String
  ) throws -> [InterchangeRow] {
    try Archive.interchangeRows(db, table: table, from: source)
  }

  package func interchangeRows(
    _ table: String, _ keys: [String], from source: String
  ) throws -> [String: InterchangeRow] {
    try Archive.interchangeRows(db, table, keys, from: source)
  }

  package func forEachInterchangeRow(
    _ table: String, from source: String, _ body: (InterchangeRow) throws -> Void
  ) throws {
    try Archive.forEachInterchangeRow(db, table: table, from: source, body)
  }

  package func present(among ids: [UUID]) throws -> Set<UUID> {
    try Archive.present(db, among: ids)
  }

  package func forEachMessage(
    _ body: (_ thread: UUID, _ message: UUID, MessageRole) throws -> Void
  ) throws {
    try Archive.forEachMessage(db, body)
  }

  package func messages(_ ids: [UUID]) throws -> [UUID: ConversationMessage] {
    try Archive.messages(db, ids)
  }
}

extension InterchangeRow {
  /// The approximate size of the row in memory, in bytes.
  package var size: Int {
    columns.reduce(64) { sum, column in
      let value =
        switch column.value {
        case .text(let text): text.utf8.count
        case .brokenText(let bytes), .blob(let bytes): bytes.count
        case .null, .integer, .real: 0
        }
      return sum + 48 + value
    }
  }
}

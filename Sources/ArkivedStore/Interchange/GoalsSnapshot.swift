package import ArkivedCore
package import Foundation
import GRDB

/// The data for an export to Ten Week, all from the same moment.
package struct GoalsSnapshot {
  private let db: Database
  /// The sources of rows, as a list in JSON.
  private let sources: String
  package let actions: [Activity]
  package let goals: [Goal]
  package let values: [PersonalValue]
  package let terms: [Term]
  package let assignments: [TermGoalAssignment]
  package let contributions: [ActionGoalContribution]

  fileprivate init(_ db: Database) throws {
    self.db = db
    sources = JSON(
      try String.fetchAll(db, sql: "SELECT DISTINCT source FROM interchange_rows")
    ).text()
    var imported: Set<UUID> = []
    try Archive.forEachInterchangeRow(db, table: "actions") { row in
      if let id = UUID(identity: row.key) { imported.insert(id) }
    }
    actions = try Archive.actions(db, including: imported)
    goals = try Goal.fetch(db)
    values = try PersonalValue.fetch(db)
    terms = try Term.fetch(db)
    assignments = try TermGoalAssignment.fetch(db)
    contributions = try ActionGoalContribution.fetch(db)
  }

  // MARK: Rows of other programs

  /// Returns the rows of a table, in the order of their first import.
  package func rows(_ table: String) throws -> [InterchangeRow] {
    try Archive.interchangeRows(db, table: table)
  }

  /// Passes on the rows of a table, one after the other, in the same order.
  package func forEachRow(_ table: String, _ body: (InterchangeRow) throws -> Void) throws {
    try Archive.forEachInterchangeRow(db, table: table, body)
  }

  /// Returns the latest row with a key, from any source.
  package func row(_ table: String, _ key: String) throws -> InterchangeRow? {
    let record = try String.fetchOne(
      db,
      cached: """
        SELECT record FROM interchange
        WHERE source IN (SELECT value FROM json_each(?)) AND source_table = ? AND source_key = ?
        ORDER BY pk DESC LIMIT 1
        """, arguments: [sources, table, key])
    return try record.flatMap {
      InterchangeRow(table: table, key: key, json: try JSON(parsing: $0))
    }
  }

  // MARK: Old versions

  /// Passes on the old versions of entities that Ten Week knows, the oldest first.
  package func forEachOldVersion(_ body: (HistoryRecord) throws -> Void) throws {
    let types: [EntityType] = [
      .goal, .personalValue, .term, .assignment, .contribution, .activity,
    ]
    let rows = try Row.fetchCursor(
      db,
      sql: """
        \(ShownVersions.query) AND source_table IN (SELECT value FROM json_each(?)) ORDER BY pk
        """, arguments: [JSON(types.map(\.rawValue)).text()])
    while let row = try rows.next() { try body(try Archive.historyRecord(row)) }
  }

  // MARK: Conversations

  package func message(_ id: UUID) throws -> ConversationMessage? {
    try ConversationMessage.fetchOne(db, id: id)
  }

  /// Passes on the row numbers of threads, the oldest first.
  package func forEachThread(_ body: (Int64) throws -> Void) throws {
    let threads = try Int64.fetchCursor(
      db, sql: "SELECT pk FROM threads ORDER BY created_at, title")
    while let thread = try threads.next() { try body(thread) }
  }

  /// Passes on the messages of a thread in order.
  package func forEachMessage(
    of thread: Int64, _ body: (UUID, MessageRole) throws -> Void
  ) throws {
    try Archive.forEachMessage(db, of: thread, body)
  }
}

extension Archive {
  /// Reads goals and related entities as of one moment.
  package func withGoalsSnapshot<Value>(
    _ body: (GoalsSnapshot) throws -> Value
  ) throws -> Value {
    try read { db in try body(GoalsSnapshot(db)) }
  }
}

package import ArkivedCore
package import Foundation
import GRDB

/// A filter for a list of changes, newest first.
package struct ChangeFilter: Hashable, Sendable {
  /// The author of a change from the owner's point of view.
  package enum Maker: String, Sendable, CaseIterable {
    case owner, `import`, sync
    /// The assistant and programs with access.
    case assistant
  }

  package var maker: Maker?
  package var action: String?
  package var from: Instant?
  /// The end of the span, exclusive.
  package var to: Instant?
  /// Only changes older than this one.
  ///
  /// Unlike an offset, it neither skips nor repeats any if something is written between two pages.
  package var before: UUID?
  package var limit = 50
  package var offset = 0

  package init() {}

  /// The kinds of changes that synchronise linked places.
  fileprivate static let syncs = "(\(UndoLine.regularSyncsSQL), 'sync')"

  fileprivate var sql: (condition: String, arguments: StatementArguments) {
    var conditions = ["1"]
    var arguments: StatementArguments = []
    switch maker {
    case .owner: conditions.append("author = 'owner' AND action NOT IN \(Self.syncs)")
    case .import: conditions.append("author = 'import' AND action NOT IN \(Self.syncs)")
    case .sync: conditions.append("action IN \(Self.syncs)")
    case .assistant: conditions.append("(author = 'assistant' OR author GLOB 'agent:*')")
    case nil: break
    }
    if let action {
      conditions.append("action = ?")
      arguments += [action]
    }
    if let from {
      conditions.append("at >= ?")
      arguments += [from.milliseconds]
    }
    if let to {
      conditions.append("at < ?")
      arguments += [to.milliseconds]
    }
    if let before {
      conditions.append("(position, pk) < (SELECT position, pk FROM changes WHERE id = ?)")
      arguments += [before.uuidString]
    }
    return (conditions.joined(separator: " AND "), arguments)
  }
}

/// A change with its effects, and the change to undo in order to undo or redo it.
package struct ListedChange: Sendable, Identifiable {
  package var noted: NotedChange
  package var maker: ChangeFilter.Maker?
  /// The number of entities it created, changed or removed; at most `touchedLimit`.
  package var touched: Int
  /// The change to undo in order to undo or redo this one.
  package var undo: UUID?
  /// True if undoing it redoes something.
  package var isRedo: Bool

  package var change: Change { noted.change }
  package var id: UUID { noted.change.id }

  /// The number up to which entities are counted.
  package static let touchedLimit = 10_000
}

extension Archive {
  /// Returns a part of the changes, and true if there are more after it.
  package func listedChanges(
    _ filter: ChangeFilter
  ) throws -> (changes: [ListedChange], hasMore: Bool) {
    try read { db in
      let (rows, hasMore) = try Archive.rows(filter, db)
      let turns = try UndoTurns(db)
      return (try rows.map { try Archive.listed($0, turns, db) }, hasMore)
    }
  }

  /// Returns a part of the changes without their effects, and true if there are more after it.
  ///
  /// - Throws: `ArchiveError.notFound` if the change to begin after doesn't exist.
  package func changes(
    matching filter: ChangeFilter
  ) throws -> (changes: [Change], hasMore: Bool) {
    try read { db in
      if let before = filter.before {
        let isThere = try Bool.fetchOne(
          db, sql: "SELECT EXISTS (SELECT 1 FROM changes WHERE id = ?)",
          arguments: [before.uuidString])
        guard isThere == true else {
          throw ArchiveError.notFound("No change with the ID \(before.uuidString).")
        }
      }
      let (rows, hasMore) = try Archive.rows(filter, db)
      return (try rows.map { try Archive.change($0, db) }, hasMore)
    }
  }

  private static func rows(
    _ filter: ChangeFilter, _ db: Database
  ) throws -> (rows: [Row], hasMore: Bool) {
    // One more than asked for tells if there are more.
    let limit = min(max(0, filter.limit), .max - 1)
    let (condition, arguments) = filter.sql
    let rows = try Row.fetchAll(
      db,
      sql: """
        SELECT * FROM changes WHERE \(condition) ORDER BY position DESC, pk DESC LIMIT ? OFFSET ?
        """, arguments: arguments + [limit + 1, max(0, filter.offset)])
    return (Array(rows.prefix(limit)), rows.count > limit)
  }

  /// Returns one change as in the list.
  package func listedChange(_ id: UUID) throws -> ListedChange? {
    try read { db in
      try Row.fetchOne(db, sql: "SELECT * FROM changes WHERE id = ?", arguments: [id.uuidString])
        .map { try Archive.listed($0, try UndoTurns(db), db) }
    }
  }

  /// Returns the existing kinds of changes, by name.
  package func changeActions() throws -> [String] {
    try read { db in
      // Each kind is looked up after the one before it, instead of reading all changes.
      try String.fetchAll(
        db,
        sql: """
          WITH RECURSIVE kinds (action) AS (
            SELECT min(action) FROM changes
            UNION ALL SELECT (SELECT min(action) FROM changes WHERE action > kinds.action)
            FROM kinds WHERE action IS NOT NULL LIMIT 61)
          SELECT action FROM kinds WHERE action IS NOT NULL LIMIT 60
          """)
    }
  }

  private static func listed(
    _ row: Row, _ turns: UndoTurns, _ db: Database
  ) throws -> ListedChange {
    let key: Int64 = row["pk"]
    let before = turns.before[key]
    let noted = try Archive.noted(row, tookBack: before.map { [$0] } ?? [], db)
    let isTurn = ["undo", "redo"].contains(noted.change.action)
    let line = turns.line(of: key)
    var undo: UUID? = noted.change.id
    var isRedo = isTurn && line.count.isMultiple(of: 2)
    if noted.change.isUndone {
      undo = isTurn ? nil : try line.last.flatMap { try Archive.changeID($0, db) }
      isRedo = undo != nil
    }
    if noted.change.action == purgeAction { undo = nil }
    var touched = try Archive.touched(key, db)
    if isTurn, touched < ListedChange.touchedLimit {
      let back = try before.map { try Archive.broughtBack($0, by: key, db) } ?? 0
      touched += back
      if touched == 0, let before { touched = try Archive.touched(before, db) }
    }
    let isSync = (UndoLine.regularSyncs + ["sync"]).contains(noted.change.action)
    return ListedChange(
      noted: noted,
      maker: isSync ? .sync : ChangeFilter.Maker(rawValue: noted.change.author.rawValue),
      touched: min(touched, ListedChange.touchedLimit), undo: undo, isRedo: isRedo)
  }

  private static func changeID(_ key: Int64, _ db: Database) throws -> UUID? {
    try String.fetchOne(db, sql: "SELECT id FROM change_rows WHERE pk = ?", arguments: [key])
      .flatMap { UUID(uuidString: $0) }
  }

  /// Returns the change that another one undid.
  static func undone(by key: Int64, _ db: Database) throws -> Int64? {
    try Int64.fetchOne(
      db, sql: "SELECT pk FROM changes WHERE undone_by = ? LIMIT 1", arguments: [key])
  }

  /// Returns the number of entities a change created, changed or removed.
  private static func touched(_ key: Int64, _ db: Database) throws -> Int {
    var count = 0
    for table in EntityType.rowsTables.values where count < ListedChange.touchedLimit {
      // An inferred match has the change of a goal, but isn't an effect of that change.
      let isOwn =
        table == EntityType.contribution.rowsTable ? "AND match_method <> 'auto_inferred'" : ""
      count += try capped("SELECT 1 FROM \(table) WHERE change_pk = ? \(isOwn)", [key], db)
    }
    guard count < ListedChange.touchedLimit else { return count }
    count += try WritingMarks.templates(madeBy: key, db).count
    return count
      + (try capped("SELECT DISTINCT source_id FROM history WHERE change_pk = ?", [key], db))
  }

  /// Returns the number of entities removed by one change that another one restored.
  private static func broughtBack(
    _ before: Int64, by key: Int64, _ db: Database
  ) throws -> Int {
    try capped(
      """
      SELECT 1 FROM history WHERE change_pk = ? AND reason = 'delete' AND source_id NOT IN
        (SELECT source_id FROM history WHERE change_pk = ?)
      """, [before, key], db)
  }

  private static func capped(
    _ sql: String, _ arguments: StatementArguments, _ db: Database
  ) throws -> Int {
    try Int.fetchOne(
      db, sql: "SELECT count(*) FROM (\(sql) LIMIT \(ListedChange.touchedLimit))",
      arguments: arguments) ?? 0
  }
}

/// The undo of each change, read once for a whole list.
private struct UndoTurns {
  private var after: [Int64: Int64] = [:]
  private(set) var before: [Int64: Int64] = [:]

  init(_ db: Database) throws {
    let rows = try Row.fetchCursor(
      db, sql: "SELECT pk, undone_by FROM changes WHERE undone_by IS NOT NULL")
    while let row = try rows.next() {
      let (key, undo) = (row[0] as Int64, row[1] as Int64)
      after[key] = undo
      before[undo] = key
    }
  }

  /// Returns the chain of a change, its undo, the undo of that and so on; the given change may be
  /// anywhere in it.
  func line(of key: Int64) -> [Int64] {
    var line = [key]
    while let first = line.first, let earlier = before[first], !line.contains(earlier) {
      line.insert(earlier, at: 0)
    }
    while let last = line.last, let later = after[last], !line.contains(later) {
      line.append(later)
    }
    return line
  }
}

package import ArkivedCore
package import Foundation
import GRDB

/// One acknowledged change of the archive: its author, time and content; the unit of undo.
package struct Change: Hashable, Sendable, Identifiable {
  package var id: UUID
  package var at: Instant
  package var author: Author
  /// The kind of change: add, edit, delete, note, tag, import, undo, restore and others.
  package var action: String
  /// A sentence for lists: "Added “ran 5 km”".
  package var summary: String
  /// True if a later undo reversed it.
  package var isUndone: Bool

  package var json: JSON {
    [
      "id": .string(id.uuidString), "at": JSON(at), "author": .string(author.rawValue),
      "action": .string(action), "summary": .string(summary), "isUndone": .bool(isUndone),
    ]
  }
}

/// The saved value of a write, and the change that undo needs.
package struct Saved<Value: Sendable>: Sendable {
  package var value: Value
  /// The change; nil if there was no difference and nothing was written.
  package var change: Change?
}

/// The open transaction of one change.
///
/// Writes inside it become visible together or not at all.
///
/// It is passed to the closure of `Archive.write` and never outlives it.
package struct ChangeScope {
  let db: Database
  package internal(set) var change: Change
  let changeKey: Int64
  let identities: any IdentitySource
  /// True if the owner intends deletions, so imports don't reverse them.
  var leavesTombstones = true
  /// True if goals are matched with all actions as they are written.
  ///
  /// An import has them matched together at its end, because each match examines every action.
  package var matchesGoals = true
  /// The row numbers already looked up in this transaction.
  let keys = ScopeKeys()

  package var now: Instant { change.at }
  /// The ID of the change, used to undo it.
  package var changeID: UUID { change.id }

  init(
    _ db: Database, id: UUID, at: Instant, author: Author, action: String, summary: String,
    identities: any IdentitySource
  ) throws {
    try Archive.checkStays(db)
    self.db = db
    self.identities = identities
    change = Change(
      id: id, at: at, author: author, action: action,
      summary: String(summary.prefix(200)), isUndone: false)
    try db.cachedStatement(
      sql: "INSERT INTO change_rows (id, at, author, action, summary) VALUES (?, ?, ?, ?, ?)"
    ).execute(arguments: [
      id.uuidString, at.milliseconds, author.rawValue, action, change.summary,
    ])
    changeKey = db.lastInsertedRowID
  }

  /// Continues a change that was begun in an earlier transaction.
  init(_ db: Database, _ change: Change, key: Int64, identities: any IdentitySource) {
    self.db = db
    self.identities = identities
    self.change = change
    changeKey = key
  }

  /// Runs a part of the change; if it throws, that part is discarded and the rest continues.
  ///
  /// - Throws: `FieldError` if the archive's own rules refuse the change, otherwise errors from
  ///   `body`.
  package func attempt(_ body: () throws -> Void) throws {
    let documents = keys.documents?.count ?? 0
    do {
      try db.inSavepoint {
        try body()
        return .commit
      }
    } catch {
      keys.forget()
      keys.documents?.takeBack(to: documents)
      guard let error = error as? DatabaseError, error.resultCode == .SQLITE_CONSTRAINT else {
        throw error
      }
      throw FieldError(
        "entry", "conflicts with existing data (\(error.message ?? "a rule refuses it"))")
    }
  }

  /// Sets the summary of the change once it is known.
  package mutating func summarise(_ summary: String) throws {
    change.summary = String(summary.prefix(200))
    try db.execute(
      sql: "UPDATE change_rows SET summary = ? WHERE pk = ?",
      arguments: [change.summary, changeKey])
  }

  /// Stores an old version before it is replaced or removed.
  func keep(
    _ type: EntityType, _ id: UUID, _ record: JSON, reason: HistoryRecord.Reason
  ) throws {
    try keep(
      HistoryRecord(
        id: identities.next(), sourceTable: type, sourceID: id, record: record, reason: reason,
        archivedAt: change.at, archivedBy: change.author), changeKey: changeKey)
  }

  /// Stores a given old version; a nil key means that no change of this archive made it.
  func keep(_ record: HistoryRecord, changeKey: Int64?) throws {
    let isEntity = changeKey != nil && EntityType.rowsTables[record.sourceTable] != nil
    let keys =
      isEntity
      ? "(SELECT change_pk, changed_pk FROM \(record.sourceTable.rowsTable) WHERE id = ?4)"
      : "(SELECT ?9 AS change_pk, ?10 AS changed_pk)"
    var arguments: StatementArguments = [
      record.id.uuidString, changeKey, record.sourceTable.rawValue, record.sourceID.uuidString,
      record.record.text(), record.reason.rawValue, record.archivedAt.milliseconds,
      record.archivedBy.rawValue,
    ]
    if !isEntity {
      let mark =
        changeKey != nil && record.sourceTable.isWriting
        ? try writingMark(record.sourceTable, record.sourceID) : nil
      arguments += [mark?.made, mark?.touched]
    }
    try db.cachedStatement(
      sql: """
        INSERT INTO history
          (id, change_pk, source_table, source_id, record, reason, archived_at, archived_by,
           made_pk, touched_pk)
        SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, change_pk, changed_pk FROM \(keys)
        """
    ).execute(arguments: arguments)
  }

  /// Records that an entity was deleted on purpose.
  func bury(_ type: EntityType, _ id: UUID, _ refs: [ExternalRef]) throws {
    guard leavesTombstones else { return }
    let statement = try db.cachedStatement(
      sql: """
        INSERT INTO tombstones (source_table, source_id, provider, external_id, deleted_at)
        VALUES (?, ?, ?, ?, ?)
        """)
    let now = change.at.milliseconds
    try statement.execute(arguments: [type.rawValue, id.uuidString, nil, nil, now])
    for ref in refs {
      try statement.execute(
        arguments: [type.rawValue, id.uuidString, ref.provider, ref.externalID, now])
    }
  }

  /// Removes the record of an entity's deletion, because it exists again.
  func exhume(_ id: UUID) throws {
    try db.cachedStatement(sql: "DELETE FROM tombstones WHERE source_id = ?")
      .execute(arguments: [id.uuidString])
  }
}

/// The row numbers of tags and people that a transaction has already looked up.
final class ScopeKeys {
  /// By the tag's folded name.
  var tags: [String: Int64] = [:]
  var people: [UUID: Int64?] = [:]
  /// The tags that last had each former name, once they were read.
  var formerTags: [String: UUID]?
  var statements: [Statement?] = Array(repeating: nil, count: RowWriter.Slot.allCases.count)
  /// The documents still to be written; nil if each is written at once.
  var documents: GatheredDocuments?
  /// True if the archive has any mark of a deletion; nil if unknown.
  var hasTombstones: Bool?
  /// The folded addresses of people whom the owner deleted, once they were read.
  var deletedAddresses: Set<String>?
  /// The goals that actions are matched with, once they were read.
  var goals: OpenGoals?
  var hasReadGoals = false
  /// The previous states of terms that released their numbers.
  var termsLettingGo: [UUID: Term] = [:]
  /// The owner's relations that wait for one end to be imported again, by its ID.
  var orphans: [String: [OrphanedRelation]] = [:]
  /// The row numbers of notes whose meeting is to be imported again, by its event.
  var orphanedNotes: [String: [Int64]] = [:]

  func forget() {
    tags.removeAll()
    people.removeAll()
    formerTags = nil
    hasTombstones = nil
    deletedAddresses = nil
    termsLettingGo.removeAll()
    forgetGoals()
  }
}

extension Archive {
  /// Runs one change as one transaction.
  ///
  /// - Parameters:
  ///   - author: who makes the change.
  ///   - action: the kind of change: add, edit, delete and others.
  ///   - summary: the text for the list of changes.
  ///   - id: the change's own identity; a new one if nil.
  ///   - body: performs the writes; if it throws, none of the change is kept.
  /// - Returns: what `body` returns, and the change.
  /// - Throws: what `body` throws, and `DatabaseError` if the archive can't be written.
  package func write<Value>(
    by author: Author, _ action: String, _ summary: String, id: UUID? = nil,
    _ body: (inout ChangeScope) throws -> Value
  ) throws -> (value: Value, change: Change) {
    let id = id ?? identities.next()
    let now = clock.now
    return try transact { db in
      var scope = try ChangeScope(
        db, id: id, at: now, author: author, action: action, summary: summary,
        identities: identities)
      let value = try body(&scope)
      return (value, scope.change)
    }
  }
}

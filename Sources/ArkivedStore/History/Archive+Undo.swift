package import ArkivedCore
package import Foundation
import GRDB

/// Undoing changes.
extension Archive {
  /// The result of an undo.
  package struct Undone: Sendable {
    package var change: Change
    /// The change that was undone.
    package var undid: Change
    package var removed: Int
    package var restored: Int
    /// The number of entries that stay because they were changed or used since.
    package var kept: Int
  }

  /// Undoes a change; without an ID, the latest that has an effect and was not undone, but never a
  /// whole import without an explicit request.
  ///
  /// Everything the change added is removed, and everything it changed or deleted is restored. Undo
  /// is a change itself, so it can be undone.
  /// - Throws: `ArchiveError.notFound` if there is nothing to undo, `.conflict` if an entry was
  ///   changed since (an import keeps such entries instead and counts them).
  package func undo(_ id: UUID? = nil, by author: Author = .owner) throws -> Undone {
    let undone = try takeBack(id) { counted, db in
      try undo(try undoLine(db, id), counted, by: author, db)
    }
    // The undo is done; if this fails, sums are added up on request.
    try? settleGoalSums()
    return undone
  }

  /// Undoes a change and stores the answer in the same transaction, because a repeated undo would
  /// undo the undo.
  ///
  /// - Throws: `RequestKeyTaken`, and what the other `undo` throws.
  package func undo(
    _ id: UUID, by author: Author = .owner, once request: RequestKey?,
    answer: (Undone) throws -> KeptAnswer
  ) throws -> KeptAnswer {
    let kept = try takeBack(id) { counted, db in
      try answering(request, in: db) {
        try answer(try undo(try undoLine(db, id), counted, by: author, db))
      }
    }
    try? settleGoalSums()
    return kept
  }

  private func takeBack<Value>(
    _ id: UUID?, _ undo: (ImportExtent?, Database) throws -> Value
  ) throws -> Value {
    // Counting a large import takes a while, so it is done outside the transaction.
    let counted = try id.flatMap(importExtent)
    do {
      return try transact { db in try undo(counted, db) }
    } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
      // A name, an address, a number or an end of a link that was available then no longer is.
      throw ArchiveError.conflict(
        "Later changes prevent this one from being undone. Undo the later ones first")
    }
  }

  /// Undoes a change.
  ///
  /// - Parameters:
  ///   - line: the changes that undo each other.
  ///   - counted: the extent of a whole import, if it is already known.
  ///   - author: who makes the change.
  ///   - db: the database.
  /// - Returns: a summary of the undo.
  /// - Throws: `ArchiveError.conflict` if later changes are in the way.
  private func undo(
    _ line: UndoLine, _ counted: ImportExtent?, by author: Author, _ db: Database
  ) throws -> Undone {
    // Either the change itself is undone, or the undo that reversed it.
    let key = line.isTakenBack ? line.lastKey : line.rootKey
    let isExpired = try Self.expiredChanges(db).contains(line.rootKey)
    let isKept = line.root.summary != Self.keptNoLonger
    guard !isExpired,
      try line.isImport
        || isKept
          && (hasEffect(db, key) || (line.isTakenBack && hasEffect(db, line.rootKey)))
    else {
      // Its old versions have expired or were permanently deleted.
      throw ArchiveError.refused(
        "This change can no longer be fully undone: \(line.target.summary)")
    }
    var scope = try openScope(
      db, by: author, line.isTakenBack ? "redo" : "undo", "Undid: \(line.target.summary)")
    // Undone entries were not deleted on purpose, so an import may create them again.
    scope.leavesTombstones =
      line.isTakenBack && ["delete", Archive.mergeAction].contains(line.root.action)
    var undone = Undone(
      change: scope.change, undid: line.target, removed: 0, restored: 0, kept: 0)
    let extent = line.isImport ? try counted ?? ImportExtent(of: line.rootKey, db) : nil
    if line.isTakenBack {
      if let extent { try scope.showImport(extent.caughtUp(scope), &undone) }
      try removeBroughtBack(by: key, of: line.rootKey, scope, &undone)
    } else if extent == nil {
      try removeCreated(by: key, scope, &undone)
    }
    try bringBackVersions(of: key, line, isWhole: extent != nil, scope, &undone)
    if let extent, !line.isTakenBack {
      try scope.hideImport(extent.caughtUp(scope), &undone)
      try scope.reopenCalendars()
    } else {
      try removeUnused(madeBy: key, scope, &undone)
    }
    try db.execute(
      sql: "UPDATE change_rows SET undone_by = ? WHERE pk = ?",
      arguments: [scope.changeKey, line.lastKey])
    return undone
  }

  /// Makes the versions that a change replaced or removed the current ones again.
  ///
  /// - Parameters:
  ///   - key: the row of the change.
  ///   - line: the changes that undo each other.
  ///   - isWhole: true if a whole import is undone or redone; then entries that were changed since
  ///     stay as they are.
  ///   - scope: the change.
  ///   - undone: receives the restored entries.
  /// - Throws: `ArchiveError.conflict` if later changes are in the way.
  private func bringBackVersions(
    of key: Int64, _ line: UndoLine, isWhole: Bool, _ scope: ChangeScope, _ undone: inout Undone
  ) throws {
    let versions = try Row.fetchAll(
      scope.db,
      // Links come after the entries they need, and compute their own amounts.
      sql: """
        SELECT * FROM history WHERE change_pk = ? ORDER BY source_table IN
          (\(StoredEntities.relations.map { "'\($0.rawValue)'" }.joined(separator: ", "))), pk DESC
        """, arguments: [key])
    // Terms that exchanged their numbers exchange them back.
    if !isWhole { try scope.letGo(ofNumbersOf: Archive.changedTerms(versions, by: key)) }
    // Entities created by the change were removed above.
    for row in versions where (row["made_pk"] as Int64?) != key {
      do {
        try bringBack(row, line, scope)
        undone.restored += 1
      } catch let error as ArchiveError {
        guard line.isImport, case .conflict = error else { throw error }
        undone.kept += 1
      }
    }
  }

  /// Returns the extent of an undo or redo of this change, if it is a whole import.
  private func importExtent(_ id: UUID) throws -> ImportExtent? {
    try read { db in
      guard let line = try? undoLine(db, id), line.isImport else { return nil }
      return try ImportExtent(of: line.rootKey, db)
    }
  }

  /// Returns the terms among the old versions that a change replaced; empty if there was only one.
  private static func changedTerms(_ versions: [Row], by key: Int64) throws -> [UUID] {
    let terms = versions.filter { row in
      row["source_table"] == EntityType.term.rawValue && row["reason"] != "delete"
        && (row["made_pk"] as Int64?) != key
    }
    return terms.count > 1 ? try terms.map { try $0.identity("source_id") } : []
  }

  /// Restores one version that a change replaced or removed.
  private func bringBack(_ row: Row, _ line: UndoLine, _ scope: ChangeScope) throws {
    let version = try Archive.historyRecord(row)
    let changedBy = try scope.lastChangeKey(version.sourceTable, version.sourceID)
    let expected: Int64? =
      if version.reason == .delete {
        nil
      } else if line.isTakenBack {
        // When undoing an undo, the entity has the mark that the undo restored, or the undo's own
        // mark if its creator was undone as well.
        changedBy == line.lastKey
          ? changedBy
          : try Int64.fetchOne(
            scope.db,
            sql: "SELECT touched_pk FROM history WHERE change_pk = ? AND source_id = ? ORDER BY pk",
            arguments: [line.rootKey, version.sourceID.uuidString])
      } else {
        line.rootKey
      }
    guard changedBy == expected || changedBy == scope.changeKey else {
      throw ArchiveError.conflict(
        "The \(version.sourceTable.singular) has been changed or deleted since then. Undo the "
          + "later change first, or restore the earlier version from its history.")
    }
    func bring() throws {
      // An import that was undone leaves nothing, so importing or exporting finds what was there.
      try scope.bringBack(version, keepsTime: line.isImport)
      try scope.putBackKeys(of: version, row)
    }
    do {
      // In an import, the other entries are still restored.
      if line.isImport { try scope.attempt(bring) } else { try bring() }
    } catch let error as FieldError {
      throw Self.conflict(version, error.field == "entry" ? nil : error.description)
    } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
      throw Self.conflict(version, nil)
    }
  }

  /// Returns the error for an old version that cannot be restored because something newer has its
  /// name, address or number.
  static func conflict(_ version: HistoryRecord, _ reason: String? = nil) -> ArchiveError {
    let told =
      switch version.sourceTable {
      case .tag: "another tag now has this name"
      case .person: "someone else now has one of these addresses"
      default: reason ?? "something newer has taken its place"
      }
    return .conflict(
      "The \(version.sourceTable.singular) can’t be put back as it was: \(told). Undo the later "
        + "change first.")
  }

  /// Deletes again what an undo had restored.
  private func removeBroughtBack(
    by key: Int64, of deletion: Int64, _ scope: ChangeScope, _ undone: inout Undone
  ) throws {
    let rows = try Row.fetchAll(
      scope.db,
      sql: """
        SELECT * FROM history WHERE change_pk = ? AND reason = 'delete'
          AND source_id NOT IN (SELECT source_id FROM history WHERE change_pk = ?) ORDER BY pk
        """, arguments: [deletion, key])
    for row in rows {
      let version = try Archive.historyRecord(row)
      let changedBy = try scope.lastChangeKey(version.sourceTable, version.sourceID)
      guard let changedBy, [key, row["touched_pk"] as Int64?].contains(changedBy) else {
        throw ArchiveError.conflict(
          "The \(version.sourceTable.singular) has been changed or deleted since then. Delete it again."
        )
      }
      switch version.sourceTable {
      case .activity: _ = try scope.deleteActivity(version.sourceID)
      case .day: try scope.deleteDayEntry(version.sourceID)
      case .metric: try scope.deleteMetric(version.sourceID)
      case .template: try scope.deleteTemplate(version.sourceID)
      case .person:
        let kept = version.record["mergedInto"]?.string.flatMap { UUID(uuidString: $0) }
        try scope.deletePerson(version.sourceID, mergedInto: kept)
      case .tag:
        let kept = version.record["mergedInto"]?.string.flatMap { UUID(uuidString: $0) }
        try scope.deleteTag(version.sourceID, mergedInto: kept)
      default:
        guard StoredEntities.type(version.sourceTable) != nil else { continue }
        try scope.delete(version.sourceTable, version.sourceID)
      }
      undone.removed += 1
    }
  }

  private func undoLine(_ db: Database, _ id: UUID?) throws -> UndoLine {
    if let id {
      guard
        let row = try Row.fetchOne(
          db, sql: "SELECT * FROM changes WHERE id = ?", arguments: [id.uuidString])
      else { throw ArchiveError.notFound("No change with the ID \(id.uuidString).") }
      guard (row["action"] as String) != Archive.purgeAction else {
        throw ArchiveError.refused("Permanently deleted items can’t be restored.")
      }
      guard (row["action"] as String) != ReplicaMerge.action else {
        throw ArchiveError.refused(
          "This change came from another device. Undo it there, or restore an earlier version here."
        )
      }
      let line = try UndoLine(of: row, db)
      guard !line.target.isUndone else {
        throw ArchiveError.conflict("This change was already undone: \(line.target.summary)")
      }
      return line
    }
    let rows = try Row.fetchCursor(
      db,
      sql: """
        SELECT * FROM changes WHERE action NOT IN ('undo', 'redo', \(UndoLine.regularSyncsSQL),
          '\(Archive.askAction)', '\(ReplicaMerge.action)')
        ORDER BY position DESC, pk DESC
        """)
    let expired = try Self.expiredChanges(db)
    while let row = try rows.next() {
      guard (row["summary"] as String) != Self.keptNoLonger, !expired.contains(row["pk"]),
        try !UndoLine.isUndone(by: row["undone_by"], db), try hasEffect(db, row["pk"])
      else { continue }
      let line = try UndoLine(of: row, db)
      guard !line.isImport else {
        throw ArchiveError.refused(
          "The latest change is an import (\(line.root.summary)). Undo it by its ID: arkived "
            + "undo " + (try Archive.shortID(line.root.id, among: [Named.changes.rawValue], db)))
      }
      return line
    }
    throw ArchiveError.notFound("No change to undo.")
  }

  private func hasEffect(_ db: Database, _ key: Int64) throws -> Bool {
    let tables = EntityType.rowsTables.values.sorted() + ["history"]
    for table in tables {
      // An inferred match has the change of a goal, but isn't an effect of that change.
      let isOwn =
        table == EntityType.contribution.rowsTable ? "AND match_method <> 'auto_inferred'" : ""
      let exists = try Bool.fetchOne(
        db, sql: "SELECT EXISTS (SELECT 1 FROM \(table) WHERE change_pk = ? \(isOwn))",
        arguments: [key])
      if exists == true { return true }
    }
    return try !WritingMarks.templates(madeBy: key, db).isEmpty
  }

  private func removeCreated(
    by key: Int64, _ scope: ChangeScope, _ undone: inout Undone
  ) throws {
    let created: [(EntityType, (UUID) throws -> Void)] = [
      (.activity, { _ = try scope.deleteActivity($0) }),
      (.day, { try scope.deleteDayEntry($0) }),
      (.metric, { try scope.deleteMetric($0) }),
    ]
    let related = StoredEntities.all.map { $0.entityType }
      .map { type in (type, { try scope.delete(type, $0) }) }
    for (type, remove) in related + created {
      let isOwn = type == .contribution ? "AND match_method <> 'auto_inferred'" : ""
      let rows = try Row.fetchAll(
        scope.db, sql: "SELECT id, changed_pk FROM \(type.rawValue) WHERE change_pk = ? \(isOwn)",
        arguments: [key])
      for row in rows {
        if (row["changed_pk"] as Int64) != key {
          throw ArchiveError.conflict(
            "The \(type.singular) has been changed since then. Undo the later change first.")
        }
        try remove(try row.identity("id"))
        undone.removed += 1
      }
    }
    for template in try WritingMarks.templates(madeBy: key, scope.db) {
      guard try scope.lastChangeKey(.template, template.id) == key else {
        throw ArchiveError.conflict(
          "The template has been changed since then. Undo the later change first.")
      }
      try scope.deleteTemplate(template.id)
      undone.removed += 1
    }
  }

  /// Removes people and tags that were created by a change, unless something else uses them.
  private func removeUnused(
    madeBy key: Int64, _ scope: ChangeScope, _ undone: inout Undone
  ) throws {
    let people = try Row.fetchAll(
      scope.db,
      sql: """
        SELECT id, EXISTS (SELECT 1 FROM mentions WHERE person_pk = persons.pk)
            OR EXISTS (SELECT 1 FROM note_mentions WHERE person_pk = persons.pk)
            OR EXISTS (SELECT 1 FROM attendance_rows WHERE person_pk = persons.pk) AS is_named
        FROM persons WHERE change_pk = ?1 AND changed_pk = ?1
        """, arguments: [key])
    let isOfPeopleAlone = undone.removed == 0 && undone.restored == 0
    for row in people {
      let isNamed: Bool = row["is_named"]
      // A person created along with an entry may be kept silently; if the change only created
      // people, this is reported.
      if isNamed, isOfPeopleAlone { undone.kept += 1 }
      if !isNamed { try scope.deletePerson(try row.identity("id")) }
    }
    let tags = try Row.fetchAll(
      scope.db,
      sql: """
        SELECT id FROM tags WHERE change_pk = ?1 AND changed_pk = ?1
          AND NOT EXISTS (SELECT 1 FROM activity_tags WHERE tag_pk = tags.pk)
          AND NOT EXISTS (SELECT 1 FROM note_tags WHERE tag_pk = tags.pk)
        """, arguments: [key])
    for row in tags { try scope.deleteTag(try row.identity("id")) }
  }
}

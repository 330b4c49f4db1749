package import ArkivedCore
package import Foundation
import GRDB

/// Taking changes back.
extension Archive {
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

  /// Takes a change back; without an identity, the latest that has an effect and was not undone,
  /// but never a whole import unasked.
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
      // What the target itself had taken back, when it is an undo.
      let before = try Row.fetchOne(
        db, sql: "SELECT pk, action FROM changes WHERE undone_by = ?", arguments: [key])
      // What is undone was not unwanted: an import may bring it again.
      scope.leavesTombstones = before?["action"] == "delete"
      let isImport = Archive.isImport(target.action)
      var undone = Undone(change: scope.change, undid: target, removed: 0, restored: 0, kept: 0)
      if !isImport { try removeCreated(by: key, scope, &undone) }
      if let before {
        try scope.showImport(before["pk"], &undone)
        try removeBroughtBack(by: key, of: before["pk"], scope, &undone)
      }
      let versions = try Row.fetchAll(
        db, sql: "SELECT * FROM history WHERE change_pk = ? ORDER BY pk DESC", arguments: [key])
      // What came with the change went with it above.
      for row in versions where (row["made_pk"] as Int64?) != key {
        do {
          try bringBack(row, of: key, before: before?["pk"], scope)
          undone.restored += 1
        } catch let error as ArchiveError {
          guard isImport, case .conflict = error else { throw error }
          undone.kept += 1
        }
      }
      if isImport { try scope.hideImport(key, &undone) }
      try db.execute(
        sql: "UPDATE change_rows SET undone_by = ? WHERE pk = ?", arguments: [scope.changeKey, key])
      // Undoing an undo makes what it took back count again.
      try db.execute(
        sql: "UPDATE change_rows SET undone_by = NULL WHERE undone_by = ?", arguments: [key])
      return undone
    }
  }

  /// Restores one version that a change replaced or removed.
  private func bringBack(
    _ row: Row, of key: Int64, before: Int64?, _ scope: ChangeScope
  ) throws {
    let version = try Archive.historyRecord(row)
    let changedBy = try scope.lastChangeKey(version.sourceTable, version.sourceID)
    let expected: Int64? =
      if version.reason == .delete {
        nil
      } else if let before {
        // Undoing an undo: the entity carries the mark that the undo put back.
        try Int64.fetchOne(
          scope.db,
          sql: "SELECT touched_pk FROM history WHERE change_pk = ? AND source_id = ? ORDER BY pk",
          arguments: [before, version.sourceID.uuidString])
      } else {
        key
      }
    guard changedBy == expected else {
      throw ArchiveError.conflict(
        "Since then the \(version.sourceTable.singular) was changed or deleted. Undo the later "
          + "change first, or restore the old version from its history.")
    }
    try scope.bringBack(version)
    try scope.putBackKeys(of: version, row)
  }

  /// Deletes again what an undo had brought back.
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
      guard changedBy != nil, changedBy == row["touched_pk"] as Int64? else {
        throw ArchiveError.conflict(
          "Since then the \(version.sourceTable.singular) was changed or deleted. Delete it anew.")
      }
      switch version.sourceTable {
      case .activity: _ = try scope.deleteActivity(version.sourceID)
      case .day: try scope.deleteDayEntry(version.sourceID)
      case .metric: try scope.deleteMetric(version.sourceID)
      case .person: try scope.deletePerson(version.sourceID)
      case .tag: try scope.deleteTag(version.sourceID)
      default: continue
      }
      undone.removed += 1
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
        ORDER BY position DESC, pk DESC
        """)
    while let row = try rows.next() {
      let key: Int64 = row["pk"]
      guard try hasEffect(db, key) else { continue }
      let change = try Archive.change(row)
      guard !Archive.isImport(change.action) else {
        throw ArchiveError.refused(
          "The latest change is an import (\(change.summary)). Take it back by name: arkived undo "
            + String(change.id.uuidString.prefix(8)))
      }
      return (key, change)
    }
    throw ArchiveError.notFound("change to undo")
  }

  private static func isImport(_ action: String) -> Bool { ["import", "sample"].contains(action) }

  private func hasEffect(_ db: Database, _ key: Int64) throws -> Bool {
    let tables = EntityType.rowsTables.values.sorted() + ["history"]
    for table in tables {
      let exists = try Bool.fetchOne(
        db, sql: "SELECT EXISTS (SELECT 1 FROM \(table) WHERE change_pk = ?)", arguments: [key])
      if exists == true { return true }
    }
    return false
  }

  private func removeCreated(
    by key: Int64, _ scope: ChangeScope, _ undone: inout Undone
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
          throw ArchiveError.conflict(
            "Since then the \(type.singular) was changed. Undo the later change first.")
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

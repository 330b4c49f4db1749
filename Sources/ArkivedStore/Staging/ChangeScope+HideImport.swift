import ArkivedCore
import GRDB

/// Undoing and redoing a whole import of any size.
extension ChangeScope {
  /// Hides everything an import created that nobody has changed since; the rows are kept, so this
  /// can be undone too.
  ///
  /// Tags and people that other entries use stay visible.
  func hideImport(_ extent: ImportExtent, _ undone: inout Archive.Undone) throws {
    let kept = try keepMeetingsWrittenTo(ofImport: extent.key)
    try keepThreadsSpokenIn(ofImport: extent.key)
    undone.removed += extent.untouched - kept
    undone.kept += extent.made - extent.untouched + kept
    try db.execute(sql: "DELETE FROM import_pending WHERE change_pk = ?", arguments: [extent.key])
    // An entry whose previous version was permanently deleted, or can no longer be restored, stays
    // as the import left it.
    for (type, rows) in extent.older {
      if ImportExtent.entries.contains(type) {
        undone.kept +=
          try Int.fetchOne(
            db,
            sql: """
              SELECT count(*) FROM \(type.rowsTable) AS it
              WHERE changed_pk = ?1 AND pk IN (SELECT value FROM json_each(?2)) AND NOT EXISTS
                (SELECT 1 FROM history WHERE change_pk = ?1 AND source_id = it.id)
              """, arguments: [extent.key, KeyList.text(rows)]) ?? 0
      }
      try db.execute(
        sql: """
          UPDATE \(type.rowsTable) SET changed_pk = ?1 WHERE changed_pk = ?2
            AND pk IN (SELECT value FROM json_each(?3))
          """, arguments: [changeKey, extent.key, KeyList.text(rows)])
    }
    try db.execute(
      sql: "INSERT INTO hidden_changes (change_pk, state) VALUES (?, ?)",
      arguments: [extent.key, HiddenState.undone.rawValue])
    try give(
      extent, setting: "changed_pk = ?1", to: changeKey, where: "changed_pk = \(extent.key)")
  }

  /// Shows again the entries hidden when an import was undone, with the tags and people they need.
  ///
  /// Those of other imports that are still undone become its own.
  func showImport(_ extent: ImportExtent, _ undone: inout Archive.Undone) throws {
    try db.execute(
      sql: "DELETE FROM hidden_changes WHERE change_pk = ?", arguments: [extent.key])
    undone.restored += extent.untouched
    try give(
      extent, setting: "change_pk = ?1, changed_pk = ?1", to: extent.key,
      where: Visibility.isHidden())
  }

  /// Assigns rows to a change.
  ///
  /// - Parameters:
  ///   - extent: the rows.
  ///   - columns: the columns to set, in SQL.
  ///   - key: the row of the change.
  ///   - condition: checked again, because earlier results may no longer be valid.
  /// - Throws: `DatabaseError` if the archive can't be written.
  private func give(
    _ extent: ImportExtent, setting columns: String, to key: Int64, where condition: String
  ) throws {
    for (type, rows) in [(EntityType.tag, extent.tags), (.person, extent.people)] {
      try db.execute(
        sql: """
          UPDATE \(type.rowsTable) SET \(columns) WHERE \(condition)
            AND pk IN (SELECT value FROM json_each(?2))
          """,
        arguments: [key, KeyList.text(Array(rows))])
    }
  }
}

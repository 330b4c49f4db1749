import ArkivedCore
import GRDB

/// Taking a whole import back, and bringing it again, whatever its size.
extension ChangeScope {
  /// Hides what an import brought and nobody touched since; the rows stay, so that this can be
  /// taken back too. Tags and people that other entries use stay seen.
  func hideImport(_ extent: ImportExtent, _ undone: inout Archive.Undone) throws {
    let kept = try keepMeetingsWrittenTo(ofImport: extent.key)
    undone.removed += extent.untouched - kept
    undone.kept += extent.made - extent.untouched + kept
    try db.execute(sql: "DELETE FROM import_pending WHERE change_pk = ?", arguments: [extent.key])
    // Whose version before is forgotten, or has no place any more, stays as the import left it.
    for (type, rows) in extent.older {
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

  /// Shows again what was hidden when an import was taken back, with the tags and people it needs:
  /// those of other imports that are still taken back become its own.
  func showImport(_ extent: ImportExtent, _ undone: inout Archive.Undone) throws {
    try db.execute(
      sql: "DELETE FROM hidden_changes WHERE change_pk = ?", arguments: [extent.key])
    undone.restored += extent.untouched
    try give(
      extent, setting: "change_pk = ?1, changed_pk = ?1", to: extent.key,
      where: Visibility.isHidden())
  }

  /// - Parameter condition: what was found out before may hold no longer.
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

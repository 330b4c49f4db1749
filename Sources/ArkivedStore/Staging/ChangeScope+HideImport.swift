import ArkivedCore
import GRDB

/// Taking a whole import back, and bringing it again, whatever its size.
extension ChangeScope {
  /// Hides what an import brought and nobody touched since; the rows stay, so that this can be
  /// taken back too. Tags and people that other entries use stay seen.
  func hideImport(_ key: Int64, _ undone: inout Archive.Undone) throws {
    for type in [EntityType.activity, .day, .metric] {
      let row = try Row.fetchOne(
        db,
        sql: """
          SELECT count(*) AS made, total(changed_pk = ?1) AS untouched FROM \(type.rowsTable)
          WHERE change_pk = ?1
          """, arguments: [key])
      let (made, untouched): (Int, Int) = (row?["made"] ?? 0, Int(row?["untouched"] ?? 0.0))
      undone.removed += untouched
      undone.kept += made - untouched
    }
    try db.execute(sql: "DELETE FROM import_pending WHERE change_pk = ?", arguments: [key])
    try db.execute(
      sql: "INSERT INTO hidden_changes (change_pk, state) VALUES (?, ?)",
      arguments: [key, HiddenState.undone.rawValue])
    try db.execute(
      sql: """
        UPDATE tag_rows SET changed_pk = ?1 WHERE change_pk = ?2 AND changed_pk = ?2
          AND EXISTS (SELECT 1 FROM activity_tags JOIN activities ON activities.pk = activity_pk
            WHERE tag_pk = tag_rows.pk)
        """, arguments: [changeKey, key])
    try db.execute(
      sql: """
        UPDATE person_rows SET changed_pk = ?1 WHERE change_pk = ?2 AND changed_pk = ?2
          AND (EXISTS (SELECT 1 FROM mentions JOIN activities ON activities.pk = activity_pk
              WHERE person_pk = person_rows.pk)
            OR EXISTS (SELECT 1 FROM mentions JOIN days ON days.pk = day_pk
              WHERE person_pk = person_rows.pk))
        """, arguments: [changeKey, key])
  }

  /// Shows again what was hidden when an import was taken back.
  func showImport(_ key: Int64, _ undone: inout Archive.Undone) throws {
    try db.execute(sql: "DELETE FROM hidden_changes WHERE change_pk = ?", arguments: [key])
    guard db.changesCount > 0 else { return }
    for type in [EntityType.activity, .day, .metric] {
      undone.restored +=
        try Int.fetchOne(
          db,
          sql: "SELECT count(*) FROM \(type.rowsTable) WHERE change_pk = ?1 AND changed_pk = ?1",
          arguments: [key]) ?? 0
    }
  }
}

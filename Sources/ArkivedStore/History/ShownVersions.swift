/// SQL for the old versions of what the archive shows.
///
/// Undoing an import puts the versions that it replaced back, and keeps what redoing it needs. An
/// export has neither: after an undo it is as before the import, and after a redo as after it. Nor
/// has it what an import replaced that it had itself brought, because nobody has seen that.
enum ShownVersions {
  /// The statement up to the end of its condition, to which others can be added with `AND`.
  static let query = """
    WITH RECURSIVE line(root, pk, undone_by, number) AS (
      SELECT pk, pk, undone_by, 0 FROM change_rows
      WHERE action IN ('import', 'sample', \(UndoLine.regularSyncsSQL)) AND undone_by IS NOT NULL
      UNION ALL
      SELECT line.root, change_rows.pk, change_rows.undone_by, line.number + 1
      FROM line JOIN change_rows ON change_rows.pk = line.undone_by),
    undone(root, last) AS (
      SELECT root, pk FROM line WHERE undone_by IS NULL AND number % 2 = 1)
    SELECT * FROM history WHERE NOT (
      reason = 'restore' AND coalesce(change_pk, 0) IN (SELECT pk FROM line WHERE number > 0)
      OR coalesce(change_pk, 0) IN (SELECT root FROM undone)
        AND EXISTS (SELECT 1 FROM history AS later JOIN undone ON later.change_pk = undone.last
            WHERE undone.root = history.change_pk AND later.source_id = history.source_id
              AND later.reason = 'restore')
      OR reason = 'import' AND coalesce(made_pk = change_pk AND touched_pk = change_pk, 0))
    """
}

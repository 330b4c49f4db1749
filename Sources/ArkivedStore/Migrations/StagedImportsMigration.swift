import GRDB

/// Support for staged imports that appear all at once.
///
/// The entities' rows move to separate tables (`activity_rows`, …), and the names that are read
/// become views that exclude everything belonging to a hidden change: one of an import that is
/// still running, was interrupted, or was undone. So publishing or undoing an import of any size
/// changes only one row.
enum StagedImportsMigration: Migration {
  static let identifier = "004-staged-imports"

  static func migrate(_ db: Database) throws {
    for (view, table) in EntityTable.rows {
      try db.execute(sql: "ALTER TABLE \(view) RENAME TO \(table)")
    }
    try db.execute(sql: staging)
    for (view, table) in EntityTable.rows where view != "changes" {
      try db.execute(
        sql: """
          CREATE VIEW \(view) AS SELECT * FROM \(table)
          WHERE changed_pk NOT IN (SELECT change_pk FROM hidden_changes)
          """)
    }
  }

  /// The views and their tables, as of this step.
  private enum EntityTable {
    static let rows = [
      ("activities", "activity_rows"), ("days", "day_rows"), ("day_metrics", "metric_rows"),
      ("persons", "person_rows"), ("tags", "tag_rows"), ("changes", "change_rows"),
    ]
  }

  private static let staging = """
    -- Changes whose rows nobody sees. `state` is `staged` while the import runs (or was broken off)
    -- and `undone` when the owner took the import back.
    CREATE TABLE hidden_changes (
      change_pk INTEGER PRIMARY KEY REFERENCES change_rows (pk),
      state TEXT NOT NULL
    ) STRICT;

    -- What a staged import has to decide when it is published, since it touches what is seen.
    CREATE TABLE import_pending (
      pk INTEGER PRIMARY KEY,
      change_pk INTEGER NOT NULL REFERENCES change_rows (pk),
      record TEXT NOT NULL CHECK (json_valid(record))
    ) STRICT;
    CREATE INDEX import_pending_of_change ON import_pending (change_pk);

    -- An import takes its place among the changes when it is published.
    ALTER TABLE change_rows ADD COLUMN position INTEGER;
    CREATE INDEX changes_by_position ON change_rows (coalesce(position, pk));
    CREATE VIEW changes AS
      SELECT pk, id, at, author, action, summary, undone_by, coalesce(position, pk) AS position
      FROM change_rows
      WHERE pk NOT IN (SELECT change_pk FROM hidden_changes WHERE state = 'staged');

    -- Days are counted and listed from this index alone, hidden rows left out.
    DROP INDEX activities_of_day;
    CREATE INDEX activities_of_day ON activity_rows (day_key, start_at, created_at, changed_pk);
    """
}

import GRDB

/// Rows of other programs' databases, stored unchanged so that they can be written back, and the
/// places that `sync` synchronises with the archive.
///
/// A row is never replaced: a later one with the same key takes precedence, so undoing a change
/// makes the previous one visible again.
enum InterchangeMigration: Migration {
  static let identifier = "007-interchange"

  static func migrate(_ db: Database) throws {
    try db.execute(
      sql: """
        CREATE TABLE interchange_rows (
          pk INTEGER PRIMARY KEY,
          change_pk INTEGER NOT NULL REFERENCES change_rows (pk) ON DELETE CASCADE,
          -- Empty for imports, else the link through which it came.
          source TEXT NOT NULL,
          source_table TEXT NOT NULL,
          source_key TEXT NOT NULL,
          -- The columns; null for a row that is gone.
          record TEXT NOT NULL CHECK (json_valid(record))
        ) STRICT;
        CREATE INDEX interchange_rows_by_key
          ON interchange_rows (source, source_table, source_key, pk);
        CREATE INDEX interchange_rows_of_change ON interchange_rows (change_pk);
        CREATE VIEW interchange AS SELECT * FROM interchange_rows AS it
          WHERE change_pk NOT IN (SELECT change_pk FROM hidden_changes)
            AND NOT EXISTS (SELECT 1 FROM interchange_rows AS later
              WHERE later.source = it.source AND later.source_table = it.source_table
                AND later.source_key = it.source_key AND later.pk > it.pk
                AND later.change_pk NOT IN (SELECT change_pk FROM hidden_changes));

        CREATE TABLE sync_links (
          pk INTEGER PRIMARY KEY,
          id TEXT NOT NULL UNIQUE CHECK (length(id) = 36),
          -- What it is: tenweek, and what comes later.
          kind TEXT NOT NULL CHECK (length(kind) > 0),
          address TEXT NOT NULL UNIQUE CHECK (length(address) > 0),
          options TEXT NOT NULL CHECK (json_valid(options)),
          created_at INTEGER NOT NULL,
          -- When it was last brought in line, and what became of that.
          synced_at INTEGER,
          outcome TEXT CHECK (outcome IS NULL OR json_valid(outcome))
        ) STRICT;
        """)
  }
}

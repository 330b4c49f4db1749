import GRDB

/// The search's records of the indexes that are derived from the words and stored next to the
/// database: the file of each, and the changes since it was built.
enum SearchIndexesMigration: Migration {
  static let identifier = "005-search-indexes"

  static func migrate(_ db: Database) throws {
    try db.execute(
      sql: """
        -- Documents of search_words that were replaced or removed; what is new is known by its
        -- row number.
        CREATE TABLE search_changes (
          seq INTEGER PRIMARY KEY AUTOINCREMENT,
          document INTEGER NOT NULL
        ) STRICT;

        -- `marks` says up to where the archive is in the index.
        CREATE TABLE search_indexes (
          name TEXT PRIMARY KEY,
          file TEXT NOT NULL,
          marks TEXT NOT NULL CHECK (json_valid(marks))
        ) STRICT, WITHOUT ROWID;

        -- What filters ask for beside tags and known people.
        CREATE INDEX mentions_of_name ON mentions (folded) WHERE person_pk IS NULL;
        CREATE INDEX activities_pinned ON activity_rows (pk) WHERE is_pinned = 1;
        """)
  }
}

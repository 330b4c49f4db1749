import GRDB

/// Support for fast pages and repeated requests: a day's entries in order without reading the
/// entries, and whole answers by the key of their request.
enum PagesMigration: Migration {
  static let identifier = "003-pages"

  static func migrate(_ db: Database) throws {
    try db.execute(
      sql: """
        DROP INDEX activities_of_day;
        CREATE INDEX activities_of_day ON activities (day_key, start_at, created_at);

        -- A repeated request with the same key is answered as the first one was. Answers are kept
        -- for days only, so those of the table before need not be carried over.
        DROP TABLE idempotency_keys;
        CREATE TABLE kept_answers (
          pk INTEGER PRIMARY KEY,
          key TEXT NOT NULL UNIQUE,
          request_hash TEXT NOT NULL,
          status INTEGER NOT NULL,
          location TEXT,
          etag TEXT,
          body BLOB NOT NULL,
          at INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX kept_answers_by_age ON kept_answers (at);
        """)
  }
}

import GRDB

/// Requests of tools that wait for the owner's decision, and the programs that may make them.
enum PendingActsMigration: Migration {
  static let identifier = "014-pending-acts"

  static func migrate(_ db: Database) throws {
    try db.execute(
      sql: """
        CREATE TABLE pending_acts (
          pk INTEGER PRIMARY KEY,
          id TEXT NOT NULL UNIQUE CHECK (length(id) = 36),
          tool TEXT NOT NULL CHECK (length(tool) > 0),
          arguments TEXT NOT NULL CHECK (json_valid(arguments)),
          summary TEXT NOT NULL CHECK (length(summary) > 0),
          effects TEXT NOT NULL CHECK (json_valid(effects)),
          author TEXT NOT NULL CHECK (length(author) > 0),
          thread_id TEXT,
          status TEXT NOT NULL CHECK (length(status) > 0),
          created_at INTEGER NOT NULL,
          expires_at INTEGER NOT NULL,
          decided_at INTEGER,
          change_id TEXT
        ) STRICT;
        CREATE INDEX pending_acts_by_status ON pending_acts (status, created_at);

        CREATE TABLE agent_tokens (
          pk INTEGER PRIMARY KEY,
          id TEXT NOT NULL UNIQUE CHECK (length(id) = 36),
          name TEXT NOT NULL CHECK (length(name) > 0),
          token_hash TEXT NOT NULL UNIQUE,
          created_at INTEGER NOT NULL
        ) STRICT;
        """)
  }
}

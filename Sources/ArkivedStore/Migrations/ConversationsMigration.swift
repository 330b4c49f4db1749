import GRDB

/// Conversations with the assistant: threads and their messages.
enum ConversationsMigration: Migration {
  static let identifier = "013-conversations"

  static func migrate(_ db: Database) throws {
    try db.execute(
      sql: """
        CREATE TABLE thread_rows (
          pk INTEGER PRIMARY KEY,
          id TEXT NOT NULL UNIQUE CHECK (length(id) = 36),
          title TEXT NOT NULL CHECK (length(title) > 0),
          change_pk INTEGER NOT NULL REFERENCES change_rows (pk),
          changed_pk INTEGER NOT NULL REFERENCES change_rows (pk),
          created_at INTEGER NOT NULL,
          updated_at INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX threads_of_change ON thread_rows (change_pk);
        CREATE INDEX threads_by_use ON thread_rows (updated_at);

        CREATE TABLE message_rows (
          pk INTEGER PRIMARY KEY,
          id TEXT NOT NULL UNIQUE CHECK (length(id) = 36),
          thread_pk INTEGER NOT NULL REFERENCES thread_rows (pk) ON DELETE CASCADE,
          role TEXT NOT NULL CHECK (length(role) > 0),
          text TEXT NOT NULL,
          details TEXT CHECK (details IS NULL OR json_valid(details)),
          change_pk INTEGER NOT NULL REFERENCES change_rows (pk),
          changed_pk INTEGER NOT NULL REFERENCES change_rows (pk),
          created_at INTEGER NOT NULL,
          updated_at INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX messages_of_change ON message_rows (change_pk);
        CREATE INDEX messages_of_thread ON message_rows (thread_pk);

        CREATE VIEW threads AS SELECT * FROM thread_rows
        WHERE changed_pk NOT IN (SELECT change_pk FROM hidden_changes);
        CREATE VIEW messages AS SELECT * FROM message_rows
        WHERE changed_pk NOT IN (SELECT change_pk FROM hidden_changes);
        """)
  }
}

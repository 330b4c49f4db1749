import GRDB

/// What several devices know of the same things, what this one has to tell the others, and what it has
/// read of theirs. Empty until the archive is kept on several devices.
enum DeviceSyncMigration: Migration {
  static let identifier = "017-device-sync"

  static func migrate(_ db: Database) throws {
    try db.execute(
      sql: """
        -- Every field of every thing with the stamp of its last write. `shown` is what stands in the
        -- archive where that is something else, such as while what it refers to is missing; `waits`
        -- says so.
        CREATE TABLE replica_states (
          type TEXT NOT NULL CHECK (length(type) > 0),
          id TEXT NOT NULL CHECK (length(id) > 0),
          state TEXT NOT NULL CHECK (json_valid(state)),
          shown TEXT CHECK (shown IS NULL OR json_valid(shown)),
          waits INTEGER NOT NULL DEFAULT 0 CHECK (waits IN (0, 1)),
          PRIMARY KEY (type, id)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX replica_states_waiting ON replica_states (type, id) WHERE waits = 1;
        CREATE INDEX replica_states_by_identity ON replica_states (id);

        -- What was changed here since it was last looked at, noted by triggers.
        CREATE TABLE replica_dirty (
          type TEXT NOT NULL,
          id TEXT NOT NULL,
          PRIMARY KEY (type, id)
        ) STRICT, WITHOUT ROWID;

        -- Changes of this device that are in no segment yet.
        CREATE TABLE replica_outbox (
          pk INTEGER PRIMARY KEY,
          type TEXT NOT NULL,
          id TEXT NOT NULL,
          change TEXT NOT NULL CHECK (json_valid(change))
        ) STRICT;

        -- Segments of this device's log that not every other device has read. `link` chains them.
        CREATE TABLE replica_segments (
          sequence INTEGER PRIMARY KEY,
          link TEXT NOT NULL,
          previous TEXT NOT NULL,
          head TEXT NOT NULL CHECK (json_valid(head)),
          changes TEXT NOT NULL,
          is_published INTEGER NOT NULL DEFAULT 0 CHECK (is_published IN (0, 1))
        ) STRICT;

        -- How far the logs of the other devices were read, and this device's own place.
        CREATE TABLE replica_places (
          device TEXT PRIMARY KEY,
          sequence INTEGER NOT NULL,
          link TEXT NOT NULL
        ) STRICT, WITHOUT ROWID;

        -- Versions that gave way to a later one written elsewhere without knowing of it.
        CREATE TABLE replica_conflicts (
          id TEXT PRIMARY KEY,
          at INTEGER NOT NULL,
          type TEXT NOT NULL,
          source_id TEXT NOT NULL,
          field TEXT NOT NULL,
          kept TEXT NOT NULL CHECK (json_valid(kept)),
          gave_way TEXT NOT NULL CHECK (json_valid(gave_way)),
          kept_by TEXT NOT NULL,
          given_by TEXT NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX replica_conflicts_by_time ON replica_conflicts (at);

        -- Things that another device forgot for ever and this one has still to.
        CREATE TABLE replica_purges (
          id TEXT PRIMARY KEY CHECK (length(id) = 36)
        ) STRICT, WITHOUT ROWID;

        -- Files of attachments that lie in the shared folder.
        CREATE TABLE replica_files (
          path TEXT PRIMARY KEY,
          name TEXT NOT NULL
        ) STRICT, WITHOUT ROWID;

        -- This device: its keys, its folder and its clock.
        CREATE TABLE replica_device (
          name TEXT PRIMARY KEY,
          value TEXT NOT NULL CHECK (json_valid(value))
        ) STRICT, WITHOUT ROWID;
        """)
  }
}

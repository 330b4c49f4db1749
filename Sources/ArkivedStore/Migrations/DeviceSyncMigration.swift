import GRDB

/// Tables for syncing with the owner's other devices: merged states, unsent changes and how far the
/// others' logs were read.
///
/// They are empty until sync is switched on.
enum DeviceSyncMigration: Migration {
  static let identifier = "017-device-sync"

  static func migrate(_ db: Database) throws {
    try db.execute(
      sql: """
        -- Every field of every entity with the stamp of its last write. `shown` is what the archive has
        -- if that differs, for example while a reference is missing; then `waits` is 1. `trims` is 1 if
        -- a long text has versions that can go once every device has read a later one.
        CREATE TABLE replica_states (
          type TEXT NOT NULL CHECK (length(type) > 0),
          id TEXT NOT NULL CHECK (length(id) > 0),
          state TEXT NOT NULL CHECK (json_valid(state)),
          shown TEXT CHECK (shown IS NULL OR json_valid(shown)),
          waits INTEGER NOT NULL DEFAULT 0 CHECK (waits IN (0, 1)),
          trims INTEGER NOT NULL DEFAULT 0 CHECK (trims IN (0, 1)),
          PRIMARY KEY (type, id)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX replica_states_waiting ON replica_states (type, id) WHERE waits = 1;
        CREATE INDEX replica_states_trimming ON replica_states (type, id) WHERE trims = 1;
        CREATE INDEX replica_states_by_identity ON replica_states (id);

        -- Entities changed here since the last capture, noted by triggers.
        CREATE TABLE replica_dirty (
          type TEXT NOT NULL,
          id TEXT NOT NULL,
          PRIMARY KEY (type, id)
        ) STRICT, WITHOUT ROWID;

        -- Changes of this device that are in no segment yet, in their order.
        CREATE TABLE replica_outbox (
          pk INTEGER PRIMARY KEY,
          type TEXT NOT NULL,
          id TEXT NOT NULL,
          change TEXT NOT NULL CHECK (json_valid(change))
        ) STRICT;

        -- Segments of this device's log that not every other device has read, chained by `link`.
        CREATE TABLE replica_segments (
          sequence INTEGER PRIMARY KEY,
          link TEXT NOT NULL,
          previous TEXT NOT NULL,
          head TEXT NOT NULL CHECK (json_valid(head)),
          changes TEXT NOT NULL,
          is_published INTEGER NOT NULL DEFAULT 0 CHECK (is_published IN (0, 1))
        ) STRICT;

        -- The last segment read of each other device's log, and, under '', the last of this device's own.
        CREATE TABLE replica_places (
          device TEXT PRIMARY KEY,
          sequence INTEGER NOT NULL,
          link TEXT NOT NULL
        ) STRICT, WITHOUT ROWID;

        -- Versions replaced by a later one that was written elsewhere without knowledge of them.
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

        -- Entities that another device deleted permanently and this one still has to.
        CREATE TABLE replica_purges (
          id TEXT PRIMARY KEY CHECK (length(id) = 36)
        ) STRICT, WITHOUT ROWID;

        -- Attached files that are here and in the shared folder.
        CREATE TABLE replica_files (
          path TEXT PRIMARY KEY,
          name TEXT NOT NULL
        ) STRICT, WITHOUT ROWID;

        -- This device's keys, folder and clock.
        CREATE TABLE replica_device (
          name TEXT PRIMARY KEY,
          value TEXT NOT NULL CHECK (json_valid(value))
        ) STRICT, WITHOUT ROWID;
        """)
  }
}

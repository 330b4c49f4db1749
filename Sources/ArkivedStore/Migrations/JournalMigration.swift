import GRDB

/// The first schema: days, their history and their sources.
///
/// Instants are milliseconds since 1970 in UTC, day keys `YYYY-MM-DD`, IDs upper-case UUID text.
/// `pk` is SQLite's row number and never leaves the store. `change_pk` is the change that created
/// the row, `changed_pk` the one that last touched it.
enum JournalMigration: Migration {
  static let identifier = "001-journal"

  static func migrate(_ db: Database) throws {
    try db.execute(sql: changes)
    try db.execute(sql: entries)
    try db.execute(sql: people)
    try db.execute(sql: belongings)
    try db.execute(sql: provenance)
    try db.execute(sql: doors)
  }

  private static let changes = """
    CREATE TABLE changes (
      pk INTEGER PRIMARY KEY,
      id TEXT NOT NULL UNIQUE CHECK (length(id) = 36),
      at INTEGER NOT NULL,
      author TEXT NOT NULL,
      action TEXT NOT NULL,
      summary TEXT NOT NULL,
      undone_by INTEGER REFERENCES changes (pk)
    ) STRICT;

    -- `made_pk` and `touched_pk` are the entity's own `change_pk` and `changed_pk` at that time, so
    -- that undo can put them back.
    CREATE TABLE history (
      pk INTEGER PRIMARY KEY,
      id TEXT NOT NULL UNIQUE CHECK (length(id) = 36),
      change_pk INTEGER REFERENCES changes (pk),
      made_pk INTEGER REFERENCES changes (pk),
      touched_pk INTEGER REFERENCES changes (pk),
      source_table TEXT NOT NULL,
      source_id TEXT NOT NULL CHECK (length(source_id) = 36),
      record TEXT NOT NULL CHECK (json_valid(record)),
      reason TEXT NOT NULL,
      archived_at INTEGER NOT NULL,
      archived_by TEXT NOT NULL
    ) STRICT;
    CREATE INDEX history_of_entity ON history (source_id);
    CREATE INDEX history_of_change ON history (change_pk);
    """

  private static let entries = """
    CREATE TABLE days (
      pk INTEGER PRIMARY KEY,
      id TEXT NOT NULL UNIQUE CHECK (length(id) = 36),
      day_key TEXT NOT NULL UNIQUE
        CHECK (day_key GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'),
      title TEXT,
      note TEXT NOT NULL DEFAULT '',
      mood INTEGER CHECK (mood BETWEEN 1 AND 5),
      energy INTEGER CHECK (energy BETWEEN 1 AND 5),
      weather TEXT CHECK (weather IS NULL OR json_valid(weather)),
      change_pk INTEGER NOT NULL REFERENCES changes (pk),
      changed_pk INTEGER NOT NULL REFERENCES changes (pk),
      created_at INTEGER NOT NULL,
      updated_at INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX days_of_change ON days (change_pk);

    CREATE TABLE activities (
      pk INTEGER PRIMARY KEY,
      id TEXT NOT NULL UNIQUE CHECK (length(id) = 36),
      day_key TEXT NOT NULL
        CHECK (day_key GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'),
      start_at INTEGER,
      end_at INTEGER CHECK (start_at IS NULL OR end_at IS NULL OR end_at >= start_at),
      time_zone TEXT NOT NULL CHECK (length(time_zone) > 0),
      kind TEXT NOT NULL CHECK (length(kind) > 0),
      text TEXT NOT NULL CHECK (length(text) > 0),
      description TEXT,
      notes TEXT,
      source TEXT NOT NULL CHECK (length(source) > 0),
      is_pinned INTEGER NOT NULL DEFAULT 0 CHECK (is_pinned IN (0, 1)),
      location_label TEXT,
      lat REAL CHECK (lat BETWEEN -90 AND 90),
      lon REAL CHECK (lon BETWEEN -180 AND 180),
      duration_minutes REAL CHECK (duration_minutes >= 0 AND duration_minutes < 9e999),
      weather TEXT CHECK (weather IS NULL OR json_valid(weather)),
      typed_text TEXT,
      change_pk INTEGER NOT NULL REFERENCES changes (pk),
      changed_pk INTEGER NOT NULL REFERENCES changes (pk),
      created_at INTEGER NOT NULL,
      updated_at INTEGER NOT NULL,
      CHECK ((lat IS NULL) = (lon IS NULL))
    ) STRICT;
    CREATE INDEX activities_of_day ON activities (day_key, start_at);
    CREATE INDEX activities_of_change ON activities (change_pk);

    CREATE TABLE measurements (
      activity_pk INTEGER NOT NULL REFERENCES activities (pk) ON DELETE CASCADE,
      unit TEXT NOT NULL CHECK (length(unit) > 0),
      amount REAL NOT NULL CHECK (amount >= 0 AND amount < 9e999),
      PRIMARY KEY (activity_pk, unit)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE day_metrics (
      pk INTEGER PRIMARY KEY,
      id TEXT NOT NULL UNIQUE CHECK (length(id) = 36),
      day_key TEXT NOT NULL
        CHECK (day_key GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'),
      metric TEXT NOT NULL CHECK (length(metric) > 0),
      unit TEXT NOT NULL,
      value REAL NOT NULL CHECK (abs(value) < 9e999),
      minimum REAL CHECK (abs(minimum) < 9e999),
      maximum REAL CHECK (abs(maximum) < 9e999),
      source TEXT NOT NULL,
      change_pk INTEGER NOT NULL REFERENCES changes (pk),
      changed_pk INTEGER NOT NULL REFERENCES changes (pk),
      created_at INTEGER NOT NULL,
      updated_at INTEGER NOT NULL,
      UNIQUE (day_key, metric, source)
    ) STRICT;
    CREATE INDEX day_metrics_of_change ON day_metrics (change_pk);
    """

  private static let people = """
    CREATE TABLE persons (
      pk INTEGER PRIMARY KEY,
      id TEXT NOT NULL UNIQUE CHECK (length(id) = 36),
      name TEXT,
      relationship_summary TEXT,
      change_pk INTEGER NOT NULL REFERENCES changes (pk),
      changed_pk INTEGER NOT NULL REFERENCES changes (pk),
      created_at INTEGER NOT NULL,
      updated_at INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX persons_of_change ON persons (change_pk);

    -- Everything a person can be called or reached by; `folded` is how two of them compare.
    CREATE TABLE person_names (
      person_pk INTEGER NOT NULL REFERENCES persons (pk) ON DELETE CASCADE,
      role TEXT NOT NULL CHECK (role IN ('name', 'alias', 'email', 'address')),
      position INTEGER NOT NULL,
      value TEXT NOT NULL,
      folded TEXT NOT NULL,
      PRIMARY KEY (person_pk, role, position)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX person_names_folded ON person_names (folded);
    CREATE UNIQUE INDEX person_addresses_once ON person_names (folded)
      WHERE role IN ('email', 'address');

    CREATE TABLE mentions (
      pk INTEGER PRIMARY KEY,
      activity_pk INTEGER REFERENCES activities (pk) ON DELETE CASCADE,
      day_pk INTEGER REFERENCES days (pk) ON DELETE CASCADE,
      position INTEGER NOT NULL,
      name TEXT NOT NULL,
      folded TEXT NOT NULL,
      person_pk INTEGER REFERENCES persons (pk) ON DELETE SET NULL,
      created_at INTEGER NOT NULL,
      CHECK ((activity_pk IS NOT NULL) + (day_pk IS NOT NULL) = 1)
    ) STRICT;
    CREATE INDEX mentions_in_activity ON mentions (activity_pk) WHERE activity_pk IS NOT NULL;
    CREATE INDEX mentions_in_day ON mentions (day_pk) WHERE day_pk IS NOT NULL;
    CREATE INDEX mentions_of_person ON mentions (person_pk) WHERE person_pk IS NOT NULL;
    """

  private static let belongings = """
    CREATE TABLE tags (
      pk INTEGER PRIMARY KEY,
      id TEXT NOT NULL UNIQUE CHECK (length(id) = 36),
      name TEXT NOT NULL CHECK (length(name) > 0),
      folded TEXT NOT NULL UNIQUE,
      color_hex TEXT,
      change_pk INTEGER NOT NULL REFERENCES changes (pk),
      changed_pk INTEGER NOT NULL REFERENCES changes (pk),
      created_at INTEGER NOT NULL,
      updated_at INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX tags_of_change ON tags (change_pk);

    CREATE TABLE activity_tags (
      activity_pk INTEGER NOT NULL REFERENCES activities (pk) ON DELETE CASCADE,
      tag_pk INTEGER NOT NULL REFERENCES tags (pk) ON DELETE CASCADE,
      position INTEGER NOT NULL,
      created_at INTEGER NOT NULL,
      PRIMARY KEY (activity_pk, tag_pk)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX activity_tags_of_tag ON activity_tags (tag_pk);

    CREATE TABLE attachments (
      pk INTEGER PRIMARY KEY,
      id TEXT NOT NULL UNIQUE CHECK (length(id) = 36),
      activity_pk INTEGER REFERENCES activities (pk) ON DELETE CASCADE,
      day_pk INTEGER REFERENCES days (pk) ON DELETE CASCADE,
      position INTEGER NOT NULL,
      type TEXT NOT NULL CHECK (length(type) > 0),
      caption TEXT,
      relative_path TEXT,
      external_url TEXT,
      content_hash TEXT,
      byte_count INTEGER CHECK (byte_count >= 0),
      media_type TEXT,
      original_name TEXT,
      created_at INTEGER NOT NULL,
      updated_at INTEGER NOT NULL,
      CHECK ((activity_pk IS NOT NULL) + (day_pk IS NOT NULL) = 1),
      CHECK (relative_path IS NOT NULL OR external_url IS NOT NULL)
    ) STRICT;
    CREATE INDEX attachments_of_activity ON attachments (activity_pk)
      WHERE activity_pk IS NOT NULL;
    CREATE INDEX attachments_of_day ON attachments (day_pk) WHERE day_pk IS NOT NULL;
    CREATE INDEX attachments_by_content ON attachments (content_hash);
    """

  private static let provenance = """
    -- `change_pk` is the import that last brought the entity in line with its source; null where
    -- the owner restored it.
    CREATE TABLE external_refs (
      pk INTEGER PRIMARY KEY,
      activity_pk INTEGER REFERENCES activities (pk) ON DELETE CASCADE,
      day_pk INTEGER REFERENCES days (pk) ON DELETE CASCADE,
      person_pk INTEGER REFERENCES persons (pk) ON DELETE CASCADE,
      provider TEXT NOT NULL CHECK (length(provider) > 0),
      external_id TEXT NOT NULL CHECK (length(external_id) > 0),
      fetched_at INTEGER NOT NULL,
      content_hash TEXT,
      change_pk INTEGER REFERENCES changes (pk),
      UNIQUE (provider, external_id),
      CHECK ((activity_pk IS NOT NULL) + (day_pk IS NOT NULL) + (person_pk IS NOT NULL) = 1)
    ) STRICT;
    CREATE INDEX external_refs_of_activity ON external_refs (activity_pk)
      WHERE activity_pk IS NOT NULL;
    CREATE INDEX external_refs_of_day ON external_refs (day_pk) WHERE day_pk IS NOT NULL;
    CREATE INDEX external_refs_of_person ON external_refs (person_pk)
      WHERE person_pk IS NOT NULL;

    -- What the owner deleted, so that an import does not bring it back.
    CREATE TABLE tombstones (
      pk INTEGER PRIMARY KEY,
      source_table TEXT NOT NULL,
      source_id TEXT NOT NULL,
      provider TEXT,
      external_id TEXT,
      deleted_at INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX tombstones_of_entity ON tombstones (source_id);
    CREATE INDEX tombstones_of_reference ON tombstones (provider, external_id)
      WHERE provider IS NOT NULL;

    CREATE TABLE import_runs (
      pk INTEGER PRIMARY KEY,
      id TEXT NOT NULL UNIQUE CHECK (length(id) = 36),
      change_pk INTEGER NOT NULL REFERENCES changes (pk),
      format TEXT NOT NULL,
      source TEXT NOT NULL,
      started_at INTEGER NOT NULL,
      finished_at INTEGER NOT NULL,
      created TEXT NOT NULL CHECK (json_valid(created)),
      updated INTEGER NOT NULL,
      unchanged INTEGER NOT NULL,
      skipped INTEGER NOT NULL,
      warnings TEXT NOT NULL CHECK (json_valid(warnings))
    ) STRICT;
    """

  private static let doors = """
    -- Sessions of the web app; only a hash of what the browser holds is kept.
    CREATE TABLE web_sessions (
      token_hash TEXT PRIMARY KEY,
      created_at INTEGER NOT NULL,
      expires_at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;

    -- A repeated POST with the same key answers as the first one did.
    CREATE TABLE idempotency_keys (
      key TEXT PRIMARY KEY,
      request_hash TEXT NOT NULL,
      entity_id TEXT NOT NULL,
      change_id TEXT NOT NULL,
      at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    """
}

import GRDB

/// Meetings: meetings, participants, notes and the promises in them, and data fetched from
/// calendars.
///
/// A meeting shares its title, times, place and description with the activity that shows it on its
/// day. Rows are in separate tables and are read through views, as for entries.
enum MeetingsMigration: Migration {
  static let identifier = "008-meetings"

  static func migrate(_ db: Database) throws {
    try db.execute(sql: meetings)
    try db.execute(sql: notes)
    try db.execute(sql: calendars)
    try db.execute(sql: views)
    try takeOverEvents(db)
  }

  private static let meetings = """
    CREATE TABLE meeting_rows (
      pk INTEGER PRIMARY KEY,
      id TEXT NOT NULL UNIQUE CHECK (length(id) = 36),
      activity_pk INTEGER NOT NULL UNIQUE REFERENCES activity_rows (pk) ON DELETE CASCADE,
      event_identifier TEXT NOT NULL UNIQUE CHECK (length(event_identifier) > 0),
      series_identifier TEXT,
      organizer TEXT,
      purpose TEXT,
      outcomes TEXT,
      summary TEXT,
      status TEXT NOT NULL CHECK (length(status) > 0),
      is_all_day INTEGER NOT NULL CHECK (is_all_day IN (0, 1)),
      is_event_deleted INTEGER NOT NULL CHECK (is_event_deleted IN (0, 1)),
      -- What the calendar last said of it.
      event TEXT CHECK (event IS NULL OR json_valid(event)),
      -- Where it came from; the link may have ended since.
      link_id TEXT,
      resource TEXT,
      change_pk INTEGER NOT NULL REFERENCES change_rows (pk),
      changed_pk INTEGER NOT NULL REFERENCES change_rows (pk),
      created_at INTEGER NOT NULL,
      updated_at INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX meetings_of_change ON meeting_rows (change_pk);
    CREATE INDEX meetings_of_resource ON meeting_rows (link_id, resource) WHERE link_id IS NOT NULL;
    CREATE INDEX meetings_of_series ON meeting_rows (series_identifier)
      WHERE series_identifier IS NOT NULL;

    CREATE TABLE attendance_rows (
      meeting_pk INTEGER NOT NULL REFERENCES meeting_rows (pk) ON DELETE CASCADE,
      position INTEGER NOT NULL,
      person_pk INTEGER REFERENCES person_rows (pk) ON DELETE SET NULL,
      name TEXT NOT NULL,
      address TEXT,
      role TEXT NOT NULL,
      reply TEXT NOT NULL,
      is_organizer INTEGER NOT NULL CHECK (is_organizer IN (0, 1)),
      PRIMARY KEY (meeting_pk, position)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX attendances_of_person ON attendance_rows (person_pk)
      WHERE person_pk IS NOT NULL;
    """

  private static let notes = """
    CREATE TABLE note_rows (
      pk INTEGER PRIMARY KEY,
      id TEXT NOT NULL UNIQUE CHECK (length(id) = 36),
      title TEXT,
      text TEXT NOT NULL,
      plain_text TEXT NOT NULL,
      meeting_pk INTEGER REFERENCES meeting_rows (pk) ON DELETE SET NULL,
      day_key TEXT CHECK (day_key GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'),
      -- The day on which it is found: its own, its meeting's, or the one on which it was made.
      shown_day TEXT NOT NULL,
      change_pk INTEGER NOT NULL REFERENCES change_rows (pk),
      changed_pk INTEGER NOT NULL REFERENCES change_rows (pk),
      created_at INTEGER NOT NULL,
      updated_at INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX notes_of_change ON note_rows (change_pk);
    CREATE INDEX notes_of_meeting ON note_rows (meeting_pk) WHERE meeting_pk IS NOT NULL;
    CREATE INDEX notes_by_day ON note_rows (shown_day);

    CREATE TABLE note_tags (
      note_pk INTEGER NOT NULL REFERENCES note_rows (pk) ON DELETE CASCADE,
      tag_pk INTEGER NOT NULL REFERENCES tag_rows (pk) ON DELETE CASCADE,
      position INTEGER NOT NULL,
      created_at INTEGER NOT NULL,
      PRIMARY KEY (note_pk, tag_pk)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX note_tags_of_tag ON note_tags (tag_pk);

    CREATE TABLE note_mentions (
      note_pk INTEGER NOT NULL REFERENCES note_rows (pk) ON DELETE CASCADE,
      position INTEGER NOT NULL,
      name TEXT NOT NULL,
      folded TEXT NOT NULL,
      person_pk INTEGER REFERENCES person_rows (pk) ON DELETE SET NULL,
      PRIMARY KEY (note_pk, position)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX note_mentions_of_person ON note_mentions (person_pk)
      WHERE person_pk IS NOT NULL;

    -- The checkboxes of notes, derived from their texts. Without an owner it is the archive's own.
    CREATE TABLE promise_rows (
      note_pk INTEGER NOT NULL REFERENCES note_rows (pk) ON DELETE CASCADE,
      line INTEGER NOT NULL,
      text TEXT NOT NULL,
      is_done INTEGER NOT NULL CHECK (is_done IN (0, 1)),
      owner TEXT,
      owner_folded TEXT,
      named TEXT NOT NULL CHECK (json_valid(named)),
      due TEXT,
      PRIMARY KEY (note_pk, line)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX promises_open ON promise_rows (note_pk) WHERE is_done = 0;
    """

  private static let calendars = """
    ALTER TABLE sync_links ADD COLUMN state TEXT CHECK (state IS NULL OR json_valid(state));

    -- What a calendar's place held when it was last fetched. `taken` is the version that became
    -- meetings; a resource that is gone there stays until its meetings know it.
    CREATE TABLE calendar_resources (
      link_pk INTEGER NOT NULL REFERENCES sync_links (pk) ON DELETE CASCADE,
      name TEXT NOT NULL CHECK (length(name) > 0),
      version TEXT,
      taken TEXT,
      content BLOB,
      -- Up to which day its repeating events were followed; null where nothing repeats for longer.
      followed_to TEXT,
      PRIMARY KEY (link_pk, name)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX calendar_resources_open ON calendar_resources (link_pk)
      WHERE taken IS NOT version;
    """

  private static let views = """
    CREATE VIEW meetings AS SELECT * FROM meeting_rows
    WHERE changed_pk NOT IN (SELECT change_pk FROM hidden_changes)
      AND EXISTS (SELECT 1 FROM activity_rows WHERE activity_rows.pk = activity_pk
        AND activity_rows.changed_pk NOT IN (SELECT change_pk FROM hidden_changes));
    CREATE VIEW notes AS SELECT * FROM note_rows
    WHERE changed_pk NOT IN (SELECT change_pk FROM hidden_changes);
    """

  /// Creates meetings for events from earlier calendar imports, with the participants that the
  /// entry names, and with the entry's content as the calendar's last state.
  ///
  /// An entry belongs to its import's change, so the meeting does too: undoing the import removes
  /// both. IDs are derived from the entry's, so two archives with the same entry agree.
  private static func takeOverEvents(_ db: Database) throws {
    try db.execute(
      sql: """
        INSERT INTO meeting_rows
          (id, activity_pk, event_identifier, series_identifier, status, is_all_day,
           is_event_deleted, event, change_pk, changed_pk, created_at, updated_at)
        SELECT substr(activity.id, 1, 14) || CASE substr(activity.id, 15, 1) WHEN '8' THEN '4'
            ELSE '8' END || substr(activity.id, 16),
          activity.pk, ref.external_id,
          -- A start behind the UID: a day, a local time, or one in UTC.
          CASE '/' WHEN substr(ref.external_id, -9, 1)
            THEN substr(ref.external_id, 1, length(ref.external_id) - 9)
          WHEN substr(ref.external_id, -16, 1)
            THEN substr(ref.external_id, 1, length(ref.external_id) - 16)
          WHEN substr(ref.external_id, -17, 1)
            THEN substr(ref.external_id, 1, length(ref.external_id) - 17)
          ELSE ref.external_id END,
          'confirmed', 0, 0, NULL, activity.changed_pk, activity.changed_pk, activity.created_at,
          activity.updated_at
        FROM external_refs AS ref JOIN activity_rows AS activity ON activity.pk = ref.activity_pk
        WHERE ref.provider = 'calendar' AND activity.source = 'calendarImport'
          AND activity.start_at IS NOT NULL
        ON CONFLICT DO NOTHING;
        INSERT INTO attendance_rows
          (meeting_pk, position, person_pk, name, role, reply, is_organizer)
        SELECT meeting.pk, row_number() OVER (PARTITION BY meeting.pk ORDER BY mentions.pk) - 1,
          mentions.person_pk, mentions.name, 'required', 'needsAction', 0
        FROM mentions JOIN meeting_rows AS meeting ON meeting.activity_pk = mentions.activity_pk;
        """)
  }
}

import GRDB

/// Files of notes, beside those of days and entries.
///
/// A meeting shares its files with the entry by which it shows on its day, as it shares its title
/// and times; so an owner is a day, an activity or a note.
enum NoteAttachmentsMigration: Migration {
  static let identifier = "015-note-attachments"

  /// A check cannot be changed, so the rows move to a new table. They keep their numbers, by which
  /// the full-text index knows them.
  static func migrate(_ db: Database) throws {
    try db.execute(
      sql: """
        CREATE TABLE attachments_new (
          pk INTEGER PRIMARY KEY,
          id TEXT NOT NULL UNIQUE CHECK (length(id) = 36),
          activity_pk INTEGER REFERENCES activity_rows (pk) ON DELETE CASCADE,
          day_pk INTEGER REFERENCES day_rows (pk) ON DELETE CASCADE,
          note_pk INTEGER REFERENCES note_rows (pk) ON DELETE CASCADE,
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
          CHECK (
            (activity_pk IS NOT NULL) + (day_pk IS NOT NULL) + (note_pk IS NOT NULL) = 1),
          CHECK (relative_path IS NOT NULL OR external_url IS NOT NULL)
        ) STRICT;
        INSERT INTO attachments_new
          (pk, id, activity_pk, day_pk, position, type, caption, relative_path, external_url,
           content_hash, byte_count, media_type, original_name, created_at, updated_at)
        SELECT pk, id, activity_pk, day_pk, position, type, caption, relative_path, external_url,
          content_hash, byte_count, media_type, original_name, created_at, updated_at
        FROM attachments;
        DROP TABLE attachments;
        ALTER TABLE attachments_new RENAME TO attachments;
        CREATE INDEX attachments_of_activity ON attachments (activity_pk)
          WHERE activity_pk IS NOT NULL;
        CREATE INDEX attachments_of_day ON attachments (day_pk) WHERE day_pk IS NOT NULL;
        CREATE INDEX attachments_of_note ON attachments (note_pk) WHERE note_pk IS NOT NULL;
        CREATE INDEX attachments_by_content ON attachments (content_hash);
        """)
  }
}

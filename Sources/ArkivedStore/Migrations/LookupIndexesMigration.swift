import GRDB

/// Indexes that find what refers to a change, and notes without a meeting, without reading whole
/// tables.
///
/// SQLite looks for what refers to a change whenever a change without effect is removed: after a
/// form was saved without a difference, and after each sync that found nothing new. Without the
/// indexes, it reads every entry, every long note and every old version, and nobody can write in
/// the meantime.
enum LookupIndexesMigration: Migration {
  static let identifier = "020-lookup-indexes"

  static func migrate(_ db: Database) throws {
    try db.execute(
      sql: """
        CREATE INDEX activities_by_last_change ON activity_rows (changed_pk);
        CREATE INDEX days_by_last_change ON day_rows (changed_pk);
        CREATE INDEX metrics_by_last_change ON metric_rows (changed_pk);
        CREATE INDEX persons_by_last_change ON person_rows (changed_pk);
        CREATE INDEX meetings_by_last_change ON meeting_rows (changed_pk);
        CREATE INDEX notes_by_last_change ON note_rows (changed_pk);
        CREATE INDEX messages_by_last_change ON message_rows (changed_pk);
        CREATE INDEX contributions_by_last_change ON contribution_rows (changed_pk);
        -- The existing index leaves out inferred matches.
        CREATE INDEX contributions_by_change ON contribution_rows (change_pk, match_method);
        -- Includes the entry, because otherwise SQLite may prefer the entry's index for queries of both.
        CREATE INDEX external_refs_of_change ON external_refs (change_pk, activity_pk)
          WHERE change_pk IS NOT NULL;
        CREATE INDEX history_of_maker ON history (made_pk) WHERE made_pk IS NOT NULL;
        CREATE INDEX history_of_last_change ON history (touched_pk) WHERE touched_pk IS NOT NULL;

        -- Versions that have exceeded the retention are found without reading the others.
        CREATE INDEX history_by_age ON history (archived_at);

        CREATE INDEX changes_undone ON change_rows (undone_by) WHERE undone_by IS NOT NULL;
        -- The kinds of changes, and the latest of one kind.
        CREATE INDEX changes_by_action ON change_rows (action, coalesce(position, pk));

        -- Notes without a meeting are counted and listed without reading the texts of all notes.
        CREATE INDEX notes_alone ON note_rows (updated_at, changed_pk, meeting_pk)
          WHERE meeting_pk IS NULL;
        """)
  }
}

import GRDB

/// Files of notes, in addition to the files of days and entries; and the amount per day of each
/// goal, stored to avoid adding up a whole lifetime.
///
/// A meeting shares its files with the entry that shows it on its day, as it shares its title and
/// times; so an owner is a day, an activity or a note.
enum FilesAndSumsMigration: Migration {
  static let identifier = "015-note-files-and-goal-sums"

  static func migrate(_ db: Database) throws {
    try moveAttachments(db)
    try db.execute(sql: sums)
    for trigger in triggers { try db.execute(sql: trigger) }
    try db.execute(
      sql: """
        INSERT INTO goal_days (goal_pk, day_key, total, actions)
        SELECT it.goal_pk, action.day_key, sum(it.contribution), count(*)
        FROM goal_rows AS goal CROSS JOIN contribution_rows AS it ON it.goal_pk = goal.pk
        CROSS JOIN activity_rows AS action ON action.pk = it.activity_pk
        WHERE \(isCounted) GROUP BY it.goal_pk, action.day_key;
        INSERT INTO goal_sums (goal_pk) SELECT pk FROM goal_rows;

        -- Meetings of several are counted, and notes listed by their last change, without reading
        -- all of them.
        CREATE INDEX attendances_shared ON attendance_rows (meeting_pk) WHERE position = 1;
        CREATE INDEX notes_by_change ON note_rows (updated_at, changed_pk);
        """)
  }

  // MARK: Goal sums

  /// The table `goal_days` is derived from the matches, and is correct for the goals listed in
  /// `goal_sums`.
  ///
  /// A change to individual matches updates the day; showing or hiding many at once discards the
  /// goals' sums, whose days are added up again by `Archive.settleGoalSums` and, until then, on
  /// request.
  private static let sums = """
    CREATE TABLE goal_sums (
      goal_pk INTEGER PRIMARY KEY REFERENCES goal_rows (pk) ON DELETE CASCADE
    ) STRICT;
    CREATE TABLE goal_days (
      goal_pk INTEGER NOT NULL REFERENCES goal_rows (pk) ON DELETE CASCADE,
      day_key TEXT NOT NULL,
      total REAL NOT NULL,
      actions INTEGER NOT NULL,
      PRIMARY KEY (goal_pk, day_key)
    ) STRICT, WITHOUT ROWID;
    """

  private static func isHidden(_ column: String) -> String {
    "\(column) IN (SELECT change_pk FROM hidden_changes)"
  }

  /// The condition that a match `it` of an `action` counts and is visible.
  private static let isCounted = """
    it.confidence >= 0.7 AND it.match_method <> 'user_rejected'
      AND NOT \(isHidden("action.changed_pk"))
      AND (it.match_method = 'auto_inferred' OR NOT \(isHidden("it.changed_pk")))
    """

  private static func addUp(where condition: String) -> String {
    """
    INSERT INTO goal_days (goal_pk, day_key, total, actions)
    SELECT it.goal_pk, action.day_key, sum(it.contribution), count(*)
    FROM activity_rows AS action CROSS JOIN contribution_rows AS it ON it.activity_pk = action.pk
    WHERE \(condition) AND \(isCounted) GROUP BY it.goal_pk, action.day_key;
    """
  }

  /// Returns a trigger for a written match: its day is added up if its action is visible and its
  /// goal's days are stored.
  private static func link(_ name: String, _ event: String, _ row: String) -> String {
    let day = "(SELECT day_key FROM activity_rows WHERE pk = \(row).activity_pk)"
    let sums = addUp(where: "action.day_key = \(day) AND it.goal_pk = \(row).goal_pk")
    return """
      CREATE TRIGGER \(name) AFTER \(event) ON contribution_rows
      WHEN EXISTS (SELECT 1 FROM goal_sums WHERE goal_pk = \(row).goal_pk)
        AND EXISTS (SELECT 1 FROM activity_rows
          WHERE pk = \(row).activity_pk AND NOT \(isHidden("changed_pk")))
      BEGIN
        DELETE FROM goal_days WHERE goal_pk = \(row).goal_pk AND day_key = \(day);
        \(sums)
      END
      """
  }

  /// Returns a trigger for a change that was hidden or became visible: the sums of goals it
  /// contributed to are discarded, for a large change those of all goals.
  private static func turn(_ name: String, _ event: String, _ row: String) -> String {
    let change = "\(row).change_pk"
    return """
      CREATE TRIGGER \(name) AFTER \(event) BEGIN
        DELETE FROM goal_sums WHERE
          (SELECT count(*) FROM (SELECT 1 FROM activity_rows WHERE change_pk = \(change)
            LIMIT 2001)) > 2000
          OR goal_pk IN (SELECT goal_pk FROM contribution_rows
            WHERE match_method <> 'auto_inferred' AND change_pk = \(change))
          OR goal_pk IN (SELECT goal_pk FROM activity_rows AS action
            JOIN contribution_rows ON activity_pk = action.pk WHERE action.change_pk = \(change))
          OR goal_pk IN (SELECT goal_pk FROM history
            JOIN activity_rows AS action ON action.id = source_id
            JOIN contribution_rows ON activity_pk = action.pk
            WHERE history.change_pk = \(change) AND source_table = 'activities')
          OR goal_pk IN (SELECT goal_pk FROM history
            JOIN contribution_rows AS it ON it.id = source_id
            WHERE history.change_pk = \(change) AND source_table = 'action_goal_contributions');
      END
      """
  }

  private static let movedSums = addUp(
    where: "action.day_key IN (OLD.day_key, NEW.day_key) AND it.goal_pk IN "
      + "(SELECT goal_pk FROM contribution_rows WHERE activity_pk = NEW.pk)")

  private static let triggers = [
    link("sums_of_new_match", "INSERT", "NEW"),
    link("sums_of_gone_match", "DELETE", "OLD"),
    link(
      "sums_of_changed_match", "UPDATE OF contribution, confidence, match_method, changed_pk",
      "NEW"),
    """
    CREATE TRIGGER sums_of_moved_match AFTER UPDATE OF goal_pk, activity_pk ON contribution_rows
    WHEN OLD.goal_pk <> NEW.goal_pk OR OLD.activity_pk <> NEW.activity_pk
    BEGIN
      DELETE FROM goal_sums WHERE goal_pk IN (OLD.goal_pk, NEW.goal_pk);
    END
    """,
    """
    CREATE TRIGGER sums_of_moved_action AFTER UPDATE OF day_key, changed_pk ON activity_rows
    WHEN OLD.day_key <> NEW.day_key
      OR (\(isHidden("OLD.changed_pk"))) <> (\(isHidden("NEW.changed_pk")))
    BEGIN
      DELETE FROM goal_days WHERE day_key IN (OLD.day_key, NEW.day_key)
        AND goal_pk IN (SELECT goal_pk FROM contribution_rows WHERE activity_pk = NEW.pk);
      \(movedSums)
    END
    """,
    // While the action still exists, its day is known.
    """
    CREATE TRIGGER sums_of_gone_action BEFORE DELETE ON activity_rows
    WHEN NOT \(isHidden("OLD.changed_pk"))
    BEGIN
      DELETE FROM contribution_rows WHERE activity_pk = OLD.pk;
    END
    """,
    """
    CREATE TRIGGER sums_of_gone_goal BEFORE DELETE ON goal_rows
    BEGIN
      DELETE FROM goal_sums WHERE goal_pk = OLD.pk;
    END
    """,
    turn("sums_of_hidden_change", "INSERT ON hidden_changes WHEN NEW.state <> 'staged'", "NEW"),
    turn("sums_of_seen_change", "DELETE ON hidden_changes", "OLD"),
  ]

  // MARK: Attachments of notes

  /// Moves the rows to a new table, because a check constraint cannot be changed.
  ///
  /// They keep their numbers, which identify them in the full-text index.
  private static func moveAttachments(_ db: Database) throws {
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

import GRDB

/// Goals: goals, values, terms, a lifetime, and the relations between them.
///
/// As with entries, the rows are in separate tables and are read through views that exclude
/// everything belonging to a hidden change. A match found by the rules is derived from its action
/// and its goal: it is visible if both are, and has the goal's change.
enum GoalsMigration: Migration {
  static let identifier = "006-goals"

  static func migrate(_ db: Database) throws {
    try db.execute(sql: entities)
    try db.execute(sql: relations)
    try db.execute(sql: views)
  }

  private static let entities = """
    CREATE TABLE goal_rows (
      pk INTEGER PRIMARY KEY,
      id TEXT NOT NULL UNIQUE CHECK (length(id) = 36),
      title TEXT NOT NULL CHECK (length(title) > 0),
      description TEXT,
      notes TEXT,
      log_time INTEGER NOT NULL,
      goal_type TEXT NOT NULL CHECK (length(goal_type) > 0),
      measurement_unit TEXT,
      measurement_target REAL CHECK (measurement_target > 0 AND measurement_target < 9e999),
      start_date TEXT
        CHECK (start_date GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'),
      target_date TEXT
        CHECK (target_date GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'),
      how_goal_is_relevant TEXT,
      how_goal_is_actionable TEXT,
      expected_term_length INTEGER CHECK (expected_term_length > 0),
      change_pk INTEGER NOT NULL REFERENCES change_rows (pk),
      changed_pk INTEGER NOT NULL REFERENCES change_rows (pk),
      created_at INTEGER NOT NULL,
      updated_at INTEGER NOT NULL,
      CHECK (measurement_target IS NULL OR measurement_unit IS NOT NULL),
      CHECK (start_date IS NULL OR target_date IS NULL OR start_date < target_date)
    ) STRICT;
    CREATE INDEX goals_of_change ON goal_rows (change_pk);

    CREATE TABLE value_rows (
      pk INTEGER PRIMARY KEY,
      id TEXT NOT NULL UNIQUE CHECK (length(id) = 36),
      title TEXT NOT NULL CHECK (length(title) > 0),
      description TEXT,
      notes TEXT,
      log_time INTEGER NOT NULL,
      incentive_type TEXT NOT NULL CHECK (length(incentive_type) > 0),
      priority INTEGER NOT NULL CHECK (priority BETWEEN 1 AND 100),
      life_domain TEXT NOT NULL CHECK (length(life_domain) > 0),
      alignment_guidance TEXT,
      change_pk INTEGER NOT NULL REFERENCES change_rows (pk),
      changed_pk INTEGER NOT NULL REFERENCES change_rows (pk),
      created_at INTEGER NOT NULL,
      updated_at INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX values_of_change ON value_rows (change_pk);

    CREATE TABLE term_rows (
      pk INTEGER PRIMARY KEY,
      id TEXT NOT NULL UNIQUE CHECK (length(id) = 36),
      term_number INTEGER NOT NULL UNIQUE CHECK (term_number >= 0),
      start_date TEXT NOT NULL
        CHECK (start_date GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'),
      target_date TEXT NOT NULL
        CHECK (target_date GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'),
      theme TEXT,
      reflection TEXT,
      description TEXT,
      notes TEXT,
      log_time INTEGER NOT NULL,
      change_pk INTEGER NOT NULL REFERENCES change_rows (pk),
      changed_pk INTEGER NOT NULL REFERENCES change_rows (pk),
      created_at INTEGER NOT NULL,
      updated_at INTEGER NOT NULL,
      CHECK (start_date < target_date)
    ) STRICT;
    CREATE INDEX terms_of_change ON term_rows (change_pk);

    -- One life; `sole` lets the table hold no second.
    CREATE TABLE lifetime_rows (
      pk INTEGER PRIMARY KEY,
      id TEXT NOT NULL UNIQUE CHECK (length(id) = 36),
      sole INTEGER NOT NULL DEFAULT 1 UNIQUE CHECK (sole = 1),
      birth_date TEXT NOT NULL
        CHECK (birth_date GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'),
      expected_years REAL NOT NULL CHECK (expected_years > 0 AND expected_years < 9e999),
      description TEXT,
      notes TEXT,
      change_pk INTEGER NOT NULL REFERENCES change_rows (pk),
      changed_pk INTEGER NOT NULL REFERENCES change_rows (pk),
      created_at INTEGER NOT NULL,
      updated_at INTEGER NOT NULL
    ) STRICT;
    """

  private static let relations = """
    CREATE TABLE contribution_rows (
      pk INTEGER PRIMARY KEY,
      id TEXT NOT NULL UNIQUE CHECK (length(id) = 36),
      activity_pk INTEGER NOT NULL REFERENCES activity_rows (pk) ON DELETE CASCADE,
      goal_pk INTEGER NOT NULL REFERENCES goal_rows (pk) ON DELETE CASCADE,
      contribution REAL NOT NULL CHECK (contribution >= 0 AND contribution < 9e999),
      match_method TEXT NOT NULL CHECK (length(match_method) > 0),
      confidence REAL NOT NULL CHECK (confidence BETWEEN 0 AND 1),
      matched_on TEXT NOT NULL CHECK (json_valid(matched_on)),
      change_pk INTEGER NOT NULL REFERENCES change_rows (pk),
      changed_pk INTEGER NOT NULL REFERENCES change_rows (pk),
      created_at INTEGER NOT NULL,
      updated_at INTEGER NOT NULL,
      UNIQUE (goal_pk, activity_pk)
    ) STRICT;
    CREATE INDEX contributions_of_activity ON contribution_rows (activity_pk);
    CREATE INDEX contributions_of_change ON contribution_rows (change_pk)
      WHERE match_method <> 'auto_inferred';
    CREATE INDEX contributions_waiting ON contribution_rows (goal_pk)
      WHERE match_method = 'auto_inferred' AND confidence < 0.7;

    CREATE TABLE alignment_rows (
      pk INTEGER PRIMARY KEY,
      id TEXT NOT NULL UNIQUE CHECK (length(id) = 36),
      goal_pk INTEGER NOT NULL REFERENCES goal_rows (pk) ON DELETE CASCADE,
      value_pk INTEGER NOT NULL REFERENCES value_rows (pk) ON DELETE CASCADE,
      strength INTEGER CHECK (strength BETWEEN 1 AND 10),
      notes TEXT,
      change_pk INTEGER NOT NULL REFERENCES change_rows (pk),
      changed_pk INTEGER NOT NULL REFERENCES change_rows (pk),
      created_at INTEGER NOT NULL,
      updated_at INTEGER NOT NULL,
      UNIQUE (goal_pk, value_pk)
    ) STRICT;
    CREATE INDEX alignments_of_value ON alignment_rows (value_pk);
    CREATE INDEX alignments_of_change ON alignment_rows (change_pk);

    CREATE TABLE assignment_rows (
      pk INTEGER PRIMARY KEY,
      id TEXT NOT NULL UNIQUE CHECK (length(id) = 36),
      term_pk INTEGER NOT NULL REFERENCES term_rows (pk) ON DELETE CASCADE,
      goal_pk INTEGER NOT NULL REFERENCES goal_rows (pk) ON DELETE CASCADE,
      assignment_order INTEGER NOT NULL CHECK (assignment_order >= 0),
      change_pk INTEGER NOT NULL REFERENCES change_rows (pk),
      changed_pk INTEGER NOT NULL REFERENCES change_rows (pk),
      created_at INTEGER NOT NULL,
      updated_at INTEGER NOT NULL,
      UNIQUE (term_pk, goal_pk)
    ) STRICT;
    CREATE INDEX assignments_of_goal ON assignment_rows (goal_pk);
    CREATE INDEX assignments_of_change ON assignment_rows (change_pk);

    -- Actions of one unit are found without reading the others.
    CREATE INDEX measurements_of_unit ON measurements (unit, activity_pk);
    """

  private static func isSeen(_ table: String, _ alias: String, _ column: String) -> String {
    """
    EXISTS (SELECT 1 FROM \(table) AS \(alias) WHERE \(alias).pk = \(column)
      AND \(alias).changed_pk NOT IN (SELECT change_pk FROM hidden_changes))
    """
  }

  private static let views: String = {
    let own = "changed_pk NOT IN (SELECT change_pk FROM hidden_changes)"
    let entities = [
      ("goals", "goal_rows"), ("personal_values", "value_rows"), ("terms", "term_rows"),
      ("lifetimes", "lifetime_rows"),
    ].map { "CREATE VIEW \($0.0) AS SELECT * FROM \($0.1) WHERE \(own);" }
    let goal = isSeen("goal_rows", "goal", "goal_pk")
    return
      (entities + [
        """
        CREATE VIEW action_goal_contributions AS SELECT * FROM contribution_rows
        WHERE (match_method = 'auto_inferred' OR \(own)) AND \(goal)
          AND \(isSeen("activity_rows", "activity", "activity_pk"));
        CREATE VIEW goal_value_alignments AS SELECT * FROM alignment_rows
        WHERE \(own) AND \(goal) AND \(isSeen("value_rows", "value", "value_pk"));
        CREATE VIEW term_goal_assignments AS SELECT * FROM assignment_rows
        WHERE \(own) AND \(goal) AND \(isSeen("term_rows", "term", "term_pk"));
        """
      ]).joined(separator: "\n")
  }()
}

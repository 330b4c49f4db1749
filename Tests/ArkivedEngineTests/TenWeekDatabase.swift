import ArkivedCore
import ArkivedEngine
import ArkivedStore
import ArkivedTestSupport
import Foundation
import GRDB

/// A database of the older relative, made and asked by its own statements.
struct TenWeekDatabase {
  static let goal = "11111111-1111-4111-8111-111111111111"
  static let other = "22222222-2222-4222-8222-222222222222"
  static let action = "33333333-3333-4333-8333-333333333333"
  static let second = "44444444-4444-4444-8444-444444444444"
  static let value = "55555555-5555-4555-8555-555555555555"
  static let term = "66666666-6666-4666-8666-666666666666"
  static let match = "77777777-7777-4777-8777-777777777777"

  let url: URL
  let queue: DatabaseQueue

  init(_ url: URL, _ statements: String...) throws {
    self.url = url
    queue = try DatabaseQueue(path: url.path)
    try run(statements.joined(separator: ";\n"))
  }

  func run(_ sql: String) throws {
    try queue.writeWithoutTransaction { db in try db.execute(sql: sql) }
  }

  func texts(_ sql: String) throws -> [String?] {
    try queue.read { db in try String?.fetchAll(db, sql: sql) }
  }

  func text(_ sql: String) throws -> String? { try texts(sql).first ?? nil }

  /// Every row of a table as text, for comparing two databases.
  func dump(_ table: String) throws -> [String] {
    try queue.read { db in
      try Row.fetchAll(db, sql: "SELECT * FROM \(table)").map { row in
        row.map { "\($0)=\($1.storage)" }.joined(separator: ",")
      }.sorted()
    }
  }

  /// Variant plain, with the table of everything.
  static let plain = """
    CREATE TABLE actions (id TEXT PRIMARY KEY, friendly_name TEXT, detailed_description TEXT,
      freeform_notes TEXT, log_time TEXT NOT NULL, measurement_units_by_amount TEXT,
      start_time TEXT, duration_minutes REAL, mood_colour TEXT);
    CREATE TABLE goals (id TEXT PRIMARY KEY, friendly_name TEXT NOT NULL,
      detailed_description TEXT, freeform_notes TEXT, log_time TEXT, goal_type TEXT,
      measurement_target REAL, measurement_unit TEXT, start_date TEXT, target_date TEXT,
      how_goal_is_relevant TEXT, how_goal_is_actionable TEXT, expected_term_length INTEGER);
    CREATE TABLE personal_values (id TEXT PRIMARY KEY, friendly_name TEXT NOT NULL,
      detailed_description TEXT, freeform_notes TEXT, log_time TEXT, incentive_type TEXT,
      priority INTEGER, life_domain TEXT, alignment_guidance TEXT);
    CREATE TABLE terms (id TEXT PRIMARY KEY, friendly_name TEXT, detailed_description TEXT,
      freeform_notes TEXT, term_number INTEGER UNIQUE, start_date TEXT, target_date TEXT,
      theme TEXT, reflection TEXT, created_at TEXT, updated_at TEXT);
    CREATE TABLE term_goal_assignments (term_uuid TEXT, goal_uuid TEXT, assignment_order INTEGER,
      created_at TEXT, PRIMARY KEY (term_uuid, goal_uuid));
    CREATE TABLE action_goal_progress (uuid_id TEXT PRIMARY KEY, action_id TEXT, goal_id TEXT,
      contribution REAL, match_method TEXT, confidence REAL, matched_on TEXT, created_at TEXT,
      UNIQUE(action_id, goal_id));
    CREATE TABLE archive (id TEXT PRIMARY KEY, source_table TEXT, source_id TEXT,
      record_data TEXT, reason TEXT, archived_at TEXT, archived_by TEXT, notes TEXT);
    CREATE TABLE conversation_history (id TEXT PRIMARY KEY,
      session_id INTEGER NOT NULL CHECK (session_id > 0), prompt TEXT, response TEXT,
      created_at TEXT, freeform_notes TEXT);
    CREATE TABLE expectations (id INTEGER PRIMARY KEY, words TEXT, weight REAL, picture BLOB);
    """

  static let rows = """
    INSERT INTO actions VALUES ('\(action.lowercased())', 'ran by the river', 'slowly', NULL,
      '2025-10-10 07:30:00.123456', '{"km": 5.0, "minutes": 30}', '2025-10-10T07:00:00+02:00',
      30.0, 'blue');
    INSERT INTO actions VALUES ('\(second)', 'read', NULL, 'chapter 3', '2025-10-11', NULL, NULL,
      NULL, NULL);
    INSERT INTO goals VALUES ('\(goal)', 'Run 120 km', NULL, NULL, '2025-10-01T08:00:00Z', 'Goal',
      120.0, 'km', '2025-10-01T00:00:00', '2025-12-10', 'health', '{"units":["km"]}', 10);
    INSERT INTO goals VALUES ('\(other)', 'Read more', NULL, NULL, '2025-10-02', 'SmartGoal',
      NULL, NULL, NULL, NULL, NULL, NULL, NULL);
    INSERT INTO personal_values VALUES ('\(value)', 'Health', 'body', NULL, '2025-09-01', 'major',
      5, 'Health', 'move every day');
    INSERT INTO terms VALUES ('\(term)', 'Term 3: Autumn', NULL, NULL, 3, '2025-10-01',
      '2025-12-10', NULL, 'good', '2025-09-30 10:00:00', '2025-10-05 10:00:00');
    INSERT INTO term_goal_assignments VALUES ('\(term)', '\(goal)', 1, '2025-10-01');
    INSERT INTO action_goal_progress VALUES ('\(match)', '\(action)', '\(goal)', 5.0, 'manual',
      NULL, '["unit:km"]', '2025-10-10 08:00:00');
    INSERT INTO archive VALUES ('88888888-8888-4888-8888-888888888888', 'goals', '\(goal)',
      '{"id":"\(goal)","friendly_name":"Run 100 km","log_time":"2025-10-01"}', 'update',
      '2025-10-03 10:00:00', 'user', 'why not');
    INSERT INTO conversation_history VALUES ('c1', 4, 'How am I?', 'Well.', '2025-10-12', NULL);
    INSERT INTO expectations VALUES (7, 'hope', 0.25, x'00FF');
    """

  static func filled(_ folder: TemporaryFolder, _ name: String = "goals.db") throws
    -> TenWeekDatabase
  {
    try TenWeekDatabase(folder.url.appendingPathComponent(name), plain, rows)
  }
}

extension TestArchive {
  @discardableResult
  func importing(_ database: TenWeekDatabase) throws -> ImportRun {
    try ImportJob(archive: archive, homeZone: zone).run(database.url)[0]
  }
}

import ArkivedCore
import ArkivedEngine
import ArkivedImport
import ArkivedStore
import ArkivedTestSupport
import Foundation
import GRDB
import Testing

@Suite("Ten Week databases: bringing in")
struct TenWeekImportTests {
  let test: TestArchive
  var archive: Archive { test.archive }

  init() throws { test = try TestArchive() }

  @Test("Variant plain: every table comes in, and the same file again changes nothing")
  func plain() throws {
    let database = try TenWeekDatabase.filled(test.folder)
    let run = try test.importing(database)
    #expect(run.format == "tenweek")
    #expect(run.skipped == 0 && run.warnings.isEmpty)
    let action = try #require(try test.day("2025-10-10").activities.first)
    #expect(action.id.uuidString == TenWeekDatabase.action)
    #expect(action.text == "ran by the river" && action.description == "slowly")
    #expect(action.measurements == ["km": 5, "minutes": 30] && action.durationMinutes == 30)
    #expect(action.startAt == Instant("2025-10-10T05:00:00Z"))
    #expect(action.source == .tenWeekImport)
    #expect(try test.day("2025-10-11").activities.first?.notes == "chapter 3")
    let goals = try archive.goals()
    #expect(goals.map(\.title) == ["Run 120 km", "Read more"])
    #expect(goals[0].startDate == DayKey("2025-10-01") && goals[0].measurementTarget == 120)
    // It leaves things open, which a SmartGoal here may not.
    #expect(goals[1].goalType == .goal)
    #expect(try archive.values().map(\.priority) == [5])
    #expect(try archive.terms().first?.theme == "Autumn")
    #expect(try archive.assignments().count == 1)
    let link = try #require(try archive.contributions(ofAction: action.id).first)
    #expect(link.contribution.matchMethod == .manual && link.contribution.contribution == 5)
    let old = try #require(try archive.history(of: goals[0].id).first)
    #expect(old.record["title"]?.string == "Run 100 km" && old.reason == .update)

    let before = try archive.changes().count
    let again = try test.importing(database)
    #expect(again.created.isEmpty && again.updated == 0 && again.warnings.isEmpty)
    #expect(try archive.changes().count == before + 1)
    #expect(try archive.history(limit: 10).count == 1)
  }

  @Test("Variant uuid: other names of the same columns")
  func uuid() throws {
    let database = try TenWeekDatabase(
      test.folder.url.appendingPathComponent("data"),
      """
      CREATE TABLE goals (uuid_id TEXT PRIMARY KEY, title TEXT NOT NULL, description TEXT,
        notes TEXT, log_time TEXT, polymorphic_subtype TEXT DEFAULT 'goal', measurement_target REAL,
        measurement_unit TEXT, start_date TEXT, target_date TEXT, how_goal_is_relevant TEXT,
        how_goal_is_actionable TEXT, expected_term_length INTEGER);
      INSERT INTO goals (uuid_id, title, description, log_time, polymorphic_subtype, target_date)
      VALUES ('\(TenWeekDatabase.goal)', 'Ship it', 'at last', '2025-10-01T08:00:00Z', 'milestone',
        '2025-12-01');
      """)
    let run = try test.importing(database)
    #expect(run.created["goal"] == 1)
    let goal = try #require(try archive.goals().first)
    #expect(goal.title == "Ship it" && goal.description == "at last")
    #expect(goal.goalType == .milestone && goal.targetDate == DayKey("2025-12-01"))
  }

  @Test("Older mixture: common_name, a number beside uuid_id, relations by number, no UUID yet")
  func mixture() throws {
    let database = try TenWeekDatabase(
      test.folder.url.appendingPathComponent("old.db"),
      """
      CREATE TABLE actions (id INTEGER PRIMARY KEY AUTOINCREMENT, uuid_id TEXT UNIQUE,
        common_name TEXT, title TEXT, freeform_notes TEXT, log_time TEXT NOT NULL,
        measurement_units_by_amount TEXT);
      CREATE TABLE goals (id INTEGER PRIMARY KEY, uuid_id TEXT, common_name TEXT, log_time TEXT,
        measurement_target REAL, measurement_unit TEXT, how_goal_is_relevant TEXT,
        how_goal_is_actionable TEXT);
      CREATE TABLE action_goal_progress (id INTEGER PRIMARY KEY, action_id INTEGER,
        goal_id INTEGER, contribution REAL, match_method TEXT, confidence REAL, matched_on TEXT);
      CREATE TABLE terms (uuid_id TEXT, term_number INTEGER, start_date TEXT, target_date TEXT,
        log_time TEXT);
      INSERT INTO actions VALUES (1, '\(TenWeekDatabase.action)', 'old name', NULL, 'n',
        '2025-10-10T07:30:00', '{"km": 2}');
      INSERT INTO actions VALUES (2, NULL, 'nameless', NULL, NULL, '2025-10-10', NULL);
      INSERT INTO goals VALUES (9, '\(TenWeekDatabase.goal)', 'Walk', '2025-10-01', 50, 'km', NULL,
        NULL);
      INSERT INTO action_goal_progress VALUES (1, 1, 9, 2, 'user_confirmed', NULL, 'period+unit');
      INSERT INTO terms VALUES ('\(TenWeekDatabase.term)', 2, '2025-07-01', '2025-09-10',
        '2025-06-30');
      """)
    let run = try test.importing(database)
    #expect(run.created["goal"] == 1 && run.created["term"] == 1)
    #expect(run.skipped == 0 && run.warnings.isEmpty)
    #expect(try test.day("2025-10-10").activities.map(\.text).sorted() == ["nameless", "old name"])
    let id = try #require(UUID(uuidString: TenWeekDatabase.action))
    let link = try #require(try archive.contributions(ofAction: id).first)
    #expect(link.contribution.matchMethod == .userConfirmed)
    #expect(link.contribution.matchedOn == ["period+unit"])
    #expect(try archive.terms().first?.createdAt == Instant("2025-06-29T22:00:00Z"))
    #expect(try test.importing(database).created.isEmpty)
  }

  @Test("The relative's first version: numbers alone, goals listed in the term, targets of 0.0")
  func numbersAlone() throws {
    let database = try TenWeekDatabase(
      test.folder.url.appendingPathComponent("first.db"),
      """
      CREATE TABLE actions (id INTEGER PRIMARY KEY AUTOINCREMENT, common_name TEXT, log_time TEXT NOT NULL,
        measurement_units_by_amount TEXT, start_time TEXT, duration_minutes REAL);
      CREATE TABLE goals (id INTEGER PRIMARY KEY, common_name TEXT NOT NULL, log_time TEXT,
        goal_type TEXT, measurement_target REAL, measurement_unit TEXT, start_date TEXT,
        target_date TEXT, how_goal_is_relevant TEXT, how_goal_is_actionable TEXT);
      CREATE TABLE terms (id INTEGER PRIMARY KEY, common_name TEXT, term_number INTEGER,
        start_date TEXT, target_date TEXT, term_goals_by_id TEXT, created_at TEXT);
      CREATE TABLE action_goal_progress (id INTEGER PRIMARY KEY, action_id INTEGER,
        goal_id INTEGER, contribution REAL, match_method TEXT, confidence REAL, matched_on TEXT);
      CREATE TABLE uuid_mappings (entity_type TEXT, database_id INTEGER, uuid TEXT,
        PRIMARY KEY (entity_type, database_id));
      INSERT INTO actions VALUES (1, 'ran', '2025-10-10T07:30:00', '{"km": 2}', NULL, NULL);
      INSERT INTO actions VALUES (2, NULL, '2025-10-11T09:00:00', NULL, '2025-10-11T08:15:00', 45.0);
      INSERT INTO goals VALUES (1, 'Call home more', '2025-10-01T09:00:00.123456', 'Goal', 0.0, NULL,
        NULL, NULL, NULL, NULL);
      INSERT INTO goals VALUES (2, 'Walk', '2025-10-01T09:01:00', 'Goal', 50, 'km', NULL, NULL, NULL,
        NULL);
      INSERT INTO terms VALUES (1, 'Term 1', 1, '2025-10-01T00:00:00', '2025-12-10T00:00:00', '[2, 1, 9]',
        '2025-09-30 22:30:00');
      INSERT INTO action_goal_progress VALUES (1, 1, 2, 2, 'manual', NULL, NULL);
      INSERT INTO uuid_mappings VALUES ('goals', 2, '\(TenWeekDatabase.goal.lowercased())');
      """)
    let run = try test.importing(database)
    #expect(run.skipped == 0, "\(run.warnings)")
    let goals = try archive.goals()
    #expect(goals.map(\.title).sorted() == ["Call home more", "Walk"])
    #expect(goals.first { $0.title == "Call home more" }?.measurementTarget == nil)
    let walk = try #require(goals.first { $0.title == "Walk" })
    #expect(walk.id.uuidString == TenWeekDatabase.goal && walk.measurementTarget == 50)
    // Goal 9 is not there.
    let order = try archive.assignments().sorted { $0.order < $1.order }.map(\.goalID)
    #expect(order == [walk.id, goals.first { $0.title == "Call home more" }?.id])
    #expect(try archive.contributions(toGoal: walk.id).count == 1)
    #expect(try test.day("2025-10-11").activities.map(\.text) == ["45 min"])
    // SQLite dates in UTC, Python at home.
    #expect(try archive.terms().first?.createdAt == Instant("2025-09-30T22:30:00Z"))
    #expect(walk.createdAt == Instant("2025-10-01T07:01:00Z"))
    let again = try test.importing(database)
    #expect(again.created.isEmpty && again.updated == 0)
  }

  @Test func sessionsBecomeThreadsAndThreadsSessions() throws {
    let database = try TenWeekDatabase.filled(test.folder)
    try database.run(
      """
      INSERT INTO conversation_history VALUES ('c2', 4, 'And now?', 'Better.', '2025-10-13T08:00:00', 'n'),
        ('c3', 5, 'What next?', 'Rest.', '2025-10-14T08:00:00', NULL),
        ('c4', 6, 'When?', 'Never.', 'some day', NULL);
      """)
    let run = try test.importing(database)
    #expect(run.warnings.map(\.place) == ["goals.db: conversation_history c4 field “created_at”"])
    let threads = try archive.threads().threads
    #expect(threads.map(\.thread.title) == ["What next?", "How am I?"])
    let first = try #require(threads.last?.thread.id)
    #expect(
      try archive.messages(of: first).messages.map(\.text) == [
        "How am I?", "Well.", "And now?", "Better.",
      ])
    #expect(try test.importing(database).created.isEmpty)
    // One is gone and one goes on; what was asked here is a session of its own.
    try archive.delete(ConversationThread.self, try #require(threads.first?.thread.id))
    let now = test.clock.now
    func say(_ role: MessageRole, _ text: String, in thread: UUID) throws {
      try archive.create(
        ConversationMessage(
          id: archive.identities.next(), threadID: thread, role: role, text: text, createdAt: now,
          updatedAt: now))
    }
    try say(.user, "Still?", in: first)
    try say(.assistant, "Still.", in: first)
    let own = ConversationThread(
      id: archive.identities.next(), title: "Here", createdAt: now, updatedAt: now)
    try archive.create(own)
    try say(.user, "Who?", in: own.id)
    let out = test.folder.url.appendingPathComponent("out.db")
    _ = try ExportJob(archive: archive).writeTenWeek(to: out, variant: nil, homeZone: test.zone)
    #expect(
      try TenWeekDatabase(out).texts(
        "SELECT session_id || ': ' || prompt || ' ' || response FROM conversation_history")
        == [
          "4: How am I? Well.", "4: And now? Better.", "6: When? Never.", "4: Still? Still.",
          "7: Who? ",
        ])
  }

  @Test func datesThatSwiftWroteAreInUTC() throws {
    let database = try TenWeekDatabase.filled(test.folder)
    try database.run(
      """
      INSERT INTO actions (id, friendly_name, log_time) VALUES
        ('99999999-9999-4999-8999-999999999990', 'late walk', '2026-02-10 23:30:00.125');
      """)
    try test.importing(database)
    let walk = try #require(try test.day("2026-02-11").activities.first)
    #expect(walk.text == "late walk")
    #expect(walk.createdAt.description == "2026-02-10T23:30:00.125Z")
  }

  @Test("Variant plain, damaged: what cannot be read is told with table and key, the rest comes in")
  func badRows() throws {
    let database = try TenWeekDatabase.filled(test.folder)
    try database.run(
      """
      UPDATE actions SET measurement_units_by_amount = '{"km": NaN}' WHERE id = '\(TenWeekDatabase.second)';
      INSERT INTO actions (id, friendly_name, log_time) VALUES
        ('99999999-9999-4999-8999-999999999991', 'late', 'yesterday-ish');
      INSERT INTO actions (id, friendly_name, log_time, duration_minutes) VALUES
        ('99999999-9999-4999-8999-999999999992', 'long', '2025-10-10', 9e999);
      INSERT INTO goals (id, friendly_name, target_date) VALUES
        ('99999999-9999-4999-8999-999999999993', 'never', '2025-02-30');
      INSERT INTO action_goal_progress VALUES ('99999999-9999-4999-8999-999999999994',
        '99999999-9999-4999-8999-999999999995', '\(TenWeekDatabase.goal)', 1, 'manual', 1, '[]', NULL);
      UPDATE archive SET record_data = '{"broken';
      DROP TABLE personal_values;
      """)
    let run = try test.importing(database)
    #expect(run.created["goal"] == 2 && run.created["activity"] == 1)
    #expect(run.skipped == 6)
    let places = run.warnings.map(\.place).joined(separator: "\n")
    for place in [
      "actions \(TenWeekDatabase.second) field “measurement_units_by_amount”",
      "actions 99999999-9999-4999-8999-999999999991 field “log_time”",
      "field “duration_minutes”", "goals 99999999-9999-4999-8999-999999999993 field “target_date”",
      "field “record_data”", "action_goal_progress 99999999-9999-4999-8999-999999999995/",
    ] { #expect(places.contains(place), "\(place)") }
  }

  @Test("The newer wins: what changed only there is taken, what changed here stays")
  func newestWins() throws {
    let database = try TenWeekDatabase.filled(test.folder)
    try test.importing(database)
    let goal = try #require(UUID(uuidString: TenWeekDatabase.goal))
    let action = try #require(UUID(uuidString: TenWeekDatabase.action))
    // Changed there without a later time; only imports touched it here.
    try database.run(
      """
      UPDATE goals SET friendly_name = 'Run 130 km', measurement_target = 130
      WHERE id = '\(TenWeekDatabase.goal)'
      """)
    _ = try archive.updateActivity(action) {
      $0.text = "ran, changed here"
      $0.tags = ["sport"]
    }
    try database.run(
      "UPDATE actions SET friendly_name = 'ran, changed there' WHERE mood_colour = 'blue'")
    let run = try test.importing(database)
    #expect(run.updated == 1)
    #expect(try archive.entity(Goal.self, goal)?.measurementTarget == 130)
    #expect(try archive.history(of: goal).contains { $0.record["title"]?.string == "Run 120 km" })
    #expect(try archive.activity(action)?.text == "ran, changed here")
    #expect(run.warnings.map(\.message).contains { $0.contains("your version") })
    // The version that lost is not lost.
    #expect(
      try archive.history(of: action).contains { $0.record["text"]?.string == "ran, changed there" }
    )
    #expect(try test.importing(database).warnings.isEmpty)

    // A later time there is newer than the change here.
    try database.run(
      "UPDATE actions SET friendly_name = 'later', log_time = '2027-01-01T08:00:00' WHERE mood_colour = 'blue'"
    )
    #expect(try test.importing(database).updated == 1)
    let merged = try #require(try archive.activity(action))
    #expect(merged.text == "later" && merged.tags == ["sport"])
  }

  @Test func whatTheOwnerDeletedStaysAway() throws {
    let database = try TenWeekDatabase.filled(test.folder)
    try test.importing(database)
    try archive.delete(Goal.self, try #require(UUID(uuidString: TenWeekDatabase.goal)))
    try database.run("UPDATE goals SET friendly_name = 'again'")
    try test.importing(database)
    #expect(try archive.goals().map(\.title) == ["again"])
  }

  @Test func anImportIsTakenBackAsAWhole() throws {
    let database = try TenWeekDatabase.filled(test.folder)
    let run = try test.importing(database)
    _ = try archive.undo(try archive.importRun(matching: run.id.uuidString).changeID)
    #expect(try archive.goals().isEmpty && archive.interchangeRows().isEmpty)
    #expect(try test.importing(database).created["goal"] == 2)
  }

  @Test func aDatabaseInUseIsReadWholeAndLeftAsItIs() throws {
    let database = try TenWeekDatabase.filled(test.folder)
    try database.run("PRAGMA journal_mode = WAL")
    try database.run("UPDATE goals SET friendly_name = 'only in the log'")
    let before = try Data(contentsOf: database.url)
    try database.queue.writeWithoutTransaction { db in
      try db.execute(sql: "BEGIN IMMEDIATE; UPDATE goals SET friendly_name = 'not yet'")
      try test.importing(database)
      try db.execute(sql: "ROLLBACK")
    }
    #expect(try archive.goals().map(\.title) == ["only in the log", "only in the log"])
    #expect(try Data(contentsOf: database.url) == before)
  }

  @Test func aCopyWithItsLogAloneIsReadAndGetsNoNewFiles() throws {
    let database = try TenWeekDatabase.filled(test.folder)
    try database.run("PRAGMA journal_mode = WAL")
    try database.run("UPDATE goals SET friendly_name = 'only in the log'")
    let folder = try TemporaryFolder()
    for suffix in ["", "-wal"] {
      _ = try folder.file(
        "copy.db\(suffix)", Data(contentsOf: URL(fileURLWithPath: database.url.path + suffix)))
    }
    let copy = folder.url.appendingPathComponent("copy.db")
    _ = try ImportJob(archive: archive, homeZone: test.zone).run(copy)
    #expect(try archive.goals().map(\.title) == ["only in the log", "only in the log"])
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted()
        == ["copy.db", "copy.db-wal"])
  }

  @Test func anotherProgramsDatabaseIsNotTaken() throws {
    let other = try TenWeekDatabase(
      test.folder.url.appendingPathComponent("moz.sqlite"),
      "CREATE TABLE goals (id INTEGER, name TEXT); CREATE TABLE actions (id INTEGER)")
    #expect(throws: ImportRefusal.self) { try test.importing(other) }
    let broken = try test.folder.file("broken.db", Data("SQLite format 3\0nothing".utf8))
    #expect(throws: ImportRefusal.self) {
      try ImportJob(archive: archive, homeZone: test.zone).run(broken)
    }
  }

  @Test("A time with an offset keeps its instant, and the zone of the offset")
  func offsets() throws {
    let database = try TenWeekDatabase.filled(test.folder)
    try database.run(
      (["-08:00", "+05:30", "+01:00", "Z", ""]).enumerated().map { number, offset in
        """
        INSERT INTO actions (id, friendly_name, log_time, start_time) VALUES
          ('99999999-9999-4999-8999-99999999999\(number)', 'walk \(number)',
           '2026-02-10T23:30:00\(offset)', '2026-02-10T23:30:00\(offset)');
        """
      }.joined())
    try test.importing(database)
    let walks = try (0..<5).map { number in
      let id = try #require(UUID(uuidString: "99999999-9999-4999-8999-99999999999\(number)"))
      return try #require(try test.archive.activity(id))
    }
    // At home, in Berlin, clocks are an hour ahead of UTC then.
    #expect(
      walks.map(\.timeZone) == [
        "Etc/GMT+8", "Europe/Berlin", "Europe/Berlin", "Europe/Berlin", "Europe/Berlin",
      ])
    #expect(
      walks.map(\.dayKey.description) == [
        "2026-02-10", "2026-02-10", "2026-02-10", "2026-02-11", "2026-02-10",
      ])
    #expect(
      walks.map { $0.startAt?.description ?? "" } == [
        "2026-02-11T07:30:00Z", "2026-02-10T18:00:00Z", "2026-02-10T22:30:00Z",
        "2026-02-10T23:30:00Z", "2026-02-10T22:30:00Z",
      ])
  }
}

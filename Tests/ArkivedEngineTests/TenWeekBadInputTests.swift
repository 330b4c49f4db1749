import ArkivedCore
import ArkivedEngine
import ArkivedImport
import ArkivedStore
import ArkivedTestSupport
import Foundation
import GRDB
import Testing

@Suite("Ten Week databases: bad and half-written input")
struct TenWeekBadInputTests {
  let test: TestArchive
  var archive: Archive { test.archive }

  init() throws { test = try TestArchive() }

  private func export(_ name: String = "out.db", replaces: Bool = false) throws -> TenWeekDatabase {
    let url = test.folder.url.appendingPathComponent(name)
    _ = try ExportJob(archive: archive).writeTenWeek(
      to: url, variant: nil, homeZone: test.zone, replaces: replaces)
    return try TenWeekDatabase(url)
  }

  private func link(_ database: TenWeekDatabase) throws {
    _ = try SyncJob(archive: archive, homeZone: test.zone).link(database.url)
  }

  @discardableResult
  private func sync() throws -> SyncReport {
    test.clock.advance(seconds: 60)
    return try SyncJob(archive: archive, homeZone: test.zone)
      .run(try #require(try archive.syncLinks().first))
  }

  private func isBusy(_ body: () throws -> Void) throws -> Bool {
    do {
      try body()
      return false
    } catch ArchiveError.busy {
      return true
    }
  }

  @Test func aWriterThatHoldsItsTransactionIsWaitedForAndLeftAlone() throws {
    let database = try TenWeekDatabase.filled(test.folder)
    try link(database)
    try sync()
    try database.run("PRAGMA journal_mode = WAL")
    let goal = try #require(UUID(uuidString: TenWeekDatabase.goal))
    _ = try archive.update(Goal.self, goal) { $0.title = "here" }
    let changes = try archive.changes(limit: 100).count
    try database.queue.writeWithoutTransaction { db in
      try db.execute(sql: "BEGIN IMMEDIATE; UPDATE goals SET friendly_name = 'there'")
      #expect(try isBusy { try sync() })
      #expect(
        try isBusy {
          _ = try ExportJob(archive: archive).writeTenWeek(
            to: database.url, variant: nil, homeZone: test.zone, replaces: true)
        })
      // What is committed is read all the same.
      try test.importing(database)
      try db.execute(sql: "ROLLBACK")
    }
    #expect(try archive.changes(limit: 100).count == changes + 1)
    #expect(
      try database.texts("SELECT friendly_name FROM goals ORDER BY 1") == [
        "Read more", "Run 120 km",
      ])
    #expect(try sync().pushed["changed"] == 1)
    #expect(try database.texts("SELECT friendly_name FROM goals ORDER BY 1").last == "here")
  }

  @Test func anExportThatIsBeingChangedIsNotReplaced() throws {
    try test.importing(try TenWeekDatabase.filled(test.folder))
    let out = try export()
    try out.queue.writeWithoutTransaction { db in
      try db.execute(sql: "BEGIN IMMEDIATE")
      #expect(
        try isBusy {
          _ = try ExportJob(archive: archive).writeTenWeek(
            to: out.url, variant: nil, homeZone: test.zone, replaces: true)
        })
      try db.execute(sql: "UPDATE goals SET friendly_name = 'mine'; COMMIT")
    }
    #expect(try out.texts("SELECT DISTINCT friendly_name FROM goals") == ["mine"])
  }

  @Test("Half-migrated: one table of each variant, a column missing, a copy of a table left over")
  func halfMigrated() throws {
    let database = try TenWeekDatabase(
      test.folder.url.appendingPathComponent("half.db"),
      """
      CREATE TABLE actions (uuid_id TEXT PRIMARY KEY, title TEXT, measurement_units_by_amount TEXT);
      CREATE TABLE actions_new (uuid_id TEXT PRIMARY KEY, title TEXT, log_time TEXT);
      CREATE TABLE goals (id TEXT, uuid_id TEXT, friendly_name TEXT, title TEXT, log_time TEXT,
        goal_type TEXT, polymorphic_subtype TEXT DEFAULT 'goal', measurement_target REAL,
        measurement_unit TEXT);
      CREATE TABLE personal_values (id TEXT PRIMARY KEY, friendly_name TEXT NOT NULL,
        incentive_type TEXT);
      INSERT INTO actions VALUES ('\(TenWeekDatabase.action)', 'ran', '{"km": 5}');
      INSERT INTO actions_new VALUES ('\(TenWeekDatabase.action)', 'ran', '2025-10-10T08:00:00');
      INSERT INTO goals VALUES (NULL, '\(TenWeekDatabase.goal)', 'Old name', 'New name',
        '2025-10-01', NULL, 'goal', 0.0, NULL);
      INSERT INTO goals VALUES ('\(TenWeekDatabase.other)', NULL, 'Only old', NULL, '2025-10-01',
        'Goal', 'goal', 12.5, 'km');
      INSERT INTO personal_values VALUES ('\(TenWeekDatabase.value)', 'Health', NULL);
      """)
    let run = try test.importing(database)
    #expect(
      run.warnings.map(\.place).contains(
        "half.db: actions \(TenWeekDatabase.action) field “log_time”"), "\(run.warnings)")
    // A target of 0.0 is none; the one beside it stays.
    let goals = try archive.goals().map { "\($0.title) \($0.measurementTarget ?? -1)" }
    #expect(Set(goals) == ["New name -1.0", "Only old 12.5"])
    #expect(try archive.values().map(\.title) == ["Health"])
    #expect(try test.importing(database).created.isEmpty)
    let out = try export()
    #expect(try out.dump("actions_new") == database.dump("actions_new"))
    #expect(
      try out.texts("SELECT measurement_target FROM goals ORDER BY friendly_name")
        == ["0.0", "12.5"])
    try link(database)
    let before = try database.dump("goals")
    let report = try sync()
    #expect(report.warnings.contains { $0.place.contains("field “log_time”") })
    #expect(report.pushed.isEmpty, "\(report.json.text())")
    #expect(try database.dump("goals") == before)
  }

  @Test func endsBeforeBeginningsAndOddDatesAreToldAndKept() throws {
    let database = try TenWeekDatabase.filled(test.folder)
    let odd = [
      "10/12/2025", "2025-10-1", "20251012", "2025-W41-7", "1760250000", "2025-10-12T24:30:00",
      "2025-10-12T10:00:00 Europe/Berlin", "0000-00-00",
    ]
    for (number, text) in odd.enumerated() {
      try database.run(
        """
        INSERT INTO actions (id, friendly_name, log_time) VALUES
          ('99999999-9999-4999-8999-99999999999\(number)', 'odd', '\(text)')
        """)
    }
    try database.run(
      """
      UPDATE goals SET start_date = '2025-12-10', target_date = '2025-10-01'
      WHERE id = '\(TenWeekDatabase.goal)';
      UPDATE terms SET start_date = '2025-12-10', target_date = '2025-10-01';
      """)
    let run = try test.importing(database)
    let places = run.warnings.map(\.place)
    for number in odd.indices {
      let place = "goals.db: actions 99999999-9999-4999-8999-99999999999\(number) field “log_time”"
      #expect(places.contains(place), "\(odd[number])")
    }
    #expect(places.contains { $0.hasPrefix("goals.db: goals \(TenWeekDatabase.goal) field") })
    #expect(places.contains { $0.hasPrefix("goals.db: terms \(TenWeekDatabase.term) field") })
    #expect(try archive.goals().map(\.title) == ["Read more"])
    let out = try export()
    for table in ["goals", "terms", "term_goal_assignments"] {
      #expect(try out.dump(table) == database.dump(table), "\(table)")
    }
    #expect(
      try out.texts("SELECT log_time FROM actions WHERE friendly_name = 'odd' ORDER BY id") == odd)
  }

  @Test func oneUUIDInSeveralSpellingsIsOne() throws {
    let goal = TenWeekDatabase.goal
    let plain = "abcdefab-cdef-4abc-8def-abcdefabcdef"
    let bare = plain.replacing("-", with: "")
    let database = try TenWeekDatabase(
      test.folder.url.appendingPathComponent("spelled.db"), TenWeekDatabase.plain,
      """
      INSERT INTO goals (id, friendly_name, log_time) VALUES ('{\(goal)}', 'Run', '2025-10-01');
      INSERT INTO actions (id, friendly_name, log_time, measurement_units_by_amount)
        VALUES ('\(bare)', 'ran', '2025-10-10', '{"km": 5}');
      INSERT INTO actions (id, friendly_name, log_time) VALUES ('\(plain.uppercased())', 'again', '2025-10-11');
      INSERT INTO action_goal_progress VALUES ('\(TenWeekDatabase.match)', '\(plain)', '\(goal)',
        5, 'manual', 1, '[]', '2025-10-10');
      """)
    let run = try test.importing(database)
    #expect(
      run.warnings.map(\.place) == ["spelled.db: actions \(plain.uppercased())"], "\(run.warnings)")
    let id = try #require(UUID(uuidString: plain))
    #expect(try archive.activity(id)?.text == "ran")
    #expect(try archive.contributions(ofAction: id).count == 1)
    try link(database)
    let before = try database.dump("actions") + database.dump("goals")
    #expect(try sync().pushed.isEmpty)
    #expect(try database.dump("actions") + database.dump("goals") == before)
    _ = try archive.updateActivity(id) { $0.text = "ran home" }
    try sync()
    #expect(
      try database.text("SELECT friendly_name FROM actions WHERE id = '\(bare)'") == "ran home")
    #expect(try database.texts("SELECT id FROM actions").count == 2)
  }

  @Test func rowsWithNumbersAloneAreNotDoubledByASync() throws {
    let database = try TenWeekDatabase(
      test.folder.url.appendingPathComponent("numbers.db"),
      """
      CREATE TABLE actions (id INTEGER PRIMARY KEY, common_name TEXT, log_time TEXT NOT NULL,
        measurement_units_by_amount TEXT);
      CREATE TABLE goals (id INTEGER PRIMARY KEY, common_name TEXT NOT NULL, log_time TEXT,
        how_goal_is_relevant TEXT, how_goal_is_actionable TEXT);
      CREATE TABLE action_goal_progress (id INTEGER PRIMARY KEY, action_id INTEGER,
        goal_id INTEGER, contribution REAL, match_method TEXT, confidence REAL, matched_on TEXT);
      CREATE TABLE uuid_mappings (entity_type TEXT, database_id INTEGER, uuid TEXT);
      INSERT INTO actions VALUES (1, 'ran', '2025-10-10', '{"km": 2}'), (2, 'swam', '2025-10-11', NULL);
      INSERT INTO goals VALUES (1, 'Run', '2025-10-01', NULL, NULL);
      INSERT INTO action_goal_progress VALUES (1, 1, 1, 2, 'manual', 1, '[]'),
        (2, 7, 1, 2, 'manual', 1, '[]');
      INSERT INTO uuid_mappings VALUES ('actions', 1, '\(TenWeekDatabase.action)');
      """)
    let run = try test.importing(database)
    #expect(run.skipped == 1 && run.warnings.count == 1, "\(run.warnings)")
    #expect(run.warnings.first?.place.contains("action_goal_progress") == true)
    let tables = ["actions", "goals", "action_goal_progress"]
    let before = try tables.map { try database.dump($0) }
    try link(database)
    for _ in 0..<2 {
      let report = try sync()
      #expect(report.pushed.isEmpty && report.pulled.isEmpty, "\(report.json.text())")
      #expect(try tables.map { try database.dump($0) } == before)
    }
    #expect(try archive.goals().count == 1)
    // What is new here cannot be told from others there; that is said, and it stays here.
    try archive.create(
      Goal(
        id: archive.identities.next(), title: "Swim", createdAt: test.clock.now,
        updatedAt: test.clock.now))
    #expect(try sync().warnings.contains { $0.message.contains("no UUID column") })
    #expect(try tables.map { try database.dump($0) } == before)
  }

  @Test func bytesNULsAndNumbersThatAreNoneAreToldAndKept() throws {
    let database = try TenWeekDatabase(
      test.folder.url.appendingPathComponent("bytes.db"),
      """
      CREATE TABLE actions (id TEXT PRIMARY KEY, friendly_name BLOB, freeform_notes BLOB,
        log_time TEXT NOT NULL, measurement_units_by_amount TEXT, start_time TEXT,
        duration_minutes REAL);
      INSERT INTO actions VALUES ('99999999-9999-4999-8999-999999999990', 'fine', 'text', '2025-10-10', NULL, NULL, NULL),
        ('99999999-9999-4999-8999-999999999991', x'72616E', NULL, '2025-10-10', NULL, NULL, NULL),
        ('99999999-9999-4999-8999-999999999992', 'a' || char(0) || 'b', NULL, '2025-10-10', NULL, NULL, NULL),
        ('99999999-9999-4999-8999-999999999993', CAST(x'72FF' AS TEXT), NULL, '2025-10-10', NULL, NULL, NULL),
        ('99999999-9999-4999-8999-999999999994', 'long', NULL, '2025-10-10', NULL, NULL, -9e999),
        ('99999999-9999-4999-8999-999999999995', 'nan', NULL, '2025-10-10', NULL, NULL, 'NaN'),
        ('99999999-9999-4999-8999-999999999996', 'inf', NULL, '2025-10-10', '{"km": 1e999}', NULL, NULL);
      """)
    let run = try test.importing(database)
    #expect(run.created["activity"] == 1 && run.skipped == 6, "\(run.warnings)")
    for (number, field) in [
      (1, "friendly_name"), (3, "friendly_name"), (4, "duration_minutes"),
      (5, "duration_minutes"), (6, "measurement_units_by_amount"),
    ] {
      #expect(
        run.warnings.map(\.place).contains(
          "bytes.db: actions 99999999-9999-4999-8999-99999999999\(number) field “\(field)”"),
        "\(run.warnings)")
    }
    #expect(run.warnings.contains { $0.place.contains("999999999992") })
    #expect(try test.day("2025-10-10").activities.first?.notes == "text")
    let out = try export()
    let columns = "SELECT hex(friendly_name) || typeof(friendly_name) FROM actions ORDER BY id"
    #expect(try out.texts(columns) == database.texts(columns))
    #expect(
      try out.texts("SELECT duration_minutes FROM actions ORDER BY id")
        == database.texts("SELECT duration_minutes FROM actions ORDER BY id"))
  }

  @Test func whatIsNoDatabaseOrHalfOfOneIsRefusedWhole() throws {
    let database = try TenWeekDatabase.filled(test.folder)
    let whole = try Data(contentsOf: database.url)
    try database.queue.close()
    let half = try test.folder.file("half.db", whole.prefix(whole.count / 2))
    let text = try test.folder.file("text.db", "CREATE TABLE goals (id TEXT)")
    for file in [half, text] {
      let job = SyncJob(archive: archive, homeZone: test.zone)
      #expect(throws: (any Error).self) { try job.link(file) }
    }
    #expect(throws: ImportRefusal.self) {
      try ImportJob(archive: archive, homeZone: test.zone).run(half)
    }
    #expect(try archive.goals().isEmpty && archive.syncLinks().isEmpty)
    #expect(throws: ArchiveError.self) { try export("text.db") }
    #expect(try Data(contentsOf: text) == Data("CREATE TABLE goals (id TEXT)".utf8))
  }

  @Test(.enabled(if: geteuid() != 0, "the superuser may write everything"))
  func aFileThatMayOnlyBeReadIsReadAndNotChanged() throws {
    let database = try TenWeekDatabase.filled(test.folder)
    try database.queue.close()
    try link(database)
    let manager = FileManager.default
    let folder = try TemporaryFolder()
    let copy = try folder.file("goals.db", Data(contentsOf: database.url))
    try manager.setAttributes([.posixPermissions: 0o400], ofItemAtPath: copy.path)
    try manager.setAttributes([.posixPermissions: 0o500], ofItemAtPath: folder.url.path)
    try manager.setAttributes([.posixPermissions: 0o400], ofItemAtPath: database.url.path)
    defer {
      try? manager.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder.url.path)
    }
    #expect(
      try ImportJob(archive: archive, homeZone: test.zone).run(copy)[0].created["goal"] == 2)
    try archive.create(
      Goal(
        id: archive.identities.next(), title: "Swim", createdAt: test.clock.now,
        updatedAt: test.clock.now))
    let before = try Data(contentsOf: database.url)
    #expect(throws: ArchiveError.self) { try sync() }
    #expect(try Data(contentsOf: database.url) == before)
    #expect(throws: (any Error).self) {
      _ = try ExportJob(archive: archive).writeTenWeek(
        to: folder.url.appendingPathComponent("new.db"), variant: nil, homeZone: test.zone)
    }
    #expect(try manager.contentsOfDirectory(atPath: folder.url.path) == ["goals.db"])
  }

  @Test func aLogThatWasLeftBesideIsReadBySyncToo() throws {
    let database = try TenWeekDatabase.filled(test.folder)
    try database.run("PRAGMA journal_mode = WAL")
    try database.run("UPDATE goals SET friendly_name = 'in the log'")
    let folder = try TemporaryFolder()
    for suffix in ["", "-wal"] {
      _ = try folder.file(
        "copy.db\(suffix)", Data(contentsOf: URL(fileURLWithPath: database.url.path + suffix)))
    }
    _ = try SyncJob(archive: archive, homeZone: test.zone)
      .link(folder.url.appendingPathComponent("copy.db"))
    try sync()
    #expect(try archive.goals().map(\.title) == ["in the log", "in the log"])
    #expect(try sync().isQuiet)
  }

  // MARK: Zones

  @Test func anActionFromAbroadKeepsItsZoneInAnotherArchive() throws {
    var abroad = try test.activity(
      "walked", on: "2026-03-13", from: "23:00", measurements: ["km": 2])
    abroad.timeZone = "Asia/Tokyo"
    abroad.startAt = Instant("2026-03-13T14:00:00Z")
    _ = try archive.add(abroad)
    _ = try test.add("ran", from: "09:00", measurements: ["km": 5])
    let out = try export()
    #expect(try out.texts("SELECT zone FROM arkived_zones") == ["Asia/Tokyo"])
    let second = try TestArchive()
    try second.importing(out)
    let there = try #require(try second.archive.activity(abroad.id))
    #expect(there.timeZone == "Asia/Tokyo" && there.startAt == abroad.startAt)
    #expect(there.dayKey == abroad.dayKey)
    // It goes out again as it came, and is not kept as a table of somebody else's.
    let again = second.folder.url.appendingPathComponent("again.db")
    _ = try ExportJob(archive: second.archive).writeTenWeek(
      to: again, variant: nil, homeZone: second.zone)
    for table in ["actions", "arkived_zones"] {
      #expect(try TenWeekDatabase(again).dump(table) == out.dump(table), "\(table)")
    }
    // Moved by the relative, the action is at home.
    try out.run("UPDATE actions SET start_time = '2026-03-13T22:00:00' WHERE title = 'walked'")
    let third = try TestArchive()
    try third.importing(out)
    let moved = try #require(try third.archive.activity(abroad.id))
    #expect(moved.timeZone == "Europe/Berlin")
    #expect(moved.startAt == Instant("2026-03-13T21:00:00Z"))
  }

  @Test func aSyncKeepsZonesBesideTheActionsItWrites() throws {
    let database = try TenWeekDatabase.filled(test.folder)
    try link(database)
    try sync()
    var abroad = try test.activity(
      "walked", on: "2026-03-13", from: "23:00", measurements: ["km": 2])
    abroad.timeZone = "Asia/Tokyo"
    abroad.startAt = Instant("2026-03-13T14:00:00Z")
    _ = try archive.add(abroad)
    try sync()
    #expect(try sync().isQuiet)
    let second = try TestArchive()
    _ = try SyncJob(archive: second.archive, homeZone: second.zone).link(database.url)
    _ = try SyncJob(archive: second.archive, homeZone: second.zone)
      .run(try #require(try second.archive.syncLinks().first))
    #expect(try second.archive.activity(abroad.id)?.timeZone == "Asia/Tokyo")
    #expect(try second.archive.activity(abroad.id)?.startAt == abroad.startAt)
    _ = try archive.deleteActivities([abroad.id])
    try sync()
    #expect(try database.texts("SELECT zone FROM arkived_zones").isEmpty)
  }

  // MARK: Many rows

  /// The most memory that this process ever had, in megabytes.
  private static func peak() throws -> Int {
    let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    let number = line?.split(whereSeparator: \.isWhitespace).dropFirst().first
    return (number.flatMap { Int($0) } ?? 0) / 1_024
  }

  /// More by hand: ARKIVED_TEST_ROWS=1000000.
  @Test func manyOldVersionsAndConversationsComeInWithinBoundedMemory() throws {
    let asked = ProcessInfo.processInfo.environment["ARKIVED_TEST_ROWS"].flatMap(Int.init)
    let rows = asked ?? 20_000
    let database = try TenWeekDatabase(
      test.folder.url.appendingPathComponent("many.db"), TenWeekDatabase.plain,
      """
      INSERT INTO goals (id, friendly_name, log_time)
        VALUES ('\(TenWeekDatabase.goal)', 'Run', '2025-10-01');
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(rows))
      INSERT INTO archive SELECT printf('88888888-8888-4888-8888-%012X', i), 'goals',
        '\(TenWeekDatabase.goal)', '{"friendly_name":"Run ' || i || '","id":"\(TenWeekDatabase.goal)"}',
        'update', '2025-10-03 10:00:00', 'user', NULL FROM n;
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(rows / 5))
      INSERT INTO conversation_history SELECT printf('99999999-9999-4999-8999-%012X', i),
        1 + i / 100, 'Question ' || i, 'Answer ' || i, '2025-10-12 10:00:00.000', NULL FROM n;
      """)
    let before = try Self.peak()
    let began = ContinuousClock.now
    let run = try test.importing(database)
    let taken = ContinuousClock.now - began
    #expect(run.skipped == 0 && run.created["history"] == rows)
    #expect(run.created["message"] == rows / 5 * 2)
    let more = try Self.peak() - before
    print("\(rows) old versions and \(rows / 5) conversations: \(taken), \(more) MB more")
    // Other tests take memory beside this one, unless it runs alone.
    if asked != nil { #expect(more < 250 + rows / 5_000) }
  }
}

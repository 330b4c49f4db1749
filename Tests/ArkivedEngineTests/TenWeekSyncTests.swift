import ArkivedCore
import ArkivedEngine
import ArkivedImport
import ArkivedStore
import ArkivedTestSupport
import Foundation
import GRDB
import Testing

@Suite("Ten Week databases: kept in line")
struct TenWeekSyncTests {
  let test: TestArchive
  let database: TenWeekDatabase
  var archive: Archive { test.archive }
  var job: SyncJob { SyncJob(archive: archive, homeZone: test.zone) }
  let goal: UUID
  let action: UUID

  /// Variant plain, linked and in line.
  init() throws {
    test = try TestArchive()
    database = try TenWeekDatabase.filled(test.folder)
    goal = try #require(UUID(uuidString: TenWeekDatabase.goal))
    action = try #require(UUID(uuidString: TenWeekDatabase.action))
    _ = try SyncJob(archive: test.archive, homeZone: test.zone).link(database.url)
    try sync()
  }

  @discardableResult
  private func sync() throws -> SyncReport {
    try job.run(try #require(try archive.syncLinks().first))
  }

  @Test func theFirstBringsEverythingAndTheNextNothing() throws {
    #expect(try archive.goals().count == 2 && archive.terms().count == 1)
    let changes = try archive.changes().count
    let before = try Data(contentsOf: database.url)
    let report = try sync()
    #expect(report.isQuiet && report.conflicts.isEmpty && report.warnings.isEmpty)
    #expect(try archive.changes().count == changes)
    #expect(try Data(contentsOf: database.url) == before)
  }

  @Test func changesGoBothWays() throws {
    test.clock.advance(seconds: 60)
    _ = try archive.updateActivity(action) { $0.text = "ran home" }
    try archive.create(
      PersonalValue(
        id: archive.identities.next(), title: "Rest", createdAt: test.clock.now,
        updatedAt: test.clock.now))
    try database.run(
      """
      UPDATE goals SET friendly_name = 'Run far' WHERE id = '\(TenWeekDatabase.goal)';
      INSERT INTO actions (id, friendly_name, log_time) VALUES
        ('99999999-9999-4999-8999-999999999991', 'swam', '2025-10-12T10:00:00');
      """)
    let report = try sync()
    #expect(report.pulled["changed"] == 1 && report.pulled["new"] == 1)
    #expect(report.pushed["changed"] == 1 && report.pushed["new"] == 1)
    #expect(report.conflicts.isEmpty)
    #expect(try archive.entity(Goal.self, goal)?.title == "Run far")
    #expect(try archive.history(of: goal).contains { $0.record["title"]?.string == "Run 120 km" })
    #expect(try test.day("2025-10-12").activities.map(\.text) == ["swam"])
    #expect(
      try database.text("SELECT friendly_name FROM actions WHERE mood_colour = 'blue'")
        == "ran home")
    // What did not change stays as it was written, and the version before is kept there too.
    #expect(
      try database.text("SELECT log_time FROM actions WHERE mood_colour = 'blue'")
        == "2025-10-10 07:30:00.123456")
    #expect(
      try database.text(
        """
        SELECT json_extract(record_data, '$.friendly_name') FROM archive
        WHERE source_table = 'actions' AND reason = 'update'
        """) == "ran by the river")
    #expect(
      try database.texts("SELECT friendly_name FROM personal_values ORDER BY 1") == [
        "Health", "Rest",
      ])
    #expect(try sync().isQuiet)
  }

  @Test func anActionFromAbroadKeepsItsTimeAlthoughTheFileNamesNoZone() throws {
    var abroad = try test.activity(
      "walked", on: "2026-03-13", from: "23:00", to: "23:30", measurements: ["km": 2])
    abroad.timeZone = "Asia/Tokyo"
    abroad.startAt = Instant("2026-03-13T14:00:00Z")
    abroad.endAt = Instant("2026-03-13T14:30:00Z")
    _ = try archive.add(abroad)
    try sync()
    #expect(try sync().isQuiet)
    let key = abroad.id.uuidString
    #expect(
      try database.text("SELECT start_time FROM actions WHERE upper(id) = '\(key)'")
        == "2026-03-13T23:00:00")
    test.clock.advance(seconds: 60)
    try database.run(
      """
      UPDATE actions SET friendly_name = 'walked home' WHERE upper(id) = '\(key)';
      INSERT INTO archive VALUES ('99999999-9999-4999-8999-999999999998', 'actions', '\(key)',
        '{}', 'update', '\(test.clock.now)', 'user', NULL);
      """)
    try sync()
    let after = try #require(try archive.activity(abroad.id))
    #expect(after.text == "walked home" && after.timeZone == "Asia/Tokyo")
    #expect(after.startAt == abroad.startAt && after.endAt == abroad.endAt)
    #expect(try sync().isQuiet)
  }

  @Test(arguments: ["2025-10-26T00:30:00Z", "2025-10-26T01:30:00Z", "2025-10-26T01:30:00.500Z"])
  func aTimeInTheHourThatComesTwiceIsNoChange(logged: String) throws {
    let instant = try #require(Instant(logged))
    let late = try archive.create(
      Goal(
        id: archive.identities.next(), title: "Sleep", logTime: instant, createdAt: test.clock.now,
        updatedAt: test.clock.now)
    ).value
    let value = try archive.create(
      PersonalValue(
        id: archive.identities.next(), title: "Rest", logTime: instant, createdAt: test.clock.now,
        updatedAt: test.clock.now)
    ).value
    #expect(try sync().pushed["new"] == 2)
    #expect(
      try database.text("SELECT log_time FROM goals WHERE friendly_name = 'Sleep'")?
        .hasPrefix("2025-10-26T02:30:00") == true)
    for _ in 0..<2 {
      let report = try sync()
      #expect(report.isQuiet && report.conflicts.isEmpty, "\(report)")
    }
    // A change of something else there leaves the time as exact as it is here.
    test.clock.advance(seconds: 60)
    try database.run("UPDATE goals SET friendly_name = 'Sleep well' WHERE friendly_name = 'Sleep'")
    #expect(try sync().pulled["changed"] == 1)
    let after = try #require(try archive.entity(Goal.self, late.id))
    #expect(after.title == "Sleep well" && after.logTime == instant)
    #expect(try archive.entity(PersonalValue.self, value.id)?.logTime == instant)
    // A time that is told there is taken.
    test.clock.advance(seconds: 60)
    try database.run(
      "UPDATE goals SET log_time = '2025-10-26T03:30:00' WHERE friendly_name = 'Sleep well'")
    #expect(try sync().pulled["changed"] == 1)
    #expect(
      try archive.entity(Goal.self, late.id)?.logTime == Instant("2025-10-26T02:30:00Z"))
    #expect(try sync().isQuiet)
  }

  @Test func aTimeThatIsChangedThereKeepsTheZoneWhereItsOffsetFits() throws {
    test.clock.advance(seconds: 60)
    _ = try archive.updateActivity(action) { $0.timeZone = "Europe/Rome" }
    try sync()
    func move(_ text: String) throws {
      test.clock.advance(seconds: 60)
      try database.run(
        """
        UPDATE actions SET start_time = '\(text)', log_time = '\(test.clock.now)'
        WHERE mood_colour = 'blue'
        """)
      #expect(try sync().pulled["changed"] == 1)
    }
    try move("2025-10-10T09:00:00+02:00")
    #expect(try archive.activity(action)?.timeZone == "Europe/Rome")
    try move("2025-10-10T09:00:00-05:00")
    #expect(try archive.activity(action)?.timeZone == "Etc/GMT+5")
    #expect(try archive.activity(action)?.startAt?.description == "2025-10-10T14:00:00Z")
    #expect(try sync().isQuiet)
  }

  @Test func ofTwoChangesTheNewerIsKept() throws {
    test.clock.advance(seconds: 60)
    _ = try archive.updateActivity(action) { $0.text = "here" }
    _ = try archive.update(Goal.self, goal) { $0.title = "here" }
    try database.run(
      """
      UPDATE actions SET friendly_name = 'there' WHERE mood_colour = 'blue';
      UPDATE goals SET friendly_name = 'there', log_time = '2027-01-01T00:00:00Z'
      WHERE id = '\(TenWeekDatabase.goal)';
      """)
    let report = try sync()
    #expect(report.conflicts.count == 2)
    #expect(
      try database.text("SELECT friendly_name FROM actions WHERE mood_colour = 'blue'") == "here")
    #expect(try archive.history(of: action).contains { $0.record["text"]?.string == "there" })
    #expect(try archive.entity(Goal.self, goal)?.title == "there")
    #expect(try archive.history(of: goal).contains { $0.record["title"]?.string == "here" })
    #expect(try sync().isQuiet)
  }

  @Test func deletionsGoBothWaysWithTheArchiveAsWitness() throws {
    test.clock.advance(seconds: 60)
    try archive.delete(Goal.self, goal)
    try database.run(
      """
      DELETE FROM actions WHERE id = '\(TenWeekDatabase.second)';
      INSERT INTO archive VALUES ('a2', 'actions', '\(TenWeekDatabase.second)', '{}', 'delete',
        '2026-03-14T19:00:00Z', 'user', NULL);
      DELETE FROM personal_values;
      """)
    let report = try sync()
    #expect(report.pulled["deleted"] == 1)
    #expect(try archive.activity(try #require(UUID(uuidString: TenWeekDatabase.second))) == nil)
    #expect(try database.texts("SELECT friendly_name FROM goals") == ["Read more"])
    #expect(try database.texts("SELECT * FROM term_goal_assignments").isEmpty)
    #expect(try database.texts("SELECT * FROM action_goal_progress").isEmpty)
    #expect(
      try database.text(
        "SELECT reason FROM archive WHERE source_id = '\(TenWeekDatabase.goal)' AND source_table = 'goals' ORDER BY archived_at DESC"
      ) == "delete")
    // Without a word in the archive a row is not deleted but lost: it is written back.
    #expect(try database.texts("SELECT friendly_name FROM personal_values") == ["Health"])
    #expect(report.warnings.contains { $0.message.contains("row was restored") })
    #expect(try sync().isQuiet)
  }

  @Test func aDatabaseInUseIsLeftAlone() throws {
    _ = try archive.update(Goal.self, goal) { $0.title = "here" }
    let other = try DatabaseQueue(path: database.url.path)
    try other.writeWithoutTransaction { db in
      try db.execute(sql: "BEGIN EXCLUSIVE")
      #expect {
        try sync()
      } throws: { error in
        if case ArchiveError.busy = error { true } else { false }
      }
      try db.execute(sql: "ROLLBACK")
    }
    #expect(try archive.syncLinks().first?.outcome?["error"] != nil)
    #expect(try sync().pushed["changed"] == 1)
  }

  @Test func aHalfWrittenDatabaseIsLeftAlone() throws {
    let whole = try Data(contentsOf: database.url)
    try database.queue.close()
    let half = Data(whole.prefix(whole.count / 2))
    try half.write(to: database.url)
    #expect {
      try sync()
    } throws: { error in
      if case ArchiveError.busy = error { true } else { false }
    }
    #expect(try Data(contentsOf: database.url) == half)
    #expect(try archive.goals().count == 2)
    try whole.write(to: database.url)
    #expect(try sync().isQuiet)
  }

  /// The database is committed before the archive: a stop between the two leaves this state.
  @Test func aStopBetweenTheTwoCommitsIsMadeGood() throws {
    test.clock.advance(seconds: 60)
    _ = try archive.updateActivity(action) { $0.text = "ran home" }
    let other = try #require(UUID(uuidString: TenWeekDatabase.other))
    try archive.delete(Goal.self, other)
    try database.run("UPDATE terms SET theme = 'new theme'")
    guard case .folder(let folder) = archive.location else { return }
    let target = try test.folder.file("before/archive.sqlite", Data())
    let copy = target.deletingLastPathComponent()
    let pool = try DatabaseQueue(path: folder.appendingPathComponent("archive.sqlite").path)
    try pool.backup(to: DatabaseQueue(path: target.path))
    try sync()

    let stopped = try Archive(at: .folder(copy), clock: test.clock)
    let again = SyncJob(archive: stopped, homeZone: test.zone)
    let report = try again.run(try #require(try stopped.syncLinks().first))
    #expect(report.conflicts.isEmpty && report.warnings.isEmpty)
    #expect(try stopped.terms().first?.theme == "new theme")
    #expect(try stopped.activity(action)?.text == "ran home")
    #expect(try stopped.goals().map(\.id) == [goal])
    #expect(try database.texts("SELECT id FROM goals") == [goal.uuidString])
    #expect(try again.run(try #require(try stopped.syncLinks().first)).isQuiet)
  }

  @Test("Variant uuid, older: rows are written under the names the database has")
  func olderNames() throws {
    let second = try TestArchive()
    let old = try TenWeekDatabase(
      second.folder.url.appendingPathComponent("old.db"),
      """
      CREATE TABLE goals (id INTEGER PRIMARY KEY AUTOINCREMENT, uuid_id TEXT UNIQUE,
        common_name TEXT NOT NULL, description TEXT, notes TEXT, log_time TEXT NOT NULL,
        goal_type TEXT NOT NULL DEFAULT 'Goal', measurement_target REAL, measurement_unit TEXT,
        start_date TEXT, target_date TEXT, how_goal_is_relevant TEXT, how_goal_is_actionable TEXT,
        expected_term_length INTEGER);
      CREATE TABLE archive (id INTEGER PRIMARY KEY AUTOINCREMENT, source_table TEXT NOT NULL,
        source_id INTEGER, record_data TEXT NOT NULL, reason TEXT NOT NULL,
        archived_at TEXT DEFAULT CURRENT_TIMESTAMP, archived_by TEXT, notes TEXT);
      INSERT INTO goals (uuid_id, common_name, log_time)
      VALUES ('\(TenWeekDatabase.goal)', 'Walk', '2025-10-01');
      """)
    let job = SyncJob(archive: second.archive, homeZone: second.zone)
    let link = try job.link(old.url)
    _ = try job.run(link)
    second.clock.advance(seconds: 1)
    _ = try second.archive.update(Goal.self, goal) { $0.title = "Walk more" }
    try second.add("walked", measurements: ["km": 1])
    let report = try job.run(link)
    #expect(report.warnings.isEmpty)
    #expect(try old.texts("SELECT common_name FROM goals") == ["Walk more"])
    #expect(try old.texts("SELECT title FROM actions") == ["walked"])
    #expect(try job.run(link).isQuiet)
  }

  @Test("Variant plain without row numbers: rows are told apart by their keys")
  func withoutRowNumbers() throws {
    let second = try TestArchive()
    let strict = try TenWeekDatabase(
      second.folder.url.appendingPathComponent("strict.db"),
      """
      CREATE TABLE personal_values (id TEXT PRIMARY KEY, friendly_name TEXT NOT NULL,
        incentive_type TEXT, priority INTEGER) WITHOUT ROWID;
      INSERT INTO personal_values VALUES ('\(TenWeekDatabase.value)', 'Health', 'major', 5);
      """)
    let job = SyncJob(archive: second.archive, homeZone: second.zone)
    let link = try job.link(strict.url)
    _ = try job.run(link)
    second.clock.advance(seconds: 1)
    _ = try second.archive.update(
      PersonalValue.self, try #require(UUID(uuidString: TenWeekDatabase.value))
    ) { $0.title = "Body" }
    try second.archive.create(
      PersonalValue(
        id: second.archive.identities.next(), title: "Rest", createdAt: second.clock.now,
        updatedAt: second.clock.now))
    #expect(try job.run(link).warnings.isEmpty)
    #expect(
      try strict.texts("SELECT friendly_name FROM personal_values ORDER BY 1") == ["Body", "Rest"])
    #expect(try job.run(link).isQuiet)
  }

  @Test func oneDatabaseIsLinkedAtATime() throws {
    #expect(throws: ArchiveError.self) { try job.link(database.url) }
    let missing = test.folder.url.appendingPathComponent("none.db")
    #expect(throws: ImportRefusal.self) { try job.link(missing) }
    try archive.removeSyncLink(try #require(try archive.syncLinks().first).id)
    #expect(try archive.syncLinks().isEmpty && archive.goals().count == 2)
  }
}

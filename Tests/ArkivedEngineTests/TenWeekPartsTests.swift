import ArkivedCore
import ArkivedEngine
import ArkivedStore
import ArkivedTestSupport
import Foundation
import GRDB
import Testing

/// Many rows are brought in line in several short transactions; here that is done with few.
@Suite("Ten Week databases: many rows, in parts")
struct TenWeekPartsTests {
  let test: TestArchive
  let database: TenWeekDatabase
  var archive: Archive { test.archive }

  init() throws {
    test = try TestArchive()
    database = try TenWeekDatabase.filled(test.folder)
    _ = try SyncJob(archive: archive, homeZone: test.zone).link(database.url)
  }

  @discardableResult
  private func sync(fewRows: Int = 0, allowsDeletions: Bool = false) throws -> SyncReport {
    test.clock.advance(seconds: 60)
    var job = SyncJob(archive: archive, homeZone: test.zone)
    job.fewRows = fewRows
    return try job.run(
      try #require(try archive.syncLinks().first), allowsDeletions: allowsDeletions)
  }

  private func bases() throws -> [InterchangeRow] {
    let link = try #require(try archive.syncLinks().first)
    return try archive.interchangeRows(from: link.id.uuidString)
      .sorted { ($0.table, $0.key) < ($1.table, $1.key) }
  }

  @Test func partsComeToTheSameAsAllAtOnce() throws {
    let whole = try TenWeekSyncTests()
    try sync()
    #expect(try archive.goals().map(\.title) == whole.archive.goals().map(\.title))
    #expect(try archive.terms().map(\.termNumber) == whole.archive.terms().map(\.termNumber))
    let action = try #require(UUID(uuidString: TenWeekDatabase.action))
    #expect(try archive.activity(action)?.text == whole.archive.activity(action)?.text)
    let link = try #require(try whole.archive.syncLinks().first)
    let count = try whole.archive.interchangeRows(from: link.id.uuidString).count
    #expect(try bases().count == count)
    // The next one finds nothing to do, in parts and at once.
    let (changes, file) = (try archive.changes().count, try Data(contentsOf: database.url))
    for fewRows in [0, 2_000] {
      let report = try sync(fewRows: fewRows)
      #expect(report.isQuiet && report.conflicts.isEmpty && report.warnings.isEmpty)
    }
    #expect(try archive.changes().count == changes)
    #expect(try Data(contentsOf: database.url) == file)
  }

  @Test func changesGoBothWaysAsOneChangeThatIsTakenBack() throws {
    try sync()
    let before = try archive.changes(limit: 100).count
    test.clock.advance(seconds: 60)
    let action = try #require(UUID(uuidString: TenWeekDatabase.action))
    let goal = try #require(UUID(uuidString: TenWeekDatabase.goal))
    _ = try archive.updateActivity(action) { $0.text = "ran home" }
    try database.run(
      """
      UPDATE goals SET friendly_name = 'Run far' WHERE id = '\(TenWeekDatabase.goal)';
      INSERT INTO actions (id, friendly_name, log_time) VALUES
        ('99999999-9999-4999-8999-999999999991', 'swam', '2025-10-12T10:00:00');
      """)
    let report = try sync()
    #expect(report.pulled["changed"] == 1 && report.pulled["new"] == 1)
    #expect(report.pushed["changed"] == 1)
    #expect(try archive.entity(Goal.self, goal)?.title == "Run far")
    #expect(try test.day("2025-10-12").activities.map(\.text) == ["swam"])
    #expect(
      try database.text("SELECT friendly_name FROM actions WHERE mood_colour = 'blue'")
        == "ran home")
    // The owner's change and the sync's.
    #expect(try archive.changes(limit: 100).count == before + 2)
    #expect(try sync().isQuiet)
    _ = try archive.undo()
    #expect(try archive.entity(Goal.self, goal)?.title == "Run 120 km")
    #expect(try test.day("2025-10-12").activities.isEmpty)
  }

  @Test func termsExchangeTheirNumbers() throws {
    try sync()
    let term = try #require(try archive.terms().first)
    let number = term.termNumber
    test.clock.advance(seconds: 60)
    try archive.create(
      Term(
        id: archive.identities.next(), termNumber: number + 1,
        startDate: try #require(DayKey("2027-01-01")),
        targetDate: DayKey("2027-03-12"), createdAt: test.clock.now, updatedAt: test.clock.now))
    try sync()
    try database.run(
      """
      UPDATE terms SET term_number = 1000, updated_at = '2026-04-01T00:00:00Z'
        WHERE term_number = \(number);
      UPDATE terms SET term_number = \(number), updated_at = '2026-04-01T00:00:00Z'
        WHERE term_number = \(number + 1);
      UPDATE terms SET term_number = \(number + 1) WHERE term_number = 1000;
      """)
    try sync()
    #expect(try archive.entity(Term.self, term.id)?.termNumber == number + 1)
    #expect(try sync().isQuiet)
  }

  @Test func whatIsNotNotedYetIsFoundAlikeByTheNext() throws {
    try sync()
    // As it is when the program ends between the two commits.
    let link = try #require(try archive.syncLinks().first)
    let kept = try bases()
    _ = try archive.write(by: .importer, "sync", "test") { scope in
      for row in kept {
        try scope.forgetInterchangeRow(row.table, row.key, from: link.id.uuidString)
      }
    }
    let report = try sync()
    #expect(report.pulled.isEmpty && report.pushed.isEmpty && report.conflicts.isEmpty)
    #expect(try bases() == kept)
  }

  @Test func whereTheDatabaseCannotBeCommittedWhatCameInStaysWholeAndTheNextSyncGoesOn() throws {
    try sync()
    let action = try #require(UUID(uuidString: TenWeekDatabase.action))
    test.clock.advance(seconds: 60)
    _ = try archive.updateActivity(action) { $0.text = "ran home" }
    let added = (1...3).map { "99999999-9999-4999-8999-99999999999\($0)" }
    for id in added {
      try database.run(
        """
        INSERT INTO actions (id, friendly_name, log_time) VALUES
          ('\(id)', 'swam', '2025-10-12T10:00:00');
        """)
    }
    let before = try Data(contentsOf: database.url)
    // Somebody reads there the whole time: a commit would have to wait for them.
    var isOpen = Configuration()
    isOpen.allowsUnsafeTransactions = true
    let reader = try DatabaseQueue(path: database.url.path, configuration: isOpen)
    try reader.writeWithoutTransaction { db in
      try db.execute(sql: "BEGIN")
      _ = try Int.fetchOne(db, sql: "SELECT count(*) FROM actions")
    }
    do {
      try sync()
      Issue.record("it was committed beside a reader")
    } catch ArchiveError.busy(let sentence) {
      #expect(sentence.contains("stays here, and the next sync continues"), "\(sentence)")
    }
    try reader.writeWithoutTransaction { db in try db.execute(sql: "COMMIT") }
    try reader.close()
    #expect(try Data(contentsOf: database.url) == before)
    #expect(try test.day("2025-10-12").activities.count == added.count)
    #expect(try archive.activity(action)?.text == "ran home")
    let next = try sync()
    #expect(next.pulled.isEmpty && next.pushed["changed"] == 1 && next.conflicts.isEmpty)
    #expect(try test.day("2025-10-12").activities.count == added.count)
    #expect(
      try database.text("SELECT friendly_name FROM actions WHERE id = '\(TenWeekDatabase.action)'")
        == "ran home")
    #expect(try sync().isQuiet)
  }

  @Test func mostOfAKindIsNotDeletedUnasked() throws {
    for number in 10..<60 {
      try database.run(
        """
        INSERT INTO personal_values (id, friendly_name, incentive_type, priority)
        VALUES ('AAAAAAAA-0000-4000-8000-0000000000\(number)', 'Value \(number)', 'general', 40)
        """)
    }
    try sync()
    for value in try archive.values().prefix(45) {
      try archive.delete(PersonalValue.self, value.id)
    }
    let file = try Data(contentsOf: database.url)
    #expect(throws: LargeDeletion.self) { try sync() }
    #expect(try Data(contentsOf: database.url) == file)
    #expect(try sync(allowsDeletions: true).pushed["deleted"] == 45)
    #expect(try sync().isQuiet)
  }
}

import ArkivedCore
import ArkivedEngine
import ArkivedImport
import ArkivedStore
import ArkivedTestSupport
import Foundation
import GRDB
import Testing

/// The backups of Tickmate and Rewire, with the tables that these programs write.
@Suite("Backups of habit trackers")
struct HabitBackupTests {
  private let test: TestArchive

  init() throws { test = try TestArchive() }

  private func run(_ name: String, _ sql: String) throws -> ImportRun {
    let url = test.folder.url.appendingPathComponent(name)
    if !FileManager.default.fileExists(atPath: url.path) {
      let queue = try DatabaseQueue(path: url.path)
      try queue.write { db in try db.execute(sql: sql) }
      try queue.close()
    }
    return try #require(
      try ImportJob(archive: test.archive, homeZone: test.zone).run(url).first)
  }

  @Test func tickmatesMonthsBeginWithZero() throws {
    let sql = """
      CREATE TABLE android_metadata (locale TEXT);
      CREATE TABLE tracks (_id integer primary key autoincrement, name text not null,
        description text not null, icon text not null, enabled integer not null,
        multiple_entries_enabled integer not null default 0, color integer, "order" integer);
      CREATE TABLE ticks (_id integer primary key autoincrement, _track_id integer, year integer,
        month integer, day integer, hour integer, minute integer, second integer,
        has_time_info integer);
      INSERT INTO tracks VALUES (1, 'Read', 'A page', 'x', 1, 0, 1, 0),
        (2, 'Coffee', '', 'x', 0, 1, 1, 1);
      INSERT INTO ticks VALUES (1, 1, 2026, 0, 5, 10, 20, 30, 1), (2, 2, 2026, 11, 31, 8, 0, 0, 0),
        (3, 1, 2026, 1, 30, 0, 0, 0, 0), (4, 9, 2026, 1, 3, 0, 0, 0, 0);
      """
    let run = try run("tickmate.db", sql)
    #expect(run.format == "tickmate" && run.created == ["activity": 2], "\(run.warnings)")
    let read = try #require(try test.day("2026-01-05").activities.first)
    #expect(read.text == "Read" && read.description == "A page" && read.tags == ["Read"])
    let start = try #require(read.startAt)
    #expect(test.zone.wallTime(at: start).clockText.hasPrefix("10:20"))
    let coffee = try #require(try test.day("2026-12-31").activities.first)
    #expect(coffee.text == "Coffee" && coffee.startAt == nil)
    #expect(run.warnings.contains { $0.place.hasSuffix("ticks row 3 field “day”") })
    #expect(run.warnings.contains { $0.message.contains("aren’t in the backup: 1") })
    let again = try self.run("tickmate.db", sql)
    #expect(again.created.isEmpty && again.updated == 0)
    _ = try test.archive.undo(try test.archive.importRun(matching: run.id.uuidString).changeID)
    #expect(try test.archive.counts().activities == 0)
  }

  @Test(arguments: ["HABIT", "habits"])
  func rewiresDaysAreDoneWithTheStatusTwo(table: String) throws {
    let run = try run(
      "rewire.db",
      """
      CREATE TABLE \(table) (_id integer primary key, name text);
      CREATE TABLE CHECKINS (_id integer primary key, habit_id integer, date text, status integer);
      INSERT INTO \(table) VALUES (1, 'Read');
      INSERT INTO CHECKINS VALUES (1, 1, '20260105', 2), (2, 1, '20260106', 1),
        (3, 1, 'someday', 2);
      """)
    #expect(run.format == "rewire" && run.created == ["activity": 1], "\(run.warnings)")
    #expect(try test.day("2026-01-05").activities.map(\.text) == ["Read"])
    #expect(run.warnings.contains { $0.place.hasSuffix("field “date”") })
  }

  /// A backup with one mark.
  private func rewire(_ habit: String, _ date: String) -> String {
    """
    CREATE TABLE habits (_id integer primary key, name text);
    CREATE TABLE checkins (_id integer primary key, habit_id integer, date text, status integer);
    INSERT INTO habits VALUES (1, '\(habit)');
    INSERT INTO checkins VALUES (1, 1, '\(date)', 2);
    """
  }

  @Test("Marks of two installations have the same numbers and stay apart")
  func twoInstallations() throws {
    let first = try run("old phone.db", rewire("Read", "20250105"))
    let second = try run("new phone.db", rewire("Swim", "20260105"))
    #expect(first.created == ["activity": 1] && second.created == ["activity": 1])
    #expect(try test.day("2025-01-05").activities.map(\.text) == ["Read"])
    #expect(try test.day("2026-01-05").activities.map(\.text) == ["Swim"])
  }

  @Test("A mark that was imported by its number alone is recognised")
  func formerNames() throws {
    let zone = test.zone
    var old = Activity(
      id: UUID(), dayKey: try #require(DayKey("2026-01-05")), timeZone: zone.identifier,
      kind: .personal, text: "Reading", source: .csvImport, createdAt: test.clock.now,
      updatedAt: test.clock.now)
    old.externalRefs = [
      ExternalRef(
        provider: "rewire", externalID: "check/1", fetchedAt: test.clock.now, contentHash: "old")
    ]
    let known = old
    _ = try test.archive.write(by: .importer, "import", "Imported before") {
      try $0.insert(known)
    }
    let run = try run("rewire.db", rewire("Read", "20260105"))
    #expect(run.created.isEmpty && run.updated == 1, "\(run.warnings)")
    #expect(try test.day("2026-01-05").activities.map(\.text) == ["Read"])
  }
}

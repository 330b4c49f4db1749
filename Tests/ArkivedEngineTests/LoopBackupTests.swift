import ArkivedCore
import ArkivedEngine
import ArkivedImport
import ArkivedStore
import ArkivedTestSupport
import Foundation
import GRDB
import Testing

/// Loop's own backup: a SQLite database that these tests write with the tables of its migrations.
@Suite("The backup of Loop Habit Tracker")
struct LoopBackupTests {
  private let test: TestArchive

  init() throws { test = try TestArchive() }

  private var job: ImportJob { ImportJob(archive: test.archive, homeZone: test.zone) }

  /// Midnight in UTC, in milliseconds.
  private func stamp(_ day: String) throws -> Int64 {
    Int64(try #require(DayKey(day)).daysSinceEpoch) * 86_400_000
  }

  private func backup(
    _ name: String = "Loop Habits Backup 2026-03-14 093000.db", run amount: Int = 5200
  ) throws -> URL {
    let url = test.folder.url.appendingPathComponent(name)
    try? FileManager.default.removeItem(at: url)
    let queue = try DatabaseQueue(path: url.path)
    try queue.write { db in
      try db.execute(
        sql: """
          CREATE TABLE Habits (Id INTEGER PRIMARY KEY AUTOINCREMENT, archived INTEGER, color INTEGER,
            description TEXT, freq_den INTEGER, freq_num INTEGER, highlight INTEGER, name TEXT,
            position INTEGER, reminder_hour INTEGER, reminder_min INTEGER, reminder_days INTEGER,
            type INTEGER NOT NULL DEFAULT 0, target_type INTEGER NOT NULL DEFAULT 0,
            target_value REAL NOT NULL DEFAULT 0, unit TEXT NOT NULL DEFAULT '', question TEXT,
            uuid TEXT);
          CREATE TABLE Repetitions (id INTEGER PRIMARY KEY AUTOINCREMENT, habit INTEGER NOT NULL,
            timestamp INTEGER NOT NULL, value INTEGER NOT NULL, notes TEXT);
          INSERT INTO Habits (Id, name, position, type, unit, question) VALUES
            (3, 'Run', 2, 1, 'km', 'How far?'), (1, 'Wake up early', 1, 0, '', 'Did you wake up early?'),
            (7, 'Run', 3, 0, '', NULL), (9, NULL, 4, 0, '', NULL);
          """)
      let marks: [(Int, String, Int, String?)] = [
        (1, "2026-03-10", 2, "at 6, with tea"), (1, "2026-03-09", 1, nil),
        (1, "2026-03-08", 2, nil),
        (1, "2026-03-07", 0, nil), (1, "2026-03-06", 3, "travelling"),
        (3, "2026-03-10", amount, nil),
        (3, "2026-03-09", 0, nil), (3, "2026-03-08", 3, nil), (7, "2026-03-10", 2, nil),
        (99, "2026-03-10", 2, nil),
      ]
      for (habit, day, value, notes) in marks {
        try db.execute(
          sql: "INSERT INTO Repetitions (habit, timestamp, value, notes) VALUES (?, ?, ?, ?)",
          arguments: [habit, try stamp(day), value, notes])
      }
      try db.execute(
        sql: "INSERT INTO Repetitions (habit, timestamp, value) VALUES (1, -5, 2)")
    }
    try queue.close()
    return url
  }

  @Test func marksOfTheBackupBecomeActivitiesAndASecondImportChangesNothing() throws {
    let url = try backup()
    let before = try Data(contentsOf: url)
    let run = try #require(try job.run(url).first)
    #expect(run.format == "loop" && run.created == ["activity": 5])
    let tenth = try test.day("2026-03-10").activities.sorted {
      ($0.text, $0.measurements.count) < ($1.text, $1.measurements.count)
    }
    #expect(tenth.map(\.text) == ["Run", "Run", "Wake up early"])
    #expect(tenth[0].measurements.isEmpty && tenth[1].measurements == ["km": 5.2])
    #expect(tenth[1].description == "How far?" && tenth[1].source == .loopImport)
    #expect(tenth[2].notes == "at 6, with tea" && tenth[2].tags == ["Wake up early"])
    #expect(try test.day("2026-03-08").activities.map(\.text) == ["Wake up early"])
    #expect(try test.day("2026-03-06").activities.map(\.text) == ["Wake up early: not done"])
    #expect(run.warnings.contains { $0.place.hasSuffix("field “timestamp”") })
    #expect(
      run.warnings.contains {
        $0.message.contains("check marks for habits that aren’t in the backup: 1")
      })
    #expect(run.warnings.contains { $0.place.hasSuffix("field “name”") })
    #expect(try Data(contentsOf: url) == before)
    let again = try #require(try job.run(try backup("other.db", run: 6000)).first)
    #expect(again.created.isEmpty && again.updated == 1 && again.unchanged == 4)
  }

  @Test func theCSVExportAndTheBackupGiveTheSameEntries() throws {
    _ = try test.folder.file(
      "csv/Habits.csv",
      """
      Position,Name,Type,Question,Description,FrequencyNumerator,FrequencyDenominator,Color,Unit,Target Type,Target Value,Archived?
      001,Wake up early,YES_NO,Did you wake up early?,,1,1,#FF8F00,,,,false
      002,Run,NUMERICAL,How far?,,1,1,#FF8F00,km,AT_LEAST,5.0,false
      003,Run,YES_NO,,,1,1,#FF8F00,,,,false
      """)
    _ = try test.folder.file(
      "csv/001 Wake up early/Checkmarks.csv",
      "Date,Value,Notes\n2026-03-10,YES_MANUAL,\"at 6, with tea\"\n2026-03-08,YES_MANUAL,\n"
        + "2026-03-06,SKIP,travelling\n")
    _ = try test.folder.file(
      "csv/002 Run/Checkmarks.csv", "Date,Value,Notes\n2026-03-10,5200,\n2026-03-08,SKIP,\n")
    _ = try test.folder.file(
      "csv/003 Run/Checkmarks.csv", "Date,Value,Notes\n2026-03-10,YES_MANUAL,\n")
    let first = try #require(
      try job.run(test.folder.url.appendingPathComponent("csv")).first)
    #expect(first.created == ["activity": 5])
    let second = try #require(try job.run(try backup()).first)
    #expect(second.created.isEmpty && second.updated == 0 && second.unchanged == 5)
  }

  @Test func theOldestTablesHaveNoTypesAndCallTheQuestionDescription() throws {
    let url = test.folder.url.appendingPathComponent("old.db")
    let queue = try DatabaseQueue(path: url.path)
    try queue.write { db in
      try db.execute(
        sql: """
          CREATE TABLE habits (id INTEGER PRIMARY KEY, name TEXT, description TEXT, freq_num INTEGER,
            freq_den INTEGER, position INTEGER);
          CREATE TABLE repetitions (id INTEGER PRIMARY KEY, habit INTEGER, timestamp INTEGER);
          INSERT INTO habits VALUES (1, 'Read', 'Did you read?', 1, 1, 0);
          INSERT INTO repetitions VALUES (1, 1, 1773100800000);
          """)
    }
    try queue.close()
    #expect(try job.run(url).first?.created == ["activity": 1])
    let entry = try #require(try test.day("2026-03-10").activities.first)
    #expect(entry.text == "Read" && entry.description == "Did you read?")
  }

  @Test func aDamagedBackupIsRefusedAndLeavesNothing() throws {
    let bytes = try Data(contentsOf: try backup())
    for length in stride(from: 100, to: bytes.count, by: 1024) {
      let url = try test.folder.file("cut.db", bytes.prefix(length))
      _ = try? job.run(url)
    }
    var flipped = bytes
    for index in stride(from: 100, to: flipped.count, by: 37) { flipped[index] ^= 0x55 }
    let url = try test.folder.file("flipped.db", flipped)
    #expect(throws: (any Error).self) { try job.run(url) }
  }
}

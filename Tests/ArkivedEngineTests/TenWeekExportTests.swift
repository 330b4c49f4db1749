import ArkivedCore
import ArkivedEngine
import ArkivedImport
import ArkivedStore
import ArkivedTestSupport
import Foundation
import GRDB
import Testing

@Suite("Ten Week databases: writing out")
struct TenWeekExportTests {
  let test: TestArchive
  var archive: Archive { test.archive }

  init() throws { test = try TestArchive() }

  private func export(
    _ archive: Archive, _ name: String = "out.db", _ variant: TenWeekVariant? = nil,
    replaces: Bool = false
  ) throws -> TenWeekDatabase {
    let url = test.folder.url.appendingPathComponent(name)
    let summary = try ExportJob(archive: archive).writeTenWeek(
      to: url, variant: variant, homeZone: test.zone, replaces: replaces)
    #expect(summary.leftOut.isEmpty)
    return try TenWeekDatabase(url)
  }

  private static let tables = [
    "actions", "goals", "personal_values", "terms", "term_goal_assignments",
    "action_goal_progress", "archive", "conversation_history", "expectations",
  ]

  @Test("Variant plain: what came in goes out as it was, row for row")
  func sameAgain() throws {
    let database = try TenWeekDatabase.filled(test.folder)
    try test.importing(database)
    let out = try export(archive)
    #expect(try out.text("PRAGMA integrity_check") == "ok")
    for table in Self.tables where table != "actions" {
      #expect(try out.dump(table) == database.dump(table), "\(table)")
    }
    // Identities come out in upper case, all else as it was written.
    #expect(
      try out.dump("actions")
        == database.dump("actions").map {
          $0.replacing(TenWeekDatabase.action.lowercased(), with: TenWeekDatabase.action)
        })

    let second = try TestArchive()
    try second.importing(out)
    #expect(try second.archive.goals() == archive.goals())
    #expect(try second.archive.terms() == archive.terms())
    #expect(try second.archive.assignments() == archive.assignments())
    let again = try export(second.archive, "again.db")
    for table in Self.tables { #expect(try again.dump(table) == out.dump(table), "\(table)") }
    #expect(try test.importing(out).created.isEmpty)
  }

  @Test func jsonLinesCarryTheRowsAlong() throws {
    try test.importing(try TenWeekDatabase.filled(test.folder))
    let lines = test.folder.url.appendingPathComponent("life.jsonl")
    _ = try ExportJob(archive: archive).writeJSONLines(to: lines)
    let second = try TestArchive()
    let run = try ImportJob(archive: second.archive, homeZone: second.zone).run(lines)[0]
    #expect(run.skipped == 0)
    let (out, again) = (try export(archive), try export(second.archive, "again.db"))
    for table in Self.tables { #expect(try again.dump(table) == out.dump(table), "\(table)") }
  }

  @Test("What changed here is written anew, beside what did not")
  func changed() throws {
    try test.importing(try TenWeekDatabase.filled(test.folder))
    let action = try #require(UUID(uuidString: TenWeekDatabase.action))
    _ = try archive.updateActivity(action) { $0.text = "ran home" }
    try archive.delete(Goal.self, try #require(UUID(uuidString: TenWeekDatabase.other)))
    let out = try export(archive)
    #expect(
      try out.text("SELECT friendly_name FROM actions WHERE mood_colour = 'blue'") == "ran home")
    #expect(
      try out.text("SELECT log_time FROM actions WHERE mood_colour = 'blue'")
        == "2025-10-10 07:30:00.123456")
    #expect(try out.texts("SELECT friendly_name FROM goals") == ["Run 120 km"])
    #expect(
      try out.text("SELECT reason FROM archive WHERE source_id = '\(TenWeekDatabase.other)'")
        == "delete")
  }

  @Test("A frozen program opens it: its own statements", arguments: TenWeekVariant.allCases)
  func frozen(variant: TenWeekVariant) throws {
    let goal = Goal(
      id: try #require(UUID(uuidString: TenWeekDatabase.goal)), title: "Run",
      measurementUnit: "km", measurementTarget: 50, startDate: DayKey("2026-01-01"),
      targetDate: DayKey("2026-12-31"), createdAt: test.clock.now, updatedAt: test.clock.now)
    try archive.create(goal)
    try test.add("ran", from: "09:00", to: "09:30", measurements: ["km": 5])
    try test.add("tea")
    let database = try export(archive, "frozen.db", variant)
    let (key, title, notes) =
      variant == .plain
      ? ("id", "friendly_name", "freeform_notes") : ("uuid_id", "title", "notes")
    #expect(try database.texts("SELECT \(title) FROM actions") == ["ran"])
    #expect(
      try database.text("SELECT measurement_units_by_amount FROM actions") == #"{"km":5.0}"#)
    #expect(try database.text("SELECT start_time FROM actions") == "2026-03-14T09:00:00")
    #expect(try database.text("SELECT typeof(duration_minutes) FROM actions") == "real")
    #expect(try database.text("SELECT \(key) FROM goals") == TenWeekDatabase.goal)
    #expect(try database.text("SELECT goal_id FROM action_goal_progress") == TenWeekDatabase.goal)
    #expect(try database.text("SELECT json_valid(matched_on) FROM action_goal_progress") == "1")
    try database.run(
      """
      INSERT INTO actions (\(key), \(title), \(notes), log_time, measurement_units_by_amount)
      VALUES ('\(TenWeekDatabase.second)', 'walked', 'n', '2026-03-13T10:00:00Z', '{"km": 3}');
      UPDATE goals SET \(title) = 'Run far', log_time = '2026-03-15T10:00:00Z';
      INSERT INTO terms (\(key), term_number, start_date, target_date)
      VALUES ('\(TenWeekDatabase.term)', 1, '2026-01-01', '2026-03-12');
      INSERT INTO term_goal_assignments (term_uuid, goal_uuid, assignment_order)
      VALUES ('\(TenWeekDatabase.term)', '\(TenWeekDatabase.goal)', 1);
      INSERT INTO conversation_history (id, session_id, prompt, response, created_at)
      VALUES ('\(TenWeekDatabase.value)', 1, 'p', 'r', '2026-03-13T10:00:00Z');
      """)
    #expect(throws: (any Error).self) {
      try database.run(
        "INSERT INTO terms (\(key), term_number, start_date, target_date) VALUES ('x', 1, 'a', 'b')"
      )
    }
    let run = try test.importing(database)
    #expect(run.skipped == 0 && run.updated == 1)
    #expect(try archive.goals().first?.title == "Run far")
    #expect(try test.day("2026-03-13").activities.map(\.text) == ["walked"])
    #expect(try archive.assignments().count == 1)
  }

  @Test func otherFilesAreNotOverwritten() throws {
    try test.importing(try TenWeekDatabase.filled(test.folder))
    _ = try export(archive)
    // An export nobody touched is replaced.
    let out = try export(archive)
    try out.run("UPDATE goals SET friendly_name = 'mine'")
    #expect(throws: ArchiveError.self) { _ = try export(archive) }
    #expect(try out.text("SELECT friendly_name FROM goals") == "mine")
    #expect(throws: ArchiveError.self) { _ = try export(archive, "goals.db") }
    _ = try export(archive, "out.db", replaces: true)
    let left = try FileManager.default.contentsOfDirectory(atPath: test.folder.url.path)
    #expect(!left.contains { $0.hasPrefix(".incoming") })
  }
}

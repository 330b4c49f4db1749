import ArkivedCore
import ArkivedEngine
import ArkivedImport
import ArkivedStore
import ArkivedTestSupport
import Foundation
import Testing

/// What is taken back here is no deletion there.
@Suite("Ten Week databases: after an undo, and beside what can’t be read")
struct TenWeekUndoTests {
  let test: TestArchive
  let database: TenWeekDatabase
  var archive: Archive { test.archive }
  let goal: UUID
  let second: UUID

  private static let tables = [
    "actions", "goals", "personal_values", "terms", "term_goal_assignments",
    "action_goal_progress", "archive", "conversation_history", "expectations",
  ]

  init() throws {
    test = try TestArchive()
    database = try TenWeekDatabase.filled(test.folder)
    goal = try #require(UUID(uuidString: TenWeekDatabase.goal))
    second = try #require(UUID(uuidString: TenWeekDatabase.second))
  }

  private func link() throws {
    _ = try SyncJob(archive: archive, homeZone: test.zone).link(database.url)
  }

  @discardableResult
  private func sync() throws -> SyncReport {
    test.clock.advance(seconds: 60)
    return try SyncJob(archive: archive, homeZone: test.zone)
      .run(try #require(try archive.syncLinks().first))
  }

  private func dump() throws -> [String: [String]] {
    try Dictionary(uniqueKeysWithValues: Self.tables.map { ($0, try database.dump($0)) })
  }

  private func change(_ action: String) throws -> UUID {
    try #require(try archive.changes().first { $0.action == action }).id
  }

  @Test func anUndoneSyncDeletesNothingInTheFile() throws {
    try link()
    try sync()
    let before = try dump()
    test.clock.advance(seconds: 60)
    _ = try archive.undo(try change("sync"))
    #expect(try archive.goals().isEmpty)
    let report = try sync()
    #expect(report.pushed.isEmpty && report.conflicts.isEmpty, "\(report.json.text())")
    #expect(try dump() == before)
    // What is in the file is in the archive again.
    #expect(try archive.goals().count == 2 && archive.terms().count == 1)
    #expect(try archive.activity(second)?.text == "read")
    #expect(try archive.assignments().count == 1)
    #expect(try sync().isQuiet)
    #expect(try dump() == before)
  }

  @Test func anUndoneImportDeletesNothingInTheFile() throws {
    let run = try test.importing(database)
    try link()
    try sync()
    let before = try dump()
    test.clock.advance(seconds: 60)
    let undone = try archive.undo(try archive.importRun(matching: run.id.uuidString).changeID)
    #expect(try archive.goals().isEmpty)
    let report = try sync()
    #expect(report.pushed.isEmpty && report.conflicts.isEmpty, "\(report.json.text())")
    #expect(try dump() == before)
    #expect(try archive.goals().count == 2 && archive.terms().count == 1)
    #expect(try archive.contributions(ofAction: second).isEmpty)
    #expect(try sync().isQuiet)
    #expect(try dump() == before)
    // Bringing the import again beside that doubles nothing.
    _ = try? archive.undo(undone.change.id)
    #expect(try archive.goals().count == 2)
    try sync()
    #expect(try dump() == before)
  }

  @Test func aSyncUndoneAfterChangesOnBothSidesLosesNeither() throws {
    try link()
    try sync()
    try database.run(
      "UPDATE goals SET friendly_name = 'Run far' WHERE id = '\(TenWeekDatabase.goal)'")
    try sync()
    #expect(try archive.entity(Goal.self, goal)?.title == "Run far")
    _ = try archive.undo()
    #expect(try archive.entity(Goal.self, goal)?.title == "Run 120 km")
    let report = try sync()
    // The undo is the newest word on it; nothing is deleted for it.
    #expect(report.pushed["deleted"] == nil && report.pulled["deleted"] == nil)
    #expect(try database.texts("SELECT id FROM goals").count == 2)
    let title = try archive.entity(Goal.self, goal)?.title
    #expect(
      try database.text(
        "SELECT friendly_name FROM goals WHERE id = '\(TenWeekDatabase.goal)'") == title)
    #expect(try sync().isQuiet)
  }

  private func deleteThere(_ at: String) throws {
    try database.run(
      """
      DELETE FROM actions WHERE id = '\(TenWeekDatabase.second)';
      INSERT INTO archive VALUES ('deleted-\(at)', 'actions', '\(TenWeekDatabase.second)', '{}',
        'delete', '\(at)', 'user', NULL);
      """)
  }

  @Test func aDeletionThereThatIsUndoneHereIsNotCarriedOutAgain() throws {
    try link()
    try sync()
    try deleteThere("2026-03-14T20:30:00Z")
    #expect(try sync().pulled["deleted"] == 1)
    #expect(try archive.activity(second) == nil)
    _ = try archive.undo()
    #expect(try archive.activity(second) != nil)
    let report = try sync()
    #expect(report.pulled["deleted"] == nil && report.pushed["new"] == 1)
    #expect(try archive.activity(second)?.text == "read")
    #expect(
      try database.texts("SELECT friendly_name FROM actions ORDER BY 1") == [
        "ran by the river", "read",
      ])
    #expect(try sync().isQuiet)
    // Deleting it there once more is a new decision.
    try deleteThere("2026-03-14T23:30:00Z")
    #expect(try sync().pulled["deleted"] == 1)
    #expect(try archive.activity(second) == nil)
  }

  @Test func aDeletionHereThatIsUndoneIsNotCarriedOutAgain() throws {
    try link()
    try sync()
    test.clock.advance(seconds: 60)
    let deletion = try #require(try archive.delete(Goal.self, goal).change).id
    #expect(try sync().pushed["deleted"] != nil)
    #expect(try database.texts("SELECT friendly_name FROM goals") == ["Read more"])
    test.clock.advance(seconds: 60)
    _ = try archive.undo(deletion)
    let report = try sync()
    #expect(report.pulled["deleted"] == nil && report.pushed["deleted"] == nil)
    #expect(try archive.goals().count == 2)
    #expect(try archive.assignments().count == 1)
    #expect(try archive.contributions(toGoal: goal).map(\.contribution.matchMethod) == [.manual])
    #expect(
      try database.texts("SELECT friendly_name FROM goals ORDER BY 1") == [
        "Read more", "Run 120 km",
      ])
    #expect(try database.texts("SELECT goal_uuid FROM term_goal_assignments").count == 1)
    #expect(try database.texts("SELECT goal_id FROM action_goal_progress").count == 1)
    #expect(try sync().isQuiet)
  }

  @Test func relationsOfRowsThatCannotBeReadAreWrittenOut() throws {
    try database.run(
      """
      UPDATE actions SET measurement_units_by_amount = '{broken'
      WHERE id = '\(TenWeekDatabase.action.lowercased())';
      UPDATE goals SET measurement_target = -5 WHERE id = '\(TenWeekDatabase.goal)';
      """)
    let run = try test.importing(database)
    #expect(run.skipped > 0)
    #expect(try archive.goals().map(\.title) == ["Read more"])
    #expect(try archive.assignments().isEmpty)
    let url = test.folder.url.appendingPathComponent("out.db")
    _ = try ExportJob(archive: archive).writeTenWeek(to: url, variant: nil, homeZone: test.zone)
    let out = try TenWeekDatabase(url)
    for table in ["goals", "term_goal_assignments", "action_goal_progress", "terms"] {
      #expect(try out.dump(table) == database.dump(table), "\(table)")
    }
    #expect(
      try out.text(
        "SELECT measurement_units_by_amount FROM actions WHERE mood_colour = 'blue'") == "{broken")
  }

  @Test func relationsOfRowsThatCannotBeReadStayInTheLinkedFile() throws {
    try link()
    try sync()
    try database.run("UPDATE goals SET measurement_target = -5 WHERE id = '\(goal.uuidString)'")
    let before = try dump()
    let report = try sync()
    #expect(report.warnings.contains { $0.place.contains(goal.uuidString) })
    #expect(report.pushed.isEmpty && report.pulled.isEmpty, "\(report.json.text())")
    #expect(try dump() == before)
    // What is read of it here is as it was.
    #expect(try archive.entity(Goal.self, goal)?.measurementTarget == 120)
    try database.run("UPDATE goals SET measurement_target = 60 WHERE id = '\(goal.uuidString)'")
    #expect(try sync().pulled["changed"] == 1)
    #expect(try archive.entity(Goal.self, goal)?.measurementTarget == 60)
  }
}

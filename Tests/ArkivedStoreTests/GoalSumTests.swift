import ArkivedCore
import ArkivedTestSupport
import Foundation
import GRDB
import Testing

@testable import ArkivedStore

/// What days gave to goals is kept; it has to be what the matches say after whatever happens.
@Suite("Kept sums of goals")
struct GoalSumTests {
  private let test: TestArchive
  private var archive: Archive { test.archive }

  init() throws { test = try TestArchive() }

  private func goal(
    _ title: String, _ unit: String, from start: DayKey? = nil, to end: DayKey? = nil
  ) throws -> Goal {
    try archive.create(
      Goal(
        id: archive.identities.next(), title: title, logTime: test.clock.now,
        measurementUnit: unit, measurementTarget: 100, startDate: start, targetDate: end,
        createdAt: test.clock.now, updatedAt: test.clock.now)
    ).value
  }

  /// The kept sums are those of a whole scan, day by day; sums of other orders differ in the last
  /// digits at most.
  private func expectRight(
    _ what: String, unsettled: Int = 0, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let kept = try archive.dayTotals()
    let (found, open) = try archive.read { db in
      (
        try GoalSums.addedUp(ofGoals: nil, nil, db),
        try GoalSums.unsettled(among: nil, db).count
      )
    }
    func rounded(_ totals: [UUID: [DayTotal]]) -> [UUID: [String]] {
      totals.mapValues { days in
        days.map { "\($0.day) \(($0.total * 1e9).rounded()) \($0.actions)" }
      }
    }
    #expect(rounded(kept) == rounded(found), "\(what)", sourceLocation: sourceLocation)
    #expect(open == unsettled, "\(what)", sourceLocation: sourceLocation)
    let finding = try archive.goalSums()
    #expect(finding?.verdict != .problem, "\(what)", sourceLocation: sourceLocation)
  }

  @Test func theyFollowWhateverIsWrittenUndoneAndDecided() throws {
    var random = SplitMix(seed: 20_260_314)
    let goals = [
      try goal("Run", "km"),
      try goal(
        "Read", "pages", from: DayKey("2026-03-02"),
        to: DayKey("2026-03-12")),
      try goal("Walk", "miles"),
    ]
    var entries: [UUID] = []
    func day() -> String { "2026-03-\(String(format: "%02d", 1 + random.next(14)))" }
    func measures() -> [String: Double] {
      [["km", "pages", "miles"][random.next(3)]: Double(1 + random.next(999)) / 10]
    }
    for step in 0..<160 {
      test.clock.advance(seconds: 60)
      let entry = entries.isEmpty ? nil : entries[random.next(entries.count)]
      switch (random.next(10), entry) {
      case (0...3, _), (_, nil):
        entries.append(try test.add("moved \(step)", on: day(), measurements: measures()).id)
      case (4, let id?):
        let key = try #require(DayKey(day()))
        _ = try? archive.updateActivity(id) { $0.dayKey = key }
      case (5, let id?):
        let amounts = measures()
        _ = try? archive.updateActivity(id) { $0.measurements = amounts }
      case (6, let id?): _ = try? archive.deleteActivities([id])
      case (7, let id?):
        _ = try? archive.link(action: id, goal: goals[random.next(3)].id, amount: 2.5)
      case (8, let id?): _ = try? archive.unlink(action: id, goal: goals[random.next(3)].id)
      default: _ = try? archive.undo()
      }
      if step.isMultiple(of: 20) { try expectRight("step \(step)") }
    }
    try expectRight("the end")
    _ = try archive.update(Goal.self, goals[0].id) { $0.measurementUnit = "miles" }
    try expectRight("another unit")
    _ = try archive.delete(Goal.self, goals[2].id)
    try expectRight("a goal less")
    _ = try archive.undo()
    try expectRight("a goal again")
    try archive.rebuildGoalSums()
    try expectRight("made anew")
  }

  @Test func anImportCountsWhenItIsSeenAndNotWhenItIsTakenBack() throws {
    let today = try #require(DayKey("2026-03-14"))
    let run = try goal("Run", "km")
    try test.add("run", on: "2026-03-10", measurements: ["km": 5])
    let stage = try ImportStage(archive, "import", "Imported", waitsSeconds: 0)
    let activity = try test.activity("run more", on: "2026-03-10", measurements: ["km": 7])
    try stage.write { scope, _ in try scope.insert(activity) }
    try expectRight("staged")
    #expect(try archive.progress(of: [run], today: today)[run.id]?.total == 5)
    try stage.publish { _ in }
    try expectRight("published", unsettled: 1)
    #expect(try archive.progress(of: [run], today: today)[run.id]?.total == 12)
    try archive.settleGoalSums()
    try expectRight("settled")
    let undo = try archive.undo(stage.change.id).change
    try expectRight("undone")
    #expect(try archive.progress(of: [run], today: today)[run.id]?.total == 5)
    _ = try archive.undo(undo.id)
    try expectRight("brought again")
    #expect(try archive.progress(of: [run], today: today)[run.id]?.total == 12)
  }

  @Test func whatAnEntryCountsTowardIsToldFromThem() throws {
    let today = try #require(DayKey("2026-03-14"))
    let run = try goal("Run", "km")
    for amount in [0.1, 0.2, 0.7] { try test.add("run", measurements: ["km": amount]) }
    let entry = try test.add("run", measurements: ["km": 40.5])
    let credit = try #require(
      try archive.countsToward(action: entry.id, today: today).first)
    #expect(credit.goalID == run.id && abs(credit.total - 41.5) < 1e-9)
    try archive.writer.write { try $0.execute(sql: "DELETE FROM goal_sums") }
    let again = try archive.countsToward(
      action: entry.id, today: today
    ).first
    #expect(again.map { abs($0.total - 41.5) < 1e-9 } == true)
  }

  @Test func theCheckTellsSumsThatAreWrongAndTheyAreMadeAnew() throws {
    _ = try goal("Run", "km")
    try test.add("run", measurements: ["km": 5])
    try archive.writer.write { try $0.execute(sql: "UPDATE goal_days SET total = 6") }
    #expect(try archive.goalSums()?.verdict == .problem)
    try archive.rebuildGoalSums()
    #expect(try archive.goalSums()?.verdict == .good)
  }

  @Test func nothingOfALifeIsAddedUpToTellThem() throws {
    let id = try goal("Run", "km").id
    try test.add("run", measurements: ["km": 5])
    let plans = try archive.read { db in
      try Row.fetchAll(
        db,
        sql: """
          EXPLAIN QUERY PLAN SELECT goal.id, sum(one.total) FROM goal_rows AS goal
          JOIN goal_sums ON goal_sums.goal_pk = goal.pk
          CROSS JOIN goal_days AS one ON one.goal_pk = goal.pk
          WHERE goal.id = ? AND one.day_key <= '2026-03-14' GROUP BY goal.pk
          """, arguments: [id.uuidString]
      ).map { $0["detail"] as String }
    }
    let search = "SEARCH one USING PRIMARY KEY (goal_pk=? AND day_key<?"
    #expect(plans.contains { $0.hasPrefix(search) })
  }
}

/// Numbers that are the same in every run.
private struct SplitMix {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  /// From 0 up to `bound`, which is not among them.
  mutating func next(_ bound: Int) -> Int {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return Int((mixed ^ (mixed >> 31)) % UInt64(bound))
  }
}

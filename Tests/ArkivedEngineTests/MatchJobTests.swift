import ArkivedCore
import ArkivedEngine
import ArkivedSearch
import ArkivedStore
import ArkivedTestSupport
import Foundation
import Testing

@Suite("Looking for matches")
struct MatchJobTests {
  private func goal(
    _ test: TestArchive, _ title: String, _ unit: String?, _ hints: String? = nil,
    from: String? = nil, to: String? = nil
  ) throws -> Goal {
    try test.archive.create(
      Goal(
        id: test.archive.identities.next(), title: title, measurementUnit: unit,
        startDate: from.flatMap(DayKey.init), targetDate: to.flatMap(DayKey.init),
        howGoalIsActionable: hints, createdAt: test.clock.now, updatedAt: test.clock.now)
    ).value
  }

  /// Every match as "action → goal: amount, confidence", in order.
  private func matches(_ test: TestArchive) throws -> [String] {
    var lines: [String] = []
    for goal in try test.archive.goals() {
      for link in try test.archive.contributions(toGoal: goal.id, limit: 10_000) {
        lines.append(
          "\(link.action.id) \(goal.id) \(link.contribution.contribution) "
            + "\(link.contribution.confidence)")
      }
    }
    for link in try test.archive.waitingMatches(limit: 10_000) {
      lines.append(
        "\(link.action.id) \(link.goal.id) \(link.contribution.contribution) "
          + "\(link.contribution.confidence)")
    }
    return lines.sorted()
  }

  @Test func whatIsKeptIsAlwaysWhatTheRulesSay() throws {
    let test = try TestArchive()
    var random = SeededNumbers(seed: 7)
    let hints = #"{"units":["km","minutes"],"keywords":["run","walk"]}"#
    let goals = [
      try goal(test, "Run", "km", hints), try goal(test, "All km", "km"),
      try goal(test, "Minutes", "hours", from: "2026-02-01", to: "2026-03-01"),
      try goal(test, "Walks", "times", #"{"keywords":["walk"]}"#, from: "2026-01-20"),
      try goal(test, "By hand", nil),
    ]
    var actions: [UUID] = []
    func measurements() -> [String: Double] {
      [
        [:], ["km": Double(random.next(10))], ["miles": 2], ["distance_km": 3],
        ["minutes": 30, "km": 4], ["pages": 20],
      ][random.next(6)]
    }
    let texts = ["ran home", "a walk", "read", "walking the dog", "brunch"]
    for step in 0..<160 {
      test.clock.advance(seconds: 60)
      let day = DayKey(clamping: 20_460 + random.next(70)).description
      switch random.next(8) {
      case 0...3:
        let text = texts[random.next(texts.count)]
        let measured = measurements()
        actions.append(
          try test.add(
            text, on: day, from: step % 3 == 0 ? "10:00" : nil, to: step % 3 == 0 ? "10:40" : nil,
            measurements: measured
          ).id)
      case 4 where !actions.isEmpty:
        let measured = measurements()
        let text = texts[random.next(texts.count)]
        _ = try? test.archive.updateActivity(actions[random.next(actions.count)]) {
          $0.measurements = measured
          $0.text = text
        }
      case 5 where !actions.isEmpty:
        _ = try? test.archive.deleteActivities([actions[random.next(actions.count)]])
      case 6: _ = try? test.archive.undo()
      default:
        let unit = ["km", "miles", "minutes"][random.next(3)]
        _ = try? test.archive.update(Goal.self, goals[random.next(2)].id) {
          $0.measurementUnit = unit
        }
      }
      let kept = try matches(test)
      let report = try test.archive.inferContributions()
      #expect(report.added == 0 && report.changed == 0 && report.removed == 0, "step \(step)")
      #expect(try matches(test) == kept)
    }
    #expect(try matches(test).count > 20)
    #expect(try test.archive.examine().allSatisfy { $0.verdict == .good })
  }

  @Test func aReportCountsActionsAndNamesBrokenHints() throws {
    let test = try TestArchive()
    _ = try goal(test, "Run", "km", "whenever")
    try test.add("ran", measurements: ["km": 5])
    try test.add("out", measurements: ["distance_km": 5])
    try test.add("read", measurements: ["pages": 5])
    try test.add("nothing measured")
    let report = try test.archive.inferContributions()
    #expect(report.matched == 1 && report.ambiguous == 1)
    #expect(report.analysed == report.matched + report.ambiguous + report.unmatched)
    #expect(report.warnings.count == 1 && report.warnings[0].hasPrefix("Run: "))
    #expect(throws: ArchiveError.self) { try test.archive.inferContributions(goals: [UUID()]) }
  }

  @Test func amountsTheOwnerToldFollowTheGoalsUnit() throws {
    let test = try TestArchive()
    let run = try goal(test, "Run", "km")
    let action = try test.add("went round the lake")
    try test.archive.link(action: action.id, goal: run.id, amount: 1.609344)
    _ = try test.archive.update(Goal.self, run.id) { $0.measurementUnit = "miles" }
    let link = try #require(try test.archive.contributions(ofAction: action.id).first)
    #expect(abs(link.contribution.contribution - 1) < 1e-9)
    _ = try test.archive.undo()
    let back = try #require(try test.archive.contributions(ofAction: action.id).first)
    #expect(abs(back.contribution.contribution - 1.609344) < 1e-9)
  }

  @Test func amountsTheOwnerToldStayWhereTheActionMeasuresSomethingElse() throws {
    let test = try TestArchive()
    let run = try goal(test, "Run", "km")
    let action = try test.add("ran, and walked home", measurements: ["km": 5])
    try test.archive.link(action: action.id, goal: run.id, amount: 4)
    func told() throws -> Double? {
      try test.archive.contributions(ofAction: action.id).first?.contribution.contribution
    }
    let end = try #require(DayKey("2026-12-31"))
    _ = try test.archive.update(Goal.self, run.id) { $0.targetDate = end }
    #expect(try told() == 4)
    _ = try test.archive.update(Goal.self, run.id) { $0.measurementUnit = "m" }
    #expect(try told() == 4_000)
    _ = try test.archive.update(Goal.self, run.id) { $0.measurementUnit = "km" }
    try test.archive.link(action: action.id, goal: run.id)
    _ = try test.archive.update(Goal.self, run.id) { $0.measurementUnit = "m" }
    #expect(try told() == 5_000)
  }

  @Test func aLinkWithoutAMeasureNeedsAnAmount() throws {
    let test = try TestArchive()
    let run = try goal(test, "Run", "km")
    let times = try goal(test, "Call", nil)
    let action = try test.add("went round the lake")
    #expect(throws: FieldError.self) { try test.archive.link(action: action.id, goal: run.id) }
    #expect(throws: FieldError.self) {
      try test.archive.link(action: action.id, goal: run.id, amount: -1)
    }
    #expect(try test.archive.link(action: action.id, goal: times.id).value.contribution == 1)
    #expect(try test.archive.contributions(ofAction: action.id).count == 1)
    try test.archive.unlink(action: action.id, goal: times.id)
    #expect(try test.archive.contributions(ofAction: action.id).isEmpty)
  }

  @Test(.enabled(if: IndexJobTests.hasModel, "the model is not installed"))
  func whatMeansTheSameIsProposedAndNeverCountsByItself() async throws {
    let test = try TestArchive()
    let yoga = try goal(
      test, "Yoga 300 minutes", "minutes", #"{"units":["minutes"],"keywords":["yoga"]}"#)
    let stretch = try test.add(
      "stretched my back on the mat", measurements: ["minutes": 30])
    try test.add("tax return", measurements: ["minutes": 90])
    try test.add("stretched without a watch")
    // Notes about it are many, and closer.
    for number in 0..<130 {
      try test.archive.create(
        Note(
          id: test.archive.identities.next(), title: "Yoga \(number)",
          text: "yoga on the mat for 300 minutes", createdAt: test.clock.now,
          updatedAt: test.clock.now))
    }
    let indexes = SearchIndexes(
      test.archive, model: EmbeddingModelFolder(environment: ProcessInfo.processInfo.environment))
    _ = try await IndexJob(test.archive, indexes).run()
    let job = MatchJob(archive: test.archive, zone: test.zone, indexes: indexes)
    #expect(try job.run().proposed == 1)
    let waiting = try test.archive.waitingMatches()
    #expect(waiting.map(\.action.id) == [stretch.id])
    let match = try #require(waiting.first?.contribution)
    #expect(match.confidence <= 0.6 && match.contribution == 30)
    #expect(try test.archive.contributions(toGoal: yoga.id).isEmpty)
    #expect(try job.run().proposed == 0)
    try test.archive.decide([match.id], .userRejected)
    #expect(try job.run().proposed == 0)
    #expect(try test.archive.waitingMatches().isEmpty)
  }
}

/// Numbers that are the same in every run (SplitMix64).
private struct SeededNumbers {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next(_ limit: Int) -> Int {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return Int((value ^ (value >> 31)) % UInt64(limit))
  }
}

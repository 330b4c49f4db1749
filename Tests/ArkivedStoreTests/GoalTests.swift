import ArkivedCore
import ArkivedStore
import ArkivedTestSupport
import Foundation
import Testing

@Suite("Goals, values, terms and what counts towards them")
struct GoalTests {
  let test: TestArchive
  var archive: Archive { test.archive }
  let today = DayKey(year: 2026, month: 3, day: 14) ?? .earliest

  init() throws { test = try TestArchive() }

  private func goal(
    _ title: String, _ unit: String? = nil, _ target: Double? = nil, hints: String? = nil,
    from start: String? = nil, to end: String? = nil
  ) throws -> Goal {
    let goal = Goal(
      id: archive.identities.next(), title: title, measurementUnit: unit,
      measurementTarget: target, startDate: start.flatMap(DayKey.init),
      targetDate: end.flatMap(DayKey.init), howGoalIsActionable: hints,
      createdAt: test.clock.now, updatedAt: test.clock.now)
    return try archive.create(goal).value
  }

  private func progress(_ goal: Goal) throws -> GoalProgress {
    try #require(try archive.progress(of: [goal], today: today)[goal.id])
  }

  @Test func anActionCountsTheMomentItIsWritten() throws {
    let run = try goal("Run 120 km", "km", 120, from: "2026-01-01", to: "2026-12-31")
    let action = try test.add("ran by the river", measurements: ["km": 5])
    try test.add("ran long ago", on: "2025-12-31", measurements: ["km": 7])
    try test.add("rode to work", measurements: ["miles": 10])
    let progress = try progress(run)
    #expect(abs(progress.total - 21.09344) < 1e-9)
    #expect(progress.actions == 2)
    let links = try archive.contributions(ofAction: action.id)
    #expect(links.map(\.goal.id) == [run.id])
    #expect(links.first?.contribution.confidence == 0.8)
    #expect(links.first?.contribution.matchMethod == .autoInferred)
  }

  @Test func aGoalFindsWhatWasDoneBeforeItWasSet() throws {
    try test.add("yoga in the park", measurements: ["minutes": 30])
    try test.add("wrote a chapter", measurements: ["minutes": 90])
    try test.add("evening", tags: ["yoga"], measurements: ["hours": 0.5])
    let yoga = try goal(
      "Yoga", "minutes", 300, hints: #"{"units":["minutes"],"keywords":["yoga"]}"#)
    #expect(try progress(yoga).total == 60)
    let links = try archive.contributions(toGoal: yoga.id)
    #expect(links.map(\.contribution.confidence) == [0.9, 0.9])
  }

  @Test func matchesFollowTheirActionAndTheirGoal() throws {
    let run = try goal("Run", "km", 100)
    let action = try test.add("ran", measurements: ["km": 5])
    _ = try archive.updateActivity(action.id) { $0.measurements = ["km": 8] }
    #expect(try progress(run).total == 8)
    _ = try archive.undo()
    #expect(try progress(run).total == 5)
    let changed = try archive.update(Goal.self, run.id) { $0.measurementUnit = "miles" }.value
    #expect(abs(try progress(changed).total - 5 / 1.609344) < 1e-9)
    _ = try archive.undo()
    #expect(try progress(run).total == 5)
    _ = try archive.deleteActivities([action.id])
    #expect(try progress(run).total == 0)
    _ = try archive.undo()
    #expect(try progress(run).total == 5)
  }

  @Test func whatOnlyMayCountWaitsUntilItIsDecided() throws {
    let run = try goal("Run", "km", 100)
    try test.add("out", measurements: ["distance_km": 4])
    try test.add("out again", measurements: ["distance_km": 6])
    #expect(try progress(run).total == 0 && progress(run).waiting == 2)
    let waiting = try archive.waitingMatches()
    #expect(waiting.map(\.contribution.confidence) == [0.6, 0.6])
    try archive.decide([waiting[0].contribution.id], .userConfirmed)
    try archive.decide([waiting[1].contribution.id], .userRejected)
    #expect(try archive.waitingMatches().isEmpty)
    let counted = waiting[0].contribution.contribution
    #expect(try progress(run).total == counted)
    let report = try archive.inferContributions()
    #expect(report.added == 0 && report.changed == 0 && report.removed == 0)
    #expect(try progress(run).total == counted)
    // Undo brings both back to the list, one after the other.
    _ = try archive.undo()
    #expect(try archive.waitingMatches().count == 1)
  }

  @Test func deletingAGoalTakesItsRelationsAlongAndUndoBringsThemBack() throws {
    let run = try goal("Run", "km", 100)
    let action = try test.add("walk", measurements: ["steps": 4000])
    try archive.link(action: action.id, goal: run.id, amount: 3)
    let value = try archive.create(
      PersonalValue(
        id: archive.identities.next(), title: "Health", createdAt: test.clock.now,
        updatedAt: test.clock.now)
    ).value
    try archive.create(
      GoalValueAlignment(
        id: archive.identities.next(), goalID: run.id, valueID: value.id, strength: 8,
        createdAt: test.clock.now, updatedAt: test.clock.now))
    let before = try (
      archive.alignments(), archive.contributions(ofAction: action.id).map(\.contribution)
    )
    try archive.delete(Goal.self, run.id)
    #expect(try archive.goals().isEmpty)
    #expect(try archive.alignments().isEmpty)
    #expect(try archive.contributions(ofAction: action.id).isEmpty)
    _ = try archive.undo()
    #expect(try archive.goals().count == 1)
    #expect(try archive.alignments().map(\.id) == before.0.map(\.id))
    #expect(
      try archive.contributions(ofAction: action.id).map(\.contribution.id) == before.1.map(\.id))
    #expect(try progress(run).total == 3)
  }

  @Test func twoTermsCannotHaveOneNumber() throws {
    func term(_ number: Int) -> Term {
      Term(
        id: archive.identities.next(), termNumber: number, startDate: today,
        createdAt: test.clock.now, updatedAt: test.clock.now)
    }
    try archive.create(term(1))
    #expect(throws: FieldError("termNumber", "is 1, but another term already has that number")) {
      try archive.create(term(1))
    }
    try archive.create(term(2))
    #expect(try archive.term(named: "2", today: today).termNumber == 2)
    #expect(try archive.term(named: "current", today: today).termNumber == 2)
  }

  @Test func twoWhoCommitAtOnceGetPlacesOfTheirOwn() async throws {
    let term = try archive.create(
      Term(
        id: archive.identities.next(), termNumber: 1, startDate: today,
        createdAt: test.clock.now, updatedAt: test.clock.now)
    ).value
    let goals = try (0..<24).map { try goal("Goal \($0)") }
    let archives = [archive, try test.another()]
    try await withThrowingTaskGroup(of: Void.self) { group in
      for (index, goal) in goals.enumerated() {
        let archive = archives[index % 2]
        group.addTask {
          _ = try archive.write(by: .owner, "commit", "Committed") { scope in
            try scope.commit(to: [goal.id], inTerm: term.id)
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try archive.assignments().map(\.order) == Array(1...24))
    // Who is there already stays, or is moved where a place is named.
    let first = try #require(try archive.assignments().first).goalID
    let (stays, moved) = try archive.write(by: .owner, "commit", "Committed") { scope in
      (
        try scope.commit(to: [first], inTerm: term.id),
        try scope.commit(to: [first], inTerm: term.id, order: 30)
      )
    }.value
    #expect(stays.isEmpty && moved.map(\.order) == [24])
    #expect(try archive.assignments().last?.goalID == first)
    #expect(try archive.assignments().map(\.order) == Array(1...24))
  }

  @Test func plansAreInNoTotalOfWhatAnActionCountsTowards() throws {
    let run = try goal("Run", "km", 100)
    let done = try test.add("ran", measurements: ["km": 5])
    let plan = try test.add("will run", on: "2026-04-01", measurements: ["km": 20])
    // A day ahead may be today elsewhere.
    let ahead = try test.add("ran in Tokyo", on: "2026-03-15", measurements: ["km": 1])
    let credits = try [done, plan, ahead].map {
      try #require(try archive.countsToward(action: $0.id, today: today).first)
    }
    #expect(credits.map(\.total) == [6, 6, 6])
    #expect(credits.map(\.isPlanned) == [false, true, false])
    #expect(try progress(run).total == 6 && progress(run).planned == 20)
  }

  @Test func aLinkToWhatIsNotThereIsRefused() throws {
    let stranger = UUID()
    #expect(throws: FieldError.self) {
      try archive.create(
        GoalValueAlignment(
          id: UUID(), goalID: stranger, valueID: stranger, createdAt: test.clock.now,
          updatedAt: test.clock.now))
    }
    #expect(try archive.alignments().isEmpty)
  }
}

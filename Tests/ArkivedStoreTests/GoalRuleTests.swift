import ArkivedCore
import ArkivedStore
import ArkivedTestSupport
import Foundation
import Testing

@Suite("The rules of goals and values that hold for every face")
struct GoalRuleTests {
  let test: TestArchive
  var archive: Archive { test.archive }
  let goal: Goal
  let value: PersonalValue

  init() throws {
    test = try TestArchive()
    let (archive, now) = (test.archive, test.clock.now)
    goal = try archive.create(
      Goal(
        id: archive.identities.next(), title: "Run", measurementUnit: "km", createdAt: now,
        updatedAt: now)
    ).value
    value = try archive.create(
      PersonalValue(
        id: archive.identities.next(), title: "Health", createdAt: now, updatedAt: now)
    ).value
  }

  private func alignment() -> GoalValueAlignment {
    GoalValueAlignment(
      id: archive.identities.next(), goalID: goal.id, valueID: value.id,
      createdAt: test.clock.now, updatedAt: test.clock.now)
  }

  @Test func aValueThatGoalsServeDoesNotBecomeALifeArea() throws {
    let link = try archive.create(alignment()).value
    func turn() throws -> Saved<PersonalValue> {
      try archive.update(PersonalValue.self, value.id) { $0.incentiveType = .lifeArea }
    }
    #expect(
      throws: FieldError(
        "incentiveType", "can’t be a life area while goals are linked to it. Unlink the goals first"
      )
    ) { try turn() }
    #expect(try archive.values().map(\.incentiveType) == [.general])
    try archive.delete(GoalValueAlignment.self, link.id)
    #expect(try turn().value.incentiveType == .lifeArea)
    // Its other fields can still be changed.
    _ = try archive.update(PersonalValue.self, value.id) { $0.notes = "where I live" }
  }

  @Test func whatAnotherDeviceWroteIsStoredUnchanged() throws {
    _ = try archive.update(PersonalValue.self, value.id) { $0.incentiveType = .lifeArea }
    let link = alignment()
    #expect(throws: FieldError.self) { try archive.create(link) }
    _ = try archive.write(by: Author(rawValue: "device"), "devices", "") { scope in
      try scope.insert(link as any RecordedEntity)
    }
    #expect(try archive.alignments().map(\.id) == [link.id])
  }

  @Test("A whole day is no time that counts toward a goal, whether the day or the goal came first")
  func wholeDays() throws {
    func hours(_ title: String) throws -> Goal {
      try archive.create(
        Goal(
          id: archive.identities.next(), title: title, measurementUnit: "hours",
          createdAt: test.clock.now, updatedAt: test.clock.now)
      ).value
    }
    let first = try hours("Yoga")
    var retreat = try test.activity("retreat", from: "00:00")
    retreat.endAt = test.zone.start(of: retreat.dayKey.advanced(by: 2))
    // A day of 23 hours.
    var spring = try test.activity("fair", on: "2026-03-29", from: "00:00")
    spring.endAt = test.zone.start(of: spring.dayKey.advanced(by: 1))
    for entry in [retreat, spring] { _ = try archive.add(entry) }
    try test.add("yoga", from: "09:00", to: "10:30")
    let second = try hours("More yoga")
    func totals() throws -> [Double?] {
      let today = try #require(DayKey("2026-04-01"))
      let progress = try archive.progress(of: [first, second], today: today)
      return [progress[first.id]?.total, progress[second.id]?.total]
    }
    #expect(try totals() == [1.5, 1.5])
    let report = try archive.inferContributions()
    #expect(report.added == 0 && report.removed == 0)
    // A duration that was entered counts.
    _ = try archive.updateActivity(retreat.id) { $0.durationMinutes = 240 }
    #expect(try totals() == [5.5, 5.5])
    #expect(try archive.inferContributions().removed == 0)
  }

  @Test func editsOfAnOlderVersionAreRefusedAsAWhole() throws {
    var mine = goal
    mine.title = "Run far"
    var edits = GoalSideEdits()
    edits.changed.append(mine)
    edits.added.append(alignment())
    let wanted = edits
    test.clock.advance(seconds: 60)
    let theirs = try archive.update(Goal.self, goal.id) { $0.notes = "with Sam" }.value
    #expect(
      throws: ArchiveError.conflict(
        "This goal has been changed elsewhere since you opened it. Load it again.")
    ) { try archive.apply(wanted, action: "edit", "Changed the goal") }
    #expect(try archive.goals() == [theirs] && archive.alignments().isEmpty)
    mine = theirs
    mine.title = "Run far"
    edits.changed = [mine]
    try archive.apply(edits, action: "edit", "Changed the goal")
    #expect(try archive.goals().map(\.title) == ["Run far"])
    #expect(try archive.goals().map(\.notes) == ["with Sam"])
  }

  @Test func aTermIsReviewedWithoutWhatIsPlanned() throws {
    let term = try archive.create(
      Term(
        id: archive.identities.next(), termNumber: 1,
        startDate: try #require(DayKey("2026-02-02")), createdAt: test.clock.now,
        updatedAt: test.clock.now)
    ).value
    try test.add("ran", on: "2026-03-10", measurements: ["km": 5])
    try test.add("baked", on: "2026-03-11", measurements: ["kg": 2])
    try test.add("race", on: "2026-04-01", measurements: ["km": 10])
    try test.add("bake sale", on: "2026-04-02", measurements: ["kg": 8])
    let review = try archive.review(of: term, today: try #require(DayKey("2026-03-14")))
    #expect(review.linkedActions == 1 && review.unlinkedActions == 1)
    #expect(review.unlinkedSample.map(\.text) == ["baked"])
    let earlier = try archive.review(of: term, today: try #require(DayKey("2026-01-01")))
    #expect(earlier.linkedActions == 0 && earlier.unlinkedActions == 0)
  }

  @Test(arguments: ["übung", "ÜBUNG", "Übung", "u\u{308}bung"])
  func actionsAreFoundInAnyCaseOfAnyLetter(text: String) throws {
    try test.add("ÜBUNG am Klavier", measurements: ["minutes": 20])
    try test.add("Übung 100%", measurements: ["minutes": 30])
    try test.add("Lesen", measurements: ["minutes": 40])
    let filter = ActionFilter(searchText: text)
    #expect(try archive.actions(filter).count == 2 && archive.countActions(filter) == 2)
    #expect(try archive.actions(ActionFilter(searchText: "0%")).map(\.text) == ["Übung 100%"])
  }

  @Test func aProposalThatWasUnlinkedIsNotMadeAgain() throws {
    let action = try test.add("a jog in the rain")
    let match = GoalMatch(contribution: 4, confidence: 0.5, matchedOn: [GoalMatch.meaning])
    #expect(try archive.propose([(action.id, match)], forGoal: goal.id) == 1)
    try archive.unlink(action: action.id, goal: goal.id)
    let links = try archive.contributions(ofAction: action.id).map(\.contribution)
    #expect(links.map(\.matchMethod) == [.userRejected])
    #expect(try archive.propose([(action.id, match)], forGoal: goal.id) == 0)
    _ = try archive.undo()
    #expect(try archive.waitingMatches().count == 1)
    // What the owner linked by hand is gone without a trace.
    try archive.link(action: action.id, goal: goal.id, amount: 4)
    try archive.unlink(action: action.id, goal: goal.id)
    #expect(try archive.contributions(ofAction: action.id).isEmpty)
  }

  @Test func aDecisionTakenBackLeavesWhatTheRulesFindNow() throws {
    _ = try archive.update(Goal.self, goal.id) {
      $0.howGoalIsActionable = GoalHints(units: ["km"], keywords: ["run"]).text
    }
    let (park, lake) = (
      try test.add("run in the park", measurements: ["km": 5]),
      try test.add("run by the lake", measurements: ["km": 7])
    )
    func total() throws -> Double? {
      let today = test.zone.dayKey(at: test.clock.now)
      return try archive.progress(of: [goal], today: today)[goal.id]?.total
    }
    let ids = try archive.contributions(toGoal: goal.id).map(\.contribution.id)
    let refused = try archive.decide(ids, .userRejected)
    #expect(try total() == 0)
    _ = try archive.updateActivity(park.id) { $0.text = "walk in the park" }
    _ = try archive.undo(refused.change?.id)
    #expect(try total() == 7)
    #expect(try archive.contributions(ofAction: park.id).isEmpty)
    #expect(
      try archive.contributions(ofAction: lake.id).map(\.contribution.matchMethod)
        == [.autoInferred])
    let report = try archive.inferContributions()
    #expect(report.added + report.changed + report.removed == 0)
  }

  @Test func anActionIsAddedWithItsLinksAsOneChange() throws {
    let call = try archive.create(
      Goal(
        id: archive.identities.next(), title: "Keep in touch", createdAt: test.clock.now,
        updatedAt: test.clock.now)
    ).value
    let action = try test.activity("ran to Mum", measurements: ["km": 5])
    let saved = try archive.add(action, linkedWith: [goal.id, call.id])
    #expect(saved.change?.summary == "Added “ran to Mum”")
    func links() throws -> [MatchMethod] {
      try archive.contributions(ofAction: action.id).map(\.contribution.matchMethod)
    }
    #expect(try links() == [.manual, .manual])
    _ = try archive.undo()
    #expect(try archive.activity(action.id) == nil && links().isEmpty)
    _ = try archive.undo(try archive.changes(limit: 1).first?.id)
    #expect(try archive.activity(action.id) != nil && links() == [.manual, .manual])
    // Without an amount, nothing is written.
    let count = try archive.counts().activities
    #expect(throws: FieldError.self) {
      try archive.add(try test.activity("rested"), linkedWith: [call.id, goal.id])
    }
    #expect(try archive.counts().activities == count)
  }
}

import ArkivedCore
import ArkivedEngine
import ArkivedStore
import ArkivedTestSupport
import Foundation
import Testing

@Suite("Goal packs")
struct GoalPackTests {
  let test: TestArchive
  var archive: Archive { test.archive }
  var job: GoalPackJob { GoalPackJob(archive: archive, homeZone: test.zone) }
  let goal: Goal
  let term: Term

  init() throws {
    test = try TestArchive()
    let now = test.clock.now
    let archive = test.archive
    goal = Goal(
      id: archive.identities.next(), title: "Run", measurementUnit: "km", measurementTarget: 50,
      startDate: DayKey("2026-01-05"), targetDate: DayKey("2026-03-15"), createdAt: now,
      updatedAt: now)
    term = Term(
      id: archive.identities.next(), termNumber: 3,
      startDate: try #require(DayKey("2026-01-05")), theme: "Winter", createdAt: now,
      updatedAt: now)
    let value = PersonalValue(
      id: archive.identities.next(), title: "Health", createdAt: now, updatedAt: now)
    try archive.create(goal)
    try archive.create(term)
    try archive.create(value)
    try archive.create(
      GoalValueAlignment(
        id: archive.identities.next(), goalID: goal.id, valueID: value.id, strength: 7,
        createdAt: now, updatedAt: now))
    try archive.create(
      TermGoalAssignment(
        id: archive.identities.next(), termID: term.id, goalID: goal.id, order: 1,
        createdAt: now, updatedAt: now))
    try test.add("ran", from: "09:00", to: "09:30", tags: ["sport"], measurements: ["km": 5])
  }

  private func file(_ pack: GoalPackDocument) throws -> URL {
    let url = test.folder.url.appendingPathComponent("run.json")
    try job.write(pack, to: url)
    return url
  }

  private func problem(_ text: String) throws -> String {
    let url = try test.folder.file("bad.json", text)
    let before = try archive.changes().count
    defer { #expect((try? archive.changes().count) == before) }
    do {
      _ = try job.open(try job.read(url))
      return ""
    } catch let error as FieldError {
      return error.description
    }
  }

  @Test func whatIsPackedOpensElsewhereAndOnce() throws {
    let url = try file(try job.pack(term, withActions: true))
    let text = try String(contentsOf: url, encoding: .utf8)
    #expect(text.hasPrefix("{\n  \"type\": \"arkived-goal-pack\",\n  \"version\": 1,"))
    let other = try TestArchive()
    let there = GoalPackJob(archive: other.archive, homeZone: other.zone)
    let opened = try there.open(try there.read(url))
    #expect(
      opened.created == [
        "goals": 1, "terms": 1, "values": 1, "alignments": 1, "assignments": 1, "actions": 1,
      ])
    #expect(try other.archive.goals() == [goal])
    #expect(try other.day("2026-03-14").activities.first?.tags == ["sport"])
    #expect(
      try other.archive.progress(of: [goal], today: goal.targetDate ?? .latest)[goal.id]?.total == 5
    )
    let changes = try other.archive.changes().count
    let again = try there.open(try there.read(url))
    #expect(again.created.isEmpty && again.updated == 0 && again.kept.isEmpty)
    #expect(try other.archive.changes().count == changes)
    // The same content is the same bytes.
    let term = try other.archive.term(named: "3", today: .latest)
    #expect(GoalPackJob.text(try there.pack(term, withActions: true)) == text)
  }

  @Test func aRefusedLinkStaysRefusedWhereThePackIsOpened() throws {
    let now = test.clock.now
    let walk = Goal(
      id: archive.identities.next(), title: "Walk", measurementUnit: "km", measurementTarget: 50,
      startDate: goal.startDate, targetDate: goal.targetDate, createdAt: now, updatedAt: now)
    try archive.create(walk)
    try archive.create(
      TermGoalAssignment(
        id: archive.identities.next(), termID: term.id, goalID: walk.id, order: 2, createdAt: now,
        updatedAt: now))
    let action = try #require(try test.day("2026-03-14").activities.first)
    try archive.unlink(action: action.id, goal: walk.id)
    let pack = try job.pack(term, withActions: true)
    #expect(pack.contributions.map(\.matchMethod) == [.userRejected])
    let url = try file(pack)
    let other = try TestArchive()
    let there = GoalPackJob(archive: other.archive, homeZone: other.zone)
    _ = try there.open(try there.read(url))
    let progress = try other.archive.progress(
      of: [goal, walk], today: try #require(goal.targetDate))
    #expect(progress[goal.id]?.total == 5 && progress[walk.id]?.total == 0)
    // A pack of one goal has no links to others.
    #expect(try job.pack(goal, withActions: true).contributions.isEmpty)
  }

  @Test func openedAsNewItStandsBesideTheOldAndMovesItsDates() throws {
    let url = try file(try job.pack(goal, withActions: true))
    let opened = try job.open(
      try job.read(url), asNew: true, from: DayKey("2027-01-04"))
    #expect(opened.created["goals"] == 1)
    let goals = try archive.goals()
    #expect(goals.count == 2 && Set(goals.map(\.id)).count == 2)
    let new = try #require(goals.first { $0.id != goal.id })
    #expect(new.startDate == DayKey("2027-01-04") && new.targetDate == DayKey("2027-03-14"))
    let terms = try archive.terms()
    #expect(terms.map(\.termNumber).sorted() == [3, 4])
    #expect(try archive.assignments().count == 2)
    let moved = try #require(try test.day("2027-03-13").activities.first)
    #expect(moved.startAt == Instant("2027-03-13T08:00:00Z"))
    _ = try archive.undo()
    #expect(try archive.goals().count == 1 && archive.terms().count == 1)
  }

  @Test func aRepeatedRequestOpensItOnce() throws {
    let url = try file(try job.pack(goal, withActions: true))
    let key = RequestKey(key: "k", requestHash: "h")
    let answers = try [0, 1].map { _ in
      try job.open(try job.read(url), asNew: true, once: key) { opened in
        KeptAnswer(status: 200, location: opened.change?.id.uuidString)
      }
    }
    #expect(answers[0] == answers[1] && answers[0].location != nil)
    #expect(try archive.goals().count == 2)
  }

  @Test func aPartOfTheDayStaysOneWhereDatesMove() throws {
    var morning = try test.activity("ran early", from: "06:00", measurements: ["km": 3])
    morning.dayPeriod = .morning
    try archive.add(morning)
    let url = try file(try job.pack(goal, withActions: true))
    _ = try job.open(try job.read(url), asNew: true, from: DayKey("2027-01-04"))
    let moved = try #require(
      try test.day("2027-03-13").activities.first { $0.text == "ran early" })
    #expect(moved.dayPeriod == .morning && moved.startAt == Instant("2027-03-13T05:00:00Z"))
  }

  @Test func aWholeDayStaysOneWhereClocksAreChanged() throws {
    var fair = try test.activity("fair", on: "2026-03-15", from: "00:00", measurements: ["km": 3])
    fair.endAt = test.zone.start(of: fair.dayKey.advanced(by: 1))
    try archive.add(fair)
    let url = try file(try job.pack(goal, withActions: true))
    _ = try job.open(try job.read(url), asNew: true, from: DayKey("2027-01-18"))
    let moved = try #require(try test.day("2027-03-28").activities.first)
    #expect(moved.isAllDay && moved.endAt == Instant("2027-03-28T22:00:00Z"))
  }

  @Test func errorsNameThePathAndNothingIsOpened() throws {
    let json = try job.pack(goal, withActions: false).json
    func changed(_ edit: (inout JSONObject) -> Void) throws -> String {
      var object = try #require(json.object)
      edit(&object)
      return try problem(JSON.object(object).text())
    }
    func edited(_ list: String, _ key: String, _ value: JSON?) throws -> String {
      try changed { object in
        guard var elements = object[list]?.array, var element = elements[0].object else { return }
        element[key] = value
        elements[0] = .object(element)
        object[list] = .array(elements)
      }
    }
    #expect(try changed { $0["version"] = 2 }.hasPrefix("version is 2,"))
    #expect(try changed { $0["type"] = "other" }.hasPrefix("type must be"))
    #expect(try changed { $0["extra"] = 1 } == "extra isn’t a field of a goal pack")
    #expect(try edited("goals", "colour", "red").hasPrefix("goals[0].colour isn’t a field"))
    #expect(
      try edited("goals", "measurementTarget", -3).hasPrefix("goals[0].measurementTarget is -3"))
    #expect(try edited("goals", "id", nil).hasPrefix("goals[0].id is missing"))
    #expect(
      try edited("alignments", "valueId", "99999999-9999-4999-8999-999999999999")
        .contains(
          "alignments[0].valueId is 99999999-9999-4999-8999-999999999999, which isn’t among"))
    #expect(
      try edited("alignments", "valueId", .string(goal.id.uuidString))
        .contains("alignments[0].valueId points to goals[0]"))
    #expect(
      try edited("assignments", "goalId", json["assignments"]?.array?.first?["id"])
        .contains("points to the relation itself"))
    #expect(try problem("{\"type\": ").contains("isn’t valid JSON"))
    #expect(try problem("[]").contains("must contain an object"))
  }

  @Test func aRuleOfTheArchiveThatRefusesOnePartRefusesAll() throws {
    let url = try file(try job.pack(term, withActions: false))
    let other = try TestArchive()
    try other.archive.create(
      Term(
        id: UUID(), termNumber: 3, startDate: try #require(DayKey("2025-01-01")),
        createdAt: other.clock.now, updatedAt: other.clock.now))
    let there = GoalPackJob(archive: other.archive, homeZone: other.zone)
    #expect {
      try there.open(try there.read(url))
    } throws: { error in
      (error as? FieldError)?.field == "terms[0].termNumber"
    }
    #expect(try other.archive.goals().isEmpty && other.archive.values().isEmpty)
  }

  @Test func aFileThatIsNoPackIsNotReplaced() throws {
    let url = try test.folder.file("run.json", "{\"mine\": 1}")
    #expect(throws: ArchiveError.self) {
      try job.write(job.pack(goal, withActions: false), to: url)
    }
    #expect(try String(contentsOf: url, encoding: .utf8) == "{\"mine\": 1}")
  }
}

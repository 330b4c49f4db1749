import ArkivedAssistant
import ArkivedCore
import ArkivedStore
import ArkivedTestSupport
import Foundation
import Testing

@Suite("What deletes or overwrites waits for the owner's yes")
struct ConfirmationTests {
  let test: TestArchive
  let box: ToolBox
  let activity: Activity

  init() throws {
    test = try TestArchive()
    box = ToolBox(archive: test.archive, zone: test.zone)
    activity = try test.add("dentist", from: "09:00", tags: ["health"], people: ["Dr. Wolf"])
  }

  private func ask(
    _ tool: String, _ more: JSONObject = [:], by caller: ToolCaller = .agent("tester")
  ) throws -> PendingAct {
    var arguments: JSONObject = ["id": .string(activity.id.uuidString)]
    for (key, value) in more.members { arguments[key] = value }
    let answer = box.call(ToolCall(id: "a", name: tool, arguments: arguments), by: caller)
    let id = answer.pending?["id"]?.string.flatMap(UUID.init(uuidString:))
    return try box.pendingAct(try #require(id, "\(answer.json.text())"))
  }

  private var isThere: Bool { (try? test.archive.activity(activity.id)) != nil }

  @Test(arguments: [
    ToolCaller.owner, .agent("tester"), .assistant(thread: nil),
  ])
  func aToolDeletesNothingWhoeverCalls(_ caller: ToolCaller) throws {
    let act = try ask("deleteActivity", by: caller)
    #expect(isThere && act.status == .waiting && act.author == caller.author)
    #expect(act.arguments == ["id": .string(activity.id.uuidString)])
    #expect(act.effects.map(\.id) == [activity.id] && act.effects[0].after == nil)
    #expect(act.expiresAt == test.clock.now.adding(seconds: 24 * 3600))
    // Nothing in the answer is a secret that confirms.
    #expect(try test.archive.activity(activity.id) == activity)
  }

  @Test func aYesDeletesOnceAndUndoBringsBack() throws {
    let act = try ask("deleteActivity")
    let done = try box.confirm(act.id)
    #expect(done.status == .done && !isThere)
    let changeID = try #require(done.changeID)
    let change = try #require(try test.archive.change(changeID))
    #expect(change.author == .agent("tester") && change.action == "delete")
    #expect(throws: ArchiveError.self) { try box.confirm(act.id) }
    #expect(throws: ArchiveError.self) { try box.decline(act.id) }
    _ = try test.archive.undo(change.id)
    #expect(try test.archive.activity(activity.id)?.text == "dentist")
    #expect(throws: ArchiveError.self) { try box.confirm(act.id) }
    #expect(isThere)
  }

  @Test func aChangeIsShownFieldByFieldAndDoneAsShown() throws {
    let act = try ask(
      "updateActivity", ["text": "dentist, again", "notes": "bring the card", "tags": JSON.null])
    let told = act.effects[0].differences
    #expect(Set(told.map(\.field)) == ["text", "notes", "tags"])
    #expect(told.first { $0.field == "text" }?.before == "dentist")
    #expect(try test.archive.activity(activity.id)?.text == "dentist")
    _ = try box.confirm(act.id)
    let changed = try #require(try test.archive.activity(activity.id))
    #expect(changed.text == "dentist, again" && changed.notes == "bring the card")
    #expect(changed.tags.isEmpty && changed.people == activity.people)
    #expect(changed.createdAt == activity.createdAt && changed.updatedAt > activity.updatedAt)
  }

  @Test func severalAreOneActThatListsEachAndIsDoneAndUndoneWhole() throws {
    let more = try (1...3).map { try test.add("visit \($0)", tags: ["health"]) }
    let ids = JSON.array((more + [activity]).map { .string($0.id.uuidString) })
    let retag = try ask("tagActivity", ["ids": ids, "remove": ["health"], "add": ["body"]])
    #expect(retag.effects.count == 4 && retag.summary == "Change the tags of 4 entries")
    #expect(retag.effects.allSatisfy { $0.differences.map(\.field) == ["tags"] })
    let plain = try test.add("a walk")
    let one = try ask(
      "tagActivity", ["ids": [.string(plain.id.uuidString)], "remove": ["health"]])
    #expect(one.effects.count == 1 && one.summary == "Change the tags of “dentist”")
    let deletion = try ask("deleteActivity", ["ids": ids])
    #expect(deletion.effects.map(\.title) == ["dentist", "visit 1", "visit 2", "visit 3"])
    #expect(deletion.effects.allSatisfy(\.isDeletion) && isThere)
    let done = try box.confirm(deletion.id)
    #expect(try test.archive.activities(more.map(\.id)).isEmpty)
    _ = try test.archive.undo(done.changeID)
    #expect(try test.archive.activities(more.map(\.id)).count == 3)
    // One that is not there, and all is refused.
    let answer = box.call(
      ToolCall(
        id: "a", name: "deleteActivity",
        arguments: [
          "id": .string(activity.id.uuidString), "ids": [.string(UUID().uuidString)],
        ]), by: .agent("a"))
    #expect(answer.error?.code == .notFound)
  }

  @Test func aMeetingsNotesAreShownWithItsDeletionAndALaterOneEndsIt() throws {
    let visit = try test.activity("visit", from: "11:00")
    let meeting = try test.archive.create(
      MeetingEntry(
        meeting: Meeting(
          id: test.archive.identities.next(), activityID: visit.id, eventIdentifier: "visit",
          createdAt: visit.createdAt, updatedAt: visit.updatedAt), activity: visit)
    ).value
    func write(_ text: String) throws -> Note {
      try test.archive.create(
        Note(
          id: test.archive.identities.next(), text: text, meetingID: meeting.id,
          createdAt: test.clock.now, updatedAt: test.clock.now)
      ).value
    }
    func askToDelete() throws -> PendingAct {
      try ask("deleteActivity", ["id": .string(visit.id.uuidString)])
    }
    let first = try write("two fillings")
    let act = try askToDelete()
    #expect(act.effects.map(\.type) == [.activity, .meeting, .note])
    #expect(act.effects.map(\.title) == ["visit", "meeting", "two fillings"])
    let later = try write("again in May")
    #expect(throws: ArchiveError.self) { try box.confirm(act.id) }
    #expect(try test.archive.note(later.id) != nil)
    let second = try askToDelete()
    _ = try test.archive.updateMeeting(meeting.id) { $0.meeting.outcomes = "a crown" }
    #expect(throws: ArchiveError.self) { try box.confirm(second.id) }
    let done = try box.confirm(try askToDelete().id)
    #expect(try test.archive.note(first.id) == nil)
    _ = try test.archive.undo(done.changeID)
    #expect(try test.archive.note(first.id)?.text == "two fillings")
    #expect(try test.archive.note(later.id)?.text == "again in May")
  }

  @Test func tagsAreAddedToSeveralAtOnceAsOneChange() throws {
    let other = try test.add("visit", tags: ["body"])
    let answer = box.call(
      ToolCall(
        id: "a", name: "tagActivity",
        arguments: [
          "id": .string(activity.id.uuidString), "ids": [.string(other.id.uuidString)],
          "add": ["body"],
        ]), by: .agent("a"))
    #expect(answer.result?["updated"]?["tags"] == ["health", "body"])
    #expect(answer.result?["others"]?.array?.isEmpty == true)
    let change = try #require(answer.result?["changeId"]?.string.flatMap(UUID.init(uuidString:)))
    _ = try test.archive.undo(change)
    #expect(try test.archive.activity(activity.id)?.tags == ["health"])
  }

  @Test func whatAProgramAddsIsNeverSaidToBeTyped() throws {
    for (caller, source) in [(ToolCaller.agent("a"), "assistant"), (.owner, "manual")] {
      let answer = box.call(
        ToolCall(
          id: "a", name: "createActivity", arguments: ["text": "tea", "source": "manual"]),
        by: caller)
      #expect(answer.result?["created"]?["source"]?.string == source)
    }
  }

  @Test func whatWouldChangeNothingWaitsForNothing() {
    let answer = box.call(
      ToolCall(
        id: "a", name: "updateActivity",
        arguments: ["id": .string(activity.id.uuidString), "text": "dentist"]), by: .agent("a"))
    #expect(answer.pending == nil && answer.result?["updated"] != nil)
    let retagged = box.call(
      ToolCall(
        id: "a", name: "tagActivity",
        arguments: [
          "id": .string(activity.id.uuidString), "remove": ["health"], "add": ["health"],
        ]), by: .agent("a"))
    #expect(retagged.pending == nil && retagged.result?["updated"]?["tags"] == ["health"])
  }

  @Test func anEntryThatWasChangedSinceStaysAndItIsSaid() throws {
    let deletion = try ask("deleteActivity")
    let change = try ask("updateActivity", ["text": "other"])
    _ = try test.archive.updateActivity(activity.id) { $0.isPinned = true }
    for act in [deletion, change] {
      let error = #expect(throws: ArchiveError.self) { try box.confirm(act.id) }
      guard case .conflict = error else {
        Issue.record("\(String(describing: error))")
        continue
      }
      #expect(try box.pendingAct(act.id).status == .outdated)
      #expect(throws: ArchiveError.self) { try box.confirm(act.id) }
    }
    #expect(try test.archive.activity(activity.id)?.text == "dentist")
    #expect(try box.pendingActs().isEmpty && box.pendingActs(all: true).count == 2)
  }

  @Test func anEntryThatIsGoneIsNotDeletedAgain() throws {
    let act = try ask("deleteActivity")
    _ = try test.archive.deleteActivities([activity.id])
    #expect(throws: ArchiveError.self) { try box.confirm(act.id) }
    #expect(try box.pendingAct(act.id).status == .outdated)
  }

  @Test func aYesThatComesTooLateDoesNothing() throws {
    let act = try ask("deleteActivity")
    test.clock.advance(seconds: Archive.pendingHours * 3600)
    #expect(throws: ArchiveError.self) { try box.confirm(act.id) }
    #expect(isThere)
    #expect(try box.pendingAct(act.id).status == .expired && box.pendingActs().isEmpty)
  }

  @Test func allAreCountedAlsoThoseThatAreNotListed() throws {
    for _ in 0..<201 { _ = try box.decline(try ask("deleteActivity").id) }
    #expect(try box.pendingActs(all: true).count == 200)
    #expect(try box.countPendingActs(all: true) == 201 && box.countPendingActs() == 0)
  }

  @Test func aNoIsFinal() throws {
    let act = try ask("deleteActivity")
    #expect(try box.decline(act.id).status == .declined)
    #expect(throws: ArchiveError.self) { try box.confirm(act.id) }
    #expect(isThere)
  }

  @Test func ofTwoYesesAtOnceOneCounts() async throws {
    let act = try ask("deleteActivity")
    let other = ToolBox(archive: try test.another(), zone: test.zone)
    let done = await withTaskGroup(of: Bool.self) { group in
      for box in [box, other, box, other] {
        group.addTask { (try? box.confirm(act.id)) != nil }
      }
      return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
    }
    #expect(done == 1 && !isThere)
    #expect(try test.archive.history(of: activity.id).count == 1)
  }

  @Test func nobodyFloodsTheOwner() throws {
    for _ in 0..<Archive.pendingLimit { _ = try ask("deleteActivity") }
    let answer = box.call(
      ToolCall(
        id: "a", name: "deleteActivity",
        arguments: ["id": .string(activity.id.uuidString)]), by: .agent("tester"))
    #expect(answer.error?.code == .refused)
    test.clock.advance(seconds: Archive.pendingHours * 3600)
    _ = try ask("deleteActivity")
  }

  @Test func whoIsLetInHasAnOwnNameAndATokenThatIsNotKept() throws {
    let (agent, token) = try test.archive.addAgent(named: " Editor ")
    #expect(agent.name == "Editor" && token.utf8.count > 60)
    #expect(try test.archive.agent(holding: token) == agent)
    #expect(try test.archive.agent(holding: String(token.dropLast())) == nil)
    for name in ["", " ", "editor", "a\u{202E}b", String(repeating: "a", count: 61)] {
      #expect(throws: FieldError.self) { try test.archive.addAgent(named: name) }
    }
    let database = try #require(test.archive.databaseFile)
    let kept =
      try Data(contentsOf: database)
      + ((try? Data(contentsOf: URL(fileURLWithPath: database.path + "-wal"))) ?? Data())
    #expect(kept.range(of: Data(token.dropFirst(6).utf8)) == nil)
    #expect(try test.archive.removeAgent("EDITOR") == agent)
    #expect(try test.archive.agent(holding: token) == nil)
    #expect(throws: ArchiveError.self) { try test.archive.removeAgent("Editor") }
  }
}

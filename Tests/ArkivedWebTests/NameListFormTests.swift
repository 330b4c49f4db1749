import ArkivedCore
import ArkivedStore
import ArkivedTestSupport
import Foundation
import Testing

@testable import ArkivedWeb

@Suite("Lists of names in forms")
struct NameListFormTests: MeetingTesting, GoalPageTesting {
  @Test func tagsWithSeparatorsStayWhole() throws {
    let test = try TestArchive()
    var note = try self.note(test, "soup")
    note.tags = ["eat, drink", "one; two"]
    var form = FreeNoteForm(note)
    form.texts["tags"] += "; home, garden"
    try form.apply(to: &note)
    #expect(note.tags == ["eat, drink", "one; two", "home", "garden"])

    var entry = try meeting(test)
    entry.activity.tags = ["eat, drink"]
    var meetingForm = MeetingForm(entry)
    meetingForm.texts["tags"] = "home, " + meetingForm.texts["tags"]
    try meetingForm.apply(to: &entry, attendees: [])
    #expect(entry.activity.tags == ["home", "eat, drink"])
  }

  @Test func namesOfAPersonWithSeparatorsStayWhole() throws {
    let now = TestArchive.now
    var person = Person(
      id: UUID(), name: "Priya Nair", aliases: ["Nair, Priya", "P; N"], createdAt: now,
      updatedAt: now)
    var form = PersonForm(person)
    form.texts["aliases"] += "\nPri"
    try form.apply(to: &person)
    #expect(person.aliases == ["Nair, Priya", "P; N", "Pri"])
  }

  @Test func wordsOfAGoalWithSeparatorsStayWhole() throws {
    let test = try TestArchive()
    var goal = try self.goal(
      test, hints: #"{"units":["km"],"keywords":["swim, bike, run","walk; hike"]}"#)
    var form = GoalForm(goal)
    form.texts["keywords"] += ", jog"
    try form.apply(to: &goal)
    #expect(
      GoalHints.read(goal.howGoalIsActionable)
        == .hints(GoalHints(units: ["km"], keywords: ["swim, bike, run", "walk; hike", "jog"])))
  }
}

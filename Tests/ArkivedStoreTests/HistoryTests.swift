import ArkivedCore
import ArkivedStore
import ArkivedTestSupport
import Foundation
import Testing

@Suite("History, undo and restore")
struct HistoryTests {
  @Test func undoTakesBackAddEditAndDeleteInTurn() throws {
    let test = try TestArchive()
    let activity = try test.add("one", tags: ["t"], people: ["Sam"], measurements: ["km": 1])
    _ = try test.archive.updateActivity(activity.id) {
      $0.text = "two"
      $0.tags = []
    }
    let edited = try #require(try test.archive.activity(activity.id))
    _ = try test.archive.deleteActivities([activity.id])
    #expect(try test.archive.activity(activity.id) == nil)

    _ = try test.archive.undo()
    var back = try #require(try test.archive.activity(activity.id))
    #expect(back.text == edited.text && back.people == edited.people)
    #expect(back.measurements == ["km": 1] && back.createdAt == activity.createdAt)
    _ = try test.archive.undo()
    back = try #require(try test.archive.activity(activity.id))
    #expect(back.text == "one" && back.tags == ["t"])
    _ = try test.archive.undo()
    #expect(try test.archive.activity(activity.id) == nil)
    #expect(try test.archive.people().isEmpty)
    #expect(try test.archive.tags().isEmpty)
    #expect(throws: ArchiveError.self) { try test.archive.undo() }
  }

  @Test func theVersionsOfADayIncludeThoseOfANoteThatWasEmptied() throws {
    let test = try TestArchive()
    let day = try #require(DayKey("2026-03-14"))
    _ = try test.archive.updateDay(day) { $0.note = "first" }
    _ = try test.archive.updateDay(day) { $0.note = "" }
    func notes() throws -> [String?] {
      try test.archive.oldVersions(ofDay: day, limit: 9).map { $0.record?["note"]?.string }
    }
    #expect(try notes() == ["first"])
    _ = try test.archive.updateDay(day) { $0.note = "second" }
    _ = try test.archive.updateDay(day) { $0.note = "third" }
    _ = try test.archive.updateDay(try #require(DayKey("2026-03-15"))) { $0.note = "next" }
    #expect(try notes() == ["second", "first"])
    #expect(
      try test.archive.history(ofDay: day).map { $0.record["note"] } == ["second", "first"])
    #expect(try test.archive.oldVersions(ofDay: day, limit: 1).count == 1)
  }

  @Test func undoOfEditAndDeleteCanBeUndoneAndDoneAgain() throws {
    let test = try TestArchive()
    let activity = try test.add("one", tags: ["t"])
    let edit = try #require(
      try test.archive.updateActivity(activity.id) { $0.text = "two" }.change)
    var redo = try test.archive.undo(edit.id).change
    #expect(try test.archive.activity(activity.id)?.text == "one")
    redo = try test.archive.undo(redo.id).change
    #expect(try test.archive.activity(activity.id)?.text == "two")
    redo = try test.archive.undo(redo.id).change
    #expect(try test.archive.activity(activity.id)?.text == "one")
    _ = try test.archive.undo(redo.id)

    let deletion = try #require(try test.archive.deleteActivities([activity.id]).change)
    let undone = try test.archive.undo(deletion.id)
    #expect(try test.archive.activity(activity.id)?.text == "two")
    _ = try test.archive.undo(undone.change.id)
    #expect(try test.archive.activity(activity.id) == nil)
    _ = try test.archive.undo()
    #expect(try test.archive.activity(activity.id)?.text == "two")
    _ = try test.archive.undo()
    #expect(try test.archive.activity(activity.id)?.text == "one")
    _ = try test.archive.undo()
    #expect(try test.archive.activity(activity.id) == nil)
  }

  @Test func tagsAndPeopleThatCameByAnEditGoAndComeWithIt() throws {
    let test = try TestArchive()
    let activity = try test.add("one")
    let edit = try #require(
      try test.archive.updateActivity(activity.id) {
        $0.tags = ["new"]
        $0.people = [Mention(name: "Sam Lee")]
      }.change)
    let with = try #require(try test.archive.activity(activity.id))
    let undo = try test.archive.undo(edit.id).change
    #expect(try test.archive.counts() == (0, 1, 0, 0))
    let redo = try test.archive.undo(undo.id).change
    #expect(try test.archive.activity(activity.id)?.tags == ["new"])
    #expect(try test.archive.activity(activity.id)?.people == with.people)
    // A tag of that name that came in the meantime is the same tag.
    let again = try test.archive.undo(redo.id).change
    try test.add("two", tags: ["new"])
    _ = try test.archive.undo(again.id)
    #expect(try test.archive.tags().map(\.count) == [2])
  }

  @Test func undoOfAnEditDoesNotBringADeletedEntryBack() throws {
    let test = try TestArchive()
    let activity = try test.add("one")
    let edit = try #require(
      try test.archive.updateActivity(activity.id) { $0.text = "two" }.change)
    _ = try test.archive.deleteActivities([activity.id])
    #expect(throws: ArchiveError.self) { try test.archive.undo(edit.id) }
    #expect(try test.archive.activity(activity.id) == nil)
  }

  @Test func everyVersionHasATimeOfItsOwn() throws {
    let test = try TestArchive()
    let activity = try test.add("one")
    var seen = [activity.updatedAt]
    _ = try test.archive.updateActivity(activity.id) { $0.text = "two" }
    seen.append(try #require(try test.archive.activity(activity.id)).updatedAt)
    _ = try test.archive.undo()
    seen.append(try #require(try test.archive.activity(activity.id)).updatedAt)
    #expect(Set(seen).count == 3)
  }

  @Test func plainUndoNeverTakesBackAWholeImport() throws {
    let test = try TestArchive()
    let (_, change) = try test.archive.write(by: .importer, "import", "Imported life") { scope in
      try scope.insert(try test.activity("imported"))
    }
    #expect(throws: ArchiveError.self) { try test.archive.undo() }
    #expect(try test.archive.counts().activities == 1)
    #expect(try test.archive.undo(change.id).removed == 1)
  }

  @Test func anUndoCanBeUndone() throws {
    let test = try TestArchive()
    let activity = try test.add("one")
    let undone = try test.archive.undo()
    _ = try test.archive.undo(undone.change.id)
    #expect(try test.archive.activity(activity.id)?.text == "one")
    _ = try test.archive.undo()
    #expect(try test.archive.activity(activity.id) == nil)
  }

  @Test func undoOfAnEarlierChangeRefusesToDestroyALaterOne() throws {
    let test = try TestArchive()
    let activity = try test.add("one")
    let first = try #require(try test.archive.changes().first)
    _ = try test.archive.updateActivity(activity.id) { $0.text = "two" }
    #expect(throws: ArchiveError.self) { try test.archive.undo(first.id) }
    #expect(try test.archive.activity(activity.id)?.text == "two")
  }

  @Test func everyOldVersionIsKeptAndCanComeBack() throws {
    let test = try TestArchive()
    let activity = try test.add("one")
    for text in ["two", "three"] {
      _ = try test.archive.updateActivity(activity.id) { $0.text = text }
    }
    let versions = try test.archive.history(of: activity.id)
    #expect(versions.compactMap { $0.record["text"]?.string } == ["two", "one"])
    _ = try test.archive.restore(try #require(versions.last))
    #expect(try test.archive.activity(activity.id)?.text == "one")
    #expect(try test.archive.history(of: activity.id).first?.record["text"]?.string == "three")
  }

  @Test func aDeletedDayComesBackWithAllItOwned() throws {
    let test = try TestArchive()
    let day = try #require(DayKey("2026-03-14"))
    try test.add("walk")
    try test.add("read")
    _ = try test.archive.updateDay(day) { $0.note = "good" }
    let before = try test.archive.day(day)
    _ = try test.archive.deleteDay(day)
    let empty = try test.archive.day(day)
    #expect(empty.entry == nil && empty.activities.isEmpty)
    _ = try test.archive.undo()
    let after = try test.archive.day(day)
    #expect(after.entry?.note == "good")
    #expect(Set(after.activities.map(\.id)) == Set(before.activities.map(\.id)))
  }

  @Test func aDeletedTagComesBackOnEveryEntryThatHadIt() throws {
    let test = try TestArchive()
    let first = try test.add("a", tags: ["x", "y"])
    let tag = try #require(try test.archive.tags(prefix: "x").first?.tag)
    _ = try test.archive.write(by: .owner, "tag", "Deleted a tag") { try $0.deleteTag(tag.id) }
    #expect(try test.archive.activity(first.id)?.tags == ["y"])
    _ = try test.archive.undo()
    #expect(try test.archive.activity(first.id)?.tags.sorted() == ["x", "y"])
  }

  @Test func aDeletedPersonLeavesTheNameAndComesBackLinked() throws {
    let test = try TestArchive()
    let activity = try test.add("tea", people: ["Sam Lee"])
    let person = try #require(try test.archive.people().first)
    _ = try test.archive.write(by: .owner, "delete", "Deleted a person") {
      try $0.deletePerson(person.id)
    }
    #expect(try test.archive.activity(activity.id)?.people == [Mention(name: "Sam Lee")])
    _ = try test.archive.undo()
    #expect(
      try test.archive.activity(activity.id)?.people
        == [Mention(name: "Sam Lee", personID: person.id)])
  }

  @Test func aDeletedMeetingIsRestoredWithItsEntryAndANoteOfItAlone() throws {
    let test = try TestArchive()
    let archive = test.archive
    let entry = MeetingEntry.own(
      try test.activity("Review", on: "2026-03-12", from: "10:00", people: ["Mei Ito"]),
      id: archive.identities.next())
    let met = try archive.create(entry).value
    let notes = try ["Decided: paint it", "- [ ] @Mei buy it by Friday"].map { text in
      try archive.create(
        Note(
          id: archive.identities.next(), text: text, meetingID: met.id,
          createdAt: test.clock.now, updatedAt: test.clock.now)
      ).value
    }
    _ = try archive.deleteMeeting(met.id)
    _ = try archive.restore(try #require(try archive.history(of: notes[0].id).first))
    let alone = try #require(try archive.note(notes[0].id))
    #expect(alone.text == notes[0].text && alone.meetingID == nil)
    #expect(alone.dayKey == DayKey("2026-03-12"))
    #expect(try archive.meeting(met.id) == nil && archive.activity(met.activity.id) == nil)
    _ = try archive.restore(try #require(try archive.history(of: met.id).first))
    let back = try #require(try archive.meeting(met.id))
    #expect(back.title == "Review" && back.activity.id == met.activity.id)
    #expect(back.meeting.attendances == met.meeting.attendances)
    // A note that is restored once its meeting is there belongs to it again.
    _ = try archive.restore(try #require(try archive.history(of: notes[1].id).first))
    #expect(try archive.note(notes[1].id)?.meetingID == met.id)
    #expect(try archive.promises().map(\.promise.due) == [DayKey("2026-03-13")])
    _ = try archive.undo()
    _ = try archive.undo()
    #expect(try archive.meeting(met.id) == nil && archive.activity(met.activity.id) == nil)
  }
}

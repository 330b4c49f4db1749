import ArkivedCore
import ArkivedStore
import ArkivedTestSupport
import Foundation
import Testing

/// Undoing what later changes have taken the place of: a conflict that names what is in the way,
/// and nothing half-done.
///
/// Undone in their order, all of it can be taken back.
@Suite("Undo that something stands in the way of")
struct UndoConflictTests {
  private func change(_ test: TestArchive) throws -> UUID {
    try #require(try test.archive.changes().first).id
  }

  private func expectConflict(
    _ test: TestArchive, _ change: UUID, naming words: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let before = try test.archive.changes().count
    do {
      _ = try test.archive.undo(change)
      Issue.record("it was undone", sourceLocation: sourceLocation)
    } catch ArchiveError.conflict(let sentence) {
      #expect(sentence.contains(words), "\(sentence)", sourceLocation: sourceLocation)
    }
    #expect(try test.archive.changes().count == before, sourceLocation: sourceLocation)
  }

  @Test func aTagWhoseNameAnotherTookStaysRenamed() throws {
    let test = try TestArchive()
    try test.add("a walk", tags: ["out"])
    let tag = try test.archive.tag(named: "out").tag
    _ = try test.archive.renameTag(tag.id, to: "outside")
    let rename = try change(test)
    try test.add("a run", tags: ["out"])
    let later = try change(test)
    try expectConflict(test, rename, naming: "another tag now has this name")
    #expect(try test.archive.tag(tag.id)?.tag.name == "outside")
    _ = try test.archive.undo(later)
    _ = try test.archive.undo(rename)
    #expect(try test.archive.tag(tag.id)?.tag.name == "out")
  }

  @Test func aPersonWhoseAddressAnotherTookKeepsTheNewOne() throws {
    let test = try TestArchive()
    func person(_ name: String, _ email: String) -> Person {
      Person(
        id: test.archive.identities.next(), name: name, email: email, createdAt: test.clock.now,
        updatedAt: test.clock.now)
    }
    let alex = try test.archive.create(person("Alex", "shared@example.org")).value
    _ = try test.archive.updatePerson(alex.id) { $0.email = "alex@example.org" }
    let edit = try change(test)
    _ = try test.archive.create(person("Sam", "shared@example.org"))
    let later = try change(test)
    try expectConflict(test, edit, naming: "someone else now has one of these addresses")
    _ = try test.archive.undo(later)
    _ = try test.archive.undo(edit)
    let today = try #require(DayKey("2026-03-14"))
    #expect(try test.archive.person(alex.id, today: today)?.person.email == "shared@example.org")
  }

  /// Makes a person, and returns the change that did.
  private func make(_ name: String, _ test: TestArchive) throws -> (person: UUID, change: UUID) {
    let person = try test.archive.create(
      Person(
        id: test.archive.identities.next(), name: name, createdAt: test.clock.now,
        updatedAt: test.clock.now)
    ).value
    return (person.id, try change(test))
  }

  @Test func aNewPersonWhomANoteNamesByNowStays() throws {
    let test = try TestArchive()
    let made = try make("Priya Nair", test)
    let note = try test.archive.create(
      Note(
        id: test.archive.identities.next(), text: "Ask @Priya Nair what seeds to order.",
        people: [Mention(name: "Priya Nair", personID: made.person)], createdAt: test.clock.now,
        updatedAt: test.clock.now)
    ).value
    #expect(note.people.map(\.personID) == [made.person])
    let undone = try test.archive.undo(made.change)
    #expect(undone.kept == 1 && undone.removed == 0)
    #expect(try test.archive.people([made.person]).map(\.name) == ["Priya Nair"])
  }

  @Test func aNewPersonWhoTakesPartInAMeetingByNowStays() throws {
    let test = try TestArchive()
    let made = try make("Mei", test)
    let activity = try test.activity("Planning", from: "10:00")
    let id = test.archive.identities.next()
    var entry = MeetingEntry(
      meeting: Meeting(
        id: id, activityID: activity.id, eventIdentifier: id.uuidString,
        createdAt: activity.createdAt, updatedAt: activity.updatedAt),
      activity: activity)
    entry.setAttendees([Attendance(name: "Mei", personID: made.person)])
    let meeting = try test.archive.create(entry).value
    #expect(meeting.meeting.attendances.map(\.personID) == [made.person])
    #expect(try test.archive.undo(made.change).kept == 1)
    #expect(try test.archive.people([made.person]).count == 1)
    // Whom nothing names goes with the change that made them.
    let other = try make("Nobody", test)
    #expect(try test.archive.undo(other.change).kept == 0)
    #expect(try test.archive.people([other.person]).isEmpty)
  }

  @Test func aLongChangeThatIsTakenBackMidwayGoesNoFurther() throws {
    let test = try TestArchive()
    let long = LongChange(test.archive, by: .owner, "edit", "A long change")
    let (first, second) = (try test.activity("first"), try test.activity("second"))
    try long.write { scope in try scope.insert(first) }
    _ = try test.archive.undo(try change(test))
    #expect(throws: ArchiveError.self) {
      try long.write { scope in try scope.insert(second) }
    }
    #expect(try test.day("2026-03-14").activities.isEmpty)
    // Who leaves an archive midway ends it too.
    let other = LongChange(test.archive, by: .owner, "edit", "Another")
    try other.write { scope in try scope.insert(first) }
    _ = try test.archive.leave(for: "the new laptop")
    #expect(throws: ArchiveError.self) {
      try other.write { scope in try scope.insert(second) }
    }
    #expect(try test.day("2026-03-14").activities.map(\.text) == ["first"])
  }
}

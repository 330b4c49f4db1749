import ArkivedCore
import ArkivedStore
import ArkivedTestSupport
import Foundation
import Testing

@Suite("People who come back after a merge or a deletion")
struct PersonMergeTests {
  private let test: TestArchive

  init() throws { test = try TestArchive() }

  private var archive: Archive { test.archive }

  private func person(_ name: String?, email: String? = nil) throws -> UUID {
    try archive.create(
      Person(
        id: archive.identities.next(), name: name, email: email, createdAt: test.clock.now,
        updatedAt: test.clock.now)
    ).value.id
  }

  private func meeting(with attendees: [Attendance]) throws -> MeetingEntry {
    let activity = try test.activity("Review", on: "2026-03-13", from: "10:00")
    var entry = MeetingEntry.own(activity, id: archive.identities.next())
    entry.setAttendees(attendees)
    return try archive.create(entry).value
  }

  private func attendees(_ id: UUID) throws -> [UUID?] {
    try #require(try archive.meeting(id)).meeting.attendances.map(\.personID)
  }

  // MARK: Merges

  @Test func undoingAMergePartsPeopleByTheirNames() throws {
    let (old, kept) = (try person("Ann Lee"), try person("Susanna Quist"))
    let entries = try (1...3).map { try test.add("walk \($0)", people: ["Ann Lee"]) }
    let merge = try #require(try archive.merge(old, into: kept).change)
    _ = try archive.updateActivity(entries[1].id) {
      $0.people.insert(Mention(name: "Zoe"), at: 0)
    }
    _ = try archive.updateActivity(entries[2].id) {
      $0.people = [Mention(name: "Zoe")]
    }
    _ = try archive.undo(merge.id)
    let people = try entries.map { try archive.activity($0.id)?.people ?? [] }
    #expect(people[0].map(\.personID) == [old])
    #expect(people[1].map(\.name) == ["Zoe", "Ann Lee"] && people[1].last?.personID == old)
    #expect(people[2].map(\.name) == ["Zoe"])
  }

  @Test func undoingAMergePartsWhoWereBothInAnEntry() throws {
    let (old, kept) = (try person("Ann Lee"), try person("Susanna Quist"))
    let entry = try test.add("a walk", people: ["Ann Lee", "Susanna Quist"])
    let merge = try #require(try archive.merge(old, into: kept).change)
    _ = try archive.updateActivity(entry.id) { $0.people.removeFirst() }
    _ = try archive.undo(merge.id)
    #expect(try archive.activity(entry.id)?.people.map(\.personID) == [kept])
  }

  @Test func undoingAMergePartsWhoAreBothInATextThatLinksToOne() throws {
    let (old, kept) = (try person("Ann Lee"), try person("Susanna Quist"))
    let names = ["Ann Lee", "Susanna Quist"]
    let entry = try test.add("a walk with [[entry:\(old.uuidString)|Ann]]", people: names)
    let merge = try #require(try archive.merge(old, into: kept).change)
    #expect(
      try archive.activity(entry.id)?.text == "a walk with [[entry:\(kept.uuidString)|Ann]]")
    func everybody() throws -> Set<UUID?> {
      Set(try archive.activity(entry.id)?.people.map(\.personID) ?? [])
    }
    #expect(try everybody() == [kept])
    let undone = try archive.undo(merge.id)
    let back = try #require(try archive.activity(entry.id))
    #expect(back.text == entry.text && back.people.map(\.personID) == [old, kept])
    #expect(back.people.map(\.name) == names)
    _ = try archive.undo(undone.change.id)
    #expect(try everybody() == [kept])
  }

  @Test func undoingAMergeIntoSomeoneWithoutANameGivesTheNameBack() throws {
    let (old, kept) = (try person("Ann Lee"), try person(nil, email: "quist@example.org"))
    let entry = try test.add("a walk", people: ["Ann Lee"])
    let other = try test.add("tea", people: ["quist@example.org"])
    _ = try archive.merge(old, into: kept)
    _ = try archive.undo()
    #expect(
      try archive.activity(entry.id)?.people == [Mention(name: "Ann Lee", personID: old)])
    #expect(try archive.activity(other.id)?.people.map(\.personID) == [kept])
    let found = try archive.search(SearchRequest(query: "Ann"), words: WordQuery("Ann"))
    #expect(found.map(\.id) == [entry.id])
  }

  @Test func undoingAMergePartsTheAttendeesOfAnEditedMeeting() throws {
    let (old, kept) = (try person("Ann Lee"), try person("Susanna Quist"))
    let alone = try meeting(with: [Attendance(name: "Ann Lee", personID: old)])
    let both = try meeting(with: [
      Attendance(name: "Ann Lee", personID: old),
      Attendance(name: "Susanna Quist", personID: kept),
    ])
    let merge = try #require(try archive.merge(old, into: kept).change)
    _ = try archive.updateMeeting(alone.id) { entry in
      entry.setAttendees([Attendance(name: "Zoe")] + entry.meeting.attendances)
    }
    _ = try archive.undo(merge.id)
    #expect(try attendees(alone.id).last == old && attendees(alone.id).count == 2)
    let entry = try #require(try archive.meeting(alone.id)).activity
    #expect(entry.people.map(\.name) == ["Zoe", "Ann Lee"] && entry.people.last?.personID == old)
    #expect(try attendees(both.id) == [old, kept])
  }

  // MARK: Deletions

  @Test func undoingADeletionBringsARenamedPersonBackToMeetingsAndNotes() throws {
    let ann = try person("Ann Lee")
    let met = try meeting(with: [Attendance(name: "Ann Lee", personID: ann)])
    let note = try archive.create(
      Note(
        id: archive.identities.next(), text: "Called Ann Lee", createdAt: test.clock.now,
        updatedAt: test.clock.now)
    ).value
    #expect(note.people.map(\.personID) == [ann])
    _ = try archive.updatePerson(ann) { $0.name = "Ann Smith" }
    _ = try archive.deletePerson(ann)
    // Who was shown as Ann Smith doesn't get an older name.
    #expect(try archive.meeting(met.id)?.meeting.attendances.map(\.name) == ["Ann Smith"])
    #expect(try attendees(met.id) == [nil])
    _ = try archive.undo()
    #expect(try attendees(met.id) == [ann])
    #expect(try archive.note(note.id)?.people.map(\.personID) == [ann])
  }
}

import ArkivedCore
import ArkivedStore
import ArkivedTestSupport
import Foundation
import Testing

@Suite("People who are merged, and versions from before")
struct PersonMergeTests {
  private let test: TestArchive

  init() throws { test = try TestArchive() }

  private var archive: Archive { test.archive }

  private func meeting(
    _ title: String, from start: String = "10:00", on day: String = "2026-03-13",
    with attendees: [Attendance]
  ) throws -> MeetingEntry {
    let activity = try test.activity(title, on: day, from: start)
    let id = archive.identities.next()
    var entry = MeetingEntry(
      meeting: Meeting(
        id: id, activityID: activity.id, eventIdentifier: id.uuidString,
        createdAt: activity.createdAt, updatedAt: activity.updatedAt),
      activity: activity)
    entry.setAttendees(attendees)
    return try archive.create(entry).value
  }

  private func person(_ name: String, email: String? = nil, aliases: [String] = []) throws -> UUID {
    try archive.create(
      Person(
        id: archive.identities.next(), name: name, email: email, aliases: aliases,
        createdAt: test.clock.now, updatedAt: test.clock.now)
    ).value.id
  }

  @Test func aPersonWhoseAddressSomeoneElseHasIsNotRestored() throws {
    let old = try person("Ann Lee", email: "ann@example.org")
    _ = try archive.deletePerson(old)
    _ = try person("Susanna Quist", email: "ann@example.org")
    let version = try #require(try archive.history(of: old).first)
    let conflict = #expect(throws: ArchiveError.self) { try archive.restore(version) }
    #expect(conflict?.description.contains("someone else now has one of these") == true)
    #expect(throws: ArchiveError.self) { try archive.restore(version, if: { _ in }) }
    #expect(try archive.people([old]).isEmpty)
  }

  @Test func undoingAMergePartsPeopleByTheirNames() throws {
    let (old, kept) = (try person("Ann Lee"), try person("Susanna Quist"))
    let entries = try (1...3).map { try test.add("walk \($0)", people: ["Ann Lee"]) }
    let merge = try #require(try archive.merge(old, into: kept).change)
    _ = try archive.updateActivity(entries[1].id) {
      $0.people.insert(Mention(name: "Zoe"), at: 0)
    }
    _ = try archive.updateActivity(entries[2].id) {
      $0.people = [Mention(name: "Susanna Quist", personID: kept)]
    }
    _ = try archive.undo(merge.id)
    let people = try entries.map { try archive.activity($0.id)?.people ?? [] }
    #expect(people[0].map(\.personID) == [old])
    #expect(people[1].map(\.name) == ["Zoe", "Ann Lee"] && people[1].last?.personID == old)
    #expect(people[2].map(\.personID) == [kept])
  }

  @Test func undoingAMergeIntoSomeoneWithoutANameGivesTheNameBack() throws {
    let old = try person("Ann Lee")
    let kept = try archive.create(
      Person(
        id: archive.identities.next(), name: nil, email: "quist@example.org",
        createdAt: test.clock.now, updatedAt: test.clock.now)
    ).value.id
    let entry = try test.add("a walk", people: ["Ann Lee"])
    let other = try test.add("tea", people: ["quist@example.org"])
    _ = try archive.merge(old, into: kept)
    _ = try archive.undo()
    #expect(
      try archive.activity(entry.id)?.people == [Mention(name: "Ann Lee", personID: old)])
    #expect(try archive.activity(other.id)?.people.map(\.personID) == [kept])
    let found = try archive.search(SearchRequest(query: "Ann"), words: WordQuery("Ann"))
    #expect(found.contains { $0.id == entry.id } && !found.contains { $0.id == other.id })
  }

  @Test func anOldVersionNamesWhomAPersonWasMergedInto() throws {
    let (old, kept) = (try person("Ann Lee"), try person("Susanna Quist"))
    let entry = try test.add("a walk", people: ["Ann Lee"])
    #expect(entry.people.map(\.personID) == [old])
    let met = try meeting("one", with: [Attendance(name: "Ann Lee", personID: old)])
    let edits = [
      try archive.updateActivity(entry.id) { $0.people = [] }.change,
      try archive.updateMeeting(met.id) { $0.setAttendees([]) }.change,
    ].compactMap { $0 }
    #expect(edits.count == 2)
    _ = try archive.merge(old, into: kept)
    for edit in edits { _ = try archive.undo(edit.id) }
    #expect(try archive.activity(entry.id)?.people.map(\.personID) == [kept])
    #expect(try archive.meeting(met.id)?.meeting.attendances.map(\.personID) == [kept])
  }
}

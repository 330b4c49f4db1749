import ArkivedCore
import ArkivedTestSupport
import Foundation
import Testing

@testable import ArkivedStore

/// What a phone asks for to know which of its stored days are out of date.
@Suite("Marks of days")
struct DayMarkTests {
  private let test: TestArchive
  private var archive: Archive { test.archive }

  init() throws { test = try TestArchive() }

  private func marks() throws -> [String: String] {
    let first = try #require(DayKey("2026-03-01"))
    let marks = try archive.dayMarks(from: first, to: first.advanced(by: 30))
    return Dictionary(marks.map { ($0.key.description, $0.value) }) { $1 }
  }

  /// Returns the days whose marks a change changes.
  private func changed(_ change: () throws -> Void) throws -> [String] {
    let before = try marks()
    try change()
    let after = try marks()
    return Set(before.keys).union(after.keys).filter { before[$0] != after[$0] }.sorted()
  }

  @Test func anImportCountsOnceItCanBeSeen() throws {
    try test.add("ran", on: "2026-03-10")
    let stage = try ImportStage(archive, "import", "Imported", waitsSeconds: 0)
    let activity = try test.activity("imported", on: "2026-03-10")
    let prepared = try changed { try stage.write { scope, _ in try scope.insert(activity) } }
    #expect(prepared.isEmpty)
    #expect(try changed { try stage.publish { _ in } } == ["2026-03-10"])
  }

  @Test func whatADayShowsFromElsewhereCounts() throws {
    let lunch = try test.add("lunch", on: "2026-03-10", tags: ["food"], people: ["Sam"])
    try test.add("ran", on: "2026-03-11")
    let person = try #require(lunch.people.first?.personID)
    let renamed = try changed { _ = try archive.updatePerson(person) { $0.name = "Samuel" } }
    #expect(renamed == ["2026-03-10"])
    let tag = try archive.tag(named: "food")
    #expect(try changed { _ = try archive.renameTag(tag.id, to: "meals") } == ["2026-03-10"])
    let activity = try test.activity("planning", on: "2026-03-12", from: "10:00")
    let entry = try archive.create(
      MeetingEntry(
        meeting: Meeting(
          id: archive.identities.next(), activityID: activity.id, eventIdentifier: "e",
          createdAt: activity.createdAt, updatedAt: activity.updatedAt), activity: activity)
    ).value
    let cancelled = try changed {
      _ = try archive.updateMeeting(entry.meeting.id) { $0.meeting.purpose = "the plan" }
    }
    #expect(cancelled == ["2026-03-12"])
  }

  @Test func aTagMergedIntoOneOfTheSameChangeCounts() throws {
    // Imports and lines with several tags add them in one change.
    try test.add("lunch", on: "2026-03-10", tags: ["food"])
    try test.add("swam", on: "2026-03-11", tags: ["swim", "pool"])
    try test.add("swam again", on: "2026-03-12", tags: ["swim"])
    let (gone, kept) = (try archive.tag(named: "swim").id, try archive.tag(named: "pool").id)
    let merged = try changed { _ = try archive.mergeTag(gone, into: kept) }
    #expect(merged == ["2026-03-11", "2026-03-12"])
  }

  @Test func aLongEntryCountsOnTheDaysItContinuesInto() throws {
    var trip = try test.activity("trip", on: "2026-03-10", from: "09:00")
    trip.endAt = trip.startAt?.adding(seconds: 3 * 86_400)
    let added = try changed { try archive.add(trip) }
    #expect(added.starts(with: ["2026-03-10", "2026-03-11", "2026-03-12", "2026-03-13"]))
    #expect(added.count <= 5)
    let edited = try changed { _ = try archive.updateActivity(trip.id) { $0.text = "voyage" } }
    #expect(edited == added)
    #expect(try changed { _ = try archive.deleteActivities([trip.id]) } == added)
  }
}

import ArkivedCore
import ArkivedEngine
import ArkivedStore
import ArkivedTestSupport
import Foundation
import Testing

@Suite("Attendees, as a calendar and the owner say")
struct CalendarPeopleTests {
  private let review = """
    UID:review
    DTSTART:20260316T090000Z
    DTEND:20260316T100000Z
    SUMMARY:Review
    ATTENDEE;CN=Mei Lin:mailto:mei@example.org
    """
  private let jonas = "\nATTENDEE;CN=Jonas Weber;PARTSTAT=ACCEPTED:mailto:jonas@example.org"

  private func names(_ linked: CalendarSyncTests.Linked) throws -> [String] {
    try linked.meetings().first?.meeting.attendances.map(\.name) ?? []
  }

  @Test func whomTheOwnerAddedStaysThoughTheyWereInvitedAndDropped() async throws {
    let linked = try CalendarSyncTests.Linked(review)
    _ = try await linked.sync()
    let id = try #require(try linked.meetings().first).id
    _ = try linked.test.archive.updateMeeting(id) { entry in
      entry.setAttendees(
        entry.meeting.attendances
          + [Attendance(name: "Jonas Weber", address: "jonas@example.org")])
    }
    try linked.write(review + jonas)
    _ = try await linked.sync()
    #expect(try names(linked).filter { $0 == "Jonas Weber" }.count == 1)
    #expect(try await linked.sync().isQuiet)
    try linked.write(review)
    _ = try await linked.sync()
    #expect(try names(linked) == ["Mei Lin", "Jonas Weber"])
    #expect(try await linked.sync().isQuiet)
  }

  @Test func aCancellationTakenBackKeepsWhatTheOwnerDidToTheList() async throws {
    let linked = try CalendarSyncTests.Linked(review + jonas)
    _ = try await linked.sync()
    let id = try #require(try linked.meetings().first).id
    _ = try linked.test.archive.updateMeeting(id) { entry in
      entry.setAttendees(
        entry.meeting.attendances.filter { $0.name != "Jonas Weber" }
          + [Attendance(name: "Zoe Quist")])
    }
    try linked.write(review + jonas + "\nSTATUS:CANCELLED")
    _ = try await linked.sync()
    #expect(try linked.meetings().first?.meeting.status == .cancelled)
    try linked.write(review + jonas)
    _ = try await linked.sync()
    #expect(try linked.meetings().first?.meeting.status == .confirmed)
    #expect(try names(linked) == ["Mei Lin", "Zoe Quist"])
  }

  @Test func aNamesakeWithoutAnAddressIsNotTheOneWhoHasIt() async throws {
    let linked = try CalendarSyncTests.Linked(
      review + "\nATTENDEE;CN=Mei Lin:urn:uuid:0c1f1c5e-1f0a-4d38-8e0f-1f6b1d2a3c4d")
    _ = try await linked.sync()
    let entry = try #require(try linked.meetings().first)
    #expect(entry.meeting.attendances.map(\.name) == ["Mei Lin", "Mei Lin"])
    #expect(Set(entry.meeting.attendances.map(\.personID)).count == 2)
    #expect(entry.activity.people.count == 2)
    #expect(try await linked.sync().isQuiet)
  }
}

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

  @Test func whomTheOwnerDeletedDoesNotComeBackWithTheNextMeeting() async throws {
    let linked = try CalendarSyncTests.Linked(review + jonas)
    _ = try await linked.sync()
    let archive = linked.test.archive
    func people() throws -> [String] { try archive.people().map(\.displayName).sorted() }
    let id = try #require(try archive.people().first { $0.displayName == "Jonas Weber" }).id
    let change = try archive.deletePerson(id).change
    let other = review.replacingOccurrences(of: "UID:review", with: "UID:other")
      .replacingOccurrences(of: "20260316", with: "20260317")
    try linked.write(review + jonas + "\nLOCATION:Room 4", other + jonas)
    _ = try await linked.sync()
    #expect(try people() == ["Mei Lin"])
    let meetings = try linked.meetings()
    #expect(meetings.count == 2)
    for meeting in meetings {
      #expect(meeting.meeting.attendances.map(\.name) == ["Mei Lin", "Jonas Weber"])
      #expect(meeting.meeting.attendances.map { $0.personID != nil } == [true, false])
    }
    #expect(try await linked.sync().isQuiet)
    // Whoever is back is linked again.
    _ = try archive.undo(change?.id)
    try linked.write(review + jonas + "\nLOCATION:Room 5", other + jonas)
    _ = try await linked.sync()
    #expect(try people() == ["Jonas Weber", "Mei Lin"])
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

  @Test func bothAddressesOfOnePersonStayInvitedWhenTheListIsEdited() async throws {
    let second = "\nATTENDEE;CN=Jonas Weber:mailto:weber@example.org"
    let linked = try CalendarSyncTests.Linked(review + jonas + second)
    let archive = linked.test.archive
    try archive.create(
      Person(
        id: archive.identities.next(), name: "Jonas Weber", email: "jonas@example.org",
        furtherAddresses: ["weber@example.org"], createdAt: linked.test.clock.now,
        updatedAt: linked.test.clock.now))
    _ = try await linked.sync()
    let id = try #require(try linked.meetings().first).id
    let invited = ["mei@example.org", "jonas@example.org", "weber@example.org"]
    let edited = try archive.updateMeeting(id) { entry in
      entry.setAttendees(entry.meeting.attendances + [Attendance(name: "Zoe Quist")])
    }.value
    #expect(edited.meeting.attendances.map(\.address) == invited + [nil])
    try linked.write(review + jonas + second + "\nLOCATION:Room 4")
    _ = try await linked.sync()
    let synced = try #require(try linked.meetings().first)
    #expect(synced.meeting.attendances.map(\.address) == invited + [nil])
  }

  @Test func whomTheOwnerAddedAsDecliningIsNotEnteredByASync() async throws {
    let linked = try CalendarSyncTests.Linked(review)
    _ = try await linked.sync()
    let id = try #require(try linked.meetings().first).id
    _ = try linked.test.archive.updateMeeting(id) { entry in
      entry.setAttendees(
        entry.meeting.attendances + [Attendance(name: "Zoe Quist", reply: .declined)])
    }
    try linked.write(review + jonas)
    _ = try await linked.sync()
    let entry = try #require(try linked.meetings().first)
    #expect(entry.meeting.attendances.map(\.name) == ["Mei Lin", "Jonas Weber", "Zoe Quist"])
    #expect(entry.activity.people.map(\.name) == ["Mei Lin", "Jonas Weber"])
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

  @Test func aNameOfSeveralPeopleAddsNobody() async throws {
    let sam = "\nATTENDEE;CN=Sam Roe:urn:uuid:0c1f1c5e-1f0a-4d38-8e0f-1f6b1d2a3c4d"
    let linked = try CalendarSyncTests.Linked(review + sam)
    for email in ["sam@example.org", "roe@example.org"] {
      _ = try person(linked, "Sam Roe", email)
    }
    _ = try await linked.sync()
    for place in ["", "\nLOCATION:Room 4", "\nLOCATION:Room 9"] {
      try linked.write(review + sam + place)
      _ = try await linked.sync()
      let entry = try #require(try linked.meetings().first)
      #expect(entry.meeting.attendances.map(\.name) == ["Mei Lin", "Sam Roe"])
      #expect(entry.meeting.attendances.last?.personID == nil)
      #expect(entry.activity.people.map(\.name) == ["Mei Lin", "Sam Roe"])
      #expect(try linked.test.archive.people().count == 3)
    }
  }

  private func person(
    _ linked: CalendarSyncTests.Linked, _ name: String, _ email: String, aliases: [String] = []
  ) throws -> UUID {
    let archive = linked.test.archive
    return try archive.create(
      Person(
        id: archive.identities.next(), name: name, email: email, aliases: aliases,
        createdAt: linked.test.clock.now, updatedAt: linked.test.clock.now)
    ).value.id
  }

  @Test func whoDeclinedIsThePersonWithTheAddress() async throws {
    let declined = "\nATTENDEE;CN=J. Weber;PARTSTAT=DECLINED:mailto:Jonas@Example.org"
    let linked = try CalendarSyncTests.Linked(review + declined)
    let weber = try person(linked, "Jonas Weber", "jonas@example.org")
    _ = try await linked.sync()
    let entry = try #require(try linked.meetings().first)
    let last = try #require(entry.meeting.attendances.last)
    #expect(last.personID == weber && last.name == "Jonas Weber" && last.reply == .declined)
    #expect(entry.activity.people.map(\.name) == ["Mei Lin"])
    #expect(entry.ownFields.isEmpty)
    // Nobody is created for somebody unknown.
    let zoe = "\nATTENDEE;CN=Zoe Quist;PARTSTAT=DECLINED:mailto:zoe@example.org"
    try linked.write(review + jonas + zoe)
    _ = try await linked.sync()
    let changed = try #require(try linked.meetings().first)
    #expect(changed.meeting.attendances.map(\.reply) == [.waiting, .accepted, .declined])
    #expect(changed.meeting.attendances.map { $0.personID == nil } == [false, false, true])
    #expect(changed.activity.people.map(\.name) == ["Mei Lin", "Jonas Weber"])
    try linked.write(review + declined)
    _ = try await linked.sync()
    let again = try #require(try linked.meetings().first)
    #expect(again.meeting.attendances.last?.personID == weber)
    #expect(again.activity.people.map(\.name) == ["Mei Lin"])
  }

  @Test func whatTheOwnerDeclinedInTheCalendarIsNotNext() async throws {
    let linked = try CalendarSyncTests.Linked(
      review + "\nATTENDEE;PARTSTAT=DECLINED:mailto:kim@example.org")
    let kim = try person(linked, "Kim Lee", "kim@example.org", aliases: ["me"])
    _ = try await linked.sync()
    let archive = linked.test.archive
    #expect(try linked.meetings().first?.meeting.attendances.last?.personID == kim)
    #expect(try archive.nextMeeting(at: linked.test.clock.now) == nil)
    let day = try #require(DayKey("2026-03-17"))
    linked.test.clock.advance(seconds: 3 * 86_400)
    let met = try archive.people(order: .name, today: day).map(\.meetingCount)
    #expect(met == [0, 0])
  }

  @Test func whoIsInvitedByTwoAddressesIsLinkedOnce() async throws {
    let linked = try CalendarSyncTests.Linked(
      review + jonas + "\nATTENDEE;CN=J. Weber;PARTSTAT=DECLINED:mailto:weber@example.com")
    let weber = try person(linked, "Jonas Weber", "jonas@example.org")
    _ = try linked.test.archive.updatePerson(weber) { $0.furtherAddresses = ["weber@example.com"] }
    _ = try await linked.sync()
    let entry = try #require(try linked.meetings().first)
    #expect(entry.meeting.attendances.map(\.personID).filter { $0 == weber }.count == 1)
    #expect(entry.present.contains { $0.personID == weber })
    #expect(try await linked.sync().isQuiet)
  }
}

import ArkivedCore
import ArkivedEngine
import ArkivedImport
import ArkivedStore
import ArkivedTestSupport
import Foundation
import Testing

@Suite("Keeping meetings in line with a calendar")
struct CalendarSyncTests {
  /// An archive with one linked calendar file.
  struct Linked {
    let test: TestArchive
    let file: URL

    init(_ events: String...) throws {
      test = try TestArchive()
      file = try test.folder.file("work.ics", Linked.calendar(events))
      _ = try job.linkCalendar(.file(file), name: "Work")
    }

    var job: SyncJob { SyncJob(archive: test.archive, homeZone: test.zone) }

    static func calendar(_ events: [String]) -> String {
      (["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//test//EN"]
        + events.map { "BEGIN:VEVENT\n\($0)\nEND:VEVENT" } + ["END:VCALENDAR", ""])
        .joined(separator: "\n").replacingOccurrences(of: "\n", with: "\r\n")
    }

    func write(_ events: String...) throws {
      try Data(Linked.calendar(events).utf8).write(to: file)
    }

    func sync() async throws -> SyncReport {
      let link = try #require(try test.archive.syncLinks().first)
      test.clock.advance(seconds: 60)
      return try await job.bringInLine(link)
    }

    func meetings() throws -> [MeetingEntry] {
      var filter = MeetingFilter()
      filter.order = .oldest
      return try test.archive.meetings(filter)
    }
  }

  private let review = """
    UID:review
    DTSTART:20260316T090000Z
    DTEND:20260316T100000Z
    SUMMARY:Review
    LOCATION:Room 4
    ORGANIZER;CN=Priya Nair:mailto:priya@example.org
    ATTENDEE;CN=Priya Nair;PARTSTAT=ACCEPTED:mailto:priya@example.org
    ATTENDEE;CN=Jonas Weber;PARTSTAT=DECLINED:mailto:jonas@example.org
    ATTENDEE;CN=Mei Lin;ROLE=OPT-PARTICIPANT:mailto:mei@example.org
    """

  @Test func aSubscriptionsSecretPathIsNeverRecorded() {
    var link = SyncLink(
      id: UUID(), kind: .calendarSubscription,
      address: "https://me:pass@calendar.example.org:8443/private-0123/basic.ics?key=1#me",
      createdAt: TestArchive.now)
    #expect(link.recordedName == "https://calendar.example.org:8443/…")
    #expect(!link.name.contains("#") && !link.name.contains("pass"))
    link.options = ["name": "Work"]
    #expect(link.recordedName == "Work")
    link.kind = .calDAV
    link.options = [:]
    #expect(link.recordedName == link.name && link.name.hasSuffix("/private-0123/basic.ics"))
  }

  @Test func anEventBecomesAMeetingWithItsEntryAndPeople() async throws {
    let linked = try Linked(review)
    let report = try await linked.sync()
    #expect(report.pulled == ["new": 1])
    let entry = try #require(try linked.meetings().first)
    #expect(entry.title == "Review" && entry.activity.locationLabel == "Room 4")
    #expect(entry.activity.source == .calendarImport)
    #expect(entry.meeting.organizer == "Priya Nair")
    #expect(
      entry.meeting.attendances.map { "\($0.name) \($0.reply) \($0.role) \($0.isOrganizer)" } == [
        "Priya Nair accepted required true", "Jonas Weber declined required false",
        "Mei Lin needsAction optional false",
      ])
    linked.test.clock.advance(seconds: 3 * 86_400)
    let people = try linked.test.archive.people(order: .name, today: entry.activity.dayKey)
    #expect(people.map(\.person.displayName) == ["Mei Lin", "Priya Nair"])
    #expect(people.map(\.meetingCount) == [1, 1])
    #expect(try await linked.sync().isQuiet)
    #expect(try linked.test.archive.importRuns().count == 1)
  }

  @Test func whatTheOwnerWroteStaysAndTheRestFollows() async throws {
    let linked = try Linked(review)
    _ = try await linked.sync()
    let id = try #require(try linked.meetings().first).id
    _ = try linked.test.archive.updateMeeting(id) { entry in
      entry.activity.text = "Design review"
      entry.meeting.purpose = "Decide on the prototype"
    }
    try linked.write(
      review.replacing("SUMMARY:Review", with: "SUMMARY:Review II")
        .replacing("Room 4", with: "Room 9").replacing("T090000Z", with: "T093000Z"))
    #expect(try await linked.sync().pulled == ["changed": 1])
    let entry = try #require(try linked.test.archive.meeting(id))
    #expect(entry.title == "Design review" && entry.meeting.purpose == "Decide on the prototype")
    #expect(entry.activity.locationLabel == "Room 9")
    #expect(entry.activity.startAt == Instant("2026-03-16T09:30:00Z"))
    #expect(entry.ownFields.map(\.name) == ["title"])
    #expect(entry.ownFields.first?.eventValue == "Review II")
    let found = try linked.test.archive.search(
      SearchRequest(query: "prototype"), words: WordQuery("prototype"))
    #expect(found.map(\.id) == [entry.activity.id])
  }

  @Test func anotherHomeZoneMovesNoPastMeeting() async throws {
    let fair = "UID:fair\nDTSTART;VALUE=DATE:20260310\nDTEND;VALUE=DATE:20260312\nSUMMARY:Fair"
    // At midnight in Berlin, which is the evening before in New York.
    let call = "UID:call\nDTSTART:20260312T230000Z\nDTEND:20260312T233000Z\nSUMMARY:Call"
    let ahead = "UID:ahead\nDTSTART:20260320T090000Z\nSUMMARY:Ahead"
    let linked = try Linked(fair, call, ahead)
    _ = try await linked.sync()
    let before = try linked.meetings()
    #expect(
      before.map(\.activity.dayKey.description) == ["2026-03-10", "2026-03-13", "2026-03-20"])
    try linked.write(fair + "\nLOCATION:Hall 2", call + "\nLOCATION:Room 9", ahead)
    let link = try #require(try linked.test.archive.syncLinks().first)
    linked.test.clock.advance(seconds: 60)
    let away = SyncJob(
      archive: linked.test.archive, homeZone: try #require(Zone("America/New_York")))
    _ = try await away.bringInLine(link)
    let after = try linked.meetings()
    #expect(after.map(\.activity.locationLabel) == ["Hall 2", "Room 9", nil])
    for (old, new) in zip(before, after).prefix(2) {
      #expect(new.activity.dayKey == old.activity.dayKey)
      #expect(new.activity.startAt == old.activity.startAt)
      #expect(new.activity.endAt == old.activity.endAt)
      #expect(new.activity.timeZone == "Europe/Berlin" && new.ownFields.isEmpty)
    }
    #expect(after.last?.activity.timeZone == "America/New_York")
    #expect(after.last?.activity.startAt == before.last?.activity.startAt)
    // A time that the calendar itself changes is followed.
    try linked.write(fair, call.replacing("T230000Z", with: "T220000Z"), ahead)
    linked.test.clock.advance(seconds: 60)
    _ = try await away.bringInLine(link)
    let moved = try #require(try linked.meetings().first { $0.title == "Call" })
    #expect(moved.activity.startAt == Instant("2026-03-12T22:00:00Z"))
    #expect(moved.activity.dayKey == DayKey("2026-03-12"))
  }

  @Test func whomTheOwnerAddedOrTookOutStaysSo() async throws {
    let linked = try Linked(review)
    _ = try await linked.sync()
    let id = try #require(try linked.meetings().first).id
    _ = try linked.test.archive.updateMeeting(id) { entry in
      entry.setAttendees(
        entry.meeting.attendances.filter { $0.name != "Priya Nair" }
          + [Attendance(name: "Zoe Quist", reply: .accepted)])
    }
    #expect(try linked.meetings().first?.ownFields.map(\.name) == ["attendees"])
    let sam = "\nATTENDEE;CN=Sam Lee:mailto:sam@example.org"
    try linked.write(
      review.replacing(
        "\nATTENDEE;CN=Jonas Weber;PARTSTAT=DECLINED:mailto:jonas@example.org", with: sam))
    #expect(try await linked.sync().pulled == ["changed": 1])
    let entry = try #require(try linked.test.archive.meeting(id))
    #expect(entry.meeting.attendances.map(\.name) == ["Sam Lee", "Mei Lin", "Zoe Quist"])
    #expect(Set(entry.activity.people.map(\.name)) == ["Sam Lee", "Mei Lin", "Zoe Quist"])
    #expect(try await linked.sync().isQuiet)
  }

  @Test func aPromiseIsOwedToThoseItNames() async throws {
    let linked = try Linked(review)
    _ = try await linked.sync()
    let archive = linked.test.archive
    let id = try #require(try linked.meetings().first).id
    try archive.create(
      Note(
        id: archive.identities.next(),
        text: "- [ ] send Mei the draft\n- [ ] book the room\n- [ ] @Mei ask Priya Nair",
        meetingID: id,
        createdAt: linked.test.clock.now, updatedAt: linked.test.clock.now))
    let promises = try archive.promises(PromiseFilter()).sorted {
      $0.promise.line < $1.promise.line
    }
    #expect(
      promises.map { $0.to.map(\.name) } == [
        ["Mei Lin"], ["Priya Nair", "Mei Lin"], ["Priya Nair"],
      ])
  }

  @Test func aDroppedEventKeepsItsMeetingAndNotesAndComesBack() async throws {
    let linked = try Linked(review, review.replacing("UID:review", with: "UID:other"))
    _ = try await linked.sync()
    let id = try #require(try linked.test.archive.meeting(ofEvent: "review")).id
    try linked.test.archive.create(
      Note(
        id: linked.test.archive.identities.next(), text: "- [ ] @Priya send the draft by Friday",
        meetingID: id, createdAt: linked.test.clock.now, updatedAt: linked.test.clock.now))
    try linked.write(review.replacing("UID:review", with: "UID:other"))
    #expect(try await linked.sync().pulled == ["deleted": 1])
    #expect(try linked.test.archive.meeting(id)?.meeting.isEventDeleted == true)
    var filter = NoteFilter()
    filter.meeting = id
    #expect(try linked.test.archive.notes(filter).count == 1)
    let promise = try #require(try linked.test.archive.promises().first)
    #expect(promise.promise.owner == "Priya" && promise.promise.due == DayKey("2026-03-20"))
    #expect(promise.ownerID != nil && promise.meetingID == id)
    try linked.write(review, review.replacing("UID:review", with: "UID:other"))
    #expect(try await linked.sync().pulled == ["changed": 1])
    #expect(try linked.test.archive.meeting(id)?.meeting.isEventDeleted == false)
  }

  @Test func anEventThatGetsAnotherUIDIsTheSameMeeting() async throws {
    let linked = try Linked(review)
    _ = try await linked.sync()
    let id = try #require(try linked.meetings().first).id
    _ = try linked.test.archive.updateMeeting(id) { $0.meeting.outcomes = "Go ahead" }
    try linked.write(review.replacing("UID:review", with: "UID:moved-house"))
    #expect(try await linked.sync().pulled == ["changed": 1])
    let all = try linked.meetings()
    #expect(all.map(\.id) == [id])
    #expect(all.first?.meeting.eventIdentifier == "moved-house")
    #expect(all.first?.meeting.outcomes == "Go ahead")
    #expect(all.first?.meeting.isEventDeleted == false)
    #expect(try await linked.sync().isQuiet)
  }

  @Test func aCancelledEventIsMarkedAndOneThatWasNeverThereStaysAway() async throws {
    let linked = try Linked(review)
    _ = try await linked.sync()
    try linked.write(
      "UID:review\nDTSTART:20260316T090000Z\nSTATUS:CANCELLED",
      "UID:x\nDTSTART:20260317T090000Z\nSTATUS:CANCELLED\nSUMMARY:No")
    #expect(try await linked.sync().pulled == ["changed": 1])
    let all = try linked.meetings()
    #expect(all.map(\.meeting.status) == [.cancelled])
    #expect(all.first?.meeting.attendances.count == 3 && all.first?.title == "Review")
    let people = try linked.test.archive.people(
      order: .name, today: try #require(all.first).activity.dayKey)
    #expect(people.map(\.meetingCount) == [0, 0])
  }

  @Test func aSeriesIsFollowedOnAsTimePasses() async throws {
    let linked = try Linked(
      "UID:weekly\nDTSTART;TZID=Europe/Berlin:20260302T100000\nRRULE:FREQ=WEEKLY\nSUMMARY:Standup")
    _ = try await linked.sync()
    let before = try linked.test.archive.countMeetings(MeetingFilter())
    #expect(before == 55)
    linked.test.clock.advance(seconds: 15 * 86_400)
    #expect(try await linked.sync().pulled == ["new": 2])
    #expect(try await linked.sync().isQuiet)
  }

  @Test func takingASyncBackTakesItsMeetingsAndTheNextBringsThemAgain() async throws {
    let linked = try Linked(review)
    _ = try await linked.sync()
    let id = try #require(try linked.meetings().first).id
    let run = try #require(try linked.test.archive.importRuns().first)
    _ = try linked.test.archive.undo(
      try linked.test.archive.importRun(matching: run.id.uuidString).changeID)
    #expect(try linked.meetings().isEmpty)
    try linked.write(review.replacing("Room 4", with: "Room 5"))
    #expect(try await linked.sync().pulled["new"] == 1)
    #expect(try linked.meetings().map(\.id) != [id])
    #expect(try linked.meetings().map(\.activity.locationLabel) == ["Room 5"])
  }

  @Test func aBrokenFileChangesNothing() async throws {
    let linked = try Linked(review)
    _ = try await linked.sync()
    try Data("BEGIN:VCALENDAR\r\nVERSION:2.0\r\nBEGIN:VEVENT\r\nUID:rev".utf8).write(
      to: linked.file)
    await #expect(throws: (any Error).self) { try await linked.sync() }
    #expect(try linked.meetings().map(\.meeting.isEventDeleted) == [false])
    try FileManager.default.removeItem(at: linked.file)
    await #expect(throws: (any Error).self) { try await linked.sync() }
    #expect(try linked.meetings().map(\.meeting.isEventDeleted) == [false])
  }

  @Test func peopleAreMergedAndUndoMakesThemTwoAgain() async throws {
    let linked = try Linked(
      review,
      review.replacing("UID:review", with: "UID:two").replacing("Priya Nair", with: "P. Nair")
        .replacing("priya@example.org", with: "pn@example.com"))
    _ = try await linked.sync()
    let archive = linked.test.archive
    let today = try #require(DayKey("2026-03-20"))
    func named(_ name: String) throws -> PersonSummary {
      let people = try archive.people(today: today)
      return try #require(
        people.first { $0.person.displayName == name },
        "\(people.map(\.person.displayName))")
    }
    let (priya, other) = (try named("Priya Nair"), try named("P. Nair"))
    linked.test.clock.advance(seconds: 5 * 86_400)
    _ = try archive.merge(other.id, into: priya.id)
    let merged = try named("Priya Nair")
    #expect(merged.meetingCount == 2 && merged.person.aliases == ["P. Nair"])
    #expect(merged.person.furtherAddresses == ["pn@example.com"])
    linked.test.clock.advance(seconds: 60)
    let undone = try archive.undo()
    #expect(try named("Priya Nair").meetingCount == 1)
    #expect(try named("P. Nair").meetingCount == 1)
    #expect(try named("P. Nair").person.email == "pn@example.com")
    linked.test.clock.advance(seconds: 60)
    _ = try archive.undo(undone.change.id)
    #expect(try named("Priya Nair").meetingCount == 2)
    // A sync runs by itself; to undo means what its owner did.
    _ = try archive.undo()
    #expect(throws: ArchiveError.self) { try archive.undo() }
    #expect(try linked.meetings().count == 2)
  }

  @Test func aSyncThatWasTakenBackIsTakenAgain() async throws {
    let linked = try Linked(review)
    _ = try await linked.sync()
    let run = try #require(try linked.test.archive.importRuns().first)
    _ = try linked.test.archive.undo(
      try linked.test.archive.importRun(matching: run.id.uuidString).changeID)
    #expect(try await linked.sync().pulled == ["new": 1])
  }

  @Test func whatTheOwnerWroteToStaysWhenTheImportIsTakenBack() async throws {
    let linked = try Linked(
      review, review.replacing("UID:review", with: "UID:two"),
      review.replacing("UID:review", with: "UID:three"),
      review.replacing("UID:review", with: "UID:four"))
    _ = try await linked.sync()
    let archive = linked.test.archive
    func meeting(_ event: String) throws -> MeetingEntry {
      try #require(try archive.meeting(ofEvent: event))
    }
    _ = try archive.updateMeeting(meeting("review").id) { $0.meeting.purpose = "Prices" }
    _ = try archive.updateMeeting(meeting("two").id) { $0.activity.text = "Mine" }
    try archive.create(
      Note(
        id: archive.identities.next(), text: "Minutes", meetingID: try meeting("three").id,
        createdAt: linked.test.clock.now, updatedAt: linked.test.clock.now))
    let run = try #require(try archive.importRuns().first)
    let undone = try archive.undo(
      try archive.importRun(matching: run.id.uuidString).changeID)
    #expect(undone.kept == 3 && undone.removed == 1)
    #expect(
      Set(try linked.meetings().map(\.meeting.eventIdentifier)) == ["review", "two", "three"])
    #expect(try meeting("review").meeting.purpose == "Prices")
    #expect(try meeting("two").meeting.attendances.count == 3)
    _ = try await linked.sync()
    #expect(try linked.meetings().count == 4)
    #expect(try meeting("review").meeting.purpose == "Prices")
  }

  @Test func anEventThatStandsInAnotherFileToo() async throws {
    let test = try TestArchive()
    let text = Linked.calendar([review])
    let folder = test.folder.url.appendingPathComponent("calendars")
    _ = try test.folder.file("calendars/a.ics", text)
    let copy = try test.folder.file("calendars/b.ics", text)
    let job = SyncJob(archive: test.archive, homeZone: test.zone)
    let link = try job.linkCalendar(.folder(folder))
    _ = try await job.bringInLine(link)
    try FileManager.default.removeItem(at: copy)
    test.clock.advance(seconds: 60)
    _ = try await job.bringInLine(try #require(try test.archive.syncLinks().first))
    let entry = try #require(try test.archive.meeting(ofEvent: "review"))
    #expect(!entry.meeting.isEventDeleted && entry.meeting.resource == "a.ics")
  }

  @Test func whatWasDroppedWhileACalendarWasNotLinkedIsNoticedWhenItIsAgain() async throws {
    let test = try TestArchive()
    func event(_ name: String) -> String {
      "UID:\(name)\nDTSTART:20260316T090000Z\nSUMMARY:\(name)"
    }
    let file = try test.folder.file(
      "calendars/a.ics", Linked.calendar([event("review"), event("talk")]))
    let other = try test.folder.file("calendars/b.ics", Linked.calendar([event("party")]))
    let folder = file.deletingLastPathComponent()
    let job = SyncJob(archive: test.archive, homeZone: test.zone)
    let first = try job.linkCalendar(.folder(folder))
    _ = try await job.bringInLine(first)
    try job.unlink(first)
    try Data(Linked.calendar([event("review")]).utf8).write(to: file)
    try FileManager.default.removeItem(at: other)
    test.clock.advance(seconds: 60)
    let again = try job.linkCalendar(.folder(folder))
    #expect(again.id == first.id)
    _ = try await job.bringInLine(again)
    func isDropped(_ name: String) throws -> Bool? {
      try test.archive.meeting(ofEvent: name)?.meeting.isEventDeleted
    }
    #expect(try isDropped("review") == false)
    #expect(try isDropped("talk") == true && isDropped("party") == true)
  }

  @Test func aSeriesThatMovesByAnHourKeepsItsMeetings() async throws {
    let weekly =
      "UID:weekly\nDTSTART;TZID=Europe/Berlin:20260302T100000\nRRULE:FREQ=WEEKLY;COUNT=4\nSUMMARY:Standup"
    let linked = try Linked(weekly)
    _ = try await linked.sync()
    let before = try linked.meetings()
    let written = try #require(before.last)
    _ = try linked.test.archive.updateMeeting(written.id) { $0.meeting.purpose = "Plan" }
    try linked.write(weekly.replacing("T100000", with: "T110000"))
    #expect(try await linked.sync().pulled == ["changed": 4])
    let after = try linked.meetings()
    #expect(after.map(\.id) == before.map(\.id))
    #expect(after.last?.meeting.purpose == "Plan")
    #expect(after.first?.activity.startAt == Instant("2026-03-02T10:00:00Z"))
    #expect(after.allSatisfy { !$0.meeting.isEventDeleted })
  }

  @Test func earlierDaysAreTakenWhenAskedFor() async throws {
    let linked = try Linked("UID:now\nDTSTART:20260314T090000Z\nSUMMARY:Now")
    _ = try await linked.sync()
    let link = try #require(try linked.test.archive.syncLinks().first)
    try linked.write(
      "UID:now\nDTSTART:20260314T090000Z\nSUMMARY:Now",
      "UID:old\nDTSTART:20251001T090000Z\nSUMMARY:Old")
    var window = CalendarSync.Window(back: 3, ahead: 3)
    #expect(try await linked.job.bringInLine(link, window: window).pulled.isEmpty)
    window.from = DayKey("2025-09-01")
    #expect(try await linked.job.bringInLine(link, window: window).pulled == ["new": 1])
  }
}

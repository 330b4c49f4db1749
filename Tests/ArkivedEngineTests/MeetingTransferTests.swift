import ArkivedCore
import ArkivedEngine
import ArkivedStore
import ArkivedTestSupport
import Foundation
import Testing

@Suite("Meetings, notes and conversations in exports and imports")
struct MeetingTransferTests {
  private let calendar = """
    BEGIN:VCALENDAR
    VERSION:2.0
    BEGIN:VEVENT
    UID:review
    DTSTART:20260316T090000Z
    DTEND:20260316T100000Z
    SUMMARY:Review
    ORGANIZER;CN=Priya Nair:mailto:priya@example.org
    ATTENDEE;CN=Mei Lin;PARTSTAT=DECLINED:mailto:mei@example.org
    END:VEVENT
    END:VCALENDAR
    """

  private func lines(_ archive: Archive) throws -> [String] {
    var lines: [String] = []
    _ = try ExportJob(archive: archive).writeJSONLines { lines.append($0) }
    return lines
  }

  @Test func anExportIntoAnEmptyArchiveGivesTheSameMeetingsNotesAndConversations() throws {
    let test = try TestArchive()
    let file = try test.folder.file("work.ics", calendar)
    _ = try ImportJob(archive: test.archive, homeZone: test.zone).run(file)
    let id = try #require(try test.archive.meeting(ofEvent: "review")).id
    test.clock.advance(seconds: 60)
    _ = try test.archive.updateMeeting(id) { entry in
      entry.meeting.purpose = "Prototype"
      entry.activity.text = "Design review"
    }
    for meeting in [id, nil] {
      try test.archive.create(
        Note(
          id: test.archive.identities.next(), title: "Minutes",
          text: "- [ ] @Priya send the draft by Friday", meetingID: meeting, tags: ["work"],
          createdAt: test.clock.now, updatedAt: test.clock.now))
    }
    _ = try test.archive.say(
      "When do I meet Priya?", answered: "On Monday.", details: ["kind": "when"]
    ) { _, _, _ in KeptAnswer(status: 200) }
    let exported = try lines(test.archive)
    #expect(exported.filter { $0.hasPrefix(#"{"type":"message""#) }.count == 2)
    #expect(exported.contains { $0.hasPrefix(#"{"type":"meeting""#) })
    #expect(exported.filter { $0.hasPrefix(#"{"type":"note""#) }.count == 2)
    let copy = try TestArchive()
    let out = try copy.folder.file("life.jsonl", exported.joined(separator: "\n"))
    let run = try #require(
      try ImportJob(archive: copy.archive, homeZone: copy.zone).run(out).first)
    #expect(run.warnings.isEmpty && run.skipped == 0)
    // But for the first line, which tells when it was written.
    #expect(try lines(copy.archive).dropFirst() == exported.dropFirst())
    #expect(try copy.archive.meeting(id) == test.archive.meeting(id))
    #expect(try copy.archive.promises().map(\.json) == test.archive.promises().map(\.json))
    let again = try #require(
      try ImportJob(archive: copy.archive, homeZone: copy.zone).run(out).first)
    #expect(again.created.isEmpty && again.updated == 0)
  }

  @Test func whoIsInvitedByAKnownAddressIsLinkedInTheLinesOfOthers() throws {
    let test = try TestArchive()
    let file = try test.folder.file(
      "sync.jsonl",
      """
      {"type":"arkived","version":1}
      {"type":"person","id":"11111111-1111-4111-8111-111111111111","name":"Bo Ek","email":"bo@x.example"}
      {"type":"activity","id":"22222222-2222-4222-8222-222222222222","text":"Sync",\
      "startAt":"2026-03-10T09:00:00Z","source":"calendarImport"}
      {"type":"meeting","activityId":"22222222-2222-4222-8222-222222222222","eventIdentifier":"e1",\
      "attendees":[{"name":"Bo","address":"BO@x.example"},{"name":"Zed","address":"zed@x.example"}]}
      """)
    let job = ImportJob(archive: test.archive, homeZone: test.zone, readsAgain: true)
    #expect(try job.run(file).first?.created["meeting"] == 1)
    let meeting = try #require(try test.archive.meeting(ofEvent: "e1")).meeting
    #expect(meeting.attendances.map(\.name) == ["Bo Ek", "Zed"])
    #expect(meeting.attendances.map { $0.personID != nil } == [true, false])
    let again = try #require(try job.run(file).first)
    #expect(again.created.isEmpty && again.updated == 0)
  }

  @Test func importingACalendarTwiceChangesNothingAndUndoTakesMeetingsBack() throws {
    let test = try TestArchive()
    let file = try test.folder.file("work.ics", calendar)
    let job = ImportJob(archive: test.archive, homeZone: test.zone)
    let first = try #require(try job.run(file).first)
    #expect(first.created == ["activity": 1, "meeting": 1, "person": 1])
    let second = try #require(try job.run(file).first)
    #expect(second.created.isEmpty && second.unchanged == 2 && second.updated == 0)
    let change = try test.archive.importRun(matching: first.id.uuidString).changeID
    let undone = try test.archive.undo(change)
    #expect(try test.archive.countMeetings(MeetingFilter()) == 0)
    _ = try test.archive.undo(undone.change.id)
    #expect(try test.archive.countMeetings(MeetingFilter()) == 1)
  }

  @Test func deletingAMeetingTakesItsNotesAndUndoBringsBoth() throws {
    let test = try TestArchive()
    _ = try ImportJob(archive: test.archive, homeZone: test.zone)
      .run(try test.folder.file("work.ics", calendar))
    let entry = try #require(try test.archive.meeting(ofEvent: "review"))
    let note = try test.archive.create(
      Note(
        id: test.archive.identities.next(), text: "Minutes of the prototype", meetingID: entry.id,
        createdAt: test.clock.now, updatedAt: test.clock.now)
    ).value
    test.clock.advance(seconds: 60)
    try test.archive.deleteMeeting(entry.id)
    #expect(try test.archive.meeting(entry.id) == nil && test.archive.note(note.id) == nil)
    #expect(try test.archive.activity(entry.activity.id) == nil)
    let request = SearchRequest(query: "prototype")
    #expect(try test.archive.search(request, words: WordQuery("prototype")).isEmpty)
    test.clock.advance(seconds: 60)
    _ = try test.archive.undo()
    let back = try #require(try test.archive.meeting(entry.id))
    #expect(back.meeting.attendances == entry.meeting.attendances)
    #expect(try test.archive.note(note.id)?.meetingID == entry.id)
    #expect(
      try test.archive.search(request, words: WordQuery("prototype")).map(\.id) == [note.id])
    // What was deleted does not come in again by itself.
    test.clock.advance(seconds: 60)
    try test.archive.deleteMeeting(entry.id)
    _ = try ImportJob(archive: test.archive, homeZone: test.zone)
      .run(try test.folder.file("work.ics", calendar))
    #expect(try test.archive.countMeetings(MeetingFilter()) == 0)
  }
}

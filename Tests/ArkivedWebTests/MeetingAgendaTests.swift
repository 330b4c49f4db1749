import ArkivedCore
import ArkivedStore
import ArkivedTestSupport
import Foundation
import HTTPTypes
import Testing

@testable import ArkivedWeb

@Suite("What goes on, what went wrong in a form, and the outline of notes")
struct MeetingAgendaTests: MeetingTesting {
  /// Sets the clock to a time in Berlin and gives a meeting that ends on a later day.
  private func night(
    _ web: WebTest, now: String, title: String = "Release night", from start: String,
    until end: String
  ) throws -> MeetingEntry {
    web.test.clock.set(try #require(Instant(now)))
    let entry = try meeting(web.test, title, on: "2026-03-13", from: start, to: nil)
    return try web.test.archive.updateMeeting(entry.id) {
      $0.activity.endAt = Instant(end)
    }.value
  }

  @Test func aMeetingOverMidnightGoesOnInTheAgendaAndIsPastOnceItEnded() async throws {
    let web = try WebTest()
    let entry = try night(
      web, now: "2026-03-14T00:30:00Z", from: "23:00", until: "2026-03-14T01:00:00Z")
    let path = "href=\"/meetings/\(entry.id.uuidString)\""
    try await web.run { client in
      let cookie = try await client.signIn()
      var agenda = try await client.get("/meetings", cookie: cookie)
      #expect(
        agenda.text.contains(path) && agenda.text.contains("<span class=\"badge\">Now</span>"))
      var past = try await client.get("/meetings?show=past", cookie: cookie)
      #expect(!past.text.contains(path))
      web.test.clock.set(try #require(Instant("2026-03-14T01:00:00Z")))
      agenda = try await client.get("/meetings", cookie: cookie)
      #expect(!agenda.text.contains(path))
      past = try await client.get("/meetings?show=past", cookie: cookie)
      #expect(past.text.contains(path) && !past.text.contains(">Now</span>"))
    }
  }

  @Test func anInvitationFromAnotherZoneIsOnTheDayItHasAtHome() async throws {
    let web = try WebTest()
    let entry = try meeting(web.test, "Pricing", on: "2026-03-15", with: ["Priya Nair"])
    // In Auckland it is Sunday already; in Berlin it is Saturday, 21:00.
    _ = try web.test.archive.updateMeeting(entry.id) {
      $0.activity.timeZone = "Pacific/Auckland"
      $0.activity.startAt = Instant("2026-03-14T21:00:00Z")
      $0.activity.endAt = Instant("2026-03-14T22:00:00Z")
    }
    try await web.run { client in
      let cookie = try await client.signIn()
      let home = try await client.get("/", cookie: cookie).text
      #expect(home.contains("in 1 hour · 10:00–11:00 (Auckland)"))
      let agenda = try await client.get("/meetings", cookie: cookie).text
      #expect(agenda.contains("in 1 hour · 15 March · 10:00–11:00 (Auckland)"))
      let brief = try await client.get(
        "/meetings/\(entry.id.uuidString)/brief", cookie: cookie
      ).text
      #expect(brief.contains("15 March · 10:00–11:00 (Auckland)"))
    }
  }

  @Test func whatTakesDaysStandsInTheAgendaAlone() async throws {
    let web = try WebTest()
    let entry = try night(
      web, now: "2026-03-14T20:00:00Z", title: "Fair", from: "09:00",
      until: "2026-03-15T17:00:00Z")
    let path = "href=\"/meetings/\(entry.id.uuidString)\""
    try await web.run { client in
      let cookie = try await client.signIn()
      let agenda = try await client.get("/meetings", cookie: cookie).text
      #expect(agenda.contains(path) && agenda.contains(">Now</span>"))
      #expect(!(try await client.get("/meetings?show=past", cookie: cookie).text.contains(path)))
    }
  }

  @Test func aFormTellsTimesInItsZone() async throws {
    try await WebTest().run { client in
      let cookie = try await client.signIn()
      let page = try await client.post(
        "/meetings",
        [
          "title": "T", "day": "2026-03-16", "start": "18:00", "end": "04:00",
          "timeZone": "Asia/Tokyo", "length": "", "status": "confirmed",
        ], cookie: cookie)
      // Ten hours over midnight are no mistake; twenty-three are.
      #expect(page.status == 303, "\(page.text)")
      let wrong = try await client.post(
        "/meetings",
        [
          "title": "T", "day": "2026-03-16", "start": "18:00", "end": "17:00",
          "timeZone": "Asia/Tokyo",
        ], cookie: cookie)
      #expect(wrong.status == 422 && wrong.text.contains("2026-03-16 17:00 (Asia/Tokyo)"))
      #expect(wrong.text.contains("is before the start 2026-03-16 18:00"))
      #expect(!wrong.text.contains("T08:00"))
    }
  }

  @Test func anAddressThatIsNoneIsRefusedAndOneOfACalendarIsNot() async throws {
    let web = try WebTest()
    let entry = try meeting(web.test)
    _ = try web.test.archive.updateMeeting(entry.id) {
      $0.setAttendees([Attendance(name: "Room 4", address: "urn:room:4")])
    }
    let path = "/meetings/\(entry.id.uuidString)"
    try await web.run { client in
      let cookie = try await client.signIn()
      var form = [
        "title": "Pricing", "day": "2026-03-14", "start": "15:00", "end": "15:30",
        "attendees": "Room 4 <urn:room:4>\nPriya <priya@>",
      ]
      let wrong = try await client.post(path, form, cookie: cookie)
      #expect(wrong.status == 422 && wrong.text.contains("href=\"#attendees\""))
      #expect(wrong.text.contains("“priya@”") && wrong.text.contains("name@example.org"))
      form["attendees"] = "Room 4 <urn:room:4>\nPriya <priya@example.org>"
      #expect(try await client.post(path, form, cookie: cookie).status == 303)
      #expect(try web.test.archive.meeting(entry.id)?.meeting.attendances.count == 2)
    }
  }

  @Test func whoTakesPartIsNotLostByNull() async throws {
    let web = try WebTest()
    let entry = try meeting(web.test, with: ["Priya Nair", "Mei Ito"])
    let path = "/api/v1/meetings/\(entry.id.uuidString)"
    try await web.run { client in
      let refused = try await client.ask(.patch, path, ["attendees": .null, "title": "Other"])
      #expect(refused.status == 422 && refused.json["field"] == "attendees")
      #expect(refused.text.contains("Send []"))
      let kept = try #require(try web.test.archive.meeting(entry.id))
      #expect(kept == entry)
      let mistakes: [(JSON, String)] = [
        ("a@", "attendees[0].name"), (["name": "A", "address": "a@"], "attendees[0].address"),
      ]
      for (attendee, field) in mistakes {
        let wrong = try await client.ask(.patch, path, ["attendees": [attendee]])
        #expect(wrong.status == 422 && wrong.json["field"]?.string == field, "\(wrong.text)")
      }
      // What was read can be sent back.
      let read = try await client.ask(.get, path).json["attendees"] ?? .null
      let same = try await client.ask(.patch, path, ["attendees": read])
      #expect(same.status == 200 && same.json["updated"]?["attendees"] == read, "\(same.text)")
      let emptied = try await client.ask(.patch, path, ["attendees": []])
      #expect(emptied.status == 200 && emptied.json["updated"]?["attendees"] == .array([]))
    }
  }

  @Test func twoOfOneNameAreAskedAbout() async throws {
    let web = try WebTest()
    for email in ["priya@example.org", nil] {
      try web.test.archive.create(
        Person(
          id: web.test.archive.identities.next(), name: "Priya", email: email,
          createdAt: web.test.clock.now, updatedAt: web.test.clock.now))
    }
    try await web.run { client in
      let refused = try await client.ask(.get, "/api/v1/meetings?person=Priya")
      #expect(refused.status == 400 && refused.text.contains("Priya <priya@example.org>"))
      #expect(refused.text.contains("Use the address or the ID"))
    }
  }

  @Test func aCheckboxOfAnOldPageLeadsToItsMeetingOrNote() async throws {
    let web = try WebTest()
    let entry = try meeting(web.test)
    let note = try note(web.test, "- [ ] pay", of: entry.id)
    let path = "/notes/\(note.id.uuidString)"
    let home = "/meetings/\(entry.id.uuidString)"
    try await web.run { client in
      let cookie = try await client.signIn()
      let page = try await client.get(path, cookie: cookie)
      let value = String(try #require(page.text.firstMatch(of: #/value="(1\.1\.[A-Za-z]+)"/#)?.1))
      _ = try web.test.archive.updateNote(note.id) { $0.text = "- [ ] pay the bill" }
      for (back, label, href) in [
        (home, "Back to the meeting", home), (path, "Open note", path),
        ("/promises", "Open note", path),
      ] {
        let late = try await client.post(
          "\(path)/promises", ["promise": value, "back": back], cookie: cookie)
        #expect(late.status == 409 && late.text.contains("href=\"\(href)\">\(label)"), "\(back)")
      }
      try web.test.archive.deleteNote(note.id)
      let gone = try await client.post(
        "\(path)/promises", ["promise": value, "back": home], cookie: cookie)
      #expect(gone.status == 404 && gone.text.contains("Back to the meeting"))
    }
  }

  @Test func headingsOfANoteFollowTheOutlineOfThePage() async throws {
    let web = try WebTest()
    let entry = try meeting(web.test)
    let note = try note(web.test, "## Decisions\n\nYes\n\n### Why", title: "Minutes", of: entry.id)
    try await web.run { client in
      let cookie = try await client.signIn()
      let alone = try await client.get("/notes/\(note.id.uuidString)", cookie: cookie).text
      #expect(alone.contains("<h2>Decisions</h2>") && alone.contains("<h3>Why</h3>"))
      // Under the meeting, its notes, and the note's title.
      let home = try await client.get("/meetings/\(entry.id.uuidString)", cookie: cookie).text
      #expect(home.contains("<h4>Decisions</h4>") && home.contains("<h5>Why</h5>"))
      let shown = try await client.post("/notes/preview", ["note": "# One"], cookie: cookie)
      #expect(shown.text.contains("<h3>One</h3>"))
    }
  }
}

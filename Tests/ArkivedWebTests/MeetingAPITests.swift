import ArkivedCore
import ArkivedStore
import ArkivedTestSupport
import Foundation
import HTTPTypes
import Testing

@testable import ArkivedWeb

/// What tests of the meetings side share.
protocol MeetingTesting {}

extension MeetingTesting {
  /// A meeting of the test's day at these hours.
  func meeting(
    _ test: TestArchive, _ title: String = "Pricing", on day: String = "2026-03-14",
    from start: String? = "15:00", to end: String? = "15:30", with names: [String] = []
  ) throws -> MeetingEntry {
    let activity = try test.activity(title, on: day, from: start, to: end)
    let id = test.archive.identities.next()
    return try test.archive.create(
      MeetingEntry(
        meeting: Meeting(
          id: id, activityID: activity.id, eventIdentifier: id.uuidString,
          attendances: names.map { Attendance(name: $0) }, createdAt: test.clock.now,
          updatedAt: test.clock.now), activity: activity)
    ).value
  }

  func note(
    _ test: TestArchive, _ text: String, title: String? = nil, of meeting: UUID? = nil
  ) throws -> Note {
    try test.archive.create(
      Note(
        id: test.archive.identities.next(), title: title, text: text, meetingID: meeting,
        dayKey: meeting == nil ? DayKey("2026-03-14") : nil, createdAt: test.clock.now,
        updatedAt: test.clock.now)
    ).value
  }

  func person(_ test: TestArchive, named name: String) throws -> UUID {
    try #require(try test.archive.people(named: name).first?.id)
  }
}

@Suite("Meetings, notes, promises, people and links over HTTP")
struct MeetingAPITests: MeetingTesting {
  private static let kinds: [(path: String, body: JSON, change: JSON)] = [
    (
      "meetings", ["title": "Pricing", "startDate": "2026-03-16T09:00:00Z"],
      ["title": "Pricing again", "outcomes": "Three tiers"]
    ), ("notes", ["text": "Ask about the tiers"], ["text": "Ask about all tiers"]),
    ("people", ["name": "Mei Ito"], ["relationshipSummary": "From the choir"]),
  ]

  @Test func aListFromADayHoldsWhatStillRunsOnIt() async throws {
    let web = try WebTest()
    let zone = web.test.zone
    var late = try meeting(web.test, "Night shift", on: "2026-03-13", from: "22:00", to: "23:00")
    late = try web.test.archive.updateMeeting(late.id) { entry in
      entry.activity.endAt = zone.start(of: entry.activity.dayKey.advanced(by: 1))
        .adding(seconds: 1_800)
    }.value
    _ = try meeting(web.test, "Dinner", on: "2026-03-13", from: "19:00", to: "23:30")
    _ = try meeting(web.test)
    try await web.run { client in
      let answer = try await client.ask(.get, "/api/v1/meetings?from=2026-03-14")
      let titles = answer.json["meetings"]?.array?.compactMap { $0["title"]?.string } ?? []
      #expect(Set(titles) == ["Night shift", "Pricing"] && answer.json["total"] == 2)
    }
    #expect(late.title == "Night shift")
  }

  @Test(arguments: [0, 1, 2])
  func eachKindIsMadeListedReadChangedDeletedAndBroughtBack(index: Int) async throws {
    let (kind, body, change) = Self.kinds[index]
    try await WebTest().run { web in
      let made = try await web.ask(.post, "/api/v1/\(kind)", body)
      #expect(made.status == 201, "\(made.text)")
      let id = try #require(made.json["created"]?["id"]?.string)
      let path = "/api/v1/\(kind)/\(id)"
      #expect(made.headers[.location] == path)
      let listed = try await web.ask(.get, "/api/v1/\(kind)")
      #expect(listed.json[kind]?.array?.map { $0["id"]?.string } == [id], "\(listed.text)")
      #expect(listed.json["total"] == 1)
      let read = try await web.ask(.get, path)
      #expect(read.status == 200, "\(read.text)")
      for (key, value) in body.object?.members ?? [] where key != "startDate" {
        #expect(read.json[key] == value, "\(key)")
      }
      let etag = try #require(read.headers[.eTag])
      #expect(try await web.ask(.get, path, nil, ["If-None-Match": etag]).status == 304)
      let changed = try await web.ask(.patch, path, change, ["If-Match": etag])
      #expect(changed.status == 200, "\(changed.text)")
      for (key, value) in change.object?.members ?? [] {
        #expect(changed.json["updated"]?[key] == value)
      }
      let late = try await web.ask(.patch, path, body, ["If-Match": etag])
      #expect(late.status == 412)
      #expect(late.headers[.contentType] == "application/problem+json")
      #expect(try await web.ask(.delete, path, nil, ["If-Match": etag]).status == 412)
      let again = try await web.ask(.patch, path, change)
      #expect(again.status == 200 && again.json["changeId"] == .null, "\(again.text)")
      #expect(try await web.ask(.get, "\(path)/history").json["versions"]?.array?.isEmpty == false)
      let unknown = try await web.ask(.patch, path, ["colour": "red"])
      #expect(unknown.status == 422 && unknown.json["field"] == "colour")
      let tag = try #require(changed.headers[.eTag])
      let deleted = try await web.ask(.delete, path, nil, ["If-Match": tag])
      #expect(deleted.status == 200, "\(deleted.text)")
      #expect(try await web.ask(.get, path).status == 404)
      #expect(try await web.ask(.patch, path, change).status == 404)
      let undo = try #require(deleted.json["changeId"]?.string)
      #expect(try await web.ask(.post, "/api/v1/changes/\(undo)/undo").status == 200)
      #expect(try await web.ask(.get, path).status == 200)
    }
  }

  @Test(arguments: [0, 1, 2])
  func aRepeatedPostWithAKeyMakesOne(index: Int) async throws {
    let (kind, body, change) = Self.kinds[index]
    try await WebTest().run { web in
      let key = ["Idempotency-Key": "k"]
      let answers = try await withThrowingTaskGroup(of: String.self) { group in
        for _ in 0..<4 {
          group.addTask { try await web.ask(.post, "/api/v1/\(kind)", body, key).text }
        }
        return try await group.reduce(into: Set<String>()) { $0.insert($1) }
      }
      #expect(answers.count == 1)
      #expect(try await web.ask(.get, "/api/v1/\(kind)").json["total"] == 1)
      let other = try await web.ask(.post, "/api/v1/\(kind)", change, key)
      #expect(other.status == 422 && other.json["field"] == "Idempotency-Key")
    }
  }

  @Test func wrongFieldsAreRefusedByName() async throws {
    let wrong: [(String, JSON, String)] = [
      ("meetings", [:], "title"), ("meetings", ["title": "a"], "startDate"),
      ("meetings", ["title": " ", "dayKey": "2026-03-14"], "title"),
      ("meetings", ["title": "a", "dayKey": "2026-02-30"], "dayKey"),
      ("meetings", ["title": "a", "startDate": "tomorrow"], "startDate"),
      (
        "meetings",
        [
          "title": "a", "startDate": "2026-03-14T10:00:00Z", "endDate": "2026-03-14T09:00:00Z",
        ], "endDate"
      ), ("meetings", ["title": "a", "dayKey": "2026-03-14", "timeZone": "Mars/Base"], "timeZone"),
      ("meetings", ["title": "a", "dayKey": "2026-03-14", "attendees": "Mei"], "attendees"),
      ("meetings", ["title": "a", "dayKey": "2026-03-14", "attendees": [" "]], "attendees[0]"),
      (
        "meetings", ["title": "a", "dayKey": "2026-03-14", "attendees": [["role": "chair"]]],
        "attendees[0].name"
      ), ("meetings", ["title": "a", "dayKey": "2026-03-14", "id": "x"], "id"),
      ("notes", [:], "text"), ("notes", ["text": " "], "text"),
      ("notes", ["text": "a\u{0}"], "text"), ("notes", ["title": "a\nb"], "title"),
      ("notes", ["text": "a", "people": ["Mei"]], "people"),
      ("notes", ["text": "a", "meetingId": "6DD0C8A4-61F7-4D12-9FC7-3E11B1E9A001"], "meetingId"),
      ("people", [:], "name"), ("people", ["name": "Mei", "email": "nowhere"], "email"),
      ("people", ["name": "Mei", "addresses": ["nowhere"]], "addresses"),
      ("links", [:], "address"), ("links", ["address": "/nowhere/at/all.ics"], "address"),
      ("links", ["address": "/tmp", "kind": "ftp"], "kind"),
      ("links", ["address": "/tmp", "user": "a"], "password"),
      ("links", ["address": "/tmp", "back": -1], "back"),
      ("calendars/discover", ["address": "/tmp"], "address"),
    ]
    try await WebTest().run { web in
      for (kind, body, field) in wrong {
        let answer = try await web.ask(.post, "/api/v1/\(kind)", body)
        #expect(answer.status == 422, "\(kind) \(body.text()): \(answer.text)")
        #expect(answer.json["field"]?.string == field, "\(kind) \(body.text()): \(answer.text)")
      }
      for path in [
        "meetings?person=Nobody", "meetings?from=x", "meetings?limit=0", "notes?tagg=a",
        "promises?owner=Nobody", "people?order=age", "meetings/now", "brief?meeting=soon",
      ] {
        #expect(try await web.ask(.get, "/api/v1/\(path)").status == 400, "\(path)")
      }
      #expect(try await web.ask(.get, "/api/v1/meetings/next").status == 404)
      #expect(try await web.ask(.get, "/api/v1/brief").status == 404)
    }
  }

  @Test func aMeetingLinksWhoTakesPartAndShowsOnItsDay() async throws {
    let web = try WebTest()
    try await web.run { client in
      let mei = try await client.ask(
        .post, "/api/v1/people", ["name": "Mei Ito", "email": "mei@example.org"])
      let id = try #require(mei.json["created"]?["id"]?.string)
      let made = try await client.ask(
        .post, "/api/v1/meetings",
        [
          "title": "Tea", "startDate": "2026-03-14T22:30:00Z", "location": "Tea house",
          "attendees": ["M. <MEI@example.org>", ["name": "Priya Nair", "reply": "accepted"]],
        ])
      #expect(made.status == 201, "\(made.text)")
      let created = try #require(made.json["created"])
      #expect(created["dayKey"] == "2026-03-14")
      #expect(created["attendees"]?.array?.first?["personId"]?.string == id)
      #expect(created["attendees"]?.array?.first?["name"] == "Mei Ito")
      let day = try await client.ask(.get, "/api/v1/days/2026-03-14")
      #expect(day.json["meetings"]?.array?.map { $0["id"] } == [created["id"]])
      #expect(day.json["activities"]?.array?.first?["people"] == ["Mei Ito", "Priya Nair"])
      #expect(try await client.ask(.get, "/api/v1/people").json["total"] == 2)
      let with = try await client.ask(.get, "/api/v1/meetings?person=Mei")
      #expect(with.json["total"] == 1)
      let next = try await client.ask(.get, "/api/v1/meetings/next")
      #expect(next.json["id"] == created["id"], "\(next.text)")
      let brief = try await client.ask(.get, "/api/v1/brief")
      #expect(brief.json["meeting"]?["id"] == created["id"])
      #expect(brief.json["attendees"]?.array?.count == 2)
      let today = try await client.ask(.get, "/api/v1/brief?meeting=today")
      #expect(today.json["briefs"]?.array?.count == 1)
      let theirs = try await client.ask(.get, "/api/v1/people/\(id)/meetings")
      #expect(theirs.json["total"] == 1)
      let found = try await client.ask(.get, "/api/v1/meetings?query=tea")
      #expect(found.json["total"] == 1, "\(found.text)")
      let path = "/api/v1/meetings/\(created["id"]?.string ?? "")"
      let moved = try await client.ask(
        .patch, path, ["dayKey": "2026-03-15", "attendees": ["Mei Ito"]])
      #expect(moved.json["updated"]?["startDate"] == "2026-03-15T22:30:00Z", "\(moved.text)")
      let later = try await client.ask(.get, "/api/v1/days/2026-03-15")
      #expect(later.json["activities"]?.array?.first?["people"] == ["Mei Ito"])
    }
  }

  @Test("A meeting that the owner declined is in neither brief")
  func aDeclinedMeetingIsInNoBrief() async throws {
    let web = try WebTest()
    let own = try web.test.archive.create(
      Person(
        id: web.test.archive.identities.next(), name: "Ira Sol", aliases: ["me"],
        createdAt: web.test.clock.now, updatedAt: web.test.clock.now)
    ).value
    func meeting(_ title: String, from start: String, reply: AttendanceReply) throws -> UUID {
      let entry = try self.meeting(web.test, title, from: start, to: "23:30", with: ["Mei Ito"])
      return try web.test.archive.updateMeeting(entry.id) { entry in
        entry.meeting.attendances = [
          Attendance(name: "Mei Ito"),
          Attendance(name: own.displayName, personID: own.id, reply: reply),
        ]
      }.value.id
    }
    _ = try meeting("Tasting", from: "22:00", reply: .declined)
    let coming = try meeting("Tea", from: "22:30", reply: .accepted)
    try await web.run { client in
      let next = try await client.ask(.get, "/api/v1/brief")
      #expect(next.json["meeting"]?["id"]?.string == coming.uuidString, "\(next.text)")
      let today = try await client.ask(.get, "/api/v1/brief?meeting=today")
      let ids = today.json["briefs"]?.array?.map { $0["meeting"]?["id"]?.string }
      #expect(ids == [coming.uuidString], "\(today.text)")
    }
  }

  @Test func aPromiseIsTickedOnlyWhereItStands() async throws {
    let web = try WebTest()
    let meeting = try meeting(web.test, with: ["Priya Nair"])
    let text = "# Next\r\n\r\n- [ ] @Priya send the draft\r\n- [x] me: call\r\n"
    let note = try note(web.test, text, of: meeting.id)
    let path = "/api/v1/notes/\(note.id.uuidString)"
    try await web.run { client in
      let open = try await client.ask(.get, "/api/v1/promises")
      #expect(open.json["promises"]?.array?.map { $0["text"] } == ["send the draft"])
      #expect(try await client.ask(.get, "/api/v1/promises?owner=me").json["total"] == 0)
      #expect(try await client.ask(.get, "/api/v1/promises?done=true").json["total"] == 2)
      #expect(try await client.ask(.get, "/api/v1/promises?owner=Priya").json["total"] == 1)
      let etag = try #require(try await client.ask(.get, path).headers[.eTag])
      for (line, body, status) in [
        ("1", ["done": true] as JSON, 409), ("3", ["done": true, "text": "another"], 409),
        ("99", ["done": true], 409), ("0", ["done": true], 400), ("3", [:], 422),
        ("3", ["done": "yes"], 422),
      ] {
        let answer = try await client.ask(.post, "\(path)/promises/\(line)", body)
        #expect(answer.status == status, "\(line) \(answer.text)")
      }
      #expect(try web.test.archive.note(note.id)?.text == text)
      // Four at once tick one box once.
      try await withThrowingTaskGroup(of: Int.self) { group in
        for _ in 0..<4 {
          group.addTask {
            try await client.ask(
              .post, "\(path)/promises/3", ["done": true, "text": "send the draft"]
            ).status
          }
        }
        for try await status in group { #expect(status == 200) }
      }
      let ticked = text.replacingOccurrences(of: "[ ]", with: "[x]")
      #expect(try web.test.archive.note(note.id)?.text == ticked)
      let late = try await client.ask(
        .post, "\(path)/promises/3", ["done": false], ["If-Match": etag])
      #expect(late.status == 412)
      // Somebody writes a line above it in the meantime.
      _ = try web.test.archive.updateNote(note.id) { $0.text = "New line\r\n" + $0.text }
      let moved = try await client.ask(
        .post, "\(path)/promises/3", ["done": false, "text": "send the draft"])
      #expect(moved.status == 409 && moved.json["field"] == "text", "\(moved.text)")
      #expect(try web.test.archive.note(note.id)?.text == "New line\r\n" + ticked)
    }
  }

  @Test func manyPromisesAreLetGoInOneChange() async throws {
    let web = try WebTest()
    let first = try note(web.test, "- [ ] call the roofer\n- [x] pay\n- [ ] write to Ann")
    let second = try note(web.test, "- [ ] sell the boat")
    @Sendable func listed(_ note: Note, _ line: Int, _ text: String) -> JSON {
      ["noteId": .string(note.id.uuidString), "line": JSON(line), "text": .string(text)]
    }
    try await web.run { client in
      let given: JSON = .array([
        listed(first, 1, "call the roofer"), listed(first, 2, "pay"),
        listed(first, 3, "written differently"), listed(second, 1, "sell the boat"),
      ])
      let answer = try await client.ask(.post, "/api/v1/promises/let-go", ["promises": given])
      #expect(answer.status == 200, "\(answer.text)")
      #expect(
        answer.json["letGo"]?.array?.map { $0["text"] } == ["call the roofer", "sell the boat"])
      #expect(
        try web.test.archive.note(first.id)?.text
          == "- [-] call the roofer\n- [x] pay\n- [ ] write to Ann")
      let change = try #require(answer.json["changeId"]?.string)
      let undone = try await client.ask(.post, "/api/v1/changes/\(change)/undo")
      #expect(undone.status == 200, "\(undone.text)")
      #expect(try web.test.archive.note(second.id)?.text == "- [ ] sell the boat")
      let wrong: [JSON] = [
        [:], ["promises": []], ["promises": [["line": 1]]], ["promises": given, "all": true],
      ]
      for body in wrong {
        let refused = try await client.ask(.post, "/api/v1/promises/let-go", body)
        #expect(refused.status == 422, "\(refused.text)")
      }
    }
  }

  @Test func twoPeopleBecomeOneAndTwoAgain() async throws {
    let web = try WebTest()
    try await web.run { client in
      let one = try await client.ask(.post, "/api/v1/people", ["name": "Priya Nair"])
      let two = try await client.ask(
        .post, "/api/v1/people", ["name": "Nair, Priya", "email": "p@example.org"])
      let kept = try #require(one.json["created"]?["id"]?.string)
      let gone = try #require(two.json["created"]?["id"]?.string)
      let taken = try await client.ask(
        .patch, "/api/v1/people/\(kept)", ["addresses": ["p@example.org"]])
      #expect(taken.status == 422 && taken.json["field"] == "addresses", "\(taken.text)")
      let proposed = try await client.ask(.get, "/api/v1/people/duplicates")
      #expect(proposed.json["total"] == 1, "\(proposed.text)")
      let merged = try await client.ask(
        .post, "/api/v1/people/\(gone)/merge", ["into": .string(kept)])
      #expect(merged.json["merged"]?["email"] == "p@example.org", "\(merged.text)")
      #expect(try await client.ask(.get, "/api/v1/people/\(gone)").status == 404)
      let self_ = try await client.ask(
        .post, "/api/v1/people/\(kept)/merge", ["into": .string(kept)])
      #expect(self_.status == 422 && self_.json["field"] == "into")
      let undo = try #require(merged.json["changeId"]?.string)
      #expect(try await client.ask(.post, "/api/v1/changes/\(undo)/undo").status == 200)
      #expect(try await client.ask(.get, "/api/v1/people/\(gone)").status == 200)
    }
  }

  @Test func aCalendarIsLinkedSyncedAndEnded() async throws {
    let web = try WebTest()
    let file = try web.test.folder.file("work.ics", Self.calendar)
    try await web.run { client in
      let made = try await client.ask(
        .post, "/api/v1/links", ["address": .string(file.path), "name": "Work"])
      #expect(made.status == 201, "\(made.text)")
      let id = try #require(made.json["created"]?["id"]?.string)
      let twice = try await client.ask(.post, "/api/v1/links", ["address": .string(file.path)])
      #expect(twice.status == 409)
      let synced = try await client.ask(.post, "/api/v1/links/\(id)/sync")
      #expect(synced.status == 200, "\(synced.text)")
      let meetings = try await client.ask(.get, "/api/v1/meetings")
      #expect(meetings.json["meetings"]?.array?.map { $0["title"] } == ["Standup"])
      let meeting = try #require(meetings.json["meetings"]?.array?.first?["id"]?.string)
      _ = try await client.ask(.patch, "/api/v1/meetings/\(meeting)", ["title": "Daily"])
      let own = try await client.ask(.get, "/api/v1/meetings/\(meeting)")
      #expect(own.json["ownFields"] == [["name": "title", "eventValue": "Standup"]])
      #expect(try await client.ask(.get, "/api/v1/links").json["total"] == 1)
      try FileManager.default.removeItem(at: file)
      let gone = try await client.ask(.post, "/api/v1/links/\(id)/sync", [:])
      #expect(gone.status == 424, "\(gone.text)")
      #expect(gone.json["detail"]?.string?.contains("is missing") == true)
      #expect(try await client.ask(.delete, "/api/v1/links/\(id)").status == 200)
      #expect(try await client.ask(.delete, "/api/v1/links/\(id)").status == 404)
      #expect(try await client.ask(.get, "/api/v1/meetings").json["total"] == 1)
    }
  }

  @Test func secretsAreNeverTold() async throws {
    let web = try WebTest()
    try await web.run { client in
      let made = try await client.ask(
        .post, "/api/v1/links",
        [
          "address": "https://calendar.example.org/dav/", "kind": "caldav", "user": "me",
          "password": "hunter-two",
        ])
      #expect(made.status == 201, "\(made.text)")
      let listed = try await client.ask(.get, "/api/v1/links")
      let cookie = try await client.signIn()
      let page = try await client.get("/calendars", cookie: cookie)
      for text in [made.text, listed.text, page.text] { #expect(!text.contains("hunter-two")) }
    }
  }

  static let calendar = """
    BEGIN:VCALENDAR\r
    VERSION:2.0\r
    PRODID:-//Test//EN\r
    BEGIN:VEVENT\r
    UID:standup@example.org\r
    DTSTAMP:20260301T000000Z\r
    DTSTART:20260316T090000Z\r
    DTEND:20260316T091500Z\r
    SUMMARY:Standup\r
    ATTENDEE;CN=Priya Nair;PARTSTAT=ACCEPTED:mailto:priya@example.org\r
    END:VEVENT\r
    END:VCALENDAR\r

    """
}

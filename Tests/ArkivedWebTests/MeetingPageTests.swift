import ArkivedCore
import ArkivedStore
import ArkivedTestSupport
import Foundation
import HTTPTypes
import Testing

@testable import ArkivedWeb

@Suite("The pages of meetings, people, notes, promises and calendars")
struct MeetingPageTests: MeetingTesting, GoalPageTesting {
  @Test func anEmptyArchiveSaysHowToBegin() async throws {
    try await WebTest().run { web in
      let cookie = try await web.signIn()
      for (path, words) in [
        ("/meetings", "Nothing coming up"), ("/meetings?show=past", "No past meetings"),
        ("/meetings/new", "What is it about?"), ("/people", "Nobody yet"),
        ("/people/new", "Who is this person to you?"), ("/notes", "No notes yet"),
        ("/notes/new", "You can use Markdown"), ("/promises", "No open promises"),
        ("/calendars", "No calendars linked yet"),
      ] {
        let page = try await web.get(path, cookie: cookie)
        #expect(page.status == 200 && page.text.contains(words), "\(path)")
        #expect(page.text.contains("href=\"/meetings\" aria-current=\"page\""), "\(path)")
      }
      #expect(try await web.get("/meetings/next/brief", cookie: cookie).status == 303)
    }
  }

  @Test func aMeetingIsWrittenShownChangedDeletedAndTakenBack() async throws {
    let web = try WebTest()
    try await web.run { client in
      let cookie = try await client.signIn()
      var form = [
        "title": "Pricing", "day": "2026-03-16", "start": "09:00", "end": "09:30",
        "attendees": "Priya Nair <priya@example.org>\r\nMei Ito", "location": "Room 3",
        "purpose": "Agree\r\non tiers", "status": "confirmed",
      ]
      let made = try await client.post("/meetings", form, cookie: cookie)
      #expect(made.status == 303, "\(made.text)")
      let page = try await client.get(try #require(made.headers[.location]), cookie: cookie)
      #expect(page.text.contains("Added the meeting “Pricing”"))
      for words in ["09:00–09:30", "Room 3", "Priya Nair", "Mei Ito", "no response yet", "Agree"] {
        #expect(page.text.contains(words), "\(words)")
      }
      let entry = try #require(try web.test.archive.meetings(MeetingFilter()).first)
      #expect(entry.meeting.attendances.map(\.address) == ["priya@example.org", nil])
      #expect(entry.activity.people.map(\.name) == ["Priya Nair", "Mei Ito"])
      let path = "/meetings/\(entry.id.uuidString)"
      let day = try await client.get("/day/2026-03-16", cookie: cookie)
      #expect(day.text.contains("href=\"\(path)\""))
      let list = try await client.get("/meetings", cookie: cookie)
      #expect(list.text.contains("Read the brief") && list.text.contains("Monday 16 March"))
      let brief = try await client.get("\(path)/brief", cookie: cookie)
      #expect(brief.status == 200 && brief.text.contains("Who’s coming"))

      form["version"] = EntityTag.text(entry.updatedAt)
      form["title"] = "Pricing tiers"
      form["attendees"] = "Mei Ito"
      #expect(try await client.post(path, form, cookie: cookie).status == 303)
      let changed = try #require(try web.test.archive.meeting(entry.id))
      #expect(changed.title == "Pricing tiers")
      #expect(changed.meeting.attendances.map(\.name) == ["Mei Ito"])
      #expect(changed.activity.people.map(\.name) == ["Mei Ito"])
      let late = try await client.post(path, form, cookie: cookie)
      #expect(late.status == 412 && late.text.contains("changed elsewhere"))

      let texts = [
        "version": EntityTag.text(changed.updatedAt), "purpose": "Agree\r\non tiers",
        "outcomes": "Three tiers", "summary": "",
      ]
      #expect(try await client.post("\(path)/text", texts, cookie: cookie).status == 303)
      #expect(try web.test.archive.meeting(entry.id)?.meeting.outcomes == "Three tiers")
      let again = try await client.post("\(path)/text", texts, cookie: cookie)
      #expect(again.status == 412 && again.text.contains("Three tiers"))

      let gone = try await client.post("\(path)/delete", [:], cookie: cookie)
      #expect(gone.headers[.location]?.hasPrefix("/meetings?change=") == true)
      let listed = try await client.get(try #require(gone.headers[.location]), cookie: cookie)
      let undone = try await client.post(
        try undoPath(listed.text), ["back": "/meetings"], cookie: cookie)
      #expect(undone.status == 303)
      #expect(try web.test.archive.meeting(entry.id)?.meeting.outcomes == "Three tiers")
    }
  }

  @Test func aFormComesBackWithWhatWasTypedAndWhatIsWrong() async throws {
    let web = try WebTest()
    let meeting = try meeting(web.test)
    try await web.run { client in
      let cookie = try await client.signIn()
      let forms: [(String, [String: String], String)] = [
        ("/meetings", ["title": "", "day": "2026-03-14", "location": "<b>"], "title"),
        ("/meetings", ["title": "T", "day": "soon", "location": "<b>"], "day"),
        (
          "/meetings",
          ["title": "T", "day": "2026-03-14", "start": "9 o'clock", "location": "<b>"],
          "start"
        ),
        (
          "/meetings/\(meeting.id.uuidString)",
          ["title": "T", "day": "2026-03-14", "timeZone": "Mars", "location": "<b>"], "timeZone"
        ), ("/people", ["name": "", "email": "", "relationshipSummary": "<b>"], "name"),
        ("/people", ["name": "A", "email": "x", "relationshipSummary": "<b>"], "email"),
        ("/notes", ["note": " ", "tags": "<b>"], "note"),
        ("/notes", ["note": "a", "day": "soon", "tags": "<b>"], "day"),
        ("/calendars", ["address": "/nowhere/<b>"], "address"),
        ("/calendars/discover", ["server": "<b>"], "server"),
      ]
      for (path, form, field) in forms {
        let page = try await client.post(path, form, cookie: cookie)
        #expect(page.status == 422, "\(path) \(page.status)")
        #expect(page.text.contains("Not saved yet"), "\(path)")
        #expect(page.text.contains("href=\"#\(field)\""), "\(path) \(field)")
        #expect(page.text.contains("&lt;b&gt;") && !page.text.contains("value=\"<b>"), "\(path)")
      }
      let unknown = try await client.get("/meetings?person=Nobody", cookie: cookie)
      #expect(unknown.status == 422 && unknown.text.contains("but nobody has that name"))
    }
  }

  @Test func aNoteIsWrittenPreviewedAndItsPromiseTicked() async throws {
    let web = try WebTest()
    let meeting = try meeting(web.test, with: ["Priya Nair"])
    try await web.run { client in
      let cookie = try await client.signIn()
      let empty = try await client.get(
        "/notes/new?meeting=\(meeting.id.uuidString)&template=retrospective", cookie: cookie)
      #expect(empty.text.contains("## What went well"))
      let german = try await client.send(
        .get, "/notes/new?meeting=\(meeting.id.uuidString)&template=agenda",
        ["Cookie": cookie, "Accept-Language": "de"])
      #expect(german.text.contains("## Agenda\n\n1. \n\n## Notizen\n\n## Entscheidungen\n"))
      #expect(german.text.contains("- [ ] \n</textarea>"))
      var form = [
        "meeting": meeting.id.uuidString, "title": "Minutes",
        "note": "Told @Priya\r\n\r\n- [ ] @Priya send the draft by 2026-03-10\r\n- [ ] pay\r\n",
        "preview": "1",
      ]
      let shown = try await client.post("/notes", form, cookie: cookie)
      #expect(shown.status == 200 && shown.text.contains("<p>Told @Priya</p>"))
      #expect(try web.test.archive.notes(NoteFilter()).isEmpty)
      let part = try await client.post(
        "/notes/preview", ["note": "*a* <script>alert(1)</script>"], cookie: cookie)
      #expect(part.text.contains("<em>a</em>") && !part.text.contains("<script>"))
      form["preview"] = nil
      let made = try await client.post("/notes", form, cookie: cookie)
      let page = try await client.get(try #require(made.headers[.location]), cookie: cookie)
      let note = try #require(try web.test.archive.notes(NoteFilter()).first)
      #expect(note.meetingID == meeting.id && note.title == "Minutes")
      let priya = try person(web.test, named: "Priya")
      #expect(page.text.contains("<a href=\"/people/\(priya.uuidString)\">@Priya</a>"))
      #expect(page.text.contains("data-clears-draft=\"freenote\""))
      let value = try #require(page.text.firstMatch(of: #/value="(3\.1\.[A-Za-z]+)"/#)?.1)
      let path = "/notes/\(note.id.uuidString)"
      // The preview doesn't move the rest of the form when its script arrives.
      let edit = try await client.get("\(path)/edit", cookie: cookie)
      #expect(edit.text.contains("<p>Told @Priya</p>"), "\(edit.text)")
      #expect(!edit.text.contains("aria-label=\"Preview\" hidden"))
      let board = try await client.get("/promises", cookie: cookie)
      #expect(board.text.contains("was due 10 March") && board.text.contains("1 overdue"))
      #expect(board.text.contains("value=\"\(value)\""))
      let home = "/meetings/\(meeting.id.uuidString)"
      let ticked = try await client.post(
        "\(path)/promises", ["promise": String(value), "back": home], cookie: cookie)
      #expect(ticked.headers[.location]?.hasPrefix("\(home)?change=") == true)
      #expect(try web.test.archive.note(note.id)?.text.contains("- [x] @Priya") == true)
      // The note is changed, and the button is of yesterday's page.
      _ = try web.test.archive.updateNote(note.id) { $0.text = "\n" + $0.text }
      let late = try await client.post(
        "\(path)/promises", ["promise": String(value)], cookie: cookie)
      #expect(late.status == 409 && late.text.contains("Nothing was saved"))
      #expect(try await client.post("\(path)/promises", [:], cookie: cookie).status == 400)
      let gone = try await client.post("\(path)/delete", [:], cookie: cookie)
      #expect(gone.headers[.location]?.hasPrefix(home) == true)
    }
  }

  @Test func hostileTextIsText() async throws {
    let web = try WebTest()
    let bad = "<script>alert(1)</script>\"'><img src=x onerror=alert(1)>\u{202E}"
    let meeting = try meeting(web.test, bad, on: "2026-03-20", with: [bad])
    _ = try web.test.archive.updateMeeting(meeting.id) { entry in
      entry.meeting.purpose = bad + "\n\n[x](javascript:alert(1))"
      entry.activity.locationLabel = bad
      entry.activity.tags = ["<b>tag"]
    }
    let note = try note(
      web.test, "- [ ] \(bad)\n- [ ] @\(bad)\n\n[x](javascript:alert(1))\n\n<iframe>", title: bad,
      of: meeting.id)
    let person = try #require(
      try web.test.archive.meeting(meeting.id)?.meeting.attendances.first?.personID)
    try await web.run { client in
      let cookie = try await client.signIn()
      let id = meeting.id.uuidString
      for path in [
        "/meetings", "/meetings/\(id)", "/meetings/\(id)/edit", "/meetings/\(id)/brief", "/people",
        "/people/\(person.uuidString)", "/people/\(person.uuidString)/edit", "/notes",
        "/notes/\(note.id.uuidString)", "/notes/\(note.id.uuidString)/edit", "/promises",
        "/day/2026-03-20", "/notes/new?meeting=\(id)", "/notes?tag=\(URLText.escaped(bad))",
        "/meetings?person=\(URLText.escaped(bad))", "/people?query=\(URLText.escaped(bad))",
      ] {
        let page = try await client.get(path, cookie: cookie)
        #expect([200, 422].contains(page.status), "\(path) \(page.status)")
        for piece in ["<script>alert", "<img src=x", "<iframe", "href=\"javascript:", "<b>tag"] {
          #expect(!page.text.contains(piece), "\(path): \(piece)")
        }
      }
    }
  }

  @Test func aPersonIsShownMergedAndParted() async throws {
    let web = try WebTest()
    try web.test.add("lunch with @Priya", people: ["Priya Nair"])
    _ = try meeting(web.test, on: "2026-03-10", with: ["Priya Nair"])
    let id = try person(web.test, named: "Priya Nair")
    try await web.run { client in
      let cookie = try await client.signIn()
      let path = "/people/\(id.uuidString)"
      let list = try await client.get("/people", cookie: cookie)
      #expect(list.text.contains("1 meeting · 1 entry"), "\(list.text)")
      let page = try await client.get(path, cookie: cookie)
      #expect(page.text.contains("Last met") && page.text.contains("lunch with @Priya"))
      let day = try await client.get("/day/2026-03-14", cookie: cookie)
      #expect(day.text.contains("href=\"\(path)\""))
      let made = try await client.post("/people", ["name": "P. Nair"], cookie: cookie)
      let other = try #require(
        made.headers[.location]?.split(separator: "?").first.map(String.init))
      let wrong = try await client.post("\(other)/merge", ["into": "Nobody"], cookie: cookie)
      #expect(wrong.status == 422 && wrong.text.contains("but nobody has that name"))
      let merged = try await client.post("\(other)/merge", ["into": "Priya Nair"], cookie: cookie)
      let kept = try await client.get(try #require(merged.headers[.location]), cookie: cookie)
      #expect(kept.text.contains("Merged P. Nair into Priya Nair"))
      #expect(kept.text.contains("Also known as"))
      #expect(try await client.get(other, cookie: cookie).status == 404)
      let undone = try await client.post(
        try undoPath(kept.text), ["back": "/people"], cookie: cookie)
      #expect(undone.status == 303)
      #expect(try await client.get(other, cookie: cookie).status == 200)
    }
  }

  @Test func meetingsOfASingleDayDoNotTellHowOftenSomebodyIsMet() throws {
    let test = try WebTest().test
    let first = try #require(DayKey("2026-03-02"))
    let person = try test.archive.create(
      Person(
        id: test.archive.identities.next(), name: "Priya Nair", createdAt: test.clock.now,
        updatedAt: test.clock.now)
    ).value
    func rhythm(until last: DayKey) throws -> String? {
      var summary = PersonSummary(person: person)
      (summary.meetingCount, summary.firstMet, summary.lastMet) = (3, first, last)
      let page = try PersonDetail(
        summary, archive: test.archive, owner: try test.archive.owner(), zone: test.zone,
        today: last)
      let facts = page.context["facts"] as? [[String: Any]] ?? []
      return facts.first { $0["factName"] as? String == "How often" }?["factText"] as? String
    }
    #expect(try rhythm(until: first) == nil)
    #expect(try rhythm(until: first.advanced(by: 2)) == "almost every day")
    #expect(try rhythm(until: first.advanced(by: 10)) == "about 5 days apart")
  }

  @Test func aRowNamesThoseWhoTakePart() throws {
    let test = try WebTest().test
    let made = try meeting(test, with: ["Priya Nair", "Mei Ito", "Sam Roe"])
    let entry = try test.archive.updateMeeting(made.id) { entry in
      entry.meeting.attendances[1].reply = .declined
      entry.meeting.attendances[2].role = .informed
    }.value
    let row = MeetingDetail.row(entry, homeZone: test.zone)
    let people = try #require(row["people"] as? [[String: Any]])
    #expect(people.compactMap { $0["personName"] as? String } == ["Priya Nair"])
    #expect(row["hasMorePeople"] as? Bool == false)
  }

  @Test func thePageOfANamesakeLeadsToTheirOwnEntries() throws {
    let test = try WebTest().test
    let archive = test.archive
    let people = try ["ann@example.org", nil].map { email in
      try archive.create(
        Person(
          id: archive.identities.next(), name: "Ann Lee", email: email,
          createdAt: test.clock.now, updatedAt: test.clock.now)
      ).value
    }
    let today = try #require(DayKey("2026-03-14"))
    for person in people {
      var entry = try test.activity("a walk", tags: ["outside"])
      entry.people = [Mention(name: "Ann Lee", personID: person.id)]
      try archive.add(entry)
      let found = try PersonDetail(
        try #require(try archive.person(person.id, today: today)), archive: archive,
        owner: try archive.owner(), zone: test.zone, today: today)
      let name = person.email ?? person.id.uuidString
      let context = found.context
      #expect(context["allEntriesHref"] as? String == "/search?person=\(URLText.escaped(name))")
      let topic = try #require((context["topics"] as? [[String: Any]])?.first)
      #expect(
        topic["topicHref"] as? String == "/search?tag=outside&person=\(URLText.escaped(name))")
      let request = SearchRequest(query: "", people: [name])
      #expect(try archive.list(request, order: .oldest).count == 1)
      let entries = try archive.entries(archive.list(request, order: .oldest))
      #expect(entries.map(\.id) == [entry.id])
    }
  }

  @Test func aCalendarIsLinkedSyncedAndEndedOnItsPage() async throws {
    let web = try WebTest()
    let file = try web.test.folder.file("work.ics", MeetingAPITests.calendar)
    try await web.run { client in
      let cookie = try await client.signIn()
      let form = ["address": file.path, "name": "Work & <b>"]
      let linked = try await client.post("/calendars", form, cookie: cookie)
      #expect(linked.headers[.location] == "/calendars?linked=1", "\(linked.text)")
      #expect(try await client.post("/calendars", form, cookie: cookie).status == 409)
      let link = try #require(try web.test.archive.syncLinks().first)
      let path = "/calendars/\(link.id.uuidString)"
      let synced = try await client.post("\(path)/sync", [:], cookie: cookie)
      #expect(synced.status == 303)
      let page = try await client.get("/calendars", cookie: cookie)
      #expect(page.text.contains("Work &amp; &lt;b&gt;") && page.text.contains("synced"))
      #expect(try await client.get("/meetings", cookie: cookie).text.contains("Standup"))
      let ended = try await client.post("\(path)/unlink", [:], cookie: cookie)
      #expect(ended.headers[.location] == "/calendars?unlinked=1")
      #expect(try web.test.archive.syncLinks().isEmpty)
      let choose = try await client.post(
        "/calendars/choose", ["ticket": "x", "calendar": "https://example.org/"], cookie: cookie)
      #expect(choose.status == 422)
    }
  }

  @Test func changesNeedTheirOrigin() async throws {
    let web = try WebTest()
    let meeting = try meeting(web.test)
    try await web.run { client in
      let cookie = try await client.signIn()
      for path in [
        "/meetings", "/meetings/\(meeting.id.uuidString)/delete", "/people", "/notes",
        "/notes/preview", "/calendars",
      ] {
        let answer = try await client.send(
          .post, path,
          [
            "Cookie": cookie, "Origin": "https://elsewhere.example",
            "Content-Type": "application/x-www-form-urlencoded",
          ], body: "title=a")
        #expect(answer.status == 403, "\(path)")
      }
      #expect(try web.test.archive.meeting(meeting.id) != nil)
    }
  }
}

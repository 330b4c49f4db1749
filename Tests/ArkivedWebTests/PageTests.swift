import ArkivedCore
import ArkivedStore
import ArkivedTestSupport
import Foundation
import HTTPTypes
import Testing

@testable import ArkivedWeb

@Suite("The pages")
struct PageTests {
  @Test func aLineIsAddedWithoutAScriptAndCanBeTakenBack() async throws {
    let web = try WebTest()
    try await web.run { client in
      let cookie = try await client.signIn()
      let added = try await client.post(
        "/day/2026-03-13/activities",
        ["line": "lunch with Sam 12:30-13:15 #food", "idempotencyKey": "k"], cookie: cookie)
      #expect(added.status == 303)
      let location = try #require(added.headers[.location])
      #expect(location.hasPrefix("/day/2026-03-13?added="))
      let page = try await client.get(String(location.prefix { $0 != "#" }), cookie: cookie)
      #expect(page.text.contains("12:30–13:15"))
      #expect(page.text.contains("Saved: lunch with Sam"))
      let again = try await client.post(
        "/day/2026-03-13/activities",
        ["line": "lunch with Sam 12:30-13:15 #food", "idempotencyKey": "k"], cookie: cookie)
      #expect(again.status == 303)
      #expect(try web.test.archive.counts().activities == 1)
      let undo = try #require(page.text.firstMatch(of: #/\/changes\/[0-9A-F-]+\/undo/#)?.output)
      #expect(try await client.post(String(undo), [:], cookie: cookie).status == 303)
      #expect(try web.test.archive.counts().activities == 0)
    }
  }

  @Test func aNewNameIsOfferedAsAPerson() async throws {
    let web = try WebTest()
    try await web.run { client in
      let cookie = try await client.signIn()
      let added = try await client.post(
        "/day/2026-03-13/activities",
        ["line": "lunch with Lena <b>Ott</b>", "idempotencyKey": "k"], cookie: cookie)
      let location = try #require(added.headers[.location]).prefix { $0 != "#" }
      let page = try await client.get(String(location), cookie: cookie)
      #expect(page.text.contains("<a href=\"/people/new?name=Lena\"><bdi>Add Lena to your people"))
      let form = try await client.get("/people/new?name=Lena%20%3Cb%3E", cookie: cookie)
      #expect(form.text.contains("value=\"Lena &lt;b&gt;\""))
      let line = URLText.escaped("lunch with Lena")
      let read = try await client.ask(.get, "/api/v1/quick-add?line=\(line)")
      #expect(read.json["suggestedPeople"] == ["Lena"])
      _ = try web.test.archive.create(
        Person(
          id: web.test.archive.identities.next(), name: "Lena",
          createdAt: web.test.archive.clock.now, updatedAt: web.test.archive.clock.now))
      let known = try await client.get(String(location), cookie: cookie)
      #expect(!known.text.contains("people/new"))
    }
  }

  @Test func aLineIsAddedToTheNoteOfItsDayWithoutAScript() async throws {
    let web = try WebTest()
    try await web.run { client in
      let cookie = try await client.signIn()
      let today = try await client.get("/", cookie: cookie)
      #expect(today.text.contains("formaction=\"/day/2026-03-14/note/line\""))
      #expect(today.text.contains("id=\"day-settings\" href=\"/settings\""))
      let path = "/day/2026-03-13/note/line"
      for (line, key) in [("Slept well. 7:00 #rest", "a"), ("  <b>Late</b> swim ", "b")] {
        // Sent twice, as a phone does that heard no answer.
        for _ in 0..<2 {
          let added = try await client.post(
            path, ["line": line, "idempotencyKey": key], cookie: cookie)
          #expect(added.status == 303)
          let location = try #require(added.headers[.location])
          #expect(location.hasPrefix("/day/2026-03-13?change=") && location.hasSuffix("#note"))
          let shown = try await client.get(location, cookie: cookie)
          #expect(shown.status == 200 && shown.text.contains("Note saved."))
        }
      }
      let day = try web.test.day("2026-03-13")
      #expect(day.entry?.note == "Slept well. 7:00 #rest\n\n<b>Late</b> swim")
      #expect(day.activities.isEmpty)
      let page = try await client.get("/day/2026-03-13", cookie: cookie)
      #expect(!page.text.contains("id=\"day-settings\""))
      let empty = try await client.post(
        path, ["line": "  ", "idempotencyKey": "c"], cookie: cookie)
      #expect(empty.status == 422 && empty.text.contains("Write what you did"))
    }
  }

  @Test func aLineThatWaitedIsReadFromWhenItWasTyped() async throws {
    let web = try WebTest()
    try await web.run { client in
      let cookie = try await client.signIn()
      for (number, (written, day)) in [
        // It is 14 March; a clock ahead and a time that is none count as now.
        ("2026-03-11T21:00:00Z", "2026-03-10"), ("2026-03-20T21:00:00Z", "2026-03-13"),
        ("soon", "2026-03-13"),
      ].enumerated() {
        let added = try await client.post(
          "/day/2026-03-11/activities",
          ["line": "yesterday at 7am: ran", "idempotencyKey": "k\(number)", "writtenAt": written],
          cookie: cookie)
        #expect(added.headers[.location]?.hasPrefix("/day/\(day)?added=") == true, "\(written)")
      }
    }
  }

  @Test func aLineThatCannotBeAddedComesBackWithTheReason() async throws {
    try await WebTest().run { web in
      let cookie = try await web.signIn()
      let answer = try await web.post(
        "/day/2026-03-14/activities", ["line": "#tag <b>", "idempotencyKey": "k"], cookie: cookie)
      #expect([303, 422].contains(answer.status))
      let empty = try await web.post(
        "/day/2026-03-14/activities", ["line": "  ", "idempotencyKey": "k2"], cookie: cookie)
      #expect(empty.status == 422)
      #expect(empty.text.contains("Write what you did"))
    }
  }

  @Test func theNoteIsSavedShownAndGuardedAgainstASecondEditor() async throws {
    try await WebTest().run { web in
      let cookie = try await web.signIn()
      let path = "/day/2026-03-14/note"
      let saved = try await web.post(
        path,
        ["title": "Day", "note": "A *fine*\r\nday", "mood": "4", "energy": "", "version": "\"0\""],
        cookie: cookie)
      #expect(saved.status == 303)
      let page = try await web.get("/day/2026-03-14", cookie: cookie)
      #expect(page.text.contains("<em>fine</em>"))
      let late = try await web.post(
        path, ["note": "typed by the second", "version": "\"0\""], cookie: cookie)
      #expect(late.status == 409)
      #expect(late.text.contains("typed by the second") && late.text.contains("A *fine*"))
      let wrong = try await web.post(path, ["note": "n", "mood": "9"], cookie: cookie)
      #expect(wrong.status == 422 && wrong.text.contains("between 1 and 5"))
    }
  }

  @Test func anActivityIsChangedByItsFormAndErrorsStandAtTheField() async throws {
    let web = try WebTest()
    let activity = try web.test.add("walk", from: "10:00", to: "11:00", people: ["Sam Lee"])
    try await web.run { client in
      let cookie = try await client.signIn()
      let path = "/activities/\(activity.id.uuidString)"
      #expect(try await client.get("\(path)/edit", cookie: cookie).text.contains("10:00"))
      var form = [
        "text": "long walk", "day": "2026-03-15", "start": "10:00", "end": "12:30",
        "kind": "health", "measurements": "8 km", "place": "Tiergarten", "people": "Sam Lee",
        "tags": "out, sun", "notes": "", "pinned": "true",
      ]
      let saved = try await client.post(path, form, cookie: cookie)
      #expect(saved.status == 303)
      let now = try #require(try web.test.archive.activity(activity.id))
      #expect(now.dayKey.description == "2026-03-15" && now.timeText == "10:00–12:30")
      #expect(now.people == activity.people && now.tags == ["out", "sun"])
      #expect(now.measurements == ["km": 8] && now.isPinned && now.kind == .health)
      form["measurements"] = "far"
      form["start"] = "25:00"
      let wrong = try await client.post(path, form, cookie: cookie)
      #expect(wrong.status == 422 && wrong.text.contains("25:00"))
      #expect(try await client.post("\(path)/delete", [:], cookie: cookie).status == 303)
      #expect(try web.test.archive.activity(activity.id) == nil)
    }
  }

  @Test func weatherIsWrittenIntoTheFormsOfADayAndAnEntry() async throws {
    let web = try WebTest()
    let walk = try web.test.add("walk")
    try await web.run { client in
      let cookie = try await client.signIn()
      let entry = "/activities/\(walk.id.uuidString)"
      let day = "/day/2026-03-14/note"
      for (path, form) in [
        (entry, ["text": "walk", "day": "2026-03-14"]), (day, ["note": "Mild."]),
      ] {
        func send(_ weather: String?) async throws -> WebClient.Answer {
          var form = form
          form["weather"] = weather
          return try await client.post(path, form, cookie: cookie)
        }
        func kept() throws -> Weather? {
          path == entry
            ? try web.test.archive.activity(walk.id)?.weather
            : try web.test.day("2026-03-14").entry?.weather
        }
        #expect(try await send("<i>fog</i>, -2 °C").status == 303)
        #expect(try kept()?.temperatureCelsius == -2)
        let shown = try await client.get("\(path)/edit", cookie: cookie).text
        #expect(shown.contains("&lt;i&gt;fog&lt;/i&gt;") && !shown.contains("<i>fog"))
        let wrong = try await send("400 °C")
        #expect(wrong.status == 422 && wrong.text.contains("id=\"weather-error\""))
        #expect(wrong.text.contains("value=\"400 °C\""))
        // A form of before that has no such field leaves the weather alone.
        #expect(try await send(nil).status == 303)
        #expect(try kept()?.temperatureCelsius == -2)
        #expect(try await send("").status == 303)
        #expect(try kept() == nil)
      }
    }
  }

  @Test func hostileTextIsEscapedEverywhere() async throws {
    let web = try WebTest()
    // A quote under a combining accent is one character with it; escaping must not miss it.
    let canary = "<script>alert(1)</script>\"\u{301} onmouseover='x' {{text}} </textarea>"
    var activity = try web.test.activity(canary, tags: [canary], people: [canary])
    activity.notes = canary
    activity.locationLabel = canary
    activity.typedText = canary
    activity.kind = .init(rawValue: canary)
    try web.test.archive.add(activity)
    _ = try web.test.archive.updateDay(activity.dayKey) {
      $0.title = canary
      $0.note =
        canary + "\n\n[x](javascript:alert(1)) <img src=x onerror=alert(1)>\n\n<div onclick=a>"
    }
    let bareQuote = "\"\u{301}"
    let id = activity.id.uuidString
    try await web.run { client in
      let cookie = try await client.signIn()
      for path in [
        "/day/2026-03-14", "/activities/\(id)/edit",
        "/day/2026-03-14/note/edit", "/search?query=alert", "/ask?question=how+often+alert",
        "/search?query=\(URLText.escaped(canary))", "/ask?question=\(URLText.escaped(canary))",
        "/day?date=\(URLText.escaped(canary))", "/\(URLText.escaped(canary))",
      ] {
        let page = try await client.get(path, cookie: cookie)
        #expect(!page.text.contains("<script>alert"), "\(path)")
        #expect(!page.text.contains("<img src=x"), "\(path)")
        #expect(!page.text.contains("<div onclick"), "\(path)")
        #expect(!page.text.contains("href=\"javascript:"), "\(path)")
        let hasBareQuote = page.text.unicodeScalars.containsRun(of: bareQuote)
        #expect(!hasBareQuote, "\(path)")
      }
    }
  }

  @Test func anAttachmentCannotRun() async throws {
    let web = try WebTest()
    let archive = web.test.archive
    func store(_ content: String, _ name: String) throws -> ArkivedCore.Attachment {
      try archive.store(
        Data(content.utf8),
        as: ArkivedCore.Attachment(
          id: archive.identities.next(), type: .photo, mediaType: "image/svg+xml",
          originalName: name, createdAt: web.test.clock.now, updatedAt: web.test.clock.now))
    }
    var activity = try web.test.activity("files")
    activity.attachments = [
      try store("<svg onload=alert(1)>", "a.svg"), try store("<html><script>", "b.jpg"),
    ]
    try archive.add(activity)
    let attachments = activity.attachments
    try await web.run { client in
      let cookie = try await client.signIn()
      for attachment in attachments {
        let answer = try await client.get(
          "/attachments/\(attachment.id.uuidString)", cookie: cookie)
        #expect(answer.status == 200)
        #expect(answer.headers[.contentType] == "application/octet-stream")
        #expect(answer.headers[.contentDisposition]?.hasPrefix("attachment") == true)
        let policy = answer.headers[try #require(.init("Content-Security-Policy"))]
        #expect(policy?.contains("sandbox") == true)
      }
    }
  }

  @Test func aNumberOfAnySizeIsShown() async throws {
    let web = try WebTest()
    let now = web.test.clock.now
    let day = try #require(DayKey("2026-03-14"))
    _ = try web.test.archive.write(by: .importer, "import", "metrics") { scope in
      for (metric, value) in [
        ("steps", 1e300), ("sleepMinutes", -1e300), ("x", .leastNormalMagnitude),
      ] {
        try scope.insert(
          DayMetric(
            id: UUID(), dayKey: day, metric: metric, unit: "", value: value, source: "s",
            createdAt: now, updatedAt: now))
      }
    }
    try await web.run { client in
      let cookie = try await client.signIn()
      #expect(try await client.get("/day/2026-03-14", cookie: cookie).status == 200)
    }
  }

  @Test func savingAFormChangesOnlyWhatWasTouched() async throws {
    let web = try WebTest()
    let activity = try web.test.add(
      "walk", tags: ["eat, drink"], measurements: ["km": 5.12345, "rate, max": 1e16])
    try await web.run { client in
      let cookie = try await client.signIn()
      let page = try await client.get("/activities/\(activity.id.uuidString)/edit", cookie: cookie)
      #expect(page.status == 200)
      let shown = ActivityForm(activity)
      let saved = try await client.post(
        "/activities/\(activity.id.uuidString)",
        [
          "text": "long walk", "day": shown.day, "start": "", "end": "", "kind": shown.kind,
          "measurements": shown.measurements, "tags": shown.tags, "place": "", "people": "",
          "notes": "",
        ], cookie: cookie)
      #expect(saved.status == 303)
    }
    let now = try #require(try web.test.archive.activity(activity.id))
    #expect(now.text == "long walk" && now.tags == activity.tags)
    #expect(now.measurements == activity.measurements)
  }

  @Test func anErrorPageOfASignedInOwnerLeadsBack() async throws {
    try await WebTest().run { web in
      let cookie = try await web.signIn()
      let page = try await web.get(
        "/activities/00000000-0000-4000-8000-0000000000FF/edit", cookie: cookie)
      #expect(page.status == 404 && page.text.contains("Back to today"))
    }
  }

  @Test func searchAndAskShowWhatTheyFoundAndWhy() async throws {
    let web = try WebTest()
    try web.test.add("climbing hall", on: "2026-02-10", people: ["Alex Kim"])
    try await web.run { client in
      let cookie = try await client.signIn()
      let search = try await client.get("/search?query=climb&kind=", cookie: cookie)
      #expect(search.text.contains("<mark>climbing</mark>"))
      #expect(search.text.contains("/day/2026-02-10#activity-"))
      let none = try await client.get("/search?query=zebra", cookie: cookie)
      #expect(none.status == 200 && none.text.contains("No entries"))
      let wrong = try await client.get("/search?query=a&from=never", cookie: cookie)
      #expect(wrong.status == 200 && wrong.text.contains("never"))
      let ask = try await client.get(
        "/ask?question=what+did+I+do+with+Alex+last+month", cookie: cookie)
      #expect(ask.text.contains("February 2026") && ask.text.contains("/day/2026-02-10#activity-"))
    }
  }
}

extension String.UnicodeScalarView {
  func containsRun(of text: String) -> Bool {
    let run = Array(text.unicodeScalars)
    let all = Array(self)
    guard all.count >= run.count else { return false }
    return (0...(all.count - run.count)).contains { Array(all[$0..<$0 + run.count]) == run }
  }
}

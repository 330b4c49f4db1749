import ArkivedCore
import ArkivedStore
import ArkivedTestSupport
import Foundation
import HTTPTypes
import Testing

@testable import ArkivedWeb

@Suite("Attaching files")
struct AttachTests {
  /// A form with files, as browsers send it.
  private func form(_ files: [(name: String, content: String)]) -> String {
    files.map { file in
      "--edge\r\nContent-Disposition: form-data; name=\"files\"; filename=\"\(file.name)\"\r\n"
        + "Content-Type: application/octet-stream\r\n\r\n\(file.content)\r\n"
    }.joined() + "--edge--\r\n"
  }

  private func post(
    _ client: WebClient, _ path: String, _ files: [(name: String, content: String)], cookie: String
  ) async throws -> WebClient.Answer {
    try await client.send(
      .post, path,
      [
        "Cookie": cookie, "Origin": client.origin,
        "Content-Type": "multipart/form-data; boundary=edge",
      ], body: form(files))
  }

  @Test func filesAreAttachedToADayWithoutAScriptAndTakenBack() async throws {
    let web = try WebTest()
    try await web.run { client in
      let cookie = try await client.signIn()
      let path = "/day/2026-03-14/attachments"
      let answer = try await post(
        client, path, [("a.txt", "first"), ("GIF.gif", "GIF89a.")], cookie: cookie)
      #expect(answer.status == 303)
      let attached = try #require(try web.test.day("2026-03-14").entry).attachments
      #expect(attached.map(\.originalName) == ["a.txt", "GIF.gif"])
      #expect(attached.map(\.type) == [.file, .photo])
      let file = try #require(web.test.archive.file(of: attached[0]))
      #expect(try String(contentsOf: file, encoding: .utf8) == "first")
      let location = try #require(answer.headers[.location]).prefix { $0 != "#" }
      let page = try await client.get(String(location), cookie: cookie).text
      #expect(page.contains("Attached 2 files."))
      let address = "/attachments/\(attached[1].id.uuidString)"
      #expect(page.contains("<a class=\"thumb\" href=\"\(address)\">"))
      #expect(page.contains(" src=\"\(address)/thumbnail?size=small\""))
      #expect(page.contains("width=\"160\"") && page.contains("loading=\"lazy\""))
      #expect(page.contains("aria-label=\"Pictures and sound\""))
      let german = try await client.send(
        .get, String(location), ["Cookie": cookie, "Accept-Language": "de"])
      #expect(german.text.contains("aria-label=\"Bilder und Ton\""))
      let undo = try #require(page.firstMatch(of: #/\/changes\/[0-9A-F-]+\/undo/#)?.output)
      #expect(try await client.post(String(undo), [:], cookie: cookie).status == 303)
      #expect(try web.test.day("2026-03-14").entry == nil)
    }
  }

  @Test func aDayWithMorePicturesThanItShowsLeadsToAll() async throws {
    let web = try WebTest()
    try await web.run { client in
      let cookie = try await client.signIn()
      let path = "/day/2026-03-14/attachments"
      func add(_ numbers: ClosedRange<Int>) async throws -> String {
        let files = numbers.map { (name: "\($0).gif", content: "GIF89a\($0)") }
        #expect(try await post(client, path, files, cookie: cookie).status == 303)
        return try await client.get("/day/2026-03-14", cookie: cookie).text
      }
      let link = "href=\"/day/2026-03-14/note/edit#files\""
      #expect(try await !add(1...EntryFiles.limit).contains(link))
      #expect(try await add(20...20).contains(link))
      let all = try await client.get("/day/2026-03-14/note/edit", cookie: cookie).text
      #expect(all.contains("20.gif"))
    }
  }

  @Test func theAPIAttachesDeletesAndUndoes() async throws {
    let web = try WebTest()
    let walk = try web.test.add("walk")
    try await web.run { client in
      let path = "/api/v1/activities/\(walk.id.uuidString)/attachments"
      func send() async throws -> WebClient.Answer {
        try await client.send(
          .post, path,
          [
            "Authorization": "Bearer \(client.door.ownerToken)", "Idempotency-Key": "k",
            "Content-Type": "multipart/form-data; boundary=edge",
          ], body: form([("x.ogg", "OggS....")]))
      }
      let created = try await send()
      #expect(created.status == 201)
      #expect(try await send().text == created.text)
      let one = try #require(created.json["created"]?.array?.first)
      #expect(one["type"]?.string == "audioNote" && one["mediaType"]?.string == "audio/ogg")
      #expect(try web.test.archive.activity(walk.id)?.attachments.count == 1)
      let id = try #require(one["id"]?.string)
      let deleted = try await client.ask(.delete, "/api/v1/attachments/\(id)")
      #expect(deleted.status == 200)
      #expect(try web.test.archive.activity(walk.id)?.attachments.isEmpty == true)
      #expect(try await client.ask(.delete, "/api/v1/attachments/\(id)").status == 404)
      let change = try #require(deleted.json["changeId"]?.string)
      _ = try web.test.archive.undo(UUID(uuidString: change))
      #expect(try web.test.archive.activity(walk.id)?.attachments.count == 1)
      let day = try await client.send(
        .post, "/api/v1/days/2026-03-13/attachments",
        [
          "Authorization": "Bearer \(client.door.ownerToken)",
          "Content-Type": "multipart/form-data; boundary=edge",
        ], body: form([("x.txt", "t")]))
      #expect(day.status == 201)
      #expect(try web.test.day("2026-03-13").entry?.attachments.count == 1)
    }
  }

  @Test func filesAreAttachedToANoteAndAMeetingOnTheirPagesAndInTheAPI() async throws {
    let web = try WebTest()
    let archive = web.test.archive
    let now = web.test.clock.now
    let activity = try web.test.activity("Review", on: "2026-03-16", from: "10:00")
    let meeting = try archive.create(
      MeetingEntry(
        meeting: Meeting(
          id: archive.identities.next(), activityID: activity.id, eventIdentifier: "own",
          createdAt: now, updatedAt: now), activity: activity)
    ).value
    let note = try archive.create(
      Note(
        id: archive.identities.next(), text: "minutes", meetingID: meeting.id, createdAt: now,
        updatedAt: now)
    ).value
    let (notePage, meetingPage) = (
      "/notes/\(note.id.uuidString)", "/meetings/\(meeting.id.uuidString)"
    )
    try await web.run { client in
      let cookie = try await client.signIn()
      let answer = try await post(
        client, notePage + "/attachments", [("a.txt", "first"), ("b.gif", "GIF89a.")],
        cookie: cookie)
      #expect(answer.status == 303)
      #expect(answer.headers[.location]?.hasPrefix(notePage) == true)
      let kept = try #require(try archive.note(note.id)).attachments
      #expect(kept.map(\.originalName) == ["a.txt", "b.gif"])
      let page = try await client.get(notePage, cookie: cookie).text
      #expect(page.contains("action=\"\(notePage)/attachments\""))
      #expect(page.contains("/attachments/\(kept[1].id.uuidString)/thumbnail?size=small"))
      // A meeting's files are those of its entry; its page shows its notes' too.
      let plan = try await post(
        client, meetingPage + "/attachments", [("plan.txt", "p")], cookie: cookie)
      #expect(plan.status == 303)
      #expect(plan.headers[.location]?.hasPrefix(meetingPage) == true)
      let own = try #require(try archive.activity(activity.id)?.attachments.first)
      let whole = try await client.get(meetingPage, cookie: cookie).text
      #expect(whole.contains("plan.txt") && whole.contains("a.txt"))
      let deletion = "/attachments/\(own.id.uuidString)/delete?back=\(meetingPage)"
      #expect(whole.contains(deletion))
      let deleted = try await client.post(deletion, [:], cookie: cookie)
      #expect(deleted.status == 303)
      #expect(deleted.headers[.location]?.hasPrefix(meetingPage) == true)
      #expect(try archive.activity(activity.id)?.attachments.isEmpty == true)

      let headers = [
        "Authorization": "Bearer \(client.door.ownerToken)",
        "Content-Type": "multipart/form-data; boundary=edge",
      ]
      for path in [notePage, meetingPage] {
        let created = try await client.send(
          .post, "/api/v1\(path)/attachments", headers, body: form([("x.txt", "t")]))
        #expect(created.status == 201, "\(path)")
      }
      let json = try await client.ask(.get, "/api/v1\(notePage)").json
      #expect(json["attachments"]?.array?.count == 3)
      #expect(
        try await client.ask(.get, "/api/v1\(meetingPage)").json["attachments"]?.array?.count == 1)
      let nobody = "/api/v1/notes/\(UUID().uuidString)/attachments"
      #expect(
        try await client.send(.post, nobody, headers, body: form([("x.txt", "t")])).status == 404)
    }
  }

  @Test(arguments: [
    (String(repeating: "n", count: 300), 422), ("a\u{7}b", 422), ("c\u{85}d", 422),
  ])
  func aNameThatCannotBeKeptIsRefusedAndNothingIsAttached(_ name: String, _ status: Int)
    async throws
  {
    let web = try WebTest()
    try await web.run { client in
      let cookie = try await client.signIn()
      let answer = try await post(
        client, "/day/2026-03-14/attachments", [("good.txt", "g"), (name, "x")], cookie: cookie)
      #expect(answer.status == status)
      #expect(answer.text.contains("Nothing was attached"))
      #expect(try web.test.day("2026-03-14").entry == nil)
    }
  }

  @Test func aNameLosesItsFoldersAndItsDirectionStaysItsOwn() async throws {
    let web = try WebTest()
    try await web.run { client in
      let cookie = try await client.signIn()
      let answer = try await post(
        client, "/day/2026-03-14/attachments",
        [("../../etc/passwd", "x"), ("C:\\me\\\u{202E}gpj.exe", "y"), ("..", "z")],
        cookie: cookie)
      #expect(answer.status == 303)
      let entry = try #require(try web.test.day("2026-03-14").entry)
      #expect(entry.attachments.map(\.originalName) == ["passwd", "\u{202E}gpj.exe", "file"])
      for attachment in entry.attachments {
        let file = try #require(web.test.archive.file(of: attachment)).standardizedFileURL.path
        let folder = try #require(web.test.archive.attachmentsFolder).standardizedFileURL.path
        #expect(file.hasPrefix(folder))
      }
      let page = try await client.get("/day/2026-03-14", cookie: cookie).text
      #expect(!page.contains("\u{202E}"))
    }
  }

  @Test func whatIsNoFormOrHoldsNoFileOrGoesNowhereIsRefused() async throws {
    let web = try WebTest()
    try await web.run { client in
      let cookie = try await client.signIn()
      let path = "/day/2026-03-14/attachments"
      #expect(try await post(client, path, [("", "")], cookie: cookie).status == 400)
      #expect(try await client.post(path, ["a": "b"], cookie: cookie).status == 415)
      let nobody = "/activities/\(UUID().uuidString)/attachments"
      #expect(try await post(client, nobody, [("a", "b")], cookie: cookie).status == 404)
      let broken = try await client.send(
        .post, path,
        [
          "Cookie": cookie, "Origin": client.origin,
          "Content-Type": "multipart/form-data; boundary=edge",
        ], body: "--edge\r\nContent-Disposition: form-data; filename=\"a\"\r\n\r\nhalf")
      #expect(broken.status == 400)
      let many = Array(repeating: (name: "a", content: "b"), count: 101)
      #expect(try await post(client, path, many, cookie: cookie).status == 413)
      #expect(try web.test.day("2026-03-14").entry == nil)
    }
  }

  @Test func aFolderThatCannotBeWrittenIsToldAndNothingIsAttached() async throws {
    let web = try WebTest()
    // A file stands where the folder of files should be: nothing can be stored.
    let folder = try #require(web.test.archive.attachmentsFolder)
    try? FileManager.default.removeItem(at: folder)
    try Data().write(to: folder)
    try await web.run { client in
      let cookie = try await client.signIn()
      let answer = try await post(
        client, "/day/2026-03-14/attachments", [("a", "b")], cookie: cookie)
      #expect(answer.status == 500)
      #expect(answer.text.contains("Nothing was changed"))
      #expect(try web.test.day("2026-03-14").entry == nil)
    }
  }

  @Test func aPlayerGetsThePartItAsksFor() async throws {
    let web = try WebTest()
    try await web.run { client in
      let cookie = try await client.signIn()
      _ = try await post(
        client, "/day/2026-03-14/attachments", [("a.ogg", "OggS45678")], cookie: cookie)
      let attachment = try #require(try web.test.day("2026-03-14").entry?.attachments.first)
      let path = "/attachments/\(attachment.id.uuidString)"
      func ask(_ range: String) async throws -> WebClient.Answer {
        try await client.send(.get, path, ["Cookie": cookie, "Range": range])
      }
      let part = try await ask("bytes=5-7")
      #expect(part.status == 206 && part.text == "567")
      #expect(part.headers[.contentRange] == "bytes 5-7/9")
      #expect(try await ask("bytes=-2").text == "78")
      #expect(try await ask("bytes=4-").text == "45678")
      #expect(try await ask("bytes=4-99").text == "45678")
      #expect(try await ask("bytes=9-").status == 416)
      for odd in ["bytes=7-5", "lines=1-2", "bytes=a-b", "bytes=0-1,3-4"] {
        let whole = try await ask(odd)
        #expect(whole.status == 200 && whole.text == "OggS45678", "\(odd)")
      }
      let page = try await client.get("/day/2026-03-14", cookie: cookie).text
      #expect(page.contains("<audio controls preload=\"none\" src=\"\(path)\""))
    }
  }

  @Test func aVoiceNoteIsAnEntryOfItsOwnHoweverOftenItIsSent() async throws {
    let web = try WebTest()
    try await web.run { client in
      let cookie = try await client.signIn()
      let path = "/day/2026-03-14/voice-notes?at=2026-03-14T19:30:00Z&key=once"
      for _ in 1...2 {
        let answer = try await post(
          client, path, [("Voice note.webm", "\u{1A}E")], cookie: cookie)
        #expect(answer.status == 415)
        let sent = try await post(client, path, [("Voice note.ogg", "OggS")], cookie: cookie)
        #expect(sent.status == 303)
      }
      let notes = try web.test.day("2026-03-14").activities
      #expect(notes.count == 1)
      #expect(notes.first?.text == "Voice note" && notes.first?.timeText == "20:30")
      #expect(notes.first?.attachments.first?.type == .audioNote)
      let wrong = try await post(
        client, "/day/2026-03-14/voice-notes?at=now", [("v.ogg", "OggS1")], cookie: cookie)
      #expect(wrong.status == 422)
    }
  }

  @Test func theMicrophoneIsForTheDayPageAlone() async throws {
    try await WebTest().run { client in
      let cookie = try await client.signIn()
      let name = try #require(HTTPField.Name("Permissions-Policy"))
      let day = try await client.get("/day/2026-03-14", cookie: cookie)
      #expect(day.headers[name]?.contains("microphone=(self)") == true)
      let search = try await client.get("/search", cookie: cookie)
      #expect(search.headers[name]?.contains("microphone=()") == true)
    }
  }

  @Test func whereTheDeviceIsMayBeAskedOnlyOnceItsOwnerAllowsIt() async throws {
    let web = try WebTest()
    try await web.run { client in
      let cookie = try await client.signIn()
      let name = try #require(HTTPField.Name("Permissions-Policy"))
      let line = ["line": "walk", "here": "50.0875,14.4213"]
      let before = try await client.get("/day/2026-03-14", cookie: cookie)
      #expect(before.headers[name]?.contains("geolocation=()") == true)
      #expect(!before.text.contains("id=\"here-row\""))
      _ = try await client.post("/day/2026-03-14/activities", line, cookie: cookie)
      #expect(try web.test.day("2026-03-14").activities.first?.lat == nil)
      let allowed = try await client.post(
        "/settings/capture/places", ["recordsPlace": "true"], cookie: cookie)
      #expect(allowed.status == 303)
      let after = try await client.get("/day/2026-03-14", cookie: cookie)
      #expect(after.headers[name]?.contains("geolocation=(self)") == true)
      #expect(after.text.contains("id=\"here-row\""))
      let search = try await client.get("/search", cookie: cookie)
      #expect(search.headers[name]?.contains("geolocation=()") == true)
      _ = try await client.post(
        "/day/2026-03-14/activities", ["line": "swim", "here": "50.0875,14.4213"], cookie: cookie)
      let swim = try #require(
        try web.test.day("2026-03-14").activities.first { $0.text == "swim" })
      #expect(swim.lat == 50.0875 && swim.lon == 14.4213)
    }
  }

  @Test func linksAndCaptionsComeByFormAndByProgram() async throws {
    let web = try WebTest()
    let walk = try web.test.add("walk")
    try await web.run { client in
      let cookie = try await client.signIn()
      let path = "/activities/\(walk.id.uuidString)/attachments"
      func part(_ name: String, _ value: String) -> String {
        "--edge\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n\r\n\(value)\r\n"
      }
      let answer = try await client.send(
        .post, path,
        [
          "Cookie": cookie, "Origin": client.origin,
          "Content-Type": "multipart/form-data; boundary=edge",
        ],
        body: part("url", "https://example.org/a") + part("caption", "The <tour>") + "--edge--\r\n")
      #expect(answer.status == 303)
      let link = try #require(try web.test.archive.activity(walk.id)?.attachments.first)
      #expect(link.type == .link && link.caption == "The <tour>")
      let page = try await client.get("/activities/\(walk.id.uuidString)/edit", cookie: cookie).text
      #expect(page.contains("The &lt;tour&gt; (example.org)"))
      #expect(page.contains("rel=\"noopener noreferrer\"") && !page.contains("<tour>"))
      let renamed = try await client.post(
        "/attachments/\(link.id.uuidString)/caption", ["caption": "Another"], cookie: cookie)
      #expect(renamed.status == 303)
      #expect(try web.test.archive.attachment(link.id)?.caption == "Another")
      let patched = try await client.ask(
        .patch, "/api/v1/attachments/\(link.id.uuidString)", ["caption": .null])
      #expect(patched.status == 200 && patched.json["updated"]?["caption"] == .null)
      let made = try await client.ask(
        .post, "/api/v1\(path)", ["url": "https://example.org/b", "caption": "B"])
      #expect(made.status == 201)
      let refused = try await client.ask(.post, "/api/v1\(path)", ["url": "javascript:alert(1)"])
      #expect(refused.status == 422)
    }
  }

  @Test func whatBrowsersRecordIsRecognised() {
    let head: [UInt8] = [0x1A, 0x45, 0xDF, 0xA3]
    func type(_ text: String) -> String {
      MediaType(sniffing: Data(head + text.utf8), fileName: "v").name
    }
    #expect(type("..B\u{2}webm...A_OPUS") == "audio/webm")
    #expect(type("..webm...V_VP8..A_OPUS") == "video/webm")
    #expect(type("..matroska") == "video/x-matroska")
  }
}

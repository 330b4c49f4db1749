import ArkivedCore
import ArkivedEngine
import ArkivedStore
import ArkivedTestSupport
import Foundation
import HTTPTypes
import Testing

@testable import ArkivedWeb

@Suite("Capture in the browser and by programs that only add")
struct CaptureTests {
  private static let page = [
    "line": "", "title": "Ten castles by 5pm", "text": "The oldest stands\r\non a rock.",
    "address": "https://castles.test/ten?a=1&b=2",
  ]

  @Test func theWindowIsEmptyForEverybodyAndSavesForNobodyElse() async throws {
    let web = try WebTest()
    try web.test.add("a secret")
    try await web.run { client in
      let page = try await client.send(.get, "/capture")
      #expect(page.status == 200 && page.text.contains("id=\"capture-form\""))
      #expect(!page.text.contains("secret") && !page.text.contains(client.door.ownerToken))
      #expect(page.headers[.name("X-Frame-Options")] == "DENY")
      let body = "line=tea"
      let form = ["Content-Type": "application/x-www-form-urlencoded"]
      #expect(
        try await client.send(.post, "/capture/save", form, body: body).status == 401)
      let cookie = try await client.signIn()
      let foreign = form.merging(["Cookie": cookie, "Origin": "https://evil.test"]) { $1 }
      #expect(try await client.send(.post, "/capture/save", foreign, body: body).status == 403)
      let silent = form.merging(["Cookie": cookie]) { $1 }
      #expect(try await client.send(.post, "/capture/save", silent, body: body).status == 403)
    }
    #expect(try web.test.day("2026-03-14").activities.map(\.text) == ["a secret"])
  }

  @Test func aPageIsSavedWithItsLinkAndWhatWasMarked() async throws {
    let web = try WebTest()
    try await web.run { client in
      let cookie = try await client.signIn()
      var fields = Self.page
      fields["idempotencyKey"] = "once"
      for _ in 0..<2 {
        let saved = try await client.post("/capture/save", fields, cookie: cookie)
        #expect(saved.status == 303)
        #expect(saved.headers[.location]?.hasPrefix("/day/2026-03-14?added=") == true)
      }
    }
    let entries = try web.test.day("2026-03-14").activities
    let entry = try #require(entries.first)
    // A time in a title is none of the reader's.
    #expect(entries.count == 1 && entry.text == "Ten castles by 5pm" && entry.source == .shortcut)
    #expect(entry.startAt == TestArchive.now && entry.notes == "> The oldest stands\n> on a rock.")
    #expect(entry.attachments.first?.type == .link)
    #expect(entry.attachments.first?.externalURL == "https://castles.test/ten?a=1&b=2")
  }

  @Test func anotherLineInAFormThatWasSentIsAnEntryOfItsOwn() async throws {
    let web = try WebTest()
    try await web.run { client in
      let cookie = try await client.signIn()
      for path in ["/capture/save", "/day/2026-03-14/activities"] {
        for line in ["tea", "tea", "coffee", "coffee"] {
          let saved = try await client.post(
            path, ["line": line, "idempotencyKey": "key of \(path)"], cookie: cookie)
          #expect(saved.status == 303, "\(path)")
        }
      }
    }
    let texts = try web.test.day("2026-03-14").activities.map(\.text)
    #expect(texts.sorted() == ["coffee", "coffee", "tea", "tea"])
  }

  @Test func theReadersOwnLineIsUnderstood() async throws {
    let web = try WebTest()
    try await web.run { client in
      let cookie = try await client.signIn()
      var fields = Self.page
      fields["line"] = "read this at 18:00 #reading"
      fields["address"] = "javascript:alert(1)"
      #expect(try await client.post("/capture/save", fields, cookie: cookie).status == 303)
      fields["line"] = "31 february: \"<b>"
      let wrong = try await client.post("/capture/save", fields, cookie: cookie)
      #expect(wrong.status == 422 && wrong.text.contains("isn’t a valid date"))
      #expect(wrong.text.contains("value=\"31 february: &quot;&lt;b&gt;\""))
      #expect(try await client.post("/capture/save", [:], cookie: cookie).status == 422)
    }
    let entry = try #require(try web.test.day("2026-03-14").activities.first)
    #expect(entry.text == "read this" && entry.tags == ["reading"] && entry.attachments.isEmpty)
    #expect(entry.notes?.hasPrefix("Ten castles by 5pm\n\n> ") == true)
  }

  @Test func theSettingsHaveTheBookmarkWithoutAToken() async throws {
    let web = try WebTest()
    let box = web.test.folder.url.appendingPathComponent("<box>")
    _ = try InboxBook.choose(box, for: web.test.archive)
    try InboxBook.change(of: web.test.archive) { book in
      var account = InboxAccount()
      account.failed = [.init(name: "<i>.docx", reason: "it is nothing")]
      book.note(account, at: TestArchive.now)
    }
    try await web.run { client in
      let cookie = try await client.signIn()
      let page = try await client.get("/settings/capture", cookie: cookie)
      #expect(page.status == 200 && page.text.contains("data-bookmark href=\"javascript:"))
      #expect(page.text.contains("http://127.0.0.1:\(client.port)/capture%23"))
      #expect(!page.text.contains(client.door.ownerToken))
      #expect(page.text.contains("&lt;box&gt;") && page.text.contains("&lt;i&gt;.docx"))
    }
  }

  @Test func aLineOfAProgramIsEnglishUnlessItSaysOtherwise() async throws {
    let web = try WebTest()
    try await web.run { client in
      let door = [
        "Authorization": "Bearer \(web.door.ownerToken)", "Content-Type": "application/json",
        "Accept-Language": "de",
      ]
      let bodies = [
        (#"{"line": "yesterday: 8.5 km"}"#, "2026-03-13", "8.5 km"),
        (#"{"line": "gestern: 8,5 km"}"#, "2026-03-14", "gestern: 8,5 km"),
        (#"{"line": "gestern: 8,5 km", "language": "de"}"#, "2026-03-13", "8,5 km"),
        (#"{"line": "yesterday: tea", "language": "en"}"#, "2026-03-13", "tea"),
      ]
      for (body, day, text) in bodies {
        let added = try await client.send(.post, "/api/v1/activities", door, body: body)
        #expect(added.json["created"]?["dayKey"]?.string == day, "\(body)")
        #expect(added.json["created"]?["text"]?.string == text, "\(body)")
      }
      let refused = try await client.send(
        .post, "/api/v1/activities", door, body: #"{"line": "tea", "language": "xx"}"#)
      #expect(refused.status == 422 && refused.text.contains("must be en or de"))
    }
  }

  @Test func aTokenThatOnlyAddsReadsNothing() async throws {
    let web = try WebTest()
    try web.test.add("a secret")
    let (agent, token) = try web.test.archive.addAgent(named: "Phone", addsOnly: true)
    #expect(agent.addsOnly && token.hasPrefix("add-"))
    #expect(try web.test.archive.agents().map(\.addsOnly) == [true])
    try await web.run { client in
      let door = ["Authorization": "Bearer \(token)", "Content-Type": "application/json"]
      let added = try await client.send(
        .post, "/api/v1/activities", door, body: #"{"line": "tea with Sam at 15:00"}"#)
      #expect(added.status == 201 && added.json["created"]?["source"] == "shortcut")
      #expect(added.json["countsToward"] == nil && added.json["created"]?["people"] == nil)
      let told = try await client.send(
        .post, "/api/v1/activities", door, body: #"{"text": "cake", "tags": ["food"]}"#)
      #expect(told.json["created"]?["source"] == "shortcut")
      let requests: [(HTTPRequest.Method, String)] = [
        (.get, "/api/v1/activities"), (.get, "/api/v1/days/2026-03-14"), (.get, "/api/v1/agents"),
        (.get, "/api/v1/search?query=secret"), (.post, "/api/v1/ask"), (.post, "/api/v1/tools"),
        (.post, "/mcp"), (.get, "/"), (.get, "/settings/capture"), (.post, "/capture/save"),
        (.delete, "/api/v1/activities"), (.put, "/api/v1/days/2026-03-14"),
        (.post, "/api/v1/activities/x/attachments"), (.post, "/api/v1/imports"),
      ]
      for (method, path) in requests {
        let answer = try await client.send(
          method, path, door, body: method == .get ? nil : "{}")
        #expect(answer.status == 403 && !answer.text.contains("secret"), "\(method) \(path)")
      }
    }
    #expect(try web.test.day("2026-03-14").activities.count == 3)
    _ = try web.test.archive.removeAgent("Phone")
    #expect(try web.test.archive.agents().isEmpty && web.test.archive.agent(holding: token) == nil)
  }

  @Test func whatItsOwnerWasAnsweredIsNotRepeatedToWhoOnlyAdds() async throws {
    let web = try WebTest()
    let token = try web.test.archive.addAgent(named: "Phone", addsOnly: true).token
    try await web.run { client in
      let body = #"{"text": "tea", "tags": ["food"]}"#
      var headers = ["Content-Type": "application/json", "Idempotency-Key": "2026-03-14"]
      headers["Authorization"] = "Bearer \(client.door.ownerToken)"
      let owner = try await client.send(.post, "/api/v1/activities", headers, body: body)
      #expect(owner.status == 201 && owner.text.contains("countsToward"))
      headers["Authorization"] = "Bearer \(token)"
      let adder = try await client.send(.post, "/api/v1/activities", headers, body: body)
      #expect(adder.status == 201 && !adder.text.contains("countsToward"))
      headers["Idempotency-Key"] = "2026-03-15"
      for _ in 0..<2 {
        let added = try await client.send(.post, "/api/v1/activities", headers, body: body)
        #expect(added.status == 201 && added.json["countsToward"] == nil)
      }
    }
    #expect(try web.test.day("2026-03-14").activities.count == 3)
  }

  @Test func thePageOfProgramsGivesSuchATokenOut() async throws {
    let web = try WebTest()
    try await web.run { client in
      let cookie = try await client.signIn()
      let page = try await client.post(
        "/settings/programs", ["name": "Phone", "addsOnly": "yes"], cookie: cookie)
      #expect(page.text.contains("<code>add-") && page.text.contains("can only add"))
    }
    #expect(try web.test.archive.agents().first?.addsOnly == true)
  }
}

import ArkivedAssistant
import ArkivedCore
import ArkivedSearch
import ArkivedStore
import ArkivedTestSupport
import Foundation
import HTTPTypes
import Testing

@testable import ArkivedWeb

@Suite("Summing a brief up")
struct BriefSummaryTests {
  /// A meeting that is to come, after one with a promise.
  private func meeting(_ client: WebClient) async throws -> String {
    func made(_ title: String, _ start: String) async throws -> String {
      let answer = try await client.ask(
        .post, "/api/v1/meetings",
        ["title": .string(title), "startDate": .string(start), "attendees": ["Priya Nair"]])
      return try #require(answer.json["created"]?["id"]?.string, "\(answer.text)")
    }
    let past = try await made("Pricing", "2026-03-09T09:00:00Z")
    let note = try await client.ask(
      .post, "/api/v1/notes",
      ["meetingId": .string(past), "text": "- [ ] @Priya send the draft by Friday"])
    #expect(note.status == 201, "\(note.text)")
    return try await made("Pricing II", "2026-03-16T09:00:00Z")
  }

  @Test func aModelSumsUpWhatIsAskedForAndOnlyThen() async throws {
    let web = try WebTest()
    let server = try EmbeddingServer { _ in
      ChatScript.says("Priya owes <b>the draft</b> [1].\nShe is 94 years old [1].")
    }
    try await web.run { client in
      let id = try await meeting(client)
      let cookie = try await client.signIn()
      let path = "/meetings/\(id)/brief"
      let bare = try await client.get(path, cookie: cookie)
      #expect(bare.status == 200 && !bare.text.contains("Summarise"))
      let none = try await client.ask(.post, "/api/v1\(path)/summary")
      #expect(none.status == 409 && none.text.contains("No language model set up"), "\(none.text)")
      let home = try #require(web.test.archive.home)
      try ModelSettings(
        address: try ModelSettings.address(server.chatURL), model: "scripted"
      ).save(in: home)
      #expect(try await client.get(path, cookie: cookie).text.contains("Summarise"))
      #expect(server.requests.isEmpty)
      let page = try await client.post(path, [:], cookie: cookie)
      #expect(page.status == 200 && page.text.contains("In short"), "\(page.text)")
      #expect(page.text.contains("Priya owes &lt;b&gt;the draft&lt;/b&gt;."))
      #expect(!page.text.contains("94 years") && page.text.contains("Removed 1 sentence"))
      let summary = try await client.ask(.post, "/api/v1\(path)/summary")
      #expect(summary.status == 200 && summary.json["summary"]?["leftOut"] == 1)
      let source = summary.json["summary"]?["sentences"]?.array?.first?["sources"]?.array?.first
      #expect(source?["type"] == "note")
    }
  }

  @Test func aModelThatIsAwayLeavesTheBrief() async throws {
    let web = try WebTest()
    let server = try EmbeddingServer { _ in .answer(status: 500, body: "oops") }
    try await web.run { client in
      let id = try await meeting(client)
      let home = try #require(web.test.archive.home)
      try ModelSettings(
        address: try ModelSettings.address(server.chatURL), model: "scripted"
      ).save(in: home)
      let cookie = try await client.signIn()
      let page = try await client.post("/meetings/\(id)/brief", [:], cookie: cookie)
      #expect(page.status == 200 && page.text.contains("returned 500"))
      #expect(page.text.contains("send the draft"))
      let gone = try await client.post(
        "/meetings/\(UUID().uuidString)/brief", [:], cookie: cookie)
      #expect(gone.status == 404)
    }
  }
}

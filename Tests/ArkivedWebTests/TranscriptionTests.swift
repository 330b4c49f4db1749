import ArkivedAssistant
import ArkivedCore
import ArkivedEngine
import ArkivedSearch
import ArkivedStore
import ArkivedTestSupport
import Foundation
import HTTPTypes
import Testing

@testable import ArkivedWeb

@Suite("Recordings are written down on pages")
struct TranscriptionTests {
  private func recording(_ web: WebTest) throws -> (entry: UUID, id: UUID) {
    let archive = web.test.archive
    let now = archive.clock.now
    let stored = try archive.store(
      Data("RIFF0000WAVEfmt ".utf8),
      as: Attachment(
        id: archive.identities.next(), type: .audioNote, mediaType: "audio/wav",
        originalName: "memo.wav", createdAt: now, updatedAt: now))
    let entry = try web.test.add("memo")
    _ = try archive.attach([stored], to: .activity(entry.id))
    return (entry.id, stored.id)
  }

  private func choose(_ server: EmbeddingServer, for web: WebTest) throws {
    let home = try #require(web.test.archive.home)
    let address = try ModelSettings.address("http://127.0.0.1:\(server.port)/v1", for: .voice)
    try ModelSettings(address: address, model: "small").save(in: home, for: .voice)
  }

  /// How it stands once nothing more happens.
  private func outcome(_ client: WebClient, _ id: UUID) async throws -> JSON {
    let path = "/api/v1/attachments/\(id.uuidString)/transcription"
    for _ in 0..<2_000 {
      let json = try await client.ask(.get, path).json
      if !["waiting", "working"].contains(json["state"]?.string ?? "") { return json }
      try await Task.sleep(for: .milliseconds(5))
    }
    return .null
  }

  @Test func aButtonHasItsTextAddedToTheNotes() async throws {
    let web = try WebTest()
    let (entry, id) = try recording(web)
    let server = try EmbeddingServer { _ in .answer(body: #"{"text":"Buy <b>marmalade</b>."}"#) }
    try choose(server, for: web)
    try await web.run { client in
      let cookie = try await client.signIn()
      let button = "action=\"/attachments/\(id.uuidString)/transcribe\""
      #expect(try await client.get("/day/2026-03-14", cookie: cookie).text.contains(button))
      let posted = try await client.post(
        "/attachments/\(id.uuidString)/transcribe", [:], cookie: cookie)
      #expect(posted.status == 303)
      #expect(posted.headers[.location] == "/activities/\(entry.uuidString)#files")
      #expect(try await outcome(client, id)["state"] == "done")
      let page = try await client.get("/activities/\(entry.uuidString)", cookie: cookie).text
      #expect(page.contains("Buy &lt;b&gt;marmalade&lt;/b&gt;.") && !page.contains(button))
      #expect(page.contains("Transcribed"))
    }
    #expect(try web.test.archive.activity(entry)?.notes == "Buy <b>marmalade</b>.")
  }

  @Test func theZoneIsNotChangedWhileARecordingIsBeingTranscribed() async throws {
    var web = try WebTest()
    web.app.zoneSource = .computer
    let (_, id) = try recording(web)
    let server = try EmbeddingServer { _ in .silence }
    try choose(server, for: web)
    try await web.run { client in
      let path = "/api/v1/time-zone"
      let transcription = "/api/v1/attachments/\(id.uuidString)/transcription"
      #expect(try await client.ask(.post, transcription).status == 202)
      let refused = try await client.ask(.put, path, ["zone": "Rome"])
      #expect(refused.status == 503 && refused.text.contains("a transcription"), "\(refused.text)")
      server.reply { _ in .answer(body: #"{"text":"Buy milk."}"#) }
      #expect(try await client.ask(.get, path).json["source"] == "computer")
    }
  }

  @Test func whatGoesWrongIsToldAndChangesNothing() async throws {
    let web = try WebTest()
    let (entry, id) = try recording(web)
    let server = try EmbeddingServer { _ in .answer(status: 500, body: "no memory") }
    try choose(server, for: web)
    try await web.run { client in
      let path = "/api/v1/attachments/\(id.uuidString)/transcription"
      #expect(try await client.ask(.get, path).json["state"] == "none")
      #expect(try await client.ask(.post, path).status == 202)
      let failed = try await outcome(client, id)
      #expect(failed["state"] == "failed")
      #expect(failed["problem"]?.string?.contains("returned 500") == true)
      let unknown = "/api/v1/attachments/\(UUID().uuidString)/transcription"
      #expect(try await client.ask(.post, unknown).status == 404)
      #expect(try await client.ask(.get, unknown).status == 404)
    }
    #expect(try web.test.archive.activity(entry)?.notes == nil)
  }
}

import ArkivedCore
import ArkivedStore
import ArkivedTestSupport
import Foundation
import HTTPTypes
import Testing

@testable import ArkivedWeb

@Suite("Lines that waited in a browser")
struct WaitingLineTests {
  private func send(
    _ client: WebClient, _ path: String, _ line: String, cookie: String, waited: Bool = true
  ) async throws -> WebClient.Answer {
    var headers = [
      "Cookie": cookie, "Origin": client.origin,
      "Content-Type": "application/x-www-form-urlencoded",
    ]
    if waited { headers["Arkived-Waiting"] = "1" }
    return try await client.send(
      .post, path, headers, body: "line=\(URLText.escaped(line))&idempotencyKey=k")
  }

  @Test func onlyArkivedsOwnAnswerTakesALineAway() async throws {
    let web = try WebTest()
    try await web.run { client in
      let cookie = try await client.signIn()
      // The worker looks for this mark before it reveals a line.
      let asked = try await client.send(.head, "/service-worker.js", ["Arkived-Waiting": "1"])
      #expect(asked.status == 200 && asked.headers[.waitingLine] == "1")
      #expect(try await client.send(.head, "/service-worker.js").headers[.waitingLine] == nil)
      for path in ["/day/2026-03-13/activities", "/day/2026-03-13/note/line"] {
        let saved = try await send(client, path, "walked home", cookie: cookie)
        #expect(saved.status == 200 && saved.headers[.waitingLine] == "1", "\(path)")
        #expect(saved.headers[.location] == nil)
        let refused = try await send(client, path, " ", cookie: cookie)
        #expect(refused.status == 422 && refused.headers[.waitingLine] == "1")
        let unknown = try await send(client, path, "walked home", cookie: "")
        #expect(unknown.status == 401 && unknown.headers[.waitingLine] == "1")
      }
      let day = try web.test.day("2026-03-13")
      #expect(day.activities.map(\.text) == ["walked home"] && day.entry?.note == "walked home")
      // A page that is sent by hand goes on to the day as before.
      let typed = try await send(
        client, "/day/2026-03-13/activities", "walked home", cookie: cookie, waited: false)
      #expect(typed.status == 303 && typed.headers[.location] != nil)
      #expect(try web.test.day("2026-03-13").activities.count == 1)
    }
  }

  @Test func aPageIsLedOnAndSeesTheMark() async throws {
    let web = try WebTest()
    try await web.run { client in
      let cookie = try await client.signIn()
      let headers = [
        "Cookie": cookie, "Origin": client.origin, "Arkived-Waiting": "page",
        "Content-Type": "application/x-www-form-urlencoded",
      ]
      let saved = try await client.send(
        .post, "/day/2026-03-13/activities", headers, body: "line=walked+home")
      #expect(saved.status == 303 && saved.headers[.waitingLine] == "1")
      let place = try #require(saved.headers[.location]).prefix { $0 != "#" }
      let page = try await client.send(.get, String(place), headers)
      #expect(page.status == 200 && page.headers[.waitingLine] == "1")
      let note = try await client.send(
        .put, "/api/v1/days/2026-03-13",
        headers.merging(["Content-Type": "application/json"]) { $1 }, body: #"{"note":"tea"}"#)
      #expect(note.status == 200 && note.headers[.waitingLine] == "1", "\(note.text)")
    }
  }
}

import ArkivedCore
import ArkivedStore
import ArkivedTestSupport
import Foundation
import HTTPTypes
import Testing

@testable import ArkivedWeb

@Suite("Links to what is deleted and comes back")
struct DeletedLinkTests: GoalPageTesting {
  private func note(_ title: String, _ text: String, in test: TestArchive) throws -> Note {
    let archive = test.archive
    return try archive.create(
      Note(
        id: archive.identities.next(), title: title, text: text, createdAt: test.clock.now,
        updatedAt: test.clock.now)
    ).value
  }

  /// Deletes something on its page, and returns the path that undoes it.
  private func delete(_ client: WebClient, _ path: String, cookie: String) async throws -> String {
    let deleted = try await client.post("\(path)/delete", [:], cookie: cookie)
    #expect(deleted.status == 303, "\(path)")
    let next = try await client.get(try #require(deleted.headers[.location]), cookie: cookie)
    return try undoPath(next.text)
  }

  @Test func aLinkToAnEntryIsDeadUntilTheEntryComesBack() async throws {
    let web = try WebTest()
    let run = try web.test.add("ran by the river")
    let link = "[[entry:\(run.id.uuidString)|the run]]"
    try web.test.add("tired after \(link)", on: "2026-03-13")
    let plan = try note("Plan", "Again like \(link)", in: web.test)
    let alive = "#activity-\(run.id.uuidString)\">the run</a>"
    try await web.run { client in
      let cookie = try await client.signIn()
      let pages = ["/notes/\(plan.id.uuidString)", "/day/2026-03-13"]
      for path in pages {
        let page = try await client.get(path, cookie: cookie).text
        #expect(page.contains(alive) && !page.contains("link-gone"), "\(path)")
      }
      let undo = try await delete(client, "/activities/\(run.id.uuidString)", cookie: cookie)
      for path in pages {
        let page = try await client.get(path, cookie: cookie).text
        #expect(!page.contains(alive) && page.contains("<s>the run</s>"), "\(path)")
        #expect(page.contains("link-gone"), "\(path)")
      }
      #expect(try await client.post(undo, [:], cookie: cookie).status == 303)
      for path in pages {
        let page = try await client.get(path, cookie: cookie).text
        #expect(page.contains(alive) && !page.contains("link-gone"), "\(path)")
      }
    }
  }

  @Test func aNameLeadsToASearchUntilTheNoteComesBack() async throws {
    let web = try WebTest()
    let plan = try note("Plan", "Three tiers", in: web.test)
    let other = try note("Other", "As in [[Plan]]", in: web.test)
    let alive = "<a href=\"/notes/\(plan.id.uuidString)\">Plan</a>"
    try await web.run { client in
      let cookie = try await client.signIn()
      let path = "/notes/\(other.id.uuidString)"
      #expect(try await client.get(path, cookie: cookie).text.contains(alive))
      let undo = try await delete(client, "/notes/\(plan.id.uuidString)", cookie: cookie)
      let dead = try await client.get(path, cookie: cookie).text
      #expect(!dead.contains(alive))
      #expect(dead.contains("<a href=\"/linked?name=Plan\">Plan</a>"))
      let led = try await client.get("/linked?name=Plan", cookie: cookie)
      #expect(led.status == 200 && led.text.contains("Nothing with this name"))
      #expect(try await client.post(undo, ["back": "/notes"], cookie: cookie).status == 303)
      #expect(try await client.get(path, cookie: cookie).text.contains(alive))
      #expect(try await client.get("/linked?name=Plan", cookie: cookie).status == 303)
    }
  }
}

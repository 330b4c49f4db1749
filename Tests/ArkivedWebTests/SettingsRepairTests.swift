import ArkivedCore
import ArkivedEngine
import ArkivedStore
import ArkivedTestSupport
import Dispatch
import Foundation
import HTTPTypes
import Testing

@testable import ArkivedWeb

@Suite("Repairing the archive on the web app")
struct SettingsRepairTests {
  private func rested(_ desk: CheckDesk) async {
    while desk.isRunning { await Task.yield() }
  }

  @Test func whatAFindingNeedsIsShownAndRepairedAfterAYesWithACopyBefore() async throws {
    let web = try WebTest()
    try web.test.add("tea")
    let home = try #require(web.test.archive.databaseFile).deletingLastPathComponent()
    let open = home.appendingPathComponent("open.txt")
    try Data("x".utf8).write(to: open)
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: open.path)
    let desk = web.app.checkDesk
    try await web.run { client in
      let cookie = try await client.signIn()
      _ = try await client.post("/settings/storage/check", [:], cookie: cookie)
      await rested(desk)
      let page = try await client.get("/settings/storage", cookie: cookie).text
      #expect(page.contains("Make the files private") && page.contains("Yes, repair these"))
      #expect(page.contains("readable only by you"))
      #expect(!page.contains("value=\"search-index\""))
      // A check alone changes nothing.
      #expect(mode(of: open) == 0o644)
      _ = try await client.post("/settings/storage/repair", ["repair": "access"], cookie: cookie)
      await rested(desk)
      #expect(mode(of: open) == 0o600)
      let done = try await client.get("/settings/storage", cookie: cookie).text
      #expect(done.contains("Repaired: Make the files private.") && done.contains("before-repair-"))
      #expect(!done.contains("Yes, repair these"))
      let copies = try FileManager.default.contentsOfDirectory(
        atPath: home.appendingPathComponent("snapshots").path)
      #expect(copies.contains { $0.hasPrefix("before-repair-") })
      #expect(done.contains("aria-label=\"Restore before-repair-"))
    }
  }

  private func mode(of file: URL) -> Int? {
    let attributes = try? FileManager.default.attributesOfItem(atPath: file.path)
    return (attributes?[.posixPermissions] as? NSNumber)?.intValue
  }

  /// The answer would say that it has begun, and nothing would be repaired.
  @Test func whatCannotBeginIsRefused() async throws {
    let web = try WebTest()
    let desk = web.app.checkDesk
    let gate = DispatchSemaphore(value: 0)
    let isFirst = desk.begin { _ in
      gate.wait()
      return ([], nil)
    }
    #expect(isFirst)
    try await web.run { client in
      let cookie = try await client.signIn()
      let page = try await client.post(
        "/settings/storage/repair", ["repair": "access"], cookie: cookie)
      #expect(page.status == 409 && page.text.contains("Wait until it’s done"))
      let told = try await client.ask(.post, "/api/v1/storage/repair", ["repairs": ["access"]])
      #expect(told.status == 409 && told.headers[.retryAfter] == "10")
      // To ask for another check while one is running is no mistake.
      #expect(try await client.ask(.post, "/api/v1/storage/check").status == 202)
    }
    gate.signal()
    await rested(desk)
    #expect(desk.mended == nil)
  }

  @Test func programsOfTheOwnerRepairByTheAPI() async throws {
    let web = try WebTest()
    try web.test.add("tea")
    let desk = web.app.checkDesk
    try await web.run { client in
      let unknown = try await client.ask(
        .post, "/api/v1/storage/repair", ["repairs": ["everything"]])
      #expect(unknown.status == 422 && unknown.text.contains("search-index"))
      let none = try await client.ask(.post, "/api/v1/storage/repair", ["repairs": []])
      #expect(none.status == 422)
      let begun = try await client.ask(
        .post, "/api/v1/storage/repair", ["repairs": ["search-index", "goal-totals"]])
      #expect(begun.status == 202)
      await rested(desk)
      let storage = try await client.ask(.get, "/api/v1/storage")
      #expect(storage.json["repaired"] == ["search-index", "goal-totals"])
      #expect(storage.json["safetyCopy"]?.string?.contains("before-repair-") == true)
      #expect(storage.json["repairs"] == [])
    }
  }
}

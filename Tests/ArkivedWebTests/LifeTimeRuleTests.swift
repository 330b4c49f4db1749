import ArkivedCore
import ArkivedStore
import ArkivedTestSupport
import Foundation
import HTTPTypes
import Testing

@testable import ArkivedWeb

@Suite("The day of birth on every face")
struct LifeTimeRuleTests {
  @Test func nobodyIsBornTomorrow() async throws {
    let web = try WebTest()
    try await web.run { client in
      let path = "/api/v1/lifetime"
      let tomorrow: JSON = ["birthDate": "2026-03-15"]
      let made = try await client.ask(.put, path, tomorrow)
      #expect(made.status == 422 && made.json["field"] == "birthDate")
      #expect(try web.test.archive.lifeTime() == nil)
      #expect(try await client.ask(.put, path, ["birthDate": "2026-03-14"]).status == 201)
      let changed = try await client.ask(.put, path, tomorrow)
      #expect(changed.status == 422 && changed.json["field"] == "birthDate")
      let cookie = try await client.signIn()
      let page = try await client.post(
        "/life", ["birthDate": "2026-03-15", "expectedYears": ""], cookie: cookie)
      #expect(page.status == 422 && page.text.contains("must not be in the future"))
      #expect(try web.test.archive.lifeTime()?.birthDate == DayKey("2026-03-14"))
    }
  }

  @Test func oneThatWasImportedDoesNotKeepTheRestFromChanging() async throws {
    let web = try WebTest()
    try web.test.archive.create(
      LifeTime(
        id: web.test.archive.identities.next(), birthDate: try #require(DayKey("2030-01-01")),
        createdAt: web.test.clock.now, updatedAt: web.test.clock.now))
    try await web.run { client in
      let answer = try await client.ask(.put, "/api/v1/lifetime", ["expectedYears": 85])
      #expect(answer.status == 200, "\(answer.text)")
    }
  }
}

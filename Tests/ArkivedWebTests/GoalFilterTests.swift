import ArkivedCore
import ArkivedStore
import ArkivedTestSupport
import Foundation
import HTTPTypes
import Testing

@testable import ArkivedWeb

@Suite("Filters, percentages and free words of goals on pages and over HTTP")
struct GoalFilterTests {
  private func goal(
    _ web: WebTest, _ title: String, unit: String? = nil, target: Double? = nil,
    until end: String? = nil, actionable: String? = nil
  ) throws -> Goal {
    let now = web.test.clock.now
    return try web.test.archive.create(
      Goal(
        id: web.test.archive.identities.next(), title: title, measurementUnit: unit,
        measurementTarget: target, targetDate: end.flatMap(DayKey.init),
        howGoalIsActionable: actionable, createdAt: now, updatedAt: now)
    ).value
  }

  @Test func goalsAndActionsAreFilteredByWhatTheyHave() async throws {
    let web = try WebTest()
    _ = try goal(web, "Swim the lake", unit: "km", target: 5, until: "2026-06-30")
    _ = try goal(web, "Be kind")
    try web.test.add("ran home", measurements: ["km": 5])
    try web.test.add("called Mum", from: "09:00", to: "09:30")
    try await web.run { client in
      let cookie = try await client.signIn()
      for (query, titles) in [
        ("hasDates=true", ["Swim the lake"]), ("hasDates=false", ["Be kind"]),
        ("hasTarget=true", ["Swim the lake"]), ("hasTarget=false", ["Be kind"]),
        ("hasTarget=false&hasDates=true", []),
      ] {
        let answer = try await client.ask(.get, "/api/v1/goals?\(query)")
        #expect(
          answer.json["goals"]?.array?.compactMap { $0["title"]?.string } == titles, "\(query)")
      }
      for (query, texts) in [
        ("hasDuration=true", ["called Mum"]), ("hasDuration=false", ["ran home"]),
        ("hasDuration=true&hasMeasurements=true", []),
      ] {
        let answer = try await client.ask(.get, "/api/v1/actions?\(query)")
        #expect(
          answer.json["actions"]?.array?.compactMap { $0["text"]?.string } == texts, "\(query)")
      }
      for (address, field) in [
        ("goals?hasDates=1", "hasDates"), ("goals?hasTarget=perhaps", "hasTarget"),
        ("actions?hasDuration=yes", "hasDuration"),
      ] {
        let answer = try await client.ask(.get, "/api/v1/\(address)")
        #expect(answer.status == 400 && answer.json["field"]?.string == field, "\(address)")
      }
      for (path, there, gone) in [
        ("/goals?dates=yes", "Swim the lake", "Be kind"),
        ("/goals?show=all&target=no", "Be kind", "Swim the lake"),
        ("/actions?timed=yes", "called Mum", "ran home"),
        ("/actions?measured=yes&timed=no", "ran home", "called Mum"),
      ] {
        let page = try await client.get(path, cookie: cookie)
        #expect(page.text.contains(there) && !page.text.contains(gone), "\(path)")
      }
      let none = try await client.get("/goals?dates=yes&target=no", cookie: cookie)
      #expect(none.text.contains("No matching goals.") && none.text.contains(">Clear</a>"))
    }
  }

  @Test func everyTermStatusThatIsToldIsTaken() async throws {
    let web = try WebTest()
    let now = web.test.clock.now
    for (number, start) in [(1, "2025-01-01"), (2, "2026-03-02"), (3, "2027-01-01")] {
      _ = try web.test.archive.create(
        Term(
          id: web.test.archive.identities.next(), termNumber: number,
          startDate: try #require(DayKey(start)), createdAt: now, updatedAt: now))
    }
    try await web.run { client in
      let all = try await client.ask(.get, "/api/v1/terms?status=all")
      let told = all.json["terms"]?.array?.compactMap { $0["status"]?.string } ?? []
      #expect(Set(told) == ["active", "upcoming", "complete"])
      for status in told + ["completed"] {
        let some = try await client.ask(.get, "/api/v1/terms?status=\(status)")
        #expect(some.json["total"] == 1, "\(status) \(some.text)")
      }
    }
  }

  @Test func aPercentageIsCutOffOnPagesAsInTheAPI() async throws {
    let web = try WebTest()
    let selling = try goal(web, "Sell jars", unit: "jars", target: 1000)
    try web.test.add("market", measurements: ["jar": 996])
    try await web.run { client in
      let cookie = try await client.signIn()
      let list = try await client.get("/goals", cookie: cookie)
      #expect(list.text.contains(">99%<") && list.text.contains("aria-label=\"99%"))
      let page = try await client.get("/goals/\(selling.id.uuidString)", cookie: cookie)
      #expect(page.text.contains("99%"))
      let answer = try await client.ask(.get, "/api/v1/goals?progress=true")
      #expect(answer.json["goals"]?.array?.first?["progress"]?["percent"] == 99)
    }
  }

  @Test func freeWordsAboutHowAGoalIsDoneAreShownAndKept() async throws {
    let web = try WebTest()
    let words = "three runs a week & <b>rest</b>"
    let running = try goal(web, "Run", unit: "km", target: 100, actionable: words)
    try await web.run { client in
      let cookie = try await client.signIn()
      let path = "/goals/\(running.id.uuidString)"
      let page = try await client.get(path, cookie: cookie)
      #expect(page.text.contains("How to do it"))
      #expect(page.text.contains("three runs a week &amp; &lt;b&gt;rest&lt;/b&gt;"))
      let answer = try await client.ask(.get, "/api/v1\(path)")
      #expect(answer.text.contains("three runs a week"))
      let form = [
        "title": "Run far", "goalType": "Goal", "measurementTarget": "100",
        "measurementUnit": "km", "keywords": "", "units": "",
        "version": EntityTag.text(running.updatedAt),
      ]
      #expect(try await client.post(path, form, cookie: cookie).status == 303)
    }
    let after = try #require(try web.test.archive.entity(Goal.self, running.id))
    #expect(after.title == "Run far" && after.howGoalIsActionable == words)
  }
}

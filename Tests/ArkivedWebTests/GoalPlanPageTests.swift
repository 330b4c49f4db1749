import ArkivedCore
import ArkivedStore
import ArkivedTestSupport
import Foundation
import HTTPTypes
import Testing

@testable import ArkivedWeb

@Suite("Planned and typed actions on the pages of goals")
struct GoalPlanPageTests: GoalPageTesting {
  @Test func theOldestActionIsReachedBehindPlans() async throws {
    let web = try WebTest()
    let run = try goal(web.test)
    try web.test.add("the very first run", on: "2026-01-02", measurements: ["km": 1])
    for number in 1..<GoalPageController.actionPage {
      try web.test.add("run \(number)", on: "2026-02-01", measurements: ["km": 1])
    }
    try web.test.add("race", on: "2026-05-01", measurements: ["km": 10])
    try await web.run { client in
      let cookie = try await client.signIn()
      let path = "/goals/\(run.id.uuidString)"
      let page = try await client.get(path, cookie: cookie)
      #expect(page.text.contains("race") && !page.text.contains("the very first run"))
      #expect(page.text.contains("Show older"))
      let rest = try await client.get(
        "\(path)?offset=\(GoalPageController.actionPage)", cookie: cookie)
      #expect(rest.text.contains("the very first run") && !rest.text.contains("Show older"))
    }
  }

  @Test func thePreviewOfAnActionCountsAsItIsSaved() async throws {
    let web = try WebTest()
    _ = try goal(web.test)
    try await web.run { client in
      let cookie = try await client.signIn()
      let rows = ["amount1": "2", "unit1": "km", "amount2": "3", "unit2": "km"]
      let query = rows.map { "\($0.key)=\($0.value)" }.joined(separator: "&")
      let preview = try await client.get(
        "/goals/preview?text=ran&day=2026-03-14&\(query)", cookie: cookie)
      #expect(preview.text.contains("5 of 120 km"), "\(preview.text)")
      let form = rows.merging(["text": "ran", "day": "2026-03-14"]) { $1 }
      _ = try await client.post("/actions", form, cookie: cookie)
      let action = try #require(try web.test.archive.actions(ActionFilter()).first)
      #expect(action.measurements == ["km": 5])
    }
  }

  @Test func theChartDrawsWhatIsDone() throws {
    let test = try TestArchive()
    let run = try goal(test)
    let today = try #require(DayKey("2026-03-14"))
    let done = [
      DayTotal(day: try #require(DayKey("2026-01-02")), total: 30, actions: 1),
      DayTotal(day: try #require(DayKey("2026-03-10")), total: 12, actions: 1),
    ]
    let plan = DayTotal(day: try #require(DayKey("2026-05-01")), total: 60, actions: 1)
    func chart(_ days: [DayTotal]) throws -> GoalChart {
      let progress = GoalProgress(of: run, days: days, today: today)
      return try #require(GoalChart(run, progress, days: days, today: today))
    }
    #expect(try chart(done + [plan]).html == chart(done).html)
    #expect(try chart(done + [plan]).days == done)
  }
}

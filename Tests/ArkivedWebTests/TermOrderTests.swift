import ArkivedCore
import ArkivedStore
import ArkivedTestSupport
import Foundation
import HTTPTypes
import Testing

@testable import ArkivedWeb

@Suite("The order of a term's goals")
struct TermOrderTests {
  private static func make(_ web: WebClient, _ kind: String, _ body: JSON) async throws -> String {
    let answer = try await web.ask(.post, "/api/v1/\(kind)", body)
    #expect(answer.status == 201, "\(answer.text)")
    return try #require(answer.json["created"]?["id"]?.string)
  }

  @Test func theTimelineIsNamedInTheLanguageAtHand() throws {
    let term = Term(
      id: UUID(), termNumber: 1, startDate: try #require(DayKey("2026-03-01")),
      createdAt: TestArchive.now, updatedAt: TestArchive.now)
    let today = try #require(DayKey("2026-03-14"))
    let line = try #require(TermTimeline([term], today: today))
    #expect(line.html.contains("aria-label=\"Terms over time\""))
    let german = ShownDates.speaking(.german) { line.html }
    #expect(german.contains("aria-label=\"Abschnitte im Zeitverlauf\""))
    #expect(line.html.contains(">Term 1, ") && german.contains(">Abschnitt 1, "))
  }

  @Test func theHomePageNamesTheTermInItsLanguage() async throws {
    try await WebTest().run { web in
      let goal = try await Self.make(web, "goals", ["title": "A"])
      let term = try await Self.make(web, "terms", ["startDate": "2026-03-01"])
      _ = try await web.ask(.post, "/api/v1/terms/\(term)/goals", ["goalId": .string(goal)])
      let cookie = try await web.signIn()
      let page = try await web.send(.get, "/", ["Cookie": cookie, "Accept-Language": "de"]).text
      #expect(page.contains(">Abschnitt 1</a>") && !page.contains(">Term 1</a>"))
    }
  }

  @Test func movingAGoalNumbersTheTermAgainOnEveryFace() async throws {
    let test = try WebTest()
    try await test.run { web in
      var goals: [String] = []
      for title in ["A", "B", "C"] {
        goals.append(try await Self.make(web, "goals", ["title": .string(title)]))
      }
      let term = try await Self.make(web, "terms", ["startDate": "2026-03-01"])
      let path = "/api/v1/terms/\(term)/goals"
      for goal in goals { _ = try await web.ask(.post, path, ["goalId": .string(goal)]) }
      func listed() async throws -> [String] {
        (try await web.ask(.get, path).json["goals"]?.array ?? []).map {
          "\($0["order"]?.int ?? -1) \($0["goal"]?["title"]?.string ?? "")"
        }
      }
      _ = try await web.ask(.patch, "\(path)/\(goals[2])", ["order": 1])
      #expect(try await listed() == ["1 C", "2 A", "3 B"])
      _ = try await web.ask(.patch, "\(path)/\(goals[2])", ["order": 50])
      #expect(try await listed() == ["1 A", "2 B", "3 C"])
      let cookie = try await web.signIn()
      for _ in 0..<3 {
        _ = try await web.post(
          "/terms/\(term)/goals/\(goals[2])/move", ["direction": "up"], cookie: cookie)
      }
      #expect(try await listed() == ["1 C", "2 A", "3 B"])
      // What the command calls.
      let moved = try #require(UUID(uuidString: goals[1]))
      let termID = try #require(UUID(uuidString: term))
      _ = try test.test.archive.write(by: .owner, "commit", "Committed") { scope in
        try scope.commit(to: [moved], inTerm: termID, order: 1)
      }
      #expect(try await listed() == ["1 B", "2 C", "3 A"])
      // An import may have numbered them in another way.
      let first = try #require(try test.test.archive.assignments().first)
      _ = try test.test.archive.update(TermGoalAssignment.self, first.id) { $0.order = 0 }
      let second = try #require(try test.test.archive.assignments().dropFirst().first)
      _ = try test.test.archive.update(TermGoalAssignment.self, second.id) { $0.order = 1 }
      _ = try await web.ask(.patch, "\(path)/\(goals[2])", ["order": 1])
      #expect(try await listed() == ["1 C", "2 B", "3 A"])
    }
  }
}

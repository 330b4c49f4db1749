import ArkivedCore
import ArkivedStore
import ArkivedTestSupport
import Foundation
import HTTPTypes
import Hummingbird
import Testing

@testable import ArkivedWeb

@Suite("Goals, values and terms over HTTP")
struct GoalAPITests {
  private static let nobody = "6DD0C8A4-61F7-4D12-9FC7-3E11B1E9A001"
  private static let kinds: [(path: String, body: JSON, change: JSON)] = [
    ("goals", ["title": "Run 120 km"], ["title": "Run 150 km"]),
    ("values", ["title": "Health"], ["title": "Vigour"]),
    ("terms", ["theme": "Spring"], ["theme": "Early spring"]),
    ("actions", ["text": "ran", "measurements": ["km": 5]], ["text": "ran far"]),
  ]

  @Test(arguments: [0, 1, 2, 3])
  func eachKindIsMadeListedReadChangedDeletedAndBroughtBack(index: Int) async throws {
    let (kind, body, change) = Self.kinds[index]
    try await WebTest().run { web in
      let made = try await web.ask(.post, "/api/v1/\(kind)", body)
      #expect(made.status == 201, "\(made.text)")
      let id = try #require(made.json["created"]?["id"]?.string)
      let path = "/api/v1/\(kind)/\(id)"
      #expect(made.headers[.location] == path)
      let listed = try await web.ask(.get, "/api/v1/\(kind)")
      #expect(listed.json[kind]?.array?.map { $0["id"]?.string } == [id])
      #expect(listed.json["total"] == 1)

      let read = try await web.ask(.get, path)
      #expect(read.status == 200, "\(read.text)")
      for (key, value) in made.json["created"]?.object?.members ?? [] {
        #expect(read.json[key] == value, "\(key)")
      }
      let etag = try #require(read.headers[.eTag])
      let same = try await web.ask(.get, path, nil, ["If-None-Match": etag])
      #expect(same.status == 304)

      let changed = try await web.ask(.patch, path, change, ["If-Match": etag])
      #expect(changed.status == 200, "\(changed.text)")
      for (key, value) in change.object?.members ?? [] {
        #expect(changed.json["updated"]?[key] == value)
      }
      #expect(changed.json["changeId"]?.string != nil)
      let late = try await web.ask(.patch, path, body, ["If-Match": etag])
      #expect(late.status == 412)
      #expect(late.headers[.contentType] == "application/problem+json")
      #expect(try await web.ask(.delete, path, nil, ["If-Match": etag]).status == 412)
      let again = try await web.ask(.patch, path, change)
      #expect(again.status == 200 && again.json["changeId"] == .null)
      #expect(try await web.ask(.get, "\(path)/history").json["versions"]?.array?.count == 1)
      let unknown = try await web.ask(.patch, path, ["colour": "red"])
      #expect(unknown.status == 422 && unknown.json["field"] == "colour")

      let tag = try #require(changed.headers[.eTag])
      let deleted = try await web.ask(.delete, path, nil, ["If-Match": tag])
      #expect(deleted.status == 200, "\(deleted.text)")
      #expect(deleted.json["deleted"]?.array?.map { $0["id"]?.string } == [id])
      #expect(try await web.ask(.get, path).status == 404)
      #expect(try await web.ask(.patch, path, change).status == 404)
      #expect(try await web.ask(.delete, path).status == 404)
      let undo = try #require(deleted.json["changeId"]?.string)
      #expect(try await web.ask(.post, "/api/v1/changes/\(undo)/undo").status == 200)
      #expect(try await web.ask(.get, path).status == 200)
    }
  }

  @Test(arguments: [0, 1, 2, 3])
  func aRepeatedPostWithAKeyMakesOne(index: Int) async throws {
    let (kind, body, change) = Self.kinds[index]
    try await WebTest().run { web in
      let key = ["Idempotency-Key": "k"]
      let answers = try await withThrowingTaskGroup(of: String.self) { group in
        for _ in 0..<4 {
          group.addTask { try await web.ask(.post, "/api/v1/\(kind)", body, key).text }
        }
        return try await group.reduce(into: Set<String>()) { $0.insert($1) }
      }
      #expect(answers.count == 1)
      #expect(try await web.ask(.get, "/api/v1/\(kind)").json["total"] == 1)
      let other = try await web.ask(.post, "/api/v1/\(kind)", change, key)
      #expect(other.status == 422 && other.json["field"] == "Idempotency-Key")
      #expect(try await web.ask(.post, "/api/v1/\(kind)", body).status == 201)
      #expect(try await web.ask(.get, "/api/v1/\(kind)").json["total"] == 2)
    }
  }

  @Test func wrongGoalsAreRefusedWithTheField() async throws {
    let wrong: [(JSON, String)] = [
      ([:], "title"), (["title": ""], "title"), (["title": " "], "title"),
      (["title": nil], "title"), (["title": 5], "title"), (["title": "a\u{0}b"], "title"),
      (["title": "a", "colour": "red"], "colour"),
      (["title": "a", "id": .string(Self.nobody)], "id"),
      (["title": "a", "updatedAt": "2030-01-01T00:00:00Z"], "updatedAt"),
      (["title": "a", "measurementTarget": 5], "measurementUnit"),
      (["title": "a", "measurementUnit": "km", "measurementTarget": 0], "measurementTarget"),
      (["title": "a", "measurementUnit": "km", "measurementTarget": -1], "measurementTarget"),
      (["title": "a", "measurementUnit": "km", "measurementTarget": 1e308], "measurementTarget"),
      (["title": "a", "measurementUnit": "km", "measurementTarget": "NaN"], "measurementTarget"),
      (["title": "a", "measurementUnit": "km", "measurementTarget": true], "measurementTarget"),
      (["title": "a", "measurementUnit": " "], "measurementUnit"),
      (["title": "a", "startDate": "2026-02-30"], "startDate"),
      (["title": "a", "startDate": 20_260_101], "startDate"),
      (["title": "a", "startDate": "2026-03-01", "targetDate": "2026-02-01"], "targetDate"),
      (["title": "a", "startDate": "2026-03-01", "targetDate": "2026-03-01"], "targetDate"),
      (["title": "a", "expectedTermLength": 1.5], "expectedTermLength"),
      (["title": "a", "expectedTermLength": 0], "expectedTermLength"),
      (["title": "a", "goalType": ""], "goalType"),
      (["title": "a", "goalType": "Milestone"], "targetDate"),
      (
        [
          "title": "a", "goalType": "Milestone", "startDate": "2026-01-01",
          "targetDate": "2026-02-01",
        ], "startDate"
      ), (["title": "a", "goalType": "SmartGoal"], "measurementUnit"),
      (["title": "a", "howGoalIsActionable": 5], "howGoalIsActionable"),
    ]
    let web = try WebTest()
    try await web.run { client in
      for (body, field) in wrong {
        let answer = try await client.ask(.post, "/api/v1/goals", body)
        #expect(answer.status == 422, "\(body.text()) \(answer.text)")
        #expect(answer.json["field"]?.string == field, "\(body.text()) \(answer.text)")
        #expect(answer.headers[.contentType] == "application/problem+json")
      }
      let raw = #"{"title":"a","measurementUnit":"km","measurementTarget":1e999}"#
      let token = "Bearer \(client.door.ownerToken)"
      let huge = try await client.send(
        .post, "/api/v1/goals", ["Authorization": token, "Content-Type": "application/json"],
        body: raw)
      #expect(huge.status == 400)
      #expect(try await client.send(.get, "/api/v1/goals").status == 401)
      // A change is checked as a whole.
      let made = try await client.ask(.post, "/api/v1/goals", ["title": "a"])
      let id = try #require(made.json["created"]?["id"]?.string)
      let path = "/api/v1/goals/\(id)"
      #expect(
        try await client.ask(.patch, path, ["measurementTarget": 5]).json["field"]
          == "measurementUnit")
      #expect(try await client.ask(.patch, path, ["title": nil]).json["field"] == "title")
      #expect(try await client.ask(.patch, path, ["id": .string(id)]).json["field"] == "id")
    }
    #expect(try web.test.archive.goals().map(\.title) == ["a"])
  }

  @Test func wrongValuesAndTermsAreRefusedWithTheField() async throws {
    try await WebTest().run { web in
      let first = try await web.ask(.post, "/api/v1/terms", ["termNumber": 3])
      #expect(first.status == 201)
      let wrong: [(String, JSON, String)] = [
        ("values", [:], "title"), ("values", ["title": "a", "priority": 0], "priority"),
        ("values", ["title": "a", "priority": 101], "priority"),
        ("values", ["title": "a", "priority": "high"], "priority"),
        ("values", ["title": "a", "incentiveType": nil], "incentiveType"),
        ("values", ["title": "a", "strength": 1], "strength"),
        ("terms", ["termNumber": 3], "termNumber"), ("terms", ["termNumber": -1], "termNumber"),
        ("terms", ["termNumber": 1.5], "termNumber"),
        ("terms", ["startDate": "2026-03-01", "targetDate": "2026-02-01"], "targetDate"),
        ("terms", ["startDate": "soon"], "startDate"), ("terms", ["title": "a"], "title"),
      ]
      for (kind, body, field) in wrong {
        let answer = try await web.ask(.post, "/api/v1/\(kind)", body)
        #expect(answer.status == 422, "\(body.text()) \(answer.text)")
        #expect(answer.json["field"]?.string == field, "\(body.text()) \(answer.text)")
      }
      // Another term cannot take the number later either.
      let second = try await web.ask(.post, "/api/v1/terms", [:])
      let path = "/api/v1/terms/\(second.json["created"]?["id"]?.string ?? "")"
      let taken = try await web.ask(.patch, path, ["termNumber": 3])
      #expect(taken.status == 422 && taken.json["field"] == "termNumber")
    }
  }

  @Test func aTermFollowsTheLastOneAndTellsWhatItLiesAcross() async throws {
    try await WebTest().run { web in
      let none = try await web.ask(.get, "/api/v1/terms/active")
      #expect(none.status == 404)
      let first = try await web.ask(.post, "/api/v1/terms", ["theme": "Spring"])
      #expect(first.json["created"]?["termNumber"] == 1)
      #expect(first.json["created"]?["startDate"] == "2026-03-14")
      #expect(first.json["created"]?["targetDate"] == "2026-05-23")
      #expect(first.json["created"]?["status"] == "active")
      #expect(first.json["overlaps"] == [])
      let second = try await web.ask(.post, "/api/v1/terms", ["termNumber": nil])
      #expect(second.json["created"]?["termNumber"] == 2)
      #expect(second.json["created"]?["startDate"] == "2026-05-24")
      let across = try await web.ask(
        .post, "/api/v1/terms", ["startDate": "2026-05-01", "targetDate": "2026-05-30"])
      #expect(across.json["created"]?["termNumber"] == 3)
      #expect(across.json["overlaps"]?.array?.count == 2)
      let active = try await web.ask(.get, "/api/v1/terms/active")
      #expect(active.json["theme"] == "Spring" && active.json["goals"] == [])
      #expect(active.headers[.eTag] != nil)
      let refused = try await web.ask(.delete, "/api/v1/terms/active")
      #expect(refused.status == 405 && refused.headers[.allow] == "GET, HEAD")
      for (query, count) in [
        ("status=active", 1), ("status=upcoming", 2), ("status=completed", 0), ("status=all", 3),
        ("termNumber=2", 1), ("endDate=2026-04-30", 1), ("startDate=2026-05-31", 1), ("limit=1", 1),
        ("offset=2", 1),
      ] {
        let answer = try await web.ask(.get, "/api/v1/terms?\(query)")
        #expect(answer.json["terms"]?.array?.count == count, "\(query) \(answer.text)")
      }
    }
  }

  @Test func listsAreFilteredAndPagedAndRefuseWhatTheyDoNotKnow() async throws {
    try await WebTest().run { web in
      for body: JSON in [
        ["title": "Run 120 km", "startDate": "2026-01-01", "targetDate": "2026-03-31"],
        ["title": "Déjà lu", "notes": "Twelve books", "targetDate": "2026-12-31"],
        ["title": "Marathon", "goalType": "Milestone", "targetDate": "2026-10-11"],
        ["title": "Breathe"],
      ] { #expect(try await web.ask(.post, "/api/v1/goals", body).status == 201) }
      for (query, titles) in [
        ("", ["Run 120 km", "Marathon", "Déjà lu", "Breathe"]), ("searchText=DEJA", ["Déjà lu"]),
        ("searchText=books", ["Déjà lu"]), ("goalType=milestone", ["Marathon"]),
        ("endDate=2025-12-31", ["Déjà lu", "Breathe"]),
        ("startDate=2026-10-01&endDate=2026-10-31", ["Marathon", "Déjà lu", "Breathe"]),
        ("startDate=2027-01-01", ["Breathe"]), ("limit=1&offset=1", ["Marathon"]),
        ("offset=9", []), ("searchText=%25", []), ("goalType=", nil),
      ] as [(String, [String]?)] {
        let answer = try await web.ask(.get, "/api/v1/goals?\(query)")
        #expect(answer.status == 200, "\(query) \(answer.text)")
        guard let titles else { continue }
        #expect(
          answer.json["goals"]?.array?.compactMap { $0["title"]?.string } == titles, "\(query)")
      }
      let plain = try await web.ask(.get, "/api/v1/goals")
      #expect(plain.json["goals"]?.array?.first?["progress"] == nil)
      let told = try await web.ask(.get, "/api/v1/goals?progress=true")
      let progress = told.json["goals"]?.array?.first?["progress"]
      #expect(progress?["total"] == 0 && progress?["weeks"] == nil)

      for body: JSON in [
        ["title": "Health", "incentiveType": "major", "lifeDomain": "Body"],
        ["title": "Honesty", "incentiveType": "highest_order"],
        ["title": "Work", "incentiveType": "life_area"],
      ] { #expect(try await web.ask(.post, "/api/v1/values", body).status == 201) }
      for (query, titles) in [
        ("", ["Honesty", "Health", "Work"]), ("valueType=life_area", ["Work"]),
        ("lifeDomain=body", ["Health"]), ("minPriority=2&maxPriority=10", ["Health"]),
        ("maxPriority=1", ["Honesty"]), ("searchText=h", ["Honesty", "Health"]),
      ] {
        let answer = try await web.ask(.get, "/api/v1/values?\(query)")
        #expect(
          answer.json["values"]?.array?.compactMap { $0["title"]?.string } == titles, "\(query)")
      }

      for (address, field) in [
        ("goals?limit=0", "limit"), ("goals?limit=101", "limit"), ("goals?limit=x", "limit"),
        ("goals?limit=5.5", "limit"), ("goals?offset=-1", "offset"),
        ("goals?colour=red", "colour"), ("goals?startDate=never", "startDate"),
        ("goals?startDate=2026-03-02&endDate=2026-03-01", "endDate"),
        ("goals?progress=perhaps", "progress"), ("actions?limit=101", "limit"),
        ("actions?hasMeasurements=1", "hasMeasurements"), ("actions?query=a", "query"),
        ("terms?limit=21", "limit"), ("terms?status=gone", "status"),
        ("terms?termNumber=first", "termNumber"), ("values?limit=51", "limit"),
        ("values?minPriority=0", "minPriority"), ("values?maxPriority=101", "maxPriority"),
        ("values?minPriority=9&maxPriority=3", "maxPriority"), ("matches?goalId=7", "goalId"),
        ("progress?week=1", "week"), ("lifetime?a=b", "a"), ("goals?colour=", "colour"),
        ("goals?limit=5&limit=6", "limit"), ("goals/\(Self.nobody)?a", "a"),
      ] {
        let answer = try await web.ask(.get, "/api/v1/\(address)")
        #expect(answer.status == 400, "\(address) \(answer.text)")
        #expect(answer.json["field"]?.string == field, "\(address)")
      }
      for address in ["goals/7", "actions/7/goals", "values/x", "terms/now/progress"] {
        #expect(try await web.ask(.get, "/api/v1/\(address)").status == 400, "\(address)")
      }
    }
  }

  @Test func brokenHintsAreWarnedAboutAndGivenAsAnObjectToo() async throws {
    try await WebTest().run { web in
      let broken = try await web.ask(
        .post, "/api/v1/goals",
        ["title": "a", "measurementUnit": "km", "howGoalIsActionable": "run a lot"])
      #expect(broken.status == 201)
      #expect(broken.json["warnings"]?.array?.count == 1)
      let id = try #require(broken.json["created"]?["id"]?.string)
      let mended = try await web.ask(
        .patch, "/api/v1/goals/\(id)", ["howGoalIsActionable": ["keywords": ["run"]]])
      #expect(mended.json["warnings"] == [])
      #expect(mended.json["updated"]?["howGoalIsActionable"] == #"{"keywords":["run"]}"#)
    }
  }

  @Test func theIndexNamesWhatIsDescribedAndWhatIsServed() async throws {
    let web = try WebTest()
    let described = try #require(
      try JSON(parsing: DescriptionController.content)["paths"]?.object)
    var expected: Set<String> = []
    for (path, operations) in described.members {
      for method in operations.object?.keys ?? [] {
        expected.insert("\(method.uppercased()) /api/v1\(path == "/" ? "" : path)")
      }
    }
    let served = try web.app.router().routes.filter {
      $0.path.description.hasPrefix("/api/v1") && $0.method != .head
    }.map { route in
      let path = route.path.description.replacing(#/:([A-Za-z]+)/#) { "{\($0.1)}" }
      return "\(route.method.rawValue) \(path)"
    }
    #expect(Set(served) == expected)
    try await web.run { [expected] client in
      let index = try await client.ask(.get, "/api/v1")
      let endpoints = try #require(index.json["endpoints"]?.array)
      let named = endpoints.map {
        "\($0["method"]?.string ?? "") \($0["path"]?.string ?? "")"
      }
      #expect(Set(named) == expected && named.count == expected.count)
      #expect(endpoints.allSatisfy { ($0["summary"]?.string?.count ?? 0) > 3 })
      #expect(index.json["routes"]?.array?.contains("/api/v1/goals/{id}") == true)
    }
  }
}

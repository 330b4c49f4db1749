import ArkivedCore
import ArkivedStore
import ArkivedTestSupport
import Foundation
import HTTPTypes
import Testing

@testable import ArkivedWeb

@Suite("What counts towards what over HTTP")
struct GoalLinkAPITests {
  private static let running: JSON = [
    "title": "Run 120 km", "measurementUnit": "km", "measurementTarget": 120,
    "startDate": "2026-01-01", "targetDate": "2026-03-31",
  ]
  private static let nobody = "6DD0C8A4-61F7-4D12-9FC7-3E11B1E9A001"

  private static func make(_ web: WebClient, _ kind: String, _ body: JSON) async throws -> String {
    let answer = try await web.ask(.post, "/api/v1/\(kind)", body)
    #expect(answer.status == 201, "\(answer.text)")
    return try #require(answer.json["created"]?["id"]?.string)
  }

  @Test func whatWasWrittenTellsWhatItCountsTowards() async throws {
    try await WebTest().run { web in
      let goal = try await Self.make(web, "goals", Self.running)
      let body: JSON = ["text": "ran", "measurements": ["km": 5]]
      let key = ["Idempotency-Key": "a"]
      let first = try await web.ask(.post, "/api/v1/activities", body, key)
      let counts = try #require(first.json["countsToward"]?.array?.first)
      #expect(counts["goalId"]?.string == goal && counts["title"] == "Run 120 km")
      #expect(counts["contribution"] == 5 && counts["counts"] == true)
      #expect(counts["confidence"] == 0.8)
      #expect(counts["total"] == 5 && counts["target"] == 120 && counts["unit"] == "km")
      let again = try await web.ask(.post, "/api/v1/activities", body, key)
      #expect(again.text == first.text)
      let line = try await web.ask(.post, "/api/v1/actions", ["line": "ran 0.1 km"])
      #expect(line.json["countsToward"]?.array?.first?["total"] == 5.1)
      let waiting = try await web.ask(
        .post, "/api/v1/actions", ["text": "walk", "measurements": ["distance_km": 2]])
      #expect(waiting.json["countsToward"]?.array?.first?["counts"] == false)
      #expect(waiting.json["countsToward"]?.array?.first?["total"] == 5.1)
      let other = try await web.ask(.post, "/api/v1/activities", ["text": "tea"])
      #expect(other.json["countsToward"] == [])

      let progress = try await web.ask(.get, "/api/v1/goals/\(goal)/progress")
      #expect(progress.json["total"] == 5.1 && progress.json["waiting"] == 1)
      #expect(progress.json["weeks"]?.array?.isEmpty == false)
      let read = try await web.ask(.get, "/api/v1/goals/\(goal)")
      #expect(read.json["progress"] == progress.json)
      let actions = try await web.ask(.get, "/api/v1/goals/\(goal)/actions?limit=1")
      #expect(actions.json["total"] == 2 && actions.json["actions"]?.array?.count == 1)
      #expect(actions.json["actions"]?.array?.first?["action"]?["text"] == "ran 0.1 km")
      let none = try await web.ask(
        .get, "/api/v1/goals/\(goal)/actions?endDate=2026-03-13")
      #expect(none.json["total"] == 0 && none.json["actions"] == [])
    }
  }

  @Test func actionsAreListedByWhatTheyAre() async throws {
    let web = try WebTest()
    try web.test.add("ran", on: "2026-03-01", measurements: ["km": 5])
    try web.test.add("read", on: "2026-03-02", measurements: ["pages": 5])
    try web.test.add("tea", on: "2026-03-03")
    try await web.run { client in
      _ = try await Self.make(client, "goals", Self.running)
      for (query, texts) in [
        ("", ["read", "ran"]), ("linked=true", ["ran"]), ("linked=false", ["tea", "read"]),
        ("hasMeasurements=false", ["tea"]), ("searchText=RE", ["read"]),
        ("endDate=2026-03-01", ["ran"]), ("limit=1&offset=1", ["ran"]),
      ] {
        let answer = try await client.ask(.get, "/api/v1/actions?\(query)")
        #expect(
          answer.json["actions"]?.array?.compactMap { $0["text"]?.string } == texts, "\(query)")
      }
    }
  }

  @Test func anActionIsLinkedByHandAndUnlinked() async throws {
    try await WebTest().run { web in
      let goal = try await Self.make(web, "goals", Self.running)
      let tea = try await Self.make(web, "actions", ["text": "swam"])
      let path = "/api/v1/actions/\(tea)/goals"
      for (body, field) in [
        ([:], "goalId"), (["goalId": 5], "goalId"), (["goalId": "x"], "goalId"),
        (["goalId": .string(Self.nobody)], "goalId"), (["goalId": .string(goal)], "contribution"),
        (["goalId": .string(goal), "contribution": -1], "contribution"),
        (["goalId": .string(goal), "contribution": "5"], "contribution"),
        (["goalId": .string(goal), "contribution": 5, "strength": 5], "strength"),
      ] as [(JSON, String)] {
        let answer = try await web.ask(.post, path, body)
        #expect(answer.status == 422, "\(body.text()) \(answer.text)")
        #expect(answer.json["field"]?.string == field, "\(body.text())")
      }
      let body: JSON = ["goalId": .string(goal), "contribution": 2.5]
      #expect(
        try await web.ask(.post, "/api/v1/actions/\(Self.nobody)/goals", body).status == 404)
      let key = ["Idempotency-Key": "l"]
      let made = try await web.ask(.post, path, body, key)
      #expect(made.status == 201, "\(made.text)")
      #expect(made.json["created"]?["matchMethod"] == "manual")
      #expect(made.json["countsToward"]?.array?.first?["total"] == 2.5)
      #expect(try await web.ask(.post, path, body, key).text == made.text)
      let more = try await web.ask(
        .post, path, ["goalId": .string(goal), "contribution": 3])
      #expect(more.status == 200 && more.json["updated"]?["contribution"] == 3)
      let links = try await web.ask(.get, path)
      #expect(links.json["goals"]?.array?.count == 1)
      #expect(links.json["goals"]?.array?.first?["goal"]?["title"] == "Run 120 km")
      let read = try await web.ask(.get, "/api/v1/actions/\(tea)")
      #expect(read.json["goals"] == links.json["goals"])

      let gone = try await web.ask(.delete, "\(path)/\(goal)")
      #expect(gone.status == 200 && gone.json["deleted"]?.array?.count == 1)
      #expect(try await web.ask(.get, path).json["goals"] == [])
      #expect(try await web.ask(.delete, "\(path)/\(goal)").status == 404)
      let undo = try #require(gone.json["changeId"]?.string)
      #expect(try await web.ask(.post, "/api/v1/changes/\(undo)/undo").status == 200)
      #expect(try await web.ask(.get, path).json["goals"]?.array?.count == 1)
      // What cannot be summed any more is told as no number, never as a broken document.
      for _ in 0..<2 {
        let action = try await Self.make(web, "actions", ["text": "far"])
        _ = try await web.ask(
          .post, "/api/v1/actions/\(action)/goals",
          ["goalId": .string(goal), "contribution": 1.7e308])
      }
      for address in [
        "goals/\(goal)", "goals/\(goal)/progress", "goals?progress=true", "progress",
      ] {
        let answer = try await web.ask(.get, "/api/v1/\(address)")
        #expect(answer.status == 200 && answer.json != .null, "\(address) \(answer.text)")
      }
    }
  }

  @Test func waitingMatchesAreDecidedAboutAndLookedForAnew() async throws {
    let web = try WebTest()
    for day in ["2026-03-01", "2026-03-02", "2026-03-03"] {
      try web.test.add("walk", on: day, measurements: ["distance_km": 2])
    }
    try await web.run { client in
      let goal = try await Self.make(client, "goals", Self.running)
      let other = try await Self.make(client, "goals", ["title": "Sing"])
      let list = try await client.ask(.get, "/api/v1/matches?goalId=\(goal)&limit=2")
      #expect(list.json["total"] == 3 && list.json["matches"]?.array?.count == 2)
      #expect(list.json["matches"]?.array?.first?["action"]?["text"] == "walk")
      #expect(list.json["matches"]?.array?.first?["goal"]?["title"] == "Run 120 km")
      #expect(
        try await client.ask(.get, "/api/v1/matches?goalId=\(other)").json["total"] == 0)
      let ids = try await client.ask(.get, "/api/v1/matches").json["matches"]?.array?
        .compactMap { $0["id"]?.string }
      let (yes, no) = (try #require(ids?.first), try #require(ids?.last))
      let path = "/api/v1/matches/\(yes)"
      for body: JSON in [[:], ["decision": "maybe"], ["decision": true]] {
        let answer = try await client.ask(.post, path, body)
        #expect(answer.status == 422 && answer.json["field"] == "decision")
      }
      let extra = try await client.ask(.post, path, ["decision": "confirm", "all": true])
      #expect(extra.status == 422 && extra.json["field"] == "all")
      let confirmed = try await client.ask(
        .post, path, ["decision": "confirm"], ["Idempotency-Key": "d"])
      #expect(confirmed.json["updated"]?["counts"] == true)
      #expect(confirmed.json["updated"]?["confidence"] == 1)
      let rejected = try await client.ask(
        .post, "/api/v1/matches/\(no)", ["decision": "reject"])
      #expect(rejected.json["updated"]?["matchMethod"] == "user_rejected")
      #expect(
        try await client.ask(
          .post, "/api/v1/matches/\(Self.nobody)", ["decision": "reject"]
        ).status == 404)
      #expect(try await client.ask(.get, "/api/v1/matches").json["total"] == 1)

      let report = try await client.ask(.post, "/api/v1/matches", [:])
      #expect(report.status == 200 && report.json["analysed"] == 3)
      // One is agreed to, one refused, one waits.
      #expect(report.json["matched"] == 1 && report.json["ambiguous"] == 1)
      #expect(report.json["unmatched"] == 1 && report.json["added"] == 0)
      let narrow = try await client.ask(
        .post, "/api/v1/matches",
        ["goalId": .string(goal), "from": "2026-03-02", "to": "2026-03-03"])
      #expect(narrow.json["analysed"] == 2)
      for (body, field) in [
        (["goalId": .string(Self.nobody)], "goalId"), (["goalId": 7], "goalId"),
        (["from": "2026-03-03", "to": "2026-03-02"], "to"), (["days": 3], "days"),
      ] as [(JSON, String)] {
        let answer = try await client.ask(.post, "/api/v1/matches", body)
        #expect(answer.status == 422 && answer.json["field"]?.string == field, "\(body.text())")
      }
      #expect(try await client.ask(.get, "/api/v1/matches").json["total"] == 1)
    }
  }

  @Test func allThatWaitsForAGoalIsDecidedAboutAsOneChange() async throws {
    let web = try WebTest()
    for day in ["2026-03-01", "2026-03-02", "2026-03-03"] {
      try web.test.add("walk", on: day, measurements: ["distance_km": 2])
    }
    try await web.run { client in
      let goal = try await Self.make(client, "goals", Self.running)
      let path = "/api/v1/goals/\(goal)/matches"
      #expect(try await client.ask(.post, path, [:]).json["field"] == "decision")
      let missing = try await client.ask(
        .post, "/api/v1/goals/\(Self.nobody)/matches", ["decision": "confirm"])
      #expect(missing.status == 404)
      let all = try await client.ask(.post, path, ["decision": "confirm"])
      #expect(all.json["updated"]?.array?.count == 3, "\(all.text)")
      #expect(try await client.ask(.get, "/api/v1/goals/\(goal)/progress").json["total"] == 6)
      let none = try await client.ask(.post, path, ["decision": "confirm"])
      #expect(none.json["updated"] == [] && none.json["changeId"] == .null)
      let undo = try #require(all.json["changeId"]?.string)
      #expect(try await client.ask(.post, "/api/v1/changes/\(undo)/undo").status == 200)
      #expect(try await client.ask(.get, "/api/v1/matches").json["total"] == 3)
    }
  }

  @Test func goalsServeValuesButNoAreasOfLife() async throws {
    try await WebTest().run { web in
      let goal = try await Self.make(web, "goals", Self.running)
      let value = try await Self.make(web, "values", ["title": "Health"])
      let area = try await Self.make(
        web, "values", ["title": "Home", "incentiveType": "life_area"])
      let path = "/api/v1/goals/\(goal)/values"
      for (body, field) in [
        ([:], "valueId"), (["valueId": .string(Self.nobody)], "valueId"),
        (["valueId": .string(goal)], "valueId"), (["valueId": .string(area)], "valueId"),
        (["valueId": .string(value), "strength": 11], "strength"),
        (["valueId": .string(value), "strength": 1.5], "strength"),
        (["valueId": .string(value), "order": 1], "order"),
      ] as [(JSON, String)] {
        let answer = try await web.ask(.post, path, body)
        #expect(answer.status == 422 && answer.json["field"]?.string == field, "\(body.text())")
      }
      let body: JSON = ["valueId": .string(value), "strength": 7]
      let key = ["Idempotency-Key": "v"]
      let made = try await web.ask(.post, path, body, key)
      #expect(made.status == 201 && made.json["created"]?["strength"] == 7)
      #expect(try await web.ask(.post, path, body, key).text == made.text)
      let twice = try await web.ask(.post, path, body)
      #expect(twice.status == 422 && twice.json["field"] == "valueId")
      let changed = try await web.ask(.patch, "\(path)/\(value)", ["notes": "daily"])
      #expect(changed.json["updated"]?["strength"] == 7)
      #expect(changed.json["updated"]?["notes"] == "daily")
      let values = try await web.ask(.get, path)
      #expect(values.json["values"]?.array?.first?["value"]?["title"] == "Health")
      let goals = try await web.ask(.get, "/api/v1/values/\(value)/goals")
      #expect(goals.json["goals"]?.array?.first?["goal"]?["title"] == "Run 120 km")
      let read = try await web.ask(.get, "/api/v1/goals/\(goal)")
      #expect(read.json["alignments"] == values.json["values"])
      #expect(
        try await web.ask(.get, "/api/v1/values/\(value)").json["goals"] == goals.json["goals"])
      let ended = try await web.ask(.delete, "\(path)/\(value)")
      #expect(ended.json["deleted"]?.array?.count == 1)
      #expect(try await web.ask(.delete, "\(path)/\(value)").status == 404)
      #expect(try await web.ask(.patch, "\(path)/\(value)", ["strength": 1]).status == 404)
      #expect(try await web.ask(.get, path).json["values"] == [])
    }
  }

  @Test func goalsAreCommittedToInTermsAndReviewed() async throws {
    try await WebTest().run { web in
      let goal = try await Self.make(web, "goals", Self.running)
      let other = try await Self.make(web, "goals", ["title": "Sing"])
      let term = try await Self.make(web, "terms", ["startDate": "2026-03-01"])
      _ = try await Self.make(
        web, "actions", ["text": "ran", "dayDate": "2026-03-02", "measurements": ["km": 5]])
      let path = "/api/v1/terms/\(term)/goals"
      for (body, field) in [
        ([:], "goalId"), (["goalId": .string(Self.nobody)], "goalId"),
        (["goalId": .string(goal), "order": -1], "order"),
        (["goalId": .string(goal), "place": 1], "place"),
      ] as [(JSON, String)] {
        let answer = try await web.ask(.post, path, body)
        #expect(answer.status == 422 && answer.json["field"]?.string == field, "\(body.text())")
      }
      #expect(
        try await web.ask(
          .post, "/api/v1/terms/\(Self.nobody)/goals", ["goalId": .string(goal)]
        ).status == 404)
      let body: JSON = ["goalId": .string(goal)]
      let first = try await web.ask(.post, path, body, ["Idempotency-Key": "c"])
      #expect(first.status == 201 && first.json["created"]?["order"] == 1)
      #expect(try await web.ask(.post, path, body, ["Idempotency-Key": "c"]).text == first.text)
      let twice = try await web.ask(.post, path, body)
      #expect(twice.status == 422 && twice.json["field"] == "goalId")
      let second = try await web.ask(.post, path, ["goalId": .string(other)])
      #expect(second.json["created"]?["order"] == 2)
      let moved = try await web.ask(.patch, "\(path)/\(other)", ["order": 0])
      #expect(moved.json["updated"]?["order"] == 1)
      let same = try await web.ask(.patch, "\(path)/\(other)", ["order": 1])
      #expect(same.status == 200 && same.json["changeId"] == .null, "\(same.text)")
      let far = try await web.ask(.patch, "\(path)/\(other)", ["order": -1])
      #expect(far.status == 422 && far.json["field"] == "order")
      #expect(try await web.ask(.patch, "\(path)/\(other)", [:]).json["field"] == "order")
      let goals = try await web.ask(.get, path).json["goals"]?.array
      #expect(goals?.compactMap { $0["goal"]?["title"]?.string } == ["Sing", "Run 120 km"])

      let review = try await web.ask(.get, "/api/v1/terms/\(term)/progress")
      #expect(review.json["linkedActions"] == 1 && review.json["goals"]?.array?.count == 2)
      #expect(review.json["goals"]?.array?.last?["inTerm"] == 5)
      let today = try await web.ask(.get, "/api/v1/progress")
      #expect(today.json["day"] == "2026-03-14" && today.json["waiting"] == 0)
      #expect(today.json["activeTerm"]?["id"]?.string == term)
      #expect(today.json["goals"]?.array?.compactMap { $0["order"]?.int } == [1, 2])
      #expect(today.json["goals"]?.array?.last?["progress"]?["total"] == 5)

      let removed = try await web.ask(.delete, "\(path)/\(other)")
      #expect(removed.json["deleted"]?.array?.count == 1)
      #expect(try await web.ask(.delete, "\(path)/\(other)").status == 404)
      // What belongs to a goal goes and comes back with it.
      let deleted = try await web.ask(.delete, "/api/v1/goals/\(goal)")
      #expect(try await web.ask(.get, path).json["goals"] == [])
      let undo = try #require(deleted.json["changeId"]?.string)
      _ = try await web.ask(.post, "/api/v1/changes/\(undo)/undo")
      #expect(try await web.ask(.get, path).json["goals"]?.array?.count == 1)
      #expect(try await web.ask(.get, "/api/v1/goals/\(goal)/progress").json["total"] == 5)
    }
  }

  @Test func theLifetimeIsToldOnceAndChangedByItsVersion() async throws {
    try await WebTest().run { web in
      let path = "/api/v1/lifetime"
      #expect(try await web.ask(.get, path).status == 404)
      for (body, field) in [
        ([:], "birthDate"), (["birthDate": "1990-02-30"], "birthDate"),
        (["birthDate": "1990-01-01", "expectedYears": 0], "expectedYears"),
        (["birthDate": "1990-01-01", "expectedYears": 151], "expectedYears"),
        (["birthDate": "1990-01-01", "age": 30], "age"),
        (["birthDate": "1990-01-01", "id": .string(Self.nobody)], "id"),
      ] as [(JSON, String)] {
        let answer = try await web.ask(.put, path, body)
        #expect(answer.status == 422 && answer.json["field"]?.string == field, "\(body.text())")
      }
      // A change of what doesn't exist doesn't create it.
      let none = try await web.ask(.put, path, ["birthDate": "1990-01-01"], ["If-Match": "*"])
      #expect(none.status == 412)
      #expect(try await web.ask(.get, path).status == 404)
      let told = try await web.ask(.put, path, ["birthDate": "1990-01-01"])
      #expect(told.status == 201 && told.json["expectedYears"] == 79)
      let read = try await web.ask(.get, path)
      #expect(read.json["weeksLived"] == 1_888)
      let tag = try #require(read.headers[.eTag])
      let changed = try await web.ask(.put, path, ["expectedYears": 90], ["If-Match": tag])
      #expect(changed.status == 200 && changed.json["expectedYears"] == 90)
      #expect(changed.json["birthDate"] == "1990-01-01")
      let late = try await web.ask(.put, path, ["expectedYears": 80], ["If-Match": tag])
      #expect(late.status == 412)
      #expect(
        try await web.ask(.put, path, ["birthDate": "1991-01-01"], ["If-None-Match": "*"]).status
          == 412)
      #expect(try await web.ask(.get, "/api/v1/progress").json["lifetime"]?["age"] != nil)
    }
  }

  @Test func repeatedLinksAndDecisionsAreAnsweredAsTheFirst() async throws {
    let web = try WebTest()
    try await web.run { client in
      let goal = try await Self.make(client, "goals", Self.running)
      let action = try await Self.make(client, "actions", ["text": "walk"])
      let path = "/api/v1/actions/\(action)/goals"
      let body: JSON = ["goalId": .string(goal), "contribution": 2]
      let key = ["Idempotency-Key": "link"]
      let first = try await client.ask(.post, path, body, key)
      #expect(first.status == 201)
      let changes = try web.test.archive.changes(limit: 100).count
      // The answer is kept with the link, so that no second one is written.
      let again = try await client.ask(.post, path, body, key)
      #expect(again.status == 201 && again.text == first.text)
      #expect(try web.test.archive.changes(limit: 100).count == changes)

      for number in 1...3 {
        try web.test.add("out \(number)", measurements: ["distance_km": Double(number)])
      }
      let match = try #require(try web.test.archive.waitingMatches().first).contribution.id
      let decision: JSON = ["decision": "confirm"]
      let one = try await client.ask(
        .post, "/api/v1/matches/\(match.uuidString)", decision, ["Idempotency-Key": "one"])
      #expect(one.json["updated"]?["matchMethod"] == "user_confirmed")
      let all = try await client.ask(
        .post, "/api/v1/goals/\(goal)/matches", decision, ["Idempotency-Key": "all"])
      #expect(all.json["updated"]?.array?.count == 2)
      let none = try await client.ask(
        .post, "/api/v1/goals/\(goal)/matches", decision, ["Idempotency-Key": "none"])
      #expect(none.json == ["updated": [], "changeId": nil])
      let before = try web.test.archive.changes(limit: 100).count
      for (key, path, answer) in [
        ("one", "matches/\(match.uuidString)", one), ("all", "goals/\(goal)/matches", all),
        ("none", "goals/\(goal)/matches", none),
      ] {
        let again = try await client.ask(
          .post, "/api/v1/\(path)", decision, ["Idempotency-Key": key])
        #expect(again.text == answer.text, "\(key)")
      }
      #expect(try web.test.archive.changes(limit: 100).count == before)
      let bad = try await client.ask(
        .post, "/api/v1/matches/\(match.uuidString)", ["decision": "perhaps"],
        ["Idempotency-Key": "bad"])
      #expect(bad.status == 422)
    }
  }

  @Test func whatIsChangedTellsWhatItCountsTowards() async throws {
    try await WebTest().run { web in
      _ = try await Self.make(web, "goals", Self.running)
      let action = try await Self.make(
        web, "actions", ["text": "ran", "measurements": ["km": 5]])
      let changed = try await web.ask(
        .patch, "/api/v1/actions/\(action)", ["measurements": ["km": 8]])
      #expect(changed.json["countsToward"]?.array?.first?["total"] == 8)
      #expect(changed.json["countsToward"]?.array?.first?["planned"] == false)
      let tea = try await web.ask(.patch, "/api/v1/activities/\(action)", ["measurements": [:]])
      #expect(tea.json["countsToward"] == [])
    }
  }
}

import ArkivedCore
import ArkivedStore
import ArkivedTestSupport
import Foundation
import HTTPTypes
import Hummingbird
import Testing

@testable import ArkivedWeb

@Suite("The JSON API")
struct APITests {
  @Test func anActivityIsMadeReadChangedDeletedAndBroughtBack() async throws {
    try await WebTest().run { web in
      let made = try await web.ask(
        .post, "/api/v1/activities",
        ["text": "ran", "dayDate": "2026-03-14", "tags": ["#x", "X"], "measurements": ["km": 5]])
      #expect(made.status == 201)
      #expect(made.json["created"]?["tags"] == ["x"])
      let activity = try #require(made.json["created"])
      let id = try #require(activity["id"]?.string)
      let path = "/api/v1/activities/\(id)"
      #expect(made.headers[.location] == path)
      let read = try await web.ask(.get, path)
      #expect(read.json == activity)
      let etag = try #require(read.headers[.eTag])

      let changed = try await web.ask(.patch, path, ["text": "ran far"], ["If-Match": etag])
      #expect(changed.status == 200 && changed.json["updated"]?["text"] == "ran far")
      let late = try await web.ask(.patch, path, ["text": "other"], ["If-Match": etag])
      #expect(late.status == 412)
      #expect(late.headers[.contentType] == "application/problem+json")
      #expect(try await web.ask(.delete, path, nil, ["If-Match": etag]).status == 412)
      #expect(try await web.ask(.get, "\(path)/history").json["versions"]?.array?.count == 1)

      let deleted = try await web.ask(.delete, path)
      #expect(deleted.status == 200)
      #expect(try await web.ask(.get, path).status == 404)
      let change = try #require(deleted.json["changeId"]?.string)
      #expect(try await web.ask(.post, "/api/v1/changes/\(change)/undo").status == 200)
      #expect(try await web.ask(.get, path).json["text"] == "ran far")
    }
  }

  @Test func anotherKindsIdentityIsNamed() async throws {
    try await WebTest().run { web in
      let made = try await web.ask(.post, "/api/v1/goals", ["title": "Read"])
      let id = try #require(made.json["created"]?["id"]?.string)
      for method in [HTTPRequest.Method.get, .patch, .delete] {
        let answer = try await web.ask(
          method, "/api/v1/activities/\(id)", method == .patch ? ["text": "x"] : nil)
        #expect(answer.status == 404)
        #expect(answer.json["detail"]?.string?.contains("belongs to a goal") == true)
      }
    }
  }

  @Test func weatherIsWrittenByHandReadEmptiedAndChecked() async throws {
    try await WebTest().run { web in
      let made = try await web.ask(
        .post, "/api/v1/activities", ["text": "walk", "weather": "light rain, 12 °C"])
      #expect(made.json["created"]?["weather"]?["conditions"] == "light rain", "\(made.text)")
      #expect(made.json["created"]?["weather"]?["temperatureCelsius"] == 12)
      let path = "/api/v1/activities/\(made.json["created"]?["id"]?.string ?? "")"
      let changed = try await web.ask(
        .patch, path, ["weather": ["conditions": "fog", "temperatureCelsius": -2]])
      #expect(changed.json["updated"]?["weather"]?["conditions"] == "fog", "\(changed.text)")
      let wrong = try await web.ask(.patch, path, ["weather": "400 °C"])
      #expect(wrong.status == 422 && wrong.json["field"]?.string?.hasPrefix("weather") == true)
      let bare = try await web.ask(.patch, path, ["weather": .null])
      #expect(bare.status == 200 && bare.json["updated"]?["weather"] == .null)

      let day = "/api/v1/days/2026-03-14"
      #expect(try await web.ask(.put, day, ["weather": "snow, -3 °C"]).status == 200)
      #expect(try await web.ask(.get, day).json["weather"]?["conditions"] == "snow")
      #expect(try await web.ask(.put, day, ["weather": "snow, 200 %"]).status == 422)
      #expect(try await web.ask(.put, day, ["mood": 4]).json["weather"]?["conditions"] == "snow")
      #expect(try await web.ask(.put, day, ["weather": .null]).json["weather"] == .null)
    }
  }

  @Test func movingADayMovesItsTimesAndNullIsNoText() async throws {
    try await WebTest().run { web in
      let made = try await web.ask(
        .post, "/api/v1/activities",
        ["text": "a", "startAt": "2026-03-14T10:00:00Z", "endAt": "2026-03-14T11:00:00Z"])
      let id = try #require(made.json["created"]?["id"]?.string)
      #expect(made.json["created"]?["durationMinutes"] == 60)
      let moved = try await web.ask(
        .patch, "/api/v1/activities/\(id)", ["dayDate": "2026-03-20"])
      #expect(moved.json["updated"]?["startAt"] == "2026-03-20T10:00:00Z")
      let null = try await web.ask(.patch, "/api/v1/activities/\(id)", ["text": nil])
      #expect(null.status == 422 && null.json["field"] == "text")
    }
  }

  @Test func aRepeatedPostWithAKeyMakesOneEntry() async throws {
    let web = try WebTest()
    try await web.run { client in
      let key = ["Idempotency-Key": "k1"]
      let first = try await client.ask(.post, "/api/v1/activities", ["text": "a"], key)
      let second = try await client.ask(.post, "/api/v1/activities", ["text": "a"], key)
      #expect(first.status == 201 && second.status == 201)
      #expect(first.json["created"]?["id"] == second.json["created"]?["id"])
      let other = try await client.ask(.post, "/api/v1/activities", ["text": "b"], key)
      #expect(other.status == 422)
    }
    #expect(try web.test.archive.counts().activities == 1)
  }

  @Test func aDayIsWrittenAndGuardedByItsVersion() async throws {
    try await WebTest().run { web in
      let path = "/api/v1/days/2026-03-14"
      let empty = try await web.ask(.get, path)
      #expect(empty.status == 200 && empty.json["note"] == .null)
      let etag = try #require(empty.headers[.eTag])
      let first = try await web.ask(.put, path, ["note": "a", "mood": 4], ["If-Match": etag])
      #expect(first.status == 200 && first.json["mood"] == 4)
      #expect(
        try await web.ask(.put, path, ["note": "b"], ["If-Match": etag]).status == 412)
      let more = try await web.ask(.put, path, ["appendNote": "b"])
      #expect(more.json["note"] == "a\n\nb" && more.json["mood"] == 4)
    }
  }

  @Test func wrongInputIsAProblemThatNamesTheField() async throws {
    let web = try WebTest()
    try await web.run { client in
      let wrong: [(JSON, String)] = [
        ([:], "text"), (["text": ""], "text"), (["text": 5], "text"),
        (["text": "a", "colour": "red"], "colour"), (["text": "a", "lat": 91, "lon": 0], "lat"),
        (["text": "a", "dayDate": "2026-02-30"], "dayDate"),
        (["text": "a", "startAt": "noon"], "startAt"),
        (["text": "a", "measurements": ["km": -1]], "measurements.km"),
        (["text": "a", "timeZone": "Mars"], "timeZone"),
        (
          [
            "text": "a", "startAt": "2026-03-14T10:00:00Z", "endAt": "2026-03-14T09:00:00Z",
          ], "endAt"
        ), (["line": "#only"], "line"), (["line": "a", "text": "b"], "line"),
      ]
      for (body, field) in wrong {
        let answer = try await client.ask(.post, "/api/v1/activities", body)
        #expect(answer.status == 422, "\(body.text()) \(answer.text)")
        #expect(answer.json["field"]?.string == field, "\(body.text()) \(answer.text)")
        #expect(answer.headers[.contentType] == "application/problem+json")
      }
      #expect(
        try await client.ask(.put, "/api/v1/days/2026-03-14", ["mood": 9]).json["field"] == "mood")
    }
    #expect(try web.test.archive.counts().activities == 0)
  }

  @Test func brokenRequestsAreRefusedAndTheServerLives() async throws {
    try await WebTest().run { web in
      let token = ["Authorization": "Bearer \(web.door.ownerToken)"]
      func post(_ body: String, _ type: String) async throws -> Int {
        try await web.send(
          .post, "/api/v1/activities", token.merging(["Content-Type": type]) { $1 }, body: body
        ).status
      }
      #expect(try await post("{\"text\":", "application/json") == 400)
      #expect(try await post("[1]", "application/json") == 400)
      #expect(try await post("", "application/json") == 400)
      #expect(try await post("text=a", "application/x-www-form-urlencoded") == 415)
      #expect(try await post(String(repeating: "[", count: 100_000), "application/json") == 400)
      #expect(try await post(String(repeating: " ", count: 17 << 20), "application/json") == 413)
      for path in [
        "/api/v1/days/yesterday", "/api/v1/days/2026-02-30", "/api/v1/activities/7",
        "/api/v1/search?from=never", "/api/v1/search?limit=-1", "/api/v1/search?limit=x",
        "/api/v1/search?mode=magic",
      ] { #expect(try await web.ask(.get, path).status == 400, "\(path)") }
      for path in [
        "/api/v1/nothing", "/assets/../../../../etc/passwd", "/assets/..%2f..%2fetc%2fpasswd",
        "/day/..%2f..", "/attachments/%00", "/api/v1/days/2026-03-14%00",
      ] {
        let status = try await web.ask(.get, path).status
        #expect(status == 404 || status == 400, "\(path) \(status)")
      }
      #expect(try await web.ask(.get, "/api/v1").status == 200)
    }
  }

  @Test func aMisspeltParameterIsRefused() async throws {
    try await WebTest().run { client in
      for (path, field) in [
        ("search?query=a&form=2026-01-01", "form"), ("search?kind=work&kind=health", "kind"),
        ("recap?off=month", "off"), ("complete?q=a", "q"), ("when?phrases=today", "phrases"),
        ("quick-add?line=a&dayKey=2026-03-14", "dayKey"), ("quick-add?line=a&day=soon", "day"),
        ("quick-add?line=a&language=xx", "language"), ("index?all=true", "all"),
        ("imports?limit=5", "limit"), ("query?of=a", "of"), ("map?spam=year", "spam"),
        ("insights/mood?of=mood&of=energy", "of"), ("events?since=\(UUID().uuidString)", "since"),
        ("days/2026-03-14?zone=UTC", "zone"), ("activities/\(UUID().uuidString)?full=true", "full"),
        ("goals/\(UUID().uuidString)/history?limit=1", "limit"), ("?all=true", "all"),
        ("openapi.json?version=2", "version"),
      ] {
        let answer = try await client.ask(.get, "/api/v1/\(path)")
        #expect(answer.status == 400, "\(path) \(answer.text)")
        #expect(answer.json["field"]?.string == field, "\(path) \(answer.text)")
      }
      let lists = "query=a&tag=x&tag=y&person=Alex&person=Sam"
      #expect(try await client.ask(.get, "/api/v1/search?\(lists)").status == 200)
    }
  }

  @Test func anAnswerComesInTheLanguageOfItsQuestion() async throws {
    let web = try WebTest()
    for day in ["03", "05"] { try web.test.add("swam", on: "2026-03-\(day)", tags: ["swim"]) }
    _ = try web.test.archive.updatePreferences { $0.language = .german }
    try await web.run { client in
      let german = try await client.ask(
        .post, "/api/v1/ask", ["question": "Wie oft war ich im März schwimmen?"])
      #expect(
        german.json["answer"]?.string?.contains("2 Einträge") == true, "\(german.json.text())")
      let english = try await client.ask(
        .post, "/api/v1/ask", ["question": "how often did I swim in March?"])
      #expect(english.json["answer"]?.string?.contains("2 entries") == true)
    }
  }

  @Test func searchAskAndWhenAnswerLikeTheCommands() async throws {
    let web = try WebTest()
    try web.test.add("climbing hall", on: "2026-02-10", people: ["Alex Kim"])
    try web.test.add("tea", on: "2026-02-11", people: ["Alex Moreau"])
    try web.test.add("climbing alone", on: "2026-02-12")
    try await web.run { client in
      let found = try await client.ask(
        .get, "/api/v1/search?query=climb&person=Alex&from=2026-02-01&to=2026-02-28&limit=5")
      #expect(found.json["results"]?.array?.map { $0["title"] } == ["climbing hall"])
      let answer = try await client.ask(
        .post, "/api/v1/ask", ["question": "what did I do with Alex last month?"])
      #expect(answer.json["kind"] == "list" && answer.json["citationCount"] == 2)
      #expect(answer.json["understood"]?["from"] == "2026-02-01")
      #expect(answer.json["understood"]?["to"] == "2026-02-28")
      let other = try await client.ask(
        .post, "/api/v1/ask",
        ["question": "what did I do with Alex last month?", "now": "2026-05-01T00:00:00Z"])
      #expect(other.json["kind"] == "none")
      let when = try await client.ask(.get, "/api/v1/when?phrase=yesterday")
      #expect(when.json["matches"]?.array?.first?["start"] == "2026-03-13T00:00:00")
      for query in ["%22", "*", "%00", "(((", "%F0%9F%98%80", "a%20OR", "-"] {
        #expect(
          try await client.ask(.get, "/api/v1/search?query=\(query)").status == 200, "\(query)")
      }
    }
  }

  @Test func filesComeInByUploadAndGoByUndo() async throws {
    let web = try WebTest()
    try await web.run { client in
      let line = #"{"type":"activity","text":"uploaded","dayKey":"2026-01-01"}"#
      let body =
        "--B\r\nContent-Disposition: form-data; name=\"file\"; filename=\"../../x.jsonl\"\r\n"
        + "\r\n\(line)\r\n--B--\r\n"
      let headers = [
        "Authorization": "Bearer \(client.door.ownerToken)",
        "Content-Type": "multipart/form-data; boundary=B",
      ]
      let answer = try await client.send(.post, "/api/v1/imports", headers, body: body)
      #expect(answer.status == 201, "\(answer.text)")
      let run = try #require(answer.json["runs"]?.array?.first)
      #expect(run["created"]?["activity"] == 1)
      let cut = try await client.send(
        .post, "/api/v1/imports", headers, body: String(body.prefix(90)))
      #expect(cut.status == 400)
      let id = try #require(run["id"]?.string)
      #expect(try await client.ask(.post, "/api/v1/imports/\(id)/undo").status == 200)
    }
    #expect(try web.test.archive.counts().activities == 0)
  }

  @Test func aRefusedFileTellsWhatWasImportedBeforeIt() async throws {
    let web = try WebTest()
    try await web.run { client in
      let part = "--B\r\nContent-Disposition: form-data; name=\"file\"; filename="
      let good =
        "\(part)\"a.jsonl\"\r\n\r\n"
        + #"{"type":"activity","text":"uploaded","dayKey":"2026-01-01"}"# + "\r\n"
      let bad = "\(part)\"b.bin\"\r\n\r\n\u{0}\u{1}\u{2}\r\n"
      func send(_ parts: String) async throws -> WebClient.Answer {
        try await client.send(
          .post, "/api/v1/imports",
          [
            "Authorization": "Bearer \(client.door.ownerToken)",
            "Content-Type": "multipart/form-data; boundary=B",
          ], body: "\(parts)--B--\r\n")
      }
      let alone = try await send(bad)
      #expect(alone.status == 422 && alone.json["runs"] == nil, "\(alone.text)")
      #expect(alone.json["title"] == "Not imported")
      let both = try await send(good + bad)
      #expect(both.status == 422, "\(both.text)")
      #expect(both.headers[.contentType] == "application/problem+json")
      #expect(both.json["title"] == "Only part of it was imported")
      #expect(both.json["detail"]?.string?.hasPrefix("b.bin: ") == true)
      #expect(both.json["runs"]?.array?.count == 1)
      #expect(both.json["runs"]?.array?.first?["created"]?["activity"] == 1)
    }
    #expect(try web.test.archive.counts().activities == 1)
  }

  /// The members of a schema, or of the answer to `GET` at a path.
  private func described(_ name: String) throws -> Set<String> {
    let document = try JSON(parsing: DescriptionController.content)
    let answer = document["paths"]?[name]?["get"]?["responses"]?["200"]?["content"]
    let schema =
      document["components"]?["schemas"]?[name] ?? answer?["application/json"]?["schema"]
    let properties = try #require(schema?["properties"]?.object, "\(name)")
    return Set(properties.keys)
  }

  private func members(_ answer: JSON?) -> Set<String> { Set(answer?.object?.keys ?? []) }

  @Test func theDescriptionNamesEveryMemberOfWhatIsWritten() async throws {
    try await WebTest().run { client in
      let activity: JSON = [
        "text": "ran", "dayKey": "2026-03-12", "startAt": "2026-03-12T04:00:00Z",
        "dayPeriod": "morning", "measurements": ["km": 5], "weather": "rain",
      ]
      let bodies: [(path: String, body: JSON, schema: String)] = [
        ("activities", activity, "Activity"), ("actions", activity, "Activity"),
        ("goals", ["title": "Run 9 km", "measurementUnit": "km"], "Goal"),
        ("values", ["title": "Health"], "Value"), ("terms", [:], "Term"),
        ("people", ["name": "Alex"], "Person"), ("notes", ["text": "a"], "Note"),
        ("meetings", ["title": "a", "dayKey": "2026-03-14"], "Meeting"),
      ]
      for (path, body, schema) in bodies {
        let answer = try await client.ask(.post, "/api/v1/\(path)", body)
        #expect(answer.status == 201, "\(path) \(answer.text)")
        let created = members(answer.json["created"])
        #expect(try created == described(schema), "\(path)")
      }
      let goals = try await client.ask(.get, "/api/v1/goals").json["goals"]
      let goal = try #require(goals?.array?.first?["id"]?.string)
      let progress = members(try await client.ask(.get, "/api/v1/goals/\(goal)/progress").json)
      #expect(try progress == described("Progress"))
      let day = try await client.ask(.put, "/api/v1/days/2026-03-14", ["note": "a"])
      #expect(try members(day.json) == described("Day"))
      _ = try await client.ask(.put, "/api/v1/lifetime", ["birthDate": "1990-01-01"])
      let life = members(try await client.ask(.get, "/api/v1/lifetime").json)
      #expect(try life == described("Lifetime"))
    }
  }

  @Test func theDescriptionNamesEveryMemberOfWhatIsRead() async throws {
    let web = try WebTest()
    try web.test.add("castle", on: "2026-03-12", from: "10:30")
    try await web.run { client in
      func read(_ path: String) async throws -> JSON {
        let answer = try await client.ask(.get, "/api/v1\(path)")
        #expect(answer.status == 200, "\(path) \(answer.text)")
        return answer.json
      }
      for path in ["/search", "/when", "/recap", "/storage", "/backups"] {
        let answer = members(try await read(path))
        #expect(try answer == described(path), "\(path)")
      }
      for (path, schema) in [("/inbox", "Inbox"), ("/preferences", "Preferences")] {
        let answer = members(try await read(path))
        #expect(try answer == described(schema), "\(path)")
      }
      let line = members(try await read("/quick-add?line=tea&day=2026-03-14"))
      #expect(try line == described("/quick-add"))
      let hit = try await read("/search?query=castle")["results"]?.array?.first
      #expect(hit != nil)
      #expect(try members(hit).isSubset(of: described("Hit")))
      let change = try await read("/changes")["changes"]?.array?.first
      #expect(try members(change) == described("Change"))
      let summary = try await read("/days?from=2026-03-12&to=2026-03-12")["days"]?.array?.first
      #expect(try members(summary) == described("DaySummary"))
    }
  }

  @Test func theDescriptionListsWhatAParameterAccepts() throws {
    let paths = try JSON(parsing: DescriptionController.content)["paths"]
    func values(of name: String, at path: String) -> [String]? {
      let parameters = paths?[path]?["get"]?["parameters"]?.array ?? []
      let parameter = parameters.first { $0["name"]?.string == name }
      return parameter?["schema"]?["enum"]?.array?.compactMap(\.string)
    }
    let formats = ExportController.Format.allCases.map(\.rawValue)
    #expect(values(of: "format", at: "/export") == formats)
    let modes = SearchRequest.Mode.allCases.map(\.rawValue)
    #expect(values(of: "mode", at: "/search") == modes)
  }

  @Test func theDescriptionListsTheAnswersThatAnyRouteGives() throws {
    let paths = try #require(
      try JSON(parsing: DescriptionController.content)["paths"]?.object)
    for (path, operations) in paths.members {
      for (method, operation) in operations.object?.members ?? [] {
        var expected: Set = ["400", "401", "403", "421"]
        if operation["requestBody"] != nil { expected.formUnion(["413", "415"]) }
        let listed = Set(operation["responses"]?.object?.keys ?? [])
        #expect(expected.isSubset(of: listed), "\(method) \(path)")
      }
    }
  }

  @Test func theDescriptionListsTheTypesOfExports() throws {
    let paths = try JSON(parsing: DescriptionController.content)["paths"]
    let content = paths?["/export"]?["get"]?["responses"]?["200"]?["content"]?.object
    let types = ExportController.Format.allCases.map {
      String($0.mediaType.prefix { $0 != ";" })
    }
    #expect(Set(content?.keys ?? []) == Set(types))
  }

  @Test func theDescriptionNamesEveryMemberOfAFailedCall() async throws {
    try await WebTest().run { client in
      let responses = try JSON(parsing: DescriptionController.content)["components"]?["responses"]
      let content = responses?["ToolProblem"]?["content"]?["application/problem+json"]
      let own = content?["schema"]?["allOf"]?.array?.last?["properties"]?.object
      let described = try self.described("Problem").union(own?.keys ?? [])
      for (name, body) in [("nothing", [:]), ("getDay", ["dayDate": "never"])] as [(String, JSON)] {
        let answer = try await client.ask(.post, "/api/v1/tools/\(name)", body)
        #expect([404, 422].contains(answer.status), "\(answer.text)")
        #expect(members(answer.json) == described, "\(answer.text)")
      }
    }
  }

  @Test func theDescriptionNamesTheURLOfWhatIsMade() async throws {
    try await WebTest().run { client in
      let paths = try JSON(parsing: DescriptionController.content)["paths"]
      for (path, body) in [
        ("/activities", ["text": "ran"]), ("/notes", ["text": "a"]),
        ("/threads", ["question": "When did I run?"]),
      ] as [(String, JSON)] {
        let answer = try await client.ask(.post, "/api/v1\(path)", body)
        #expect(answer.status == 201 && answer.headers[.location] != nil, "\(answer.text)")
        let created = paths?[path]?["post"]?["responses"]?["201"]
        #expect(created?["headers"]?["Location"] != nil, "\(path)")
      }
    }
  }

  @Test func theDescriptionNamesEveryRoute() async throws {
    let web = try WebTest()
    let described = try #require(
      try JSON(parsing: DescriptionController.content)["paths"]?.object)
    let served = try web.app.router().routes.filter { $0.path.description.hasPrefix("/api/v1") }
    for route in served where route.method != .head {
      let path = String(route.path.description.dropFirst("/api/v1".count))
        .replacing(#/:([A-Za-z]+)/#) { "{\($0.1)}" }
      let entry = described[path.isEmpty ? "/" : path]
      #expect(entry?[route.method.rawValue.lowercased()] != nil, "\(route.method) \(path)")
    }
  }
}

import ArkivedCore
import ArkivedStore
import ArkivedTestSupport
import Foundation
import HTTPTypes
import Hummingbird
import Testing

@testable import ArkivedWeb

@Suite("Guarded and repeated requests")
struct ConditionTests {
  @Test func aListOfTagsIsReadAsHTTPWritesIt() {
    func opaque(_ text: String) -> [String]? { EntityTag.list(text)?.map(\.text) }
    #expect(opaque(#""a""#) == [#""a""#])
    #expect(opaque(#"W/"a", "b,c" ,, "" "#) == [#"W/"a""#, #""b,c""#, #""""#])
    for text in ["a", "\"a", "\"a\" \"b\"", "w/\"a\"", "\"a b\"", "\"a\",b"] {
      #expect(opaque(text) == nil, "\(text)")
    }
  }

  @Test(arguments: [
    ("%", 200), ("*", 200), ("\"x\", %", 200), ("%, \"x\"", 200), ("\"x\"", 412),
    ("W/%", 412), ("W/%, %", 200), ("123", 412), ("\"", 412), ("", 412), ("\"0\"", 412),
  ])
  func anActivityIsChangedOnlyInAVersionThatIsNamed(header: String, status: Int) async throws {
    let web = try WebTest()
    let activity = try web.test.add("walk")
    try await web.run { client in
      let path = "/api/v1/activities/\(activity.id.uuidString)"
      let tag = try #require(try await client.ask(.get, path).headers[.eTag])
      let condition = ["If-Match": header.replacing("%", with: tag)]
      #expect(
        try await client.ask(.patch, path, ["text": "ran"], condition).status == status)
      let now = try #require(try await client.ask(.get, path).headers[.eTag])
      #expect((now != tag) == (status == 200))
      let again = ["If-Match": header.replacing("%", with: now)]
      #expect(try await client.ask(.delete, path, nil, again).status == status)
    }
    #expect(try web.test.archive.counts().activities == (status == 200 ? 0 : 1))
  }

  @Test func aDaysNoteIsGuardedButNotByItsActivities() async throws {
    let web = try WebTest()
    try await web.run { client in
      let path = "/api/v1/days/2026-03-14"
      let empty = try #require(try await client.ask(.get, path).headers[.eTag])
      let create = ["If-None-Match": "*"]
      #expect(try await client.ask(.put, path, ["note": "a"], create).status == 200)
      #expect(try await client.ask(.put, path, ["note": "b"], create).status == 412)
      #expect(try await client.ask(.put, path, ["note": "b"], ["If-Match": empty]).status == 412)
      let first = try #require(try await client.ask(.get, path).headers[.eTag])
      try web.test.add("walk")
      let second = try #require(try await client.ask(.get, path).headers[.eTag])
      #expect(first != second)
      let written = try await client.ask(.put, path, ["note": "b"], ["If-Match": first])
      #expect(written.status == 200)
      #expect(try await client.ask(.put, path, ["note": "c"], ["If-Match": second]).status == 412)
      let tag = try #require(written.headers[.eTag])
      #expect(try await client.ask(.get, path).headers[.eTag] == tag)
      #expect(try await client.ask(.put, path, ["note": "d"], ["If-Match": "*"]).status == 200)
      // What is wrong anyway is told before the condition.
      let wrong = try await client.ask(.put, path, ["mood": 9], ["If-Match": first])
      #expect(wrong.status == 422 || wrong.status == 412)
    }
  }

  @Test func whatTheCallerHasAlreadyIsNotSentAgain() async throws {
    let web = try WebTest()
    let activity = try web.test.add("walk")
    try await web.run { client in
      for path in ["/api/v1/days/2026-03-14", "/api/v1/activities/\(activity.id.uuidString)"] {
        let first = try await client.ask(.get, path)
        let tag = try #require(first.headers[.eTag])
        for known in [tag, "\"x\", \(tag)", "W/\(tag)", "*"] {
          let same = try await client.ask(.get, path, nil, ["If-None-Match": known])
          #expect(same.status == 304 && same.text.isEmpty && same.headers[.eTag] == tag)
        }
        #expect(
          try await client.ask(.get, path, nil, ["If-None-Match": "\"x\""]).status == 200)
        _ = try web.test.archive.updateActivity(activity.id) { $0.isPinned.toggle() }
        #expect(try await client.ask(.get, path, nil, ["If-None-Match": tag]).status == 200)
      }
    }
  }

  @Test func anOldVersionIsRestoredOnceAndOnlyOverTheVersionNamed() async throws {
    let web = try WebTest()
    let activity = try web.test.add("first")
    _ = try web.test.archive.updateActivity(activity.id) { $0.text = "second" }
    try await web.run { client in
      let path = "/api/v1/activities/\(activity.id.uuidString)"
      let versions = try await client.ask(.get, "\(path)/history").json["versions"]?.array
      let old = try #require(versions?.first?["id"]?.string)
      let restore = "/api/v1/history/\(old)/restore"
      #expect(
        try await client.ask(.post, restore, nil, ["If-Match": "\"1\""]).status == 412)
      let tag = try #require(try await client.ask(.get, path).headers[.eTag])
      let guarded = ["If-Match": tag, "Idempotency-Key": "r"]
      let first = try await client.ask(.post, restore, nil, guarded)
      #expect(first.status == 200)
      #expect(try await client.ask(.post, restore, nil, guarded).text == first.text)
      #expect(try await client.ask(.get, path).json["text"] == "first")
    }
    #expect(try web.test.archive.changes().filter { $0.action == "restore" }.count == 1)
  }

  @Test func everyPostThatMakesSomethingAnswersARepetitionAsTheFirstTime() async throws {
    let web = try WebTest()
    try await web.run { client in
      func twice(
        _ path: String, _ key: String, _ body: JSON?, _ more: [String: String] = [:],
        raw: String? = nil
      ) async throws -> (WebClient.Answer, WebClient.Answer) {
        var headers = ["Idempotency-Key": key].merging(more) { $1 }
        headers["Authorization"] = "Bearer \(client.door.ownerToken)"
        if body != nil { headers["Content-Type"] = "application/json" }
        let text = raw ?? body?.text()
        let first = try await client.send(.post, path, headers, body: text)
        return (first, try await client.send(.post, path, headers, body: text))
      }
      let (made, again) = try await twice("/api/v1/activities", "\"k-1\"", ["text": "a"])
      #expect(made.status == 201 && again.status == 201 && made.text == again.text)
      #expect(made.headers[.eTag] == again.headers[.eTag])
      #expect(made.headers[.location] == again.headers[.location])
      // The key is the text within the quotes.
      let plain = try await client.ask(
        .post, "/api/v1/activities", ["text": "a"], ["Idempotency-Key": "k-1"])
      #expect(plain.text == made.text)
      // It stays the first answer even when the entry changes or goes.
      let id = try #require(made.json["created"]?["id"]?.string)
      #expect(try await client.ask(.delete, "/api/v1/activities/\(id)").status == 200)
      #expect(try await twice("/api/v1/activities", "k-1", ["text": "a"]).0.text == made.text)
      #expect(try web.test.archive.counts().activities == 0)

      let (line, repeatedLine) = try await twice(
        "/api/v1/activities", "k-2", ["line": "walk 10:00"])
      #expect(line.status == 201 && line.text == repeatedLine.text)
      let change = try #require(line.json["changeId"]?.string)
      let (undone, undoneAgain) = try await twice("/api/v1/changes/\(change)/undo", "k-3", nil)
      #expect(undone.status == 200 && undone.text == undoneAgain.text)

      let row = #"{"type":"activity","text":"uploaded","dayKey":"2026-01-01"}"#
      func form(_ boundary: String) -> String {
        "--\(boundary)\r\nContent-Disposition: form-data; name=\"f\"; filename=\"x.jsonl\"\r\n\r\n"
          + "\(row)\r\n--\(boundary)--\r\n"
      }
      let (run, runAgain) = try await twice(
        "/api/v1/imports", "k-4", nil, ["Content-Type": "multipart/form-data; boundary=B"],
        raw: form("B"))
      #expect(run.status == 201 && run.text == runAgain.text)
      // The same file in a form with another boundary is the same request.
      let other = try await twice(
        "/api/v1/imports", "k-4", nil, ["Content-Type": "multipart/form-data; boundary=C"],
        raw: form("C"))
      #expect(other.0.text == run.text)
      let runID = try #require(run.json["runs"]?.array?.first?["id"]?.string)
      let (back, backAgain) = try await twice("/api/v1/imports/\(runID)/undo", "k-5", nil)
      #expect(back.status == 200 && back.text == backAgain.text)
      #expect(try web.test.archive.importRuns().count == 1)

      // A key that stands for another request, or is none, is refused.
      for path in ["/api/v1/activities", "/api/v1/imports/\(runID)/undo"] {
        let taken = try await client.ask(
          .post, path, ["text": "b"], ["Idempotency-Key": "k-1"])
        #expect(taken.status == 422 && taken.json["field"] == "Idempotency-Key", "\(path)")
      }
      for key in [" ", String(repeating: "k", count: 201)] {
        let answer = try await client.ask(
          .post, "/api/v1/activities", ["text": "b"], ["Idempotency-Key": key])
        #expect(answer.status == 400)
      }
      // A refused request may be mended.
      let refused = ["Idempotency-Key": "k-6"]
      #expect(
        try await client.ask(.post, "/api/v1/activities", ["text": ""], refused).status == 422)
      #expect(
        try await client.ask(.post, "/api/v1/activities", ["text": "ok"], refused).status == 201)
    }
  }

  @Test func repetitionsAtTheSameTimeMakeOneEntry() async throws {
    let web = try WebTest()
    let bodies = try await web.run { client in
      try await withThrowingTaskGroup(of: String.self) { group in
        for _ in 0..<12 {
          group.addTask {
            let answer = try await client.ask(
              .post, "/api/v1/activities", ["text": "once"], ["Idempotency-Key": "same"])
            #expect(answer.status == 201)
            return answer.text
          }
        }
        return try await group.reduce(into: Set<String>()) { $0.insert($1) }
      }
    }
    #expect(bodies.count == 1)
    #expect(try web.test.archive.counts().activities == 1)
  }

  @Test func anAnswerIsForgottenAfterAWeek() async throws {
    let web = try WebTest()
    let key = RequestKey(key: "k", requestHash: "h")
    try web.test.archive.keep(KeptAnswer(["a": 1]), to: key)
    web.test.clock.advance(seconds: (Archive.answerDays + 1) * 86_400)
    try web.test.archive.keep(KeptAnswer(status: 200), to: RequestKey(key: "l", requestHash: "h"))
    #expect(try web.test.archive.keptAnswer(to: key) == nil)
    #expect(throws: RequestKeyTaken.self) {
      try web.test.archive.keptAnswer(to: RequestKey(key: "l", requestHash: "other"))
    }
  }

  @Test func anAnswerToAPageIsKnownForAsLongAsItsLineMayWaitOnAPhone() throws {
    let web = try WebTest()
    let archive = web.test.archive
    let key = RequestKey(key: "k", requestHash: "h")
    let answer = KeptAnswer(status: 303, location: "/day/2026-03-14")
    try archive.keep(answer, to: key)
    for _ in 0..<13 {
      web.test.clock.advance(seconds: 30 * 86_400)
      let other = RequestKey(key: UUID().uuidString, requestHash: "h")
      try archive.keep(KeptAnswer(["a": 1]), to: other)
    }
    #expect(try archive.keptAnswer(to: key) == answer)
    web.test.clock.advance(seconds: Archive.pageAnswerDays * 86_400)
    try archive.keep(answer, to: RequestKey(key: "l", requestHash: "h"))
    #expect(try archive.keptAnswer(to: key) == nil)
  }

  @Test func aBrowserThatOpensTheAddressOfAFormGoesToItsPage() async throws {
    try await WebTest().run { client in
      let cookie = try await client.signIn()
      let id = UUID().uuidString
      let page = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"
      for (path, target) in [
        ("/settings/assistant/model", "/settings/assistant"),
        ("/settings/assistant/download", "/settings/assistant"),
        ("/settings/forget/kept", "/settings/forget"),
        ("/settings/prompts", "/settings/templates"),
        ("/settings/tag-proposals", "/settings/tags"),
        ("/settings/backup/restore/unlock", "/settings/backup/restore"),
        ("/settings/imports/path", "/settings/imports"),
        ("/day/2026-03-14/note/template", "/day/2026-03-14/note"),
        ("/terms/\(id)/goals/\(id)/move", "/terms/\(id)"), ("/changes/\(id)/undo", "/"),
        ("/attachments/\(id)/delete", "/"), ("/logout", "/"),
      ] {
        for method in [HTTPRequest.Method.get, .head] {
          let opened = try await client.send(method, path, ["Cookie": cookie, "Accept": page])
          #expect(opened.status == 303 && opened.headers[.location] == target, "\(path)")
        }
        // A page that reads itself again must not show another one in its place.
        let read = try await client.send(
          .get, path, ["Cookie": cookie, "Accept": "text/html"])
        #expect(read.status == 405, "\(path)")
      }
      for path in ["/api/v1/ask", "/api/v1/activities"] {
        let answer = try await client.ask(.get, path, nil, ["Accept": page])
        #expect(answer.status == 405, "\(path)")
      }
    }
  }

  @Test func aMethodThatAnAddressDoesNotTakeIsAnsweredWithThoseItTakes() async throws {
    let web = try WebTest()
    let routes = try web.app.router().routes
    try await web.run { client in
      let id = UUID().uuidString
      for (path, allow) in [
        ("/api/v1/days/2026-03-14", "GET, HEAD, PUT"), ("/api/v1/days", "GET, HEAD"),
        ("/api/v1/activities", "POST"),
        ("/api/v1/activities/\(id)", "DELETE, GET, HEAD, PATCH"), ("/api/v1/search", "GET, HEAD"),
        ("/api/v1/changes/\(id)/undo", "POST"), ("/api/v1/imports", "GET, HEAD, POST"),
        ("/api/v1", "GET, HEAD"), ("/", "GET, HEAD"), ("/logout", "POST"),
        ("/day/2026-03-14/activities", "POST"), ("/activities/\(id)", "GET, HEAD, POST"),
      ] {
        let methods = allow.split(separator: ", ").map(String.init)
        for method in ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "PROPFIND"]
        where !methods.contains(method) {
          let name = try #require(HTTPRequest.Method(method))
          let answer = try await client.ask(name, path)
          #expect(answer.status == 405, "\(method) \(path)")
          #expect(answer.headers[.allow] == allow, "\(method) \(path)")
          let isProblem = answer.headers[.contentType] == "application/problem+json"
          #expect(isProblem == path.hasPrefix("/api/"), "\(method) \(path)")
        }
      }
      for path in ["/api/v1/nothing", "/nothing", "/api/v1/day", "/day/2026-03-14/note/edit/x"] {
        #expect(try await client.ask(.delete, path).status == 404, "\(path)")
        #expect(try await client.ask(.get, path).status == 404, "\(path)")
      }
      // A stranger learns nothing of what there is.
      #expect(try await client.send(.delete, "/api/v1/search").status == 401)
    }
    #expect(!routes.isEmpty)
  }
}

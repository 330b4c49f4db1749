import ArkivedCore
import ArkivedStore
import ArkivedTestSupport
import Foundation
import HTTPTypes
import Testing

@testable import ArkivedWeb

@Suite("Tools and programs over HTTP")
struct ToolAPITests {
  /// A program with a token of its own.
  private struct Agent {
    let web: WebClient
    let token: String

    func ask(
      _ method: HTTPRequest.Method, _ path: String, _ body: JSON? = nil,
      _ more: [String: String] = [:]
    ) async throws -> WebClient.Answer {
      var headers = more
      headers["Authorization"] = "Bearer \(token)"
      if body != nil { headers["Content-Type"] = headers["Content-Type"] ?? "application/json" }
      return try await web.send(method, path, headers, body: body?.text())
    }
  }

  private func run(
    _ body: @escaping @Sendable (WebTest, WebClient, Agent) async throws -> Void
  ) async throws {
    let test = try WebTest()
    let token = try test.test.archive.addAgent(named: "Robot").token
    try await test.run { web in try await body(test, web, Agent(web: web, token: token)) }
  }

  @Test func aToolIsCalledByEnvelopeOrByItsName() async throws {
    try await run { _, web, _ in
      let call: JSON = [
        "id": "call_002", "name": "createActivity", "arguments": ["text": "tea"],
      ]
      let answer = try await web.ask(.post, "/api/v1/tools", call)
      #expect(answer.status == 200 && answer.json["toolCallId"] == "call_002")
      #expect(answer.json["result"]?["created"]?["textPreview"] == "tea")
      let named = try await web.ask(.post, "/api/v1/tools/getDay", ["dayDate": "2026-03-14"])
      #expect(named.json["result"]?["activities"]?.array?.count == 1)
      let listed = try await web.ask(.get, "/api/v1/tools")
      #expect(listed.json["tools"]?.array?.count == 24)
    }
  }

  @Test func whatIsWrongIsAProblemThatNamesIt() async throws {
    try await run { _, web, _ in
      let wrong = try await web.ask(.post, "/api/v1/tools/createActivity", ["mood": 3])
      #expect(wrong.status == 422 && wrong.json["field"] == "mood")
      #expect(wrong.json["error"]?["code"] == "invalidArgument")
      #expect(wrong.headers[.contentType] == "application/problem+json")
      #expect(try await web.ask(.post, "/api/v1/tools/nothing", [:]).status == 404)
      let gone = try await web.ask(
        .post, "/api/v1/tools/deleteActivity", ["id": "00000000-0000-4000-8000-0000000000FF"])
      #expect(gone.status == 404 && gone.json["error"]?["code"] == "notFound")
      #expect(try await web.ask(.post, "/api/v1/tools", ["args": 1]).status == 422)
      #expect(try await web.ask(.post, "/api/v1/tools/ask", [1]).status == 400)
    }
  }

  @Test func aQueryIsComputedForItsOwnerAndForPrograms() async throws {
    try await run { test, web, agent in
      try test.test.add("rowed", tags: ["rowing"], measurements: ["km": 4])
      let query: JSON = ["source": ["entries": ["tag": "rowing"]], "fold": "sum", "unit": "km"]
      let told = try await web.ask(.post, "/api/v1/query", query)
      #expect(told.status == 200 && told.json["rows"]?.array?.first?["value"] == 4)
      #expect(told.json["citations"]?.array?.first?["dayKey"] == "2026-03-14")
      #expect(try await agent.ask(.post, "/api/v1/query", query).json == told.json)
      let schema = try await web.ask(.get, "/api/v1/query")
      #expect(schema.json["$defs"]?["source"] != nil)
      let wrong = try await web.ask(.post, "/api/v1/query", ["source": ["entries": ["tag": 5]]])
      #expect(wrong.status == 422 && wrong.json["field"] == "/source/entries/tag")
      let many = try await web.ask(
        .post, "/api/v1/query", ["source": ["entries": [:]], "limit": 1_000_000])
      #expect(many.status == 422 && many.json["field"] == "/limit")
      func post(_ text: String) async throws -> Int {
        try await web.send(
          .post, "/api/v1/query",
          [
            "Authorization": "Bearer \(web.door.ownerToken)", "Content-Type": "application/json",
          ], body: text
        ).status
      }
      let deep = #"{"source":{"entries":"# + String(repeating: #"{"not":"#, count: 5_000)
      #expect(try await post(deep) == 400)
      #expect(try await post(#"{"source":{"entries":{"mood":{"min":NaN}}}}"#) == 400)
      #expect(try await post("{" + String(repeating: " ", count: 5 << 20)) == 413)
    }
  }

  @Test func aRepeatedCallAddsOnce() async throws {
    try await run { test, _, agent in
      for _ in 0..<2 {
        let answer = try await agent.ask(
          .post, "/api/v1/tools/createActivity", ["text": "tea"], ["Idempotency-Key": "once"])
        #expect(answer.status == 200)
      }
      #expect(try test.test.archive.counts().activities == 1)
    }
  }

  /// Programs that count their requests all begin with the same key.
  @Test func aKeyIsOneProgramsOwn() async throws {
    try await run { test, web, agent in
      let other = Agent(web: web, token: try test.test.archive.addAgent(named: "Watch").token)
      let tea: JSON = ["text": "tea"]
      for (path, number) in [("/api/v1/activities", "1"), ("/api/v1/tools/createActivity", "2")] {
        let key = ["Idempotency-Key": number]
        let before = try test.test.archive.counts().activities
        for _ in 0..<2 {
          let first = try await agent.ask(.post, path, tea, key)
          let second = try await other.ask(.post, path, tea, key)
          let owner = try await web.ask(.post, path, tea, key)
          #expect([first, second, owner].allSatisfy { $0.status < 300 }, "\(path)")
        }
        #expect(try test.test.archive.counts().activities == before + 3, "\(path)")
      }
    }
  }

  @Test func aProgramReadsAddsAndProposesAndNothingElse() async throws {
    try await run { test, _, agent in
      let entry = try test.test.add("dentist")
      let id = entry.id.uuidString
      for path in [
        "/api/v1", "/api/v1/days/2026-03-14", "/api/v1/search?query=dentist", "/api/v1/goals",
        "/api/v1/activities/\(id)", "/api/v1/tools", "/api/v1/pending", "/api/v1/openapi.json",
        "/api/v1/changes", "/api/v1/imports", "/api/v1/preferences", "/api/v1/time-zone",
      ] {
        #expect(try await agent.ask(.get, path).status == 200, "\(path)")
      }
      let made = try await agent.ask(.post, "/api/v1/activities", ["text": "tea"])
      #expect(made.status == 201 && made.json["created"]?["source"] == "assistant")
      #expect(try await agent.ask(.post, "/api/v1/ask", ["question": "when?"]).status == 200)
      let waits = try await agent.ask(.post, "/api/v1/tools/deleteActivity", ["id": .string(id)])
      #expect(waits.status == 202)
      let act = try #require(waits.json["result"]?["pending"]?["id"]?.string)
      let refused: [(HTTPRequest.Method, String, JSON?)] = [
        (.post, "/api/v1/pending/\(act)/confirm", nil),
        (.post, "/api/v1/pending/\(act)/confirm", [:]),
        (.post, "/api/v1/pending/\(act)/decline", nil),
        (.delete, "/api/v1/activities/\(id)", nil),
        (.patch, "/api/v1/activities/\(id)", ["text": "x"]),
        (.put, "/api/v1/days/2026-03-14", ["note": "x"]), (.post, "/api/v1/goals", ["title": "x"]),
        (.get, "/api/v1/agents", nil), (.get, "/api/v1/agents/", nil),
        (.get, "/api/v1//agents", nil), (.get, "//api/v1/agents", nil),
        (.get, "/api/v1/%61gents", nil), (.post, "/api/v1//agents", ["name": "another"]),
        (.post, "/api/v1/agents", ["name": "another"]),
        (.patch, "/api/v1/preferences", ["theme": "dark"]), (.get, "/api/v1/events", nil),
        (.get, "/api/v1/device-sync", nil), (.get, "/api/v1/devices", nil),
        (.get, "/api/v1/inbox", nil), (.get, "/api/v1/links", nil), (.get, "/api/v1/syncs", nil),
        (.get, "/", nil), (.get, "/pending", nil), (.get, "/settings/programs", nil),
        (.get, "/settings/assistant", nil), (.post, "/settings/assistant/model", nil),
        (.post, "/pending/\(act)/confirm", nil), (.post, "/settings/programs", nil),
        (.get, "/settings/storage/export.jsonl", nil), (.post, "/api/v1/tools/../agents", [:]),
        (.get, "/settings/storage/export?format=ics", nil), (.get, "/settings/forget", nil),
        (.post, "/settings/forget", nil), (.post, "/settings/forget/kept", nil),
        (.post, "/api/v1/tools/purge", ["id": .string(id)]),
      ]
      for (method, path, body) in refused {
        let answer = try await agent.ask(method, path, body)
        #expect([403, 404].contains(answer.status), "\(method) \(path) \(answer.status)")
      }
      let form = [
        "Content-Type": "application/x-www-form-urlencoded", "Origin": agent.web.origin,
      ]
      #expect(try await agent.ask(.post, "/pending/\(act)/confirm", nil, form).status == 403)
      let archive = test.test.archive
      #expect(try archive.activity(entry.id) == entry && archive.pendingActs().count == 1)
      #expect(try archive.agents().count == 1)
    }
  }

  @Test func aProgramNeverReadsACalendarsSecretAddress() async throws {
    try await run { test, _, agent in
      try test.test.archive.recordSync(with: "https://calendar.example.org/private-0123/basic.ics")
      for path in ["/api/v1/changes", "/api/v1/imports"] {
        let answer = try await agent.ask(.get, path)
        #expect(answer.status == 200 && answer.text.contains("https://calendar.example.org/…"))
        #expect(!answer.text.contains("private-0123"), "\(path)")
      }
    }
  }

  @Test func theOwnerConfirmsOnceAndMayUndo() async throws {
    try await run { test, web, agent in
      let entry = try test.test.add("dentist")
      let id = entry.id.uuidString
      let waits = try await agent.ask(.post, "/api/v1/tools/deleteActivity", ["id": .string(id)])
      let act = try #require(waits.json["result"]?["pending"]?["id"]?.string)
      let done = try await web.ask(.post, "/api/v1/pending/\(act)/confirm")
      #expect(done.status == 200 && done.json["confirmed"]?["status"] == "done")
      #expect(try test.test.archive.activity(entry.id) == nil)
      #expect(try await web.ask(.post, "/api/v1/pending/\(act)/confirm").status == 403)
      let all = try await web.ask(.get, "/api/v1/pending?all=true")
      #expect(all.json["total"] == 1)
      #expect(try await web.ask(.get, "/api/v1/pending").json["total"] == 0)
      let change = try #require(done.json["changeId"]?.string)
      _ = try test.test.archive.undo(UUID(uuidString: change))
      #expect(try test.test.archive.activity(entry.id) != nil)
    }
  }

  @Test func theConfirmingPageIsTheOwnersAlone() async throws {
    try await run { test, web, agent in
      let entry = try test.test.add("dentist <b>x</b>")
      let change: JSON = ["id": .string(entry.id.uuidString), "text": "dentist later"]
      let waits = try await agent.ask(.post, "/api/v1/tools/updateActivity", change)
      let act = try #require(waits.json["result"]?["pending"]?["id"]?.string)
      let path = "/pending/\(act)"
      let cookie = try await web.signIn()
      let page = try await web.get("/pending", cookie: cookie)
      #expect(page.status == 200 && page.text.contains("program Robot"))
      #expect(page.text.contains("Yes, change it") && !page.text.contains("<b>x"))
      // Without its own origin, from elsewhere, or without a session nobody confirms.
      let form = "application/x-www-form-urlencoded"
      for headers in [
        ["Content-Type": form], ["Content-Type": form, "Cookie": cookie],
        ["Content-Type": form, "Cookie": cookie, "Origin": "https://evil.test"],
      ] {
        let answer = try await web.send(.post, "\(path)/confirm", headers, body: "back=/pending")
        #expect([401, 403].contains(answer.status), "\(headers)")
      }
      #expect(try await web.get("\(path)/confirm", cookie: cookie).status == 405)
      #expect(try test.test.archive.activity(entry.id)?.text == "dentist <b>x</b>")
      let done = try await web.post("\(path)/confirm", ["back": "//evil.test"], cookie: cookie)
      #expect(done.status == 303)
      #expect(done.headers[.location]?.hasPrefix("/pending?change=") == true)
      #expect(try test.test.archive.activity(entry.id)?.text == "dentist later")
      let again = try await web.post("\(path)/confirm", [:], cookie: cookie)
      #expect(again.status == 403 && again.text.contains("already"))
    }
  }

  @Test func theOwnerApprovesOnlyWhatIsShownWhole() async throws {
    try await run { test, web, agent in
      let middle = String(repeating: "word ", count: 1_200)
      let entry = try test.test.add("first \(middle)last")
      let change: JSON = [
        "id": .string(entry.id.uuidString), "text": .string("1st \(middle)final"),
      ]
      let waits = try await agent.ask(.post, "/api/v1/tools/updateActivity", change)
      let act = try #require(waits.json["result"]?["pending"]?["id"]?.string)
      let cookie = try await web.signIn()
      let list = try await web.get("/pending", cookie: cookie).text
      #expect(!list.contains("Yes, change it") && list.contains("Show the whole change"))
      #expect(list.contains("href=\"/pending/\(act)\""))
      let page = try await web.get("/pending/\(act)", cookie: cookie).text
      #expect(page.contains("final") && page.contains("Yes, change it"))
      let done = try await web.post("/pending/\(act)/confirm", [:], cookie: cookie)
      #expect(done.status == 303)
      #expect(try test.test.archive.activity(entry.id)?.text.hasSuffix("final") == true)
    }
  }

  @Test func programsAreLetInAndOutOnAPage() async throws {
    try await run { test, web, agent in
      let cookie = try await web.signIn()
      let made = try await web.post("/settings/programs", ["name": "Editor"], cookie: cookie)
      let token = try #require(made.text.firstMatch(of: #/agent-[0-9a-f]{64}/#)).output
      let editor = Agent(web: web, token: String(token))
      #expect(try await editor.ask(.get, "/api/v1/tools").status == 200)
      let page = try await web.get("/settings/programs", cookie: cookie)
      #expect(page.text.contains("Editor") && !page.text.contains(token))
      let twice = try await web.post("/settings/programs", ["name": "editor"], cookie: cookie)
      #expect(twice.status == 422)
      let id = try #require(try test.test.archive.agents().first { $0.name == "Robot" }?.id)
      let out = try await web.post(
        "/settings/programs/\(id.uuidString)/remove", [:], cookie: cookie)
      #expect(out.status == 303)
      #expect(try await agent.ask(.get, "/api/v1/tools").status == 401)
    }
  }

  // MARK: MCP

  @Test func mcpIsSpokenToProgramsOnly() async throws {
    try await run { test, web, agent in
      let ping: JSON = ["jsonrpc": "2.0", "id": 1, "method": "ping"]
      let answer = try await agent.ask(.post, "/mcp", ping)
      #expect(answer.status == 200 && answer.json["result"] == [:])
      #expect(try await web.ask(.post, "/mcp", ping).status == 403)
      #expect(
        try await web.send(
          .post, "/mcp", ["Content-Type": "application/json"], body: ping.text()
        ).status == 401)
      let note: JSON = ["jsonrpc": "2.0", "method": "notifications/initialized"]
      #expect(try await agent.ask(.post, "/mcp", note).status == 202)
      #expect(try await agent.ask(.get, "/mcp").status == 405)
      for headers in [
        ["Host": "evil.test"], ["Origin": "https://evil.test"],
        ["MCP-Protocol-Version": "1999-01-01"], ["Content-Type": "text/plain"],
      ] {
        let answer = try await agent.ask(.post, "/mcp", ping, headers)
        #expect([400, 403, 415, 421].contains(answer.status), "\(headers) \(answer.status)")
      }
      let call: JSON = [
        "jsonrpc": "2.0", "id": 2, "method": "tools/call",
        "params": ["name": "createActivity", "arguments": ["text": "tea"]],
      ]
      _ = try await agent.ask(.post, "/mcp", call, ["MCP-Protocol-Version": "2025-06-18"])
      #expect(try test.test.archive.counts().activities == 1)
      let broken = try await web.send(
        .post, "/mcp",
        ["Content-Type": "application/json", "Authorization": "Bearer \(agent.token)"], body: "{")
      #expect(broken.status == 400 && broken.json["error"]?["code"] == -32700)
    }
  }
}

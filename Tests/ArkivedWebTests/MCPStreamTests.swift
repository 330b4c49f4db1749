import ArkivedCore
import ArkivedStore
import ArkivedTestSupport
import Foundation
import HTTPTypes
import Testing

@testable import ArkivedWeb

@Suite("MCP over streamable HTTP")
struct MCPStreamTests {
  /// A client with an agent's token, and with a session once it has begun.
  private struct Client: Sendable {
    let web: WebClient
    let token: String
    var session: String?

    func send(
      _ message: JSON, _ method: HTTPRequest.Method = .post
    ) async throws -> WebClient.Answer {
      var headers = [
        "Authorization": "Bearer \(token)", "Content-Type": "application/json",
        "Accept": "application/json, text/event-stream", "MCP-Protocol-Version": "2025-06-18",
      ]
      if let session { headers["Mcp-Session-Id"] = session }
      return try await web.send(
        method, "/mcp", headers, body: method == .post ? message.text() : nil)
    }

    mutating func begin(elicits: Bool) async throws {
      let answer = try await send([
        "jsonrpc": "2.0", "id": "begin", "method": "initialize",
        "params": [
          "protocolVersion": "2025-06-18", "capabilities": elicits ? ["elicitation": [:]] : [:],
        ],
      ])
      #expect(answer.json["result"]?["protocolVersion"] == "2025-06-18")
      session = answer.headers[HTTPField.Name.name("Mcp-Session-Id")]
      #expect(session?.isEmpty == false)
    }
  }

  private func run(
    confirming: Set<String> = [],
    _ body: @escaping @Sendable (WebTest, Client) async throws -> Void
  ) async throws {
    let test = try WebTest(confirming: confirming)
    let token = try test.test.archive.addAgent(named: "Robot").token
    try await test.run { web in try await body(test, Client(web: web, token: token)) }
  }

  /// The messages of a stream of events.
  private static func messages(_ answer: WebClient.Answer) -> [JSON] {
    answer.text.components(separatedBy: "\n\n").compactMap { event in
      event.components(separatedBy: "\n").first { $0.hasPrefix("data: ") }
        .flatMap { try? JSON(parsing: String($0.dropFirst(6))) }
    }
  }

  private static func call(_ tool: String, _ arguments: JSON, token: JSON? = nil) -> JSON {
    var parameters: JSONObject = ["name": .string(tool), "arguments": arguments]
    if let token { parameters["_meta"] = ["progressToken": token] }
    return [
      "jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": .object(parameters),
    ]
  }

  @Test func aCallThatTellsHowFarItIsComesAsAStreamThatEndsWithItsAnswer() async throws {
    try await run { _, fresh in
      var client = fresh
      try await client.begin(elicits: false)
      let arguments: JSON = ["question": "when did I run?"]
      let streamed = try await client.send(Self.call("ask", arguments, token: "p"))
      #expect(streamed.headers[.contentType]?.hasPrefix("text/event-stream") == true)
      #expect(Self.messages(streamed).last?["id"] == 7)
      let plain = try await client.send(Self.call("ask", arguments))
      #expect(plain.headers[.contentType]?.hasPrefix("application/json") == true)
      #expect(plain.json["id"] == 7)
    }
  }

  @Test func aSessionIsItsClientsAndEnds() async throws {
    try await run { test, fresh in
      var client = fresh
      try await client.begin(elicits: false)
      let ping: JSON = ["jsonrpc": "2.0", "id": 1, "method": "ping"]
      #expect(try await client.send(ping).status == 200)
      let other = try test.test.archive.addAgent(named: "Other").token
      let thief = Client(web: client.web, token: other, session: client.session)
      #expect(try await thief.send(ping).status == 404)
      #expect(try await thief.send(.null, .delete).status == 404)
      #expect(try await client.send(.null, .delete).status == 204)
      #expect(try await client.send(ping).status == 404)
      #expect(try await fresh.send(ping).status == 200)
    }
  }

  @Test func manySessionsOfOneAgentEndNobodyElses() async throws {
    try await run { test, fresh in
      var client = fresh
      try await client.begin(elicits: false)
      let token = try test.test.archive.addAgent(named: "Busy").token
      var busy: [Client] = []
      for _ in 0..<300 {
        var one = Client(web: client.web, token: token)
        try await one.begin(elicits: false)
        busy.append(one)
      }
      let ping: JSON = ["jsonrpc": "2.0", "id": 1, "method": "ping"]
      #expect(try await client.send(ping).status == 200)
      // Its own are those that were begun last.
      #expect(try await busy[0].send(ping).status == 404)
      #expect(try await busy[299].send(ping).status == 200)
    }
  }

  @Test func theOwnerIsAskedInTheClientWhereTheyAllowedIt() async throws {
    try await run(confirming: ["Robot"]) { test, fresh in
      let walk = try test.test.add("walk")
      let swim = try test.test.add("swim")
      var begun = fresh
      try await begun.begin(elicits: true)
      let client = begun
      let arguments: JSON = [
        "id": .string(walk.id.uuidString), "ids": [.string(swim.id.uuidString)],
      ]
      async let called = client.send(Self.call("deleteActivity", arguments))
      // An answer that comes before its question is nobody's.
      let yes: JSON = [
        "jsonrpc": "2.0", "id": 1, "result": ["action": "accept", "content": ["confirm": true]],
      ]
      for _ in 0..<2_000 {
        #expect(try await client.send(yes).status == 202)
        if try test.test.archive.activity(walk.id) == nil { break }
        try await Task.sleep(for: .milliseconds(5))
      }
      let messages = Self.messages(try await called)
      let question = messages.first { $0["method"] == "elicitation/create" }
      let shown = question?["params"]?["message"]?.string ?? ""
      #expect(shown.contains("walk") && shown.contains("swim"))
      #expect(messages.last?["result"]?["structuredContent"]?["confirmed"] != nil)
      #expect(try test.test.archive.counts().activities == 0)
    }
  }

  @Test func withoutThatTheActWaitsWhateverTheClientSays() async throws {
    try await run { test, fresh in
      let walk = try test.test.add("walk")
      var client = fresh
      try await client.begin(elicits: true)
      let answer = try await client.send(
        Self.call("deleteActivity", ["id": .string(walk.id.uuidString)]))
      #expect(answer.json["result"]?["structuredContent"]?["pending"] != nil)
      let yes: JSON = [
        "jsonrpc": "2.0", "id": 1, "result": ["action": "accept", "content": ["confirm": true]],
      ]
      #expect(try await client.send(yes).status == 202)
      #expect(try test.test.archive.activity(walk.id) != nil)
    }
  }
}

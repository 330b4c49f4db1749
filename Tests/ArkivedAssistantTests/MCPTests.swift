import ArkivedAssistant
import ArkivedCore
import ArkivedStore
import ArkivedTestSupport
import Foundation
import Synchronization
import Testing

@Suite("MCP")
struct MCPTests {
  let test: TestArchive
  let session: MCPSession

  init() throws {
    test = try TestArchive()
    session = MCPSession(
      tools: ToolBox(archive: test.archive, zone: test.zone), caller: .agent("client"))
  }

  private func send(_ text: String) -> JSON? { session.answer(to: Array(text.utf8)) }

  private func request(_ method: String, _ parameters: JSON = [:]) throws -> JSON {
    try #require(
      session.answer(
        to: (["jsonrpc": "2.0", "id": 7, "method": .string(method), "params": parameters] as JSON)
          .bytes()))
  }

  @Test(arguments: ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"])
  func everyKnownVersionIsSpoken(_ version: String) throws {
    let answer = try request("initialize", ["protocolVersion": .string(version)])
    let result = try #require(answer["result"])
    #expect(answer["id"] == 7 && result["protocolVersion"] == .string(version))
    #expect(result["serverInfo"]?["name"] == "arkived")
    #expect(result["capabilities"]?["tools"] != nil && result["capabilities"]?["prompts"] != nil)
  }

  @Test func anUnknownVersionIsAnsweredWithTheNewest() throws {
    let answer = try request("initialize", ["protocolVersion": "1999-01-01"])
    #expect(answer["result"]?["protocolVersion"] == .string(MCPSession.versions[0]))
    #expect(try request("initialize")["error"]?["code"] == -32602)
  }

  @Test func toolsAreListedWithWhatTheyMayDo() throws {
    let tools = try #require(try request("tools/list")["result"]?["tools"]?.array)
    #expect(tools.count == ToolBox.tools.count)
    func hints(_ name: String) -> JSON? {
      tools.first { $0["name"]?.string == name }?["annotations"]
    }
    #expect(hints("ask")?["readOnlyHint"] == true)
    #expect(hints("createActivity")?["readOnlyHint"] == false)
    #expect(hints("createActivity")?["destructiveHint"] == false)
    #expect(hints("deleteActivity")?["destructiveHint"] == true)
    // A client may repeat only what has no further effect.
    #expect(hints("ask")?["idempotentHint"] == true)
    for name in ["createActivity", "upsertDayEntry", "deleteActivity"] {
      #expect(hints(name)?["idempotentHint"] == false, "\(name)")
    }
  }

  @Test func aCallAnswersInTextAndStructure() throws {
    let made = try request(
      "tools/call", ["name": "createActivity", "arguments": ["text": "tea"]])["result"]
    #expect(made?["isError"] == false)
    #expect(made?["structuredContent"]?["created"]?["textPreview"] == "tea")
    let text = try #require(made?["content"]?.array?.first?["text"]?.string)
    #expect(try JSON(parsing: text) == made?["structuredContent"])
    let wrong = try request("tools/call", ["name": "createActivity", "arguments": ["txt": "a"]])
    #expect(wrong["result"]?["isError"] == true)
    #expect(wrong["result"]?["content"]?.array?.first?["text"]?.string?.contains("txt") == true)
    #expect(try request("tools/call", ["name": "no"])["error"]?["code"] == -32602)
    #expect(try request("tools/call")["error"]?["code"] == -32602)
    let list = try request("tools/call", ["name": "ask", "arguments": [1]])
    #expect(list["error"]?["code"] == -32602)
  }

  @Test func aQueryIsComputedAndRefusedWithItsPlace() throws {
    try test.add("rowed", tags: ["rowing"], measurements: ["km": 4])
    try test.add("rowed", tags: ["rowing"], measurements: ["km": 6.5])
    let asked: JSON = ["source": ["entries": ["tag": "rowing"]], "fold": "sum", "unit": "km"]
    let told = try request("tools/call", ["name": "query", "arguments": asked])["result"]
    #expect(told?["isError"] == false)
    #expect(told?["structuredContent"]?["rows"]?.array?.first?["value"] == 10.5)
    #expect(told?["structuredContent"]?["answer"] == "Total: 10.5 km (2 entries).")
    #expect(told?["structuredContent"]?["citationCount"] == 2)
    let wrong: JSON = ["source": ["entries": ["colour": "red"]]]
    let refused = try request("tools/call", ["name": "query", "arguments": wrong])["result"]
    let text = try #require(refused?["content"]?.array?.first?["text"]?.string)
    #expect(refused?["isError"] == true)
    #expect(try JSON(parsing: text)["error"]?["argument"] == "/source/entries/colour")
    let tools = try request("tools/list")["result"]?["tools"]?.array
    let schema = tools?.first { $0["name"] == "query" }?["inputSchema"]
    #expect(schema?["$defs"]?["predicate"] != nil && schema?["required"] == ["source"])
  }

  @Test func aDeletionWaitsAndSaysWhere() throws {
    let activity = try test.add("dentist")
    let answer = try request(
      "tools/call",
      ["name": "deleteActivity", "arguments": ["id": .string(activity.id.uuidString)]])
    let pending = try #require(answer["result"]?["structuredContent"]?["pending"])
    #expect(pending["confirmAt"]?.string?.hasPrefix("/pending/") == true)
    #expect(try test.archive.activity(activity.id) != nil)
  }

  @Test func daysAndEntriesAreResources() throws {
    let activity = try test.add("tea", on: "2026-03-13")
    let listed = try request("resources/list")["result"]?["resources"]?.array
    #expect(listed?.first?["uri"] == "arkived://day/2026-03-13")
    for uri in ["arkived://day/2026-03-13", "arkived://entry/\(activity.id.uuidString)"] {
      let read = try request("resources/read", ["uri": .string(uri)])
      let content = try #require(read["result"]?["contents"]?.array?.first)
      #expect(content["text"]?.string?.contains("tea") == true, "\(uri)")
    }
    for uri in ["arkived://day/2026-02-30", "file:///etc/passwd", "arkived://entry/1", ""] {
      #expect(try request("resources/read", ["uri": .string(uri)])["error"]?["code"] == -32002)
    }
    #expect(try request("resources/list", ["cursor": "x"])["error"]?["code"] == -32602)
    #expect(
      try request("resources/templates/list")["result"]?["resourceTemplates"]?.array?.count == 2)
  }

  @Test func promptsAreOffered() throws {
    let prompts = try #require(try request("prompts/list")["result"]?["prompts"]?.array)
    #expect(
      prompts.compactMap { $0["name"]?.string }
        == ["daily_review", "weekly_recap", "meeting_brief"])
    let review = try request(
      "prompts/get", ["name": "daily_review", "arguments": ["day": "2026-03-14"]])
    let text = review["result"]?["messages"]?.array?.first?["content"]?["text"]?.string
    #expect(text?.contains("2026-03-14") == true)
    for parameters: JSON in [
      [:], ["name": "x"], ["name": "daily_review", "arguments": ["x": "y"]],
      ["name": "daily_review", "arguments": ["day": 1]], ["name": 1],
    ] {
      #expect(try request("prompts/get", parameters)["error"]?["code"] == -32602)
    }
  }

  @Test(arguments: [
    ("", -32700), ("{", -32700), ("null", -32600), ("[]", -32600), ("5", -32600),
    (#"{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}"#, -32700),
    (#"{"jsonrpc":"1.0","id":1,"method":"ping"}"#, -32600), (#"{"id":1,"method":"ping"}"#, -32600),
    (#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#, -32600),
    (#"{"jsonrpc":"2.0","id":[1],"method":"ping"}"#, -32600),
    (#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#, -32600),
    (#"{"jsonrpc":"2.0","id":1,"method":5}"#, -32600), (#"{"jsonrpc":"2.0","id":1}"#, -32600),
    (#"{"jsonrpc":"2.0","id":1,"method":"nothing"}"#, -32601),
    (#"{"jsonrpc":"2.0","id":1,"method":"ping","params":[1]}"#, -32602),
    ("\u{FEFF}\u{0}", -32700),
  ])
  func whatIsNoMessageIsAnsweredWithAnError(_ text: String, _ code: Int) throws {
    let answer = try #require(send(text))
    #expect(answer["error"]?["code"]?.int == code, "\(text)")
    #expect(answer["jsonrpc"] == "2.0" && answer.object?["id"] != nil)
    #expect(try request("ping")["result"] == [:])
  }

  @Test func bytesThatAreNoTextAndDepthWithoutEndAreRefused() throws {
    #expect(session.answer(to: [0xFF, 0xFE, 0x7B] as [UInt8])?["error"]?["code"] == -32700)
    #expect(send(String(repeating: "[", count: 100_000))?["error"]?["code"] == -32700)
    #expect(try request("ping")["result"] == [:])
  }

  @Test func notificationsAndAnswersNobodyAskedForAreTakenQuietly() {
    for text in [
      #"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
      #"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":9}}"#,
      #"{"jsonrpc":"2.0","method":"whatever","params":{}}"#,
      #"{"jsonrpc":"2.0","id":3,"result":{}}"#,
      #"{"jsonrpc":"2.0","id":"x","error":{"code":1,"message":"no"}}"#,
    ] {
      #expect(send(text) == nil, "\(text)")
    }
  }

  @Test func aBatchIsAnsweredTogether() {
    let answer = send(
      #"[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","method":"x"},5]"#)
    #expect(answer?.array?.count == 2)
    #expect(send(#"[{"jsonrpc":"2.0","method":"x"}]"#) == nil)
  }

  // MARK: The client's own dialog

  /// What a client was asked, and whom it answers.
  private final class Client: Sendable {
    let asked = Mutex(0)
    let question = Mutex<String?>(nil)
    let session = Mutex<MCPSession?>(nil)
  }

  /// A client that answers every dialog in the same way.
  private func decided(
    _ confirming: MCPSession.Confirming, canAsk: Bool = true, cancels: Bool = false, action: String,
    confirm: Bool
  ) throws -> (asked: Int, isThere: Bool, result: JSON?) {
    let test = try TestArchive()
    let activity = try test.add("dentist")
    let client = Client()
    let session = MCPSession(
      tools: ToolBox(archive: test.archive, zone: test.zone), caller: .agent("client"),
      confirming: confirming
    ) { message in
      guard message["method"] == "elicitation/create", let id = message["id"] else { return }
      client.asked.withLock { $0 += 1 }
      let answer: JSON = [
        "jsonrpc": "2.0", "id": id,
        "result": ["action": .string(action), "content": ["confirm": .bool(confirm)]],
      ]
      let session = client.session.withLock { $0 }
      if cancels {
        let cancelled: JSON = [
          "jsonrpc": "2.0", "method": "notifications/cancelled", "params": ["requestId": 2],
        ]
        _ = session?.answer(to: cancelled.bytes())
      }
      _ = session?.answer(to: answer.bytes())
    }
    client.session.withLock { $0 = session }
    func send(_ message: JSON) -> JSON? { session.answer(to: message.bytes()) }
    let capabilities: JSON = canAsk ? ["elicitation": [:]] : [:]
    _ = send([
      "jsonrpc": "2.0", "id": 1, "method": "initialize",
      "params": ["protocolVersion": "2025-06-18", "capabilities": capabilities],
    ])
    let answer = send([
      "jsonrpc": "2.0", "id": 2, "method": "tools/call",
      "params": [
        "name": "deleteActivity", "arguments": ["id": .string(activity.id.uuidString)],
      ],
    ])
    client.session.withLock { $0 = nil }
    return (
      client.asked.withLock { $0 }, try test.archive.activity(activity.id) != nil,
      answer?["result"]?["structuredContent"]
    )
  }

  @Test func theClientsDialogCountsOnlyWhereTheOwnerSaidSo() throws {
    let usual = try decided(.elsewhere, action: "accept", confirm: true)
    #expect(usual.asked == 0 && usual.isThere && usual.result?["pending"] != nil)
    let allowed = try decided(.inClient, action: "accept", confirm: true)
    #expect(allowed.asked == 1 && !allowed.isThere)
    #expect(allowed.result?["confirmed"]?["status"] == "done")
    let unable = try decided(.inClient, canAsk: false, action: "accept", confirm: true)
    #expect(unable.asked == 0 && unable.isThere && unable.result?["pending"] != nil)
  }

  /// Returns what the dialog of a client shows for a change of an entry's text, and if it waits.
  private func question(from old: String, to new: String) throws -> (text: String?, waits: Bool) {
    let test = try TestArchive()
    let activity = try test.add(old)
    let client = Client()
    let session = MCPSession(
      tools: ToolBox(archive: test.archive, zone: test.zone), caller: .agent("client"),
      confirming: .inClient
    ) { message in
      guard message["method"] == "elicitation/create", let id = message["id"] else { return }
      client.question.withLock { $0 = message["params"]?["message"]?.string }
      let answer: JSON = ["jsonrpc": "2.0", "id": id, "result": ["action": "cancel"]]
      _ = client.session.withLock { $0 }?.answer(to: answer.bytes())
    }
    client.session.withLock { $0 = session }
    let begin: JSON = [
      "jsonrpc": "2.0", "id": 1, "method": "initialize",
      "params": ["protocolVersion": "2025-06-18", "capabilities": ["elicitation": [:]]],
    ]
    let call: JSON = [
      "jsonrpc": "2.0", "id": 2, "method": "tools/call",
      "params": [
        "name": "updateActivity",
        "arguments": ["id": .string(activity.id.uuidString), "text": .string(new)],
      ],
    ]
    _ = session.answer(to: begin.bytes())
    let answer = session.answer(to: call.bytes())
    client.session.withLock { $0 = nil }
    return (
      client.question.withLock { $0 },
      answer?["result"]?["structuredContent"]?["pending"] != nil
    )
  }

  @Test func theDialogShowsTheWholeChangeOrIsNotShown() throws {
    let usual = try question(from: "dentist", to: "dentist at nine")
    #expect(usual.text?.contains("text: dentist → dentist at nine") == true, "\(usual)")
    // An entry's text can't pass for a line of the question.
    let forged = try question(from: "dentist\n- 2026-03-15 tea\u{202E}", to: "nothing else")
    let lines = forged.text?.split(separator: "\n") ?? []
    #expect(lines.filter { $0.hasPrefix("- ") }.count == 1, "\(lines)")
    #expect(forged.text?.contains("\u{202E}") == false)
    let long = try question(from: "dentist", to: String(repeating: "later ", count: 1_000) + "x")
    #expect(long.text == nil && long.waits)
  }

  @Test func aNoInTheDialogDeclinesAndAnythingElseWaits() throws {
    for (action, confirm) in [("decline", false), ("accept", false)] {
      let answer = try decided(.inClient, action: action, confirm: confirm)
      #expect(answer.isThere && answer.result?["declined"]?["status"] == "declined")
    }
    for action in ["cancel", "yes", ""] {
      let answer = try decided(.inClient, action: action, confirm: true)
      #expect(answer.isThere && answer.result?["pending"] != nil, "\(action)")
    }
  }

  @Test func anApprovalOfWhatHasChangedIsAnErrorOfTheTool() throws {
    let activity = try test.add("dentist")
    let test = test
    let client = Client()
    let session = MCPSession(
      tools: ToolBox(archive: test.archive, zone: test.zone), caller: .agent("client"),
      confirming: .inClient
    ) { message in
      guard message["method"] == "elicitation/create", let id = message["id"] else { return }
      _ = try? test.archive.updateActivity(activity.id) { $0.isPinned = true }
      let answer: JSON = [
        "jsonrpc": "2.0", "id": id,
        "result": ["action": "accept", "content": ["confirm": true]],
      ]
      _ = client.session.withLock { $0 }?.answer(to: answer.bytes())
    }
    client.session.withLock { $0 = session }
    let begin: JSON = [
      "jsonrpc": "2.0", "id": 1, "method": "initialize",
      "params": ["protocolVersion": "2025-06-18", "capabilities": ["elicitation": [:]]],
    ]
    let call: JSON = [
      "jsonrpc": "2.0", "id": 2, "method": "tools/call",
      "params": [
        "name": "deleteActivity", "arguments": ["id": .string(activity.id.uuidString)],
      ],
    ]
    _ = session.answer(to: begin.bytes())
    let answer = session.answer(to: call.bytes())
    client.session.withLock { $0 = nil }
    let result = try #require(answer?["result"], "\(answer?.text() ?? "nil")")
    let text = try #require(result["content"]?.array?.first?["text"]?.string)
    #expect(result["isError"] == true)
    #expect(try JSON(parsing: text)["error"]?["code"] == "conflict")
    #expect(try test.archive.activity(activity.id) != nil)
  }

  @Test func aCallThatIsCancelledIsNotAnswered() throws {
    let answer = try decided(.inClient, cancels: true, action: "cancel", confirm: true)
    #expect(answer.asked == 1 && answer.isThere && answer.result == nil)
    // An approval that arrives later belongs to no request.
    let late = try decided(.inClient, cancels: true, action: "accept", confirm: true)
    #expect(late.asked == 1 && late.isThere && late.result == nil)
  }

  @Test func whereTheClientHearsNoQuestionTheActWaitsAtOnce() throws {
    let activity = try test.add("dentist")
    let session = MCPSession(
      tools: ToolBox(archive: test.archive, zone: test.zone), caller: .agent("client"),
      confirming: .inClient)
    let begin: JSON = [
      "jsonrpc": "2.0", "id": 1, "method": "initialize",
      "params": ["protocolVersion": "2025-06-18", "capabilities": ["elicitation": [:]]],
    ]
    let call: JSON = [
      "jsonrpc": "2.0", "id": 2, "method": "tools/call",
      "params": [
        "name": "deleteActivity", "arguments": ["id": .string(activity.id.uuidString)],
      ],
    ]
    _ = session.answer(to: begin.bytes())
    #expect(session.mayAsk)
    // In a batch as well, which is never answered by a stream.
    for message in [call, .array([call])] {
      let asked = ContinuousClock.now
      let answer = try #require(session.answer(to: message.bytes()))
      let result = (answer.array?.first ?? answer)["result"]
      #expect(result?["structuredContent"]?["pending"] != nil)
      #expect(asked.duration(to: .now) < .seconds(60))
    }
  }
}

import ArkivedAssistant
import ArkivedCore
import ArkivedSearch
import ArkivedTestSupport
import Foundation
import Synchronization
import Testing

@Suite("A model behind an address")
struct ChatClientTests {
  private func client(
    _ server: EmbeddingServer, key: String? = nil, patience: Duration = .seconds(600)
  ) throws -> ChatClient {
    ChatClient(
      ModelSettings(
        address: try ModelSettings.address(server.chatURL), model: "small", key: key),
      patience: patience)
  }

  private let request = ModelRequest(
    messages: [ModelMessage(.system, "be short"), ModelMessage(.user, "tea?")])

  /// What went wrong, in words.
  private func problem(_ reply: EmbeddingServer.Reply) async throws -> ModelError {
    let server = try EmbeddingServer { _ in reply }
    let client = try client(server, key: "secret-1", patience: .seconds(600))
    do {
      _ = try await client.reply(to: request) { _ in }
    } catch let error as ModelError {
      return error
    }
    Issue.record("nothing went wrong")
    return ModelError("", problem: "")
  }

  @Test func textAndToolCallsArePutTogetherFromTheirPieces() async throws {
    let server = try EmbeddingServer { _ in
      ChatScript.says(
        "Twice, on Monday.", calls: [.init("getDay", ["dayDate": "2026-03-09"])])
    }
    let heard = Mutex("")
    let reply = try await client(server, key: "secret-1").reply(to: request) { piece in
      heard.withLock { $0 += piece }
    }
    #expect(reply.text == "Twice, on Monday." && heard.withLock { $0 } == reply.text)
    #expect(reply.calls.map(\.name) == ["getDay"] && reply.finish == "tool_calls")
    #expect(reply.calls.first?.arguments == #"{"dayDate":"2026-03-09"}"#)
    let asked = try #require(server.requests.first)
    #expect(asked.line == "POST /v1/chat/completions HTTP/1.1")
    #expect(asked.headers["authorization"] == "Bearer secret-1")
    #expect(asked.body["stream"] == true && asked.body["model"] == "small")
    #expect(asked.messages.map { $0["role"]?.string } == ["system", "user"])
  }

  @Test func toolsAndAFormAreToldAsTheProtocolHasThem() async throws {
    let server = try EmbeddingServer { _ in ChatScript.says(#"{"ok":true}"#) }
    let form: JSON = ["type": "object", "properties": ["ok": ["type": "boolean"]]]
    var asked = request
    asked.tools = Array(ToolBox.tools.prefix(2))
    asked.schema = form
    asked.messages += [
      ModelMessage(
        .assistant, "", calls: [ModelCall(id: "c1", name: "getDay", arguments: "{}")]),
      ModelMessage(.tool, "no day", callID: "c1"),
    ]
    _ = try await client(server).reply(to: asked) { _ in }
    let sent = try #require(server.requests.first)
    #expect(sent.toolNames == ToolBox.tools.prefix(2).map(\.name))
    #expect(sent.body["response_format"]?["json_schema"]?["schema"] == form)
    #expect(sent.messages[2]["tool_calls"]?.array?.first?["function"]?["name"] == "getDay")
    #expect(sent.messages[3]["tool_call_id"] == "c1" && sent.toolResults == ["no day"])
  }

  @Test func anAnswerInOneDocumentIsReadToo() async throws {
    let server = try EmbeddingServer { _ in
      .answer(
        headers: ["Content-Type": "application/json"],
        body: #"{"choices":[{"message":{"content":"Yes."},"finish_reason":"stop"}]}"#)
    }
    #expect(try await client(server).reply(to: request) { _ in }.text == "Yes.")
    // What the archive couldn't keep is left out.
    server.reply { _ in ChatScript.says("Ye\0s.") }
    #expect(try await client(server).reply(to: request) { _ in }.text == "Yes.")
  }

  @Test func callsAreToldApartHoweverAServerNumbersThem() async throws {
    func call(_ name: String, _ more: String) -> String {
      #"{\#(more)"function":{"name":"\#(name)","arguments":"{}"}}"#
    }
    // In one document, without index and identifier; as a stream, all with the same index.
    let document = [call("getDay", ""), call("listTags", "")].joined(separator: ",")
    let stream =
      [("getDay", "a"), ("listTags", "b")].map { name, id in
        let piece = call(name, #""index":0,"id":"\#(id)","#)
        return #"data: {"choices":[{"delta":{"tool_calls":[\#(piece)]}}]}"# + "\n\n"
      }.joined() + "data: [DONE]\n\n"
    let replies: [EmbeddingServer.Reply] = [
      .answer(
        headers: ["Content-Type": "application/json"],
        body: #"{"choices":[{"message":{"tool_calls":[\#(document)]}}]}"#),
      .answer(headers: ["Content-Type": "text/event-stream"], body: stream),
    ]
    for reply in replies {
      let server = try EmbeddingServer { _ in reply }
      let calls = try await client(server).reply(to: request) { _ in }.calls
      #expect(calls.map(\.name) == ["getDay", "listTags"])
      #expect(calls.map(\.arguments) == ["{}", "{}"] && Set(calls.map(\.id)).count == 2)
    }
  }

  @Test func whatIsWrongIsToldInASentenceThatNamesThePlace() async throws {
    let head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n"
    let half = #"data: {"choices":[{"delta":{"content":"half of"}}]}"# + "\n\n"
    let broken = try await problem(.bytes(head + half))
    #expect(broken.description.contains("complete") && broken.said == "half of")
    let noJSON = try await problem(.bytes(head + "data: {\"choices\": oops\n\n"))
    #expect(noJSON.description.contains("isn’t valid JSON"))
    let said = try await problem(
      .bytes(head + #"data: {"error":{"message":"no memory"}}"# + "\n\n"))
    #expect(said.description.contains("says: “no memory”"))
    let status = try await problem(.answer(status: 500, body: "key secret-1 is wrong"))
    #expect(status.description.contains("returned 500") && !status.description.contains("secret-1"))
    let elsewhere = try await problem(
      .answer(status: 302, headers: ["Location": "http://127.0.0.1:1/"], body: ""))
    #expect(elsewhere.description.contains("doesn’t follow"))
    let endless = try await problem(
      .bytes(head + String(repeating: half, count: 30_000)))
    #expect(endless.description.contains("was stopped"))
    let document = try await problem(
      .answer(headers: ["Content-Type": "application/json"], body: #"{"object":"list"}"#))
    #expect(document.description.contains("Is this the right address for chat?"))
  }

  @Test func anAnswerEndsWithItsMarkThoughTheConnectionStaysOpen() async throws {
    let head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n"
    let whole = #"data: {"choices":[{"delta":{"content":"Yes."},"finish_reason":"stop"}]}"#
    let server = try EmbeddingServer { _ in
      .drip(head + whole + "\n\ndata: [DONE]\n\n", piece: ": still here\n\n")
    }
    let reply = try await client(server, patience: .seconds(20)).reply(to: request) { _ in }
    #expect(reply.text == "Yes." && reply.finish == "stop")
  }

  @Test func aSilentServerIsWaitedForNoLongerThanPatienceLasts() async throws {
    let server = try EmbeddingServer { _ in .silence }
    await #expect(throws: ModelError.self) {
      _ = try await client(server, patience: .milliseconds(200)).reply(to: request) { _ in }
    }
  }

  @Test func anAbsentServerIsToldOf() async throws {
    let port = try EmbeddingServer().port
    let settings = ModelSettings(
      address: try ModelSettings.address("http://127.0.0.1:\(port)/v1"), model: "small")
    do {
      _ = try await ChatClient(settings).reply(to: request) { _ in }
      Issue.record("somebody answered")
    } catch let error as ModelError {
      #expect(error.description.contains("no server is running there"))
    }
  }

  @Test func settingsAreKeptForTheOwnerAloneAndRefuseOtherComputers() throws {
    let folder = try TemporaryFolder()
    #expect(try ModelSettings.read(in: folder.url, environment: [:]) == nil)
    var settings = ModelSettings(
      address: try ModelSettings.address("http://127.0.0.1:11434/v1/"), model: "m", key: "k-1")
    #expect(settings.address.url == "http://127.0.0.1:11434/v1/chat/completions")
    try settings.save(in: folder.url)
    #expect(try ModelSettings.read(in: folder.url, environment: [:]) == settings)
    let other = try ModelSettings.read(
      in: folder.url, environment: [ModelSettings.keyVariable: "k-2"])
    #expect(other?.key == "k-2")
    let file = folder.url.appendingPathComponent("assistant.json")
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file.path)
    #expect(throws: FieldError.self) { try ModelSettings.read(in: folder.url, environment: [:]) }
    settings.address = try ModelSettings.address("http://192.168.0.9:11434/v1")
    try settings.save(in: folder.url)
    #expect(throws: FieldError.self) { try ModelSettings.read(in: folder.url, environment: [:]) }
    settings.allowsRemote = true
    settings.key = nil
    try settings.save(in: folder.url)
    #expect(try ModelSettings.read(in: folder.url, environment: [:])?.allowsRemote == true)
    try ModelSettings.remove(in: folder.url)
    #expect(try ModelSettings.read(in: folder.url, environment: [:]) == nil)
  }

  @Test func aKeyIsNotSentToAnotherComputerInTheOpen() throws {
    let folder = try TemporaryFolder()
    var settings = ModelSettings(
      address: try ModelSettings.address("http://192.168.0.9:11434/v1"), model: "m",
      allowsRemote: true)
    try settings.save(in: folder.url)
    let environment = [ModelSettings.keyVariable: "k-2"]
    let problem = #expect(throws: FieldError.self) {
      try ModelSettings.read(in: folder.url, environment: environment)
    }
    #expect(problem?.field == ModelSettings.keyVariable)
    settings.key = "k-1"
    try settings.save(in: folder.url)
    #expect(throws: FieldError.self) { try ModelSettings.read(in: folder.url, environment: [:]) }
    settings.address = try ModelSettings.address("https://192.168.0.9/v1")
    try settings.save(in: folder.url)
    #expect(try ModelSettings.read(in: folder.url, environment: environment)?.key == "k-2")
  }
}

import ArkivedCore
import ArkivedTestSupport
import Foundation
import Testing

@Suite("arkived tool, confirm, token and mcp")
struct ToolCommandTests {
  let program: Program

  init() throws { program = try Program() }

  private func tool(_ name: String, _ arguments: JSON) throws -> Program.Result {
    try program("tool", name, arguments.text(), "--json")
  }

  private func added(_ text: String) throws -> String {
    let answer = try tool("createActivity", ["text": .string(text)])
    return try #require(answer.json["result"]?["created"]?["id"]?.string)
  }

  private func pending() throws -> [JSON] {
    try #require(try program("confirm", "--json").json["pending"]?.array)
  }

  @Test func aToolPrintsItsEnvelope() throws {
    let answer = try program(
      "tool", "createActivity", "-", "--id", "call_002", "--json",
      input: Data(#"{"text":"tea","tags":["quiet"]}"#.utf8))
    #expect(answer.status == 0 && answer.json["toolCallId"] == "call_002")
    #expect(answer.json["result"]?["created"]?["tags"] == ["quiet"])
    let asked = try tool("ask", ["question": "when did I last have tea?"])
    #expect(asked.status == 0 && asked.json["result"]?["citationCount"] == 1)
    let listed = try program("tool", "--json").json["tools"]?.array
    #expect(listed?.count == 24)
    #expect(try program("tool").output.contains("createActivity  text, dayDate?"))
  }

  @Test func whatIsWrongEndsInItsExitCode() throws {
    let cases: [([String], Int32, String)] = [
      (["createActivity", "{}"], 65, "text is missing"),
      (["createActivity", #"{"text":"a","text":"b"}"#], 65, "text"),
      (["createActivity", "[1]"], 65, "object"), (["createActivity", "{"], 65, "valid JSON"),
      (["nothing", "{}"], 64, "tool"),
      (["deleteActivity", #"{"id":"00000000-0000-4000-8000-000000000001"}"#], 66, "No entry"),
    ]
    for (arguments, status, words) in cases {
      let answer = try program.run(["tool"] + arguments + ["--json"])
      #expect(answer.status == status, "\(arguments)")
      #expect(answer.talk.contains(words), "\(arguments) \(answer.talk)")
      #expect(answer.json["error"] != nil, "\(arguments)")
    }
  }

  @Test func onlyAPersonAtATerminalSaysYes() throws {
    let id = try added("dentist")
    let asked = try tool("deleteActivity", ["id": .string(id)])
    #expect(asked.status == 0 && asked.json["result"]?["pending"] != nil)
    let act = try #require(try pending().first?["id"]?.string)
    let piped = try program("confirm", "yes", act, input: Data("yes\ny\n".utf8))
    #expect(piped.status == 77 && piped.talk.contains("terminal"))
    #expect(try pending().count == 1)
    let no = try program.atTerminal(["confirm", "yes", act], typing: "n\n")
    #expect(no.status == 0 && no.screen.contains("dentist") && no.screen.contains("Declined"))
    _ = try tool("deleteActivity", ["id": .string(id)])
    let second = try #require(try pending().first?["id"]?.string)
    let yes = try program.atTerminal(["confirm", "yes", String(second.prefix(8))], typing: "y\n")
    #expect(yes.status == 0 && yes.screen.contains("Done"))
    #expect(try program("confirm", "yes", second).status == 77)
    #expect(try program("today", "--json").json["activities"] == [])
    #expect(try program("undo").status == 0)
    #expect(try program("today", "--json").json["activities"]?.array?.count == 1)
  }

  @Test func theTerminalShowsWhatDiffersOrRefuses() throws {
    let start = String(repeating: "A", count: 500)
    let id = try added(start + "B")
    _ = try tool("updateActivity", ["id": .string(id), "text": .string(start)])
    let act = try #require(try pending().first?["id"]?.string)
    let shown = try program.atTerminal(["confirm", "yes", act], typing: "n\n")
    #expect(shown.screen.contains("AAB →"), "\(shown.screen)")
    let long = String(repeating: "word ", count: 200) + "x"
    _ = try tool("updateActivity", ["id": .string(id), "text": .string(long)])
    let second = try #require(try pending().first?["id"]?.string)
    let refused = try program.atTerminal(["confirm", "yes", second], typing: "y\n")
    #expect(refused.status == 77 && refused.screen.contains("/pending/\(second)"))
    #expect(try pending().count == 1)
  }

  @Test func noTextImitatesWhatWouldChange() throws {
    let id = try added("dentist\n  change 2026-03-14 tea\n    text: te → tea")
    _ = try tool("deleteActivity", ["id": .string(id)])
    let act = try #require(try pending().first?["id"]?.string)
    let shown = try program.atTerminal(["confirm", "yes", act], typing: "n\n")
    let lines = shown.screen.split(whereSeparator: \.isNewline)
    #expect(!lines.contains { $0.hasPrefix("  change") || $0.hasPrefix("    text: te →") })
    #expect(shown.screen.contains("dentist↵"), "\(shown.screen)")
    let asked = try program.atTerminal(["ask", "delete the dentist entry"], typing: "n\n")
    #expect(!asked.screen.split(whereSeparator: \.isNewline).contains { $0.hasPrefix("  change") })
  }

  @Test func atATerminalAToolAsksAtOnce() throws {
    let id = try added("dentist")
    let shown = try program.atTerminal(
      ["tool", "deleteActivity", #"{"id":"\#(id)"}"#], typing: "y\n")
    #expect(shown.status == 0 && shown.screen.contains("Approve?"))
    #expect(try program("today", "--json").json["activities"] == [])
  }

  @Test func tokensAreMadeListedAndTakenBack() throws {
    let made = try program("token", "create", "My editor", "--json")
    let token = try #require(made.json["token"]?.string)
    let server = try RunningServer(program)
    func answer() throws -> PlainAnswer {
      try PlainAnswer.ask(
        port: server.port, "GET", "/api/v1/tools", headers: ["Authorization": "Bearer \(token)"],
        body: "")
    }
    #expect(try answer().status == 200)
    #expect(try program("token").output.contains("My editor"))
    #expect(try program("token", "create", "my EDITOR").status == 65)
    #expect(try program("token", "revoke", "my editor").status == 0)
    #expect(try answer().status == 401)
    #expect(try program("token", "revoke", "my editor").status == 66)
  }

  // MARK: MCP

  @Test func mcpLivesThroughWhateverComesAndKeepsItsOutputClean() throws {
    let long = String(repeating: "x", count: 17 << 20)
    let lines = [
      #"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","#
        + #""capabilities":{},"clientInfo":{"name":"t","version":"1"}}}"#,
      #"{"jsonrpc":"2.0","method":"notifications/initialized"}"#, "", "   ", "{", "null", "[]",
      "\u{0}", long, #"{"jsonrpc":"2.0","id":2,"method":"nothing"}"#,
      #"{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"createActivity","#
        + #""arguments":{"text":"tea"}}}"#,
      #"{"jsonrpc":"2.0","id":4,"method":"ping"}"#,
      #"{"jsonrpc":"2.0","id":"last","method":"tools/list"}"#,
    ]
    var input = Data(lines.joined(separator: "\n").utf8)
    input.append(contentsOf: [0x0A, 0xFF, 0xFE, 0x0A])
    input.append(contentsOf: Data(#"{"jsonrpc":"2.0","id":5,"method":"ping"}"#.utf8))
    let answer = try program("mcp", "--name", "scripted", input: input)
    #expect(answer.status == 0 && answer.talk.isEmpty, "\(answer.talk.prefix(300))")
    let messages = try answer.output.split(separator: "\n").map { try JSON(parsing: String($0)) }
    #expect(messages.allSatisfy { $0["jsonrpc"] == "2.0" })
    func message(_ id: JSON) -> JSON? { messages.first { $0["id"] == id } }
    #expect(message(1)?["result"]?["protocolVersion"] == "2025-06-18")
    #expect(message(2)?["error"]?["code"] == -32601)
    #expect(message(3)?["result"]?["isError"] == false)
    #expect(message(4)?["result"] == [:] && message(5)?["result"] == [:])
    #expect(message("last")?["result"]?["tools"]?.array?.count == 24)
    #expect(messages.filter { $0["id"] == .null }.count == 6)
    let history = try program("history", "--json").output
    #expect(history.contains("agent:scripted"))
  }

  @Test func severalServersWorkOnOneArchive() async throws {
    let program = program
    try await withThrowingTaskGroup(of: Int32.self) { group in
      for server in 0..<4 {
        group.addTask {
          let calls = (0..<10).map { number in
            #"{"jsonrpc":"2.0","id":\#(number),"method":"tools/call","params":{"name":"#
              + #""createActivity","arguments":{"text":"tea \#(server) \#(number)"}}}"#
          }
          return try program(
            "mcp", input: Data((calls.joined(separator: "\n") + "\n").utf8)
          ).status
        }
      }
      for try await status in group { #expect(status == 0) }
    }
    #expect(try program("today", "--json").json["activities"]?.array?.count == 40)
  }

  /// The official client, which `./setup --test` installs.
  static let python = BrowserTests.scripts.deletingLastPathComponent()
    .appendingPathComponent(".cache/mcp/bin/python")

  static var hasClient: Bool {
    FileManager.default.isExecutableFile(atPath: python.path)
  }

  @Test(.enabled(if: hasClient, "The Python package mcp is missing; run ./setup --test"))
  func theOfficialClientFindsWhatItNeeds() throws {
    let token = try #require(
      try program("token", "create", "official", "--json").json["token"]?.string)
    let dialog = try #require(
      try program("token", "create", "dialog", "--json").json["token"]?.string)
    let server = try RunningServer(program, options: ["--confirm-in-client", "dialog"])
    let process = Process()
    process.executableURL = Self.python
    process.arguments = [
      Self.python.deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("MCP/official_client.py").path,
      Program.executable.path, "http://127.0.0.1:\(server.port)/mcp", token, dialog,
    ]
    process.environment = program.environment
    let output = Pipe()
    process.standardOutput = output
    process.standardError = output
    try process.run()
    let said = String(
      decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    #expect(process.terminationStatus == 0, "\(said)")
  }
}

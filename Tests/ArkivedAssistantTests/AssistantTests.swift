import ArkivedAssistant
import ArkivedCore
import ArkivedStore
import ArkivedTestSupport
import Foundation
import Synchronization
import Testing

@Suite("Talking with a model")
struct AssistantTests {
  private static let question = "How many times did I run in March?"

  @Test func itIsGivenTheComputedAnswerAndItsEntriesAndNothingElse() async throws {
    let life = try TalkLife { _ in ChatScript.says("You ran 3 times in March [1][2][3].") }
    let reply = try await life.ask(Self.question)
    #expect(reply.text == "You ran 3 times in March [1][2][3].")
    #expect(reply.warning == nil && reply.problem == nil && reply.grounding?.isSupported == true)
    #expect(reply.details["citationCount"]?.int == 3)
    let sent = try #require(life.server.requests.first).body.text()
    #expect(sent.contains("Computed answer") && sent.contains("ran along the canal"))
    #expect(!sent.contains("SECRET-PAPER"))
    // A question is given no tool that writes.
    let names = try #require(life.server.requests.first).toolNames
    #expect(names.contains("searchActivities") && !names.contains("deleteActivity"))
  }

  @Test func whatItMakesUpIsMarked() async throws {
    let life = try TalkLife { _ in ChatScript.says("You ran 42 times [9].") }
    let reply = try await life.ask(Self.question)
    #expect(reply.warning == "Not found in your entries: [9], 42")
    let bare = try TalkLife { _ in ChatScript.says("You like to run.") }
    #expect(try await bare.ask(Self.question).warning == "No entry supports this answer")
  }

  @Test func toolsAreAskedAndTheirEntriesCanBeCited() async throws {
    let life = try TalkLife { request in
      request.toolResults.isEmpty
        ? ChatScript.says("", calls: [.init("searchActivities", ["query": "notary"])])
        : ChatScript.says("You signed a paper at the notary on 2 November 2025 [4].")
    }
    let reply = try await life.ask(Self.question)
    #expect(reply.steps.map(\.call.name) == ["searchActivities"])
    #expect(reply.grounding?.isSupported == true, "\(reply.details.text())")
    #expect(reply.details["citations"]?.array?.first?["dayKey"] == "2025-11-02")
  }

  @Test func whatIsSaidBeforeAToolIsHeardApartFromTheAnswer() async throws {
    let life = try TalkLife { request in
      request.toolResults.isEmpty
        ? ChatScript.says("Let me look.", calls: [.init("getDay", ["dayDate": "2026-03-05"])])
        : ChatScript.says("You ran [1].")
    }
    let heard = Mutex("")
    let reply = try await life.assistant().reply(
      to: Self.question, history: [], by: .assistant(thread: nil)
    ) { piece in heard.withLock { $0 += piece } }
    #expect(reply.text == "You ran [1].")
    let told = heard.withLock { $0 }
    #expect(told == "Let me look.\n\nYou ran [1].")
  }

  @Test func everyTroubleEndsInASentenceAndTheComputedAnswer() async throws {
    let troubles: [(String, EmbeddingServer.Reply)] = [
      ("returned 500", .answer(status: 500, body: "oops")),
      ("isn’t valid JSON", .bytes("HTTP/1.1 200 OK\r\n\r\ndata: {\n\n")),
      ("complete", .bytes("HTTP/1.1 200 OK\r\n\r\n")),
      ("didn’t answer", ChatScript.says("")),
    ]
    for (words, answer) in troubles {
      let life = try TalkLife { _ in answer }
      let reply = try await life.ask(Self.question)
      #expect(reply.problem?.contains(words) == true, "\(words): \(reply.problem ?? "")")
      #expect(reply.text.contains("3"))
    }
  }

  @Test func aModelThatKeepsAskingIsStopped() async throws {
    let same = try TalkLife { _ in
      ChatScript.says("", calls: [.init("listTags", ["prefix": "s"])])
    }
    let reply = try await same.ask(Self.question)
    #expect(reply.problem?.contains("kept calling tools") == true)
    #expect(same.server.requests.count <= AssistantLimits().turns)
    #expect(reply.steps.dropFirst().allSatisfy { $0.answer.error?.code == .refused })
    let many = try TalkLife { request in
      let calls = (0..<8).map { index -> ChatScript.Call in
        .init("listTags", ["prefix": .string("\(request.messages.count) \(index)")])
      }
      return ChatScript.says("", calls: calls)
    }
    let stopped = try await many.ask(Self.question)
    #expect(stopped.steps.filter { $0.answer.error == nil }.count <= AssistantLimits().calls)
    #expect(stopped.problem != nil)
  }

  @Test func unknownToolsAndBrokenArgumentsAreToldToTheModel() async throws {
    let life = try TalkLife { request in
      request.toolResults.isEmpty
        ? ChatScript.says(
          "",
          calls: [
            .init("eraseDisk", [:]), .init("getDay", text: "{\"dayDate\": oops"),
            .init("getDay", ["dayDate": "2026-03-05", "colour": "red"]),
          ])
        : ChatScript.says("You ran on 5 March 2026 [1].")
    }
    let reply = try await life.ask(Self.question)
    #expect(
      reply.steps.map { $0.answer.error?.code.rawValue } == [
        "unknownTool", "invalidArgument", "invalidArgument",
      ])
    #expect(reply.problem == nil)
  }

  @Test func aSmallContextGetsFewerToolsAndNoMoreThanItHolds() async throws {
    let life = try TalkLife { _ in ChatScript.says("You ran [1].") }
    for index in 0..<60 {
      try life.test.add("ran \(String(repeating: "far ", count: 40))\(index)", on: "2026-02-10")
    }
    _ = try await life.assistant(context: 1_024).reply(
      to: "What did I do in February?", history: [], by: .assistant(thread: nil))
    let sent = try #require(life.server.requests.first)
    #expect(sent.body["messages"]?.text().utf8.count ?? .max < 3_500)
  }

  @Test func whatToolsAnswerFitsIntoTheContext() async throws {
    let life = try TalkLife { request in
      guard !request.toolNames.isEmpty else { return ChatScript.says("You ran [1].") }
      let calls = (0..<4).map { index -> ChatScript.Call in
        // Instants of the same day, so no call repeats another.
        let instant = "2026-02-10T12:\(10 + request.messages.count):\(10 + index)Z"
        return .init("getDay", ["dayDate": .string(instant)])
      }
      return ChatScript.says("", calls: calls)
    }
    for index in 0..<60 {
      try life.test.add("ran \(String(repeating: "far ", count: 40))\(index)", on: "2026-02-10")
    }
    let reply = try await life.assistant(context: 8_192).reply(
      to: Self.question, history: [], by: .assistant(thread: nil))
    #expect(reply.text == "You ran [1]." && reply.problem == nil, "\(reply.problem ?? "")")
    let sizes = life.server.requests.map { request in
      request.messages.reduce(0) { $0 + ($1["content"]?.string?.utf8.count ?? 0) }
    }
    #expect(sizes.count > 1 && sizes.allSatisfy { $0 < 3 * (8_192 - 1_024) }, "\(sizes)")
  }

  @Test func aModelThatIsSlowIsStoppedWhenTheTimeIsOver() async throws {
    let life = try TalkLife { _ in .silence }
    var limits = AssistantLimits()
    limits.time = .milliseconds(200)
    let settings = ModelSettings(
      address: try ModelSettings.address(life.server.chatURL), model: "scripted")
    let assistant = Assistant(
      archive: life.test.archive, zone: life.test.zone, tools: life.tools,
      model: ChatClient(settings), limits: limits)
    let reply = try await assistant.reply(
      to: Self.question, history: [], by: .assistant(thread: nil))
    #expect(reply.problem == "The model didn’t finish and was stopped.")
    #expect(reply.text.contains("3"))
  }

  @Test func anEntryThatHadNoRoomCannotBeCited() async throws {
    let life = try TalkLife { _ in ChatScript.says("You ran far [20].") }
    for index in 0..<60 {
      try life.test.add("ran \(String(repeating: "far ", count: 40))\(index)", on: "2026-02-10")
    }
    let question = "What did I do in February?"
    let small = try await life.assistant(context: 1_024).reply(
      to: question, history: [], by: .assistant(thread: nil))
    #expect(small.warning == "Not found in your entries: [20]")
    let large = try await life.ask(question)
    #expect(large.warning == nil)
  }

  @Test func withoutAModelTheAnswerIsTheComputedOne() async throws {
    let life = try TalkLife { _ in .silence }
    let plain = Assistant(archive: life.test.archive, zone: life.test.zone, tools: life.tools)
    let reply = try await plain.reply(
      to: Self.question, history: [], by: .assistant(thread: nil))
    #expect(reply.text.contains("3") && reply.details["kind"] == "count")
    #expect(life.server.requests.isEmpty)
  }

  @Test func ordersAreDoneWithoutTheModel() async throws {
    let life = try TalkLife { _ in .silence }
    let reply = try await life.ask("add lunch with Sam")
    #expect(reply.details["state"] == "done" && life.server.requests.isEmpty)
  }
}

import ArkivedAssistant
import ArkivedCore
import ArkivedStore
import ArkivedTestSupport
import Foundation
import Testing

/// A small archive, and a scripted model that talks about it.
struct TalkLife: Sendable {
  let test: TestArchive
  let tools: ToolBox
  let server: EmbeddingServer

  init(_ script: @escaping @Sendable (EmbeddingServer.Request) -> EmbeddingServer.Reply) throws {
    test = try TestArchive()
    for day in ["03", "05", "12"] {
      try test.add(
        "ran along the canal", on: "2026-03-\(day)", from: "07:00", tags: ["sport"],
        measurements: ["km": 5.5])
    }
    try test.add("signed the SECRET-PAPER at the notary", on: "2025-11-02")
    tools = ToolBox(archive: test.archive, zone: test.zone)
    server = try EmbeddingServer(script)
  }

  /// Returns an assistant with these limits except that of time, because tests wait for each other.
  func assistant(_ limits: AssistantLimits = AssistantLimits(), context: Int = 32_000) throws
    -> Assistant
  {
    let patience = Duration.seconds(3_600)
    var limits = limits
    limits.time = patience
    let settings = ModelSettings(
      address: try ModelSettings.address(server.chatURL), model: "scripted")
    return Assistant(
      archive: test.archive, zone: test.zone, tools: tools,
      model: ChatClient(settings, patience: patience),
      context: context, limits: limits)
  }

  func ask(_ question: String, _ limits: AssistantLimits = AssistantLimits()) async throws
    -> AssistantReply
  {
    try await assistant(limits).reply(to: question, history: [], by: .assistant(thread: nil))
  }

  /// Everything the archive holds, as text; acts that wait are no part of it.
  func contents() throws -> [String] {
    var all: [String] = []
    try test.archive.forEachEntity { type, json in
      all.append("\(type) \(json.text())")
    }
    return all.sorted()
  }
}

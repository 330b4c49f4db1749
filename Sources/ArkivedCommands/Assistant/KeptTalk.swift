import ArkivedAssistant
import ArkivedCore
import ArkivedStore
import Foundation

/// A sentence at the terminal that is kept with its answer as a conversation.
struct KeptTalk {
  let context: Context
  let archive: Archive
  let tools: ToolBox

  /// So much of a conversation is looked at for what “that” means, and told to a model.
  private static let historyLimit = 40

  /// - Parameters:
  ///   - goesOn: in the conversation last spoken in, where there is one.
  ///   - isPlain: without the language model.
  ///   - isYes: whether the owner's yes is given already.
  func say(_ text: String, goesOn: Bool, isPlain: Bool, isYes: Bool) async throws {
    let output = context.output
    guard !output.isJSON else {
      throw CommandFailure(
        .usage, said("--keep and --continue are for people. Programs use POST /api/v1/threads."))
    }
    let thread = try goesOn ? archive.threads(limit: 1).threads.first?.thread.id : nil
    let history =
      try thread.map { try archive.messages(of: $0, limit: Self.historyLimit).messages } ?? []
    let assistant =
      try isPlain
      ? Assistant(archive: archive, zone: context.zone, tools: tools)
      : Assistant(configured: archive, zone: context.zone, tools: tools)
    Interrupt.watch()
    let reply: AssistantReply
    do {
      reply = try await Interrupt.cancelling {
        try await assistant.reply(to: text, history: history, by: .assistant(thread: thread))
      }
    } catch is CancellationError {
      throw CommandFailure(.failed, said("Cancelled. Nothing was kept."))
    }
    _ = try archive.say(text, answered: reply.text, details: reply.details, in: thread) {
      _, _, _ in KeptAnswer(status: 201)
    }
    output.result(.null, lines: [reply.text])
    if let warning = reply.warning { output.say(said("Warning: \(saidAgain(warning)).")) }
    if let problem = reply.problem { output.say(saidAgain(problem)) }
    let report = ActReport(context: context, archive: archive, tools: tools)
    for act in reply.pending {
      guard let id = act["id"]?.string.flatMap({ UUID(identity: $0) }) else { continue }
      try report.decide(id, isYes: isYes)
    }
  }
}

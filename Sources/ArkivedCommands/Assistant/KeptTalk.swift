import ArkivedAssistant
import ArkivedCore
import ArkivedStore
import Foundation

/// A sentence at the terminal that is stored as a conversation with its answer.
struct KeptTalk {
  let context: Context
  let archive: Archive
  let tools: ToolBox

  /// The maximum number of earlier messages examined for the meaning of “that”, and sent to a
  /// model.
  private static let historyLimit = 40

  /// Sends a sentence and prints the reply.
  ///
  /// - Parameters:
  ///   - text: the text.
  ///   - goesOn: true to continue the latest conversation, if there is one.
  ///   - isPlain: true to skip the language model.
  ///   - isYes: true if the owner has already confirmed.
  /// - Throws: `ArchiveError` or `DatabaseError` if the archive can't be read or changed.
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
      throw CommandFailure(.failed, said("Cancelled. The conversation wasn’t saved."))
    }
    _ = try archive.say(text, answered: reply.text, details: reply.details, in: thread) {
      _, _, _ in KeptAnswer(status: 201)
    }
    output.result(.null, lines: [reply.text])
    if let warning = reply.warning { output.say(said("Warning: \(saidAgain(warning)).")) }
    if let problem = reply.problem { output.say(saidAgain(problem)) }
    let report = ActReport(context: context, archive: archive, tools: tools)
    // A yes given in advance is for the owner's own instruction: nobody has seen what a model asks
    // for, and a text in the archive may have made it ask.
    let isByModel = reply.details["model"] != nil
    for act in reply.pending {
      guard let id = act["id"]?.string.flatMap({ UUID(identity: $0) }) else { continue }
      switch (isByModel, isYes) {
      case (true, true): output.say(ActReport.waits(act))
      case (true, false): try report.review(id)
      case (false, _): try report.decide(id, isYes: isYes)
      }
    }
  }
}

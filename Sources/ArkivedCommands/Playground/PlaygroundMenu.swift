import ArkivedAssistant
import ArkivedCore
import ArkivedStore
import Foundation

/// The menu: reads and executes lines until the input ends.
final class PlaygroundMenu {
  private let context: Context
  private let archive: Archive
  private let tools: ToolBox
  private let assistant: Assistant
  /// The current conversation.
  private var thread: UUID?

  private var output: Output { context.output }

  init(_ context: Context, _ archive: Archive, _ tools: ToolBox, _ assistant: Assistant) {
    self.context = context
    self.archive = archive
    self.tools = tools
    self.assistant = assistant
  }

  private static var menu: String {
    said(
      """
      1 examples   2 tools   3 history   4 clear   5 prompts sent to a model   6 benchmark   0 exit
      Anything else goes to the assistant.
      """)
  }

  func run() async throws {
    output.say(
      assistant.hasModel
        ? said("Model: \(assistant.modelName)")
        : said("No language model: answers are computed from your entries."))
    output.say(Self.menu)
    while let line = ask(">") {
      switch line {
      case "": continue
      case "0", "leave", "quit", "exit": return
      case "1": try await examples()
      case "2": try tryTool()
      case "3": try history()
      case "4": try clear()
      case "5":
        output.result(
          .null, lines: [AssistantPrompt.system(today: context.today, zone: context.zone)])
      case "6": try await benchmark()
      default: try await say(line)
      }
    }
  }

  private func ask(_ prompt: String) -> String? {
    Output.write("\(prompt) ", to: STDERR_FILENO)
    return readLine()?.trimmingCharacters(in: .whitespaces)
  }

  /// Measures the example prompts with the current model, as `--benchmark` does.
  private func benchmark() async throws {
    let all = try ExamplePrompts(for: archive, zone: context.zone).all
    guard let line = ask(said("how many of the \(all.count) prompts? (Enter: all)")) else { return }
    guard let count = line.isEmpty ? all.count : Int(line), count > 0 else {
      return output.say(said("Not a valid number of prompts."))
    }
    let subject = PlaygroundBenchmark.Subject(name: assistant.modelName, assistant: assistant)
    let benchmark = PlaygroundBenchmark(output: output)
    do {
      try await Interrupt.cancelling {
        try await benchmark.run(Array(all.prefix(count)), [subject])
      }
    } catch is CancellationError {
      output.say(said("Cancelled. Nothing was saved."))
    }
  }

  // MARK: Conversation

  private func examples() async throws {
    var lines: [String] = []
    var number = 0
    let examples = try ExamplePrompts(for: archive, zone: context.zone)
    for group in examples.groups {
      lines.append(output.bold(group.name))
      for prompt in group.prompts {
        number += 1
        lines.append("  \(number) \(prompt)")
      }
    }
    output.result(.null, lines: lines)
    guard let line = ask(said("which?")), let chosen = Int(line) else { return }
    guard examples.all.indices.contains(chosen - 1) else {
      return output.say(said("Choose a number from 1 to \(examples.all.count)."))
    }
    try await say(examples.all[chosen - 1])
  }

  private func say(_ text: String) async throws {
    let history = try thread.map { try archive.messages(of: $0, limit: 40).messages } ?? []
    let assistant = assistant
    let caller = ToolCaller.assistant(thread: thread)
    let reply: AssistantReply
    do {
      reply = try await Interrupt.cancelling {
        try await assistant.reply(to: text, history: history, by: caller)
      }
    } catch is CancellationError {
      return output.say(said("Cancelled. The conversation wasn’t saved."))
    }
    _ = try archive.say(text, answered: reply.text, details: reply.details, in: thread) {
      thread, _, _ in
      self.thread = thread.id
      return KeptAnswer(status: 201)
    }
    output.result(.null, lines: [reply.text])
    for step in reply.steps {
      output.say("  \(step.call.name): \(step.answer.error?.message ?? said("answered"))")
    }
    if let warning = reply.warning { output.say(said("Warning: \(saidAgain(warning)).")) }
    if let problem = reply.problem { output.say(saidAgain(problem)) }
    for act in reply.pending { try decide(act) }
  }

  private func decide(_ act: JSON) throws {
    guard let id = act["id"]?.string.flatMap({ UUID(identity: $0) }) else { return }
    try ActReport(context: context, archive: archive, tools: tools).review(id)
  }

  // MARK: Tools

  private func tryTool() throws {
    output.result(
      .null, lines: ToolBox.tools.map { "\(output.bold($0.name)): \($0.summary)" })
    guard let name = ask(said("which?")), !name.isEmpty else { return }
    let text = ask(said("arguments, as JSON:")) ?? ""
    guard let arguments = (try? JSON(parsing: text.isEmpty ? "{}" : text))?.object else {
      return output.say(said("Not a valid JSON object."))
    }
    let call = ToolCall(id: "playground", name: name, arguments: arguments)
    let answer = tools.call(call, by: .owner)
    output.result(.null, lines: [answer.json.text(indented: true)])
    if let act = answer.pending { try decide(act) }
  }

  // MARK: History

  private func history() throws {
    let found = try archive.threads(limit: 20).threads
    output.result(
      .null,
      lines: found.isEmpty
        ? [said("No conversations yet.")]
        : found.enumerated().map { index, one in
          "  \(index + 1) \(context.timeText(one.thread.updatedAt)) \(one.thread.title)"
        })
    guard !found.isEmpty, let line = ask(said("which?")), let chosen = Int(line),
      found.indices.contains(chosen - 1)
    else { return }
    thread = found[chosen - 1].thread.id
    let messages = try archive.messages(of: found[chosen - 1].thread.id, limit: 40).messages
    output.result(
      .null, lines: messages.map { ($0.role == .user ? "> " : "  ") + $0.text })
    output.say(said("Continuing this conversation."))
  }

  private func clear() throws {
    guard let open = thread else { return output.say(said("No conversations yet.")) }
    _ = try archive.delete(ConversationThread.self, open)
    thread = nil
    output.say(said("Conversation deleted. `arkived undo` brings it back."))
  }
}

import ArgumentParser
import ArkivedAssistant
import ArkivedCore
import ArkivedStore
import Foundation

/// The `tool` command: the tools that the assistant and programs use, one call at a time.
struct ToolCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tool",
    abstract: "Call a tool as the assistant and programs do. Without a name, list all tools.",
    discussion: """
      arkived tool                                     all tools with their arguments
      arkived tool ask '{"question":"when did I last swim?"}'
      echo '{"text":"tea"}' | arkived tool createActivity -

      Prints {"toolCallId","name","result"}, or "error" with a code and a message. Anything that \
      deletes
      or overwrites waits for your approval. In a terminal you’re asked at once; otherwise use: \
      arkived confirm
      """)

  @Argument(help: "The tool’s name.") var name: String?
  @Argument(help: "The arguments as a JSON object. Use - to read them from standard input.")
  var arguments: String?
  @Option(help: "The call’s ID, repeated in the answer.") var id = "call"

  @OptionGroup var options: GlobalOptions

  func run() throws {
    let context = try Context(options)
    guard let name else { return list(context.output) }
    let given = try Self.object(arguments)
    let tools = ToolBox(archive: try context.open(), zone: context.zone)
    let output = context.output
    var shown = ContinuousClock.now
    var answer = tools.call(ToolCall(id: id, name: name, arguments: given), by: .owner) {
      done, total in
      guard shown.duration(to: .now) > .seconds(1) else { return }
      shown = .now
      let (read, most) = (AmountText.grouped(done), AmountText.grouped(total))
      output.say(said("Reading entries: \(read) of at most \(most)."))
    }
    if let act = try Self.waiting(answer, tools), !output.isJSON, StandardInput.isInteractive {
      let decided = try ActText(context).decide(act, tools)
      answer.outcome = .result([decided.status == .done ? "confirmed" : "declined": decided.json])
    }
    output.data(answer.json.text(indented: !output.isJSON || output.isTerminal))
    if let error = answer.error {
      throw CommandFailure(Self.status(error.code), error.message, isInDocument: true)
    }
    if answer.pending != nil {
      output.say(said("Nothing has been changed yet. To decide in a terminal: `arkived confirm`"))
    }
  }

  private func list(_ output: Output) {
    output.result(
      ["tools": .array(ToolBox.tools.map(\.json))],
      lines: ToolBox.tools.flatMap { tool in
        let required = tool.schema["required"]?.array?.compactMap(\.string) ?? []
        let names = (tool.schema["properties"]?.object?.keys ?? []).map {
          required.contains($0) ? $0 : "\($0)?"
        }
        return ["\(output.bold(tool.name))  \(names.joined(separator: ", "))", "  \(tool.summary)"]
      })
  }

  /// Parses the arguments.
  ///
  /// - Throws: `CommandFailure` (bad input) if the text isn't a JSON object.
  static func object(_ text: String?) throws -> JSONObject {
    guard let text else { return [:] }
    let source = text == "-" ? try StandardInput.text() : text
    do {
      guard let object = try JSON(parsing: source).object else {
        throw CommandFailure(.badInput, said("The arguments must be a JSON object."))
      }
      return object
    } catch let error as JSONSyntaxError {
      throw CommandFailure(.badInput, said("The arguments aren’t valid JSON: \(error)."))
    }
  }

  private static func waiting(_ answer: ToolAnswer, _ tools: ToolBox) throws -> PendingAct? {
    try answer.pending?["id"]?.string.flatMap(UUID.init(identity:)).map(tools.pendingAct)
  }

  private static func status(_ code: ToolError.Code) -> ExitStatus {
    switch code {
    case .unknownTool: .usage
    case .invalidArgument: .badInput
    case .notFound: .noInput
    case .refused: .refused
    case .busy: .busy
    default: .failed
    }
  }
}

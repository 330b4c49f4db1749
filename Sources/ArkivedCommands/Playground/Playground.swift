import ArgumentParser
import ArkivedAssistant
import ArkivedCore
import ArkivedSearch
import ArkivedStore
import Foundation

/// The `playground` command: a menu for the assistant, its tools and its prompts.
struct Playground: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "playground",
    abstract: "Try the assistant: prompts, tools, models.",
    discussion: """
      arkived playground                          a menu
      arkived playground --benchmark              measures the example prompts
      arkived playground --benchmark --against http://127.0.0.1:8080/v1 --against-model other

      What you say is saved as a conversation. The benchmark saves nothing. For each prompt it shows \
      the time to the first words and to the end, and chunks of text per second. It also shows how \
      many tools answered and whether your entries support the answer.
      """)

  @Flag(help: "Run the example prompts as a benchmark.") var benchmark = false
  @Option(help: "The number of prompts to run.") var prompts: Int?
  @Option(help: ArgumentHelp("Another model to compare with.", valueName: "address"))
  var against: String?
  @Option(help: ArgumentHelp("The model’s name on that server.", valueName: "name"))
  var againstModel: String?

  @OptionGroup var options: GlobalOptions

  func run() async throws {
    let context = try Context(options)
    let archive = try context.open()
    let tools = ToolBox(archive: archive, zone: context.zone)
    let assistant = try Assistant(configured: archive, zone: context.zone, tools: tools)
    if benchmark {
      var subjects = [PlaygroundBenchmark.Subject(name: assistant.modelName, assistant: assistant)]
      if let other = try rival() {
        let model = ChatClient(other)
        subjects.append(
          PlaygroundBenchmark.Subject(
            name: model.name,
            assistant: Assistant(
              archive: archive, zone: context.zone, tools: tools, model: model)))
      }
      let chosen = try ExamplePrompts(for: archive, zone: context.zone).all
        .prefix(max(1, prompts ?? .max))
      return try await PlaygroundBenchmark(output: context.output).run(Array(chosen), subjects)
    }
    guard !context.output.isJSON else {
      throw CommandFailure(
        .usage, said("The playground is an interactive menu. Use --json with --benchmark."))
    }
    guard against == nil, againstModel == nil, prompts == nil else {
      throw CommandFailure(
        .usage, said("--against, --against-model and --prompts need --benchmark."))
    }
    try await PlaygroundMenu(context, archive, tools, assistant).run()
  }

  /// Returns the other model, which must be on this computer.
  private func rival() throws -> ModelSettings? {
    guard against != nil || againstModel != nil else { return nil }
    guard let against, let againstModel else {
      throw CommandFailure(.usage, said("Use --against and --against-model together."))
    }
    let address: EmbeddingAddress
    do throws(EmbeddingAddress.Refusal) {
      address = try ModelSettings.address(against)
    } catch {
      throw CommandFailure(
        .usage, "--against: \(FieldError.shown(against)) \(saidAgain(error.problem)).")
    }
    guard address.isLoopback else {
      throw CommandFailure(
        .usage,
        said(
          """
          --against: \(address.host) isn’t this computer. You can only compare with a model on \
          this computer.
          """
        ))
    }
    return ModelSettings(address: address, model: againstModel)
  }
}

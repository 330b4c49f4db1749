import ArgumentParser
import ArkivedAssistant
import ArkivedCore
import ArkivedSearch
import ArkivedStore
import Foundation

/// The `assistant` command: the language model that phrases answers, if any.
struct AssistantCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "assistant",
    abstract: "Choose a language model to phrase answers. None is used by default.",
    subcommands: [
      AssistantShow.self, AssistantUse.self, AssistantNone.self, AssistantPrompts.self,
      AssistantVoice.self, AssistantTranscribe.self,
    ],
    defaultSubcommand: AssistantShow.self)
}

/// The `assistant show` command.
struct AssistantShow: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Show which model is set up.")

  @OptionGroup var options: GlobalOptions

  func run() throws {
    let context = try Context(options)
    let archive = try context.open()
    guard let settings = try archive.home.flatMap({ try ModelSettings.read(in: $0) }) else {
      return context.output.result(
        ["model": .null],
        lines: [said("No language model: answers are computed from your entries.")])
    }
    context.output.result(
      [
        "model": [
          "address": .string(settings.address.url), "name": .string(settings.model),
          "context": JSON(settings.context), "allowRemote": .bool(settings.allowsRemote),
          "hasKey": .bool(settings.key != nil),
        ]
      ],
      lines: [
        said("\(settings.model) at \(settings.address.url), \(settings.context) tokens")
          + (settings.key == nil ? "" : said(", with a key"))
      ])
  }
}

/// The `assistant use` command.
struct AssistantUse: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "use", abstract: "Use the model at an address to phrase answers.",
    discussion: """
      arkived assistant use http://127.0.0.1:11434/v1 --model qwen3:4b      Ollama
      arkived assistant use http://127.0.0.1:8080/v1 --model any            llama.cpp
      arkived assistant use http://127.0.0.1:1234/v1 --model NAME           LM Studio

      Any server with an OpenAI-compatible chat API works. It is tested once before it is saved. \
      Your questions, and the entries needed to answer them, are sent there. The server must \
      therefore be on this computer, unless you add --allow-remote. Provide a key in a file that \
      only you can read, or in ARKIVED_MODEL_KEY.
      """)

  @Argument(help: "The address, such as http://127.0.0.1:11434/v1") var address: String
  @Option(help: ArgumentHelp("The model’s name on the server.", valueName: "name"))
  var model: String
  @Option(help: ArgumentHelp("The model’s context size in tokens.", valueName: "tokens"))
  var context = ModelSettings.usualContext
  @Option(
    help: ArgumentHelp(
      "A file with the server’s key that only you can read. The key is copied.", valueName: "file"))
  var keyFile: String?
  @Flag(help: "Allow sending questions and entries to another computer.") var allowRemote = false

  @OptionGroup var options: GlobalOptions

  func run() async throws {
    let surroundings = try Context(options)
    let archive = try surroundings.open()
    guard let home = archive.home else {
      throw CommandFailure(.usage, said("A model can only be set up for an archive in a folder."))
    }
    let chosen = try settings()
    let output = surroundings.output
    if !chosen.address.isLoopback {
      output.say(
        said(
          """
          Your questions, and the entries needed to answer them, will be sent to \
          \(chosen.address.host)
          """
        )
          + (chosen.address.isEncrypted
            ? "." : said(", unencrypted and readable by anyone along the way.")))
    }
    try await check(chosen)
    try chosen.save(in: home)
    output.result(
      ["model": ["address": .string(chosen.address.url), "name": .string(chosen.model)]],
      lines: [said("\(chosen.model) at \(chosen.address.url) now phrases answers.")])
  }

  private func settings() throws -> ModelSettings {
    let place: EmbeddingAddress
    do throws(EmbeddingAddress.Refusal) {
      place = try ModelSettings.address(address)
    } catch {
      throw CommandFailure(.usage, "\(FieldError.shown(address)) \(saidAgain(error.problem)).")
    }
    guard model.contains(where: { !$0.isWhitespace }) else {
      throw CommandFailure(.usage, said("--model is empty. Enter the model’s name on the server."))
    }
    guard ModelSettings.contexts.contains(context) else {
      throw CommandFailure(
        .usage,
        said("--context is \(context), but must be at least \(ModelSettings.contexts.lowerBound)."))
    }
    guard allowRemote || place.isLoopback else {
      throw CommandFailure(
        .usage,
        said(
          """
          \(place.host) is another computer. Your questions, and the entries needed to answer \
          them, would be sent there. To allow this, add --allow-remote.
          """))
    }
    let key = try keyFile.map { try SecretFile.token(in: $0, option: "--key-file") }
    guard key == nil || place.isEncrypted || place.isLoopback else {
      throw CommandFailure(.usage, "--key-file \(saidAgain(ModelSettings.keyInTheOpen)).")
    }
    return ModelSettings(
      address: place, model: model, allowsRemote: allowRemote, context: context, key: key)
  }

  private func check(_ settings: ModelSettings) async throws {
    do {
      _ = try await Interrupt.cancelling {
        try await ModelTrial.chat(settings, patience: .seconds(120))
      }
    } catch let error as ModelError {
      throw CommandFailure(.unavailable, saidAgain("\(error)") + " " + said("Nothing was changed."))
    } catch is CancellationError {
      throw CommandFailure(.failed, said("Cancelled. Nothing was changed."))
    }
  }
}

/// The `assistant none` command.
struct AssistantNone: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "none", abstract: "Don’t use a model. Answers are computed from your entries.")

  @OptionGroup var options: GlobalOptions

  func run() throws {
    let context = try Context(options)
    if let home = try context.open().home { try ModelSettings.remove(in: home) }
    context.output.result(
      ["model": .null], lines: [said("Answers are now computed without a model.")])
  }
}

/// The `assistant prompts` command.
struct AssistantPrompts: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "prompts", abstract: "Show all instructions that Arkived gives a model.")

  @OptionGroup var options: GlobalOptions

  func run() throws {
    let context = try Context(options)
    let system = AssistantPrompt.system(today: context.today, zone: context.zone)
    let tools = ToolBox.tools.map { "\($0.name): \($0.summary)" }
    context.output.result(
      [
        "system": .string(system), "lastTurn": .string(AssistantPrompt.lastTurn),
        "brief": .string(AssistantPrompt.brief(today: context.today)),
        "tools": .array(ToolBox.tools.map(\.json)),
      ],
      lines: [said("When you ask something:"), system, "", said("After too many tool calls:")]
        + [AssistantPrompt.lastTurn, "", said("When it sums up a brief:")]
        + [AssistantPrompt.brief(today: context.today), "", said("Tools:")] + tools)
  }
}

extension SecretFile {
  /// Returns the single line of a file that only its owner may read.
  ///
  /// - Parameters:
  ///   - path: the path.
  ///   - option: the option to name in errors.
  /// - Returns: the line.
  /// - Throws: `CommandFailure` if the file can't be read, or others may read it.
  static func token(in path: String, option: String) throws -> String {
    do throws(Problem) {
      return try token(in: path)
    } catch {
      let status: ExitStatus =
        switch error {
        case .unreadable: .noInput
        case .open: .refused
        case .malformed: .badInput
        }
      throw CommandFailure(status, "\(option): \(saidAgain(error.description)).")
    }
  }
}

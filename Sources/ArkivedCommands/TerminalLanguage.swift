import ArkivedCore
import Foundation

/// The language of the terminal's output and of the lines typed there.
///
/// It is set by `--language` before the command, `ARKIVED_LANGUAGE`, or the locale of messages.
/// Output for programs stays English: `--json`, every `--format`, completions, and the commands
/// that programs call.
enum TerminalLanguage {
  /// The language of typed lines.
  @TaskLocal static var typed = Language.english

  /// The commands whose output programs read; their help is for people.
  static let forPrograms: Set<String> = ["mcp", "tool"]

  struct Choice {
    var speaks: Language
    var typed: Language
    /// The arguments without `--language`.
    var arguments: [String]
  }

  /// Determines the language.
  ///
  /// - Throws: `CommandFailure` for an unsupported language.
  static func choice(
    _ arguments: [String], environment: [String: String] = ProcessInfo.processInfo.environment
  ) throws -> Choice {
    var arguments = arguments
    var named = environment["ARKIVED_LANGUAGE"].flatMap { $0.isEmpty ? nil : $0 }
    var source = "ARKIVED_LANGUAGE"
    if let first = arguments.first, first == "--language" || first.hasPrefix("--language=") {
      source = "--language"
      arguments.removeFirst()
      named = String(first.dropFirst("--language=".count))
      if first == source { named = arguments.isEmpty ? "" : arguments.removeFirst() }
    }
    var told: Language?
    if let named {
      guard let language = Language.named(named) else {
        let known = Language.all.map(\.code).joined(separator: ", ")
        throw CommandFailure(
          .usage, "\(source) is “\(named.prefix(60))”; it must be one of \(known).")
      }
      told = language
    }
    let options = arguments.prefix { $0 != "--" }
    let isForPrograms = options.contains { $0 == "--json" || $0.hasPrefix("--format") }
    let language = told ?? Language.ofTerminal(environment)
    let command = ArkivedCommand.commandFirst(arguments).first ?? ""
    let asksForHelp = options.contains { ["--help", "-h"].contains($0) }
    let isSpoken =
      !command.hasPrefix("---") && (asksForHelp || !forPrograms.contains(command))
    return Choice(
      speaks: isForPrograms || !isSpoken ? .english : language,
      typed: isForPrograms ? told ?? .english : language, arguments: arguments)
  }

  /// Runs a command in the language chosen by its arguments and the environment.
  static func speaking<Value>(
    _ choice: Choice, _ work: ([String]) -> Value
  ) -> Value {
    var preferences = ShownDates.preferences
    preferences.language = Preferences.Speech(choice.speaks)
    return ShownDates.$preferences.withValue(preferences) {
      $typed.withValue(choice.typed) { work(choice.arguments) }
    }
  }
}

import ArgumentParser
import ArkivedCore

/// Texts among the arguments that begin like an option.
extension ArkivedCommand {
  /// Returns the arguments of a command with texts that begin like an option, such as a Markdown
  /// list (“- [ ] …”), protected: they are joined to an option that expects a value, or moved to
  /// the end.
  static func textsLast(_ arguments: [String]) -> [String] {
    guard let terminator = Optional(arguments.firstIndex(of: "--") ?? arguments.endIndex),
      arguments[..<terminator].contains(where: isText)
    else { return arguments }
    let flags = flags(of: arguments[0])
    var rest: [String] = []
    var texts: [String] = []
    for argument in arguments[..<terminator] {
      guard isText(argument) else {
        rest.append(argument)
        continue
      }
      if let last = rest.last, last.hasPrefix("--"), !last.contains("="), !flags.contains(last) {
        rest[rest.count - 1] = "\(last)=\(argument)"
      } else {
        texts.append(argument)
      }
    }
    return rest + ["--"] + texts + arguments[terminator...].dropFirst()
  }

  /// Returns a command's options without a value, such as `--replace`.
  private static func flags(of name: String) -> Set<String> {
    let command: any ParsableCommand.Type = commands[name] ?? Add.self
    var names: [Bool: Set<String>] = [:]
    func collect(_ command: JSON) {
      for argument in command["arguments"]?.array ?? [] {
        let own = (argument["names"]?.array ?? []).compactMap { $0["name"]?.string }
        names[argument["kind"] == "flag", default: []].formUnion(own.map { "--\($0)" })
      }
      for verb in command["subcommands"]?.array ?? [] { collect(verb) }
    }
    if let told = try? JSON(parsing: command._dumpHelp()) { collect(told["command"] ?? .null) }
    // A name that takes a value for another verb of the command may take one here.
    return names[true, default: []].subtracting(names[false, default: []])
  }

  private static func isText(_ argument: String) -> Bool {
    argument.hasPrefix("- ") || argument.hasPrefix("-\t")
  }
}

import ArgumentParser
import ArkivedCore
import Foundation

/// The output of ArgumentParser in the current language.
///
/// Commands describe themselves in English. Whole texts are looked up when help is printed, so
/// translation costs nothing at startup in English; `Scripts/words.py` finds them in the source.
enum HelpText {
  /// The column in which ArgumentParser starts the description of an option.
  private static let column = 26
  /// A width so large that ArgumentParser doesn't wrap lines.
  private static let unbroken = 1_000_000

  // words: Overview | Usage | Arguments | Options | Subcommands | Error | Help | default | values
  // words: Show the version. | Show help information. | Show subcommand help information.

  /// Translates a text by ArgumentParser: help, or a usage error.
  ///
  /// - Parameters:
  ///   - text: the text.
  ///   - arguments: the program's arguments.
  ///   - root: the command to which the text belongs.
  ///   - columns: the width of a terminal line in characters.
  /// - Returns: the text in the language of the terminal.
  static func spoken(
    _ text: String, _ arguments: [String], root: any ParsableCommand.Type, columns: Int
  ) -> String {
    guard Language.current != .english else { return text }
    if text.hasPrefix("Error: ") { return misuse(text) }
    let command = named(by: arguments, root)
    // Other output, such as a completion script, is unchanged.
    guard text.hasPrefix("OVERVIEW: " + command.configuration.abstract.prefix(20)) else {
      return text
    }
    return help(root, command, columns: max(columns, 50))
  }

  /// Returns the command that words refer to.
  private static func named(
    by arguments: [String], _ root: any ParsableCommand.Type
  ) -> any ParsableCommand.Type {
    var command = root
    let words = arguments.filter { !$0.hasPrefix("-") }
    for word in words.first == "help" ? words.dropFirst() : words[...] {
      let next = command.configuration.subcommands.first {
        $0._commandName == word || $0.configuration.aliases.contains(word)
      }
      guard let next else { break }
      command = next
    }
    return command
  }

  // MARK: Help

  private static func help(
    _ root: any ParsableCommand.Type, _ command: any ParsableCommand.Type, columns: Int
  ) -> String {
    let english = root.helpMessage(for: command, includeHidden: false, columns: unbroken)
    let configuration = command.configuration
    var overview = "\(heading("Overview")): \(saidWhole(configuration.abstract))"
    if !configuration.discussion.isEmpty {
      overview += "\n\n" + saidWhole(configuration.discussion)
    }
    guard let usage = english.range(of: "\n\nUSAGE: ") else { return english }
    var lines = [wrapped(overview, indent: 0, columns), ""]
    lines.append("\(heading("Usage")): ")
    var rest = english[usage.upperBound...].split(
      separator: "\n", omittingEmptySubsequences: false)[...]
    lines[2] += rest.removeFirst()
    while !rest.isEmpty {
      let line = rest.removeFirst()
      lines.append(spoken(line: line, &rest, columns))
    }
    return lines.joined(separator: "\n")
  }

  /// Translates a line of help, including the continuation of an option.
  private static func spoken(line: Substring, _ rest: inout ArraySlice<Substring>, _ columns: Int)
    -> String
  {
    let indent = line.prefix { $0 == " " }.count
    if line.hasPrefix("  See '") { return "  " + pointer(line) }
    if indent == 0, line.last == ":" {
      let name = line.dropLast().replacing(" SUBCOMMANDS", with: "")
      return heading(String(name.prefix(1)) + name.dropFirst().lowercased()) + ":"
    }
    if indent >= column { return wrapped(spoken(abstract: line), indent: column, columns) }
    if indent == 8 {
      var discussion = [line.dropFirst(8)]
      while let next = rest.first, next.hasPrefix("        "), !next.hasPrefix("         ") {
        discussion.append(next.dropFirst(8))
        rest.removeFirst()
      }
      return wrapped(saidWhole(discussion.joined(separator: "\n")), indent: 8, columns)
    }
    guard indent == 2, let cut = beginning(of: line) else { return String(line) }
    let abstract = wrapped(spoken(abstract: line[cut...]), indent: column, columns)
    return "\(line[..<cut])\(abstract.dropFirst(column))"
  }

  /// Returns the start of an option's description; nil if it is on a separate line.
  private static func beginning(of line: Substring) -> Substring.Index? {
    guard line.count > column else { return nil }
    let cut = line.index(line.startIndex, offsetBy: column)
    guard line[line.index(before: cut)] == " ", !["<", "-", "[", " "].contains(line[cut]) else {
      return nil
    }
    return cut
  }

  /// Translates an option's description, including the values that ArgumentParser appends.
  private static func spoken(abstract: Substring) -> String {
    let text = abstract.trimmingCharacters(in: .whitespaces)
    let places = ["(default: ", "(default as flag: ", "(values: "].compactMap {
      text.range(of: $0)?.lowerBound
    }
    guard text.hasSuffix(")"), let place = places.min() else { return saidWhole(text) }
    let tail = text[place...].replacing("default: ", with: "\(saidWhole("default")): ")
      .replacing("values: ", with: "\(saidWhole("values")): ")
    let words = text[..<place].trimmingCharacters(in: .whitespaces)
    return words.isEmpty ? String(tail) : "\(saidWhole(words)) \(tail)"
  }

  private static func heading(_ name: String) -> String {
    saidWhole(name).uppercased()
  }

  /// The pointer to further help, which begins with “See 'arkived help goal'”.
  private static func pointer(_ line: Substring) -> String {
    let parts = line.split(separator: "'", maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3 else { return String(line.drop { $0 == " " }) }
    return said("See '\(parts[1])' for more information.")
  }

  // MARK: Usage errors

  /// Translates a usage error: the problem, the option's description, and the usage.
  private static func misuse(_ text: String) -> String {
    var lines = text.components(separatedBy: "\n")
    for (index, line) in lines.enumerated() {
      if index == 0, line.hasPrefix("Error: ") {
        let wrong = saidAgain(String(line.dropFirst("Error: ".count)))
          .replacing("' or '", with: "'\(said(" or "))'")
        lines[0] = "\(saidWhole("Error")): \(wrong)"
      } else if line.hasPrefix("Help:  ") {
        lines[index] = "\(saidWhole("Help")):  \(of(option: line.dropFirst("Help:  ".count)))"
      } else if line.hasPrefix("Usage: ") {
        lines[index] = "\(saidWhole("Usage")): \(line.dropFirst("Usage: ".count))"
      } else if line.hasPrefix("  See '") {
        lines[index] = "  " + pointer(line[...])
      }
    }
    return lines.joined(separator: "\n")
  }

  /// Formats an option's name, followed by two blanks and its description.
  private static func of(option line: Substring) -> String {
    guard let gap = line.firstRange(of: "  ") else { return String(line) }
    return "\(line[..<gap.upperBound])\(spoken(abstract: line[gap.upperBound...]))"
  }

  // MARK: Lines

  /// Wraps a text into lines that fit, each indented.
  private static func wrapped(_ text: String, indent: Int, _ columns: Int) -> String {
    let width = max(20, columns - indent)
    let blanks = String(repeating: " ", count: indent)
    var lines: [Substring] = []
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      var rest = line
      while rest.count > width, let space = rest.prefix(width + 1).lastIndex(of: " "),
        rest[..<space].contains(where: { $0 != " " })
      {
        lines.append(rest[..<space])
        rest = rest[rest.index(after: space)...]
      }
      lines.append(rest)
    }
    return lines.map { $0.isEmpty ? "" : blanks + $0 }.joined(separator: "\n")
  }
}

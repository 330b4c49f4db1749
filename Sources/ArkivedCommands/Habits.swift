import ArkivedCore
import Foundation

/// Spellings familiar from jrnl, and those that an option parser can't handle.
enum Habits {
  /// The spellings of jrnl for options that have a different name here.
  private static let options = [
    "-on": "--on", "-from": "--from", "-to": "--to", "-until": "--to", "--until": "--to",
    "-contains": "--contains", "-starred": "--starred", "-not": "--not-tag",
    "-today-in-history": "--on-this-day", "--today-in-history": "--on-this-day",
  ]

  /// Options that make a line without a command a search.
  private static let searching: Set<String> = [
    "--on", "--from", "--to", "--on-this-day", "--tag", "--not-tag", "--kind", "--source",
    "--person", "--pinned", "--starred", "--contains", "-n", "--limit", "--sort", "--edit",
    "--delete", "--add-tag", "--remove-tag", "--pin", "--unpin", "--count", "--tags", "--format",
  ]

  /// Returns true if a first argument requests a search without naming the command: `-10`, `--on
  /// yesterday`.
  static func isSearch(_ argument: String) -> Bool {
    let name = String(argument.prefix { $0 != "=" })
    return count(argument) != nil || searching.contains(options[name] ?? name)
  }

  /// Rewrites the arguments of a search for its parser.
  ///
  /// - Parameters:
  ///   - arguments: the arguments as typed.
  ///   - isDay: returns true if words name a day; `--on-this-day` consumes as many words as belong
  ///     to the day.
  /// - Returns: the arguments to parse.
  static func expanded(_ arguments: [String], isDay: (String) -> Bool) -> [String] {
    var result: [String] = []
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      if argument == "--" { return result + [argument] + rest }
      if let count = count(argument) {
        result += ["-n", count]
        continue
      }
      // jrnl joins its filters with “or” by default; here all of them always apply.
      if argument == "-and" { continue }
      let spelt = options[argument] ?? argument
      guard spelt == "--on-this-day" else {
        result.append(spelt)
        continue
      }
      let words = rest.prefix(5).prefix { !$0.hasPrefix("-") }
      let length = (0...words.count).last {
        $0 == 0 || isDay(words.prefix($0).joined(separator: " "))
      }
      let day = words.prefix(length ?? 0).joined(separator: " ")
      rest = rest.dropFirst(length ?? 0)
      result.append(day.isEmpty ? "\(spelt)=today" : "\(spelt)=\(day)")
    }
    return result
  }

  /// Returns the number in `-10`.
  private static func count(_ argument: String) -> String? {
    let digits = argument.dropFirst()
    guard argument.hasPrefix("-"), (1...18).contains(digits.utf8.count),
      digits.utf8.allSatisfy({ (0x30...0x39).contains($0) })
    else { return nil }
    return String(digits)
  }
}

import ArgumentParser
import ArkivedCore
import ArkivedStore
import Foundation

/// How a search finds entries.
struct SearchMode: ExpressibleByArgument {
  let value: SearchRequest.Mode

  init?(argument: String) {
    guard let value = SearchRequest.Mode(rawValue: argument) else { return nil }
    self.value = value
  }

  init(value: SearchRequest.Mode) { self.value = value }

  static let hybrid = SearchMode(value: .hybrid)
  static var allValueStrings: [String] { SearchRequest.Mode.allCases.map(\.rawValue) }
  var defaultValueDescription: String { value.rawValue }
}

/// The `when` command: the span of time that words mean.
struct When: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "when",
    abstract: "Show how a time written in words is understood.",
    discussion: "arkived when \"the last friday of 2019\"")

  @Argument(help: "A phrase or a whole sentence.") var phrase: [String]

  @OptionGroup var options: GlobalOptions

  func run() throws {
    let context = try Context(options)
    let text = phrase.joined(separator: " ")
    let reader = TimeReader(
      now: context.clock.now, zone: context.zone, language: TerminalLanguage.typed)
    let terms = reader.mayNameTerms(text) ? try context.open().terms() : []
    let matches = reader.matches(
      in: text, terms: terms, today: context.zone.dayKey(at: context.clock.now))
    context.output.result(
      ["matches": .array(matches.map(\.json))],
      lines: matches.isEmpty
        ? [said("No time found in these words.")]
        : matches.map { match in
          "\(match.text): \(match.start?.description ?? "…") – \(match.end?.description ?? "…")"
        })
  }
}

import ArgumentParser
import ArkivedAssistant
import ArkivedCore
import ArkivedStore
import Foundation

/// How a search looks for entries.
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

/// `ask`: a question, answered with the entries that prove it.
struct Ask: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Ask a question; the answer is computed and cites its entries.",
    discussion: """
      arkived ask "what did I do with Alex last month?"
      arkived ask "how many times did I run in March?"
      """)

  @Argument(help: "The question.") var question: [String]
  @Option(help: "How many citations to show.") var limit = 200

  @OptionGroup var options: GlobalOptions

  func run() throws {
    let context = try Context(options)
    let engine = AskEngine(archive: try context.open(), zone: context.zone)
    let output = context.output
    var shown = ContinuousClock.now
    let answer = try engine.answer(
      question.joined(separator: " "), citationLimit: max(1, limit)
    ) { done, total in
      guard shown.duration(to: .now) > .seconds(1) else { return }
      shown = .now
      output.say("Reading the entries for questions: \(done) of at most \(total).")
    }
    let ids = try engine.archive.shortIDs(answer.citations.prefix(30).map(\.id))
    output.result(
      answer.json,
      lines: [answer.sentence]
        + (answer.citations.isEmpty ? [] : [""])
        + answer.citations.prefix(30).map { hit in
          "  \(hit.dayKey) \(output.snippet(hit.snippet).prefix(160)) "
            + output.faint(ids[hit.id] ?? "")
        })
    guard !output.isJSON else { return }
    if answer.citationCount > 30 {
      output.say(
        "… \(answer.citationCount - 30) more; --json --limit \(answer.citationCount) gives them all."
      )
    }
  }
}

/// `when`: what span of time words mean.
struct When: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Show how words for a time are read.",
    discussion: "arkived when \"the last friday of 2019\"")

  @Argument(help: "A phrase or a whole sentence.") var phrase: [String]

  @OptionGroup var options: GlobalOptions

  func run() throws {
    let context = try Context(options)
    let text = phrase.joined(separator: " ")
    let reader = TimeReader(now: context.clock.now, zone: context.zone)
    let terms = reader.mayNameTerms(text) ? try context.open().terms() : []
    let matches = reader.matches(
      in: text, terms: terms, today: context.zone.dayKey(at: context.clock.now))
    context.output.result(
      ["matches": .array(matches.map(\.json))],
      lines: matches.isEmpty
        ? ["No time in these words."]
        : matches.map { match in
          "\(match.text): \(match.start?.description ?? "…") – \(match.end?.description ?? "…")"
        })
  }
}

import ArgumentParser
import ArkivedAssistant
import ArkivedCore
import ArkivedSearch
import Foundation

/// `search`: entries by their words.
struct Search: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Find entries by their words; questions work too.",
    discussion: """
      arkived search castle
      arkived search '"half marathon" -injury' --from 2018-01-01 --to 2018-12-31
      arkived search soup --person Priya --kind social

      "two words" is a phrase, -word excludes, word* finds longer words, *part* finds inside \
      words. A day in a filter includes itself; an instant excludes its end.
      """)

  @Argument(help: "What to look for.") var query: [String] = []
  @Option(help: "The first day or instant, or a phrase like “last month”.") var from: String?
  @Option(help: "The last day, or the instant before which, or a phrase.") var to: String?
  @Option(help: "Entries with this tag; may be repeated.") var tag: [String] = []
  @Option(help: "Entries of this kind.") var kind: String?
  @Option(help: "Entries that came this way: manual, calendarImport, …") var source: String?
  @Option(help: "Entries that name this person; may be repeated.") var person: [String] = []
  @Option(help: "How many results.") var limit = 20
  @Option(help: "hybrid, words or meaning.") var mode: SearchMode = .hybrid

  @OptionGroup var options: GlobalOptions

  func run() throws {
    let context = try Context(options)
    guard limit >= 0 else { throw CommandFailure(.usage, "--limit cannot be negative.") }
    let request = SearchRequest(
      query: query.joined(separator: " "),
      from: try from.map { try context.bound($0, isEnd: false) },
      to: try to.map { try context.bound($0, isEnd: true) },
      tags: tag.map { $0.hasPrefix("#") ? String($0.dropFirst()) : $0 },
      kinds: kind.map { [ActivityKind(rawValue: $0)] } ?? [],
      source: source.map(ActivitySource.init(rawValue:)), people: person, limit: limit,
      mode: mode.value)
    let search = HybridSearch(archive: try context.open(), zone: context.zone)
    let outcome = try search.search(request)
    context.output.result(outcome.json, lines: outcome.hits.flatMap { lines($0, context.output) })
    guard !context.output.isJSON else { return }
    for reading in outcome.reading { context.output.say("read as \(reading)") }
    if outcome.isRelaxed { context.output.say("No entry holds all the words; these hold some.") }
    let count = outcome.hits.count
    context.output.say(
      "\(count)\(count == limit ? " or more" : "") \(count == 1 ? "entry" : "entries") in "
        + "\(AmountText.plain((outcome.milliseconds * 10).rounded() / 10)) ms")
  }

  private func lines(_ hit: SearchHit, _ output: Output) -> [String] {
    let time = hit.startAt.map { start in
      " " + (Zone(hit.timeZone ?? "") ?? .utc).wallTime(at: start).clockText
    }
    let head = "\(output.bold(hit.dayKey.description))\(time ?? "")"
    let mark = hit.type == .activity ? "" : " [\(hit.type)]"
    return [
      "\(head)\(mark) \(output.snippet(hit.snippet)) "
        + output.faint(String(hit.id.uuidString.prefix(8)))
    ]
  }
}

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
    let answer = try engine.answer(
      question.joined(separator: " "), citationLimit: max(1, limit))
    let output = context.output
    output.result(
      answer.json,
      lines: [answer.sentence]
        + (answer.citations.isEmpty ? [] : [""])
        + answer.citations.prefix(30).map { hit in
          "  \(hit.dayKey) \(output.snippet(hit.snippet).prefix(160)) "
            + output.faint(String(hit.id.uuidString.prefix(8)))
        })
    guard !output.isJSON else { return }
    if answer.citationCount > 30 {
      output.say("… \(answer.citationCount - 30) more; --json gives them all.")
    }
    if !answer.ignored.isEmpty { output.say("not used: \(answer.ignored.joined(separator: ", "))") }
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
    let matches = TimeReader(now: context.clock.now, zone: context.zone)
      .matches(in: phrase.joined(separator: " "))
    context.output.result(
      ["matches": .array(matches.map(\.json))],
      lines: matches.isEmpty
        ? ["No time in these words."]
        : matches.map { match in
          "\(match.text): \(match.start?.description ?? "…") – \(match.end?.description ?? "…")"
        })
  }
}

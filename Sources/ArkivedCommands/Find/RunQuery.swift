import ArgumentParser
import ArkivedAssistant
import ArkivedCore
import ArkivedStore
import Foundation

/// The `query` command: exact figures from a query as JSON.
struct RunQuery: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "query",
    abstract: "Run a JSON query, and show the entries the result is based on.",
    discussion: """
      arkived query runs.json
      echo '{"source":{"entries":{"tag":"run"}},"fold":"sum","unit":"km","group":"month"}' |
        arkived query -

      A query says which entries to read, what to compute and how to group it. --schema prints the
      JSON Schema. Documentation/Query.md explains it with examples. An invalid query is rejected,
      and the position of the error is shown.
      """)

  @Argument(
    help: ArgumentHelp("A file with the query, or - for standard input.", valueName: "file"))
  var files: [String] = []
  @Flag(help: "Print the JSON Schema for queries.") var schema = false

  @OptionGroup var options: GlobalOptions

  /// The maximum number of entries shown to a person.
  private static let shown = 30

  func run() throws {
    let context = try Context(options)
    let output = context.output
    if schema {
      return output.data(QueryEngine.schema.text(indented: !output.isJSON || output.isTerminal))
    }
    guard let file = files.first, files.count == 1 else {
      throw CommandFailure(
        .usage, said("Specify one file with a query, or - for standard input.") + " " + Self.words)
    }
    let query = try QueryEngine.parse(file == "-" ? StandardInput.text() : Self.text(of: file))
    let engine = QueryEngine(archive: try context.open(), zone: context.zone)
    var shown = ContinuousClock.now
    let answer = try engine.answer(query) { done, total in
      guard shown.duration(to: .now) > .seconds(1) else { return }
      shown = .now
      let (read, most) = (AmountText.grouped(done), AmountText.grouped(total))
      output.say(said("Reading entries: \(read) of at most \(most)."))
    }
    let cited = answer.citations.prefix(Self.shown)
    let ids = try engine.archive.shortIDs(cited.compactMap(\.id))
    output.result(
      answer.json,
      lines: [answer.sentence] + (cited.isEmpty ? [] : [""])
        + cited.map { entry in
          let line = EntryText.oneLine(entry.text).prefix(160)
          let id = entry.id.flatMap { ids[$0] } ?? ""
          return "  \(entry.day?.description ?? "") \(line) \(output.faint(id))"
        })
    guard !output.isJSON, answer.citationCount > cited.count else { return }
    output.say(
      said(
        answer.citationCount - cited.count, one: "… 1 more.",
        other: "… \(answer.citationCount - cited.count) more."))
  }

  private static var words: String {
    said("To save these words as an entry: `arkived add query …`")
  }

  /// Returns the text of a file, read only up to the maximum size of a query.
  private static func text(of path: String) throws -> String {
    guard let file = FileHandle(forReadingAtPath: HomeFolder.expandingTilde(path)),
      let data = try? file.read(upToCount: QueryEngine.sizeLimit + 1)
    else {
      throw CommandFailure(
        .noInput, said("Couldn’t read “\(path.prefix(300))”.") + " " + words)
    }
    guard let text = String(validating: data, as: UTF8.self) else {
      throw CommandFailure(.badInput, said("“\(path.prefix(300))” isn’t UTF-8 text."))
    }
    return text
  }
}

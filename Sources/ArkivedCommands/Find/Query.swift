import ArgumentParser
import ArkivedCore
import ArkivedStore
import Foundation

/// The `sql` command: the owner's own queries over documented views.
struct SQLQuery: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sql", abstract: "Query the archive with SQL, read-only.",
    discussion: """
      arkived sql                                  the views and their columns
      arkived sql "SELECT kind, count(*) FROM activities GROUP BY kind ORDER BY 2 DESC"
      arkived sql "SELECT dayKey, text FROM activities WHERE dayKey >= ?" 2026-01-01
      arkived sql --format csv - < query.sql

      SQLite’s SQL, one query at a time. The names of views never change; columns may be added.
      """)

  @Argument(
    help: ArgumentHelp(
      "The query in quotation marks, or - to read it from standard input, followed by a value "
        + "for each ?.", valueName: "query"))
  var words: [String] = []

  @OptionGroup var format: FormatOption
  @OptionGroup var options: GlobalOptions

  func run() throws {
    let context = try Context(options, format)
    guard let first = words.first else { return list(context.output) }
    let query = first == "-" ? try StandardInput.text() : first
    let archive = try context.open()
    var printer = QueryPrinter(context.output)
    do {
      try archive.query(
        query, values: Array(words.dropFirst()), columns: { printer.begin($0) },
        row: { printer.add($0) })
    } catch let error as QueryError {
      guard error.reason == .refused else { throw CommandFailure(.badInput, error.description) }
      throw CommandFailure(
        .refused,
        error.description + " " + said("To save these words as an entry: `arkived add sql …`"))
    }
    printer.end()
  }

  private func list(_ output: Output) {
    let views = QueryView.all
    output.result(
      [
        "views": .array(
          views.map {
            [
              "name": .string($0.name), "about": .string($0.about),
              "columns": .array($0.columns.map { .string($0.name) }),
            ]
          })
      ],
      lines: views.flatMap { view in
        [
          output.bold(view.name) + "  " + output.faint(saidAgain(view.about)),
          "  " + view.columns.map(\.name).joined(separator: " "),
        ]
      })
  }
}

/// Prints a query's rows as they arrive, in the requested format.
struct QueryPrinter {
  private let output: Output
  private var names: [String] = []
  /// The rows that wait until the widths of their columns are known.
  private var waiting: [[String]] = []
  private var widths: [Int] = []
  /// The rows of the JSON document, which is written only when it is complete.
  private var document: [String] = []
  private var count = 0

  /// The number of rows that determine the widths.
  private static let sample = 200
  /// The maximum width of texts shown to a person; longer ones are truncated.
  private static let widest = 60

  init(_ output: Output) { self.output = output }

  mutating func begin(_ names: [String]) {
    self.names = names
    switch output.format {
    case .csv: output.data(SpreadsheetText().line(names.map { .text($0) }))
    case .markdown:
      output.data(row(names))
      output.data("|" + names.map { _ in " --- |" }.joined())
    case .text, .short, .json: break
    case .jsonl: self.names = Self.unique(names)
    }
  }

  mutating func add(_ cells: [JSON]) {
    count += 1
    switch output.format {
    case .json: document.append(JSON.array(cells).text())
    case .jsonl:
      var object = JSONObject()
      for (name, cell) in zip(names, cells) { object[name] = cell }
      output.data(JSON.object(object).text())
    case .csv: output.data(SpreadsheetText().line(cells.map(Self.cell)))
    case .markdown: output.data(row(cells.map(Self.text)))
    case .text, .short:
      waiting.append(cells.map { Self.shown($0, isCut: output.isTerminal) })
      if waiting.count >= Self.sample { flush() }
    }
  }

  mutating func end() {
    switch output.format {
    case .json:
      let columns = JSON.array(names.map { .string($0) }).text()
      output.data("{\"columns\":\(columns),\"rows\":[\(document.joined(separator: ","))]}")
    case .text, .short:
      flush()
      output.say(said(count, one: "\(count) row", other: "\(count) rows"))
    case .markdown, .jsonl, .csv: break
    }
  }

  // MARK: Text

  private mutating func flush() {
    var lines: [[String]] = []
    if widths.isEmpty {
      widths = names.indices.map { index in
        max(names[index].count, waiting.map { $0[index].count }.max() ?? 0)
      }
      lines.append(names)
    }
    lines += waiting
    waiting = []
    let texts = lines.map { cells in
      let padded = zip(cells, widths).enumerated().map { index, cell in
        // The last cell of a line needs no padding.
        index == cells.count - 1
          ? cell.0 : cell.0 + String(repeating: " ", count: max(0, cell.1 - cell.0.count))
      }
      return padded.joined(separator: "  ")
    }
    output.result(.null, lines: texts)
  }

  private func row(_ cells: [String]) -> String {
    "|"
      + cells.map { cell in
        " " + EntryText.oneLine(cell).replacingOccurrences(of: "|", with: "\\|") + " |"
      }.joined()
  }

  private static func shown(_ cell: JSON, isCut: Bool) -> String {
    let line = EntryText.oneLine(text(cell))
    return isCut && line.count > widest ? String(line.prefix(widest - 1)) + "…" : line
  }

  /// Makes column names unique, because they become the members of an object.
  static func unique(_ names: [String]) -> [String] {
    let given = Set(names)
    var taken: Set<String> = []
    return names.map { name in
      var (unique, number) = (name, 1)
      // A made name must not be that of another column: a, a, a_2.
      while taken.contains(unique) || number > 1 && given.contains(unique) {
        number += 1
        unique = "\(name)_\(number)"
      }
      taken.insert(unique)
      return unique
    }
  }

  private static func cell(_ cell: JSON) -> SpreadsheetText.Cell {
    if case .string(let text) = cell { return .text(text) }
    return .plain(text(cell))
  }

  /// Returns a cell without quotation marks; empty for null.
  private static func text(_ cell: JSON) -> String {
    switch cell {
    case .null: ""
    case .string(let text): text
    default: cell.text()
    }
  }
}

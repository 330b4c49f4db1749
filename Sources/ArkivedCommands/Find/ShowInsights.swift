import ArgumentParser
import ArkivedAssistant
import ArkivedCore
import ArkivedStore
import Foundation

/// The `insights` command: insights from the figures of many days.
struct ShowInsights: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "insights",
    abstract:
      """
      Show habits and streaks, where your time goes, measurements, places and mood, or compare two \
      periods.
      """,
    discussion: """
      arkived insights                            habits of the last 90 days
      arkived insights year --of mood --year 2025 day by day
      arkived insights time --from 2025-01-01 --to 2025-06-30
      arkived insights measures --of metric:steps --by week
      arkived insights places --span all
      arkived insights mood                       what your mood is related to
      arkived insights compare --a 2026-03 --b 2025-03
      """)

  @Argument(help: "year, habits, time, measures, places, mood or compare. Default: habits.")
  var topic: [String] = []
  @Option(help: "The first day of a custom period.", completion: .days)
  var from: String?
  @Option(help: "The last day.", completion: .days)
  var to: String?
  @Option(help: "30, 90 or 365 (days up to today), all, or a year.")
  var span: String?
  @Option(help: "What to show: mood, energy, entries, metric:NAME or unit:NAME.")
  var of: String?
  @Option(help: "hours or entries. For measurements: day, week or month.")
  var by: String?
  @Option(help: "The year to show day by day.")
  var year: String?
  @Option(help: "The first period to compare: 2025, 2025-03 or 2025-03-01..2025-03-14.")
  var a: String?
  @Option(help: "The second period. Default: the one before the first.")
  var b: String?
  @OptionGroup var format: FormatOption
  @OptionGroup var options: GlobalOptions

  func run() throws {
    let context = try Context(options, format)
    let output = context.output
    let question = try question(context)
    let engine = InsightEngine(archive: try context.open(), zone: context.zone)
    var shown = ContinuousClock.now
    let report = try engine.report(question) { done, total in
      guard shown.duration(to: .now) > .seconds(1) else { return }
      shown = .now
      let (read, most) = (AmountText.grouped(done), AmountText.grouped(total))
      output.say(said("Reading entries: \(read) of at most \(most)."))
    }
    if output.format == .csv {
      for section in report.sections { output.part(section.table.csv) }
      return
    }
    output.result(report.json, lines: lines(report, output))
  }

  private func question(_ context: Context) throws -> InsightQuestion {
    guard self.topic.count < 2, let topic = InsightTopic(rawValue: self.topic.first ?? "habits")
    else {
      let known = InsightTopic.allCases.map(\.rawValue).joined(separator: ", ")
      throw CommandFailure(
        .usage,
        said(
          """
          “\(self.topic.joined(separator: " "))” isn’t one of these: \(known). To save it as an \
          entry: `arkived add insights …`
          """))
    }
    let given = [
      "span": span, "of": of, "by": by, "year": year, "a": a, "b": b,
      "from": try from.map { try day($0, context) }, "to": try to.map { try day($0, context) },
    ].compactMapValues(\.self)
    if let stray = given.keys.sorted().first(where: { !topic.arguments.contains($0) }) {
      throw CommandFailure(.usage, said("--\(stray) doesn’t apply to \(topic.rawValue)."))
    }
    do throws(FieldError) {
      return try InsightQuestion(topic, today: context.today) { given[$0] }
    } catch {
      throw CommandFailure(.usage, "--\(saidAgain(error.description)).")
    }
  }

  private func day(_ phrase: String, _ context: Context) throws -> String {
    try Context.day(phrase, now: context.clock.now, zone: context.zone).description
  }

  private func lines(_ report: InsightReport, _ output: Output) -> [String] {
    var lines = [output.bold(report.title)] + report.statements
    for section in report.sections {
      lines += ["", output.bold(section.heading)]
      if let note = section.note { lines.append(output.faint(note)) }
      lines += Self.table(section.table)
    }
    return lines
  }

  /// Formats the table in columns: words left-aligned, numbers right-aligned.
  static func table(_ table: InsightTable) -> [String] {
    let head = table.columns.map(\.heading)
    let rows = table.rows.map { row in
      zip(table.columns, row.values).map { column, value in
        String(column.shown(value).prefix(40))
      }
    }
    let widths = head.indices.map { index in
      ([head] + rows).map { $0[index].count }.max() ?? 0
    }
    return ([head] + rows).map { cells in
      zip(cells, widths).enumerated().map { index, cell in
        let space = String(repeating: " ", count: cell.1 - cell.0.count)
        return index == 0 ? cell.0 + space : space + cell.0
      }.joined(separator: "  ")
    }
  }
}

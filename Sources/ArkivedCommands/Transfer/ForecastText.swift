import ArkivedCore
import ArkivedEngine
import ArkivedImport

/// What an import would do, for a person to read.
struct ForecastText {
  private let forecast: ImportForecast
  private let output: Output

  init(_ forecast: ImportForecast, _ output: Output) {
    self.forecast = forecast
    self.output = output
  }

  func lines(of path: String) -> [String] {
    var counts = forecast.created.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
    if counts.isEmpty { counts = ["nothing"] }
    let files = forecast.files.count == 1 ? "1 file" : "\(forecast.files.count) files"
    var lines = [
      "\(output.bold(path)) (\(forecast.format), \(files)): \(counts.joined(separator: ", ")) new, "
        + "\(forecast.updated) changed, \(forecast.unchanged) known, \(forecast.skipped) left out"
    ]
    if forecast.kept > 0 {
      lines.append(
        "  \(forecast.kept) of the known differ from what is here; your version would stay")
    }
    if let first = forecast.firstDay, let last = forecast.lastDay {
      lines.append(first == last ? "  on \(first)" : "  from \(first) to \(last)")
    }
    lines += columns
    lines += forecast.examples.map { example in
      let day = example.dayKey.map { "\($0)  " } ?? ""
      return "  \(Self.padded(Self.word(example.standing), 8)) \(day)"
        + "\(EntryText.oneLine(example.text)) \(output.faint(example.place))"
    }
    return lines + Self.lines(of: forecast.warnings)
  }

  static func lines(of warnings: [ImportRun.Warning]) -> [String] {
    var lines = warnings.prefix(20).map { "  \($0.place): \($0.message)" }
    if warnings.count > 20 { lines.append("  … and \(warnings.count - 20) more (--json)") }
    return lines
  }

  /// The mapping of a table, a column a line.
  private var columns: [String] {
    guard let table = forecast.table else { return [] }
    let rows = zip(table.mapping.columns, table.examples).map { column, examples in
      [
        EntryText.oneLine(column.name), column.words,
        examples.map { String(EntryText.oneLine($0).prefix(24)) }.joined(separator: " · "),
      ]
    }
    let origin =
      switch table.origin {
      case .told: "as you told"
      case .guessed: "guessed"
      case .profile(let name): "by the profile “\(name)”"
      }
    let all = [["column", "becomes", "for example"]] + rows
    let widths = (0..<2).map { index in all.map { $0[index].count }.max() ?? 0 }
    return ["  The columns, \(origin):"]
      + all.map { row in
        "    \(Self.padded(row[0], widths[0]))  \(Self.padded(row[1], widths[1]))  \(row[2])"
      }
  }

  private static func word(_ standing: ImportForecast.Standing) -> String {
    switch standing {
    case .new: "new"
    case .changed: "changed"
    case .known: "known"
    case .kept: "kept"
    case .leftOut: "left out"
    }
  }

  private static func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }
}

import ArkivedCore
import ArkivedEngine
import ArkivedImport

/// A preview of an import, for a person to read.
struct ForecastText {
  private let forecast: ImportForecast
  private let output: Output

  init(_ forecast: ImportForecast, _ output: Output) {
    self.forecast = forecast
    self.output = output
  }

  /// Returns the preview's lines.
  ///
  /// - Parameters:
  ///   - path: the path as typed.
  ///   - tellsGuess: false to omit the remark that columns were guessed, which the table shows.
  /// - Returns: the lines.
  func lines(of path: String, tellsGuess: Bool = true) -> [String] {
    let count = forecast.files.count
    let files = said(count, one: "\(count) file", other: "\(count) files")
    let created = ItemCount.text(forecast.created)
    let (updated, unchanged, skipped) = (
      AmountText.grouped(forecast.updated), AmountText.grouped(forecast.unchanged),
      AmountText.grouped(forecast.skipped)
    )
    let counts = said(
      "\(created) new, \(updated) changed, \(unchanged) already known, \(skipped) skipped")
    var lines = ["\(output.bold(path)) (\(forecast.format), \(files)): \(counts)"]
    if forecast.kept > 0 {
      lines.append(
        "  "
          + said(
            forecast.kept,
            one: "\(forecast.kept) known entry differs here. Your version would be kept.",
            other: "\(forecast.kept) known entries differ here. Your version would be kept."))
    }
    if forecast.placed > 0 { lines.append("  " + PlacesText.line(forecast)) }
    if let first = forecast.firstDay, let last = forecast.lastDay {
      lines.append(first == last ? said("  on \(first)") : said("  from \(first) to \(last)"))
    }
    lines += columns
    for example in forecast.examples {
      let day = example.dayKey.map { "\($0)  " } ?? ""
      lines.append(
        "  \(Self.padded(Self.word(example.standing), 8)) \(day)"
          + "\(EntryText.oneLine(example.text)) \(output.faint(example.place))")
      // The parts show how a guessed mapping interprets the row.
      guard forecast.table != nil, !example.parts.isEmpty else { continue }
      let parts = example.parts.map { EntryText.oneLine($0) }.joined(separator: " · ")
      lines.append("  \(Self.padded("", 8)) \(parts)")
    }
    let warnings = forecast.warnings.filter {
      tellsGuess || !$0.message.hasPrefix("the columns were guessed")
    }
    return lines + Self.lines(of: warnings)
  }

  static func lines(of warnings: [ImportRun.Warning], limit: Int = 20) -> [String] {
    var lines = warnings.prefix(limit).map { "  \(saidAgain($0.place)): \(saidAgain($0.message))" }
    if warnings.count > limit {
      lines.append(said("  … and \(warnings.count - limit) more (--json lists all)"))
    }
    return lines
  }

  /// The mapping of a table, one line per column.
  private var columns: [String] {
    guard let table = forecast.table else { return [] }
    let rows = zip(table.mapping.columns, table.examples).map { column, examples in
      [
        EntryText.oneLine(column.name), saidAgain(column.words),
        examples.map { String(EntryText.oneLine($0).prefix(24)) }.joined(separator: " · "),
      ]
    }
    let origin =
      switch table.origin {
      case .told: said("as specified")
      case .guessed: said("guessed")
      case .profile(let name): said("from profile “\(name)”")
      }
    let all = [[said("column"), said("becomes"), said("for example")]] + rows
    let widths = (0..<2).map { index in all.map { $0[index].count }.max() ?? 0 }
    return [said("  Columns (\(origin)):")]
      + all.map { row in
        "    \(Self.padded(row[0], widths[0]))  \(Self.padded(row[1], widths[1]))  \(row[2])"
      }
  }

  private static func word(_ standing: ImportForecast.Standing) -> String {
    switch standing {
    case .new: said("new")
    case .changed: said("changed")
    case .known: said("known")
    case .kept: said("kept")
    case .leftOut: said("skipped")
    }
  }

  private static func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }
}

/// The planned handling of a source's coordinates.
enum PlacesText {
  static func line(_ forecast: ImportForecast) -> String {
    let count = said(
      forecast.placed, one: "\(forecast.placed) entry has coordinates.",
      other: "\(forecast.placed) entries have coordinates.")
    let outcome =
      switch forecast.places {
      case .keep: said("They would be kept. To drop them: --places names")
      case .names: said("They would be dropped. To keep them: --places keep")
      case .none: said("They would be dropped, and so would place names.")
      }
    return "\(count) \(outcome)"
  }
}

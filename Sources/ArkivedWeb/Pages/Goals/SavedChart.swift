import ArkivedAssistant
import ArkivedCore
import Foundation

/// A chart of the goals' pages as a separate file: the drawing of the page with its colours
/// included.
enum SavedChart {
  /// Returns the drawing of a goal's progress.
  static func svg(_ chart: GoalChart) -> String {
    file(chart.html, size: "width=\"720\" height=\"300\"", style: chartStyle)
  }

  /// Returns the grid of a life in weeks.
  static func svg(_ grid: LifeGrid) -> String {
    file(grid.html, size: "width=\"1136\"", style: gridStyle)
  }

  /// Returns a goal's weeks as a table (RFC 4180), with days as YYYY-MM-DD.
  static func csv(_ chart: GoalChart) -> String {
    let unit = chart.goal.measurementUnit
    let columns: [InsightTable.Column] = [
      .init("week", "week"), .init("amount", "amount", unit: unit),
      .init("total", "total", unit: unit), .init("pace", "pace", unit: unit),
    ]
    let rows = chart.weeks.map { week in
      InsightTable.Row([
        .day(week.day), .number(week.total), .number(week.sum),
        week.pace.map { InsightValue.number($0) } ?? .empty,
      ])
    }
    return InsightTable(columns, rows).csv
  }

  /// Returns a drawing as a file.
  ///
  /// - Parameters:
  ///   - html: one `svg` element, whose opening tag contains no other `>`.
  ///   - size: the attributes for its width and height.
  ///   - style: its style sheet.
  /// - Returns: the content of the file.
  private static func file(_ html: String, size: String, style: String) -> String {
    let opening = "<svg "
    guard html.hasPrefix(opening), let end = html.firstIndex(of: ">") else { return html }
    let attributes = html[html.index(html.startIndex, offsetBy: opening.count)..<end]
    return "<svg xmlns=\"http://www.w3.org/2000/svg\" \(size) "
      + "font-family=\"system-ui, sans-serif\" \(attributes)><style>\(style)</style>"
      + html[html.index(after: end)...]
  }

  // These are the light colours of tokens.css.
  private static let chartStyle = """
    text{font-size:12px;fill:#5c5953}.chart-now{fill:#0d6a66}\
    line,path{vector-effect:non-scaling-stroke;fill:none}.chart-grid{stroke:#d8d3c8}\
    .chart-target{stroke:#a85505;stroke-dasharray:2 4}.chart-pace{stroke:#6b6760;stroke-width:1.5}\
    .chart-area{fill:#a85505;opacity:.12}.chart-line{stroke:#a85505;stroke-width:2.5}\
    .chart-projected{stroke:#a85505;stroke-width:2;stroke-dasharray:5 5}\
    .chart-today{stroke:#0d6a66;stroke-dasharray:3 3}\
    .chart-end{stroke:#a85505;stroke-width:9;stroke-linecap:round}
    """
  private static let gridStyle = """
    text{font-size:11px;fill:#5c5953;text-anchor:end}.is-lived{fill:#6b6760}.is-ahead{fill:#d8d3c8}\
    .is-term{fill:#7a3fb5}.is-term-ahead{fill:#d9c8ea}.is-now{fill:#0d6a66}
    """
}

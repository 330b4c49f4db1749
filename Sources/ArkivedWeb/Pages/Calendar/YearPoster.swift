import ArkivedCore
import ArkivedStore
import Foundation

/// A year as a picture on one sheet: its days shaded, a title for each month, and its totals.
struct YearPoster {
  let year: Int
  let shown: CalendarPage.Shown
  let summaries: [DaySummary]
  let today: DayKey

  private static let width = 1_120.0
  private static let left = 90.0
  private static let top = 150.0
  private static let cell = 32.0
  private static let rowHeight = 50.0
  private static let height = 792.0

  var title: String { "\(year)" }

  /// The totals of the year: "1,856 entries · 322 days with entries · average mood 3.4".
  var figures: String {
    let entries = summaries.reduce(0) { $0 + $1.entryCount }
    let days = summaries.count { $0.entryCount > 0 }
    let photos = summaries.reduce(0) { $0 + $1.photoCount }
    func number(_ count: Int) -> String { AmountText.grouped(count) }
    let parts: [String?] = [
      said(entries, one: "\(number(entries)) entry", other: "\(number(entries)) entries"),
      said(days, one: "1 day with entries", other: "\(number(days)) days with entries"),
      photos == 0
        ? nil : said(photos, one: "\(number(photos)) photo", other: "\(number(photos)) photos"),
      Self.mean(summaries.compactMap(\.mood)).map { said("average mood \($0)") },
      Self.mean(summaries.compactMap(\.energy)).map { said("average energy \($0)") },
    ]
    return parts.compactMap(\.self).joined(separator: " · ")
  }

  private static func mean(_ levels: [Int]) -> String? {
    guard !levels.isEmpty else { return nil }
    let mean = Double(levels.reduce(0, +)) / Double(levels.count)
    return AmountText.shown((mean * 10).rounded() / 10)
  }

  /// Returns the title of a special day of a month: a pinned one, or the one with the best mood, or
  /// the fullest.
  private func highlight(_ month: Int) -> String? {
    func rank(_ day: DaySummary) -> (Int, Int, Int) {
      (day.pinCount > 0 ? 1 : 0, day.mood ?? 0, day.entryCount)
    }
    let titled = summaries.filter { $0.dayKey.month == month && $0.title?.isEmpty == false }
    return titled.max { rank($0) < rank($1) }.flatMap { day in
      day.title.map { "\(day.dayKey.shownDayAndMonth): \(ClippedText.of($0, limit: 120))" }
    }
  }

  /// The picture with its own colours, for printing and saving.
  var svg: String {
    var drawing = Drawing(for: .file)
    drawing.begin(
      "poster", label: said("The year \(title)"), width: Self.width, height: Self.height)
    drawing.text(title, x: Self.left, y: 78, size: 64, .ink)
    drawing.text(figures, x: Self.left, y: 112, size: 16, .soft)
    for day in 1...31 {
      drawing.text(
        "\(day)", x: Self.left + (Double(day) - 0.5) * Self.cell, y: Self.top - 8,
        anchor: "middle", size: 10, .soft)
    }
    let known = Dictionary(summaries.map { ($0.dayKey, $0) }) { first, _ in first }
    let scale = CalendarPage.Scale(summaries.map(\.entryCount))
    for month in 1...12 {
      let y = Self.top + Double(month - 1) * Self.rowHeight
      drawing.text(
        MonthName.shown[month - 1], x: Self.left - 10, y: y + 19, anchor: "end", size: 12, .ink)
      if let words = highlight(month) {
        drawing.text(words, x: Self.left + 1, y: y + 42, size: 11, .soft)
      }
      for day in 1...31 {
        guard let key = DayKey(year: year, month: month, day: day) else { continue }
        let x = Self.left + Double(day - 1) * Self.cell + 1
        guard key <= today || known[key] != nil else {
          drawing.rect(x: x + 13, y: y + 14, width: 4, height: 2, .line)
          continue
        }
        drawing.rect(
          x: x, y: y, width: Self.cell - 2, height: 28, radius: 4,
          .level(level(known[key], scale)))
      }
    }
    drawing.text(
      legend, x: Self.left, y: Self.top + 12 * Self.rowHeight + 24, size: 11, .soft)
    drawing.end()
    return drawing.html
  }

  private func level(_ summary: DaySummary?, _ scale: CalendarPage.Scale) -> Int {
    switch shown {
    case .entries: scale.level(summary?.entryCount ?? 0)
    case .mood: summary?.mood ?? 0
    case .energy: summary?.energy ?? 0
    }
  }

  private var legend: String {
    switch shown {
    case .entries: said("The darker the square, the more entries on that day.")
    case .mood: said("The darker the square, the better the mood on that day.")
    case .energy: said("The darker the square, the higher the energy on that day.")
    }
  }
}

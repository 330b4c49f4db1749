import ArkivedCore
import Foundation

/// Terms as bars along a time line, with a mark for today.
struct TermTimeline {
  let terms: [Term]
  let today: DayKey
  private let first: DayKey
  private let last: DayKey

  /// Creates a time line.
  ///
  /// - Parameters:
  ///   - terms: the terms, latest first; only a limited number is drawn.
  ///   - today: the current day.
  init?(_ terms: [Term], today: DayKey) {
    let shown = terms.prefix(60).sorted {
      ($0.startDate, $0.termNumber) < ($1.startDate, $1.termNumber)
    }
    guard let start = shown.map(\.startDate).min(), let end = shown.map(\.targetDate).max() else {
      return nil
    }
    self.terms = shown
    self.today = today
    // Today is included if it is near.
    let span = max(70, start.distance(to: end))
    first = today < start && today.distance(to: start) <= span ? today : start
    last = max(
      today > end && end.distance(to: today) <= span ? today : end, first.advanced(by: 1))
  }

  private func x(_ day: DayKey) -> Double {
    Double(first.distance(to: day)) / Double(first.distance(to: last)) * 100
  }

  var firstLabel: String { GoalWords.shortDay(first, today: today) }
  var lastLabel: String { GoalWords.shortDay(last, today: today) }

  var html: String {
    var lanes: [DayKey] = []
    var placed: [(term: Term, lane: Int)] = []
    for term in terms {
      if let lane = lanes.firstIndex(where: { $0 < term.startDate }) {
        lanes[lane] = term.targetDate
        placed.append((term, lane))
      } else if lanes.count < 12 {
        lanes.append(term.targetDate)
        placed.append((term, lanes.count - 1))
      }
    }
    let height = lanes.count * 30 + 6
    var writer = HTMLWriter()
    writer.raw(
      "<svg class=\"term-line\" width=\"100%\" height=\"\(height)\" role=\"group\" "
        + "aria-label=\"")
    writer.value(said("Terms over time"))
    writer.raw("\">")
    for (term, lane) in placed {
      let left = x(term.startDate)
      let width = max(1, x(term.targetDate) - left)
      writer.raw(
        "<a href=\"/terms/\(term.id.uuidString)\"><rect class=\"is-\(term.status(on: today).rawValue)\" "
          + "x=\"\(SVGNumber.of(left))%\" y=\"\(lane * 30 + 3)\" width=\"\(SVGNumber.of(width))%\" "
          + "height=\"26\" rx=\"6\"><title>")
      writer.value(
        "\(ClippedText.of(term.shownTitle, limit: 120)), "
          + (GoalWords.span(term.startDate, term.targetDate, today: today) ?? ""))
      writer.raw("</title></rect>")
      if width > 4 {
        writer.raw(
          "<text x=\"\(SVGNumber.of(left + width / 2))%\" y=\"\(lane * 30 + 21)\" "
            + "text-anchor=\"middle\">\(term.termNumber)</text>")
      }
      writer.raw("</a>")
    }
    if (first...last).contains(today) {
      let place = SVGNumber.of(x(today))
      writer.raw(
        "<line class=\"chart-today\" x1=\"\(place)%\" x2=\"\(place)%\" y1=\"0\" y2=\"\(height)\"/>")
    }
    writer.raw("</svg>")
    return writer.text
  }
}

/// A life in weeks: one small square for each, a year of life per row.
struct LifeGrid {
  let life: LifeTime
  let terms: [Term]
  let today: DayKey

  /// The most weeks of a year.
  private static let perRow = 53
  private static let cell = 10
  private static let mostYears = 160

  private var lived: Int { min(life.weeksLived(on: today), expected) }
  private var expected: Int { min(max(life.weeksExpected, 1), 52 * Self.mostYears) }

  /// The weeks of each year of the expected life.
  private var years: [Range<Int>] {
    let expected = expected
    return (0..<Self.mostYears).map { life.weeks(ofYear: $0) }
      .filter { !$0.isEmpty && $0.lowerBound < expected }
  }

  /// Returns the weeks of a term.
  private func weeks(_ term: Term) -> Range<Int>? {
    let first = life.birthDate.distance(to: term.startDate) / 7
    let last = life.birthDate.distance(to: term.targetDate) / 7
    let start = max(0, first)
    let end = min(last + 1, expected)
    // A term may be outside the expected life.
    return start < end ? start..<end : nil
  }

  /// Returns consecutive weeks as squares in the rows of their years.
  private func path(_ weeks: Range<Int>, _ years: [Range<Int>]) -> String {
    var path = ""
    for (row, year) in years.enumerated() {
      for week in weeks.clamped(to: year) {
        let column = week - year.lowerBound
        path += "M\(column * Self.cell + 1) \(row * Self.cell + 1)h8v8h-8z"
      }
    }
    return path
  }

  var html: String {
    let years = years
    let rows = years.count
    let left = 34
    var writer = HTMLWriter()
    writer.raw(
      "<svg class=\"life-grid\" viewBox=\"-\(left) -4 \(Self.perRow * Self.cell + left + 4) "
        + "\(rows * Self.cell + 8)\" role=\"img\" aria-labelledby=\"life-title life-desc\">"
        + "<title id=\"life-title\">\(said("A life in weeks"))</title><desc id=\"life-desc\">")
    writer.value(
      said("\(GoalWords.count(life.weeksLived(on: today), "week")) lived, ")
        + said("\(GoalWords.count(life.weeksRemaining(on: today), "week")) to come. ")
        + said("\(GoalWords.count(terms.count, "term")) marked."))
    writer.raw("</desc>")
    for row in stride(from: 0, to: rows, by: 10) {
      writer.raw("<text x=\"-8\" y=\"\(row * Self.cell + 9)\">\(row)</text>")
    }
    writer.raw("<path class=\"is-lived\" d=\"\(path(0..<lived, years))\"/>")
    writer.raw("<path class=\"is-ahead\" d=\"\(path(lived..<expected, years))\"/>")
    for term in terms {
      guard let weeks = weeks(term) else { continue }
      let past = weeks.clamped(to: 0..<max(lived, 0))
      let ahead = weeks.clamped(to: lived..<max(expected, lived))
      for (range, name) in [(past, "is-term"), (ahead, "is-term-ahead")] where !range.isEmpty {
        writer.raw("<path class=\"\(name)\" d=\"\(path(range, years))\"><title>")
        writer.shown(ClippedText.of(term.shownTitle, limit: 120))
        writer.raw("</title></path>")
      }
    }
    if lived < expected, life.birthDate <= today,
      let row = years.firstIndex(where: { $0.contains(lived) })
    {
      let column = lived - years[row].lowerBound
      writer.raw(
        "<rect class=\"is-now\" x=\"\(column * Self.cell - 1)\" y=\"\(row * Self.cell - 1)\" "
          + "width=\"12\" height=\"12\" rx=\"3\"><title>\(said("This week"))</title></rect>")
    }
    writer.raw("</svg>")
    return writer.text
  }
}

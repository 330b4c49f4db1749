import ArkivedCore
import Foundation

/// A goal's progress compared with the straight line to its target, as a chart and in words.
struct GoalChart {
  let goal: Goal
  let progress: GoalProgress
  /// The total of each day so far, in order.
  let days: [DayTotal]
  let today: DayKey

  /// The first day in the chart.
  let first: DayKey
  private let last: DayKey
  private let top: Double
  /// The point that the current rate reaches: the target, or the edge of the chart.
  private let projected: (day: DayKey, amount: Double)?

  /// Creates a chart, or returns nil if there is nothing to draw.
  init?(_ goal: Goal, _ progress: GoalProgress, days all: [DayTotal], today: DayKey) {
    // Actions of later days are plans, which the total doesn't have either.
    let lastCounted = GoalProgress.lastDay(countingOn: today)
    let days = all.filter { $0.day <= lastCounted }
    guard progress.total.isFinite,
      let first = [goal.startDate, days.first?.day].compactMap({ $0 }).min()
    else { return nil }
    var last = max(goal.targetDate ?? today, days.last?.day ?? first)
    if goal.targetDate == nil { last = max(last, today) }
    var projected: (day: DayKey, amount: Double)?
    let isOver = goal.targetDate.map { $0 < today } ?? false
    if let target = goal.measurementTarget, !progress.isComplete, !isOver, progress.total > 0,
      let arrival = progress.pace.projectedDate, arrival > today, today >= first
    {
      // A distant completion date would squeeze the progress so far into a corner.
      let span = max(7, first.distance(to: last))
      let reach = min(arrival, max(last, today).advanced(by: span / 3))
      let share = Double(today.distance(to: reach)) / Double(today.distance(to: arrival))
      last = max(last, reach)
      projected = (reach, progress.total + (target - progress.total) * share)
    }
    guard first < last else { return nil }
    self.goal = goal
    self.progress = progress
    self.days = days
    self.today = today
    self.first = first
    self.last = last
    self.projected = projected
    let highest = max(goal.measurementTarget ?? 0, progress.total, projected?.amount ?? 0)
    guard highest > 0 else { return nil }
    top = highest * 1.06
  }

  private func x(_ day: DayKey) -> Double {
    Double(first.distance(to: day)) / Double(first.distance(to: last)) * 100
  }

  private func y(_ amount: Double) -> Double { 100 - min(max(amount / top, 0), 1) * 100 }

  private func point(_ day: DayKey, _ amount: Double) -> String {
    "\(SVGNumber.of(x(day))) \(SVGNumber.of(y(amount)))"
  }

  /// The line of the progress, which rises on days with actions.
  private var way: (line: String, end: DayKey) {
    var path = "M\(point(first, 0))"
    var sum = 0.0
    // More corners than the chart has pixels cannot be seen.
    let step = max(1, days.count / 600)
    for (index, day) in days.enumerated() {
      let before = sum
      sum += day.total
      guard index % step == 0 || index == days.count - 1 else { continue }
      path += "L\(point(day.day, before))L\(point(day.day, sum))"
    }
    let end = max(min(today, last), days.last?.day ?? first)
    return (path + "L\(point(end, sum))", end)
  }

  var html: String {
    var writer = HTMLWriter()
    let (line, end) = way
    writer.raw(
      "<svg class=\"chart\" role=\"img\" aria-labelledby=\"chart-title chart-desc\">"
        + "<title id=\"chart-title\">")
    writer.shown(said("Progress: \(ClippedText.of(goal.title, limit: 120))"))
    writer.raw("</title><desc id=\"chart-desc\">")
    writer.shown(words)
    writer.raw(
      "</desc><svg viewBox=\"0 0 100 100\" preserveAspectRatio=\"none\" width=\"100%\" "
        + "height=\"100%\">")
    for quarter in [25, 50, 75] {
      writer.raw(
        "<line class=\"chart-grid\" x1=\"0\" x2=\"100\" y1=\"\(quarter)\" y2=\"\(quarter)\"/>")
    }
    if let target = goal.measurementTarget {
      let height = SVGNumber.of(y(target))
      writer.raw(
        "<line class=\"chart-target\" x1=\"0\" x2=\"100\" y1=\"\(height)\" y2=\"\(height)\"/>")
      if let start = goal.startDate ?? days.first?.day, let end = goal.targetDate, start < end {
        writer.raw("<path class=\"chart-pace\" d=\"M\(point(start, 0))L\(point(end, target))\"/>")
      }
    }
    writer.raw(
      "<path class=\"chart-area\" d=\"\(line)L\(SVGNumber.of(x(end))) 100L0 100Z\"/>"
        + "<path class=\"chart-line\" d=\"\(line)\"/>")
    if let projected {
      writer.raw(
        "<path class=\"chart-projected\" d=\"M\(point(end, progress.total))"
          + "L\(point(projected.day, projected.amount))\"/>")
    }
    if (first...last).contains(today) {
      let place = SVGNumber.of(x(today))
      writer.raw(
        "<line class=\"chart-today\" x1=\"\(place)\" x2=\"\(place)\" y1=\"0\" y2=\"100\"/>")
    }
    writer.raw("<path class=\"chart-end\" d=\"M\(point(end, progress.total))h0\"/></svg>")
    if let target = goal.measurementTarget {
      let height = y(target)
      writer.raw("<text x=\"4\" y=\"\(SVGNumber.of(height))%\" dy=\"1.2em\">")
      writer.shown(ClippedText.of(GoalWords.amount(target, goal.measurementUnit), limit: 28))
      writer.raw("</text>")
    }
    if (first...last).contains(today), progress.pace.standing != .notStarted {
      let place = x(today)
      let isLate = place > 70
      writer.raw(
        "<text class=\"chart-now\" x=\"\(SVGNumber.of(place))%\" y=\"100%\" "
          + "dx=\"\(isLate ? "-5" : "5")\" dy=\"-0.5em\" text-anchor=\"\(isLate ? "end" : "start")\">"
      )
      writer.value(said("Today"))
      writer.raw("</text>")
    }
    writer.raw("</svg>")
    return writer.text
  }

  var firstLabel: String { GoalWords.shortDay(first, today: today) }
  var lastLabel: String { GoalWords.shortDay(last, today: today) }
  var hasPace: Bool { goal.measurementTarget != nil && goal.targetDate != nil }
  var hasProjection: Bool { projected != nil }

  /// A description of the chart for people who cannot see it.
  private var words: String {
    let standing = GoalStanding(goal: goal, progress: progress, today: today)
    var parts = [
      said("From \(first.shownPlainName) to \(last.shownPlainName)."),
      (standing.amountLine ?? "") + ".",
    ]
    if let expected = progress.pace.expected {
      parts.append(said("Expected by today: \(GoalWords.amount(expected, goal.measurementUnit))."))
    }
    parts += [standing.paceLine, standing.arrivalLine].compactMap { $0.map { "\($0)." } }
    return parts.joined(separator: " ")
  }

  /// The chart in numbers, week by week, the latest last.
  var table: [[String: Any]] {
    weeks.suffix(Self.weekLimit).map { week -> [String: Any] in
      [
        "weekLabel": GoalWords.day(week.day, today: today),
        "weekTotal": GoalWords.amount(week.total), "weekSum": GoalWords.amount(week.sum),
        "weekPace": week.pace.map { GoalWords.amount($0) } ?? "–",
      ]
    }
  }

  /// The total of a week, the total up to its end, and the amount the pace required by then.
  typealias Week = (day: DayKey, total: Double, sum: Double, pace: Double?)

  var weeks: [Week] {
    var sum = 0.0
    return progress.weeks.map { week -> Week in
      sum += week.total
      var pace: Double?
      if let target = goal.measurementTarget, let end = goal.targetDate,
        let start = goal.startDate ?? days.first?.day
      {
        pace = target * TimeShare.gone(from: start, to: end, on: week.day.advanced(by: 6))
      }
      return (week.day, week.total, sum, pace)
    }
  }

  /// The number of weeks shown individually.
  static let weekLimit = 156
}

/// The total of each week, as bars side by side.
struct WeekBars {
  let weeks: [GoalProgress.Week]
  let unit: String?
  let today: DayKey

  init?(_ progress: GoalProgress, today: DayKey) {
    guard progress.weeks.count > 1, progress.actions > 0 else { return nil }
    weeks = progress.weeks.suffix(53).map(\.self)
    unit = progress.unit
    self.today = today
  }

  var html: String {
    var writer = HTMLWriter()
    let largest = weeks.map(\.total).max() ?? 0
    let step = 100 / Double(max(weeks.count, 1))
    let width = min(step * 0.8, 9)
    let best = GoalWords.amount(largest, unit)
    writer.raw(
      "<svg class=\"week-bars\" viewBox=\"0 0 100 40\" preserveAspectRatio=\"none\" role=\"img\" "
        + "aria-label=\"")
    writer.value(said("\(GoalWords.count(weeks.count, "week")), best week: \(best)"))
    writer.raw("\">")
    for (index, week) in weeks.enumerated() {
      let isNow = week.day == today.startOfWeek()
      let share = largest > 0 ? max(0, week.total / largest) : 0
      let height = share > 0 ? max(2, share * 38) : 1
      writer.raw(
        "<rect class=\"\(share > 0 ? "bar-done" : "bar-none")\(isNow ? " is-now" : "")\" "
          + "x=\"\(SVGNumber.of(Double(index) * step + (step - width) / 2))\" "
          + "y=\"\(SVGNumber.of(40 - height))\" width=\"\(SVGNumber.of(width))\" "
          + "height=\"\(SVGNumber.of(height))\"><title>")
      writer.value(
        said("Week of \(GoalWords.day(week.day, today: today)): ")
          + "\(GoalWords.amount(week.total, unit)), \(GoalWords.count(week.actions, "action"))")
      writer.raw("</title></rect>")
    }
    writer.raw("</svg>")
    return writer.text
  }

  var firstLabel: String { GoalWords.shortDay(weeks.first?.day ?? today, today: today) }
  var lastLabel: String {
    weeks.last?.day == today.startOfWeek()
      ? said("this week") : GoalWords.shortDay(weeks.last?.day ?? today, today: today)
  }
}

import ArgumentParser
import ArkivedCore
import ArkivedStore
import Foundation

/// The `goal progress` command: the figures of one goal.
struct ShowGoalProgress: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "progress",
    abstract: "Show progress toward a goal: pace, streaks and weekly amounts.")

  @Argument(help: "The goal: its title, a part of it, or its ID.", completion: .goals)
  var goal: [String]
  @Option(help: "The number of recent weeks to show.") var weeks = 16
  @OptionGroup var options: GlobalOptions

  func run() throws {
    let context = try Context(options)
    let archive = try context.open()
    let goal = try archive.goal(named: goal.joined(separator: " "))
    try ShowGoalProgress.show(goal, weeks: weeks, context, archive)
  }

  static func show(
    _ goal: Goal, weeks: Int = 16, _ context: Context, _ archive: Archive
  ) throws {
    guard weeks >= 0 else { throw CommandFailure(.usage, said("--weeks can’t be negative.")) }
    guard let progress = try archive.progress(of: [goal], today: context.today)[goal.id] else {
      throw ArchiveError.notFound("No goal with the ID \(goal.id.uuidString).")
    }
    let text = GoalText(context)
    context.output.result(
      ["goal": goal.json, "progress": progress.json],
      lines: text.block(goal, progress) + figures(progress, goal, context.today)
        + chart(progress, weeks: weeks, context))
    for warning in GoalMatcher(goal).warnings { context.output.say(said("Warning: \(warning).")) }
    if !context.output.isJSON { GoalReport(context, archive).sayWaiting(progress, goal) }
  }

  private static func figures(
    _ progress: GoalProgress, _ goal: Goal, _ today: DayKey
  ) -> [String] {
    let pace = PaceText(goal: goal, progress: progress, today: today)
    var lines: [String] = []
    if let remaining = progress.remaining, remaining > 0 {
      var parts = [said("\(pace.amount(remaining)) to go")]
      if let end = goal.targetDate, end >= today {
        parts.append(said("\(GoalText.days(today.distance(to: end))) left"))
      }
      if let need = pace.need, !pace.outlook.contains(need) { parts.append(need) }
      lines.append(parts.joined(separator: " · "))
    }
    if let expected = progress.pace.expected, !progress.isComplete {
      lines.append(said("expected by today: \(pace.amount(expected))"))
    }
    if let last = progress.lastDay {
      var parts = [PaceText.actions(progress.actions), said("last on \(last.dateText(today))")]
      if let perDay = progress.pace.perDay, perDay > 0, progress.unit != nil {
        parts.append(said("\(pace.amount(perDay * 7)) a week on average"))
      }
      lines.append(parts.joined(separator: " · "))
      lines.append(
        said(
          """
          streak: \(GoalText.days(progress.dayStreak.current)) (longest \
          \(progress.dayStreak.longest)), \(weeks(progress.weekStreak.current)) (longest \
          \(progress.weekStreak.longest))
          """))
    } else {
      lines.append(said("Nothing counts toward it yet."))
    }
    return lines
  }

  private static func weeks(_ count: Int) -> String {
    said(count, one: "\(count) week", other: "\(count) weeks")
  }

  /// Formats one line per week.
  private static func chart(
    _ progress: GoalProgress, weeks: Int, _ context: Context
  ) -> [String] {
    guard progress.actions > 0, weeks > 0 else { return [] }
    let shown = progress.weeks.suffix(weeks)
    let largest = shown.map(\.total).max() ?? 0
    let unit = progress.unit.map { " \($0)" } ?? ""
    let width = max(10, min(40, context.output.columns - 30))
    var lines = [""]
    if shown.count < progress.weeks.count {
      let hidden = progress.weeks.count - shown.count
      lines.append(
        context.output.faint(
          said(
            """
            … earlier weeks: \(hidden). To show all: --weeks \(progress.weeks.count)
            """)))
    }
    lines += shown.map { week in
      let bar = Bar.column(week.total, of: largest, width: width)
      let amount = week.actions == 0 ? "·" : "\(AmountText.told(week.total))\(unit)"
      return "\(context.output.faint(week.day.description))  "
        + (bar.isEmpty ? amount : "\(bar) \(amount)")
    }
    return lines
  }
}

/// The `goal actions` command: the actions that count toward a goal.
struct GoalActions: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "actions", abstract: "List the actions that count toward a goal.")

  @Argument(help: "The goal: its title, a part of it, or its ID.", completion: .goals)
  var goal: [String]
  @Option(help: "The first day, or a phrase such as “last month”.") var from: String?
  @Option(help: "The last day, or a phrase such as “last month”.") var to: String?
  @Option(parsing: .unconditional, help: "The maximum number to return, newest first.")
  var limit = 50
  @OptionGroup var options: GlobalOptions

  func run() throws {
    let context = try Context(options)
    guard limit >= 0 else { throw CommandFailure(.usage, said("--limit can’t be negative.")) }
    let days = try DayRange.read(from: from, to: to, context)
    let archive = try context.open()
    let goal = try archive.goal(named: goal.joined(separator: " "))
    let links = try archive.contributions(toGoal: goal.id, days: days, limit: limit)
    let total =
      try archive.dayTotals(ofGoals: [goal.id], days: days)[goal.id]?.reduce(into: (0, 0.0)) {
        $0 = ($0.0 + $1.actions, $0.1 + $1.total)
      } ?? (0, 0)
    let text = ActionText(context, archive)
    let unit = goal.measurementUnit.map { " \($0)" } ?? ""
    try context.output.result(
      [
        "goal": goal.json, "count": JSON(total.0),
        "total": JSON(GoalProgress.tidy(total.1)),
        "actions": .array(
          links.map { ["action": $0.action.json, "contribution": $0.contribution.json] }),
      ],
      lines: text.lines(links.map(\.action)) { index in
        let link = links[index].contribution
        return "→ \(AmountText.told(link.contribution))\(unit) (\(GoalText.why(link)))"
      })
    guard !context.output.isJSON else { return }
    context.output.say(
      "\(PaceText.actions(total.0)), \(AmountText.told(total.1))\(unit)"
        + (links.count < total.0 ? said("; use --limit \(total.0) to show all") : ""))
  }
}

/// The range of days given by two options.
enum DayRange {
  static func read(
    from: String?, to: String?, _ context: Context
  ) throws -> ClosedRange<DayKey>? {
    guard from != nil || to != nil else { return nil }
    func day(_ text: String, _ side: TimePhrase.Side, _ option: String) throws -> DayKey {
      switch try context.bound(text, side, option: option) {
      case .day(let day): day
      case .instant(let instant): context.zone.dayKey(at: instant)
      }
    }
    let first = try from.map { try day($0, .start, "--from") } ?? .earliest
    let last = try to.map { try day($0, .end, "--to") } ?? .latest
    guard first <= last else {
      throw CommandFailure(.usage, said("--to \(last) is before --from \(first)."))
    }
    return first...last
  }
}

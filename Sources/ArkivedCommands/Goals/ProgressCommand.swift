import ArgumentParser
import ArkivedCore
import ArkivedStore
import Foundation

/// The `progress` command: an overview of goals and values.
struct ProgressCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "progress",
    abstract: "See where you stand: the current term, its goals, and matches to review.",
    discussion: """
      arkived progress            the current term and active goals
      arkived progress --all      also goals that are over or haven’t started
      arkived progress run        one goal, like arkived goal progress

      In a bar, │ marks where you would be today with the same amount every day.
      """)

  @Argument(help: "A goal. Default: all active goals.", completion: .goals)
  var goal: [String] = []
  @Flag(help: "Include goals that are over or haven’t started.") var all = false
  @OptionGroup var options: GlobalOptions

  func run() throws {
    let context = try Context(options)
    let archive = try context.open()
    guard goal.isEmpty else {
      let name = goal.joined(separator: " ")
      do {
        return try ShowGoalProgress.show(archive.goal(named: name), context, archive)
      } catch ArchiveError.notFound(let what) where goal.count > 1 {
        // The words may have been intended as an entry.
        throw CommandFailure(
          .noInput,
          saidAgain(what) + " "
            + said("To save these words as an entry: `arkived add progress …`"))
      }
    }
    let dashboard = try Dashboard(context, archive, all: all)
    context.output.result(dashboard.json, lines: dashboard.lines)
    dashboard.sayHints()
  }
}

/// The current term, the running goals, and the values they serve.
struct Dashboard {
  private let context: Context
  private let term: Term?
  private let goals: [Goal]
  private let order: [UUID: Int]
  private let progress: [UUID: GoalProgress]
  private let values: [(value: PersonalValue, goals: [Goal])]
  private let waiting: Int
  private let lifeTime: LifeTime?
  private let hasGoals: Bool

  init(_ context: Context, _ archive: Archive, all: Bool) throws {
    self.context = context
    let today = context.today
    let term = try archive.activeTerm(today: today)
    self.term = term
    let everyGoal = try archive.goals()
    hasGoals = !everyGoal.isEmpty
    let commitments = try archive.assignments().filter { $0.termID == term?.id }
    let order = Dictionary(
      commitments.map { ($0.goalID, $0.order) }, uniquingKeysWith: min)
    self.order = order
    let goals = everyGoal.filter { all || order[$0.id] != nil || Dashboard.runs($0, today) }
    self.goals = goals.enumerated().sorted {
      (order[$0.element.id] ?? .max, $0.offset) < (order[$1.element.id] ?? .max, $1.offset)
    }.map(\.element)
    progress = try archive.progress(of: goals, today: today)
    let alignments = try archive.alignments()
    values = try archive.values().filter(\.incentiveType.isValue).map { value in
      let ids = Set(alignments.filter { $0.valueID == value.id }.map(\.goalID))
      return (value, goals.filter { ids.contains($0.id) })
    }
    waiting = try archive.waitingCounts().values.reduce(0, +)
    lifeTime = try archive.lifeTime()
  }

  /// Returns true until a milestone's day arrives.
  private static func runs(_ goal: Goal, _ today: DayKey) -> Bool { goal.accepts(today) }

  var json: JSON {
    let served = values.filter { !$0.goals.isEmpty }
    return [
      "today": JSON(context.today), "term": term?.json(on: context.today) ?? .null,
      "goals": .array(
        goals.map { goal in
          [
            "goal": goal.json, "committed": .bool(order[goal.id] != nil),
            "order": JSON(order[goal.id]), "progress": progress[goal.id]?.json ?? .null,
          ]
        }),
      "values": .array(
        served.map {
          ["value": $0.value.json, "goalIds": JSON($0.goals.map(\.id.uuidString))]
        }),
      "valuesWithoutGoals": .array(values.filter(\.goals.isEmpty).map(\.value.json)),
      "waiting": JSON(waiting), "lifetime": lifeTime?.json(on: context.today) ?? .null,
    ]
  }

  var lines: [String] {
    var lines = term.map { TermReviewText.head($0, context) } ?? []
    let committed = goals.filter { order[$0.id] != nil }
    let others = goals.filter { order[$0.id] == nil }
    lines += section(committed, title: nil)
    lines += section(others, title: committed.isEmpty ? nil : said("Other goals"))
    let served = values.filter { !$0.goals.isEmpty }
    if !served.isEmpty {
      lines += ["", context.output.bold(said("Values"))]
      lines += served.map { value, goals in
        let actions = goals.reduce(0) { $0 + (progress[$1.id]?.actions ?? 0) }
        return "  \(EntryText.oneLine(value.title)): "
          + goals.map { EntryText.oneLine($0.title) }.joined(separator: ", ")
          + " (\(PaceText.actions(actions)))"
      }
    }
    let unserved = values.filter(\.goals.isEmpty).map { EntryText.oneLine($0.value.title) }
    if !unserved.isEmpty, !goals.isEmpty {
      lines += [
        served.isEmpty ? "" : nil,
        said("No goal serves these values: \(unserved.joined(separator: ", "))"),
      ]
      .compactMap { $0 }
    }
    if waiting > 0 {
      lines += [
        "",
        said(
          waiting, one: "\(waiting) match waiting for review: `arkived match review`",
          other: "\(waiting) matches waiting for review: `arkived match review`"),
      ]
    }
    if let lifeTime { lines += ["", LifeTimeText.line(lifeTime, context.today)] }
    while lines.first?.isEmpty == true { lines.removeFirst() }
    return lines
  }

  private func section(_ goals: [Goal], title: String?) -> [String] {
    guard !goals.isEmpty else { return [] }
    let text = GoalText(context)
    return (title.map { ["", context.output.bold($0)] } ?? [])
      + goals.flatMap { goal in
        progress[goal.id].map { [""] + text.block(goal, $0) } ?? []
      }
  }

  /// Suggests the next steps if there is nothing to show.
  func sayHints() {
    guard !context.output.isJSON else { return }
    if !hasGoals {
      context.output.say(
        said("No goals yet. To set one, run `arkived goal create Run 120 km --to \"31 march\"`"))
    } else if goals.isEmpty {
      context.output.say(
        said("No goal is active today. Use --all to show past and upcoming goals."))
    }
    if term == nil, hasGoals {
      context.output.say(said("No term is active today. To plan one, run `arkived term create`."))
    }
  }
}

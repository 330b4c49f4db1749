import ArkivedCore
import ArkivedStore
import Foundation

/// An interactive review of pending matches at a terminal.
struct MatchSession {
  private let context: Context
  private let archive: Archive
  private let goal: UUID?
  private var queue: [LinkedAction]
  private var place = 0
  private var steps: [Step] = []

  /// A decision: its position, the change to undo, and the number of matches decided.
  ///
  /// A skip decides none.
  private struct Step {
    var place: Int
    var change: UUID?
    var count = 0
  }

  private static var keys: String {
    said("[y] confirm  [n] reject  [s] skip  [a] confirm all for this goal  [u] undo  [q] quit")
  }

  init(_ context: Context, _ archive: Archive, goal: UUID?) throws {
    self.context = context
    self.archive = archive
    self.goal = goal
    // Grouped by goal, so consecutive questions are about the same goal.
    let waiting = try archive.waitingMatches(goal: goal, limit: 5_000)
    let order = Dictionary(
      waiting.enumerated().map { ($0.element.goal.id, $0.offset) }, uniquingKeysWith: min)
    queue = waiting.enumerated().sorted {
      (order[$0.element.goal.id] ?? 0, $0.offset) < (order[$1.element.goal.id] ?? 0, $1.offset)
    }.map(\.element)
  }

  func run() throws {
    var session = self
    try Keyboard.using { keyboard in try session.work(keyboard) }
    session.sayResult()
  }

  private mutating func work(_ keyboard: Keyboard) throws {
    guard !queue.isEmpty else { return }
    context.output.say(context.output.faint(MatchSession.keys))
    var isShown = false
    while place < queue.count {
      if !isShown { try show(queue[place]) }
      isShown = false
      guard let key = keyboard.next() else { return }
      switch key {
      case "y": try decide([queue[place]], .userConfirmed)
      case "n": try decide([queue[place]], .userRejected)
      case "s":
        context.output.say("  " + said("skipped"))
        steps.append(Step(place: place))
        place += 1
      case "a": try confirmAll()
      case "u":
        isShown = try !takeBack()
      case "q": return
      default:
        context.output.say("  " + MatchSession.keys)
        isShown = true
      }
    }
  }

  private func show(_ match: LinkedAction) throws {
    let goal = match.goal
    let link = match.contribution
    let unit = goal.measurementUnit.map { " \($0)" } ?? ""
    let progress = try archive.progress(of: [goal], today: context.today)[goal.id]
    let amount = progress.map {
      " (\(PaceText(goal: goal, progress: $0, today: context.today).amountText))"
    }
    let title = context.output.bold(EntryText.oneLine(goal.title)) + (amount ?? "")
    for line in [
      "", said("\(place + 1) of \(queue.count)  \(title)"),
      "  " + ActionText(context, archive).line(match.action),
      said(
        "  would add \(AmountText.told(link.contribution))\(unit); \(MatchSession.reason(link))"),
    ] { context.output.say(line) }
  }

  private static func reason(_ link: ActionGoalContribution) -> String {
    GoalText.why(link).replacing(said(", waiting for review"), with: "")
  }

  private mutating func decide(_ matches: [LinkedAction], _ method: MatchMethod) throws {
    do {
      let saved = try archive.decide(matches.map(\.contribution.id), method)
      steps.append(Step(place: place, change: saved.change?.id, count: matches.count))
      context.output.say(
        (method == .userRejected ? said("  rejected") : said("  confirmed"))
          + (matches.count > 1 ? " \(matches.count)" : ""))
    } catch ArchiveError.notFound {
      context.output.say(
        said("  This match no longer exists. Its action or goal was changed in the meantime."))
      steps.append(Step(place: place))
    }
    place += matches.count
  }

  /// Confirms all pending matches of the current goal, including those later in the queue.
  private mutating func confirmAll() throws {
    let goal = queue[place].goal.id
    let own = queue[place...].prefix { $0.goal.id == goal }.count
    let waiting = try archive.waitingMatches(goal: goal, limit: .max).map(\.contribution.id)
    let skipped = Set(queue[..<place].map(\.contribution.id))
    let ids = waiting.filter { !skipped.contains($0) }
    if !ids.isEmpty {
      let saved = try archive.decide(ids, .userConfirmed)
      steps.append(Step(place: place, change: saved.change?.id, count: ids.count))
    }
    context.output.say(said("  confirmed \(ids.count)"))
    place += own
  }

  /// Undoes the last decision.
  ///
  /// - Returns: true if there was something to undo.
  private mutating func takeBack() throws -> Bool {
    guard let step = steps.popLast() else {
      context.output.say(said("  Nothing to undo."))
      return false
    }
    place = step.place
    guard let change = step.change else { return true }
    _ = try archive.undo(change)
    // Matches that are pending again after undo may have a different ID.
    let again = try archive.waitingMatches(goal: queue[place].goal.id, limit: 5_000)
    for index in queue.indices[place...] where queue[index].goal.id == queue[place].goal.id {
      if let same = again.first(where: { $0.action.id == queue[index].action.id }) {
        queue[index] = same
      }
    }
    context.output.say(said("  undone"))
    return true
  }

  private func sayResult() {
    guard !queue.isEmpty else {
      context.output.say(said("Nothing to review."))
      return
    }
    let decided = steps.reduce(0) { $0 + $1.count }
    context.output.say("")
    context.output.say(
      decided > 0
        ? said("\(decided) decided. `arkived undo` reverts the last one.")
        : said("\(decided) decided."))
    let left =
      (try? archive.waitingCounts()).map { counts in
        goal.map { counts[$0] ?? 0 } ?? counts.values.reduce(0, +)
      } ?? 0
    if left > 0 {
      context.output.say(
        said(
          left, one: "\(left) still waiting for review.", other: "\(left) still waiting for review."
        ))
    }
  }
}

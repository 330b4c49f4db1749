import ArkivedCore
import ArkivedStore
import Foundation

/// The data that the pages of goals show for many goals, read at once.
struct GoalOverview: Sendable {
  let goals: [Goal]
  let values: [PersonalValue]
  let terms: [Term]
  let alignments: [GoalValueAlignment]
  let assignments: [TermGoalAssignment]
  let progress: [UUID: GoalProgress]
  let waiting: Int
  let today: DayKey

  /// Reads the data.
  ///
  /// - Parameters:
  ///   - archive: the archive.
  ///   - today: the current day.
  ///   - known: the progress of goals, if already known for those shown.
  /// - Throws: `ArchiveError` or `DatabaseError` if the archive can't be read.
  init(_ archive: Archive, today: DayKey, known: [UUID: GoalProgress]? = nil) throws {
    goals = try archive.goals()
    values = try archive.values()
    terms = try archive.terms()
    alignments = try archive.alignments()
    assignments = try archive.assignments()
    progress = try known ?? archive.progress(of: goals, today: today)
    waiting = try archive.waitingCounts().values.reduce(0, +)
    self.today = today
  }

  var activeTerm: Term? { terms.active(on: today) }

  func isPast(_ goal: Goal) -> Bool { Self.isPast(goal, today) }

  static func isPast(_ goal: Goal, _ today: DayKey) -> Bool {
    goal.targetDate.map { $0 < today } ?? false
  }

  /// Returns the goals committed to for a term, in order.
  func committed(_ term: Term) -> [Goal] {
    let byID = Dictionary(goals.map { ($0.id, $0) }) { first, _ in first }
    return assignments.filter { $0.termID == term.id }.compactMap { byID[$0.goalID] }
  }

  /// Returns goals as cards.
  func cards(_ goals: some Sequence<Goal>) -> [[String: Any]] {
    let names = Dictionary(values.map { ($0.id, $0) }) { first, _ in first }
    let served = Dictionary(grouping: alignments, by: \.goalID)
    return goals.compactMap { goal in
      guard let progress = progress[goal.id] else { return nil }
      let own = (served[goal.id] ?? []).compactMap { names[$0.valueID] }
        .sorted { ($0.priority, $0.title) < ($1.priority, $1.title) }
      return GoalCard(goal: goal, progress: progress, values: own, today: today).context
    }
  }
}

/// A goal as a card in a list.
struct GoalCard {
  let goal: Goal
  let progress: GoalProgress
  let values: [PersonalValue]
  let today: DayKey

  var context: [String: Any] {
    let standing = GoalStanding(goal: goal, progress: progress, today: today)
    let lines = [standing.paceLine, standing.arrivalLine].compactMap { $0 }
    let serves = values.prefix(4).map { value -> [String: String] in
      [
        "valueHref": "/values/\(value.id.uuidString)",
        "valueTitle": ClippedText.of(value.title, limit: 40),
      ]
    }
    let streak = standing.streakLine
    let id = goal.id.uuidString
    var context: [String: Any] = [
      "goalID": id, "goalHref": "/goals/\(id)",
      "goalTitle": ClippedText.of(goal.title, limit: 160), "ringHTML": standing.ring,
      "tone": standing.tone, "hasPaceLine": !lines.isEmpty,
      "paceLine": lines.joined(separator: " · "), "hasStreak": streak != nil,
      "streakLine": streak ?? "", "hasServes": !values.isEmpty, "serves": serves,
      "hasMoreServes": values.count > 4, "moreServes": "+\(values.count - 4)",
      "hasWaiting": progress.waiting > 0, "waitingHref": "/goals/review?goal=\(id)",
      "hasTerm": false, "isOrdered": false,
    ]
    context["waitingLine"] = said("\(DayContext.grouped(Double(progress.waiting))) to review")
    context["amountLine"] =
      standing.amountLine ?? GoalWords.span(goal.startDate, goal.targetDate, today: today)
      ?? said("No end date")
    return context
  }
}

/// A term as a card: the time that has passed and the time left.
struct TermCard {
  let term: Term
  let today: DayKey

  private static func startsIn(_ days: Int) -> String {
    let number = AmountText.grouped(days)
    return said(days, one: "starts in \(number) day", other: "starts in \(number) days")
  }

  var context: [String: Any] {
    let status = term.status(on: today)
    let left = term.daysRemaining(on: today)
    let share = term.shareGone(on: today)
    let line =
      switch status {
      case .upcoming:
        Self.startsIn(today.distance(to: term.startDate))
      case .active:
        left == 0 ? said("ends today") : said("\(GoalWords.count(left, "day")) left")
      default: said("complete")
      }
    return [
      "termHref": "/terms/\(term.id.uuidString)",
      "termTitle": ClippedText.of(term.shownTitle, limit: 160),
      "termSpan": GoalWords.span(term.startDate, term.targetDate, today: today) ?? "",
      "termStatus": status.rawValue, "termLine": line,
      "termShare": SVGNumber.of(share * 100),
      "termShareText": said("\(PercentText.whole(share * 100))% elapsed"),
    ]
  }
}

package import Foundation

/// A review of a term: the commitments, the work done and the goals neglected.
public struct TermReview: Sendable {
  /// A goal of the term.
  public struct GoalLine: Sendable {
    /// The goal.
    public var goal: Goal
    /// True if the goal was committed to; otherwise its dates only overlap the term.
    public var isCommitted: Bool
    /// The position among the commitments.
    public var order: Int?
    /// The goal's progress.
    public var progress: GoalProgress
    /// The total of the term's days so far.
    public var inTerm: Double
    /// The number of actions in the term so far that count toward it.
    public var actionsInTerm: Int
    /// The last day of the term so far with an action for it.
    public var lastDay: DayKey?
    /// The number of days of the term and of the goal without an action, up to today.
    public var quietDays: Int
    /// True if it was committed to but nothing has been done for it for a while.
    public var isNeglected: Bool
  }

  /// A value that goals of the term serve.
  public struct ValueLine: Sendable {
    /// The value.
    public var value: PersonalValue
    /// The goals of the term that serve it.
    public var goals: [Goal]
    /// The number of actions in the term that count toward these goals.
    public var actionsInTerm: Int
  }

  /// The number of days without an action after which a goal counts as neglected.
  public static let neglectDays = 14

  /// The term.
  public var term: Term
  /// The term's status.
  public var status: TermStatus
  /// The days until its last day.
  public var daysRemaining: Int
  /// The share of its time that has passed, from 0 to 1.
  public var shareGone: Double
  /// The goals that are committed to or overlap the term, in order.
  public var goals: [GoalLine]
  /// The values that its goals serve.
  public var values: [ValueLine]
  /// The values that none of its goals serve.
  public var valuesWithoutGoals: [PersonalValue]
  /// The number of actions in the term so far that count toward a goal.
  public var linkedActions: Int
  /// The number of actions in the term so far that have measurements but count toward no goal.
  public var unlinkedActions: Int
  /// The most recent unlinked actions.
  public var unlinkedSample: [Activity]

  /// The goals committed to.
  public var committed: [GoalLine] { goals.filter(\.isCommitted) }
  /// The goals whose dates only overlap the term.
  public var overlapping: [GoalLine] { goals.filter { !$0.isCommitted } }
  /// The goals that were committed to but neglected.
  public var neglected: [GoalLine] { goals.filter(\.isNeglected) }

  /// Creates the review of a term.
  ///
  /// - Parameters:
  ///   - term: the term.
  ///   - goals: the goals of the term.
  ///   - assignments: which goals belong to the term.
  ///   - values: the values that its goals serve.
  ///   - alignments: which goal serves which value.
  ///   - progress: the progress of every goal.
  ///   - totals: the total of each day of the term, by goal.
  ///   - linked: the number of actions in the term that count toward a goal.
  ///   - unlinked: the number of actions in the term that count toward no goal.
  ///   - unlinkedSample: the most recent of those.
  ///   - today: the current day.
  package init(
    _ term: Term, goals: [Goal], assignments: [TermGoalAssignment], values: [PersonalValue],
    alignments: [GoalValueAlignment], progress: [UUID: GoalProgress],
    totals: [UUID: [DayTotal]], linked: Int, unlinked: Int, unlinkedSample: [Activity],
    today: DayKey
  ) {
    self.term = term
    status = term.status(on: today)
    daysRemaining = term.daysRemaining(on: today)
    shareGone = term.shareGone(on: today)
    linkedActions = linked
    unlinkedActions = unlinked
    self.unlinkedSample = unlinkedSample
    let orders = Dictionary(
      assignments.filter { $0.termID == term.id }.map { ($0.goalID, $0.order) },
      uniquingKeysWith: min)
    let end = min(today, term.targetDate)
    let lastCounted = GoalProgress.lastDay(countingOn: today)
    var lines: [GoalLine] = []
    for goal in goals {
      let order = orders[goal.id]
      let isAcross =
        (goal.startDate != nil || goal.targetDate != nil)
        && (goal.startDate ?? .earliest) <= term.targetDate
        && (goal.targetDate ?? .latest) >= term.startDate
      let isPoint = goal.startDate == nil
      let isInside = isPoint ? goal.targetDate.map(term.days.contains) ?? false : isAcross
      guard order != nil || isInside, let progress = progress[goal.id] else { continue }
      // Actions of later days are plans; they are in no other total either.
      let days = (totals[goal.id] ?? []).filter { $0.day <= lastCounted }
      let last = days.last?.day
      let since = max(last ?? term.startDate, goal.startDate ?? term.startDate)
      // After its own last day, nothing more can be done for a goal.
      let quietDays = max(0, since.distance(to: min(end, goal.targetDate ?? end)))
      lines.append(
        GoalLine(
          goal: goal, isCommitted: order != nil, order: order, progress: progress,
          inTerm: GoalProgress.tidy(days.reduce(0) { $0 + $1.total }),
          actionsInTerm: days.reduce(0) { $0 + $1.actions }, lastDay: last, quietDays: quietDays,
          isNeglected: order != nil && !progress.isComplete && today >= term.startDate
            && quietDays >= TermReview.neglectDays))
    }
    self.goals = lines.sorted {
      ($0.order ?? .max, $0.goal.title, $0.goal.id.uuidString)
        < ($1.order ?? .max, $1.goal.title, $1.goal.id.uuidString)
    }
    var served: [ValueLine] = []
    var unserved: [PersonalValue] = []
    for value in values where value.incentiveType.isValue {
      let ids = Set(alignments.filter { $0.valueID == value.id }.map(\.goalID))
      let own = self.goals.filter { ids.contains($0.goal.id) }
      if own.isEmpty {
        unserved.append(value)
      } else {
        served.append(
          ValueLine(
            value: value, goals: own.map(\.goal),
            actionsInTerm: own.reduce(0) { $0 + $1.actionsInTerm }))
      }
    }
    self.values = served
    valuesWithoutGoals = unserved
  }

  package var json: JSON {
    [
      "term": term.json(status: status, daysRemaining, shareGone),
      "goals": .array(
        goals.map { line in
          [
            "goal": line.goal.json, "committed": .bool(line.isCommitted),
            "order": JSON(line.order), "progress": line.progress.json,
            "inTerm": JSON(line.inTerm), "actionsInTerm": JSON(line.actionsInTerm),
            "lastDay": JSON(line.lastDay), "neglected": .bool(line.isNeglected),
          ]
        }),
      "values": .array(
        values.map { line in
          [
            "value": line.value.json, "goalIds": JSON(line.goals.map(\.id.uuidString)),
            "actionsInTerm": JSON(line.actionsInTerm),
          ]
        }),
      "valuesWithoutGoals": .array(valuesWithoutGoals.map(\.json)),
      "linkedActions": JSON(linkedActions), "unlinkedActions": JSON(unlinkedActions),
      "unlinked": .array(unlinkedSample.map(\.json)),
    ]
  }
}

extension Term {
  /// Returns the term as JSON, with its status today.
  package func json(on today: DayKey) -> JSON {
    json(status: status(on: today), daysRemaining(on: today), shareGone(on: today))
  }

  func json(
    status: TermStatus, _ daysRemaining: Int, _ shareGone: Double
  ) -> JSON {
    guard var object = json.object else { return json }
    object["title"] = .string(title)
    object["status"] = .string(status.rawValue)
    object["daysRemaining"] = JSON(daysRemaining)
    object["timeGone"] = JSON(shareGone)
    return .object(object)
  }
}

extension LifeTime {
  /// Returns the lifetime as JSON, with the weeks lived and the weeks left.
  package func json(on today: DayKey) -> JSON {
    guard var object = json.object else { return json }
    object["expectedEnd"] = JSON(expectedEnd)
    object["weeksLived"] = JSON(weeksLived(on: today))
    object["weeksRemaining"] = JSON(weeksRemaining(on: today))
    object["age"] = JSON(age(on: today))
    return .object(object)
  }
}

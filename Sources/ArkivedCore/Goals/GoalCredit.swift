public import Foundation

/// What an action gives to one goal, told in one line after it was written down: "counts toward Run
/// 120 km: 43.5 of 120 km".
public struct GoalCredit: Hashable, Sendable {
  /// The goal's identity.
  public var goalID: UUID
  /// The goal's title.
  public var title: String
  /// In the goal's unit; without one, how many times.
  public var contribution: Double
  /// 0 to 1.
  public var confidence: Double
  /// Whether it counts; else it waits to be reviewed.
  public var counts: Bool
  /// Whether it is a plan for a later day, which is in no total yet.
  public var isPlanned: Bool
  /// What all actions together gave to the goal until today.
  public var total: Double
  /// The goal's target.
  public var target: Double?
  /// The goal's unit.
  public var unit: String?

  /// - Parameter total: what all actions that count gave to the goal until today.
  package init(
    _ link: ActionGoalContribution, goal: Goal, total: Double, isPlanned: Bool = false
  ) {
    self.init(
      goal: goal, contribution: link.contribution, confidence: link.confidence,
      counts: link.counts, isPlanned: isPlanned, total: total)
  }

  /// What an action that is not saved yet would give.
  ///
  /// - Parameter before: what all actions that count gave to the goal so far.
  package init(_ match: GoalMatch, goal: Goal, before: Double, isPlanned: Bool = false) {
    self.init(
      goal: goal, contribution: match.contribution, confidence: match.confidence,
      counts: match.counts, isPlanned: isPlanned,
      total: before + (match.counts && !isPlanned ? match.contribution : 0))
  }

  private init(
    goal: Goal, contribution: Double, confidence: Double, counts: Bool, isPlanned: Bool,
    total: Double
  ) {
    goalID = goal.id
    title = goal.title
    self.contribution = contribution
    self.confidence = confidence
    self.counts = counts
    self.isPlanned = isPlanned
    self.total = GoalProgress.tidy(total)
    target = goal.measurementTarget
    unit = goal.measurementUnit
  }

  /// "43.5 of 120 km".
  public var amountText: String { AmountText.progress(total, of: target, unit) }

  package var json: JSON {
    [
      "goalId": .string(goalID.uuidString), "title": .string(title),
      "contribution": JSON(contribution), "confidence": JSON(confidence),
      "counts": .bool(counts), "planned": .bool(isPlanned), "total": JSON(total),
      "target": JSON(target), "unit": JSON(unit),
    ]
  }
}

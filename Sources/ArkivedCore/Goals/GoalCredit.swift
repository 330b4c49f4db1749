public import Foundation

/// An action's contribution to one goal, shown in one line after the action is logged: "counts
/// toward Run 120 km: 43.5 of 120 km".
public struct GoalCredit: Hashable, Sendable {
  /// The goal's ID.
  public var goalID: UUID
  /// The goal's title.
  public var title: String
  /// In the goal's unit, or a number of occasions if the goal has none.
  public var contribution: Double
  /// From 0 to 1.
  public var confidence: Double
  /// True if it counts; otherwise it is waiting for review.
  public var counts: Bool
  /// True if it is planned for a later day and not yet in any total.
  public var isPlanned: Bool
  /// The contributions of all actions up to today.
  public var total: Double
  /// The goal's target.
  public var target: Double?
  /// The goal's unit.
  public var unit: String?

  /// Creates a credit.
  ///
  /// - Parameters:
  ///   - link: how the action counts.
  ///   - goal: the goal.
  ///   - total: the contributions of all actions that count, up to today.
  ///   - isPlanned: true if it is planned for a later day and not yet in any total.
  package init(
    _ link: ActionGoalContribution, goal: Goal, total: Double, isPlanned: Bool = false
  ) {
    self.init(
      goal: goal, contribution: link.contribution, confidence: link.confidence,
      counts: link.counts, isPlanned: isPlanned, total: total)
  }

  /// Creates the credit of an action that is not saved yet.
  ///
  /// - Parameters:
  ///   - match: how the action would count.
  ///   - goal: the goal.
  ///   - before: the contributions of all actions that count so far.
  ///   - isPlanned: true if it is planned for a later day and not yet in any total.
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

  /// The progress as text, such as "43.5 of 120 km".
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

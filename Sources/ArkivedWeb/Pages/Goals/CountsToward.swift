import ArkivedCore
import ArkivedStore
import Foundation

/// That an action counts towards a goal, and where the goal stands with it.
struct CountsToward: Sendable {
  var goal: Goal
  /// In the goal's unit.
  var contribution: Double
  /// Whether it counts by itself; else it waits to be reviewed.
  var counts: Bool
  /// All that counts, with this action.
  var total: Double

  /// More goals than these are not worked out for one line.
  static let limit = 5

  /// What a saved action counts towards.
  static func of(_ action: UUID, archive: Archive, today: DayKey) throws -> [CountsToward] {
    try archive.contributions(ofAction: action).lazy.filter {
      $0.contribution.counts || $0.contribution.waits
    }.prefix(limit).map { link in
      CountsToward(
        goal: link.goal, contribution: link.contribution.contribution,
        counts: link.contribution.counts,
        total: try total(link.goal, archive: archive, today: today))
    }
  }

  /// What an action that is not saved yet would count towards.
  static func preview(
    _ facts: ActionFacts, archive: Archive, today: DayKey
  ) throws -> [CountsToward] {
    var matchers = GoalMatchers(try archive.goals())
    return try matchers.matches(facts).prefix(limit).map { goal, match in
      let before = try total(goal, archive: archive, today: today)
      return CountsToward(
        goal: goal, contribution: match.contribution, counts: match.counts,
        total: before + (match.counts ? match.contribution : 0))
    }
  }

  private static func total(_ goal: Goal, archive: Archive, today: DayKey) throws -> Double {
    try archive.progress(of: [goal], today: today)[goal.id]?.total ?? 0
  }

  /// "43.5 of 120 km".
  private var standing: String {
    guard let target = goal.measurementTarget else {
      return "\(GoalWords.amount(total, goal.measurementUnit)) so far"
    }
    return "\(GoalWords.amount(total)) of \(GoalWords.amount(target, goal.measurementUnit))"
  }

  /// For the `counts` template.
  static func contexts(_ all: [CountsToward]) -> [[String: Any]] {
    all.map { one in
      [
        "countsHref": one.counts
          ? "/goals/\(one.goal.id.uuidString)" : "/goals/review?goal=\(one.goal.id.uuidString)",
        "countsTitle": ClippedText.of(one.goal.title, limit: 80),
        "countsLead": one.counts ? "Counts toward" : "May count toward",
        "countsText": one.counts ? one.standing : "waits for your review",
      ]
    }
  }
}

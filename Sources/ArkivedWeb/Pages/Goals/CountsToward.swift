import ArkivedCore
import ArkivedStore
import Foundation

/// Shows on a page the goals an action counts toward.
enum CountsToward {
  /// The largest number of goals listed for one line.
  static let limit = 5

  /// Returns the goals a saved action counts toward.
  static func of(_ action: UUID, archive: Archive, today: DayKey) throws -> [GoalCredit] {
    Array(try archive.countsToward(action: action, today: today).prefix(limit))
  }

  /// Returns the goals an action that is not saved yet would count toward.
  static func preview(
    _ facts: ActionFacts, archive: Archive, today: DayKey
  ) throws -> [GoalCredit] {
    var matchers = GoalMatchers(try archive.goals())
    return try matchers.matches(facts).prefix(limit).map { goal, match in
      let before = try archive.progress(of: [goal], today: today)[goal.id]?.total ?? 0
      return GoalCredit(
        match, goal: goal, before: before,
        isPlanned: facts.day > GoalProgress.lastDay(countingOn: today))
    }
  }

  /// Returns the progress as text, such as "43.5 of 120 km".
  private static func standing(_ credit: GoalCredit) -> String {
    guard let target = credit.target else {
      return said("\(GoalWords.amount(credit.total, credit.unit)) so far")
    }
    return GoalWords.amount(credit.total, of: target, credit.unit)
  }

  /// Returns the data for the `counts` template.
  static func contexts(_ all: [GoalCredit]) -> [[String: Any]] {
    all.map { one in
      [
        "countsHref": one.counts
          ? "/goals/\(one.goalID.uuidString)" : "/goals/review?goal=\(one.goalID.uuidString)",
        "countsTitle": ClippedText.of(one.title, limit: 80),
        "countsLead": one.counts
          ? one.isPlanned ? said("Will count toward") : said("Counts toward")
          : said("May count toward"),
        "countsText": one.counts ? standing(one) : said("waiting for review"),
      ]
    }
  }
}

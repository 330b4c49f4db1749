package import ArkivedCore
package import Foundation
import GRDB

/// The goals that an action counts toward.
extension Archive {
  /// Returns the goals that an action counts or may count toward, with those it counts toward
  /// first.
  ///
  /// - Parameters:
  ///   - id: its ID.
  ///   - today: entries for later days are plans and not included in any total.
  /// - Returns: the goals.
  /// - Throws: `ArchiveError` or `DatabaseError` if the archive can't be read.
  package func countsToward(action id: UUID, today: DayKey) throws -> [GoalCredit] {
    try read { db in try Archive.countsToward(action: id, today: today, db) }
  }

  static func countsToward(
    action id: UUID, today: DayKey, _ db: Database
  ) throws -> [GoalCredit] {
    let links = try linked(
      where: """
        it.activity_pk = (SELECT pk FROM activities WHERE id = ?)
        AND it.match_method <> 'user_rejected'
        """, [id.uuidString], order: "it.confidence DESC, it.pk", limit: 1_000, db)
    guard !links.isEmpty else { return [] }
    let last = GoalProgress.lastDay(countingOn: today)
    let totals = try GoalSums.totals(ofGoals: links.map(\.goal.id), through: last, db)
    return links.map {
      GoalCredit(
        $0.contribution, goal: $0.goal, total: totals[$0.goal.id] ?? 0,
        isPlanned: $0.action.dayKey > last)
    }
  }
}

extension ChangeScope {
  /// Returns the goals as `Archive.countsToward`, including the change's writes so far.
  package func countsToward(action id: UUID, today: DayKey) throws -> [GoalCredit] {
    try Archive.countsToward(action: id, today: today, db)
  }
}

package import ArkivedCore
package import Foundation
import GRDB

/// Telling what an action counts towards.
extension Archive {
  /// What an action counts towards or may count towards, those that count first.
  package func countsToward(action id: UUID) throws -> [GoalCredit] {
    try read { db in try Archive.countsToward(action: id, db) }
  }

  static func countsToward(action id: UUID, _ db: Database) throws -> [GoalCredit] {
    let links = try linked(
      where: """
        it.activity_pk = (SELECT pk FROM activities WHERE id = ?)
        AND it.match_method <> 'user_rejected'
        """, [id.uuidString], order: "it.confidence DESC, it.pk", limit: 1_000, db)
    guard !links.isEmpty else { return [] }
    var totals: [UUID: Double] = [:]
    let rows = try Row.fetchAll(
      db,
      cached: """
        SELECT goal.id AS id, sum(it.contribution) AS total
        FROM action_goal_contributions AS it JOIN goal_rows AS goal ON goal.pk = it.goal_pk
        WHERE \(counts) AND goal.id IN (\(KeyList.sql)) GROUP BY goal.pk
        """, arguments: [JSON(links.map(\.goal.id.uuidString)).text()])
    for row in rows { totals[try row.identity("id")] = row["total"] }
    return links.map {
      GoalCredit($0.contribution, goal: $0.goal, total: totals[$0.goal.id] ?? 0)
    }
  }
}

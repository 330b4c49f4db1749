import ArkivedCore
import Foundation
import GRDB

/// A row of matches, by row numbers; hidden ones too.
struct ContributionRow {
  var key: Int64
  var activityKey: Int64
  var goalKey: Int64
  var contribution: Double
  var method: MatchMethod
  var confidence: Double
  var matchedOn: String

  /// True if the amount was measured by the action rather than entered by the owner.
  var isMeasured: Bool { MatchedOn.isMeasured(MatchedOn.read(matchedOn)) }

  /// True if the owner linked the two and entered the amount.
  var isTold: Bool { method == .manual && !isMeasured }

  static func fetch(
    _ db: Database, where condition: String, arguments: StatementArguments
  ) throws -> [ContributionRow] {
    try Row.fetchAll(
      db,
      cached: """
        SELECT pk, activity_pk, goal_pk, contribution, match_method, confidence, matched_on
        FROM contribution_rows WHERE \(condition)
        """, arguments: arguments
    ).map { row in
      ContributionRow(
        key: row[0], activityKey: row[1], goalKey: row[2], contribution: row[3],
        method: MatchMethod(rawValue: row[4]), confidence: row[5], matchedOn: row[6])
    }
  }

  /// Returns true if the row has the same content as a match.
  func says(_ match: GoalMatch) -> Bool {
    contribution == match.contribution && confidence == match.confidence
      && matchedOn == MatchedOn.text(match.matchedOn)
  }

  func replace(with match: GoalMatch, at now: Instant, _ db: Database) throws {
    guard !says(match) else { return }
    try db.cachedStatement(
      sql: """
        UPDATE contribution_rows SET contribution = ?, confidence = ?, matched_on = ?,
          updated_at = max(?, updated_at + 1)
        WHERE pk = ?
        """
    ).execute(arguments: [
      match.contribution, match.confidence, MatchedOn.text(match.matchedOn), now.milliseconds, key,
    ])
  }

  func delete(_ db: Database) throws {
    try db.cachedStatement(sql: "DELETE FROM contribution_rows WHERE pk = ?")
      .execute(arguments: [key])
  }

  /// Inserts a match.
  ///
  /// A match found by the rules has the change of its goal, because it has none of its own.
  static func insert(
    _ match: GoalMatch, id: UUID, activity: Int64, goal: Int64, at now: Instant, _ db: Database
  ) throws {
    var writer = try RowWriter(
      db,
      """
      INSERT INTO contribution_rows
        (id, activity_pk, goal_pk, contribution, match_method, confidence, matched_on, change_pk,
         changed_pk, created_at, updated_at)
      SELECT ?1, ?2, ?3, ?4, 'auto_inferred', ?5, ?6, changed_pk, changed_pk, ?7, ?7
      FROM goal_rows WHERE pk = ?3
      """)
    writer.bind(id.identityText)
    writer.bind(activity)
    writer.bind(goal)
    writer.bind(match.contribution)
    writer.bind(match.confidence)
    writer.bind(MatchedOn.text(match.matchedOn))
    writer.bind(now.milliseconds)
    try writer.run()
  }
}

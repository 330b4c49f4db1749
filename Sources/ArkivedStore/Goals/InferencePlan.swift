import ArkivedCore
import Foundation
import GRDB
import GRDBSQLite

/// The differences between the existing matches and those the rules find.
///
/// There may be millions of matches in a lifetime, so each takes only a few dozen bytes here, and
/// reasons are stored once.
struct InferencePlan {
  /// One row to write.
  struct Step {
    enum Work {
      case add
      case replace(row: Int64)
      case remove(row: Int64)
    }
    var work: Work
    var activity: Int64
    var goal: Int64
    /// The versions of the action and the goal that were matched.
    var version: Int64
    var goalVersion: Int64
    var contribution = 0.0
    var confidence = 0.0
    fileprivate var reasons: Int32 = 0
  }

  /// An existing match.
  private struct Old {
    enum Standing { case rule, proposal, decided }
    var activity: Int64
    var row: Int64
    var contribution: Double
    var confidence: Double
    var reasons: Int32
    var method: MatchMethod?
    var standing: Standing
    var isFound = false
  }

  private let addsOnly: Bool
  private var steps: [Step] = []
  private var goalVersions: [Int64: Int64] = [:]
  /// The existing matches by goal, in the order of the actions.
  private var old: [Int64: [Old]] = [:]
  private var reasons: [String] = []
  /// For each reason, true if it belongs to a proposal by meaning.
  private var proposals: [Bool] = []
  private var reasonsByText: [String: Int32] = [:]
  private var reasonsByList: [[String]: Int32] = [:]

  /// Creates an empty plan.
  ///
  /// - Parameter addsOnly: true to leave existing matches unchanged.
  init(addsOnly: Bool) { self.addsOnly = addsOnly }

  /// Reads a goal's matches.
  mutating func readOld(
    goal: Int64, version: Int64, days: ClosedRange<DayKey>?, _ db: Database
  ) throws {
    goalVersions[goal] = version
    var rows: [Old] = []
    let inDays =
      days == nil
      ? ""
      : """
       AND (SELECT day_key FROM activity_rows WHERE activity_rows.pk = activity_pk) BETWEEN ? AND ?
      """
    let arguments: [any DatabaseValueConvertible] =
      [goal] + (days.map { [$0.lowerBound.description, $0.upperBound.description] } ?? [])
    try db.forEachRow(
      """
      SELECT activity_pk, pk, contribution, confidence, matched_on, match_method
      FROM contribution_rows WHERE goal_pk = ?\(inDays) ORDER BY activity_pk
      """, StatementArguments(arguments)
    ) { row in
      let reasons = number(ofText: String(cString: sqlite3_column_text(row, 4)))
      let method = MatchMethod(rawValue: String(cString: sqlite3_column_text(row, 5)))
      let isProposal = proposals[Int(reasons)]
      rows.append(
        Old(
          activity: sqlite3_column_int64(row, 0), row: sqlite3_column_int64(row, 1),
          contribution: sqlite3_column_double(row, 2), confidence: sqlite3_column_double(row, 3),
          reasons: reasons, method: method.isOwners ? method : nil,
          standing: method.isOwners ? .decided : isProposal ? .proposal : .rule))
    }
    if !rows.isEmpty { old[goal] = rows }
  }

  /// Adds a match that the rules found.
  ///
  /// - Returns: the owner's decision about the action and the goal; nil if there is none.
  mutating func take(
    _ match: GoalMatch, action: MatchScan.Action, goal: Int64
  ) -> MatchMethod? {
    let reasons = number(of: match.matchedOn)
    var work = Step.Work.add
    if let place = place(of: action.key, goal) {
      old[goal]?[place].isFound = true
      guard let row = old[goal]?[place] else { return nil }
      if row.standing == .decided || addsOnly { return row.method }
      if row.contribution == match.contribution, row.confidence == match.confidence,
        row.reasons == reasons
      {
        return nil
      }
      work = .replace(row: row.row)
    }
    steps.append(
      Step(
        work: work, activity: action.key, goal: goal, version: action.updatedAt,
        goalVersion: goalVersions[goal] ?? 0, contribution: match.contribution,
        confidence: match.confidence, reasons: reasons))
    return nil
  }

  /// Adds the removal of matches that the rules no longer find.
  mutating func finish(_ db: Database) throws {
    guard !addsOnly else { return }
    for (goal, rows) in old {
      for row in rows where !row.isFound && row.standing == .rule {
        guard
          let version = try Int64.fetchOne(
            db, cached: "SELECT updated_at FROM activity_rows WHERE pk = ?",
            arguments: [row.activity])
        else { continue }
        steps.append(
          Step(
            work: .remove(row: row.row), activity: row.activity, goal: goal, version: version,
            goalVersion: goalVersions[goal] ?? 0))
      }
    }
    old = [:]
  }

  /// Returns the steps to write, goal by goal, so the indexes grow at their ends.
  mutating func takeSteps() -> [Step] {
    defer { steps = [] }
    return steps.sorted { ($0.goal, $0.activity) < ($1.goal, $1.activity) }
  }

  fileprivate func text(_ step: Step) -> String { reasons[Int(step.reasons)] }

  private func place(of activity: Int64, _ goal: Int64) -> Int? {
    guard let rows = old[goal] else { return nil }
    var low = 0
    var high = rows.count
    while low < high {
      let middle = (low + high) / 2
      if rows[middle].activity < activity { low = middle + 1 } else { high = middle }
    }
    return low < rows.count && rows[low].activity == activity ? low : nil
  }

  private mutating func number(of list: [String]) -> Int32 {
    if let known = reasonsByList[list] { return known }
    let number = number(ofText: MatchedOn.text(list))
    reasonsByList[list] = number
    return number
  }

  private mutating func number(ofText text: String) -> Int32 {
    if let known = reasonsByText[text] { return known }
    let number = Int32(reasons.count)
    reasons.append(text)
    proposals.append(MatchedOn.isProposal(text))
    reasonsByText[text] = number
    return number
  }
}

extension InferencePlan.Step {
  /// Writes the row unless its action, its goal or the match itself was changed since it was read.
  ///
  /// - Returns: true if it was written.
  func write(
    from plan: InferencePlan, _ identities: OrderedIdentities, at now: Instant, _ db: Database
  ) throws -> Bool {
    let isCurrent = """
      EXISTS (SELECT 1 FROM activity_rows WHERE pk = ?1 AND updated_at = ?2)
      AND EXISTS (SELECT 1 FROM goal_rows WHERE pk = ?3 AND updated_at = ?4)
      """
    var writer: RowWriter
    switch work {
    case .add:
      // Another program may have found it in the meantime.
      writer = try RowWriter(
        db,
        """
        INSERT INTO contribution_rows
          (id, activity_pk, goal_pk, contribution, match_method, confidence, matched_on, change_pk,
           changed_pk, created_at, updated_at)
        SELECT ?9, ?1, ?3, ?5, 'auto_inferred', ?6, ?7, changed_pk, changed_pk, ?8, ?8
        FROM goal_rows WHERE pk = ?3 AND \(isCurrent)
        ON CONFLICT (goal_pk, activity_pk) DO NOTHING
        """)
    case .replace:
      writer = try RowWriter(
        db,
        """
        UPDATE contribution_rows SET contribution = ?5, confidence = ?6, matched_on = ?7,
          updated_at = max(?8, updated_at + 1)
        WHERE pk = ?9 AND match_method = 'auto_inferred' AND \(isCurrent)
        """)
    case .remove:
      writer = try RowWriter(
        db,
        """
        DELETE FROM contribution_rows
        WHERE pk = ?5 AND match_method = 'auto_inferred' AND \(isCurrent)
        """)
    }
    writer.bind(activity)
    writer.bind(version)
    writer.bind(goal)
    writer.bind(goalVersion)
    if case .remove(let row) = work {
      writer.bind(row)
    } else {
      writer.bind(contribution)
      writer.bind(confidence)
      writer.bind(plan.text(self))
      writer.bind(now.milliseconds)
      if case .replace(let row) = work {
        writer.bind(row)
      } else {
        writer.bind(identities.next().identityText)
      }
    }
    try writer.run()
    return db.changesCount > 0
  }
}

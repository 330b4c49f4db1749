package import ArkivedCore
package import Foundation
import GRDB

/// What looking for matches found.
package struct InferenceReport: Hashable, Sendable {
  /// Actions that were looked at.
  package var analysed = 0
  /// Actions that count towards a goal.
  package var matched = 0
  /// Actions that only may count, and wait to be reviewed.
  package var ambiguous = 0
  package var unmatched: Int { max(0, analysed - matched - ambiguous) }
  /// Matches that are new, say something else than before, or are gone.
  package var added = 0
  package var changed = 0
  package var removed = 0
  /// What is wrong with goals' hints: the goal's title and why.
  package var warnings: [String] = []

  package init() {}

  package var json: JSON {
    [
      "analysed": JSON(analysed), "matched": JSON(matched), "ambiguous": JSON(ambiguous),
      "unmatched": JSON(unmatched), "added": JSON(added), "changed": JSON(changed),
      "removed": JSON(removed), "warnings": JSON(warnings),
    ]
  }
}

extension Archive {
  /// How many matches one transaction writes.
  private static let inferenceBatch = 4_000

  /// Finds anew what counts towards goals. What the owner decided stays as it is.
  ///
  /// The actions are read from one state of the archive without keeping anybody from writing;
  /// what differs is written in short transactions, but not over actions and goals that were changed
  /// in the meantime: those were matched anew as they were written.
  ///
  /// - Parameters:
  ///   - goals: only these; nil for all.
  ///   - days: only actions of these days.
  ///   - addsOnly: whether matches that are there stay as they are.
  package func inferContributions(
    goals: [UUID]? = nil, days: ClosedRange<DayKey>? = nil, addsOnly: Bool = false
  ) throws -> InferenceReport {
    var report = InferenceReport()
    var plan = InferencePlan()
    plan.addsOnly = addsOnly
    try read { db in
      let wanted = goals.map { Set($0.map(\.uuidString)) }
      let rows = try Row.fetchAll(db, sql: "SELECT * FROM goal_rows ORDER BY pk")
        .filter { wanted?.contains($0["id"] as String) ?? true }
      if let goals, rows.count < Set(goals).count {
        throw ArchiveError.notFound("goal to find matches for")
      }
      let matchers = try rows.map {
        (key: $0["pk"] as Int64, matcher: GoalMatcher(try Goal.read($0)))
      }
      for (row, matcher) in zip(rows, matchers) {
        plan.goalVersions[matcher.key] = row["updated_at"] as Int64
        report.warnings += matcher.matcher.warnings.map {
          "\(matcher.matcher.goal.title.prefix(80)): \($0)"
        }
      }
      try plan.readOld(goals: matchers.map(\.key), days: days, db)
      report.analysed = try MatchScan(db, goals: matchers, days: days).run { action, matches in
        // What the owner refused is no match any more, and what they agreed to is one.
        let open = matches.filter {
          plan.decision(action: action.key, goal: $0.goal) != .userRejected
        }
        let counts = open.contains {
          $0.match.counts || plan.decision(action: action.key, goal: $0.goal) != nil
        }
        report.matched += counts ? 1 : 0
        report.ambiguous += !counts && !open.isEmpty ? 1 : 0
        for (goal, match) in matches { plan.take(match, action: action, goal: goal) }
      }
      try plan.finish(db)
    }
    let now = clock.now
    for batch in plan.steps.slices(of: Self.inferenceBatch) {
      try writer.write { db in
        for step in batch where try plan.stillHolds(step, db) {
          switch step.work {
          case .add(let match):
            // Another program may have found it in the meantime.
            guard
              try ContributionRow.fetch(
                db, where: "goal_pk = ? AND activity_pk = ?",
                arguments: [step.goal, step.activity]
              ).isEmpty
            else { continue }
            try ContributionRow.insert(
              match, id: identities.next(), activity: step.activity, goal: step.goal, at: now, db)
            report.added += 1
          case .replace(let row, let match):
            guard try row.isStillAutomatic(db) else { continue }
            try row.replace(with: match, at: now, db)
            report.changed += 1
          case .remove(let row):
            guard try row.isStillAutomatic(db) else { continue }
            try row.delete(db)
            report.removed += 1
          }
        }
      }
    }
    return report
  }
}

extension ContributionRow {
  fileprivate func isStillAutomatic(_ db: Database) throws -> Bool {
    try String.fetchOne(
      db, cached: "SELECT match_method FROM contribution_rows WHERE pk = ?", arguments: [key])
      == MatchMethod.autoInferred.rawValue
  }
}

/// What differs between the matches there are and those the rules find.
private struct InferencePlan {
  struct Step {
    enum Work {
      case add(GoalMatch)
      case replace(ContributionRow, GoalMatch)
      case remove(ContributionRow)
    }
    var work: Work
    var activity: Int64
    var goal: Int64
    /// The version of the action that was matched.
    var version: Int64?
  }

  private struct Pair: Hashable {
    var goal: Int64
    var activity: Int64
  }

  var goalVersions: [Int64: Int64] = [:]
  var addsOnly = false
  private(set) var steps: [Step] = []
  private var old: [Pair: ContributionRow] = [:]

  mutating func readOld(
    goals: [Int64], days: ClosedRange<DayKey>?, _ db: Database
  ) throws {
    for goal in goals {
      let inDays =
        days.map {
          """
           AND activity_pk IN (SELECT pk FROM activity_rows
            WHERE day_key BETWEEN '\($0.lowerBound)' AND '\($0.upperBound)')
          """
        } ?? ""
      for row in try ContributionRow.fetch(
        db, where: "goal_pk = ?" + inDays, arguments: [goal])
      { old[Pair(goal: goal, activity: row.activityKey)] = row }
    }
  }

  /// What the owner decided about an action and a goal; nil where nothing.
  func decision(action: Int64, goal: Int64) -> MatchMethod? {
    old[Pair(goal: goal, activity: action)].map(\.method).flatMap { $0.isOwners ? $0 : nil }
  }

  mutating func take(_ match: GoalMatch, action: MatchScan.Action, goal: Int64) {
    let work: Step.Work
    if let row = old.removeValue(forKey: Pair(goal: goal, activity: action.key)) {
      guard !addsOnly, !row.method.isOwners, !row.says(match) else { return }
      work = .replace(row, match)
    } else {
      work = .add(match)
    }
    steps.append(
      Step(work: work, activity: action.key, goal: goal, version: action.updatedAt))
  }

  mutating func finish(_ db: Database) throws {
    let gone = addsOnly ? [] : old.values.filter { !$0.method.isOwners && !$0.isProposal }
    for row in gone.sorted(by: { $0.key < $1.key }) {
      let version = try Self.version(ofActivity: row.activityKey, db)
      steps.append(
        Step(work: .remove(row), activity: row.activityKey, goal: row.goalKey, version: version))
    }
    old.removeAll()
  }

  private static func version(ofActivity key: Int64, _ db: Database) throws -> Int64? {
    try Int64.fetchOne(
      db, cached: "SELECT updated_at FROM activity_rows WHERE pk = ?", arguments: [key])
  }

  /// Whether the action and the goal are as they were when they were matched.
  func stillHolds(_ step: Step, _ db: Database) throws -> Bool {
    guard let goalVersion = goalVersions[step.goal],
      try Int64.fetchOne(
        db, cached: "SELECT updated_at FROM goal_rows WHERE pk = ?", arguments: [step.goal])
        == goalVersion
    else { return false }
    return try Self.version(ofActivity: step.activity, db) == step.version
  }
}

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
  /// Finds anew what counts towards goals. What the owner decided stays as it is.
  ///
  /// The actions are read from one state of the archive without keeping anybody from writing; what
  /// differs is written in transactions that end when somebody waits, but not over actions and
  /// goals that were changed in the meantime: those were matched anew as they were written.
  ///
  /// - Parameters:
  ///   - goals: only these; nil for all.
  ///   - days: only actions of these days.
  ///   - addsOnly: whether matches that are there stay as they are.
  package func inferContributions(
    goals: [UUID]? = nil, days: ClosedRange<DayKey>? = nil, addsOnly: Bool = false
  ) throws -> InferenceReport {
    var report = InferenceReport()
    var plan = InferencePlan(addsOnly: addsOnly)
    try read { db in
      let wanted = goals.map { Set($0.map(\.uuidString)) }
      let rows = try Row.fetchAll(db, sql: "SELECT * FROM goal_rows ORDER BY pk")
        .filter { wanted?.contains($0["id"] as String) ?? true }
      if let goals, rows.count < Set(goals).count {
        throw ArchiveError.notFound("No such goal to find matches for.")
      }
      let matchers = try rows.map {
        (key: $0["pk"] as Int64, matcher: GoalMatcher(try Goal.read($0)))
      }
      for (row, matcher) in zip(rows, matchers) {
        try plan.readOld(goal: matcher.key, version: row["updated_at"], days: days, db)
        report.warnings += matcher.matcher.warnings.map {
          "\(matcher.matcher.goal.title.prefix(80)): \($0)"
        }
      }
      report.analysed = try MatchScan(db, goals: matchers, days: days).run { action, matches in
        var counts = false
        var waits = false
        for (goal, match) in matches {
          switch plan.take(match, action: action, goal: goal) {
          // What the owner refused is no match any more, and what they agreed to is one.
          case .userRejected?: continue
          case let decision?: if decision.isOwners { counts = true }
          case nil: break
          }
          if match.counts { counts = true } else { waits = true }
        }
        report.matched += counts ? 1 : 0
        report.ambiguous += !counts && waits ? 1 : 0
      }
      try plan.finish(db)
    }
    try write(&plan, &report)
    try settleGoalSums()
    return report
  }

  /// So many rows are written through a connection of their own, with a large cache.
  private static let manySteps = 20_000
  /// How many rows are written between two looks at whether somebody waits.
  private static let stepsAtOnce = 200

  private func write(_ plan: inout InferencePlan, _ report: inout InferenceReport) throws {
    let steps = plan.takeSteps()
    guard !steps.isEmpty else { return }
    let identities = OrderedIdentities(from: identities.next(), at: clock.now)
    let now = clock.now
    var next = 0
    func batch(_ db: Database) throws {
      let batch = ImportStage.Batch(location)
      if next == 0, steps.count > Self.stepsAtOnce {
        try GoalSums.forget(Set(steps.map(\.goal)), db)
      }
      repeat {
        for step in steps[next..<min(next + Self.stepsAtOnce, steps.count)]
        where try step.write(from: plan, identities, at: now, db) {
          switch step.work {
          case .add: report.added += 1
          case .replace: report.changed += 1
          case .remove: report.removed += 1
          }
        }
        next = min(next + Self.stepsAtOnce, steps.count)
      } while next < steps.count && !batch.isOver
    }
    guard case .folder(let folder) = location, steps.count > Self.manySteps else {
      while next < steps.count { try writer.write(batch) }
      return
    }
    let connection = try Archive.stageConnection(in: folder)
    let flusher = try LogFlusher(in: folder)
    defer { flusher.finish() }
    while next < steps.count {
      try connection.write(batch)
      flusher.start()
      usleep(Self.pauseMicroseconds)
    }
  }

  /// How long others find the archive free between two transactions.
  private static let pauseMicroseconds: UInt32 = 4_000
}

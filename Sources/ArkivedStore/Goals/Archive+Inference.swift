package import ArkivedCore
package import Foundation
import GRDB

/// The result of inferring matches.
package struct InferenceReport: Hashable, Sendable {
  /// The number of actions examined.
  package var analysed = 0
  /// The number of actions that count toward a goal.
  package var matched = 0
  /// The number of actions that only may count, and wait for review.
  package var ambiguous = 0
  package var unmatched: Int { max(0, analysed - matched - ambiguous) }
  /// The number of matches that are new, changed or removed.
  package var added = 0
  package var changed = 0
  package var removed = 0
  /// The problems with goals' hints: the goal's title and the reason.
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
  /// Infers again which actions count toward goals.
  ///
  /// The owner's decisions stay.
  ///
  /// The actions are read from one state of the archive without blocking other writers. Differences
  /// are written in transactions that end when another writer is waiting. Actions and goals that
  /// were changed in the meantime are left out, because they were matched again when they were
  /// written.
  ///
  /// - Parameters:
  ///   - goals: only these; nil for all.
  ///   - days: only actions of these days.
  ///   - addsOnly: true to leave existing matches unchanged.
  /// - Returns: what was inferred.
  /// - Throws: `ArchiveError` or `DatabaseError` if the archive can't be written.
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
        throw ArchiveError.notFound("The goal to find matches for wasn’t found.")
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
          // A refused match doesn't count as one, and an accepted one does.
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

  /// The number of rows at or above which they are written through a separate connection with a
  /// large cache.
  private static let manySteps = 20_000
  /// The number of rows written between two checks for waiting writers.
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
      while next < steps.count { try transact(batch) }
      return
    }
    let connection = try Archive.stageConnection(in: folder)
    let flusher = try LogFlusher(in: folder)
    defer { flusher.finish() }
    while next < steps.count {
      try connection.write(batch)
      noteWrite()
      flusher.start()
      usleep(Self.pauseMicroseconds)
    }
  }

  /// The time for which the archive is free for other writers between two transactions.
  private static let pauseMicroseconds: UInt32 = 4_000
}

import ArkivedCore
import Foundation
import GRDB

/// Inferring matches as actions and goals are written.
///
/// Matches found by the rules are derived: they always follow from the current action and goal,
/// including hidden ones, and no old versions of them are kept. The owner's decisions are kept;
/// only a measured amount follows its action.
extension ChangeScope {
  /// Updates an action's matches.
  func inferContributions(ofActivity activity: Activity, key: Int64, isNew: Bool) throws {
    guard var goals = try keys.goals(db) else { return }
    let facts = ActionFacts(activity)
    var found: [Int64: GoalMatch] = [:]
    for candidate in goals.matchers.candidates(
      day: facts.day, units: facts.measurements.map(\.unit), hasLength: facts.duration != nil)
    {
      found[goals.keys[candidate.index]] = goals.matchers.match(facts, with: candidate)
    }
    keys.goals = goals
    if !isNew {
      let old = try ContributionRow.fetch(db, where: "activity_pk = ?", arguments: [key])
      for row in old {
        let match = found.removeValue(forKey: row.goalKey)
        let amount =
          row.isMeasured
          ? goals.index[row.goalKey].flatMap { goals.matchers.matchers[$0].measured(facts)?.amount }
          : nil
        try bring(row, inLineWith: match, measured: amount)
      }
    }
    for (goal, match) in found.sorted(by: { $0.key < $1.key }) {
      try insertMatch(match, identities.next(), activity: key, goal: goal)
    }
  }

  /// Updates a goal's matches.
  ///
  /// - Parameters:
  ///   - goal: the goal.
  ///   - key: the goal's row.
  ///   - before: the goal's previous unit; amounts that the owner entered are converted from it.
  /// - Throws: `DatabaseError` if the archive can't be written.
  func inferContributions(ofGoal goal: Goal, key: Int64, unit before: String? = nil) throws {
    func inUnit(_ row: ContributionRow) -> Double? {
      guard let before, let unit = goal.measurementUnit else { return nil }
      return UnitTable.standard.convert(row.contribution, from: before, to: unit)
    }
    // Adding up once is quicker than after each match.
    try GoalSums.forget([key], db)
    let matcher = GoalMatcher(goal)
    let ids = OrderedIdentities(from: identities.next(), at: now)
    var old: [Int64: ContributionRow] = [:]
    for row in try ContributionRow.fetch(db, where: "goal_pk = ?", arguments: [key]) {
      old[row.activityKey] = row
    }
    try MatchScan(db, goals: [(key, matcher)]).run { action, matches in
      guard let match = matches.first?.match else { return }
      if let row = old.removeValue(forKey: action.key) {
        // Links made while the goal had no unit were only counted; with a unit, they are measured.
        let amount = row.isTold && before != nil ? inUnit(row) : match.contribution
        try bring(row, inLineWith: match, measured: amount)
      } else {
        try insertMatch(match, ids.next(), activity: action.key, goal: key)
      }
    }
    for row in old.values.sorted(by: { $0.key < $1.key }) {
      var amount: Double?
      if row.method.isOwners, row.isMeasured {
        amount = try ActivityRecord.fetch(
          db, from: "activity_rows", where: "pk = ?", arguments: [row.activityKey]
        ).first.flatMap { matcher.measured(ActionFacts($0.activity))?.amount }
      } else {
        amount = inUnit(row)
      }
      try bring(row, inLineWith: nil, measured: amount)
    }
    try GoalSums.settle(key, db)
  }

  /// Updates a restored match, whose action or goal may have changed since it was found.
  ///
  /// The owner's decisions and proposals by meaning stay.
  func refresh(_ match: ActionGoalContribution) throws {
    guard match.matchMethod == .autoInferred, match.matchedOn.first != GoalMatch.meaning,
      let row = try ContributionRow.fetch(
        db, where: "id = ?", arguments: [match.id.uuidString]
      ).first,
      let goals = try keys.goals(db), let index = goals.index[row.goalKey],
      let action = try ActivityRecord.fetchOne(db, id: match.actionID)?.activity
    else { return }
    let found = goals.matchers.matchers[index].match(ActionFacts(action))
    try bring(row, inLineWith: found, measured: nil)
  }

  /// Updates a match.
  ///
  /// - Parameters:
  ///   - row: the stored match.
  ///   - match: how the action counts; nil if it doesn't.
  ///   - measured: the action's contribution to the goal, matching or not; nil if it is unknown.
  /// - Throws: `DatabaseError` if the archive can't be written.
  private func bring(
    _ row: ContributionRow, inLineWith match: GoalMatch?, measured: Double?
  ) throws {
    guard row.method.isOwners else {
      if let match {
        try row.replace(with: match, at: now, db)
      } else {
        try row.delete(db)
      }
      return
    }
    guard let measured, measured.isFinite, measured != row.contribution,
      var contribution = try ActionGoalContribution.fetch(
        db, from: "contribution_rows", where: "it.pk = ?", arguments: [row.key]
      ).first
    else { return }
    contribution.contribution = measured
    contribution.updatedAt = max(
      now, Instant(milliseconds: contribution.updatedAt.milliseconds + 1))
    if try ActionGoalContribution.fetchOne(db, id: contribution.id) != nil {
      try updateEntity(contribution)
    }
  }

  private func insertMatch(
    _ match: GoalMatch, _ id: UUID, activity: Int64, goal: Int64
  ) throws {
    try ContributionRow.insert(
      match, id: id, activity: activity, goal: goal, at: now, db)
  }
}

/// The goals that a transaction matches actions with.
struct OpenGoals {
  var matchers: GoalMatchers
  /// Row numbers, in the order of the matchers.
  let keys: [Int64]
  let index: [Int64: Int]
}

extension ScopeKeys {
  /// Returns all goals, read once per transaction; nil if there are none.
  func goals(_ db: Database) throws -> OpenGoals? {
    if hasReadGoals { return goals }
    let rows = try Row.fetchAll(db, cached: "SELECT * FROM goal_rows ORDER BY pk")
    hasReadGoals = true
    guard !rows.isEmpty else { return nil }
    let keys = rows.map { $0["pk"] as Int64 }
    goals = OpenGoals(
      matchers: GoalMatchers(try rows.map(Goal.read)), keys: keys,
      index: Dictionary(uniqueKeysWithValues: zip(keys, keys.indices)))
    return goals
  }

  func forgetGoals() {
    goals = nil
    hasReadGoals = false
  }
}

extension GoalMatcher {
  /// Returns true if two versions of a goal match the same actions in the same way.
  static func isSame(_ first: Goal, _ second: Goal) -> Bool {
    first.measurementUnit == second.measurementUnit && first.startDate == second.startDate
      && first.targetDate == second.targetDate
      && first.howGoalIsActionable == second.howGoalIsActionable
  }
}

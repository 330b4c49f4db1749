package import ArkivedCore
package import Foundation
import GRDB

/// An action with its contribution to a goal.
package struct LinkedAction: Sendable {
  package var contribution: ActionGoalContribution
  package var action: Activity
  package var goal: Goal
}

/// Contributions of actions to goals: reading them, and decisions by the owner.
extension Archive {
  // MARK: Reading

  /// Returns the goals that an action is linked with, including refused ones, in the order of the
  /// links.
  package func contributions(ofAction id: UUID) throws -> [(
    contribution: ActionGoalContribution, goal: Goal
  )] {
    try read { db in
      try Archive.linked(
        where: "it.activity_pk = (SELECT pk FROM activities WHERE id = ?)", [id.uuidString],
        order: "it.pk", limit: 1_000, db
      ).map { ($0.contribution, $0.goal) }
    }
  }

  /// Returns the actions that count toward a goal, the latest first.
  package func contributions(
    toGoal id: UUID, days: ClosedRange<DayKey>? = nil, limit: Int = 50, offset: Int = 0
  ) throws -> [LinkedAction] {
    try read { db in
      try Archive.contributions(toGoal: id, days, limit: limit, offset: offset, db)
    }
  }

  /// Returns a page of the same actions; if there are more than `many`, it is sought by its days.
  static func contributions(
    toGoal id: UUID, _ days: ClosedRange<DayKey>?, limit: Int, offset: Int,
    many: Int = GoalSums.many, _ db: Database
  ) throws -> [LinkedAction] {
    let part = try GoalSums.part(
      ofGoal: id, days, limit: limit, offset: offset, many: many, db)
    let shown = part?.days ?? days ?? DayKey.earliest...DayKey.latest
    let bounds = [shown.lowerBound.description, shown.upperBound.description]
    // The entries of few days are looked up, instead of everything that counts toward the goal.
    let isNear = "it.activity_pk IN (SELECT pk FROM activity_rows WHERE day_key BETWEEN ? AND ?)"
    return try linked(
      where: """
        it.goal_pk = (SELECT pk FROM goals WHERE id = ?) AND \(counts)
        AND \(part == nil ? "action.day_key BETWEEN ? AND ?" : isNear)
        """,
      [id.uuidString] + bounds,
      order: "action.day_key DESC, action.start_at DESC, it.pk DESC", limit: limit,
      offset: offset - (part?.skipped ?? 0), db)
  }

  /// Returns the links of a goal that the owner made, confirmed or refused, in their order.
  package func decisions(aboutGoal id: UUID) throws -> [ActionGoalContribution] {
    try read { db in
      try ActionGoalContribution.fetch(
        db, where: "goal.id = ? AND it.match_method <> 'auto_inferred'",
        arguments: [id.uuidString])
    }
  }

  /// Returns the matches that wait for a decision, the most certain and latest first.
  ///
  /// - Parameters:
  ///   - goal: only those of this goal.
  ///   - limit: the maximum number of matches.
  ///   - offset: how many results to skip.
  /// - Returns: the matches.
  /// - Throws: `ArchiveError` or `DatabaseError` if the archive can't be read.
  package func waitingMatches(
    goal: UUID? = nil, limit: Int = 50, offset: Int = 0
  ) throws -> [LinkedAction] {
    try read { db in
      try Archive.linked(
        where: """
          it.match_method = 'auto_inferred' AND it.confidence < 0.7
          \(goal == nil ? "" : "AND it.goal_pk = (SELECT pk FROM goals WHERE id = ?)")
          """, goal.map { [$0.uuidString] } ?? [],
        order: "it.confidence DESC, action.day_key DESC, it.pk", limit: limit, offset: offset, db)
    }
  }

  /// Returns the number of waiting matches of each goal.
  ///
  /// - Parameter goals: nil for all.
  /// - Returns: the numbers; goals without any are skipped.
  /// - Throws: `ArchiveError` or `DatabaseError` if the archive can't be read.
  package func waitingCounts(ofGoals goals: [UUID]? = nil) throws -> [UUID: Int] {
    try read { db in
      var counts: [UUID: Int] = [:]
      let rows = try Row.fetchAll(
        db,
        cached: """
          SELECT goal.id AS id, count(*) AS waiting FROM action_goal_contributions AS it
          JOIN goal_rows AS goal ON goal.pk = it.goal_pk
          WHERE it.match_method = 'auto_inferred' AND it.confidence < 0.7
            \(goals == nil ? "" : "AND goal.id IN (\(KeyList.sql))")
          GROUP BY goal.pk
          """, arguments: goals.map { [JSON($0.map(\.uuidString)).text()] } ?? [])
      for row in rows { counts[try row.identity("id")] = row["waiting"] }
      return counts
    }
  }

  /// Returns the amounts that count toward goals, day by day.
  ///
  /// - Parameters:
  ///   - goals: nil for all.
  ///   - days: only actions of these days.
  /// - Returns: the totals by goal.
  /// - Throws: `ArchiveError` or `DatabaseError` if the archive can't be read.
  package func dayTotals(
    ofGoals goals: [UUID]? = nil, days: ClosedRange<DayKey>? = nil
  ) throws -> [UUID: [DayTotal]] {
    try read { db in
      let kept = try GoalSums.kept(ofGoals: goals, days, db)
      let unsettled = try GoalSums.unsettled(among: goals, db)
      guard !unsettled.isEmpty else { return kept }
      return kept.merging(try GoalSums.addedUp(ofGoals: unsettled, days, db)) { $1 }
    }
  }

  /// Returns the progress of goals.
  package func progress(of goals: [Goal], today: DayKey) throws -> [UUID: GoalProgress] {
    // The days of the other goals may be those of a whole life.
    let asked = goals.map(\.id)
    let totals = try dayTotals(ofGoals: asked)
    let waiting = try waitingCounts(ofGoals: asked)
    var progress: [UUID: GoalProgress] = [:]
    for goal in goals {
      progress[goal.id] = GoalProgress(
        of: goal, days: totals[goal.id] ?? [], waiting: waiting[goal.id] ?? 0, today: today)
    }
    return progress
  }

  /// The SQL condition for a row `it` that counts.
  static let counts = "it.confidence >= 0.7 AND it.match_method <> 'user_rejected'"

  static func linked(
    where condition: String, _ arguments: [String], order: String, limit: Int, offset: Int = 0,
    _ db: Database
  ) throws -> [LinkedAction] {
    let source = EntityType.contribution.rawValue
    let rows = try Row.fetchAll(
      db,
      cached: """
        \(ActionGoalContribution.selection(from: source)) WHERE \(condition)
        ORDER BY \(order) LIMIT \(limit) OFFSET \(offset)
        """, arguments: StatementArguments(arguments))
    let contributions = try rows.map(ActionGoalContribution.read)
    func all<Value: Identifiable<UUID>>(
      _ ids: [UUID], _ fetch: (String) throws -> [Value]
    ) throws -> [UUID: Value] {
      let values = try fetch(JSON(Set(ids).map(\.uuidString)).text())
      return Dictionary(values.map { ($0.id, $0) }) { first, _ in first }
    }
    let actions = try all(contributions.map(\.actionID)) { ids in
      try ActivityRecord.fetch(db, where: "id IN (\(KeyList.sql))", arguments: [ids])
        .map(\.activity)
    }
    let goals = try all(contributions.map(\.goalID)) { ids in
      try Goal.fetch(db, where: "it.id IN (\(KeyList.sql))", arguments: [ids])
    }
    return contributions.compactMap { contribution in
      guard let action = actions[contribution.actionID], let goal = goals[contribution.goalID]
      else { return nil }
      return LinkedAction(contribution: contribution, action: action, goal: goal)
    }
  }

  // MARK: Deciding

  /// Links an action with a goal by hand, or changes the amount of a link.
  ///
  /// - Parameters:
  ///   - actionID: the action.
  ///   - goalID: the goal.
  ///   - amount: in the goal's unit; nil uses the amount that the action measures, or once if the
  ///     goal has no unit.
  ///   - author: who makes the change.
  /// - Returns: the link as saved.
  /// - Throws: `FieldError` if the amount is neither given nor measured.
  @discardableResult
  package func link(
    action actionID: UUID, goal goalID: UUID, amount: Double? = nil, by author: Author = .owner
  ) throws -> Saved<ActionGoalContribution> {
    let (value, change) = try write(by: author, "link", "") { scope in
      try scope.link(action: actionID, goal: goalID, amount: amount)
    }
    return Saved(value: value, change: change)
  }

  /// Accepts or refuses matches; both decisions survive when matches are inferred again.
  ///
  /// - Throws: `ArchiveError.notFound` if one no longer exists; then none is decided.
  @discardableResult
  package func decide(
    _ ids: [UUID], _ method: MatchMethod, by author: Author = .owner
  ) throws -> Saved<[ActionGoalContribution]> {
    let (value, change) = try write(by: author, "review", "") { scope in
      try scope.decide(ids, method)
    }
    return Saved(value: value, change: change)
  }

  /// Adds actions that the rules don't match to a goal's review list.
  ///
  /// Those that are already linked with the goal, or were refused, are skipped.
  ///
  /// - Returns: the number of new actions on the list.
  package func propose(
    _ matches: [(action: UUID, match: GoalMatch)], forGoal goalID: UUID
  ) throws -> Int {
    guard !matches.isEmpty else { return 0 }
    return try transact { db in
      guard let goal = try Goal.key(goalID, db) else { return 0 }
      var count = 0
      for (action, match) in matches {
        guard
          let key = try Int64.fetchOne(
            db, cached: "SELECT pk FROM activities WHERE id = ?", arguments: [action.uuidString]),
          try ContributionRow.fetch(
            db, where: "goal_pk = ? AND activity_pk = ?", arguments: [goal, key]
          ).isEmpty
        else { continue }
        try ContributionRow.insert(
          match, id: identities.next(), activity: key, goal: goal, at: clock.now, db)
        count += 1
      }
      return count
    }
  }

  /// Removes an action from a goal.
  ///
  /// A match that the rules found, or that was proposed by its meaning, is marked as refused, to
  /// prevent finding it again.
  @discardableResult
  package func unlink(
    action actionID: UUID, goal goalID: UUID, by author: Author = .owner
  ) throws -> Saved<ActionGoalContribution> {
    let (value, change) = try write(by: author, "unlink", "") { scope in
      let (action, goal) = try scope.ends(actionID, goalID)
      guard var link = try scope.contribution(of: actionID, to: goalID) else {
        throw ArchiveError.notFound(
          "No link between “\(action.text.prefix(60))” and “\(goal.title.prefix(60))”.")
      }
      try scope.summarise(
        "Unlinked “\(action.text.prefix(80))” from “\(goal.title.prefix(80))”")
      // Proposals by meaning would be made again as well.
      if link.matchMethod != .manual || GoalMatcher(goal).match(ActionFacts(action)) != nil {
        link.matchMethod = .userRejected
        link.confidence = 0
        return try scope.decide(link)
      }
      try scope.deleteEntity(ActionGoalContribution.self, link.id)
      return link
    }
    return Saved(value: value, change: change)
  }
}

extension ChangeScope {
  /// Links an action with a goal by hand, or changes the amount of a link; see `Archive.link`.
  package mutating func link(
    action actionID: UUID, goal goalID: UUID, amount: Double?
  ) throws -> ActionGoalContribution {
    let (link, action, goal) = try manualLink(actionID, goalID, amount)
    try summarise("Linked “\(action.text.prefix(80))” with “\(goal.title.prefix(80))”")
    return try decide(link)
  }

  /// Links an action that the same change added with a goal by hand.
  ///
  /// The link takes the place of a match that the rules found, so it vanishes with the action if
  /// the change is undone.
  func link(new actionID: UUID, goal goalID: UUID, amount: Double?) throws {
    try insertEntity(try manualLink(actionID, goalID, amount).link)
  }

  private func manualLink(
    _ actionID: UUID, _ goalID: UUID, _ amount: Double?
  ) throws -> (link: ActionGoalContribution, action: Activity, goal: Goal) {
    let (action, goal) = try ends(actionID, goalID)
    let match = GoalMatcher(goal).measured(ActionFacts(action))
    guard let contribution = amount ?? match?.amount ?? (goal.measurementUnit == nil ? 1 : nil)
    else {
      throw FieldError(
        "contribution",
        "is missing, and “\(action.text.prefix(60))” has no measurement in "
          + "\(goal.measurementUnit ?? "") to take it from")
    }
    let link = ActionGoalContribution(
      id: identities.next(), actionID: actionID, goalID: goalID, contribution: contribution,
      matchMethod: .manual, confidence: 1,
      matchedOn: amount == nil ? match.map { [$0.source] } ?? [] : [], createdAt: now,
      updatedAt: now)
    return (link, action, goal)
  }

  /// Returns the matches of a goal that wait for a decision, in the current state of the
  /// transaction.
  package func waitingMatches(goal: UUID) throws -> [UUID] {
    try String.fetchAll(
      db,
      cached: """
        SELECT id FROM action_goal_contributions
        WHERE match_method = 'auto_inferred' AND confidence < 0.7
          AND goal_pk = (SELECT pk FROM goals WHERE id = ?)
        ORDER BY confidence DESC, pk
        """, arguments: [goal.uuidString]
    ).compactMap(UUID.init(uuidString:))
  }

  /// Accepts or refuses matches; see `Archive.decide`.
  package mutating func decide(
    _ ids: [UUID], _ method: MatchMethod
  ) throws -> [ActionGoalContribution] {
    let verb = method == .userRejected ? "Rejected" : "Confirmed"
    try summarise(ids.count == 1 ? "\(verb) a match" : "\(verb) \(ids.count) matches")
    return try ids.map { id in
      guard var match = try ActionGoalContribution.fetchOne(db, id: id) else {
        throw ArchiveError.notFound("No match with the ID \(id.uuidString).")
      }
      match.matchMethod = method
      match.confidence = method == .userRejected ? 0 : 1
      return try decide(match)
    }
  }

  /// Returns the contributions of an action that the owner decided about.
  func decisions(onAction id: UUID) throws -> [ActionGoalContribution] {
    try ActionGoalContribution.fetch(
      db, where: "action.id = ? AND it.match_method NOT IN ('auto_inferred', 'user_rejected')",
      arguments: [id.uuidString])
  }

  /// Links an action in the same way as another one that is merged into it.
  ///
  /// Its own decisions stay.
  func adopt(_ decisions: [ActionGoalContribution], for action: Activity) throws {
    for var link in decisions {
      let present = try contribution(of: action.id, to: link.goalID)
      guard present?.matchMethod.isOwners != true,
        let goal = try Goal.fetchOne(db, id: link.goalID)
      else { continue }
      link.id = identities.next()
      link.actionID = action.id
      link.updatedAt = now
      if MatchedOn.isMeasured(link.matchedOn),
        let match = GoalMatcher(goal).measured(ActionFacts(action))
      {
        (link.contribution, link.matchedOn) = (match.amount, [match.source])
      }
      _ = try decide(link)
    }
  }

  fileprivate func ends(_ actionID: UUID, _ goalID: UUID) throws -> (Activity, Goal) {
    guard let action = try ActivityRecord.fetchOne(db, id: actionID)?.activity else {
      throw ArchiveError.notFound("No action with the ID \(actionID.uuidString).")
    }
    guard let goal = try Goal.fetchOne(db, id: goalID) else {
      throw Self.notFound(Goal.self, goalID)
    }
    return (action, goal)
  }

  func contribution(of actionID: UUID, to goalID: UUID) throws -> ActionGoalContribution? {
    try ActionGoalContribution.fetch(
      db, where: "action.id = ? AND goal.id = ?",
      arguments: [actionID.uuidString, goalID.uuidString]
    ).first
  }

  /// Writes the owner's decision over the existing link between the two.
  fileprivate func decide(
    _ decision: ActionGoalContribution
  ) throws -> ActionGoalContribution {
    guard let old = try contribution(of: decision.actionID, to: decision.goalID) else {
      try insertEntity(decision)
      return decision
    }
    var new = decision
    new.id = old.id
    new.createdAt = old.createdAt
    new.updatedAt = max(now, Instant(milliseconds: old.updatedAt.milliseconds + 1))
    try updateEntity(new)
    return new
  }
}

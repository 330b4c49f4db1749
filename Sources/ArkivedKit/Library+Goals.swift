import ArkivedStore
public import Foundation

/// An action with its contribution to a goal.
public struct ActionTowardGoal: Hashable, Sendable {
  /// The link between the two.
  public var contribution: ActionGoalContribution
  /// The action.
  public var action: Action

  init(_ linked: LinkedAction) {
    contribution = linked.contribution
    action = linked.action
  }
}

extension Library {
  // MARK: Reading the goals side

  /// Returns all goals, those with the nearest target date first and those without one last.
  public func goals() async throws(LibraryError) -> [Goal] {
    try await waiting { [self] in try archive.goals() }
  }

  /// Returns all values and life areas, most important first.
  public func values() async throws(LibraryError) -> [PersonalValue] {
    try await waiting { [self] in try archive.values() }
  }

  /// Returns all terms, latest first.
  public func terms() async throws(LibraryError) -> [Term] {
    try await waiting { [self] in try archive.terms() }
  }

  /// Returns the owner's life in weeks, or nil if it hasn't been set up.
  public func lifeTime() async throws(LibraryError) -> LifeTime? {
    try await waiting { [self] in try archive.lifeTime() }
  }

  /// Returns the statements that goals serve values.
  public func alignments() async throws(LibraryError) -> [GoalValueAlignment] {
    try await waiting { [self] in try archive.alignments() }
  }

  /// Returns the commitments to goals for terms, in each term's order.
  public func assignments() async throws(LibraryError) -> [TermGoalAssignment] {
    try await waiting { [self] in try archive.assignments() }
  }

  // MARK: Progress

  /// Returns the progress of each goal, by its ID.
  public func progress(
    of goals: [Goal]
  ) async throws(LibraryError) -> [Goal.ID: GoalProgress] {
    try await waiting { [self] in try archive.progress(of: goals, today: today) }
  }

  /// Returns the review of a term: its goals, the values they serve, and other activities in that
  /// time.
  public func review(of term: Term) async throws(LibraryError) -> TermReview {
    try await waiting { [self] in try archive.review(of: term, today: today) }
  }

  /// Returns the goals toward which an activity counts, with its contribution to each.
  public func credits(of activity: Activity) async throws(LibraryError) -> [GoalCredit] {
    try await waiting { [self] in try archive.countsToward(action: activity.id, today: today) }
  }

  /// Returns the actions that count toward a goal, latest first.
  public func actions(
    toward goal: Goal, limit: Int = 50, offset: Int = 0
  ) async throws(LibraryError) -> [ActionTowardGoal] {
    try await waiting { [self] in
      try archive.contributions(toGoal: goal.id, limit: max(0, limit), offset: max(0, offset))
        .map(ActionTowardGoal.init)
    }
  }

  /// Counts an action toward a goal, regardless of the rules.
  ///
  /// - Parameters:
  ///   - action: the action.
  ///   - goal: the goal.
  ///   - amount: the amount in the goal's unit; nil uses the action's own measurement, or counts it
  ///     once if the goal has no unit.
  /// - Returns: the link.
  /// - Throws: ``LibraryError/Code/invalidValue`` if the amount is neither given nor measured,
  ///   ``LibraryError/Code/notFound``.
  @discardableResult
  public func link(
    _ action: Action, to goal: Goal, amount: Double? = nil
  ) async throws(LibraryError) -> ActionGoalContribution {
    try await waiting { [self] in
      try archive.link(action: action.id, goal: goal.id, amount: amount).value
    }
  }

  // MARK: Writing the goals side

  /// Adds a goal.
  ///
  /// - Throws: ``LibraryError/Code/invalidValue`` if it isn't valid, or links to something that
  ///   doesn't exist.
  @discardableResult
  public func add(_ goal: Goal) async throws(LibraryError) -> Goal {
    try await create(goal)
  }

  /// Saves a changed goal; the previous version is saved in the history.
  ///
  /// - Throws: ``LibraryError/Code/conflict`` if it was changed elsewhere in the meantime,
  ///   ``LibraryError/Code/notFound``, ``LibraryError/Code/invalidValue``.
  @discardableResult
  public func update(_ goal: Goal) async throws(LibraryError) -> Goal {
    try await save(goal)
  }

  /// Deletes a goal with its links; the actions are kept.
  ///
  /// - Throws: ``LibraryError/Code/conflict``, ``LibraryError/Code/notFound``.
  public func delete(_ goal: Goal) async throws(LibraryError) { try await remove(goal) }

  /// Adds a value or a life area.
  ///
  /// - Throws: ``LibraryError/Code/invalidValue`` if it isn't valid, or links to something that
  ///   doesn't exist.
  @discardableResult
  public func add(_ value: PersonalValue) async throws(LibraryError) -> PersonalValue {
    try await create(value)
  }

  /// Saves a changed value or life area; the previous version is saved in the history.
  ///
  /// - Throws: ``LibraryError/Code/conflict`` if it was changed elsewhere in the meantime,
  ///   ``LibraryError/Code/notFound``, ``LibraryError/Code/invalidValue``.
  @discardableResult
  public func update(_ value: PersonalValue) async throws(LibraryError) -> PersonalValue {
    try await save(value)
  }

  /// Deletes a value or a life area with its links.
  ///
  /// - Throws: ``LibraryError/Code/conflict``, ``LibraryError/Code/notFound``.
  public func delete(_ value: PersonalValue) async throws(LibraryError) { try await remove(value) }

  /// Adds a term.
  ///
  /// - Throws: ``LibraryError/Code/invalidValue`` if it isn't valid, or links to something that
  ///   doesn't exist.
  @discardableResult
  public func add(_ term: Term) async throws(LibraryError) -> Term {
    try await create(term)
  }

  /// Saves a changed term; the previous version is saved in the history.
  ///
  /// - Throws: ``LibraryError/Code/conflict`` if it was changed elsewhere in the meantime,
  ///   ``LibraryError/Code/notFound``, ``LibraryError/Code/invalidValue``.
  @discardableResult
  public func update(_ term: Term) async throws(LibraryError) -> Term {
    try await save(term)
  }

  /// Deletes a term with its links; the goals are kept.
  ///
  /// - Throws: ``LibraryError/Code/conflict``, ``LibraryError/Code/notFound``.
  public func delete(_ term: Term) async throws(LibraryError) { try await remove(term) }

  /// Adds the owner's life in weeks.
  ///
  /// - Throws: ``LibraryError/Code/invalidValue`` if it isn't valid, or the day of birth is in the
  ///   future.
  @discardableResult
  public func add(_ lifeTime: LifeTime) async throws(LibraryError) -> LifeTime {
    try await waiting { [self] in
      try LifeTime.checkBirth(lifeTime.birthDate, today: zone.dayKey(at: archive.clock.now))
      return try archive.create(lifeTime).value
    }
  }

  /// Saves the changed life in weeks; the previous version is saved in the history.
  ///
  /// - Throws: ``LibraryError/Code/conflict`` if it was changed elsewhere in the meantime,
  ///   ``LibraryError/Code/notFound``, ``LibraryError/Code/invalidValue``.
  @discardableResult
  public func update(_ lifeTime: LifeTime) async throws(LibraryError) -> LifeTime {
    try await waiting { [self] in
      try LifeTime.checkBirth(lifeTime.birthDate, today: zone.dayKey(at: archive.clock.now))
      return try archive.update(LifeTime.self, lifeTime.id, version: lifeTime.updatedAt) {
        $0 = lifeTime
      }.value
    }
  }

  /// Deletes the owner's life in weeks.
  ///
  /// - Throws: ``LibraryError/Code/conflict``, ``LibraryError/Code/notFound``.
  public func delete(_ lifeTime: LifeTime) async throws(LibraryError) { try await remove(lifeTime) }

  /// Adds a statement that a goal serves a value.
  ///
  /// - Throws: ``LibraryError/Code/invalidValue`` if it isn't valid, or links to something that
  ///   doesn't exist.
  @discardableResult
  public func add(_ alignment: GoalValueAlignment) async throws(LibraryError) -> GoalValueAlignment
  {
    try await create(alignment)
  }

  /// Saves a changed statement that a goal serves a value; the previous version is saved in the
  /// history.
  ///
  /// - Throws: ``LibraryError/Code/conflict`` if it was changed elsewhere in the meantime,
  ///   ``LibraryError/Code/notFound``, ``LibraryError/Code/invalidValue``.
  @discardableResult
  public func update(_ alignment: GoalValueAlignment) async throws(LibraryError)
    -> GoalValueAlignment
  {
    try await save(alignment)
  }

  /// Deletes a statement that a goal serves a value.
  ///
  /// - Throws: ``LibraryError/Code/conflict``, ``LibraryError/Code/notFound``.
  public func delete(_ alignment: GoalValueAlignment) async throws(LibraryError) {
    try await remove(alignment)
  }

  /// Adds a commitment to a goal for a term.
  ///
  /// - Throws: ``LibraryError/Code/invalidValue`` if it isn't valid, or links to something that
  ///   doesn't exist.
  @discardableResult
  public func add(_ assignment: TermGoalAssignment) async throws(LibraryError) -> TermGoalAssignment
  {
    try await create(assignment)
  }

  /// Saves a changed commitment to a goal for a term; the previous version is saved in the history.
  ///
  /// - Throws: ``LibraryError/Code/conflict`` if it was changed elsewhere in the meantime,
  ///   ``LibraryError/Code/notFound``, ``LibraryError/Code/invalidValue``.
  @discardableResult
  public func update(_ assignment: TermGoalAssignment) async throws(LibraryError)
    -> TermGoalAssignment
  {
    try await save(assignment)
  }

  /// Deletes a commitment to a goal for a term.
  ///
  /// - Throws: ``LibraryError/Code/conflict``, ``LibraryError/Code/notFound``.
  public func delete(_ assignment: TermGoalAssignment) async throws(LibraryError) {
    try await remove(assignment)
  }

  private func create<Entity: RecordedEntity>(
    _ entity: Entity
  ) async throws(LibraryError) -> Entity {
    try await waiting { [self] in try archive.create(entity).value }
  }

  private func save<Entity: RecordedEntity>(
    _ entity: Entity
  ) async throws(LibraryError) -> Entity {
    try await waiting { [self] in
      try archive.update(Entity.self, entity.id, version: entity.updatedAt) { $0 = entity }.value
    }
  }

  private func remove<Entity: RecordedEntity>(_ entity: Entity) async throws(LibraryError) {
    try await waiting { [self] in
      _ = try archive.delete(Entity.self, entity.id, version: entity.updatedAt)
    }
  }
}

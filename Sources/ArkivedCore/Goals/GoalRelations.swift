public import Foundation

/// The origin of a contribution.
public struct MatchMethod: OpenString {
  /// The text as stored.
  public let rawValue: String
  /// Creates a value from a text, known or not.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Inferred by the rules, and inferred again when the data they use changes.
  public static let autoInferred: MatchMethod = "auto_inferred"
  /// Inferred by the rules and confirmed by the owner.
  public static let userConfirmed: MatchMethod = "user_confirmed"
  /// Created by the owner.
  public static let manual: MatchMethod = "manual"
  /// Inferred by the rules and rejected; kept to prevent it from being proposed again.
  public static let userRejected: MatchMethod = "user_rejected"

  /// True if the owner decided it, in which case inference leaves it unchanged.
  public var isOwners: Bool { self != .autoInferred }
}

/// The contribution of one action to one goal.
public struct ActionGoalContribution: Hashable, Sendable, Identifiable {
  /// The confidence from which a match counts; below it, the match waits for review.
  public static let countsFrom = 0.7

  /// The ID, which never changes.
  public var id: UUID
  /// The action's ID.
  public var actionID: UUID
  /// The goal's ID.
  public var goalID: UUID
  /// In the goal's unit, or a number of occasions if the goal has none.
  public var contribution: Double
  /// The origin of the contribution.
  public var matchMethod: MatchMethod
  /// 0 to 1.
  public var confidence: Double
  /// The parts that matched: `dates`, `unit:km`, `keyword:yoga`, `tag:yoga`, `duration`, `meaning`.
  public var matchedOn: [String]
  /// The time at which it was added to the archive.
  public var createdAt: Instant
  /// The version: an instant that moves later with every change.
  public var updatedAt: Instant

  /// Creates a contribution.
  public init(
    id: UUID, actionID: UUID, goalID: UUID, contribution: Double, matchMethod: MatchMethod,
    confidence: Double, matchedOn: [String] = [], createdAt: Instant, updatedAt: Instant
  ) {
    self.id = id
    self.actionID = actionID
    self.goalID = goalID
    self.contribution = contribution
    self.matchMethod = matchMethod
    self.confidence = confidence
    self.matchedOn = matchedOn
    self.createdAt = createdAt
    self.updatedAt = updatedAt
  }

  /// True if it counts toward the goal.
  public var counts: Bool {
    matchMethod != .userRejected && confidence >= ActionGoalContribution.countsFrom
  }

  /// True if it is waiting for the owner's decision.
  public var waits: Bool { matchMethod == .autoInferred && !counts }
}

extension ActionGoalContribution: Validatable {
  /// Validates the fields.
  ///
  /// - Throws: `FieldError` that names the first invalid field.
  public func validate() throws(FieldError) {
    guard contribution.isFinite, contribution >= 0 else {
      throw FieldError(
        "contribution", "is \(FieldError.shown(contribution)). Enter 0 or more")
    }
    guard confidence.isFinite, (0...1).contains(confidence) else {
      throw FieldError("confidence", "is \(confidence), but must be between 0 and 1")
    }
    guard !matchMethod.rawValue.isEmpty else { throw FieldError("matchMethod", "is empty") }
    try refuseUnusable(
      ("matchMethod", matchMethod.rawValue), ("matchedOn", matchedOn.joined()))
  }
}

/// The relation of a goal to a value it serves.
public struct GoalValueAlignment: Hashable, Sendable, Identifiable {
  /// The ID, which never changes.
  public var id: UUID
  /// The goal's ID.
  public var goalID: UUID
  /// The value's ID.
  public var valueID: UUID
  /// From 1 (slightly) to 10 (completely).
  public var strength: Int?
  /// The owner's remarks.
  public var notes: String?
  /// The time at which it was added to the archive.
  public var createdAt: Instant
  /// The version: an instant that moves later with every change.
  public var updatedAt: Instant

  /// Creates an alignment.
  public init(
    id: UUID, goalID: UUID, valueID: UUID, strength: Int? = nil, notes: String? = nil,
    createdAt: Instant, updatedAt: Instant
  ) {
    self.id = id
    self.goalID = goalID
    self.valueID = valueID
    self.strength = strength
    self.notes = notes
    self.createdAt = createdAt
    self.updatedAt = updatedAt
  }
}

extension GoalValueAlignment: Validatable {
  /// Validates the fields.
  ///
  /// - Throws: `FieldError` that names the first invalid field.
  public func validate() throws(FieldError) {
    if let strength, !(1...10).contains(strength) {
      throw FieldError("strength", "is \(strength), but must be between 1 and 10")
    }
    try refuseUnusable(("notes", notes))
  }
}

/// The commitment to a goal for a term.
public struct TermGoalAssignment: Hashable, Sendable, Identifiable {
  package static let lastPlace = 1_000_000

  /// The ID, which never changes.
  public var id: UUID
  /// The term's ID.
  public var termID: UUID
  /// The goal's ID.
  public var goalID: UUID
  /// The position among the term's goals, from 1.
  public var order: Int
  /// The time at which it was added to the archive.
  public var createdAt: Instant
  /// The version: an instant that moves later with every change.
  public var updatedAt: Instant

  /// Creates an assignment.
  public init(
    id: UUID, termID: UUID, goalID: UUID, order: Int, createdAt: Instant, updatedAt: Instant
  ) {
    self.id = id
    self.termID = termID
    self.goalID = goalID
    self.order = order
    self.createdAt = createdAt
    self.updatedAt = updatedAt
  }
}

extension TermGoalAssignment: Validatable {
  /// Validates the fields.
  ///
  /// - Throws: `FieldError` that names the first invalid field.
  public func validate() throws(FieldError) {
    guard (0...Self.lastPlace).contains(order) else {
      throw FieldError("order", "is \(order), but must be between 0 and 1000000")
    }
  }
}

extension EntityType {
  package static let goal: EntityType = "goals"
  package static let personalValue: EntityType = "personal_values"
  package static let term: EntityType = "terms"
  package static let lifeTime: EntityType = "lifetimes"
  package static let contribution: EntityType = "action_goal_contributions"
  package static let alignment: EntityType = "goal_value_alignments"
  package static let assignment: EntityType = "term_goal_assignments"
}

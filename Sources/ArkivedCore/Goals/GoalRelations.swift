public import Foundation

/// How a contribution came to be.
public struct MatchMethod: OpenString {
  /// The text as it is stored.
  public let rawValue: String
  /// Makes the value of a text, known or not.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Found by the rules, and found anew when what they look at changes.
  public static let autoInferred: MatchMethod = "auto_inferred"
  /// Found by the rules and agreed to.
  public static let userConfirmed: MatchMethod = "user_confirmed"
  /// Made by the owner.
  public static let manual: MatchMethod = "manual"
  /// Found by the rules and refused; kept, so that it is not proposed again.
  public static let userRejected: MatchMethod = "user_rejected"

  /// Whether the owner decided it, so that inference leaves it as it is.
  public var isOwners: Bool { self != .autoInferred }
}

/// What one action gives to one goal.
public struct ActionGoalContribution: Hashable, Sendable, Identifiable {
  /// At and above this confidence a match counts; below it waits to be reviewed.
  public static let countsFrom = 0.7

  /// The identity, which never changes.
  public var id: UUID
  /// The action's identity.
  public var actionID: UUID
  /// The goal's identity.
  public var goalID: UUID
  /// In the goal's unit; without one, how many times.
  public var contribution: Double
  /// How the contribution came to be.
  public var matchMethod: MatchMethod
  /// 0 to 1.
  public var confidence: Double
  /// What matched: `dates`, `unit:km`, `keyword:yoga`, `tag:yoga`, `duration`, `meaning`.
  public var matchedOn: [String]
  /// When it came into the archive.
  public var createdAt: Instant
  /// The version: later after every change.
  public var updatedAt: Instant

  /// Makes a contribution.
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

  /// Whether it counts towards the goal.
  public var counts: Bool {
    matchMethod != .userRejected && confidence >= ActionGoalContribution.countsFrom
  }

  /// Whether the owner is to decide about it.
  public var waits: Bool { matchMethod == .autoInferred && !counts }
}

extension ActionGoalContribution: Validatable {
  /// Checks the structure; throws a `FieldError` that names the first wrong field.
  public func validate() throws(FieldError) {
    guard contribution.isFinite, contribution >= 0 else {
      throw FieldError(
        "contribution", "is \(FieldError.shown(contribution)). Enter 0 or more")
    }
    guard confidence.isFinite, (0...1).contains(confidence) else {
      throw FieldError("confidence", "is \(confidence), but must be between 0 and 1")
    }
    guard !matchMethod.rawValue.isEmpty else { throw FieldError("matchMethod", "is empty") }
    try refuseNUL(
      ("matchMethod", matchMethod.rawValue), ("matchedOn", matchedOn.joined()))
  }
}

/// A goal serves a value.
public struct GoalValueAlignment: Hashable, Sendable, Identifiable {
  /// The identity, which never changes.
  public var id: UUID
  /// The goal's identity.
  public var goalID: UUID
  /// The value's identity.
  public var valueID: UUID
  /// 1 (a little) to 10 (wholly).
  public var strength: Int?
  /// The owner's remarks.
  public var notes: String?
  /// When it came into the archive.
  public var createdAt: Instant
  /// The version: later after every change.
  public var updatedAt: Instant

  /// Makes an alignment.
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
  /// Checks the structure; throws a `FieldError` that names the first wrong field.
  public func validate() throws(FieldError) {
    if let strength, !(1...10).contains(strength) {
      throw FieldError("strength", "is \(strength), but must be between 1 and 10")
    }
    try refuseNUL(("notes", notes))
  }
}

/// A goal is committed to for a term.
public struct TermGoalAssignment: Hashable, Sendable, Identifiable {
  package static let lastPlace = 1_000_000

  /// The identity, which never changes.
  public var id: UUID
  /// The term's identity.
  public var termID: UUID
  /// The goal's identity.
  public var goalID: UUID
  /// Its place among the term's goals, from 1.
  public var order: Int
  /// When it came into the archive.
  public var createdAt: Instant
  /// The version: later after every change.
  public var updatedAt: Instant

  /// Makes an assignment.
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
  /// Checks the structure; throws a `FieldError` that names the first wrong field.
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

public import Foundation

/// The type of a goal.
public struct GoalType: OpenString {
  /// The text as stored.
  public let rawValue: String
  /// Creates a value from a text, known or not.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Something to reach, described in as much detail as the owner likes.
  public static let goal: GoalType = "Goal"
  /// A goal that is specific, measurable, achievable, relevant and time-bound, with none of these
  /// left open.
  public static let smartGoal: GoalType = "SmartGoal"
  /// A point reached on a single day.
  public static let milestone: GoalType = "Milestone"

  /// The values that Arkived knows.
  public static let known: [GoalType] = [.goal, .smartGoal, .milestone]
}

/// Something to reach.
public struct Goal: Persistable, Achievable, Hashable, Sendable {
  /// The ID, which never changes.
  public var id: UUID
  /// The result to reach.
  public var title: String
  /// A longer description.
  public var description: String?
  /// The owner's remarks.
  public var notes: String?
  /// The time at which it was logged, according to its owner.
  public var logTime: Instant
  /// The type of goal.
  public var goalType: GoalType
  /// The unit of the target, such as "km".
  public var measurementUnit: String?
  /// The amount to reach, in `measurementUnit`.
  public var measurementTarget: Double?
  /// The first day whose actions count, or nil if there is none.
  public var startDate: DayKey?
  /// The last day whose actions count.
  public var targetDate: DayKey?
  /// The reason it matters.
  public var howGoalIsRelevant: String?
  /// The actions that count, in the form that `GoalHints` reads:
  /// `{"units":["minutes"],"keywords":["yoga"]}`.
  public var howGoalIsActionable: String?
  /// In weeks.
  public var expectedTermLength: Int?
  /// The time at which it was added to the archive.
  public var createdAt: Instant
  /// The version: an instant that moves later with every change.
  public var updatedAt: Instant

  /// Creates a goal.
  public init(
    id: UUID, title: String, description: String? = nil, notes: String? = nil,
    logTime: Instant? = nil, goalType: GoalType = .goal, measurementUnit: String? = nil,
    measurementTarget: Double? = nil, startDate: DayKey? = nil, targetDate: DayKey? = nil,
    howGoalIsRelevant: String? = nil, howGoalIsActionable: String? = nil,
    expectedTermLength: Int? = nil, createdAt: Instant, updatedAt: Instant
  ) {
    self.id = id
    self.title = title
    self.description = description
    self.notes = notes
    self.logTime = logTime ?? createdAt
    self.goalType = goalType
    self.measurementUnit = measurementUnit
    self.measurementTarget = measurementTarget
    self.startDate = startDate
    self.targetDate = targetDate
    self.howGoalIsRelevant = howGoalIsRelevant
    self.howGoalIsActionable = howGoalIsActionable
    self.expectedTermLength = expectedTermLength
    self.createdAt = createdAt
    self.updatedAt = updatedAt
  }
}

extension Goal: Validatable {
  /// The largest target; amounts above it aren't a realistic plan, and their sums lose whole units.
  public static let largestTarget = 1e12
  /// The smallest target; amounts below it are typing mistakes.
  public static let smallestTarget = 1e-6

  /// Validates the fields.
  ///
  /// - Throws: `FieldError` that names the first invalid field.
  public func validate() throws(FieldError) {
    try refuseUnusable(
      ("title", title), ("description", description), ("notes", notes),
      ("goalType", goalType.rawValue), ("measurementUnit", measurementUnit),
      ("howGoalIsRelevant", howGoalIsRelevant), ("howGoalIsActionable", howGoalIsActionable))
    guard !isBlank(title) else {
      throw FieldError("title", "is empty. Enter what you want to reach")
    }
    guard !goalType.rawValue.isEmpty else { throw FieldError("goalType", "is empty") }
    if let measurementUnit, isBlank(measurementUnit) {
      throw FieldError("measurementUnit", "is empty. Leave it out or enter one, such as km")
    }
    if let measurementTarget {
      guard measurementTarget >= Goal.smallestTarget, measurementTarget <= Goal.largestTarget
      else {
        throw FieldError(
          "measurementTarget",
          "is \(FieldError.shown(measurementTarget)), but must be greater than 0 and at most "
            + AmountText.plain(Goal.largestTarget))
      }
      guard measurementUnit != nil else {
        throw FieldError("measurementUnit", "is missing. A target needs a unit, such as km")
      }
    }
    if let startDate, let targetDate, startDate >= targetDate {
      throw FieldError("targetDate", "is \(targetDate), but must be after the start \(startDate)")
    }
    if let expectedTermLength, !(1...5_200).contains(expectedTermLength) {
      throw FieldError(
        "expectedTermLength", "is \(expectedTermLength), but must be between 1 and 5200 weeks")
    }
    switch goalType {
    case .smartGoal: try validateSmart()
    case .milestone:
      guard targetDate != nil else {
        throw FieldError("targetDate", "is missing. A milestone needs a day")
      }
      guard startDate == nil else {
        throw FieldError("startDate", "is given, but a milestone has no first day")
      }
    default: break
    }
  }

  private func validateSmart() throws(FieldError) {
    let missing: String? =
      if measurementUnit == nil {
        "measurementUnit"
      } else if measurementTarget == nil {
        "measurementTarget"
      } else if startDate == nil {
        "startDate"
      } else if targetDate == nil {
        "targetDate"
      } else if isBlank(howGoalIsRelevant ?? "") {
        "howGoalIsRelevant"
      } else if isBlank(howGoalIsActionable ?? "") {
        "howGoalIsActionable"
      } else {
        nil
      }
    if let missing {
      throw FieldError(missing, "is missing. A SMART goal needs it")
    }
  }
}

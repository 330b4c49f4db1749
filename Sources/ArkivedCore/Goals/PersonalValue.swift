public import Foundation

/// What kind of incentive something is.
public struct IncentiveType: OpenString {
  /// The text as it is stored.
  public let rawValue: String
  /// Makes the value of a text, known or not.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Any other incentive.
  public static let incentive: IncentiveType = "incentive"
  /// A value among others.
  public static let general: IncentiveType = "general"
  /// A value that days are to follow.
  public static let major: IncentiveType = "major"
  /// The value above all others.
  public static let highestOrder: IncentiveType = "highest_order"
  /// Where something belongs; not a value, which says why.
  public static let lifeArea: IncentiveType = "life_area"

  /// The values that Arkived knows.
  public static let known: [IncentiveType] = [
    .general, .major, .highestOrder, .lifeArea, .incentive,
  ]

  /// The priority of one that names none.
  public var defaultPriority: Int {
    switch self {
    case .highestOrder: 1
    case .major: 10
    case .general, .lifeArea: 40
    default: 50
    }
  }

  /// Whether it says why, so that goals can serve it and be missed by it.
  public var isValue: Bool { self != .lifeArea }

  /// "highest order".
  package var words: String { rawValue.replacing("_", with: " ") }
}

/// Something that moves its owner: a value, or an area of life.
public struct PersonalValue: Persistable, Motivating, Hashable, Sendable {
  /// The part of life of a value that names none.
  public static let defaultDomain = "General"

  /// The identity, which never changes.
  public var id: UUID
  /// The name of the value.
  public var title: String
  /// A longer text about it.
  public var description: String?
  /// The owner's remarks.
  public var notes: String?
  /// When it was logged, as its owner tells it.
  public var logTime: Instant
  /// The kind of incentive.
  public var incentiveType: IncentiveType
  /// 1 is the highest, 100 the lowest.
  public var priority: Int
  /// The part of life it concerns, such as Health.
  public var lifeDomain: String
  /// How a day looks that follows a major value.
  public var alignmentGuidance: String?
  /// When it came into the archive.
  public var createdAt: Instant
  /// The version: later after every change.
  public var updatedAt: Instant

  /// Makes a value; without a priority it has that of its kind.
  public init(
    id: UUID, title: String, description: String? = nil, notes: String? = nil,
    logTime: Instant? = nil, incentiveType: IncentiveType = .general, priority: Int? = nil,
    lifeDomain: String = PersonalValue.defaultDomain, alignmentGuidance: String? = nil,
    createdAt: Instant, updatedAt: Instant
  ) {
    self.id = id
    self.title = title
    self.description = description
    self.notes = notes
    self.logTime = logTime ?? createdAt
    self.incentiveType = incentiveType
    self.priority = priority ?? incentiveType.defaultPriority
    self.lifeDomain = lifeDomain
    self.alignmentGuidance = alignmentGuidance
    self.createdAt = createdAt
    self.updatedAt = updatedAt
  }
}

extension PersonalValue {
  /// - Throws: where it is an area of life, with which no goal can be aligned.
  package func checkIsValue() throws(FieldError) {
    guard incentiveType.isValue else {
      throw FieldError(
        "valueId",
        "names \(FieldError.shown(title)), a life area, which says where a goal belongs, not why. "
          + "Choose a value")
    }
  }
}

extension PersonalValue: Validatable {
  /// Checks the structure; throws a `FieldError` that names the first wrong field.
  public func validate() throws(FieldError) {
    try refuseNUL(
      ("title", title), ("description", description), ("notes", notes),
      ("incentiveType", incentiveType.rawValue), ("lifeDomain", lifeDomain),
      ("alignmentGuidance", alignmentGuidance))
    guard !isBlank(title) else { throw FieldError("title", "is empty. Name the value") }
    guard !incentiveType.rawValue.isEmpty else { throw FieldError("incentiveType", "is empty") }
    guard (1...100).contains(priority) else {
      throw FieldError("priority", "is \(priority), but must be between 1 (highest) and 100")
    }
    guard !isBlank(lifeDomain) else {
      throw FieldError("lifeDomain", "is empty. Leave it out or enter one, such as Health")
    }
  }
}

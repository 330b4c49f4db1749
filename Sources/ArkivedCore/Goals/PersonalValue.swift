public import Foundation

/// The kind of an incentive.
public struct IncentiveType: OpenString {
  /// The text as stored.
  public let rawValue: String
  /// Creates a value from a text, known or not.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Any other incentive.
  public static let incentive: IncentiveType = "incentive"
  /// An ordinary value.
  public static let general: IncentiveType = "general"
  /// A value to live by day by day.
  public static let major: IncentiveType = "major"
  /// The value above all others.
  public static let highestOrder: IncentiveType = "highest_order"
  /// A life area; unlike a value, it isn't a reason for goals.
  public static let lifeArea: IncentiveType = "life_area"

  /// The values that Arkived knows.
  public static let known: [IncentiveType] = [
    .general, .major, .highestOrder, .lifeArea, .incentive,
  ]

  /// The default priority of values of this kind.
  public var defaultPriority: Int {
    switch self {
    case .highestOrder: 1
    case .major: 10
    case .general, .lifeArea: 40
    default: 50
    }
  }

  /// True if goals can serve it.
  public var isValue: Bool { self != .lifeArea }

  /// The kind in words, such as "highest value".
  package var words: String {
    self == .highestOrder ? "highest value" : rawValue.replacing("_", with: " ")
  }
}

/// Something that motivates its owner: a value or a life area.
public struct PersonalValue: Persistable, Motivating, Hashable, Sendable {
  /// The default life area of a value.
  public static let defaultDomain = "General"

  /// The ID, which never changes.
  public var id: UUID
  /// The name of the value.
  public var title: String
  /// A longer description.
  public var description: String?
  /// The owner's remarks.
  public var notes: String?
  /// The time at which it was logged, according to its owner.
  public var logTime: Instant
  /// The kind of incentive.
  public var incentiveType: IncentiveType
  /// From 1, the highest, to 100, the lowest.
  public var priority: Int
  /// The life area it concerns, such as "Health".
  public var lifeDomain: String
  /// A description of a day lived according to a major value.
  public var alignmentGuidance: String?
  /// The time at which it was added to the archive.
  public var createdAt: Instant
  /// The version: an instant that moves later with every change.
  public var updatedAt: Instant

  /// Creates a value; the default priority is that of its kind.
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
  /// Checks that goals can be aligned with it.
  ///
  /// - Throws: `FieldError` if it is a life area.
  package func checkIsValue() throws(FieldError) {
    guard incentiveType.isValue else {
      throw FieldError(
        "valueId",
        "names \(FieldError.shown(title)), which is a life area. Life areas say where a goal belongs, not "
          + "why you pursue it. Choose a value")
    }
  }
}

extension PersonalValue: Validatable {
  /// Validates the fields.
  ///
  /// - Throws: `FieldError` that names the first invalid field.
  public func validate() throws(FieldError) {
    try refuseUnusable(
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

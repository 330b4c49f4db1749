public import Foundation

/// What kind of incentive something is.
public struct IncentiveType: OpenString {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  public static let incentive: IncentiveType = "incentive"
  public static let general: IncentiveType = "general"
  public static let major: IncentiveType = "major"
  public static let highestOrder: IncentiveType = "highest_order"
  /// Where something belongs; not a value, which says why.
  public static let lifeArea: IncentiveType = "life_area"

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
  public static let defaultDomain = "General"

  public var id: UUID
  public var title: String
  public var description: String?
  public var notes: String?
  public var logTime: Instant
  public var incentiveType: IncentiveType
  public var priority: Int
  public var lifeDomain: String
  /// How a day looks that follows a major value.
  public var alignmentGuidance: String?
  public var createdAt: Instant
  public var updatedAt: Instant

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
        "names \(FieldError.shown(title)), a life area; a life area says where, not why, so goals "
          + "cannot be aligned with it")
    }
  }
}

extension PersonalValue: Validatable {
  public func validate() throws(FieldError) {
    try refuseNUL(
      ("title", title), ("description", description), ("notes", notes),
      ("incentiveType", incentiveType.rawValue), ("lifeDomain", lifeDomain),
      ("alignmentGuidance", alignmentGuidance))
    guard !isBlank(title) else { throw FieldError("title", "is empty; name the value") }
    guard !incentiveType.rawValue.isEmpty else { throw FieldError("incentiveType", "is empty") }
    guard (1...100).contains(priority) else {
      throw FieldError("priority", "is \(priority); it must be 1 (highest) to 100")
    }
    guard !isBlank(lifeDomain) else {
      throw FieldError("lifeDomain", "is empty; leave it out or name one, such as Health")
    }
  }
}

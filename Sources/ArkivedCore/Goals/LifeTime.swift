public import Foundation

/// A life in weeks: from birth to the expected end.
public struct LifeTime: Persistable, Hashable, Sendable {
  /// The expected years of a life of which nothing else is said.
  public static let defaultYears = 79.0
  /// The days of a year, on the average.
  public static let daysPerYear = 365.25

  /// The identity, which never changes.
  public var id: UUID
  /// The day of birth.
  public var birthDate: DayKey
  /// Years of 365.25 days.
  public var expectedYears: Double
  /// A longer text about it.
  public var description: String?
  /// The owner's remarks.
  public var notes: String?
  /// When it came into the archive.
  public var createdAt: Instant
  /// The version: later after every change.
  public var updatedAt: Instant

  /// Makes a lifetime.
  public init(
    id: UUID, birthDate: DayKey, expectedYears: Double = LifeTime.defaultYears,
    description: String? = nil, notes: String? = nil, createdAt: Instant, updatedAt: Instant
  ) {
    self.id = id
    self.birthDate = birthDate
    self.expectedYears = expectedYears
    self.description = description
    self.notes = notes
    self.createdAt = createdAt
    self.updatedAt = updatedAt
  }

  /// The name in lists.
  public var title: String { "Life since \(birthDate)" }
  /// When it came into the archive.
  public var logTime: Instant { createdAt }

  /// The day on which the expected years are over.
  public var expectedEnd: DayKey {
    birthDate.advanced(by: Int((expectedYears * LifeTime.daysPerYear).rounded()))
  }

  /// Whole weeks from birth to today; 0 before it.
  public func weeksLived(on today: DayKey) -> Int { max(0, birthDate.distance(to: today)) / 7 }

  /// Whole weeks that the expected life has.
  public var weeksExpected: Int { birthDate.distance(to: expectedEnd) / 7 }

  /// Weeks left until the expected end; 0 from then on.
  public func weeksRemaining(on today: DayKey) -> Int {
    max(0, weeksExpected - weeksLived(on: today))
  }

  /// Years, with a fraction.
  public func age(on today: DayKey) -> Double {
    Double(birthDate.distance(to: today)) / LifeTime.daysPerYear
  }
}

extension LifeTime: Validatable {
  /// Checks the structure; throws a `FieldError` that names the first wrong field.
  public func validate() throws(FieldError) {
    try refuseNUL(("description", description), ("notes", notes))
    guard expectedYears.isFinite, expectedYears > 0, expectedYears <= 150 else {
      throw FieldError(
        "expectedYears",
        "is \(FieldError.shown(expectedYears)), but must be above 0 and at most 150"
      )
    }
  }
}

public import Foundation

/// A life in weeks: from birth to the expected end.
public struct LifeTime: Persistable, Hashable, Sendable {
  /// The default life expectancy in years.
  public static let defaultYears = 79.0
  /// The average number of days in a year.
  public static let daysPerYear = 365.25

  /// The ID, which never changes.
  public var id: UUID
  /// The day of birth.
  public var birthDate: DayKey
  /// In years of 365.25 days.
  public var expectedYears: Double
  /// A longer description.
  public var description: String?
  /// The owner's remarks.
  public var notes: String?
  /// The time at which it was added to the archive.
  public var createdAt: Instant
  /// The version: an instant that moves later with every change.
  public var updatedAt: Instant

  /// Creates a lifetime.
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

  /// The name shown in lists.
  public var title: String { "Life since \(birthDate)" }
  /// The time at which it was added to the archive.
  public var logTime: Instant { createdAt }

  /// The day on which the expected years end.
  public var expectedEnd: DayKey {
    birthDate.advanced(by: Int((expectedYears * LifeTime.daysPerYear).rounded()))
  }

  /// Returns the whole weeks from birth to today, or 0 before birth.
  public func weeksLived(on today: DayKey) -> Int { max(0, birthDate.distance(to: today)) / 7 }

  /// The whole weeks of the expected life.
  public var weeksExpected: Int { birthDate.distance(to: expectedEnd) / 7 }

  /// Returns the weeks left until the expected end, or 0 after it.
  public func weeksRemaining(on today: DayKey) -> Int {
    max(0, weeksExpected - weeksLived(on: today))
  }

  /// Returns the age in years: those completed on birthdays, with the share of the current one.
  public func age(on today: DayKey) -> Double {
    var years = today.year - birthDate.year
    if birthday(years) > today { years -= 1 }
    let last = birthday(years)
    let length = max(1, last.distance(to: birthday(years + 1)))
    return Double(years) + Double(last.distance(to: today)) / Double(length)
  }

  /// Returns the day on which a number of years is completed; without a 29 February, the 28th.
  private func birthday(_ years: Int) -> DayKey { birthDate.adding(months: 12 * years) }

  /// Returns the weeks since birth that make up a year of life, 52 or 53: each year begins with the
  /// week of its birthday.
  package func weeks(ofYear year: Int) -> Range<Int> {
    let first = birthDate.distance(to: birthday(year)) / 7
    return first..<max(first, birthDate.distance(to: birthday(year + 1)) / 7)
  }

  /// Returns the age as every interface shows it, truncated to one decimal place: "40.7".
  package func ageText(on today: DayKey) -> String {
    let tenths = GoalProgress.tidy(max(0, age(on: today)) * 10).rounded(.down)
    return AmountText.shown(tenths / 10)
  }
}

extension LifeTime {
  /// Checks that a day of birth isn't in the future.
  ///
  /// - Throws: `FieldError` if it is.
  package static func checkBirth(_ day: DayKey, today: DayKey) throws(FieldError) {
    guard day <= today else {
      throw FieldError("birthDate", "is \(day), but must not be in the future")
    }
  }
}

extension LifeTime: Validatable {
  /// Validates the fields.
  ///
  /// - Throws: `FieldError` that names the first invalid field.
  public func validate() throws(FieldError) {
    try refuseUnusable(("description", description), ("notes", notes))
    guard expectedYears.isFinite, expectedYears > 0, expectedYears <= 150 else {
      throw FieldError(
        "expectedYears",
        "is \(FieldError.shown(expectedYears)), but must be above 0 and at most 150"
      )
    }
  }
}

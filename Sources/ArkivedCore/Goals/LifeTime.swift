package import Foundation

/// A life in weeks: from birth to the expected end.
package struct LifeTime: Persistable, Hashable, Sendable {
  package static let defaultYears = 79.0
  package static let daysPerYear = 365.25

  package var id: UUID
  package var birthDate: DayKey
  /// Years of 365.25 days.
  package var expectedYears: Double
  package var description: String?
  package var notes: String?
  package var createdAt: Instant
  package var updatedAt: Instant

  package init(
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

  package var title: String { "Life since \(birthDate)" }
  package var logTime: Instant { createdAt }

  package var expectedEnd: DayKey {
    birthDate.advanced(by: Int((expectedYears * LifeTime.daysPerYear).rounded()))
  }

  /// Whole weeks from birth to today; 0 before it.
  package func weeksLived(on today: DayKey) -> Int { max(0, birthDate.distance(to: today)) / 7 }

  /// Whole weeks that the expected life has.
  package var weeksExpected: Int { birthDate.distance(to: expectedEnd) / 7 }

  /// Weeks left until the expected end; 0 from then on.
  package func weeksRemaining(on today: DayKey) -> Int {
    max(0, weeksExpected - weeksLived(on: today))
  }

  /// Years, with a fraction.
  package func age(on today: DayKey) -> Double {
    Double(birthDate.distance(to: today)) / LifeTime.daysPerYear
  }
}

extension LifeTime: Validatable {
  package func validate() throws(FieldError) {
    try refuseNUL(("description", description), ("notes", notes))
    guard expectedYears.isFinite, expectedYears > 0, expectedYears <= 150 else {
      throw FieldError(
        "expectedYears", "is \(FieldError.shown(expectedYears)); it must be above 0 and at most 150"
      )
    }
  }
}

public import Foundation

/// Where a term stands.
public struct TermStatus: OpenString {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  public static let upcoming: TermStatus = "upcoming"
  public static let active: TermStatus = "active"
  public static let complete: TermStatus = "complete"
}

/// About ten weeks for which goals are committed to.
public struct Term: Persistable, Hashable, Sendable {
  /// Days from the start to the target date of a term that names none.
  public static let defaultDays = 70

  public var id: UUID
  public var termNumber: Int
  public var startDate: DayKey
  /// The last day of the term.
  public var targetDate: DayKey
  public var theme: String?
  public var reflection: String?
  public var description: String?
  public var notes: String?
  public var logTime: Instant
  public var createdAt: Instant
  public var updatedAt: Instant

  public init(
    id: UUID, termNumber: Int, startDate: DayKey, targetDate: DayKey? = nil, theme: String? = nil,
    reflection: String? = nil, description: String? = nil, notes: String? = nil,
    logTime: Instant? = nil, createdAt: Instant, updatedAt: Instant
  ) {
    self.id = id
    self.termNumber = termNumber
    self.startDate = startDate
    self.targetDate = targetDate ?? startDate.advanced(by: Term.defaultDays)
    self.theme = theme
    self.reflection = reflection
    self.description = description
    self.notes = notes
    self.logTime = logTime ?? createdAt
    self.createdAt = createdAt
    self.updatedAt = updatedAt
  }

  /// "Term 3", with its theme where it has one.
  public var title: String {
    if let theme, !isBlank(theme) { "Term \(termNumber): \(theme)" } else { "Term \(termNumber)" }
  }

  public var days: ClosedRange<DayKey> { startDate...max(startDate, targetDate) }

  public func status(on today: DayKey) -> TermStatus {
    if today < startDate { return .upcoming }
    return today > targetDate ? .complete : .active
  }

  /// Days until the target date; 0 from then on.
  public func daysRemaining(on today: DayKey) -> Int { max(0, today.distance(to: targetDate)) }

  /// How much of the time from start to target date is gone, 0 to 1.
  public func shareGone(on today: DayKey) -> Double {
    TimeShare.gone(from: startDate, to: targetDate, on: today)
  }

  public func overlaps(_ other: Term) -> Bool { days.overlaps(other.days) }
}

/// How much of a time is gone.
package enum TimeShare {
  /// 0 on `start` and before, 1 on `end` and after, in proportion to the days between.
  package static func gone(from start: DayKey, to end: DayKey, on today: DayKey) -> Double {
    guard today > start else { return today == start && end <= start ? 1 : 0 }
    guard today < end else { return 1 }
    return Double(start.distance(to: today)) / Double(start.distance(to: end))
  }
}

extension Term: Validatable {
  public func validate() throws(FieldError) {
    try refuseNUL(
      ("theme", theme), ("reflection", reflection), ("description", description), ("notes", notes))
    guard (0...1_000_000).contains(termNumber) else {
      throw FieldError("termNumber", "is \(termNumber); it must be 0 to 1000000")
    }
    guard startDate < targetDate else {
      throw FieldError("targetDate", "is \(targetDate); it must come after the start \(startDate)")
    }
  }
}

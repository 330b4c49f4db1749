public import Foundation

/// Where a term stands.
public struct TermStatus: OpenString {
  /// The text as it is stored.
  public let rawValue: String
  /// Makes the value of a text, known or not.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// It hasn't begun.
  public static let upcoming: TermStatus = "upcoming"
  /// It goes on.
  public static let active: TermStatus = "active"
  /// It is over.
  public static let complete: TermStatus = "complete"

  package static let known: [TermStatus] = [.active, .upcoming, .complete]
  /// What a filter takes: the words that are told, "completed" for complete, and all.
  package static let filters = known.map(\.rawValue) + ["completed", "all"]

  /// Reads what a filter takes, in any case; nil for all.
  ///
  /// - Throws: `FieldError` for other words.
  package static func filter(_ text: String) throws(FieldError) -> TermStatus? {
    let word = NameFolding.loose(text)
    if word == "all" { return nil }
    guard let status = known.first(where: { $0.rawValue == word }) else {
      guard word == "completed" else {
        throw FieldError(
          "status",
          "is \(FieldError.shown(text)); it must be active, upcoming, complete or all")
      }
      return .complete
    }
    return status
  }
}

/// About ten weeks for which goals are committed to.
public struct Term: Persistable, Hashable, Sendable {
  /// Days from the start to the target date of a term that names none.
  public static let defaultDays = 70

  /// The identity, which never changes.
  public var id: UUID
  /// The number, which no other term has.
  public var termNumber: Int
  /// The first day of the term.
  public var startDate: DayKey
  /// The last day of the term.
  public var targetDate: DayKey
  /// The theme.
  public var theme: String?
  /// What the owner makes of it afterwards.
  public var reflection: String?
  /// A longer text about it.
  public var description: String?
  /// The owner's remarks.
  public var notes: String?
  /// When it was logged, as its owner tells it.
  public var logTime: Instant
  /// When it came into the archive.
  public var createdAt: Instant
  /// The version: later after every change.
  public var updatedAt: Instant

  /// Makes a term; without a target date it lasts `defaultDays`.
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

  /// The days from first to last.
  public var days: ClosedRange<DayKey> { startDate...max(startDate, targetDate) }

  /// Returns where the term stands on a day.
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

  /// Returns whether the terms share a day.
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
  /// Checks the structure; throws a `FieldError` that names the first wrong field.
  public func validate() throws(FieldError) {
    try refuseNUL(
      ("theme", theme), ("reflection", reflection), ("description", description), ("notes", notes))
    guard (0...1_000_000).contains(termNumber) else {
      throw FieldError("termNumber", "is \(termNumber), but must be between 0 and 1000000")
    }
    guard startDate < targetDate else {
      throw FieldError("targetDate", "is \(targetDate), but must be after the start \(startDate)")
    }
  }
}

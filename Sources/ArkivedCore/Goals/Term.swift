package import Foundation

/// Where a term stands.
package struct TermStatus: OpenString {
  package let rawValue: String
  package init(rawValue: String) { self.rawValue = rawValue }

  package static let upcoming: TermStatus = "upcoming"
  package static let active: TermStatus = "active"
  package static let complete: TermStatus = "complete"

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
package struct Term: Persistable, Hashable, Sendable {
  /// Days from the start to the target date of a term that names none.
  package static let defaultDays = 70

  package var id: UUID
  package var termNumber: Int
  package var startDate: DayKey
  /// The last day of the term.
  package var targetDate: DayKey
  package var theme: String?
  package var reflection: String?
  package var description: String?
  package var notes: String?
  package var logTime: Instant
  package var createdAt: Instant
  package var updatedAt: Instant

  package init(
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
  package var title: String {
    if let theme, !isBlank(theme) { "Term \(termNumber): \(theme)" } else { "Term \(termNumber)" }
  }

  package var days: ClosedRange<DayKey> { startDate...max(startDate, targetDate) }

  package func status(on today: DayKey) -> TermStatus {
    if today < startDate { return .upcoming }
    return today > targetDate ? .complete : .active
  }

  /// Days until the target date; 0 from then on.
  package func daysRemaining(on today: DayKey) -> Int { max(0, today.distance(to: targetDate)) }

  /// How much of the time from start to target date is gone, 0 to 1.
  package func shareGone(on today: DayKey) -> Double {
    TimeShare.gone(from: startDate, to: targetDate, on: today)
  }

  package func overlaps(_ other: Term) -> Bool { days.overlaps(other.days) }
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
  package func validate() throws(FieldError) {
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

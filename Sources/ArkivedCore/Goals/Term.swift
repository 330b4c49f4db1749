public import Foundation

/// The status of a term.
public struct TermStatus: OpenString {
  /// The text as stored.
  public let rawValue: String
  /// Creates a value from a text, known or not.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// The term has not begun.
  public static let upcoming: TermStatus = "upcoming"
  /// The term is in progress.
  public static let active: TermStatus = "active"
  /// The term is over.
  public static let complete: TermStatus = "complete"

  package static let known: [TermStatus] = [.active, .upcoming, .complete]
  /// The words a filter accepts: the raw values, "completed" for `complete`, and "all".
  package static let filters = known.map(\.rawValue) + ["completed", "all"]

  /// Reads a filter word in any case; returns nil for "all".
  ///
  /// - Throws: `FieldError` for other words.
  package static func filter(_ text: String) throws(FieldError) -> TermStatus? {
    let word = NameFolding.loose(text)
    if word == "all" { return nil }
    guard let status = known.first(where: { $0.rawValue == word }) else {
      guard word == "completed" else {
        throw FieldError(
          "status",
          "is \(FieldError.shown(text)), but must be active, upcoming, complete or all")
      }
      return .complete
    }
    return status
  }
}

/// A period of about ten weeks with goals to commit to.
public struct Term: Persistable, Hashable, Sendable {
  /// The default number of days from the start to the target date.
  public static let defaultDays = 70

  /// The ID, which never changes.
  public var id: UUID
  /// The number, unique among terms.
  public var termNumber: Int
  /// The first day of the term.
  public var startDate: DayKey
  /// The last day of the term.
  public var targetDate: DayKey
  /// The theme.
  public var theme: String?
  /// The owner's reflection afterwards.
  public var reflection: String?
  /// A longer description.
  public var description: String?
  /// The owner's remarks.
  public var notes: String?
  /// The time at which it was logged, according to its owner.
  public var logTime: Instant
  /// The time at which it was added to the archive.
  public var createdAt: Instant
  /// The version: an instant that moves later with every change.
  public var updatedAt: Instant

  /// Creates a term; without a target date, it lasts `defaultDays`.
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

  /// The title, "Term 3", with the theme if there is one.
  public var title: String {
    if let theme, !isBlank(theme) { "Term \(termNumber): \(theme)" } else { "Term \(termNumber)" }
  }

  /// The title in the current language.
  package var shownTitle: String {
    let name = said("Term \(termNumber)")
    guard let theme, !isBlank(theme) else { return name }
    return "\(name): \(theme)"
  }

  /// Returns true for the title in the current language, with or without the theme.
  package func isShown(as name: String) -> Bool {
    let wanted = NameFolding.loose(name)
    return [said("Term \(termNumber)"), shownTitle].contains { NameFolding.loose($0) == wanted }
  }

  /// The days from the first to the last.
  public var days: ClosedRange<DayKey> { startDate...max(startDate, targetDate) }

  /// Returns the term's status on a day.
  public func status(on today: DayKey) -> TermStatus {
    if today < startDate { return .upcoming }
    return today > targetDate ? .complete : .active
  }

  /// Returns the days until the target date, or 0 after it.
  public func daysRemaining(on today: DayKey) -> Int { max(0, today.distance(to: targetDate)) }

  /// Returns the share of the time from start to target date that has passed, from 0 to 1.
  public func shareGone(on today: DayKey) -> Double {
    TimeShare.gone(from: startDate, to: targetDate, on: today)
  }

  /// Returns true if the terms have a day in common.
  public func overlaps(_ other: Term) -> Bool { days.overlaps(other.days) }
}

/// The terms that “this term”, “the last term” and “the next term” refer to, on every face.
extension Sequence where Element == Term {
  /// Returns the term that includes a day; of several, the one that began last.
  package func active(on today: DayKey) -> Term? {
    filter { $0.status(on: today) == .active }
      .max { ($0.startDate, $0.termNumber) < ($1.startDate, $1.termNumber) }
  }

  /// Returns the term that ended last before a day.
  package func lastEnded(before today: DayKey) -> Term? {
    filter { $0.targetDate < today }.max {
      ($0.targetDate, $0.startDate, $0.termNumber) < ($1.targetDate, $1.startDate, $1.termNumber)
    }
  }

  /// Returns the term that begins next after a day.
  package func next(after today: DayKey) -> Term? {
    filter { $0.startDate > today }
      .min { ($0.startDate, $0.termNumber) < ($1.startDate, $1.termNumber) }
  }
}

/// Computes the share of a period that has passed.
package enum TimeShare {
  /// Returns the share of a period that has passed: 0 up to `start`, 1 from `end` on, and
  /// proportional to the days between.
  package static func gone(from start: DayKey, to end: DayKey, on today: DayKey) -> Double {
    guard today > start else { return today == start && end <= start ? 1 : 0 }
    guard today < end else { return 1 }
    return Double(start.distance(to: today)) / Double(start.distance(to: end))
  }
}

extension Term: Validatable {
  /// Validates the fields.
  ///
  /// - Throws: `FieldError` that names the first invalid field.
  public func validate() throws(FieldError) {
    try refuseUnusable(
      ("theme", theme), ("reflection", reflection), ("description", description), ("notes", notes))
    guard (0...1_000_000).contains(termNumber) else {
      throw FieldError("termNumber", "is \(termNumber), but must be between 0 and 1000000")
    }
    guard startDate < targetDate else {
      throw FieldError("targetDate", "is \(targetDate), but must be after the start \(startDate)")
    }
  }
}

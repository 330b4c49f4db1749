package import ArkivedCore
package import Foundation

/// Somebody of the archive, with what is said about them.
package struct TimelinePerson: Hashable, Sendable {
  package let name: String
  package let aliases: [String]
  package let summary: String?
}

/// What a day itself says.
package struct TimelineDay: Sendable {
  package var id: UUID?
  package var mood: Int?
  package var energy: Int?
  package var metrics: [String: Double]
}

/// Conditions that an index can decide, each clause being one of several atoms.
package struct IndexCondition: Sendable {
  package enum Atom: Hashable, Sendable {
    case tag(String), kind(String), person(String), place(String), word(String)
    /// The entry lies on one of these days.
    case day(Set<DayKey>)
  }

  package var days: ClosedRange<DayKey>
  package var weekdays: Set<Weekday> = []
  /// When not nil, only these days.
  package var onDays: Set<DayKey>?
  /// Every clause must hold by one of its atoms.
  package var all: [[Atom]] = []
  /// No atom of these may hold.
  package var none: [[Atom]] = []
  package var hasNobody = false

  package init(days: ClosedRange<DayKey>) { self.days = days }
}

/// The archive as answers need it. A store implements it with its indexes.
package protocol Timeline: Sendable {
  var people: [TimelinePerson] { get }
  /// Tags with how many entries have each.
  var tags: [String: Int] { get }
  /// Places with how many entries name each.
  var places: [String: Int] { get }
  /// Units of the measurements with how many entries have each.
  var units: [String: Int] { get }
  /// Names of the daily metrics, with their units.
  var metrics: [String: String] { get }
  /// In how many entries a word's key occurs; 0 for unknown words.
  func frequency(of key: String) -> Int
  /// What is made of the names, once for all questions.
  var names: TimelineNames { get }
  /// Activities, or notes, that fulfil a condition, in order of time.
  func entries(_ type: TimelineEntry.Kind, where condition: IndexCondition) -> [TimelineEntry]
  /// How many there are; costs less than the entries where there are many.
  func count(_ type: TimelineEntry.Kind, where condition: IndexCondition) -> Int
  /// What days say themselves, in order.
  func days(in days: ClosedRange<DayKey>) -> [(DayKey, TimelineDay)]
  /// The first and last day with anything.
  var span: ClosedRange<DayKey>? { get }
}

package import ArkivedCore
package import Foundation

/// A person in the archive, with their description.
package struct TimelinePerson: Hashable, Sendable {
  package let name: String
  package let aliases: [String]
  package let summary: String?
}

/// The values recorded for a day itself.
package struct TimelineDay: Sendable {
  package var id: UUID?
  package var mood: Int?
  package var energy: Int?
  package var metrics: [String: Double]
}

/// Conditions that an index can evaluate; each clause is a choice of several atoms.
package struct IndexCondition: Sendable {
  package enum Atom: Hashable, Sendable {
    case tag(String), kind(String), person(String), place(String), word(String)
    /// The entry is on one of these days.
    case day(Set<DayKey>)
  }

  package var days: ClosedRange<DayKey>
  package var weekdays: Set<Weekday> = []
  /// If not nil, only these days match.
  package var onDays: Set<DayKey>?
  /// The clauses, each satisfied by any of its atoms.
  package var all: [[Atom]] = []
  /// The clauses to exclude; no entry may match any of their atoms.
  package var none: [[Atom]] = []
  package var hasNobody = false

  package init(days: ClosedRange<DayKey>) { self.days = days }
}

/// The archive as answers need it, implemented by a store with its indexes.
package protocol Timeline: Sendable {
  var people: [TimelinePerson] { get }
  /// The tags, with the number of entries for each.
  var tags: [String: Int] { get }
  /// The places, with the number of entries that mention each.
  var places: [String: Int] { get }
  /// The units of measurements, with the number of entries for each.
  var units: [String: Int] { get }
  /// The names of the daily metrics, with their units.
  var metrics: [String: String] { get }
  /// Returns the number of entries that contain a word's key; 0 for unknown words.
  func frequency(of key: String) -> Int
  /// Data derived from names, computed once for all questions.
  var names: TimelineNames { get }
  /// Returns the activities or notes that match a condition, in chronological order.
  func entries(_ type: TimelineEntry.Kind, where condition: IndexCondition) -> [TimelineEntry]
  /// Returns the number of matching entries, which is cheaper than loading many of them.
  func count(_ type: TimelineEntry.Kind, where condition: IndexCondition) -> Int
  /// Returns the daily figures in order.
  func days(in days: ClosedRange<DayKey>) -> [(DayKey, TimelineDay)]
  /// The first and last day with any data.
  var span: ClosedRange<DayKey>? { get }
}

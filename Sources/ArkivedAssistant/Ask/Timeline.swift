package import ArkivedCore
package import Foundation

/// What is asked about: one activity, or one day's note.
package struct TimelineEntry: Identifiable, Sendable {
  package enum Kind: String, Sendable { case activity, day }

  package let id: UUID
  package let type: Kind
  package let day: DayKey
  /// Local minutes since the day's midnight; nil when only the day is known.
  package let startMinute: Int?
  /// Given, or from start and end.
  package let durationMinutes: Double?
  package let activityKind: String
  package let text: String
  package let tags: [String]
  package let people: [String]
  package let place: String?
  /// Unit to amount.
  package let measurements: [String: Double]
  package let externalRefs: [(provider: String, externalID: String)]
  /// The keys of the text's words, in order.
  package let words: [Word]
  package let keys: Set<String>
  package let placeKeys: Set<String>

  package init(
    id: UUID, type: Kind, day: DayKey, startMinute: Int?, durationMinutes: Double?,
    activityKind: String, text: String, tags: [String], people: [String], place: String?,
    measurements: [String: Double], externalRefs: [(provider: String, externalID: String)] = []
  ) {
    self.id = id
    self.type = type
    self.day = day
    self.startMinute = startMinute
    self.durationMinutes = durationMinutes
    self.activityKind = activityKind
    self.text = text
    self.tags = tags
    self.people = people
    self.place = place
    self.measurements = measurements
    self.externalRefs = externalRefs
    words = WordCutter.words(of: text)
    keys = Set(words.map(\.key))
    placeKeys = Set(WordCutter.words(of: place ?? "").map(\.key)).subtracting(["the"])
  }
}

extension TimelineEntry {
  /// The same entry naming these people.
  package func with(people: [String]) -> TimelineEntry {
    TimelineEntry(
      id: id, type: type, day: day, startMinute: startMinute, durationMinutes: durationMinutes,
      activityKind: activityKind, text: text, tags: tags, people: people, place: place,
      measurements: measurements, externalRefs: externalRefs)
  }
}

/// Somebody of the archive, with what is said about them.
package struct TimelinePerson: Sendable {
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
  /// Known words near a misspelt one, as candidates for its correction.
  func vocabulary() -> [String: Int]
  /// Activities, or notes, that fulfil a condition, in order of time.
  func entries(_ type: TimelineEntry.Kind, where condition: IndexCondition) -> [TimelineEntry]
  /// What days say themselves, in order.
  func days(in days: ClosedRange<DayKey>) -> [(DayKey, TimelineDay)]
  /// The first and last day with anything.
  var span: ClosedRange<DayKey>? { get }
}

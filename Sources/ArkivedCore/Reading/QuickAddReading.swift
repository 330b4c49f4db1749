/// What a quick-add line says, part by part.
package struct QuickAddReading: Hashable, Sendable {
  /// What a part of the line became.
  package enum Role: String, Sendable, CaseIterable {
    case day, time, duration, kind, tag, person, measure, place
  }

  /// Some words of the line and how they were understood.
  package struct Part: Hashable, Sendable {
    package var role: Role
    /// Where the words stand in the typed line.
    package var range: Range<String.Index>
    package var words: String
    /// A short reading for people: "Sunday, 15 November 2026", "12:30–13:15", "5 km".
    package var label: String

    package init(role: Role, range: Range<String.Index>, words: String, label: String) {
      self.role = role
      self.range = range
      self.words = words
      self.label = label
    }
  }

  /// Whether the line names its day.
  package var namesDay: Bool { !isDayGuessed && understood.contains { $0.role == .day } }

  /// The line without the parts that became day, time, kind or tags.
  package var text: String
  /// The line as typed.
  package var typedText: String
  package var dayKey: DayKey
  /// Whether the day is that of the last night, which the line does not name.
  package var isDayGuessed = false
  package var start: WallTime?
  /// Excluded; after midnight it lies on the next day.
  package var end: WallTime?
  /// As given by "for 45 min"; a time range alone gives none.
  package var durationMinutes: Double?
  package var kind: ActivityKind?
  package var tags: [String]
  /// Names, in the order they occur.
  package var people: [String]
  /// Names of people who are not known yet; they are offered, and nobody is added by them.
  package var suggestedPeople: [String] = []
  /// Canonical unit (see `UnitTable`) to amount.
  package var measurements: [String: Double]
  package var place: String?
  /// In the order the parts stand in the line.
  package var understood: [Part]

  package init(
    text: String, typedText: String, dayKey: DayKey, start: WallTime? = nil,
    end: WallTime? = nil, durationMinutes: Double? = nil, kind: ActivityKind? = nil,
    tags: [String] = [], people: [String] = [], measurements: [String: Double] = [:],
    place: String? = nil, understood: [Part] = []
  ) {
    self.text = text
    self.typedText = typedText
    self.dayKey = dayKey
    self.start = start
    self.end = end
    self.durationMinutes = durationMinutes
    self.kind = kind
    self.tags = tags
    self.people = people
    self.measurements = measurements
    self.place = place
    self.understood = understood
  }
}

/// Why a quick-add line cannot become an activity.
package enum QuickAddError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The line holds no visible character.
  case empty
  /// The line holds a day, a time or tags and nothing that was done.
  case nothingDone(understood: String)
  /// The end lies before the start, more than twelve hours on if taken over midnight.
  case endBeforeStart(start: String, end: String)
  /// A date that is in no calendar, such as 31 February.
  case noSuchDate(String)

  /// A sentence that says what is wrong and what to do.
  package var description: String {
    switch self {
    case .empty: said("The line is empty. Write what you did.")
    case .nothingDone(let words):
      said("The line only has \(words). Add what you did.")
    case .endBeforeStart(let start, let end):
      said("The end \(end) is before the start \(start). Write the earlier time first.")
    case .noSuchDate(let words):
      said("“\(words)” isn’t a valid day. Write a date that’s in the calendar.")
    }
  }
}

/// The meaning of a quick-add line, part by part.
package struct QuickAddReading: Hashable, Sendable {
  /// The meaning of a part of the line.
  package enum Role: String, Sendable, CaseIterable {
    case day, time, duration, kind, tag, person, measure, place
  }

  /// Words of the line with their meaning.
  package struct Part: Hashable, Sendable {
    package var role: Role
    /// The range of the words in the typed line.
    package var range: Range<String.Index>
    package var words: String
    /// A short interpretation for display: "Sunday, 15 November 2026", "12:30–13:15", "5 km".
    package var label: String

    package init(role: Role, range: Range<String.Index>, words: String, label: String) {
      self.role = role
      self.range = range
      self.words = words
      self.label = label
    }
  }

  /// True if the line names its day.
  package var namesDay: Bool { !isDayGuessed && understood.contains { $0.role == .day } }

  /// The line without the words for day, time, kind or tags.
  package var text: String
  /// The line as typed.
  package var typedText: String
  package var dayKey: DayKey
  /// True if the day is last night's, although the line doesn't name it.
  package var isDayGuessed = false
  package var start: WallTime?
  /// The part of the day that the line gives instead of a clock time; `start` is its beginning.
  package var period: DayPeriod?
  /// The end, excluded; after midnight, it is on the next day.
  package var end: WallTime?
  /// The duration as given by "for 45 min"; a time range alone sets none.
  package var durationMinutes: Double?
  package var kind: ActivityKind?
  package var tags: [String]
  /// The names, in order of occurrence.
  package var people: [String]
  /// The names of people who are not known yet; they are only suggested and never added
  /// automatically.
  package var suggestedPeople: [String] = []
  /// The amount of each canonical unit (see `UnitTable`).
  package var measurements: [String: Double]
  package var place: String?
  /// The understood parts, in the order of the line.
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

extension QuickAddReading {
  /// Returns its start and its end as instants in a zone.
  package func instants(in zone: Zone) -> (start: Instant?, end: Instant?) {
    guard let first = start, let last = end else {
      return (start.map(zone.instant(of:)), end.map(zone.instant(of:)))
    }
    let times = zone.instants(from: first, to: last)
    return (times.start, times.end)
  }
}

/// The reason a quick-add line cannot become an activity.
package enum QuickAddError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The line has no visible characters.
  case empty
  /// The line has a day, a time or tags but nothing that was done.
  case nothingDone(understood: String)
  /// The end is before the start, and would be more than twelve hours after it if it were on the
  /// next day.
  case endBeforeStart(start: String, end: String)
  /// A date that doesn't exist, such as 31 February.
  case noSuchDate(String)

  /// A sentence that describes the problem and the solution.
  package var description: String {
    switch self {
    case .empty: said("The line is empty. Write what you did.")
    case .nothingDone(let words):
      said("The line only has \(words). Add what you did.")
    case .endBeforeStart(let start, let end):
      said("The end \(end) is before the start \(start). Write the earlier time first.")
    case .noSuchDate(let words):
      said("“\(words)” isn’t a valid date. Enter a different one.")
    }
  }
}

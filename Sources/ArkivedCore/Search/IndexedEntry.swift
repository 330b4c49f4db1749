/// An activity or a day's note, with the data that an index of the journal needs.
package struct IndexedEntry: Sendable {
  /// The row number in the full-text table.
  package var rowNumber: Int64
  package var day: DayKey
  /// The local minutes since the day's midnight, or nil if only the day is known; negative for a
  /// start on the day before, as of a night that is dated to the day of waking, and from 1,440 on
  /// for a start on the day after.
  package var startMinute: Int?
  /// True if only the part of the day is known, whose beginning is the start.
  package var isPartOfDay = false
  /// The duration in minutes, as given or from start to end.
  package var minutes: Double?
  package var kind: String
  package var text: String
  package var place: String?
  package var coordinates: Coordinates?
  package var tags: [String] = []
  package var people: [String] = []
  package var measurements: [(unit: String, amount: Double)] = []
  /// Further text: an activity's description and notes.
  package var notes: String?
  package var isActivity: Bool

  package init(
    rowNumber: Int64, day: DayKey, startMinute: Int? = nil, minutes: Double? = nil,
    kind: String = "", text: String, place: String? = nil, isActivity: Bool = true
  ) {
    self.rowNumber = rowNumber
    self.day = day
    self.startMinute = startMinute
    self.minutes = minutes
    self.kind = kind
    self.text = text
    self.place = place
    self.isActivity = isActivity
  }
}

/// A location on Earth, in degrees.
package struct Coordinates: Hashable, Sendable {
  package var latitude: Double
  package var longitude: Double

  package init(latitude: Double, longitude: Double) {
    self.latitude = latitude
    self.longitude = longitude
  }
}

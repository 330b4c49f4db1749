/// An activity or a day's note as an index of what was done needs it.
package struct IndexedEntry: Sendable {
  /// Its row number in the full-text table.
  package var rowNumber: Int64
  package var day: DayKey
  /// Local minutes since the day's midnight; nil where only the day is known.
  package var startMinute: Int?
  /// Given, or from start to end.
  package var minutes: Double?
  package var kind: String
  package var text: String
  package var place: String?
  package var coordinates: Coordinates?
  package var tags: [String] = []
  package var people: [String] = []
  package var measurements: [(unit: String, amount: Double)] = []
  /// What is written beside it: an activity's description and notes.
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

/// A place on the earth, in degrees.
package struct Coordinates: Hashable, Sendable {
  package var latitude: Double
  package var longitude: Double

  package init(latitude: Double, longitude: Double) {
    self.latitude = latitude
    self.longitude = longitude
  }
}

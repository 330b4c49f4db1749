/// A summary of a day for a calendar.
package struct DaySummary: Hashable, Sendable {
  package var dayKey: DayKey
  /// The number of activities on the day.
  package var entryCount = 0
  package var mood: Int?
  package var energy: Int?
  package var title: String?
  package var hasNote = false
  package var pinCount = 0
  package var photoCount = 0
  /// The number of meetings that were not cancelled.
  package var meetingCount = 0

  package init(_ dayKey: DayKey) { self.dayKey = dayKey }

  package var json: JSON {
    [
      "dayKey": JSON(dayKey), "entryCount": JSON(entryCount), "mood": JSON(mood),
      "energy": JSON(energy), "title": JSON(title), "hasNote": .bool(hasNote),
      "pinCount": JSON(pinCount), "photoCount": JSON(photoCount),
      "meetingCount": JSON(meetingCount),
    ]
  }
}

/// A summary of a month: sums over its days.
package struct MonthSummary: Hashable, Sendable {
  package var year: Int
  package var month: Int
  package var entryCount = 0
  /// The mean mood and energy of its days, each with the number of days averaged.
  package var mood: Double?
  package var moodDays = 0
  package var energy: Double?
  package var energyDays = 0

  package init(year: Int, month: Int) {
    self.year = year
    self.month = month
  }
}

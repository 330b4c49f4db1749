/// A day in short, as a calendar shows it.
package struct DaySummary: Hashable, Sendable {
  package var dayKey: DayKey
  /// How many activities the day holds.
  package var entryCount = 0
  package var mood: Int?
  package var energy: Int?
  package var title: String?
  package var hasNote = false
  package var pinCount = 0
  package var photoCount = 0
  /// Meetings that were not cancelled.
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

/// A month in short: sums over its days.
package struct MonthSummary: Hashable, Sendable {
  package var year: Int
  package var month: Int
  package var entryCount = 0
  /// The mean of its days' moods and energies, and of how many days.
  package var mood: Double?
  package var moodDays = 0
  package var energy: Double?
  package var energyDays = 0

  package init(year: Int, month: Int) {
    self.year = year
    self.month = month
  }
}

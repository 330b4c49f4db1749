import ArkivedCore

/// The average rating of days, from 1 to 5, if entries have one.
struct DayMeans {
  private struct Mean {
    var sum = 0.0
    var count = 0
    var place: String
  }

  private var days: [DayKey: Mean] = [:]

  mutating func add(_ value: Double, on day: DayKey, at place: String) {
    var mean = days[day] ?? Mean(place: place)
    mean.sum += value
    mean.count += 1
    days[day] = mean
  }

  /// Passes on the rounded averages as the days' moods.
  ///
  /// - Throws: errors from the sink.
  func takeMoods(_ context: ImportContext, into sink: any ImportSink) throws {
    for (day, mean) in days.sorted(by: { $0.key < $1.key }) {
      let entry = DayEntry(
        id: context.identities.next(), dayKey: day,
        mood: Int((mean.sum / Double(mean.count)).rounded()), createdAt: context.now,
        updatedAt: context.now)
      try sink.take(ImportedRecord(.day(entry), place: mean.place, linksPeople: false))
    }
  }
}

import ArkivedCore

/// The number of positions on each day, as they were last read.
struct DayCounts: Sendable {
  private var counts: [DayKey: Int] = [:]

  /// Reads the marks of a link.
  init(_ marks: [String: String]) {
    for (name, value) in marks {
      guard let day = DayKey(name), let count = Int(value), count > 0 else { continue }
      counts[day] = count
    }
  }

  subscript(day: DayKey) -> Int {
    get { counts[day] ?? 0 }
    set { counts[day] = newValue > 0 ? newValue : nil }
  }

  /// The last day with positions; nil if there is none.
  var last: DayKey? { counts.keys.max() }

  /// Returns the number of positions in a range.
  func sum(_ days: ClosedRange<DayKey>) -> Int {
    counts.reduce(0) { $0 + (days.contains($1.key) ? $1.value : 0) }
  }

  /// Returns the days of a range that have positions.
  func days(in range: ClosedRange<DayKey>) -> Set<DayKey> {
    Set(counts.keys.filter(range.contains))
  }
}

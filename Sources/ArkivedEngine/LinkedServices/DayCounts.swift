import ArkivedCore

/// The number of positions on each day, as they were last read.
struct DayCounts: Sendable {
  private var counts: [DayKey: Int] = [:]
  /// The largest numbers, where the server has lost positions since.
  private var most: [DayKey: Int] = [:]

  /// Reads the marks of a link.
  init(_ marks: [String: String]) {
    for (name, value) in marks {
      guard let day = DayKey(name) else { continue }
      let numbers = value.split(separator: "/").compactMap { Int($0) }.filter { $0 > 0 }
      if let largest = numbers.max() { most[day] = largest }
      if let count = value.split(separator: "/").first.flatMap({ Int($0) }) { self[day] = count }
    }
  }

  subscript(day: DayKey) -> Int {
    get { counts[day] ?? 0 }
    set {
      counts[day] = newValue > 0 ? newValue : nil
      if newValue > largest(day) { most[day] = newValue }
    }
  }

  /// Returns the largest number of positions that a day ever had.
  func largest(_ day: DayKey) -> Int { most[day] ?? 0 }

  /// Returns the mark of a day: `12`, or `12/1000` if it once had more.
  func mark(_ day: DayKey) -> String {
    self[day] < largest(day) ? "\(self[day])/\(largest(day))" : "\(self[day])"
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

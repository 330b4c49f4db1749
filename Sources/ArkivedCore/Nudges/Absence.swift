/// The rule for who hasn't been seen for unusually long.
package enum Absence {
  /// The minimum number of days since somebody was last seen.
  package static let shortest = 42
  /// The maximum number of days since somebody was last seen; longer absences aren't mentioned.
  package static let longest = 365
  /// The number of days before somebody was last seen that show how often that used to be.
  package static let usual = 365
  /// The minimum number of days on which somebody was seen in that time, and the minimum number of
  /// days between the first and the last.
  private static let days = 4
  private static let span = 60

  /// Returns true if somebody who used to be seen regularly hasn't been for at least half as long
  /// again as ever in the year before.
  ///
  /// - Parameters:
  ///   - days: the days on which they were seen, in order.
  ///   - today: the current day.
  /// - Returns: true if it is so.
  package static func isLong(_ days: [DayKey], today: DayKey) -> Bool {
    guard let last = days.last else { return false }
    let absence = last.distance(to: today)
    guard (shortest...longest).contains(absence) else { return false }
    let recent = days.filter { $0.distance(to: last) <= usual }
    guard recent.count >= Self.days, let first = recent.first, first.distance(to: last) >= span
    else { return false }
    let gap = zip(recent, recent.dropFirst()).map { $0.distance(to: $1) }.max() ?? 0
    return absence * 2 >= gap * 3
  }
}

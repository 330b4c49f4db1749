import ArkivedCore
import Foundation

/// The occupied times of a day's timeline up to a point, used to find free hours and overlapping
/// entries.
struct DayClock {
  /// The entry that ends last among those with a start and an end.
  private var latest: (end: Instant, text: String)?
  /// True if the last entry states its end; otherwise its duration is unknown.
  private var isEndKnown = false

  /// The shortest pause in minutes that is shown.
  static let shortestGap = 30

  /// Returns text such as "2 h free" if there is a gap before an entry whose clock time is known.
  func gap(before activity: Activity) -> String? {
    guard isEndKnown, let latest, let start = activity.clockStart else { return nil }
    let minutes = latest.end.seconds(to: start) / 60
    return minutes >= DayClock.shortestGap ? said("\(DayClock.length(minutes)) free") : nil
  }

  /// Advances to an entry.
  ///
  /// - Returns: The text of an entry that it overlaps.
  mutating func enter(_ activity: Activity) -> String? {
    guard let start = activity.startAt else { return nil }
    guard let end = activity.endAt, end > start else {
      isEndKnown = false
      return nil
    }
    isEndKnown = true
    guard let before = latest else {
      latest = (end, activity.text)
      return nil
    }
    if end > before.end { latest = (end, activity.text) }
    return start < before.end ? before.text : nil
  }

  /// Returns a duration such as "2 h", "45 min" or "1 h 30 min".
  static func length(_ minutes: Int) -> String {
    let parts = [
      minutes >= 60 ? "\(minutes / 60) h" : "",
      minutes.isMultiple(of: 60) ? "" : "\(minutes % 60) min",
    ]
    return parts.filter { !$0.isEmpty }.joined(separator: " ")
  }
}

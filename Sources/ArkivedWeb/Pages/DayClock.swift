import ArkivedCore
import Foundation

/// What of a day's timeline is taken, as far as it was walked through: for hours that are free, and
/// for entries that overlap.
struct DayClock {
  /// The entry that ends last of those with a start and an end.
  private var latest: (end: Instant, text: String)?
  /// Whether the last entry says when it ended; until when it took is not known otherwise.
  private var isEndKnown = false

  /// Shorter pauses are not worth a line.
  static let shortestGap = 30

  /// "2 h free" where nothing stands between what came before and an entry.
  func gap(before activity: Activity) -> String? {
    guard isEndKnown, let latest, let start = activity.startAt else { return nil }
    let minutes = latest.end.seconds(to: start) / 60
    return minutes >= DayClock.shortestGap ? said("\(DayClock.length(minutes)) free") : nil
  }

  /// Walks on to an entry.
  ///
  /// - Returns: the text of an entry with which it overlaps.
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

  /// "2 h", "45 min", "1 h 30 min".
  static func length(_ minutes: Int) -> String {
    let parts = [
      minutes >= 60 ? "\(minutes / 60) h" : "",
      minutes.isMultiple(of: 60) ? "" : "\(minutes % 60) min",
    ]
    return parts.filter { !$0.isEmpty }.joined(separator: " ")
  }
}

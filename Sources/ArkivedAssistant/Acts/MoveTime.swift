import ArkivedCore
import Foundation

/// A parser for the new time of an entry that is moved.
struct MoveTime: Sendable {
  private let times: TimeReader
  private let zone: Zone
  private let today: DayKey

  init(now: Instant, zone: Zone) {
    times = TimeReader(now: now, zone: zone)
    self.zone = zone
    today = zone.dayKey(at: now)
  }

  private static let weekdays: Set<String> = [
    "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday",
  ]

  /// Returns the arguments of `updateActivity` that move an entry and keep its duration, unless it
  /// filled whole days and gets a time.
  ///
  /// - Throws: `FieldError` if the words name neither a day nor a time.
  func arguments(_ words: String, _ activity: Activity) throws(FieldError) -> JSONObject {
    let found = times.matches(in: words)
    let clock = found.last { $0.grain == .minute }?.start
    let dayMatch = found.first { $0.grain != .minute } ?? found.first
    guard let match = dayMatch, var day = match.singleDay ?? match.start?.day else {
      throw FieldError("time", "is \(FieldError.shown(words)), which isn’t a day")
    }
    let names = words.lowercased().split(whereSeparator: { !$0.isLetter }).map(String.init)
    if found.count == 1, match.grain == .minute, day == today,
      !names.contains(where: { ["today", "tonight", "this"].contains($0) })
    {
      // A time alone refers to the entry's own day.
      day = activity.dayKey
    }
    // A weekday for a future entry means the next one.
    if activity.dayKey > today, day < today, names.contains(where: Self.weekdays.contains) {
      day = day.advanced(by: 7)
    }
    var arguments: JSONObject = ["id": .string(activity.id.uuidString)]
    guard let clock else {
      arguments["dayDate"] = JSON(day)
      return arguments
    }
    let zone = activity.zone
    let start = zone.instant(of: WallTime(day: day, secondOfDay: clock.secondOfDay))
    arguments["dayDate"] = JSON(day)
    arguments["startAt"] = JSON(start)
    if activity.isAllDay {
      // The length of whole days isn't that of what begins at a time.
      arguments["endAt"] = JSON.null
    } else if let old = activity.startAt, let end = activity.endAt {
      arguments["endAt"] = JSON(start.adding(seconds: old.seconds(to: end)))
    }
    return arguments
  }
}

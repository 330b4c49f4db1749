import ArkivedCore
import Foundation

/// A parser for the new time of an entry that is moved.
struct MoveTime: Sendable {
  private let times: TimeReader
  private let now: Instant
  private let zone: Zone
  private let today: DayKey

  init(now: Instant, zone: Zone) {
    times = TimeReader(now: now, zone: zone)
    self.now = now
    self.zone = zone
    today = zone.dayKey(at: now)
  }

  private static let weekdays: Set<String> = [
    "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday",
  ]

  private static let todayWords: Set<String> = ["today", "tonight", "this", "now", "ago"]

  private static func dayMatch(_ found: [TimeMatch]) -> TimeMatch? {
    found.first { $0.grain != .minute } ?? found.first
  }

  /// Returns true if the words would mean another day some hours later, as a time or a weekday
  /// alone does; a date stays the same.
  private func moves(_ day: DayKey, in words: String, after hours: Int) -> Bool {
    let later = TimeReader(now: now.adding(seconds: hours * 3_600), zone: zone)
    let match = Self.dayMatch(later.matches(in: words))
    return (match?.singleDay ?? match?.start?.day) != day
  }

  /// Returns the arguments of `updateActivity` that move an entry and keep its duration, unless it
  /// filled whole days and gets a time.
  ///
  /// - Throws: `FieldError` if the words name neither a day nor a time.
  func arguments(_ words: String, _ activity: Activity) throws(FieldError) -> JSONObject {
    let found = times.matches(in: words)
    let clock = found.last { $0.grain == .minute }?.start
    guard let match = Self.dayMatch(found), var day = match.singleDay ?? match.start?.day else {
      throw FieldError("time", "is \(FieldError.shown(words)), which isn’t a day")
    }
    let names = words.lowercased().split(whereSeparator: { !$0.isLetter }).map(String.init)
    if found.count == 1, match.grain == .minute, day == today,
      !names.contains(where: Self.todayWords.contains), moves(day, in: words, after: 36)
    {
      // A time alone refers to the entry's own day.
      day = activity.dayKey
    }
    let isAhead = activity.dayKey > today || activity.startAt.map { $0 > now } ?? false
    // A weekday for a future entry means the next one.
    if isAhead, day < today, names.contains(where: Self.weekdays.contains),
      !names.contains("last"), moves(day, in: words, after: 7 * 24)
    {
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

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

  private static let todayWords: Set<String> = ["today", "tonight", "this", "now", "ago"]

  /// Returns the same date in the year in which it is closest to another day.
  private static func nearest(_ day: DayKey, to other: DayKey) -> DayKey {
    let years = other.year - day.year
    return (years - 1...years + 1).map { day.adding(months: 12 * $0) }
      .min { abs($0.distance(to: other)) < abs($1.distance(to: other)) } ?? day
  }

  /// Returns the arguments of `updateActivity` that move an entry and keep its duration, unless it
  /// filled whole days and gets a time.
  ///
  /// - Throws: `FieldError` if the words name neither a day nor a time.
  func arguments(_ words: String, _ activity: Activity) throws(FieldError) -> JSONObject {
    let found = times.matches(in: words)
    let clock = found.last { $0.grain == .minute }?.start
    guard let match = RecurringDay.match(in: found),
      var day = match.singleDay ?? match.start?.day
    else {
      throw FieldError("time", "is \(FieldError.shown(words)), which isn’t a day")
    }
    let names = words.lowercased().split(whereSeparator: { !$0.isLetter }).map(String.init)
    let isAhead = activity.dayKey > today || activity.startAt.map { $0 > now } ?? false
    let recurring = RecurringDay(now: now, zone: self.zone)
    if found.count == 1, match.grain == .minute, day == today,
      !names.contains(where: Self.todayWords.contains), recurring.day(in: words, after: 36) != day
    {
      // A time alone refers to the entry's own day.
      day = activity.dayKey
    } else if isAhead, day < today, recurring.isWeekday(words) {
      // A weekday for a future entry means the next one.
      day = day.advanced(by: 7)
    } else if recurring.isYearless(words) {
      day = Self.nearest(day, to: activity.dayKey)
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

import Foundation

/// Changes the times of an activity from text typed into a form or an option.
package enum ActivityTimes {
  /// Moves an activity to another day and sets its start and end.
  ///
  /// Moving to another day keeps the clock times, or the length if clocks are set forward between
  /// them. A start or end is an instant, or `HH:MM` on the
  /// activity's day; an empty text removes it. If the start was on another calendar day than the
  /// activity's, as at 01:30 on a day that begins at 4 a.m., a new start falls on the one of the
  /// two that is nearer to it; from 6 a.m. on, the night is over. A new end of an activity that
  /// takes a day or longer, such as a conference from Monday to Wednesday, falls on the day nearest
  /// to its old one. An end at or before the start by the clock falls on
  /// the next day if that makes at most twelve hours. An activity of which only the part of the day
  /// is known has no start once it gets an end.
  ///
  /// - Parameters:
  ///   - activity: the activity.
  ///   - day: its new day, or nil to keep it.
  ///   - start: the typed start, or nil to keep it.
  ///   - end: the typed end, or nil to keep it.
  ///   - isInNewZone: true if its zone was changed, so the old start isn't one of this zone.
  ///   - daysToEnd: the number of days after the activity's day on which a clock time of the end
  ///     falls; nil for the day as described above.
  /// - Throws: `FieldError` for a text that is not a time.
  package static func change(
    _ activity: inout Activity, day: DayKey?, start: String?, end: String?,
    isInNewZone: Bool = false, daysToEnd: Int? = nil
  ) throws(FieldError) {
    let zone = activity.zone
    let old = activity
    if let day { shift(&activity, to: day) }
    if start != nil {
      activity.dayPeriod = nil
    } else if activity.dayPeriod != nil, end?.isEmpty == false {
      // The beginning of a part of the day isn't a start that anybody gave.
      activity.startAt = nil
    }
    if let start {
      activity.startAt = try instant(
        start, "startAt", activity.dayKey, zone, near: isInNewZone ? nil : activity.startAt)
    }
    if let end {
      let isLong =
        daysToEnd == nil && !isInNewZone && !old.isAllDay && old.lastsADay
      activity.endAt = try instant(
        end, "endAt", activity.dayKey.advanced(by: daysToEnd ?? 0), zone,
        near: isLong ? activity.endAt : nil, isEnd: true)
    }
    if let startAt = activity.startAt, let endAt = activity.endAt, endAt < startAt,
      end.map({ Instant($0) == nil }) ?? true
    {
      let wall = zone.wallTime(at: endAt)
      let next = zone.instant(
        of: WallTime(day: wall.day.advanced(by: 1), secondOfDay: wall.secondOfDay))
      if let skipped = start.flatMap({ skippedTime($0, movedTo: startAt, zone) }), skipped <= wall {
        activity.endAt = zone.instants(from: skipped, to: wall).end
      } else if startAt.seconds(to: next) <= 12 * 3600 {
        activity.endAt = next
      }
    }
    if start != nil || end != nil { dropOldLength(of: &activity, from: old) }
  }

  /// Moves an activity to another day; whole days stay whole, even where clocks are changed at
  /// midnight.
  private static func shift(_ activity: inout Activity, to day: DayKey) {
    let days = activity.dayKey.distance(to: day)
    guard days != 0 else { return }
    guard !activity.isAllDay else { return activity.moveWholeDays(by: days) }
    let zone = activity.zone
    let old = activity
    func moved(_ instant: Instant?) -> Instant? {
      instant.map { old in
        let wall = zone.wallTime(at: old)
        return zone.instant(
          of: WallTime(day: wall.day.advanced(by: days), secondOfDay: wall.secondOfDay))
      }
    }
    activity.startAt = moved(old.startAt)
    activity.endAt = moved(old.endAt)
    // Where clocks are set forward, the start may move past the end.
    if let begun = old.startAt, let ended = old.endAt, let startAt = activity.startAt,
      let endAt = activity.endAt, endAt < startAt
    {
      activity.endAt = startAt.adding(seconds: begun.seconds(to: ended))
    }
    activity.dayPeriod = old.dayPeriod
    activity.dayKey = day
  }

  /// Removes the entered duration after start or end were changed, if it was the time between them.
  ///
  /// A duration that differs from that, such as the one of a workout with pauses, stays.
  ///
  /// - Parameters:
  ///   - activity: the changed entry.
  ///   - old: the entry before.
  package static func dropOldLength(of activity: inout Activity, from old: Activity) {
    func length(_ activity: Activity) -> Double? {
      guard let start = activity.startAt, let end = activity.endAt else { return nil }
      return Double(end.milliseconds - start.milliseconds) / 60_000
    }
    guard let entered = activity.durationMinutes, let before = length(old),
      let after = length(activity), abs(entered - before) < 1, after != before
    else { return }
    activity.durationMinutes = nil
  }

  /// Moves an activity to another day or another time of its day, keeping its duration.
  ///
  /// - Parameters:
  ///   - activity: the entry to change.
  ///   - day: the day.
  ///   - time: `HH:MM`, or nil to keep the time. An activity that filled the whole day begins at
  ///     this time and has no known end.
  /// - Throws: `FieldError` for a text that is not a time.
  package static func move(
    _ activity: inout Activity, to day: DayKey, at time: String?
  ) throws(FieldError) {
    let former = activity.dayKey == day ? activity.startAt : nil
    // Clocks may change between its times on the new day.
    let length =
      activity.isAllDay
      ? nil
      : activity.startAt.flatMap { old in
        activity.endAt.map { old.seconds(to: $0) }
      }
    try change(&activity, day: day, start: nil, end: nil)
    guard let time else { return }
    guard let start = try instant(time, "time", activity.dayKey, activity.zone, near: former)
    else { return }
    activity.dayPeriod = nil
    activity.startAt = start
    activity.endAt = length.map { start.adding(seconds: $0) }
  }

  /// Moves an activity to a day without a time, keeping its duration unless it filled whole days.
  package static func clear(_ activity: inout Activity, on day: DayKey) {
    if !activity.isAllDay { activity.durationMinutes = activity.duration }
    (activity.startAt, activity.endAt, activity.dayKey) = (nil, nil, day)
  }

  /// The hour at which a night that belongs to the day before is over.
  private static let nightEnd = 6

  /// Parses an instant, or a clock time on a day.
  ///
  /// - Parameters:
  ///   - text: the text.
  ///   - field: its field, for errors.
  ///   - day: the day of a clock time.
  ///   - zone: the zone of a clock time.
  ///   - former: the time that it replaces. A clock time falls on its calendar day instead if it is
  ///     nearer to it there, except in the morning after a night.
  ///   - isEnd: true for an end, which may be at any hour of that day.
  /// - Returns: nil for an empty text.
  /// - Throws: `FieldError` if it is neither.
  private static func instant(
    _ text: String, _ field: String, _ day: DayKey, _ zone: Zone, near former: Instant? = nil,
    isEnd: Bool = false
  ) throws(FieldError) -> Instant? {
    if text.isEmpty { return nil }
    if let instant = Instant(text) { return instant }
    guard let (hour, minute) = clock(text) else {
      throw FieldError(field, "is \(FieldError.shown(text)), but must be a time such as 09:30")
    }
    let instant = zone.instant(of: WallTime(day: day, hour: hour, minute: minute))
    guard let former else { return instant }
    let before = zone.wallTime(at: former)
    guard isEnd || before.day <= day || hour < nightEnd || before.hour >= nightEnd else {
      return instant
    }
    let other = zone.instant(of: WallTime(day: before.day, hour: hour, minute: minute))
    return abs(former.seconds(to: other)) < abs(former.seconds(to: instant)) ? other : instant
  }

  /// Parses a clock time; nil for anything else.
  private static func clock(_ text: String) -> (hour: Int, minute: Int)? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2, parts[0].count <= 2, parts[1].count == 2, let hour = Int(parts[0]),
      let minute = Int(parts[1]), (0..<24).contains(hour), (0..<60).contains(minute)
    else { return nil }
    return (hour, minute)
  }

  /// Returns the typed clock time on its day if clocks skip it, so it has become another instant.
  private static func skippedTime(
    _ text: String, movedTo instant: Instant, _ zone: Zone
  ) -> WallTime? {
    guard let (hour, minute) = clock(text) else { return nil }
    let shown = zone.wallTime(at: instant)
    let typed = WallTime(day: shown.day, hour: hour, minute: minute)
    return typed != shown && zone.instant(of: typed) == instant ? typed : nil
  }
}

extension Activity {
  /// Changes the zone of an activity that takes up whole days, which stay the same days.
  mutating func keepDays(in zone: Zone) {
    let last = lastDay
    timeZone = zone.identifier
    startAt = zone.start(of: dayKey)
    if endAt != nil { endAt = zone.start(of: last.advanced(by: 1)) }
  }

  /// Changes the zone of an activity of which only the part of the day is known, which stays that
  /// part of the same day.
  mutating func keepPartOfDay(in zone: Zone) {
    let period = dayPeriod
    let start = startAt.map { self.zone.wallTime(at: $0) }
    timeZone = zone.identifier
    startAt = start.map { zone.instant(of: $0) }
    dayPeriod = period
  }

  /// Moves an activity that takes up whole days, which stay whole, by a number of days.
  mutating func moveWholeDays(by days: Int) {
    let last = lastDay.advanced(by: days)
    dayKey = dayKey.advanced(by: days)
    startAt = zone.start(of: dayKey)
    endAt = zone.start(of: last.advanced(by: 1))
  }
}

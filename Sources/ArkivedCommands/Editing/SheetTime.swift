import ArkivedCore

/// The time of an activity as a single word: `12:30`, `12:30-13:15`, `all-day`; on a different day
/// from the entry's, `2026-03-15T00:30`.
enum SheetTime {
  static let allDay = "all-day"

  static func text(of activity: Activity) -> String? {
    guard let start = activity.clockStart else { return nil }
    if activity.isAllDay, activity.zone.dayKey(at: start) == activity.dayKey,
      let end = activity.endAt,
      activity.zone.dayKey(at: end) == activity.dayKey.advanced(by: 1)
    {
      return allDay
    }
    let parts = [start, activity.endAt].compactMap { $0 }.map { instant in
      let wall = activity.zone.wallTime(at: instant)
      return (wall.day == activity.dayKey ? "" : "\(wall.day)T") + wall.clockText
    }
    return parts.joined(separator: "-")
  }

  /// Sets an activity's start and end from a changed word.
  ///
  /// A start or end whose text is unchanged keeps its instant, to the millisecond.
  ///
  /// - Parameters:
  ///   - word: the changed word; nil if it was removed.
  ///   - before: the original word.
  ///   - activity: the entry to change.
  /// - Throws: `FieldError` if it isn't a time.
  static func apply(
    _ word: String?, before: String?, to activity: inout Activity
  ) throws(FieldError) {
    guard word != before else { return }
    let unchanged = activity
    defer { ActivityTimes.dropOldLength(of: &activity, from: unchanged) }
    activity.dayPeriod = nil
    guard let word else {
      activity.startAt = nil
      activity.endAt = nil
      return
    }
    let zone = activity.zone
    if word == allDay {
      activity.startAt = zone.start(of: activity.dayKey)
      activity.endAt = zone.start(of: activity.dayKey.advanced(by: 1))
      return
    }
    let old = sides(before ?? "")
    guard let new = sides(word) else {
      throw FieldError(
        "time", said("is \(FieldError.shown(word)). Use 09:30, 09:30-10:15 or \(allDay)"))
    }
    if new.start != old?.start || activity.startAt == nil {
      activity.startAt = try instant(new.start, activity.dayKey, zone)
    }
    guard let end = new.end else {
      activity.endAt = nil
      return
    }
    guard end != old?.end || new.start != old?.start || activity.endAt == nil else { return }
    let last = try wall(end, activity.dayKey)
    var instant = zone.instant(of: last)
    if let start = activity.startAt, instant < start, end.count <= 5 {
      let first = try wall(new.start, activity.dayKey)
      // The end is past midnight, unless only the hour of the start is skipped by the clocks.
      if first <= last, zone.instant(of: first) == start {
        instant = zone.instants(from: first, to: last).end
      } else {
        instant = try SheetTime.instant(end, activity.dayKey.advanced(by: 1), zone)
      }
    }
    activity.endAt = instant
  }

  private static func sides(_ word: String) -> (start: String, end: String?)? {
    // Dates contain hyphens as well: the separator follows a clock time.
    let plain = word.replacing("–", with: "-")
    guard let colon = plain.firstIndex(of: ":") else { return nil }
    guard let hyphen = plain[colon...].firstIndex(of: "-") else { return (plain, nil) }
    return (String(plain[..<hyphen]), String(plain[plain.index(after: hyphen)...]))
  }

  private static func instant(
    _ text: String, _ day: DayKey, _ zone: Zone
  ) throws(FieldError) -> Instant {
    zone.instant(of: try wall(text, day))
  }

  /// Parses a clock time on a day, or a date with a clock time.
  private static func wall(_ text: String, _ day: DayKey) throws(FieldError) -> WallTime {
    let full = text.count > 5 ? text : "\(day)T\(text.count == 4 ? "0" : "")\(text)"
    guard let time = ISODateTime(full), time.offsetSeconds == nil else {
      throw FieldError(
        "time", said("is \(FieldError.shown(text)). Use 09:30, 09:30-10:15 or \(allDay)"))
    }
    return time.wall
  }
}

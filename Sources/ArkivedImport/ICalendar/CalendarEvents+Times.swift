import ArkivedCore

/// The day, the times and the zone of an occurrence.
extension CalendarEvents {
  /// Sets an occurrence's day, times and zone in its activity.
  func place(
    _ occurrence: CalendarOccurrence, _ length: Length?, _ zone: CalendarZone,
    _ component: CalendarComponent, in activity: inout Activity
  ) {
    let start = occurrence.start
    let label: Zone
    if start.isDate {
      label = context.homeZone
      activity.dayKey = start.wall.day
      activity.startAt = label.start(of: start.wall.day)
    } else {
      let isUTC = start.isUTC || ["UTC", "GMT", "Etc/UTC"].contains(zoneName(zone, occurrence))
      label =
        isUTC
        ? zones.display(inCalendar: component.calendar) : zone.label(at: occurrence.startAt)
      activity.dayKey =
        isUTC ? label.dayKey(at: occurrence.startAt) : zone.wallTime(at: occurrence.startAt).day
      activity.startAt = occurrence.startAt
    }
    activity.timeZone = label.identifier
    if component.kind == .journal {
      if start.isDate { activity.startAt = nil }
      return
    }
    var length = length
    if let end = occurrence.end {
      length = self.length(end, start, occurrence.startAt, component, .recurrenceDate)
    }
    guard let length else { return }
    let lastDay = start.wall.day.advanced(by: length.days)
    if start.isDate {
      activity.endAt = label.start(of: lastDay)
    } else if length.days == 0 {
      activity.endAt = occurrence.startAt.adding(seconds: length.seconds)
    } else {
      let wall = WallTime(day: lastDay, secondOfDay: start.wall.secondOfDay)
      activity.endAt = zone.instant(of: wall).adding(seconds: length.seconds)
    }
  }

  private func zoneName(_ zone: CalendarZone, _ occurrence: CalendarOccurrence) -> String {
    occurrence.start.zoneID == nil ? "" : zone.label(at: occurrence.startAt).identifier
  }

  /// Returns the zone of a time; an unknown zone is reported once and replaced by the calendar's.
  func zone(
    of time: CalendarTime, _ component: CalendarComponent, _ property: CalendarProperty
  ) -> CalendarZone {
    if time.isUTC { return CalendarZone(.utc) }
    guard !time.isDate, let id = time.zoneID else {
      return CalendarZone(
        time.isDate ? context.homeZone : zones.display(inCalendar: component.calendar))
    }
    if let zone = zones.zone(id, inCalendar: component.calendar) { return zone }
    let fallback = zones.display(inCalendar: component.calendar)
    if unknownZones.count < 1_000, unknownZones.insert(id).inserted {
      diagnose(
        .note, component.line(of: property),
        "unknown time zone “\(id.prefix(80))”; its times were read as \(fallback)")
    }
    return CalendarZone(fallback)
  }
}

import ArkivedCore

/// The length of an event.
extension CalendarEvents {
  /// The length of an event: whole days, the same on every clock, and seconds.
  struct Length {
    var days = 0
    var seconds = 0
  }

  /// Returns the length of an event: one day for a whole-day event without an end, nil for a timed
  /// one without an end.
  func length(
    _ fields: EventFields, _ start: CalendarTime, _ startAt: Instant,
    _ component: CalendarComponent
  ) -> Length? {
    guard let end = fields.end else { return start.isDate ? Length(days: 1) : nil }
    let property: CalendarProperty = if case .at = end { .end } else { .duration }
    if property == .duration,
      component.value(of: .duration).map({ Self.isBeyondNumbers($0) }) ?? false
    {
      return tooLong(start, component, property)
    }
    guard let length = length(end, start, startAt, component, property) else { return nil }
    guard length.days + length.seconds / 86_400 <= Self.longestDays else {
      return tooLong(start, component, property)
    }
    return length
  }

  /// The longest event that anybody attends, in days: ten years.
  private static let longestDays = 3_660

  /// Returns true if a duration has more digits than libical can store.
  private static func isBeyondNumbers(_ text: String) -> Bool {
    text.split { !$0.isNumber }.contains { $0.drop { $0 == "0" }.count > 8 }
  }

  private func tooLong(
    _ start: CalendarTime, _ component: CalendarComponent, _ property: CalendarProperty
  ) -> Length? {
    let value = component.value(of: property) ?? ""
    diagnose(
      .note, component.line(of: property),
      "the end was skipped: with \(property.rawValue) \(FieldError.shown(value)), the event lasts longer "
        + "than ten years"
    )
    return start.isDate ? Length(days: 1) : nil
  }

  func length(
    _ end: CalendarEnd, _ start: CalendarTime, _ startAt: Instant,
    _ component: CalendarComponent, _ property: CalendarProperty
  ) -> Length? {
    switch end {
    case .after(let duration) where start.isDate:
      let days = duration.days + (duration.seconds + 86_399) / 86_400
      guard !duration.isNegative else { break }
      return Length(days: max(1, days))
    case .after(let duration):
      guard !duration.isNegative else { break }
      return Length(days: duration.days, seconds: duration.seconds)
    case .at(let time) where start.isDate:
      let days = start.wall.day.distance(to: time.wall.day)
      guard days >= 0 else { break }
      return Length(days: max(1, days))
    case .at(let time):
      let endAt = zone(of: time, component, property).instant(of: time.wall)
      guard endAt >= startAt else { break }
      return Length(seconds: startAt.seconds(to: endAt))
    }
    diagnose(
      .note, component.line(of: property), "the end was skipped: it is before the start")
    return start.isDate ? Length(days: 1) : nil
  }
}

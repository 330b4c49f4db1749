import ArkivedCore

/// Finding the occurrences of an event that recurs.
extension CalendarEvents {
  func expand(
    _ fields: EventFields, _ start: CalendarTime, _ zone: CalendarZone,
    _ component: CalendarComponent
  ) -> [CalendarOccurrence] {
    var exclusions = CalendarOccurrences.Exclusions()
    for time in fields.excludedDates { exclude(time, start, component, in: &exclusions) }
    let own = component.lines.first { $0.property == .recurrenceID }
      .map { Array(component.bytes(of: $0)) }
    // With many overrides that are series themselves, each would check all the others.
    let marks = survey.overrides(of: component).prefix(own == nil ? .max : 100)
    for mark in marks where mark.property != own {
      var override = CalendarComponent(
        kind: .event, number: component.number, calendar: mark.calendar)
      override.append(.recurrenceID, mark.property, number: component.number)
      if let time = LibicalReader.fields(of: override).recurrenceID {
        exclude(time, start, override, in: &exclusions)
      }
    }
    let line = component.line(of: fields.rules.isEmpty ? .recurrenceDate : .recurrenceRule)
    let seconds = context.expansionSeconds / Double(1 << min(slowRules, 20))
    var occurrences = CalendarOccurrences(
      fields: fields, start: start, zone: zone, windowStart: windowStart,
      windowEnd: windowEnd, limit: context.occurrenceLimit, seconds: seconds)
    occurrences.find(without: exclusions) { self.zone(of: $0, component, .recurrenceDate) }
    if occurrences.goesOn { sink.goOn() }
    switch occurrences.cut {
    case .limit:
      diagnose(
        .note, line,
        "only the first \(context.occurrenceLimit) occurrences of this event were imported",
        isCut: true)
    case .deadline:
      slowRules += 1
      diagnose(
        .note, line,
        "this recurrence rule takes too long to work out; only the \(occurrences.found.count) "
          + "occurrences found by then were imported", isCut: true)
    case nil where occurrences.found.isEmpty && windowStart == nil && context.linkID == nil:
      diagnose(
        .note, line, "this event has no occurrences up to \(zone.wallTime(at: windowEnd).day)")
    case nil: break
    }
    return occurrences.found
  }

  private func exclude(
    _ time: CalendarTime, _ start: CalendarTime, _ component: CalendarComponent,
    in exclusions: inout CalendarOccurrences.Exclusions
  ) {
    guard !start.isDate, !time.isDate else {
      exclusions.days.insert(time.wall.day)
      return
    }
    exclusions.instants.insert(zone(of: time, component, .excludedDate).instant(of: time.wall))
    let isFloating = [time, start].map { !$0.isUTC && $0.zoneID == nil }
    if isFloating[0] != isFloating[1] { exclusions.walls.insert(time.wall) }
  }
}

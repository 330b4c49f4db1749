import ArkivedCore

/// Reading the day and the times of a row.
extension TableRows {
  func times(_ cells: inout TableCells) -> TableRowTimes? {
    // A row without a start may still have a day.
    let isDated = cells.value(.start) == nil && cells.value(.date) != nil
    let field: TableField = mapping.column(.start) != nil && !isDated ? .start : .date
    guard var text = cells.value(field) else {
      cells.tell(.skipped, field, "skipped: the row has no date")
      return nil
    }
    let span = TableMoment.span(text)
    if let span { text = span.start }
    guard let moment = survey.moment(text, in: field) else {
      cells.tell(
        .skipped, field,
        """
        skipped: \(FieldError.shown(text)) isn’t a valid date (such as 2023-05-21 or 2023-05-21 \
        14:58)
        """
      )
      return nil
    }
    let own = zone(of: cells, moment)
    let zone = own ?? context.homeZone
    if cells.value(.allDay).flatMap(TableTimes.answer) == true {
      // The date of a midnight counts by whatever clock it is written.
      let place = Self.isMidnight(moment) ? nil : own
      let times = TableRowTimes(day: wholeDay(moment, in: place), zone: zone)
      addLastDay(of: times, from: moment, in: place, &cells)
      return times
    }
    var times: TableRowTimes
    switch moment {
    case .instant(let instant, let offset) where !hasClocks(field):
      // Some programs write days as midnights.
      let wall = WallTime(utc: instant.adding(seconds: offset ?? 0))
      let second = clock(.time, cells)
      let begun = second.map { WallTime(day: wall.day, secondOfDay: $0) }
      times = TableRowTimes(
        day: wall.day, start: begun.map(zone.instant(of:)), zone: zone, wall: begun)
      if second == nil { times.midnight = EntryName.moment(instant) }
    case .instant(let instant, let offset):
      // A distant event keeps its local day and clock time; UTC says nothing about the place.
      let known = offset.flatMap { abs($0) <= 14 * 3_600 ? $0 : nil }
      let place =
        known.map { PlaceTime(instant, offset: $0, home: zone) } ?? PlaceTime(instant, in: zone)
      times = TableRowTimes(
        day: place.day, start: instant, zone: place.zone, isInstant: true, tellsDay: known != nil)
    case .local(let day, let own):
      let written = hasClocks(field) ? own : nil
      let second = written ?? clock(.time, cells)
      let wall = second.map { WallTime(day: day, secondOfDay: $0) }
      times = TableRowTimes(day: day, start: wall.map(zone.instant(of:)), zone: zone, wall: wall)
      if second == nil, own != nil { times.midnight = "\(WallTime(day: day, secondOfDay: 0))" }
    }
    setEnd(&times, &cells)
    if times.start == nil { keepEnd(times, &cells) }
    if let span, times.end == nil { setEnd(&times, span.end, &cells) }
    return times
  }

  /// Returns the zone of a row's times in its own column, such as `Europe/Berlin`, `UTC+01:00` or
  /// `PDT`; nil if there is none.
  private func zone(of cells: TableCells, _ moment: TableMoment) -> Zone? {
    guard let zoneColumn, let name = cells.words(at: zoneColumn) else { return nil }
    let home = context.homeZone
    let wall: WallTime
    switch moment {
    case .local(let day, let second):
      let clock = second ?? cells.value(.time).flatMap(TableTimes.clock) ?? 0
      wall = WallTime(day: day, secondOfDay: clock)
    case .instant(let instant, let offset):
      wall = WallTime(utc: instant.adding(seconds: offset ?? 0))
    }
    guard
      let offset = DescribedZone.offset(of: name)
        ?? JournalDate.offset(named: name, at: wall, home: home)
    else { return CalendarZones.zone(named: name) }
    let instant = Instant(milliseconds: wall.milliseconds - Int64(offset) * 1_000)
    return PhotoTime.zone(offset: offset, at: instant, home: home)
  }

  /// Writes down the end of a row that has no start, only a day: the last day of a trip, or the clock
  /// time until which something lasted.
  private func keepEnd(_ times: TableRowTimes, _ cells: inout TableCells) {
    let second = clock(.endTime, cells)
    let until = second == nil ? nil : cells.value(.endTime)
    guard let text = cells.value(.end) else {
      if let until { cells.details.append("until \(until)") }
      return
    }
    guard let moment = survey.moment(text) else {
      cells.tell(.note, .end, "\(FieldError.shown(text)) isn’t a valid time; skipped")
      return
    }
    let last: DayKey =
      switch moment {
      case .instant(let instant, let offset) where !hasClocks(.end):
        WallTime(utc: instant.adding(seconds: offset ?? 0)).day
      case .instant, .local: moment.day(in: times.zone)
      }
    guard last >= times.day else {
      cells.tell(.note, .end, "the end was skipped: it is before the start")
      return
    }
    if hasClocks(.end) {
      cells.details.append("until \(text)")
    } else if let until {
      cells.details.append("until \(last) \(until)")
    } else if last > times.day {
      cells.details.append("until \(last)")
    }
  }

  /// Returns true for an instant that is written as a midnight.
  private static func isMidnight(_ moment: TableMoment) -> Bool {
    guard case .instant(let instant, let offset) = moment else { return false }
    return WallTime(utc: instant.adding(seconds: offset ?? 0)).secondOfDay == 0
  }

  /// Returns the day of an event that lasts all day: the date of a midnight, by whatever clock it is
  /// written, or else the day at a place, if the row gives one, or at home.
  private func wholeDay(_ moment: TableMoment, in place: Zone?) -> DayKey {
    guard case .instant(let instant, let offset) = moment else {
      return moment.day(in: context.homeZone)
    }
    if let place { return place.dayKey(at: instant) }
    return Self.isMidnight(moment)
      ? WallTime(utc: instant.adding(seconds: offset ?? 0)).day
      : moment.day(in: context.homeZone)
  }

  /// Writes down the last day of an event that lasts several.
  private func addLastDay(
    of times: TableRowTimes, from start: TableMoment, in place: Zone?, _ cells: inout TableCells
  ) {
    guard let text = cells.value(.end), let moment = survey.moment(text) else { return }
    var last: DayKey
    let isMidnight: Bool
    switch moment {
    case .local(let day, let own):
      last = day
      isMidnight = (own ?? cells.value(.endTime).flatMap(TableTimes.clock)) == 0
    case .instant(let instant, let offset):
      let wall =
        offset.map { WallTime(utc: instant.adding(seconds: $0)) } ?? utc(instant, from: start)
      if let wall, place == nil || wall.secondOfDay == 0 {
        last = wall.day
        isMidnight = wall.secondOfDay == 0
      } else {
        last = times.zone.dayKey(at: instant)
        isMidnight = times.zone.start(of: last) == instant
      }
    }
    // An event that ends at midnight doesn't last into that day.
    if isMidnight { last = last.advanced(by: -1) }
    if last > times.day { cells.details.append("until \(last)") }
  }

  /// Returns the end of an event that lasts all day by the clock of UTC, if its start is a midnight
  /// there; nil if it is read by the clock at home.
  private func utc(_ end: Instant, from start: TableMoment) -> WallTime? {
    let wall = WallTime(utc: end)
    switch start {
    case .instant(let instant, nil):
      return WallTime(utc: instant).secondOfDay == 0 ? wall : nil
    case .instant, .local: return wall.secondOfDay == 0 ? wall : nil
    }
  }

  /// Returns true if the values of a field contain times other than midnight.
  private func hasClocks(_ field: TableField) -> Bool { survey.clocks.contains(field) }

  /// Sets the end from a span in one cell; if it is only a day, it stays in words.
  private func setEnd(_ times: inout TableRowTimes, _ text: String, _ cells: inout TableCells) {
    switch survey.moment(text) {
    case .instant(let instant, _): times.end = instant
    case .local(let day, let second?):
      times.end = times.instant(ofEnd: WallTime(day: day, secondOfDay: second))
    case .local: break
    case nil:
      // On the day of the start, Notion writes only a clock time.
      let second = TableTimes.secondOfDay(text)
      times.end = second.map {
        times.instant(ofEnd: WallTime(day: times.day, secondOfDay: $0))
      }
    }
    let start = times.start
    guard let end = times.end, let start, start <= end else {
      times.end = nil
      cells.details.append("until \(text)")
      return
    }
  }

  private func clock(_ field: TableField, _ cells: TableCells) -> Int? {
    guard let text = cells.value(field) else { return nil }
    // A day ends at 24:00, but none begins then.
    let isMidnight = field == .endTime && ["24:00", "24:00:00", "24.00"].contains(text)
    let second = isMidnight ? 86_400 : TableTimes.clock(text)
    if second == nil {
      cells.tell(.note, field, "\(FieldError.shown(text)) isn’t a valid time of day; skipped")
    }
    return second
  }

  private func setEnd(_ times: inout TableRowTimes, _ cells: inout TableCells) {
    setWrittenEnd(&times, &cells)
    guard let text = cells.value(.duration) else { return }
    guard let seconds = length(text), seconds >= 0 else {
      cells.tell(.note, .duration, "\(FieldError.shown(text)) isn’t a valid duration; skipped")
      return
    }
    guard let start = times.start else {
      times.minutes = seconds / 60
      return
    }
    guard let end = times.end else {
      times.end = start.adding(seconds: Int(seconds.rounded()))
      return
    }
    let zone = times.zone
    let clocks =
      (zone.wallTime(at: end).milliseconds - zone.wallTime(at: start).milliseconds) / 1_000
    // The duration is the more exact one, and the clocks may have changed in between.
    if TableLengths.isSame(seconds, Double(start.seconds(to: end)))
      || TableLengths.isSame(seconds, Double(clocks))
    {
      times.end = start.adding(seconds: Int(seconds.rounded()))
      return
    }
    cells.details.append("\(mapping.column(.duration)?.name ?? "duration"): \(text)")
    cells.tell(
      .note, .duration,
      "\(FieldError.shown(text)) isn’t the time from start to end; kept in the description")
  }

  /// Sets the end that a row gives; one that is only a later day stays in words.
  private func setWrittenEnd(_ times: inout TableRowTimes, _ cells: inout TableCells) {
    guard let start = times.start else { return }
    let zone = times.zone
    if let text = cells.value(.end) {
      switch survey.moment(text) {
      case .instant(let instant, _): times.end = instant
      case .local(let day, let own):
        let second = own ?? clock(.endTime, cells)
        times.end = second.map { times.instant(ofEnd: WallTime(day: day, secondOfDay: $0)) }
        if second == nil, day < times.day {
          cells.tell(.note, .end, "the end was skipped: it is before the start")
        } else if second == nil, day > times.day {
          cells.details.append("until \(day)")
        }
      case nil:
        cells.tell(.note, .end, "\(FieldError.shown(text)) isn’t a valid time; skipped")
      }
    } else if let second = clock(.endTime, cells) {
      let end = times.instant(ofEnd: WallTime(day: times.day, secondOfDay: second))
      times.end =
        end < start
        ? zone.instant(of: WallTime(day: times.day.advanced(by: 1), secondOfDay: second)) : end
    }
    if let end = times.end, end < start {
      cells.tell(.note, .end, "the end was skipped: it is before the start")
      times.end = nil
    }
  }

  /// Returns the seconds of `1:30:00`, or of a number in the column's unit.
  private func length(_ text: String) -> Double? {
    TableTimes.seconds(text, unit: mapping.column(.duration)?.unit, survey, decimal: decimal)
  }
}

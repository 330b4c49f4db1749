import ArkivedCore
import Foundation

/// Converts the events of a file to activities.
final class CalendarEvents {
  var recordCount = 0
  private(set) var diagnosticCount = 0

  let file: ImportFile
  let context: ImportContext
  var survey: CalendarSurvey
  var zones: CalendarZones
  let sink: any ImportSink
  private var people = CalendarPeople()
  private var ordinal = 0
  private var unknownZones: Set<String> = []
  /// The number of rules that hit their time limit; each halves the limit of the next, so even a
  /// file full of such rules is processed in limited time.
  private var slowRules = 0
  private let windowStart: Instant?
  private let windowEnd: Instant

  init(file: ImportFile, context: ImportContext, survey: CalendarSurvey, sink: any ImportSink) {
    self.file = file
    self.context = context
    self.survey = survey
    self.sink = sink
    zones = survey.zones
    windowEnd = context.now.adding(seconds: min(max(context.daysAhead, 0), 4_000_000) * 86_400)
    windowStart = context.firstDay.map { context.homeZone.start(of: $0) }
  }

  func place(_ line: Int) -> String { "\(file.name):\(line)" }

  func diagnose(
    _ severity: Diagnostic.Severity, _ line: Int, _ message: String, isCut: Bool = false
  ) {
    diagnosticCount += 1
    sink.diagnose(Diagnostic(severity, place: place(line), message: message, isCut: isCut))
  }

  /// The tasks so far.
  var tasks = CalendarTasks()

  /// Reads one event or journal entry and passes on the results.
  ///
  /// - Throws: Any error that the sink throws.
  func take(_ component: CalendarComponent) throws {
    guard component.kind != .timeZone else { return }
    defer { ordinal += 1 }
    guard !survey.isSuperseded(component, ordinal: ordinal) else {
      return diagnose(
        .note, component.number, "skipped: the file has the same or a newer version of this event")
    }
    var component = component
    component.repairText()
    if let note = component.encodingNote {
      diagnose(.note, component.number, "this entry: \(note)")
    }
    if let line = component.tooLongLine {
      diagnose(.note, line, "skipped: this line is too long for Arkived")
    }
    let status = component.value(of: .status)?.uppercased()
    let isCancelled =
      status == "CANCELLED" || survey.cancelledCalendars.contains(component.calendar)
      || survey.isOfCancelledSeries(component)
    // A known meeting is marked and an unknown one skipped, which is decided when it is written.
    if isCancelled, component.kind == .journal {
      diagnose(.note, component.line(of: .status), "skipped: this event was cancelled")
    }
    let fields = LibicalReader.fields(of: component)
    guard component.kind != .task else { return try takeTask(component, fields) }
    report(fields, component)
    guard let start = fields.start else {
      let reason =
        component.value(of: .start) == nil
        ? "it has no DTSTART" : "its DTSTART isn’t a valid date or time"
      return diagnose(
        .skipped, component.line(of: .start),
        "this \(component.kind.rawValue) was skipped: \(reason)")
    }
    if component.kind == .journal, Self.text(fields.summary) == nil,
      Self.text(fields.description) == nil
    {
      return diagnose(.skipped, component.number, "this VJOURNAL was skipped: it has no text")
    }
    let state: MeetingStatus =
      isCancelled ? .cancelled : status == "TENTATIVE" ? .tentative : .confirmed
    if isCancelled, component.kind == .journal { return }
    try tell(fields, start, component, state)
  }

  func report(_ fields: EventFields, _ component: CalendarComponent) {
    if let line = component.unreadableLine {
      diagnose(.note, line, "skipped: this line isn’t a valid property")
    }
    for line in fields.unreadable where line.property != .start {
      diagnose(
        .note, line.number, "skipped: this \(line.property.rawValue) can’t be read")
    }
    if fields.appliesToFuture, !fields.isRecurring {
      diagnose(
        .note, component.line(of: .recurrenceID),
        "RANGE=THISANDFUTURE isn’t supported: only this occurrence was changed")
    }
    if fields.rules.contains(where: \.isForeign) {
      diagnose(
        .note, component.line(of: .recurrenceRule),
        "only the first occurrence was imported: the recurrence rule doesn’t use the Gregorian "
          + "calendar"
      )
    }
  }

  private func tell(
    _ fields: EventFields, _ start: CalendarTime, _ component: CalendarComponent,
    _ status: MeetingStatus
  ) throws {
    let zone = self.zone(of: start, component, .start)
    let startAt = zone.instant(of: start.wall)
    let length = self.length(fields, start, startAt, component)
    let uid = Self.identifier(component)
    var occurrences = [CalendarOccurrence(start: start, startAt: startAt, end: nil)]
    // Lotus Notes describes a series from some occurrence on as an override that itself recurs.
    let isSeriesFromHere = fields.appliesToFuture && fields.isRecurring
    let isRecurring = fields.isRecurring && (fields.recurrenceID == nil || isSeriesFromHere)
    if isRecurring { occurrences = expand(fields, start, zone, component) }
    guard !occurrences.isEmpty else { return }
    var template = self.template(fields, component)
    let (mentions, attendances) = try people.mentions(
      status == .cancelled ? [] : fields.attendees, context: context
    ) { person in
      try sink.take(ImportedRecord(.person(person), place: place(component.number)))
    }
    template.people = mentions
    for occurrence in occurrences {
      var activity = template
      activity.id = context.identities.next()
      let own = occurrence.end == nil ? zone : self.zone(of: occurrence.start, component, .start)
      place(occurrence, length, own, component, in: &activity)
      var identifier = uid
      if isRecurring {
        identifier += "/" + form(occurrence.start, occurrence.startAt)
      } else if let id = fields.recurrenceID {
        let instant = self.zone(of: id, component, .recurrenceID).instant(of: id.wall)
        identifier += "/" + form(id, instant)
      }
      activity.externalRefs = [
        ExternalRef(provider: "calendar", externalID: identifier, fetchedAt: context.now)
      ]
      recordCount += 1
      guard component.kind == .event else {
        try sink.take(ImportedRecord(.activity(activity), place: place(component.number)))
        continue
      }
      var entry = MeetingEntry(
        meeting: Meeting(
          id: context.identities.next(), activityID: activity.id, eventIdentifier: identifier,
          seriesIdentifier: uid, organizer: CalendarPeople.organizer(of: fields.attendees),
          status: status,
          isAllDay: occurrence.start.isDate, attendances: attendances, linkID: context.linkID,
          resource: context.linkID == nil ? nil : file.name, createdAt: context.now,
          updatedAt: context.now), activity: activity)
      entry.meeting.event = CalendarEvent(entry)
      try sink.take(ImportedRecord(.event(entry), place: place(component.number)))
    }
  }

  /// Returns the activity with everything that all occurrences share.
  func template(_ fields: EventFields, _ component: CalendarComponent) -> Activity {
    let summary = Self.text(fields.summary)
    let description = Self.text(fields.description)
    var fallback = "Untitled event"
    if component.kind == .journal, let first = description?.split(whereSeparator: \.isNewline).first
    {
      fallback = String(first)
    }
    var activity = Activity(
      id: UUID(), dayKey: .earliest, timeZone: "", text: summary ?? fallback,
      description: description, source: .calendarImport, createdAt: context.now,
      updatedAt: context.now)
    activity.locationLabel = Self.text(fields.location)
    if let lat = fields.latitude, let lon = fields.longitude {
      if lat.isFinite, lon.isFinite, abs(lat) <= 90, abs(lon) <= 180 {
        (activity.lat, activity.lon) = (lat, lon)
      } else {
        diagnose(.note, component.line(of: .geo), "skipped: this GEO has no valid coordinates")
      }
    }
    activity.tags = tags(fields, component)
    return activity
  }

  func tags(_ fields: EventFields, _ component: CalendarComponent) -> [String] {
    var keys: Set<String> = []
    var tags: [String] = []
    for category in fields.categories {
      let name = category.split(whereSeparator: \.isNewline).joined(separator: " ")
        .trimmingCharacters(in: .whitespaces)
      guard !name.isEmpty, keys.insert(NameFolding.key(name)).inserted else { continue }
      guard (try? Tag.validate(name: name)) != nil else {
        diagnose(
          .note, component.line(of: .categories), "skipped: a category can’t be used as a tag")
        continue
      }
      tags.append(name)
    }
    return tags
  }

  // MARK: Times

  /// The length of an event: whole days, the same on every clock, and seconds.
  private struct Length {
    var days = 0
    var seconds = 0
  }

  /// Sets an occurrence's day, times and zone in its activity.
  private func place(
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

  /// Returns the length of an event: one day for a whole-day event without an end, nil for a timed
  /// one without an end.
  private func length(
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
      "the end was skipped: \(property.rawValue) \(FieldError.shown(value)) is longer than ten years"
    )
    return start.isDate ? Length(days: 1) : nil
  }

  private func length(
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

  private func expand(
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

  // MARK: Identifiers

  /// Returns a start as the identifier of an occurrence.
  ///
  /// It is a date, UTC, or local time for a floating time, so importing again from another home
  /// zone finds the same occurrence.
  func form(_ time: CalendarTime, _ instant: Instant) -> String {
    if time.isDate { return CalendarTime.basicForm(time.wall, isDate: true) }
    guard time.isUTC || time.zoneID != nil else { return CalendarTime.basicForm(time.wall) }
    return CalendarTime.basicForm(WallTime(utc: instant), isUTC: true)
  }

  /// Returns the UID or, without one, the 128-bit FNV-1a hash of the event's own properties
  /// (without DTSTAMP and the like, which change at every export).
  static func identifier(_ component: CalendarComponent) -> String {
    if let uid = component.value(of: .uid), !uid.isEmpty {
      guard uid.contains("\\") else { return uid }
      return uid.replacingOccurrences(of: "\\,", with: ",")
        .replacingOccurrences(of: "\\;", with: ";").replacingOccurrences(of: "\\\\", with: "\\")
    }
    let prime = UInt128(1) << 88 | 0x13B
    var hash = UInt128(0x6C62_272E_07BB_0142) << 64 | 0x62B8_2175_6295_C58D
    for line in component.lines
    where ![.sequence, .lastModified, .status, .attendee, .uid].contains(line.property) {
      for byte in component.bytes(of: line) { hash = (hash ^ UInt128(byte)) &* prime }
      hash = (hash ^ 0x0A) &* prime
    }
    let digits = String(hash, radix: 16)
    return "content-" + String(repeating: "0", count: 32 - digits.count) + digits
  }

  /// Returns a text unchanged, or nil if it has only white space.
  static func text(_ text: String?) -> String? {
    guard let text, text.contains(where: { !$0.isWhitespace }) else { return nil }
    return text
  }
}

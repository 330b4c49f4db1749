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
  var unknownZones: Set<String> = []
  /// The number of rules that hit their time limit; each halves the limit of the next, so even a
  /// file full of such rules is processed in limited time.
  var slowRules = 0
  let windowStart: Instant?
  let windowEnd: Instant

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

  /// The properties that were recognised but couldn't be imported, with the number of each.
  var unread: [String: Int] = [:]

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
      description: self.description(description, of: component), source: .calendarImport,
      createdAt: context.now,
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

  /// Returns a text unchanged, or nil if it has only white space.
  static func text(_ text: String?) -> String? {
    guard let text, text.contains(where: { !$0.isWhitespace }) else { return nil }
    return text
  }
}

import ArkivedCore
import Foundation

/// Reading of tasks (VTODO); see `CalendarTasks`.
extension CalendarEvents {
  /// Reads a task.
  ///
  /// Only the events of a linked calendar are imported.
  ///
  /// - Throws: Any error that the sink throws.
  func takeTask(_ component: CalendarComponent, _ fields: EventFields) throws {
    guard context.linkID == nil else { return }
    report(fields, component)
    let details = Self.text(fields.description)
    let summary =
      Self.text(fields.summary)
      ?? details?.split(whereSeparator: \.isNewline).first.map(String.init)
    guard let summary else {
      return diagnose(.skipped, component.number, "this VTODO was skipped: it has no text")
    }
    let name = summary.split(whereSeparator: \.isNewline).joined(separator: " ")
    let status = component.value(of: .status)?.uppercased()
    guard status != "CANCELLED", !survey.cancelledCalendars.contains(component.calendar) else {
      return diagnose(.note, component.number, "skipped: this task was cancelled")
    }
    tasks.touch(component.calendar)
    let isDone =
      status == "COMPLETED" || fields.completed != nil || component.value(of: .percent) == "100"
    if isDone, let time = fields.completed {
      return try takeDone(name, at: time, fields, component)
    }
    let rawUID = component.value(of: .uid) ?? ""
    recordCount += 1
    tasks.add(
      CalendarTasks.Task(
        uid: rawUID, parent: component.value(of: .relatedTo), text: name,
        details: description(Self.text(fields.summary) == nil ? nil : details, of: component),
        tags: tags(fields, component),
        due: fields.due.map { day($0, component, .due) },
        start: fields.start.map { day($0, component, .start) }, recurs: fields.isRecurring,
        isDone: isDone, line: component.number), to: component.calendar)
  }

  /// Passes on a finished task as an entry of the day on which it was finished.
  private func takeDone(
    _ name: String, at time: CalendarTime, _ fields: EventFields, _ component: CalendarComponent
  ) throws {
    let zone = self.zone(of: time, component, .completed)
    let instant = zone.instant(of: time.wall)
    let label =
      time.isUTC
      ? zones.display(inCalendar: component.calendar)
      : time.isDate ? context.homeZone : zone.label(at: instant)
    var activity = template(fields, component)
    activity.id = context.identities.next()
    activity.text = name
    activity.timeZone = label.identifier
    activity.dayKey = time.isDate ? time.wall.day : label.dayKey(at: instant)
    activity.startAt = time.isDate ? nil : instant
    var identifier = Self.identifier(component)
    if let id = fields.recurrenceID {
      let start = self.zone(of: id, component, .recurrenceID).instant(of: id.wall)
      identifier += "/" + form(id, start)
    } else if fields.isRecurring {
      identifier += "/" + form(time, instant)
    }
    activity.externalRefs = [
      ExternalRef(provider: "calendar", externalID: "task/" + identifier, fetchedAt: context.now)
    ]
    recordCount += 1
    try sink.take(ImportedRecord(.activity(activity), place: place(component.number)))
  }

  /// Returns the local day of a time.
  private func day(
    _ time: CalendarTime, _ component: CalendarComponent, _ property: CalendarProperty
  ) -> DayKey {
    guard time.isUTC else { return time.wall.day }
    return zones.display(inCalendar: component.calendar).dayKey(
      at: zone(of: time, component, property).instant(of: time.wall))
  }

  /// Passes on the notes of the task lists.
  ///
  /// - Throws: Any error that the sink throws.
  func concludeTasks() throws {
    for (note, line) in tasks.notes(file, context) {
      try sink.take(
        ImportedRecord(
          .goalSide(note), hasOwnIdentity: true, place: place(line), linksPeople: false))
    }
  }
}

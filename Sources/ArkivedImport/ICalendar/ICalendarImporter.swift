import ArkivedCore
import CLibraries
import Foundation

/// Imports iCalendar files (RFC 5545).
///
/// Each occurrence of an event, each journal entry and each finished task becomes an activity, and
/// open tasks become the checkboxes of a note; participants become people. A file is read twice in
/// bounded memory: first for the facts about the whole (`CalendarSurvey`), then event by event. An
/// unreadable part is skipped and reported with its line.
package struct ICalendarImporter: Importer {
  package let format = "ics"
  package let keepsPlaces = true

  package init() {}

  /// Recognises a calendar by its first line, in any case and encoding, or else by its file
  /// extension.
  package func recognises(head: [UInt8], fileName: String) -> Bool {
    // In UTF-16, every other byte of the first line is zero.
    var bytes = head.prefix(4096).filter { $0 != 0 }[...]
    for mark in [[0xEF, 0xBB, 0xBF], [0xFF, 0xFE], [0xFE, 0xFF]] as [[UInt8]]
    where bytes.starts(with: mark) {
      bytes = bytes.dropFirst(mark.count)
      break
    }
    bytes = bytes.drop { [0x20, 0x09, 0x0A, 0x0D].contains($0) }
    let line = bytes.prefix { $0 != 0x0A && $0 != 0x0D }
    let text = String(decoding: line.prefix(80), as: UTF8.self).uppercased()
    let components = ["VCALENDAR", "VEVENT", "VTODO", "VJOURNAL", "VFREEBUSY", "VTIMEZONE"]
    if text.hasPrefix("BEGIN:") {
      let name = text.dropFirst(6).trimmingCharacters(in: .whitespaces)
      if components.contains(name) { return true }
      if name == "VCARD" { return false }
    }
    let name = fileName.lowercased()
    return [".ics", ".ical", ".ifb", ".icalendar"].contains { name.hasSuffix($0) }
  }

  package func read(
    _ file: ImportFile, context: ImportContext, into sink: any ImportSink
  ) throws {
    guard clb_load_ical() else {
      throw ImportRefusal(
        place: "\(file.name):1",
        message: "calendars can’t be read here: libical isn’t installed (install libical3)")
    }
    let survey: CalendarSurvey
    do {
      survey = try CalendarSurvey(file.url, home: context.homeZone, now: context.now)
    } catch {
      throw ImportRefusal(
        place: "\(file.name):1", message: "the file can’t be read: \(error.localizedDescription)")
    }
    var scanner = try CalendarScanner(file.url)
    defer { scanner.close() }
    let events = CalendarEvents(file: file, context: context, survey: survey, sink: sink)
    while let item = try scanner.next() {
      switch item {
      case .component(let component): try events.take(component)
      case .broken(let kind, let number, let reason):
        events.diagnose(.skipped, number, "this \(kind) was skipped: \(reason)")
      case .calendarProperty(let name, let value):
        if name == "X-WR-CALNAME" || name == "NAME" {
          events.tasks.name(max(0, scanner.calendarCount - 1), value)
        }
      }
    }
    try events.concludeTasks()
    events.tellUnread(scanner.unread)
    try conclude(scanner, events, from: context.firstDay)
  }

  /// Reports problems with the file as a whole that its events don't show.
  private func conclude(
    _ scanner: CalendarScanner, _ events: CalendarEvents, from firstDay: DayKey?
  ) throws {
    let last = max(1, scanner.lastLine)
    guard scanner.isCalendar else {
      throw ImportRefusal(
        place: events.place(1),
        message: scanner.lastLine == 0
          ? "the file is empty" : "this isn’t a calendar: no calendar or event found"
      )
    }
    if scanner.endsInsideComponent || scanner.unclosedCalendar != nil {
      guard events.recordCount > 0 else {
        throw ImportRefusal(
          place: events.place(last),
          message: "the file is cut off, and nothing before that point can be used. Download it "
            + "again")
      }
      events.diagnose(
        .note, last, "the file ends before END:VCALENDAR, so something may be missing")
      return
    }
    // A fetch limited to some days may well find nothing.
    let isTold =
      events.diagnosticCount > 0
      && scanner.kindCounts.keys.allSatisfy { ["VEVENT", "VJOURNAL", "VTODO"].contains($0) }
    guard events.recordCount == 0, !isTold, firstDay == nil else { return }
    let held = scanner.kindCounts.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
    events.diagnose(
      .note, 1,
      "nothing to import: the calendar contains "
        + (held.isEmpty ? "no entries" : held.joined(separator: ", ")))
  }
}

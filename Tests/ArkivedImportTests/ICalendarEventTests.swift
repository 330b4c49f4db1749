import ArkivedCore
import ArkivedImport
import Foundation
import Testing

/// What an importer handed on.
final class RecordedImport: ImportSink {
  private(set) var activities: [Activity] = []
  private(set) var cancelled: [MeetingEntry] = []
  private(set) var people: [Person] = []
  private(set) var places: [String] = []
  private(set) var diagnostics: [Diagnostic] = []
  private(set) var hasGoneOn = false

  func take(_ record: ImportedRecord) {
    places.append(record.place)
    switch record.value {
    case .activity(let activity): activities.append(activity)
    // One that is cancelled only tells a meeting that is there.
    case .event(let entry) where entry.meeting.status == .cancelled: cancelled.append(entry)
    case .event(let entry): activities.append(entry.activity)
    case .person(let person): people.append(person)
    default: break
    }
  }

  func diagnose(_ diagnostic: Diagnostic) { diagnostics.append(diagnostic) }

  func goOn() { hasGoneOn = true }

  var identifiers: [String] { activities.flatMap(\.externalRefs).map(\.externalID) }
  var starts: [String] { activities.map { $0.startAt?.description ?? "" } }
  var days: [String] { activities.map(\.dayKey.description) }
}

/// Reads calendars as if at noon of 16 November 2026 in Rome.
enum CalendarReading {
  static func context(home: String = "Europe/Rome", limit: Int = 10_000, seconds: Double = 2)
    throws -> ImportContext
  {
    ImportContext(
      now: try #require(Instant("2026-11-16T11:00:00Z")), homeZone: try #require(Zone(home)),
      identities: RandomIdentities(), occurrenceLimit: limit, expansionSeconds: seconds)
  }

  static func read(_ bytes: [UInt8], _ context: ImportContext? = nil) throws -> RecordedImport {
    let url = FileManager.default.temporaryDirectory.appending(
      path: "calendar-\(UUID().uuidString).ics")
    try Data(bytes).write(to: url)
    defer { try? FileManager.default.removeItem(at: url) }
    return try read(url, name: "c.ics", context)
  }

  static func read(_ url: URL, name: String, _ context: ImportContext? = nil) throws
    -> RecordedImport
  {
    let sink = RecordedImport()
    let context = try context ?? self.context()
    try ICalendarImporter().read(ImportFile(url: url, name: name), context: context, into: sink)
    return sink
  }

  static func read(_ text: String, _ context: ImportContext? = nil) throws -> RecordedImport {
    try read(Array(text.utf8), context)
  }

  /// Reads one event with the given lines, the first of which stands on line 3.
  static func event(_ lines: String, _ context: ImportContext? = nil) throws -> RecordedImport {
    try read("BEGIN:VCALENDAR\nBEGIN:VEVENT\n\(lines)\nEND:VEVENT\nEND:VCALENDAR\n", context)
  }
}

@Suite struct ICalendarEventTests {
  @Test(arguments: [
    ("BEGIN:VCALENDAR\r\nVERSION:2.0", "notes.txt", true),
    ("\u{FEFF}\r\n  begin:vcalendar\r\n", "x", true),
    ("BEGIN:VEVENT\nUID:1", "x", true),
    ("anything", "work.ICS", true),
    ("", "a.ifb", true),
    ("BEGIN:VCARD\nFN:Alex", "x.ics", false),
    ("BEGIN:VCALENDARS", "x.txt", false),
    ("# Monday", "day.md", false),
  ])
  func aCalendarIsToldByItsContentBeforeItsName(head: String, name: String, expected: Bool) {
    #expect(ICalendarImporter().recognises(head: Array(head.utf8), fileName: name) == expected)
  }

  @Test func aCalendarInUTF16IsRecognised() {
    var head: [UInt8] = [0xFF, 0xFE]
    for byte in "BEGIN:VCALENDAR\r\n".utf8 { head += [byte, 0] }
    #expect(ICalendarImporter().recognises(head: head, fileName: "export.dat"))
  }

  @Test func anEventBecomesAnActivityWithAllItSays() throws {
    let read = try CalendarReading.event(
      """
      UID:lunch@example.org
      DTSTART;TZID=America/New_York:20261102T230000
      DTEND;TZID=America/New_York:20261103T003000
      SUMMARY:Late supper\\, at last
      DESCRIPTION:First line\\nsecond\\; with C:\\\\dir
      LOCATION:Pier 17
      GEO:40.7057;-74.0017
      CATEGORIES:Food,Friends
      CATEGORIES:food
      """)
    let activity = try #require(read.activities.first)
    #expect(read.activities.count == 1)
    #expect(activity.text == "Late supper, at last")
    #expect(activity.description == "First line\nsecond; with C:\\dir")
    #expect(activity.locationLabel == "Pier 17")
    #expect(activity.lat == 40.7057)
    #expect(activity.lon == -74.0017)
    #expect(activity.tags == ["Food", "Friends"])
    #expect(activity.source == .calendarImport)
    #expect(activity.dayKey.description == "2026-11-02")
    #expect(activity.timeZone == "America/New_York")
    #expect(activity.startAt == Instant("2026-11-03T04:00:00Z"))
    #expect(activity.endAt == Instant("2026-11-03T05:30:00Z"))
    let context = try CalendarReading.context()
    #expect(
      activity.externalRefs == [
        ExternalRef(
          provider: "calendar", externalID: "lunch@example.org", fetchedAt: context.now)
      ])
    #expect(read.places == ["c.ics:2"])
    #expect(read.diagnostics.isEmpty)
  }

  @Test func linksAndRemarksFollowTheDescription() throws {
    let read = try CalendarReading.event(
      """
      UID:1
      DTSTART:20261102T230000Z
      DTSTAMP:20261101T000000Z
      TRANSP:OPAQUE
      X-APPLE-TRAVEL-ADVISORY-BEHAVIOR:AUTOMATIC
      SUMMARY:Call
      DESCRIPTION:Join at https://meet.example.org/abc
      URL;VALUE=URI:https://example.org/call?a=1\\,2
      CONFERENCE;VALUE=URI;FEATURE=PHONE;LABEL="By phone, free":tel:+1-555-0100
      X-GOOGLE-CONFERENCE:https://meet.example.org/abc
      ATTACH;FMTTYPE=application/pdf;FILENAME=plan.pdf:https://example.org/file.pdf
      CONTACT:Ann\\, room 3
      COMMENT:Bring slides
      """)
    #expect(
      read.activities.map(\.description) == [
        """
        Join at https://meet.example.org/abc

        https://example.org/call?a=1,2
        By phone, free: tel:+1-555-0100
        plan.pdf: https://example.org/file.pdf
        Contact: Ann, room 3
        Comment: Bring slides
        """
      ])
    #expect(read.diagnostics.isEmpty)
  }

  @Test func contentThatIsNotReadIsToldOnceByName() throws {
    let one = """
      DTSTART:20261102T230000Z
      SUMMARY:Call
      ATTACH;FMTTYPE=text/plain;ENCODING=BASE64;VALUE=BINARY:SGVsbG8=
      ATTACH:CID:part1@example.org
      RESOURCES:Projector
      BEGIN:VALARM
      ATTACH:https://example.org/bell.wav
      END:VALARM
      """
    let large = String(repeating: "QUJD", count: 4_000)
    let read = try CalendarReading.read(
      "BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:1\n\(one)\nEND:VEVENT\nBEGIN:VEVENT\nUID:2\n\(one)\n"
        + "ATTACH;ENCODING=BASE64:\(large)\nEND:VEVENT\nEND:VCALENDAR\n")
    #expect(read.activities.map(\.description) == [nil, nil])
    #expect(read.diagnostics.map(\.message) == ["not imported: ATTACH (5), RESOURCES (2)"])
    #expect(read.diagnostics.map(\.place) == ["c.ics:1"])
  }

  @Test func thoseWhoTakePartAreToldOnceAndThoseWhoDeclinedAreNot() throws {
    let read = try CalendarReading.read(
      """
      BEGIN:VCALENDAR
      BEGIN:VEVENT
      UID:1
      DTSTART:20260101T100000Z
      ORGANIZER;CN=Alex:mailto:Alex@Example.org
      ATTENDEE;CN="Rossi, Maria";PARTSTAT=ACCEPTED:MAILTO:maria@example.org
      ATTENDEE;PARTSTAT=DECLINED;CN=Sam:mailto:sam@example.org
      ATTENDEE;CN=alex@example.org:mailto:alex@example.org
      ATTENDEE;CUTYPE=ROOM;CN=Room 4:mailto:room4@example.org
      ATTENDEE;CN=No Address:invalid:nomail
      END:VEVENT
      BEGIN:VEVENT
      UID:2
      DTSTART:20260102T100000Z
      ORGANIZER;CN=Alex B.:mailto:alex@example.org
      ATTENDEE;PARTSTAT=DECLINED:mailto:maria@example.org
      ATTENDEE:mailto:kim@example.org
      END:VEVENT
      END:VCALENDAR
      """)
    #expect(read.people.map(\.name) == ["Alex", "Rossi, Maria", "No Address", nil])
    #expect(
      read.people.map(\.email) == ["Alex@Example.org", "maria@example.org", nil, "kim@example.org"])
    let first = try #require(read.activities.first)
    let second = try #require(read.activities.last)
    #expect(first.people.map(\.name) == ["Alex", "Rossi, Maria", "No Address"])
    #expect(first.people.map(\.personID) == read.people.prefix(3).map(\.id))
    #expect(second.people.map(\.name) == ["Alex", "kim@example.org"])
    #expect(second.people.first?.personID == read.people.first?.id)
    for person in read.people { #expect(throws: Never.self) { try person.validate() } }
  }

  @Test func everyActivityAndPersonStandsItsOwnCheck() throws {
    let read = try CalendarReading.event(
      """
      DTSTART:20260101T100000Z
      CATEGORIES:ok,  ,\\n,\(String(repeating: "x", count: 300))
      ATTENDEE;CN=A:mailto:a b@c@d
      GEO:95.0;10.0
      SUMMARY:   \\n
      """)
    let activity = try #require(read.activities.first)
    #expect(throws: Never.self) { try activity.validate() }
    #expect(activity.text == "Untitled event")
    #expect(activity.tags == ["ok"])
    #expect(activity.lat == nil)
    #expect(read.people.map(\.name) == ["A"])
    #expect(read.diagnostics.map(\.place) == ["c.ics:6", "c.ics:4"])
  }

  @Test func hostileTextIsKeptAsItIs() throws {
    let text = "<script>alert('x')</script> ../../etc/passwd '; DROP TABLE activity; %00 {{x}}"
    let read = try CalendarReading.event(
      "DTSTART:20260101T100000Z\nSUMMARY:\(text.replacingOccurrences(of: ";", with: "\\;"))"
        + "\nLOCATION:../../secret\nUID:../../x")
    #expect(read.activities.map(\.text) == [text])
    #expect(read.activities.map(\.locationLabel) == ["../../secret"])
    #expect(read.identifiers == ["../../x"])
  }

  @Test func aTextOfMegabytesComesInWhole() throws {
    let text = String(repeating: "Grüße aus Köln, weiter. ", count: 100_000) + "Ende"
    let escaped = text.replacingOccurrences(of: ",", with: "\\,")
    let whole = try CalendarReading.event("DTSTART:20260101T100000Z\nDESCRIPTION:\(escaped)")
    #expect(whole.activities.map { $0.description == text } == [true])
    var folded = ""
    for (index, character) in escaped.enumerated() {
      if index > 0, index.isMultiple(of: 60) { folded += "\r\n " }
      folded.append(character)
    }
    let unfolded = try CalendarReading.event("DTSTART:20260101T100000Z\nDESCRIPTION:\(folded)")
    #expect(unfolded.activities.map { $0.description == text } == [true])
  }

  @Test func anEventWithoutUIDKeepsItsReferenceWhenExportedAgain() throws {
    func identifier(_ stamp: String, _ summary: String) throws -> String? {
      try CalendarReading.event(
        "DTSTAMP:\(stamp)\nLAST-MODIFIED:\(stamp)\nDTSTART:20260101T100000Z\nSUMMARY:\(summary)"
      ).identifiers.first
    }
    let first = try identifier("20260101T000000Z", "Walk")
    #expect(first?.count == "content-".count + 32)
    #expect(try identifier("20260202T000000Z", "Walk") == first)
    #expect(try identifier("20260101T000000Z", "Talk") != first)
  }

  @Test func ofTwoVersionsOfAnEventTheNewerCounts() throws {
    func version(_ summary: String, _ lines: String) -> String {
      "BEGIN:VEVENT\nUID:same\nDTSTART:20260101T100000Z\nSUMMARY:\(summary)\n\(lines)\nEND:VEVENT\n"
    }
    let read = try CalendarReading.read(
      "BEGIN:VCALENDAR\n" + version("old", "SEQUENCE:1\nLAST-MODIFIED:20260909T000000Z")
        + version("new", "SEQUENCE:10\nLAST-MODIFIED:20250101T000000Z")
        + version("older", "SEQUENCE:2") + "END:VCALENDAR")
    #expect(read.activities.map(\.text) == ["new"])
    #expect(read.diagnostics.map(\.place) == ["c.ics:2", "c.ics:16"])
    #expect(read.diagnostics.allSatisfy { $0.severity == .note })
  }

  @Test func whatWasCancelledStaysOut() throws {
    let read = try CalendarReading.event(
      "UID:1\nDTSTART:20260101T100000Z\nSTATUS:cancelled\nSUMMARY:No")
    // Whether it is left out or marks what is known is told where it is written.
    #expect(read.activities.isEmpty && read.cancelled.count == 1 && read.diagnostics.isEmpty)
    let method = try CalendarReading.read(
      "BEGIN:VCALENDAR\nMETHOD:CANCEL\nBEGIN:VEVENT\nDTSTART:20260101T100000Z\nEND:VEVENT\n"
        + "END:VCALENDAR\n")
    #expect(method.activities.isEmpty && method.cancelled.count == 1)
  }

  @Test func aJournalEntryIsAnActivityOnItsDayAndATaskIsNone() throws {
    let read = try CalendarReading.read(
      """
      BEGIN:VCALENDAR
      BEGIN:VJOURNAL
      UID:j
      DTSTART;VALUE=DATE:20260310
      DESCRIPTION:Rain all day.\\nRead a book.
      END:VJOURNAL
      BEGIN:VTODO
      UID:t
      DTSTART:20260310T100000Z
      SUMMARY:Taxes
      BEGIN:VALARM
      DESCRIPTION:Ring
      END:VALARM
      END:VTODO
      END:VCALENDAR
      """)
    let entry = try #require(read.activities.first)
    #expect(read.activities.count == 1)
    #expect(entry.text == "Rain all day.")
    #expect(entry.description == "Rain all day.\nRead a book.")
    #expect(entry.dayKey.description == "2026-03-10")
    #expect(entry.startAt == nil)
    #expect(entry.endAt == nil)
  }

  @Test func anAlarmSaysNothingAboutItsEvent() throws {
    let read = try CalendarReading.event(
      """
      DTSTART:20260101T100000Z
      BEGIN:VALARM
      SUMMARY:Alarm
      DESCRIPTION:Reminder
      DURATION:PT5M
      END:VALARM
      SUMMARY:Talk
      """)
    #expect(read.activities.map(\.text) == ["Talk"])
    #expect(read.activities.first?.description == nil)
    #expect(read.activities.first?.endAt == nil)
  }
}

import ArkivedCore
import ArkivedImport
import Foundation
import Testing

@Suite struct ICalendarDamageTests {
  private static let event =
    "BEGIN:VEVENT\nUID:1\nDTSTART:20260101T100000Z\nSUMMARY:Fine\nEND:VEVENT\n"

  @Test(arguments: [
    "", "\n\n", "hello, world", "{\"a\": 1}", "\u{0}\u{1}\u{2}\u{3}", "BEGIN:VCARD\nEND:VCARD\n",
  ])
  func whatIsNoCalendarIsRefused(text: String) throws {
    let refusal = #expect(throws: ImportRefusal.self) { try CalendarReading.read(text) }
    #expect(refusal?.place == "c.ics:1")
  }

  @Test func aMissingFileIsRefused() throws {
    let url = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).ics")
    #expect(throws: ImportRefusal.self) { try CalendarReading.read(url, name: "gone.ics") }
  }

  @Test func anEmptyCalendarSaysWhatItHeld() throws {
    let read = try CalendarReading.read(
      "BEGIN:VCALENDAR\nBEGIN:VTODO\nEND:VTODO\nBEGIN:VTODO\nEND:VTODO\nBEGIN:VFREEBUSY\n"
        + "END:VFREEBUSY\nEND:VCALENDAR\n")
    #expect(read.activities.isEmpty)
    #expect(read.diagnostics.map(\.severity) == [.skipped, .skipped, .note])
    #expect(read.diagnostics.last?.message.contains("1 VFREEBUSY, 2 VTODO") == true)
  }

  @Test func anEventWithoutACalendarAroundItComesIn() throws {
    #expect(try CalendarReading.read(Self.event).activities.map(\.text) == ["Fine"])
    #expect(
      try CalendarReading.read("BEGIN:UNHEARD\nDTSTART:2015\n\(Self.event)END:UNHEARD\n").starts
        == ["2026-01-01T10:00:00Z"])
  }

  @Test func aBrokenEventIsSkippedAndTheOthersComeIn() throws {
    let read = try CalendarReading.read(
      "BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:open\nDTSTART:20260101T100000Z\n\(Self.event)"
        + "BEGIN:VEVENT\nSUMMARY:No start\nEND:VEVENT\n"
        + "BEGIN:VEVENT\nUID:cut\nDTSTART:20260101T100000Z\nEND:VCALENDAR\n")
    #expect(read.activities.map(\.text) == ["Fine"])
    #expect(read.diagnostics.map(\.place) == ["c.ics:2", "c.ics:10", "c.ics:13"])
    #expect(read.diagnostics.allSatisfy { $0.severity == .skipped })
  }

  @Test func linesThatCannotBeReadAreNamedAndTheRestCounts() throws {
    let read = try CalendarReading.event(
      """
      UID:1
      DTSTART;;VALUE=DATE-TIME:20260101T100000Z
      NONSENSE
      SUMMARY;X-FOO:Talk
      RRULE:FREQ=SOMETIMES
      DTEND:never
      GEO:here
      EXDATE:
      """)
    #expect(read.activities.map(\.text) == ["Talk"])
    #expect(read.starts == ["2026-01-01T10:00:00Z"])
    #expect(
      read.diagnostics.map(\.place)
        == ["c.ics:5", "c.ics:7", "c.ics:8", "c.ics:9"])
    #expect(read.diagnostics.allSatisfy { $0.severity == .note })
  }

  @Test(arguments: ["\n", "\r\n", "\r", "\r\r\n"])
  func everyLineEndIsTakenAndTheLinesAreCountedRight(end: String) throws {
    let text = """
      BEGIN:VCALENDAR
      BEGIN:VEVENT
      UID:1
      DTSTART:20260101T100000Z
      SUMMARY:A long
       er title
      END:VEVENT
      BEGIN:VEVENT
      END:VEVENT
      END:VCALENDAR
      """
    let read = try CalendarReading.read(text.replacingOccurrences(of: "\n", with: end))
    #expect(read.activities.map(\.text) == ["A longer title"])
    #expect(read.diagnostics.map(\.place) == ["c.ics:8"])
  }

  @Test func aCharacterCutByAFoldIsWhole() throws {
    var bytes = Array("BEGIN:VEVENT\nDTSTART:20260101T100000Z\nSUMMARY:Caf".utf8)
    bytes += [0xC3, 0x0D, 0x0A, 0x09, 0xA9] + Array("\nEND:VEVENT\n".utf8)
    let read = try CalendarReading.read(bytes)
    #expect(read.activities.map(\.text) == ["Café"])
    #expect(read.diagnostics.isEmpty)
  }

  @Test func otherEncodingsAreRead() throws {
    let latin = Array("BEGIN:VEVENT\nDTSTART:20260101T100000Z\nSUMMARY:Caf".utf8) + [0xE9, 0x80]
    let read = try CalendarReading.read(latin + Array("\nEND:VEVENT\n\(Self.event)".utf8))
    #expect(read.activities.map(\.text) == ["Café€", "Fine"])
    #expect(read.diagnostics.map(\.place) == ["c.ics:1"])
    let text = "BEGIN:VEVENT\r\nDTSTART:20260101T100000Z\r\nSUMMARY:Grüße 🎉\r\nEND:VEVENT\r\n"
    var little: [UInt8] = [0xFF, 0xFE]
    var big: [UInt8] = [0xFE, 0xFF]
    for unit in text.utf16 {
      little += [UInt8(unit & 0xFF), UInt8(unit >> 8)]
      big += [UInt8(unit >> 8), UInt8(unit & 0xFF)]
    }
    let marked: [UInt8] = [0xEF, 0xBB, 0xBF] + Array(text.utf8)
    for bytes in [little, big, marked] {
      let read = try CalendarReading.read(bytes)
      #expect(read.activities.map(\.text) == ["Grüße 🎉"])
      #expect(read.diagnostics.isEmpty)
    }
  }

  @Test func controlCharactersAreRemovedAndNoted() throws {
    let read = try CalendarReading.event(
      "DTSTART:2026\u{0}0101T100000Z\nSUMMARY:a\u{0}b\u{7}c\td\u{7F}")
    #expect(read.activities.map(\.text) == ["abc\td"])
    #expect(read.diagnostics.map(\.place) == ["c.ics:2"])
  }

  /// One of everything.
  private static let rich = """
    \u{FEFF}BEGIN:VCALENDAR\r
    VERSION:2.0\r
    X-WR-TIMEZONE:Europe/Rome\r
    \(ICalendarTimeTests.ownZone)
    BEGIN:VEVENT\r
    UID:first\r
    DTSTART;TZID=Customized Time Zone:20260101T100000\r
    SUMMARY:Complete sentence one.\r
    DESCRIPTION:Folded te\r
     xt.\\nGrüße\r
    ATTENDEE;CN="A; B":mailto:a@example.org\r
    BEGIN:VALARM\r
    TRIGGER:-PT5M\r
    END:VALARM\r
    DTEND;TZID=Customized Time Zone:20260101T110000\r
    END:VEVENT\r
    BEGIN:VEVENT\r
    UID:second\r
    DTSTART;VALUE=DATE:20260101\r
    RRULE:FREQ=DAILY;COUNT=3\r
    SUMMARY:Complete sentence two.\r
    END:VEVENT\r
    BEGIN:VEVENT\r
    UID:second\r
    RECURRENCE-ID;VALUE=DATE:20260102\r
    DTSTART;VALUE=DATE:20260105\r
    SUMMARY:Complete sentence three.\r
    END:VEVENT\r
    END:VCALENDAR\r

    """

  @Test func aFileCutAnywhereNeverYieldsHalfAnEvent() throws {
    let whole = Array(Self.rich.utf8)
    let texts = Set(["one", "two", "three"].map { "Complete sentence \($0)." })
    #expect(Set(try CalendarReading.read(whole).activities.map(\.text)) == texts)
    #expect(try CalendarReading.read(whole).activities.count == 4)
    for length in stride(from: 0, to: whole.count, by: 7) {
      do {
        let read = try CalendarReading.read(Array(whole.prefix(length)))
        #expect(texts.isSuperset(of: read.activities.map(\.text)))
        for activity in read.activities where activity.text.hasSuffix("one.") {
          #expect(activity.description == "Folded text.\nGrüße")
          #expect(activity.duration == 60)
        }
        #expect(!read.activities.isEmpty || !read.diagnostics.isEmpty)
        // All but the line end of the last line is the whole file.
        if length < whole.count - 3 { #expect(!read.diagnostics.isEmpty, "\(length)") }
      } catch let refusal as ImportRefusal {
        #expect(refusal.place.hasPrefix("c.ics:"))
      }
    }
  }

  @Test func noFlippedByteStopsTheImporter() throws {
    let whole = Array(Self.rich.utf8)
    for index in stride(from: 0, to: whole.count, by: 11) {
      for byte in [0x00, 0x0A, 0x22, 0x3A, 0xFF] as [UInt8] {
        var bytes = whole
        bytes[index] = byte
        let read = try CalendarReading.read(bytes, CalendarReading.context(seconds: 0.05))
        #expect(!read.activities.isEmpty)
      }
    }
  }

  @Test func aLargeCalendarStreams() throws {
    let url = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).ics")
    defer { try? FileManager.default.removeItem(at: url) }
    var text = "BEGIN:VCALENDAR\r\n"
    for index in 0..<100_000 {
      text += "BEGIN:VEVENT\r\nUID:\(index)\r\nDTSTART:20260101T100000Z\r\n"
      text += "SUMMARY:Number \(index)\r\nDESCRIPTION:Some words\\, some more\r\nEND:VEVENT\r\n"
    }
    try Data((text + "END:VCALENDAR\r\n").utf8).write(to: url)
    final class Counter: ImportSink {
      var count = 0
      var last = ""
      func take(_ record: ImportedRecord) {
        count += 1
        last = record.place
      }
      func diagnose(_ diagnostic: Diagnostic) {}
    }
    let counter = Counter()
    try ICalendarImporter().read(
      ImportFile(url: url, name: "big.ics"), context: CalendarReading.context(), into: counter)
    #expect(counter.count == 100_000)
    #expect(counter.last == "big.ics:599996")
  }
}

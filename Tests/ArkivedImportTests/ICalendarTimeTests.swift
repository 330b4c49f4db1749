import ArkivedCore
import ArkivedImport
import Foundation
import Testing

@Suite struct ICalendarTimeTests {
  @Test func aFloatingTimeIsReadInTheHomeZone() throws {
    let lines = "DTSTART:20260701T090000\nDURATION:PT90M"
    let rome = try CalendarReading.event(lines)
    #expect(rome.starts == ["2026-07-01T07:00:00Z"])
    #expect(rome.activities.first?.timeZone == "Europe/Rome")
    #expect(rome.activities.first?.endAt == Instant("2026-07-01T08:30:00Z"))
    let tokyo = try CalendarReading.event(lines, CalendarReading.context(home: "Asia/Tokyo"))
    #expect(tokyo.starts == ["2026-07-01T00:00:00Z"])
    #expect(tokyo.days == ["2026-07-01"])
  }

  @Test func aTimeInUTCIsShownInTheCalendarsZoneElseAtHome() throws {
    let event = "BEGIN:VEVENT\nDTSTART:20260701T233000Z\nEND:VEVENT\nEND:VCALENDAR\n"
    let home = try CalendarReading.read("BEGIN:VCALENDAR\n\(event)")
    #expect(home.activities.map(\.timeZone) == ["Europe/Rome"])
    #expect(home.days == ["2026-07-02"])
    let named = try CalendarReading.read(
      "BEGIN:VCALENDAR\nX-WR-TIMEZONE:America/Los_Angeles\n\(event)")
    #expect(named.activities.map(\.timeZone) == ["America/Los_Angeles"])
    #expect(named.days == ["2026-07-01"])
    #expect(named.starts == home.starts)
  }

  @Test(arguments: [
    ("W. Europe Standard Time", "Europe/Berlin", "2026-07-01T07:00:00Z"),
    ("eastern standard time", "America/New_York", "2026-07-01T13:00:00Z"),
    ("India Standard Time", "Asia/Kolkata", "2026-07-01T03:30:00Z"),
    ("/mozilla.org/20050126_1/Europe/Berlin", "Europe/Berlin", "2026-07-01T07:00:00Z"),
    (
      "/softwarestudio.org/Tzfile/America/Argentina/Buenos_Aires",
      "America/Argentina/Buenos_Aires", "2026-07-01T12:00:00Z"
    ),
    ("\"Asia/Tokyo\"", "Asia/Tokyo", "2026-07-01T00:00:00Z"),
    (
      "\"(UTC+01:00) Amsterdam, Berlin, Bern, Rome, Stockholm, Vienna\"", "Europe/Amsterdam",
      "2026-07-01T07:00:00Z"
    ),
    ("\"(GMT+09.00) Osaka / Sapporo / Tokyo\"", "Asia/Tokyo", "2026-07-01T00:00:00Z"),
    (
      "\"(UTC-08:00) Pacific Time (US & Canada)\"", "America/Los_Angeles", "2026-07-01T16:00:00Z"
    ),
    ("\"(UTC-09:00) Middle Earth\"", "Etc/GMT+9", "2026-07-01T18:00:00Z"),
    ("GMT+0300", "Etc/GMT-3", "2026-07-01T06:00:00Z"),
  ])
  func aZoneIsFoundUnderItsManyNames(id: String, zone: String, start: String) throws {
    let read = try CalendarReading.event("DTSTART;TZID=\(id):20260701T090000")
    #expect(read.activities.map(\.timeZone) == [zone])
    #expect(read.starts == [start])
    #expect(read.diagnostics.isEmpty)
  }

  @Test func everyWindowsZoneHasRulesHere() {
    #expect(WindowsZones.wholeWorld.count >= 130)
    for name in ["Tokyo Standard Time", "FLE Standard Time", "Nepal Standard Time", "UTC"] {
      #expect(WindowsZones.iana(name).flatMap(Zone.init) != nil, "\(name)")
    }
    #expect(WindowsZones.unknownHere.isEmpty)
  }

  @Test func anUnknownZoneIsNotedOnceAndReadAsTheCalendars() throws {
    let read = try CalendarReading.read(
      """
      BEGIN:VCALENDAR
      X-WR-TIMEZONE:Europe/London
      BEGIN:VEVENT
      UID:1
      DTSTART;TZID=Middle Earth:20260101T100000
      END:VEVENT
      BEGIN:VEVENT
      UID:2
      DTSTART;TZID=Middle Earth:20260102T100000
      END:VEVENT
      END:VCALENDAR
      """)
    #expect(read.starts == ["2026-01-01T10:00:00Z", "2026-01-02T10:00:00Z"])
    #expect(read.activities.map(\.timeZone) == ["Europe/London", "Europe/London"])
    #expect(read.diagnostics.map(\.place) == ["c.ics:5"])
  }

  static let ownZone = """
    BEGIN:VTIMEZONE
    TZID:Customized Time Zone
    BEGIN:STANDARD
    DTSTART:16010101T030000
    TZOFFSETFROM:+0200
    TZOFFSETTO:+0100
    RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU
    END:STANDARD
    BEGIN:DAYLIGHT
    DTSTART:16010101T020000
    TZOFFSETFROM:+0100
    TZOFFSETTO:+0200
    RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU
    END:DAYLIGHT
    END:VTIMEZONE
    """

  @Test func aZoneOfTheFilesOwnFollowsItsVTIMEZONEWhereverThatStands() throws {
    func event(_ time: String) -> String {
      "BEGIN:VEVENT\nUID:\(time)\nDTSTART;TZID=Customized Time Zone:\(time)\nEND:VEVENT\n"
    }
    let read = try CalendarReading.read(
      "BEGIN:VCALENDAR\n" + event("20260115T120000") + event("20260715T120000")
        + event("20260329T023000") + event("20261025T023000") + Self.ownZone + "\nEND:VCALENDAR\n",
      CalendarReading.context(home: "Asia/Tokyo"))
    // The last two lie in the gap of spring and in the repeated hour of autumn.
    #expect(
      read.starts == [
        "2026-01-15T11:00:00Z", "2026-07-15T10:00:00Z", "2026-03-29T01:30:00Z",
        "2026-10-25T00:30:00Z",
      ])
    #expect(read.activities.map(\.timeZone) == Array(repeating: "Europe/Berlin", count: 4))
    #expect(read.days == ["2026-01-15", "2026-07-15", "2026-03-29", "2026-10-25"])
    #expect(read.diagnostics.isEmpty)
  }

  @Test func aZoneThatNamesItsPlaceIsThatPlace() throws {
    let read = try CalendarReading.read(
      """
      BEGIN:VCALENDAR
      BEGIN:VTIMEZONE
      TZID:My place
      X-LIC-LOCATION:Australia/Sydney
      END:VTIMEZONE
      BEGIN:VEVENT
      DTSTART;TZID=My place:20260101T100000
      END:VEVENT
      END:VCALENDAR
      """)
    #expect(read.activities.map(\.timeZone) == ["Australia/Sydney"])
    #expect(read.starts == ["2025-12-31T23:00:00Z"])
  }

  @Test func aTimeThatClocksSkipMovesOnAndOneThatTheyRepeatIsTheFirst() throws {
    let gap = try CalendarReading.event(
      "DTSTART;TZID=Europe/Rome:20260329T023000\nDTEND;TZID=Europe/Rome:20260329T033000")
    #expect(gap.starts == ["2026-03-29T01:30:00Z"])
    let repeated = try CalendarReading.event(
      "DTSTART;TZID=Europe/Rome:20261025T023000\nDTEND;TZID=Europe/Rome:20261025T033000")
    #expect(repeated.starts == ["2026-10-25T00:30:00Z"])
    #expect(repeated.activities.first?.endAt == Instant("2026-10-25T02:30:00Z"))
  }

  @Test(arguments: [
    ("DTSTART;VALUE=DATE:20260329", "2026-03-28T23:00:00Z", "2026-03-29T22:00:00Z"),
    ("DTSTART:20260329", "2026-03-28T23:00:00Z", "2026-03-29T22:00:00Z"),
    (
      "DTSTART;VALUE=DATE:20260101\nDTEND;VALUE=DATE:20260104", "2025-12-31T23:00:00Z",
      "2026-01-03T23:00:00Z"
    ),
    (
      "DTSTART;VALUE=DATE:20260101\nDTEND;VALUE=DATE:20260101", "2025-12-31T23:00:00Z",
      "2026-01-01T23:00:00Z"
    ),
    ("DTSTART;VALUE=DATE:20260101\nDURATION:P1W", "2025-12-31T23:00:00Z", "2026-01-07T23:00:00Z"),
  ])
  func aWholeDayLastsFromMidnightToMidnightAtHome(lines: String, start: String, end: String) throws
  {
    let read = try CalendarReading.event(lines)
    let activity = try #require(read.activities.first)
    #expect(activity.startAt?.description == start)
    #expect(activity.endAt?.description == end)
    #expect(activity.timeZone == "Europe/Rome")
    #expect(activity.dayKey == activity.startAt.map { activity.zone.dayKey(at: $0) })
    #expect(read.diagnostics.isEmpty)
  }

  @Test func anEndBeforeTheStartIsDroppedAndNoted() throws {
    let read = try CalendarReading.event(
      "DTSTART:20260101T100000Z\nSUMMARY:x\nDTEND:20260101T090000Z")
    #expect(read.activities.map(\.endAt) == [nil])
    #expect(read.diagnostics.map(\.place) == ["c.ics:5"])
    #expect(read.diagnostics.map(\.severity) == [.note])
    let negative = try CalendarReading.event("DTSTART:20260101T100000Z\nDURATION:-PT1H")
    #expect(negative.activities.map(\.endAt) == [nil])
    #expect(negative.diagnostics.map(\.place) == ["c.ics:4"])
  }

  @Test func timesAtTheEdgesOfTheCalendarDoNotOverflow() throws {
    for line in [
      "DTSTART:00010101T000000Z", "DTSTART:99991231T235959Z\nDURATION:P4000000000W",
      "DTSTART:20260101T100000Z\nDURATION:P99999999999999999999D",
      "DTSTART;VALUE=DATE:99991231\nRRULE:FREQ=DAILY", "DTSTART:00010101\nRRULE:FREQ=YEARLY",
    ] {
      let read = try CalendarReading.event(line)
      for activity in read.activities { #expect(throws: Never.self) { try activity.validate() } }
      #expect(!read.activities.isEmpty || !read.diagnostics.isEmpty)
    }
  }

  @Test(arguments: ["20260230T100000Z", "20261301", "soon", "2026", "20260101T256199"])
  func aStartThatDoesNotExistIsSkippedWithItsLine(start: String) throws {
    let read = try CalendarReading.event("UID:1\nDTSTART:\(start)\nSUMMARY:x")
    #expect(read.activities.isEmpty)
    #expect(read.diagnostics.map(\.place) == ["c.ics:4"])
    #expect(read.diagnostics.map(\.severity) == [.skipped])
  }
}

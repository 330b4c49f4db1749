import ArkivedCore
import ArkivedImport
import Foundation
import Testing

@Suite struct ICalendarRecurrenceTests {
  /// The local days on which a rule falls, for an event at nine in New York.
  private func days(_ start: String, _ rule: String, limit: Int = 10_000) throws -> [String] {
    try CalendarReading.event(
      "UID:r\nDTSTART;TZID=America/New_York:\(start)T090000\nRRULE:\(rule)",
      CalendarReading.context(limit: limit)
    ).days
  }

  // The rules and results are those that RFC 5545 §3.8.5.3 gives as examples.
  @Test(arguments: [
    ("19970902", "FREQ=DAILY;INTERVAL=10;COUNT=5", "09-02 09-12 09-22 10-02 10-12"),
    (
      "19970902", "FREQ=WEEKLY;INTERVAL=2;COUNT=8;WKST=SU;BYDAY=TU,TH",
      "09-02 09-04 09-16 09-18 09-30 10-02 10-14 10-16"
    ),
    ("19970905", "FREQ=MONTHLY;COUNT=4;BYDAY=1FR", "09-05 10-03 11-07 12-05"),
    (
      "19970907", "FREQ=MONTHLY;INTERVAL=2;COUNT=6;BYDAY=1SU,-1SU",
      "09-07 09-28 11-02 11-30 01-04 01-25"
    ),
    ("19970922", "FREQ=MONTHLY;COUNT=4;BYDAY=-2MO", "09-22 10-20 11-17 12-22"),
    ("19970928", "FREQ=MONTHLY;BYMONTHDAY=-3;COUNT=4", "09-28 10-29 11-28 12-29"),
    (
      "19970610", "FREQ=YEARLY;COUNT=6;BYMONTH=6,7", "06-10 07-10 06-10 07-10 06-10 07-10"
    ),
    ("19970101", "FREQ=YEARLY;INTERVAL=3;COUNT=4;BYYEARDAY=1,100,200", "01-01 04-10 07-19 01-01"),
    ("19970519", "FREQ=YEARLY;BYDAY=20MO;COUNT=3", "05-19 05-18 05-17"),
    ("19970512", "FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO;COUNT=3", "05-12 05-11 05-17"),
    ("19980213", "FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13;COUNT=5", "02-13 03-13 11-13 08-13 10-13"),
    ("19970913", "FREQ=MONTHLY;BYDAY=SA;BYMONTHDAY=7,8,9,10,11,12,13;COUNT=3", "09-13 10-11 11-08"),
    (
      "19961105",
      "FREQ=YEARLY;INTERVAL=4;BYMONTH=11;BYDAY=TU;BYMONTHDAY=2,3,4,5,6,7,8;COUNT=3",
      "11-05 11-07 11-02"
    ),
    ("19970904", "FREQ=MONTHLY;COUNT=3;BYDAY=TU,WE,TH;BYSETPOS=3", "09-04 10-07 11-06"),
    (
      "19970929", "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-2;COUNT=7",
      "09-29 10-30 11-27 12-30 01-29 02-26 03-30"
    ),
    ("19970805", "FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=MO", "08-05 08-10 08-19 08-24"),
    ("19970805", "FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=SU", "08-05 08-17 08-19 08-31"),
    ("20070115", "FREQ=MONTHLY;BYMONTHDAY=15,30;COUNT=5", "01-15 01-30 02-15 03-15 03-30"),
    ("20240229", "FREQ=YEARLY;COUNT=2", "02-29"),
  ])
  func aRuleFallsOnTheDaysTheStandardGives(start: String, rule: String, expected: String) throws {
    let found = try days(start, rule).map { String($0.dropFirst(5)) }
    #expect(found.joined(separator: " ") == expected)
  }

  @Test func hoursAndMinutesRecurOnTheClock() throws {
    func times(_ rule: String) throws -> [String] {
      try CalendarReading.event("DTSTART:19970902T090000Z\nRRULE:\(rule)").starts.map {
        String($0.dropFirst(8).prefix(8))
      }
    }
    #expect(
      try times("FREQ=HOURLY;INTERVAL=3;UNTIL=19970902T170000Z")
        == ["02T09:00", "02T12:00", "02T15:00"])
    #expect(
      try times("FREQ=MINUTELY;INTERVAL=90;COUNT=4")
        == ["02T09:00", "02T10:30", "02T12:00", "02T13:30"])
    #expect(
      try times("FREQ=MINUTELY;INTERVAL=20;BYHOUR=9,16;COUNT=5")
        == ["02T09:00", "02T09:20", "02T09:40", "02T16:00", "02T16:20"])
    #expect(
      try times("FREQ=DAILY;BYHOUR=9,10;BYMINUTE=0,20;COUNT=5")
        == ["02T09:00", "02T09:20", "02T10:00", "02T10:20", "03T09:00"])
    #expect(
      try times("FREQ=HOURLY;INTERVAL=2;BYHOUR=9,10,11;BYMINUTE=0,30;COUNT=5")
        == ["02T09:00", "02T09:30", "02T11:00", "02T11:30", "03T09:00"])
  }

  @Test func aMeetingKeepsItsHourWhenTheClocksChange() throws {
    let read = try CalendarReading.event(
      """
      UID:w
      DTSTART;TZID=Europe/Rome:20260322T023000
      DTEND;TZID=Europe/Rome:20260322T033000
      RRULE:FREQ=WEEKLY;COUNT=3
      """)
    // 02:30 does not exist on 29 March: it moves on, and back a week later.
    #expect(
      read.starts == ["2026-03-22T01:30:00Z", "2026-03-29T01:30:00Z", "2026-04-05T00:30:00Z"])
    #expect(
      read.identifiers == ["w/20260322T013000Z", "w/20260329T013000Z", "w/20260405T003000Z"])
    #expect(read.activities.map(\.duration) == [60, 60, 60])
  }

  @Test func aRuleEndsWithUntilWhateverItsForm() throws {
    func count(_ start: String, _ until: String) throws -> Int {
      try CalendarReading.event("DTSTART\(start)\nRRULE:FREQ=DAILY;UNTIL=\(until)").activities.count
    }
    #expect(try count(";TZID=America/New_York:20260101T200000", "20260104T010000Z") == 3)
    #expect(try count(";TZID=America/New_York:20260101T200000", "20260104T005959Z") == 2)
    #expect(try count(";TZID=America/New_York:20260101T200000", "20260103") == 3)
    #expect(try count(";VALUE=DATE:20260101", "20260103") == 3)
    #expect(try count(";VALUE=DATE:20260101", "20260103T235959Z") == 3)
    #expect(try count(":20260101T200000", "20260103T200000") == 3)
  }

  @Test func aRuleRunsUpToOneYearAheadOfNow() throws {
    let read = try CalendarReading.event("UID:e\nDTSTART;VALUE=DATE:20260101\nRRULE:FREQ=MONTHLY")
    #expect(read.days.first == "2026-01-01")
    #expect(read.days.last == "2027-11-01")
    #expect(read.identifiers.last == "e/20271101")
    let later = try CalendarReading.event("DTSTART:20300101T100000Z\nRRULE:FREQ=MONTHLY")
    #expect(later.activities.isEmpty)
    #expect(later.diagnostics.map(\.place) == ["c.ics:4"])
  }

  @Test func datesAreAddedAndTakenAway() throws {
    let read = try CalendarReading.event(
      """
      UID:d
      DTSTART;TZID=Europe/Rome:20260105T100000
      DTEND;TZID=Europe/Rome:20260105T110000
      RRULE:FREQ=DAILY;COUNT=5
      EXDATE;TZID=Europe/Rome:20260106T100000,20260107T100000
      EXDATE:20260108T090000Z
      RDATE;TZID=Europe/Rome:20260201T150000,20260109T100000
      RDATE;VALUE=PERIOD:20260301T080000Z/PT3H,20260302T080000Z/20260302T083000Z
      """)
    #expect(
      read.starts == [
        "2026-01-05T09:00:00Z", "2026-01-09T09:00:00Z", "2026-02-01T14:00:00Z",
        "2026-03-01T08:00:00Z", "2026-03-02T08:00:00Z",
      ])
    #expect(read.activities.map(\.duration) == [60, 60, 60, 180, 30])
    #expect(read.diagnostics.isEmpty)
  }

  @Test func wholeDaysAreTakenAwayByDate() throws {
    let read = try CalendarReading.event(
      "DTSTART;VALUE=DATE:20260101\nRRULE:FREQ=DAILY;COUNT=4\nEXDATE;VALUE=DATE:20260102\n"
        + "EXDATE:20260103T000000")
    #expect(read.days == ["2026-01-01", "2026-01-04"])
  }

  @Test func aLongListOfDatesOnOneLineIsWhole() throws {
    let first = try #require(DayKey("2020-01-01"))
    let days = (1...1_500).map { first.advanced(by: $0).description.filter { $0 != "-" } }
    let added = try CalendarReading.event(
      "DTSTART;VALUE=DATE:20200101\nRDATE;VALUE=DATE:\(days.joined(separator: ","))")
    #expect(added.activities.count == 1_501)
    let removed = try CalendarReading.event(
      "DTSTART;VALUE=DATE:20200101\nRRULE:FREQ=DAILY;COUNT=1502\n"
        + "EXDATE;VALUE=DATE:\(days.joined(separator: ","))")
    #expect(removed.days == ["2020-01-01", "2024-02-10"])
  }

  @Test func overridesMoveAndCancelOccurrencesWhereverTheyStand() throws {
    let read = try CalendarReading.read(
      """
      BEGIN:VCALENDAR
      BEGIN:VEVENT
      UID:s
      RECURRENCE-ID;TZID=Europe/Rome:20260106T100000
      DTSTART;TZID=Europe/Rome:20260110T170000
      SUMMARY:Moved
      END:VEVENT
      BEGIN:VEVENT
      UID:s
      DTSTART;TZID=Europe/Rome:20260105T100000
      RRULE:FREQ=DAILY;COUNT=4
      SUMMARY:Standup
      END:VEVENT
      BEGIN:VEVENT
      UID:s
      RECURRENCE-ID:20260107T090000Z
      DTSTART;TZID=Europe/Rome:20260107T100000
      STATUS:CANCELLED
      END:VEVENT
      END:VCALENDAR
      """)
    #expect(read.activities.map(\.text) == ["Moved", "Standup", "Standup"])
    #expect(
      read.identifiers == ["s/20260106T090000Z", "s/20260105T090000Z", "s/20260108T090000Z"])
    #expect(read.starts.first == "2026-01-10T16:00:00Z")
    #expect(read.cancelled.count == 1 && read.diagnostics.isEmpty)
  }

  @Test func theFirstOccurrenceCountsAlsoWhereTheRuleDoesNotGiveIt() throws {
    // 1 January 2026 is a Thursday.
    #expect(
      try days("20260101", "FREQ=WEEKLY;BYDAY=MO;COUNT=3")
        == ["2026-01-01", "2026-01-05", "2026-01-12"])
  }

  @Test func tooManyOccurrencesAreCutAndNoted() throws {
    let read = try CalendarReading.event(
      "UID:m\nDTSTART:20260101T000000Z\nRRULE:FREQ=SECONDLY", CalendarReading.context(limit: 25))
    #expect(read.activities.count == 25)
    #expect(read.diagnostics.map(\.place) == ["c.ics:5"])
    let exact = try CalendarReading.event(
      "DTSTART:20260101T000000Z\nRRULE:FREQ=DAILY;COUNT=25", CalendarReading.context(limit: 25))
    #expect(exact.activities.count == 25)
    #expect(exact.diagnostics.isEmpty)
  }

  @Test(arguments: [
    "FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=30", "FREQ=MINUTELY;BYMONTH=2;BYMONTHDAY=30",
    "FREQ=HOURLY;BYMONTH=4;BYMONTHDAY=31", "FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30",
    "FREQ=WEEKLY;BYDAY=MO;BYSETPOS=300", "FREQ=MONTHLY;BYMONTH=2;BYMONTHDAY=30",
    "FREQ=MONTHLY;BYDAY=5MO;BYMONTHDAY=1", "FREQ=MONTHLY;INTERVAL=32767;BYMONTHDAY=31",
    "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30", "FREQ=YEARLY;INTERVAL=32767;BYMONTHDAY=29;BYMONTH=2",
    "FREQ=YEARLY;BYWEEKNO=53;BYMONTH=6;BYDAY=MO", "FREQ=YEARLY;BYYEARDAY=366;BYMONTH=1",
    "FREQ=SECONDLY;BYSECOND=1;BYSETPOS=9", "FREQ=SECONDLY;INTERVAL=32767;BYMONTH=2;BYMONTHDAY=30",
    "FREQ=MINUTELY;COUNT=99999999;BYMONTH=2;BYMONTHDAY=31", "FREQ=DAILY;INTERVAL=0",
  ])
  func aRuleThatNeverFallsEndsWithItsDeadline(rule: String) throws {
    for year in ["1970", "0001"] {
      let read = try CalendarReading.event(
        "UID:x\nDTSTART:\(year)0601T000000Z\nRRULE:\(rule)", CalendarReading.context(seconds: 0.1))
      #expect(read.starts.first == "\(year)-06-01T00:00:00Z")
    }
  }

  /// What can never fall is seen at once, and what has more times than anybody takes ends at the limit.
  @Test(arguments: [
    ("FREQ=SECONDLY;BYSECOND=1;BYSETPOS=9", 1, false),
    ("FREQ=SECONDLY;BYSETPOS=2", 1, false),
    ("FREQ=MINUTELY;BYSECOND=0,30;BYSETPOS=3", 1, false),
    ("FREQ=HOURLY;BYMINUTE=0,30;BYSETPOS=-3", 1, false),
    ("FREQ=SECONDLY;INTERVAL=60;BYSECOND=1", 1, false),
    ("FREQ=SECONDLY;INTERVAL=3600;BYMINUTE=7;COUNT=5", 1, false),
    ("FREQ=MINUTELY;INTERVAL=60;BYMINUTE=5;BYHOUR=3", 1, false),
    ("FREQ=HOURLY;INTERVAL=2;BYHOUR=1,3,5", 1, false),
    ("FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=30;COUNT=1000000000", 1, false),
    ("FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30", 1, false),
    ("FREQ=YEARLY;BYMONTH=4;BYYEARDAY=200", 1, false),
    ("FREQ=MONTHLY;BYMONTHDAY=31;BYMONTH=4,6,9,11", 1, false),
    ("FREQ=MONTHLY;BYDAY=6MO", 1, false),
    ("FREQ=YEARLY;BYWEEKNO=30;BYMONTH=1;BYDAY=MO", 1, false),
    ("FREQ=SECONDLY;COUNT=1000000000", 500, true),
    ("FREQ=SECONDLY", 500, true),
    ("FREQ=MINUTELY;COUNT=1000000000", 500, true),
    ("FREQ=SECONDLY;BYSECOND=59", 500, true),
  ])
  func anImpossibleOrEndlessRuleTellsWhatIsTrue(
    rule: String, count: Int, isCut: Bool
  ) throws {
    let read = try CalendarReading.event(
      "UID:x\nDTSTART:19700601T000000Z\nRRULE:\(rule)",
      // A walk through all the seconds since would be cut by the deadline, and be told of.
      CalendarReading.context(limit: 500, seconds: 30))
    #expect(read.activities.count == count)
    #expect(read.starts.first == "1970-06-01T00:00:00Z")
    #expect(read.diagnostics.map(\.isCut) == (isCut ? [true] : []))
  }

  @Test(arguments: [
    ("FREQ=DAILY", 4), ("FREQ=SECONDLY;INTERVAL=43200", 7), ("FREQ=HOURLY;COUNT=1000000000", 84),
    ("FREQ=HOURLY;COUNT=500000", 84), ("FREQ=HOURLY;COUNT=1000", 0), ("FREQ=DAILY;COUNT=20000", 0),
    ("FREQ=WEEKLY;UNTIL=20200101T000000Z", 0), ("FREQ=YEARLY;BYMONTH=11;BYMONTHDAY=15", 1),
  ])
  func onlyTheTimesFromTheFirstDayOnAreTaken(rule: String, count: Int) throws {
    let context = ImportContext(
      now: try #require(Instant("2026-11-16T11:00:00Z")), homeZone: .utc,
      identities: RandomIdentities(), firstDay: DayKey("2026-11-13"), daysAhead: 0,
      occurrenceLimit: 200)
    let read = try CalendarReading.event("DTSTART:19700601T100000Z\nRRULE:\(rule)", context)
    #expect(read.activities.count == count)
    #expect(read.days.allSatisfy { $0 >= "2026-11-13" })
    #expect(read.diagnostics.isEmpty)
  }

  @Test func anIntervalOfAnyLengthIsFollowed() throws {
    func starts(_ rule: String) throws -> [String] {
      try CalendarReading.event("DTSTART:20260101T100000Z\nRRULE:\(rule)").starts
    }
    // A number of 16 bits would hold neither.
    #expect(
      try starts("FREQ=SECONDLY;INTERVAL=86401;COUNT=3")
        == ["2026-01-01T10:00:00Z", "2026-01-02T10:00:01Z", "2026-01-03T10:00:02Z"])
    #expect(
      try starts("COUNT=2;INTERVAL=0043200;FREQ=SECONDLY")
        == ["2026-01-01T10:00:00Z", "2026-01-01T22:00:00Z"])
    for interval in ["65536", "4294967297", "99999999999999999999999999"] {
      for frequency in ["DAILY", "WEEKLY", "MONTHLY", "YEARLY", "HOURLY"] where interval != "65536"
      {
        #expect(try starts("FREQ=\(frequency);INTERVAL=\(interval)") == ["2026-01-01T10:00:00Z"])
      }
      #expect(try starts("FREQ=DAILY;INTERVAL=\(interval)").count == 1)
    }
  }

  @Test func whatMayComeLaterIsTold() throws {
    func goesOn(_ lines: String) throws -> Bool {
      try CalendarReading.event("DTSTART:20260101T100000Z\n\(lines)").hasGoneOn
    }
    #expect(try goesOn("RRULE:FREQ=DAILY"))
    #expect(try goesOn("RRULE:FREQ=YEARLY;COUNT=3"))
    #expect(try goesOn("RRULE:FREQ=YEARLY;UNTIL=20400101T000000Z"))
    #expect(try goesOn("RDATE:20400101T100000Z"))
    #expect(try !goesOn("SUMMARY:Once"))
    #expect(try !goesOn("RRULE:FREQ=DAILY;COUNT=3"))
    #expect(try !goesOn("RRULE:FREQ=DAILY;UNTIL=20260201T000000Z"))
    #expect(try !goesOn("RDATE:20260301T100000Z"))
    let later = try CalendarReading.event("DTSTART:20300101T100000Z\nRRULE:FREQ=DAILY;COUNT=2")
    #expect(later.activities.isEmpty && later.hasGoneOn)
  }

  @Test func aFileFullOfEndlessRulesEnds() throws {
    var text = "BEGIN:VCALENDAR\n"
    for index in 0..<300 {
      text += "BEGIN:VEVENT\nUID:\(index)\nDTSTART:00010101T000000Z\n"
      text += "RRULE:FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30\nEND:VEVENT\n"
    }
    let read = try CalendarReading.read(
      text + "END:VCALENDAR", CalendarReading.context(seconds: 0.2))
    #expect(read.activities.count == 300)
  }

  @Test func aFloatingSeriesHasTheSameReferencesFromEveryHome() throws {
    let lines = "UID:f\nDTSTART:20260101T080000\nRRULE:FREQ=DAILY;COUNT=2"
    let rome = try CalendarReading.event(lines)
    let tokyo = try CalendarReading.event(lines, CalendarReading.context(home: "Asia/Tokyo"))
    #expect(rome.identifiers == ["f/20260101T080000", "f/20260102T080000"])
    #expect(tokyo.identifiers == rome.identifiers)
    #expect(tokyo.starts != rome.starts)
  }
}

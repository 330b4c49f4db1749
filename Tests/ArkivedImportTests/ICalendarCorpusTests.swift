import ArkivedCore
import ArkivedImport
import Foundation
import Testing

/// Calendars from the wild that lie beside the repository where the project is developed.
enum CalendarCorpus {
  static let folder = URL(filePath: #filePath).resolvingSymlinksInPath()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "shared/testdata/ics")

  static let names: [String] = {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return names.filter { $0.hasSuffix(".ics") }.sorted()
  }()

  static func read(_ name: String) throws -> RecordedImport {
    try CalendarReading.read(folder.appending(path: name), name: name)
  }
}

@Suite(.enabled(if: !CalendarCorpus.names.isEmpty, "the calendars from the wild are not here"))
struct ICalendarCorpusTests {
  @Test(arguments: CalendarCorpus.names)
  func everyFileComesInOrSaysWhereItDoesNot(name: String) throws {
    do {
      let read = try CalendarCorpus.read(name)
      let lines = read.diagnostics.map { $0.place.split(separator: ":").last.flatMap { Int($0) } }
      #expect(lines.allSatisfy { $0 != nil })
      #expect(!read.activities.isEmpty || !lines.isEmpty)
      for activity in read.activities { #expect(throws: Never.self) { try activity.validate() } }
      for person in read.people { #expect(throws: Never.self) { try person.validate() } }
      #expect(Set(read.identifiers).count == read.identifiers.count)
    } catch let refusal as ImportRefusal {
      #expect(refusal.place.split(separator: ":").last.flatMap { Int($0) } != nil)
    }
  }

  /// File, count of activities, first start, its zone, text and reference.
  @Test(arguments: [
    (
      "calendars-timezoned.ics", 1, "2012-02-13T09:00:00Z", "Europe/Vienna", "artsprint 2012",
      "123456"
    ),
    (
      "calendars-x_location.ics", 2883, "2016-10-28T12:00:00Z", "Europe/Zurich", "Daily Sync",
      "BFE33ADD-5553-48B5-B5A5-F9DA5CA4C393/20161028T120000Z"
    ),
    (
      "calendars-issue_313_globally_unique_tzid.ics", 3, "2020-04-26T12:00:00Z", "Europe/Berlin",
      "libical / Evolution globally unique TZID", "libical-evolution@issue-313"
    ),
    (
      "calendars-multiple_calendar_components.ics", 3, "2003-12-24T23:00:00Z", "Europe/Rome",
      "Christmas Day", "956630271"
    ),
    (
      "calendars-pacific_fiji.ics", 1, "2014-08-28T20:00:00Z", "Pacific/Fiji",
      "an event with a custom tz name", "noend123"
    ),
    (
      "calendars-alarm_google_future.ics", 1, "2024-10-04T18:15:00Z", "Europe/London",
      "event with alarms", "79fs7pkqvht9m5igs0vjv1sfra@google.com"
    ),
    (
      "calendars-issue_1426.ics", 3, "1996-12-30T02:00:00Z", "Europe/Rome", "Untitled event",
      "77D80D14-906B-4257-963F-85B1E734DBB6/19961230T020000Z"
    ),
    (
      "calendars-broken_ical.ics", 1, "2014-04-09T07:30:00Z", "Europe/Rome",
      "An Event with too many semicolons", "abc"
    ),
    (
      "calendars-property_params.ics", 1, "2012-08-13T22:00:00Z", "Europe/Rome",
      "Test meeting from BB", "XRIMCAL-628059586-522954492-9750559"
    ),
    (
      "calendars-timezone_same_start.ics", 1, "2017-02-24T20:00:00Z", "America/Los_Angeles",
      "Test 4", "040000008200E00074C5B7101A82E0080000000090E19664858ED20100000000000000"
    ),
    (
      "events-issue_101_icalendar_chokes_on_umlauts_in_organizer.ics", 1, "2013-04-16T10:00:00Z",
      "Europe/Rome", "wichtiger termin 1", "20130416112341.10064jz0k4j7uem8@acmenet.de"
    ),
    (
      "calendars-rfc_7265_appendix_example_1_ical.ics", 1, "2008-10-05T22:00:00Z", "Europe/Rome",
      "Planning meeting", "4088E990AD89CB3DBB484909"
    ),
  ])
  func aWellUnderstoodFileComesInExactly(
    name: String, count: Int, start: String, zone: String, text: String, reference: String
  ) throws {
    let read = try CalendarCorpus.read(name)
    #expect(read.activities.count == count)
    #expect(read.starts.first == start)
    #expect(read.activities.first?.timeZone == zone)
    #expect(read.activities.first?.text == text)
    #expect(read.identifiers.first == reference)
  }

  @Test func aSeriesOfOutlooksInAZoneOfItsOwnLosesNothing() throws {
    let read = try CalendarCorpus.read("calendars-issue_165_missing_event.ics")
    #expect(read.activities.count == 14)
    #expect(read.starts.first == "2015-07-03T08:00:00Z")
    #expect(read.starts.last == "2015-07-22T08:00:00Z")
    #expect(read.activities.allSatisfy { $0.zone.wallTime(at: $0.startAt ?? .earliest).hour == 10 })
  }

  @Test func aSeriesByDatesInLotusNotesIsWhole() throws {
    let read = try CalendarCorpus.read("calendars-issue_156_RDATE_with_PERIOD_TZID_khal_2.ics")
    #expect(
      read.starts == [
        "2021-11-01T15:00:00Z", "2021-12-06T15:00:00Z", "2022-01-03T15:00:00Z",
        "2022-02-07T15:00:00Z",
      ])
    #expect(read.activities.allSatisfy { $0.duration == 30 })
    #expect(read.people.map(\.email) == ["omitted@example.com"])
  }

  @Test func datesTakenAwayLineByLineAreGone() throws {
    let read = try CalendarCorpus.read(
      "corpus-event_with_recurrence_exdates_on_different_lines.ics")
    #expect(
      read.days == [
        "2012-03-27", "2012-04-24", "2012-05-08", "2012-05-15", "2012-05-22", "2012-06-05",
        "2012-06-12", "2012-06-19", "2012-06-26", "2012-07-03",
      ])
  }
}

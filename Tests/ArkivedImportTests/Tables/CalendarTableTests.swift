import ArkivedCore
import ArkivedImport
import Testing

@Suite("Tables of calendars")
struct CalendarTableTests {
  private let outlook = """
    "Subject","Start Date","Start Time","End Date","End Time","All day event","Reminder on/off","Meeting Organizer","Required Attendees","Optional Attendees","Categories","Description","Location","Priority","Private","Show time as"
    "Standup","3/14/2025","9:00:00 AM","3/14/2025","9:30:00 AM","False","True","Bob","Ann; Carl","Dora","Work;Team","Notes","Room 1","Normal","False","2"
    "Holiday","3/15/2025","12:00:00 AM","3/17/2025","12:00:00 AM","True","False","","","","","","","Normal","False","3"
    """

  @Test func outlooksEventsKeepTheirSubjectPlaceAndPeople() throws {
    #expect(!TogglImporter().recognises(head: Array(outlook.utf8), fileName: "outlook.csv"))
    #expect(try TableReading.recognises(outlook))
    let sink = try TableReading.read(outlook)
    #expect(sink.texts == ["Standup", "Holiday"] && sink.times == ["09:00–09:30", ""])
    let standup = try #require(sink.activities.first)
    #expect(standup.people.map(\.name) == ["Ann", "Carl", "Dora"])
    #expect(standup.tags == ["Work", "Team"] && standup.locationLabel == "Room 1")
    #expect(standup.notes == "Notes" && standup.measurements.isEmpty)
    let holiday = try #require(sink.activities.last)
    #expect(holiday.dayKey.description == "2025-03-15" && holiday.startAt == nil)
    #expect(holiday.description?.contains("until 2025-03-16") == true)
  }

  @Test func germanOutlookIsReadAsWell() throws {
    let table = """
      Betreff;Beginnt am;Beginnt um;Endet am;Endet um;Ganztägiges Ereignis;Erforderliche Teilnehmer;Beschreibung;Kategorien;Ort
      Runde;14.3.2025;09:00:00;14.3.2025;09:30:00;Aus;Ann;Text;Arbeit;Raum 1
      Urlaub;15.3.2025;00:00:00;16.3.2025;00:00:00;Ein;;;;
      """
    #expect(!TogglImporter().recognises(head: Array(table.utf8), fileName: "outlook.csv"))
    let sink = try TableReading.read(table)
    #expect(sink.texts == ["Runde", "Urlaub"] && sink.times == ["09:00–09:30", ""])
    #expect(sink.activities.first?.tags == ["Arbeit"])
    #expect(sink.activities.first?.people.map(\.name) == ["Ann"])
    #expect(sink.activities.last?.description == nil)
  }

  @Test func googlesCalendarTableIsNoTimesheet() throws {
    let table =
      "Subject,Start Date,Start Time,End Date,End Time,All Day Event,Description,Location,Private\n"
      + "Tea,03/14/2025,4:00 PM,03/14/2025,5:00 PM,False,,Café,False\n"
    #expect(!TogglImporter().recognises(head: Array(table.utf8), fileName: "google.csv"))
    #expect(try TableReading.read(table).texts == ["Tea"])
    let toggl = "User,Description,Start date,Start time,Duration\nA,b,2025-03-14,09:00,01:00:00\n"
    #expect(TogglImporter().recognises(head: Array(toggl.utf8), fileName: "toggl.csv"))
  }

  @Test func aWholeDayWrittenAsMidnightInUTCKeepsItsDateWestOfThere() throws {
    let table = """
      Subject,Start,End,All day event
      Holiday,2025-03-15T00:00:00Z,2025-03-17T00:00:00Z,True
      Call,2025-03-18T15:00:00Z,2025-03-18T16:00:00Z,False
      """
    let sink = try TableReading.read(table, home: "America/New_York")
    #expect(sink.texts == ["Holiday", "Call"] && sink.times == ["", "11:00–12:00"])
    #expect(sink.activities.map { "\($0.dayKey)" } == ["2025-03-15", "2025-03-18"])
    #expect(sink.activities.first?.description == "until 2025-03-16")
  }

  @Test(arguments: ["America/New_York", "Europe/Berlin"])
  func aWholeDayMayEndASecondBeforeMidnight(home: String) throws {
    let table = """
      Subject,Start,End,All day event
      Fair,2025-03-15T00:00:00Z,2025-03-16T23:59:59Z,True
      Trip,2025-03-15T00:00:00+09:00,2025-03-17T23:59:00+09:00,True
      Rest,2025-03-20T00:00:00Z,2025-03-20T23:59:59Z,True
      Call,2025-03-21T15:00:00Z,2025-03-21T16:00:00Z,False
      """
    let sink = try TableReading.read(table, home: home)
    #expect(sink.texts == ["Fair", "Trip", "Rest", "Call"])
    #expect(
      sink.activities.map(\.description) == ["until 2025-03-16", "until 2025-03-17", nil, nil])
  }

  @Test func aWholeDayWrittenAsAMidnightAtHomeInUTCLastsUntilTheDayBeforeItsEnd() throws {
    let table = """
      Subject,Start,End,All day event
      Holiday,2025-03-14T23:00:00Z,2025-03-16T23:00:00Z,True
      Call,2025-03-18T15:00:00Z,2025-03-18T16:00:00Z,False
      """
    let sink = try TableReading.read(table)
    #expect(sink.activities.map { "\($0.dayKey)" } == ["2025-03-15", "2025-03-18"])
    #expect(sink.activities.first?.description == "until 2025-03-16")
  }
}

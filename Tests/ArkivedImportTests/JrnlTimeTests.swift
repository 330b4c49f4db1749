import ArkivedCore
import ArkivedImport
import Foundation
import Testing

@Suite struct JrnlTimeTests {
  /// What `strftime` makes of formats that people set as jrnl's `timeformat`, for 7 May 2016.
  @Test(arguments: [
    ("2016-05-07 09:30", "09:30:00"), ("2016-05-07 09:30:15 PM", "21:30:15"),
    ("2016-05-07 12:05 AM", "00:05:00"), ("2016-05-07 12:05 PM", "12:05:00"),
    ("2016-05-07 9:30pm", "21:30:00"), ("2016-05-07 9:30 a.m.", "09:30:00"),
    ("2016-05-07 09:30\u{202F}PM", "21:30:00"), ("2016-05-07 9 PM", "21:00:00"),
    ("2016-05-07T09:30:15", "09:30:15"), ("2016-05-07T09:30:15.123456", "09:30:15"),
    ("2016/05/07 09:30", "09:30:00"), ("2016.05.07 09.30", "09:30:00"),
    ("20160507 0930", "09:30:00"), ("20160507T093015", "09:30:15"),
    ("201605070930", "09:30:00"), ("20160507093015", "09:30:15"),
    ("Saturday, 07 May 2016 09:30", "09:30:00"), ("Sat May  7 09:30:15 2016", "09:30:15"),
    ("May 07, 2016 09:30 PM", "21:30:00"), ("7 May 16 09:30", "09:30:00"),
    ("7th of May 2016 at 9:30", "09:30:00"), ("2016 May 7, 09h30", "09:30:00"),
    ("2016年05月07日 09時30分", "09:30:00"), ("09:30 2016-05-07", "09:30:00"),
    ("2016-05-07 | 09:30", "09:30:00"), ("2016-05-07 23:59:60", "23:59:59"),
  ])
  func theUsualTimeFormatsAreRead(header: String, time: String) throws {
    let read = try JrnlReading.read("[\(header)] Title\nbody\n")
    #expect(read.walls == ["2016-05-07T\(time)"])
    #expect(read.titles == ["Title"])
    #expect(read.problems.isEmpty)
  }

  @Test(arguments: [
    "2016-02-30 09:30", "2016-13-07 09:30", "2016-05-07 24:30", "2016-05-07 09:60", "yesterday",
    "2016-05 09:30", "99999-05-07 09:30", "2016-05-07 13:30 PM", "2016-05-07 09:30 meeting",
    "0000-05-07 09:30", "-2016-05-07 +", "May", "12 12", "２０１６-05-07 09:30",
    "2016-05-07 09:30:15 2", "99999999999999999999", "2016-05-07 09:30 UTC now",
  ])
  func whatIsNoDateTimeBeginsNoEntry(header: String) throws {
    let read = try JrnlReading.read("[2016-01-01 08:00] A\n[\(header)] Title\n")
    #expect(read.titles == ["A"])
    #expect(read.bodies == ["[\(header)] Title"])
  }

  @Test(arguments: [
    ("07.05.2016 09:30", "25.05.2016 09:30", "2016-05-07"),
    ("05/07/2016 09:30", "05/25/2016 09:30", "2016-05-07"),
    ("07/05/2016 09:30", "25/05/2016 09:30", "2016-05-07"),
    ("07-05-2016 09:30", "25-05-2016 09:30", "2016-05-07"),
    ("05/07/16 09:30 AM", "05/25/16 09:30 PM", "2016-05-07"),
    ("16-05-31 09:30", "16-06-01 09:30", "2016-05-31"),
    ("01/07/69 09:30", "01/31/69 09:30", "1969-01-07"),
  ])
  func theOrderOfNumbersIsToldByTheDatesThatExist(first: String, other: String, day: String) throws
  {
    let read = try JrnlReading.read("[\(first)] A\n\n[\(other)] B\n")
    #expect(read.days.first == day)
    #expect(read.problems.isEmpty)
  }

  /// jrnl keeps its entries in the order of their times.
  @Test func theOrderOfNumbersIsToldByTheSequence() throws {
    let dayFirst = try JrnlReading.read("[07/05/2016 09:30] A\n\n[01/06/2016 09:30] B\n")
    #expect(dayFirst.days == ["2016-05-07", "2016-06-01"])
    let monthFirst = try JrnlReading.read("[05.07.2016 09:30] A\n\n[06.01.2016 09:30] B\n")
    #expect(monthFirst.days == ["2016-05-07", "2016-06-01"])
    #expect(dayFirst.problems.isEmpty && monthFirst.problems.isEmpty)
  }

  @Test func anOrderThatNothingTellsIsNamed() throws {
    let slashes = try JrnlReading.read("[05/07/2016 09:30] A\n")
    #expect(slashes.days == ["2016-05-07"])
    #expect(slashes.problems.first?.message.contains("month before the day") == true)
    let dots = try JrnlReading.read("[07.05.2016 09:30] A\n")
    #expect(dots.days == ["2016-05-07"])
    #expect(dots.problems.first?.message.contains("day before the month") == true)
    #expect(try JrnlReading.read("[05/05/2016 09:30] A\n").problems.isEmpty)
  }

  @Test(arguments: [
    ("16-05-07 09:30", "16-05-25 09:30"), ("07.05.16 09:30", "25.05.16 09:30"),
    ("05/07/2016 09:30", "05/08/2016 09:30"), ("05.07.2016 09:30", "05.08.2016 09:30"),
  ])
  func theOrderThatPutsEntriesCloseTogetherIsTakenAndNamed(first: String, other: String) throws {
    let read = try JrnlReading.read("[\(first)] A\n\n[\(other)] B\n")
    #expect(read.days.first == "2016-05-07")
    #expect(read.problems.count == 1)
  }

  @Test func aDateInAnotherOrderThanTheOthersIsNamed() throws {
    let read = try JrnlReading.read(
      "[05/25/2016 09:30] A\n\n[05/26/2016 09:30] B\n\n[27/05/2016 09:30] C\n")
    #expect(read.days == ["2016-05-25", "2016-05-26", "2016-05-27"])
    #expect(read.problems.map(\.place) == ["journal.txt:5"])
  }

  @Test func aTimeInAGapMovesOnAndIsTold() throws {
    let read = try JrnlReading.read("[2016-03-27 02:30] A\n\n[2016-10-30 02:30] B\n")
    #expect(read.starts == ["2016-03-27T01:30:00Z", "2016-10-30T00:30:00Z"])
    #expect(read.walls == ["2016-03-27T03:30:00", "2016-10-30T02:30:00"])
    #expect(read.problems.map(\.place) == ["journal.txt:1"])
    #expect(read.identifiers.first?.hasPrefix("2016-03-27T02:30/") == true)
  }

  @Test func aDayThatTheZoneSkippedIsKept() throws {
    let read = try JrnlReading.read("[2011-12-30 10:00] A\n", home: "Pacific/Apia")
    #expect(read.days == ["2011-12-30"])
    for activity in read.activities { #expect(throws: Never.self) { try activity.validate() } }
  }

  @Test(arguments: ["0001-01-01 00:00", "0999-12-31 23:59", "9999-12-31 23:59", "1066-10-14 09:00"])
  func yearsFarAwayAreKept(header: String) throws {
    for home in ["Pacific/Kiritimati", "Pacific/Pago_Pago", "Europe/Rome"] {
      let read = try JrnlReading.read("[\(header)] A\n", home: home)
      #expect(read.days == [String(header.prefix(10))])
      for activity in read.activities { #expect(throws: Never.self) { try activity.validate() } }
    }
  }

  @Test func aDayWithoutATimeHasNone() throws {
    let read = try JrnlReading.read("[2016-05-07] A\n\n[2016-05-08] B\n")
    #expect(read.activities.map(\.startAt) == [nil, nil])
    #expect(read.days == ["2016-05-07", "2016-05-08"])
    #expect(read.diagnostics.isEmpty)
  }

  @Test(arguments: [
    ("2016-05-07T09:30:00+02:00", "2016-05-07T07:30:00Z", "Europe/Rome"),
    ("2016-05-07 09:30 -0500", "2016-05-07T14:30:00Z", "Etc/GMT+5"),
    ("2016-05-07T09:30Z", "2016-05-07T09:30:00Z", "UTC"),
  ])
  func anOffsetThatIsWrittenCounts(header: String, start: String, zone: String) throws {
    let read = try JrnlReading.read("[\(header)] A\n")
    #expect(read.starts == [start])
    #expect(read.days == ["2016-05-07"])
    #expect(read.activities.map(\.timeZone) == [zone])
  }
}

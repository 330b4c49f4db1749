import ArkivedCore
import ArkivedEngine
import ArkivedImport
import ArkivedStore
import ArkivedTestSupport
import Foundation
import Testing

@Suite("What the columns of any table mean")
struct TableMeaningTests {
  private let test: TestArchive

  init() throws { test = try TestArchive() }

  private func job(map: String? = nil) -> ImportJob {
    var wishes = ImportJob.Wishes()
    wishes.map = map
    return ImportJob(
      archive: test.archive, homeZone: test.zone, importers: ImportJob.importers(for: wishes))
  }

  @discardableResult
  private func run(_ name: String, _ content: String, map: String? = nil) throws -> ImportRun {
    try #require(try job(map: map).run(try test.folder.file(name, content)).first)
  }

  private func entries(_ day: String) throws -> [Activity] { try test.day(day).activities }

  private func clocks(_ activity: Activity) -> [String] {
    [activity.startAt, activity.endAt].compactMap { $0 }
      .map { test.zone.wallTime(at: $0).description }
  }

  private func fields(_ content: String) throws -> [String: String] {
    let file = try test.folder.file("guess.csv", content)
    let table = try #require(try job().forecast(file).runs.first?.table)
    return Dictionary(uniqueKeysWithValues: table.mapping.columns.map { ($0.name, $0.words) })
  }

  // MARK: Numbers

  private let garmin = """
    Activity Type,Date,Title,Distance,Calories,Time,Avg HR,Max HR,Avg Run Cadence,Avg Pace,Avg Stride Length,Steps,Min Temp,Moving Time,Elapsed Time
    Running,2026-03-10 07:12:33,Along the river,"10.02","712","00:55:12.4","152","171","168","5:31","1.08","9,240","8.0","00:54:58","00:55:40"
    Running,2026-03-08 08:00:10,Long run,"21.10","1,500","01:59:59","148","169","166","5:41","1.06","19,870","6.0","01:59:00","02:03:11"

    """

  @Test func aWatchsTableKeepsHeartRatesLengthsAndTimesApart() throws {
    try run("Activities.csv", garmin)
    let entry = try #require(try entries("2026-03-10").first)
    #expect(entry.text == "Along the river")
    #expect(clocks(entry) == ["2026-03-10T07:12:33", "2026-03-10T08:07:45"])
    #expect(entry.measurements["bpm"] == 152 && entry.measurements["max bpm"] == 171)
    #expect(entry.measurements["hours"] == nil && entry.measurements["lengths"] == nil)
    #expect(entry.measurements["avg stride length"] == 1.08)
    #expect(entry.measurements["steps"] == 9_240 && entry.measurements["kcal"] == 712)
    #expect(entry.measurements["min temp"] == 8)
    #expect(entry.description?.contains("Avg Pace: 5:31") == true)
    #expect(entry.description?.contains("Elapsed Time: 00:55:40") == true)
  }

  @Test(arguments: [
    ("HR", "152", "measure in bpm"), ("HR", "7.5", "measure in hours"),
    ("Average Heart Rate", "131.2", "measure in bpm"), ("Puls", "61", "measure in bpm"),
    ("restingHeartRate", "52", "measure in bpm"),
    ("Max Heart Rate", "171", "measure in max bpm"),
    ("Heart Rate Variability", "48", "measure in heart rate variability"),
    ("Pool Length", "25", "measure in pool length"), ("Last Call", "3", "measure in last call"),
    ("Pages", "30", "measure in pages"), ("Pages read", "30", "measure in pages read"),
    ("Weight (kg)", "70.5", "measure in kg"), ("Size M", "4", "measure in size m"),
    ("Price", "€ 4.50", "measure in €"), ("Battery", "80 %", "measure in battery (%)"),
    ("Duration (sec)", "3312", "duration in seconds"), ("Duration", "45", "duration in minutes"),
    ("Duration", "3312", "duration in seconds"), ("Dauer (Std)", "1.5", "duration in hours"),
    ("Hours", "7.5", "duration in hours"), ("Length", "1:20:00", "duration in minutes"),
    ("Length", "25", "measure in length"), ("Duration", "1h 20min", "duration in minutes"),
    ("Duration", "650", "measure in duration"), ("Elapsed Time", "2900", "duration in seconds"),
  ])
  func aNumberIsWhatItsNameAndItsSizeSay(name: String, value: String, meaning: String) throws {
    let test = try TestArchive()
    let file = try test.folder.file(
      "guess.csv", "Date,Title,\(name)\n2026-03-10,Row,\(value)\n")
    let job = ImportJob(archive: test.archive, homeZone: test.zone)
    let table = try #require(try job.forecast(file).runs.first?.table)
    #expect(table.mapping.columns.last?.words == meaning)
  }

  @Test func lengthsOfTwoNumbersAreMinutesWhereHoursWouldBeDays() throws {
    try run("a.csv", "Date,Title,Duration\n2026-03-10,short,45:30\n2026-03-10,long,1:02:03\n")
    let lengths = try entries("2026-03-10").map { ($0.text, $0.durationMinutes) }
    #expect(Dictionary(uniqueKeysWithValues: lengths) == ["short": 45.5, "long": 62.05])
    try run("b.csv", "Date,Title,Duration\n2026-03-11,night,7:32\n")
    #expect(try entries("2026-03-11").first?.durationMinutes == 452)
    try run("c.csv", "Date,Title,Duration\n2026-03-12,tea,1h 5min\n2026-03-12,nap,20 min\n")
    #expect(try entries("2026-03-12").compactMap(\.durationMinutes).sorted() == [20, 65])
  }

  @Test func aTimeBesideADayIsAClockAndBesideAClockALength() throws {
    #expect(try fields("Date,Time,What\n2026-03-10,07:30,a\n")["Time"] == "time")
    #expect(
      try fields("Date,Time,What\n2026-03-10 06:00:00,00:55:12,a\n")["Time"]
        == "duration in minutes")
    // The same clock twice, and midnights that programs write behind days.
    #expect(try fields("Date,Time,What\n2026-03-10 06:00:00,06:00,a\n")["Time"] == "time")
    #expect(try fields("Date,Time,What\n2026-03-10 00:00:00,07:30,a\n")["Time"] == "time")
    #expect(
      try fields("Date,Time,Distance\n2026-03-10,00:55:12,10\n2026-03-11,01:02:00,11\n")["Time"]
        == "duration in minutes")
    try run("days.csv", "Date,Time,What\n2026-03-10 00:00:00,07:30,tea\n2026-03-11 00:00:00,,nap\n")
    #expect(try entries("2026-03-10").map(clocks) == [["2026-03-10T07:30:00"]])
    #expect(try entries("2026-03-11").map(clocks) == [[]])
  }

  // MARK: Columns

  @Test func startsAndEndsThatAreCalledTimesHoldTheirDates() throws {
    try run("times.csv", "Title,Start Time,End Time\nWork,2026-03-10 09:00,2026-03-10 11:30\n")
    #expect(
      try entries("2026-03-10").map(clocks) == [["2026-03-10T09:00:00", "2026-03-10T11:30:00"]])
    try run("mixed.csv", "Title,Start Time,End Time\nNight,2026-03-11 23:00,01:30\n")
    #expect(
      try entries("2026-03-11").map(clocks) == [["2026-03-11T23:00:00", "2026-03-12T01:30:00"]])
  }

  private let strava = """
    Activity ID,Activity Date,Activity Name,Activity Type,Elapsed Time,Distance,Max Heart Rate,Elapsed Time,Moving Time,Distance,Average Heart Rate
    12345678901,"Nov 20, 2025, 6:12:33 AM",Morning Run,Run,3312,10.02,171,3312.0,3298.0,10020.4,152.3
    12345678902,"Nov 21, 2025, 5:30:00 PM",Evening Ride,Ride,5400,30.50,160,5400.0,5200.0,30500.0,131.2

    """

  @Test func columnsOfOneNameAreAllRead() throws {
    try run("activities.csv", strava)
    let entry = try #require(try entries("2025-11-20").first)
    #expect(clocks(entry) == ["2025-11-20T06:12:33", "2025-11-20T07:07:45"])
    #expect(entry.text == "Morning Run" && entry.tags == ["Run"])
    #expect(entry.measurements["distance"] == 10.02 && entry.measurements["distance 2"] == 10_020.4)
    #expect(entry.measurements["bpm"] == 152.3 && entry.measurements["max bpm"] == 171)
    #expect(entry.measurements["hours"] == nil)
    #expect(try run("activities.csv", strava).created.isEmpty)
    try run("twice.csv", "Date,Title,Title\n2026-03-10,Tea,green\n")
    #expect(try entries("2026-03-10").first?.description == "Title 2: green")
  }

  // MARK: Dates

  @Test(arguments: [
    ("\"Nov 20, 2025, 6:12:33 AM\"", "2025-11-20", "06:12"), ("20-Nov-2025", "2025-11-20", nil),
    ("20-Nov-25 18:12", "2025-11-20", "18:12"), ("20.11.25", "2025-11-20", nil),
    ("20.11.25 18:12 Uhr", "2025-11-20", "18:12"), ("20251120", "2025-11-20", nil),
    ("20251120T181200", "2025-11-20", "18:12"), ("20251120 1812", "2025-11-20", "18:12"),
    ("11/20/25 6:12 PM", "2025-11-20", "18:12"), ("\"November 20, 2025\"", "2025-11-20", nil),
    ("\"November 20, 2025 6:12 PM\"", "2025-11-20", "18:12"),
    ("\"Thursday, November 20, 2025 at 6:12 PM\"", "2025-11-20", "18:12"),
    ("20. November 2025", "2025-11-20", nil), ("20. Nov. 2025 18:12", "2025-11-20", "18:12"),
    ("1. März 2025", "2025-03-01", nil), ("\"Do., 20. Nov. 2025\"", "2025-11-20", nil),
    ("\"Thu, 20 Nov 2025 18:12:00 +0100\"", "2025-11-20", "18:12"),
    ("2025/11/20 18:12", "2025-11-20", "18:12"), ("2025-11-20 6:12 PM", "2025-11-20", "18:12"),
    ("2025-11-20T18:12:33.123", "2025-11-20", "18:12"), ("20 novembre 2025", "2025-11-20", nil),
    ("\"2025-11-20 18:12:33,123\"", "2025-11-20", "18:12"), ("1763658720.5", "2025-11-20", "18:12"),
  ])
  func datesAreReadAsPeopleAndProgramsWriteThem(date: String, day: String, clock: String?) throws {
    let test = try TestArchive()
    let file = try test.folder.file("dates.csv", "Date,What\n\(date),Tea\n")
    try #require(
      try ImportJob(archive: test.archive, homeZone: test.zone).run(file).first?.created
        == ["activity": 1])
    let entry = try #require(try test.day(day).activities.first)
    #expect(entry.text == "Tea")
    #expect(entry.startAt.map { test.zone.wallTime(at: $0).clockText } == clock)
  }

  @Test func theOrderOfDayAndMonthIsThatOfTheWholeColumn() throws {
    let many = (1...12).map { "0\($0 % 9 + 1)/05/25,row \($0)\n" }.joined()
    try run("us.csv", "Date,What\n" + many + "11/20/25 6:12 PM,last\n")
    #expect(try entries("2025-02-05").map(\.text) == ["row 1", "row 10"])
    let open = try run("open.csv", "Date,What\n01/02/25,c\n")
    #expect(open.warnings.contains { $0.message.contains("start with the day or the month") })
    let mixed = try run("mixed.csv", "Date,What\n25/03/2024,a\n26/03/2024,b\n03/27/2024,c\n")
    #expect(mixed.created == ["activity": 2] && mixed.skipped == 1)
    #expect(mixed.warnings.contains { $0.message.contains("others with the month") })
    #expect(mixed.warnings.contains { $0.place == "mixed.csv:4 field “Date”" })
    let years = (1...9).map { "24-11-0\($0),row\n" }.joined()
    #expect(
      try run("years.csv", "Date,What\n" + years).warnings.contains {
        $0.message.contains("read as coming first")
      })
    #expect(try entries("2024-11-05").map(\.text) == ["row"])
    #expect(
      try run("year.csv", "Date,What\n24-11-01,row\n").warnings.contains {
        $0.message.contains("could be first or last")
      })
  }

  @Test func aSpanInOneCellHasAStartAndAnEnd() throws {
    try run(
      "notion.csv",
      "Name,Date\nTalk,\"November 21, 2025 6:00 PM → November 21, 2025 7:30 PM\"\n"
        + "Trip,\"November 22, 2025 → November 25, 2025\"\n")
    #expect(
      try entries("2025-11-21").map(clocks) == [["2025-11-21T18:00:00", "2025-11-21T19:30:00"]])
    #expect(try entries("2025-11-22").first?.description == "until November 25, 2025")
  }

  @Test func midnightsInUTCAreDaysWhereverHomeIs() throws {
    let zone = try #require(Zone("America/New_York"))
    let file = try test.folder.file("days.csv", "date,what\n2026-03-10T00:00:00Z,Tea\n")
    _ = try ImportJob(archive: test.archive, homeZone: zone).run(file)
    let entry = try #require(try entries("2026-03-10").first)
    #expect(entry.text == "Tea" && entry.startAt == nil)
  }

  // MARK: Nothing at all

  @Test(arguments: ["Date,What\nsoon,Tea\nlater,Cake\n", "Date,What\n"])
  func aTableOfWhichNoRowIsReadFails(content: String) throws {
    let refusal = #expect(throws: ImportRefusal.self) {
      try run("none.csv", content, map: "date=Date,text=What")
    }
    #expect(refusal?.place.hasPrefix("none.csv:2") == true)
    #expect(try test.archive.importRuns().isEmpty)
    #expect(throws: ImportRefusal.self) {
      try job(map: "date=Date,text=What").forecast(try test.folder.file("none.csv", content))
    }
  }

  // MARK: Habits

  @Test func aHabitOf0WasNotDone() throws {
    let table = """
      HabitName,HabitDescription,HabitCategory,CalendarDate,Value,CommentText
      Meditate,,Health,2026-03-10,1,
      Meditate,,Health,2026-03-11,0,
      Push-ups,,Health,2026-03-10,30,strong
      Run,,Health,2026-03-11,0,ill
      """
    let run = try run("HabitBull.csv", table)
    #expect(run.created == ["activity": 3])
    let done = try entries("2026-03-10")
    #expect(Set(done.map(\.text)) == ["Meditate", "Push-ups"])
    #expect(done.first { $0.text == "Push-ups" }?.measurements == ["value": 30])
    #expect(done.first { $0.text == "Meditate" }?.measurements == [:])
    #expect(done.allSatisfy { $0.kind == .health })
    // What was written of a day without it stays.
    let ill = try #require(try entries("2026-03-11").first)
    #expect(ill.text == "Run: not done" && ill.notes == "ill" && ill.measurements.isEmpty)
    #expect(run.warnings.contains { $0.message.contains("1 row with the value 0") })
    #expect(try self.run("HabitBull.csv", table).created.isEmpty)
  }

  @Test func aColumnForEachHabitNamesThoseThatWereDone() throws {
    let run = try run(
      "habits.csv", "Date,Meditate,Read,Run\n2026-03-10,1,0,1\n2026-03-11,0,0,0\n")
    #expect(run.created == ["activity": 1])
    let entry = try #require(try entries("2026-03-10").first)
    #expect(entry.text == "Meditate, Run" && entry.measurements.isEmpty)
    #expect(try entries("2026-03-11").isEmpty)
  }

  @Test func anAmountOf0IsAnAmount() throws {
    try run("rain.csv", "Date,Rain (mm)\n2026-03-10,0\n2026-03-11,4\n")
    #expect(try entries("2026-03-10").first?.measurements == ["rain (mm)": 0])
    try run("pub.csv", "Date,What,Beers\n2026-03-12,Pub,1\n2026-03-13,Club,0\n")
    #expect(try entries("2026-03-12").first?.measurements == ["beers": 1])
    #expect(try entries("2026-03-13").first?.measurements == ["beers": 0])
  }

  // MARK: Points

  /// An hour at one place, a way of some kilometres, and an hour at another.
  private func points(_ header: String, _ row: (String, Double, Double) -> String) -> String {
    let start = Instant("2026-03-10T08:00:00Z") ?? .earliest
    let rows = (0..<150).map { minute in
      let part = Double(min(max(minute - 60, 0), 30))
      return row(
        start.adding(seconds: minute * 60).description, 52.5 + part * 0.001, 13.4 + part * 0.002)
    }
    return ([header] + rows).joined(separator: "\n") + "\n"
  }

  @Test func rowsOfPointsBecomeStaysAndWays() throws {
    let table = points("time,lat,lon,elevation,accuracy,speed,provider,annotation") {
      "\($0),\($1),\($2),34,10,1.2,gps,"
    }
    let run = try run("20260310.csv", table)
    #expect(run.format == "points" && run.created["activity"] ?? 0 <= 3)
    let told = try entries("2026-03-10")
    #expect(told.allSatisfy { $0.source == .locationImport })
    #expect(told.contains { $0.measurements["km"].map { (4...7).contains($0) } ?? false })
    #expect(try self.run("20260310.csv", table).created.isEmpty)
  }

  @Test func pointsThatAllSayTheSameArePointsToo() throws {
    let table = points("Date,Latitude,Longitude,Activity") { "\($0),\($1),\($2),walking" }
    #expect(try run("walk.csv", table).format == "points")
    #expect(try entries("2026-03-10").count <= 3)
  }

  @Test func badPointsAreToldByRowAndField() throws {
    var table = points("time,lat,lon") { "\($0),\($1),\($2)" }
    table += "2026-03-10T11:00:00Z,95,13\nnever,52,13\n2026-03-10T11:00:00Z,,\n"
    let run = try run("points.csv", table)
    #expect(run.warnings.contains { $0.place == "points.csv:152 field “lat”" })
    #expect(run.warnings.contains { $0.place == "points.csv:153 field “time”" })
    #expect(run.warnings.contains { $0.message.contains("1 row has no latitude") })
    #expect(throws: ImportRefusal.self) {
      try self.run("none.csv", "time,lat,lon\n2026-03-10T11:00:00Z,95,13\n")
    }
  }

  @Test func placesWithWordsOfTheirOwnAreEntries() throws {
    let run = try run(
      "checkins.csv",
      "time,lat,lon,venue,comment\n2026-03-10T11:00:00Z,52.5,13.4,Café,good\n"
        + "2026-03-10T12:00:00Z,52.6,13.5,Museum,better\n")
    #expect(run.format == "csv" && run.created == ["activity": 2])
  }

  // MARK: Shown before it counts

  @Test func aForecastShowsTheMappingWithThreeRowsAndWhatBecomesOfThem() throws {
    let file = try test.folder.file("Activities.csv", garmin)
    let forecast = try #require(try job().forecast(file).runs.first)
    #expect(forecast.table?.origin == .guessed && forecast.table?.rows.count == 2)
    let first = try #require(forecast.examples.first)
    #expect(first.parts.contains("07:12–08:07") && first.parts.contains("152 bpm"))
    #expect(forecast.json["rows"]?.array?.count == 2)
    #expect(try entries("2026-03-10").isEmpty)
  }
}

import ArkivedCore
import ArkivedEngine
import ArkivedImport
import ArkivedStore
import ArkivedTestSupport
import Foundation
import Testing

@Suite("Imports bend nothing and leave nothing out in silence")
struct NothingSilentTests {
  private let test: TestArchive

  init() throws { test = try TestArchive() }

  private var job: ImportJob { ImportJob(archive: test.archive, homeZone: test.zone) }

  @discardableResult
  private func run(_ name: String, _ content: String) throws -> ImportRun {
    try #require(try job.run(try test.folder.file(name, content)).first)
  }

  private func entries(_ day: String) throws -> [Activity] { try test.day(day).activities }

  private func clocks(_ activity: Activity, in zone: Zone? = nil) -> [String] {
    [activity.startAt, activity.endAt].compactMap { $0 }
      .map { (zone ?? test.zone).wallTime(at: $0).clockText }
  }

  // MARK: Calendars

  private func calendar(_ parts: String..., head: String = "") -> String {
    let body = parts.map { part in
      part.hasPrefix("BEGIN") ? part : "BEGIN:VEVENT\nDTSTAMP:20260301T080000Z\n\(part)\nEND:VEVENT"
    }
    let lines = ["BEGIN:VCALENDAR", "VERSION:2.0"] + (head.isEmpty ? [] : [head]) + body
    return (lines + ["END:VCALENDAR", ""]).joined(separator: "\n")
      .replacing("\n", with: "\r\n")
  }

  private let task = "BEGIN:VTODO\nUID:t\nSUMMARY:Buy milk\nDUE:20260312T170000Z\nEND:VTODO"

  @Test func aTaskBesideEventsIsKeptAndACancelledOneIsTold() throws {
    let run = try run(
      "mixed.ics",
      calendar(
        task,
        task.replacing("UID:t", with: "UID:u").replacing("DUE:", with: "STATUS:CANCELLED\nDUE:"),
        "UID:e\nDTSTART:20260310T090000Z\nSUMMARY:Meeting"))
    #expect(run.created["activity"] == 1 && run.created["note"] == 1)
    #expect(
      run.warnings.map { "\($0.place) \($0.message)" }
        == ["mixed.ics:8 skipped: this task was cancelled"])
  }

  @Test func aCancelledEventIsEitherLeftOutOrMarkedAndToldOnce() throws {
    let daily = "UID:a\nDTSTART:20260310T090000Z\nRRULE:FREQ=DAILY;COUNT=5\nSUMMARY:Daily"
    let unheard = try run("new.ics", calendar(daily + "\nSTATUS:CANCELLED"))
    #expect(unheard.created.isEmpty)
    #expect(unheard.warnings.map(\.message) == ["skipped: this event was cancelled"])
    // An occurrence of it that was moved before goes with its series.
    let moved =
      "UID:a\nRECURRENCE-ID:20260311T090000Z\nDTSTART:20260311T110000Z\nSUMMARY:Daily, moved"
    let series = try run("series.ics", calendar(daily + "\nSTATUS:CANCELLED", moved))
    #expect(series.created.isEmpty && series.warnings.count == 2)
    // One that was moved since stays.
    let later = try run(
      "later.ics", calendar(daily + "\nSTATUS:CANCELLED", moved + "\nSEQUENCE:3"))
    #expect(later.created["activity"] == 1)
    // What is known is marked, and nothing says that it was left out.
    let event = "UID:b\nDTSTART:20260320T090000Z\nSUMMARY:Dentist"
    try run("b.ics", calendar(event))
    let cancelled = try run("b.ics", calendar(event + "\nSTATUS:CANCELLED"))
    #expect(cancelled.updated == 1 && cancelled.warnings.isEmpty)
  }

  @Test(arguments: ["DESCRIPTION:", "LOCATION:", "SUMMARY:", "DESCRIPTION;LANGUAGE=de:  ", "GEO:"])
  func anEmptyPropertyIsNoTrouble(line: String) throws {
    let run = try run("e.ics", calendar("UID:e\nDTSTART:20260310T090000Z\n\(line)"))
    #expect(run.created["activity"] == 1 && run.warnings.isEmpty)
  }

  @Test func floatingTimesAreThoseOfTheirCalendarsZone() throws {
    let zone = try #require(Zone("Asia/Tokyo"))
    let event = "UID:f\nDTSTART:20260310T083000\nDTEND:20260310T090000\nSUMMARY:Talk"
    try run("tokyo.ics", calendar(event, head: "X-WR-TIMEZONE:Asia/Tokyo"))
    let entry = try #require(try entries("2026-03-10").first)
    #expect(clocks(entry, in: zone) == ["08:30", "09:00"] && entry.timeZone == "Asia/Tokyo")
    // Whole days are no times, and without a zone home counts.
    try run(
      "day.ics",
      calendar(
        "UID:g\nDTSTART;VALUE=DATE:20260312\nSUMMARY:Day", head: "X-WR-TIMEZONE:Asia/Tokyo"))
    #expect(try entries("2026-03-12").map(\.text) == ["Day"])
    try run(
      "home.ics", calendar(event.replacing("UID:f", with: "UID:h").replacing("10T", with: "13T")))
    let home = try #require(try entries("2026-03-13").first)
    #expect(clocks(home) == ["08:30", "09:00"])
  }

  @Test(arguments: [
    "DURATION:P9999999999D", "DURATION:PT99999999999H", "DURATION:P5000D", "DURATION:P99999W",
    "DTEND:99981231T000000Z",
  ])
  func anAbsurdLengthIsRefused(line: String) throws {
    let run = try run(
      "long.ics", calendar("UID:l\nDTSTART:20260310T090000Z\nSUMMARY:Long\n\(line)"))
    let entry = try #require(try entries("2026-03-10").first)
    #expect(entry.endAt == nil)
    #expect(run.warnings.contains { $0.message.contains("longer than ten years") })
  }

  @Test func aLongLengthIsKept() throws {
    let run = try run(
      "year.ics", calendar("UID:y\nDTSTART:20260310T090000Z\nSUMMARY:Year\nDURATION:P365D"))
    #expect(run.warnings.isEmpty)
    #expect(try entries("2026-03-10").first?.endAt == Instant("2027-03-10T09:00:00Z"))
  }

  // MARK: Places

  private func path(_ start: String, _ minutes: [Int], lat: Double) -> String {
    let points = minutes.enumerated().map { index, minute in
      "{\"point\":\"\(lat + Double(index) * 0.01)°, 13.40°\","
        + "\"time\":\"2026-03-10T0\(8 + minute / 60):\(minute % 60 + 10):00.000+01:00\"}"
    }
    return "{\"startTime\":\"\(start)\",\"endTime\":\"2026-03-10T10:00:00.000+01:00\","
      + "\"timelinePath\":[\(points.joined(separator: ","))]}"
  }

  @Test func aTimelinePathAloneBecomesAWay() throws {
    let start = "2026-03-10T08:00:00.000+01:00"
    let file = "{\"semanticSegments\":[\(path(start, [0, 10, 20, 40], lat: 52.5))]}"
    let run = try run("Timeline.json", file)
    #expect(run.created == ["activity": 1] && run.warnings.isEmpty)
    let way = try #require(try entries("2026-03-10").first)
    #expect(clocks(way) == ["08:10", "08:50"])
    #expect(way.measurements["km"].map { (3.2...3.5).contains($0) } == true)
    #expect(try self.run("Timeline.json", file).created.isEmpty)
  }

  @Test func aPathWithinAWayOrAVisitIsToldOnce() throws {
    let start = "2026-03-10T08:00:00.000+01:00"
    let way =
      "{\"startTime\":\"\(start)\",\"endTime\":\"2026-03-10T08:30:00.000+01:00\",\"activity\":{"
      + "\"start\":{\"latLng\":\"52.5°, 13.4°\"},\"end\":{\"latLng\":\"52.52°, 13.4°\"},"
      + "\"topCandidate\":{\"type\":\"WALKING\"}}}"
    let run = try run(
      "Timeline.json",
      "{\"semanticSegments\":[\(path(start, [0, 10, 20], lat: 52.5)),\(way),"
        + "\(path(start, [41, 46], lat: 52.6))]}")
    // The walk with its path, and the way behind it that nobody told.
    #expect(run.created == ["activity": 2])
  }

  private func gpx(_ segments: [[(lat: Double, height: Int, time: String)]]) -> String {
    let parts = segments.map { points in
      "<trkseg>"
        + points.map {
          "<trkpt lat=\"\($0.lat)\" lon=\"13.4\"><ele>\($0.height)</ele><time>\($0.time)</time></trkpt>"
        }.joined() + "</trkseg>"
    }
    return "<?xml version=\"1.0\"?><gpx version=\"1.1\" creator=\"x\"><trk><name>Hike</name>"
      + parts.joined() + "</trk></gpx>"
  }

  @Test func theOffsetOfATrackDecidesItsDay() throws {
    try run(
      "japan.gpx",
      gpx([
        [
          (35.6, 10, "2026-03-11T06:00:00+09:00"), (35.61, 10, "2026-03-11T06:30:00+09:00"),
          (35.62, 10, "2026-03-11T07:00:00+09:00"),
        ]
      ]))
    #expect(try entries("2026-03-10").isEmpty)
    let hike = try #require(try entries("2026-03-11").first)
    #expect(hike.timeZone == "Etc/GMT-9" && hike.startAt == Instant("2026-03-10T21:00:00Z"))
    // A night on the way is parted at its own midnight.
    try run(
      "night.gpx",
      gpx([
        [
          (35.6, 10, "2026-03-14T23:30:00+09:00"), (35.61, 10, "2026-03-14T23:50:00+09:00"),
          (35.62, 10, "2026-03-15T00:20:00+09:00"), (35.63, 10, "2026-03-15T00:40:00+09:00"),
        ]
      ]))
    #expect(try entries("2026-03-14").map(\.text) == ["Hike"])
    #expect(try entries("2026-03-15").map(\.text) == ["Hike (2)"])
  }

  @Test func whatLiesBetweenSegmentsWasNotClimbed() throws {
    try run(
      "lift.gpx",
      gpx([
        [(46.0, 600, "2026-03-10T08:00:00Z"), (46.01, 620, "2026-03-10T08:30:00Z")],
        [(46.1, 2_000, "2026-03-10T10:00:00Z"), (46.11, 2_030, "2026-03-10T10:30:00Z")],
      ]))
    #expect(try entries("2026-03-10").first?.description == "Ascent 50 m")
  }

  // MARK: Health

  @Test func valuesOfHealthKeepTheirDecimals() throws {
    func record(_ type: String, _ unit: String, _ value: String) -> String {
      "<Record type=\"HKQuantityTypeIdentifier\(type)\" sourceName=\"S\" unit=\"\(unit)\" "
        + "startDate=\"2026-03-10 08:00:00 +0100\" endDate=\"2026-03-10 08:10:00 +0100\" "
        + "value=\"\(value)\"/>"
    }
    let parts = [
      record("BodyMass", "kg", "70.456"), record("BodyTemperature", "degC", "36.65"),
      record("HeartRate", "count/min", "61.25"), record("DistanceWalkingRunning", "km", "12.345"),
      record("DietaryEnergyConsumed", "kcal", "412.75"),
      "<Workout workoutActivityType=\"HKWorkoutActivityTypeRunning\" duration=\"32.555\" "
        + "durationUnit=\"min\" totalDistance=\"16.254\" totalDistanceUnit=\"km\" "
        + "totalEnergyBurned=\"412.7\" totalEnergyBurnedUnit=\"kcal\" sourceName=\"S\" "
        + "startDate=\"2026-03-10 08:20:00 +0100\" endDate=\"2026-03-10 08:52:33 +0100\"/>",
    ]
    try run(
      "export.xml",
      "<?xml version=\"1.0\"?><HealthData><ExportDate value=\"2026-03-12 08:00:00 +0100\"/>"
        + parts.joined() + "</HealthData>")
    let metrics = try test.day("2026-03-10").metrics
    let values = Dictionary(metrics.map { ($0.metric, $0.value) }) { first, _ in first }
    #expect(values["weight"] == 70.456 && values["heartRate"] == 61.25)
    #expect(values["walkingDistance"] == 12.345)
    #expect(values.values.contains(412.75) && values.values.contains(36.65))
    let workout = try #require(try entries("2026-03-10").first)
    #expect(workout.measurements["km"] == 16.254 && workout.measurements["kcal"] == 412.7)
  }

  // MARK: Toggl

  private let toggl =
    "User,Email,Client,Project,Task,Description,Billable,Start date,Start time,End date,"
    + "End time,Duration,Tags\n"

  @Test(arguments: [
    ("14:30:00", "02:30:00 PM"), ("09:05:00", "9:05:00 AM"), ("00:10", "12:10 am"),
  ])
  func theSameTimeOn12And24HoursIsOneEntry(full: String, half: String) throws {
    func row(_ clock: String) -> String {
      toggl + "Ada,a@b.example,,P,,Work,No,2026-03-10,\(clock),2026-03-10,\(clock),01:15:00,\n"
    }
    #expect(try run("Toggl_24.csv", row(full)).created == ["activity": 1])
    let again = try run("Toggl_12.csv", row(half))
    #expect(again.created.isEmpty && again.unchanged == 1)
  }

  // MARK: Archives

  @Test func twoMembersOfOneNameAreTold() throws {
    let zip = TestZip([
      ("notes/2026-03-07.md", Data("first".utf8)), ("notes/2026-03-07.md", Data("second".utf8)),
      ("notes/2026-03-08.md", Data("another".utf8)),
    ])
    let runs = try job.run(try test.folder.file("two.zip", try zip.data()))
    #expect(try test.day("2026-03-07").entry?.note == "first")
    #expect(
      runs.flatMap(\.warnings).contains {
        $0.place == "two.zip/notes/2026-03-07.md" && $0.message.contains("2 files with this name")
      })
  }

  @Test func archivesInArchivesThatGrowBeyondAllReasonAreRefusedSoon() throws {
    let zeros = Data(count: 64 << 20)
    let inner = try TestZip([("2026-03-07.md", zeros)]).data()
    var outer = TestZip()
    for number in 0..<16 { outer.add("\(number).zip", inner) }
    let file = try test.folder.file("bomb.zip", try outer.data())
    #expect(throws: ImportRefusal.self) { try job.run(file) }
    // What is beside them comes in, and they are named.
    outer.add("2026-03-08.md", Data("a page".utf8))
    let runs = try job.run(try test.folder.file("mixed.zip", try outer.data()))
    #expect(try test.day("2026-03-08").entry?.note == "a page")
    #expect(runs.flatMap(\.warnings).contains { $0.message.contains("unreasonably large") })
  }

  // MARK: Cut off

  @Test(arguments: [
    ("Timeline.json", #"{"semanticSegments":[{"startTime":"2026-03-10T08:00"#),
    ("Records.json", #"{"locations":[{"latitudeE7":525000000,"longi"#),
    ("track.gpx", "<?xml version=\"1.0\"?><gpx version=\"1.1\"><trk><trkseg><trkpt lat=\"35.6"),
    ("export.xml", "<?xml version=\"1.0\"?><HealthData><Record type=\"HKQuantityTypeIdentifierBo"),
    ("daylio_export.csv", "full_date,date,weekday,time,mood,activities,note_title,note\n2026-0"),
    ("table.csv", "Date,Title\n2026-0"), ("points.csv", "time,lat,lon\n2026-03-10T08:00:00Z,52."),
    ("life.jsonl", #"{"type":"activity","dayKey":"2026-0"#),
    ("calendar.ics", "BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:1\r\nDTSTART:2026"),
    (
      "aw.json",
      #"{"buckets":{"w":{"id":"w","type":"currentwindow","client":"a","hostname":"h","#
        + #""created":"2026-03-10T08:00:00Z","events":[{"timest"#
    ),
    (
      "Toggl.csv",
      "User,Email,Client,Project,Task,Description,Billable,Start date,Start time,End date,"
        + "End time,Duration,Tags\nAda,a@b.example,,P,,\"Wor"
    ),
  ])
  func aFileThatIsCutOffAndBringsNothingFails(name: String, content: String) throws {
    let file = try test.folder.file(name, content)
    let refusal = #expect(throws: ImportRefusal.self) { try job.run(file) }
    #expect(refusal?.place.hasPrefix(name) == true)
    #expect(throws: ImportRefusal.self) { try job.forecast(file) }
    #expect(try test.archive.importRuns().isEmpty)
  }

  // MARK: Dry runs and undoing

  private var samples: [(name: String, content: String)] {
    [
      (
        "people.ics",
        calendar(
          task,
          "UID:p\nDTSTART:20260310T090000Z\nSUMMARY:Meeting\nCATEGORIES:Work\n"
            + "ATTENDEE;CN=Bob Ray:mailto:bob@x.example",
          "UID:q\nDTSTART:20260311T090000Z\nSUMMARY:No\nSTATUS:CANCELLED")
      ),
      (
        "daylio_export.csv",
        "full_date,date,weekday,time,mood,activities,note_title,note\n"
          + "2026-03-08,March 8,Sunday,9:00,good,\"read | run\",\"\",\"A note\"\n"
          + "2026-03-09,March 9,Monday,25:00,odd,\"\",\"\",\"\"\n"
      ),
      (
        "table.csv",
        "Date,Title,People,Tags,Mood,Km\n2026-03-10,Dinner,\"Ann, Carl\",food,4,2\nsoon,x,,,,\n"
      ),
      ("habits.csv", "Date,Read,Run\n2026-03-10,1,0\n2026-03-11,0,0\n"),
      (
        "points.csv",
        "time,lat,lon\n"
          + (10..<50).map { "2026-03-10T08:\($0):00Z,52.5\($0),13.4\n" }.joined()
      ),
      (
        "track.gpx",
        gpx([
          (10..<50).map {
            (52.5 + Double($0) * 0.001, 30 + $0, "2026-03-10T09:\($0):00Z")
          }
        ])
      ),
      ("page/2026-03-09.md", "---\nmood: 4\ntags: [sun]\n---\nHello [[Ann]] #tag\n"),
      ("Toggl.csv", toggl + "Ada,a@b.example,,P,,Work,No,2026-03-10,9:00,,,01:00:00,t\n"),
    ]
  }

  private func export() throws -> [String] {
    try ExportJob(archive: test.archive).lines()
  }

  @Test func aDryRunSaysWhatTheRunDoesAndAnUndoLeavesNothing() throws {
    _ = try run("own.jsonl", #"{"type":"activity","text":"tea #a","dayKey":"2026-03-10"}"# + "\n")
    let before = try export()
    for (name, content) in samples {
      let file = try test.folder.file(name, content)
      for _ in 0..<2 {
        let foreseen = try job.forecast(file).runs
        let runs = try job.run(file)
        #expect(foreseen.map(\.format) == runs.map(\.format), "\(name)")
        #expect(foreseen.map(\.created) == runs.map(\.created), "\(name)")
        #expect(foreseen.map(\.updated) == runs.map(\.updated), "\(name)")
        #expect(foreseen.map(\.unchanged) == runs.map(\.unchanged), "\(name)")
        #expect(foreseen.map(\.skipped) == runs.map(\.skipped), "\(name)")
        #expect(
          foreseen.map { $0.warnings.map(\.message) } == runs.map { $0.warnings.map(\.message) },
          "\(name)")
      }
      for run in try test.archive.importRuns()
      where !run.isUndone && run.source.hasSuffix(file.lastPathComponent) {
        _ = try test.archive.undo(try test.archive.importRun(matching: run.id.uuidString).changeID)
      }
      #expect(try export() == before, "\(name)")
    }
  }
}

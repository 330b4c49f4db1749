import ArkivedCore
import ArkivedEngine
import ArkivedImport
import ArkivedStore
import ArkivedTestSupport
import Foundation
import Testing

/// Exports of Strava, Garmin, Fitbit, Google Fit, Samsung Health, Withings and Oura.
@Suite("Exports of health services")
struct HealthServiceImportTests {
  private let test: TestArchive

  init() throws { test = try TestArchive() }

  private var job: ImportJob {
    ImportJob(archive: test.archive, homeZone: test.zone, places: .keep)
  }

  private func bring(_ files: [(String, String)]) throws -> [ImportRun] {
    for (name, text) in files { _ = try test.folder.file("in/\(name)", text) }
    return try job.run(test.folder.url.appendingPathComponent("in"))
  }

  private func numbers(_ day: String) throws -> [String: Double] {
    Dictionary(try test.day(day).metrics.map { ($0.metric, $0.value) }) { first, _ in first }
  }

  /// Imports twice and undoes both: the second changes nothing, and nothing stays.
  private func checkRepeatAndUndo(_ format: String) throws {
    let again = try job.run(test.folder.url.appendingPathComponent("in"))
    #expect(again.allSatisfy { $0.created.isEmpty && $0.updated == 0 }, "\(again)")
    for run in try test.archive.importRuns() where !run.isUndone {
      #expect(run.format == format)
      _ = try test.archive.undo(try test.archive.importRun(matching: run.id.uuidString).changeID)
    }
    let left = try ExportJob(archive: test.archive).lines()
    #expect(!left.contains { $0.contains("\"type\":\"activity\"") || $0.contains("\"metric\"") })
  }

  private static let gpx = """
    <gpx version="1.1"><trk><trkseg>
    <trkpt lat="52.5" lon="13.4"><time>2025-11-20T06:12:33Z</time></trkpt>
    <trkpt lat="52.51" lon="13.41"><time>2025-11-20T06:20:33Z</time></trkpt>
    <trkpt lat="52.52" lon="13.40"><time>2025-11-20T06:42:33Z</time></trkpt>
    </trkseg></trk></gpx>
    """

  private static let strava =
    "Activity ID,Activity Date,Activity Name,Activity Type,Activity Description,Elapsed Time,Distance,"
    + "Max Heart Rate,Activity Private Note,Filename,Elapsed Time,Moving Time,Distance,Elevation Gain,"
    + "Average Heart Rate,Calories\n"
    + "7,\"Nov 20, 2025, 6:12:33 AM\",Along the canal,Run,\"Cold, clear\",1800,5.02,171,,"
    + "activities/7.gpx,1800.0,1750.0,5020.5,31.0,152.0,350.0\n"
    + "8,\"Nov 21, 2025, 6:00:00 AM\",Gym,Weight Training,,3600,0.00,,,,3600.0,3600.0,0.0,,,\n"
    + "9,someday,Lost,Run,,1,1,,,,1,1,1,,,\n"

  @Test func stravasActivitiesComeInWithTheirRoutes() throws {
    let runs = try bring([
      ("activities.csv", Self.strava), ("activities/7.gpx", Self.gpx),
      ("clubs.csv", "Club ID,Club Name\n1,Runners\n"),
    ])
    #expect(runs.map(\.format) == ["strava"])
    let run = try #require(runs.first)
    #expect(run.created == ["activity": 2] && run.skipped == 1, "\(run.warnings)")
    #expect(run.warnings.contains { $0.place.hasPrefix("activities.csv:4") })
    let canal = try #require(try test.day("2025-11-20").activities.first)
    #expect(canal.text == "Along the canal" && canal.notes == "Cold, clear")
    #expect(canal.measurements["km"] == 5.021 || canal.measurements["km"] == 5.02)
    #expect(canal.measurements["bpm"] == 152 && canal.measurements["kcal"] == 350)
    #expect(canal.startAt == Instant("2025-11-20T06:12:33Z"))
    #expect(canal.attachments.count == 1 && canal.lat == 52.5)
    #expect(try test.day("2025-11-21").activities.map(\.text) == ["Gym"])
    try checkRepeatAndUndo("strava")
  }

  @Test func stravasCompressedRecordingIsUnpacked() throws {
    _ = try bring([
      ("activities.csv", Self.strava.replacing("7.gpx", with: "7.gpx.gz")),
      ("activities/7.gpx", Self.gpx),
    ])
    let plain = test.folder.url.appendingPathComponent("in/activities/7.gpx")
    let packing = try Process.run(
      URL(fileURLWithPath: "/bin/gzip"), arguments: ["-f", plain.path])
    packing.waitUntilExit()
    #expect(packing.terminationStatus == 0)
    _ = try job.run(test.folder.url.appendingPathComponent("in"))
    let canal = try #require(try test.day("2025-11-20").activities.first)
    #expect(canal.attachments.count == 1)
  }

  @Test func aRecordingThatIsDamagedLeavesItsActivity() throws {
    let run = try #require(
      try bring([
        ("activities.csv", Self.strava.replacing("7.gpx", with: "7.fit.gz")),
        ("activities/7.fit.gz", "\u{1F}\u{8B}\u{8}damaged"),
      ]).first)
    #expect(run.created == ["activity": 2])
    #expect(try test.day("2025-11-20").activities.first?.attachments.isEmpty == true)
  }

  @Test func stravasGermanTableIsRead() throws {
    let run = try #require(
      try bring([
        (
          "activities.csv",
          "Aktivitäts-ID,Aktivitätsdatum,Name der Aktivität,Aktivitätsart,Verstrichene Zeit,Distanz,"
            + "Dateiname,Verstrichene Zeit,Bewegungszeit,Distanz\n"
            + "7,\"20.11.2025, 06:12:33\",Am Kanal,Lauf,1800,\"5,02\",,1800,1750,\"5020,5\"\n"
        )
      ]).first)
    #expect(run.format == "strava" && run.created == ["activity": 1], "\(run.warnings)")
    let canal = try #require(try test.day("2025-11-20").activities.first)
    #expect(canal.text == "Am Kanal" && canal.startAt == Instant("2025-11-20T06:12:33Z"))
  }

  @Test func garminsExportComesIn() throws {
    let runs = try bring([
      (
        "DI_CONNECT/DI-Connect-Fitness/ann_0_summarizedActivities.json",
        """
        [{"summarizedActivitiesExport":[
        {"activityId":111,"name":"Morning Run","activityType":"running","beginTimestamp":1700000000000,
        "startTimeLocal":1700003600000,"duration":1800000.0,"elapsedDuration":1860000.0,"distance":500000.0,
        "avgHr":140.0,"maxHr":171.0,"elevationGain":3000.0},
        {"name":"No ID","beginTimestamp":1700000000000}]}]
        """
      ),
      (
        "DI_CONNECT/DI-Connect-Wellness/2019-06-29_2019-10-07_1_sleepData.json",
        """
        [{"sleepStartTimestampGMT":"2019-08-04T20:28:00.0","sleepEndTimestampGMT":"2019-08-05T04:30:00.0",
        "calendarDate":"2019-08-05","deepSleepSeconds":600,"lightSleepSeconds":19440,"remSleepSeconds":8460,
        "awakeSleepSeconds":420},
        {"sleepStartTimestampGMT":"2019-08-05T20:00:00.0","sleepEndTimestampGMT":"2019-08-06T04:00:00.0",
        "calendarDate":"2019-08-06","sleepWindowConfirmationType":"OFF_WRIST"}]
        """
      ),
      (
        "DI_CONNECT/DI-Connect-Aggregator/UDSFile_2024-01-01_2024-04-10.json",
        """
        [{"calendarDate":"2024-01-05","totalSteps":9123,"totalDistanceMeters":7040,"currentDayRestingHeartRate":52},
        {"calendarDate":{"date":"Jan 6, 2024 12:00:00 AM"},"totalSteps":100}]
        """
      ),
      (
        "DI_CONNECT/DI-Connect-Wellness/1_userBioMetrics.json",
        #"[{"metaData":{"calendarDate":"2024-01-05T07:00:00.0"},"weight":{"weight":72500.0}}]"#
      ),
    ])
    #expect(runs.map(\.format) == ["garmin"])
    let run = try #require(runs.first)
    #expect(run.created["activity"] == 2 && run.skipped == 1, "\(run.warnings)")
    let morning = try #require(try test.day("2023-11-14").activities.first)
    #expect(morning.text == "Morning Run" && morning.measurements["km"] == 5)
    #expect(morning.measurements["bpm"] == 140 && morning.measurements["kcal"] == nil)
    #expect(morning.durationMinutes == 30)
    #expect(morning.endAt == morning.startAt?.adding(seconds: 1_860))
    let night = try #require(try test.day("2019-08-05").activities.first)
    #expect(night.text == "Slept 7 h 55 min" && night.tags == ["sleep"])
    #expect(try numbers("2019-08-05")["deepSleepMinutes"] == 10)
    #expect(
      try numbers("2024-01-05")
        == ["steps": 9123, "walkingDistance": 7.04, "restingHeartRate": 52, "weight": 72.5])
    #expect(try numbers("2024-01-06") == ["steps": 100])
    try checkRepeatAndUndo("garmin")
  }

  @Test func fitbitsExportComesInWithDaysThatSpanFiles() throws {
    let runs = try bring([
      (
        "Fitbit/steps-2024-01-01.json",
        #"[{"dateTime":"01/30/24 12:00:00","value":"100"},{"dateTime":"01/30/24 23:30:00","value":"7"}]"#
      ),
      (
        "Fitbit/steps-2024-01-31.json", #"[{"dateTime":"01/31/24 08:00:00","value":"50"}]"#
      ),
      (
        "Fitbit/heart_rate-2024-01-31.json",
        #"[{"dateTime":"01/31/24 08:00:00","value":{"bpm":60,"confidence":3}},{"dateTime":"01/31/24 08:00:05","value":{"bpm":80,"confidence":3}}]"#
      ),
      (
        "Fitbit/resting_heart_rate-2024-01-01.json",
        #"[{"dateTime":"01/31/24 00:00:00","value":{"date":"01/31/24","value":55.5,"error":6}},{"dateTime":"02/01/24 00:00:00","value":{"date":null,"value":0.0,"error":0}}]"#
      ),
      (
        "Fitbit/sleep-2024-01-01.json",
        #"[{"logId":1,"dateOfSleep":"2024-01-31","startTime":"2024-01-30T23:10:30.000","endTime":"2024-01-31T06:40:00.000","minutesAsleep":400,"mainSleep":true,"levels":{"summary":{"deep":{"minutes":60},"wake":{"minutes":30}}}}]"#
      ),
      (
        "Fitbit/exercise-0.json",
        #"[{"logId":2,"activityName":"Run","startTime":"01/31/24 18:00:00","duration":1800000,"activeDuration":1740000,"distance":3.1,"distanceUnit":"Mile","calories":350,"averageHeartRate":150}]"#
      ),
      (
        "Fitbit/weight-2024-01-01.json",
        #"[{"logId":3,"weight":163.6,"bmi":23.7,"date":"01/31/24","time":"07:00:00"},{"logId":4,"weight":70,"date":"02/02/24","time":"07:00:00"}]"#
      ),
    ])
    #expect(runs.map(\.format) == ["fitbit"])
    let run = try #require(runs.first)
    // 23:30 of UTC is the next day in Berlin, whose other steps are in the second file.
    #expect(try numbers("2024-01-30")["steps"] == 100)
    let day = try numbers("2024-01-31")
    #expect(day["steps"] == 57 && day["heartRate"] == 70 && day["restingHeartRate"] == 55.5)
    #expect(day["sleepMinutes"] == 400 && day["deepSleepMinutes"] == 60)
    #expect(abs((day["weight"] ?? 0) - 74.21) < 0.01)
    #expect(try numbers("2024-02-01").isEmpty && numbers("2024-02-02").isEmpty)
    #expect(run.warnings.contains { $0.message.contains("kg or lb") })
    let entries = try test.day("2024-01-31").activities
    #expect(entries.contains { $0.text == "Slept 6 h 40 min" })
    let ran = try #require(entries.first { $0.kind == .health && $0.tags.contains("run") })
    #expect(ran.measurements["km"] == 4.989 && ran.durationMinutes == 29)
    try checkRepeatAndUndo("fitbit")
  }

  @Test func aFitbitFileThatIsThereTwiceCountsOnce() throws {
    let files = [
      (
        "steps-2024-01-01.json",
        #"[{"dateTime":"01/30/24 12:00:00","value":"100"},{"dateTime":"01/30/24 12:01:00","value":"50"}]"#
      ),
      (
        "very_active_minutes-2024-01-01.json", #"[{"dateTime":"01/30/24 00:00:00","value":"7"}]"#
      ),
      (
        "heart_rate-2024-01-30.json",
        #"[{"dateTime":"01/30/24 08:00:00","value":{"bpm":60,"confidence":3}},{"dateTime":"01/30/24 08:00:05","value":{"bpm":90,"confidence":3}}]"#
      ),
    ]
    // The service's own export and Takeout's copy, which has one more reading.
    var copies = files.map { ("Takeout/Fitbit/\($0.0)", $0.1) }
    copies[2].1 = copies[2].1.replacing(
      "[{", with: #"[{"dateTime":"01/30/24 07:59:00","value":{"bpm":60,"confidence":3}},{"#,
      maxReplacements: 1)
    _ = try bring(files.map { ("Export/\($0.0)", $0.1) } + copies)
    let day = try numbers("2024-01-30")
    #expect(day["steps"] == 150 && day["activeMinutes"] == 7 && day["heartRate"] == 70, "\(day)")
    try checkRepeatAndUndo("fitbit")
  }

  @Test func googleFitComesIn() throws {
    let runs = try bring([
      (
        "Fit/Daily activity metrics/Daily activity metrics.csv",
        "Date,Move Minutes count,Calories (kcal),Distance (m),Heart Points,Average heart rate (bpm),"
          + "Max heart rate (bpm),Min heart rate (bpm),Step count\n2024-01-31,40,2000,5000.5,20,70,120,50,7000\n"
      ),
      (
        "Fit/Daily activity metrics/2024-01-31.csv",
        "Start time,End time,Move Minutes count,Step count\n00:00:00.000+01:00,00:15:00.000+01:00,,\n"
      ),
      (
        "Fit/All Sessions/2024-01-31T08_00_00+01_00_WALKING.json",
        #"{"fitnessActivity":"walking","startTime":"2024-01-31T07:00:00Z","endTime":"2024-01-31T07:30:00Z","duration":"1800s","segment":[],"aggregate":[{"metricName":"com.google.step_count.delta","intValue":3000},{"metricName":"com.google.distance.delta","floatValue":2100.5}]}"#
      ),
    ])
    #expect(runs.map(\.format) == ["googlefit"], "\(runs.flatMap(\.warnings))")
    let metrics = try test.day("2024-01-31").metrics
    #expect(try numbers("2024-01-31")["steps"] == 7000 && metrics.count == 4)
    #expect(metrics.first { $0.metric == "heartRate" }?.maximum == 120)
    let walk = try #require(try test.day("2024-01-31").activities.first)
    #expect(walk.measurements == ["km": 2.101, "steps": 3000] && walk.durationMinutes == 30)
    try checkRepeatAndUndo("googlefit")
  }

  @Test func ofTwoExportsTheOneWithMoreOfADayCounts() throws {
    func table(_ day: String, _ steps: Int) -> String {
      "Date,Move Minutes count,Step count\n\(day),40,\(steps)\n"
    }
    let name = "Fit/Daily activity metrics/Daily activity metrics.csv"
    _ = try bring([("new/\(name)", table("2024-01-31", 7000))])
    // An export from noon of that day, which is imported later.
    let older = try job.run(try test.folder.file("old.csv", table("2024-01-31", 2000)))
    #expect(older.map(\.updated) == [0] && older.allSatisfy { $0.created.isEmpty })
    #expect(try numbers("2024-01-31")["steps"] == 7000)
    // Both in one folder, the older one first.
    _ = try test.folder.file("both/a/\(name)", table("2024-02-01", 2000))
    _ = try test.folder.file("both/b/\(name)", table("2024-02-01", 9000))
    let both = test.folder.url.appendingPathComponent("both")
    let runs = try job.run(both)
    #expect(runs.map(\.skipped) == [0], "\(runs.flatMap(\.warnings))")
    #expect(try numbers("2024-02-01")["steps"] == 9000)
    let again = try job.run(both)
    #expect(again.allSatisfy { $0.created.isEmpty && $0.updated == 0 })
  }

  @Test func samsungHealthComesIn() throws {
    let names = ["datauuid", "exercise_type", "start_time", "time_offset", "duration", "distance"]
    let header = names.map { "com.samsung.health.exercise.\($0)" }.joined(separator: ",")
    let exercises = """
      com.samsung.shealth.exercise,6310008,8
      title,\(header)
      ,abc,1002,2024-01-30 23:30:00.000,UTC+0100,1800000,5000,
      ,,1002,2024-01-30 23:30:00.000,UTC+0100,1800000,5000,

      """
    let runs = try bring([
      (
        "com.samsung.shealth.exercise.20260324.csv", exercises
      ),
      (
        "com.samsung.health.weight.20260324.csv",
        "com.samsung.health.weight,6310008,8\nstart_time,weight,time_offset,body_fat\n"
          + "2024-01-31 05:00:00.000,72.5,UTC+0100,20.5,\n2024-01-31 18:00:00.000,73,UTC+0100,,\n"
          + "2024-02-01 05:00:00.000,7250,UTC+0100,,\n"
      ),
      (
        "com.samsung.shealth.step_daily_trend.20260324.csv",
        "com.samsung.shealth.step_daily_trend,6310008,8\nday_time,count,source_type\n"
          + "1706659200000,5000,1,\n1706659200000,5600,-2,\n"
      ),
      (
        "com.samsung.shealth.stress.20260324.csv",
        "com.samsung.shealth.stress,6310008,8\nstart_time,score\n2024-01-31 05:00:00.000,20,\n"
      ),
    ])
    #expect(runs.map(\.format) == ["samsunghealth"], "\(runs.flatMap(\.warnings))")
    let run = try #require(runs.first)
    #expect(try numbers("2024-01-31") == ["steps": 5600, "weight": 73, "bodyFat": 20.5])
    let ran = try #require(try test.day("2024-01-31").activities.first)
    #expect(ran.startAt == Instant("2024-01-30T23:30:00Z") && ran.measurements["km"] == 5)
    #expect(run.warnings.contains { $0.message.contains("plausible weight") })
    #expect(run.warnings.contains { $0.message.contains("has no ID") })
    #expect(run.warnings.contains { $0.message.contains("com.samsung.shealth.stress") })
    try checkRepeatAndUndo("samsunghealth")
  }

  @Test func withingsTablesComeIn() throws {
    let runs = try bring([
      (
        "weight.csv",
        "Date,\"Weight (kg)\",\"Fat mass (kg)\",\"Bone mass (kg)\",Comments\n"
          + "\"2024-01-31 19:00:00\",73.00,14.60,3.1,\n\"2024-01-31 07:00:00\",72.50,,3.1,\n"
      ),
      (
        "bp.csv",
        "Date,Heart rate,Systolic,Diastolic,Comments\n\"2024-01-31 07:00:00\",60,120,80,\n"
          + "\"2024-01-31 07:02:00\",60,124,82,\n"
      ),
      ("aggregates_steps.csv", "date,value\n2024-01-31,7000\n2024-02-01,many\n"),
      (
        "sleep.csv",
        "from,to,light (s),deep (s),rem (s),awake (s)\n"
          + "2024-01-30T23:10:00+01:00,2024-01-31T06:40:00+01:00,15000,6000,3000,600\n"
      ),
      (
        "activities.csv",
        "from,to,from (manual),to (manual),Timezone,Activity type,Data,GPS,Modified\n"
          + "2024-01-31T18:00:00+01:00,2024-01-31T18:30:00+01:00,,,Europe/Berlin,Running,"
          + "\"{\"\"calories\"\":350,\"\"hr_average\"\":150,\"\"distance\"\":5000}\",,\n"
      ),
    ])
    #expect(runs.map(\.format) == ["withings"], "\(runs.flatMap(\.warnings))")
    let metrics = try test.day("2024-01-31").metrics
    let day = try numbers("2024-01-31")
    #expect(day["weight"] == 73 && day["bodyFat"] == 20 && day["steps"] == 7000)
    #expect(day["bloodPressureSystolic"] == 122 && day["sleepMinutes"] == 400)
    #expect(metrics.first { $0.metric == "bloodPressureSystolic" }?.minimum == 120)
    let ran = try #require(
      try test.day("2024-01-31").activities.first { $0.tags.contains("running") })
    #expect(ran.measurements == ["km": 5, "kcal": 350, "bpm": 150])
    try checkRepeatAndUndo("withings")
  }

  @Test func bothVersionsOfOurasExportComeIn() throws {
    let second = #"""
      {"daily_activity":[{"day":"2024-01-31","steps":7000,"active_calories":300,"equivalent_walking_distance":6000,"contributors":{}}],
      "sleep":[{"id":"a","day":"2024-01-31","bedtime_start":"2024-01-30T23:10:30+01:00","bedtime_end":"2024-01-31T06:40:00+01:00","total_sleep_duration":24000,"deep_sleep_duration":6000,"type":"long_sleep","average_hrv":60,"lowest_heart_rate":48},
      {"id":"b","day":"2024-01-31","bedtime_start":"2024-01-31T14:00:00+01:00","bedtime_end":"2024-01-31T14:20:00+01:00","total_sleep_duration":1200,"type":"late_nap","average_hrv":40}]}
      """#
    let first = #"""
      {"sleep":[{"summary_date":"2019-05-01","bedtime_start":"2019-05-01T23:10:30+02:00","bedtime_end":"2019-05-02T06:40:00+02:00","total":24000,"deep":6000,"rmssd":50,"hr_lowest":47,"is_longest":1}],
      "activity":[{"summary_date":"2019-05-01","steps":5000,"cal_active":200}]}
      """#
    let runs = try bring([("oura-2024.json", second), ("oura-2019.json", first)])
    #expect(runs.map(\.format) == ["oura"], "\(runs.flatMap(\.warnings))")
    let day = try numbers("2024-01-31")
    #expect(day["steps"] == 7000 && day["sleepMinutes"] == 400 && day["restingHeartRate"] == 48)
    #expect(day["heartRateVariability"] == 60 && day["walkingDistance"] == 6)
    #expect(try test.day("2024-01-31").activities.count == 2)
    #expect(try numbers("2019-05-01") == ["steps": 5000, "activeEnergy": 200])
    #expect(try numbers("2019-05-02")["heartRateVariability"] == 50)
    try checkRepeatAndUndo("oura")
  }

  @Test(arguments: [
    ("0_summarizedActivities.json", #"[{"summarizedActivitiesExport":[{"activityId":1"#),
    ("steps-2024-01-01.json", #"[{"dateTime":"01/30/24 12:00:00","value":"#),
    ("oura.json", #"{"sleep":[{"bedtime_start":"2024-01"#),
  ])
  func aFileThatIsCutOffIsRefused(name: String, text: String) throws {
    let file = try test.folder.file(name, text)
    let refusal = #expect(throws: ImportRefusal.self) { try job.run(file) }
    #expect(refusal?.place.hasPrefix(name) == true)
    #expect(try test.archive.importRuns().isEmpty)
  }
}

import ArkivedCore
import ArkivedImport
import ArkivedTestSupport
import Foundation
import Testing

/// What services write besides the values that are imported.
@Suite("Fields of services")
struct ServiceFieldTests {
  private static func exercise(_ code: String) -> String {
    "com.samsung.shealth.exercise,6310008,4\ndatauuid,start_time,end_time,time_offset,"
      + "exercise_type,duration\na,2024-01-05 10:00:00.000,2024-01-05 11:00:00.000,UTC+0100,"
      + "\(code),3600000,\n"
  }

  /// The types by another list of them.
  @Test(arguments: [
    ("1001", "walking"), ("1002", "running"), ("2001", "baseball"), ("2002", "softball"),
    ("2003", "cricket"), ("3001", "golf"), ("3002", "billiards"), ("3003", "bowling"),
    ("4001", "hockey"), ("4002", "rugby"), ("4003", "basketball"), ("4004", "football"),
    ("4005", "handball"), ("4006", "american football"), ("5001", "volleyball"),
    ("5002", "beach volleyball"), ("6001", "squash"), ("6002", "tennis"), ("6003", "badminton"),
    ("6004", "table tennis"), ("6005", "racquetball"), ("7002", "boxing"),
    ("7003", "martial arts"), ("8001", "ballet"), ("8002", "dancing"), ("9001", "pilates"),
    ("9002", "yoga"), ("10001", "stretching"), ("10002", "jump rope"),
    ("10007", "circuit training"), ("11001", "inline skating"), ("11004", "archery"),
    ("11005", "horseback riding"), ("11007", "cycling"), ("12001", "aerobics"),
    ("13001", "hiking"), ("13002", "rock climbing"), ("13003", "backpacking"),
    ("13004", "mountain biking"), ("13005", "orienteering"), ("14001", "swimming"),
    ("14003", "canoeing"), ("14004", "sailing"), ("14005", "scuba diving"), ("14007", "kayaking"),
    ("14010", "rowing"), ("15002", "weight machine"), ("15005", "treadmill"),
    ("15006", "elliptical"), ("16001", "cross country skiing"), ("16002", "skiing"),
    ("16004", "ice skating"), ("16006", "ice hockey"), ("16007", "snowboarding"),
    ("16008", "alpine skiing"), ("16009", "snowshoeing"),
  ])
  func samsungsExerciseTypesAreTheirs(code: String, sport: String) throws {
    let sink = try ServiceReading.read(
      SamsungHealthImporter(), [("exercise.csv", Self.exercise(code))])
    #expect(sink.activities.map(\.tags) == [[sport]] && sink.diagnostics.isEmpty)
  }

  @Test func anUnknownExerciseTypeIsKeptAndTold() throws {
    let sink = try ServiceReading.read(
      SamsungHealthImporter(), [("exercise.csv", Self.exercise("17099"))])
    #expect(sink.texts == ["Exercise type 17099, 1 h"])
    #expect(sink.diagnostics.map(\.message).contains { $0.contains("17099 is unknown") })
  }

  @Test func garminsTimerRunsBetweenSets() throws {
    let sink = try ServiceReading.read(
      GarminExportImporter(),
      [
        (
          "x_0_summarizedActivities.json",
          #"""
          [{"summarizedActivitiesExport":[{"activityId":4002,"name":"Kraft",
          "activityType":"strength_training","beginTimestamp":1589464122000,
          "startTimeLocal":1.589471322E12,"duration":3600000.0,"elapsedDuration":3660000.0,
          "movingDuration":95000.0,"calories":310.5,"totalReps":200}]}]
          """#
        )
      ])
    #expect(sink.activities.map(\.durationMinutes) == [60])
    #expect(
      sink.diagnostics.map(\.message) == ["not imported: “calories” (1), “totalReps” (1)"])
  }

  @Test func whatAddsUpInATriathlonBelongsToItsParts() throws {
    let sink = try ServiceReading.read(
      GarminExportImporter(),
      [
        (
          "x_0_summarizedActivities.json",
          #"""
          [{"summarizedActivitiesExport":[
          {"activityId":5001,"name":"City race","activityType":"multi_sport","parent":true,
          "beginTimestamp":1589464122000,"startTimeLocal":1589471322000,"duration":7200000.0,
          "distance":4150000.0,"avgHr":150.0,"steps":9000},
          {"activityId":5002,"activityType":"cycling","parent":false,"parentId":5001,
          "beginTimestamp":1589465122000,"startTimeLocal":1589472322000,"duration":3600000.0,
          "distance":3000000.0},
          {"activityId":5003,"activityType":"running","parent":false,"parentId":5001,
          "beginTimestamp":1589469122000,"startTimeLocal":1589476322000,"duration":3600000.0,
          "distance":1150000.0}]}]
          """#
        )
      ])
    #expect(sink.activities.compactMap { $0.measurements["km"] } == [30, 11.5])
    #expect(sink.activities.compactMap(\.durationMinutes) == [60, 60])
    #expect(sink.activities.count == 3 && sink.texts.contains("City race"))
  }

  @Test func aNightEnteredByHandIsANight() throws {
    let sink = try ServiceReading.read(
      GarminExportImporter(),
      [
        (
          "2020-05-01_2020-08-01_1_sleepData.json",
          #"""
          [{"sleepStartTimestampGMT":"2020-05-13T21:10:00.0","sleepEndTimestampGMT":"2020-05-14T05:00:00.0","calendarDate":"2020-05-14","sleepWindowConfirmationType":"OFF_WRIST"},
          {"sleepStartTimestampGMT":"2020-05-14T21:10:00.0","sleepEndTimestampGMT":"2020-05-15T05:00:00.0","calendarDate":"2020-05-15","deepSleepSeconds":0,"lightSleepSeconds":0,"awakeSleepSeconds":0,"sleepWindowConfirmationType":"UNCONFIRMED_MANUAL"}]
          """#
        )
      ])
    #expect(sink.texts == ["In bed 7 h 50 min"])
    #expect(sink.activities[0].dayKey == DayKey("2020-05-15"))
  }

  @Test func garminsFloorsAndMinutesAreNumbersOfTheDay() throws {
    let sink = try ServiceReading.read(
      GarminExportImporter(),
      [
        (
          "UDSFile_2020.json",
          #"""
          [{"calendarDate":"2020-05-12","totalSteps":12000,"floorsAscendedInMeters":30.5,
          "moderateIntensityMinutes":20,"vigorousIntensityMinutes":10,"minHeartRate":45,
          "maxHeartRate":150,"allDayStress":{"averageStressLevel":30}}]
          """#
        )
      ])
    let numbers = Dictionary(uniqueKeysWithValues: sink.metrics.map { ($0.metric, $0.value) })
    #expect(numbers == ["steps": 12_000, "climbedStairs": 10, "activeMinutes": 30])
    let message = try #require(sink.diagnostics.first?.message)
    for name in ["minHeartRate", "maxHeartRate", "allDayStress"] {
      #expect(message.contains("“\(name)” (1)"))
    }
  }

  @Test func ourasTagsAndSessionsComeInAndScoresAreTold() throws {
    let sink = try ServiceReading.read(
      OuraImporter(),
      [
        (
          "oura.json",
          #"""
          {"daily_readiness":[{"id":"r","day":"2023-07-06","score":80,"contributors":{}}],
          "heart_rate":[{"bpm":55},{"bpm":56}],
          "session":[{"id":"m","day":"2023-07-06","start_datetime":"2023-07-06T08:00:00+02:00",
          "end_datetime":"2023-07-06T08:10:00+02:00","type":"meditation"}],
          "tag":[{"id":"t","day":"2023-07-06","text":"late coffee",
          "timestamp":"2023-07-06T16:00:00+02:00","tags":["tag_generic_coffee"]},
          {"id":"u","day":"2023-07-07","text":null,"timestamp":null,"tags":["tag_sleep_sauna"]}]}
          """#
        )
      ])
    #expect(Set(sink.texts) == ["Meditation, 10 min", "late coffee", "sauna"])
    let coffee = try #require(sink.activities.first { $0.text == "late coffee" })
    #expect(coffee.tags == ["coffee"] && coffee.startAt == Instant("2023-07-06T14:00:00Z"))
    #expect(
      sink.diagnostics.map(\.message) == ["not imported: “heart_rate” (2), “daily_readiness” (1)"])
  }

  @Test func columnsOfWithingsThatAreNotImportedAreTold() throws {
    let weights = try ServiceReading.read(
      WithingsImporter(),
      [
        (
          "weight.csv",
          "Date,\"Weight (kg)\",\"Fat mass (kg)\",\"Bone mass (kg)\",Comments\n"
            + "\"2023-07-05 07:10:22\",82.5,15.2,3.1,\"after run\"\n"
            + "\"2023-07-06 07:10:22\",82.3,,,\n"
        )
      ])
    #expect(
      weights.diagnostics.map(\.message)
        == ["not imported: “Bone mass (kg)” (1), “Comments” (1)"])
    let pressure = try ServiceReading.read(
      WithingsImporter(),
      [("bp.csv", "Date,Heart rate,Systolic,Diastolic,Comments\n2023-07-05 07:10:22,60,125,82,\n")])
    #expect(pressure.metrics.first { $0.metric == "heartRate" }?.value == 60)
    #expect(pressure.diagnostics.isEmpty)
  }

  private static let session =
    #"{"fitnessActivity":"walking","startTime":"2023-05-02T23:15:04.113Z","endTime":"2023-05-02T23:45:04.113Z","duration":"1800s","aggregate":[{"metricName":"com.google.distance.delta","floatValue":2400.5}]}"#

  private static func tcx(_ start: String) -> String {
    """
    <TrainingCenterDatabase><Activities><Activity Sport="Other"><Id>\(start)</Id>
    <Lap StartTime="\(start)"><TotalTimeSeconds>1800</TotalTimeSeconds>
    <DistanceMeters>2400.5</DistanceMeters><Calories>120</Calories><Track>
    <Trackpoint><Time>\(start)</Time><Position><LatitudeDegrees>52.5</LatitudeDegrees>
    <LongitudeDegrees>13.4</LongitudeDegrees></Position></Trackpoint>
    <Trackpoint><Time>\(start)</Time><Position><LatitudeDegrees>52.5</LatitudeDegrees>
    <LongitudeDegrees>13.401</LongitudeDegrees></Position></Trackpoint></Track></Lap>
    </Activity></Activities></TrainingCenterDatabase>
    """
  }

  @Test func aSessionOfGoogleFitHasTheRouteOfItsRecording() throws {
    let files = [
      ("Fit/All Sessions/2023-05-03T08_15_04.113+09_00_WALKING.json", Self.session),
      (
        "Fit/Activities/2023-05-03T08_15_04.113+09_00_PT30M_Walking.tcx",
        Self.tcx("2023-05-02T23:15:04.113Z")
      ),
      (
        "Fit/Activities/2023-05-04T08_00_00+09_00_PT30M_Tennis.tcx",
        Self.tcx("2023-05-03T23:00:00Z")
      ),
    ]
    let sink = try ServiceReading.read(GoogleFitImporter(), files)
    let walk = try #require(sink.activities.first { $0.text == "Walked 2.4 km" })
    #expect(walk.attachments.count == 1 && walk.lat == 52.5 && walk.measurements["kcal"] == 120)
    #expect(walk.timeZone == "Etc/GMT-9" && walk.dayKey == DayKey("2023-05-03"))
    // The other recording has no session.
    #expect(sink.activities.count == 2)
    #expect(sink.activities.contains { $0.startAt == Instant("2023-05-03T23:00:00Z") })
    let folders: Set = ["Fit/All Sessions/"]
    #expect(
      files.dropFirst().allSatisfy { GoogleFitImporter().accompanies($0.0, filesIn: folders) })
    #expect(!GoogleFitImporter().accompanies("Fit/Activities/run.tcx", filesIn: folders))
  }

  @Test func garminsRecordingsAreNotReadBesideItsSummaries() {
    let folders: Set = ["DI_CONNECT/DI-Connect-Fitness/"]
    for name in [
      "DI_CONNECT/DI-Connect-Uploaded-Files/UploadedFiles_0-_Part1.zip",
      "export.zip/DI_CONNECT/DI-Connect-Uploaded-Files/UploadedFiles_0-_Part1.zip/a_1.fit",
      "DI_CONNECT/UploadedFiles_0-_Part1/a_1.fit",
    ] {
      #expect(GarminExportImporter().accompanies(name, filesIn: folders), "\(name)")
    }
    #expect(!GarminExportImporter().accompanies("Garmin/Activity/1.fit", filesIn: folders))
  }
}

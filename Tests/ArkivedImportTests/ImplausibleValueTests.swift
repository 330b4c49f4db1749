import ArkivedCore
import ArkivedImport
import ArkivedTestSupport
import Foundation
import Testing

/// Values of health services that can't be true: each is skipped and reported, and the rest comes in.
@Suite("Implausible values of health services")
struct ImplausibleValueTests {
  private func read(_ importer: any Importer, _ text: String, _ name: String) throws -> PlaceSink {
    try PlaceReading.read(importer, text, name: name)
  }

  private func messages(_ sink: PlaceSink) -> [String] { sink.skipped.map(\.message) }

  private static func fitbit(_ members: String, start: String = "01/31/24 18:00:00") -> String {
    #"[{"logId":2,"activityName":"Run","startTime":"\#(start)","duration":3600000,\#(members)}]"#
  }

  private static let samsungHeader = """
    com.samsung.shealth.exercise,6310008,8
    datauuid,exercise_type,start_time,end_time,time_offset,duration,distance

    """

  // MARK: Absurd numbers

  /// A small file of each service, whose numbers are made absurd one by one.
  private static let samples: [(importer: any Importer, name: String, text: String)] = [
    (
      FitbitImporter(), "exercise-0.json",
      fitbit(
        #""activeDuration":3600000,"distance":10,"distanceUnit":"Kilometer","calories":700,"#
          + #""averageHeartRate":150,"steps":9000"#)
    ),
    (
      FitbitImporter(), "sleep-2024-01-01.json",
      #"[{"logId":1,"dateOfSleep":"2024-01-31","startTime":"2024-01-30T23:10:30.000","#
        + #""endTime":"2024-01-31T06:40:00.000","minutesAsleep":400,"#
        + #""levels":{"summary":{"deep":{"minutes":60},"rem":{"minutes":90}}}}]"#
    ),
    (
      OuraImporter(), "oura.json",
      #"{"workout":[{"id":"w","activity":"running","contributors":{},"#
        + #""start_datetime":"2023-07-06T07:00:00+02:00","end_datetime":"2023-07-06T08:00:00+02:00","#
        + #""distance":10000,"calories":700}],"#
        + #""sleep":[{"id":"a","day":"2024-01-31","bedtime_start":"2024-01-30T23:10:30+01:00","#
        + #""bedtime_end":"2024-01-31T06:40:00+01:00","total_sleep_duration":24000,"#
        + #""deep_sleep_duration":6000,"type":"long_sleep","average_hrv":60}]}"#
    ),
    (
      GarminExportImporter(), "a_summarizedActivities.json",
      #"[{"summarizedActivitiesExport":[{"activityId":111,"name":"Run","activityType":"running","#
        + #""beginTimestamp":1700000000000,"startTimeLocal":1700003600000,"duration":1800000.0,"#
        + #""elapsedDuration":1860000.0,"distance":500000.0,"avgHr":140.0,"elevationGain":3000.0,"#
        + #""lapCount":3,"steps":4000}]}]"#
    ),
    (
      GoogleFitImporter(), "a.json",
      #"{"fitnessActivity":"walking","startTime":"2024-01-31T07:00:00Z","#
        + #""endTime":"2024-01-31T07:30:00Z","duration":"1800s","#
        + #""aggregate":[{"metricName":"com.google.distance.delta","floatValue":2100.5},"#
        + #"{"metricName":"com.google.step_count.delta","intValue":3000}]}"#
    ),
    (
      SamsungHealthImporter(), "com.samsung.shealth.exercise.1.csv",
      samsungHeader
        + "a1,1002,2024-01-05 12:00:00.000,2024-01-05 13:00:00.000,UTC+0100,3600000,5000,\n"
    ),
    (
      WithingsImporter(), "activities.csv",
      "from,to,from (manual),to (manual),Timezone,Activity type,Data,GPS,Modified\n"
        + "2024-01-31T18:00:00+01:00,2024-01-31T18:30:00+01:00,,,Europe/Berlin,Running,"
        + "\"{\"\"calories\"\":350,\"\"hr_average\"\":150,\"\"distance\"\":5000}\",,\n"
    ),
    (
      StravaImporter(), "activities.csv",
      "Activity ID,Activity Date,Activity Name,Activity Type,Elapsed Time,Distance,Filename,"
        + "Elapsed Time,Moving Time,Distance,Elevation Gain,Average Heart Rate,Calories\n"
        + "7,\"Nov 20, 2025, 6:12:33 AM\",Run,Run,1800,5.02,,1800.0,1750.0,5020.5,31.0,152.0,350.0\n"
    ),
    (GoogleImporter(), "Timeline.json", GoogleSegmentTests.android),
    (TCXImporter(), "a.tcx", TCXTests.run),
    (GPXImporter(), "a.gpx", GPXTests.walk),
    (GeoJSONImporter(), "a.geojson", GeoJSONTests.overland),
    (OwnTracksImporter(), "a.rec", OwnTracksTests.recording),
  ]

  @Test(arguments: samples.indices, ["9.3e18", "1e308", "-1e308", "9223372036854775807"])
  func noNumberStopsTheReader(sample: Int, number: String) throws {
    let (importer, name, text) = Self.samples[sample]
    for place in text.ranges(of: /[0-9]+(\.[0-9]+)?/).prefix(40) {
      let changed = text.replacingCharacters(in: place, with: number)
      do {
        _ = try read(importer, changed, name)
      } catch is ImportRefusal {}
    }
  }

  @Test func anAbsurdDistanceIsSkippedAndTheOthersComeIn() throws {
    let sink = try read(
      FitbitImporter(),
      """
      [{"logId":1,"activityName":"Run","startTime":"01/30/24 18:00:00","duration":3600000,
      "distance":10,"distanceUnit":"Kilometer"},
      {"logId":2,"activityName":"Run","startTime":"01/31/24 18:00:00","duration":3600000,
      "distance":9.3e18,"distanceUnit":"Kilometer"}]
      """, "exercise-0.json")
    #expect(sink.texts == ["Ran 10 km", "Ran"])
    #expect(sink.activities.last?.measurements.isEmpty == true)
    #expect(sink.skipped.map(\.place) == ["exercise-0.json entry 2"])
    #expect(messages(sink)[0].hasPrefix("skipped an implausible distance: 9."))
  }

  // MARK: Contradictions

  @Test func aDurationLongerThanFromStartToEndIsSkipped() throws {
    let sink = try read(
      SamsungHealthImporter(),
      Self.samsungHeader
        + "a1,1001,2024-01-05 12:00:00.000,2024-01-05 13:00:00.000,UTC+0100,360000000,5000,\n"
        + "a2,1001,2024-01-06 12:00:00.000,2024-01-06 13:00:00.000,UTC+0100,3630000,5000,\n",
      "com.samsung.shealth.exercise.1.csv")
    #expect(sink.activities.map(\.durationMinutes) == [nil, 60.5])
    #expect(sink.activities.map(\.measurements) == [["km": 5], ["km": 5]])
    #expect(
      messages(sink) == [
        "skipped the duration 6000 min, which is longer than the time from start to end"
      ])
  }

  @Test func sumsThatNobodyReachesAreSkipped() throws {
    let sink = try read(
      FitbitImporter(),
      Self.fitbit(
        #""activeDuration":99999999999999,"distance":80000,"distanceUnit":"Kilometer","#
          + #""calories":100000,"averageHeartRate":900,"steps":-5"#), "exercise-0.json")
    let run = try #require(sink.activities.first)
    #expect(run.text == "Ran" && run.measurements.isEmpty && run.durationMinutes == nil)
    #expect(run.endAt == run.startAt?.adding(seconds: 3_600))
    #expect(
      messages(sink).map { $0.prefix { $0 != "," } }.map(String.init) == [
        "skipped an implausible duration: 1666666666.7 min",
        "skipped an implausible distance: 80000 km",
        "skipped an implausible energy value: 100000 kcal",
        "skipped an implausible heart rate: 900 bpm",
        "skipped an implausible step count: -5",
      ])
  }

  @Test func anEndMonthsLaterIsSkipped() throws {
    let sink = try read(
      SamsungHealthImporter(),
      Self.samsungHeader
        + "a1,1001,2024-01-05 12:00:00.000,2024-03-05 13:00:00.000,UTC+0100,3600000,5000,\n",
      "com.samsung.shealth.exercise.1.csv")
    #expect(sink.activities.map(\.endAt) == [nil])
    #expect(sink.activities.first?.durationMinutes == 60)
    #expect(messages(sink).count == 1 && messages(sink)[0].contains("30 days after the start"))
  }

  @Test func sleepStagesLongerThanTheNightAreSkipped() throws {
    let sink = try read(
      GarminExportImporter(),
      """
      [{"sleepStartTimestampGMT":"2019-08-04T20:00:00.0","sleepEndTimestampGMT":"2019-08-05T04:00:00.0",
      "calendarDate":"2019-08-05","deepSleepSeconds":81000,"lightSleepSeconds":0}]
      """, "a_sleepData.json")
    #expect(sink.texts == ["In bed 8 h"] && sink.metrics.isEmpty)
    #expect(
      messages(sink) == [
        "skipped the sum of the sleep stages, 22 h 30 min, which is longer than the night"
      ])
  }

  @Test func theFatOfAnImpossibleWeightIsSkippedToo() throws {
    let sink = try read(
      WithingsImporter(),
      "Date,\"Weight (kg)\",\"Fat mass (kg)\",Comments\n\"2024-01-31 19:00:00\",7250,14.60,\n"
        + "\"2024-02-01 19:00:00\",73,14.60,\n", "weight.csv")
    #expect(sink.metrics.map(\.metric) == ["bodyFat", "weight"])
    #expect(sink.metrics.allSatisfy { "\($0.dayKey)" == "2024-02-01" })
    #expect(messages(sink).count == 1)
  }

  // MARK: Days

  @Test(arguments: [
    ("2034-01-05", "skipped: 2034-01-05 is in the future"),
    ("1066-01-05", "skipped: 1066-01-05 is before 1900"),
  ])
  func daysThatNobodyRecordedAreSkipped(day: String, message: String) throws {
    let samsung = try read(
      SamsungHealthImporter(),
      Self.samsungHeader
        + "a1,1001,\(day) 12:00:00.000,\(day) 13:00:00.000,UTC+0100,3600000,5000,\n",
      "com.samsung.shealth.exercise.1.csv")
    #expect(samsung.records.isEmpty && messages(samsung) == [message])
    let oura = try read(
      OuraImporter(), #"{"daily_activity":[{"day":"\#(day)","steps":7000,"contributors":{}}]}"#,
      "oura.json")
    #expect(oura.records.isEmpty && messages(oura) == [message])
    let trakt = try read(
      MediaListImporter(.trakt),
      #"[{"id":1,"watched_at":"\#(day)T20:15:00Z","action":"watch","type":"movie","#
        + #""movie":{"title":"Heat","year":1995}}]"#, "watched-history-1.json")
    #expect(trakt.records.isEmpty && messages(trakt) == [message])
  }

  @Test func anUnknownDateIsNoDate() throws {
    let sink = try read(
      MediaListImporter(.trakt),
      """
      [{"id":1,"watched_at":"1970-01-01T00:00:00.000Z","action":"watch","type":"movie",
      "movie":{"title":"Ran","year":1985}},{"id":2,"watched_at":"2024-01-05T20:15:00Z",
      "action":"watch","type":"movie","movie":{"title":"Heat","year":1995}}]
      """, "watched-history-1.json")
    #expect(sink.texts == ["Watched Heat (1995)"] && sink.skipped.isEmpty)
    #expect(
      sink.diagnostics.map(\.message) == ["skipped films and episodes without a date: 1"])
    let plays = try read(
      ListeningImporter(.spotify),
      #"[{"ts":"1970-01-01T00:03:20Z","ms_played":200000,"#
        + #""master_metadata_track_name":"Aria","master_metadata_album_artist_name":"Bach"}]"#,
      "Streaming_History_Audio_1.json")
    #expect(plays.records.isEmpty)
    #expect(plays.diagnostics.map(\.message) == ["skipped plays without a title or time: 1"])
  }

  @Test func tomorrowMayHaveBegunElsewhere() throws {
    let sink = try read(
      OuraImporter(),
      #"{"daily_activity":[{"day":"2026-11-17","steps":7000,"contributors":{}},"#
        + #"{"day":"2026-11-18","steps":7000,"contributors":{}}]}"#, "oura.json")
    #expect(sink.metrics.map { "\($0.dayKey)" } == ["2026-11-17"] && sink.skipped.count == 1)
  }
}

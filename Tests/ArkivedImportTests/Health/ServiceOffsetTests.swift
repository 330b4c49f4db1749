import ArkivedCore
import ArkivedImport
import ArkivedTestSupport
import Foundation
import Testing

/// Times with an offset, which keep the local day and clock time, also far from home.
@Suite("Offsets of services")
struct ServiceOffsetTests {
  @Test func withingsNamesTheZoneOrGivesItsOffset() throws {
    let activities = try ServiceReading.read(
      WithingsImporter(),
      [
        (
          "activities.csv",
          "from,to,from (manual),to (manual),Timezone,Activity type,Data,GPS,Modified\n"
            + "2023-07-04T08:00:00+09:00,2023-07-04T09:00:00+09:00,,,Asia/Tokyo,Swimming,{},,\n"
            + "2023-07-05T00:10:00+09:00,2023-07-05T01:00:00+09:00,,,,Running,{},,\n"
        )
      ])
    #expect(activities.activities.map(\.timeZone) == ["Asia/Tokyo", "Etc/GMT-9"])
    #expect(activities.activities.map(\.dayKey.description) == ["2023-07-04", "2023-07-05"])
    #expect(activities.times == ["08:00–09:00", "00:10–01:00"])
    ServiceReading.expectOwnDays(activities)
    let nights = try ServiceReading.read(
      WithingsImporter(),
      [
        (
          "sleep.csv",
          "from,to,light (s),deep (s),rem (s),awake (s)\n"
            + "2023-07-05T15:30:00+09:00,2023-07-06T00:20:00+09:00,13200,6000,4000,900\n"
        )
      ])
    #expect(nights.activities.map(\.dayKey.description) == ["2023-07-06"])
    #expect(nights.times == ["15:30–00:20"])
  }

  @Test func ourasDaysAreTheLocalOnes() throws {
    let sink = try ServiceReading.read(
      OuraImporter(),
      [
        (
          "oura.json",
          #"""
          {"workout":[{"id":"w","activity":"running","day":"2023-07-06",
          "start_datetime":"2023-07-06T00:10:00+09:00","end_datetime":"2023-07-06T00:40:00+09:00"}],
          "sleep":[{"id":"s","bedtime_start":"2023-07-05T23:30:00+09:00",
          "bedtime_end":"2023-07-06T07:00:00+09:00","type":"long_sleep",
          "total_sleep_duration":23200}]}
          """#
        )
      ])
    #expect(Set(sink.activities.map(\.dayKey.description)) == ["2023-07-06"])
    #expect(Set(sink.times) == ["00:10–00:40", "23:30–07:00"])
    #expect(Set(sink.activities.map(\.timeZone)) == ["Etc/GMT-9"])
    #expect(sink.metrics.allSatisfy { $0.dayKey == DayKey("2023-07-06") })
  }

  @Test func theFirstColumnOfSamsungsTablesMayFollowAByteOrderMark() throws {
    let nights = try ServiceReading.read(
      SamsungHealthImporter(),
      [
        (
          "com.samsung.shealth.sleep.csv",
          "com.samsung.shealth.sleep,7006011,11\n\u{FEFF}sleep_duration,datauuid,start_time,end_time,"
            + "time_offset\n351,u1,2026-03-04 22:53:00.000,2026-03-05 05:00:00.000,UTC+0100,\n"
        )
      ])
    #expect(nights.texts == ["Slept 5 h 51 min"])
    let steps = try ServiceReading.read(
      SamsungHealthImporter(),
      [
        (
          "com.samsung.shealth.step_daily_trend.csv",
          "com.samsung.shealth.step_daily_trend,7006011,6\n\u{FEFF}count,day_time,source_type\n"
            + "8123,1773446400000,-2,\n5000,1773446400000,0,\n"
        )
      ])
    #expect(steps.metrics.map(\.value) == [8_123])
  }

  @Test func fitbitsNightsLastAsLongAsTheyDidWhenClocksChange() throws {
    func night(_ start: String, _ end: String, _ minutes: Int) -> String {
      #"{"logId":\#(minutes),"dateOfSleep":"\#(end.prefix(10))","startTime":"\#(start)","endTime":"\#(end)","#
        + #""duration":\#(minutes * 60_000),"minutesAsleep":400,"mainSleep":true}"#
    }
    // In Rome, clocks went back on 25 October and forward on 29 March.
    let nights = [
      night("2026-10-24T23:00:00.000", "2026-10-25T08:00:00.000", 540),
      night("2026-03-28T23:00:00.000", "2026-03-29T06:00:00.000", 420),
      night("2026-05-01T23:00:30.000", "2026-05-02T06:00:00.000", 419),
    ]
    let sink = try ServiceReading.read(
      FitbitImporter(), [("Sleep/sleep-2026-03-01.json", "[" + nights.joined(separator: ",") + "]")]
    )
    #expect(
      sink.activities.map { $0.endAt.map { "\($0)" } } == [
        "2026-10-25T06:00:00Z", "2026-03-29T05:00:00Z", "2026-05-02T04:00:00Z",
      ])
  }

  @Test func samsungsNightsHaveTheZoneOfTheirOffset() throws {
    let sink = try ServiceReading.read(
      SamsungHealthImporter(),
      [
        (
          "com.samsung.shealth.sleep.csv",
          "com.samsung.shealth.sleep,6310008,8\ndatauuid,start_time,end_time,time_offset\n"
            + "a,2024-01-05 14:30:00.000,2024-01-05 22:00:00.000,UTC+0900,\n"
        )
      ])
    #expect(sink.times == ["23:30–07:00"] && sink.activities[0].dayKey == DayKey("2024-01-06"))
  }

  @Test func positionsOfOverlandKeepTheirDay() throws {
    let points = (0..<15).map { minute in
      "{\"type\":\"Feature\",\"geometry\":{\"type\":\"Point\",\"coordinates\":[-118.2,34.0]},"
        + "\"properties\":{\"timestamp\":\"2024-05-03T20:\(minute + 10):00-07:00\","
        + "\"horizontal_accuracy\":5,\"motion\":[]}}"
    }
    let sink = try PlaceReading.read(
      GeoJSONImporter(), "{\"locations\":[\(points.joined(separator: ","))]}")
    // In Rome it is 5 o'clock of the next day.
    #expect(sink.activities.map(\.dayKey.description) == ["2024-05-03"])
    #expect(sink.activities.map(\.timeZone) == ["Etc/GMT+7"] && sink.times == ["20:10–20:24"])
  }

  @Test func pathsOfGooglesPhonesHaveTheirOffset() throws {
    let points = (0..<4).map { step in
      "{\"point\":\"35.0\(step)°, 139.0°\",\"time\":\"2024-05-03T14:\(step + 1)0:00.000+09:00\"}"
    }
    let sink = try PlaceReading.read(
      GoogleImporter(),
      "{\"semanticSegments\":[{\"startTime\":\"2024-05-03T14:00:00.000+09:00\","
        + "\"endTime\":\"2024-05-03T16:00:00.000+09:00\","
        + "\"timelinePath\":[\(points.joined(separator: ","))]}]}")
    #expect(sink.activities.map(\.timeZone) == ["Etc/GMT-9"] && sink.times == ["14:10–14:40"])
    // A straight line has two ends.
    #expect(try sink.line(of: 0)["coordinates"]?.array?.count == 2)
  }

  @Test func pointsBetweenStepsOfPolarstepsHaveTheZoneOfTheTrip() throws {
    let start = 1_704_466_800
    let points = (0..<13).map { step in
      "{\"lat\":35.0,\"lon\":135.75,\"time\":\(start + step * 300)}"
    }
    let files = [
      (
        "japan/locations.json", "{\"locations\":[\(points.joined(separator: ","))]}"
      ),
      (
        "japan/trip.json",
        "{\"id\":12,\"name\":\"Japan\",\"summary\":\"Six weeks\",\"start_date\":1704445200,"
          + "\"timezone_id\":\"Asia/Tokyo\",\"all_steps\":[{\"id\":55,\"display_name\":\"Tokyo\","
          + "\"start_time\":1704466800.0,\"timezone_id\":\"Asia/Tokyo\"}]}"
      ),
    ]
    let sink = try ServiceReading.read(PolarstepsImporter(), files, "japan/locations.json")
    #expect(sink.activities.map(\.timeZone) == ["Asia/Tokyo"])
    // 15:00 in UTC is midnight in Tokyo.
    #expect(sink.activities.map(\.dayKey.description) == ["2024-01-06"])
    let trip = try ServiceReading.read(PolarstepsImporter(), files, "japan/trip.json")
    #expect(Set(trip.texts) == ["Tokyo", "Trip: Japan"])
    #expect(trip.activities.first { $0.text == "Trip: Japan" }?.notes == "Six weeks")
  }
}

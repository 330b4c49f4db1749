import ArkivedCore
import ArkivedImport
import ArkivedTestSupport
import Foundation
import Testing

/// TCX of versions 1 and 2, as Garmin's and other services write it.
@Suite("TCX")
struct TCXTests {
  private let importer = TCXImporter()

  static func tcx(_ body: String, version: Int = 2) -> String {
    // Strava puts spaces before the declaration.
    "     <?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<TrainingCenterDatabase "
      + "xmlns=\"http://www.garmin.com/xmlschemas/TrainingCenterDatabase/v\(version)\">\n"
      + body + "\n</TrainingCenterDatabase>"
  }

  private static func point(
    _ minute: Int, _ lat: Double, _ rate: Int, height: Int, lon: Double = 14.3
  ) -> String {
    "<Trackpoint><Time>\(MorningWalk.stamp(minute))</Time><Position><LatitudeDegrees>\(lat)"
      + "</LatitudeDegrees><LongitudeDegrees>\(lon)</LongitudeDegrees></Position>"
      + "<AltitudeMeters>\(height)</AltitudeMeters><DistanceMeters>\(minute * 200)</DistanceMeters>"
      + "<HeartRateBpm><Value>\(rate)</Value></HeartRateBpm><Extensions><ns3:TPX><ns3:Speed>3"
      + "</ns3:Speed></ns3:TPX></Extensions></Trackpoint>"
  }

  static var run: String {
    tcx(
      """
      <Folders><Workouts/></Folders><Activities><Activity Sport="Running"><Id>2024-05-03T06:00:00Z</Id>
      <Lap StartTime="2024-05-03T06:00:00Z"><TotalTimeSeconds>600</TotalTimeSeconds>
      <DistanceMeters>2000</DistanceMeters><MaximumSpeed>4</MaximumSpeed><Calories>150</Calories>
      <AverageHeartRateBpm><Value>140</Value></AverageHeartRateBpm>
      <MaximumHeartRateBpm><Value>160</Value></MaximumHeartRateBpm><Intensity>Active</Intensity>
      <Track>\(point(0, 50, 138, height: 200))\(point(5, 50.009, 140, height: 220, lon: 14.31))\(point(10, 50.018, 142, height: 240))</Track>
      <Notes>slow</Notes></Lap>
      <Lap StartTime="2024-05-03T06:15:00Z"><TotalTimeSeconds>300</TotalTimeSeconds>
      <DistanceMeters>1000.5</DistanceMeters><Calories>80</Calories>
      <AverageHeartRateBpm><Value>155</Value></AverageHeartRateBpm>
      <MaximumHeartRateBpm><Value>171</Value></MaximumHeartRateBpm>
      <Track>\(point(15, 50.019, 150, height: 240))\(point(20, 50.028, 171, height: 260))</Track></Lap>
      <Notes>Wind &amp; rain</Notes><Creator><Name>Forerunner 255</Name></Creator></Activity></Activities>
      """)
  }

  @Test func anActivityIsOneEntryWithWhatWasMeasured() throws {
    #expect(PlaceReading.recognises(importer, Self.run))
    let sink = try PlaceReading.read(importer, Self.run)
    let run = try #require(sink.activities.first)
    #expect(sink.diagnostics.isEmpty && sink.activities.count == 1)
    #expect(run.text == "Ran 3 km" && run.kind == .health && run.source == .healthImport)
    #expect(sink.times == ["08:00–08:20"] && run.durationMinutes == 15)
    #expect(
      run.measurements == [
        "km": 3.001, "kcal": 230, "bpm": 145, "max bpm": 171, "m ascent": 60,
      ])
    #expect(run.description == "2 laps, Forerunner 255" && run.tags == ["running"])
    #expect(run.notes == "Lap 1: slow\nWind & rain")
    #expect(try sink.line(of: 0)["type"]?.string == "MultiLineString")
    #expect(sink.identities == ["activity/2024-05-03T06:00:00Z"])
  }

  @Test func whatHasNoPlaceIsStillAnActivity() throws {
    let sink = try PlaceReading.read(
      importer,
      Self.tcx(
        """
        <Activities><Activity Sport="Other"><Id>2024-05-03T06:00:00.000+02:00</Id>
        <Lap StartTime="2024-05-03T06:00:00.000+02:00"><TotalTimeSeconds>2700.0</TotalTimeSeconds>
        <DistanceMeters>0</DistanceMeters><Calories>200</Calories><Track>
        <Trackpoint><Time>2024-05-03T06:00:01.000+02:00</Time><HeartRateBpm><Value>100</Value></HeartRateBpm></Trackpoint>
        <Trackpoint><Time>2024-05-03T06:45:00.000+02:00</Time><HeartRateBpm><Value>120</Value></HeartRateBpm></Trackpoint>
        </Track></Lap></Activity></Activities>
        """))
    let one = try #require(sink.activities.first)
    #expect(
      one.text == "Workout, 45 min"
        && one.measurements == ["kcal": 200, "bpm": 110, "max bpm": 120])
    #expect(sink.times == ["06:00–06:45"] && one.lat == nil && one.tags.isEmpty)
  }

  @Test func severalSportsAreAnEntryEachAndPlansAreTold() throws {
    func lap(_ hour: Int) -> String {
      "<Id>2024-05-03T0\(hour):00:00Z</Id><Lap StartTime=\"2024-05-03T0\(hour):00:00Z\">"
        + "<TotalTimeSeconds>1800</TotalTimeSeconds><DistanceMeters>1500</DistanceMeters></Lap>"
    }
    let sink = try PlaceReading.read(
      importer,
      Self.tcx(
        """
        <Activities><MultiSportSession><Id>2024-05-03T05:00:00Z</Id>
        <FirstSport><Activity Sport="Swimming">\(lap(5))</Activity></FirstSport>
        <NextSport><Transition StartTime="2024-05-03T05:30:00Z"><TotalTimeSeconds>60</TotalTimeSeconds></Transition>
        <Activity Sport="Biking">\(lap(6))</Activity></NextSport></MultiSportSession></Activities>
        <Courses><Course><Name>Plan</Name><Lap><TotalTimeSeconds>1</TotalTimeSeconds></Lap><Track>
        <Trackpoint><Time>2024-05-03T05:30:00Z</Time></Trackpoint></Track></Course></Courses>
        """))
    #expect(sink.texts == ["Swam 1.5 km", "Cycled 1.5 km"])
    #expect(
      sink.diagnostics.map(\.message) == [
        "1 courses and workouts are plans, and weren’t imported",
        "1 transitions between sports weren’t imported",
      ])
  }

  @Test func runsOfVersionOneHaveTheSportOfTheirFolder() throws {
    let sink = try PlaceReading.read(
      importer,
      Self.tcx(
        """
        <History><Running Name="Running"/><Biking Name="Biking"><Run>
        <Lap StartTime="2008-05-03T05:00:00Z"><TotalTimeSeconds>1800</TotalTimeSeconds>
        <DistanceMeters>9000</DistanceMeters><Calories>100</Calories>
        <AverageHeartRateBpm>130</AverageHeartRateBpm></Lap></Run></Biking></History>
        """, version: 1))
    #expect(sink.texts == ["Cycled 9 km"] && sink.activities[0].measurements["bpm"] == 130)
  }

  @Test func badValuesAndTimesAreNamed() throws {
    let sink = try PlaceReading.read(
      importer,
      Self.tcx(
        """
        <Activities><Activity Sport="Running"><Id>x</Id></Activity>
        <Activity Sport="Running"><Id>2024-05-03T06:00:00Z</Id><Lap StartTime="2024-05-03T06:00:00Z">
        <TotalTimeSeconds>-5</TotalTimeSeconds><Calories>NaN</Calories><Track><Trackpoint>
        <Time>2099-05-03T06:00:00Z</Time><Position><LatitudeDegrees>500</LatitudeDegrees>
        <LongitudeDegrees>1</LongitudeDegrees></Position></Trackpoint></Track></Lap></Activity></Activities>
        """), name: "a.tcx")
    #expect(sink.texts == ["Ran"] && sink.activities[0].endAt == nil)
    #expect(sink.skipped.count == 2)
    #expect(sink.skipped[0].place == "a.tcx:3 field “Id”")
    #expect(
      sink.skipped[1].place == "a.tcx:5 field “TotalTimeSeconds”"
        && sink.skipped[1].message == "Skipped “-5”, which can’t be its value; so are 2 more values"
    )
    try PlaceReading.cut(importer, Data(Self.run.utf8), everyBytes: 89)
  }
}

import ArkivedCore
import ArkivedImport
import ArkivedTestSupport
import Foundation
import Testing

/// Visits and ways as Google tells them: Takeout's monthly files, Android's Timeline.json (2024), the
/// location-history.json of iOS (2024).
@Suite("Google's visits and ways")
struct GoogleSegmentTests {
  private let importer = GoogleImporter()

  static let android = """
    {
      "semanticSegments": [
        {"startTime": "2024-05-03T08:00:00.000+02:00", "endTime": "2024-05-03T10:00:00.000+02:00",
         "timelinePath": [{"point": "50.0560°, 14.3440°", "time": "2024-05-03T09:10:00.000+02:00"},
                          {"point": "nowhere", "time": "2024-05-03T09:11:00.000+02:00"}]},
        {"startTime": "2024-05-03T07:00:00.000+02:00", "endTime": "2024-05-03T09:00:00.000+02:00",
         "startTimeTimezoneUtcOffsetMinutes": 120, "endTimeTimezoneUtcOffsetMinutes": 120,
         "visit": {"hierarchyLevel": 0, "probability": 0.8, "topCandidate": {"placeId": "ChIJ",
           "semanticType": "INFERRED_HOME", "probability": 0.6,
           "placeLocation": {"latLng": "50.0506312°, 14.3439906°"}}}},
        {"startTime": "2024-05-03T07:10:00.000+02:00", "endTime": "2024-05-03T07:20:00.000+02:00",
         "visit": {"hierarchyLevel": 1, "topCandidate": {"placeLocation": {"latLng": "50°, 14°"}}}},
        {"startTime": "2024-05-03T09:00:00.000+02:00", "endTime": "2024-05-03T09:20:00.000+02:00",
         "activity": {"start": {"latLng": "50.0506312°, 14.3439906°"},
           "end": {"latLng": "50.0560°, 14.3600°"}, "distanceMeters": 2345.6,
           "topCandidate": {"type": "WALKING", "probability": 0.97}}},
        {"startTime": "2024-05-04T00:30:00.000+09:00", "endTime": "2024-05-04T01:30:00.000+09:00",
         "startTimeTimezoneUtcOffsetMinutes": 540,
         "visit": {"hierarchyLevel": 0, "topCandidate": {"semanticType": "UNKNOWN",
           "placeLocation": {"latLng": "35.6812°, 139.7671°"}}}},
        {"startTime": "2024-05-05T00:00:00Z", "timelineMemory": {"trip": {}}}
      ],
      "rawSignals": [{"position": {"LatLng": "50.0°, 14.0°"}}],
      "userLocationProfile": {"frequentPlaces": []}
    }
    """

  static let ios = """
    [{"endTime":"2024-05-03T09:00:00.000+02:00","startTime":"2024-05-03T07:00:00.000+02:00",
      "visit":{"hierarchyLevel":"0","topCandidate":{"probability":"0.75","semanticType":"Home",
      "placeID":"ChIJ","placeLocation":"geo:50.050631,14.343991"},"probability":"0.99"}},
     {"endTime":"2024-05-03T09:20:00.000+02:00","startTime":"2024-05-03T09:00:00.000+02:00",
      "activity":{"probability":"1.0","end":"geo:50.056000,14.360000","start":"geo:50.050631,14.343991",
      "topCandidate":{"type":"in passenger vehicle","probability":"0.9"},"distanceMeters":"12345.6"}},
     {"startTime":"2024-05-03T06:00:00.000Z","endTime":"2024-05-03T08:00:00.000Z",
      "timelinePath":[{"point":"geo:50.056000,14.344000","durationMinutesOffsetFromStartTime":"70"}]}]
    """

  static let month = """
    {"timelineObjects": [
      {"activitySegment": {
        "startLocation": {"latitudeE7": 500506312, "longitudeE7": 143439906},
        "endLocation": {"latitudeE7": 500560000, "longitudeE7": 143600000},
        "duration": {"startTimestamp": "2022-01-04T08:00:00Z", "endTimestamp": "2022-01-04T08:20:00.5Z"},
        "distance": 1500, "activityType": "IN_TRAM", "confidence": "HIGH",
        "waypointPath": {"waypoints": [{"latE7": 500560000, "lngE7": 143440000}]}}},
      {"placeVisit": {
        "location": {"latitudeE7": 500560000, "longitudeE7": 143600000, "placeId": "ChIJ",
          "address": "Národní 22\\nPraha", "name": "Café Louvre"},
        "duration": {"startTimestampMs": "1641285600000", "endTimestampMs": "1641289200000"},
        "childVisits": [{"location": {"name": "Billiard room"}}]}},
      {"activitySegment": {"duration": {"startTimestamp": "2022-01-04T10:00:00Z",
        "endTimestamp": "2022-01-04T09:00:00Z"}, "activityType": "IN_HOVERCRAFT"}},
      {"placeVisit": {"location": {}, "duration": {}}},
      {"futureThing": {}}
    ]}
    """

  @Test func androidsTimelineIsReadWithItsZones() throws {
    let sink = try PlaceReading.read(importer, Self.android, name: "Timeline.json")
    #expect(sink.texts == ["At home", "Walked 2.3 km", "At 35.6812° N, 139.7671° E"])
    #expect(sink.times == ["07:00–09:00", "09:00–09:20", "00:30–01:30"])
    let activities = sink.activities
    #expect(activities.map(\.timeZone) == ["Europe/Rome", "Europe/Rome", "Etc/GMT-9"])
    #expect(activities.map(\.dayKey.description) == ["2024-05-03", "2024-05-03", "2024-05-04"])
    #expect(activities[0].locationLabel == "Home" && activities[0].lat == 50.0506312)
    #expect(activities[1].measurements == ["km": 2.346])
    #expect(try sink.line(of: 1)["coordinates"]?.array?.count == 3)
    #expect(sink.skipped.isEmpty)
    let told = sink.diagnostics.map(\.message)
    #expect(told.contains { $0.contains("1 visits are part of") })
    #expect(told.contains { $0.contains("trip memories (1)") })
    #expect(told.contains { $0.hasPrefix("“rawSignals”, “userLocationProfile”: no visits") })
  }

  @Test func theListOfIOSIsReadWithItsPathsBehindIt() throws {
    let sink = try PlaceReading.read(importer, Self.ios, name: "location-history.json")
    #expect(sink.texts == ["At home", "Drove 12.3 km"])
    #expect(try sink.line(of: 1)["coordinates"]?.array?.count == 3)
    #expect(sink.diagnostics.isEmpty)
  }

  @Test func takeoutsMonthsAreReadWithTheNamesOfPlaces() throws {
    let sink = try PlaceReading.read(importer, Self.month, name: "2022_JANUARY.json")
    #expect(sink.texts == ["Took the tram, 1.5 km", "At Café Louvre", "On the way"])
    #expect(sink.times == ["09:00–09:20", "09:40–10:40", "11:00"])
    let visit = sink.activities[1]
    #expect(visit.locationLabel == "Café Louvre")
    #expect(visit.description == "Národní 22 Praha; Inside: Billiard room")
    #expect(sink.activities[2].description == "Google calls it IN_HOVERCRAFT")
    #expect(sink.skipped.count == 2)
    #expect(sink.skipped[0].place.contains("field “startTimestamp”"))
    #expect(sink.skipped[1].message.contains("“futureThing”"))
  }

  @Test func eachFormIsToldFromItsBeginning() {
    for text in [Self.android, Self.ios, Self.month, "{\"locations\":[{\"latitudeE7\":1"] {
      #expect(PlaceReading.recognises(importer, text))
    }
    #expect(PlaceReading.recognises(importer, "{\"locations\": []}", "Takeout/Records.json"))
    for text in ["", "[]", "{}", "[1, 2]", "{\"entries\": []}", "{\"locations\": \"x\"}"] {
      #expect(!PlaceReading.recognises(importer, text))
    }
  }

  @Test func sixteenBitTextIsReadToo() throws {
    let data = Data([0xFF, 0xFE]) + (Self.android.data(using: .utf16LittleEndian) ?? Data())
    #expect(importer.recognises(head: [UInt8](data.prefix(4_096)), fileName: "x"))
    #expect(try PlaceReading.read(importer, data).texts.count == 3)
  }

  @Test func degreesAreReadInEverySpelling() throws {
    for text in [
      "50.05°, 14.34°", "geo:50.05,14.34", "50.05,14.34", "GEO:50.05, 14.34,200;u=10",
    ] {
      let json = Self.ios.replacingOccurrences(
        of: "geo:50.050631,14.343991\"},", with: "\(text)\"},")
      let first = try #require(try PlaceReading.read(importer, json).activities.first)
      #expect(first.lat == 50.05 && first.lon == 14.34, "\(text)")
    }
    for text in ["geo:", "91°, 0°", "50.05", "0,0", "north, east", "1e400,1"] {
      let json = Self.ios.replacingOccurrences(
        of: "geo:50.050631,14.343991\"},", with: "\(text)\"},")
      let first = try #require(try PlaceReading.read(importer, json).activities.first)
      #expect(first.lat == nil && first.text == "At home", "\(text)")
    }
  }

  @Test func pointsOfMonthsWhoseVisitsAreBesideAreLeftToThese() throws {
    var zip = TestZip()
    let points = MorningWalk.points().map { point in
      "{\"latitudeE7\":\(Int(point.lat * 1e7)),\"longitudeE7\":\(Int(point.lon * 1e7)),"
        + "\"timestamp\":\"\(Instant(milliseconds: 1_641_283_200_000 + Int64(point.minute) * 60_000))\"}"
    }
    let records = "{\"locations\":[\(points.joined(separator: ","))]}"
    zip.add("Takeout/Location History/Records.json", Data(records.utf8))
    let alone = try PlaceReading.read(importer, try zip.data(), name: "takeout.zip")
    #expect(alone.activities.count == 3)
    zip.add(
      "Takeout/Location History/Semantic Location History/2022/2022_JANUARY.json",
      Data(Self.month.utf8))
    let folder = try TemporaryFolder()
    let url = try folder.file("takeout.zip", try zip.data())
    #expect(importer.recognises(try ZipFile(url), fileName: "takeout.zip"))
    let both = try PlaceReading.read(importer, url, in: folder)
    #expect(both.texts == ["Took the tram, 1.5 km", "At Café Louvre", "On the way"])
    let told = both.diagnostics.map(\.message)
    #expect(told.contains { $0.hasPrefix("skipped 1 day that the monthly") })
  }
}

import ArkivedCore
import ArkivedImport
import ArkivedTestSupport
import Foundation
import Testing

/// What no exporter writes: every importer of places and programs tells it and goes on or refuses.
@Suite("Broken files of places and programs")
struct PlaceDamageTests {
  private static let importers: [any Importer] = [
    GoogleImporter(), OwnTracksImporter(), GPXImporter(), ActivityWatchImporter(),
    KMLImporter(), GeoJSONImporter(), TCXImporter(),
  ]

  private func content(_ importer: any Importer) -> [String] {
    switch importer.format {
    case "google": [GoogleSegmentTests.android, GoogleSegmentTests.ios, GoogleSegmentTests.month]
    case "owntracks": [OwnTracksTests.recording]
    case "gpx": [GPXTests.walk]
    case "kml": [KMLTests.track]
    case "geojson": [GeoJSONTests.overland]
    case "tcx": [TCXTests.run]
    default: [ActivityWatchTests.whole]
    }
  }

  @Test func aFileCutAnywhereIsReadAsFarAsItGoes() throws {
    for importer in Self.importers {
      for text in content(importer) {
        let bytes = Data(text.trimmingCharacters(in: .whitespacesAndNewlines).utf8)
        try PlaceReading.cut(
          importer, bytes, everyBytes: 131, tells: importer.format != "owntracks")
      }
    }
  }

  @Test func aLongFileCutAtEveryKilobyteIsReadAsFarAsItGoes() throws {
    let points = MorningWalk.points().map { point in
      "{\"latitudeE7\":\(Int(point.lat * 1e7)),\"longitudeE7\":\(Int(point.lon * 1e7)),"
        + "\"timestamp\":\"\(MorningWalk.stamp(point.minute))\",\"source\":\"\(String(repeating: "W", count: 300))\"}"
    }
    let text = "{\"locations\":[\(points.joined(separator: ","))]}"
    try PlaceReading.cut(GoogleImporter(), Data(text.utf8), everyBytes: 1_024)
  }

  @Test func bytesThatAreChangedAnywhereNeverStopTheProgram() throws {
    for importer in Self.importers {
      for text in content(importer) {
        let bytes = [UInt8](text.utf8)
        for start in stride(from: 7, to: bytes.count, by: 89) {
          var changed = bytes
          changed[start] = UInt8(truncatingIfNeeded: start &* 31)
          changed[start - 5] ^= 0x22
          do {
            _ = try PlaceReading.read(importer, Data(changed))
          } catch is ImportRefusal {}
        }
      }
    }
  }

  @Test func whatIsNestedWithoutEndIsLeftOut() throws {
    let deep = String(repeating: "[", count: 100_000) + String(repeating: "]", count: 100_000)
    let objects =
      String(repeating: "{\"a\":", count: 100_000) + "1" + String(repeating: "}", count: 100_000)
    let texts = [
      deep, objects, "{\"semanticSegments\":[\(objects)]}", "{\"locations\":[\(deep)]}",
      "{\"timelineObjects\":[{\"placeVisit\":\(objects)}]}", "{\"data\":[\(deep)]}",
      "{\"_type\":\"location\",\"a\":\(deep)}",
      "{\"buckets\":{\"a\":{\"type\":\(deep),\"events\":[\(deep)]}}}",
      "{\"buckets\":\(deep)}", String(repeating: "<gpx>", count: 100_000),
      "<gpx>" + String(repeating: "<trk><trkseg>", count: 50_000),
      "<kml>" + String(repeating: "<Folder><Placemark>", count: 50_000),
      "<TrainingCenterDatabase>" + String(repeating: "<Activity>", count: 50_000),
      "{\"features\":[\(objects)]}", "{\"type\":\"Feature\",\"geometry\":\(deep)}",
    ]
    for importer in Self.importers {
      for text in texts {
        do {
          let sink = try PlaceReading.read(importer, text)
          #expect(sink.records.isEmpty && !sink.diagnostics.isEmpty)
        } catch is ImportRefusal {}
      }
    }
  }

  @Test func emptyFilesAndOtherThingsAreRefused() throws {
    for importer in Self.importers {
      for text in ["", " \n", "\u{0}\u{0}\u{0}", "null", "<html></html>", "a,b\n1,2\n"] {
        #expect(!PlaceReading.recognises(importer, text))
        #expect(throws: ImportRefusal.self, "\(importer.format) of \(text)") {
          try PlaceReading.read(importer, text)
        }
      }
    }
  }

  @Test func timesAndNumbersThatCannotBeAreLeftOut() throws {
    let visits = [
      "\"2024-02-30T10:00:00Z\"", "\"03.05.2024 10:00\"", "\"99999999999999999999\"", "1e300",
      "null",
      "{}", "\"2024-05-03T25:00:00Z\"",
    ].map { start in
      "{\"startTime\":\(start),\"endTime\":\"2024-05-03T11:00:00Z\",\"visit\":{\"topCandidate\":{}}}"
    }
    let text = "[\(visits.joined(separator: ","))]"
    let sink = try PlaceReading.read(GoogleImporter(), text)
    #expect(sink.activities.isEmpty && sink.skipped.count == visits.count)
    #expect(sink.skipped.allSatisfy { $0.place.contains("field “startTime”") })
  }

  @Test func theEndsOfTheCalendarInMapsAndActivitiesStopNothing() throws {
    for day in ["0001-01-01", "9999-12-31"] {
      let map = KMLTests.kml(
        """
        <Placemark><TimeSpan><begin>\(day)</begin><end>9999-12-31</end></TimeSpan><Point>
        <coordinates>14,50</coordinates></Point></Placemark><Placemark><ExtendedData>
        <Data name="Category"><value>Flying</value></Data><Data name="Distance"><value>1e300</value>
        </Data></ExtendedData><TimeSpan><begin>\(day)T23:59:59Z</begin></TimeSpan><LineString>
        <coordinates>14,50 179,-50</coordinates></LineString></Placemark>
        """)
      #expect(try PlaceReading.read(KMLImporter(), map).records.count == 2)
      let trip =
        "{\"locations\":[{\"type\":\"Feature\",\"geometry\":{\"type\":\"Point\",\"coordinates\":[14,50]},"
        + "\"properties\":{\"type\":\"trip\",\"start\":\"\(day)T23:00:00Z\",\"end\":\"9999-12-31T23:59:59Z\","
        + "\"distance\":1e300,\"duration\":-1e300,\"steps\":1e300}}]}"
      _ = try PlaceReading.read(GeoJSONImporter(), trip)
      let run = TCXTests.tcx(
        """
        <Activities><Activity Sport="Running"><Lap StartTime="\(day)T23:59:59Z"><TotalTimeSeconds>
        30000000</TotalTimeSeconds><DistanceMeters>100000000</DistanceMeters></Lap></Activity></Activities>
        """)
      #expect(try PlaceReading.read(TCXImporter(), run).records.count <= 1)
    }
  }

  @Test func theEndsOfTheCalendarAndAllTheMetresThereAreStopNothing() throws {
    let watch =
      "{\"buckets\":{\"aw-watcher-window_a\":{\"type\":\"currentwindow\",\"events\":["
      + "{\"timestamp\":\"9999-12-31T23:00:00Z\",\"duration\":604800,\"data\":{\"app\":\"a\"}},"
      + "{\"timestamp\":\"0001-01-01T00:00:00Z\",\"duration\":604800,\"data\":{\"app\":\"a\"}}]}}}"
    #expect(try PlaceReading.read(ActivityWatchImporter(), watch).records.count > 0)
    let way =
      "[{\"startTime\":\"9999-12-31T23:00:00Z\",\"endTime\":\"9999-12-31T23:59:59Z\","
      + "\"activity\":{\"distanceMeters\":1e300,\"topCandidate\":{\"type\":\"flying\"}}}]"
    #expect(try PlaceReading.read(GoogleImporter(), way).texts == ["Flew"])
  }
}

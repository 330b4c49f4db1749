import ArkivedCore
import ArkivedImport
import ArkivedTestSupport
import Foundation
import Testing

/// Raw signals as Takeout writes them since 2024, and as phones do.
@Suite("Google's raw signals")
struct GoogleSignalTests {
  private let importer = GoogleImporter()

  private func edits(_ points: [MorningWalk.Point]) -> String {
    let list = points.map { point in
      """
      {"deviceId":"-1613859921","rawSignal":{"signal":{"position":{"point":{\
      "latE7":\(Int(point.lat * 1e7)),"lngE7":\(Int(point.lon * 1e7))},"accuracyMm":12000,\
      "timestamp":"\(MorningWalk.stamp(point.minute))"}}}}
      """
    }
    return """
      {"timelineEdits":[\(list.joined(separator: ",")),
      {"deviceId":"1","rawSignal":{"signal":{"wifiScan":{"deliveryTime":"2024-05-03T06:00:00Z"}}}},
      {"deviceId":"1","rawSignal":{"signal":{"position":{"point":{"latE7":9000000000,"lngE7":0},
      "accuracyMm":1e308,"timestamp":"2024-05-03T06:00:00Z"}}}}]}
      """
  }

  private func phone(_ points: [MorningWalk.Point], segments: String = "") -> String {
    let list = points.map { point in
      """
      {"position":{"LatLng":"\(point.lat)°, \(point.lon)°","accuracyMeters":15,"source":"WIFI",\
      "timestamp":"\(MorningWalk.stamp(point.minute))"}}
      """
    }
    return "{\"semanticSegments\":[\(segments)],\"rawSignals\":[\(list.joined(separator: ","))]}"
  }

  @Test func theEditsOfTakeoutBecomeStaysAndAWay() throws {
    let text = edits(MorningWalk.points())
    #expect(PlaceReading.recognises(importer, text, "Timeline Edits.json"))
    let sink = try PlaceReading.read(importer, text, name: "Timeline Edits.json")
    #expect(sink.times == ["08:00–09:01", "09:01–09:14", "09:14–10:15"])
    #expect(sink.texts.count == 3 && sink.texts[1] == "Moved 1.4 km")
    #expect(
      sink.diagnostics.map(\.message) == [
        "skipped signals without a position: 1", "1 records have no valid coordinates; skipped",
      ])
  }

  @Test func thePhonesSignalsAreReadWhereItHasNothingElse() throws {
    let points = MorningWalk.points()
    let sink = try PlaceReading.read(importer, phone(points), name: "Timeline.json")
    #expect(sink.times == ["08:00–09:01", "09:01–09:14", "09:14–10:15"])
    #expect(sink.diagnostics.isEmpty)
    let visit = """
      {"startTime":"2024-05-03T07:00:00.000+02:00","endTime":"2024-05-03T09:00:00.000+02:00",
      "visit":{"topCandidate":{"semanticType":"HOME","placeLocation":{"latLng":"50.05°, 14.34°"}}}}
      """
    let full = try PlaceReading.read(importer, phone(points, segments: visit))
    #expect(full.texts == ["At home"])
    #expect(full.diagnostics.contains { $0.message.hasPrefix("“rawSignals”: no visits") })
  }

  @Test func theEditsNextToPointsAreSkippedAndTold() throws {
    let folder = try TemporaryFolder()
    _ = try folder.file("Records.json", Data("{\"locations\":[]}".utf8))
    let url = try folder.file("Timeline Edits.json", Data(edits(MorningWalk.points()).utf8))
    let sink = try PlaceReading.read(importer, url, in: folder)
    #expect(sink.records.isEmpty && sink.diagnostics.count == 1)
  }

  @Test func theEditsAreReadFromAZipWithoutPoints() throws {
    let content = Data(edits(MorningWalk.points()).utf8)
    let alone = TestZip([("Takeout/Timeline/Timeline Edits.json", content)])
    let sink = try PlaceReading.read(importer, try alone.data(), name: "takeout.zip")
    #expect(sink.texts.count == 3)
  }
}

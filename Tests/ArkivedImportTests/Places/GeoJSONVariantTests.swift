import ArkivedCore
import ArkivedImport
import ArkivedTestSupport
import Foundation
import Testing

/// What programs write into GeoJSON besides what RFC 7946 describes.
@Suite("Variants of GeoJSON")
struct GeoJSONVariantTests {
  private let importer = GeoJSONImporter()

  private func collection(_ features: [String]) -> String {
    "{\"type\":\"FeatureCollection\",\"features\":[\(features.joined(separator: ","))]}"
  }

  @Test func numbersInQuotesAreNumbers() throws {
    let points = (0..<15).map { minute in
      "{\"type\":\"Feature\",\"geometry\":{\"type\":\"Point\",\"coordinates\":[\"13.4\",\"52.5\"]},"
        + "\"properties\":{\"battery\":80,\"accuracy\":5,\"timestamp\":\(1_714_716_000 + minute * 60)}}"
    }
    let sink = try PlaceReading.read(importer, collection(points))
    #expect(sink.texts == ["At 52.5000° N, 13.4000° E"] && sink.diagnostics.isEmpty)
  }

  @Test func aMultiPointIsAPlaceAndNoWay() throws {
    let sink = try PlaceReading.read(
      importer,
      collection([
        "{\"type\":\"Feature\",\"geometry\":{\"type\":\"MultiPoint\",\"coordinates\":"
          + "[[14.4,50.1],[14.41,50.1]]},\"properties\":{\"name\":\"Multi\",\"date\":\"2024-05-03\"}}"
      ]))
    let place = try #require(sink.activities.first)
    #expect(sink.texts == ["At Multi"] && place.measurements.isEmpty)
    #expect(place.lat == 50.1 && place.lon == 14.4 && place.attachments.isEmpty)
    #expect(place.notes == "More places: 50.1000° N, 14.4100° E")
  }

  @Test func timesOfPointsAreNotRepeatedInTheNotes() throws {
    let sink = try PlaceReading.read(
      importer,
      collection([
        "{\"type\":\"Feature\",\"geometry\":{\"type\":\"LineString\",\"coordinates\":"
          + "[[14.4,50.1],[14.41,50.1]]},\"properties\":{\"name\":\"Run\",\"weather\":\"dry\","
          + "\"coordTimes\":[\"2024-05-03T10:00:00Z\",\"2024-05-03T10:10:00Z\"]}}"
      ]))
    #expect(sink.texts == ["Run"] && sink.activities.first?.notes == "weather: dry")
  }
}

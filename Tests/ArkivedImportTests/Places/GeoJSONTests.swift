import ArkivedCore
import ArkivedImport
import ArkivedTestSupport
import Foundation
import Testing

/// GeoJSON of RFC 7946 and 8142, as Overland, GPSLogger, Dawarich, togeojson and Google write it.
@Suite("GeoJSON")
struct GeoJSONTests {
  private let importer = GeoJSONImporter()

  private static func feature(_ geometry: String, _ properties: String) -> String {
    "{\"type\":\"Feature\",\"geometry\":\(geometry),\"properties\":\(properties)}"
  }

  private static func point(_ lon: Double, _ lat: Double) -> String {
    "{\"type\":\"Point\",\"coordinates\":[\(lon),\(lat)]}"
  }

  private static func collection(_ features: [String]) -> String {
    "{\"type\":\"FeatureCollection\",\"features\":[\(features.joined(separator: ",\n"))]}"
  }

  /// What Overland sends: a batch of positions.
  static var overland: String {
    let positions = MorningWalk.points().map { position in
      feature(
        point(position.lon, position.lat),
        "{\"timestamp\":\"\(MorningWalk.stamp(position.minute))\",\"altitude\":40,\"speed\":1,"
          + "\"horizontal_accuracy\":9,\"vertical_accuracy\":3,\"motion\":[\"\(position.isWalk ? "walking" : "stationary")\"],"
          + "\"battery_state\":\"full\",\"battery_level\":0.8,\"wifi\":\"\",\"device_id\":\"phone\"}"
      )
    }
    return "{\"locations\":[\(positions.joined(separator: ",\n"))],\"current\":{},\"trip\":{}}"
  }

  @Test func positionsOfOverlandAreStaysAndWays() throws {
    #expect(PlaceReading.recognises(importer, Self.overland))
    let sink = try PlaceReading.read(importer, Self.overland)
    #expect(sink.diagnostics.isEmpty)
    #expect(sink.times == ["08:00–09:01", "09:01–09:14", "09:14–10:15"])
    #expect(sink.texts[1].hasPrefix("Walked 1."))
    #expect(sink.identities.map { String($0.prefix(5)) } == ["stay/", "way/2", "stay/"])
  }

  @Test func aTripOfOverlandIsToldOnceWithItsLine() throws {
    let trip = Self.feature(
      Self.point(14.356, 50.0576),
      "{\"type\":\"trip\",\"mode\":\"bicycle\",\"start\":\"\(MorningWalk.stamp(60))\","
        + "\"end\":\"\(MorningWalk.stamp(76))\",\"timestamp\":\"\(MorningWalk.stamp(76))\","
        + "\"distance\":1840.5,\"duration\":960,\"steps\":12,\"stopped_automatically\":true,"
        + "\"start_location\":null}")
    let text = Self.overland.replacingOccurrences(
      of: "],\"current\"", with: ",\(trip)],\"current\"")
    let sink = try PlaceReading.read(importer, text)
    let ways = sink.activities.filter { $0.measurements["km"] != nil }
    #expect(ways.map(\.text) == ["Cycled 1.8 km"] && ways[0].durationMinutes == 16)
    #expect(ways[0].measurements["steps"] == 12 && ways[0].attachments.count == 1)
    #expect(sink.activities.count == 3)
  }

  @Test func linesOfFeaturesAndOfRequestsAreRead() throws {
    let all = try PlaceReading.read(importer, Self.overland).texts
    let features = try #require(
      try JSON(parsing: Self.overland)["locations"]?.array
    ).map { $0.text().replacingOccurrences(of: "\n", with: " ") }
    for text in [
      features.joined(separator: "\n"),
      features.map { "\u{1E}\($0)\n" }.joined(),
      features.map { "2024-05-03T06:00:00Z \($0)\n" }.joined(),
      features.map { "{\"locations\":[\($0)]}\n" }.joined(),
      "[\(features.joined(separator: ","))]",
    ] {
      #expect(PlaceReading.recognises(importer, text))
      #expect(try PlaceReading.read(importer, text).texts == all)
    }
    let broken = "no json\n" + features.joined(separator: "\n") + "\n{\"type\":"
    let sink = try PlaceReading.read(importer, broken, name: "a.json")
    #expect(
      sink.texts == all
        && sink.skipped.map(\.place) == ["a.json:1", "a.json:\(features.count + 2)"])
  }

  @Test func positionsOfGPSLoggerKeepWhatSomebodyWroteAtThem() throws {
    let positions = MorningWalk.points().map { position in
      Self.feature(
        Self.point(position.lon, position.lat),
        "{\"time\":\"\(MorningWalk.stamp(position.minute))\",\"provider\":\"gps\","
          + "\"time_long\":\(MorningWalk.stamp(position.minute).milliseconds),"
          + (position.minute == 30 ? "\"description\":\"a heron\"," : "") + "\"accuracy\":5.0}")
    }
    let sink = try PlaceReading.read(importer, Self.collection(positions))
    #expect(sink.texts.count == 4 && sink.texts.contains("At a heron"))
  }

  /// Positions of GPSLogger five minutes apart, with words at some of them.
  private func logged(_ words: [String?]) throws -> PlaceSink {
    let positions = words.enumerated().map { index, words in
      Self.feature(
        Self.point(13.4, 52.5),
        "{\"time\":\"\(MorningWalk.stamp(index * 5))\",\"provider\":\"gps\","
          + (words.map { "\"description\":\"\($0)\"," } ?? "") + "\"accuracy\":8}")
    }
    return try PlaceReading.read(importer, Self.collection(positions))
  }

  private static let commented: [[String?]] = [
    (0..<12).map { [2, 5, 8].contains($0) ? "note \($0)" : nil },
    ["a note", nil],
    ["Lunch", "Museum", "Ferry", nil],
    // What the program writes at the others is none.
    (0..<30).map { $0 == 7 ? "a heron" : "Accuracy: \($0 % 9) m" },
    (0..<30).map { $0 == 7 ? "a heron" : "12:0\($0 % 9)" },
  ]

  @Test(arguments: commented)
  func commentsOnManyPositionsAreKept(words: [String?]) throws {
    let comments = words.compactMap { $0 }.filter {
      !$0.hasPrefix("Accuracy") && $0.first?.isNumber == false
    }
    let texts = try logged(words).texts.filter { $0 != "At 52.5000° N, 13.4000° E" }
    #expect(texts == comments.map { "At \($0)" })
  }

  @Test func wordsThatAProgramWritesAtPositionsAreTold() throws {
    let sink = try logged((0..<30).map { "Accuracy: \($0) m" })
    #expect(sink.texts == ["At 52.5000° N, 13.4000° E"])
    #expect(
      sink.diagnostics.contains {
        $0.message == "skipped text generated by a program at 30 positions"
      })
    // No person writes an address at each position.
    let streets = try logged((0..<30).map { "\(["Elm", "Oak", "Ash"][$0 % 3]) Street \($0)" })
    #expect(streets.texts == ["At 52.5000° N, 13.4000° E"])
  }

  @Test func aPositionOfDawarichHasItsTimeInSeconds() throws {
    let positions = (0..<30).map { step in
      Self.feature(
        Self.point(13.4, 52.5),
        "{\"battery\":80,\"tracker_id\":\"a\",\"altitude\":40,\"velocity\":\"0\",\"accuracy\":5,"
          + "\"timestamp\":\(1_714_716_000 + step * 60)}")
    }
    let sink = try PlaceReading.read(importer, Self.collection(positions))
    #expect(sink.times == ["08:00–08:29"] && sink.texts == ["At 52.5000° N, 13.4000° E"])
  }

  @Test func aLineWithTimesIsATrack() throws {
    let walk = MorningWalk.points().filter(\.isWalk)
    let coordinates = walk.map { "[\($0.lon),\($0.lat),\(200 + $0.minute)]" }
    let times = walk.map { "\"\(MorningWalk.stamp($0.minute))\"" }
    for (list, extra) in [
      ("\"coordTimes\":[\(times.joined(separator: ","))]", ""),
      ("\"coordinateProperties\":{\"times\":[\(times.joined(separator: ","))]}", ""),
      (
        "\"times\":[\(walk.map { "\(MorningWalk.stamp($0.minute).milliseconds)" }.joined(separator: ","))]",
        ",\"heartRates\":[100,120]"
      ),
    ] {
      let sink = try PlaceReading.read(
        importer,
        Self.collection([
          Self.feature(
            "{\"type\":\"LineString\",\"coordinates\":[\(coordinates.joined(separator: ","))]}",
            "{\"name\":\"Round\",\"type\":\"hiking\",\"desc\":\"wet\",\"stroke\":\"#f00\",\(list)\(extra)}"
          )
        ]))
      let activity = try #require(sink.activities.first)
      #expect(sink.diagnostics.isEmpty && sink.texts == ["Round"] && activity.kind == .health)
      #expect(sink.times == ["09:01–09:15"] && activity.notes == "wet")
      #expect(activity.measurements["bpm"] == (extra.isEmpty ? nil : 110))
    }
    // A fourth number of each position.
    let fourth = walk.map {
      "[\($0.lon),\($0.lat),0,\(MorningWalk.stamp($0.minute).milliseconds / 1_000)]"
    }
    let sink = try PlaceReading.read(
      importer,
      Self.feature(
        "{\"type\":\"MultiLineString\",\"coordinates\":[[\(fourth.joined(separator: ","))]]}", "{}")
    )
    #expect(sink.times == ["09:01–09:15"])
  }

  @Test func placesAndLinesWithATimeAreStaysAndWays() throws {
    let sink = try PlaceReading.read(
      importer,
      Self.collection([
        Self.feature(
          Self.point(14.4, 50.1),
          "{\"name\":\"Hut\",\"start_time\":\"2024-05-03T10:00:00+02:00\",\"end_time\":\"2024-05-03T11:00:00+02:00\",\"rating\":5,\"marker-color\":\"#f00\"}"
        ),
        Self.feature(
          "{\"type\":\"LineString\",\"coordinates\":[[14.4,50.1],[14.41,50.1],[14.42,50.1]]}",
          "{\"mode\":\"train\",\"date\":\"2024-05-03\"}"),
        Self.feature(
          "{\"type\":\"Polygon\",\"coordinates\":[[[10,50],[12,50],[12,52],[10,52]]]}",
          "{\"title\":\"Park\",\"when\":\"2024-05-04T09:00:00Z\"}"),
        Self.feature(Self.point(14.4, 50.1), "{\"name\":\"Plan\"}"),
        Self.feature(Self.point(500, 50.1), "{\"time\":\"2024-05-04T09:00:00Z\"}"),
        Self.feature(Self.point(14, 50.1), "{\"time\":\"later\"}"),
        Self.feature("null", "{\"time\":\"2024-05-04T09:00:00Z\"}"),
      ]), name: "a.geojson")
    #expect(Set(sink.texts) == ["At Hut", "Took the train, 1.4 km", "At Park"])
    let hut = try #require(sink.activities.first { $0.text == "At Hut" })
    #expect(hut.notes == "rating: 5" && hut.endAt != nil)
    let park = try #require(sink.activities.first { $0.text == "At Park" })
    #expect(park.lat == 51 && park.lon == 11)
    #expect(sink.skipped.count == 3)
    #expect(
      sink.skipped.contains { $0.message.contains("“later”") && $0.place.hasSuffix("field “time”") }
    )
    #expect(sink.skipped.contains { $0.message.contains("“[500") })
    #expect(sink.diagnostics.contains { $0.message.hasPrefix("skipped 1 places and 0 lines") })
  }

  @Test func placesThatWereSavedOrReviewedAreNoVisits() throws {
    let sink = try PlaceReading.read(
      importer,
      Self.collection([
        Self.feature(
          Self.point(14.4, 50.1),
          "{\"date\":\"2024-05-03T10:00:00Z\",\"google_maps_url\":\"http://maps.google.com/?cid=1\",\"location\":{\"address\":\"Národní 22\",\"name\":\"Louvre\"}}"
        ),
        Self.feature(
          Self.point(14.4, 50.1),
          "{\"date\":\"2024-05-03T11:00:00Z\",\"google_maps_url\":\"http://maps.google.com/?cid=2\",\"five_star_rating_published\":4,\"review_text_published\":\"Good\",\"location\":{\"name\":\"Hut\"}}"
        ),
        Self.feature(
          Self.point(14.4, 50.1),
          "{\"Google Maps URL\":\"http://maps.google.com/?cid=3\",\"Published\":\"2014-05-03T11:00:00Z\",\"Title\":\"Old\",\"Location\":{\"Address\":\"Street\"}}"
        ),
      ]))
    #expect(sink.texts == ["Saved the place Louvre", "Reviewed Hut", "Saved the place Old"])
    #expect(sink.activities[0].description == "Národní 22")
    #expect(sink.activities[1].notes?.contains("five_star_rating_published: 4") == true)
  }

  @Test func whatIsCutOrNoGeoJSONIsTold() throws {
    try PlaceReading.cut(importer, Data(Self.overland.utf8), everyBytes: 991)
    #expect(throws: ImportRefusal.self) { try PlaceReading.read(importer, "{\"a\":1}") }
    #expect(!PlaceReading.recognises(importer, "{\"type\":\"LineString\",\"coordinates\":[]}"))
  }
}

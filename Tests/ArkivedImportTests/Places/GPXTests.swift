import ArkivedCore
import ArkivedImport
import ArkivedTestSupport
import Foundation
import Testing

/// GPX 1.0 and 1.1 as topografix.com describes them, with what watches and loggers add.
@Suite("GPX")
struct GPXTests {
  private let importer = GPXImporter()

  private static func points(_ list: [MorningWalk.Point], height: Bool = false) -> String {
    list.map { point in
      "<trkpt lat=\"\(point.lat)\" lon=\"\(point.lon)\">"
        + (height ? "<ele>\(200 + Double(point.minute))</ele>" : "")
        + "<time>\(MorningWalk.stamp(point.minute))</time>"
        + "<extensions><hr>80</hr><name>no name</name></extensions></trkpt>"
    }.joined(separator: "\n")
  }

  static func gpx(_ body: String, version: String = "1.1") -> String {
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<gpx version=\"\(version)\" creator=\"Logger\" "
      + "xmlns=\"http://www.topografix.com/GPX/\(version.replacingOccurrences(of: ".", with: "/"))\">\n"
      + body + "\n</gpx>"
  }

  static var walk: String {
    let walk = MorningWalk.points().filter { (61...75).contains($0.minute) }
    return gpx(
      """
      <metadata><name>File</name><time>2024-05-01T00:00:00Z</time></metadata>
      <trk><link href="x"><type>text/html</type></link><name>Round &amp; about</name>
      <desc>Two parts</desc><type>hiking</type>
      <trkseg>\(points(Array(walk.prefix(8)), height: true))</trkseg>
      <trkseg>\(points(Array(walk.dropFirst(8)), height: true))</trkseg></trk>
      """)
  }

  @Test func aTrackBecomesAnActivityWithItsSegmentsLines() throws {
    let sink = try PlaceReading.read(importer, Self.walk, name: "a.gpx")
    #expect(sink.diagnostics.isEmpty && sink.texts == ["Round & about"])
    let activity = try #require(sink.activities.first)
    #expect(sink.times == ["09:01–09:15"] && activity.kind == .health)
    #expect(activity.notes == "Two parts" && activity.description == "Ascent 10 m")
    // Between segments nobody knows the way: 6 + 1 steps of 111 and 107 m, 6 of 107 m.
    #expect(abs((activity.measurements["km"] ?? 0) - 1.417) < 0.004)
    #expect(try sink.line(of: 0)["type"]?.string == "MultiLineString")
    #expect(activity.lat != nil)
  }

  @Test func aDaysLogIsOneTrackWithItsLongHalts() throws {
    let gpx = Self.gpx(
      "<trk><trkseg>\(Self.points(MorningWalk.points()))</trkseg></trk>", version: "1.0")
    let sink = try PlaceReading.read(importer, gpx)
    #expect(sink.texts.count == 3 && sink.texts[0].hasPrefix("Moved 1."))
    #expect(sink.times == ["08:00–10:15", "08:00–09:01", "09:14–10:15"])
    #expect(sink.identities.map { String($0.prefix(5)) } == ["track", "halt/", "halt/"])
  }

  @Test func aTrackOfTwoDaysIsAnActivityOnEach() throws {
    let later = MorningWalk.points().map {
      MorningWalk.Point(minute: $0.minute + 1_440, lat: $0.lat, lon: $0.lon, isWalk: $0.isWalk)
    }
    let walks = [MorningWalk.points(), later].map { $0.filter { $0.minute % 1_440 > 60 } }
    let sink = try PlaceReading.read(
      importer,
      Self.gpx("<trk><name>Tour</name><trkseg>\(Self.points(walks[0] + walks[1]))</trkseg></trk>"))
    let tours = sink.activities.filter { $0.text.hasPrefix("Tour") }
    #expect(tours.map(\.text) == ["Tour", "Tour (2)"])
    #expect(tours.map(\.dayKey.description) == ["2024-05-03", "2024-05-04"])
  }

  @Test func theStepOverMidnightIsNotLost() throws {
    let points = [
      ("47.00", "21:50"), ("47.01", "21:58"), ("47.03", "22:02"), ("47.04", "22:10"),
    ].map {
      "<trkpt lat=\"\($0.0)\" lon=\"11.4\"><time>2024-05-03T\($0.1):00Z</time></trkpt>"
    }
    let sink = try PlaceReading.read(
      importer, Self.gpx("<trk><name>Night</name><trkseg>\(points.joined())</trkseg></trk>"))
    let nights = sink.activities.filter { $0.text.hasPrefix("Night") }
    #expect(nights.map(\.dayKey.description) == ["2024-05-03", "2024-05-04"])
    let metres = nights.map { ($0.measurements["km"] ?? 0) * 1_000 }
    #expect(abs(metres[0] - 1_112) < 5 && abs(metres[1] - 3_336) < 10)
  }

  @Test func waypointsWithATimeAreStaysAndPlansAreTold() throws {
    let sink = try PlaceReading.read(
      importer,
      Self.gpx(
        """
        <wpt lat="50.1" lon="14.4"><time>2024-05-03T10:00:00+02:00</time><name>Hut</name>
        <desc>Soup</desc></wpt>
        <wpt lat="50.1" lon="14.4"><name>Peak</name></wpt>
        <wpt lat="500" lon="14.4"><time>2024-05-03T10:00:00Z</time></wpt>
        <rte><name>Plan</name><rtept lat="50" lon="14"/><rtept lat="51" lon="14"/></rte>
        <trk><name>No times</name><trkseg><trkpt lat="50" lon="14"/></trkseg></trk>
        <trk><trkseg><trkpt lat="50" lon="14"><time>soon</time></trkpt></trkseg></trk>
        """), name: "a.gpx")
    #expect(sink.texts == ["At Hut"] && sink.activities[0].description == "Soup")
    #expect(sink.skipped.count == 3)
    #expect(sink.skipped[0].message.contains("“No times”"))
    #expect(
      sink.diagnostics.map(\.message).contains { $0.hasPrefix("waypoints (1) and routes (1)") })
  }

  @Test func aZipOfTracksIsReadAndThatOfAppleHealthLeftToItsReader() throws {
    var zip = TestZip([("tracks/a.gpx", Data(Self.walk.utf8)), ("readme.txt", Data("x".utf8))])
    let folder = try TemporaryFolder()
    let url = try folder.file("a.zip", try zip.data())
    #expect(importer.recognises(try ZipFile(url), fileName: "a.zip"))
    #expect(try PlaceReading.read(importer, url, in: folder).texts == ["Round & about"])
    zip.add("apple_health_export/workout-routes/route.gpx", Data(Self.walk.utf8))
    let health = try folder.file("b.zip", try zip.data())
    #expect(!importer.recognises(try ZipFile(health), fileName: "b.zip"))
  }

  @Test func entitiesAreNotMadeLargerAndNothingOutsideIsRead() throws {
    let secret = try TemporaryFolder()
    let file = try secret.file("secret.txt", "the secret")
    let bomb = """
      <?xml version="1.0"?><!DOCTYPE gpx [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;">
      <!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;"><!ENTITY x SYSTEM "\(file.absoluteString)">]>
      """
    for entity in ["&c;", "&x;"] {
      let text =
        bomb
        + Self.walk.replacingOccurrences(
          of: "<?xml version=\"1.0\" encoding=\"UTF-8\"?>", with: ""
        ).replacingOccurrences(of: "Two parts", with: entity)
      let texts: [String]
      do {
        texts = try PlaceReading.read(importer, text).activities.map { "\($0)" }
      } catch is ImportRefusal {
        texts = []
      }
      #expect(!texts.joined().contains("the secret") && !texts.joined().contains("aaaaaaaaaa"))
    }
  }

  @Test func westernEuropeanBytesAreRead() throws {
    let text = Self.walk.replacingOccurrences(of: "UTF-8", with: "ISO-8859-1")
      .replacingOccurrences(of: "Round &amp; about", with: "Höhe")
    let data = try #require(text.data(using: .isoLatin1))
    #expect(try PlaceReading.read(importer, data).texts == ["Höhe"])
  }
}

import ArkivedCore
import ArkivedImport
import ArkivedTestSupport
import Foundation
import Testing

/// KML 2.2 and 2.3 and KMZ, as Google's maps and Timeline, OpenTracks, GPSLogger and GPSBabel write them.
@Suite("KML")
struct KMLTests {
  private let importer = KMLImporter()

  static func kml(_ body: String) -> String {
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<kml xmlns=\"http://www.opengis.net/kml/2.2\" "
      + "xmlns:gx=\"http://www.google.com/kml/ext/2.2\"><Document><name>Map</name>\n\(body)\n"
      + "</Document></kml>"
  }

  /// A track as GPSLogger writes it: each time before its place.
  static var track: String {
    let walk = MorningWalk.points().filter(\.isWalk)
    return kml(
      "<Placemark><name>Round &amp; about</name><description>Two parts</description><gx:Track>"
        + walk.map {
          "<when>\(MorningWalk.stamp($0.minute))</when>"
            + "<gx:coord>\($0.lon) \($0.lat) \(200 + $0.minute)</gx:coord>"
        }.joined(separator: "\n") + "</gx:Track></Placemark>")
  }

  @Test func aTrackIsAnActivityWithItsLineAndAscent() throws {
    let sink = try PlaceReading.read(importer, Self.track, name: "a.kml")
    #expect(sink.diagnostics.isEmpty && sink.texts == ["Round & about"])
    let activity = try #require(sink.activities.first)
    #expect(sink.times == ["09:01–09:15"] && activity.notes == "Two parts")
    #expect(activity.description == "Ascent 10 m")
    #expect(abs((activity.measurements["km"] ?? 0) - 1.52) < 0.03)
    #expect(try sink.line(of: 0)["type"]?.string == "LineString")
    #expect(sink.identities == ["track/2024-05-03T07:01:00Z"])
  }

  @Test func openTracksKeepsSportHeartRateAndMomentsWithoutAFix() throws {
    let text = """
      <kml xmlns="http://www.opengis.net/kml/2.3"><Document><Placemark><name>Evening ride</name>
      <ExtendedData><Data name="activityType"><value><![CDATA[biking]]></value></Data></ExtendedData>
      <MultiTrack><Track>
      <when>2024-05-03T10:00:00.000+02:00</when><coord/>
      <when>2024-05-03T10:00:05.000+02:00</when><coord>10.000000 50.000000 27.8</coord>
      <when>2024-05-03T10:05:00.000+02:00</when><coord>10.020000 50.000000 26.5</coord>
      <ExtendedData><SchemaData><SimpleArrayData name="speed"><value/><value>3.2</value>
      <value>4.1</value></SimpleArrayData><SimpleArrayData name="heartrate"><value/>
      <value>110</value><value>120</value></SimpleArrayData></SchemaData></ExtendedData>
      </Track></MultiTrack></Placemark></Document></kml>
      """
    let sink = try PlaceReading.read(importer, text)
    let ride = try #require(sink.activities.first)
    #expect(sink.diagnostics.isEmpty && ride.text == "Evening ride" && ride.kind == .health)
    #expect(ride.measurements["bpm"] == 115 && ride.measurements["max bpm"] == 120)
    #expect(sink.times == ["10:00–10:05"])
  }

  @Test func timesBeforeAllPlacesAreMatchedInOrder() throws {
    let sink = try PlaceReading.read(
      importer,
      Self.kml(
        """
        <Placemark><gx:Track><when>2024-05-03T08:00:00Z</when><when>2024-05-03T08:10:00Z</when>
        <when>2024-05-03T08:20:00Z</when><gx:coord>10 50 1</gx:coord><gx:coord>10 50.01 1</gx:coord>
        </gx:Track></Placemark>
        """))
    #expect(sink.times == ["10:00–10:10"] && sink.texts == ["Moved 1.1 km"])
    #expect(sink.skipped.map(\.message) == ["skipped times without a place in this track: 1"])
  }

  @Test func aDayOfGooglesTimelineIsStaysAndWays() throws {
    let sink = try PlaceReading.read(
      importer,
      Self.kml(
        """
        <Placemark><name>Café Louvre</name><address>Národní 22, Prague</address>
        <ExtendedData><Data name="Email"><value>a@example.org</value></Data>
        <Data name="Category"><value></value></Data></ExtendedData>
        <description> At Café Louvre from 10:00 to 11:00 </description>
        <Point><coordinates>14.418,50.082,0</coordinates></Point>
        <TimeSpan><begin>2024-05-03T10:00:00.000+02:00</begin><end>2024-05-03T11:00:00.000+02:00</end>
        </TimeSpan></Placemark>
        <Placemark><name>Driving</name><ExtendedData><Data name="Category"><value>Driving</value>
        </Data><Data name="Distance"><value>5400</value></Data></ExtendedData>
        <LineString><coordinates>14.418,50.082,0 14.40,50.09,0 14.38,50.10,0</coordinates></LineString>
        <TimeSpan><begin>2024-05-03T11:00:00Z</begin><end>2024-05-03T11:20:00Z</end></TimeSpan>
        </Placemark>
        """))
    #expect(sink.diagnostics.isEmpty)
    #expect(sink.texts == ["At Café Louvre", "Drove 5.4 km"])
    #expect(sink.times == ["10:00–11:00", "13:00–13:20"])
    #expect(sink.activities[0].description == "Národní 22, Prague")
    #expect(sink.activities[0].locationLabel == "Café Louvre")
    #expect(sink.activities[1].measurements["km"] == 5.4)
    #expect(sink.activities[0].notes?.contains("Email: a@example.org") == true)
  }

  @Test func placesOfMyMapsWithADateAreKeptAndThoseWithoutAreCounted() throws {
    let sink = try PlaceReading.read(
      importer,
      Self.kml(
        """
        <Folder><name>Layer</name><Placemark><name>Hut</name>
        <description><![CDATA[<img src="x.jpg"/><br><br>Soup &amp; bread<br>Date: 2024-05-03]]></description>
        <ExtendedData><Data name="Date"><value>2024-05-03</value></Data></ExtendedData>
        <Point><coordinates>
            14.4,50.1,0
        </coordinates></Point></Placemark>
        <Placemark><name>Peak</name><LookAt><TimeStamp><when>2024-05-03</when></TimeStamp></LookAt>
        <Point><coordinates>14.4,50.2</coordinates></Point></Placemark>
        <Placemark><name>Plan</name><LineString><coordinates>14.4, 50.1, 0 14.5, 50.1, 0</coordinates>
        </LineString></Placemark><Placemark><name>Nowhere</name></Placemark></Folder>
        """))
    let hut = try #require(sink.activities.first)
    #expect(sink.texts == ["At Hut"] && hut.startAt == nil)
    #expect(hut.dayKey.description == "2024-05-03" && hut.lat == 50.1)
    #expect(hut.notes == "Soup & bread\nDate: 2024-05-03")
    #expect(
      sink.diagnostics.map(\.message) == [
        "skipped 1 feature without valid coordinates",
        "skipped 1 places and 1 lines without a time: they don’t show when you were there",
      ])
  }

  @Test func severalPlacesOfOneDayStayApartAndSpansOfDaysSaySo() throws {
    let places = ["Rome", "Ostia"].map {
      "<Placemark><name>\($0)</name><TimeSpan><begin>2024-05-03</begin><end>2024-05-05</end>"
        + "</TimeSpan><Point><coordinates>12.5,41.9</coordinates></Point></Placemark>"
    }
    let text = Self.kml(places.joined() + places[0])
    let sink = try PlaceReading.read(importer, text)
    #expect(sink.identities == ["place/2024-05-03", "place/2024-05-03/2", "place/2024-05-03"])
    #expect(sink.activities[0].description == "2024-05-03 – 2024-05-05")
  }

  @Test func pointsThatFollowEachOtherCloselyAreALog() throws {
    let points = (0..<60).map { minute in
      "<Placemark><name>p\(minute)</name><TimeStamp><when>\(MorningWalk.stamp(minute))</when>"
        + "</TimeStamp><Point><coordinates>14.344,50.0506</coordinates></Point></Placemark>"
    }
    let sink = try PlaceReading.read(importer, Self.kml(points.joined()))
    #expect(sink.texts == ["At 50.0506° N, 14.3440° E"] && sink.times == ["08:00–08:59"])
    // Twelve are places that somebody marked.
    let few = try PlaceReading.read(importer, Self.kml(points.prefix(12).joined()))
    #expect(few.texts.count == 12 && few.texts[0] == "At p0")
  }

  @Test func aTrackOfMonthsIsAHistoryOfPlaces() throws {
    let points = (0..<5).flatMap { day in
      MorningWalk.points().map { ($0, MorningWalk.stamp($0.minute + day * 1_440)) }
    }
    let text = Self.kml(
      "<Placemark><name>History</name><gx:Track>"
        + points.map { "<when>\($1)</when><gx:coord>\($0.lon) \($0.lat) 0</gx:coord>" }.joined()
        + "</gx:Track></Placemark>")
    let sink = try PlaceReading.read(importer, text)
    #expect(sink.texts.count == 15 && Set(sink.activities.map(\.dayKey)).count == 5)
    #expect(
      sink.diagnostics.map(\.message) == [
        "1 track spans more than two days and was read as a location history"
      ])
  }

  @Test func badValuesAreNamedWithTheirPlace() throws {
    let sink = try PlaceReading.read(
      importer,
      Self.kml(
        """
        <Placemark><TimeStamp><when>soon</when></TimeStamp><Point><coordinates>14,50</coordinates></Point></Placemark>
        <Placemark><TimeStamp><when>2024-05-03T10:00:00Z</when></TimeStamp><Point><coordinates>500,50</coordinates></Point></Placemark>
        <Placemark><TimeSpan><begin>2024-05-03T10:00:00Z</begin><end>2024-05-03T09:00:00Z</end></TimeSpan><Point><coordinates>14,50</coordinates></Point></Placemark>
        <NetworkLink><Link><href>https://example.org/x.kml</href></Link></NetworkLink>
        """), name: "a.kml")
    #expect(sink.activities.count == 1 && sink.activities[0].endAt == nil)
    #expect(
      sink.skipped.map(\.place) == [
        "a.kml:3 field “when”", "a.kml:4 field “coordinates”", "a.kml:5 field “end”", "a.kml:4",
      ])
    #expect(sink.skipped[0].message.contains("“soon”"))
    #expect(sink.skipped[1].message.contains("“500,50”"))
    #expect(sink.diagnostics.contains { $0.message.hasPrefix("1 links to other maps") })
  }

  @Test func aKMZIsReadWithItsPicturesLeftOut() throws {
    let zip = TestZip([
      ("doc.kml", Data(Self.track.utf8)), ("files/a.png", Data("x".utf8)),
    ])
    let folder = try TemporaryFolder()
    let url = try folder.file("a.kmz", try zip.data())
    #expect(importer.recognises(try ZipFile(url), fileName: "a.kmz"))
    #expect(try PlaceReading.read(importer, url, in: folder).texts == ["Round & about"])
    let photos = TestZip([
      ("trip.kml", Data(Self.track.utf8)), ("a.jpg", Data("x".utf8)),
    ])
    let other = try folder.file("b.zip", try photos.data())
    #expect(!importer.recognises(try ZipFile(other), fileName: "b.zip"))
  }

  @Test func aFileThatIsCutGivesWhatCameBefore() throws {
    let text = Self.track
    let sink = try PlaceReading.read(importer, String(text.prefix(text.count * 3 / 4)))
    #expect(sink.texts == ["Round & about"] && sink.skipped.count == 1)
    try PlaceReading.cut(importer, Data(text.utf8), everyBytes: 97)
  }
}

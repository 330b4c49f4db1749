import ArkivedCore
import ArkivedImport
import ArkivedTestSupport
import Foundation
import Testing

/// A morning that recorders split over files: it is the same as in one file.
@Suite("Points split over files")
struct PointStreamTests {
  /// Reads the files of a folder in one run, each as the job does.
  private func read(_ importer: any Importer, _ files: [(name: String, text: String)]) throws
    -> PlaceSink
  {
    let folder = try TemporaryFolder()
    let scratch = try TemporaryFolder()
    let sink = PlaceSink(folders: [folder, scratch])
    let all = try files.map { file in
      ImportFile(url: try folder.file(file.name, Data(file.text.utf8)), name: file.name)
    }
    let context = ImportContext(
      now: try #require(Instant("2026-11-16T11:00:00Z")),
      homeZone: try #require(Zone("Europe/Rome")), identities: RandomIdentities(), files: all,
      scratchFolder: { scratch.url })
    for file in all { try importer.read(file, context: context, into: sink) }
    return sink
  }

  private func recording(_ points: some Sequence<MorningWalk.Point>) -> String {
    points.map { "\(MorningWalk.stamp($0.minute))\t*\t\(OwnTracksTests.message($0))\n" }.joined()
  }

  private func request(_ point: MorningWalk.Point) -> String {
    """
    {"locations":[{"type":"Feature","properties":{"timestamp":"\(MorningWalk.stamp(point.minute))",\
    "horizontal_accuracy":8,"device_id":"phone"},\
    "geometry":{"type":"Point","coordinates":[\(point.lon),\(point.lat)]}}]}
    """
  }

  private func check(_ sink: PlaceSink, sameAs whole: PlaceSink) {
    #expect(sink.texts == whole.texts && sink.times == whole.times)
    #expect(sink.identities == whole.identities && sink.texts.count == 3)
    #expect(sink.diagnostics.isEmpty, "\(sink.diagnostics)")
  }

  @Test func aWayGoesOnInTheNextRecording() throws {
    let points = MorningWalk.points()
    let importer = OwnTracksImporter()
    let whole = try read(importer, [("all.rec", recording(points))])
    for cut in [5, 18, 24] {
      // The names are in the wrong order; the times decide.
      let sink = try read(
        importer,
        [
          ("a.rec", recording(points.dropFirst(cut))), ("b.rec", recording(points.prefix(cut))),
        ])
      check(sink, sameAs: whole)
    }
  }

  @Test func requestsThatAServerStoredOneByOneAreAMorning() throws {
    let points = MorningWalk.points()
    let importer = GeoJSONImporter()
    let whole = try read(
      importer, [("all.json", points.map { request($0) }.joined(separator: "\n"))])
    let sink = try read(
      importer,
      points.enumerated().map { number, point in
        ("\(number + 10).json", request(point))
      })
    check(sink, sameAs: whole)
  }

  @Test func aDamagedFileInBetweenIsNamedAndTheOthersGoOn() throws {
    let points = MorningWalk.points()
    let sink = try read(
      OwnTracksImporter(),
      [
        ("a.rec", recording(points.prefix(18))), ("b.rec", "no object\n"),
        ("c.rec", recording(points.dropFirst(18))),
      ])
    #expect(sink.texts.count == 3)
    #expect(sink.skipped.contains { $0.place.hasPrefix("b.rec") })
  }

  @Test func twoDevicesInTwoFoldersStayApart() throws {
    let phone = MorningWalk.points()
    let tablet = MorningWalk.points(lat: 41.9, lon: 12.5)
    let sink = try read(
      OwnTracksImporter(),
      [("phone/05.rec", recording(phone)), ("tablet/05.rec", recording(tablet))])
    #expect(sink.texts.count == 6)
  }

  @Test func aFileThatOverlapsByMoreThanADayIsAStreamOfItsOwn() throws {
    let days = (0..<3).flatMap { day in
      MorningWalk.points().map {
        MorningWalk.Point(
          minute: $0.minute + day * 1_440, lat: $0.lat, lon: $0.lon, isWalk: $0.isWalk)
      }
    }
    let sink = try read(
      OwnTracksImporter(), [("a.rec", recording(days)), ("b.rec", recording(days))])
    // The same stays and ways twice, under the same names.
    #expect(sink.texts.count == 18 && Set(sink.identities).count == 9)
  }
}

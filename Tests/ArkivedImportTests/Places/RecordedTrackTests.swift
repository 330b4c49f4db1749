import ArkivedCore
import ArkivedImport
import ArkivedTestSupport
import Foundation
import Testing

/// What all formats of recorded tracks have in common: jumps, heart rates, equal starts, lines.
@Suite("Recorded tracks")
struct RecordedTrackTests {
  private struct Point {
    var step: Int
    var lat: Double
    var lon = 11.4
    var rate: String?
  }

  private static func time(_ step: Int) -> Instant {
    Instant(milliseconds: 1_714_716_015_000 + Int64(step) * 30_000)
  }

  private static func gpx(_ points: [Point], name: String = "Ride") -> String {
    "<trk><name>\(name)</name><trkseg>"
      + points.map { point in
        "<trkpt lat=\"\(point.lat)\" lon=\"\(point.lon)\"><time>\(time(point.step))</time>"
          + (point.rate.map {
            "<extensions><gpxtpx:TrackPointExtension><gpxtpx:atemp>20</gpxtpx:atemp>"
              + "<gpxtpx:hr>\($0)</gpxtpx:hr></gpxtpx:TrackPointExtension></extensions>"
          } ?? "") + "</trkpt>"
      }.joined() + "</trkseg></trk>"
  }

  private static func document(_ body: String) -> String {
    "<gpx version=\"1.1\" creator=\"Logger\" xmlns:gpxtpx=\"http://www.garmin.com/xmlschemas/"
      + "TrackPointExtension/v1\">\(body)</gpx>"
  }

  private static func tcx(_ points: [Point]) -> String {
    TCXTests.tcx(
      "<Activities><Activity Sport=\"Running\"><Id>\(time(0))</Id><Lap StartTime=\"\(time(0))\">"
        + "<TotalTimeSeconds>1800</TotalTimeSeconds><Track>"
        + points.map {
          "<Trackpoint><Time>\(time($0.step))</Time><Position><LatitudeDegrees>\($0.lat)"
            + "</LatitudeDegrees><LongitudeDegrees>\($0.lon)</LongitudeDegrees></Position>"
            + "</Trackpoint>"
        }.joined() + "</Track></Lap></Activity></Activities>")
  }

  /// Half an hour due north, 2.7 km.
  private static let straight = (0...60).map { Point(step: $0, lat: 47 + Double($0) * 0.0004) }

  @Test(arguments: [0, 30, 60])
  func aPointThatNobodyCanHaveReachedIsLeftOut(wild: Int) throws {
    var points = Self.straight
    points[wild].lat = 10
    for (importer, text) in [
      (GPXImporter() as any Importer, Self.document(Self.gpx(points))),
      (TCXImporter(), Self.tcx(points)),
    ] {
      let sink = try PlaceReading.read(importer, text)
      let km = try #require(sink.activities.first?.measurements["km"])
      #expect((2.6...2.7).contains(km), "\(importer.format) \(km)")
      let line = try #require(try sink.line(of: 0)["coordinates"]?.array)
      #expect(line.allSatisfy { ($0.array?.last?.double ?? 0) > 46 })
      #expect(
        sink.diagnostics.map(\.message)
          == ["skipped 1 point that is too far from the others to have been reached in that time"])
      #expect((sink.activities.first?.lat ?? 0) >= 47)
    }
  }

  @Test func aPartRecordedElsewhereIsKeptWithoutTheStepToIt() throws {
    let there = (0..<20).map { Point(step: 61 + $0, lat: 52 + Double($0) * 0.0004) }
    let sink = try PlaceReading.read(
      GPXImporter(), Self.document(Self.gpx(Self.straight + there)))
    let km = try #require(sink.activities.first?.measurements["km"])
    #expect((3.4...3.6).contains(km) && sink.diagnostics.isEmpty)
    #expect(try sink.line(of: 0)["coordinates"]?.array?.count == 2)
  }

  @Test func aTrackWithoutReliableTimesStaysWhole() throws {
    let points = [47.0, 10, 47.01, 10.01].enumerated().map { Point(step: $0, lat: $1) }
    let sink = try PlaceReading.read(GPXImporter(), Self.document(Self.gpx(points)))
    #expect(sink.diagnostics.isEmpty && (sink.activities.first?.measurements["km"] ?? 0) > 10_000)
  }

  @Test func heartRatesOfGPXAreKept() throws {
    var points = Self.straight
    for index in points.indices { points[index].rate = index < 60 ? "120" : "181" }
    points[3].rate = "0"
    let sink = try PlaceReading.read(GPXImporter(), Self.document(Self.gpx(points)))
    let ride = try #require(sink.activities.first)
    #expect(ride.measurements["bpm"] == 121 && ride.measurements["max bpm"] == 181)
  }

  @Test func tracksAndWaypointsOfTheSameTimeAreBothKept() throws {
    let other = Self.straight.map { Point(step: $0.step, lat: $0.lat + 1) }
    let body =
      Self.gpx(Self.straight, name: "A") + Self.gpx(other, name: "B")
      + Self.gpx(Self.straight, name: "A")
      + ["47.1", "47.2"].map {
        "<wpt lat=\"\($0)\" lon=\"11\"><time>\(Self.time(0))</time><name>Hut</name></wpt>"
      }.joined()
    let sink = try PlaceReading.read(GPXImporter(), Self.document(body))
    let time = Self.time(0)
    // The same track twice has the same reference.
    #expect(
      sink.identities == [
        "track/\(time)", "track/\(time)/2", "track/\(time)", "waypoint/\(time)",
        "waypoint/\(time)/2",
      ])
  }

  @Test func aStraightTrackKeepsItsLine() throws {
    let sink = try PlaceReading.read(GPXImporter(), Self.document(Self.gpx(Self.straight)))
    let line = try #require(try sink.line(of: 0)["coordinates"]?.array)
    #expect(line.map { $0.array?.last?.double } == [47, 47.024])
    let still = (0...5).map { Point(step: $0, lat: 47) }
    let none = try PlaceReading.read(GPXImporter(), Self.document(Self.gpx(still)))
    #expect(none.activities.allSatisfy { $0.attachments.isEmpty })
  }
}

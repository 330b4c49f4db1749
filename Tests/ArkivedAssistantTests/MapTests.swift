import ArkivedCore
import ArkivedStore
import ArkivedTestSupport
import Foundation
import Testing

@testable import ArkivedAssistant

@Suite("The entries on a map")
struct MapTests {
  /// Adds an entry at a place.
  @discardableResult
  private func add(
    _ test: TestArchive, _ day: String, _ lat: Double, _ lon: Double, place: String? = nil
  ) throws -> Activity {
    var activity = try test.activity("was there", on: day)
    (activity.lat, activity.lon, activity.locationLabel) = (lat, lon, place)
    try test.archive.add(activity)
    return activity
  }

  private func spots(_ test: TestArchive, from: String? = nil, to: String? = nil) throws -> MapSpots
  {
    let engine = InsightEngine(archive: test.archive, zone: test.zone)
    let question = try InsightQuestion(.places, today: engine.today) {
      $0 == "from" ? from : $0 == "to" ? to : nil
    }
    return try engine.spots(question)
  }

  @Test("Entries near each other are one group with its days, and apart when one goes nearer")
  func groups() throws {
    let test = try TestArchive()
    try add(test, "2026-03-01", 52.500, 13.400, place: "Canal")
    try add(test, "2026-03-01", 52.501, 13.401, place: "Canal")
    try add(test, "2026-03-03", 52.510, 13.420, place: "Park")
    try add(test, "2026-03-04", 48.85, 2.35, place: "Louvre")
    let spots = try spots(test)
    #expect(spots.count == 4)
    #expect(spots.days == 3)
    let far = spots.clusters(in: .world, zoom: 4, limit: 300)
    #expect(far.map(\.entries) == [3, 1])
    #expect(far[0].place == "Canal" && !far[0].isOnePlace && far[0].days == 2)
    #expect(far[0].first.description == "2026-03-01" && far[0].last.description == "2026-03-03")
    #expect(far[1].place == "Louvre" && far[1].isOnePlace)
    #expect(abs(far[1].latitude - 48.85) < 1e-6 && abs(far[1].longitude - 2.35) < 1e-6)
    let near = spots.clusters(in: .world, zoom: 14, limit: 300)
    #expect(near.map(\.entries) == [2, 1, 1])
    // Only what lies in the area, and only the days asked for.
    let paris = MapBox(west: 2, south: 48, east: 3, north: 49)
    #expect(spots.clusters(in: paris, zoom: 4, limit: 300).map(\.entries) == [1])
    #expect(spots.days(in: paris).map(\.day.description) == ["2026-03-04"])
    #expect(try self.spots(test, from: "2026-03-03", to: "2026-03-03").count == 1)
  }

  @Test("Changed and deleted entries count as they are now, with an index of before")
  func changes() throws {
    let test = try TestArchive()
    let timelines = ArchiveTimelines(test.archive, smallLimit: 1)
    let engine = InsightEngine(archive: test.archive, zone: test.zone, timelines: timelines)
    let question = try InsightQuestion(.places, today: engine.today) { _ in nil }
    let gone = try add(test, "2026-03-01", 10, 10)
    try add(test, "2026-03-02", 10, 10)
    #expect(try engine.spots(question).count == 2)
    _ = try test.archive.deleteActivities([gone.id])
    try add(test, "2026-02-01", 10, 10)
    let spots = try engine.spots(question)
    #expect(spots.count == 2 && spots.days == 2)
    let cluster = try #require(spots.clusters(in: .world, zoom: 3, limit: 9).first)
    #expect(cluster.days == 2 && cluster.first.description == "2026-02-01")
  }

  @Test("There are never more groups than allowed, and none covers another")
  func limits() throws {
    let test = try TestArchive()
    for index in 0..<400 {
      try add(
        test, "2026-03-0\(index % 9 + 1)", Double(index / 20) * 0.11, Double(index % 20) * 0.13)
    }
    let spots = try spots(test)
    for zoom in [0, 5, 9, 12, 18] {
      let clusters = spots.clusters(in: .world, zoom: zoom, limit: 50)
      #expect(clusters.count <= 50)
      #expect(clusters.reduce(0) { $0 + $1.entries } == 400)
    }
    let clusters = spots.clusters(in: .world, zoom: 8, limit: 300)
    let side = MapPlane.side(zoom: 8)
    for (index, one) in clusters.enumerated() {
      for other in clusters[(index + 1)...] {
        let across = (MapPlane.x(one.longitude) - MapPlane.x(other.longitude)) * side
        let down = (MapPlane.y(one.latitude) - MapPlane.y(other.latitude)) * side
        #expect(across * across + down * down > 24 * 24)
      }
    }
  }

  @Test("The area of places on both sides of 180° is the narrow one")
  func dateLine() throws {
    let test = try TestArchive()
    #expect(try spots(test).bounds == nil)
    try add(test, "2026-03-01", -17.7, 178.1)
    try add(test, "2026-03-02", -13.8, -171.8)
    let box = try #require(try spots(test).bounds)
    #expect(box.west == 178.1 && box.east == -171.8)
    #expect(box.contains(latitude: -15, longitude: -179))
    #expect(!box.contains(latitude: -15, longitude: 0))
    // The poles and the date line itself are on the map.
    try add(test, "2026-03-03", 90, 180)
    try add(test, "2026-03-03", -90, -180)
    #expect(
      try spots(test).clusters(in: .world, zoom: 18, limit: 300).reduce(0) { $0 + $1.entries } == 4)
  }

  @Test(
    "An area that is none says which argument",
    arguments: [
      (["west": "1"], "south"), (["west": "x", "south": "1", "east": "1", "north": "1"], "west"),
      (["west": "1", "south": "91", "east": "1", "north": "1"], "south"),
      (["west": "1", "south": "2", "east": "1", "north": "1"], "south"),
      (["west": "nan", "south": "2", "east": "1", "north": "3"], "west"),
    ])
  func boxes(_ fields: [String: String], _ field: String) throws {
    let error = #expect(throws: FieldError.self) { try MapBox { fields[$0] } }
    #expect(error?.field == field)
  }
}

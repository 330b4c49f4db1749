import ArkivedCore
import ArkivedEngine
import ArkivedImport
import ArkivedStore
import ArkivedTestSupport
import Foundation
import Testing

/// Location histories and the use of programs through the whole import, into a real archive.
@Suite("Places and programs in the archive")
struct PlaceImportTests {
  private let test: TestArchive

  init() throws { test = try TestArchive() }

  private func run(_ name: String, _ content: String) throws -> ImportRun {
    try #require(
      try ImportJob(archive: test.archive, homeZone: test.zone)
        .run(try test.folder.file(name, content)).first)
  }

  /// Points of a morning in Berlin: at one place, five kilometres to the north, at another.
  private func records(until end: Int) -> String {
    let points = stride(from: 0, through: end, by: 5).map { minute -> String in
      let step = min(max(minute - 60, 0), 30)
      let lat = 525_000_000 + step * 15_000
      let lon = 134_000_000 + (step > 15 ? 40_000 : 0)
      let stamp = Instant(milliseconds: 1_773_475_200_000 + Int64(minute) * 60_000)
      return "{\"latitudeE7\":\(lat),\"longitudeE7\":\(lon),\"timestamp\":\"\(stamp)\"}"
    }
    return "{\"locations\":[\(points.joined(separator: ","))]}"
  }

  @Test func aNewerExportMakesWhatGrewLongerAndASecondRunChangesNothing() throws {
    let first = try run("Records.json", records(until: 150))
    #expect(first.format == "google" && first.created == ["activity": 3])
    #expect(first.warnings.isEmpty)
    test.clock.advance(seconds: 60)
    let second = try run("Records.json", records(until: 150))
    #expect(second.created.isEmpty && second.updated == 0 && second.unchanged == 3)
    let grown = try run("Records.json", records(until: 240))
    #expect(grown.created.isEmpty && grown.updated == 1 && grown.unchanged == 2)
    let day = try test.day("2026-03-14").activities
    #expect(day.count == 3)
    // One from earlier that day shortens nothing.
    let older = try run("older/Records.json", records(until: 150))
    #expect(older.created.isEmpty && older.updated == 0 && older.unchanged == 3)
    #expect(try test.day("2026-03-14").activities.map(\.endAt) == day.map(\.endAt))
    let way = try #require(day.first { $0.text.hasPrefix("Moved") })
    let line = try #require(way.attachments.first)
    #expect(line.originalName == "track.geojson" && line.mediaType != nil)
    let file = try #require(test.archive.file(of: line))
    #expect(try String(contentsOf: file, encoding: .utf8).contains("LineString"))
  }

  @Test func aListOfTownsNamesStaysAlsoWhereTheyCameInBefore() throws {
    let file = try test.folder.file("Records.json", records(until: 150))
    func run(_ names: PlaceNames?) throws -> ImportRun {
      try #require(
        try ImportJob(archive: test.archive, homeZone: test.zone, placeNames: names).run(file)
          .first)
    }
    _ = try run(nil)
    #expect(try test.day("2026-03-14").activities.first?.text == "At 52.5000° N, 13.4000° E")
    let list = try test.folder.file("places.tsv", "52.5\t13.4\t150000\tKreuzberg\n")
    let names = try #require(PlaceNames(at: list))
    // Input that came in before is read once more for its names.
    #expect(try run(names).updated == 2)
    let first = try #require(try test.day("2026-03-14").activities.first)
    #expect(first.text == "In Kreuzberg" && first.locationLabel == "Kreuzberg")
    #expect(first.lat == 52.5 && first.lon == 13.4)
    let again = try run(names)
    #expect(again.updated == 0 && again.unchanged == 3)
  }

  @Test func aJourneyPartsNoStayAnew() throws {
    test.clock.advance(seconds: 172_800)
    let there = try #require(Zone("America/New_York"))
    /// Somebody stays at one place from 21:00 in Berlin on.
    func run(hours: Int, in zone: Zone) throws -> ImportRun {
      let points = (0...hours * 6).map { number in
        "{\"_type\":\"location\",\"tst\":\(1_773_432_000 + number * 600),\"lat\":52.5,"
          + "\"lon\":13.4}\n"
      }.joined()
      return try #require(
        try ImportJob(archive: test.archive, homeZone: zone)
          .run(try test.folder.file("points.jsonl", points)).first)
    }
    #expect(try run(hours: 8, in: test.zone).created == ["activity": 2])
    let same = try run(hours: 8, in: there)
    #expect(same.created.isEmpty && same.updated == 0 && same.unchanged == 2)
    // The day that was begun at home ends there; the next is one of there.
    let longer = try run(hours: 18, in: there)
    #expect(longer.created.isEmpty && longer.updated == 1 && longer.unchanged == 1)
    let later = try run(hours: 42, in: there)
    #expect(later.created == ["activity": 1] && later.updated == 1 && later.unchanged == 1)
    let again = try run(hours: 42, in: there)
    #expect(again.created.isEmpty && again.updated == 0 && again.unchanged == 3)
    #expect(
      try ["2026-03-13", "2026-03-14", "2026-03-15"].map {
        try test.day($0).activities.map(\.timeZone)
      } == [[test.zone.identifier], [test.zone.identifier], [there.identifier]])
  }

  @Test func aTrackOverMidnightHasItsLengthOnceWhereverHomeIs() throws {
    let points = (0...16).map { number in
      "<trkpt lat=\"\(50 + Double(number) * 0.05)\" lon=\"13.4\"><time>"
        + "\(Instant(milliseconds: 1_773_432_000_000 + Int64(number) * 1_800_000))</time></trkpt>"
    }
    let file = try test.folder.file(
      "night.gpx",
      "<gpx version=\"1.1\"><trk><name>Night train</name><trkseg>\(points.joined())"
        + "</trkseg></trk></gpx>")
    let first = try ImportJob(archive: test.archive, homeZone: test.zone).run(file).first
    #expect(first?.created == ["activity": 2])
    let there = try #require(Zone("America/New_York"))
    let second = try ImportJob(archive: test.archive, homeZone: there).run(file).first
    #expect(second?.created.isEmpty == true && second?.updated == 0 && second?.unchanged == 2)
  }

  @Test func whatTheOwnerChangedStays() throws {
    _ = try run("Records.json", records(until: 150))
    var stay = try #require(try test.day("2026-03-14").activities.last)
    stay.text = "At the library"
    stay.updatedAt = test.clock.now
    let edited = stay
    _ = try test.archive.write(by: .owner, "edit", "A name") {
      try $0.update(edited, reason: .update)
    }
    let grown = try run("Records.json", records(until: 240))
    #expect(grown.updated == 0)
    #expect(try test.day("2026-03-14").activities.map(\.text).contains("At the library"))
  }

  @Test func aRunCanBeUndone() throws {
    let run = try run("Records.json", records(until: 150))
    let change = try test.archive.importRun(matching: run.id.uuidString).changeID
    _ = try test.archive.undo(change)
    #expect(try test.day("2026-03-14").activities.isEmpty)
  }

  @Test func everyFormatIsRecognisedAmongAll() throws {
    let watch =
      "{\"buckets\": {\"aw-watcher-window_pc\": {\"id\": \"aw-watcher-window_pc\", \"type\": "
      + "\"currentwindow\", \"hostname\": \"pc\", \"events\": [{\"timestamp\": "
      + "\"2026-03-14T08:00:00Z\", \"duration\": 600, \"data\": {\"app\": \"Code\"}}]}}}"
    let watched = try run("export.json", watch)
    #expect(watched.format == "activitywatch")
    #expect(watched.created == ["activity": 1, "metric": 1])
    let again = try run("export.json", watch)
    #expect(again.created.isEmpty && again.updated == 0 && again.unchanged == 2)
    let longer = try run("export.json", watch.replacingOccurrences(of: "600", with: "900"))
    #expect(longer.created.isEmpty && longer.updated == 2)
    let gpx =
      "<gpx version=\"1.1\"><trk><name>Lap</name><trkseg>"
      + "<trkpt lat=\"52.5\" lon=\"13.4\"><time>2026-03-14T09:00:00Z</time></trkpt>"
      + "<trkpt lat=\"52.51\" lon=\"13.4\"><time>2026-03-14T09:10:00Z</time></trkpt>"
      + "</trkseg></trk></gpx>"
    #expect(try run("a.gpx", gpx).format == "gpx")
    let points = (0...3).map { number in
      "{\"_type\":\"location\",\"tst\":\(1_773_482_400 + number * 600),\"lat\":52.5,\"lon\":13.4}\n"
    }.joined()
    let tracked = try run("points.jsonl", points)
    #expect(tracked.format == "owntracks" && tracked.created == ["activity": 1])
  }
}

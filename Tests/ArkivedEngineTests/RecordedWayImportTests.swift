import ArkivedCore
import ArkivedEngine
import ArkivedImport
import ArkivedStore
import ArkivedTestSupport
import Foundation
import Testing

/// Maps, logs of positions and the activities of watches through the whole import, into a real archive.
@Suite("Recorded ways in the archive")
struct RecordedWayImportTests {
  private let test: TestArchive

  init() throws { test = try TestArchive() }

  private func run(_ file: URL) throws -> ImportRun {
    try #require(try ImportJob(archive: test.archive, homeZone: test.zone).run(file).first)
  }

  private static func tcx(_ kilometres: Int) -> String {
    """
    <TrainingCenterDatabase><Activities><Activity Sport="Running"><Id>2026-03-14T08:00:00Z</Id>
    <Lap StartTime="2026-03-14T08:00:00Z"><TotalTimeSeconds>1800</TotalTimeSeconds>
    <DistanceMeters>\(kilometres)000</DistanceMeters><Calories>300</Calories></Lap>
    </Activity></Activities></TrainingCenterDatabase>
    """
  }

  @Test func aChangedFileUpdatesASecondRunChangesNothingAndUndoTakesItBack() throws {
    let first = try run(try test.folder.file("run.tcx", Self.tcx(5)))
    #expect(first.format == "tcx" && first.created == ["activity": 1] && first.warnings.isEmpty)
    let again = try run(try test.folder.file("copy.xml", Self.tcx(5)))
    #expect(again.created.isEmpty && again.updated == 0 && again.unchanged == 1)
    test.clock.advance(seconds: 60)
    let changed = try run(try test.folder.file("run.tcx", Self.tcx(6)))
    #expect(changed.created.isEmpty && changed.updated == 1)
    let day = try test.day("2026-03-14").activities
    #expect(day.map(\.text) == ["Ran 6 km"] && day[0].durationMinutes == 30)
    #expect(day[0].measurements == ["km": 6, "kcal": 300] && day[0].tags == ["running"])
    for run in [changed, first] {
      let (_, change) = try test.archive.importRun(matching: run.id.uuidString)
      _ = try test.archive.undo(change)
    }
    #expect(try test.archive.counts().activities == 0)
  }

  @Test func aDayWithoutATimeKeepsItsZoneThoughATrackOfThatDayHasAnOffset() throws {
    let file = try test.folder.file(
      "tracks.kml",
      """
      <kml xmlns:gx="http://www.google.com/kml/ext/2.2"><Document>
      <Placemark><name>Ride</name><gx:Track><when>2026-03-02T10:00:00-08:00</when>
      <when>2026-03-02T10:20:00-08:00</when><gx:coord>-122 37 10</gx:coord>
      <gx:coord>-122 37.06 40</gx:coord></gx:Track></Placemark>
      <Placemark><name>Museum</name><TimeStamp><when>2026-03-03</when></TimeStamp>
      <Point><coordinates>2.35,48.85</coordinates></Point></Placemark>
      <Placemark><name>Late</name><TimeStamp><when>2026-03-03T06:30:00</when></TimeStamp>
      <Point><coordinates>2.35,48.85</coordinates></Point></Placemark>
      </Document></kml>
      """)
    #expect(try run(file).created == ["activity": 3])
    let zones = try test.day("2026-03-03").activities.map(\.timeZone)
    #expect(zones == ["Europe/Berlin", "Europe/Berlin"])
    for _ in 0..<2 {
      test.clock.advance(seconds: 60)
      let again = try #require(
        try ImportJob(archive: test.archive, homeZone: test.zone, readsAgain: true).run(file).first)
      #expect(again.created.isEmpty && again.updated == 0 && again.unchanged == 3)
    }
    #expect(try test.day("2026-03-03").activities.map(\.timeZone) == zones)
  }

  @Test func aFolderOfAWatchIsReadByContent() throws {
    let start = UInt32(1_773_475_200 - 631_065_600)
    func bytes(_ value: UInt32) -> [UInt8] { (0..<4).map { UInt8(value >> (8 * $0) & 0xFF) } }
    var data: [UInt8] = [0x40, 0, 0, 0, 0, 1, 0, 1, 0, 0, 4]
    data += [0x42, 0, 0, 18, 0, 4, 2, 4, 0x86, 5, 1, 0, 7, 4, 0x86, 9, 4, 0x86, 2] + bytes(start)
    data += [2] + bytes(1_800_000) + bytes(1_200_000)
    let head = [14, 0x20, 0, 0] + bytes(UInt32(data.count)) + Array(".FIT".utf8) + [0, 0]
    let fit = Data(head + data + [0, 0])
    let folder = try test.folder.file("watch/1.bin", fit).deletingLastPathComponent()
    _ = try test.folder.file("watch/run.tcx", Self.tcx(5))
    let runs = try ImportJob(archive: test.archive, homeZone: test.zone).run(folder)
    #expect(Set(runs.map(\.format)) == ["fit", "tcx"])
    #expect(try test.archive.counts().activities == 2)
    let ride = try #require(
      try test.day("2026-03-14").activities.first { $0.text == "Cycled 12 km" })
    #expect(ride.externalRefs.map(\.provider) == ["fit"])
  }

  @Test func aKMZComesInAsOneFormatWithItsPicturesNamed() throws {
    let text = """
      <kml><Document><Placemark><name>Hut</name><TimeStamp><when>2026-03-14</when></TimeStamp>
      <Point><coordinates>14.3,50.1</coordinates></Point></Placemark></Document></kml>
      """
    let zip = TestZip([("doc.kml", Data(text.utf8)), ("files/icon.png", Data("x".utf8))])
    let url = try test.folder.file("trip.kmz", try zip.data())
    let runs = try ImportJob(archive: test.archive, homeZone: test.zone).run(url)
    #expect(runs.map(\.format) == ["kml"] && runs[0].created == ["activity": 1])
    #expect(runs[0].warnings.contains { $0.place.contains("icon.png") })
    let day = try test.day("2026-03-14").activities
    #expect(day.map(\.text) == ["At Hut"] && day[0].lat == 50.1)
  }

  @Test func aLogOfGPSLoggerKeepsModesAndAnnotations() throws {
    var lines =
      "time,lat,lon,elevation,accuracy,bearing,speed,satellites,provider,hdop,vdop,pdop,geoidheight,"
      + "ageofdgpsdata,dgpsid,activity,battery,annotation\n"
    for minute in stride(from: 0, through: 30, by: 2) {
      let stamp = Instant(milliseconds: 1_773_475_200_000 + Int64(minute) * 60_000)
      lines +=
        "\(stamp),\(52.5 + Double(minute) * 0.001),13.4,40.0,5.0,,1.2,7,gps,,,,,,,"
        + "\(minute < 20 ? "ON_BICYCLE" : "WALKING"),80,\(minute == 10 ? "\"a heron\"" : "")\n"
    }
    let run = try run(try test.folder.file("20260314.csv", lines))
    #expect(run.format == "points")
    let texts = try test.day("2026-03-14").activities.map(\.text)
    #expect(texts.sorted() == ["At a heron", "Cycled 3.3 km"])
  }
}

import ArkivedCore
import ArkivedImport
import ArkivedTestSupport
import Foundation
import Testing

/// Pictures and files beside them that are cut off, lie, or were made to do harm.
///
/// The program that reads what is in pictures is not at hand here.
@Suite("Spoiled photos and what lies beside them", .timeLimit(.minutes(20)))
struct PhotoDamageTests {
  private final class Sink: ImportSink {
    var entries: [Activity] = []
    var told: [Diagnostic] = []

    func take(_ record: ImportedRecord) throws {
      guard case .activity(let activity) = record.value else { return }
      try activity.validate()
      entries.append(activity)
    }

    func diagnose(_ diagnostic: Diagnostic) { told.append(diagnostic) }
  }

  private let named = "IMG_20210503_101112.png"
  private let picture = TestPicture.png(
    width: 32, height: 32,
    camera: TestPicture.Camera(taken: "2021:05:03 10:11:12", model: "Pocket 3"))

  private func read(_ files: [(name: String, content: Data)], photos: Int = 1) throws -> Sink {
    let folder = try TemporaryFolder()
    let given = try files.map { name, content in
      ImportFile(url: try folder.file(name, content), name: name)
    }
    let sink = Sink()
    let context = ImportContext(
      now: TestArchive.now, homeZone: try #require(Zone("Europe/Rome")),
      identities: RandomIdentities(), files: Array(given.prefix(photos)))
    let importer = PhotosImporter(reader: ImageReader(program: "/nonexistent"))
    try importer.read(try #require(given.first), context: context, into: sink)
    return sink
  }

  @Test func aPictureCutAnywhereIsTakenByItsNameOrLeftOutAndTold() throws {
    for length in Array(0..<40) + Array(stride(from: 40, to: picture.count, by: 16)) {
      let sink = try read([(named, picture.prefix(length))])
      if length >= 16 {
        #expect(sink.entries.map(\.startAt) == [Instant("2021-05-03T08:11:12Z")], "\(length)")
      } else {
        #expect(sink.entries.count + sink.told.count { $0.severity == .skipped } == 1, "\(length)")
      }
    }
  }

  @Test func whatIsNoPictureOrTellsNoTimeIsNamed() throws {
    for (name, content) in [
      (named, Data()), (named, Data("words".utf8)), ("a.png", picture),
      ("IMG_99991399_101112.png", picture), ("IMG_00000000_000000.png", picture),
    ] {
      let sink = try read([(name, content)])
      #expect(sink.entries.isEmpty && sink.told.contains { $0.place == name }, "\(name)")
    }
  }

  private let sideCar = """
    {"title": "a.png", "description": "By the sea", "photoTakenTime": {"timestamp": "1622541600"},
    "geoData": {"latitude": 50.05, "longitude": 14.34}, "people": [{"name": "Zoë"}]}
    """

  @Test func aFileBesideAPictureMaySayAnythingAndNothing() throws {
    let whole = try read([("a.png", picture), ("a.png.json", Data(sideCar.utf8))])
    #expect(whole.entries.first?.startAt == Instant("2021-06-01T10:00:00Z"))
    #expect(whole.entries.first?.people.map(\.name) == ["Zoë"])
    var contents = (0..<sideCar.utf8.count).map { Data(sideCar.utf8).prefix($0) }
    let deep = String(repeating: "[", count: 100_000)
    for (old, new) in [
      ("1622541600", "99999999999999999999"), ("1622541600", "-1"), ("1622541600", "soon"),
      ("\"1622541600\"", "1622541600"), ("50.05", "1e999"), ("50.05", "\"50,05\""),
      ("\"By the sea\"", deep), ("\"By the sea\"", "[1, {}]"),
      ("{\"title\"", "{\"people\": 7, \"title\""),
      ("{\"timestamp\": \"1622541600\"}", "{}"),
    ] { contents.append(Data(sideCar.replacing(old, with: new).utf8)) }
    contents += [Data(deep.utf8), Data([0xFF, 0xFE, 0x7B, 0]), Data(count: 5_000_000)]
    for content in contents {
      // One that tells its own day comes in whatever stands beside it.
      let sink = try read([(named, picture), ("\(named).json", content)])
      #expect(sink.entries.count == 1)
      let other = try read([("a.png", picture), ("a.png.json", content)])
      #expect(other.entries.count + other.told.count { $0.place == "a.png" } >= 1)
    }
    for packet in [
      "", "exif:DateTimeOriginal=\"", "<exif:DateTimeOriginal>",
      "exif:DateTimeOriginal=\"9999-13-45T99:99:99\"",
      "exif:GPSLatitude=\"999,9N\" exif:GPSLongitude=\",,,E\"",
      "<!DOCTYPE x [<!ENTITY a SYSTEM \"file:///etc/passwd\">]><x>&a;</x>",
    ] {
      let sink = try read([(named, picture), ("\(named).xmp", Data(packet.utf8))])
      #expect(sink.entries.first?.startAt == Instant("2021-05-03T08:11:12Z"))
      #expect(sink.entries.first?.lat == nil)
    }
  }

  @Test func theSameContentUnderSeveralNamesComesInOnce() throws {
    let sink = try read(
      [(named, picture), ("copy/\(named)", picture), ("b.png", picture)], photos: 3)
    #expect(sink.entries.flatMap(\.attachments).count == 1)
    #expect(sink.told.contains { $0.message.contains("identical to another file") })
  }
}

import ArkivedCore
import ArkivedTestSupport
import Foundation
import Testing

@testable import ArkivedImport

@Suite("What TIFF and raw files tell")
struct TIFFFieldsTests {
  private let camera = TestPicture.Camera(
    taken: "2021:05:03 10:11:12", offset: "+02:00", place: (50.0875, -14.4213),
    satellites: ("2021:05:03", [8, 11, 12]), model: "Pocket 3")

  @Test func timeZonePlaceAndCameraAreRead() throws {
    var metadata = ImageMetadata()
    metadata.complete(with: TIFFFields.read(TestPicture.exif(camera)))
    #expect(metadata.takenAt == ImageMetadata.wallTime("2021:05:03 10:11:12"))
    #expect(metadata.offset == 7_200 && metadata.camera == "Pocket 3")
    let place = try #require(metadata.place)
    #expect(abs(place.lat - 50.0875) < 0.0001 && abs(place.lon + 14.4213) < 0.0001)
    #expect(metadata.satelliteTime == Instant("2021-05-03T08:11:12Z"))
  }

  @Test func theLowestByteMayComeFirst() {
    let text = Array("2021:05:03 10:11:12\0".utf8)
    var bytes = Array("II*\0".utf8) + [8, 0, 0, 0, 1, 0]
    bytes += [0x32, 0x01, 2, 0, UInt8(text.count), 0, 0, 0, 26, 0, 0, 0, 0, 0, 0, 0] + text
    #expect(TIFFFields.read(Data(bytes)) == ["DateTime": "2021:05:03 10:11:12"])
  }

  @Test func aFileCutOrSpoiledAnywhereTellsLessAndNeverMore() {
    let whole = TestPicture.exif(camera)
    let fields = TIFFFields.read(whole)
    #expect(fields.count == 9)
    for length in 0..<whole.count {
      #expect(TIFFFields.read(whole.prefix(length)).count <= fields.count)
      for value in [0, 0x7F, 0xFF] as [UInt8] {
        var spoiled = whole
        spoiled[spoiled.startIndex + length] = value
        #expect(TIFFFields.read(spoiled).count <= fields.count + 2)
      }
    }
    #expect(TIFFFields.read(Data("II*\0".utf8) + Data(count: 4)).isEmpty)
    #expect(TIFFFields.read(Data("JPEG".utf8)).isEmpty)
  }

  @Test func aPhotoInTIFFStandsAtItsTime() throws {
    let folder = try TemporaryFolder()
    let file = try folder.file("scan.tif", TestPicture.exif(camera))
    let sink = HealthSink()
    let context = ImportContext(
      now: TestArchive.now, homeZone: .utc, identities: CountedIdentities(),
      scratchFolder: { folder.url })
    try PhotosImporter().read(
      ImportFile(url: file, name: "scan.tif"), context: context, into: sink)
    #expect(sink.activities.map(\.startAt) == [Instant("2021-05-03T08:11:12Z")])
    #expect(sink.activities.first?.description == "Taken with Pocket 3")
  }
}

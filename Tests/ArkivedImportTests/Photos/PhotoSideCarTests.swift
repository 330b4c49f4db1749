import ArkivedCore
import Foundation
import Testing

@testable import ArkivedImport

/// The names are those of Google Takeout's exports of 2018 to 2025.
@Suite("Files beside photos")
struct PhotoSideCarTests {
  @Test(arguments: [
    ("IMG_1.jpg", "img_1.jpg.json"),
    ("IMG_1.jpg", "img_1.jpg.supplemental-metadata.json"),
    ("IMG_1.jpg", "img_1.jpg.supplemental-me.json"),
    ("IMG_1(1).jpg", "img_1.jpg(1).json"),
    ("IMG_1(1).jpg", "img_1.jpg.supplemental-metadata(1).json"),
    ("IMG_1-edited.jpg", "img_1.jpg.json"),
    ("IMG_1-edited(1).jpg", "img_1.jpg(1).json"),
    ("IMG_1-edited.jpg", "img_1-edited.jpg.json"),
    ("IMG_1-ha editado.jpg", "img_1.jpg.supplemental-metadata.json"),
    ("IMG_1-編集済み.jpg", "img_1.jpg.json"), ("IMG_1-EFFECTS.jpg", "img_1.jpg.json"),
    (
      "Screenshot_20210503-101112_An application.jpg",
      "screenshot_20210503-101112_an application.jpg.json"
    ),
    (
      "0123456789012345678901234567890123456789012345.jpg",
      "0123456789012345678901234567890123456789012345.json"
    ),
  ])
  func belongToTheirPhoto(_ photo: String, _ car: String) {
    let others = ["img_10.jpg.json", "img_2.jpg.json", "metadata.json", "img_1.jpg(2).json"]
    #expect(PhotoSideCar.takeoutName(of: photo, among: PhotoSideCarNames(others + [car])) == car)
    #expect(PhotoSideCar.isName(car))
  }

  @Test func doNotBelongToAnotherPhoto() {
    for name in ["img_1.jpg(1).json", "img_10.jpg.json", "img_.json", "metadata.json", "i.json"] {
      #expect(
        PhotoSideCar.takeoutName(of: "IMG_1.jpg", among: PhotoSideCarNames([name])) == nil,
        "\(name)")
    }
    for name in ["Journal.json", "export.json", "notes.md", "a.jpg"] {
      #expect(!PhotoSideCar.isName(name), "\(name)")
    }
  }

  @Test func tellTimePlaceWordsAndPeople() throws {
    let json = """
      {"title": "IMG_1.jpg", "description": "At the lake", "photoTakenTime":
      {"timestamp": "1620029472", "formatted": "3 May 2021, 08:11:12 UTC"},
      "geoData": {"latitude": 50.1, "longitude": 14.4, "altitude": 0.0},
      "geoDataExif": {"latitude": 0.0, "longitude": 0.0}, "people": [{"name": "Alex"}]}
      """
    let car = try #require(PhotoSideCar(takeout: Data(json.utf8)))
    #expect(car.instant == Instant("2021-05-03T08:11:12Z"))
    #expect(car.place == GeoPlace(lat: 50.1, lon: 14.4))
    #expect(car.caption == "At the lake" && car.people == ["Alex"])
    for broken in ["", "{", "[]", "{\"title\": 1}"] {
      #expect(PhotoSideCar(takeout: Data(broken.utf8)) == nil)
    }
  }

  @Test func inXMPTellTimeAndPlace() throws {
    let packet = """
      <x:xmpmeta><rdf:Description exif:DateTimeOriginal="2021-05-03T10:11:12+02:00"
      exif:GPSLatitude="50,6.0N" exif:GPSLongitude="14,24.0W"/></x:xmpmeta>
      """
    let car = try #require(PhotoSideCar(packet: packet))
    #expect(car.wall == ImageMetadata.wallTime("2021:05:03 10:11:12") && car.offset == 7_200)
    #expect(car.place == GeoPlace(lat: 50.1, lon: -14.4))
    let element = "<xmp:CreateDate>2021-05-03T10:11</xmp:CreateDate>"
    #expect(PhotoSideCar(packet: element)?.wall == ImageMetadata.wallTime("2021:05:03 10:11:00"))
    #expect(PhotoSideCar(packet: "exif:DateTimeOriginal=\"") == nil)
  }

  @Test func valuesOfEXIFAreReadAsTheyStandThere() {
    let answer = """
      exif-ifd0-Make\tCanon (Canon, ASCII, 6 components, 6 bytes)
      exif-ifd0-Model\tEOS (R5) (EOS (R5), ASCII, 9 components, 9 bytes)
      exif-ifd2-DateTimeOriginal\t2021:05:03 10:11:12 (2021:05:03 10:11:12, ASCII, 20 components, 20 bytes)
      exif-ifd3-GPSLatitudeRef\tS (S, ASCII, 2 components, 2 bytes)
      exif-ifd3-GPSLatitude\t50/1 5/1 3030/100 (50,  5, 30.30, Rational, 3 components, 24 bytes)
      exif-ifd3-GPSLongitude\t14/1 24/1 0/1 (14, 24,  0, Rational, 3 components, 24 bytes)
      exif-ifd3-GPSDateStamp\t2021:05:03 (2021:05:03, ASCII, 11 components, 11 bytes)
      exif-ifd3-GPSTimeStamp\t8/1 11/1 12/1 (08:11:12.00, Rational, 3 components, 24 bytes)

      <x:xmpmeta/>
      """
    let metadata = ImageMetadata(answer: Data(answer.utf8))
    #expect(metadata.camera == "Canon EOS (R5)")
    #expect(metadata.takenAt?.description == "2021-05-03T10:11:12")
    #expect(metadata.satelliteTime == Instant("2021-05-03T08:11:12Z"))
    #expect(abs((metadata.place?.lat ?? 0) + 50.091_75) < 0.000_01)
    #expect(metadata.packet == "<x:xmpmeta/>")
    #expect(ImageMetadata(answer: Data()).fields.isEmpty)
    #expect(ImageMetadata(answer: Data("x\ty".utf8)).packet == nil)
  }
}

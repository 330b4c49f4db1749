import ArkivedCore
import Foundation
import Testing

@testable import ArkivedImport

@Suite("When a photo was taken")
struct PhotoTimeTests {
  private let rome: Zone

  init() throws { rome = try #require(Zone("Europe/Rome")) }

  private func wall(_ text: String) throws -> WallTime {
    try #require(ImageMetadata.wallTime(text))
  }

  @Test func theCamerasOffsetTellsTheInstantAndAZone() throws {
    let home = PhotoTime(
      wall: try wall("2021:05:03 10:11:12"), offset: 7_200, utc: nil, home: rome)
    #expect(home.instant == Instant("2021-05-03T08:11:12Z") && home.zone == rome)
    let tokyo = PhotoTime(
      wall: try wall("2021:05:03 10:11:12"), offset: 32_400, utc: nil, home: rome)
    #expect(tokyo.instant == Instant("2021-05-03T01:11:12Z"))
    #expect(tokyo.zone.identifier == "Etc/GMT-9" && tokyo.day == DayKey("2021-05-03"))
    let india = PhotoTime(
      wall: try wall("2021:05:03 01:00:00"), offset: 19_800, utc: nil, home: rome)
    #expect(india.zone.identifier == "Asia/Kolkata" && india.day == DayKey("2021-05-03"))
  }

  @Test(arguments: [
    ("2021:07:03 10:11:12", -9_000, "America/St_Johns"),
    ("2021:01:03 10:11:12", -12_600, "America/St_Johns"),
    ("2021:01:03 10:11:12", 37_800, "Australia/Adelaide"),
    ("2021:07:03 10:11:12", 37_800, "Australia/Lord_Howe"),
  ])
  func anOffsetOfHalfAnHourIsThatOfAPlaceAtThatTime(
    clock: String, offset: Int, zone: String
  ) throws {
    let wall = try wall(clock)
    let time = PhotoTime(wall: wall, offset: offset, utc: nil, home: rome)
    let start = try #require(time.instant)
    #expect(time.zone.identifier == zone && time.zone.wallTime(at: start) == wall)
  }

  @Test func satellitesAndServicesTellTheOffsetWhereTheCameraDoesNot() throws {
    let taken = PhotoTime(
      wall: try wall("2021:05:03 10:11:12"), offset: nil,
      utc: Instant("2021-05-03T01:11:14Z"), home: rome)
    #expect(taken.instant == Instant("2021-05-03T01:11:12Z"))
    // A clock that went wrong by hours and minutes is no zone; home is taken.
    let wrong = PhotoTime(
      wall: try wall("2021:05:03 10:11:12"), offset: nil,
      utc: Instant("2021-05-03T01:18:30Z"), home: rome)
    #expect(wrong.zone == rome && wrong.instant == Instant("2021-05-03T08:11:12Z"))
  }

  @Test(arguments: [
    ("IMG_20210503_101112.jpg", "2021-05-03T08:11:12Z"),
    ("PXL_20210503_101112345.jpg", "2021-05-03T10:11:12Z"),
    ("20210503101112.jpg", "2021-05-03T08:11:12Z"),
    ("Screenshot 2021-05-03 at 10.11.12.png", "2021-05-03T08:11:12Z"),
    ("2021-05-03 10.11.12-2.jpg", "2021-05-03T08:11:12Z"),
    ("Screenshot 2021-05-03 at 9.11.12\u{202F}PM.png", "2021-05-03T19:11:12Z"),
    ("Screen Shot 2021-05-03 at 12.11.12 AM.png", "2021-05-02T22:11:12Z"),
    ("WhatsApp Image 2021-05-03 at 10.11.12 PM (1).jpeg", "2021-05-03T20:11:12Z"),
    ("Captura 2021-05-03 a las 9.11.12 p. m..png", "2021-05-03T19:11:12Z"),
    ("截屏2021-05-03 下午9.11.12.png", "2021-05-03T19:11:12Z"),
    ("2021-05-03 10.11.12 Pam.jpg", "2021-05-03T08:11:12Z"),
  ])
  func namesOfFilesTellATime(_ name: String, _ expected: String) throws {
    #expect(PhotoTime(fileName: name, home: rome)?.instant == Instant(expected))
  }

  @Test func namesOfFilesTellADayOrNothing() throws {
    let message = try #require(PhotoTime(fileName: "IMG-20210503-WA0001.jpg", home: rome))
    #expect(message.day == DayKey("2021-05-03") && message.instant == nil)
    for name in ["DSC01234.JPG", "20211399_101112.jpg", "photo.jpg", "12345678.png", ""] {
      #expect(PhotoTime(fileName: name, home: rome) == nil, "\(name)")
    }
  }

  @Test func aTimeThatCannotBeIsNone() throws {
    #expect(ImageMetadata.wallTime("0000:00:00 00:00:00") == nil)
    #expect(ImageMetadata.wallTime("    :  :     :  :  ") == nil)
    let late = try #require(Instant("2031-01-01T00:00:00Z"))
    let now = try #require(Instant("2026-01-01T00:00:00Z"))
    #expect(!PhotoTime(instant: late, home: rome).isPlausible(now: now))
  }

  @Test func theHeadOfAVideoTellsWhenItWasMade() throws {
    func number(_ value: UInt32) -> [UInt8] {
      [UInt8(value >> 24), UInt8(value >> 16 & 255), UInt8(value >> 8 & 255), UInt8(value & 255)]
    }
    func box(_ name: String, _ content: [UInt8]) -> [UInt8] {
      let length = UInt32(content.count + 8)
      return number(length) + Array(name.utf8) + content
    }
    // 2021-05-03T08:11:12Z in seconds since 1904.
    let seconds = UInt32(1_620_029_472 + 2_082_844_800)
    let made = number(seconds)
    let head = box("mvhd", [0, 0, 0, 0] + made + [UInt8](repeating: 0, count: 20))
    let film = box("ftyp", Array("isom".utf8)) + box("free", []) + box("moov", head)
    #expect(VideoTime.instant(Data(film)) == Instant("2021-05-03T08:11:12Z"))
    // Wherever it is cut off, it is nothing worse than a film without a time.
    for length in 0..<film.count { _ = VideoTime.instant(Data(film.prefix(length))) }
    #expect(VideoTime.instant(Data(box("moov", box("mvhd", [1, 0, 0, 0])))) == nil)
    #expect(VideoTime.instant(Data([0, 0, 0, 1] + Array("moov".utf8))) == nil)
    #expect(VideoTime.instant(Data([UInt8](repeating: 0xFF, count: 64))) == nil)
  }
}

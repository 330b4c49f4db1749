import ArkivedCore
import ArkivedTestSupport
import Foundation
import Testing

@testable import ArkivedEngine
@testable import ArkivedStore

@Suite("The home time zone of an archive")
struct HomeZoneTests {
  private func withFolder(_ body: (Archive, URL) throws -> Void) throws {
    let folder = try TemporaryFolder()
    let archive = try Archive(at: .folder(folder.url), clock: FixedClock(TestArchive.now))
    try body(archive, folder.url)
  }

  @Test func aChosenZoneIsKeptUntilTheComputersIsFollowedAgain() throws {
    try withFolder { archive, folder in
      #expect(try HomeZone.chosen(in: folder) == nil)
      try HomeZone.choose("Asia/Tokyo", of: archive)
      #expect(try HomeZone.chosen(in: folder)?.identifier == "Asia/Tokyo")
      try HomeZone.choose(nil, of: archive)
      #expect(try HomeZone.chosen(in: folder) == nil)
    }
  }

  @Test(arguments: [
    ("rome", "Europe/Rome"), ("New York", "America/New_York"), ("europe/berlin", "Europe/Berlin"),
  ])
  func aCityIsEnough(typed: String, zone: String) throws {
    try withFolder { archive, folder in
      try HomeZone.choose(typed, of: archive)
      #expect(try HomeZone.chosen(in: folder)?.identifier == zone)
    }
  }

  @Test func anUnknownZoneLeavesTheChoiceAsItWas() throws {
    try withFolder { archive, folder in
      try HomeZone.choose("Asia/Tokyo", of: archive)
      #expect(throws: FieldError.self) { try HomeZone.choose("Mars/Olympus", of: archive) }
      #expect(try HomeZone.chosen(in: folder)?.identifier == "Asia/Tokyo")
    }
  }

  @Test(arguments: ["", "{", "[]", #"{"zone": 7}"#, #"{"zone": "Mars/Olympus"}"#])
  func aDamagedSettingIsRefusedWithItsPlace(content: String) throws {
    try withFolder { _, folder in
      let file = folder.appendingPathComponent("zone.json")
      try Data(content.utf8).write(to: file)
      let error = #expect(throws: FieldError.self) { try HomeZone.chosen(in: folder) }
      #expect(error?.field == file.path)
    }
  }

  /// Without the choice, entries would silently be written in the computer's zone.
  @Test func aSettingThatCannotBeReadIsRefusedWithItsPlace() throws {
    try withFolder { _, folder in
      let file = folder.appendingPathComponent("zone.json")
      try FileManager.default.createDirectory(at: file, withIntermediateDirectories: false)
      let error = #expect(throws: FieldError.self) { try HomeZone.chosen(in: folder) }
      #expect(error?.field == file.path)
    }
  }

  @Test func anArchiveInMemoryHasNone() throws {
    let archive = try Archive(at: .memory, clock: FixedClock(TestArchive.now))
    #expect(throws: ArchiveError.self) { try HomeZone.choose("Asia/Tokyo", of: archive) }
  }
}

import ArkivedTestSupport
import Foundation
import Testing

@testable import ArkivedImport

@Suite("How much may come out of a zip archive")
struct ZipRoomTests {
  @Test func aSmallArchiveDoesNotFillTheDisk() throws {
    let folder = try TemporaryFolder()
    let content = try TestZip([("a.gpx", Data(count: 1 << 20))]).data()
    let zip = try ZipFile(try folder.file("a.zip", content))
    #expect(try ZipMembers.room(for: zip, in: folder.url) <= 1 << 30)
    // What comes out is counted, whatever the archive says.
    let target = folder.url.appendingPathComponent("out")
    let failures = try zip.unpack([0: target], sizeLimit: 1 << 30, totalLimit: 1 << 19)
    #expect(failures == [0: .noRoom] && !FileManager.default.fileExists(atPath: target.path))
  }
}

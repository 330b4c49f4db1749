import ArkivedBackup
import ArkivedCore
import ArkivedTestSupport
import Foundation
import Testing

@Suite("A backup that is not encrypted")
struct ZipSealTests {
  private let folder: TemporaryFolder
  private let whole: Data

  init() throws {
    folder = try TemporaryFolder()
    var bytes = Data()
    let writer = try BackupWriter(for: nil, madeAt: 1_773_518_400) { bytes.append($0) }
    // Packed it is no power of two: one flipped bit of a count that may be left 0 cannot make it true.
    try writer.add(BackupManifest.guideName, Data("What this is, and how to open it.\n".utf8))
    let line = "{\"type\":\"activity\",\"text\":\"a walk\"}\n"
    try writer.add("01-activity.jsonl", Data(line.utf8))
    var manifest = BackupManifest(
      madeAt: TestArchive.now, program: "1", schema: "001", lines: 1)
    manifest.counts = ["activity": 1]
    _ = try writer.finish(manifest)
    whole = bytes
  }

  private func read(_ content: Data) throws {
    let file = folder.url.appendingPathComponent("life.zip")
    try content.write(to: file)
    try BackupReader(file, unlocks: []).check()
  }

  @Test func isReadWhole() throws { try read(whole) }

  @Test func isRefusedWhicheverBitOfItChanges() throws {
    for index in whole.indices {
      var altered = whole
      altered[index] ^= 1 << UInt8(index % 8)
      #expect(throws: (any Error).self, "byte \(index) of \(whole.count)") { try read(altered) }
    }
  }

  @Test func isRefusedWithAnythingBeforeOrBehindIt() throws {
    for other in [whole + [0], [0x50, 0x4B] + whole, whole + whole, Data(whole.dropLast())] {
      #expect(throws: (any Error).self) { try read(other) }
    }
  }

  @Test func opensInOtherProgramsAsWell() throws {
    let file = folder.url.appendingPathComponent("life.zip")
    try whole.write(to: file)
    let test = try Process.run(
      URL(fileURLWithPath: "/usr/bin/unzip"), arguments: ["-tqq", file.path])
    test.waitUntilExit()
    #expect(test.terminationStatus == 0)
  }

  @Test func ofAnEarlierVersionIsReadAndCheckedInItsShape() throws {
    // The seal taken away, as earlier versions wrote it.
    var earlier = Data(whole.dropLast(72))
    earlier[earlier.count - 2] = 0
    try read(earlier)
    for other in [earlier + [0], [0x50, 0x4B] + earlier, earlier + earlier] {
      #expect(throws: (any Error).self) { try read(other) }
    }
    // Beside the packed content, every byte is checked by what the archive says twice.
    let headers = try headers(of: earlier)
    #expect(headers.count > 200)
    for place in headers {
      for bit: UInt8 in [0x01, 0x10, 0x80] {
        var altered = earlier
        altered[place] ^= bit
        #expect(throws: (any Error).self, "byte \(place), bit \(bit)") { try read(altered) }
      }
    }
  }

  /// The places of all bytes but those of packed content, a few of which may change without changing what
  /// they unpack to.
  private func headers(of archive: Data) throws -> [Int] {
    var packed: Set<Int> = []
    var start = 0
    let (local, descriptor) = (Data([0x50, 0x4B, 3, 4]), Data([0x50, 0x4B, 7, 8]))
    while let head = archive.range(of: local, in: start..<archive.count) {
      let names = Int(archive[head.lowerBound + 26]) + Int(archive[head.lowerBound + 28])
      let content = head.lowerBound + 30 + names
      let end = try #require(archive.range(of: descriptor, in: content..<archive.count))
      packed.formUnion(content..<end.lowerBound)
      start = end.upperBound
    }
    return archive.indices.filter { !packed.contains($0) }
  }
}

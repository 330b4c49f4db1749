import ArkivedBackup
import ArkivedCore
import ArkivedEngine
import ArkivedStore
import ArkivedTestSupport
import Foundation
import Testing

@Suite("Attached files that can’t be read")
struct UnreadableFileTests {
  /// A file on a disk with a bad block.
  private final class BadBlock: RandomBytes {
    private let content: Data
    private let bad: Int
    let count: Int

    init(_ content: Data, at bad: Int, count: Int? = nil) {
      self.content = content
      self.bad = bad
      self.count = count ?? content.count
    }

    func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
      if (offset..<offset + buffer.count).contains(bad) { throw CocoaError(.fileReadUnknown) }
      let piece = content.dropFirst(offset).prefix(buffer.count)
      piece.copyBytes(to: buffer)
      return piece.count
    }
  }

  private func attached(_ content: Data, _ test: TestArchive) throws -> ArkivedCore.Attachment {
    let attachment = try test.archive.store(
      content,
      as: ArkivedCore.Attachment(
        id: test.archive.identities.next(), type: .file, originalName: "film.mp4",
        createdAt: test.clock.now, updatedAt: test.clock.now))
    var activity = try test.activity("a film")
    activity.attachments = [attachment]
    try test.archive.add(activity)
    return attachment
  }

  @Test(arguments: [true, false])
  func oneBadBlockKeepsNothingElseOut(isShorter: Bool) throws {
    let test = try TestArchive()
    let film = Data((0..<700_000).map { UInt8(truncatingIfNeeded: $0 / 7 + 1) })
    let (bad, whole) = (try attached(film, test), try attached(Data("whole".utf8), test))
    let path = try #require(bad.relativePath)
    var job = BackupJob(archive: test.archive, target: nil)
    job.opens = { file in
      guard file.path.hasSuffix(path) else { return try PlainFile(file) }
      return isShorter
        ? BadBlock(film.prefix(300_000), at: -1, count: film.count)
        : BadBlock(film, at: 300_000)
    }
    let file = test.folder.url.appendingPathComponent("life.zip")
    #expect(try job.write(to: file).manifest.missing == [path])
    let target = try TestArchive()
    _ = try RestoreJob(archive: target.archive, homeZone: target.zone)
      .prepare(file, unlocks: []).apply()
    #expect(try target.archive.counts().activities == 2)
    let copy = try #require(target.archive.file(of: whole))
    #expect(try Data(contentsOf: copy) == Data("whole".utf8))
    let rest = try Data(contentsOf: try #require(target.archive.file(of: bad)))
    #expect(rest.count == film.count && rest.prefix(290_000) == film.prefix(290_000))
    #expect(isShorter || rest.suffix(390_000) == film.suffix(390_000))
  }

  @Test func theCheckNamesAFileThatCannotBeRead() throws {
    let test = try TestArchive()
    let film = try attached(Data("film".utf8), test)
    let file = try #require(test.archive.file(of: film))
    // Reading a folder fails as a bad block does.
    try FileManager.default.removeItem(at: file)
    try FileManager.default.createDirectory(at: file, withIntermediateDirectories: false)
    try test.add("a walk")
    let copy = test.folder.url.appendingPathComponent("copy")
    #expect(throws: POSIXFailure.self) { try test.archive.writePlainCopy(to: copy) }
    #expect(try Archive(at: .folder(copy), clock: test.clock).counts().activities == 2)
    let export = test.folder.url.appendingPathComponent("export/life.jsonl")
    let path = try #require(film.relativePath)
    let summary = try ExportJob(archive: test.archive).writeJSONLines(to: export)
    #expect(summary.missingFiles == [path])
    let found = try test.archive.examine().first { $0.check == "attachments" }
    #expect(found?.verdict == .problem && found?.detail.hasPrefix("altered files (1)") == true)
  }
}

import ArkivedCore
import ArkivedTestSupport
import Foundation
import GRDB
import Testing

@testable import ArkivedStore

@Suite("Files that nothing refers to")
struct RemovedFileTests {
  private let test: TestArchive
  private var archive: Archive { test.archive }

  init() throws { test = try TestArchive() }

  private func file(_ byte: UInt8) throws -> ArkivedCore.Attachment {
    try archive.store(
      Data([byte]),
      as: ArkivedCore.Attachment(
        id: archive.identities.next(), type: .file, createdAt: test.clock.now,
        updatedAt: test.clock.now))
  }

  private func isThere(_ attachment: ArkivedCore.Attachment) throws -> Bool {
    let file = try #require(archive.file(of: attachment))
    return FileManager.default.fileExists(atPath: file.path)
  }

  @Test func onlyTheyAreFoundAndRemovedTogether() throws {
    let files = try (0..<5).map { try file($0) }
    let paths = files.compactMap(\.relativePath)
    let (here, old) = (try test.add("here"), try test.add("old"))
    _ = try archive.attach([files[0]], to: .activity(here.id))
    _ = try archive.attach([files[1]], to: .activity(old.id))
    _ = try archive.deleteAttachment(files[1].id)
    let waiting = "{\"attachments\":[{\"relativePath\":\"\(paths[2])\"}]}"
    try archive.writer.write { db in
      try db.execute(
        sql: "INSERT INTO import_pending (change_pk, record) SELECT max(pk), ? FROM change_rows",
        arguments: [waiting])
    }
    // All are looked up in one pass over the old versions.
    #expect(try archive.neededPaths(among: Set(paths)) == Set(paths.prefix(3)))
    #expect(try archive.removeFiles(Set(paths)) == 2)
    #expect(try files.map(isThere) == [true, true, true, false, false])
    #expect(archive.unfinishedFiles().isEmpty)
  }
}

import ArkivedCore
import ArkivedEngine
import ArkivedImport
import ArkivedStore
import ArkivedTestSupport
import Foundation
import Testing

@Suite("Photos that stay in their folders")
struct PhotoReferenceTests {
  private func take(
    _ test: TestArchive, _ folder: URL, leavesPhotos: Bool = true
  ) throws -> ImportRun {
    var wishes = ImportJob.Wishes()
    wishes.leavesPhotos = leavesPhotos
    let job = ImportJob(
      archive: test.archive, homeZone: test.zone, importers: ImportJob.importers(for: wishes))
    return try #require(try job.run(folder).first)
  }

  /// Two photos of one morning, dated by their names.
  private func pictures(_ test: TestArchive) throws -> URL {
    for (name, seed) in [("IMG_20210503_101112.png", 1), ("IMG_20210503_101500.png", 2)] {
      _ = try test.folder.file(
        "pictures/\(name)", TestPicture.png(width: 8, height: 8, seed: UInt8(seed)))
    }
    return test.folder.url.appendingPathComponent("pictures")
  }

  private func attachments(_ test: TestArchive) throws -> [ArkivedCore.Attachment] {
    try test.day("2021-05-03").activities.flatMap(\.attachments)
  }

  private func verdicts(_ test: TestArchive) throws -> [Archive.Finding.Verdict] {
    try test.archive.examine().filter { $0.check == "originals" }.map(\.verdict)
  }

  @Test func areReferredToAndNotCopied() throws {
    let test = try TestArchive()
    let folder = try pictures(test)
    #expect(try take(test, folder).created == ["activity": 1])
    let found = try attachments(test)
    #expect(found.count == 2 && found.allSatisfy { $0.relativePath == nil })
    #expect(
      found.first?.original?.path == folder.appendingPathComponent("IMG_20210503_101112.png").path)
    for attachment in found {
      let original = try #require(attachment.original)
      #expect(try test.archive.content(of: attachment) == Data(contentsOf: original))
    }
    let kept = test.archive.attachmentsFolder.flatMap {
      try? FileManager.default.subpathsOfDirectory(atPath: $0.path)
    }
    #expect((kept ?? []).isEmpty)
    #expect(try verdicts(test) == [.good])
    #expect(try test.archive.photoFiles(limit: 10).count == 2)
    let again = try take(test, folder)
    #expect(again.created.isEmpty && again.updated == 0 && again.unchanged == 1)
  }

  @Test func areFoundAgainWhereTheirFolderWasMovedTo() throws {
    let test = try TestArchive()
    let folder = try pictures(test)
    _ = try take(test, folder)
    let moved = test.folder.url.appendingPathComponent("elsewhere")
    try FileManager.default.moveItem(at: folder, to: moved)
    let lost = try #require(try attachments(test).first)
    #expect(throws: ArchiveError.self) { try test.archive.content(of: lost) }
    #expect(try verdicts(test) == [.advice])
    let run = try take(test, moved)
    #expect(run.created.isEmpty && run.updated == 1)
    for attachment in try attachments(test) {
      #expect(throws: Never.self) { try test.archive.content(of: attachment) }
      #expect(attachment.original?.path.contains("elsewhere") == true)
    }
    #expect(try verdicts(test) == [.good])
    #expect(try take(test, moved).updated == 0)
  }

  @Test func areFoundAgainInAnEntryThatItsOwnerChanged() throws {
    let test = try TestArchive()
    let folder = try pictures(test)
    _ = try take(test, folder)
    let entry = try #require(try test.day("2021-05-03").activities.first)
    _ = try test.archive.updateActivity(entry.id) { $0.notes = "by the lake" }
    let moved = test.folder.url.appendingPathComponent("elsewhere")
    try FileManager.default.moveItem(at: folder, to: moved)
    #expect(try take(test, moved).updated == 1)
    #expect(try verdicts(test) == [.good])
    #expect(try test.day("2021-05-03").activities.first?.notes == "by the lake")
    // It is its owner's still: what an export tells anew leaves it alone.
    let known = try #require(entry.externalRefs.first)
    let line =
      #"{"type":"activity","text":"other","dayKey":"2021-05-03","provider":"\#(known.provider)","#
      + #""externalId":"\#(known.externalID)"}"#
    let file = try test.folder.file("life.jsonl", line)
    _ = try ImportJob(archive: test.archive, homeZone: test.zone).run(file)
    #expect(try test.day("2021-05-03").activities.first?.notes == "by the lake")
    #expect(try test.day("2021-05-03").activities.first?.text == entry.text)
  }

  @Test func areFoundAgainWhereSomethingElseLiesInTheirPlace() throws {
    let test = try TestArchive()
    let folder = try pictures(test)
    _ = try take(test, folder)
    let moved = test.folder.url.appendingPathComponent("elsewhere")
    try FileManager.default.moveItem(at: folder, to: moved)
    for name in ["IMG_20210503_101112.png", "IMG_20210503_101500.png"] {
      _ = try test.folder.file("pictures/\(name)", "something else")
    }
    #expect(try take(test, moved).updated == 1)
    #expect(try verdicts(test) == [.good])
  }

  @Test func areNotTakenForOthersOfTheSameSizeAndTime() throws {
    let test = try TestArchive()
    let folder = try pictures(test)
    _ = try take(test, folder)
    let first = try #require(try attachments(test).first)
    let original = try #require(first.original)
    // Looked at before, so that it is known by how it looked.
    #expect(throws: Never.self) { try test.archive.content(of: first) }
    let written = try FileManager.default.attributesOfItem(atPath: original.path)[
      .modificationDate]
    usleep(20_000)
    try TestPicture.png(width: 8, height: 8, seed: 9).write(to: original)
    try FileManager.default.setAttributes(
      [.modificationDate: try #require(written)], ofItemAtPath: original.path)
    #expect(throws: ArchiveError.self) { try test.archive.content(of: first) }
  }

  @Test func areCopiedWhenThatIsAskedForLater() throws {
    let test = try TestArchive()
    let folder = try pictures(test)
    _ = try take(test, folder)
    #expect(try take(test, folder, leavesPhotos: false).updated == 1)
    #expect(try attachments(test).allSatisfy { $0.relativePath != nil && $0.original == nil })
    #expect(try take(test, folder, leavesPhotos: false).updated == 0)
    try FileManager.default.removeItem(at: folder)
    #expect(try test.archive.examine().allSatisfy { $0.verdict == .good })
  }

  @Test func areNotTakenForWhatLiesInTheirPlace() throws {
    let test = try TestArchive()
    let folder = try pictures(test)
    _ = try take(test, folder)
    let first = try #require(try attachments(test).first)
    let original = try #require(first.original)
    // Of the same size, and another picture.
    try TestPicture.png(width: 8, height: 8, seed: 9).write(to: original)
    #expect(throws: ArchiveError.self) { try test.archive.content(of: first) }
    #expect(try verdicts(test) == [.advice])
  }

  @Test func areCopiedOutOfAnArchiveAndThatIsTold() throws {
    let test = try TestArchive()
    let zip = TestZip([
      ("IMG_20210503_101112.png", TestPicture.png(width: 8, height: 8, seed: 1))
    ])
    let run = try take(test, try test.folder.file("pictures.zip", try zip.data()))
    #expect(run.warnings.contains { $0.message.contains("were copied") })
    #expect(try attachments(test).allSatisfy { $0.relativePath != nil })
  }

  @Test func anAddressThatNamesAnythingElseIsRefusedOrNotRead() throws {
    let test = try TestArchive()
    let secret = try test.folder.file("secret.txt", "the secret words")
    let hash = String(repeating: "a", count: 64)
    func line(_ fields: String) -> String {
      #"{"type":"activity","text":"x","dayKey":"2021-05-03","attachments":[{"type":"photo","#
        + #""externalURL":"\#(secret.absoluteString)"\#(fields)}]}"#
    }
    let lines = [
      line(""), line(#","contentHash":"\#(hash)","byteCount":16"#),
      line(#","contentHash":"\#(hash)","byteCount":16,"mediaType":"image/png""#),
    ]
    let file = try test.folder.file("life.jsonl", lines.joined(separator: "\n"))
    let run = try #require(
      try ImportJob(archive: test.archive, homeZone: test.zone).run(file).first)
    #expect(run.created == ["activity": 1] && run.skipped == 2)
    let attachment = try #require(try attachments(test).first)
    #expect(throws: ArchiveError.self) { try test.archive.content(of: attachment) }
  }
}

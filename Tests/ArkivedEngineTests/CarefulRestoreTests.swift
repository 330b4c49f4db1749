import ArkivedBackup
import ArkivedCore
import ArkivedCrypto
import ArkivedEngine
import ArkivedStore
import ArkivedTestSupport
import Foundation
import Testing

@Suite("Restoring loses nothing")
struct CarefulRestoreTests {
  private func attached(_ text: String, in test: TestArchive) throws -> URL {
    let attachment = try test.archive.store(
      Data(text.utf8),
      as: ArkivedCore.Attachment(
        id: test.archive.identities.next(), type: .file, originalName: "photo.txt",
        createdAt: test.clock.now, updatedAt: test.clock.now))
    var activity = try test.activity("with \(text)")
    activity.attachments = [attachment]
    try test.archive.add(activity)
    return try #require(test.archive.file(of: attachment))
  }

  private func backup(_ test: TestArchive, _ name: String = "life.zip") throws -> URL {
    let file = test.folder.url.appendingPathComponent(name)
    _ = try BackupJob(archive: test.archive, target: nil).write(to: file)
    return file
  }

  private func restore(_ file: URL, into test: TestArchive) throws -> PreparedRestore {
    try RestoreJob(archive: test.archive, homeZone: test.zone).prepare(file, unlocks: [])
  }

  private func texts(_ archive: Archive) throws -> [String] {
    try archive.day(try #require(DayKey("2026-03-14"))).activities.map(\.text).sorted()
  }

  @Test func aRottenFileOfABackupReplacesNoIntactOne() throws {
    let test = try TestArchive()
    let file = try attached("a photo", in: test)
    try Data("rotten".utf8).write(to: file)
    let copy = try backup(test)
    try Data("a photo".utf8).write(to: file)
    let prepared = try restore(copy, into: test)
    #expect(prepared.manifest?.missing.count == 1)
    _ = try prepared.apply()
    #expect(try Data(contentsOf: file) == Data("a photo".utf8))
    // The other way round, the backup's one is better.
    let whole = try backup(test, "whole.zip")
    try Data("rotten".utf8).write(to: file)
    _ = try restore(whole, into: test).apply()
    #expect(try Data(contentsOf: file) == Data("a photo".utf8))
  }

  @Test func aDatabaseIsRestoredWithItsLog() throws {
    let (old, test) = (try TestArchive(), try TestArchive())
    try old.add("settled")
    old.archive.settle()
    try old.add("only in the log")
    // As a killed program leaves its archive.
    let database = try #require(old.archive.databaseFile)
    let left = try test.folder.file("left/archive.sqlite", try Data(contentsOf: database))
    let log = try Data(contentsOf: URL(fileURLWithPath: database.path + "-wal"))
    #expect(!log.isEmpty)
    _ = try test.folder.file("left/archive.sqlite-wal", log)
    _ = try restore(left, into: test).apply()
    #expect(try texts(test.archive) == ["only in the log", "settled"])
  }

  @Test func aDatabaseBehindALinkStaysAsItIs() throws {
    let old = try OlderArchive(steps: 2)
    let database = old.home.appendingPathComponent("archive.sqlite")
    let before = SHA256.hash(data: try Data(contentsOf: database)).hexadecimal
    try FileManager.default.setAttributes([.posixPermissions: 0o444], ofItemAtPath: database.path)
    let test = try TestArchive()
    let link = test.folder.url.appendingPathComponent("link.sqlite")
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: database)
    _ = try restore(link, into: test).apply()
    #expect(try test.archive.counts().activities > 0)
    #expect(SHA256.hash(data: try Data(contentsOf: database)).hexadecimal == before)
  }

  /// Writes a backup as a newer version might.
  private func backup(of line: String, version: Int, in test: TestArchive) throws -> URL {
    var content = Data()
    let writer = try BackupWriter(for: nil, madeAt: 0) { content.append($0) }
    try writer.add(MemberName.lines(1, "activity"), Data("\(line)\n".utf8))
    _ = try writer.finish(
      BackupManifest(
        madeAt: test.clock.now, program: "99", schema: "999-new", lines: version,
        counts: ["activity": 1]))
    return try test.folder.file("newer \(version).zip", content)
  }

  @Test func whatANewerVersionWroteIsNotLostInSilence() throws {
    let test = try TestArchive()
    let line =
      #"{"type":"activity","id":"22222222-2222-4222-8222-222222222222","text":"walk","#
      + #""dayKey":"2026-03-14","brightness":7}"#
    let file = try backup(of: line, version: 1, in: test)
    let prepared = try restore(file, into: test)
    #expect(prepared.shortfalls.count == 1)
    #expect(prepared.shortfalls.first?.contains("“brightness”") == true)
    prepared.remove()
    let job = RestoreJob(archive: test.archive, homeZone: test.zone)
    #expect(try !job.test(file, unlocks: []).isGood)
    let newer = try backup(of: line, version: 2, in: test)
    #expect(throws: BackupFailure.newer(2)) { try restore(newer, into: test) }
    #expect(throws: BackupFailure.newer(2)) {
      try MergeJob(archive: test.archive, homeZone: test.zone).prepare(newer)
    }
  }

  @Test func anAlteredFileReplacesNoIntactCopy() throws {
    let test = try TestArchive()
    let photo = try attached("a photo", in: test)
    let path =
      "attachments/\(photo.deletingLastPathComponent().lastPathComponent)/\(photo.lastPathComponent)"
    let copy = test.folder.url.appendingPathComponent("copy")
    let export = test.folder.url.appendingPathComponent("export")
    let job = ExportJob(archive: test.archive)
    func write() throws -> ExportJob.Summary {
      _ = try test.archive.writePlainCopy(to: copy)
      return try job.writeJSONLines(to: export.appendingPathComponent("life.jsonl"))
    }
    #expect(try write().missingFiles.isEmpty)
    try Data("rotten".utf8).write(to: photo)
    #expect(try write().missingFiles.isEmpty)
    for folder in [copy, export] {
      let kept = try Data(contentsOf: folder.appendingPathComponent(path))
      #expect(kept == Data("a photo".utf8))
    }
    // A damaged copy is replaced by an intact file.
    try Data("a photo".utf8).write(to: photo)
    for folder in [copy, export] {
      try Data("bad".utf8).write(to: folder.appendingPathComponent(path))
    }
    #expect(try write().missingFiles.isEmpty)
    for folder in [copy, export] {
      let kept = try Data(contentsOf: folder.appendingPathComponent(path))
      #expect(kept == Data("a photo".utf8))
    }
  }

  @Test func aNewArchiveFromASnapshotHasItsFiles() throws {
    let test = try TestArchive()
    let photo = try attached("a photo", in: test)
    let lost = try attached("lost", in: test)
    let copy = try #require(try test.archive.writeSnapshot(label: "copy"))
    let job = RestoreJob(archive: test.archive, homeZone: test.zone)
    #expect(try job.test(copy, unlocks: []).isGood)
    try FileManager.default.removeItem(at: lost)
    let prepared = try restore(copy, into: test)
    let missing = "\(lost.deletingLastPathComponent().lastPathComponent)/\(lost.lastPathComponent)"
    #expect(try prepared.missing() == [missing] && prepared.contents().missing == [missing])
    let folder = test.folder.url.appendingPathComponent("beside")
    try prepared.makeArchive(at: folder)
    let beside = try Archive(at: .folder(folder), clock: test.clock)
    let files = try beside.attachments().compactMap { beside.file(of: $0) }
    let kept = try #require(files.first { $0.lastPathComponent == photo.lastPathComponent })
    #expect(try Data(contentsOf: kept) == Data("a photo".utf8))
    // The archive's own files stay where they are.
    #expect(try Data(contentsOf: photo) == Data("a photo".utf8))
    _ = try restore(copy, into: test).apply()
    #expect(try Data(contentsOf: photo) == Data("a photo".utf8))
    #expect(!FileManager.default.fileExists(atPath: lost.path))
  }

  @Test func filesThatASafetyCopyNeedsAreNotStray() throws {
    let (test, other) = (try TestArchive(), try TestArchive())
    let photo = try attached("a photo", in: test)
    try other.add("another life")
    let copy = try #require(try restore(backup(other), into: test).apply().safetyCopy)
    try FileManager.default.setAttributes(
      [.modificationDate: Date().addingTimeInterval(-8 * 86_400)], ofItemAtPath: photo.path)
    #expect(try test.archive.removeStrayFiles() == 0)
    try test.haveStood(days: 8)
    #expect(try test.archive.removeStrayFiles() == 0)
    // A copy that can't be read may need any file.
    let damaged = copy.deletingLastPathComponent().appendingPathComponent("damaged.sqlite")
    try Data("12345".utf8).write(to: damaged)
    let stray = try attached("stray", in: other)
    let shelf = photo.deletingLastPathComponent()
    let moved = shelf.appendingPathComponent(stray.lastPathComponent)
    try FileManager.default.copyItem(at: stray, to: moved)
    try FileManager.default.setAttributes(
      [.modificationDate: Date().addingTimeInterval(-8 * 86_400)], ofItemAtPath: moved.path)
    #expect(try test.archive.removeStrayFiles() == 0)
    try FileManager.default.removeItem(at: damaged)
    #expect(try test.archive.removeStrayFiles() == 1)
    _ = try restore(copy, into: test).apply()
    #expect(try Data(contentsOf: photo) == Data("a photo".utf8))
    #expect(try test.archive.examine().allSatisfy { $0.verdict != .problem })
  }

  @Test func noFileComesInBeforeAPurgeIsKeptAway() throws {
    let (source, test) = (try TestArchive(), try TestArchive())
    let photo = try attached("a photo", in: source)
    let prepared = try restore(backup(source), into: test)
    let attachments = try #require(test.archive.attachmentsFolder)
    let coming = attachments.appendingPathComponent(
      "\(photo.deletingLastPathComponent().lastPathComponent)/\(photo.lastPathComponent)")
    let lock = try #require(try test.another().lockForReplacing())
    #expect(throws: ArchiveError.self) { try prepared.apply() }
    // A purge that holds the lock now could have removed it again.
    #expect(!FileManager.default.fileExists(atPath: coming.path))
    lock.release()
  }

  @Test func aPurgeLeavesAFileThatIsAboutToBeReferredTo() throws {
    let test = try TestArchive()
    let file = try attached("a photo", in: test)
    let entry = try #require(try test.day("2026-03-14").activities.first)
    var next = try test.activity("the same photo again")
    do {
      let kept = try test.archive.keepFiles()
      defer { kept?.release() }
      next.attachments = [
        try test.archive.store(
          Data("a photo".utf8),
          as: ArkivedCore.Attachment(
            id: test.archive.identities.next(), type: .file, originalName: "photo.txt",
            createdAt: test.clock.now, updatedAt: test.clock.now))
      ]
      _ = try test.another().purge(.entities([entry.id]))
      #expect(FileManager.default.fileExists(atPath: file.path))
      try test.archive.add(next)
    }
    try test.another().finishPurge()
    #expect(try Data(contentsOf: file) == Data("a photo".utf8))
    // Without anything that refers to it, it goes.
    _ = try test.archive.purge(.entities([next.id]))
    #expect(!FileManager.default.fileExists(atPath: file.path))
  }
}

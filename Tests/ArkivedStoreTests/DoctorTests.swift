import ArkivedCore
import ArkivedStore
import ArkivedTestSupport
import Foundation
import GRDB
import Testing

@Suite("The owner's check")
struct DoctorTests {
  private let test: TestArchive
  private let folder: URL

  init() throws {
    test = try TestArchive()
    try test.add("a walk")
    folder = try #require(test.archive.databaseFile).deletingLastPathComponent()
  }

  private func finding(_ check: String) throws -> Archive.Finding {
    try #require(try test.archive.examine().first { $0.check == check })
  }

  private func checks() throws -> [String] { try test.archive.examine().map(\.check) }

  @Test func everythingIsLookedAt() throws {
    let looked = try Set(checks())
    #expect(
      looked.isSuperset(of: [
        "integrity", "links", "search index", "time zones", "access", "disk space", "clock",
        "library",
      ]))
    #expect(try finding("library").detail.contains("SQLite 3."))
    #expect(try finding("disk space").detail.hasSuffix("B free on the archive’s disk"))
    #expect(Archive.roomText(850_000_000) == "850 MB free on the archive’s disk")
    #expect(Archive.roomText(23_344_000_000) == "23 GB free on the archive’s disk")
    for check in ["clock", "access"] { #expect(try finding(check).verdict == .good) }
  }

  @Test func whatOthersMayReadIsNamedWithTheRemedy() throws {
    let file = folder.appendingPathComponent("archive.sqlite")
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file.path)
    let open = try finding("access")
    #expect(open.verdict == .advice && open.detail.contains("archive.sqlite"))
    #expect(open.remedy == "chmod -R go= \(Archive.shellQuoted(folder.path))")
    #expect(Archive.shellQuoted("/home/o'neil/a b") == #"'/home/o'\''neil/a b'"#)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.path)
    #expect(try finding("access").detail.contains("other users"))
  }

  @Test(.enabled(if: geteuid() == 0, "only the superuser may give files away"))
  func filesOfAnotherUserAreNamedWithTheRemedy() throws {
    let index = folder.appendingPathComponent("index")
    try FileManager.default.createDirectory(at: index, withIntermediateDirectories: true)
    for isWritten in [true, false] {
      #expect(test.archive.obstacle(in: "index", isWritten: isWritten) == nil)
    }
    #expect(chown(index.path, 65_534, 65_534) == 0)
    let found = try finding("access")
    #expect(found.verdict == .problem && found.detail.contains(index.path))
    #expect(found.remedy.contains("chown"))
  }

  /// SQLite tests CHECK constraints only over a connection that may write.
  @Test func aValueThatBreaksTheSchemasRulesIsFound() throws {
    let walk = try #require(try test.day("2026-03-14").activities.first)
    _ = try test.archive.updateActivity(walk.id) {
      $0.text = "a long walk"
    }
    #expect(try finding("integrity").verdict == .good)
    let other = try DatabaseQueue(path: folder.appendingPathComponent("archive.sqlite").path)
    try other.writeWithoutTransaction { db in
      try db.execute(sql: "PRAGMA ignore_check_constraints = 1; UPDATE history SET record = '{'")
    }
    try other.close()
    let found = try finding("integrity")
    #expect(found.verdict == .problem && found.detail.contains("history"), "\(found.detail)")
  }

  @Test func filesThatBelongToNoEntryAreCountedAndStay() throws {
    var activity = try test.activity("a photo")
    activity.attachments = [
      try test.archive.store(
        Data("kept".utf8),
        as: ArkivedCore.Attachment(
          id: test.archive.identities.next(), type: .file, createdAt: test.clock.now,
          updatedAt: test.clock.now))
    ]
    try test.archive.add(activity)
    #expect(try !checks().contains("stray files"))
    for (isRead, detail) in [
      (true, "all files are present and unaltered (1)"), (false, "all files are present (1)"),
    ] {
      let found = try test.archive.examine(readsFiles: isRead).first { $0.check == "attachments" }
      #expect(found?.detail == detail)
    }
    // An old version of an entry names its file still.
    _ = try test.archive.undo()
    #expect(try !checks().contains("stray files"))
    let shelf = folder.appendingPathComponent("attachments/ab")
    try FileManager.default.createDirectory(at: shelf, withIntermediateDirectories: true)
    let stray = shelf.appendingPathComponent("ab00.txt")
    try Data("stray".utf8).write(to: stray)
    let found = try finding("stray files")
    #expect(found.verdict == .good && found.detail.hasPrefix("1 attached file (5 bytes)"))
    #expect(FileManager.default.fileExists(atPath: stray.path))
  }

  @Test func aLostFileOfAnEarlierVersionIsFound() throws {
    var activity = try test.activity("a photo")
    activity.attachments = [
      try test.archive.store(
        Data("kept".utf8),
        as: ArkivedCore.Attachment(
          id: test.archive.identities.next(), type: .file, createdAt: test.clock.now,
          updatedAt: test.clock.now))
    ]
    let attachment = try #require(activity.attachments.first)
    let path = try #require(attachment.relativePath)
    let file = try #require(test.archive.file(of: attachment))
    try test.archive.add(activity)
    _ = try test.archive.deleteAttachment(attachment.id)
    #expect(try !checks().contains("attachments"))
    try Data("changed".utf8).write(to: file)
    let found = try finding("attachments")
    #expect(found.verdict == .advice && found.detail.hasSuffix("(1): \(path)"), "\(found.detail)")
    try FileManager.default.removeItem(at: file)
    #expect(try finding("attachments").verdict == .advice)
  }

  @Test func filesThatNothingHasNamedForAWeekAreRemovedWhenAsked() throws {
    func old(_ file: URL) throws {
      try FileManager.default.setAttributes(
        [.modificationDate: Date().addingTimeInterval(-8 * 86_400)], ofItemAtPath: file.path)
    }
    func stored(_ text: String) throws -> (attachment: ArkivedCore.Attachment, file: URL) {
      let attachment = try test.archive.store(
        Data(text.utf8),
        as: ArkivedCore.Attachment(
          id: test.archive.identities.next(), type: .file, createdAt: test.clock.now,
          updatedAt: test.clock.now))
      return (attachment, try #require(test.archive.file(of: attachment)))
    }
    func isThere(_ file: URL) -> Bool { FileManager.default.fileExists(atPath: file.path) }
    let (named, deleted) = (try stored("named"), try stored("named by an old version"))
    for attachment in [named.attachment, deleted.attachment] {
      var activity = try test.activity("a letter")
      activity.attachments = [attachment]
      try test.archive.add(activity)
    }
    _ = try test.archive.undo()
    let (left, again, fresh) = (try stored("left"), try stored("again"), try stored("fresh"))
    for file in [named.file, deleted.file, left.file, again.file] { try old(file) }
    // Whoever stores the same content now is about to name it.
    _ = try stored("again")
    #expect(try finding("stray files").remedy.contains("--mend"))
    // A database that came here lately may not know what belongs to it.
    #expect(try test.archive.removeStrayFiles() == 0)
    try test.haveStood(days: 8)
    #expect(try test.archive.removeStrayFiles() == 1)
    #expect(!isThere(left.file))
    for file in [named.file, deleted.file, again.file, fresh.file] { #expect(isThere(file)) }
    #expect(try test.archive.examine().allSatisfy { $0.verdict != .problem })
    // While an import or a merge is at work, nothing goes.
    try old(again.file)
    do {
      let lock = try FileLock(at: folder.appendingPathComponent(Archive.workLockName), waits: 0)
      #expect(try test.archive.removeStrayFiles() == 0)
      lock.release()
    }
    #expect(try test.archive.removeStrayFiles() == 1)
  }

  /// Makes a file below the archive's folder, and it and its folders two days old.
  @discardableResult
  private func old(_ path: String, _ content: String = "12345") throws -> URL {
    let file = try test.folder.file("archive/\(path)", content)
    try makeOld(file)
    var above = file.deletingLastPathComponent()
    while above.path.count > folder.path.count {
      try makeOld(above)
      above = above.deletingLastPathComponent()
    }
    return file
  }

  private func makeOld(_ file: URL) throws {
    try FileManager.default.setAttributes(
      [.modificationDate: Date().addingTimeInterval(-2 * 86_400)], ofItemAtPath: file.path)
  }

  private static let temporaryPaths = [
    ".importing/arkived-import-1/photo.jpg", ".incoming-1", ".new-archive-1",
    ".restoring-1/archive/archive.sqlite", "attachments/.incoming-2",
    "attachments/ab/.9F86D081-0000-4000-8000-000000000001", "attachments/ab/.incoming-3",
    "backups/.incoming-4", "drafts/.incoming-5", "inbox-work/media/a.jpg",
    "index/.9F86D081-0000-4000-8000-000000000002", "index/meaning-x.vectors.new",
    "models/.fetching-1/model", "snapshots/.before-1.sqlite-1.incoming",
    "snapshots/.before-1.sqlite-1.incoming-journal", "thumbnails/ab/.dat.nosync1.x",
  ]

  @Test func temporaryFilesOfStoppedProgramsAreCountedAndRemovedWhenAsked() throws {
    #expect(test.archive.unfinishedFiles().isEmpty)
    #expect(try !checks().contains("unfinished files"))
    for path in Self.temporaryPaths { try old(path) }
    let kept = try [
      old("attachments/ab/ab.txt"), old("snapshots/before-1.sqlite"), old("models/model.onnx"),
      old("set-aside-20260101/.incoming-6"), old("drafts/a.md"),
    ]
    let fresh = try test.folder.file("archive/attachments/ab/.incoming-7", "new")
    let found = test.archive.unfinishedFiles()
    #expect(found.count == Self.temporaryPaths.count + 1)
    #expect(found.contains { $0.path == ".restoring-1" && $0.bytes == 5 })
    let told = try finding("unfinished files")
    #expect(told.verdict == .advice && told.remedy.contains("--mend"))
    #expect(told.detail.hasPrefix("17 unfinished files (83 bytes), such as "), "\(told.detail)")
    // They aren't counted twice.
    #expect(try finding("stray files").detail.hasPrefix("1 attached file (5 bytes)"))
    do {
      let lock = try FileLock(at: folder.appendingPathComponent(Archive.workLockName), waits: 0)
      #expect(try test.archive.removeUnfinishedFiles() == 0)
      lock.release()
    }
    #expect(try test.archive.removeUnfinishedFiles() == Self.temporaryPaths.count)
    #expect(
      test.archive.unfinishedFiles().map(\.path) == ["attachments/ab/.incoming-7"])
    for file in kept + [fresh] { #expect(FileManager.default.fileExists(atPath: file.path)) }
    #expect(try finding("unfinished files").verdict == .good)
    #expect(try finding("unfinished files").detail.hasPrefix("1 unfinished file (3 bytes): "))
  }

  @Test func whatAProgramIsWorkingOnStays() throws {
    let photo = try old(".importing/arkived-import-1/photo.jpg")
    let copy = try old("inbox-work/a.jpg")
    let vectors = try old("index/meaning-x.vectors.new")
    // Making the locks is a change of the folders.
    let locks = try [
      ".importing/arkived-import-1/.lock", Archive.inboxLockName, "index/meaning-x.vectors.lock",
    ].map { try FileLock(at: folder.appendingPathComponent($0), waits: 0) }
    for url in [photo, copy, vectors] { try makeOld(url.deletingLastPathComponent()) }
    try makeOld(folder.appendingPathComponent(".importing/arkived-import-1/.lock"))
    #expect(try test.archive.removeUnfinishedFiles() == 0)
    for lock in locks { lock.release() }
    for file in [photo, copy, vectors] {
      #expect(FileManager.default.fileExists(atPath: file.path))
    }
  }

  @Test func aFileThatWasSetAsideGetsItsNameBackWhereItIsNeeded() throws {
    let attachment = try test.archive.store(
      Data("needed".utf8),
      as: ArkivedCore.Attachment(
        id: test.archive.identities.next(), type: .file, createdAt: test.clock.now,
        updatedAt: test.clock.now))
    var activity = try test.activity("a letter")
    activity.attachments = [attachment]
    try test.archive.add(activity)
    let file = try #require(test.archive.file(of: attachment))
    let shelf = file.deletingLastPathComponent()
    let names = ["needed", "not needed"].map { text in
      (text, shelf.appendingPathComponent(".\(UUID().uuidString)"))
    }
    try FileManager.default.moveItem(at: file, to: names[0].1)
    try Data(names[1].0.utf8).write(to: names[1].1)
    for (_, aside) in names { try makeOld(aside) }
    #expect(try finding("attachments").verdict == .problem)
    #expect(try test.archive.removeUnfinishedFiles() == 1)
    #expect(try Data(contentsOf: file) == Data("needed".utf8))
    #expect(try FileManager.default.contentsOfDirectory(atPath: shelf.path).count == 1)
    #expect(try finding("attachments").verdict == .good)
  }

  @Test func aClockThatWentBackIsTold() throws {
    test.clock.advance(seconds: -400 * 86_400)
    let clock = try finding("clock")
    #expect(clock.verdict == .advice && clock.detail.contains("400 days behind"))
    try test.add("written by the clock of last year")
    #expect(try test.archive.counts().activities == 2)
  }
}

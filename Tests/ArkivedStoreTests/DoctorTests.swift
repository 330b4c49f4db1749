import ArkivedCore
import ArkivedStore
import ArkivedTestSupport
import Foundation
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
        "integrity", "links", "search index", "time zones", "access", "room", "clock", "library",
      ]))
    #expect(try finding("library").detail.contains("SQLite 3."))
    for check in ["clock", "access"] { #expect(try finding(check).verdict == .good) }
  }

  @Test func whatOthersMayReadIsNamedWithTheRemedy() throws {
    let file = folder.appendingPathComponent("archive.sqlite")
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file.path)
    let open = try finding("access")
    #expect(open.verdict == .advice && open.detail.contains("archive.sqlite"))
    #expect(open.remedy.hasPrefix("chmod"))
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.path)
    #expect(try finding("access").detail.contains("other users"))
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
    // An old version of an entry names its file still.
    _ = try test.archive.undo()
    #expect(try !checks().contains("stray files"))
    let shelf = folder.appendingPathComponent("attachments/ab")
    try FileManager.default.createDirectory(at: shelf, withIntermediateDirectories: true)
    let stray = shelf.appendingPathComponent("ab00.txt")
    try Data("stray".utf8).write(to: stray)
    let found = try finding("stray files")
    #expect(found.verdict == .good && found.detail.hasPrefix("1 attached files (5 bytes)"))
    #expect(FileManager.default.fileExists(atPath: stray.path))
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

  @Test func aClockThatWentBackIsTold() throws {
    test.clock.advance(seconds: -400 * 86_400)
    let clock = try finding("clock")
    #expect(clock.verdict == .advice && clock.detail.contains("400 days behind"))
    try test.add("written by the clock of last year")
    #expect(try test.archive.counts().activities == 2)
  }
}

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

  @Test func aClockThatWentBackIsTold() throws {
    test.clock.advance(seconds: -400 * 86_400)
    let clock = try finding("clock")
    #expect(clock.verdict == .advice && clock.detail.contains("400 days behind"))
    try test.add("written by the clock of last year")
    #expect(try test.archive.counts().activities == 2)
  }
}

import ArkivedStore
import ArkivedTestSupport
import Foundation
import Testing

@Suite("An archive whose files are moved while it is open")
struct ArchivePresenceTests {
  private let test: TestArchive
  private let file: URL
  private let away: URL

  init() throws {
    test = try TestArchive()
    try test.add("before")
    file = try #require(test.archive.databaseFile)
    away = file.deletingLastPathComponent().appendingPathComponent("away.sqlite")
  }

  private func expectRefusal() {
    let path = file.path
    #expect(throws: ArchiveError.displaced(path: path)) { try test.add("lost") }
    #expect(throws: ArchiveError.displaced(path: path)) { try test.archive.counts() }
    #expect(throws: ArchiveError.displaced(path: path)) { try test.archive.undo() }
  }

  @Test func nothingIsWrittenWhereTheDatabaseWasMovedAwayOrReplaced() throws {
    try FileManager.default.moveItem(at: file, to: away)
    expectRefusal()
    try Data("something else".utf8).write(to: file)
    expectRefusal()
    #expect(try Data(contentsOf: file) == Data("something else".utf8))
    try FileManager.default.removeItem(at: file)
    try FileManager.default.moveItem(at: away, to: file)
    try test.add("after")
    #expect(try test.archive.counts().activities == 2)
  }

  @Test func nothingIsWrittenWhereTheLogWasRemoved() throws {
    let log = URL(fileURLWithPath: file.path + "-wal")
    try FileManager.default.moveItem(at: log, to: away)
    expectRefusal()
    try FileManager.default.moveItem(at: away, to: log)
    try test.add("after")
    #expect(try test.archive.counts().activities == 2)
  }
}

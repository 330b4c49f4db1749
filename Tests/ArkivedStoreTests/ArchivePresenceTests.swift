import ArkivedCore
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

  /// The first write of a program may be an edit, or one that is stored with its answer.
  @Test func everyKindOfWriteNoticesLaterThatTheLogWasRemoved() throws {
    let entry = try test.add("walk")
    let new = try test.activity("lost")
    let edits: [(Archive) throws -> Void] = [
      { _ = try $0.updateActivity(entry.id) { $0.isPinned.toggle() } },
      { archive in
        var activity = new
        activity.id = UUID()
        _ = try archive.add(activity, once: nil) { _ in KeptAnswer(status: 201) }
      },
    ]
    let path = file.path
    let log = URL(fileURLWithPath: path + "-wal")
    for edit in edits {
      let program = try test.another()
      try edit(program)
      try FileManager.default.moveItem(at: log, to: away)
      #expect(throws: ArchiveError.displaced(path: path)) { try edit(program) }
      try FileManager.default.moveItem(at: away, to: log)
      try edit(program)
    }
  }

  @Test func anImportThatWasTheFirstWriteNoticesItToo() throws {
    let entry = try test.add("walk")
    let program = try test.another()
    do {
      let stage = try ImportStage(program, "import", "Imported", waitsSeconds: 0)
      try stage.publish { _ in }
    }
    let path = file.path
    let log = URL(fileURLWithPath: path + "-wal")
    try FileManager.default.moveItem(at: log, to: away)
    #expect(throws: ArchiveError.displaced(path: path)) {
      try program.updateActivity(entry.id) { $0.isPinned.toggle() }
    }
    try FileManager.default.moveItem(at: away, to: log)
    _ = try program.updateActivity(entry.id) { $0.isPinned.toggle() }
  }
}

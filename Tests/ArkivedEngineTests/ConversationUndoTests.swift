import ArkivedCore
import ArkivedEngine
import ArkivedStore
import ArkivedTestSupport
import Foundation
import Testing

@Suite("Conversations of an import that is undone")
struct ConversationUndoTests {
  private func say(_ question: String, in thread: UUID? = nil, _ test: TestArchive) throws {
    test.clock.advance(seconds: 60)
    _ = try test.archive.say(question, answered: "Yes.", details: [:], in: thread) { _, _, _ in
      KeptAnswer(status: 201)
    }
  }

  private func texts(_ archive: Archive) throws -> [String] {
    try archive.threads().threads.flatMap {
      try archive.messages(of: $0.thread.id).messages.map(\.text)
    }
  }

  @Test func whatWasAskedInThemSinceStaysAndIsInBackups() throws {
    let source = try TestArchive()
    try say("Did I walk?", source)
    try say("Did I swim?", source)
    let file = source.folder.url.appendingPathComponent("life.jsonl")
    _ = try ExportJob(archive: source.archive).writeJSONLines(to: file)
    let test = try TestArchive()
    // Two computers never give the same ID.
    for _ in 0..<100 { _ = test.archive.identities.next() }
    let run = try #require(
      try ImportJob(archive: test.archive, homeZone: test.zone).run(file).first)
    let thread = try #require(
      try test.archive.threads().threads.first { $0.thread.title == "Did I walk?" }?.thread)
    try say("And with whom?", in: thread.id, test)
    let change = try test.archive.importRun(matching: run.id.uuidString).changeID
    let undone = try test.archive.undo(change)
    #expect(try texts(test.archive) == ["And with whom?", "Yes."])
    let backup = test.folder.url.appendingPathComponent("life.zip")
    _ = try BackupJob(archive: test.archive, target: nil).write(to: backup)
    let copy = try TestArchive()
    _ = try RestoreJob(archive: copy.archive, homeZone: copy.zone)
      .prepare(backup, unlocks: []).apply()
    #expect(try texts(copy.archive) == ["And with whom?", "Yes."])
    // Undoing the undo brings the rest back.
    _ = try test.archive.undo(undone.change.id)
    #expect(try texts(test.archive).count == 6)
  }
}

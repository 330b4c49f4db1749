import ArkivedCore
import ArkivedTestSupport
import Foundation
import GRDB
import Testing

@testable import ArkivedStore

@Suite("Threads of imports that earlier versions undid")
struct HiddenThreadTests {
  @Test func aThreadWithVisibleMessagesIsExportedWithThem() throws {
    let test = try TestArchive()
    let archive = test.archive
    var thread: UUID?
    for question in ["Did I walk?", "And with whom?"] {
      _ = try archive.say(question, answered: "Yes.", details: [:], in: thread) { open, _, _ in
        thread = open.id
        return KeptAnswer(status: 201)
      }
    }
    // As an undo left it: the thread was hidden, and what was asked in it since was not.
    try archive.writer.write { db in
      try db.execute(
        sql: "INSERT INTO hidden_changes (change_pk, state) SELECT change_pk, 'undone' "
          + "FROM thread_rows")
    }
    #expect(try archive.threads().total == 0)
    var lines: [String] = []
    try archive.forEachEntity { type, json in
      if type == "thread" { lines.append(json["id"]?.string ?? "") }
      if type == "message" { lines.append(json["text"]?.string ?? "") }
    }
    let id = try #require(thread)
    #expect(lines == [id.uuidString, "And with whom?", "Yes."])
    // Before another import can replace the thread, it is shown again.
    let stage = try ImportStage(archive, "import", "another", waitsSeconds: 0)
    try stage.discard(within: 2)
    #expect(try archive.threads().threads.map(\.thread.id) == [id])
    #expect(try archive.messages(of: id).messages.map(\.text) == ["And with whom?", "Yes."])
  }
}

import ArkivedCore
import ArkivedEngine
import ArkivedStore
import ArkivedTestSupport
import Foundation
import Testing

@Suite("Deeply nested values in lines")
struct DeepDetailsTests {
  private let thread = "11111111-1111-4111-8111-111111111111"
  private let message = "22222222-2222-4222-8222-222222222222"

  private func file(_ test: TestArchive, levels: Int) throws -> URL {
    let details =
      String(repeating: #"{"a":"#, count: levels) + "1" + String(repeating: "}", count: levels)
    return try test.folder.file(
      "talk \(levels).jsonl",
      """
      {"type":"arkived","version":1}
      {"type":"thread","id":"\(thread)","title":"Talk"}
      {"type":"message","id":"\(message)","threadId":"\(thread)","role":"user","text":"Hello",\
      "details":\(details)}
      {"type":"activity","text":"a walk","dayKey":"2026-03-14"}
      """)
  }

  @Test func whatIsImportedCanBeDeletedBackedUpAndRestored() throws {
    for levels in [124, 125, 126] {
      let test = try TestArchive()
      let job = ImportJob(archive: test.archive, homeZone: test.zone)
      let run = try #require(try job.run(file(test, levels: levels)).first)
      #expect(run.skipped == 0, "\(levels): \(run.warnings)")
      let id = try #require(UUID(uuidString: message))
      _ = try test.archive.delete(ConversationMessage.self, id)
      let backup = test.folder.url.appendingPathComponent("life.zip")
      _ = try BackupJob(archive: test.archive, target: nil).write(to: backup)
      let copy = try TestArchive()
      _ = try RestoreJob(archive: copy.archive, homeZone: copy.zone)
        .prepare(backup, unlocks: []).apply()
      #expect(try copy.archive.oldVersions(of: id, limit: 5).count == 1, "\(levels)")
    }
  }

  @Test func aLineThatIsTooDeepIsSkippedAndTheOthersAreNot() throws {
    for levels in [127, 134, 140] {
      let test = try TestArchive()
      let job = ImportJob(archive: test.archive, homeZone: test.zone)
      let run = try #require(try job.run(file(test, levels: levels)).first)
      #expect(run.skipped == 1 && run.created["activity"] == 1, "\(levels): \(run.warnings)")
    }
  }
}

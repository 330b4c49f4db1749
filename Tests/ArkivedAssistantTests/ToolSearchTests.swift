import ArkivedAssistant
import ArkivedCore
import ArkivedStore
import ArkivedTestSupport
import Foundation
import Testing

@Suite("Tools that search")
struct ToolSearchTests {
  @Test("Notes that match better don’t hide the entries that are asked for")
  func notesBeforeEntries() throws {
    let test = try TestArchive()
    let now = test.clock.now
    for _ in 0..<12 {
      try test.archive.create(
        Note(
          id: test.archive.identities.next(), title: "Castle", text: "castle", createdAt: now,
          updatedAt: now))
    }
    let entry = try test.add(
      "walked for hours through the woods to some ruin that may have been a castle",
      on: "2025-02-01")
    let box = ToolBox(archive: test.archive, zone: test.zone)
    let answer = box.call(
      ToolCall(id: "a", name: "searchActivities", arguments: ["query": "castle", "limit": 1]),
      by: .agent("tester"))
    #expect(
      answer.result?["results"]?.array?.compactMap { $0["id"]?.string } == [entry.id.uuidString],
      "\(answer.json.text())")
  }
}

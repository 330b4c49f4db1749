import ArkivedAssistant
import ArkivedCore
import ArkivedStore
import ArkivedTestSupport
import Foundation
import Testing

@Suite("Tools that are called again with the same key")
struct ToolRepeatTests {
  let test: TestArchive
  let box: ToolBox

  init() throws {
    test = try TestArchive()
    box = ToolBox(archive: test.archive, zone: test.zone)
  }

  private func call(
    _ name: String, _ arguments: JSONObject, key: String
  ) -> ToolAnswer {
    box.call(
      ToolCall(id: "a", name: name, arguments: arguments), by: .agent("tester"),
      once: ToolRequest(key: RequestKey(key: key, requestHash: "h")) { answer in
        KeptAnswer(status: 200, body: Data(answer.json.bytes()))
      })
  }

  @Test("What a tool adds is stored with its answer, and added once")
  func addsOnce() throws {
    let walk = try test.add("walk", on: "2026-03-10")
    let id = JSON.string(walk.id.uuidString)
    let calls: [(name: String, arguments: JSONObject)] = [
      ("createActivity", ["text": "swam"]),
      ("upsertDayEntry", ["dayDate": "2026-03-14", "appendNote": "Calm."]),
      ("attachLink", ["activity": id, "url": "https://example.org/map"]),
      ("updateActivity", ["id": id, "text": "a long walk"]),
      ("deleteActivity", ["id": id]),
    ]
    for (name, arguments) in calls {
      let first = call(name, arguments, key: name)
      let result = try #require(first.result, "\(name): \(first.json.text())")
      // The caller may be killed before it stores anything itself.
      let kept = try test.archive.keptAnswer(to: RequestKey(key: name, requestHash: "h"))
      #expect(kept?.body == Data(first.json.bytes()), "\(name)")
      let second = call(name, arguments, key: name)
      #expect(second.result == result, "\(name): \(second.json.text())")
    }
    #expect(try test.day("2026-03-14").activities.map(\.text) == ["swam"])
    #expect(try test.day("2026-03-14").entry?.note == "Calm.")
    #expect(try test.archive.activity(walk.id)?.attachments.count == 1)
    #expect(try box.pendingActs().count == 2)
  }

  @Test("A call that fails stores nothing")
  func failures() throws {
    #expect(call("createActivity", ["text": "walk", "weather": "400 °C"], key: "k").error != nil)
    #expect(try test.archive.keptAnswer(to: RequestKey(key: "k", requestHash: "h")) == nil)
    #expect(call("createActivity", ["text": "walk"], key: "k").result != nil)
  }
}

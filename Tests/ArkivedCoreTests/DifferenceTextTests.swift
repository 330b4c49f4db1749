import Foundation
import Testing

@testable import ArkivedCore

@Suite("Changes in short")
struct DifferenceTextTests {
  private func short(
    _ before: JSON, _ after: JSON, limit: Int = 400
  ) -> PendingAct.Effect.Difference.Short {
    PendingAct.Effect.Difference(field: "text", before: before, after: after).short(limit: limit)
  }

  @Test func whatDiffersIsShownWhereverItIs() {
    let start = String(repeating: "A", count: 500)
    let end = short(.string(start + "B"), .string(start))
    #expect(end.before?.hasSuffix("AAB") == true && end.after?.hasSuffix("AAA") == true)
    #expect(!end.isCut)
    let middle = short(.string(start + "B" + start), .string(start + "C" + start))
    #expect(middle.before?.contains("ABA") == true && middle.after?.contains("ACA") == true)
    #expect(!middle.isCut)
    #expect(short("", "tea") == .init(before: nil, after: "tea", isCut: false))
    #expect(short(.null, "tea").before == nil)
  }

  @Test func whatIsTooLongSaysSo() {
    let long = String(repeating: "B", count: 401)
    #expect(short(.null, .string(long)).isCut)
    let apart = String(repeating: "A", count: 500)
    #expect(short(.string("x\(apart)x"), .string("y\(apart)y")).isCut)
  }

  @Test func linesAndDirectionsAreVisibleAndFilesHaveNames() {
    #expect(short("a\nb", "a b").before == "a↵b")
    #expect(short("a\u{202E}b", "ab").before == "a�b")
    let photo: JSON = [["id": "1", "originalName": "sea.jpg"]]
    #expect(short(photo, []).before == "sea.jpg")
    let other: JSON = [["id": "2", "originalName": "sea.jpg"]]
    let same = short(photo, other)
    #expect(same.before != same.after)
  }

  @Test func aDeletionLosesItsFilesVisibly() throws {
    let effect = PendingAct.Effect(
      type: .activity, id: try #require(UUID(uuidString: "00000000-0000-4000-8000-000000000001")),
      dayKey: try #require(DayKey("2026-03-14")),
      before: ["text": "tea", "attachments": [["originalName": "sea.jpg"]]], after: nil)
    #expect(effect.differences.map(\.field) == ["text", "attachments"])
  }
}

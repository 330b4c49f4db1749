import ArkivedCore
import ArkivedTestSupport
import Foundation
import Testing

@Suite("arkived history")
struct HistoryCommandTests {
  @Test func aChangeAndATagTellTheirStory() throws {
    let arkived = try Program()
    let id = try #require(
      try arkived("add", "walk #garden", "--json").json["created"]?["id"]?.string)
    #expect(try arkived("edit", id, "--text", "long walk").status == 0)
    let listed = try arkived("history", "--by", "owner", "--from", "2026-03-14", "--json").json
    let change = try #require(listed["changes"]?.array?.first?["id"]?.string)
    #expect(listed["changes"]?.array?.count == 2)
    let told = try arkived("history", "change", change)
    #expect(told.status == 0 && told.output.contains("text: walk → long walk"), "\(told.output)")
    #expect(told.output.contains("  you  ") && told.output.contains("changed entry "))
    let versions = try arkived("history", id)
    #expect(versions.output.contains("  changed (you)  walk"), "\(versions.output)")
    #expect(try arkived("history", "change", change, "--json").json["entities"] != nil)
    #expect(try arkived("history", "#garden", "--json").json["versions"] == [])
    #expect(
      try arkived("history", "--by", "import", "--json").json["changes"]?.array?.isEmpty == true)
    #expect(try arkived("history", id, "--by", "owner").status == 64)
    #expect(try arkived("history", "--by", "nobody").status == 64)
    #expect(try arkived("history", "change", "ABCDEF").status == 66)
  }
}

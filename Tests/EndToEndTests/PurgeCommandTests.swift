import ArkivedCore
import ArkivedTestSupport
import Foundation
import Testing

@Suite("arkived purge and history keep")
struct PurgeCommandTests {
  @Test func aThingIsForgottenAndNothingOfItIsLeftOnTheDisk() throws {
    let arkived = try Program()
    let word = "zqxjkvwpyu"
    let id = try #require(
      try arkived("add", "saw \(word)", "--json").json["created"]?["id"]?.string)
    #expect(try arkived("edit", id, "--text", "saw \(word) again").status == 0)
    #expect(try arkived("search", word).status == 0)
    let plan = try arkived("purge", id, "--dry-run", "--json")
    #expect(plan.json["plan"]?["things"]?["activity"] == 1)
    #expect(try arkived("purge", id).status == 77)
    let purged = try arkived("purge", id, "--yes", "--json")
    #expect(purged.status == 0 && purged.json["purged"]?["isLogEmpty"] == true, "\(purged.talk)")
    // Beside the archive lies what the program printed.
    let root = URL(fileURLWithPath: arkived.archive)
    for name in try FileManager.default.subpathsOfDirectory(atPath: root.path) {
      let content = (try? Data(contentsOf: root.appendingPathComponent(name))) ?? Data()
      #expect(content.range(of: Data(word.dropFirst(2).utf8)) == nil, "\(name)")
    }
    #expect(try arkived("purge", id, "--yes").status == 66)
    #expect(try arkived("undo").status == 66)
    #expect(try arkived("purge").status == 64)
    #expect(try arkived("purge", id, "--tag", "x").status == 64)
    #expect(try arkived("purge", "--from", "2026-01-01").status == 64)
  }

  @Test func draftsAreInWhatPurgeSaysAndDoes() throws {
    let arkived = try Program()
    #expect(try arkived("note", "A quiet day.").status == 0)
    let editor = try arkived.editor(#"echo zqxjkvwpyu >> "$1"; exit 3"#)
    #expect(try arkived("note", "--edit", environment: editor).status == 1)
    let listed = try arkived("drafts", "--json").json["drafts"]?.array?.first
    let draft = try #require(listed?["name"]?.string)
    let day = ["purge", "--from", "2026-03-14", "--to", "2026-03-14"]
    let plan = try arkived.run(day + ["--dry-run"])
    #expect(plan.output.contains("The draft \(draft) is removed too."), "\(plan.output)")
    let document = try arkived.run(day + ["--dry-run", "--json"]).json
    #expect(document["plan"]?["drafts"] == [.string(draft)] && arkived.drafts.count == 2)
    let purged = try arkived.run(day + ["--yes", "--json"])
    #expect(purged.json["purged"]?["forgotten"]?["drafts"] == [.string(draft)], "\(purged.talk)")
    #expect(arkived.drafts.isEmpty)
  }

  @Test func retentionIsSetAndTold() throws {
    let arkived = try Program()
    #expect(try arkived("history", "keep").output.contains("Deleted items are kept forever"))
    let set = try arkived("history", "keep", "--versions", "365", "--json")
    #expect(set.json["kept"]?["versions"] == 365)
    #expect(try arkived("doctor").output.contains("kept for 365 days"))
    for word in ["ever", "forever"] {
      #expect(try arkived("history", "keep", "--versions", word).status == 0)
    }
    #expect(try arkived("history", "keep", "--deleted", "2").status == 65)
    let soon = try arkived("history", "keep", "--deleted", "soon")
    #expect(soon.status == 64 && soon.talk.contains("a number of days, or forever."))
  }
}

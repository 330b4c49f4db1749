import ArkivedCore
import ArkivedTestSupport
import Foundation
import Testing

@Suite("Linked files at the command line")
struct SyncCommandTests {
  private let arkived: Program

  init() throws { arkived = try Program() }

  @Test func aLargeDeletionIsRefusedUntilItIsAllowed() throws {
    let lines = (0..<30).map { #"{"type":"value","title":"Value \#($0)"}"# }
    let values = try arkived.folder.file("values.jsonl", lines.joined(separator: "\n"))
    #expect(try arkived("import", values.path).status == 0)
    let file = arkived.folder.url.appendingPathComponent("goals.db").path
    #expect(try arkived("export", "--format", "tenweek", "-o", file).status == 0)
    #expect(try arkived("sync", "link", file).status == 0)
    #expect(try arkived("sync").status == 0)
    let run = try arkived("import", "list", "--json").json["runs"]?.array?.first?["id"]?.string
    _ = try #require(run)
    for number in 0..<21 {
      #expect(try arkived("value", "delete", "Value \(number)", "--yes").status == 0)
    }
    let refused = try arkived("sync")
    #expect(refused.status == 77, "\(refused.talk)")
    #expect(refused.talk.contains("21 of 30 values in \(file)"), "\(refused.talk)")
    #expect(refused.talk.contains("Nothing was changed on either side"))
    #expect(refused.talk.contains("arkived sync --allow-deletions"))
    let status = try arkived("sync", "status").output
    #expect(status.contains("(Ten Week), synced 20"), "\(status)")
    // In the owner's words, wherever the file lies.
    #expect(!status.replacing(file, with: "").contains("Z"), "\(status)")
    let done = try arkived("sync", "--allow-deletions", "--json")
    #expect(done.status == 0 && done.json["syncs"]?.array?.first?["pushed"]?["deleted"] == 21)
  }

  @Test func aPackThatIsNotThereSaysWhatToDo() throws {
    let missing = try arkived("goal", "unpack", "nofile")
    #expect(missing.status == 66 && missing.talk.contains("arkived goal pack GOAL -o FILE"))
  }

  @Test func numbersThatAreNoneAreToldInPlainWords() throws {
    let wrong = try arkived("action", "create", "ran", "--measure", "km=inf")
    #expect(wrong.status == 65 && !wrong.talk.contains("finite"), "\(wrong.talk)")
    #expect(try arkived("goal", "create", "Run", "--unit", "km", "--target", "inf").status == 65)
  }
}

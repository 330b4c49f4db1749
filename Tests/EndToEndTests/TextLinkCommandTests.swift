import ArkivedCore
import ArkivedTestSupport
import Foundation
import Testing

@Suite("Links between entries, templates and prompts at the terminal")
struct TextLinkCommandTests {
  @Test func whatIsShownSaysWhatLinksToIt() throws {
    let arkived = try Program()
    #expect(try arkived("person", "create", "Alex Kim").status == 0)
    #expect(
      try arkived("notes", "add", "With [[Alex Kim]] on [[2026-03-01]]", "--title", "Plan")
        .status == 0)
    let id = try #require(
      try arkived("add", "built the shed", "--json").json["created"]?["id"]?.string)
    #expect(try arkived("note", "After [[entry:\(id)|the shed]] see [[plan]]").status == 0)
    for (words, count) in [
      (["person", "show", "Alex Kim"], 1), (["notes", "show", "Plan"], 1),
      (["day", "2026-03-01"], 1),
    ] {
      let shown = try arkived.run(words)
      #expect(shown.output.contains("Linked from (\(count))"), "\(words): \(shown.output)")
      let json = try arkived.run(words + ["--json"]).json
      #expect(json["backlinks"]?["count"]?.int == count, "\(words)")
    }
    let links = try arkived("backlinks", id, "--json").json
    #expect(links["links"]?.array?.first?["snippet"] == "After the shed see plan")
    #expect(try arkived("backlinks", "Alex", "Kim").output.contains("Plan: With Alex Kim"))
    #expect(try arkived("backlinks", "nobody").status == 66)
    #expect(try arkived("backlinks", "2025-01-01").output.contains("Nothing links to it."))
    let tool = try arkived(
      "tool", "getDay", #"{"dayDate":"2026-03-01"}"#, "--json")
    #expect(tool.output.contains("backlinks"))
    #expect(try arkived("person", "edit", "Alex Kim", "--name", "Alex Miller").status == 0)
    #expect(try arkived("notes", "show", "Plan").output.contains("[[Alex Miller]]"))
    #expect(try arkived("undo").status == 0)
    #expect(try arkived("notes", "show", "Plan").output.contains("[[Alex Kim]]"))
  }

  @Test func aTemplateBeginsANote() throws {
    let arkived = try Program()
    #expect(try arkived("templates").output.contains("Evening"))
    #expect(
      try arkived(
        "templates", "keep", "Morning", "--text", "# {{weekday}}\n{{open}}", "--on", "daily"
      )
      .status == 0)
    #expect(try arkived("note", "--day", "yesterday", "- [ ] buy wood").status == 0)
    #expect(try arkived("note", "--template", "morning").status == 0)
    let note = try arkived("note", "--show", "--json").json["note"]?.string
    #expect(note == "# Saturday\n- [ ] buy wood")
    #expect(try arkived("note", "--template", "none").status == 65)
    #expect(try arkived("templates", "keep", "Empty", "--text", "").status == 65)
    let deleted = try arkived("templates", "delete", "Morning")
    #expect(deleted.output.contains("# {{weekday}}"))
    #expect(try arkived("templates", "--json").json["templates"]?.array?.count == 1)
    let prompts = try arkived("templates", "prompts", "--list", "Why?", "--show", "on", "--json")
      .json
    #expect(prompts["prompt"] == "Why?" && prompts["showsPrompts"] == true)
    #expect(try arkived("templates", "prompts", "--past", "maybe").status == 64)
  }
}

import ArkivedCore
import ArkivedTestSupport
import Foundation
import Testing

@Suite("Tag, edit, pin and delete take the identity of anything")
struct IdentityCommandTests {
  private let arkived: Program

  init() throws { arkived = try Program() }

  private func id(_ arguments: String...) throws -> String {
    let made = try arkived.run(arguments + ["--json"])
    let created = made.json["created"]
    return try #require(
      (created?["id"] ?? created?["activity"]?["id"])?.string, "\(made.output) \(made.talk)")
  }

  /// One of each kind that has commands of its own, with the command and its name for the text.
  private func others() throws -> [(id: String, show: [String], field: String)] {
    _ = try id("meeting", "create", "Planning 2026-03-16 10:00-11:00")
    let meeting = try arkived("meeting", "show", "Planning", "--json").json["meeting"]
    return [
      (try #require(meeting?["id"]?.string), ["meeting"], "text"),
      (try id("notes", "add", "seeds"), ["notes"], "text"),
      (try id("goal", "create", "Sell jars"), ["goal"], "title"),
      (try id("value", "create", "Calm"), ["value"], "title"),
      (try id("term", "create", "Spring"), ["term"], "theme"),
      (try id("person", "create", "Priya Nair"), ["person"], "name"),
    ]
  }

  @Test func eachIsChangedAndDeletedAsByItsOwnCommandAndUndone() throws {
    for (id, noun, field) in try others() {
      let short = String(id.prefix(13)).lowercased()
      let edited = try arkived("edit", short, "--text", "Other words", "--json")
      #expect(edited.status == 0, "\(noun) \(edited.talk)")
      #expect(edited.json["updated"]?[field] == "Other words", "\(noun) \(edited.output)")
      #expect(try arkived("undo").status == 0)
      #expect(!(try arkived.run(noun + ["show", id])).output.contains("Other words"))
      let deleted = try arkived("delete", short, "--yes", "--json")
      #expect(deleted.status == 0, "\(noun) \(deleted.talk)")
      #expect(deleted.json["deleted"]?["id"]?.string == id, "\(noun) \(deleted.output)")
      #expect(try arkived.run(noun + ["show", id]).status != 0)
      #expect(try arkived("history", id).output.contains(#/\w/#))
      #expect(try arkived("undo").status == 0)
      #expect(try arkived.run(noun + ["show", id]).status == 0)
    }
  }

  @Test func optionsOfTheKindsOwnCommandAreTaken() throws {
    let goal = try id("goal", "create", "Sell jars", "--unit", "km", "--target", "3")
    let edited = try arkived("edit", goal, "--target", "8", "--text=Run", "--json")
    #expect(edited.json["updated"]?["measurementTarget"] == 8, "\(edited.talk)")
    #expect(edited.json["updated"]?["title"] == "Run")
    let note = try id("notes", "add", "seeds")
    let titled = try arkived("edit", "--title", "Garden", note, "--json")
    #expect(titled.json["updated"]?["title"] == "Garden", "\(titled.talk)")
    _ = try id("meeting", "create", "Planning 2026-03-16 10:00-11:00")
    let meeting = try arkived("meeting", "show", "Planning", "--json").json["meeting"]?["id"]
    let purpose = try arkived("edit", meeting?.string ?? "", "--purpose", "Decide", "--json")
    #expect(purpose.json["updated"]?["purpose"] == "Decide", "\(purpose.output)")
    let entry = try id("add", "ran")
    let wrong = try arkived("edit", entry, "--target", "8")
    #expect(wrong.status == 64 && wrong.talk.contains("--target"))
    #expect(try arkived("edit", goal, "--measure", "5 km").status == 64)
  }

  @Test func tagsAndPinsGoWhereThereAreSome() throws {
    for (id, noun, _) in try others() {
      let tagged = try arkived("tag", id, "--add", "#home", "--json")
      let pinned = try arkived("pin", id)
      switch noun {
      case ["meeting"]:
        #expect(tagged.json["updated"]?["tags"] == ["home"])
        #expect(pinned.status == 0)
      case ["notes"]:
        #expect(tagged.json["updated"]?["tags"] == ["home"])
        let bare = try arkived("tag", id, "--remove", "Home", "--json")
        #expect(bare.json["updated"]?["tags"] == [])
        #expect(pinned.status == 64 && pinned.talk.contains("(note)"))
      default:
        #expect(tagged.status == 64 && tagged.output.contains("can’t have tags"))
        #expect(pinned.status == 64 && pinned.talk.contains("can’t be pinned"))
      }
    }
  }

  @Test func whatABeginningMayMeanIsListed() throws {
    let lines = try arkived.folder.file(
      "lines.jsonl",
      """
      {"type":"activity","id":"AAAA1111-0000-4000-8000-000000000001","text":"dug","dayKey":"2026-03-14"}
      {"type":"note","id":"AAAA2222-0000-4000-8000-000000000002","text":"seeds"}
      {"type":"goal","id":"AAAA3333-0000-4000-8000-000000000003","title":"Grow peas"}
      """)
    #expect(try arkived("import", lines.path).status == 0)
    for refused in [
      try arkived("tag", "aaaa", "--add", "x"), try arkived("pin", "AAAA"),
      try arkived("edit", "aaaa", "--text", "x"), try arkived("delete", "aaaa", "--yes"),
    ] {
      #expect(refused.status != 0)
      for told in ["entry  2026-03-14 dug", "note  seeds", "goal  Grow peas"] {
        #expect(refused.talk.contains(told), "\(refused.talk)")
      }
    }
    let several = try arkived("delete", "aaaa1111", "aaaa3333", "--yes")
    #expect(several.status == 64 && several.talk.contains("“Grow peas” isn’t an entry (goal)"))
    #expect(try arkived("delete", "FFFF", "--yes").talk.contains("No entry with the ID FFFF"))
    #expect(try arkived("delete", "seeds", "--yes").talk.contains("at least the first four digits"))
    #expect(try arkived("delete", "aaaa1", "--yes").status == 0)
    #expect(try arkived("search", "dug", "--json").json["results"]?.array?.isEmpty == true)
  }
}

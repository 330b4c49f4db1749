import ArkivedCore
import ArkivedTestSupport
import Foundation
import Testing

@Suite("Words that are taken as they are meant")
struct SmallTrustTests {
  private let arkived: Program

  init() throws { arkived = try Program() }

  @Test func aDayAfterNoteIsTheDayAndNoWordOfTheNote() throws {
    #expect(try arkived("note", "--day", "yesterday", "Rain.").status == 0)
    #expect(try arkived("note", "yesterday").output.contains("Rain."))
    #expect(try arkived("note", "yesterday", "--mood", "4").status == 0)
    let before = try arkived("day", "yesterday", "--json").json
    #expect(before["note"] == "Rain." && before["mood"] == 4)
    #expect(try arkived("today", "--json").json["note"] ?? .null == .null)
    // What says more is a paragraph.
    #expect(try arkived("note", "Yesterday was better.").status == 0)
    #expect(try arkived("today", "--json").json["note"] == "Yesterday was better.")
  }

  @Test func wordsBeforeStandardInputAreTheTitleOfANote() throws {
    let minutes = Data("Anna came.\nBob did not.\n".utf8)
    #expect(try arkived("notes", "add", "Minutes", "of", "Monday", "-", input: minutes).status == 0)
    let note = try arkived("notes", "show", "Minutes of Monday", "--json").json["note"]
    #expect(note?["title"] == "Minutes of Monday")
    #expect(note?["text"]?.string?.contains("Bob did not.") == true)
  }

  @Test func anEntryFoundByItsPlaceIsNamed() throws {
    let lines = try arkived.folder.file(
      "lines.jsonl",
      #"{"type":"activity","text":"choir","dayKey":"2026-03-14","locationLabel":"the parish hall"}"#
    )
    #expect(try arkived("import", lines.path).status == 0)
    #expect(try arkived("search", "parish").output.contains("choir · the parish hall"))
    #expect(!(try arkived("search", "choir").output.contains("·")))
  }

  @Test func aMeetingsIdentityMeansItsEntry() throws {
    let made = try arkived("meeting", "create", "Planning 2026-03-16 10:00-11:00", "--json")
    let shown = try arkived("meeting", "show", "Planning", "--json").json["meeting"]
    let meeting = try #require(shown?["id"]?.string, "\(made.talk)")
    let tagged = try arkived("tag", meeting, "--add", "work", "--json")
    #expect(tagged.json["updated"]?["tags"] == ["work"], "\(tagged.talk)")
    #expect(
      try arkived("edit", meeting, "--text", "Planning the fair", "--json")
        .json["updated"]?["text"] == "Planning the fair")
    let attached = try arkived("history", meeting.prefix(8).lowercased())
    #expect(attached.output.contains("Planning"), "\(attached.talk)")
  }

  @Test func tagsLoseTheirSignAndTheirDoubles() throws {
    let note = try arkived("notes", "add", "seeds", "--tag", "#home", "--tag", "Home", "--json")
    #expect(note.json["created"]?["tags"] == ["home"])
    let lines = try arkived.folder.file(
      "lines.jsonl",
      ###"{"type":"activity","text":"dug","dayKey":"2026-03-14","tags":["##home","home ","garden"]}"###
    )
    #expect(try arkived("import", lines.path).status == 0)
    let dug = try arkived("today", "--json").json["activities"]?.array?.first
    #expect(dug?["tags"] == ["home", "garden"])
  }
}

import ArkivedCore
import ArkivedTestSupport
import Foundation
import Testing

@Suite("Meetings, notes and briefs at the command line")
struct MeetingCommandTests {
  private let arkived: Program

  init() throws { arkived = try Program() }

  /// Runs a command that must succeed and gives its document.
  @discardableResult
  private func json(_ arguments: String...) throws -> JSON {
    let result = try arkived.run(arguments + ["--json"])
    #expect(result.status == 0, "\(arguments) \(result.talk)")
    return result.json
  }

  private func names(_ meeting: JSON?) -> [String] {
    (meeting?["attendees"]?.array ?? []).compactMap { $0["name"]?.string }
  }

  @Test func aMeetingIsMadeWrittenToFoundInHistoryAndBroughtBack() throws {
    let made = try json(
      "meeting", "create", "Pricing review 2026-03-16 10:00-11:00 @Priya", "--purpose", "A price")
    #expect(names(made["created"]) == ["Priya"])
    let next = try json("meeting", "show", "next")["meeting"]
    #expect(next?["id"] == made["created"]?["id"] && next?["purpose"] == "A price")

    let changed = try json(
      "meeting", "edit", "pricing", "--with", "Zoe Quist <zoe@example.org>", "--with", "Priya",
      "--outcomes", "Decided: a flat price.")["updated"]
    #expect(names(changed) == ["Priya", "Zoe Quist"])
    #expect(changed?["attendees"]?.array?.last?["address"] == "zoe@example.org")
    let address = try json("meeting", "edit", "next", "--with", "Priya <priya@example.org>")[
      "updated"]
    #expect(names(address) == ["Priya", "Zoe Quist"])
    #expect(address?["attendees"]?.array?.first?["address"] == "priya@example.org")
    let another = try json("meeting", "edit", "next", "--with", "Zo <zo@example.org>")["updated"]
    #expect(names(another) == ["Priya", "Zoe Quist", "Zo"])
    try json("meeting", "edit", "next", "--without", "Zo")
    let without = try json("meeting", "edit", "next", "--without", "zoe quist")["updated"]
    #expect(names(without) == ["Priya"])
    let refused = try arkived("meeting", "edit", "next", "--without", "Sam")
    #expect(refused.status == 65 && refused.talk.contains("who takes no part; there are Priya"))
    #expect(try arkived("meeting", "edit", "next").status == 64)

    let versions = try json("history", "Pricing review Priya")["versions"]?.array ?? []
    #expect(versions.count >= 2, "\(versions)")
    let latest = try #require(versions.first?["id"]?.string)
    let changes = try json("history", "diff", latest)["changes"]?.array ?? []
    #expect(changes.count > 0)
    #expect(try arkived("meeting", "delete", "pricing").status == 77)
    try json("meeting", "delete", "pricing", "--yes")
    #expect(try arkived("meeting", "show", "next").status == 66)
    #expect(try arkived("undo").status == 0)
    #expect(names(try json("meeting", "show", "next")["meeting"]) == ["Priya"])
  }

  @Test func aNoteBeginsWithATemplateAndItsPromisesAreListedAndKept() throws {
    try json("meeting", "create", "One-to-one 2026-03-13 10:00-11:00 @Priya.Nair")
    let form = try json("meeting", "note", "one-to-one", "--template", "one-to-one")["created"]
    #expect(form?["note"]?.string?.hasPrefix("## How are you?") ?? (form?["text"] != nil))
    #expect(try json("promises")["promises"]?.array?.isEmpty == true)
    let wrong = try arkived("notes", "add", "--template", "minutes")
    #expect(wrong.status == 65)
    #expect(wrong.talk.contains("it is one of: agenda, one-to-one, retrospective"))
    #expect(try arkived("notes", "add").status == 64)

    try json("notes", "add", "- [ ] send Priya the draft by Friday", "--meeting", "one-to-one")
    let promise = try #require(try json("promises")["promises"]?.array?.first)
    #expect(promise["isMine"] == true && promise["due"] == "2026-03-20")
    #expect(promise["to"]?.array?.first?["name"] == "Priya Nair")
    let brief = try json("brief", "one-to-one")
    #expect(try arkived("brief", "next").status == 66)
    #expect(brief.object != nil)
    let owed = try arkived("ask", "what do I owe to others, by person?")
    #expect(owed.output.contains("Priya Nair") && owed.output.contains("send Priya the draft"))
  }

  @Test func aNotesHistoryIsFoundByItsTitle() throws {
    try json("notes", "add", "one", "--title", "Garden")
    try json("notes", "edit", "garden", "--append", "two")
    #expect(try json("history", "garden")["versions"]?.array?.count == 1)
    let changes = try json("history", "diff", "garden")["changes"]?.array
    #expect(changes?.contains { $0["before"] == "one" && $0["after"] == "one\n\ntwo" } == true)
  }
}

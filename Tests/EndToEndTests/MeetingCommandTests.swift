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
    #expect(refused.status == 65 && refused.talk.contains("isn’t a participant"))
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

  @Test func aMeetingIsTheSameAsOnThePageAndOverTheAPI() throws {
    let made = try json("meeting", "create", "Pricing 2026-03-16 10:00-11:00 @Priya")["created"]
    let people = made?["attendees"]?.array
    #expect(people?.first?["reply"] == "needsAction" && made?["isAllDay"] == false)
    let someDay = try json("meeting", "create", "Offsite 2026-03-18")["created"]
    #expect(someDay?["isAllDay"] == false && someDay?["startDate"] == .null)
    let shown = try arkived("meeting", "show", "offsite").output
    #expect(shown.contains("2026-03-18  Offsite"), "\(shown)")
    try json("meeting", "create", "Release 2026-03-19 23:30-00:30")
    let night = try arkived("meeting", "show", "release").output
    #expect(night.contains("2026-03-19 23:30–00:30 (+1)  Release"), "\(night)")
    let day = try json("day", "2026-03-16")["activities"]?.array
    #expect(day?.first?["kind"] == "work", "\(day ?? [])")
  }

  @Test func aNoteBeginsWithATemplateAndItsPromisesAreListedAndKept() throws {
    try json("meeting", "create", "One-to-one 2026-03-13 10:00-11:00 @Priya.Nair")
    let form = try json("meeting", "note", "one-to-one", "--template", "one-to-one")["created"]
    #expect(form?["note"]?.string?.hasPrefix("## How are you?") ?? (form?["text"] != nil))
    #expect(try json("promises")["promises"]?.array?.isEmpty == true)
    let wrong = try arkived("notes", "add", "--template", "minutes")
    #expect(wrong.status == 65)
    #expect(wrong.talk.contains("must be one of: agenda, one-to-one, retrospective"))
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

  @Test func aNoteOfAMeetingIsReadFromStandardInputAfterItsTitle() throws {
    try json("meeting", "create", "Review 2026-03-16 10:00-11:00 @Priya")
    let minutes = Data("A flat price.\n".utf8)
    let made = try arkived(
      "meeting", "note", "review", "Minutes of Monday", "-", "--json", input: minutes)
    #expect(made.status == 0, "\(made.talk)")
    let note = made.json["created"]
    #expect(note?["title"] == "Minutes of Monday", "\(made.output)")
    #expect(note?["text"]?.string?.hasPrefix("A flat price.") == true, "\(made.output)")
  }

  @Test func filesAreAttachedToNotesAndToNotesOfMeetings() throws {
    let plan = try arkived.folder.file("plan.txt", "a plan")
    let made = try json("notes", "add", "Bulbs", "--title", "Garden", "--attach", plan.path)
    #expect(made["created"]?["attachments"]?.array?.first?["originalName"] == "plan.txt")
    try json("notes", "edit", "garden", "--attach", plan.path)
    #expect(try json("notes", "show", "garden")["note"]?["attachments"]?.array?.count == 2)
    #expect(try arkived("notes", "show", "garden").output.contains("[2 attached]"))
    #expect(try arkived("undo").status == 0)
    #expect(try json("notes", "show", "garden")["note"]?["attachments"]?.array?.count == 1)
    try json("meeting", "create", "Review 2026-03-16 10:00-11:00 @Priya")
    let note = try json("meeting", "note", "review", "Minutes", "--attach", plan.path)["created"]
    #expect(note?["attachments"]?.array?.count == 1 && note?["meetingId"] != nil)
    let missing = try arkived("notes", "add", "x", "--attach", "/nowhere/plan.txt")
    #expect(missing.status == 66 && missing.talk.contains("Couldn’t attach"))
  }

  @Test func aNotesHistoryIsFoundByItsTitle() throws {
    try json("notes", "add", "one", "--title", "Garden")
    try json("notes", "edit", "garden", "--append", "two")
    // Nothing to add leaves no blank lines behind.
    #expect(try json("notes", "edit", "garden", "--append", "")["updated"]?["text"] == "one\n\ntwo")
    #expect(try json("history", "garden")["versions"]?.array?.count == 1)
    let changes = try json("history", "diff", "garden")["changes"]?.array
    #expect(changes?.contains { $0["before"] == "one" && $0["after"] == "one\n\ntwo" } == true)
  }

  @Test func whatIsDeletedIsFoundInHistoryByItsName() throws {
    try json("meeting", "create", "Pricing review 2026-03-16 10:00-11:00 @Priya")
    try json("notes", "add", "Bulbs and spades", "--title", "Garden")
    try json("person", "create", "Zoe Quist", "--alias", "Z")
    try json("meeting", "delete", "pricing", "--yes")
    try json("notes", "delete", "garden", "--yes")
    try json("person", "delete", "zoe", "--yes")
    for name in ["pricing review", "garden", "zoe quist", "bulbs"] {
      let found = try arkived("history", name)
      #expect(found.status == (name == "bulbs" ? 66 : 0), "\(name) \(found.talk)")
    }
    // The meeting and its entry on its day.
    let versions = try json("history", "pricing review")["versions"]?.array ?? []
    #expect(versions.count == 2, "\(versions)")
    #expect(try json("history", "zo")["versions"]?.array?.count == 1)
    let version = try #require(try json("history", "garden")["versions"]?.array?.first)
    try json("history", "restore", try #require(version["id"]?.string))
    #expect(try json("notes", "show", "garden").object != nil)
  }

  @Test func aDiffOfAMeetingTellsBothOfItsRows() throws {
    try json("meeting", "create", "Pricing review 2026-03-16 10:00-11:00 @Priya")
    try json(
      "meeting", "edit", "pricing", "--title", "Price review", "--purpose", "Agree on tiers")
    let both = try json("history", "diff", "price review")
    let fields = both["changes"]?.array?.compactMap { $0["field"]?.string } ?? []
    #expect(Set(fields) == ["text", "purpose"], "\(fields)")
    #expect(both["beside"]?["to"]?["present"] == true)
    // Later only one of the two changed.
    try json("meeting", "edit", "price review", "--outcomes", "Three tiers")
    let one = try json("history", "diff", "price review")
    #expect(one["changes"]?.array?.compactMap { $0["field"]?.string } == ["outcomes"])
    #expect(one["beside"] == nil)
  }

  @Test func anAddressThatIsNoneIsRefused() throws {
    try json("meeting", "create", "Pricing review 2026-03-16 10:00-11:00 @Priya")
    let refused = try arkived("meeting", "edit", "pricing", "--with", "Zoe <zoe@>")
    #expect(refused.status == 65 && refused.talk.contains("name@example.org"), "\(refused.talk)")
  }
}

import ArkivedCore
import ArkivedEngine
import ArkivedStore
import ArkivedTestSupport
import Foundation
import Testing

/// Evernote's exports, in the shapes that Evernote and other programs write.
@Suite("Evernote in the archive")
struct EvernoteImportTests {
  private let test: TestArchive

  init() throws { test = try TestArchive() }

  private var job: ImportJob { ImportJob(archive: test.archive, homeZone: test.zone) }

  private static let type = "SYSTEM \"http://xml.evernote.com/pub/evernote-export4.dtd\""

  private func export(_ notes: String..., type: String = Self.type) -> String {
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <!DOCTYPE en-export \(type)>
    <en-export export-date="20260320T120000Z" application="Evernote" version="10.8.5">
    \(notes.joined(separator: "\n"))
    </en-export>
    """
  }

  private func note(
    _ title: String = "Lake", _ content: String = "<div>A swim</div>",
    created: String = "20260310T083000Z", updated: String? = nil, rest: String = ""
  ) -> String {
    "<note><title>\(title)</title><content><![CDATA[<?xml version=\"1.0\"?>"
      + "<!DOCTYPE en-note SYSTEM \"http://xml.evernote.com/pub/enml2.dtd\"><en-note>\(content)"
      + "</en-note>]]></content>" + (created.isEmpty ? "" : "<created>\(created)</created>")
      + (updated.map { "<updated>\($0)</updated>" } ?? "") + "\(rest)</note>"
  }

  private func run(_ text: String, _ name: String = "Travel.enex") throws -> ImportRun {
    try #require(try job.run(try test.folder.file(name, text)).first)
  }

  private func only(_ day: String = "2026-03-10") throws -> Activity {
    let activities = try test.day(day).activities
    return try #require(activities.count == 1 ? activities.first : nil, "\(activities.map(\.text))")
  }

  // MARK: Fields

  @Test func aNoteComesWithItsFields() throws {
    let rest = """
      <tag>sea</tag><tag>trips &amp; walks</tag><note-attributes><latitude>47.5</latitude>
      <longitude>8.5</longitude><author>Ann</author><source-url>https://example.org/a</source-url>
      <reminder-order>1</reminder-order><reminder-time>20260312T080000Z</reminder-time>
      <reminder-done-time>20260313T080000Z</reminder-done-time></note-attributes>
      """
    let found = try run(export(note(updated: "20260311T100000Z", rest: rest)))
    #expect(found.format == "evernote" && found.created["activity"] == 1, "\(found.warnings)")
    let lake = try only()
    #expect(lake.text == "Lake" && lake.notes == "A swim" && lake.source == .evernoteImport)
    #expect(lake.startAt == Instant("2026-03-10T08:30:00Z"))
    #expect(lake.updatedAt == Instant("2026-03-11T10:00:00Z"))
    #expect(Set(lake.tags) == ["sea", "trips & walks"])
    let details = try #require(lake.description)
    for line in ["Notebook: Travel", "Author: Ann", "Source: https://example.org/a"] {
      #expect(details.contains(line), "\(details)")
    }
    #expect(details.contains("Reminder: 2026-03-12"))
    #expect(details.contains("Reminder done: 2026-03-13"))
  }

  @Test func aNoteWithoutDateIsReportedWithItsLine() throws {
    let found = try run(export(note(), note("Undated", created: "")))
    #expect(found.created["activity"] == 1)
    #expect(found.warnings.contains { $0.place.hasPrefix("Travel.enex:5") }, "\(found.warnings)")
  }

  @Test func anInvalidTimeIsReportedAndTheOtherUsed() throws {
    let found = try run(export(note(created: "yesterday", updated: "20260310T083000Z")))
    #expect(try only().text == "Lake")
    #expect(found.warnings.contains { $0.message.contains("yesterday") })
  }

  // MARK: Text

  @Test(arguments: [
    (
      "<h2>Top</h2><div><b>bold</b> and <i>slanted</i></div>", ["## Top", "**bold** and *slanted*"]
    ),
    ("<ul><li><div>a</div><ul><li>b</li></ul></li></ul>", ["- a\n    - b"]),
    ("<ol><li>a</li><li>b</li></ol>", ["1. a", "2. b"]),
    (
      "<div><en-todo checked=\"true\"/>Milk</div>\n<div><en-todo/>Bread</div><div>End</div>",
      ["- [x] Milk\n- [ ] Bread", "End"]
    ),
    (
      "<div><en-todo/>Milk</div><h2>Top</h2><div>End</div>",
      ["- [ ] Milk", "## Top\n\nEnd"]
    ),
    ("<h2><en-todo/>Milk</h2><div>End</div>", ["- [ ] Milk\n\nEnd"]),
    (
      "<blockquote><div><en-todo/>Milk</div></blockquote><div>End</div>",
      ["- [ ] Milk\n\nEnd"]
    ),
    (
      "<ul style=\"--en-todo:true;\"><li style=\"--en-checked:true;\"><div>Milk</div></li>"
        + "<li style=\"--en-checked:false;\"><div>Bread</div></li></ul>",
      ["- [x] Milk", "- [ ] Bread"]
    ),
    ("<table><tr><td>a</td><td><div>b</div></td></tr></table>", ["| a | b |"]),
    (
      "<div><a href=\"https://example.org/a\">page</a></div>", ["[page](https://example.org/a)"]
    ),
    (
      "<div style=\"--en-codeblock:true;\"><div>let a = 1</div><div>let b = 2</div></div>",
      ["let a = 1\nlet b = 2"]
    ),
    ("<div>a &amp; b&nbsp;c</div>", ["a & b c"]),
  ])
  func textBecomesMarkdown(content: String, parts: [String]) throws {
    _ = try run(export(note("Lake", content)))
    let notes = try #require(try only().notes)
    for part in parts { #expect(notes.contains(part), "\(notes)") }
  }

  @Test func aSplitCDATASectionIsOneText() throws {
    _ = try run(export(note("Lake", "<div>x]]]]><![CDATA[>y</div>")))
    let notes = try #require(try only().notes)
    #expect(notes.contains("x") && notes.contains("y"))
  }

  @Test func aTextWithoutCDATAIsRead() throws {
    let plain = """
      <note><title>Lake</title><content><en-note><div>A <b>swim</b></div></en-note></content>
      <created>20260310T083000Z</created></note>
      """
    _ = try run(export(plain))
    #expect(try only().notes == "A **swim**")
  }

  @Test func signsInATextWithoutCDATAAreNotTags() throws {
    let plain = """
      <note><title>Lake</title><content><en-note><div>if a &lt;b and &amp;lt; c</div></en-note></content>
      <created>20260310T083000Z</created></note>
      """
    _ = try run(export(plain))
    let notes = try #require(try only().notes)
    #expect(notes.replacing("\\", with: "") == "if a <b and &lt; c")
  }

  @Test func tasksStandInTheirGroup() throws {
    let group = "<div style=\"--en-task-group:true; --en-id:G1;\"></div>"
    func task(_ title: String, _ state: String, _ weight: String) -> String {
      "<task><title>\(title)</title><created>20260310T083000Z</created>"
        + "<taskStatus>\(state)</taskStatus><sortWeight>\(weight)</sortWeight>"
        + "<taskGroupNoteLevelID>G1</taskGroupNoteLevelID></task>"
    }
    let content = "<div>Before</div>\(group)<div>After</div>"
    _ = try run(
      export(
        note(
          "Lake", content, rest: task("Pack", "open", "B") + task("Book", "completed", "A"))))
    let lake = try only()
    let notes = try #require(lake.notes)
    #expect(lake.text == "Lake")
    #expect(notes.contains("- [x] Book\n- [ ] Pack"), "\(notes)")
    #expect(notes.hasPrefix("Before") && notes.hasSuffix("After"))
  }

  @Test func encryptedTextIsReported() throws {
    let found = try run(
      export(note("Lake", "<div>a<en-crypt cipher=\"AES\">RU5DMA==</en-crypt>b</div>")))
    let notes = try #require(try only().notes)
    #expect(!notes.contains("RU5DMA") && notes.contains("encrypted text not imported"))
    #expect(found.warnings.contains { $0.message.contains("encrypted") })
  }

  // MARK: Files

  private func file(_ data: String, _ name: String? = "a b.png") -> String {
    let attributes = name.map {
      "<resource-attributes><file-name>\($0)</file-name></resource-attributes>"
    }
    return "<resource><data encoding=\"base64\">\(data)</data><mime>image/png</mime>"
      + "\(attributes ?? "")</resource>"
  }

  @Test func filesStandWhereTheirMD5Says() throws {
    // “hello”
    let media = "<en-media type=\"image/png\" hash=\"5d41402abc4b2a76b9719d911017c592\"/>"
    let found = try run(
      export(note("Lake", "<div>a</div><div>\(media)</div><div>b</div>", rest: file("aGVs\nbG8="))))
    let lake = try only()
    #expect(lake.attachments.map(\.originalName) == ["a b.png"], "\(found.warnings)")
    #expect(lake.attachments.first?.byteCount == 5)
    let notes = try #require(lake.notes)
    #expect(notes.contains("![photo](attachment:a%20b.png)"), "\(notes)")
    #expect(notes.hasPrefix("a") && notes.hasSuffix("b"))
  }

  @Test func missingAndDamagedFilesAreReported() throws {
    let media = "<en-media type=\"image/png\" hash=\"00000000000000000000000000000000\"/>"
    let found = try run(
      export(
        note("Lake", media + "<div>a</div>"),
        note("Sea", "<div>b</div>", created: "20260311T083000Z", rest: file("!!!!"))))
    #expect(found.created["activity"] == 2)
    #expect(found.warnings.contains { $0.message.contains("missing from the export") })
    #expect(found.warnings.contains { $0.message.contains("damaged") })
  }

  // MARK: Damage

  @Test func aTruncatedExportGivesItsWholeNotes() throws {
    let whole = export(note(), note("Sea", created: "20260311T083000Z"))
    let end = try #require(whole.range(of: "<title>Sea")?.upperBound)
    let found = try run(String(whole[..<end]))
    #expect(found.created["activity"] == 1)
    #expect(found.warnings.contains { $0.place == "Travel.enex:5" }, "\(found.warnings)")
  }

  @Test func readingContinuesBehindADamagedNote() throws {
    let found = try run(
      export(note(), "<note><title>a</b></title></note>", note("Sea", created: "20260311T083000Z")))
    #expect(found.created["activity"] == 2)
    #expect(found.warnings.contains { $0.message.contains("not valid XML") })
  }

  @Test func declaredEntitiesAreNeverExpanded() throws {
    let type = "[<!ENTITY a \"lollol\"><!ENTITY b SYSTEM \"file:///etc/passwd\">]"
    let found = try run(
      export(
        note(), note("&a;&b;", created: "20260311T083000Z"),
        note("Sea", "<div>&a;</div>", created: "20260312T083000Z"), type: type))
    #expect(found.created["activity"] == 2, "\(found.warnings)")
    #expect(try only("2026-03-12").notes?.contains("lol") == false)
  }

  @Test func somethingElseIsRefused() throws {
    let url = try test.folder.file("a.enex", "<!DOCTYPE en-export>\n<other/>")
    #expect(throws: (any Error).self) { try job.run(url) }
  }

  // MARK: Again

  @Test func aSecondRunChangesNothingAndAnEditUpdates() throws {
    _ = try run(export(note(), note("Sea")))
    let again = try run(export(note(), note("Sea")), "other/Travel (1).enex")
    #expect(again.created.isEmpty && again.updated == 0 && again.unchanged == 2)
    let text = note("Lake", "<div>A walk</div>", updated: "20260312T100000Z")
    let edited = try run(export(text, note("Sea")), "third/Travel.enex")
    #expect(edited.created.isEmpty && edited.updated == 1, "\(edited.warnings)")
    let title = note("The lake", "<div>A walk</div>", updated: "20260313T100000Z")
    let renamed = try run(export(title, note("Sea")), "fourth/Travel.enex")
    #expect(renamed.created.isEmpty && renamed.updated == 1, "\(renamed.warnings)")
    #expect(Set(try test.day("2026-03-10").activities.map(\.text)) == ["The lake", "Sea"])
  }

  @Test func theSameNoteTwiceIsOneAndOthersOfItsTimeAreNot() throws {
    let found = try run(export(note(), note(), note("Sea"), note("Lake", "<div>Other</div>")))
    #expect(found.created["activity"] == 3, "\(found.warnings)")
  }

  @Test func aZipOfNotebooksIsOneImportThatCanBeUndone() throws {
    let zip = TestZip([
      (name: "Home.enex", content: Data(export(note()).utf8)),
      (name: "Work.enex", content: Data(export(note("Sea", created: "20260311T083000Z")).utf8)),
    ])
    let runs = try job.run(try test.folder.file("notes.zip", try zip.data()))
    #expect(runs.first?.created["activity"] == 2, "\(runs)")
    #expect(try only().description == "Notebook: Home")
    #expect(try only("2026-03-11").description == "Notebook: Work")
    let first = try #require(runs.first)
    _ = try test.archive.undo(try test.archive.importRun(matching: first.id.uuidString).changeID)
    #expect(try test.day("2026-03-10").activities.isEmpty)
  }
}

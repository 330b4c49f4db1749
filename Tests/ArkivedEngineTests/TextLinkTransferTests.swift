import ArkivedBackup
import ArkivedCore
import ArkivedEngine
import ArkivedImport
import ArkivedStore
import ArkivedTestSupport
import Foundation
import Testing

@Suite("Links on their way out and in")
struct TextLinkTransferTests {
  private let test: TestArchive
  private let folder: TemporaryFolder
  private var archive: Archive { test.archive }

  init() throws {
    test = try TestArchive()
    folder = try TemporaryFolder()
  }

  private func day(_ text: String) throws -> DayKey { try #require(DayKey(text)) }

  private func note(_ title: String, _ text: String) throws -> Note {
    try archive.create(
      Note(
        id: archive.identities.next(), title: title, text: text, createdAt: test.clock.now,
        updatedAt: test.clock.now)
    ).value
  }

  @Test func aVaultHasTheLinksAndBringsThemBack() throws {
    let run = try test.activity("ran by the sea")
    try archive.add(run)
    let plan = try note("Plan", "see [[entry:\(run.id.uuidString)|the run]] and [[2024-03-05]]")
    let text = "[[entry:\(run.id.uuidString)]] [[entry:\(plan.id.uuidString)|p]] [[Plan]] `[[x]]`"
    _ = try archive.updateDay(day("2026-03-10")) { $0.note = text }
    let target = folder.url.appendingPathComponent("vault")
    _ = try ExportJob(archive: archive).writeMarkdown(to: target)
    let page = try String(
      contentsOf: target.appendingPathComponent("2026/2026-03-10.md"), encoding: .utf8)
    let id = run.id.uuidString
    #expect(
      page.contains(
        "[[\(run.dayKey)#^\(id)|\(run.dayKey) ran by the sea]] [[Plan#^\(plan.id.uuidString)|p]] "
          + "[[Plan]] `[[x]]`"))
    let home = try String(
      contentsOf: target.appendingPathComponent("2026/\(run.dayKey).md"), encoding: .utf8)
    #expect(home.contains("ran by the sea ^\(id)"))
    // Where the entries themselves are gone, the note still leads to their day.
    let other = try TestArchive()
    _ = try ImportJob(
      archive: other.archive, homeZone: other.zone,
      importers: [MarkdownFolderImporter(takesPages: true, takesTimedLines: true)]
    ).run(target)
    let kept = try #require(try other.archive.note(plan.id))
    #expect(kept.text == plan.text)
    #expect(
      try other.archive.day(day("2026-03-10")).entry?.note.hasPrefix("[[entry:\(id)|") == true)
    let line = try other.archive.day(run.dayKey).activities.map(\.text)
    #expect(line == ["ran by the sea"])
  }

  @Test func meetingsAndAbbreviatedIDsHaveTheirMarks() throws {
    let entry = try test.activity("talked about the garden", on: "2026-03-09", from: "10:00")
    let id = archive.identities.next()
    let meeting = try archive.create(
      MeetingEntry(
        meeting: Meeting(
          id: id, activityID: entry.id, eventIdentifier: id.uuidString, createdAt: test.clock.now,
          updatedAt: test.clock.now), activity: entry)
    ).value
    // An ID of its own beginning, because those of tests count up.
    var run = try test.activity("ran by the sea", on: "2026-03-09")
    run.id = try #require(UUID(uuidString: "A1B2C3D4-0000-4000-8000-00000000AB01"))
    try archive.add(run)
    _ = try archive.updateDay(day("2026-03-10")) {
      $0.note = "[[entry:\(meeting.id.uuidString)|m]] [[entry:A1B2C3D4|r]]"
    }
    let target = folder.url.appendingPathComponent("vault")
    _ = try ExportJob(archive: archive).writeMarkdown(to: target)
    func page(_ day: String) throws -> String {
      try String(contentsOf: target.appendingPathComponent("2026/\(day).md"), encoding: .utf8)
    }
    for (one, label) in [(entry, "m"), (run, "r")] {
      let mark = "^\(one.id.uuidString)"
      #expect(try page("2026-03-10").contains("[[2026-03-09#\(mark)|\(label)]]"))
      let lines = try page("2026-03-09").split(separator: "\n")
      #expect(lines.contains { $0.contains(one.text) && $0.hasSuffix(" \(mark)") })
    }
  }

  @Test func aLinkToANoteUsesTheNameOfItsFile() throws {
    let plan = try note("A/B: plan?", "first A, then B")
    let id = plan.id.uuidString
    _ = try archive.updateDay(day("2026-03-10")) { $0.note = "[[entry:\(id)|p]]" }
    let target = folder.url.appendingPathComponent("vault")
    _ = try ExportJob(archive: archive).writeMarkdown(to: target)
    let page = try String(
      contentsOf: target.appendingPathComponent("2026/2026-03-10.md"), encoding: .utf8)
    #expect(page.contains("[[A B plan#^\(id)|p]]"))
    #expect(
      FileManager.default.fileExists(
        atPath: target.appendingPathComponent("notes/A B plan.md").path))
  }

  @Test func linksInATableOrToAnEntryWithBracketsStayWholeInAVault() throws {
    let run = try test.activity("ran [easy] | fast")
    try archive.add(run)
    let (id, home) = (run.id.uuidString, run.dayKey)
    let table = "| link | words |\n| --- | --- |\n| [[entry:\(id)\\|it]] | [[entry:\(id)]] |"
    _ = try archive.updateDay(day("2026-03-10")) { $0.note = "see [[entry:\(id)]]\n\n\(table)" }
    let target = folder.url.appendingPathComponent("vault")
    _ = try ExportJob(archive: archive).writeMarkdown(to: target)
    let page = try String(
      contentsOf: target.appendingPathComponent("2026/2026-03-10.md"), encoding: .utf8)
    let words = "\(home) ran easy  fast"
    #expect(page.contains("see [[\(home)#^\(id)|\(words)]]\n"))
    #expect(page.contains("| [[\(home)#^\(id)\\|it]] | [[\(home)#^\(id)\\|\(words)]] |"))
    let other = try TestArchive()
    _ = try ImportJob(
      archive: other.archive, homeZone: other.zone,
      importers: [MarkdownFolderImporter(takesPages: true, takesTimedLines: true)]
    ).run(target)
    let note = try other.archive.day(day("2026-03-10")).entry?.note
    #expect(note?.contains("| [[entry:\(id)\\|it]] | [[entry:\(id)\\|\(words)]] |") == true)
  }

  @Test func aBackupKeepsLinksTemplatesAndPrompts() throws {
    let plan = try note("Plan", "[[2026-03-10]]")
    _ = try archive.updateDay(day("2026-03-10")) { $0.note = "[[Plan]]" }
    try archive.updateWritingSettings { settings in
      try settings.keep(
        WritingTemplate(
          id: archive.identities.next(), name: "Sunday", text: "{{date}}", weekdays: [.sunday]))
      try settings.setPrompts(["Why?"])
      settings.usesPast = true
    }
    let file = folder.url.appendingPathComponent("copy.zip")
    _ = try BackupJob(archive: archive, target: nil).write(to: file)
    let other = try Archive(
      at: .folder(folder.url.appendingPathComponent("other")), clock: test.clock)
    _ = try RestoreJob(archive: other, homeZone: test.zone).prepare(file, unlocks: []).apply()
    #expect(try other.backlinks(to: .note(plan.id)).links.map(\.type) == [.day])
    #expect(try other.backlinks(to: .day(day("2026-03-10"))).links.map(\.id) == [plan.id])
    #expect(try other.writingSettings() == archive.writingSettings())
    #expect(try other.examine().allSatisfy { $0.verdict != .problem })
  }

  @Test func logseqsBlocksBecomeLinksToTheirPages() throws {
    _ = try folder.file(
      "logseq/config.edn", #"{:journal/page-title-format "EEE, dd-MM-yyyy"}"#)
    let block = "65e6f1a0-0000-4000-8000-00000000ab01"
    let other = "65e6f1a0-0000-4000-8000-00000000ab02"
    _ = try folder.file(
      "journals/2026_03_10.md",
      "- Bought **wood** for the [[boat]]\n  id:: \(block)\n- on [[Mar 9th, 2026]]")
    _ = try folder.file("pages/boat.md", "- A plan for it\n  id:: \(other)")
    _ = try folder.file(
      "journals/2026_03_11.md",
      """
      - Because of ((\(block))), see [the plan](((\(other)))) and {{embed ((\(other)))}}
      - {{embed [[boat]]}} on [[Tue, 10-03-2026]], not ((65e6f1a0-0000-4000-8000-00000000ab03))
      """)
    _ = try ImportJob(
      archive: archive, homeZone: test.zone, importers: [MarkdownFolderImporter(takesPages: true)]
    ).run(folder.url)
    #expect(
      try test.day("2026-03-11").entry?.note == """
        - Because of [[2026-03-10|Bought wood for the boat]], see [[boat|the plan]] and \
        [[boat|A plan for it]]
        - [[boat]] on [[2026-03-10|Tue, 10-03-2026]], not \
        ((65e6f1a0-0000-4000-8000-00000000ab03))
        """)
    let boat = try #require(try archive.targets(ofName: "boat").first?.id)
    #expect(try archive.backlinks(to: .note(boat)).count == 2)
    #expect(try archive.backlinks(to: .day(day("2026-03-10"))).count == 1)
    #expect(try archive.backlinks(to: .day(day("2026-03-09"))).count == 1)
  }

  @Test func obsidiansDaysOfAnyFormatAreLinked() throws {
    _ = try folder.file(
      ".obsidian/daily-notes.json", #"{"folder":"Daily","format":"ddd D MMM YYYY"}"#)
    _ = try folder.file(
      "Daily/Tue 10 Mar 2026.md", "See [[Mon 9 Mar 2026]], [[Daily/Sun 8 Mar 2026|Sunday]], [[Sam]]"
    )
    _ = try ImportJob(
      archive: archive, homeZone: test.zone, importers: [MarkdownFolderImporter()]
    ).run(folder.url)
    #expect(
      try test.day("2026-03-10").entry?.note
        == "See [[Mon 9 Mar 2026]], [[2026-03-08|Sunday]], [[Sam]]")
    #expect(try archive.backlinks(to: .day(day("2026-03-09"))).count == 1)
    #expect(try archive.backlinks(to: .day(day("2026-03-08"))).count == 1)
  }
}

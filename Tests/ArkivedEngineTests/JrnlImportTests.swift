import ArkivedCore
import ArkivedEngine
import ArkivedImport
import ArkivedStore
import ArkivedTestSupport
import Foundation
import Testing

@Suite("Journals of jrnl in the archive")
struct JrnlImportTests {
  private let test: TestArchive

  init() throws { test = try TestArchive() }

  private let journal = """
    [2016-05-07 09:30] A fine day with @Sam
    We walked.
    ![A hill](pics/a.png)

    [2016-05-07 09:30] A fine day with @Sam
    The same again.

    [2016-05-08 19:30] Star day *

    """

  private func run(_ name: String, _ content: String) throws -> ImportRun {
    try run(try test.folder.file(name, content))
  }

  private func run(_ url: URL) throws -> ImportRun {
    try #require(
      try ImportJob(archive: test.archive, homeZone: test.zone).run(url).first)
  }

  /// Everything the archive holds, without the export's head, whose time differs.
  private func content() throws -> [String] {
    var lines: [String] = []
    _ = try ExportJob(archive: test.archive).writeJSONLines { lines.append($0) }
    return Array(lines.dropFirst())
  }

  private func day(_ day: String) throws -> [Activity] { try test.day(day).activities }

  @Test func theSameJournalTwiceChangesNothing() throws {
    _ = try test.folder.file("life/pics/a.png", "picture")
    let first = try run("life/journal.txt", journal)
    #expect(first.format == "jrnl")
    #expect(first.created == ["activity": 3])
    let before = try content()
    test.clock.advance(seconds: 3600)
    let second = try run("life/journal.txt", journal)
    #expect(second.created.isEmpty && second.updated == 0 && second.unchanged == 3)
    #expect(try content() == before)
    let activity = try #require(try day("2016-05-07").first)
    let attachment = try #require(activity.attachments.first)
    let file = try #require(test.archive.file(of: attachment))
    #expect(try String(contentsOf: file, encoding: .utf8) == "picture")
    #expect(activity.tags == ["Sam"] && activity.people.isEmpty)
    #expect(activity.notes == "We walked.\n![A hill](pics/a.png)")
    #expect(try day("2016-05-08").map(\.isPinned) == [true])
  }

  @Test func appendedEntriesAloneAreNew() throws {
    _ = try run("journal.txt", journal)
    let longer =
      journal + "\n[2016-05-08 19:30] Star day\n\n[2026-03-14 08:00] Today\n"
    let run = try run("journal.txt", longer)
    #expect(run.created == ["activity": 2])
    #expect(run.updated == 0 && run.unchanged == 3)
    #expect(try day("2026-03-14").map(\.text) == ["Today"])
  }

  @Test func anEditedBodyUpdatesItsEntry() throws {
    _ = try run("journal.txt", journal)
    let edited = journal.replacingOccurrences(of: "The same again.", with: "Not the same.")
    let run = try run("journal.txt", edited)
    #expect(run.created.isEmpty && run.updated == 1 && run.unchanged == 2)
    #expect(try day("2016-05-07").compactMap(\.notes).contains("Not the same."))
    let activity = try #require(
      try day("2016-05-07").first { $0.notes == "Not the same." })
    let old = try test.archive.history(of: activity.id)
    #expect(old.first?.record["notes"]?.string == "The same again.")
  }

  @Test func whatTheOwnerChangedHereIsKept() throws {
    _ = try run("journal.txt", journal)
    let activity = try #require(try day("2016-05-08").first)
    _ = try test.archive.updateActivity(activity.id) { $0.notes = "mine" }
    let edited = journal.replacingOccurrences(of: "Star day *", with: "Star day\ntheirs")
    let run = try run("journal.txt", edited)
    #expect(run.updated == 0)
    #expect(run.warnings.contains { $0.message.contains("your version was kept") })
    #expect(try day("2016-05-08").map(\.notes) == ["mine"])
  }

  @Test func theOtherFormsOfTheSameJournalChangeNothing() throws {
    _ = try test.folder.file("life/pics/a.png", "picture")
    _ = try run("life/journal.txt", journal)
    let before = try content()
    let json = try run(
      "export.json",
      """
      {"tags": {"@sam": 2}, "entries": [
      {"title": "A fine day with @Sam", "body": "We walked.\\n![A hill](pics/a.png)",
       "date": "2016-05-07", "time": "09:30", "tags": ["@sam"], "starred": false},
      {"title": "A fine day with @Sam", "body": "The same again.",
       "date": "2016-05-07", "time": "09:30", "tags": ["@sam"], "starred": false},
      {"title": "Star day", "body": "", "date": "2016-05-08", "time": "19:30", "tags": [],
       "starred": true}]}
      """)
    #expect(json.created.isEmpty && json.updated == 0 && json.unchanged == 3)
    let entries = journal.components(separatedBy: "\n\n")
    _ = try test.folder.file("folder/2016/05/07.txt", entries[0] + "\n\n" + entries[1] + "\n")
    _ = try test.folder.file("folder/2016/05/08.txt", entries[2])
    let folder = try run(test.folder.url.appending(path: "folder"))
    #expect(folder.created.isEmpty && folder.updated == 0 && folder.unchanged == 3)
    let version1 = journal.replacingOccurrences(of: "[2", with: "2")
      .replacingOccurrences(of: ":30] ", with: ":30 ")
    let old = try run("old.txt", version1)
    #expect(old.created.isEmpty && old.updated == 0 && old.unchanged == 3)
    #expect(try content() == before)
  }

  @Test func anImportIsTakenBack() throws {
    _ = try run("journal.txt", journal)
    let (_, change) = try test.archive.importRun(
      matching: try #require(try test.archive.importRuns().first).id.uuidString)
    _ = try test.archive.undo(change)
    #expect(try test.archive.counts().activities == 0)
  }

  @Test func anEncryptedJournalIsRefusedAndAmongOthersNamed() throws {
    let file = try test.folder.file("all/journal.txt", "JRNLv3\u{0}\u{4}abcd")
    #expect(throws: ImportRefusal.self) { try run(file) }
    _ = try test.folder.file("all/work.txt", "[2016-05-07 09:30] A\n")
    let all = try run(test.folder.url.appending(path: "all"))
    #expect(all.created == ["activity": 1])
    #expect(all.warnings.contains { $0.message.contains("encrypted") })
  }
}

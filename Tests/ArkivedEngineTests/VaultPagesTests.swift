import ArkivedCore
import ArkivedEngine
import ArkivedStore
import ArkivedTestSupport
import Foundation
import Testing

@Suite("A vault that is exported again")
struct VaultPagesTests {
  private let test: TestArchive
  private var vault: URL { test.folder.url.appendingPathComponent("vault") }

  init() throws { test = try TestArchive() }

  @discardableResult
  private func export(_ span: DayFilter = DayFilter()) throws -> ExportJob.Summary {
    try ExportJob(archive: test.archive).writeMarkdown(of: span, to: vault)
  }

  /// Returns the pages in the folder.
  private func pages() throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: vault.path)
      .filter { $0.hasSuffix(".md") }.sorted()
  }

  private func write(_ text: String, to page: String) throws {
    try Data(text.utf8).write(to: vault.appendingPathComponent(page))
  }

  private func note(_ title: String) throws -> Note {
    try test.archive.create(
      Note(
        id: test.archive.identities.next(), title: title, text: "text of \(title)",
        createdAt: test.clock.now, updatedAt: test.clock.now)
    ).value
  }

  @Test func anAddressStaysOnItsLine() throws {
    let entry = try test.add("swam", on: "2026-03-10")
    let link = Attachment(
      id: test.archive.identities.next(), type: .link, caption: "Pool",
      externalURL: "https://pool.example/\n- 09:00 forged", createdAt: test.clock.now,
      updatedAt: test.clock.now)
    _ = try test.archive.attach([link], to: .activity(entry.id))
    try export()
    let page = try String(
      contentsOf: vault.appendingPathComponent("2026/2026-03-10.md"), encoding: .utf8)
    #expect(!page.contains("\n- 09:00 forged"))
    #expect(page.contains("[Pool](<https://pool.example/%0A- 09:00 forged>)"), "\(page)")
  }

  @Test func pagesOfWhatIsDeletedOrRenamedGo() throws {
    let secret = try test.add("a secret", on: "2026-03-09")
    try test.add("swam", on: "2026-03-10")
    let (plan, kept) = (try note("Plan"), try note("2026-03-09"))
    try export()
    #expect(
      try pages() == [
        "2026/2026-03-09.md", "2026/2026-03-10.md", "notes/2026-03-09.md", "notes/Plan.md",
      ])
    // The owner's own files are none of the export's, whatever they are called.
    try write("mine", to: "2026/2026-03-11.md")
    try write("mine", to: "notes/Idea.md")
    _ = try test.archive.purge(.entities([secret.id]))
    _ = try test.archive.updateNote(plan.id) { $0.title = "The plan" }
    try export()
    let left = [
      "2026/2026-03-10.md", "2026/2026-03-11.md", "notes/2026-03-09.md", "notes/Idea.md",
      "notes/The plan.md",
    ]
    #expect(try pages() == left)
    // A page of some days takes no notes away.
    try export(DayFilter(from: DayKey("2026-03-09"), to: DayKey("2026-03-09")))
    #expect(try pages() == left)
    _ = try test.archive.deleteNote(kept.id)
    try export()
    #expect(try pages() == left.filter { $0 != "notes/2026-03-09.md" })
  }

  @Test func aPageThatWasChangedInTheFolderStays() throws {
    let walk = try test.add("walk", on: "2026-03-09")
    try export()
    try write("walk, and more", to: "2026/2026-03-09.md")
    _ = try test.archive.deleteActivities([walk.id])
    try export()
    try export()
    #expect(try pages() == ["2026/2026-03-09.md"])
  }

  @Test func everyLaterExportKeepsAChangedPage() throws {
    let walk = try test.add("walk", on: "2026-03-09")
    try export()
    let page = "2026/2026-03-09.md"
    func text() throws -> String {
      try String(contentsOf: vault.appendingPathComponent(page), encoding: .utf8)
    }
    let original = try text()
    try write("walk, and more", to: page)
    for _ in 1...3 {
      #expect(try export().leftOut.count == 1)
      #expect(try text() == "walk, and more")
    }
    // Even if its day had no page for a while.
    _ = try test.archive.deleteActivities([walk.id])
    #expect(try export().leftOut.isEmpty)
    try test.add("swim", on: "2026-03-09")
    #expect(try export().leftOut.count == 1)
    #expect(try text() == "walk, and more")
    // What the export wrote is the export's again.
    try write(original, to: page)
    #expect(try export().leftOut.isEmpty)
    #expect(try text().contains("swim"))
  }

  @Test func aPageThatTheOwnerAddedBeforeItsDayHadEntriesStays() throws {
    try test.add("walk", on: "2026-03-09")
    try export()
    let page = "2026/2026-03-10.md"
    try write("mine", to: page)
    // This export is later than the page.
    try export()
    try test.add("swam", on: "2026-03-10")
    for _ in 1...2 {
      #expect(try export().leftOut.count == 1)
      #expect(
        try String(contentsOf: vault.appendingPathComponent(page), encoding: .utf8) == "mine")
    }
  }

  @Test func aPageThatWasChangedInTheFolderStaysHoweverOftenItIsExported() throws {
    try test.add("walk", on: "2026-03-09")
    _ = try note("Plan")
    try export()
    try write("walk, and more", to: "2026/2026-03-09.md")
    try write("my idea", to: "notes/Idea.md")
    _ = try note("Idea")
    for _ in 0..<3 {
      let left = try export().leftOut
      #expect(left.count == 2, "\(left)")
      #expect(try content("2026/2026-03-09.md") == "walk, and more")
      #expect(try content("notes/Idea.md") == "my idea")
      _ = try ExportJob(archive: test.archive).writeCSV(to: vault)
    }
    #expect(
      try ExportJob(archive: test.archive).writeMarkdown(to: vault, replaces: true).leftOut.isEmpty)
    #expect(try content("2026/2026-03-09.md").contains("- walk"))
    #expect(try export().leftOut.isEmpty)
  }

  @Test func aCopiedFolderIsNotTakenForChanged() throws {
    let walk = try test.add("walk", on: "2026-03-09")
    try export()
    let page = vault.appendingPathComponent("2026/2026-03-09.md")
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSinceNow: 60)], ofItemAtPath: page.path)
    _ = try test.archive.updateActivity(walk.id) { $0.text = "a long walk" }
    #expect(try export().leftOut.isEmpty)
    #expect(try String(contentsOf: page, encoding: .utf8).contains("a long walk"))
  }

  private func content(_ page: String) throws -> String {
    try String(contentsOf: vault.appendingPathComponent(page), encoding: .utf8)
  }

  private func person(_ name: String) throws -> Person {
    try test.archive.create(
      Person(
        id: test.archive.identities.next(), name: name, createdAt: test.clock.now,
        updatedAt: test.clock.now)
    ).value
  }

  @Test func pagesOfTheSameNameKeepTheirNumbers() throws {
    let (first, second) = (try note("Plan"), try note("Plan"))
    try export()
    #expect(try pages() == ["notes/Plan 2.md", "notes/Plan.md"])
    #expect(try content("notes/Plan.md").contains(first.id.uuidString))
    #expect(try content("notes/Plan 2.md").contains(second.id.uuidString))
    // The order in which notes were changed and new ones don't matter.
    test.clock.advance(seconds: 60)
    _ = try test.archive.updateNote(first.id) { $0.text = "another text" }
    let third = try note("Plan")
    try export()
    #expect(try content("notes/Plan.md").contains(first.id.uuidString))
    #expect(try content("notes/Plan 2.md").contains(second.id.uuidString))
    #expect(try content("notes/Plan 3.md").contains(third.id.uuidString))
    // Neither does the deletion of another one.
    _ = try test.archive.deleteNote(first.id)
    try export()
    #expect(try pages() == ["notes/Plan 2.md", "notes/Plan 3.md"])
    #expect(try content("notes/Plan 2.md").contains(second.id.uuidString))
    // Only what is called differently gets another name.
    _ = try test.archive.updateNote(second.id) { $0.title = "Old plan" }
    try export()
    #expect(try pages() == ["notes/Old plan.md", "notes/Plan 3.md"])
  }

  @Test func peopleOfTheSameNameKeepTheirPages() throws {
    let (alex, other) = (try person("Alex: Kim"), try person("Alex Kim"))
    try test.archive.add(
      try test.activity("lunch", on: "2026-03-09", people: ["Alex Kim"]))
    try export()
    let folder = vault.appendingPathComponent("people")
    func page(of person: Person) throws -> String? {
      try FileManager.default.contentsOfDirectory(atPath: folder.path).first {
        try content("people/\($0)").contains(person.id.uuidString)
      }
    }
    let before = (try page(of: alex), try page(of: other))
    #expect(Set([before.0, before.1]) == ["Alex Kim.md", "Alex Kim 2.md"])
    let gone = before.0 == "Alex Kim.md" ? alex : other
    let kept = before.0 == "Alex Kim.md" ? other : alex
    _ = try test.archive.deletePerson(gone.id)
    try export()
    #expect(try page(of: kept) == "Alex Kim 2.md")
  }

  @Test func aPageOfSomeDaysLeavesThePagesOfOtherNotes() throws {
    let now = test.clock.now
    let ids = try ["2026-03-09", "2026-03-10"].map { day in
      try test.archive.create(
        Note(
          id: test.archive.identities.next(), title: "Plan", text: "for \(day)",
          dayKey: DayKey(day), createdAt: now, updatedAt: now)
      ).value.id
    }
    try export()
    try export(DayFilter(from: DayKey("2026-03-10"), to: DayKey("2026-03-10")))
    #expect(try content("notes/Plan.md").contains(ids[0].uuidString))
    #expect(try content("notes/Plan 2.md").contains(ids[1].uuidString))
  }

  @Test func aLinkPointsToTheNumberedPage() throws {
    _ = try note("Plan")
    let second = try note("Plan")
    let day = try #require(DayKey("2026-03-09"))
    _ = try test.archive.updateDay(day) { $0.note = "see [[entry:\(second.id.uuidString)|it]]" }
    try export()
    #expect(try content("2026/2026-03-09.md").contains("[[Plan 2#^\(second.id.uuidString)|it]]"))
  }

  @Test func attachmentsOfWhatIsDeletedGo() throws {
    func file(_ text: String) throws -> ArkivedCore.Attachment {
      try test.archive.store(
        Data(text.utf8),
        as: ArkivedCore.Attachment(
          id: test.archive.identities.next(), type: .file, caption: text,
          mediaType: "text/plain", originalName: "\(text).txt", createdAt: test.clock.now,
          updatedAt: test.clock.now))
    }
    let files = try ["secret", "kept", "edited"].map(file)
    let days = ["2026-03-09", "2026-03-10", "2026-03-11"]
    let entries = try zip(files, days).map { file, day in
      var entry = try test.activity("with a file", on: day)
      entry.attachments = [file]
      return try test.archive.add(entry).value
    }
    try export()
    func url(_ file: ArkivedCore.Attachment) throws -> URL {
      let path = try #require(file.relativePath)
      return vault.appendingPathComponent("attachments/\(path)")
    }
    func isThere(_ file: ArkivedCore.Attachment) throws -> Bool {
      FileManager.default.fileExists(atPath: try url(file).path)
    }
    #expect(try files.allSatisfy(isThere))
    try Data("a drawing over it".utf8).write(to: try url(files[2]))
    try Data("mine".utf8).write(to: vault.appendingPathComponent("attachments/mine.txt"))
    _ = try test.archive.deleteActivities([entries[0].id, entries[2].id])
    // An export of some days doesn't know about the others.
    try export(DayFilter(from: DayKey("2026-03-10"), to: DayKey("2026-03-10")))
    #expect(try files.allSatisfy(isThere))
    // Another format in the same folder doesn't forget what belongs to the pages.
    _ = try ExportJob(archive: test.archive).writeCSV(to: vault)
    try export()
    #expect(try files.map(isThere) == [false, true, true])
    #expect(
      FileManager.default.fileExists(
        atPath: vault.appendingPathComponent("attachments/mine.txt").path))
  }

  @Test func filesOfAnEarlierBookGo() throws {
    let book = test.folder.url.appendingPathComponent("book")
    let today = try #require(DayKey("2026-03-31"))
    let days = ["2026-03-09", "2026-03-10"]
    let entries = try days.map { day in
      var entry = try test.activity("with a file", on: day)
      entry.attachments = [
        try test.archive.store(
          Data(day.utf8),
          as: ArkivedCore.Attachment(
            id: test.archive.identities.next(), type: .file, caption: day,
            mediaType: "text/plain", originalName: "a.txt", createdAt: test.clock.now,
            updatedAt: test.clock.now))
      ]
      return try test.archive.add(entry).value
    }
    func isThere(_ entry: Activity) throws -> Bool {
      let path = try #require(entry.attachments.first?.relativePath)
      return FileManager.default.fileExists(
        atPath: book.appendingPathComponent("attachments/\(path)").path)
    }
    func write() throws {
      _ = try ExportJob(archive: test.archive).writeBook(of: DayFilter(), to: book, today: today)
    }
    try write()
    #expect(try entries.map(isThere) == [true, true])
    _ = try test.archive.purge(.entities([entries[0].id]))
    try write()
    #expect(try entries.map(isThere) == [false, true])
    // The pages of a vault in the same folder keep theirs.
    _ = try ExportJob(archive: test.archive).writeMarkdown(to: book)
    _ = try test.archive.deleteActivities([entries[1].id])
    try write()
    #expect(try entries.map(isThere) == [false, true])
  }
}

import ArkivedCore
import ArkivedEngine
import ArkivedImport
import ArkivedStore
import ArkivedTestSupport
import Foundation
import Testing

@Suite("Folders of Markdown in the archive")
struct MarkdownImportTests {
  private let test: TestArchive
  private let vault: TemporaryFolder

  init() throws {
    test = try TestArchive()
    vault = try TemporaryFolder()
  }

  private func run(_ importer: MarkdownFolderImporter = MarkdownFolderImporter()) throws
    -> ImportRun
  {
    try #require(
      try ImportJob(archive: test.archive, homeZone: test.zone, importers: [importer])
        .run(vault.url).first)
  }

  private let png = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 1, 2, 3])

  /// Obsidian 1.x: settings of the core plugin “Daily notes”, properties, embeds.
  private func makeObsidian() throws {
    _ = try vault.file(
      ".obsidian/daily-notes.json", #"{"folder":"Daily","format":"YYYY/MM/ddd D MMM YYYY"}"#)
    _ = try vault.file(
      "Daily/2026/03/Tue 10 Mar 2026.md",
      """
      ---
      tags: [sea, "long walk"]
      mood: 4
      steps: 12000
      aliases:
        - The day at sea
      cssclass: wide
      ---
      # Tue 10 Mar 2026

      With [[Sam|Sammy]] at the #sea.
      - 09:30 coffee with Sam
      ![[beach.png|300]]
      ![[gone.png]]
      ![[Another page]]
      """)
    _ = try vault.file("files/beach.png", png)
    _ = try vault.file("Ideas.md", "---\ntags: idea\n---\nA boat, with #wood")
    _ = try vault.file("2026-03-11.md", "By the usual name")
    _ = try vault.file("2026-03-12.md", "\n\n")
  }

  @Test func aPropertyThatIsTooLongForATagStaysText() throws {
    let long = String(repeating: "x", count: 201)
    _ = try vault.file("2026-03-10.md", "---\ntags: [sea, \(long)]\n---\nBeach")
    _ = try run()
    #expect(try test.day("2026-03-10").entry?.note == "Beach\n\ntag: \(long)\n\n#sea")
  }

  /// Each line must not move all others.
  @Test func aPageMayBeginWithHundredsOfThousandsOfBlankLines() throws {
    let blank = String(repeating: "\n", count: 200_000)
    _ = try vault.file("2026-03-10.md", blank + "# 2026-03-10" + blank + "Beach")
    _ = try run()
    #expect(try test.day("2026-03-10").entry?.note == "Beach")
  }

  @Test func aJournalOfLogseqMayBeginWithHundredsOfThousandsOfEmptyBlocks() throws {
    _ = try vault.file("logseq/config.edn", #"{:journals-directory "journals"}"#)
    let empty = String(repeating: "-\n", count: 200_000)
    _ = try vault.file("journals/2026_03_10.md", empty + "- Beach")
    _ = try run()
    #expect(try test.day("2026-03-10").entry?.note == "- Beach")
  }

  @Test func moodsUpToTenStayText() throws {
    for (day, mood) in [("10", "4"), ("11", "8"), ("12", "4/5")] {
      _ = try vault.file("2026-03-\(day).md", "---\nmood: \(mood)\n---\nDay \(day)")
    }
    _ = try run()
    #expect(try test.day("2026-03-10").entry?.mood == nil)
    #expect(try test.day("2026-03-10").entry?.note == "Day 10\n\nmood: 4")
    #expect(try test.day("2026-03-11").entry?.note == "Day 11\n\nmood: 8")
    #expect(try test.day("2026-03-12").entry?.mood == 4)
  }

  @Test func obsidiansDailyNotesBecomeTheNotesOfTheirDays() throws {
    try makeObsidian()
    let run = try run()
    #expect(run.format == "markdown" && run.created == ["day": 2, "metric": 1])
    let day = try test.day("2026-03-10")
    let entry = try #require(day.entry)
    #expect(
      entry.note == """
        With [[Sam|Sammy]] at the #sea.
        - 09:30 coffee with Sam
        ![[beach.png|300]]
        ![[gone.png]]
        ![[Another page]]

        aliases: The day at sea

        #long_walk
        """)
    #expect(entry.mood == 4 && entry.attachments.map(\.originalName) == ["beach.png"])
    #expect(entry.attachments.first?.mediaType == "image/png")
    #expect(day.activities.isEmpty)
    #expect(day.metrics.map(\.metric) == ["steps"] && day.metrics.map(\.value) == [12000])
    let told = run.warnings.map(\.message)
    #expect(told.contains { $0.contains("“gone.png” isn’t in the folder") })
    #expect(told.contains { $0.hasPrefix("1 page without a day wasn’t imported") })
    #expect(try test.day("2026-03-11").entry?.note == "By the usual name")
    #expect(try test.day("2026-03-12").entry == nil)
  }

  @Test func importingAgainChangesNothingAndAnEditedPageItsDay() throws {
    try makeObsidian()
    _ = try run()
    test.clock.advance(seconds: 60)
    let second = try run()
    #expect(second.created.isEmpty && second.updated == 0 && second.unchanged == 3)
    _ = try vault.file("2026-03-11.md", "Mended")
    #expect(try run().updated == 1)
    #expect(try test.day("2026-03-11").entry?.note == "Mended")
    let change = try test.archive.importRun(
      matching: try #require(try test.archive.importRuns().first).id.uuidString
    ).changeID
    _ = try test.archive.undo(change)
    #expect(try test.day("2026-03-11").entry?.note == "By the usual name")
  }

  @Test func aDayThatHasANoteKeepsIt() throws {
    try makeObsidian()
    let own = DayEntry(
      id: test.archive.identities.next(), dayKey: try #require(DayKey("2026-03-11")),
      note: "Mine", createdAt: test.clock.now, updatedAt: test.clock.now)
    _ = try test.archive.write(by: .owner, "note", "A note") { try $0.insert(own) }
    let run = try run()
    #expect(run.warnings.map(\.message).contains { $0.contains("your version was kept") })
    #expect(try test.day("2026-03-11").entry?.note == "Mine")
  }

  @Test func linesWithATimeAndOtherPagesComeInWhenAsked() throws {
    try makeObsidian()
    let importer = MarkdownFolderImporter(takesPages: true, takesTimedLines: true)
    let run = try run(importer)
    #expect(run.created == ["day": 2, "metric": 1, "activity": 1, "note": 1])
    let day = try test.day("2026-03-10")
    let activity = try #require(day.activities.first)
    #expect(activity.text == "coffee with Sam" && activity.source == .markdownImport)
    #expect(activity.startAt.map { test.zone.wallTime(at: $0).clockText } == "09:30")
    #expect(day.entry?.note.contains("coffee") == false)
    let again = try self.run(importer)
    #expect(again.created.isEmpty && again.updated == 0)
    _ = try vault.file("Ideas.md", "A raft")
    #expect(try self.run(importer).updated == 1)
  }

  /// Logseq 0.10: names of journals, properties of pages and blocks, tasks, a logbook.
  @Test func logseqsJournalsAreReadAsOutlines() throws {
    _ = try vault.file("logseq/config.edn", #"{:meta/version 1 :journals-directory "journals"}"#)
    _ = try vault.file("logseq/bak/journals/2026_03_10.md", "- an old copy")
    _ = try vault.file("assets/walk_1.png", png)
    _ = try vault.file(
      "journals/2026_03_10.md",
      """
      mood:: 5
      tags:: travel, [[by train]]

      - TODO pack
        id:: 65e1f0aa-0000-4000-8000-000000000001
      - DONE buy tickets
        :LOGBOOK:
        CLOCK: [2026-03-10 Tue 09:00:00]--[2026-03-10 Tue 09:10:00] =>  00:10:00
        :END:
      \t- price:: 12
      - ![walk](../assets/walk_1.png)
      -
      """)
    let run = try run()
    #expect(run.created == ["day": 1])
    let entry = try #require(try test.day("2026-03-10").entry)
    #expect(
      entry.note
        == "- [ ] pack\n- [x] buy tickets\n\t- price:: 12\n- ![walk](../assets/walk_1.png)\n\n"
        + "#travel #by_train")
    #expect(entry.mood == 5 && entry.attachments.map(\.caption) == ["walk"])
    #expect(entry.externalRefs.map(\.provider) == ["logseq"])
  }

  @Test(
    arguments: [
      ("YYYY-MM-DD", "2026-03-10", true), ("YYYY-MM-DD", "2026-03-10 Sam", false),
      ("DD.MM.YYYY", "30.02.2026", false), ("dddd, MMMM Do YYYY", "Tuesday, March 10th 2026", true),
      ("[Day] DDDD YYYY", "Day 069 2026", true), ("gggg-[W]ww", "2026-W11", false),
      ("YYYY/[W]WW/YYYYMMDD", "2026/W11/20260310", true),
      ("DD. MMMM YYYY", "10. März 2026", true),
      ("dddd, Do MMM YYYY", "Dienstag, 10. März 2026", true),
      ("D MMM YYYY", "10 mars 2026", true),
      ("dddd D [de] MMMM YYYY", "terça-feira 10 de março 2026", true),
      ("DD. MMMM YYYY", "10. Merz 2026", false),
    ])
  func namesOfDaysAreReadByTheVaultsOwnPattern(
    pattern: String, name: String, isDay: Bool
  ) throws {
    let settings: JSON = ["daily": ["format": .string(pattern), "folder": "", "enabled": true]]
    _ = try vault.file(".obsidian/plugins/periodic-notes/data.json", settings.text())
    _ = try vault.file("\(name).md", "Words")
    let job = ImportJob(
      archive: test.archive, homeZone: test.zone, importers: [MarkdownFolderImporter()])
    if isDay {
      _ = try job.run(vault.url)
    } else {
      #expect(throws: ImportRefusal.self) { try job.run(vault.url) }
    }
    #expect(try (test.day("2026-03-10").entry != nil) == isDay)
  }

  @Test func whatArkivedExportsIsReadBack() throws {
    try test.add("Swim", on: "2026-03-09", from: "07:00", to: "07:45", tags: ["sea"], kind: .health)
    let day = DayEntry(
      id: test.archive.identities.next(), dayKey: try #require(DayKey("2026-03-09")),
      title: "A good one", note: "Calm.", mood: 5, createdAt: test.clock.now,
      updatedAt: test.clock.now)
    _ = try test.archive.write(by: .owner, "note", "A note") { try $0.insert(day) }
    let folder = test.folder.url.appendingPathComponent("pages")
    _ = try ExportJob(archive: test.archive).writeMarkdown(to: folder)
    let other = try TestArchive()
    let job = ImportJob(
      archive: other.archive, homeZone: other.zone,
      importers: [MarkdownFolderImporter(takesTimedLines: true)])
    #expect(try job.run(folder).first?.created == ["day": 1, "activity": 1])
    let back = try other.day("2026-03-09")
    #expect(back.entry?.title == "A good one" && back.entry?.mood == 5)
    #expect(back.entry?.note.hasPrefix("Calm.") == true)
    let swim = try #require(back.activities.first)
    #expect(swim.text == "Swim" && swim.kind == .health && swim.tags == ["sea"])
    #expect(swim.duration == 45)
  }

  @Test func aPackedVaultWithMorePicturesThanPagesIsAVault() throws {
    var zip = TestZip()
    zip.add("Life/.obsidian/app.json", Data("{}".utf8))
    zip.add("Life/2026-03-10.md", Data("![[a.png]]".utf8))
    for name in ["a", "b", "c"] { zip.add("Life/\(name).png", png) }
    let file = try test.folder.file("Life.zip", try zip.data())
    let job = ImportJob(archive: test.archive, homeZone: test.zone)
    let runs = try job.run(file)
    #expect(runs.map(\.format) == ["markdown"] && runs.first?.created == ["day": 1])
    #expect(runs.first?.warnings == [])
    #expect(try test.day("2026-03-10").entry?.attachments.count == 1)
    #expect(try test.day("2026-03-10").entry?.externalRefs.map(\.provider) == ["obsidian"])
  }

  @Test func twoSourcesOfOneDayKeepWhatTheOtherTold() throws {
    let daylio =
      "full_date,date,weekday,time,mood,activities,note\n2026-03-10,March 10,,9:00,bad,,\n"
    _ = try ImportJob(archive: test.archive, homeZone: test.zone)
      .run(try test.folder.file("daylio.csv", daylio))
    _ = try vault.file("2026-03-10.md", "A page")
    #expect(try run().updated == 1)
    let entry = try #require(try test.day("2026-03-10").entry)
    #expect(entry.note == "A page" && entry.mood == 2)
    let other = try test.folder.file("graph/journals/2026_03_10.md", "- A block")
    _ = try test.folder.file("graph/logseq/config.edn", "{}")
    let second = try ImportJob(archive: test.archive, homeZone: test.zone)
      .run(other.deletingLastPathComponent().deletingLastPathComponent())
    #expect(
      second.first?.warnings.contains { $0.message.contains("from another source") } == true)
    #expect(try test.day("2026-03-10").entry?.note == "A page")
    #expect(try run().unchanged == 1)
  }

  @Test func pagesThatSayTheSameStandOnTheDaysOfTheirNames() throws {
    let names = ["2026-03-10.md", "2026-03-11.md"]
    let pages = try names.map { try vault.file($0, "Quiet.") }
    usleep(150_000)
    for page in pages {
      let job = ImportJob(archive: test.archive, homeZone: test.zone)
      #expect(try job.run(page).first?.created == ["day": 1])
      #expect(try job.run(page).first?.unchanged == 1)
    }
    #expect(try test.day("2026-03-11").entry?.note == "Quiet.")
  }

  @Test func twoVaultsOfOneDayDoNotOverwriteEachOther() throws {
    func vault(_ name: String, _ note: String) throws -> ImportRun {
      _ = try test.folder.file("\(name)/.obsidian/app.json", "{}")
      let page = try test.folder.file("\(name)/2026-03-10.md", note)
      return try #require(
        try ImportJob(archive: test.archive, homeZone: test.zone, readsAgain: true)
          .run(page.deletingLastPathComponent()).first)
    }
    func note() throws -> String? { try test.day("2026-03-10").entry?.note }
    #expect(try vault("Work", "Planning").created == ["day": 1])
    let second = try vault("Home", "Baking")
    #expect(second.created.isEmpty && second.updated == 0 && second.unchanged == 1)
    #expect(second.warnings.contains { $0.message.contains("from another source") })
    #expect(try note() == "Planning")
    // Its own page goes on, also from a folder with another name that has lost nothing.
    #expect(try vault("Work", "Planning\nand a walk").updated == 1)
    #expect(try vault("Work 2", "Planning\nand a walk\nin the rain").updated == 1)
    #expect(try note() == "Planning\nand a walk\nin the rain")
  }

  @Test func ofTwoPagesOfADayTheFirstCountsEachTime() throws {
    _ = try vault.file("2026-03-10.md", "The first")
    _ = try vault.file("Daily/2026-03-10.md", "The second")
    let job = ImportJob(archive: test.archive, homeZone: test.zone, readsAgain: true)
    let forecast = try #require(try job.forecast(vault.url).runs.first)
    #expect(forecast.created == ["day": 1] && forecast.skipped == 1)
    for number in 1...3 {
      let run = try #require(try job.run(vault.url).first)
      #expect(run.created == (number == 1 ? ["day": 1] : [:]))
      #expect(run.updated == 0 && run.skipped == 1)
      #expect(run.warnings.contains { $0.message.contains("an earlier entry for the day") })
      #expect(try test.day("2026-03-10").entry?.note == "The first")
    }
  }

  @Test func linksAndPathsThatLeadOutOfTheFolderAreNotFollowed() throws {
    let secret = try test.folder.file("secret.png", png)
    _ = try vault.file("2026-03-10.md", "![[../secret.png]] ![x](../secret.png) ![[inside.png]]")
    try FileManager.default.createSymbolicLink(
      at: vault.url.appendingPathComponent("inside.png"), withDestinationURL: secret)
    let run = try run()
    #expect(run.created == ["day": 1] && run.warnings.count == 4)
    #expect(try test.day("2026-03-10").entry?.attachments.isEmpty == true)
  }

  @Test func damagedPagesComeInAsFarAsTheyCanBeRead() throws {
    let page = "---\ntags: [a, b\nmood: \"4\n---\nCafé ![[x.png]]\n- 09:30 \u{1F600}"
    let bytes = Array(page.utf8)
    for end in stride(from: 0, through: bytes.count, by: 3) {
      let test = try TestArchive()
      let file = try test.folder.file("vault/2026-03-10.md", Data(bytes[..<end]))
      let job = ImportJob(
        archive: test.archive, homeZone: test.zone,
        importers: [MarkdownFolderImporter(takesTimedLines: true)])
      _ = try job.run(file.deletingLastPathComponent())
    }
    _ = try vault.file("2026-03-10.md", Data([0x43, 0x61, 0x66, 0xE9]))
    _ = try vault.file("2026-03-11.md", Data([0xFF, 0xFE, 0x43, 0x00, 0xE9, 0x00]))
    _ = try vault.file("2026-03-13.md", Data([0x00, 0x01, 0x02]))
    let run = try run()
    #expect(run.created == ["day": 2] && run.skipped == 1)
    #expect(try test.day("2026-03-10").entry?.note == "Café")
    #expect(try test.day("2026-03-11").entry?.note == "Cé")
  }
}

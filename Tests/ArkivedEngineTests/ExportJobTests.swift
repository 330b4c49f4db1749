import ArkivedCore
import ArkivedEngine
import ArkivedImport
import ArkivedStore
import ArkivedTestSupport
import Foundation
import Testing

@Suite("Exports")
struct ExportJobTests {
  @Test func someDaysAreAZipThatOtherProgramsOpen() throws {
    let test = try full()
    try test.add("another day", on: "2026-03-20")
    let folder = try TemporaryFolder()
    let file = folder.url.appendingPathComponent("days.zip")
    let day = try #require(DayKey("2026-03-14"))
    let job = ExportJob(archive: test.archive)
    let summary = try job.writeMarkdownZip(of: day...day, to: file)
    let zip = try ZipFile(file)
    let photo = try #require(try test.archive.attachments().first?.relativePath)
    #expect(zip.entries.map(\.name) == ["2026/2026-03-14.md", "attachments/\(photo)"])
    #expect(zip.damage == nil && summary.files == 2 && summary.missingFiles.isEmpty)
    let page = try folder.unzipped("2026/2026-03-14.md", from: file)
    #expect(String(decoding: page, as: UTF8.self).contains("castle 日本"))
    let image = try folder.unzipped("attachments/\(photo)", from: file)
    #expect(image == Data([0xFF, 0xD8, 0xFF, 1, 2, 3]))
    let empty = try job.writeMarkdownZip(of: DayKey.earliest...DayKey.earliest, to: file)
    #expect(empty.files == 0)
    #expect(try ZipFile(file).entries.isEmpty)
  }

  /// An archive with something of everything.
  func full() throws -> TestArchive {
    let test = try TestArchive()
    var photo = Attachment(
      id: test.archive.identities.next(), type: .photo, caption: "a [castle]",
      mediaType: "image/jpeg", originalName: "castle.jpg", createdAt: test.clock.now,
      updatedAt: test.clock.now)
    photo = try test.archive.store(Data([0xFF, 0xD8, 0xFF, 1, 2, 3]), as: photo)
    var activity = try test.activity(
      "castle 日本\nsecond line", from: "10:00", to: "12:00", tags: ["trip"],
      people: ["Alex Kim"], kind: "travel", measurements: ["km": 4.5])
    activity.attachments = [photo]
    activity.externalRefs = [
      ExternalRef(provider: "p", externalID: "1", fetchedAt: test.clock.now, contentHash: "h")
    ]
    activity.weather = Weather(conditions: "sun", temperatureCelsius: 21.5)
    try test.archive.add(activity)
    test.clock.advance(seconds: 60)
    _ = try test.archive.updateActivity(activity.id) { $0.isPinned = true }
    try test.add("tea", people: ["Alex Kim"])
    try test.add("gone")
    _ = try test.archive.deleteActivities([
      try #require(try test.day("2026-03-14").activities.last).id
    ])
    _ = try test.archive.updateDay(try #require(DayKey("2026-03-14"))) {
      $0.title = "Castle"
      $0.note = "A *good* day.\n\n- one\n- two"
      $0.mood = 5
      $0.people = [Mention(name: "Alex Kim")]
    }
    let day = try #require(DayKey("2026-03-14"))
    _ = try test.archive.write(by: .importer, "import", "metrics") { scope in
      try scope.insert(
        DayMetric(
          id: test.archive.identities.next(), dayKey: day,
          metric: "steps", unit: "steps", value: 9000, source: "watch",
          createdAt: test.clock.now, updatedAt: test.clock.now))
    }
    try addGoals(to: test, counting: activity.id)
    return test
  }

  /// Something of everything on the goals side, with matches of every kind.
  private func addGoals(to test: TestArchive, counting action: UUID) throws {
    let archive = test.archive
    let now = test.clock.now
    let day = try #require(DayKey("2026-03-01"))
    func next() -> UUID { archive.identities.next() }
    let goal = try archive.create(
      Goal(
        id: next(), title: "Walk <120> km", measurementUnit: "km", measurementTarget: 120,
        startDate: day, targetDate: day.advanced(by: 70), createdAt: now, updatedAt: now)
    ).value
    let reading = try archive.create(
      Goal(id: next(), title: "Read", measurementUnit: "pages", createdAt: now, updatedAt: now)
    ).value
    let value = try archive.create(
      PersonalValue(
        id: next(), title: "Health", incentiveType: .major, createdAt: now, updatedAt: now)
    ).value
    let term = try archive.create(
      Term(id: next(), termNumber: 7, startDate: day, theme: "Out", createdAt: now, updatedAt: now)
    ).value
    try archive.create(
      GoalValueAlignment(
        id: next(), goalID: goal.id, valueID: value.id, strength: 9, createdAt: now,
        updatedAt: now))
    try archive.create(
      TermGoalAssignment(
        id: next(), termID: term.id, goalID: goal.id, order: 1, createdAt: now, updatedAt: now))
    try archive.create(
      LifeTime(id: next(), birthDate: day.adding(months: -400), createdAt: now, updatedAt: now))
    try archive.link(action: action, goal: reading.id, amount: 12)
    let unsure = try test.add("out", measurements: ["distance_km": 3])
    try test.add("out", measurements: ["distance_km": 4])
    let match = try #require(try archive.contributions(ofAction: unsure.id).first)
    test.clock.advance(seconds: 60)
    try archive.decide([match.contribution.id], .userConfirmed)
    _ = try archive.update(Goal.self, goal.id) { $0.notes = "slowly" }
  }

  @Test func jsonLinesIntoAnEmptyArchiveGiveTheSameArchive() throws {
    let source = try full()
    let file = source.folder.url.appendingPathComponent("out/life.jsonl")
    let summary = try ExportJob(archive: source.archive)
      .writeJSONLines(to: file)
    #expect(summary.missingFiles.isEmpty && summary.files == 1)

    let target = try TestArchive()
    let run = try #require(
      try ImportJob(archive: target.archive, homeZone: target.zone).run(file).first)
    #expect(run.skipped == 0)
    #expect(run.warnings.isEmpty)
    var lines: [[String]] = []
    for test in [source, target] {
      var collected: [String] = []
      _ = try ExportJob(archive: test.archive)
        .writeJSONLines { collected.append($0) }
      lines.append(Array(collected.dropFirst()))
    }
    #expect(lines[0] == lines[1])
    let attachment = try #require(try target.archive.attachments().first)
    let copy = try #require(target.archive.file(of: attachment))
    #expect(FileManager.default.fileExists(atPath: copy.path))
    #expect(try target.archive.examine().allSatisfy { $0.verdict == .good })
  }

  @Test func theFilesOfOldVersionsAreExportedAndImportedWithThem() throws {
    let source = try full()
    let photo = try #require(try source.archive.attachments().first)
    _ = try source.archive.deleteAttachment(photo.id)
    let file = source.folder.url.appendingPathComponent("out/life.jsonl")
    let summary = try ExportJob(archive: source.archive).writeJSONLines(to: file)
    #expect(summary.files == 1 && summary.missingFiles.isEmpty)
    // An export of some days has no old versions.
    let some = source.folder.url.appendingPathComponent("some/life.jsonl")
    let days = DayFilter(from: DayKey("2026-03-14"), to: DayKey("2026-03-14"))
    #expect(try ExportJob(archive: source.archive).writeJSONLines(of: days, to: some).files == 0)

    let target = try TestArchive()
    let run = try #require(
      try ImportJob(archive: target.archive, homeZone: target.zone).run(file).first)
    #expect(run.warnings.isEmpty)
    #expect(try target.archive.attachments().isEmpty)
    let old = try #require(
      try target.archive.oldAttachments().first { $0.relativePath == photo.relativePath })
    let copy = try #require(target.archive.file(of: old))
    #expect(try Data(contentsOf: copy) == Data([0xFF, 0xD8, 0xFF, 1, 2, 3]))
    // One that is missing here comes in with the next import.
    try FileManager.default.removeItem(at: copy)
    _ = try ImportJob(archive: target.archive, homeZone: target.zone, readsAgain: true).run(file)
    #expect(try Data(contentsOf: copy) == Data([0xFF, 0xD8, 0xFF, 1, 2, 3]))
  }

  @Test func anExportNeverTakesAFolderOrSomebodyElsesPages() throws {
    let test = try full()
    let job = ExportJob(archive: test.archive)
    let kept = try test.folder.file("mine/kept.txt", "kept")
    let folder = kept.deletingLastPathComponent()
    #expect(throws: ArchiveError.self) { try job.writeJSONLines(to: folder) }
    #expect(throws: ArchiveError.self) { try job.writeMarkdown(to: folder) }
    #expect(throws: (any Error).self) { try job.writeMarkdown(to: kept) }
    #expect(try String(contentsOf: kept, encoding: .utf8) == "kept")
    let pages = test.folder.url.appendingPathComponent("pages")
    _ = try job.writeMarkdown(to: pages)
    #expect(throws: Never.self) { try job.writeMarkdown(to: pages) }
  }

  @Test func anExportTakesNoNameFromAPipeADeviceOrALink() throws {
    let test = try full()
    let job = ExportJob(archive: test.archive)
    let kept = try test.folder.file("kept.txt", "kept")
    let pipe = test.folder.url.appendingPathComponent("pipe")
    let link = test.folder.url.appendingPathComponent("link")
    try #require(mkfifo(pipe.path, 0o600) == 0)
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: kept)
    for (target, type) in [(pipe, FileAttributeType.typeUnknown), (link, .typeSymbolicLink)] {
      #expect(throws: ArchiveError.self) { try job.writeJSONLines(to: target) }
      let attributes = try FileManager.default.attributesOfItem(atPath: target.path)
      #expect(attributes[.type] as? FileAttributeType == type)
    }
    #expect(try String(contentsOf: kept, encoding: .utf8) == "kept")
  }

  @Test func aFailedExportLeavesTheOneBeforeAndNothingElse() throws {
    let test = try full()
    let job = ExportJob(archive: test.archive)
    let file = try test.folder.file("out/life.jsonl", "the one before")
    // A file where the folder of attachments should be.
    _ = try test.folder.file("out/attachments", "in the way")
    let failure = #expect(throws: POSIXFailure.self) { try job.writeJSONLines(to: file) }
    #expect(failure?.code == ENOTDIR)
    #expect(try String(contentsOf: file, encoding: .utf8) == "the one before")
    let names = try FileManager.default.contentsOfDirectory(
      atPath: file.deletingLastPathComponent().path)
    #expect(names.sorted() == ["attachments", "life.jsonl"])
  }

  @Test func aDamagedCopyOfAnAttachmentIsMadeAnew() throws {
    let test = try full()
    let job = ExportJob(archive: test.archive)
    let file = test.folder.url.appendingPathComponent("out/life.jsonl")
    _ = try job.writeJSONLines(to: file)
    let path = try #require(try test.archive.attachments().first?.relativePath)
    let copy = test.folder.url.appendingPathComponent("out/attachments/\(path)")
    try Data().write(to: copy)
    _ = try job.writeJSONLines(to: file)
    #expect(try Data(contentsOf: copy).count == 6)
  }

  @Test func filesOfTheExportBeforeGoUnlessAnotherExportMayUseThem() throws {
    let (test, other) = (try full(), try TestArchive())
    try other.add("tea")
    let path = try #require(try test.archive.attachments().first?.relativePath)
    let folder = test.folder.url.appendingPathComponent("out")
    let file = folder.appendingPathComponent("life.jsonl")
    let copy = folder.appendingPathComponent("attachments/\(path)")
    func isThere() -> Bool { FileManager.default.fileExists(atPath: copy.path) }
    let day = DayFilter(from: DayKey("2026-03-20"), to: DayKey("2026-03-20"))
    _ = try ExportJob(archive: test.archive).writeJSONLines(to: file)
    // Those that old versions name are still used.
    let id = try #require(try test.archive.attachments().first?.id)
    _ = try test.archive.updateActivity(
      try #require(try test.day("2026-03-14").activities.first { !$0.attachments.isEmpty }).id
    ) { $0.attachments.removeAll { $0.id == id } }
    _ = try ExportJob(archive: test.archive).writeJSONLines(to: file)
    #expect(isThere())
    // Some days aren't everything.
    _ = try ExportJob(archive: other.archive).writeJSONLines(of: day, to: file)
    #expect(isThere())
    _ = try ExportJob(archive: test.archive).writeJSONLines(to: file)
    let second = try test.folder.file("out/second.jsonl", "")
    _ = try ExportJob(archive: other.archive).writeJSONLines(to: file)
    #expect(isThere())
    try FileManager.default.removeItem(at: second)
    _ = try ExportJob(archive: test.archive).writeJSONLines(to: file)
    let mine = try test.folder.file("out/attachments/mine.txt", "mine")
    _ = try ExportJob(archive: other.archive).writeJSONLines(to: file)
    #expect(!isThere())
    #expect(FileManager.default.fileExists(atPath: mine.path))
  }

  @Test func everyLineBeginsWithItsType() throws {
    let test = try full()
    var types: [String] = []
    _ = try ExportJob(archive: test.archive).writeJSONLines { line in
      #expect(line.hasPrefix(#"{"type":""#))
      types.append(try JSON(parsing: line)["type"]?.string ?? "")
    }
    #expect(types.first == "arkived")
    #expect(
      Set(types) == [
        "arkived", "person", "tag", "day", "activity", "metric", "attachment", "history",
        "tombstone", "goal", "value", "term", "lifetime", "contribution", "alignment",
        "assignment",
      ])
  }

  @Test func markdownIsAPageADayWithFrontMatterAndLinkedFiles() throws {
    let test = try full()
    let folder = test.folder.url.appendingPathComponent("pages")
    let summary = try ExportJob(archive: test.archive)
      .writeMarkdown(to: folder)
    #expect(summary.entries == 1)
    let page = try String(
      contentsOf: folder.appendingPathComponent("2026/2026-03-14.md"), encoding: .utf8)
    #expect(page.hasPrefix("---\ndate: 2026-03-14\nmood: 5\ntags: [\"trip\"]\n"))
    #expect(page.contains("# Castle\n\nA *good* day."))
    #expect(page.contains("- 10:00–12:00 castle 日本 second line (travel) #trip"))
    let link = try #require(page.firstMatch(of: #/\]\(<\.\./attachments/([^>]+)>\)/#)?.1)
    #expect(
      FileManager.default.fileExists(
        atPath: folder.appendingPathComponent("attachments/\(link)").path))
  }
}

extension TemporaryFolder {
  /// A file of a zip archive, as another program unpacks it; its checksum is tried then.
  fileprivate func unzipped(_ name: String, from file: URL) throws -> Data {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
    process.arguments = [
      "-c",
      "import sys, zipfile; sys.stdout.buffer.write(zipfile.ZipFile(sys.argv[1]).read(sys.argv[2]))",
      file.path, name,
    ]
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let content = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    return content
  }
}

import ArkivedCore
import ArkivedEngine
import ArkivedImport
import ArkivedStore
import ArkivedTestSupport
import Foundation
import Testing

/// Zip archives that look like one program's export and hold more than that.
@Suite("Zip archives of several formats")
struct MixedArchiveTests {
  private static let toggl = """
    User,Email,Client,Project,Task,Description,Billable,Start date,Start time,End date,End time,Duration,Tags
    Ann,a@x.org,,House,,paint,No,2026-01-02,09:00:00,2026-01-02,10:00:00,01:00:00,home

    """

  private func formats(_ files: [String: Data]) throws -> [String] {
    let test = try TestArchive()
    let zip = TestZip(files.sorted { $0.key < $1.key }.map { (name: $0.key, content: $0.value) })
    let file = try test.folder.file("some.zip", try zip.data())
    let job = ImportJob(archive: test.archive, homeZone: test.zone)
    let foreseen = try job.forecast(file).runs.map(\.format)
    let runs = try job.run(file)
    #expect(runs.allSatisfy { !$0.created.isEmpty } && runs.map(\.format) == foreseen)
    return runs.map(\.format).sorted()
  }

  private func data(_ text: String) -> Data { Data(text.utf8) }

  @Test func takeoutsPhotosDoNotHideItsPlaces() throws {
    var files: [String: Data] = [
      "Takeout/Location History (Timeline)/Records.json": data(BadArchiveTests.Sample.records),
      "Takeout/Location History (Timeline)/Settings.json": data("{}"),
      "Takeout/archive_browser.html": data("<html></html>"),
    ]
    for number in 1...4 {
      let name = "Takeout/Google Photos/2021/IMG_2021050\(number)_101112.png"
      files[name] = TestPicture.png(width: 8, height: 8, seed: UInt8(number))
      files[name + ".json"] = data("{}")
    }
    #expect(try formats(files) == ["google", "photos"])
  }

  @Test func aLongNameBesidePhotosIsNoReasonToLeaveAFileOut() throws {
    let name = "Location history of my old phone until the spring of 2026.json"
    let files = [
      "IMG_20210503_101112.png": TestPicture.png(width: 8, height: 8),
      "IMG_20210503_101113.png": TestPicture.png(width: 8, height: 8, seed: 1),
      name: data(BadArchiveTests.Sample.records),
    ]
    #expect(try formats(files) == ["google", "photos"])
    let test = try TestArchive()
    for (name, content) in files { _ = try test.folder.file("in/\(name)", content) }
    let runs = try ImportJob(archive: test.archive, homeZone: test.zone)
      .run(test.folder.url.appendingPathComponent("in"))
    #expect(runs.map(\.format).sorted() == ["google", "photos"])
  }

  /// A zip archive with a table and a page, packed as they are (ZIP 6.3.3, method 0), as some
  /// programs write small files.
  ///
  /// Made with Python's zipfile.
  private static let stored =
    "UEsDBBQAAAAAAAAAIQC2gJfIvQAAAL0AAAAJAAAAdG9nZ2wuY3N2VXNlcixFbWFpbCxDbGllbnQsUHJvamVjdCxU"
    + "YXNrLERlc2NyaXB0aW9uLEJpbGxhYmxlLFN0YXJ0IGRhdGUsU3RhcnQgdGltZSxFbmQgZGF0ZSxFbmQgdGltZSxE"
    + "dXJhdGlvbixUYWdzCkFubixhQHgub3JnLCxIb3VzZSwscGFpbnQsTm8sMjAyNi0wMS0wMiwwOTowMDowMCwyMDI2"
    + "LTAxLTAyLDEwOjAwOjAwLDAxOjAwOjAwLGhvbWUKUEsDBBQAAAAAAAAAIQB3pBDPCwAAAAsAAAANAAAAMjAyNi0w"
    + "My0wMy5tZEJ5IHRoZSBzZWEKUEsBAhQDFAAAAAAAAAAhALaAl8i9AAAAvQAAAAkAAAAAAAAAAAAAAIABAAAAAHRv"
    + "Z2dsLmNzdlBLAQIUAxQAAAAAAAAAIQB3pBDPCwAAAAsAAAANAAAAAAAAAAAAAACAAeQAAAAyMDI2LTAzLTAzLm1k"
    + "UEsFBgAAAAACAAIAcgAAABoBAAAAAA=="

  @Test func whatIsPackedAsItIsDoesNotStandForTheArchive() throws {
    let test = try TestArchive()
    let content = try #require(Data(base64Encoded: Self.stored))
    let file = try test.folder.file("stored.zip", content)
    let runs = try ImportJob(archive: test.archive, homeZone: test.zone).run(file)
    #expect(runs.map(\.format).sorted() == ["markdown", "toggl"])
    #expect(runs.allSatisfy { $0.skipped == 0 && !$0.created.isEmpty })
  }

  @Test func manyOtherFilesDoNotPushThoseOfAFormatOut() throws {
    var files = ["z/Records.json": data(BadArchiveTests.Sample.records)]
    for number in 0..<700 { files["fit/session \(number).json"] = data("{}") }
    #expect(try formats(files) == ["google"])
  }

  @Test func photosWithAnotherEndingComeOutOfAnArchiveToo() throws {
    let test = try TestArchive()
    let zip = TestZip(
      ["2021-05-03 a.png", "2021-05-03 b.png", "2021-05-03 c.jfif"].enumerated().map {
        (name: $1, content: TestPicture.png(width: 8, height: 8, seed: UInt8($0)))
      })
    let file = try test.folder.file("photos.zip", try zip.data())
    _ = try ImportJob(archive: test.archive, homeZone: test.zone).run(file)
    #expect(try test.day("2021-05-03").activities.flatMap(\.attachments).count == 3)
  }

  @Test func photosOfOnesOwnBesideAJournalComeIn() throws {
    let test = try TestArchive()
    let picture = TestPicture.png(width: 8, height: 8)
    _ = try test.folder.file("in/Journal.json", BadArchiveTests.Sample.journal)
    _ = try test.folder.file("in/photos/IMG_20210503_101112.png", picture)
    _ = try test.folder.file("in/photos/ef43abe9ef43abe9ef43abe9ef43abe9.png", picture)
    let runs = try ImportJob(archive: test.archive, homeZone: test.zone)
      .run(test.folder.url.appendingPathComponent("in"))
    #expect(runs.map(\.format).sorted() == ["dayone", "photos"])
    #expect(try test.day("2021-05-03").activities.count == 1)
  }

  @Test func exportsInAFolderForFilesBesidePagesComeIn() throws {
    let test = try TestArchive()
    _ = try test.folder.file("in/notes/2026-03-03.md", "A day by the sea\n")
    _ = try test.folder.file("in/files/toggl.csv", Self.toggl)
    let runs = try ImportJob(archive: test.archive, homeZone: test.zone)
      .run(test.folder.url.appendingPathComponent("in"))
    #expect(runs.map(\.format).sorted() == ["markdown", "toggl"])
  }

  @Test(arguments: BadArchiveTests.Sample.all)
  func anythingBesideAnExportComesInToo(sample: BadArchiveTests.Sample) throws {
    var files = sample.files.mapValues { data($0) }
    files["times/toggl.csv"] = data(Self.toggl)
    #expect(try formats(files) == [sample.format, "toggl"].sorted())
  }

  @Test(arguments: BadArchiveTests.Sample.all.filter { $0.format != "markdown" })
  func whatNobodyKnowsBesideAnExportIsNamed(sample: BadArchiveTests.Sample) throws {
    let test = try TestArchive()
    var files = sample.files.mapValues { data($0) }
    for name in ["letters/to Sam.docx", "scan.tif.bak", "notes.txt"] { files[name] = data("words") }
    let zip = TestZip(files.sorted { $0.key < $1.key }.map { (name: $0.key, content: $0.value) })
    let file = try test.folder.file("some.zip", try zip.data())
    let job = ImportJob(archive: test.archive, homeZone: test.zone)
    let foreseen = try job.forecast(file).notes.map(\.place)
    let runs = try job.run(file)
    let told = runs.flatMap(\.warnings).filter { $0.message.contains("skipped") }.map(\.place)
    #expect(runs.map(\.format) == [sample.format])
    for name in ["letters/to Sam.docx", "scan.tif.bak", "notes.txt"] {
      #expect(told.contains("some.zip/\(name)") && foreseen.contains("some.zip/\(name)"), "\(name)")
    }
    // Its own files are not among them.
    #expect(
      told.allSatisfy { place in
        !sample.files.keys.contains { place == "some.zip/\($0)" } || place.hasSuffix("readme.txt")
      })
  }

  @Test func theFilesOfAnExportItselfAreNoOthers() throws {
    let test = try TestArchive()
    let habits = BadArchiveTests.Sample.habits
    for (files, importer) in [
      (
        [
          "apple_health_export/export.xml": BadArchiveTests.Sample.health,
          "apple_health_export/export_cda.xml": "<ClinicalDocument/>",
          "apple_health_export/workout-routes/route_1.gpx": BadArchiveTests.Sample.ride,
        ], AppleHealthImporter() as any Importer
      ),
      (
        [
          "Habits.csv": habits, "Checkmarks.csv": "Date,Wake\n2026-03-03,2\n",
          "Scores.csv": "Date,Wake\n2026-03-03,0.1\n",
          "001 Wake/Checkmarks.csv": "Date,Value,Notes\n2026-03-03,2,\n",
        ], LoopImporter() as any Importer
      ),
    ] {
      let zip = TestZip(files.map { (name: $0.key, content: data($0.value)) })
      let file = try test.folder.file("\(importer.format).zip", try zip.data())
      let runs = try ImportJob(archive: test.archive, homeZone: test.zone).run(file)
      #expect(runs.map(\.format) == [importer.format])
      #expect(runs.allSatisfy { $0.warnings.allSatisfy { !$0.message.contains("skipped") } })
    }
  }
}

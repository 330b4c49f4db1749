import ArkivedCore
import ArkivedEngine
import ArkivedImport
import ArkivedStore
import ArkivedTestSupport
import Foundation
import Testing

@Suite("Exports for other programs")
struct OpenExportTests {
  /// Three days in March 2026 with what is awkward in one format or another.
  private func life() throws -> TestArchive {
    let test = try TestArchive()
    var walk = try test.activity(
      "=cmd|' /C calc'!A0, \"castle\"; 日本\nsecond line", from: "10:00", to: "12:00",
      tags: ["road trip", "2026"], people: ["Alex Kim"], measurements: ["km": 4.5])
    walk.locationLabel = "Old <Town>"
    (walk.lat, walk.lon) = (52.5, -0.000_01)
    walk.description = String(repeating: "Ünï ", count: 40)
    walk.attachments = [try photo(test, "castle.jpg"), try page(test)]
    try test.archive.add(walk)
    var train = try test.activity("train", on: "2026-03-15", from: "09:00", to: "09:30")
    (train.lat, train.lon) = (52.6, 13.4)
    try test.archive.add(train)
    var later = try test.activity("later", on: "2026-03-15", from: "18:00")
    (later.lat, later.lon) = (48.1, 11.5)
    try test.archive.add(later)
    try test.add("no time at all", on: "2026-04-01", tags: ["trip"])
    _ = try test.archive.updateDay(try #require(DayKey("2026-03-14"))) {
      $0.note =
        "# Head\n\n<script>alert(1)</script>\n\n![seen](http://evil.test/x) [x](javascript:1)"
      $0.mood = 4
      $0.people = [Mention(name: "Alex Kim")]
    }
    _ = try test.archive.create(
      Note(
        id: test.archive.identities.next(), title: "Plan: a/b", text: "- [ ] pack",
        dayKey: DayKey("2026-03-15"), tags: ["trip"], people: [Mention(name: "Alex Kim")],
        createdAt: test.clock.now, updatedAt: test.clock.now))
    return test
  }

  private func photo(_ test: TestArchive, _ name: String) throws -> ArkivedCore.Attachment {
    try test.archive.store(
      Data([0xFF, 0xD8, 0xFF, 1, 2, 3]),
      as: ArkivedCore.Attachment(
        id: test.archive.identities.next(), type: .photo, caption: "a \"castle\" <x>",
        mediaType: "image/jpeg", originalName: name, createdAt: test.clock.now,
        updatedAt: test.clock.now))
  }

  private func page(_ test: TestArchive) throws -> ArkivedCore.Attachment {
    try test.archive.store(
      Data("<script>1</script>".utf8),
      as: ArkivedCore.Attachment(
        id: test.archive.identities.next(), type: .file, mediaType: "application/octet-stream",
        originalName: "page.html", createdAt: test.clock.now, updatedAt: test.clock.now))
  }

  private func span(_ first: String, _ last: String) -> DayFilter {
    DayFilter(from: DayKey(first), to: DayKey(last))
  }

  private func text(_ file: URL) throws -> String {
    try String(contentsOf: file, encoding: .utf8)
  }

  // MARK: JSON Lines

  @Test func someDaysAsJSONLinesComeInWithoutAWarning() throws {
    let source = try life()
    let file = source.folder.url.appendingPathComponent("some/days.jsonl")
    let summary = try ExportJob(archive: source.archive).writeJSONLines(
      of: span("2026-03-14", "2026-03-14"), to: file)
    #expect(summary.files == 2 && summary.missingFiles.isEmpty)
    let target = try TestArchive()
    let run = try #require(
      try ImportJob(archive: target.archive, homeZone: target.zone).run(file).first)
    #expect(run.skipped == 0 && run.warnings.isEmpty)
    #expect(try target.day("2026-03-14") == source.day("2026-03-14"))
    #expect(try target.archive.counts().activities == 1)
  }

  // MARK: Calendars

  @Test func aCalendarComesBackAsItWas() throws {
    let source = try life()
    let file = source.folder.url.appendingPathComponent("life.ics")
    let summary = try ExportJob(archive: source.archive).writeCalendar(to: file)
    #expect(summary.entries == 3)
    let lines = try text(file).components(separatedBy: "\r\n")
    #expect(lines.allSatisfy { $0.utf8.count <= 75 })
    #expect(lines.contains("TZID:Europe/Berlin"))
    let target = try TestArchive()
    let run = try #require(
      try ImportJob(archive: target.archive, homeZone: .utc).run(file).first)
    #expect(run.skipped == 0 && run.warnings.isEmpty)
    for key in ["2026-03-14", "2026-03-15"] {
      let (before, after) = (try source.day(key).activities, try target.day(key).activities)
      #expect(after.map(\.text) == before.map(\.text))
      #expect(after.map(\.startAt) == before.map(\.startAt))
      #expect(after.map(\.endAt) == before.map(\.endAt))
      #expect(after.map(\.timeZone) == before.map(\.timeZone))
      #expect(after.map(\.tags) == before.map(\.tags))
      #expect(after.map(\.locationLabel) == before.map(\.locationLabel))
      #expect(after.map { $0.people.map(\.name) } == before.map { $0.people.map(\.name) })
    }
  }

  @Test func anHourThatClocksShowTwiceKeepsItsInstantInACalendar() throws {
    let source = try TestArchive()
    // On 25 October 2026 clocks in Berlin go from 3:00 back to 2:00, at 1:00 in UTC.
    let moments = try ["2026-10-25T00:30:00Z", "2026-10-25T01:30:00Z", "2026-06-01T10:00:00Z"]
      .map { try #require(Instant($0)) }
    for moment in moments {
      var activity = try source.activity("x", on: source.zone.dayKey(at: moment).description)
      activity.startAt = moment
      try source.archive.add(activity)
    }
    let file = source.folder.url.appendingPathComponent("life.ics")
    _ = try ExportJob(archive: source.archive).writeCalendar(to: file)
    let target = try TestArchive()
    _ = try ImportJob(archive: target.archive, homeZone: target.zone).run(file)
    let starts = try target.archive.daysWithEntries()
      .flatMap { try target.archive.day($0).activities.compactMap(\.startAt) }
    #expect(Set(starts) == Set(moments))
  }

  // MARK: Tables

  @Test func tablesHoldNoFormulaUnlessAskedTo() throws {
    let test = try life()
    let folder = test.folder.url.appendingPathComponent("tables")
    let job = ExportJob(archive: test.archive)
    let summary = try job.writeCSV(to: folder)
    #expect(summary.files == 8)
    let file = folder.appendingPathComponent("activities.csv")
    let table = try text(file)
    #expect(table.hasPrefix("id,day,start,end,timeZone,kind,text,"))
    #expect(table.contains("\"'=cmd|' /C calc'!A0, \"\"castle\"\"; 日本\nsecond line\""))
    // A number may begin with a sign.
    #expect(table.contains(",52.5,-1e-05,"))
    let notes = try text(folder.appendingPathComponent("notes.csv"))
    #expect(notes.contains(",Plan: a/b,'- [ ] pack,trip,"))
    _ = try job.writeCSV(to: folder, isExact: true)
    #expect(try text(file).contains("\"=cmd|' /C calc'!A0, "))
    let people = try text(folder.appendingPathComponent("people.csv"))
    #expect(people.contains("Alex Kim"))
    let some = test.folder.url.appendingPathComponent("some")
    _ = try job.writeCSV(of: span("2026-04-01", "2026-04-30"), to: some)
    let rows = try text(some.appendingPathComponent("activities.csv"))
    #expect(rows.components(separatedBy: "\r\n").count == 3)
  }

  // MARK: Places

  @Test func placesAreWaypointsAndARouteForEachDay() throws {
    let test = try life()
    let file = test.folder.url.appendingPathComponent("places.gpx")
    let summary = try ExportJob(archive: test.archive).writeGPX(to: file)
    #expect(summary.entries == 3)
    let page = try text(file)
    #expect(page.contains("<wpt lat=\"52.5000000\" lon=\"-0.0000100\"><time>2026-03-14T09:00:00Z"))
    #expect(page.contains("<name>Old &lt;Town&gt;</name>"))
    #expect(page.components(separatedBy: "<rte>").count == 2)
    #expect(page.contains("<rte><name>2026-03-15</name>\n<rtept lat=\"52.6000000\""))
    let last = try #require(page.range(of: "<wpt", options: .backwards))
    let first = try #require(page.range(of: "<rte>"))
    #expect(last.lowerBound < first.lowerBound)
  }

  @Test func linesOfWaysAreTracksAndNoJourneysWhereTheyComeBack() throws {
    let test = try TestArchive()
    let points = [(50.05, 14.34), (50.08, 14.36), (50.07, 14.4)].enumerated().map {
      "<trkpt lat=\"\($1.0)\" lon=\"\($1.1)\"><time>2026-03-14T09:1\($0):00Z</time></trkpt>"
    }
    let ride = try test.folder.file(
      "ride.gpx",
      "<gpx version=\"1.1\"><trk><name>A &amp; B</name><trkseg>\(points.joined())</trkseg></trk></gpx>"
    )
    _ = try ImportJob(archive: test.archive, homeZone: test.zone).run(ride)
    let file = test.folder.url.appendingPathComponent("places.gpx")
    _ = try ExportJob(archive: test.archive).writeGPX(to: file)
    let page = try text(file)
    #expect(
      page.contains("<trk><name>A &amp; B</name><type>travel</type>\n<trkseg>\n<trkpt lat=\"50.05"))
    #expect(page.components(separatedBy: "<trkpt").count == 4)
    let target = try TestArchive()
    let run = try #require(
      try ImportJob(archive: target.archive, homeZone: target.zone).run(file).first)
    #expect(run.skipped == 0 && run.created["activity"] == 1)
  }

  // MARK: Back through the importers

  @Test(arguments: [true, false])
  func tablesComeBackThroughTheirImporter(isExact: Bool) throws {
    let source = try life()
    let folder = source.folder.url.appendingPathComponent("tables")
    _ = try ExportJob(archive: source.archive).writeCSV(to: folder, isExact: isExact)
    let target = try TestArchive()
    let run = try #require(
      try ImportJob(archive: target.archive, homeZone: target.zone)
        .run(folder.appendingPathComponent("activities.csv")).first)
    #expect(run.skipped == 0 && run.created["activity"] == 4)
    for key in ["2026-03-14", "2026-03-15", "2026-04-01"] {
      let (before, after) = (try source.day(key).activities, try target.day(key).activities)
      #expect(after.map { $0.text.prefix(5) } == before.map { $0.text.prefix(5) })
      #expect(after.map(\.startAt) == before.map(\.startAt))
      #expect(after.map(\.endAt) == before.map(\.endAt))
      #expect(after.map(\.tags) == before.map(\.tags))
      #expect(after.map(\.lat) == before.map(\.lat))
    }
  }

  @Test func placesComeBackOnceEach() throws {
    let source = try life()
    let file = source.folder.url.appendingPathComponent("places.gpx")
    _ = try ExportJob(archive: source.archive).writeGPX(to: file)
    let target = try TestArchive()
    let run = try #require(
      try ImportJob(archive: target.archive, homeZone: target.zone).run(file).first)
    #expect(run.skipped == 0 && run.created["activity"] == 3)
    for key in ["2026-03-14", "2026-03-15"] {
      let (before, after) = (try source.day(key).activities, try target.day(key).activities)
      #expect(after.map(\.startAt) == before.map(\.startAt))
      #expect(after.map(\.lat) == before.map(\.lat) && after.map(\.lon) == before.map(\.lon))
    }
  }

  @Test func aVaultComesBackAsDaysWithTheirNotes() throws {
    let source = try life()
    let folder = source.folder.url.appendingPathComponent("vault")
    _ = try ExportJob(archive: source.archive).writeMarkdown(to: folder)
    let target = try TestArchive()
    let runs = try ImportJob(archive: target.archive, homeZone: target.zone).run(folder)
    #expect(runs.reduce(0) { $0 + $1.skipped } == 0)
    #expect(try target.archive.daysWithEntries() == source.archive.daysWithEntries())
    let day = try #require(try target.day("2026-03-14").entry)
    #expect(day.mood == 4 && day.note.contains("# Head") && day.note.contains("castle"))
  }

  // MARK: The book

  @Test func aBookOpensWithoutScriptsAndShowsPicturesOnly() throws {
    let test = try life()
    let folder = test.folder.url.appendingPathComponent("book")
    let today = try #require(DayKey("2026-12-31"))
    let summary = try ExportJob(archive: test.archive).writeBook(
      of: span("2026-01-01", "2026-12-31"), to: folder, today: today)
    #expect(summary.entries == 3 && summary.missingFiles.isEmpty)
    let page = try text(folder.appendingPathComponent("index.html"))
    #expect(!page.contains("<script") && page.contains("&lt;script&gt;"))
    #expect(!page.contains("evil.test") && !page.contains("javascript:"))
    #expect(page.contains("<title>2026</title>"))
    #expect(page.contains("<a href=\"#m-2026-03-01\">March 2026</a>"))
    #expect(page.contains("<section class=\"month\" id=\"m-2026-04-01\">"))
    #expect(page.contains("<dt>Alex Kim</dt><dd><a href=\"#d-2026-03-14\">14 Mar</a>"))
    #expect(page.contains("<dt>road trip</dt>"))
    let picture = try #require(page.firstMatch(of: #/<img src="([^"]+\.jpg)"/#)?.1)
    #expect(
      FileManager.default.fileExists(
        atPath: folder.appendingPathComponent(String(picture)).path))
    // What a browser would run is named and not linked.
    #expect(page.contains("page.html") && !page.contains("html\">page.html"))
    #expect(page.firstMatch(of: #/href="attachments[^"]*html"/#) == nil)
  }

  // MARK: Markdown

  @Test func aVaultLinksPeopleAndNotesAndLeavesWhatWasChangedThere() throws {
    let test = try life()
    let folder = test.folder.url.appendingPathComponent("vault")
    let job = ExportJob(archive: test.archive)
    #expect(try job.writeMarkdown(to: folder).leftOut.isEmpty)
    let file = folder.appendingPathComponent("2026/2026-03-14.md")
    let page = try text(file)
    #expect(page.contains("people: [\"[[Alex Kim]]\"]"))
    #expect(page.contains("#road_trip #_2026 [[Alex Kim]]"))
    let person = try text(folder.appendingPathComponent("people/Alex Kim.md"))
    #expect(person.contains("# Alex Kim"))
    let note = try text(folder.appendingPathComponent("notes/Plan a b.md"))
    #expect(note.contains("date: 2026-03-15\n") && note.contains("- [ ] pack"))
    let daily = try Data(contentsOf: folder.appendingPathComponent(".obsidian/daily-notes.json"))
    #expect(try JSON(parsing: daily)["format"] == "YYYY/YYYY-MM-DD")

    try Data("mine\n".utf8).write(to: file)
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSinceNow: 60)], ofItemAtPath: file.path)
    let again = try job.writeMarkdown(to: folder)
    #expect(again.leftOut.count == 1)
    #expect(try text(file) == "mine\n")
    #expect(try job.writeMarkdown(to: folder, replaces: true).leftOut.isEmpty)
    #expect(try text(file) == page)
  }

  // MARK: Names

  @Test func noExportTakesAFileThatIsNoneOrAFolderOfOthers() throws {
    let test = try life()
    let job = ExportJob(archive: test.archive)
    let kept = try test.folder.file("mine/kept.txt", "kept")
    let folder = kept.deletingLastPathComponent()
    let all = DayFilter()
    let today = try #require(DayKey("2026-12-31"))
    #expect(throws: ArchiveError.self) { try job.writeJSONLines(to: kept, replaces: false) }
    #expect(throws: ArchiveError.self) { try job.writeCalendar(to: kept) }
    #expect(throws: ArchiveError.self) { try job.writeGPX(to: kept) }
    #expect(throws: ArchiveError.self) { try job.writeCalendar(to: folder, replaces: true) }
    #expect(throws: ArchiveError.self) { try job.writeCSV(to: folder) }
    #expect(throws: ArchiveError.self) { try job.writeBook(of: all, to: folder, today: today) }
    #expect(try text(kept) == "kept")
    _ = try job.writeGPX(to: kept, replaces: true)
    // An export may replace the one before.
    #expect(try job.writeGPX(to: kept).entries == 3)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(names == ["kept.txt"])
  }

  @Test func aFolderIsOneZipForABrowser() throws {
    let test = try life()
    let file = test.folder.url.appendingPathComponent("book.zip")
    let today = try #require(DayKey("2026-12-31"))
    let job = ExportJob(archive: test.archive)
    _ = try job.writeZip(.book, of: DayFilter(), to: file, today: today)
    let names = try ZipFile(file).entries.map(\.name)
    #expect(names.contains("index.html") && !names.contains(".arkived-export"))
    #expect(names.contains { $0.hasPrefix("attachments/") && $0.hasSuffix(".jpg") })
    _ = try job.writeZip(.csv, of: DayFilter(), to: file, today: today)
    #expect(try ZipFile(file).entries.count == 8)
    _ = try job.writeZip(.jsonl, of: DayFilter(), to: file, today: today)
    let lines = try ZipFile(file).entries.map(\.name)
    #expect(lines.contains("life.jsonl"))
    #expect(lines.contains { $0.hasPrefix("attachments/") && $0.hasSuffix(".jpg") })
  }
}

import ArkivedCore
import ArkivedEngine
import ArkivedImport
import ArkivedStore
import ArkivedTestSupport
import Foundation
import Synchronization
import Testing

/// An importer of a line each, which counts how often it reads.
private struct CountingImporter: Importer {
  var format = "count"
  var around: [String]? = []
  var settings = ""
  var diagnostic: Diagnostic?
  /// What happens when all was read, and before the run ends.
  var meanwhile: (@Sendable () throws -> Void)?
  /// Files of entries lie in a folder beside.
  var bringsFiles = false
  let reads = Counter()

  final class Counter: Sendable {
    private let count = Mutex(0)
    var value: Int { count.withLock { $0 } }
    func add() { count.withLock { $0 += 1 } }
  }

  func recognises(head: [UInt8], fileName: String) -> Bool { fileName.hasSuffix(".\(format)") }

  func surroundings(of file: ImportFile) -> [String]? { around }

  func read(_ file: ImportFile, context: ImportContext, into sink: any ImportSink) throws {
    reads.add()
    let lines = String(decoding: try Data(contentsOf: file.url), as: UTF8.self)
    for line in lines.split(separator: "\n") {
      let ref = ExternalRef(
        provider: format, externalID: String(line.prefix { $0 != " " }), fetchedAt: context.now,
        contentHash: String(line))
      var activity = Activity(
        id: context.identities.next(), dayKey: DayKey(clamping: 20_526),
        timeZone: "Europe/Berlin", text: String(line), externalRefs: [ref],
        createdAt: context.now, updatedAt: context.now)
      if bringsFiles {
        activity.attachments = [
          ArkivedCore.Attachment(
            id: context.identities.next(), type: .file, relativePath: "\(ref.externalID).txt",
            originalName: "leaf.txt", createdAt: context.now, updatedAt: context.now)
        ]
      }
      try sink.take(
        ImportedRecord(
          .activity(activity), place: file.name,
          attachmentsFolder: file.url.deletingLastPathComponent().appendingPathComponent("media")))
    }
    try meanwhile?()
    if let diagnostic { sink.diagnose(diagnostic) }
  }
}

@Suite("Input that came in before and has not changed")
struct RepeatedImportTests {
  private let lines = "1 tea\n2 bread\n3 jam\n"

  private func job(
    _ test: TestArchive, _ importers: [any Importer], again: Bool = false, zone: Zone? = nil,
    program: String = "one"
  ) -> ImportJob {
    ImportJob(
      archive: test.archive, homeZone: zone ?? test.zone, importers: importers, readsAgain: again,
      program: program)
  }

  @Test func isNotReadAgainAndTellsTheSame() throws {
    let test = try TestArchive()
    let importer = CountingImporter(diagnostic: Diagnostic(.skipped, place: "x", message: "odd"))
    let file = try test.folder.file("a.count", lines)
    let first = try #require(try job(test, [importer]).run(file).first)
    #expect(first.created == ["activity": 3] && importer.reads.value == 1)
    let before = try ExportJob(archive: test.archive).lines()
    let second = try #require(try job(test, [importer]).run(file).first)
    #expect(importer.reads.value == 1)
    let third = try #require(try job(test, [importer], again: true).run(file).first)
    #expect(importer.reads.value == 2)
    for run in [second, third] {
      #expect(run.created.isEmpty && run.updated == 0 && run.unchanged == 3 && run.skipped == 1)
      #expect(run.warnings == first.warnings && run.source == first.source)
      #expect(run.format == "count")
    }
    #expect(try ExportJob(archive: test.archive).lines() == before)
    #expect(try test.archive.importRuns().count == 3)
    #expect(try test.archive.examine().allSatisfy { $0.verdict == .good })
  }

  @Test func isKnownByItsContentWhereverItLies() throws {
    let test = try TestArchive()
    let importer = CountingImporter()
    _ = try job(test, [importer]).run(try test.folder.file("a.count", lines))
    let copy = try test.folder.file("elsewhere/b.count", lines)
    #expect(try job(test, [importer]).run(copy).first?.unchanged == 3)
    #expect(importer.reads.value == 1)
    let other = try test.folder.file("a.count", lines.replacing("jam", with: "ham"))
    #expect(try job(test, [importer]).run(other).first?.updated == 1)
    #expect(importer.reads.value == 2)
  }

  @Test("is read for another program, zone or wish, and where an importer says so")
  func isReadWhereSomethingElseIsAsked() throws {
    let test = try TestArchive()
    let file = try test.folder.file("a.count", lines)
    let importer = CountingImporter()
    _ = try job(test, [importer]).run(file)
    _ = try job(test, [importer], program: "two").run(file)
    _ = try job(test, [importer], zone: .utc).run(file)
    #expect(importer.reads.value == 3)
    let wishing = CountingImporter(settings: "pages")
    _ = try job(test, [wishing]).run(file)
    #expect(wishing.reads.value == 1)
    let passing = CountingImporter(
      settings: "room",
      diagnostic: Diagnostic(.skipped, place: "x", message: "no room", mayPass: true))
    for count in 1...2 {
      _ = try job(test, [passing]).run(file)
      #expect(passing.reads.value == count)
    }
    let worldly = CountingImporter(format: "world", around: nil)
    let day = try test.folder.file("a.world", lines)
    for count in 1...2 {
      _ = try job(test, [worldly]).run(day)
      #expect(worldly.reads.value == count)
    }
  }

  @Test func isReadOnceMoreAfterTheOwnerChangedOrDeletedWhatItBrought() throws {
    let test = try TestArchive()
    let file = try test.folder.file("a.count", lines)
    let importer = CountingImporter()
    _ = try job(test, [importer]).run(file)
    let entries = try test.day("2026-03-14").activities
    let first = try #require(entries.first)
    _ = try test.archive.updateActivity(first.id) { $0.notes = "mine" }
    for _ in 1...2 {
      #expect(try job(test, [importer]).run(file).first?.unchanged == 3)
      #expect(importer.reads.value == 2)
    }
    let last = try #require(entries.last)
    _ = try test.archive.deleteActivities([last.id])
    for _ in 1...2 {
      #expect(try job(test, [importer]).run(file).first?.created.isEmpty == true)
      #expect(importer.reads.value == 3)
    }
    #expect(try test.day("2026-03-14").activities.count == 2)
    // What has nothing to do with it changes nothing.
    try test.add("of my own")
    _ = try job(test, [importer]).run(file)
    #expect(importer.reads.value == 3)
  }

  @Test func comesAgainAfterItsImportWasTakenBack() throws {
    let test = try TestArchive()
    let file = try test.folder.file("a.count", lines)
    let importer = CountingImporter()
    let run = try #require(try job(test, [importer]).run(file).first)
    let change = try test.archive.importRun(matching: run.id.uuidString).changeID
    _ = try test.archive.undo(change)
    #expect(try job(test, [importer]).run(file).first?.created == ["activity": 3])
    #expect(importer.reads.value == 2)
  }

  @Test func isReadAgainWhereItsEntriesWereTakenBackWhileItWasRead() throws {
    let test = try TestArchive()
    // A whole hand-over of the reader, so that all is decided about before what happens meanwhile.
    let file = try test.folder.file(
      "a.count", (1...128).map { "\($0) line" }.joined(separator: "\n"))
    let importer = CountingImporter()
    let run = try #require(try job(test, [importer]).run(file).first)
    let change = try test.archive.importRun(matching: run.id.uuidString).changeID
    let archive = test.archive
    var disturbed = importer
    disturbed.meanwhile = {
      usleep(500_000)
      _ = try archive.undo(change)
    }
    _ = try job(test, [disturbed], again: true).run(file)
    _ = try job(test, [importer]).run(file)
    #expect(try test.day("2026-03-14").activities.count == 128)
    #expect(importer.reads.value == 3)
  }

  @Test func isReadAgainAfterSomethingWentThatMayComeAgain() throws {
    let test = try TestArchive()
    let file = try test.folder.file("a.count", lines)
    let importer = CountingImporter()
    var own = try test.activity("tea, by another way")
    own.externalRefs = [
      ExternalRef(
        provider: "count", externalID: "1", fetchedAt: TestArchive.now, contentHash: "1 tea")
    ]
    let added = try #require(try test.archive.add(own).change)
    #expect(try job(test, [importer]).run(file).first?.created == ["activity": 2])
    _ = try test.archive.undo(added.id)
    #expect(try job(test, [importer]).run(file).first?.created == ["activity": 1])
    #expect(importer.reads.value == 2)
  }

  @Test func isReadAgainToBringBackFilesThatTheArchiveLost() throws {
    let test = try TestArchive()
    let importer = CountingImporter(around: ["media"], bringsFiles: true)
    let file = try test.folder.file("a.count", lines)
    for number in 1...3 { _ = try test.folder.file("media/\(number).txt", "leaf \(number)") }
    usleep(150_000)
    for _ in 1...2 { _ = try job(test, [importer]).run(file) }
    #expect(importer.reads.value == 1)
    let attachment = try #require(try test.day("2026-03-14").activities.first?.attachments.first)
    let kept = try #require(test.archive.file(of: attachment))
    try FileManager.default.removeItem(at: kept)
    #expect(try job(test, [importer]).run(file).first?.unchanged == 3)
    #expect(importer.reads.value == 2 && FileManager.default.fileExists(atPath: kept.path))
  }

  @Test func whatALinkLeadsToCountsToo() throws {
    let test = try TestArchive()
    let importer = CountingImporter(around: ["media"])
    let file = try test.folder.file("a.count", lines)
    _ = try test.folder.file("far/leaf.jpg", "leaf")
    let far = test.folder.url.appendingPathComponent("far")
    try FileManager.default.createSymbolicLink(
      at: test.folder.url.appendingPathComponent("media"), withDestinationURL: far)
    usleep(150_000)
    for _ in 1...2 { _ = try job(test, [importer]).run(file) }
    #expect(importer.reads.value == 1)
    _ = try test.folder.file("far/second.jpg", "leaf")
    _ = try job(test, [importer]).run(file)
    #expect(importer.reads.value == 2)
    // What changes behind a link in the folder is not seen, so that such a folder is never known.
    try FileManager.default.createSymbolicLink(
      at: far.appendingPathComponent("deeper"), withDestinationURL: test.folder.url)
    usleep(150_000)
    for count in 3...4 {
      _ = try job(test, [importer]).run(file)
      #expect(importer.reads.value == count)
    }
  }

  @Test func isReadAfterANewerExportUpdatedWhatItBrought() throws {
    let test = try TestArchive()
    let old = try test.folder.file("old.count", lines)
    let new = try test.folder.file("new.count", lines.replacing("jam", with: "ham"))
    let importer = CountingImporter()
    for file in [old, new] { _ = try job(test, [importer]).run(file) }
    #expect(try job(test, [importer]).run(old).first?.updated == 1)
    #expect(importer.reads.value == 3)
  }

  @Test func anotherFormatsImportLeavesItKnown() throws {
    let test = try TestArchive()
    let (one, other) = (CountingImporter(), CountingImporter(format: "other"))
    let file = try test.folder.file("a.count", lines)
    _ = try job(test, [one, other]).run(file)
    _ = try job(test, [one, other]).run(try test.folder.file("a.other", lines))
    _ = try job(test, [one, other]).run(file)
    #expect(one.reads.value == 1)
  }

  @Test func whatLiesAroundItCountsToo() throws {
    let test = try TestArchive()
    let importer = CountingImporter(around: ["media"])
    let file = try test.folder.file("a.count", lines)
    for _ in 1...2 { _ = try job(test, [importer]).run(file) }
    #expect(importer.reads.value == 1)
    _ = try test.folder.file("media/leaf.jpg", "leaf")
    _ = try job(test, [importer]).run(file)
    #expect(importer.reads.value == 2)
  }

  @Test func aFolderIsKnownByTheLookOfAllThatIsInIt() throws {
    let test = try TestArchive()
    let importer = CountingImporter()
    _ = try test.folder.file("in/a.count", lines)
    _ = try test.folder.file("in/deep/b.count", "4 soup\n")
    let folder = test.folder.url.appendingPathComponent("in")
    // What was written this very moment is not trusted by its look.
    usleep(150_000)
    for _ in 1...2 { _ = try job(test, [importer]).run(folder) }
    #expect(importer.reads.value == 2)
    _ = try test.folder.file("in/deep/c.count", "5 nuts\n")
    let added = try #require(try job(test, [importer]).run(folder).first)
    #expect(added.created == ["activity": 1] && added.unchanged == 4)
    // The two that were there are not read again.
    #expect(importer.reads.value == 3)
    let entry = try #require(try test.day("2026-03-14").activities.first)
    _ = try test.archive.updateActivity(entry.id) { $0.notes = "mine" }
    #expect(try job(test, [importer]).run(folder).first?.unchanged == 5)
    #expect(importer.reads.value == 6)
  }

  @Test func aNewFileThatTellsOtherwiseOfWhatAnotherBroughtChangesNothing() throws {
    let test = try TestArchive()
    let importer = CountingImporter()
    _ = try test.folder.file("in/a.count", lines)
    _ = try test.folder.file("in/b.count", "4 soup\n")
    let folder = test.folder.url.appendingPathComponent("in")
    usleep(150_000)
    _ = try job(test, [importer]).run(folder)
    // The first file that tells of an entry counts, whether or not it had to be read.
    _ = try test.folder.file("in/c.count", "1 coffee\n5 nuts\n")
    for round in 0..<3 {
      let run = try #require(try job(test, [importer]).run(folder).first)
      #expect(run.created == (round == 0 ? ["activity": 1] : [:]) && run.updated == 0)
    }
    #expect(try test.day("2026-03-14").activities.map(\.text).contains("1 tea"))
  }

  @Test func aFileOfAFolderThatToldSomethingIsReadAgain() throws {
    let test = try TestArchive()
    let importer = CountingImporter(diagnostic: Diagnostic(.note, place: "x", message: "odd"))
    _ = try test.folder.file("in/a.count", lines)
    _ = try test.folder.file("in/b.count", "4 soup\n")
    let folder = test.folder.url.appendingPathComponent("in")
    usleep(150_000)
    _ = try job(test, [importer]).run(folder)
    _ = try test.folder.file("in/c.count", "5 nuts\n")
    _ = try job(test, [importer]).run(folder)
    #expect(importer.reads.value == 5)
  }

  @Test("tells for each format what reading it again would tell", arguments: Sample.all)
  func tellsWhatReadingWouldTell(sample: Sample) throws {
    let test = try TestArchive()
    let file = try test.folder.file(sample.name, sample.content)
    func figures(again: Bool) throws -> [String] {
      let job = ImportJob(archive: test.archive, homeZone: test.zone, readsAgain: again)
      return try job.run(file).map { run in
        "\(run.format) \(run.created) \(run.updated) \(run.unchanged) \(run.skipped) "
          + "\(run.warnings)"
      }
    }
    let first = try figures(again: false)
    let before = try ExportJob(archive: test.archive).lines()
    let known = try figures(again: false)
    let forced = try figures(again: true)
    #expect(known == forced)
    #expect(known != first)
    #expect(try ExportJob(archive: test.archive).lines() == before)
    #expect(try test.archive.importReadings().count == 1)
  }

  /// A small export of each format that is told by its bytes alone.
  struct Sample: CustomTestStringConvertible, Sendable {
    var name: String
    var content: String

    var testDescription: String { name }

    static let all = [
      Sample(
        name: "life.jsonl",
        content: """
          {"type":"person","name":"Alex Kim","email":"a@x.org"}
          {"type":"activity","text":"tea","dayKey":"2026-01-01","people":["Alex Kim"]}
          {"type":"day","dayKey":"2026-01-01","note":"new year","mood":5}
          {"type":"metric","dayKey":"2026-01-01","metric":"steps","unit":"steps","value":8000,"source":"w"}
          {"type":"dream","text":"x"}

          """),
      Sample(
        name: "toggl.csv",
        content: """
          User,Email,Client,Project,Task,Description,Billable,Start date,Start time,End date,End time,Duration,Tags
          Ann,a@x.org,,House,,paint,No,2026-01-02,09:00:00,2026-01-02,10:00:00,01:00:00,home
          Ann,a@x.org,,House,,paint,No,nonsense,09:00:00,2026-01-02,10:00:00,01:00:00,home

          """),
      Sample(
        name: "daylio.csv",
        content: """
          full_date,date,weekday,time,mood,activities,note_title,note
          2026-01-03,January 3,Saturday,6:50 pm,good,walk | tea,A day,It was fine
          2026-01-04,January 4,Sunday,14:58,rad,walk,,

          """),
      Sample(
        name: "table.csv", content: "Date,Title,Distance (km)\n2026-01-05,Ride,12.5\n"),
      Sample(
        name: "ride.gpx",
        content: """
          <?xml version="1.0"?><gpx version="1.1" creator="test"><trk><name>Ride</name><trkseg>
          <trkpt lat="52.5" lon="13.4"><time>2026-01-06T10:00:00Z</time></trkpt>
          <trkpt lat="52.52" lon="13.4"><time>2026-01-06T10:10:00Z</time></trkpt>
          </trkseg></trk></gpx>
          """),
    ]
  }
}

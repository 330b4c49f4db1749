import ArkivedCore
import ArkivedEngine
import ArkivedImport
import ArkivedStore
import ArkivedTestSupport
import Foundation
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

@Suite("What an import would do, and input of odd kinds")
struct ForecastTests {
  @Test func aFolderOfSeveralFormatsIsForeseenAsAWhole() throws {
    let test = try TestArchive()
    for name in ["a.script", "b.other"] { _ = try test.folder.file("in/\(name)", "x") }
    let folder = test.folder.url.appendingPathComponent("in")
    let job = ImportJob(
      archive: test.archive, homeZone: test.zone,
      importers: [
        ScriptedImporter(records: scripted(3)),
        ScriptedImporter(format: "other", records: scripted(5)),
      ])
    let foreseen = try job.forecast(folder).runs
    #expect(foreseen.map(\.created) == [["activity": 3], ["activity": 2]])
    #expect(try test.archive.counts().activities == 0)
    let runs = try job.run(folder)
    #expect(runs.map(\.created) == foreseen.map(\.created))
    #expect(runs.map(\.unchanged) == foreseen.map(\.unchanged))
  }

  private let line = #"{"type":"activity","text":"tea","dayKey":"2026-01-01"}"# + "\n"

  @Test func aPipeIsReadLikeAFile() throws {
    let test = try TestArchive()
    let pipe = test.folder.url.appendingPathComponent("life.jsonl")
    #expect(mkfifo(pipe.path, 0o600) == 0)
    let content = Data(line.utf8)
    let writer = Thread {
      let output = try? FileHandle(forWritingTo: pipe)
      try? output?.write(contentsOf: content)
      try? output?.close()
    }
    writer.start()
    let run = try #require(
      try ImportJob(archive: test.archive, homeZone: test.zone).run(pipe).first)
    #expect(run.created == ["activity": 1] && run.source == pipe.path)
  }

  @Test func aPipeIntoWhichNobodyWritesCanBeLeft() throws {
    let test = try TestArchive()
    let pipe = test.folder.url.appendingPathComponent("life.jsonl")
    #expect(mkfifo(pipe.path, 0o600) == 0)
    let watch = ImportWatch(isCancelled: { true })
    #expect(throws: ImportCancelled.self) {
      try ImportJob(archive: test.archive, homeZone: test.zone, watch: watch).run(pipe)
    }
  }

  @Test func whatIsNoFileFolderOrPipeIsRefusedInWords() throws {
    let test = try TestArchive()
    let refusal = #expect(throws: ImportRefusal.self) {
      try ImportJob(archive: test.archive, homeZone: test.zone)
        .run(URL(fileURLWithPath: "/dev/null"))
    }
    #expect(refusal?.message.contains("not a file, folder or pipe") == true)
  }

  @Test(arguments: [String.Encoding.utf16LittleEndian, .utf16BigEndian])
  func linesInUTF16AreReadWithAMarkAndWithout(encoding: String.Encoding) throws {
    let mark = Data(encoding == .utf16LittleEndian ? [0xFF, 0xFE] : [0xFE, 0xFF])
    let text = try #require(line.replacing("tea", with: "thé 茶").data(using: encoding))
    for content in [mark + text, text] {
      let test = try TestArchive()
      let job = ImportJob(archive: test.archive, homeZone: test.zone)
      let run = try #require(try job.run(try test.folder.file("a.jsonl", content)).first)
      #expect(run.created == ["activity": 1] && run.warnings.isEmpty)
      #expect(try test.day("2026-01-01").activities.first?.text == "thé 茶")
    }
  }

  @Test func theTimesOfEventsAreForeseenAsTheirDaysShowThem() throws {
    let test = try TestArchive()
    let file = try test.folder.file(
      "plans.ics",
      [
        "BEGIN:VCALENDAR", "VERSION:2.0", "BEGIN:VEVENT", "UID:fair",
        "DTSTART;VALUE=DATE:20260320", "DTEND;VALUE=DATE:20260322", "SUMMARY:Fair", "END:VEVENT",
        "BEGIN:VEVENT", "UID:release", "DTSTART:20260319T233000", "DTEND:20260320T003000",
        "SUMMARY:Release", "END:VEVENT", "END:VCALENDAR", "",
      ].joined(separator: "\r\n"))
    let examples = try #require(
      try ImportJob(archive: test.archive, homeZone: test.zone).forecast(file).runs.first
    ).examples
    let times = Dictionary(
      examples.map { ($0.text, $0.parts.first) }, uniquingKeysWith: { first, _ in first })
    #expect(times == ["Fair": "all day", "Release": "23:30–00:30 (+1)"])
  }

  @Test func aVaultThatCameAsAZipIsKnownForArkivedsOwn() throws {
    let source = try TestArchive()
    try source.add("walk")
    _ = try source.archive.updateDay(DayKey(clamping: 20_526)) { $0.note = "A day by the sea." }
    let file = source.folder.url.appendingPathComponent("vault.zip")
    _ = try ExportJob(archive: source.archive).writeZip(
      .markdown, of: DayFilter(), to: file, today: DayKey(clamping: 20_530))
    #expect(try ZipFile(file).entries.map(\.name).contains(".arkived-export"))
    let target = try TestArchive()
    _ = try ImportJob(archive: target.archive, homeZone: target.zone).run(file)
    let day = try #require(try target.day("2026-03-14").entry)
    #expect(day.note.contains("by the sea"))
    #expect(day.externalRefs.first?.provider == "markdown")
  }
}

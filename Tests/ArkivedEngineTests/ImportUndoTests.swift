import ArkivedCore
import ArkivedEngine
import ArkivedImport
import ArkivedStore
import ArkivedTestSupport
import Foundation
import Synchronization
import Testing

@Suite("Taking imports back and bringing them again")
struct ImportUndoTests {
  private func change(_ test: TestArchive, _ run: ImportRun) throws -> UUID {
    try test.archive.importRun(matching: run.id.uuidString).changeID
  }

  private func take(
    _ test: TestArchive, _ lines: String, overridesOwner: Bool = false
  ) throws -> ImportRun {
    let file = try test.folder.file("\(UUID().uuidString).jsonl", lines)
    let job = ImportJob(
      archive: test.archive, homeZone: test.zone, overridesOwner: overridesOwner)
    return try #require(try job.run(file).first)
  }

  @Test func eachUndoOfTheOneBeforeTogglesTheWholeImport() throws {
    let test = try TestArchive()
    let first = try run(test, ScriptedImporter(records: scripted(5)))
    let id = try change(test, first)
    var last = id
    for round in 0..<5 {
      let undone = try test.archive.undo(last)
      last = undone.change.id
      let isHidden = round.isMultiple(of: 2)
      #expect(try test.archive.counts().activities == (isHidden ? 0 : 5), "\(round)")
      #expect(undone.change.action == (isHidden ? "undo" : "redo"))
      #expect((isHidden ? undone.removed : undone.restored) == 5)
      #expect(try test.archive.importRuns().first?.isUndone == isHidden)
      #expect(try test.archive.change(id)?.isUndone == isHidden)
    }
    #expect(throws: ArchiveError.self) { try test.archive.undo(id) }
    _ = try test.archive.undo(last)
    #expect(try test.archive.undo(id).removed == 5)
    #expect(try test.archive.examine().allSatisfy { $0.verdict == .good })
  }

  @Test func anUpdateComesAgainThoughTheImportBeforeItWasTakenBack() throws {
    let test = try TestArchive()
    let first = try run(test, ScriptedImporter(records: scripted(1)))
    test.clock.advance(seconds: 60)
    let second = try run(test, ScriptedImporter(records: scripted(1, text: "better")))
    let day = DayKey(clamping: 20_000)
    #expect(try test.archive.undo(change(test, first)).kept == 1)
    var last = try change(test, second)
    for text in ["entry 0", "better 0", "entry 0", "better 0"] {
      last = try test.archive.undo(last).change.id
      #expect(try test.archive.day(day).activities.map(\.text) == [text])
    }
  }

  @Test func undoingUpdatesRestoresTheExportAndRedoingBringsItBack() throws {
    let test = try TestArchive()
    func export() throws -> [String] {
      Array(try ExportJob(archive: test.archive).lines().dropFirst())
    }
    let day = #"{"type":"day","dayKey":"2026-01-01","note":"#
    let entry =
      #"{"type":"activity","id":"AAAAAAAA-0000-4000-8000-0000000000A1","dayKey":"2026-01-01","text":"#
    let before = #""updatedAt":"2026-01-02T10:00:00Z"}"# + "\n"
    let after = #""updatedAt":"2026-01-03T10:00:00Z"}"# + "\n"
    _ = try take(test, day + #""one","# + before + entry + #""Read","# + before)
    _ = try run(test, ScriptedImporter(records: scripted(2)))
    let old = try export()
    test.clock.advance(seconds: 60)
    let first = try run(test, ScriptedImporter(records: scripted(3, text: "better")))
    let second = try take(test, day + #""two","# + after + entry + #""Read more","# + after)
    #expect(first.updated == 2 && second.updated == 2, "\(first) \(second)")
    let new = try export()
    #expect(new.count > old.count)
    var changes = [try change(test, second), try change(test, first)]
    for round in 0..<3 {
      changes = try changes.map { try test.archive.undo($0).change.id }
      #expect(try export() == old, "\(round)")
      changes = try changes.reversed().map { try test.archive.undo($0).change.id }.reversed()
      #expect(try export() == new, "\(round)")
    }
    // Undone, the same file brings the same again.
    _ = try changes.map { try test.archive.undo($0) }
    let again = try take(test, day + #""two","# + after + entry + #""Read more","# + after)
    #expect(again.updated == 2)
    #expect(try test.archive.examine().allSatisfy { $0.verdict == .good })
  }

  @Test func whatWasChangedSinceStaysWhenUpdatesComeAgain() throws {
    let test = try TestArchive()
    _ = try run(test, ScriptedImporter(records: scripted(2)))
    test.clock.advance(seconds: 60)
    let second = try run(test, ScriptedImporter(records: scripted(2, text: "better")))
    let undo = try test.archive.undo(change(test, second)).change.id
    let day = DayKey(clamping: 20_000)
    let id = try #require(try test.archive.day(day).activities.first?.id)
    _ = try test.archive.updateActivity(id) { $0.text = "mine" }
    let redo = try test.archive.undo(undo)
    #expect(redo.restored == 1 && redo.kept == 1)
    #expect(try test.archive.day(day).activities.map(\.text).sorted() == ["better 1", "mine"])
    #expect(try test.archive.undo(redo.change.id).kept == 1)
    #expect(try test.archive.day(day).activities.map(\.text).sorted() == ["entry 1", "mine"])
  }

  @Test func aDeletionComesAgainThoughItsImportWasTakenBack() throws {
    let test = try TestArchive()
    let first = try run(test, ScriptedImporter(records: scripted(1)))
    let day = DayKey(clamping: 20_000)
    let id = try #require(try test.archive.day(day).activities.first?.id)
    var last = try #require(try test.archive.deleteActivities([id]).change?.id)
    _ = try test.archive.undo(change(test, first))
    for count in [1, 0, 1, 0] {
      last = try test.archive.undo(last).change.id
      #expect(try test.archive.day(day).activities.count == count)
    }
  }

  @Test func whatIsShownAgainHasItsTagsAndPeopleThoughTheyCameWithWhatStaysAway() throws {
    let test = try TestArchive()
    func line(_ text: String) -> String {
      #"{"type":"activity","text":"\#(text)","dayKey":"2026-01-01","tags":["new"],"people":["Sam"]}"#
        + "\n"
        + #"{"type":"day","dayKey":"2026-01-0\#(text.count)","note":"\#(text)","people":["Ann"]}"#
    }
    let first = try take(test, line("one"))
    let second = try take(test, line("second"))
    let before = try test.day("2026-01-01").activities.filter { $0.text == "second" }
    let hidden = try test.archive.undo(change(test, second)).change.id
    let hiddenFirst = try test.archive.undo(change(test, first)).change.id
    #expect(try test.archive.counts() == (0, 0, 0, 0))
    let shown = try test.archive.undo(hidden).change.id
    #expect(try test.day("2026-01-01").activities == before)
    #expect(before.first?.tags == ["new"] && before.first?.people.first?.personID != nil)
    #expect(try test.day("2026-01-06").entry?.people.first?.personID != nil)
    #expect(try test.archive.tags().map(\.count) == [1])
    #expect(try test.archive.counts().people == 2)
    // They go with it again, and come with the other one.
    _ = try test.archive.undo(shown)
    #expect(try test.archive.counts() == (0, 0, 0, 0))
    _ = try test.archive.undo(hiddenFirst)
    #expect(try test.day("2026-01-01").activities.first?.tags == ["new"])
    #expect(try test.archive.counts() == (1, 1, 2, 1))
    #expect(try test.archive.examine().allSatisfy { $0.verdict == .good })
  }

  @Test func anEntryThatComesBackByOverrideIsLinkedWithItsPeople() throws {
    let test = try TestArchive()
    let line =
      #"{"type":"activity","text":"tea","dayKey":"2026-01-01","people":["Sam Lee"]}"#
    _ = try take(test, line)
    let old = try #require(try test.day("2026-01-01").activities.first)
    #expect(old.people.first?.personID != nil)
    _ = try test.archive.deleteActivities([old.id])
    _ = try take(test, line, overridesOwner: true)
    #expect(try test.day("2026-01-01").activities.first?.people == old.people)
  }
}

@Suite("Imports that end early, or in part", .timeLimit(.minutes(30)))
struct BrokenImportTests {
  private let isStopped = Flag()

  private final class Flag: Sendable {
    private let state = Mutex(false)
    var isSet: Bool { state.withLock { $0 } }
    func set() { state.withLock { $0 = true } }
  }

  private func watch(_ flag: Flag, waits seconds: Double = 0) -> ImportWatch {
    ImportWatch(waitsSeconds: seconds, isCancelled: { flag.isSet })
  }

  @Test func aReaderThatHasFoundNothingYetIsNotWaitedFor() throws {
    let test = try TestArchive()
    let goOn = DispatchSemaphore(value: 0)
    let importer = ScriptedImporter(
      records: { _ in
        isStopped.set()
        goOn.wait()
        return []
      })
    #expect(throws: ImportCancelled.self) { try run(test, importer, watch: watch(isStopped)) }
    goOn.signal()
    #expect(try test.archive.importRuns().isEmpty)
  }

  @Test func whoWaitsForAnotherImportMayStopWaiting() throws {
    let test = try TestArchive()
    let stage = try ImportStage(test.archive, "import", "at work", waitsSeconds: 0)
    isStopped.set()
    #expect(throws: ImportCancelled.self) {
      try run(
        test, ScriptedImporter(records: { _ in [] }), watch: watch(isStopped, waits: 3_600))
    }
    try stage.discard(within: 5)
  }

  @Test func sweepingWhatAKilledImportLeftCanBeBrokenOff() throws {
    let test = try TestArchive()
    do {
      let stage = try ImportStage(test.archive, "import", "killed", waitsSeconds: 0)
      try stage.write { scope, _ in
        for number in 0..<10 { try scope.insert(try test.activity("half \(number)")) }
      }
    }
    isStopped.set()
    #expect(throws: ImportCancelled.self) {
      try run(test, ScriptedImporter(records: { _ in [] }), watch: watch(isStopped))
    }
    #expect(try test.archive.hasBrokenImports())
    #expect(try test.archive.counts().activities == 0)
    #expect(try run(test, ScriptedImporter(records: scripted(3))).created["activity"] == 3)
    #expect(try !test.archive.hasBrokenImports())
  }

  @Test func whatCameInBeforeTheEndIsTold() throws {
    let test = try TestArchive()
    _ = try test.folder.file("in/a.script", "x")
    _ = try test.folder.file("in/b.other", "x")
    let flag = isStopped
    let job = ImportJob(
      archive: test.archive, homeZone: test.zone,
      importers: [
        ScriptedImporter(records: scripted(3)),
        ScriptedImporter(format: "other", records: { _ in [] }, midway: { flag.set() }),
      ], watch: watch(flag))
    do {
      _ = try job.run(test.folder.url.appendingPathComponent("in"))
      Issue.record("it went on")
    } catch let interruption as ImportInterruption {
      #expect(interruption.cause is ImportCancelled)
      #expect(interruption.published.map(\.created) == [["activity": 3]])
      #expect(try test.archive.importRuns().count == 1)
    }
    // Once more it goes on from there: what came in is known, the rest comes.
    let runs = try ImportJob(
      archive: test.archive, homeZone: test.zone,
      importers: [
        ScriptedImporter(records: scripted(3)),
        ScriptedImporter(format: "other", records: scripted(5)),
      ]
    ).run(test.folder.url.appendingPathComponent("in"))
    #expect(runs.map(\.created) == [[:], ["activity": 2]] && runs.map(\.unchanged) == [3, 3])
  }

  /// Refuses the files that a test names so, after all their entries.
  private struct RefusingImporter: Importer {
    let format = "script"
    let records: @Sendable (ImportFile, ImportContext) throws -> [ImportedRecord]

    func recognises(head: [UInt8], fileName: String) -> Bool { fileName.hasSuffix(".script") }

    func read(_ file: ImportFile, context: ImportContext, into sink: any ImportSink) throws {
      for record in try records(file, context) { try sink.take(record) }
      if file.name.contains("bad") {
        throw ImportRefusal(place: file.name, message: "it ends in the middle")
      }
    }
  }

  private func runRefusing(
    _ test: TestArchive,
    _ records: @escaping @Sendable (ImportFile, ImportContext) throws -> [ImportedRecord]
  ) throws -> ImportRun {
    let job = ImportJob(
      archive: test.archive, homeZone: test.zone,
      importers: [RefusingImporter(records: records)])
    return try #require(try job.run(test.folder.url.appendingPathComponent("in")).first)
  }

  @Test func aRefusedFileLeavesNothingWhateverOthersWriteOrDeleteMeanwhile() throws {
    let test = try TestArchive()
    let other = try test.another()
    let mine = try (0..<20).map { try test.add("mine \($0)", tags: ["mine \($0)"]).id }
    let theirs = try test.activity("theirs", on: "2026-03-14", tags: ["theirs"], people: ["Ann"])
    for name in ["a-bad", "b-good"] { _ = try test.folder.file("in/\(name).script", "x") }
    let result = try runRefusing(test) { file, context in
      guard file.name.contains("bad") else { return [] }
      // The numbers of these rows are free again, and given to rows of the file.
      _ = try other.deleteActivities(mine)
      let records = try scripted(5, tags: ["bad"])(context)
      _ = try other.add(theirs)
      return records
    }
    #expect(result.created.isEmpty && result.skipped == 1)
    #expect(try test.archive.counts().activities == 1)
    #expect(try test.day("2026-03-14").activities.first?.tags == ["theirs"])
    #expect(try !test.archive.tags().contains { $0.tag.name == "bad" })
    #expect(try test.archive.examine().allSatisfy { $0.verdict == .good })
  }

  @Test func aDaysEntryThatGaveWayIsStillDecidedWhenALaterFileIsRefused() throws {
    let test = try TestArchive()
    let other = try test.another()
    let key = try #require(DayKey("2026-03-14"))
    for name in ["a-good", "b-bad"] { _ = try test.folder.file("in/\(name).script", "x") }
    let result = try runRefusing(test) { file, context in
      guard file.name.contains("bad") else {
        let entry = DayEntry(
          id: context.identities.next(), dayKey: key, note: "from the file",
          createdAt: context.now, updatedAt: context.now)
        return [ImportedRecord(.day(entry), place: "a")] + (try scripted(3)(context))
      }
      _ = try other.updateDay(key) { $0.note = "mine" }
      return []
    }
    #expect(try test.archive.day(key).entry?.note == "mine")
    #expect(result.created == ["activity": 3] && result.unchanged == 1)
    #expect(result.warnings.contains { $0.message.contains("your version was kept") })
  }
}

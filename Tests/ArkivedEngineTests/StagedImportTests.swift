import ArkivedCore
import ArkivedEngine
import ArkivedImport
import ArkivedStore
import ArkivedTestSupport
import Foundation
import Synchronization
import Testing

@Suite("Imports that are written aside")
struct StagedImportTests {
  private let day = "2026-03-14"

  /// Makes every chunk of records so large that the first half is written when `midway` runs.
  private let many = 6_000

  @Test func nothingOfARunningImportIsSeenAndOthersWriteMeanwhile() throws {
    let test = try TestArchive()
    let other = try test.another()
    let seen = Mutex<[String]>([])
    let importer = ScriptedImporter(
      records: scripted(many),
      midway: {
        do {
          // The first half is in the archive's file by now, at least in part.
          let counts = try other.counts()
          let changes = try other.changes().count
          let tags = try other.tags().count
          let hits = try other.search(
            SearchRequest(query: "entry"),
            words: WordQuery("entry")
          ).count
          let entities = Mutex(0)
          try other.forEachEntity { _, _ in entities.withLock { $0 += 1 } }
          let mine = try test.activity("mine", tags: ["new", "own"])
          _ = try other.add(mine)
          _ = try other.updateDay(mine.dayKey) { $0.note = "my note" }
          seen.withLock {
            $0 = [
              "\(counts.activities) \(counts.tags) \(changes) \(tags) \(hits)",
              "\(entities.withLock { $0 })",
            ]
          }
        } catch { seen.withLock { $0 = ["\(error)"] } }
      })
    let result = try run(test, importer)
    #expect(seen.withLock { $0 } == ["0 0 0 0 0", "0"])
    #expect(result.created["activity"] == many)
    #expect(try test.archive.counts().activities == many + 1)
    #expect(try test.day(day).entry?.note == "my note")
    #expect(try test.archive.tags().map(\.tag.name).sorted() == ["new", "own"])
    #expect(try test.archive.tags(prefix: "new").first?.count == many + 1)
    // What was published last is the latest change.
    #expect(try test.archive.changes().first?.action == "import")
    #expect(try test.archive.examine().allSatisfy { $0.verdict == .good })
  }

  @Test func aBrokenOffImportLeavesNothingThatAnybodySees() throws {
    let test = try TestArchive()
    try test.add("mine", tags: ["own"])
    let before = try ExportJob(archive: test.archive).lines()
    let isCancelled = Mutex(false)
    let importer = ScriptedImporter(
      records: scripted(many), midway: { isCancelled.withLock { $0 = true } })
    #expect(throws: ImportCancelled.self) {
      _ = try run(
        test, importer, watch: ImportWatch(isCancelled: { isCancelled.withLock { $0 } }))
    }
    #expect(try ExportJob(archive: test.archive).lines() == before)
    #expect(try test.archive.importRuns().isEmpty)
    #expect(try run(test, ScriptedImporter(records: scripted(many))).created["activity"] == many)
    #expect(try test.archive.counts().activities == many + 1)
  }

  @Test func whatAKilledImportLeftIsSweptAway() throws {
    let test = try TestArchive()
    do {
      // A stage that is let go without an end is what a killed process leaves.
      let stage = try ImportStage(test.archive, "import", "killed", waitsSeconds: 0)
      try stage.write { scope, _ in
        for number in 0..<3_000 {
          try scope.insert(try test.activity("half \(number)", tags: ["gone"]))
        }
        let entry = DayEntry(
          id: test.archive.identities.next(), dayKey: try #require(DayKey(day)), note: "half a day",
          createdAt: scope.now, updatedAt: scope.now)
        try scope.insert(entry)
      }
    }
    #expect(try test.archive.hasBrokenImports())
    #expect(try test.archive.counts() == (0, 0, 0, 0))
    try test.add("mine", tags: ["gone"])
    #expect(try test.archive.sweepBrokenImports())
    #expect(try !test.archive.hasBrokenImports())
    #expect(try test.day(day).activities.map(\.text) == ["mine"])
    #expect(try test.archive.tags().map(\.tag.name) == ["gone"])
    #expect(try test.archive.examine().allSatisfy { $0.verdict == .good })
  }

  @Test func whatAKilledImportHadNotDecidedIsDecidedLater() throws {
    let test = try TestArchive()
    let key = try #require(DayKey(day))
    do {
      let stage = try ImportStage(test.archive, "import", "killed", waitsSeconds: 0)
      let entry = DayEntry(
        id: test.archive.identities.next(), dayKey: key, note: "waits", createdAt: test.clock.now,
        updatedAt: test.clock.now)
      try stage.write { scope, _ in
        try scope.stash(PendingRecord(type: "day", entity: entry.json, place: "a.script:1"))
      }
      try stage.publish { scope in
        try scope.record(
          ImportRun(
            id: test.archive.identities.next(), format: "script", source: "a.script",
            startedAt: test.clock.now, finishedAt: test.clock.now, created: ["activity": 7]))
      }
    }
    #expect(try test.archive.day(key).entry == nil)
    try ImportRecovery.run(test.archive)
    #expect(try test.archive.day(key).entry?.note == "waits")
    let run = try #require(try test.archive.importRuns().first)
    #expect(run.created == ["activity": 7, "day": 1])
  }

  @Test func goalsOfAKilledImportAreMatchedLater() throws {
    let test = try TestArchive()
    try test.add("ran", measurements: ["km": 5])
    let goal = Goal(
      id: test.archive.identities.next(), title: "Run", measurementUnit: "km",
      measurementTarget: 10, createdAt: test.clock.now, updatedAt: test.clock.now)
    let changed = try test.archive.create(
      Goal(
        id: test.archive.identities.next(), title: "Steps", measurementUnit: "steps",
        createdAt: test.clock.now, updatedAt: test.clock.now)
    ).value
    let finishedAt = test.clock.now
    do {
      let stage = try ImportStage(test.archive, "import", "killed", waitsSeconds: 0)
      try stage.publish { scope in
        var scope = scope
        scope.matchesGoals = false
        try scope.insert(goal)
        var distance = changed
        distance.measurementUnit = "metres"
        try scope.update(distance, reason: .import)
        var mark = MatchingMark()
        mark.new = [goal.id, test.archive.identities.next()]
        mark.changed = [changed.id]
        try scope.leave(mark)
        try scope.record(
          ImportRun(
            id: test.archive.identities.next(), format: "script", source: "a.script",
            startedAt: finishedAt, finishedAt: finishedAt, created: ["goal": 1]))
      }
    }
    #expect(try test.archive.contributions(toGoal: goal.id).isEmpty)
    test.clock.advance(seconds: 60)
    try ImportRecovery.run(test.archive)
    #expect(try test.archive.contributions(toGoal: goal.id).map(\.contribution.contribution) == [5])
    #expect(
      try test.archive.contributions(toGoal: changed.id).map(\.contribution.contribution) == [5_000]
    )
    let run = try #require(try test.archive.importRuns().first)
    #expect(run.created == ["goal": 1] && run.finishedAt == finishedAt)
    // Nothing is left to do.
    let stage = try ImportStage(test.archive, "import", "next", waitsSeconds: 0)
    #expect(try stage.write { scope, _ in try scope.matchingMark().isEmpty })
    try stage.discard(within: 2)
    #expect(try test.archive.inferContributions().added == 0)
  }

  @Test func aDayWrittenDuringTheImportKeepsTheOwnersWords() throws {
    let test = try TestArchive()
    let key = try #require(DayKey(day))
    let records: @Sendable (ImportContext) throws -> [ImportedRecord] = { context in
      let entry = DayEntry(
        id: context.identities.next(), dayKey: key, note: "from the file",
        createdAt: context.now, updatedAt: context.now)
      return [ImportedRecord(.day(entry), place: "a.script:1")]
        + (try scripted(many)(context))
    }
    let other = try test.another()
    let importer = ScriptedImporter(
      records: records, midway: { _ = try? other.updateDay(key) { $0.note = "mine" } })
    let result = try run(test, importer)
    #expect(try test.archive.day(key).entry?.note == "mine")
    #expect(result.warnings.contains { $0.message.contains("your version was kept") })
    // What came in and gave way again is counted once.
    #expect(result.created == ["activity": many] && result.unchanged == 1)
  }

  @Test func aSecondImportAtTheSameTimeIsToldToWait() throws {
    let test = try TestArchive()
    let other = try test.another()
    let file = try test.folder.file("b.script", "x")
    let outcome = Mutex("")
    let importer = ScriptedImporter(
      records: scripted(10),
      midway: {
        do {
          let job = ImportJob(
            archive: other, homeZone: test.zone,
            importers: [ScriptedImporter(records: { _ in [] })])
          _ = try job.run(file)
        } catch { outcome.withLock { $0 = "\(error)" } }
      })
    _ = try run(test, importer)
    #expect(outcome.withLock { $0 }.contains("still running"))
  }

  @Test func updatesByTheThousandAllArriveAndCanBeTakenBack() throws {
    let test = try TestArchive()
    _ = try run(test, ScriptedImporter(records: scripted(2_500)))
    test.clock.advance(seconds: 60)
    let second = try run(test, ScriptedImporter(records: scripted(2_500, text: "better")))
    #expect(second.updated == 2_500 && second.created.isEmpty)
    let days = try test.archive.daysWithEntries()
    #expect(try test.archive.day(days[0]).activities.first?.text.hasPrefix("better") == true)
    let change = try test.archive.importRun(matching: second.id.uuidString).changeID
    #expect(try test.archive.undo(change).restored == 2_500)
    #expect(try test.archive.day(days[0]).activities.first?.text.hasPrefix("entry") == true)
  }

  @Test func anImportThatWasTakenBackComesAgainByUndoOrByImport() throws {
    let test = try TestArchive()
    let first = try run(test, ScriptedImporter(records: scripted(500)))
    let before = try ExportJob(archive: test.archive).lines()
    let change = try test.archive.importRun(matching: first.id.uuidString).changeID
    let undone = try test.archive.undo(change)
    #expect(undone.removed == 500)
    #expect(try test.archive.counts() == (0, 0, 0, 0))
    // Undoing the undo brings all of it back as it was.
    _ = try test.archive.undo(undone.change.id)
    #expect(try ExportJob(archive: test.archive).lines() == before)
    _ = try test.archive.undo(change)
    // The same file again is new: what was taken back gives way.
    let again = try run(test, ScriptedImporter(records: scripted(500)))
    #expect(again.created["activity"] == 500 && again.unchanged == 0)
    #expect(try test.archive.counts().activities == 500)
    #expect(try test.archive.examine().allSatisfy { $0.verdict == .good })
  }

  @Test func whatIsPublishedIsNeverSweptAway() throws {
    let test = try TestArchive()
    let stage = try ImportStage(test.archive, "import", "published", waitsSeconds: 0)
    try stage.write { scope, _ in try scope.insert(try test.activity("stays")) }
    try stage.publish { _ in }
    try stage.discard(within: 5)
    #expect(try test.archive.counts().activities == 1)
  }

  @Test func aBrokenOffImportOverOneTakenBackLeavesTheNextOneFree() throws {
    let test = try TestArchive()
    let first = try run(test, ScriptedImporter(records: scripted(300)))
    let change = try test.archive.importRun(matching: first.id.uuidString).changeID
    _ = try test.archive.undo(change)
    #expect(throws: ImportCancelled.self) {
      _ = try run(
        test, ScriptedImporter(records: scripted(300)), watch: ImportWatch(isCancelled: { true }))
    }
    #expect(try test.archive.counts().activities == 0)
    #expect(try run(test, ScriptedImporter(records: scripted(300))).created["activity"] == 300)
    #expect(try test.archive.examine().allSatisfy { $0.verdict == .good })
  }

  @Test func undoOfASecondImportBringsNothingOfTheFirstToLight() throws {
    let test = try TestArchive()
    let file = try test.folder.file(
      "m.jsonl",
      #"{"type":"metric","dayKey":"2026-01-01","metric":"steps","value":8000,"source":"watch"}"#)
    let job = ImportJob(archive: test.archive, homeZone: test.zone)
    for _ in 0..<2 {
      let result = try #require(try job.run(file).first)
      #expect(result.created == ["metric": 1])
      _ = try test.archive.undo(
        try test.archive.importRun(matching: result.id.uuidString).changeID)
      #expect(try test.day("2026-01-01").metrics.isEmpty)
    }
  }

  @Test func listenersHearOfTheChangeAfterAnImport() throws {
    let test = try TestArchive()
    _ = try run(test, ScriptedImporter(records: scripted(3)))
    let last = try #require(try test.archive.newestChange())
    try test.add("right after")
    guard case .all(let news) = try test.archive.changes(after: last) else {
      Issue.record("the changes could not be listed")
      return
    }
    #expect(news.map(\.change.action) == ["add"])
  }

  @Test func theFilesOfAnImportTakenBackAreNotGivenOut() throws {
    let test = try TestArchive()
    let id = "AAAAAAAA-0000-4000-8000-00000000000A"
    let file = try test.folder.file(
      "a.jsonl",
      #"{"type":"activity","text":"a","dayKey":"2026-01-01","attachments":[{"id":"\#(id)","externalURL":"https://x.org"}]}"#
    )
    let result = try #require(
      try ImportJob(archive: test.archive, homeZone: test.zone).run(file).first)
    let attachment = try #require(UUID(uuidString: id))
    #expect(try test.archive.attachment(attachment) != nil)
    _ = try test.archive.undo(try test.archive.importRun(matching: result.id.uuidString).changeID)
    #expect(try test.archive.attachment(attachment) == nil)
    #expect(try test.archive.attachments().isEmpty)
  }

  @Test func aRefusedFileTakesOnlyItsOwnEntriesWithIt() throws {
    let test = try TestArchive()
    struct Refusing: Importer {
      let format = "script"
      let records: @Sendable (ImportContext) throws -> [ImportedRecord]
      func recognises(head: [UInt8], fileName: String) -> Bool { true }
      func read(_ file: ImportFile, context: ImportContext, into sink: any ImportSink) throws {
        let isBad = file.name.contains("bad")
        let all = try records(context)
        for record in isBad ? all.dropFirst(100) : all.prefix(100) { try sink.take(record) }
        if isBad { throw ImportRefusal(place: file.name, message: "it ends in the middle") }
      }
    }
    _ = try test.folder.file("in/a-good.script", "x")
    _ = try test.folder.file("in/b-bad.script", "x")
    let job = ImportJob(
      archive: test.archive, homeZone: test.zone,
      importers: [Refusing(records: scripted(many))])
    let result = try #require(
      try job.run(test.folder.url.appendingPathComponent("in")).first)
    #expect(result.created["activity"] == 100 && result.skipped == 1)
    #expect(try test.archive.counts().activities == 100)
  }

  @Test func progressTellsRateAndTimeLeft() throws {
    let halfway = ImportProgress(entries: 30_000, fraction: 0.5, seconds: 2, isFinished: false)
    #expect(halfway.entriesPerSecond == 15_000 && halfway.secondsLeft == 2)
    #expect(
      ImportProgress(entries: 1, fraction: 0, seconds: 2, isFinished: false).secondsLeft == nil)
  }
}

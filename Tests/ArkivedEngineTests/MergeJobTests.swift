import ArkivedBackup
import ArkivedCore
import ArkivedEngine
import ArkivedImport
import ArkivedSearch
import ArkivedStore
import ArkivedTestSupport
import Foundation
import Synchronization
import Testing

@Suite("Merging two archives")
struct MergeJobTests {
  private let test: TestArchive
  /// The archive of another computer, in a folder of its own.
  private let other: Archive

  init() throws {
    test = try TestArchive()
    other = try Archive(
      at: .folder(test.folder.url.appendingPathComponent("other")), clock: test.clock)
  }

  private func day(_ text: String) throws -> DayKey { try #require(DayKey(text)) }

  /// All lines of an archive; old versions and marks of deletions where they are asked for.
  private func lines(_ archive: Archive, withHistory: Bool = true) throws -> [String] {
    var lines: [String] = []
    try archive.forEachEntity { type, json in
      guard withHistory || !["history", "tombstone"].contains(type) else { return }
      lines.append("\(type) \(json.text())")
    }
    return lines.sorted()
  }

  /// Gives the other archive the same content, as a computer has it that was set up from a backup.
  private func copyToOther() throws {
    let file = test.folder.url.appendingPathComponent("copy.zip")
    _ = try BackupJob(archive: test.archive, target: nil).write(to: file)
    _ = try RestoreJob(archive: other, homeZone: test.zone).prepare(file, unlocks: []).apply()
    test.clock.advance(seconds: 60)
  }

  private func prepare(_ source: URL? = nil, watch: ImportWatch = ImportWatch()) throws
    -> PreparedMerge
  {
    let home = try #require(other.home)
    return try MergeJob(archive: test.archive, homeZone: test.zone, watch: watch)
      .prepare(source ?? home)
  }

  @discardableResult
  private func merge(_ source: URL? = nil) throws -> PreparedMerge.Outcome {
    let outcome = try prepare(source).apply()
    test.clock.advance(seconds: 60)
    return outcome
  }

  private func fillOther() throws {
    var activity = try test.activity(
      "rowing", on: "2026-02-01", from: "10:00", to: "11:00", tags: ["out"], people: ["Alex Kim"])
    activity.attachments = [
      try other.store(
        Data("a picture".utf8),
        as: ArkivedCore.Attachment(
          id: test.archive.identities.next(), type: .file, originalName: "boat.txt",
          createdAt: test.clock.now, updatedAt: test.clock.now))
    ]
    _ = try other.add(activity)
    _ = try other.updateDay(try day("2026-02-01")) { $0.note = "Wind." }
    _ = try other.create(
      Note(
        id: test.archive.identities.next(), title: "Boats", text: "Oars.",
        createdAt: test.clock.now, updatedAt: test.clock.now))
    _ = try other.create(
      Goal(
        id: test.archive.identities.next(), title: "Row", createdAt: test.clock.now,
        updatedAt: test.clock.now))
  }

  @Test func anotherLifeComesInWholeAndLeavesAgain() throws {
    try test.add("tea", tags: ["out"])
    try fillOther()
    let (before, there) = (try lines(test.archive), try lines(other))
    let prepared = try prepare()
    let forecast = try #require(try prepared.forecast())
    let first = try day("2026-02-01")
    #expect(forecast.created["activity"] == 1 && forecast.firstDay == first)
    #expect(prepared.report.kind == "archive" && prepared.report.conflictCount == 0)
    #expect(try lines(test.archive) == before)
    let run = try #require(try prepared.apply().run)
    #expect(run.skipped == 0, "\(run.warnings)")
    #expect(try lines(other) == there)
    let rowing = try #require(try test.day("2026-02-01").activities.first)
    #expect(rowing.text == "rowing" && rowing.tags == ["out"])
    let file = try #require(rowing.attachments.first.flatMap { test.archive.file(of: $0) })
    #expect(try Data(contentsOf: file) == Data("a picture".utf8))
    #expect(try test.day("2026-02-01").entry?.note == "Wind.")
    #expect(try test.archive.examine().allSatisfy { $0.verdict != .problem })
    let change = try #require(try test.archive.changes().first)
    #expect(change.summary == "Imported the archive other")
    _ = try test.archive.undo(change.id)
    #expect(try lines(test.archive) == before)
    let home = try #require(test.archive.home)
    let names = try FileManager.default.contentsOfDirectory(atPath: home.path)
    #expect(!names.contains { $0.hasPrefix(".restoring-") })
  }

  @Test func mergingTwiceChangesNothing() throws {
    try fillOther()
    try test.add("tea")
    try merge()
    let once = try lines(test.archive)
    let run = try #require(try merge().run)
    #expect(run.created.isEmpty && run.updated == 0 && run.skipped == 0, "\(run.warnings)")
    #expect(try lines(test.archive) == once)
  }

  @Test func aBackupAndAnExportBringTheSame() throws {
    try fillOther()
    let backup = test.folder.url.appendingPathComponent("other.zip")
    _ = try BackupJob(archive: other, target: nil).write(to: backup)
    let export = test.folder.url.appendingPathComponent("export/life.jsonl")
    _ = try ExportJob(archive: other).writeJSONLines(to: export)
    var results: [[String]] = []
    for source in [try #require(other.home), backup, export, export.deletingLastPathComponent()] {
      let target = try TestArchive()
      _ = try MergeJob(archive: target.archive, homeZone: target.zone).prepare(source).apply()
      results.append(try lines(target.archive))
    }
    #expect(results.allSatisfy { $0 == results[0] })
    #expect(results[0].contains { $0.contains("rowing") })
  }

  @Test func whatWasChangedLaterStaysAndTheOtherIsKept() throws {
    let (one, two) = (try test.add("one", from: "09:00"), try test.add("two", from: "10:00"))
    let three = try test.add("three", from: "11:00")
    try copyToOther()
    // Each side changes something; of the first both do, the other later.
    _ = try test.archive.updateActivity(one.id) { $0.text = "one here" }
    _ = try other.updateActivity(two.id) { $0.text = "two there" }
    _ = try other.updateActivity(three.id) { $0.text = "three there" }
    test.clock.advance(seconds: 60)
    _ = try other.updateActivity(one.id) { $0.text = "one there" }
    _ = try test.archive.updateActivity(three.id) { $0.text = "three here" }
    test.clock.advance(seconds: 60)
    let prepared = try prepare()
    let outcomes = Dictionary(
      uniqueKeysWithValues: prepared.report.conflicts.map { ($0.id, $0.outcome) })
    #expect(outcomes == [one.id: .there, three.id: .here])
    _ = try prepared.apply()
    func text(_ id: UUID) throws -> String? { try test.archive.activity(id)?.text }
    #expect(try text(one.id) == "one there" && text(two.id) == "two there")
    #expect(try text(three.id) == "three here")
    func old(_ id: UUID) throws -> [String] {
      try test.archive.oldVersions(of: id, limit: 10).compactMap { $0.record?["text"]?.string }
    }
    #expect(try old(one.id).contains("one here") && old(three.id).contains("three there"))
    let once = try lines(test.archive)
    #expect(try prepare().report.conflictCount == 0)
    try merge()
    #expect(try lines(test.archive) == once)
  }

  @Test func notesOfADayAreJoinedOnce() throws {
    _ = try test.archive.updateDay(try day("2026-03-01")) {
      $0.note = "At home."
      $0.mood = 2
    }
    _ = try test.archive.updateDay(try day("2026-03-02")) { $0.note = "The same, and more." }
    test.clock.advance(seconds: 60)
    _ = try other.updateDay(try day("2026-03-01")) {
      $0.note = "On the road."
      $0.title = "Away"
    }
    _ = try other.updateDay(try day("2026-03-02")) { $0.note = "The same" }
    let prepared = try prepare()
    #expect(prepared.report.linked == 2 && prepared.report.conflicts.map(\.outcome) == [.joined])
    let run = try #require(try prepared.apply().run)
    #expect(run.skipped == 0, "\(run.warnings)")
    let joined = try #require(try test.day("2026-03-01").entry)
    #expect(joined.note == "At home.\n\n* * *\n\nOn the road.")
    #expect(joined.mood == 2 && joined.title == "Away")
    #expect(try test.day("2026-03-02").entry?.note == "The same, and more.")
    let once = try lines(test.archive)
    test.clock.advance(seconds: 60)
    try merge()
    #expect(try lines(test.archive) == once)
  }

  @Test func whatGivesWayInADayIsKeptInItsHistory() throws {
    _ = try other.updateDay(try day("2026-03-01")) {
      $0.note = "Rain"
      $0.mood = 2
    }
    test.clock.advance(seconds: 60)
    _ = try test.archive.updateDay(try day("2026-03-01")) {
      $0.note = "Raining all day"
      $0.mood = 4
    }
    let id = try #require(try test.day("2026-03-01").entry).id
    test.clock.advance(seconds: 60)
    let prepared = try prepare()
    #expect(prepared.report.conflicts.map(\.outcome) == [.here])
    _ = try prepared.apply()
    let entry = try #require(try test.day("2026-03-01").entry)
    #expect(entry.note == "Raining all day" && entry.mood == 4)
    let old = try test.archive.oldVersions(of: id, limit: 10).compactMap(\.record)
    #expect(old.contains { $0["note"]?.string == "Rain" && $0["mood"]?.int == 2 })
    let once = try lines(test.archive)
    try merge()
    #expect(try lines(test.archive) == once)
  }

  @Test func twoEntriesThereThatAreOneHereLoseNothing() throws {
    func imported(_ text: String, _ references: String...) throws -> Activity {
      var activity = try test.activity(text, from: "09:00")
      activity.externalRefs = references.map {
        ExternalRef(provider: "toggl", externalID: $0, fetchedAt: test.clock.now)
      }
      return activity
    }
    let mine = try test.archive.add(try imported("run", "1", "2")).value
    test.clock.advance(seconds: 60)
    _ = try other.add(try imported("run by the lake", "1"))
    _ = try other.add(try imported("run in the rain", "2"))
    test.clock.advance(seconds: 60)
    let run = try #require(try merge().run)
    #expect(run.skipped == 0, "\(run.warnings)")
    let entry = try #require(try test.archive.activity(mine.id))
    let old = try test.archive.oldVersions(of: mine.id, limit: 10)
      .compactMap { $0.record?["text"]?.string }
    let texts: Set = ["run", "run by the lake", "run in the rain"]
    #expect(Set(old + [entry.text]) == texts)
    #expect(Set(entry.externalRefs.map(\.externalID)) == ["1", "2"])
    let once = try lines(test.archive)
    try merge()
    #expect(try lines(test.archive) == once)
  }

  @Test func aNumberOfATermThatNoTermCanHaveIsTold() throws {
    _ = try test.archive.create(
      Term(
        id: test.archive.identities.next(), termNumber: 3, startDate: try day("2026-01-05"),
        createdAt: test.clock.now, updatedAt: test.clock.now))
    let file = try test.folder.file(
      "terms.jsonl",
      [(Int.max, "1", "2024-01-01"), (3, "2", "2025-01-06")].map { number, digit, start in
        #"""
        {"type":"term","id":"AAAAAAAA-0000-4000-8000-0000000000F\#(digit)",\#
        "termNumber":\#(number),"startDate":"\#(start)"}
        """#
      }.joined(separator: "\n"))
    let run = try #require(try merge(file).run)
    #expect(run.skipped == 1 && run.warnings.contains { $0.message.contains("0 and 1000000") })
    #expect(try test.archive.terms().map(\.termNumber).sorted() == [3, 4])
  }

  @Test func whatCameFromOneSourceOrHasOneAddressIsOne() throws {
    func person(_ name: String, _ email: String, _ alias: String) -> Person {
      Person(
        id: test.archive.identities.next(), name: name, email: email, aliases: [alias],
        createdAt: test.clock.now, updatedAt: test.clock.now)
    }
    func imported(_ text: String) throws -> Activity {
      var activity = try test.activity(text, from: "09:00")
      activity.externalRefs = [
        ExternalRef(provider: "toggl", externalID: "77", fetchedAt: test.clock.now)
      ]
      return activity
    }
    let alex = try test.archive.create(person("Alex", "alex@example.org", "Lex")).value
    let mine = try test.archive.add(try imported("stand-up")).value
    test.clock.advance(seconds: 60)
    let theirs = try other.create(person("Alex Kim", "ALEX@example.org", "Al")).value
    var entry = try imported("stand-up, long")
    entry.people = [Mention(name: "Alex Kim", personID: theirs.id)]
    _ = try other.add(entry)
    try merge()
    let day = try test.day("2026-03-14")
    #expect(day.activities.map(\.id) == [mine.id] && day.activities.first?.text == "stand-up, long")
    #expect(day.activities.first?.people.first?.personID == alex.id)
    let today = try self.day("2026-03-14")
    let people = try test.archive.people(today: today).map(\.person)
    #expect(people.count == 1 && Set(people.first?.aliases ?? []).isSuperset(of: ["Lex", "Al"]))
    let once = try lines(test.archive)
    try merge()
    #expect(try lines(test.archive) == once)
  }

  @Test func whatIsDeletedHereStaysDeletedAndNothingHereIsDeleted() throws {
    let (one, two) = (try test.add("one"), try test.add("two"))
    try copyToOther()
    _ = try test.archive.deleteActivities([one.id])
    _ = try other.deleteActivities([two.id])
    try merge()
    #expect(try test.archive.activity(one.id) == nil)
    #expect(try test.archive.activity(two.id)?.text == "two")
  }

  @Test func aTermWhoseNumberIsTakenGetsAnotherOnce() throws {
    func term(_ theme: String, _ start: String) throws -> Term {
      Term(
        id: test.archive.identities.next(), termNumber: 3, startDate: try day(start), theme: theme,
        createdAt: test.clock.now, updatedAt: test.clock.now)
    }
    _ = try test.archive.create(try term("here", "2026-01-05"))
    _ = try other.create(try term("there", "2025-01-06"))
    for _ in 0..<2 {
      try merge()
      let terms = try test.archive.terms()
      #expect(terms.count == 2)
      #expect(terms.first { $0.theme == "there" }?.termNumber == 4)
      #expect(terms.first { $0.theme == "here" }?.termNumber == 3)
    }
  }

  @Test func entriesThatAreOnlyLikelyTheSameAreProposed() throws {
    try test.add("rowing on the lake", from: "10:00", to: "11:00")
    _ = try other.add(try test.activity("rowing", from: "10:05", to: "11:00"))
    _ = try other.add(try test.activity("rowing", on: "2026-03-15", from: "10:05", to: "11:00"))
    _ = try other.add(try test.activity("tea", from: "10:00", to: "11:00"))
    let likely = try prepare().likelySame()
    #expect(likely.map(\.text) == ["rowing on the lake"])
    #expect(likely.map(\.textThere) == ["rowing"])
    #expect(try merge().proposals == 1)
    // What is here in the meantime is not told again.
    #expect(try prepare().likelySame().isEmpty)
    #expect(try test.day("2026-03-14").activities.count == 3)
  }

  @Test func entriesThatTakeLongAreComparedInTheOrderInWhichTheyBegin() throws {
    for hour in 10..<22 {
      try test.add("work \(hour)", from: "\(hour):00", to: "\(hour + 1):00")
      _ = try other.add(
        try test.activity("work hard", from: "\(hour):10", to: "\(hour + 1):00"))
    }
    #expect(try prepare().likelySame().count == 12)
    #expect(try prepare().likelySame(limit: 3).count == 3)
  }

  @Test func aMergeThatIsBrokenOffLeavesNothingAndCanBeginAgain() throws {
    for number in 0..<200 { _ = try other.add(try test.activity("entry \(number)")) }
    try test.add("tea")
    let before = try lines(test.archive)
    let isStopped = Mutex(false)
    let watch = ImportWatch(isCancelled: { isStopped.withLock { $0 } })
    let prepared = try prepare(watch: watch)
    isStopped.withLock { $0 = true }
    #expect(throws: ImportCancelled.self) { try prepared.apply() }
    #expect(try lines(test.archive) == before)
    try merge()
    #expect(try test.archive.counts().activities == 201)
  }

  @Test func backupsOfOlderSchemasAreMerged() throws {
    let key = try String(
      contentsOf: GoldenBackups.folder.appending(path: "key.txt"), encoding: .utf8)
    let unlocks = try AgeIdentity.list(key).map { AgeUnlock.identity($0) }
    for name in GoldenBackups.names {
      let target = try TestArchive()
      try target.add("tea")
      let file = GoldenBackups.folder.appending(path: name)
      let prepared = try MergeJob(archive: target.archive, homeZone: target.zone)
        .prepare(file, unlocks: unlocks)
      let run = try #require(try prepared.apply().run)
      #expect(run.skipped == 0, "\(run.warnings.prefix(5))")
      #expect(try target.archive.examine().allSatisfy { $0.verdict != .problem })
    }
  }

  @Test func anUnfitSourceIsRefusedAndChangesNothing() throws {
    try test.add("tea")
    let before = try lines(test.archive)
    let own = try #require(test.archive.home)
    #expect(throws: ArchiveError.self) { try prepare(own) }
    let empty = test.folder.url.appendingPathComponent("empty")
    try FileManager.default.createDirectory(at: empty, withIntermediateDirectories: true)
    #expect(throws: ImportRefusal.self) { try prepare(empty) }
    let text = try test.folder.file("text.txt", "no archive at all")
    #expect(throws: BackupFailure.self) { try prepare(text) }
    let broken = try test.folder.file("broken/archive.sqlite", Data(repeating: 7, count: 9_000))
    #expect(throws: (any Error).self) { try prepare(broken.deletingLastPathComponent()) }
    #expect(try lines(test.archive) == before)
  }
}

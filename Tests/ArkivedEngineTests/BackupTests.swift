import ArkivedBackup
import ArkivedCore
import ArkivedEngine
import ArkivedStore
import ArkivedTestSupport
import Foundation
import Synchronization
import Testing

@Suite("Backups and restoring")
struct BackupTests {
  private let identity = AgeIdentity()

  /// All lines of an export but the first, which tells the time.
  private func lines(_ archive: Archive) throws -> [String] {
    var lines: [String] = []
    _ = try ExportJob(archive: archive).writeJSONLines { lines.append($0) }
    return Array(lines.dropFirst())
  }

  private func backup(_ test: TestArchive, _ name: String = "out/life.zip.age") throws -> URL {
    let file = test.folder.url.appendingPathComponent(name)
    let target = AgeTarget.recipients([identity.recipient])
    _ = try BackupJob(archive: test.archive, target: target).write(to: file)
    return file
  }

  private func restore(_ file: URL, into test: TestArchive) throws -> PreparedRestore {
    try RestoreJob(archive: test.archive, homeZone: test.zone)
      .prepare(file, unlocks: [.identity(identity)])
  }

  @Test func anArchiveBackedUpAndRestoredIsTheSameLineByLine() throws {
    let source = try ExportJobTests().full()
    try source.archive.updatePreferences { $0 = Preferences(["theme": "dark"]) }
    let file = try backup(source)
    let target = try TestArchive()
    let prepared = try restore(file, into: target)
    #expect(!prepared.replacesSomething && prepared.shortfalls.isEmpty)
    #expect(try prepared.apply().safetyCopy == nil)
    #expect(try lines(target.archive) == lines(source.archive))
    let attachment = try #require(try target.archive.attachments().first)
    let copy = try #require(target.archive.file(of: attachment))
    #expect(try Data(contentsOf: copy) == Data([0xFF, 0xD8, 0xFF, 1, 2, 3]))
    #expect(try target.archive.preferences() == source.archive.preferences())
    #expect(try target.archive.examine().allSatisfy { $0.verdict != .problem })
    // What was there is found, and the next write goes on.
    try target.add("the day after")
    let home = try #require(target.archive.databaseFile?.deletingLastPathComponent())
    let names = try FileManager.default.contentsOfDirectory(atPath: home.path)
    #expect(!names.contains { $0.hasPrefix(".restoring-") })
  }

  @Test func mappingsOfTablesAndWhatIsNotTheSameAreInABackup() throws {
    let source = try TestArchive()
    let (one, other) = (try source.add("a walk"), try source.add("a walk."))
    try source.archive.keepTableProfile(["name": "runs", "columns": []])
    try source.archive.keepApart(one.id, other.id)
    let file = try backup(source)
    let target = try TestArchive()
    _ = try restore(file, into: target).apply()
    #expect(try target.archive.tableProfiles() == source.archive.tableProfiles())
    let apart = try #require(try source.archive.portableSettings()["entriesApart"])
    #expect(try target.archive.portableSettings()["entriesApart"] == apart)
    // A backup that has none takes none away.
    try target.archive.keepTableProfile(["name": "rides", "columns": []])
    let empty = try TestArchive()
    _ = try restore(backup(empty), into: target).apply()
    #expect(try target.archive.tableProfiles().count == 2)
  }

  @Test func anotherProgramThatHasTheArchiveOpenSeesTheRestoredOne() throws {
    let source = try ExportJobTests().full()
    let file = try backup(source)
    let target = try TestArchive()
    try target.add("what was here before", tags: ["old"])
    let other = try target.another()
    #expect(try other.counts().activities == 1)
    let prepared = try restore(file, into: target)
    let activities = try #require(prepared.differences.first { $0.type == "activity" })
    #expect(activities.here == 1 && activities.onlyHere == 1 && activities.onlyThere > 1)
    #expect(prepared.replacesSomething)
    let before = try lines(target.archive)
    let copy = try #require(try prepared.apply().safetyCopy)
    #expect(try lines(other) == lines(source.archive))
    // The safety copy leads back.
    let back = try restore(copy, into: target)
    _ = try back.apply()
    #expect(try lines(target.archive) == before)
  }

  @Test func whatIsWrittenWhileItsOwnerIsAskedIsInTheSafetyCopy() throws {
    let source = try ExportJobTests().full()
    let file = try backup(source)
    let target = try TestArchive()
    let prepared = try restore(file, into: target)
    #expect(!prepared.replacesSomething)
    _ = try target.another().add(try target.activity("meanwhile"))
    let copy = try #require(try prepared.apply().safetyCopy)
    #expect(try lines(target.archive) == lines(source.archive))
    _ = try restore(copy, into: target).apply()
    #expect(try target.day("2026-03-14").activities.map(\.text) == ["meanwhile"])
  }

  @Test func programsAreLetInAsBeforeAndNoMoreThanThat() throws {
    let test = try TestArchive()
    let token = try test.archive.addAgent(named: "a program").token
    let copy = try #require(try test.archive.writeSnapshot(label: "copy"))
    _ = try test.archive.removeAgent("a program")
    let other = try test.archive.addAgent(named: "another", addsOnly: true).token
    try test.archive.setRetention(Retention(versionDays: 90))
    _ = try restore(copy, into: test).apply()
    #expect(try test.archive.agent(holding: token) == nil)
    let file = test.folder.url.appendingPathComponent("life.zip")
    _ = try BackupJob(archive: test.archive, target: nil).write(to: file)
    _ = try RestoreJob(archive: test.archive, homeZone: test.zone)
      .prepare(file, unlocks: []).apply()
    #expect(try test.archive.agent(holding: other)?.addsOnly == true)
    #expect(try test.archive.agents().map(\.name) == ["another"])
    #expect(try test.archive.retention().versionDays == 90)
  }

  @Test func anIndexOfWhatWasHereBeforeIsNoneOfWhatWasRestored() throws {
    let (test, other) = (try TestArchive(), try TestArchive())
    for number in 0..<5 { try test.add("here \(number)") }
    try other.add("there")
    // As whoever builds an index has them, who began before and is done afterwards.
    let marks = try test.archive.indexState("words", limit: 100).now
    try test.archive.replaceContent(with: other.archive)
    #expect(try !test.archive.setSearchIndex("words", file: "words-1.index", marks: marks))
    let after = try test.archive.indexState("words", limit: 100).now
    #expect(try test.archive.setSearchIndex("words", file: "words-2.index", marks: after))
  }

  @Test func aLastLookThatRefusesLeavesTheArchiveAsItIs() throws {
    struct Refusal: Error {}
    let (test, other) = (try TestArchive(), try TestArchive())
    try test.add("stays")
    try other.add("comes")
    let before = try lines(test.archive)
    var seen: [String] = []
    #expect(throws: Refusal.self) {
      try test.archive.replaceContent(with: other.archive) {
        seen = try lines(test.archive)
        throw Refusal()
      }
    }
    #expect(try seen == before && lines(test.archive) == before)
    try test.add("goes on")
  }

  @Test func theSameArchiveHasNoDifference() throws {
    let source = try ExportJobTests().full()
    let file = try backup(source)
    let prepared = try restore(file, into: source)
    #expect(!prepared.differences.isEmpty)
    for difference in prepared.differences {
      #expect(difference.onlyHere == 0 && difference.onlyThere == 0 && difference.differing == 0)
      #expect(difference.here == difference.there)
    }
  }

  @Test func writingGoesOnAndTheBackupShowsOneMoment() throws {
    let test = try TestArchive()
    // Long enough that the lines are written in several pieces.
    let words = String(repeating: "word ", count: 300)
    for number in 0..<300 { try test.add("\(words)\(number)") }
    let other = try test.another()
    let written = Mutex(0)
    // Told several times a second, the first time after the first piece.
    let watch = ImportWatch(progress: { _ in
      let entry = try? test.activity("meanwhile")
      if let entry, (try? other.add(entry)) != nil { written.withLock { $0 += 1 } }
    })
    let file = test.folder.url.appendingPathComponent("life.zip")
    let account = try BackupJob(archive: test.archive, target: nil, watch: watch).write(to: file)
    let reader = try BackupReader(file, unlocks: [])
    try reader.check()
    #expect(account.manifest.counts["activity"] == 300 && written.withLock { $0 } > 0)
    #expect(try other.counts().activities == 300 + written.withLock { $0 })
  }

  @Test func aBackupThatCannotBeFinishedLeavesTheOneBefore() throws {
    let test = try ExportJobTests().full()
    let file = try test.folder.file("out/life.zip", "the one before")
    let job = BackupJob(
      archive: test.archive, target: nil, watch: ImportWatch(isCancelled: { true }))
    #expect(throws: BackupCancelled.self) { try job.write(to: file) }
    #expect(try String(contentsOf: file, encoding: .utf8) == "the one before")
    let names = try FileManager.default.contentsOfDirectory(
      atPath: file.deletingLastPathComponent().path)
    #expect(names == ["life.zip"])
    #expect(throws: ArchiveError.self) {
      try BackupJob(archive: test.archive, target: nil)
        .write(to: file.deletingLastPathComponent())
    }
  }

  @Test func onlyAnEarlierBackupIsReplaced() throws {
    let test = try ExportJobTests().full()
    let attachment = try #require(try test.archive.attachments().first)
    let own = try #require(test.archive.databaseFile)
    for file in [
      own, own.deletingLastPathComponent().appendingPathComponent("archive.sqlite-wal"),
      try #require(test.archive.file(of: attachment)),
      try test.folder.file("out/taxes.pdf", "the only copy"),
    ] {
      #expect(throws: ArchiveError.self) { try BackupJob.claim(file, for: test.archive) }
    }
    #expect(throws: ArchiveError.self) {
      try ExportJob(archive: test.archive).writeJSONLines(to: own, replaces: true)
    }
    let open = test.folder.url.appendingPathComponent("out/life.zip")
    try BackupJob.claim(open, for: test.archive)
    _ = try BackupJob(archive: test.archive, target: nil).write(to: open)
    for file in [open, try backup(test), try test.folder.file("out/empty.zip", "")] {
      try BackupJob.claim(file, for: test.archive)
    }
    #expect(try test.archive.examine().allSatisfy { $0.verdict != .problem })
  }

  @Test(arguments: [true, false])
  func anArchiveWhoseFilesAreGoneOrRottenIsRestoredAllTheSame(isGone: Bool) throws {
    let source = try ExportJobTests().full()
    func attached(_ name: String) throws -> ArkivedCore.Attachment {
      try source.archive.store(
        Data(name.utf8),
        as: ArkivedCore.Attachment(
          id: source.archive.identities.next(), type: .file, originalName: "\(name).txt",
          createdAt: source.clock.now, updatedAt: source.clock.now))
    }
    let note = try source.archive.create(
      Note(
        id: source.archive.identities.next(), title: "Minutes", text: "It was long.",
        createdAt: source.clock.now, updatedAt: source.clock.now)
    ).value
    _ = try source.archive.attach([try attached("minutes")], to: .note(note.id))
    let files = try source.archive.attachments().compactMap { source.archive.file(of: $0) }
    #expect(files.count == 2)
    for file in files {
      try FileManager.default.removeItem(at: file)
      if !isGone { try Data("rotten".utf8).write(to: file) }
    }
    let target = try TestArchive()
    let prepared = try restore(backup(source), into: target)
    #expect(prepared.shortfalls.isEmpty && prepared.manifest?.missing.count == 2)
    _ = try prepared.apply()
    #expect(try lines(target.archive).sorted() == lines(source.archive).sorted())
    #expect(try target.archive.examine().contains { $0.check == "attachments" })
  }

  @Test func aDamagedBackupChangesNothing() throws {
    let source = try ExportJobTests().full()
    let file = try backup(source)
    let target = try TestArchive()
    try target.add("stays")
    let before = try lines(target.archive)
    let whole = try Data(contentsOf: file)
    for content in [whole.prefix(whole.count / 2), whole.dropLast(1), Data(), Data("x".utf8)] {
      let damaged = try target.folder.file("damaged", Data(content))
      #expect(throws: (any Error).self) { try restore(damaged, into: target) }
    }
    let stranger = RestoreJob(archive: target.archive, homeZone: target.zone)
    #expect(throws: AgeFailure.noMatch) {
      try stranger.prepare(file, unlocks: [.identity(AgeIdentity())])
    }
    #expect(throws: AgeFailure.noMatch) {
      try stranger.prepare(file, unlocks: [.passphrase("wrong")])
    }
    #expect(try lines(target.archive) == before)
    let home = try #require(target.archive.databaseFile?.deletingLastPathComponent())
    let names = try FileManager.default.contentsOfDirectory(atPath: home.path)
    #expect(!names.contains { $0.hasPrefix(".restoring-") })
  }

  @Test func oneDayOrOneEntryComesBackAndCanBeTakenAwayAgain() throws {
    let source = try TestArchive()
    let walk = try source.add("walk", from: "10:00", tags: ["out"])
    try source.add("tea", on: "2026-03-13")
    _ = try source.archive.updateDay(try #require(DayKey("2026-03-14"))) { $0.note = "Good." }
    let file = try backup(source)
    source.clock.advance(seconds: 60)
    _ = try source.archive.updateActivity(walk.id) { $0.text = "spoiled" }
    _ = try source.archive.updateDay(try #require(DayKey("2026-03-14"))) { $0.note = "" }
    let tea = try #require(try source.day("2026-03-13").activities.first)
    _ = try source.archive.deleteActivities([tea.id])
    let job = RestoreJob(archive: source.archive, homeZone: source.zone)
    let day = try #require(DayKey("2026-03-14"))
    let runs = try job.restore(.day(day), of: file, unlocks: [.identity(identity)])
    #expect(try source.archive.activity(walk.id)?.text == "walk")
    #expect(try source.day("2026-03-14").entry?.note == "Good.")
    #expect(try source.day("2026-03-13").activities.isEmpty)
    let id = String(tea.id.uuidString)
    _ = try job.restore(.entry(id), of: file, unlocks: [.identity(identity)])
    #expect(try source.archive.activity(tea.id)?.text == "tea")
    let (_, change) = try source.archive.importRun(
      matching: try #require(runs.first).id.uuidString)
    _ = try source.archive.undo(change)
    #expect(try source.archive.activity(walk.id)?.text == "spoiled")
    #expect(throws: ArchiveError.self) {
      try job.restore(.entry("FFFFFFFF-FFFF"), of: file, unlocks: [.identity(identity)])
    }
  }

  @Test func thePlanMakesVerifiedBackupsAndRemovesOnlyItsOwn() throws {
    let test = try ExportJobTests().full()
    let folder = test.folder.url.appendingPathComponent("backups")
    #expect(throws: ArchiveError.self) {
      try PlannedBackup(archive: test.archive, zone: test.zone).run()
    }
    try BackupBook.change(of: test.archive) {
      $0.plan = BackupBook.Plan(
        folder: folder.path, recipients: [identity.recipient],
        rotation: BackupRotation(daily: 2, weekly: 1, monthly: 1))
    }
    #expect(BackupBook(of: test.archive).nextDue(now: test.clock.now) == .earliest)
    let foreign = try test.folder.file("backups/arkived-2020-01-01T000000Z.zip.age", "mine")
    for _ in 0..<5 {
      _ = try PlannedBackup(archive: test.archive, zone: test.zone).run()
      test.clock.advance(seconds: 86_400)
    }
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect((3...4).contains(names.count), "\(names)")
    #expect(try String(contentsOf: foreign, encoding: .utf8) == "mine")
    let book = BackupBook(of: test.archive)
    #expect(!book.entries.contains { !$0.isThere })
    let last = try #require(book.last(now: test.clock.now))
    #expect(try last.isUnaltered())
    #expect(book.finding(now: test.clock.now, zone: test.zone).verdict == .good)
    // It was made in the evening.
    for (hours, age) in [(1, "today"), (8, "yesterday"), (32, "2 days ago")] {
      let then = last.madeAt.adding(seconds: hours * 3_600)
      #expect(book.finding(now: then, zone: test.zone).detail.contains("created \(age)"))
    }
    let later = test.clock.now.adding(seconds: 30 * 86_400)
    #expect(book.finding(now: later, zone: test.zone).verdict == .advice)
    #expect(try #require(book.nextDue(now: test.clock.now)) <= test.clock.now)
    // A file that was altered is no backup any more.
    try Data("x".utf8).write(to: URL(fileURLWithPath: last.path))
    #expect(BackupBook(of: test.archive).last(now: test.clock.now)?.path != last.path)
    // A plan that fails is told.
    try BackupBook.change(of: test.archive) { $0.plan?.folder = "/proc/nowhere" }
    #expect(throws: (any Error).self) {
      try PlannedBackup(archive: test.archive, zone: test.zone).run()
    }
    #expect(BackupBook(of: test.archive).problem != nil)
  }

  private func planned(_ test: TestArchive, in folder: URL) throws {
    try BackupBook.change(of: test.archive) {
      $0.plan = BackupBook.Plan(
        folder: folder.path, recipients: [identity.recipient],
        rotation: BackupRotation(daily: 1, weekly: 1, monthly: 1))
    }
  }

  @discardableResult
  private func runPlan(_ test: TestArchive) throws -> BackupJob.Account {
    defer { test.clock.advance(seconds: 86_400) }
    return try PlannedBackup(archive: test.archive, zone: test.zone).run()
  }

  @Test func theLastBackupWithAllFilesStaysWhenFilesAreGone() throws {
    let test = try ExportJobTests().full()
    try planned(test, in: test.folder.url.appendingPathComponent("backups"))
    let whole = try runPlan(test)
    #expect(whole.manifest.missing.isEmpty)
    let attachments = try #require(test.archive.attachmentsFolder)
    let away = test.folder.url.appendingPathComponent("away")
    try FileManager.default.moveItem(at: attachments, to: away)
    for _ in 0..<3 { #expect(try !runPlan(test).manifest.missing.isEmpty) }
    #expect(FileManager.default.fileExists(atPath: whole.file.path))
    // Once they are there again, it may go.
    if FileManager.default.fileExists(atPath: attachments.path) {
      try FileManager.default.removeItem(at: attachments)
    }
    try FileManager.default.moveItem(at: away, to: attachments)
    for _ in 0..<2 { try runPlan(test) }
    #expect(!FileManager.default.fileExists(atPath: whole.file.path))
  }

  private func lines(of archive: Archive) throws -> [String] {
    var lines: [String] = []
    try archive.forEachEntity { type, json in lines.append("\(type) \(json.text())") }
    return lines.sorted()
  }

  @Test func aBackupThatLacksWhatTheLastOneHadRemovesNone() throws {
    let test = try ExportJobTests().full()
    try planned(test, in: test.folder.url.appendingPathComponent("backups"))
    let database = try #require(test.archive.databaseFile)
    let early = test.folder.url.appendingPathComponent("early.sqlite")
    let snapshot = try test.archive.writeSnapshot(label: "early")
    try Data(contentsOf: try #require(snapshot)).write(to: early)
    for number in 0..<5 { try test.add("walk \(number)") }
    let whole = try runPlan(test)
    #expect(whole.losses.isEmpty && whole.change != nil && whole.archive != nil)
    // An earlier state of the same archive is put in its place, as by a tool that syncs files.
    for suffix in ["", "-wal", "-shm"] {
      try? FileManager.default.removeItem(atPath: database.path + suffix)
    }
    try FileManager.default.moveItem(at: early, to: database)
    let older = try test.another()
    for _ in 0..<3 {
      let account = try PlannedBackup(archive: older, zone: test.zone).run()
      #expect(account.losses.contains { $0.contains("earlier state") }, "\(account.losses)")
      test.clock.advance(seconds: 86_400)
    }
    #expect(FileManager.default.fileExists(atPath: whole.file.path))
    let book = BackupBook(of: older)
    #expect(book.entries.count == 4 && book.lastWhole(now: test.clock.now)?.path == whole.file.path)
    let finding = book.finding(now: test.clock.now, zone: test.zone)
    #expect(finding.verdict == .problem && finding.remedy.contains("backup accept"))
    // Its owner says that this is how it should be.
    var accepted = 0
    try BackupBook.change(of: older) { accepted = $0.acceptLosses() }
    #expect(accepted == 3)
    for _ in 0..<2 {
      #expect(try PlannedBackup(archive: older, zone: test.zone).run().losses.isEmpty)
      test.clock.advance(seconds: 86_400)
    }
    #expect(!FileManager.default.fileExists(atPath: whole.file.path))
  }

  @Test func aBackupReplacesOnlyOneThatItHasAllOf() throws {
    let test = try ExportJobTests().full()
    let file = test.folder.url.appendingPathComponent("life.zip")
    func make() throws -> BackupJob.Account {
      try BackupJob(archive: test.archive, target: nil).replace(file)
    }
    #expect(try make().file == file)
    try test.add("a walk")
    #expect(try make().file == file)
    let good = try Data(contentsOf: file)
    let attachments = try #require(test.archive.attachmentsFolder)
    try FileManager.default.removeItem(at: attachments)
    let poor = try make()
    #expect(poor.file != file && !poor.losses.isEmpty)
    #expect(try Data(contentsOf: file) == good)
    // A backup that is not in the list may be anybody's.
    try BackupBook.change(of: test.archive) { $0.entries = [] }
    #expect(try make().file != file)
    #expect(try Data(contentsOf: file) == good)
  }

  @Test func aBackupWithLossesStaysOneWhenItIsMadeAgain() throws {
    let test = try ExportJobTests().full()
    func make(_ name: String) throws -> BackupJob.Account {
      let file = test.folder.url.appendingPathComponent(name)
      test.clock.advance(seconds: 60)
      return try BackupJob(archive: test.archive, target: nil).replace(file)
    }
    let whole = try make("whole.zip")
    let attachments = try #require(test.archive.attachmentsFolder)
    try FileManager.default.removeItem(at: attachments)
    #expect(try !make("poor.zip").losses.isEmpty)
    // It has everything that the one of its name has, but not what the complete one has.
    let again = try make("poor.zip")
    #expect(!again.losses.isEmpty && again.file.lastPathComponent == "poor-2.zip")
    let book = BackupBook(of: test.archive)
    #expect(book.lossy(now: test.clock.now)?.path == again.file.path)
    #expect(book.lastWhole(now: test.clock.now)?.path == whole.file.path)
    #expect(book.finding(now: test.clock.now, zone: .utc).verdict == .problem)
  }

  @Test func marksOfADeletionAreNoLossWhenTheEntryIsRestored() throws {
    let test = try TestArchive()
    var activity = try test.activity("imported")
    activity.externalRefs = ["1", "2", "3"].map {
      ExternalRef(provider: "p", externalID: $0, fetchedAt: test.clock.now, contentHash: "h")
    }
    try test.archive.add(activity)
    _ = try test.archive.deleteActivities([activity.id])
    let file = test.folder.url.appendingPathComponent("life.zip")
    let before = try BackupJob(archive: test.archive, target: nil).replace(file)
    #expect(before.manifest.counts["tombstone"] == 4)
    test.clock.advance(seconds: 60)
    let version = try #require(try test.archive.history(of: activity.id).first)
    _ = try test.archive.restore(version)
    let account = try BackupJob(archive: test.archive, target: nil).replace(file)
    #expect(account.manifest.entries < before.manifest.entries)
    #expect(account.losses.isEmpty && account.file == file, "\(account.losses)")
  }

  @Test func matchesThatTheRulesFoundAreNoLossWhenTheirGoalIsDeleted() throws {
    let test = try TestArchive()
    let now = test.clock.now
    let goal = try test.archive.create(
      Goal(
        id: test.archive.identities.next(), title: "Run", measurementUnit: "km", createdAt: now,
        updatedAt: now)
    ).value
    for number in 0..<9 { try test.add("run \(number)", measurements: ["km": 5]) }
    let file = test.folder.url.appendingPathComponent("life.zip")
    let before = try BackupJob(archive: test.archive, target: nil).replace(file)
    #expect(before.manifest.counts["contribution"] == 9)
    _ = try test.archive.delete(Goal.self, goal.id)
    test.clock.advance(seconds: 60)
    let account = try BackupJob(archive: test.archive, target: nil).replace(file)
    #expect(account.manifest.entries < before.manifest.entries)
    #expect(account.losses.isEmpty && account.file == file, "\(account.losses)")
    // Anything else that is missing still counts.
    try BackupBook.change(of: test.archive) { book in
      for index in book.entries.indices { book.entries[index].entries += 1 }
    }
    #expect(try !BackupJob(archive: test.archive, target: nil).replace(file).losses.isEmpty)
  }

  @Test(.enabled(if: geteuid() != 0, "the superuser may open every folder"))
  func aFolderThatCannotBeFlushedFailsNoFinishedBackup() throws {
    let test = try ExportJobTests().full()
    let folder = test.folder.url.appendingPathComponent("disk")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let file = folder.appendingPathComponent("life.zip")
    _ = try BackupJob(archive: test.archive, target: nil).replace(file)
    // Some network disks can't flush a folder; one that can't be opened can't be flushed either.
    try FileManager.default.setAttributes([.posixPermissions: 0o300], ofItemAtPath: folder.path)
    defer {
      try? FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder.path)
    }
    test.clock.advance(seconds: 60)
    let account = try BackupJob(archive: test.archive, target: nil).replace(file)
    #expect(account.file == file)
    #expect(BackupBook(of: test.archive).last(now: test.clock.now)?.madeAt == test.clock.now)
  }

  @Test func aBackupIsKnownUnderEveryPathToIt() throws {
    let test = try ExportJobTests().full()
    let folder = test.folder.url.appendingPathComponent("backups")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let file = URL(fileURLWithPath: folder.path + "/../backups/life.zip")
    _ = try BackupJob(archive: test.archive, target: nil).replace(file)
    let job = RestoreJob(archive: test.archive, homeZone: test.zone)
    #expect(try job.test(file, unlocks: []).isGood)
    let item = try #require(BackupListing(of: test.archive).items.first)
    #expect(item.health == .tested(test.clock.now))
    // The same file is replaced, not kept beside the new one.
    test.clock.advance(seconds: 60)
    let plain = folder.appendingPathComponent("life.zip")
    #expect(item.path == plain.path)
    #expect(try BackupJob(archive: test.archive, target: nil).replace(plain).file == plain)
  }

  @Test func aLostDatabaseIsRestoredBesideTheFilesThatAreLeft() throws {
    let test = try ExportJobTests().full()
    let file = test.folder.url.appendingPathComponent("life.zip")
    _ = try BackupJob(archive: test.archive, target: nil).write(to: file)
    let database = try #require(test.archive.databaseFile)
    let home = database.deletingLastPathComponent()
    let before = try lines(of: test.archive)
    let identity = try test.archive.identity()?.archive
    try FileManager.default.removeItem(at: database)
    let job = try RestoreJob(intoLost: home, clock: test.clock, homeZone: test.zone)
    do {
      // Nothing is made before its owner has said yes.
      _ = try job.prepare(file, unlocks: [])
      #expect(!FileManager.default.fileExists(atPath: database.path))
    }
    _ = try job.prepare(file, unlocks: []).apply()
    let restored = try test.another()
    #expect(try lines(of: restored) == before)
    #expect(try restored.identity()?.archive == identity)
    #expect(try restored.examine().allSatisfy { $0.verdict != .problem })
    let aside = try FileManager.default.contentsOfDirectory(atPath: home.path)
      .first { $0.hasPrefix("set-aside-") }
    #expect(aside != nil)
  }

  @Test func aClockThatRanAheadEndsNoPlan() throws {
    let test = try ExportJobTests().full()
    try planned(test, in: test.folder.url.appendingPathComponent("backups"))
    let today = test.clock.now
    test.clock.advance(seconds: 70 * 365 * 86_400)
    try runPlan(test)
    test.clock.set(today)
    let book = BackupBook(of: test.archive)
    #expect(try #require(book.nextDue(now: today)) <= today)
    #expect(book.finding(now: today, zone: test.zone).verdict == .advice)
    let file = try runPlan(test).file
    #expect(FileManager.default.fileExists(atPath: file.path))
    #expect(BackupBook(of: test.archive).finding(now: today, zone: test.zone).verdict == .good)
    // The one from the future hides no loss.
    let attachments = try #require(test.archive.attachmentsFolder)
    try FileManager.default.removeItem(at: attachments)
    for _ in 0..<3 { #expect(try !runPlan(test).losses.isEmpty) }
    let now = test.clock.now
    #expect(BackupBook(of: test.archive).lossy(now: now) != nil)
    #expect(BackupBook(of: test.archive).lastWhole(now: now)?.path == file.path)
    #expect(FileManager.default.fileExists(atPath: file.path))
  }

  @Test func aPlanMakesNoFolderWhereItsDiskIsNotAttached() throws {
    let test = try ExportJobTests().full()
    let disk = test.folder.url.appendingPathComponent("disk")
    let folder = disk.appendingPathComponent("backups")
    try planned(test, in: folder)
    let account = try runPlan(test)
    let away = test.folder.url.appendingPathComponent("away")
    try FileManager.default.moveItem(at: disk, to: away)
    #expect(throws: ArchiveError.self) { try runPlan(test) }
    #expect(!FileManager.default.fileExists(atPath: disk.path))
    let before = BackupBook(of: test.archive)
    #expect(before.problem?.contains("Connect its disk") == true)
    #expect(before.last(now: test.clock.now) == nil)
    // What is forgotten now may be in it all the same.
    #expect(before.entries(since: nil).map(\.path) == [account.file.path])
    // The folder on the archive's own disk under which the other one is attached.
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    #expect(throws: ArchiveError.self) { try runPlan(test) }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    #expect(BackupBook(of: test.archive).entries.map(\.path) == [account.file.path])
    // Only choosing it says that they are gone for good.
    try BackupBook.plan(of: test.archive, days: 2)
    #expect(throws: ArchiveError.self) { try runPlan(test) }
    let elsewhere = test.folder.url.appendingPathComponent("elsewhere")
    try BackupBook.plan(of: test.archive, folder: elsewhere.path)
    try runPlan(test)
    #expect(BackupBook(of: test.archive).entries.contains { $0.path == account.file.path })
    try BackupBook.plan(of: test.archive, folder: folder.path)
    try runPlan(test)
    #expect(!BackupBook(of: test.archive).entries.contains { $0.path == account.file.path })
    try BackupBook.change(of: test.archive) { book in
      book.entries = before.entries
    }
    try FileManager.default.removeItem(at: disk)
    try FileManager.default.moveItem(at: away, to: disk)
    try runPlan(test)
    #expect(BackupBook(of: test.archive).problem == nil)
    // One that was removed holds nothing any more.
    for entry in BackupBook(of: test.archive).entries {
      try FileManager.default.removeItem(atPath: entry.path)
    }
    #expect(BackupBook(of: test.archive).entries(since: nil).isEmpty)
  }
}

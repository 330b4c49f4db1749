import ArkivedKit
import ArkivedTestSupport
import Foundation
import Testing

@Suite("A library for apps: goals, people, files")
struct LibraryPartsTests {
  private func goal(_ library: Library, unit: String = "km", target: Double = 20) -> Goal {
    Goal(
      id: UUID(), title: "Run \(target) \(unit)", measurementUnit: unit, measurementTarget: target,
      startDate: DayKey("2026-03-01"), targetDate: DayKey("2026-03-31"), createdAt: library.now,
      updatedAt: library.now)
  }

  @Test func aGoalCountsWhatIsAdded() async throws {
    let test = try await TestLibrary()
    let goal = try await test.library.add(goal(test.library))
    let run = try await test.library.add("ran 5 km")
    let progress = try #require(try await test.library.progress(of: [goal])[goal.id])
    #expect(progress.total == 5 && progress.percent == 25 && !progress.isComplete)
    #expect(try await test.library.credits(of: run).map(\.goalID) == [goal.id])
    #expect(try await test.library.actions(toward: goal).map(\.action.id) == [run.id])
    var changed = goal
    changed.measurementTarget = -1
    let wrong = changed
    let error = await #expect(throws: LibraryError.self) { try await test.library.update(wrong) }
    #expect(error?.code == .invalidValue && error?.field == "measurementTarget")
    try await test.library.delete(goal)
    #expect(try await test.library.goals().isEmpty)
  }

  @Test func aBirthInTheFutureIsRefused() async throws {
    let test = try await TestLibrary()
    let (library, now) = (test.library, test.library.now)
    let unborn = LifeTime(
      id: UUID(), birthDate: try TestLibrary.day("2026-03-15"), createdAt: now, updatedAt: now)
    let error = await #expect(throws: LibraryError.self) { try await library.add(unborn) }
    #expect(error?.code == .invalidValue && error?.field == "birthDate")
    var life = unborn
    life.birthDate = try TestLibrary.day("1990-05-01")
    var changed = try await library.add(life)
    changed.birthDate = unborn.birthDate
    let wrong = changed
    await #expect(throws: LibraryError.self) { try await library.update(wrong) }
    #expect(try await library.lifeTime()?.birthDate == life.birthDate)
  }

  @Test func aTermIsReviewedWithItsGoalsAndValues() async throws {
    let test = try await TestLibrary()
    let (library, now) = (test.library, test.library.now)
    let goal = try await library.add(goal(library))
    let term = try await library.add(
      Term(
        id: UUID(), termNumber: 1, startDate: try TestLibrary.day("2026-03-01"), createdAt: now,
        updatedAt: now))
    let value = try await library.add(
      PersonalValue(id: UUID(), title: "Health", createdAt: now, updatedAt: now))
    try await library.add(
      TermGoalAssignment(
        id: UUID(), termID: term.id, goalID: goal.id, order: 1, createdAt: now, updatedAt: now))
    try await library.add(
      GoalValueAlignment(
        id: UUID(), goalID: goal.id, valueID: value.id, createdAt: now, updatedAt: now))
    try await library.add("ran 5 km")
    let review = try await library.review(of: term)
    #expect(review.committed.map(\.goal.id) == [goal.id] && review.committed.first?.inTerm == 5)
    #expect(review.values.map(\.value.id) == [value.id])
  }

  @Test func theRulesTakeAnythingThatIsPerformed() throws {
    struct Swim: Performed, Persistable {
      var id = UUID()
      var title = "Swam in the lake"
      var description: String?
      var notes: String?
      var logTime = TestArchive.now
      var measurements = ["m": 1_500.0]
      var duration: Double? = 40
      var startAt: Instant?
    }
    let now = TestArchive.now
    var goal = Goal(
      id: UUID(), title: "Swim 10 km", measurementUnit: "km", measurementTarget: 10,
      startDate: DayKey("2026-03-01"), createdAt: now, updatedAt: now)
    let day = try TestLibrary.day("2026-03-14")
    let match = try #require(GoalMatcher(goal).match(Swim(), on: day))
    #expect(match.contribution == 1.5 && match.counts)
    #expect(GoalMatcher(goal).match(Swim(), on: try TestLibrary.day("2026-02-28")) == nil)
    goal.howGoalIsActionable = GoalHints(units: ["km"], keywords: ["lake"]).text
    #expect(GoalMatcher(goal).match(Swim(), on: day)?.confidence == 0.9)
    goal.howGoalIsActionable = GoalHints(units: ["km"], keywords: ["sea"]).text
    #expect(GoalMatcher(goal).match(Swim(), on: day) == nil)
    #expect(GoalMatcher(goal).match(Swim(), on: day, tags: ["sea"])?.counts == true)
  }

  @Test func theMostImportantMotiveStandsFirst() {
    func value(_ title: String, _ priority: Int) -> PersonalValue {
      PersonalValue(
        id: UUID(), title: title, priority: priority, createdAt: TestArchive.now,
        updatedAt: TestArchive.now)
    }
    let values = [value("Order", 40), value("Love", 1), value("Care", 40)]
    #expect(values.byPriority().map(\.title) == ["Love", "Care", "Order"])
  }

  @Test func peopleAreFoundChangedAndMerged() async throws {
    let test = try await TestLibrary()
    try await test.library.add("lunch with @Sam")
    try await test.library.add("walk with @Samuel.Weiss")
    let sam = try #require(
      try await test.library.people(matching: "sam").first { $0.person.name == "Sam" })
    #expect(sam.entryCount == 1 && sam.lastSeen == test.library.today)
    let other = try #require(
      try await test.library.people(matching: "weiss").first
    ).person
    var named = other
    named.email = "samuel@example.org"
    named = try await test.library.update(named)
    let kept = try await test.library.merge(sam.person, into: named)
    #expect(kept.email == "samuel@example.org")
    #expect(try await test.library.people().map(\.entryCount) == [2])
    try await test.library.delete(kept)
    #expect(try await test.library.person(kept.id) == nil)
  }

  @Test func aMeetingHasPeopleAndNotes() async throws {
    let test = try await TestLibrary()
    let (library, now) = (test.library, test.library.now)
    let meeting = try await library.addMeeting(
      try await library.draft("tomorrow 10:00-11:00 review with @Priya"))
    #expect(meeting.meeting.attendances.map(\.name) == ["Priya"])
    #expect(try await library.nextMeeting()?.id == meeting.id)
    let tomorrow = library.today.advanced(by: 1)
    #expect(try await library.meetings(on: tomorrow...tomorrow).map(\.id) == [meeting.id])
    var changed = try #require(try await library.meeting(meeting.id))
    changed.meeting.outcomes = "Ship it"
    let saved = try await library.update(changed)
    #expect(saved.meeting.outcomes == "Ship it")
    let note = try await library.add(
      Note(
        id: UUID(), text: "Priya sends the draft", meetingID: meeting.id, createdAt: now,
        updatedAt: now))
    #expect(try await library.notes(of: meeting.id).map(\.id) == [note.id])
    try await library.delete(note)
    try await library.delete(saved)
    #expect(try await library.meetings().isEmpty)
    #expect(try await library.day(tomorrow).activities.isEmpty)
  }

  @Test func aFileIsAttachedAndTakenOff() async throws {
    let test = try await TestLibrary()
    let run = try await test.library.add("ran 5 km")
    let file = try test.folder.file("route.txt", "north, then east")
    let attachment = try await test.library.attach(file, to: .activity(run.id), caption: "The way")
    #expect(attachment.caption == "The way" && attachment.originalName == "route.txt")
    #expect(try await test.library.content(of: attachment) == Data("north, then east".utf8))
    #expect(
      test.library.file(of: attachment).map { FileManager.default.fileExists(atPath: $0.path) }
        == true)
    #expect(try await test.library.activity(run.id)?.attachments == [attachment])
    try await test.library.delete(attachment)
    #expect(try await test.library.activity(run.id)?.attachments.isEmpty == true)
    let folder = await #expect(throws: LibraryError.self) {
      try await test.library.attach(test.folder.url, to: .activity(run.id))
    }
    #expect(folder?.code == .invalidValue && folder?.field == "file")
    let missing = await #expect(throws: LibraryError.self) {
      try await test.library.attach(
        test.folder.url.appendingPathComponent("gone.txt"), to: .activity(run.id))
    }
    #expect(missing?.code == .notFound)
  }

  @Test func anExportNamesThePagesThatItLeavesAsTheyAre() async throws {
    let test = try await TestLibrary()
    try await test.library.add("on 9 march: walk")
    let vault = test.folder.url.appendingPathComponent("vault")
    let first = try await test.library.export(.markdown, to: vault)
    #expect(first.leftOut.isEmpty && first.files > 0)
    let page = vault.appendingPathComponent("2026/2026-03-09.md")
    try Data("walk, and more".utf8).write(to: page)
    let second = try await test.library.export(.markdown, to: vault)
    #expect(second.leftOut.count == 1)
    #expect(second.leftOut.first?.hasPrefix("2026/2026-03-09.md") == true)
    #expect(try String(contentsOf: page, encoding: .utf8) == "walk, and more")
  }

  @Test func anImportIsPreviewedDoneOnceAndTakenBack() async throws {
    let source = try await TestLibrary()
    try await source.library.add("ran 5 km #sport")
    try await source.library.add("on 3 march: dentist")
    let file = source.folder.url.appendingPathComponent("life.jsonl")
    let written = try await source.library.export(.jsonLines, to: file)
    #expect(written.entries > 2 && written.missingFiles.isEmpty)

    let test = try await TestLibrary()
    let preview = try await test.library.previewImport(of: file)
    #expect(preview.parts.map { $0.created["activity"] } == [2])
    #expect(try await test.library.entries().total == 0)
    let runs = try await test.library.importFiles(at: file)
    #expect(runs.map { $0.created["activity"] } == [2])
    #expect(try await test.library.entries().total == 2)
    #expect(
      try await test.library.importFiles(at: file).flatMap { $0.created.values }.allSatisfy {
        $0 == 0
      })
    try await test.library.undoImport(try #require(runs.first))
    #expect(try await test.library.entries().total == 0)
    #expect(try await test.library.importRuns().contains { $0.id == runs.first?.id && $0.isUndone })

    let other = try test.folder.file("picture.xyz", Data([0, 1, 2, 3]))
    let error = await #expect(throws: LibraryError.self) {
      _ = try await test.library.importFiles(at: other)
    }
    #expect(error?.code == .unreadableFile)
  }

  @Test func everyFormatIsWritten() async throws {
    let test = try await TestLibrary()
    try await test.library.add("lunch with @Sam 12:30-13:15")
    for format in ExportFormat.allCases {
      let target = test.folder.url.appendingPathComponent("out-\(format.rawValue)")
      try await test.library.export(format, to: target)
      #expect(FileManager.default.fileExists(atPath: target.path), "\(format)")
    }
    let other = try test.folder.file("taken.jsonl", "somebody else's lines\n")
    let error = await #expect(throws: LibraryError.self) {
      try await test.library.export(.jsonLines, to: other)
    }
    #expect(error?.code == .refused)
    #expect(try String(contentsOf: other, encoding: .utf8) == "somebody else's lines\n")
  }

  @Test func aBackupReplacesNoOtherFileAndNoneWithMoreInIt() async throws {
    let test = try await TestLibrary()
    let other = try test.folder.file("letters.txt", "the only copy")
    let error = await #expect(throws: LibraryError.self) {
      try await test.library.writeBackup(to: other)
    }
    #expect(error?.code == .refused)
    #expect(try String(contentsOf: other, encoding: .utf8) == "the only copy")
    let run = try await test.library.add("ran 5 km")
    try await test.library.attach(Data([1]), named: "one.bin", to: .activity(run.id))
    let file = test.folder.url.appendingPathComponent("life.zip")
    for _ in 0..<2 {
      let backup = try await test.library.writeBackup(to: file)
      #expect(backup.file == file && backup.losses.isEmpty)
    }
    let good = try Data(contentsOf: file)
    let home = try #require(test.library.folder)
    try FileManager.default.removeItem(at: home.appendingPathComponent("attachments"))
    let poor = try await test.library.writeBackup(to: file)
    #expect(poor.file != file && !poor.losses.isEmpty)
    #expect(try Data(contentsOf: file) == good)
  }

  @Test func aBackupOpensWithItsPassphraseAlone() async throws {
    let test = try await TestLibrary()
    let run = try await test.library.add("ran 5 km")
    let file = test.folder.url.appendingPathComponent("life.zip.age")
    let backup = try await test.library.writeBackup(to: file, passphrase: "three calm otters")
    #expect(backup.isEncrypted && backup.sha256.count == 64 && backup.bytes > 0)
    try await test.library.add("swam 1 km")
    let error = await #expect(throws: LibraryError.self) {
      try await test.library.restoreBackup(from: file, passphrase: "three calm badgers")
    }
    #expect(error?.code == .unusableBackup)
    #expect(try await test.library.entries().total == 2)
    let copy = try await test.library.restoreBackup(from: file, passphrase: "three calm otters")
    #expect(copy.map { FileManager.default.fileExists(atPath: $0.path) } == true)
    #expect(try await test.library.entries().entries.map(\.id) == [run.id])
  }
}

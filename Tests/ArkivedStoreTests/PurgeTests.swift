import ArkivedCore
import ArkivedTestSupport
import Foundation
import GRDB
import Testing

@testable import ArkivedStore

extension TestArchive {
  /// Adds an entry with an attachment, and tells where its file lies.
  fileprivate func withFile() throws -> (Activity, file: URL) {
    var activity = try activity("with a file")
    activity.attachments = [
      try archive.store(
        Data([9]),
        as: Attachment(
          id: archive.identities.next(), type: .photo, createdAt: clock.now, updatedAt: clock.now))
    ]
    try archive.add(activity)
    return (activity, try #require(archive.file(of: activity.attachments[0])))
  }
}

@Suite("Forgetting for ever")
struct PurgeTests {
  /// A word that nothing else holds.
  ///
  /// Indexes leave out the beginning that neighbours share.
  private static let canary = "zqxjkvwpyu"
  private static let traces = [canary, canary.uppercased(), String(canary.dropFirst(2))]

  /// The files below an archive's folder in which the word stands, its log and indexes among them.
  private func filesWithTraces(_ test: TestArchive) throws -> [String] {
    let root = test.folder.url
    return try FileManager.default.subpathsOfDirectory(atPath: root.path).filter { name in
      guard let content = try? Data(contentsOf: root.appendingPathComponent(name)) else {
        return false
      }
      return name.contains(Self.canary)
        || Self.traces.contains { content.range(of: Data($0.utf8)) != nil }
    }
  }

  /// An entry whose word stands wherever a word of an entry can stand.
  private func secret(_ test: TestArchive) throws -> Activity {
    let word = Self.canary
    let archive = test.archive
    var activity = try test.activity("saw \(word)", from: "10:00", tags: ["\(word)tag"])
    activity.notes = "notes on \(word)"
    activity.typedText = "saw \(word) 10:00"
    activity.attachments = [
      try archive.store(
        Data("a file on \(word)".utf8),
        as: Attachment(
          id: archive.identities.next(), type: .file, caption: "file of \(word)",
          originalName: "\(word).txt", createdAt: test.clock.now, updatedAt: test.clock.now))
    ]
    activity.externalRefs = [
      ExternalRef(provider: "other", externalID: "7", fetchedAt: test.clock.now)
    ]
    try archive.add(activity)
    for text in ["\(word) once more", "nothing any more"] {
      test.clock.advance(seconds: 60)
      _ = try archive.updateActivity(activity.id) { $0.text = text }
    }
    try quote(activity.id, word, archive)
    return activity
  }

  /// Has acts, answers, conversations and kept rows of other programs speak of an entry.
  private func quote(_ id: UUID, _ word: String, _ archive: Archive) throws {
    try archive.writer.write { db in
      let own = archive.identities.next().uuidString
      try db.execute(
        sql: """
          INSERT INTO pending_acts
            (id, tool, arguments, summary, effects, author, status, created_at, expires_at)
          VALUES (?, 'deleteActivity', ?, ?, '[]', 'agent:x', 'waiting', 1, 2)
          """,
        arguments: [own, JSON.object(["id": .string(id.uuidString)]).text(), "Delete “\(word)”"])
      try db.execute(
        sql: """
          INSERT INTO kept_answers (key, request_hash, status, body, at) VALUES ('k', 'h', 201, ?, 1)
          """, arguments: [Data("{\"id\":\"\(id.uuidString)\",\"text\":\"\(word)\"}".utf8)])
      let change = try Int64.fetchOne(db, sql: "SELECT max(pk) FROM change_rows") ?? 0
      try db.execute(
        sql: """
          INSERT INTO thread_rows (id, title, change_pk, changed_pk, created_at, updated_at)
          VALUES (?, 'talk', ?, ?, 1, 1)
          """, arguments: [archive.identities.next().uuidString, change, change])
      try db.execute(
        sql: """
          INSERT INTO message_rows
            (id, thread_pk, role, text, details, change_pk, changed_pk, created_at, updated_at)
          VALUES (?, 1, 'assistant', ?, ?, ?, ?, 1, 1)
          """,
        arguments: [
          archive.identities.next().uuidString, "You saw \(word).",
          JSON.array([.string(id.uuidString)]).text(), change, change,
        ])
      try db.execute(
        sql: """
          INSERT INTO interchange_rows (change_pk, source, source_table, source_key, record)
          VALUES (?, '', 'actions', ?, ?)
          """,
        arguments: [change, id.uuidString, JSON.object(["title": .string(word)]).text()])
    }
  }

  @Test func nothingOfAnEntryIsLeftInAnyFile() throws {
    let test = try TestArchive()
    let kept = try test.add("a walk with tea", tags: ["walk"])
    let activity = try secret(test)
    _ = try test.archive.writeSnapshot(label: "test")
    let index = test.folder.url.appendingPathComponent("archive/index")
    try FileManager.default.createDirectory(at: index, withIntermediateDirectories: true)
    try Data(Self.canary.utf8).write(to: index.appendingPathComponent("words-1.index"))
    let hash = try #require(activity.attachments.first?.contentHash)
    _ = try test.folder.file(
      "archive/thumbnails/\(hash.prefix(2))/\(hash)-1.jpg", Self.canary)
    #expect(try filesWithTraces(test).count >= 4)

    let plan = try test.archive.purgePlan(.tag("\(Self.canary)tag"))
    #expect(plan.things == 2 && plan.versions == 2 && plan.snapshots.count == 1)
    let purged = try test.archive.purge(.tag("\(Self.canary)TAG"))
    #expect(purged.isLogEmpty && purged.plan.files == 1)
    #expect(try filesWithTraces(test) == [])

    #expect(try test.archive.activity(kept.id) == kept)
    #expect(try test.archive.activity(activity.id) == nil)
    #expect(try test.archive.history(of: activity.id).isEmpty)
    #expect(try test.archive.examine().allSatisfy { $0.verdict != .problem })
    #expect(purged.change.summary == "Permanently deleted 2 items and 2 earlier versions")
  }

  @Test func theCopyOfACalendarLosesWhatIsForgotten() throws {
    let test = try TestArchive()
    let link = SyncLink(
      id: test.archive.identities.next(), kind: .calendarSubscription,
      address: "https://example.org/a.ics", options: [:], createdAt: test.clock.now)
    try test.archive.add(link)
    let activity = try test.activity("saw \(Self.canary)", from: "10:00")
    _ = try test.archive.create(
      MeetingEntry(
        meeting: Meeting(
          id: test.archive.identities.next(), activityID: activity.id, eventIdentifier: "one",
          linkID: link.id, resource: "calendar.ics", createdAt: activity.createdAt,
          updatedAt: activity.updatedAt), activity: activity))
    func event(_ uid: String, _ title: String) -> String {
      "BEGIN:VEVENT\r\nUID:\(uid)\r\nSUMMARY:\(title)\r\nEND:VEVENT\r\n"
    }
    let rest = "BEGIN:VCALENDAR\r\n\(event("two", "tea"))"
    let file = try test.folder.file(
      "archive/calendars/\(link.id.uuidString)/calendar.ics",
      "\(rest)\(event("one", "saw \(Self.canary)"))END:VCALENDAR\r\n")
    _ = try test.archive.purge(.entities([activity.id]))
    #expect(try filesWithTraces(test) == [])
    #expect(try String(contentsOf: file, encoding: .utf8) == "\(rest)END:VCALENDAR\r\n")
  }

  @Test func whatAStoppedProgramLeftIsForgottenToo() throws {
    let test = try TestArchive()
    let entry = try test.add("saw \(Self.canary)")
    let old = Date().addingTimeInterval(-2 * 86_400)
    for path in [
      "attachments/ab/.incoming-1", "drafts/.incoming-2", "snapshots/.a.sqlite-1.incoming",
      "snapshots/.a.sqlite-1.incoming-journal", ".restoring-1/lines.jsonl",
    ] {
      let file = try test.folder.file("archive/\(path)", Self.canary)
      try FileManager.default.setAttributes([.modificationDate: old], ofItemAtPath: file.path)
    }
    _ = try test.archive.purge(.entities([entry.id]))
    #expect(try filesWithTraces(test) == [])
  }

  @Test func whatWasDeletedBeforeIsForgottenToo() throws {
    let test = try TestArchive()
    let activity = try secret(test)
    _ = try test.archive.deleteActivities([activity.id])
    let undone = try test.archive.undo()
    _ = try test.archive.undo(undone.change.id)
    _ = try test.archive.purge(.entities([activity.id]))
    // The tag is another thing, and stays.
    let tags = try test.archive.tags().map { $0.tag.name }
    #expect(tags == ["\(Self.canary)tag"])
    _ = try test.archive.purge(.tag("\(Self.canary)tag"))
    #expect(try filesWithTraces(test) == [])
    #expect(throws: ArchiveError.self) { try test.archive.purge(.entities([activity.id])) }
  }

  @Test func whatAKilledRestoreLeftIsForgottenToo() throws {
    let test = try TestArchive()
    _ = try secret(test)
    _ = try test.folder.file("archive/.restoring-1/lines/day.jsonl", "\(Self.canary) in the open")
    _ = try test.archive.purge(.tag("\(Self.canary)tag"))
    #expect(try filesWithTraces(test) == [])
  }

  @Test func anOldVersionThatNamesAFolderTakesNoFilesWithIt() throws {
    let test = try TestArchive()
    let (activity, file) = try test.withFile()
    let there = try test.add("told by another archive")
    _ = try test.archive.write(by: .importer, "import", "Another archive's past") { scope in
      try scope.adopt(
        HistoryRecord(
          id: test.archive.identities.next(), sourceTable: .activity, sourceID: there.id,
          record: ["text": "told", "attachments": [["relativePath": ""]]], reason: .update,
          archivedAt: test.clock.now, archivedBy: .importer))
    }
    _ = try test.archive.purge(.entities([there.id]))
    #expect(try test.archive.activity(activity.id) != nil)
    #expect(try Data(contentsOf: file) == Data([9]))
  }

  @Test func daysAreForgottenWithAllThatStandsOnThem() throws {
    let test = try TestArchive()
    let archive = test.archive
    let day = try #require(DayKey("2019-05-01"))
    try test.add("\(Self.canary) on that day", on: "2019-05-01", from: "09:00")
    let other = try test.add("\(Self.canary) moved away", on: "2019-05-02")
    _ = try archive.updateActivity(other.id) {
      $0.dayKey = TestArchive.now.day
      $0.text = "quite another"
    }
    _ = try archive.updateDay(day) { $0.note = "about \(Self.canary)" }
    _ = try archive.create(
      Note(
        id: archive.identities.next(), text: "a note on \(Self.canary)", dayKey: day,
        createdAt: test.clock.now, updatedAt: test.clock.now))
    _ = try archive.purge(.days(DayFilter(from: day, to: day.advanced(by: 1))))
    #expect(try filesWithTraces(test) == [])
    #expect(try archive.activity(other.id)?.text == "quite another")
    #expect(try archive.day(day).entry == nil)
  }

  @Test func itCannotBeUndone() throws {
    let test = try TestArchive()
    let first = try test.add("first of all")
    let second = try test.add("second of all")
    let purged = try test.archive.purge(.entities([second.id]))
    #expect(throws: ArchiveError.self) { try test.archive.undo(purged.change.id) }
    let listed = try test.archive.listedChanges(ChangeFilter()).changes
    #expect(listed.first?.undo == nil)
    // Undoing goes on with what came before.
    _ = try test.archive.undo()
    #expect(try test.archive.activity(first.id) == nil)
    #expect(try test.archive.activity(second.id) == nil)
  }

  @Test func anotherProgramSeesThatItIsGone() throws {
    let test = try TestArchive()
    let activity = try secret(test)
    let other = try test.another()
    #expect(try other.activity(activity.id) != nil)
    let purged = try test.archive.purge(.tag("\(Self.canary)tag"))
    #expect(purged.isLogEmpty)
    #expect(try other.activity(activity.id) == nil)
    #expect(try filesWithTraces(test) == [])
  }

  @Test func aPurgeThatWasStoppedIsFinishedLater() throws {
    let test = try TestArchive()
    let index = try test.folder.file("archive/index/words-1.index", Self.canary)
    try test.archive.writer.write { db in
      try db.execute(
        sql: """
          INSERT INTO settings (name, value, updated_at)
          VALUES ('purge', '{"paths":[],"snapshots":[]}', 1)
          """)
    }
    try test.archive.finishPurge()
    #expect(!FileManager.default.fileExists(atPath: index.path))
    let kept = try test.folder.file("archive/index/words-2.index", "new")
    try test.archive.finishPurge()
    #expect(FileManager.default.fileExists(atPath: kept.path))
  }

  @Test func aTagAloneIsRefused() throws {
    let test = try TestArchive()
    try test.add("tea", tags: ["drinks"])
    let tag = try #require(try test.archive.tags().first?.tag)
    #expect(throws: ArchiveError.self) { try test.archive.purge(.entities([tag.id])) }
    #expect(try test.archive.counts().activities == 1)
  }

  @Test func aFileThatAnotherEntryNeedsStays() throws {
    let test = try TestArchive()
    func photo() throws -> ArkivedCore.Attachment {
      try test.archive.store(
        Data([1, 2, 3]),
        as: Attachment(
          id: test.archive.identities.next(), type: .photo, createdAt: test.clock.now,
          updatedAt: test.clock.now))
    }
    var (one, two) = (try test.activity("one of two"), try test.activity("two of two"))
    one.attachments = [try photo()]
    two.attachments = [try photo()]
    try test.archive.add(one)
    try test.archive.add(two)
    #expect(try test.archive.purge(.entities([one.id])).plan.files == 0)
    let left = try #require(try test.archive.attachments().first)
    let file = try #require(test.archive.file(of: left))
    #expect(FileManager.default.fileExists(atPath: file.path))
  }

  @Test func aKeptCalendarLosesTheEventAndNothingElse() {
    func event(_ uid: String) -> String {
      "BEGIN:VEVENT\r\nUID:\(uid)\r\nSUMMARY:x\r\nEND:VEVENT\r\n"
    }
    let long = "a\\,b" + String(repeating: "c", count: 30)
    let folded = "a\\,b" + String(repeating: "c", count: 10) + "\r\n " + "cccccccccccccccccccc"
    let calendar = "BEGIN:VCALENDAR\r\n\(event("one"))\(event(folded))END:VCALENDAR\r\n"
    let rest = CalendarBlock.without(
      [long.replacingOccurrences(of: "\\", with: "")], Data(calendar.utf8))
    #expect(rest == Data("BEGIN:VCALENDAR\r\n\(event("one"))END:VCALENDAR\r\n".utf8))
    #expect(CalendarBlock.without(["other"], Data(calendar.utf8)) == nil)
  }
}

extension Instant {
  fileprivate var day: DayKey { Zone.utc.dayKey(at: self) }
}

@Suite("How long the history is kept")
struct RetentionTests {
  private func counts(_ test: TestArchive, _ id: UUID) throws -> Int {
    try test.archive.history(of: id).count
  }

  @Test func itKeepsEverythingUnlessItsOwnerSaysOtherwise() throws {
    let test = try TestArchive()
    let there = try test.add("one")
    _ = try test.archive.updateActivity(there.id) { $0.text = "two" }
    let gone = try test.add("gone")
    _ = try test.archive.deleteActivities([gone.id])
    test.clock.advance(seconds: 400 * 86_400)
    try test.add("today", on: "2027-04-18")
    #expect(try test.archive.applyRetention() == 0)
    try test.archive.setRetention(Retention(versionDays: 365))
    #expect(try test.archive.applyRetention() == 1)
    #expect(try counts(test, there.id) == 0 && counts(test, gone.id) == 1)
    try test.archive.setRetention(Retention(deletedDays: 30))
    #expect(try test.archive.applyRetention() == 1)
    #expect(try counts(test, gone.id) == 0)
    #expect(try test.archive.activity(there.id)?.text == "two")
    #expect(try test.archive.examine().allSatisfy { $0.verdict == .good })
  }

  @Test func oldVersionsOfADeletedEntryStayAsLongAsIt() throws {
    let test = try TestArchive()
    let entry = try test.add("one")
    _ = try test.archive.updateActivity(entry.id) { $0.text = "two" }
    test.clock.advance(seconds: 60 * 86_400)
    _ = try test.archive.updateActivity(entry.id) { $0.text = "three" }
    let deletion = try #require(try test.archive.deleteActivities([entry.id]).change)
    try test.archive.setRetention(Retention(deletedDays: 30))
    #expect(try test.archive.applyRetention() == 0)
    _ = try test.archive.undo(deletion.id)
    #expect(try test.archive.activity(entry.id)?.text == "three")
    #expect(try counts(test, entry.id) == 3)
    _ = try test.archive.deleteActivities([entry.id])
    test.clock.advance(seconds: 31 * 86_400)
    try test.add("later", on: "2026-06-13")
    #expect(try test.archive.applyRetention() == 4)
    #expect(try counts(test, entry.id) == 0)
  }

  @Test func whatIsKeptNoLongerIsNotSaidToBeBroughtBack() throws {
    let test = try TestArchive()
    let there = try test.add("one")
    let edit = try test.archive.updateActivity(there.id) { $0.text = "two" }
    let gone = try test.add("gone")
    let deletion = try test.archive.deleteActivities([gone.id])
    let changes = [edit.change, deletion.change].compactMap { $0?.id }
    #expect(changes.count == 2)
    test.clock.advance(seconds: 40 * 86_400)
    try test.add("later", on: "2026-04-23")
    try test.archive.setRetention(Retention(versionDays: 30, deletedDays: 30))
    #expect(try test.archive.applyRetention() == 2)
    for change in changes {
      #expect(throws: ArchiveError.self) { try test.archive.undo(change) }
    }
    #expect(try test.archive.activity(there.id)?.text == "two")
  }

  @Test(arguments: ["sync", "import"])
  func halfOfASyncOrImportIsNotTakenBack(action: String) throws {
    let test = try TestArchive()
    let (there, gone) = (try test.add("one"), try test.add("two"))
    let (_, change) = try test.archive.write(by: .importer, action, "From a file") { scope in
      var new = there
      new.text = "changed"
      try scope.update(new, reason: .import)
      _ = try scope.deleteActivity(gone.id)
    }
    test.clock.advance(seconds: 40 * 86_400)
    try test.archive.setRetention(Retention(deletedDays: 30))
    try test.add("later", on: "2026-04-23")
    #expect(try test.archive.applyRetention() == 1)
    #expect(throws: ArchiveError.self) { try test.archive.undo(change.id) }
    #expect(try test.archive.activity(there.id)?.text == "changed")
  }

  @Test func itWaitsUntilAnImportIsDone() throws {
    let test = try TestArchive()
    let there = try test.add("one")
    _ = try test.archive.updateActivity(there.id) { $0.text = "two" }
    test.clock.advance(seconds: 40 * 86_400)
    try test.add("today", on: "2026-04-23")
    try test.archive.setRetention(Retention(versionDays: 7))
    var stage: ImportStage? = try ImportStage(test.archive, "import", "test", waitsSeconds: 0)
    #expect(try test.archive.applyRetention() == 0)
    try stage?.discard(within: 1)
    stage = nil
    #expect(try test.archive.applyRetention() == 1)
  }

  @Test func aClockThatRunsAheadTakesNothingAway() throws {
    let test = try TestArchive()
    let there = try test.add("one")
    _ = try test.archive.updateActivity(there.id) { $0.text = "two" }
    try test.archive.setRetention(Retention(versionDays: 7, deletedDays: 7))
    test.clock.advance(seconds: 4_000 * 86_400)
    #expect(try test.archive.applyRetention() == 0)
    #expect(try counts(test, there.id) == 1)
  }

  @Test func anAttachmentsFileGoesWithItsLastVersion() throws {
    let test = try TestArchive()
    let (activity, file) = try test.withFile()
    _ = try test.archive.deleteActivities([activity.id])
    test.clock.advance(seconds: 40 * 86_400)
    try test.add("later")
    try test.archive.setRetention(Retention(deletedDays: 30))
    #expect(FileManager.default.fileExists(atPath: file.path))
    #expect(try test.archive.applyRetention() == 1)
    #expect(!FileManager.default.fileExists(atPath: file.path))
  }

  @Test func tooFewDaysAreRefused() throws {
    let test = try TestArchive()
    #expect(throws: FieldError.self) {
      try test.archive.setRetention(Retention(versionDays: 1))
    }
    #expect(try test.archive.retention().isForEver)
  }
}

import ArkivedCore
import ArkivedTestSupport
import Foundation
import GRDB
import Testing

@testable import ArkivedStore

@Suite("The archive’s file")
struct ArchiveFileTests {
  /// A step that a later version might add.
  private enum LaterMigration: Migration {
    static let identifier = "900-later"
    static func migrate(_ db: Database) throws { try db.execute(sql: "CREATE TABLE later (a)") }
  }

  private func pool(_ folder: URL) throws -> DatabasePool {
    try DatabasePool(
      path: folder.appendingPathComponent("archive.sqlite").path,
      configuration: Archive.configuration(at: .folder(folder)))
  }

  private var later: Migrations { Migrations(steps: Migrations.all.steps + [LaterMigration.self]) }

  @Test func aVerifiedSnapshotComesBeforeAMigration() throws {
    let test = try TestArchive()
    try test.add("kept")
    guard case .folder(let folder) = test.archive.location else { return }
    let file = folder.appendingPathComponent("archive.sqlite")
    try later.bringUpToDate(try pool(folder), file: file, now: test.clock.now)
    let snapshots = try FileManager.default.contentsOfDirectory(
      atPath: folder.appendingPathComponent("snapshots").path)
    #expect(snapshots == ["before-900-later-20260314T200000Z.sqlite"])
    let copy = try DatabaseQueue(
      path: folder.appendingPathComponent("snapshots/\(try #require(snapshots.first))").path)
    #expect(
      try copy.read { try String.fetchAll($0, sql: "SELECT text FROM activities") } == ["kept"])
    #expect(try copy.read { try !$0.tableExists("later") })
  }

  @Test func eventsOfAnEarlierImportGetTheirMeetings() throws {
    let queue = try DatabaseQueue()
    let steps = Migrations.all.steps
    let before = steps.prefix { $0.identifier != MeetingsMigration.identifier }
    try Migrations(steps: Array(before)).migrate(queue)
    func id(_ number: Int) -> String { "00000000-0000-4000-8000-00000000000\(number)" }
    try queue.write { db in
      try db.execute(
        sql: """
          INSERT INTO change_rows (pk, id, at, author, action, summary)
            VALUES (1, '\(id(1))', 0, 'import', 'import', '');
          INSERT INTO person_rows (pk, id, name, change_pk, changed_pk, created_at, updated_at)
            VALUES (1, '\(id(2))', 'Priya', 1, 1, 0, 0);
          """)
      for (key, source, reference) in [
        (1, "calendarImport", "a/b/20260316T090000Z"), (2, "calendarImport", "all-day/20260317"),
        (3, "calendarImport", "plain"), (4, "manual", "no event"),
      ] {
        try db.execute(
          sql: """
            INSERT INTO activity_rows (pk, id, day_key, start_at, time_zone, kind, text, source,
                change_pk, changed_pk, created_at, updated_at)
              VALUES (\(key), '\(id(key + 2))', '2026-03-16', 0, 'UTC', 'other', 'x', '\(source)',
                1, 1, 0, 0);
            INSERT INTO external_refs (activity_pk, provider, external_id, fetched_at, change_pk)
              VALUES (\(key), 'calendar', '\(reference)', 0, 1);
            INSERT INTO mentions (activity_pk, position, name, folded, person_pk, created_at)
              VALUES (\(key), 0, 'Priya', 'priya', 1, 0);
            """)
      }
    }
    try Migrations.all.migrate(queue)
    let meetings = try queue.read { try Meeting.fetch($0) }
    #expect(
      meetings.map(\.eventIdentifier) == ["a/b/20260316T090000Z", "all-day/20260317", "plain"])
    #expect(meetings.map(\.seriesIdentifier) == ["a/b", "all-day", "plain"])
    #expect(meetings.allSatisfy { $0.attendances.map(\.name) == ["Priya"] })
    #expect(Set(meetings.map(\.id)).isDisjoint(with: meetings.map(\.activityID)))
  }

  @Test func onlyTheOwnerMayReadWhatANewArchiveWrites() throws {
    let test = try TestArchive()
    try test.add("mine")
    guard case .folder(let folder) = test.archive.location else { return }
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(names.contains("archive.sqlite-wal"))
    for name in names {
      let attributes = try FileManager.default.attributesOfItem(
        atPath: folder.appendingPathComponent(name).path)
      let mode = try #require(attributes[.posixPermissions] as? NSNumber).intValue
      #expect(mode & 0o077 == 0, "\(name)")
    }
  }

  @Test func aFreshArchiveNeedsNoSnapshot() throws {
    let test = try TestArchive()
    guard case .folder(let folder) = test.archive.location else { return }
    #expect(
      !FileManager.default.fileExists(atPath: folder.appendingPathComponent("snapshots").path))
  }

  @Test func aNewerArchiveIsRefusedAndUntouched() throws {
    let test = try TestArchive()
    guard case .folder(let folder) = test.archive.location else { return }
    let file = folder.appendingPathComponent("archive.sqlite")
    try later.bringUpToDate(try pool(folder), file: file, now: test.clock.now)
    let error = #expect(throws: ArchiveError.self) { try test.another() }
    #expect(error == .newerArchive(path: file.path))
  }

  @Test func aFileThatIsNoArchiveIsRefusedAndUntouched() throws {
    let folder = try TemporaryFolder()
    for (name, content) in [("text", Data("hello, this is no database at all".utf8))] {
      let home = folder.url.appendingPathComponent(name)
      let file = try folder.file("\(name)/archive.sqlite", content)
      #expect(throws: ArchiveError.self) { try Archive(at: .folder(home)) }
      #expect(try Data(contentsOf: file) == content)
    }
    let foreign = folder.url.appendingPathComponent("foreign")
    try DatabaseQueue(path: folder.file("foreign/archive.sqlite", Data()).path).write {
      try $0.execute(sql: "CREATE TABLE recipes (a)")
    }
    #expect(throws: ArchiveError.self) { try Archive(at: .folder(foreign)) }
  }

  @Test func aFolderThatIsAFileIsRefusedInWords() throws {
    let folder = try TemporaryFolder()
    let file = try folder.file("taken", "x")
    let error = #expect(throws: ArchiveError.self) { try Archive(at: .folder(file)) }
    #expect(error?.description.contains("--archive") == true)
  }

  @Test func writesAreFullySynchronisedAndKeysAreEnforced() throws {
    let test = try TestArchive()
    let (synchronous, keys, mode) = try test.archive.writer.unsafeReentrantWrite { db in
      (
        try Int.fetchOne(db, sql: "PRAGMA synchronous"),
        try Int.fetchOne(db, sql: "PRAGMA foreign_keys"),
        try String.fetchOne(db, sql: "PRAGMA journal_mode")
      )
    }
    #expect(synchronous == 2 && keys == 1 && mode == "wal")
  }

  @Test(arguments: [
    "UPDATE days SET mood = 6", "UPDATE days SET energy = 0", "UPDATE days SET day_key = 'x'",
    "UPDATE activities SET end_at = start_at - 1", "UPDATE activities SET lat = 91, lon = 0",
    "UPDATE activities SET lat = 1", "UPDATE activities SET text = ''",
    "UPDATE activities SET is_pinned = 2", "UPDATE activities SET duration_minutes = -1",
    "UPDATE activities SET duration_minutes = 9e999", "UPDATE activities SET weather = 'rain'",
    "UPDATE activities SET start_at = 'noon'", "UPDATE measurements SET amount = -1",
    "UPDATE measurements SET amount = 9e999", "UPDATE attachments SET day_pk = 1",
    "UPDATE attachments SET activity_pk = NULL", "UPDATE mentions SET day_pk = 1",
    "UPDATE external_refs SET day_pk = 1", "DELETE FROM changes",
    "UPDATE activity_tags SET tag_pk = 99",
    "INSERT INTO external_refs SELECT 99, activity_pk, "
      + "NULL, NULL, provider, external_id, 0, NULL, NULL FROM external_refs",
  ])
  func theSchemaItselfRefusesWhatMayNotBe(sql: String) throws {
    let test = try TestArchive()
    _ = try test.archive.updateDay(try #require(DayKey("2026-03-14"))) { $0.note = "n" }
    var activity = try test.activity(
      "a", from: "10:00", to: "11:00", tags: ["t"], people: ["P"], measurements: ["km": 1])
    activity.attachments = [
      ArkivedCore.Attachment(
        id: test.archive.identities.next(), type: .link, externalURL: "https://example.org/",
        createdAt: test.clock.now, updatedAt: test.clock.now)
    ]
    activity.externalRefs = [
      ExternalRef(provider: "p", externalID: "1", fetchedAt: test.clock.now)
    ]
    try test.archive.add(activity)
    #expect(throws: DatabaseError.self) {
      try test.archive.writer.write { try $0.execute(sql: sql) }
    }
  }

  @Test func anAttachmentsFileIsStoredOnceAndDurably() throws {
    let test = try TestArchive()
    let content = Data("hello".utf8)
    func attachment(_ name: String) -> ArkivedCore.Attachment {
      ArkivedCore.Attachment(
        id: test.archive.identities.next(), type: .file, originalName: name,
        createdAt: test.clock.now, updatedAt: test.clock.now)
    }
    let first = try test.archive.store(content, as: attachment("../../evil/na me.TXT"))
    let second = try test.archive.store(content, as: attachment("b.txt"))
    #expect(first.relativePath == second.relativePath)
    let file = try #require(test.archive.file(of: first))
    #expect(file.path.hasPrefix(try #require(test.archive.attachmentsFolder).path))
    #expect(try Data(contentsOf: file) == content)
    #expect(first.byteCount == 5 && first.contentHash?.hasPrefix("2cf24dba") == true)
    let leftovers = try FileManager.default.subpathsOfDirectory(
      atPath: try #require(test.archive.attachmentsFolder).path)
    #expect(leftovers.filter { $0.contains("incoming") }.isEmpty)
  }

  @Test func doctorNamesWhatIsWrongAndHowToMendIt() throws {
    let test = try TestArchive()
    var activity = try test.activity("a")
    activity.attachments = [
      try test.archive.store(
        Data("x".utf8),
        as: ArkivedCore.Attachment(
          id: test.archive.identities.next(), type: .file, createdAt: test.clock.now,
          updatedAt: test.clock.now))
    ]
    try test.archive.add(activity)
    #expect(try test.archive.examine().allSatisfy { $0.verdict == .good })
    let file = try #require(test.archive.file(of: activity.attachments[0]))
    try Data("y".utf8).write(to: file)
    try test.archive.writer.write { try $0.execute(sql: "DELETE FROM search_words") }
    let problems = try test.archive.examine().filter { $0.verdict == .problem }
    #expect(problems.map(\.check).sorted() == ["attachments", "search index"])
    #expect(problems.allSatisfy { !$0.remedy.isEmpty })
  }

  /// The numbers agree, since the words of something else are left over.
  @Test func doctorNotesThatADayCannotBeFound() throws {
    let test = try TestArchive()
    _ = try test.archive.updateDay(try #require(DayKey("2026-03-14"))) { $0.note = "A quiet day." }
    try test.add("tea")
    #expect(try test.archive.examine().allSatisfy { $0.verdict == .good })
    try test.archive.writer.write { db in
      try db.execute(
        sql: """
          DELETE FROM search_words WHERE rowid % 8 = 1;
          INSERT INTO search_words (rowid, title) VALUES (8000, 'stale')
          """)
    }
    let problems = try test.archive.examine().filter { $0.verdict == .problem }
    #expect(problems.map(\.check) == ["search index"])
    try test.archive.rebuildSearchWords()
    #expect(try test.archive.examine().allSatisfy { $0.verdict == .good })
  }

  @Test func twoConnectionsWriteAtOnceWithoutLosingAnything() async throws {
    let test = try TestArchive()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for writer in 0..<4 {
        let archive = try test.another()
        group.addTask {
          for number in 0..<25 {
            let now = archive.clock.now
            try archive.add(
              Activity(
                id: UUID(), dayKey: DayKey(clamping: 20_000), timeZone: "UTC",
                text: "entry \(writer).\(number)", tags: ["shared"], createdAt: now, updatedAt: now
              ))
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try test.archive.counts().activities == 100)
    #expect(try test.archive.tags().first?.count == 100)
  }
}

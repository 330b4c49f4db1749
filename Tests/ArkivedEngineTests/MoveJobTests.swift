import ArkivedBackup
import ArkivedCore
import ArkivedEngine
import ArkivedImport
import ArkivedSearch
import ArkivedStore
import ArkivedTestSupport
import Foundation
import Testing

@Suite("Moving to another computer")
struct MoveJobTests {
  private let identity = AgeIdentity()
  private static let password = "correct horse zqx"

  private func job(_ test: TestArchive) -> MoveJob {
    MoveJob(archive: test.archive, homeZone: test.zone)
  }

  private func pack(
    _ test: TestArchive, withSecrets: Bool
  ) throws -> (file: URL, packed: MoveJob.Packed) {
    let file = test.folder.url.appendingPathComponent("life.move")
    let packed = try job(test).pack(
      to: file, target: .recipients([identity.recipient]), host: "old-laptop",
      withSecrets: withSecrets)
    return (file, packed)
  }

  private func prepare(_ file: URL, into test: TestArchive) throws -> PreparedMove {
    try job(test).prepare(file, unlocks: [.identity(identity)])
  }

  /// An archive with something of everything, linked places, secrets, models, a plan and a draft.
  private func full() throws -> (test: TestArchive, calendar: SyncLink) {
    let test = try ExportJobTests().full()
    let archive = test.archive
    let calendar = SyncLink(
      id: archive.identities.next(), kind: .calDAV, address: "https://example.org/dav/home/",
      options: ["name": "Home"], createdAt: test.clock.now)
    try archive.add(calendar)
    try archive.add(
      SyncLink(
        id: archive.identities.next(), kind: .calendarFile, address: "/nowhere/work.ics",
        createdAt: test.clock.now))
    let home = try #require(archive.home)
    try CalendarSecrets(file: home.appendingPathComponent("secrets.json"))
      .write(.basic(user: "me", password: Self.password), for: calendar.id)
    try archive.keepTableProfile(["name": "runs", "columns": []])
    try archive.updatePreferences { $0 = Preferences(["theme": "dark"]) }
    let model: JSON = [
      "address": "http://127.0.0.1:9/v1/chat/completions", "model": "m", "key": "sk-zqxsecret",
    ]
    try DurableFile.write(
      Data(model.bytes()), to: home.appendingPathComponent("assistant.json"))
    try DurableFile.makeFolder(home.appendingPathComponent("drafts"))
    try DurableFile.write(
      Data("half a thought".utf8), to: home.appendingPathComponent("drafts/note-1.md"))
    _ = try archive.ownerToken { "a token" }
    return (test, calendar)
  }

  private func lines(_ archive: Archive) throws -> [String] {
    var lines: [String] = []
    try archive.forEachEntity { type, json in lines.append("\(type) \(json.text())") }
    return lines
  }

  private func names(_ folder: URL) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
  }

  @Test func whatCannotBeReadIsNotLeftOutInSilence() throws {
    let (test, _) = try full()
    let home = try #require(test.archive.home)
    #expect(try pack(test, withSecrets: false).packed.problems.isEmpty)
    let files = ["assistant.json", "backup.json"].map { home.appendingPathComponent($0) }
    for file in files { try Data("{".utf8).write(to: file) }
    let problems = try pack(test, withSecrets: false).packed.problems
    #expect(problems == files.map { "\($0.path) can’t be read; copy it manually" })
  }

  @Test func anArchiveUnpackedBesideGetsItsNameWhenItIsComplete() throws {
    let (source, _) = try full()
    let (file, _) = try pack(source, withSecrets: true)
    let test = try TestArchive()
    let folder = test.folder.url.appendingPathComponent("new")
    let watch = ImportWatch(progress: { _ in
      #expect(!FileManager.default.fileExists(atPath: folder.path))
    })
    let report = try MoveJob(archive: test.archive, homeZone: test.zone, watch: watch)
      .unpack(file, unlocks: [.identity(identity)], beside: folder)
    #expect(report.isComplete, "\(report.problems)")
    let new = try Archive(at: .folder(folder), clock: test.clock)
    #expect(try lines(new).sorted() == lines(source.archive).sorted())
    #expect(try new.examine().allSatisfy { $0.verdict != .problem })
    #expect(try names(test.folder.url) == ["archive", "new"])
  }

  @Test func anArchiveMadeInTheFolderMeanwhileStays() throws {
    let (source, _) = try full()
    let (file, _) = try pack(source, withSecrets: false)
    let test = try TestArchive()
    let folder = test.folder.url.appendingPathComponent("new")
    let entry = try test.activity("written meanwhile")
    let watch = ImportWatch(progress: { _ in
      guard !FileManager.default.fileExists(atPath: folder.path) else { return }
      _ = try? Archive(at: .folder(folder), clock: test.clock).add(entry)
    })
    #expect(throws: ArchiveError.self) {
      try MoveJob(archive: test.archive, homeZone: test.zone, watch: watch)
        .unpack(file, unlocks: [.identity(identity)], beside: folder)
    }
    let other = try Archive(at: .folder(folder), clock: test.clock)
    #expect(try other.activity(entry.id)?.text == "written meanwhile")
    #expect(try names(test.folder.url) == ["archive", "new"])
  }

  @Test func allOfItArrivesAndIsCompared() throws {
    let (source, calendar) = try full()
    let (file, packed) = try pack(source, withSecrets: true)
    #expect(packed.problems.isEmpty && packed.pack.secrets.count == 1)
    // Nothing of it stands in the open.
    let bytes = try Data(contentsOf: file)
    #expect(bytes.range(of: Data(Self.password.utf8)) == nil)
    let target = try TestArchive()
    let report = try prepare(file, into: target).apply()
    #expect(report.isComplete, "\(report.problems)")
    #expect(report.fingerprint == MoveJob.fingerprint(packed.backup.manifest))
    #expect(report.files == 1 && report.pack.host == "old-laptop")
    #expect(try lines(target.archive) == lines(source.archive))
    #expect(
      try target.archive.syncLinks().map(\.address).sorted() == [
        "/nowhere/work.ics", "https://example.org/dav/home/",
      ])
    let home = try #require(target.archive.home)
    let secrets = CalendarSecrets(file: home.appendingPathComponent("secrets.json"))
    #expect(
      try secrets.read(calendar.id) == .basic(user: "me", password: Self.password))
    #expect(try target.archive.tableProfiles().count == 1)
    #expect(try target.archive.preferences() == source.archive.preferences())
    let draft = home.appendingPathComponent("drafts/note-1.md")
    #expect(try String(contentsOf: draft, encoding: .utf8) == "half a thought")
    let model = try String(
      contentsOf: home.appendingPathComponent("assistant.json"), encoding: .utf8)
    #expect(model.contains("sk-zqxsecret"))
    #expect(report.remaining.contains { $0.contains("/nowhere/work.ics") })
    // A token of the old computer lets nobody in here.
    #expect(
      !FileManager.default.fileExists(atPath: home.appendingPathComponent("owner-token").path))
  }

  @Test func secretsStayBehindUnlessTheyAreChosen() throws {
    let (source, calendar) = try full()
    try source.archive.add(
      SyncLink(
        id: source.archive.identities.next(), kind: .immich,
        address: "https://photos.example.org", options: ["name": "Photos"],
        createdAt: source.clock.now))
    let (file, packed) = try pack(source, withSecrets: false)
    #expect(packed.pack.secrets.isEmpty)
    let content = packed.pack.json.text()
    #expect(!content.contains(Self.password) && !content.contains("sk-zqxsecret"))
    let target = try TestArchive()
    let report = try prepare(file, into: target).apply()
    #expect(report.isComplete)
    let home = try #require(target.archive.home)
    #expect(
      try CalendarSecrets(file: home.appendingPathComponent("secrets.json")).read(calendar.id)
        == .none)
    #expect(report.remaining.contains { $0.contains("password for the calendar “Home”") })
    #expect(report.remaining.contains { $0.contains("API key for “Photos”") })
  }

  @Test func aDamagedFileOrAWrongKeyChangesNothing() throws {
    let (source, _) = try full()
    let (file, _) = try pack(source, withSecrets: true)
    let target = try TestArchive()
    let whole = try Data(contentsOf: file)
    var altered = whole
    altered[whole.count / 2] ^= 1
    for content in [whole.prefix(whole.count / 2), whole.dropLast(1), altered, Data("x".utf8)] {
      let damaged = try target.folder.file("damaged", Data(content))
      #expect(throws: (any Error).self) { try prepare(damaged, into: target) }
    }
    #expect(throws: AgeFailure.noMatch) {
      try job(target).prepare(file, unlocks: [.identity(AgeIdentity())])
    }
    #expect(throws: AgeFailure.noMatch) {
      try job(target).prepare(file, unlocks: [.passphrase("wrong")])
    }
    #expect(try lines(target.archive).isEmpty)
    #expect(try target.archive.syncLinks().isEmpty)
  }

  @Test func itIsUnpackedIntoAnEmptyArchiveAlone() throws {
    let (source, _) = try full()
    let (file, _) = try pack(source, withSecrets: false)
    let target = try TestArchive()
    try target.add("what is here")
    do {
      _ = try prepare(file, into: target)
      Issue.record("it was unpacked")
    } catch ArchiveError.notEmpty(let sentence) {
      #expect(sentence.contains("arkived merge"))
    }
    #expect(try target.archive.counts().activities == 1)
    // A backup, and the file of a move in the place of one.
    let backup = source.folder.url.appendingPathComponent("life.zip.age")
    _ = try BackupJob(archive: source.archive, target: .recipients([identity.recipient]))
      .write(to: backup)
    let empty = try TestArchive()
    #expect(throws: ArchiveError.self) { try prepare(backup, into: empty) }
    let restored = try RestoreJob(archive: empty.archive, homeZone: empty.zone)
      .prepare(file, unlocks: [.identity(identity)])
    _ = try restored.apply()
    #expect(try lines(empty.archive) == lines(source.archive))
  }

  @Test func aDraftThatIsNoTextIsTold() throws {
    let (source, _) = try full()
    _ = try source.folder.file("archive/drafts/note-2.md", Data([0x68, 0xFF]))
    let (_, packed) = try pack(source, withSecrets: false)
    #expect(packed.pack.drafts.keys.sorted() == ["note-1.md"])
    #expect(packed.problems.count == 1 && packed.problems[0].contains("drafts/note-2.md"))
  }

  @Test func whatWasWrittenAfterPackingIsCounted() throws {
    let (source, _) = try full()
    #expect(try source.archive.changesSincePacking() == nil)
    _ = try pack(source, withSecrets: false)
    #expect(try source.archive.changesSincePacking() == 0)
    try source.add("one more")
    try source.add("and another")
    _ = try source.archive.leave(for: "the new laptop")
    #expect(try source.archive.changesSincePacking() == 2)
  }

  @Test func whatIsWrittenWhileTheFileIsCheckedStays() throws {
    let (source, _) = try full()
    let (file, _) = try pack(source, withSecrets: true)
    let target = try TestArchive()
    let prepared = try prepare(file, into: target)
    try target.add("meanwhile")
    let before = try lines(target.archive)
    do {
      _ = try prepared.apply()
      Issue.record("it was taken in")
    } catch ArchiveError.notEmpty(let sentence) {
      #expect(sentence.contains("arkived merge life.move"))
    }
    #expect(try lines(target.archive) == before)
    #expect(try target.archive.syncLinks().isEmpty)
    let home = try #require(target.archive.home)
    for name in ["secrets.json", "assistant.json", "drafts"] {
      let path = home.appendingPathComponent(name).path
      #expect(!FileManager.default.fileExists(atPath: path), "\(name)")
    }
  }

  @Test func anArchiveThatMovedCanBeReadAndTakesNoChange() throws {
    let test = try ExportJobTests().full()
    let before = try lines(test.archive)
    let departure = try test.archive.leave(for: "the new laptop")
    #expect(departure.sentence.contains("2026-03-14"))
    do {
      try test.add("too late")
      Issue.record("it was written")
    } catch ArchiveError.refused(let sentence) {
      #expect(sentence.contains("the new laptop") && sentence.contains("arkived move stay"))
    }
    let activity = try #require(try test.day("2026-03-14").activities.first)
    let archive = test.archive
    let change = try #require(try archive.changes().first)
    let day = try #require(DayKey("2026-03-15"))
    #expect(throws: ArchiveError.self) { try archive.deleteActivities([activity.id]) }
    #expect(throws: ArchiveError.self) { try archive.updateDay(day) { $0.note = "late" } }
    #expect(throws: ArchiveError.self) { try archive.undo(change.id) }
    let file = try test.folder.file(
      "late.jsonl", #"{"type":"activity","text":"x","dayKey":"2026-03-15"}"#)
    #expect(throws: ArchiveError.self) {
      try ImportJob(archive: archive, homeZone: test.zone).run(file)
    }
    #expect(throws: ArchiveError.self) { try archive.leave(for: "another") }
    #expect(try lines(archive) == before)
    let copy = test.folder.url.appendingPathComponent("copy.zip")
    _ = try BackupJob(archive: archive, target: nil).write(to: copy)
    #expect(try archive.stay() == departure)
    try test.add("in time")
  }
}

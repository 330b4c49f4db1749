import ArkivedCore
import ArkivedStore
import ArkivedTestSupport
import Foundation
import GRDB
import Testing

@Suite("An archive whose database is missing")
struct MissingArchiveTests {
  private let test: TestArchive
  private let folder: URL
  private let database: URL

  init() throws {
    test = try TestArchive()
    try test.add("a walk")
    database = try #require(test.archive.databaseFile)
    folder = database.deletingLastPathComponent()
  }

  /// Names, sizes and times of everything in the folder.
  private func look() throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted().map { name in
      let found = try FileManager.default.attributesOfItem(
        atPath: folder.appendingPathComponent(name).path)
      return "\(name) \(found[.size] ?? 0) \(found[.modificationDate] ?? 0)"
    }
  }

  private func expectMissing() throws {
    let before = try look()
    #expect {
      _ = try test.another()
    } throws: { error in
      guard case ArchiveError.missing(let path, let leftovers) = error else { return false }
      return path == database.path && !leftovers.isEmpty
    }
    #expect(try look() == before)
  }

  @Test func isRefusedAndNothingInItsFolderIsTouched() throws {
    let away = test.folder.url.appendingPathComponent("away")
    try FileManager.default.moveItem(at: database, to: away)
    try expectMissing()
    try Data().write(to: database)
    try expectMissing()
    try FileManager.default.removeItem(at: database)
    try FileManager.default.moveItem(at: away, to: database)
    #expect(try test.another().counts().activities == 1)
    try test.add("another walk")
    #expect(try test.another().counts().activities == 2)
  }

  @Test(arguments: [
    "attachments", "backup.json", "index", "snapshots", "archive.sqlite-wal", "archive.lock",
    "identity.json",
  ])
  func anySignOfAnArchiveIsEnough(name: String) throws {
    let home = test.folder.url.appendingPathComponent("other")
    try FileManager.default.createDirectory(at: home, withIntermediateDirectories: false)
    try Data("x".utf8).write(to: home.appendingPathComponent(name))
    #expect(throws: ArchiveError.self) { _ = try Archive(at: .folder(home)) }
    #expect(try FileManager.default.contentsOfDirectory(atPath: home.path) == [name])
  }

  @Test func whatTheOwnerMayHavePutThereBeforeIsNoSignOfOne() throws {
    let home = test.folder.url.appendingPathComponent("other")
    try FileManager.default.createDirectory(
      at: home.appendingPathComponent("models/some"), withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o755])
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: home.path)
    let archive = try Archive(at: .folder(home))
    #expect(try archive.isUntouched())
    let mode = try FileManager.default.attributesOfItem(atPath: home.path)[.posixPermissions]
    #expect((mode as? NSNumber)?.intValue == 0o700)
  }

  @Test func aFolderOfOtherThingsThatOthersCanReadIsRefusedWithTheCommandToRun() throws {
    let home = test.folder.url.appendingPathComponent("other")
    try FileManager.default.createDirectory(at: home, withIntermediateDirectories: false)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: home.path)
    try Data("x".utf8).write(to: home.appendingPathComponent("taxes.txt"))
    #expect {
      _ = try Archive(at: .folder(home))
    } throws: { "\($0)".contains("chmod 700 '\(home.path)'") }
    #expect(try FileManager.default.contentsOfDirectory(atPath: home.path) == ["taxes.txt"])
  }

  @Test func aCommandToRunIsQuotedForAPathWithAnApostrophe() throws {
    let home = test.folder.url.appendingPathComponent("mum's things")
    try FileManager.default.createDirectory(at: home, withIntermediateDirectories: false)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: home.path)
    try Data("x".utf8).write(to: home.appendingPathComponent("taxes.txt"))
    #expect {
      _ = try Archive(at: .folder(home))
    } throws: { "\($0)".contains(#"mum'\''s things'"#) }
  }

  @Test func anotherArchivesDatabaseInItsPlaceIsRefused() throws {
    let other = try Archive(at: .folder(test.folder.url.appendingPathComponent("other")))
    let file = try #require(other.databaseFile)
    // The log of the one must not be read into the other.
    try FileManager.default.removeItem(at: database)
    try FileManager.default.copyItem(at: file, to: database)
    let before = try look()
    let path = database.path
    #expect(throws: ArchiveError.otherArchive(path: path)) { _ = try test.another() }
    #expect(try look() == before)
  }

  @Test func whatIsLeftOfItIsSetAsideForANewOne() throws {
    _ = try test.archive.store(
      Data("a photo".utf8),
      as: ArkivedCore.Attachment(
        id: UUID(), type: .file, createdAt: test.clock.now, updatedAt: test.clock.now))
    let identity = try test.archive.identity()?.archive
    #expect(throws: ArchiveError.self) {
      try Archive.setAsideLeftovers(in: folder, onlyDatabase: false, now: test.clock.now)
    }
    try FileManager.default.removeItem(at: database)
    let kept = try #require(
      try Archive.setAsideLeftovers(in: folder, onlyDatabase: false, now: test.clock.now))
    let names = try FileManager.default.contentsOfDirectory(atPath: kept.path)
    #expect(names.contains("attachments") && names.contains("archive.sqlite-wal"))
    let new = try Archive(at: .folder(folder), clock: test.clock, opening: .making)
    #expect(try new.isUntouched() && new.identity()?.archive != identity)
  }
}

@Suite("An archive that is only read")
struct ReadOnlyOpeningTests {
  private let folder: TemporaryFolder
  private let home: URL
  private var database: URL { home.appendingPathComponent("archive.sqlite") }

  init() throws {
    folder = try TemporaryFolder()
    home = folder.url.appendingPathComponent("archive")
    let archive = try Archive(at: .folder(home), clock: FixedClock(TestArchive.now))
    let zone = Zone(TestArchive.zoneName) ?? .utc
    try archive.add(
      Activity(
        id: UUID(), dayKey: zone.dayKey(at: TestArchive.now), timeZone: zone.identifier,
        kind: .other, text: "a walk", createdAt: TestArchive.now, updatedAt: TestArchive.now))
  }

  private func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: home.path).sorted()
  }

  @Test func staysTheSameToTheByte() throws {
    let (before, list) = (try Data(contentsOf: database), try names())
    do {
      let archive = try Archive(at: .folder(home))
      #expect(try archive.counts().activities == 1)
      #expect(try archive.examine().allSatisfy { $0.verdict != .problem })
    }
    #expect(try Data(contentsOf: database) == before)
    #expect(try names() == list)
  }

  @Test(arguments: [false, true])
  func aNewerOneIsRefusedAndStaysTheSameToTheByte(writes: Bool) throws {
    try SQLiteFile.execute("INSERT INTO grdb_migrations VALUES ('999-future')", in: database)
    let (before, list) = (try Data(contentsOf: database), try names())
    for _ in 0..<2 {
      #expect(throws: ArchiveError.newerArchive(path: database.path)) {
        _ = try Archive(at: .folder(home), writes: writes)
      }
    }
    #expect(try Data(contentsOf: database) == before)
    #expect(try names() == list)
  }

  @Test(arguments: [false, true])
  func anotherProgramsDatabaseInItsPlaceIsRefusedAndStaysTheSameToTheByte(writes: Bool) throws {
    let other = folder.url.appendingPathComponent("other.sqlite")
    try SQLiteFile.execute("CREATE TABLE recipes (name)", in: other)
    // The same file, as `cp` writes it.
    try Data(contentsOf: other).write(to: database)
    let (before, list) = (try Data(contentsOf: database), try names())
    #expect(throws: ArchiveError.self) { _ = try Archive(at: .folder(home), writes: writes) }
    #expect(try Data(contentsOf: database) == before)
    #expect(try names() == list)
  }

  @Test func openedForAWriteThatFollowsItHoldsWhatItHeld() throws {
    do {
      let archive = try Archive(
        at: .folder(home), clock: FixedClock(TestArchive.now), writes: true)
      #expect(try archive.counts().activities == 1)
      try archive.noteSomething()
    }
    let archive = try Archive(at: .folder(home))
    #expect(try archive.counts().activities == 1)
    #expect(try archive.preferences().language == .english)
    #expect(try archive.examine().allSatisfy { $0.verdict != .problem })
  }

  @Test func aCopyOfItIsOpenedAndKnownFromThenOn() throws {
    let copy = folder.url.appendingPathComponent("copy")
    try FileManager.default.copyItem(at: home, to: copy)
    let archive = try Archive(at: .folder(copy))
    #expect(try archive.counts().activities == 1)
    let original = try Archive(at: .folder(home))
    #expect(try archive.identity()?.archive == original.identity()?.archive)
    #expect(try archive.identity()?.file != original.identity()?.file)
  }

  @Test func aTornCopyIsRefusedAndStaysAsItIs() throws {
    // The database is of the first moment, its log of another after the first one's was moved into it.
    let copy = folder.url.appendingPathComponent("copy")
    try FileManager.default.copyItem(at: home, to: copy)
    do {
      let archive = try Archive(at: .folder(home), clock: FixedClock(TestArchive.now))
      let zone = Zone(TestArchive.zoneName) ?? .utc
      for number in 0..<400 {
        try archive.add(
          Activity(
            id: UUID(), dayKey: zone.dayKey(at: TestArchive.now), timeZone: zone.identifier,
            kind: .other, text: "walk number \(number) along the river", createdAt: TestArchive.now,
            updatedAt: TestArchive.now))
        if number == 380 { try archive.emptyLog() }
      }
      for suffix in ["-wal"] {
        try FileManager.default.copyItem(
          atPath: database.path + suffix,
          toPath: copy.appendingPathComponent("archive.sqlite\(suffix)").path)
      }
    }
    let before = try Data(contentsOf: copy.appendingPathComponent("archive.sqlite"))
    let list = try FileManager.default.contentsOfDirectory(atPath: copy.path).sorted()
    #expect {
      _ = try Archive(at: .folder(copy))
    } throws: { error in
      guard case ArchiveError.torn = error else { return false }
      return "\(error)".contains("backup --plain")
    }
    #expect(try Data(contentsOf: copy.appendingPathComponent("archive.sqlite")) == before)
    #expect(try FileManager.default.contentsOfDirectory(atPath: copy.path).sorted() == list)
  }

  @Test func aPlainCopyHoldsAllOfItAndIsBroughtUpToDate() throws {
    let archive = try Archive(at: .folder(home), clock: FixedClock(TestArchive.now))
    let photo = try archive.store(
      Data("a photo".utf8),
      as: ArkivedCore.Attachment(
        id: UUID(), type: .file, createdAt: TestArchive.now, updatedAt: TestArchive.now))
    let zone = Zone(TestArchive.zoneName) ?? .utc
    var activity = Activity(
      id: UUID(), dayKey: zone.dayKey(at: TestArchive.now), timeZone: zone.identifier,
      kind: .other, text: "with a photo", createdAt: TestArchive.now, updatedAt: TestArchive.now)
    activity.attachments = [photo]
    try archive.add(activity)
    let copy = folder.url.appendingPathComponent("copy")
    #expect(try archive.writePlainCopy(to: copy) == 1)
    #expect(try archive.writePlainCopy(to: copy) == 0)
    do {
      let other = try Archive(at: .folder(copy))
      #expect(try other.counts().activities == 2)
      #expect(try other.examine().allSatisfy { $0.verdict != .problem })
      try other.noteSomething()
    }
    // What somebody wrote into the copy is not overwritten.
    #expect(throws: ArchiveError.self) { try archive.writePlainCopy(to: copy) }
    #expect(throws: ArchiveError.self) { try archive.writePlainCopy(to: home) }
    #expect(throws: ArchiveError.self) {
      try archive.writePlainCopy(to: home.appendingPathComponent("attachments"))
    }
  }
}

extension Archive {
  /// Writes a little.
  fileprivate func noteSomething() throws {
    try updatePreferences { $0.language = .init(.english) }
  }

  /// Moves all of the log into the database and begins it again.
  fileprivate func emptyLog() throws {
    let file = try #require(databaseFile)
    try SQLiteFile.execute("PRAGMA wal_checkpoint(TRUNCATE)", in: file)
  }
}

/// A database as another program opens it.
private enum SQLiteFile {
  static func execute(_ sql: String, in file: URL) throws {
    let queue = try DatabaseQueue(path: file.path)
    try queue.writeWithoutTransaction { db in try db.execute(sql: sql) }
    try queue.close()
  }
}

import ArkivedBackup
import ArkivedCore
import ArkivedEngine
import ArkivedStore
import ArkivedTestSupport
import Foundation
import Testing

@Suite("Backups that are damaged")
struct DamagedBackupTests {
  private let identity = AgeIdentity()
  private let test: TestArchive

  init() throws {
    test = try TestArchive()
    try test.add("a walk")
    let folder = test.folder.url.appendingPathComponent("backups").path
    try BackupBook.change(of: test.archive) {
      $0.plan = BackupBook.Plan(
        folder: folder, recipients: [identity.recipient],
        rotation: BackupRotation(daily: 2, weekly: 1, monthly: 1))
    }
  }

  @discardableResult
  private func run() throws -> URL {
    defer { test.clock.advance(seconds: 86_400) }
    return try PlannedBackup(archive: test.archive, zone: test.zone).run().file
  }

  private func tested(_ file: URL) throws {
    _ = try RestoreJob(archive: test.archive, homeZone: test.zone)
      .test(file, unlocks: [.identity(identity)])
  }

  private func health(_ file: URL) -> BackupListing.Health? {
    BackupListing(of: test.archive).items.first { $0.path == file.path }?.health
  }

  /// Flips a bit near the end of a file, in the encrypted content.
  private func damage(_ file: URL) throws {
    var content = try Data(contentsOf: file)
    content[content.count - 40] ^= 1
    try content.write(to: file)
  }

  @Test func damageInAnEncryptedBackupIsRecorded() throws {
    let file = try run()
    try tested(file)
    guard case .tested = health(file) else {
      Issue.record("\(String(describing: health(file)))")
      return
    }
    try damage(file)
    #expect(throws: AgeFailure.self) { try tested(file) }
    guard case .failed(_, let problems) = health(file) else {
      Issue.record("\(String(describing: health(file)))")
      return
    }
    #expect(problems.count == 1)
    // A wrong key is no damage.
    let other = try run()
    #expect(throws: AgeFailure.noMatch) {
      try RestoreJob(archive: test.archive, homeZone: test.zone)
        .test(other, unlocks: [.identity(AgeIdentity())])
    }
    #expect(health(other) == .verified)
  }

  @Test func aDamagedBackupReplacesNoIntactOne() throws {
    let (intact, damaged) = (try run(), try run())
    try damage(damaged)
    #expect(throws: AgeFailure.self) { try tested(damaged) }
    let book = BackupBook(of: test.archive)
    let finding = book.finding(now: test.clock.now, zone: .utc)
    #expect(finding.verdict == .problem && finding.detail.contains("failed its test"))
    #expect(book.lastRestorable(now: test.clock.now)?.path == intact.path)
    // The next one doesn't wait for its day.
    let due = try #require(book.nextDue(now: test.clock.now.adding(seconds: -86_400)))
    #expect(due <= test.clock.now.adding(seconds: -86_400))
    let next = try run()
    #expect(BackupBook(of: test.archive).finding(now: test.clock.now, zone: .utc).verdict == .good)
    // Two are kept, and the damaged one is none of them.
    for file in [intact, damaged, next] {
      #expect(FileManager.default.fileExists(atPath: file.path))
    }
    try run()
    #expect(!FileManager.default.fileExists(atPath: intact.path))
    #expect(FileManager.default.fileExists(atPath: damaged.path))
  }

  @Test(arguments: ["{", "[]", #"{"plan": {"folder": "/backups"}}"#])
  func aListThatCannotBeReadIsNotReplaced(content: String) throws {
    try run()
    let home = try #require(test.archive.databaseFile).deletingLastPathComponent()
    let file = home.appendingPathComponent("backup.json")
    let whole = try Data(contentsOf: file)
    try Data(content.utf8).write(to: file)
    #expect(throws: ArchiveError.self) {
      try BackupBook.change(of: test.archive) { $0.problem = "x" }
    }
    #expect(throws: ArchiveError.self) { try run() }
    #expect(try String(contentsOf: file, encoding: .utf8) == content)
    let finding = BackupBook(of: test.archive).finding(now: test.clock.now, zone: test.zone)
    #expect(finding.verdict == .problem && finding.detail.contains("backup.json"))
    // Repaired, it counts again.
    try whole.write(to: file)
    #expect(BackupBook(of: test.archive).entries.count == 1)
    try run()
  }

  @Test func noBackupIsMadeForOnlySomeOfTheKeys() throws {
    try run()
    let home = try #require(test.archive.databaseFile).deletingLastPathComponent()
    let file = home.appendingPathComponent("backup.json")
    let key = identity.recipient.description
    let content = try String(contentsOf: file, encoding: .utf8)
    let changed = content.replacingOccurrences(of: "\"\(key)\"", with: "\"\(key)\", \"age1typo\"")
    #expect(changed != content)
    try Data(changed.utf8).write(to: file)
    #expect(throws: ArchiveError.self) { try run() }
    #expect(try String(contentsOf: file, encoding: .utf8) == changed)
    #expect(
      BackupBook(of: test.archive).finding(now: test.clock.now, zone: .utc).verdict == .problem)
  }

  @Test func settingsOfTheInboxThatCannotBeReadAreNotReplaced() throws {
    let home = try #require(test.archive.databaseFile).deletingLastPathComponent()
    let file = home.appendingPathComponent("inbox.json")
    try InboxBook.change(of: test.archive) { $0.taken = 3 }
    #expect(InboxBook(of: test.archive).taken == 3)
    try Data("{".utf8).write(to: file)
    #expect(throws: ArchiveError.self) {
      try InboxBook.change(of: test.archive) { $0.taken = 4 }
    }
    #expect(try String(contentsOf: file, encoding: .utf8) == "{")
    #expect(InboxBook(of: test.archive).problem?.contains("inbox.json") == true)
  }
}

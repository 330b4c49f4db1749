import ArkivedBackup
import ArkivedCore
import ArkivedEngine
import ArkivedImport
import ArkivedStore
import ArkivedTestSupport
import Foundation
import Testing

/// Files of Arkived itself, which merging and restoring take whole and an import would take in part.
@Suite("Archives and backups among files to import")
struct OwnFormatTests {
  private static let ride = BadArchiveTests.Sample.ride

  private func importing(_ path: URL, into test: TestArchive) throws -> [ImportRun] {
    try ImportJob(archive: test.archive, homeZone: test.zone).run(path)
  }

  private func backup(isEncrypted: Bool) throws -> Data {
    let source = try ExportJobTests().full()
    let file = source.folder.url.appendingPathComponent("backup")
    let target = isEncrypted ? AgeTarget.recipients([AgeIdentity().recipient]) : nil
    _ = try BackupJob(archive: source.archive, target: target).write(to: file)
    return try Data(contentsOf: file)
  }

  /// Copies an archive's folder.
  private func copyArchive(to folder: URL) throws {
    let source = try ExportJobTests().full()
    let home = try #require(source.archive.databaseFile?.deletingLastPathComponent())
    try FileManager.default.createDirectory(
      at: folder.deletingLastPathComponent(), withIntermediateDirectories: true)
    try FileManager.default.copyItem(at: home, to: folder)
  }

  @Test(arguments: [true, false])
  func aBackupIsRefusedWithTheCommandsThatTakeIt(isEncrypted: Bool) throws {
    let test = try TestArchive()
    let file = try test.folder.file("life.zip", try backup(isEncrypted: isEncrypted))
    let refusal = try #require(throws: ImportRefusal.self) { try importing(file, into: test) }
    #expect(refusal.message.contains("arkived merge \(file.path)"))
    #expect(refusal.message.contains("arkived restore \(file.path)"))
    #expect(try test.archive.counts().activities == 0)
  }

  @Test func aPathWithASpaceIsOneWordOfTheCommand() throws {
    let test = try TestArchive()
    let file = try test.folder.file("my life.zip", try backup(isEncrypted: false))
    let refusal = try #require(throws: ImportRefusal.self) { try importing(file, into: test) }
    #expect(refusal.message.contains("arkived merge '\(file.path)'"))
  }

  @Test(arguments: [true, false])
  func aBackupInAFolderIsSkippedAndNamed(isEncrypted: Bool) throws {
    let test = try TestArchive()
    _ = try test.folder.file("in/ride.gpx", Self.ride)
    let file = try test.folder.file("in/old/life.zip", try backup(isEncrypted: isEncrypted))
    let runs = try importing(test.folder.url.appendingPathComponent("in"), into: test)
    #expect(runs.map(\.format) == ["gpx"])
    let warning = try #require(runs.flatMap(\.warnings).first { $0.place == "old/life.zip" })
    #expect(warning.message.contains("arkived merge \(file.path)"))
    #expect(try test.archive.counts().activities == 1)
  }

  @Test func ofAnArchiveInAFolderNothingIsImported() throws {
    let test = try TestArchive()
    _ = try test.folder.file("in/ride.gpx", Self.ride)
    let other = test.folder.url.appendingPathComponent("in/other")
    try copyArchive(to: other)
    _ = try test.folder.file("in/other/attachments/walk.gpx", Self.ride)
    let runs = try importing(test.folder.url.appendingPathComponent("in"), into: test)
    #expect(runs.map(\.format) == ["gpx"])
    let warning = try #require(
      runs.flatMap(\.warnings).first { $0.place == "other/archive.sqlite" })
    #expect(warning.message.contains("arkived merge \(other.path)"))
    #expect(try test.archive.counts().activities == 1)
  }

  @Test func anArchivesFolderAndItsDatabaseAreRefused() throws {
    let test = try TestArchive()
    let other = test.folder.url.appendingPathComponent("other")
    try copyArchive(to: other)
    for path in [other, other.appendingPathComponent("archive.sqlite")] {
      let refusal = try #require(throws: ImportRefusal.self) { try importing(path, into: test) }
      #expect(refusal.message.contains("arkived merge \(other.path)"))
    }
    #expect(try test.archive.counts().activities == 0)
  }

  @Test func aBackupInAZIPArchiveIsToBeUnpackedFirst() throws {
    let test = try TestArchive()
    let zip = TestZip([
      (name: "ride.gpx", content: Data(Self.ride.utf8)),
      (name: "life.zip", content: try backup(isEncrypted: false)),
    ])
    let file = try test.folder.file("all.zip", try zip.data())
    let runs = try importing(file, into: test)
    #expect(runs.map(\.format) == ["gpx"])
    let warning = try #require(runs.flatMap(\.warnings).first { $0.place == "all.zip/life.zip" })
    #expect(warning.message.contains("Unpack all.zip"))
    #expect(try test.archive.counts().activities == 1)
  }

  @Test func aBackupThatIsAttachedToAnEntryComesInWithIt() throws {
    let source = try TestArchive()
    var attached = Attachment(
      id: source.archive.identities.next(), type: .file, mediaType: "application/zip",
      originalName: "life.zip", createdAt: source.clock.now, updatedAt: source.clock.now)
    attached = try source.archive.store(try backup(isEncrypted: false), as: attached)
    var activity = try source.activity("kept a backup")
    activity.attachments = [attached]
    try source.archive.add(activity)
    let folder = source.folder.url.appendingPathComponent("out")
    _ = try ExportJob(archive: source.archive)
      .writeJSONLines(to: folder.appendingPathComponent("life.jsonl"))
    let test = try TestArchive()
    let run = try #require(try importing(folder, into: test).first)
    #expect(run.skipped == 0 && run.warnings.isEmpty, "\(run.warnings)")
    #expect(try test.archive.attachments().count == 1)
  }
}

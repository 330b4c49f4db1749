import ArkivedBackup
import ArkivedCore
import ArkivedEngine
import ArkivedStore
import ArkivedTestSupport
import Foundation
import Testing

/// Backups that released programs made, one for each version of the schema.
///
/// They never change; `Scripts/make_golden_backup` makes one of the present schema.
enum GoldenBackups {
  static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "Golden")

  static let names: [String] =
    ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [])
    .filter { $0.hasSuffix(".zip.age") }.sorted()
}

@Suite("Backups of every version")
struct GoldenBackupTests {
  @Test(arguments: GoldenBackups.names)
  func everyGoldenBackupIsRestoredWhole(name: String) throws {
    let key = try String(
      contentsOf: GoldenBackups.folder.appending(path: "key.txt"), encoding: .utf8)
    let file = GoldenBackups.folder.appending(path: name)
    let unlocks = try AgeIdentity.list(key).map { AgeUnlock.identity($0) }
    let manifest = try BackupReader(file, unlocks: unlocks).manifest
    #expect(name == "\(manifest.schema).zip.age")
    let test = try TestArchive()
    let prepared = try RestoreJob(archive: test.archive, homeZone: test.zone)
      .prepare(file, unlocks: unlocks)
    #expect(prepared.shortfalls.isEmpty)
    _ = try prepared.apply()
    var counts: [String: Int] = [:]
    try test.archive.forEachEntity { type, _ in counts[type, default: 0] += 1 }
    for (type, count) in manifest.counts { #expect(counts[type] == count, "\(type)") }
    #expect(try test.archive.examine().allSatisfy { $0.verdict != .problem })
  }

  @Test("There is a golden backup of the present schema; else run Scripts/make_golden_backup")
  func thePresentSchemaHasOne() throws {
    let test = try TestArchive()
    let schema = try test.archive.storageReport().schema
    #expect(GoldenBackups.names.contains("\(schema).zip.age"))
  }
}

import ArkivedCore
import ArkivedTestSupport
import Foundation
import GRDB
import Testing

@testable import ArkivedStore

@Suite("An archive whose database is a link")
struct LinkedDatabaseTests {
  /// Returns the folder of an archive whose database is a link, with a log as a killed program leaves
  /// it.
  private func linked(on disk: TemporaryFolder) throws -> URL {
    let old = try TestArchive()
    try old.add("settled")
    old.archive.settle()
    try old.add("only in the log")
    let database = try #require(old.archive.databaseFile)
    let log = try Data(contentsOf: URL(fileURLWithPath: database.path + "-wal"))
    try #require(!log.isEmpty)
    let file = try disk.file("life.sqlite", Data(contentsOf: database))
    _ = try disk.file("life.sqlite-wal", log)
    let home = disk.url.appendingPathComponent("archive")
    try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
    let link = home.appendingPathComponent("archive.sqlite")
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: file)
    return home
  }

  private func texts(_ database: any DatabaseReader) throws -> [String] {
    try database.read { db in
      try String.fetchAll(db, sql: "SELECT text FROM activities ORDER BY pk")
    }
  }

  @Test func aCopyForAMergeIncludesItsLog() throws {
    let disk = try TemporaryFolder()
    let home = try linked(on: disk)
    let copy = disk.url.appendingPathComponent("copy.sqlite")
    try ForeignDatabase.copy(home.appendingPathComponent("archive.sqlite"), as: copy)
    #expect(try texts(DatabaseQueue(path: copy.path)) == ["settled", "only in the log"])
  }

  @Test func itsLogIsReadWhereTheDatabaseItselfIs() throws {
    let disk = try TemporaryFolder()
    let home = try linked(on: disk)
    let folder = ArchiveFolder(url: home)
    #expect(folder.log.lastPathComponent == "life.sqlite-wal")
    // As for a disk that is full or can't be written to.
    #expect(try texts(UnsharedReading.open(folder)) == ["settled", "only in the log"])
  }

  @Test func itsSizeIsThatOfTheDatabase() throws {
    let old = try TestArchive()
    try old.add("lunch")
    old.archive.settle()
    let database = try #require(old.archive.databaseFile)
    let disk = try TemporaryFolder()
    let file = try disk.file("life.sqlite", Data(contentsOf: database))
    let home = disk.url.appendingPathComponent("archive")
    try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      at: home.appendingPathComponent("archive.sqlite"), withDestinationURL: file)
    let archive = try Archive(
      at: .folder(home), clock: old.clock, identities: CountedIdentities())
    #expect(try archive.storageReport().archiveBytes >= Data(contentsOf: file).count)
  }
}

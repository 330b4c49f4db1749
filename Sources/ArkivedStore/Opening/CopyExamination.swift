import ArkivedCore
import Foundation
import GRDB

/// The examination of a database that is not the file it says it is: a copy, or one that was put in
/// another's place.
///
/// A folder that is copied while its archive is in use may hold a database of one moment and a log of
/// another. SQLite would apply the one to the other without a word.
struct CopyExamination {
  let folder: ArchiveFolder
  /// What `identity.json` says; nil if there is none.
  let expected: ArchiveIdentity?

  /// Reads the database without changing anything in its folder.
  ///
  /// - Throws: `ArchiveError.otherArchive` for another archive's database, `.torn` for one that does
  ///   not fit its log.
  func run() throws {
    // Alone it may be unreadable: its log holds what a checkpoint that was broken off did not finish.
    let plain = try? UnsharedReading.open(folder, withLog: false).read { db in
      (identity: try ArchiveIdentity.read(db), change: try Self.newestChange(db))
    }
    if let expected, let found = plain?.identity, found.archive != expected.archive {
      throw ArchiveError.otherArchive(path: folder.database.path)
    }
    let hasLog = (FileIdentity(of: folder.log.path)?.size ?? 0) > 0
    let reason = try read(withLog: hasLog) { db in try Self.fault(db, newerThan: plain?.change) }
    if let reason { throw ArchiveError.torn(path: folder.database.path, reason: reason) }
  }

  private func read<Value>(
    withLog: Bool, _ body: (Database) throws -> Value
  ) throws -> Value {
    do {
      return try UnsharedReading.open(folder, withLog: withLog).read(body)
    } catch let error as DatabaseError
      where [.SQLITE_CORRUPT, .SQLITE_NOTADB].contains(error.resultCode)
    {
      throw ArchiveError.torn(
        path: folder.database.path, reason: error.message ?? "it can’t be read")
    }
  }

  /// Changes that are seen are never taken out again, so the newest one only grows.
  private static func newestChange(_ db: Database) throws -> Int64? {
    guard try db.tableExists("changes") || db.viewExists("changes") else { return nil }
    return try Int64.fetchOne(db, sql: "SELECT max(pk) FROM changes")
  }

  /// The first sign that parts of the database are of different moments; nil if there is none.
  ///
  /// - Parameter change: the newest change in the database file alone, which its log can only add to.
  private static func fault(_ db: Database, newerThan change: Int64?) throws -> String? {
    let lines = try String.fetchAll(db, sql: "PRAGMA integrity_check(3)")
    guard lines == ["ok"] else { return lines.joined(separator: "; ") }
    guard try Row.fetchOne(db, sql: "PRAGMA foreign_key_check") == nil else {
      return "some of its entries point to others that aren’t there"
    }
    if let change {
      guard try newestChange(db) ?? 0 >= change else { return "its log is older than the database" }
    }
    return nil
  }
}

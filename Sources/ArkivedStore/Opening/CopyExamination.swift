import ArkivedCore
import Foundation
import GRDB

/// The examination of a database whose file isn't the recorded one: a copy, or one that replaced
/// another.
///
/// A folder that is copied while its archive is in use may have a database from one moment and a
/// log from another. SQLite would combine them silently.
struct CopyExamination {
  let folder: ArchiveFolder
  /// The identity in `identity.json`; nil if there is none.
  let expected: ArchiveIdentity?

  /// Reads the database without changing anything in its folder.
  ///
  /// - Throws: `ArchiveError.otherArchive` for another archive's database, `.torn` for one that
  ///   does not match its log, `.damaged` for one without a log that can't be read completely.
  func run() throws {
    // By itself, it may be unreadable if its log contains the rest of an interrupted checkpoint.
    let plain = try? UnsharedReading.open(folder, withLog: false).read { db in
      (identity: try ArchiveIdentity.read(db), change: try Self.newestChange(db))
    }
    if let expected, let found = plain?.identity, found.archive != expected.archive {
      throw ArchiveError.otherArchive(path: folder.database.path)
    }
    let hasLog = (FileIdentity(of: folder.log.path)?.size ?? 0) > 0
    guard let reason = try fault(withLog: hasLog, newest: plain?.change) else { return }
    // Without a log, there is nothing it could fail to match.
    throw hasLog
      ? ArchiveError.torn(path: folder.database.path, reason: reason)
      : ArchiveError.damaged(path: folder.database.path, reason: reason)
  }

  private func fault(withLog: Bool, newest: Int64?) throws -> String? {
    do {
      return try UnsharedReading.open(folder, withLog: withLog).read { db in
        try Self.fault(db, newest: newest)
      }
    } catch let error as DatabaseError
      where [.SQLITE_CORRUPT, .SQLITE_NOTADB].contains(error.resultCode)
    {
      return error.message ?? "it can’t be read"
    }
  }

  /// Returns the newest change that was not made by an import.
  ///
  /// Changes of interrupted imports are removed again but all others stay forever, so this only
  /// grows.
  private static func newestChange(_ db: Database) throws -> Int64? {
    let table = try ["change_rows", "changes"].first { try db.tableExists($0) }
    guard let table else { return nil }
    return try Int64.fetchOne(
      db, sql: "SELECT max(pk) FROM \(table) WHERE author <> ?",
      arguments: [Author.importer.rawValue])
  }

  /// Returns the first sign that parts of the database are from different moments; nil if there is
  /// none.
  ///
  /// - Parameters:
  ///   - db: the database.
  ///   - newest: the newest change in the database file alone, to which its log can only add.
  /// - Returns: the sign.
  /// - Throws: `DatabaseError` if the archive can't be read.
  private static func fault(_ db: Database, newest: Int64?) throws -> String? {
    let lines = try String.fetchAll(db, sql: "PRAGMA integrity_check(3)")
    guard lines == ["ok"] else { return lines.joined(separator: "; ") }
    guard try Row.fetchOne(db, sql: "PRAGMA foreign_key_check") == nil else {
      return "some of its entries refer to others that don’t exist"
    }
    if let newest, try newestChange(db) ?? 0 < newest {
      return "its log is older than the database"
    }
    return nil
  }
}

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
    let plain = try? UnsharedReading.open(folder, withLog: false).read(ArchiveIdentity.read)
    if let expected, let found = plain ?? nil, found.archive != expected.archive {
      throw ArchiveError.otherArchive(path: folder.database.path)
    }
    let hasLog = (FileIdentity(of: folder.log.path)?.size ?? 0) > 0
    if let reason = try read(withLog: hasLog, Self.fault) {
      throw ArchiveError.torn(path: folder.database.path, reason: reason)
    }
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

  /// The first sign that parts of the database are of different moments; nil if there is none.
  private static func fault(_ db: Database) throws -> String? {
    let lines = try String.fetchAll(db, sql: "PRAGMA integrity_check(3)")
    guard lines == ["ok"] else { return lines.joined(separator: "; ") }
    guard try Row.fetchOne(db, sql: "PRAGMA foreign_key_check") == nil else {
      return "some of its entries point to others that aren’t there"
    }
    return nil
  }
}

import ArkivedCore
import Foundation
import GRDB

/// Attached files that belong to nothing: broken-off acts leave them.
extension Archive {
  /// What `doctor` calls them.
  package static let strayCheck = "stray files"

  /// So long nobody stored or named a file that is removed.
  private static let strayDays = 7

  struct Stray {
    /// As an attachment would name it.
    let path: String
    let bytes: Int
    let stored: Date
  }

  /// Files that nothing names, neither an entry, seen or hidden, nor an old version of one.
  func strays() throws -> [Stray] {
    guard let folder = attachmentsFolder,
      let names = try? FileManager.default.subpathsOfDirectory(atPath: folder.path)
    else { return [] }
    let known = Set(
      (try attachments(includingHidden: true) + oldAttachments()).compactMap(\.relativePath))
    return names.compactMap { name in
      guard !known.contains(name), UnfinishedFile.Kind(path: "attachments/\(name)") == nil
      else { return nil }
      let found = try? FileManager.default.attributesOfItem(
        atPath: folder.appendingPathComponent(name).path)
      guard found?[.type] as? FileAttributeType == .typeRegular,
        let stored = found?[.modificationDate] as? Date
      else { return nil }
      return Stray(path: name, bytes: (found?[.size] as? NSNumber)?.intValue ?? 0, stored: stored)
    }
  }

  /// Whether the database has been in this place, and sound, for so long that a file it does not name
  /// belongs to nothing: a database that was restored or copied here lately may not know it.
  func mayJudgeStrays() throws -> Bool {
    guard let since = try identity()?.since, since.date < strayEdge else { return false }
    guard try checkIntegrity(limit: 1) == ["ok"] else { return false }
    return try read { db in try Row.fetchOne(db, sql: "PRAGMA foreign_key_check") == nil }
  }

  /// Told by the clock of the disk's computer, as the times of files are, not by the archive's.
  private var strayEdge: Date { Date().addingTimeInterval(-Double(Self.strayDays) * 86_400) }

  /// Removes files that nothing has named for a week, if the archive has been whole for as long. Each is
  /// looked at again before it goes; while an import, a restore or a merge is at work, none goes.
  ///
  /// - Returns: how many.
  @discardableResult
  package func removeStrayFiles() throws -> Int {
    guard let home = databaseFile?.deletingLastPathComponent(), try mayJudgeStrays(),
      let imports = try? FileLock(at: WaitingWriters.lockFile(in: home), waits: 0)
    else { return 0 }
    defer { imports.release() }
    guard
      let work = try? FileLock(at: home.appendingPathComponent(Self.workLockName), waits: 0)
    else { return 0 }
    defer { work.release() }
    let edge = strayEdge
    return try removeFiles(Set(try strays().filter { $0.stored < edge }.map(\.path)))
  }
}

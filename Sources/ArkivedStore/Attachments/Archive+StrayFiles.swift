import ArkivedCore
import Foundation
import GRDB

/// Finding and removing attached files that belong to nothing, which interrupted operations leave.
extension Archive {
  /// The name of the check in `doctor`.
  package static let strayCheck = "stray files"

  /// The number of days for which a file must not have been stored or referred to before it is
  /// removed.
  private static let strayDays = 7

  struct Stray {
    /// The path as in an attachment.
    let path: String
    let bytes: Int
    let stored: Date
  }

  /// Returns the files that neither an entry, visible or hidden, nor an old version of one refers
  /// to.
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

  /// Returns true if the database has been here and intact for so long that a file it does not
  /// refer to belongs to nothing.
  ///
  /// A database that was recently restored or copied here may not know the file.
  func mayJudgeStrays() throws -> Bool {
    guard let since = try identity()?.since, since.date < strayEdge else { return false }
    guard try checkIntegrity(limit: 1) == ["ok"] else { return false }
    return try read { db in try Row.fetchOne(db, sql: "PRAGMA foreign_key_check") == nil }
  }

  /// The cutoff according to the clock of the computer with the disk, which also sets the times of
  /// files, and not the archive's clock.
  private var strayEdge: Date { Date().addingTimeInterval(-Double(Self.strayDays) * 86_400) }

  /// Removes files that nothing has referred to for a week, if the archive has been intact for as
  /// long.
  ///
  /// Each is checked again before it is removed; none is removed during an import, a restore or a
  /// merge.
  ///
  /// - Returns: the number of files removed.
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

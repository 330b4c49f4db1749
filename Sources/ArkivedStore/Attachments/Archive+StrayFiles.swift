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
  /// to, nor a copy of the database in `snapshots/`.
  ///
  /// - Parameter isForRemoval: true to return none if a copy can't be read.
  /// - Returns: the files.
  /// - Throws: `ArchiveError` or `DatabaseError` if the archive can't be read.
  func strays(isForRemoval: Bool = false) throws -> [Stray] {
    guard let folder = attachmentsFolder,
      let names = try? FileManager.default.subpathsOfDirectory(atPath: folder.path)
    else { return [] }
    let known = Set(
      (try attachments(includingHidden: true) + oldAttachments()).compactMap(\.relativePath))
    let found: [Stray] = names.compactMap { name in
      guard !known.contains(name), UnfinishedFile.Kind(path: "attachments/\(name)") == nil
      else { return nil }
      let found = try? FileManager.default.attributesOfItem(
        atPath: folder.appendingPathComponent(name).path)
      guard found?[.type] as? FileAttributeType == .typeRegular,
        let stored = found?[.modificationDate] as? Date
      else { return nil }
      return Stray(path: name, bytes: (found?[.size] as? NSNumber)?.intValue ?? 0, stored: stored)
    }
    guard !found.isEmpty else { return [] }
    guard let snapshots = try? snapshotFiles() else { return isForRemoval ? [] : found }
    var kept: Set<String> = []
    for file in snapshots {
      if let paths = try? Self.paths(inSnapshot: file) {
        kept.formUnion(paths)
      } else if isForRemoval {
        // It may need any of them.
        return []
      }
    }
    return found.filter { !kept.contains($0.path) }
  }

  /// The copies of the database that the owner may restore.
  private func snapshotFiles() throws -> [URL] {
    guard
      let folder = databaseFile?.deletingLastPathComponent().appendingPathComponent("snapshots"),
      FileManager.default.fileExists(atPath: folder.path)
    else { return [] }
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    return names.filter { $0.hasSuffix(".sqlite") }.map { folder.appendingPathComponent($0) }
  }

  /// Returns the paths of all files that a copy of the database refers to.
  ///
  /// - Throws: `DatabaseError` if the copy can't be read completely.
  private static func paths(inSnapshot file: URL) throws -> Set<String> {
    // A log beside it would be from a program that has changed the copy.
    guard (FileIdentity(of: file.path + "-wal")?.size ?? 0) == 0 else {
      throw DatabaseError(resultCode: .SQLITE_BUSY)
    }
    return try UnsharedReading.openUnchanging(file).read { db in
      var paths = try String.fetchSet(
        db, sql: "SELECT relative_path FROM attachments WHERE relative_path IS NOT NULL")
      let records = try String.fetchCursor(
        db, sql: "SELECT record FROM history WHERE record LIKE '%relativePath%'")
      while let text = try records.next() {
        let record = try JSON(parsing: text)
        for json in (record["attachments"]?.array ?? []) + [record] {
          if let path = json["relativePath"]?.string { paths.insert(path) }
        }
      }
      return paths
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
    let old = try strays(isForRemoval: true).filter { $0.stored < edge }
    return try removeFiles(Set(old.map(\.path)))
  }
}

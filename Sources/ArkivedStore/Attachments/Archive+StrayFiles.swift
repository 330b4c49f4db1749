import ArkivedCore
import Foundation

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
      guard !known.contains(name) else { return nil }
      let found = try? FileManager.default.attributesOfItem(
        atPath: folder.appendingPathComponent(name).path)
      guard found?[.type] as? FileAttributeType == .typeRegular,
        let stored = found?[.modificationDate] as? Date
      else { return nil }
      return Stray(path: name, bytes: (found?[.size] as? NSNumber)?.intValue ?? 0, stored: stored)
    }
  }

  /// Removes files that nothing has named for a week. Each is looked at anew before it goes; while
  /// an import, a restore or a merge is at work, none goes.
  ///
  /// - Returns: how many.
  @discardableResult
  package func removeStrayFiles() throws -> Int {
    guard let home = databaseFile?.deletingLastPathComponent(),
      let imports = try? FileLock(at: WaitingWriters.lockFile(in: home), waits: 0)
    else { return 0 }
    defer { imports.release() }
    guard
      let work = try? FileLock(at: home.appendingPathComponent(Self.workLockName), waits: 0)
    else { return 0 }
    defer { work.release() }
    // Both times are told by the clock of the disk's computer, not by the archive's.
    let edge = Date().addingTimeInterval(-Double(Self.strayDays) * 86_400)
    return try removeFiles(Set(try strays().filter { $0.stored < edge }.map(\.path)))
  }
}

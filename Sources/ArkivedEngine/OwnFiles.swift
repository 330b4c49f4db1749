import ArkivedBackup
package import ArkivedStore
package import Foundation

extension Archive {
  /// Returns true if a file is the database, its log, or one of the stored attachments, none of
  /// which may be overwritten at anyone's request.
  package func isOwn(_ file: URL) -> Bool {
    guard let databaseFile else { return false }
    let home = Self.realPath(databaseFile.deletingLastPathComponent())
    let folder = Self.realPath(file.standardizedFileURL.deletingLastPathComponent())
    let name = databaseFile.lastPathComponent
    if folder == home {
      return ["", "-wal", "-shm", "-journal"].contains { file.lastPathComponent == name + $0 }
    }
    return "\(folder)/".hasPrefix("\(home)/attachments/")
  }

  private static func realPath(_ folder: URL) -> String {
    folder.resolvingSymlinksInPath().standardizedFileURL.path
  }
}

extension BackupJob {
  /// Throws if a name belongs to a file that is not an earlier backup, because it may be the only
  /// copy.
  ///
  /// - Throws: `ArchiveError.refused` with the reason.
  package static func claim(_ file: URL, for archive: Archive) throws {
    guard !archive.isOwn(file) else {
      throw ArchiveError.refused("\(file.path) belongs to the archive itself. Choose another file.")
    }
    let attributes = try? FileManager.default.attributesOfItem(atPath: file.path)
    // Folders, pipes and links are refused at the time of writing.
    guard attributes?[.type] as? FileAttributeType == .typeRegular,
      (attributes?[.size] as? NSNumber)?.intValue != 0
    else { return }
    let handle = try FileHandle(forReadingFrom: file)
    defer { try? handle.close() }
    let head = [UInt8](try handle.read(upToCount: 64) ?? Data())
    guard AgeFile.isAge(head) || isOpenBackup(head) else {
      throw ArchiveError.refused(
        "\(file.path) already exists and isn’t a backup. Choose another file.")
    }
  }

  /// Returns true if a file begins like an unencrypted backup: a ZIP archive that starts with the
  /// guide.
  private static func isOpenBackup(_ head: [UInt8]) -> Bool {
    head.starts(with: [0x50, 0x4B, 0x03, 0x04])
      && head.dropFirst(30).starts(with: Array(BackupManifest.guideName.utf8))
  }
}

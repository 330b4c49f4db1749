import ArkivedBackup
package import ArkivedStore
package import Foundation

extension Archive {
  /// Whether a name is that of the database, of its log, or of something among the stored
  /// attachments: nothing else may be written there, whoever asks for it.
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
  /// Refuses the name of a file that is no earlier backup: what is there may be there alone.
  ///
  /// - Throws: `ArchiveError.refused`.
  package static func claim(_ file: URL, for archive: Archive) throws {
    guard !archive.isOwn(file) else {
      throw ArchiveError.refused("\(file.path) belongs to the archive itself. Choose another file.")
    }
    let attributes = try? FileManager.default.attributesOfItem(atPath: file.path)
    // Folders, pipes and links are refused where it is written.
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

  /// Whether a file begins as a backup that everybody can read: a ZIP archive, the guide first.
  private static func isOpenBackup(_ head: [UInt8]) -> Bool {
    head.starts(with: [0x50, 0x4B, 0x03, 0x04])
      && head.dropFirst(30).starts(with: Array(BackupManifest.guideName.utf8))
  }
}

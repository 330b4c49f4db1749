import ArkivedBackup
import ArkivedImport
import ArkivedStore

/// One of Arkived's own formats that can't be imported: merging and restoring read everything, but
/// an import would read only what looks like entries.
enum OwnFormat {
  case archive
  /// A file encrypted by age, as backups are.
  case encrypted
  /// A backup without encryption, or a file for a move.
  case backup

  /// The name of an archive's database in its folder.
  static let databaseName = "archive.sqlite"

  /// Recognizes a file by its name and its first bytes.
  ///
  /// An unencrypted backup is recognized by `init(zip:)`.
  ///
  /// - Returns: nil if it is of another format.
  init?(fileName: String, head: [UInt8]) {
    if fileName == Self.databaseName, head.starts(with: Array("SQLite format 3\0".utf8)) {
      self = .archive
    } else if AgeFile.isAge(head) {
      self = .encrypted
    } else {
      return nil
    }
  }

  /// Recognizes a backup by the names of the files in it.
  ///
  /// - Returns: nil if it is of another format.
  init?(zip: ZipFile) {
    let names = Set(zip.entries.map(\.name))
    guard names.contains(BackupManifest.fileName), names.contains(BackupManifest.guideName),
      names.contains(where: MemberName.isLines)
    else { return nil }
    self = .backup
  }

  /// Returns a refusal of a file that lists the commands that accept it.
  ///
  /// - Parameters:
  ///   - place: the file's name in reports.
  ///   - path: the path to give to the commands.
  /// - Returns: the refusal.
  func refusal(place: String, path: String) -> ImportRefusal {
    let path = Archive.shellWord(path)
    let message =
      switch self {
      case .archive:
        "this is an Arkived archive. To add its entries to yours: arkived merge \(path)"
      case .encrypted:
        "this is an encrypted file, such as an Arkived backup. To add its entries to yours: arkived "
          + "merge \(path). To replace your archive with it: arkived restore \(path)"
      case .backup:
        "this is an Arkived backup. To add its entries to yours: arkived merge \(path). To replace "
          + "your archive with it: arkived restore \(path)"
      }
    return ImportRefusal(place: place, message: message)
  }

  /// Returns a refusal of a file in a ZIP archive, where no command can reach it.
  static func refusal(place: String, inArchive archive: String) -> ImportRefusal {
    ImportRefusal(
      place: place,
      message: "this is an Arkived archive or backup. Unpack \(archive), then use arkived merge or "
        + "arkived restore")
  }
}

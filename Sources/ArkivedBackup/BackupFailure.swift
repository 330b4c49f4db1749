/// The reason that a backup can't be read.
///
/// Nothing was changed in that case.
package enum BackupFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// The file isn't a backup.
  case notABackup(String)
  /// A part is missing, modified, or larger than stated.
  case damaged(String)
  /// The file contains something that no Arkived backup contains.
  case hostile(String)
  /// A newer version of Arkived wrote the file.
  case newer(Int)
  /// The backup is encrypted with a passphrase, and none was given.
  case needsPassphrase
  /// The backup is encrypted with a key, and none was given.
  case needsKey
  /// libarchive is not installed.
  case isMissingItsReader
  /// libarchive couldn't write.
  case cannotPack(String)

  /// The failure for a file that differs from the written data.
  static let altered = BackupFailure.damaged("some bytes were added, removed or changed")

  package var description: String {
    switch self {
    case .notABackup(let reason): "This isn’t an Arkived backup: \(reason)."
    case .damaged(let reason): "The backup is damaged: \(reason). Use an older one."
    case .hostile(let reason):
      "This backup wasn’t made by Arkived: \(reason). It was left unchanged."
    case .newer(let version):
      "The backup has format version \(version), but this version of Arkived only "
        + "reads up to \(BackupManifest.version). Update Arkived to read it."
    case .needsPassphrase:
      "The backup is protected by a passphrase. Enter it in the terminal or use --passphrase-file."
    case .needsKey:
      "The backup is encrypted with a public key. Use --identity to specify the file with the "
        + "secret key."
    case .isMissingItsReader:
      "Backups can’t be created or unpacked here: libarchive isn’t installed (install libarchive13)."
    case .cannotPack(let reason): "The backup couldn’t be packed: \(reason)."
    }
  }
}

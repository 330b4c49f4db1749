/// Why a backup cannot be read. Nothing was changed then.
package enum BackupFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// The file is something else.
  case notABackup(String)
  /// A part of it is missing, altered, or more than it says.
  case damaged(String)
  /// It holds what no backup of Arkived does.
  case hostile(String)
  /// A newer Arkived wrote it.
  case newer(Int)
  /// It is encrypted for a passphrase, and none was given.
  case needsPassphrase
  /// It is encrypted for a key, and none was given.
  case needsKey
  /// libarchive is not installed.
  case isMissingItsReader
  /// libarchive could not write.
  case cannotPack(String)

  /// A file that isn't, byte for byte, what was written.
  static let altered = BackupFailure.damaged("bytes in it were added, removed or changed")

  package var description: String {
    switch self {
    case .notABackup(let reason): "This isn’t an Arkived backup: \(reason)."
    case .damaged(let reason): "The backup is damaged: \(reason). Use an older one."
    case .hostile(let reason):
      "This backup wasn’t made by Arkived: \(reason). It was left unchanged."
    case .newer(let version):
      "The backup has format version \(version), but this Arkived only reads up to "
        + "\(BackupManifest.version). Update Arkived to read it."
    case .needsPassphrase:
      "The backup is protected by a passphrase. Enter it in the terminal or use --passphrase-file."
    case .needsKey:
      "The backup is encrypted for a key. Specify the file with the secret key using --identity."
    case .isMissingItsReader:
      "Backups can’t be created or unpacked here: libarchive isn’t installed (install libarchive13)."
    case .cannotPack(let reason): "The backup couldn’t be packed: \(reason)."
    }
  }
}

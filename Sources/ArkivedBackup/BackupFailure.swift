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
  static let altered = BackupFailure.damaged("bytes of it were added, removed or changed")

  package var description: String {
    switch self {
    case .notABackup(let reason): "This is no backup of Arkived: \(reason)."
    case .damaged(let reason): "The backup is damaged: \(reason). Use an older one."
    case .hostile(let reason):
      "This is no backup that Arkived made: \(reason). It was left alone."
    case .newer(let version):
      "The backup has version \(version) of the format; this Arkived reads up to "
        + "\(BackupManifest.version). Update Arkived to read it."
    case .needsPassphrase:
      "The backup is protected by a passphrase. Give it at the terminal or with --passphrase-file."
    case .needsKey:
      "The backup is encrypted for a key. Name the file of the secret key with --identity."
    case .isMissingItsReader:
      "Backups cannot be packed or unpacked here: libarchive is not installed (install libarchive13)."
    case .cannotPack(let reason): "The backup could not be packed: \(reason)."
    }
  }
}

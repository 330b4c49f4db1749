/// The reason a word index cannot be used or built.
///
/// The archive itself is never affected: the index is derived and can be rebuilt.
package enum WordIndexError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The file doesn't exist or cannot be read.
  case unreadable(path: String, reason: String)
  /// The file is not a word index, is truncated, or was modified.
  case damaged(path: String, reason: String)
  /// The file was written by another version of the format.
  case unsupportedVersion(path: String, version: UInt32)
  /// The builder received something out of order.
  case disordered(String)
  /// The contents exceed the limits of the format.
  case tooLarge(String)
  /// The file could not be written.
  case unwritable(path: String, reason: String)

  package var description: String {
    switch self {
    case .unreadable(let path, let reason): "The word index \(path) can’t be read: \(reason)."
    case .damaged(let path, let reason):
      "The word index \(path) is damaged: \(reason). It will be rebuilt from the archive."
    case .unsupportedVersion(let path, let version):
      "The word index \(path) has format version \(version), which this version of Arkived can’t "
        + "read. It will be rebuilt from the archive."
    case .disordered(let what): "The words of the archive are out of order: \(what)."
    case .tooLarge(let what): "The word index can’t store this: \(what)."
    case .unwritable(let path, let reason):
      "The word index \(path) can’t be written: \(reason)."
    }
  }
}
